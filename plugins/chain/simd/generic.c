/* SPDX-License-Identifier: BSD-2-Clause */
/* 128-bit vectors by the compiler's vector extensions, for every machine; SSE2 where it is. */
#include "plugins/chain/simd/simd.h"

#include "plugins/common/vec/vec_generic.h"

static FECRUN_ALWAYS_INLINE vec every_second(uint32_t first)
{
    return (vec){first, (long long)first + 2};
}

static FECRUN_ALWAYS_INLINE vec weave(vec a, vec b)
{
    return (a & vec_i64_set(UINT32_MAX)) | vec_u64_sll(b, 32);
}

static FECRUN_ALWAYS_INLINE vec_f32 pick(vec s, vec_f32 a, vec_f32 b)
{
    return vec_f32_of_bits(vec_i8_pick(vec_i32_sra(s, 31), vec_f32_bits(b), vec_f32_bits(a)));
}

static FECRUN_ALWAYS_INLINE vec_f32 look_up(const float *table, vec index)
{
    const vec_lanes_i32 i = (vec_lanes_i32)index;

    return (vec_f32){table[i[0]], table[i[1]], table[i[2]], table[i[3]]};
}

static FECRUN_ALWAYS_INLINE vec low_bytes(vec a, vec b, vec c, vec d)
{
    const vec byte = vec_i32_set(255);

    return (a & byte) | vec_u32_sll(b & byte, 8) | vec_u32_sll(c & byte, 16) | vec_u32_sll(d, 24);
}

static FECRUN_ALWAYS_INLINE vec top_nibbles(const uint8_t *p)
{
    return (vec)(vec_lanes_u32){(uint32_t)p[0] << 24, (uint32_t)p[0] << 28, (uint32_t)p[1] << 24,
                                (uint32_t)p[1] << 28};
}

static FECRUN_ALWAYS_INLINE void in_order(const vec_f32 s[4], float *out)
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            out[4 * i + j] = s[j][i];
}

#define NOISE_GROUPS 1
#include "plugins/chain/simd/noise.h"
#include "plugins/chain/simd/link.h"
#include "plugins/chain/simd/wave.h"

const struct chain_kernels *chain_kernels_generic(void)
{
    static const struct chain_kernels kernels = {"generic",         link_run,      link_add,
                                                 link_quantize_row, link_hard_row, wave_add};

    return &kernels;
}
