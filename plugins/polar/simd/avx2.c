/* SPDX-License-Identifier: BSD-2-Clause */
/* AVX2: a row is two vectors; P is 32 at most, so that paths never leave theirs. */
#include "plugins/polar/simd/simd.h"
#include "plugins/polar/simd/words.h"

#ifdef __AVX2__
#include "plugins/common/vec/vec_avx2.h"

/* Either half of 16 may go to either. */
static inline vec take_lanes(const void *row, const uint8_t *map, uint32_t at)
{
    const vec v = vec_load((const int8_t *)row + at), to = vec_load(map + at);
    const vec low = _mm256_permute2x128_si256(v, v, 0x00);
    const vec high = _mm256_permute2x128_si256(v, v, 0x11);
    const vec upper = _mm256_slli_epi16(to, 3); /* bit 4 of the lane stands highest */

    return vec_i8_pick(upper, _mm256_shuffle_epi8(high, vec_and(to, vec_i8_set(15))),
                       _mm256_shuffle_epi8(low, vec_and(to, vec_i8_set(15))));
}

static inline void put_rows(polar_row *rows, vec a, vec b, vec c, vec d, bool half)
{
    (void)half; /* there are no more than two */
    vec_store(rows[0], _mm256_permute2x128_si256(a, b, 0x20));
    vec_store(rows[0] + 32, _mm256_permute2x128_si256(c, d, 0x20));
    vec_store(rows[16], _mm256_permute2x128_si256(a, b, 0x31));
    vec_store(rows[16] + 32, _mm256_permute2x128_si256(c, d, 0x31));
}

#include "plugins/polar/simd/kernel.h"
#include "plugins/polar/simd/kernel_load.h"
#include "plugins/polar/simd/kernel_bp.h"
#include "plugins/polar/simd/kernel_list.h"
#include "plugins/polar/simd/kernel_sc.h"
#include "plugins/polar/simd/kernel_small.h"

const struct polar_kernel *polar_kernel_avx2(void)
{
    static const struct polar_kernel kernel = {
        "avx2",  load,      repeat, sc,         sc_frames, correlate, scl,
        bits_of, transform, lanes,  bp_iterate, small,     spread,    polar_frame_avx2};

    return &kernel;
}

#else

const struct polar_kernel *polar_kernel_avx2(void)
{
    return NULL;
}

#endif
