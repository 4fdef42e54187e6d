/* SPDX-License-Identifier: BSD-2-Clause */
/* Template: what the search for a frame's gain adds up (simd/fixed.c). */

/* ldpc_add_up: of n magnitudes, zeros up to a whole vector. */
static void gain_add_up(const uint8_t *magnitude, uint32_t n, uint32_t cut, uint32_t *sum,
                        uint32_t *others)
{
    const vec least = vec_i8_set((char)cut), one = vec_i8_set(1), zero = vec_i8_set(0);
    vec sums = zero, counts = zero;
    uint64_t part[VEC_BYTES / 8], all = 0;

    _Static_assert((LDPC_FIXED_SAMPLE + 2 * 64) / VEC_BYTES < 256, "counts are bytes");
    for (uint32_t i = 0; i < n; i += VEC_BYTES) {
        const vec a = vec_load_any(magnitude + i), limited = vec_u8_min(a, least);

        sums = vec_i64_add(sums, vec_u8_sum8(vec_i8_pick(vec_i8_eq(limited, least), zero, a)));
        counts = vec_i8_add(counts, vec_i8_pick(vec_i8_eq(limited, least), one, zero));
    }
    /* both at once: neither has more than 32 bits */
    vec_store_any(part, vec_i64_add(sums, vec_u64_sll(vec_u8_sum8(counts), 32)));
    for (unsigned i = 0; i < VEC_BYTES / 8; i++)
        all += part[i];
    *sum = (uint32_t)all;
    *others = (uint32_t)(all >> 32);
}

#define GAIN_ADD_UP gain_add_up
