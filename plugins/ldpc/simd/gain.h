/* SPDX-License-Identifier: BSD-2-Clause */
/* Template: what the search for a frame's gain adds up (simd/fixed.c). Each instruction set defines
 *   V_SUM8(v, zero)             sums of eight bytes, as 64 bits
 *   V8_ADD, V64_ADD             bytes, 64 bits
 *   V64_UP(v, n)                each 64 bits n places up
 */

/* ldpc_add_up: of n magnitudes, zeros up to a whole vector. */
static void gain_add_up(const uint8_t *magnitude, uint32_t n, uint32_t cut, uint32_t *sum,
                        uint32_t *others)
{
    const vec least = V_SET1((char)cut), one = V_SET1(1), zero = V_SET1(0);
    vec sums = zero, counts = zero;
    uint64_t part[V_WIDTH / 8], all = 0;

    _Static_assert((LDPC_FIXED_SAMPLE + 2 * 64) / V_WIDTH < 256, "counts are bytes");
    for (uint32_t i = 0; i < n; i += V_WIDTH) {
        const vec a = V_LOADU(magnitude + i), limited = V_MIN(a, least);

        sums = V64_ADD(sums, V_SUM8(V_CHOOSE(limited, least, zero, a), zero));
        counts = V8_ADD(counts, V_CHOOSE(limited, least, one, zero));
    }
    /* both at once: neither has more than 32 bits */
    V_STOREU(part, V64_ADD(sums, V64_UP(V_SUM8(counts, zero), 32)));
    for (unsigned i = 0; i < V_WIDTH / 8; i++)
        all += part[i];
    *sum = (uint32_t)all;
    *others = (uint32_t)(all >> 32);
}

#define GAIN_ADD_UP gain_add_up
