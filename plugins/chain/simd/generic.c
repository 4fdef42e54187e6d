/* SPDX-License-Identifier: BSD-2-Clause */
/* 128-bit vectors by the compiler's vector extensions, for every machine; SSE2 where it is. */
#include "plugins/chain/simd/simd.h"

#include <string.h>

#ifdef __SSE2__
#include <immintrin.h>
#else
#include <math.h>
#endif

typedef uint32_t vi __attribute__((vector_size(16)));
typedef int32_t vs __attribute__((vector_size(16)));
typedef uint64_t vl __attribute__((vector_size(16)));
typedef float vf __attribute__((vector_size(16)));

static FECRUN_ALWAYS_INLINE vi set(uint32_t x)
{
    return (vi){x, x, x, x};
}

static FECRUN_ALWAYS_INLINE vf fset(float x)
{
    return (vf){x, x, x, x};
}

static FECRUN_ALWAYS_INLINE vi set64(uint64_t x)
{
    return (vi)(vl){x, x};
}

static FECRUN_ALWAYS_INLINE vi even(uint32_t first)
{
    return (vi)(vl){first, (uint64_t)first + 2};
}

static FECRUN_ALWAYS_INLINE vi mul(vi a, vi b)
{
#ifdef __SSE2__
    return (vi)_mm_mul_epu32((__m128i)a, (__m128i)b);
#else
    const vl low = {UINT32_MAX, UINT32_MAX};
    return (vi)(((vl)a & low) * ((vl)b & low));
#endif
}

static FECRUN_ALWAYS_INLINE vi weave(vi a, vi b)
{
    const vl low = {UINT32_MAX, UINT32_MAX};
    return (vi)(((vl)a & low) | (vl)b << 32);
}

static FECRUN_ALWAYS_INLINE vf pick(vi s, vf a, vf b)
{
    const vi second = (vi)((vs)s >> 31);
    return (vf)(((vi)a & ~second) | ((vi)b & second));
}

static FECRUN_ALWAYS_INLINE vf root(vf a)
{
#ifdef __SSE2__
    return (vf)_mm_sqrt_ps((__m128)a);
#else
    return (vf){sqrtf(a[0]), sqrtf(a[1]), sqrtf(a[2]), sqrtf(a[3])};
#endif
}

static FECRUN_ALWAYS_INLINE vf smaller(vf a, vf b)
{
#ifdef __SSE2__
    return (vf)_mm_min_ps((__m128)a, (__m128)b);
#else
    const vi first = (vi)(a < b);
    return (vf)(((vi)a & first) | ((vi)b & ~first));
#endif
}

static FECRUN_ALWAYS_INLINE vf larger(vf a, vf b)
{
#ifdef __SSE2__
    return (vf)_mm_max_ps((__m128)a, (__m128)b);
#else
    const vi first = (vi)(a > b);
    return (vf)(((vi)a & first) | ((vi)b & ~first));
#endif
}

/* Magnitudes below 2^22. */
static FECRUN_ALWAYS_INLINE vi round_off(vf x)
{
    const vf to_integer = fset(12582912.0f); /* 1.5 * 2^23: a sum with it has no fraction left */
    return (vi)(x + to_integer) - (vi)to_integer;
}

static FECRUN_ALWAYS_INLINE vf look(const float *table, vi index)
{
    return (vf){table[index[0]], table[index[1]], table[index[2]], table[index[3]]};
}

static FECRUN_ALWAYS_INLINE vi bytes(vi a, vi b, vi c, vi d)
{
    const vi byte = set(255);
    return (a & byte) | (b & byte) << 8 | (c & byte) << 16 | d << 24;
}

static FECRUN_ALWAYS_INLINE vi top_nibbles(const uint8_t *p)
{
    return (vi){(uint32_t)p[0] << 24, (uint32_t)p[0] << 28, (uint32_t)p[1] << 24,
                (uint32_t)p[1] << 28};
}

static FECRUN_ALWAYS_INLINE vi loadu(const void *p)
{
    vi v;

    memcpy(&v, p, sizeof v);
    return v;
}

static FECRUN_ALWAYS_INLINE void storeu(void *p, vi v)
{
    memcpy(p, &v, sizeof v);
}

static FECRUN_ALWAYS_INLINE void order(const vf s[4], float *out)
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            out[4 * i + j] = s[j][i];
}

#define V_LANES 4
#define V_SET(x) set((uint32_t)(x))
#define V_SET64 set64
#define V_FSET fset
#define V_EVEN even
#define V_MUL mul
#define V_HIGH(a) ((vi)((vl)(a) >> 32))
#define V_WEAVE weave
#define V_PICK pick
#define V_ADD(a, b) ((a) + (b))
#define V_SUB(a, b) ((a) - (b))
#define V_AND(a, b) ((a) & (b))
#define V_ANDNOT(a, b) (~(a) & (b))
#define V_OR(a, b) ((a) | (b))
#define V_XOR(a, b) ((a) ^ (b))
#define V_SLL(a, n) ((a) << (n))
#define V_SRL(a, n) ((a) >> (n))
#define V_SRA(a, n) ((vi)((vs)(a) >> (n)))
#define V_FADD(a, b) ((a) + (b))
#define V_FSUB(a, b) ((a) - (b))
#define V_FMUL(a, b) ((a) * (b))
#define V_FSQRT root
#define V_FMIN smaller
#define V_FMAX larger
#define V_FLOAT(a) __builtin_convertvector((vs)(a), vf)
#define V_ROUND round_off
#define V_BITS(a) ((vi)(a))
#define V_FBITS(a) ((vf)(a))
#define NOISE_GROUPS 1
#define V_LOOK look
#define V_BYTES bytes
#define V_TOP_NIBBLES top_nibbles
#define V_LOADU loadu
#define V_STOREU storeu
#define V_ORDER order
#include "plugins/chain/simd/noise.h"
#include "plugins/chain/simd/link.h"

const struct chain_kernels *chain_kernels_generic(void)
{
    static const struct chain_kernels kernels = {"generic", link_run, link_add, link_quantize_row,
                                                 link_hard_row};

    return &kernels;
}
