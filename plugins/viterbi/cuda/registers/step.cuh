/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The decoder in registers: all path metrics of a tile in the registers of one thread, no shuffles
 * and no barriers. Two tiles a thread, one in each 16-bit lane of a word (struct lanes16), or one
 * tile in whole words (struct lanes32) where LLRs are too large for 8-bit metrics.
 *
 * A metric word is metric << 8 | tag. Tag bit t is the bit that was dropped at step t of a block of
 * eight steps: the word of the odd predecessor comes with 1 << t added, so that max() keeps it with
 * the path, and a tie falls to the dropped bit 1. After eight steps the tag holds the state eight
 * steps back (its low K - 1 bits) and with that the eight oldest bits of the path. A block's tags
 * go to a ring in shared memory, one byte a state; tracing back is one look-up a block.
 *
 * Metrics grow by the sum of the LLRs whose output bit is 0, so that the branch of all ones adds
 * nothing. They are unsigned: a lane's true value is always 0 .. 2^16 - 1
 * (viterbi_registers_limit()), so plain 32-bit additions, which the multiplier pipe can do beside
 * the ALU, need no carry suppression as long as the addend is the integer high * 65536 + low
 * ("plain" below); addends of
 * __viaddmax_u16x2 wrap in each lane ("lane"). Devices below 9.0 have no such instruction: struct
 * lanes15 has plain additions throughout.
 */
#ifndef VITERBI_CUDA_REGISTERS_STEP_CUH
#define VITERBI_CUDA_REGISTERS_STEP_CUH

#include <fecrun/sdk/device.h>

#include "plugins/viterbi/cuda/registers/plan.h"

/* A test runs the threads on the CPU. */
#ifdef REGISTERS_ON_HOST
#define REGISTERS_FN __host__ FECRUN_MEMBER
#else
#define REGISTERS_FN FECRUN_MEMBER
#endif

/*
 * Kernels that a build brings along are for compute capability 9.0 and later; before that they are
 * compiled when they are used, and those of the build are empty: the host asks.
 */
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 900 || defined __CUDACC_RTC__
#define REGISTERS_BUILT
#endif

/* K, outputs, generators, outputs inverted (bit j: output j). */
template <int K_, int N_, unsigned G0, unsigned G1, unsigned G2 = 0, unsigned G3 = 0,
          unsigned INVERTED = 0>
struct registers_code {
    static constexpr int K = K_, N = N_, S = 1 << (K_ - 1);
    static constexpr unsigned ONES = (1u << N_) - 1;

    static __host__ __device__ constexpr unsigned parity(unsigned x)
    {
        x ^= x >> 8;
        x ^= x >> 4;
        x ^= x >> 2;
        return (x ^ x >> 1) & 1;
    }
    /* Output bits for the register r = input << (K - 1) | state. */
    static __host__ __device__ constexpr unsigned label(unsigned r)
    {
        return (parity(r & G0) | parity(r & G1) << 1 | (N > 2 ? parity(r & G2) << 2 : 0) |
                (N > 3 ? parity(r & G3) << 3 : 0)) ^
               INVERTED;
    }
};

/* ---- Instructions that exist on the device alone; the host's are for tests ------------------ */

REGISTERS_FN uint32_t registers_perm(uint32_t a, uint32_t b, uint32_t select)
{
#ifdef __CUDA_ARCH__
    uint32_t x; /* __byte_perm() masks the selector, and with it the signs */
    asm("prmt.b32 %0, %1, %2, %3;" : "=r"(x) : "r"(a), "r"(b), "r"(select));
    return x;
#else
    const uint64_t bytes = (uint64_t)b << 32 | a;
    uint32_t x = 0;
    for (int i = 0; i < 4; i++) {
        const uint32_t byte = bytes >> 8 * (select >> 4 * i & 7) & 0xff;
        x |= (select >> 4 * i & 8 ? (byte & 0x80 ? 0xffu : 0) : byte) << 8 * i;
    }
    return x;
#endif
}

/* Lane by lane. */
REGISTERS_FN uint32_t registers_add2(uint32_t a, uint32_t b)
{
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < 900
    return __vadd2(a, b);
#else
    return __viaddmax_u16x2(a, b, 0);
#endif
}

/* The same by VIADD.16x2, which has a pipe of its own beside the ALU, where VIADDMNMX runs. */
REGISTERS_FN uint32_t registers_sum2(uint32_t a, uint32_t b)
{
#ifdef __CUDA_ARCH__
    return __vadd2(a, b);
#else
    return registers_add2(a, b);
#endif
}

/*
 * Additions on the multiplier pipe, which has nothing else to do, while the ALU is full. The
 * compiler would make additions of them again if it could.
 *
 * registers_mad_by(): a + x FACTOR.
 * registers_mad(): a + b; `one` is 1, which it must not know.
 * registers_mad_scaled(): a + x REGISTERS_SCALE, where x is registers_scale() of the addend (modulo
 * 2^32); this one reads two registers and not three, of which three often lie in one bank.
 */
constexpr uint32_t REGISTERS_SCALE = 0x9e3779b1u, REGISTERS_UNSCALE = 0xe8b2f51u;

REGISTERS_FN uint32_t registers_mad(uint32_t a, uint32_t one, uint32_t b)
{
#ifdef __CUDA_ARCH__
    uint32_t x;
    asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(x) : "r"(a), "r"(one), "r"(b));
    return x;
#else
    return a * one + b;
#endif
}

REGISTERS_FN uint32_t registers_rotate(uint32_t x, uint32_t right)
{
#ifdef __CUDA_ARCH__
    return __funnelshift_r(x, x, right);
#else
    return x >> (right & 31) | x << (-right & 31);
#endif
}

REGISTERS_FN uint32_t registers_scale(uint32_t addend)
{
    return addend * REGISTERS_UNSCALE;
}

template <uint32_t FACTOR> static REGISTERS_FN uint32_t registers_mad_by(uint32_t a, uint32_t x)
{
#ifdef __CUDA_ARCH__
    uint32_t y;
    asm("mad.lo.u32 %0, %1, %2, %3;" : "=r"(y) : "r"(x), "n"(FACTOR), "r"(a));
    return y;
#else
    return x * FACTOR + a;
#endif
}

REGISTERS_FN uint32_t registers_mad_scaled(uint32_t a, uint32_t x)
{
    return registers_mad_by<REGISTERS_SCALE>(a, x);
}

/* A test may have a thread of the CPU for each of a warp's, and then says what the largest x is. */
#ifdef REGISTERS_WARP_ON_HOST
uint32_t registers_host_max(uint32_t x);
#elif defined REGISTERS_ON_HOST
static inline uint32_t registers_host_max(uint32_t x)
{
    return x;
}
#endif

/* Below 8.0, where all kernels with this are empty, there are no such instructions. */
REGISTERS_FN uint32_t registers_warp_max(uint32_t x)
{
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 800
    return __reduce_max_sync(~0u, x);
#elif defined REGISTERS_ON_HOST
    return registers_host_max(x);
#else
    return x;
#endif
}

REGISTERS_FN bool registers_warp_any(bool x)
{
#ifdef __CUDA_ARCH__
    return __any_sync(~0u, x);
#else
    return registers_warp_max(x) != 0;
#endif
}

/* What threads of the warp have written others may read. */
REGISTERS_FN void registers_warp_sync(void)
{
#ifdef __CUDA_ARCH__
    __syncwarp();
#else
    registers_warp_max(0);
#endif
}

REGISTERS_FN uint32_t registers_warp_min(uint32_t x)
{
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 800
    return __reduce_min_sync(~0u, x);
#else
    return ~registers_warp_max(~x);
#endif
}

/* Eight nibbles of a word (i4, two a byte, the first on top) as bytes: items 0..3 and 4..7. -8 is read
 * as -7. */
REGISTERS_FN void registers_nibbles(uint32_t word, uint32_t *low, uint32_t *high)
{
    /* its top bits: the lower three are not all 0 */
    const uint32_t rest = (word & 0x77777777u) + 0x77777777u;
    const uint32_t read = word + ((word & ~rest & 0x88888888u) >> 3);
    const uint32_t first = read >> 4 & 0x0f0f0f0fu, second = read & 0x0f0f0f0fu;
    const uint32_t a = first + (first & 0x08080808u) * 30; /* sign: 8 * 30 = 0xf0 */
    const uint32_t b = second + (second & 0x08080808u) * 30;

    *low = registers_perm(a, b, 0x5140);
    *high = registers_perm(a, b, 0x7362);
}

/* ---- Words --------------------------------------------------------------------------------- */

/*
 * BASE: what state 0 has after metrics have been lowered. ABOVE: what the largest may have above that
 * beside a known start.
 */
struct lanes16 {
    static constexpr int TILES = 2, TAG_BITS = 8, ITEM_WORDS = 2; /* of a block and output */
    static constexpr uint32_t ONE = 0x00010001u, METRIC = 0xff00ff00u;
    static constexpr uint32_t BASE = 102u << 8, ABOVE = 128u << 8;
    static constexpr bool PLAIN = false; /* all addends are plain */

    static REGISTERS_FN uint32_t add_max(uint32_t a, uint32_t x, uint32_t b)
    {
        return __viaddmax_u16x2(a, x, b);
    }
    static REGISTERS_FN uint32_t max3(uint32_t a, uint32_t b, uint32_t c)
    {
        return __vimax3_u16x2(a, b, c);
    }
    static REGISTERS_FN uint32_t add(uint32_t a, uint32_t b)
    {
        return registers_add2(a, b);
    }
    /* add(), beside the ALU */
    static REGISTERS_FN uint32_t sum(uint32_t a, uint32_t b)
    {
        return registers_sum2(a, b);
    }
    /* The lanes of base - x as addends; x is a multiple of 256 and not 0 */
    static REGISTERS_FN uint32_t lowering(uint32_t x, uint32_t base)
    {
        return registers_add2(~x & METRIC, base + 0x01000100u);
    }
    /* lane -> plain */
    static REGISTERS_FN uint32_t plain(uint32_t x)
    {
        return x - ((x & 0x8000u) << 1);
    }
    static REGISTERS_FN uint32_t both(uint32_t x)
    {
        return x * ONE;
    }
    /* x, negative or not, as an addend of each lane */
    static REGISTERS_FN uint32_t addend(int x)
    {
        return ((uint32_t)x & 0xffff) * ONE;
    }
    /* The LLRs of a step, bytes 0 and 1 of one tile, 2 and 3 of the other: LLR << 8 in each lane */
    static REGISTERS_FN void split(uint32_t pair, uint32_t *first, uint32_t *second)
    {
        *first = registers_perm(pair, 0, 0x2404);
        *second = pair & METRIC;
    }
    /* Items I and I + 1 of word a (one tile) and b (the other), I = 0 or 2 */
    template <int I>
    static REGISTERS_FN void llr_pair(const struct registers_order &order, uint32_t a, uint32_t b,
                                      uint32_t *first, uint32_t *second)
    {
        split(registers_perm(a, b, order.pair[I / 2]), first, second);
    }
    static REGISTERS_FN uint32_t tag(uint32_t word, int tile)
    {
        return word >> 16 * tile & 0xff;
    }
    static REGISTERS_FN uint32_t lane_of(uint32_t word, int tile)
    {
        return word >> 16 * tile & 0xffff;
    }
    /* Tags of 8 states, 16 bytes: byte 2 (s % 8) + tile */
    static constexpr int CHUNK = 8;
    static REGISTERS_FN uint4 pack(const uint32_t *m)
    {
        return make_uint4(registers_perm(m[0], m[1], 0x6420), registers_perm(m[2], m[3], 0x6420),
                          registers_perm(m[4], m[5], 0x6420), registers_perm(m[6], m[7], 0x6420));
    }
};

/*
 * Two tiles in 12-bit metrics: four tag bits, so the tags are kept after four steps, too. The word's
 * upper bits are as in lanes16, in steps sixteen times as fine: bounds of metrics hold as there.
 */
struct lanes12 : lanes16 {
    static constexpr int TAG_BITS = 4;
    static constexpr uint32_t METRIC = 0xfff0fff0u;

    static REGISTERS_FN uint32_t lowering(uint32_t x, uint32_t base)
    {
        return registers_add2(~x & METRIC, base + 0x00100010u);
    }
    /* Bytes with 128 added, to their place in lanes, 128 taken away; -128 is read as -127. */
    static REGISTERS_FN uint32_t placed(uint32_t x)
    {
        return __viaddmax_s16x2(x & 0x0ff00ff0u, 0xf800f800u, 0xf810f810u);
    }
    template <int I>
    static REGISTERS_FN void llr_pair(const struct registers_order &order, uint32_t a, uint32_t b,
                                      uint32_t *first, uint32_t *second)
    {
        const uint32_t p = registers_perm(a, b, order.pair[I / 2]) ^ 0x80808080u;
        *first = placed(p << 4);
        *second = placed(p >> 4);
    }
    static REGISTERS_FN uint32_t two(const uint32_t *m)
    {
        return (m[0] & 0x000f000fu) | (m[1] << 4 & ~0x000f000fu);
    }
    /* Tags of 8 states, a word a tile: nibble s % 8 */
    static constexpr int CHUNK = 8;
    static REGISTERS_FN uint2 pack_half(const uint32_t *m)
    {
        const uint32_t low = registers_perm(two(m), two(m + 2), 0x6240);
        const uint32_t high = registers_perm(two(m + 4), two(m + 6), 0x6240);
        return make_uint2(registers_perm(low, high, 0x5410), registers_perm(low, high, 0x7632));
    }
};

/*
 * Two tiles where there are no maxima of pairs of 16-bit integers, but those of bf16 numbers: the words
 * 0 .. 0x7f80 of those, zero to infinity, are in the order of integers. So metrics have seven bits,
 * and sums are made by plain additions: none of them may leave that range.
 */
#if defined REGISTERS_ON_HOST && !defined __CUDA_ARCH__
/* What max.bf16 makes of any two words, NaN and signs included. */
static inline uint32_t registers_host_max(uint32_t a, uint32_t b)
{
    const float x = fecrun_bits_float(a << 16), y = fecrun_bits_float(b << 16);

    return x != x ? b : y != y || x > y ? a : b;
}
#endif

REGISTERS_FN uint32_t registers_max_bf16(uint32_t a, uint32_t b)
{
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 800
    uint32_t x;
    asm("max.bf16x2 %0, %1, %2;" : "=r"(x) : "r"(a), "r"(b));
    return x;
#elif defined REGISTERS_ON_HOST
    return registers_host_max(a & 0xffff, b & 0xffff) | registers_host_max(a >> 16, b >> 16) << 16;
#else
    return a > b ? a : b; /* never run */
#endif
}

/* Additions of whole words, whatever lies in them. */
template <class Lanes> struct plain_lanes : Lanes {
    static constexpr bool PLAIN = true;

    static REGISTERS_FN uint32_t add(uint32_t a, uint32_t b)
    {
        return a + b;
    }
    static REGISTERS_FN uint32_t sum(uint32_t a, uint32_t b)
    {
        return a + b;
    }
    static REGISTERS_FN uint32_t lowering(uint32_t x, uint32_t base)
    {
        return base - x;
    }
    static REGISTERS_FN uint32_t plain(uint32_t x)
    {
        return x;
    }
};

struct lanes15 : plain_lanes<lanes16> {
    static constexpr uint32_t BASE = 50u << 8, ABOVE = 64u << 8;

    static REGISTERS_FN uint32_t add_max(uint32_t a, uint32_t x, uint32_t b)
    {
        return registers_max_bf16(a + x, b);
    }
    static REGISTERS_FN uint32_t max3(uint32_t a, uint32_t b, uint32_t c)
    {
        return registers_max_bf16(registers_max_bf16(a, b), c);
    }
    static REGISTERS_FN uint32_t addend(int x)
    {
        return (uint32_t)x * ONE;
    }
    /* lane -> plain */
    static REGISTERS_FN uint32_t of_lanes(uint32_t x)
    {
        return registers_mad_by<-2u>(x, x & 0x8000u);
    }
    static REGISTERS_FN void split(uint32_t pair, uint32_t *first, uint32_t *second)
    {
        lanes16::split(pair, first, second);
        *first = of_lanes(*first);
        *second = of_lanes(*second);
    }
    template <int I>
    static REGISTERS_FN void llr_pair(const struct registers_order &order, uint32_t a, uint32_t b,
                                      uint32_t *first, uint32_t *second)
    {
        split(registers_perm(a, b, order.pair[I / 2]), first, second);
    }
};

struct no_lanes {
};

struct lanes32 : plain_lanes<no_lanes> {
    static constexpr int TILES = 1, TAG_BITS = 8, ITEM_WORDS = 2;
    static constexpr uint32_t ONE = 1, METRIC = 0xffffff00u;
    static constexpr uint32_t BASE = 1u << 24, ABOVE = 128u << 8;

    static REGISTERS_FN uint32_t add_max(uint32_t a, uint32_t x, uint32_t b)
    {
        return (uint32_t)__viaddmax_s32((int)a, (int)x, (int)b);
    }
    static REGISTERS_FN uint32_t max3(uint32_t a, uint32_t b, uint32_t c)
    {
        return (uint32_t)__vimax3_s32((int)a, (int)b, (int)c);
    }
    static REGISTERS_FN uint32_t both(uint32_t x)
    {
        return x;
    }
    static REGISTERS_FN uint32_t addend(int x)
    {
        return (uint32_t)x;
    }
    template <int I>
    static REGISTERS_FN void llr_pair(const struct registers_order &order, uint32_t a, uint32_t,
                                      uint32_t *first, uint32_t *second)
    {
        *first = (uint32_t)max((int)registers_perm(a, 0, order.first[I / 2]), -127 * 256);
        *second = (uint32_t)max((int)registers_perm(a, 0, order.second[I / 2]), -127 * 256);
    }
    static REGISTERS_FN uint32_t llr(int a, int)
    {
        return (uint32_t)a << 8;
    }
    static REGISTERS_FN uint32_t tag(uint32_t word, int)
    {
        return word & 0xff;
    }
    static REGISTERS_FN uint32_t lane_of(uint32_t word, int)
    {
        return word;
    }
    /* Tags of 16 states, 16 bytes */
    static constexpr int CHUNK = 16;
    static REGISTERS_FN uint32_t four(const uint32_t *m)
    {
        return registers_perm(registers_perm(m[0], m[1], 0x0040),
                              registers_perm(m[2], m[3], 0x0040), 0x5410);
    }
    static REGISTERS_FN uint4 pack(const uint32_t *m)
    {
        return make_uint4(four(m), four(m + 4), four(m + 8), four(m + 12));
    }
};

/* ---- One step ------------------------------------------------------------------------------ */

/*
 * Branch metrics of a step: sums of the LLRs whose label bit is 0. Labels without bit 0 (they
 * contain llr[0]) are wanted as lane addends, the others as plain ones.
 */
template <class Code, class L> struct registers_branches {
    uint32_t value[1 << Code::N];

    REGISTERS_FN void set(const uint32_t *llr)
    {
        uint32_t plain[Code::N];
#pragma unroll
        for (int j = 1; j < Code::N; j++)
            plain[j] = L::plain(llr[j]);
#pragma unroll
        for (unsigned label = 0; label <= Code::ONES; label++) {
            uint32_t sum = 0;
            bool any = false;
            if (!(label & 1)) {
                sum = llr[0];
                any = true;
            }
#pragma unroll
            for (int j = 1; j < Code::N; j++)
                if (!(label >> j & 1)) {
                    sum = label & 1 ? sum + plain[j] : any ? L::add(sum, llr[j]) : llr[j];
                    any = true;
                }
            value[label] = sum;
        }
    }
};

/*
 * From m to n. tag: 1 << t in each lane. NORM: all metrics change on the way by norm, a lane
 * addend, which is norm_plain as a plain one. one: see registers_mad().
 */
template <class Code, class L, bool NORM>
static REGISTERS_FN void registers_step(const uint32_t *m, uint32_t *n,
                                        const registers_branches<Code, L> &bm, uint32_t tag,
                                        uint32_t norm, uint32_t norm_plain, uint32_t one)
{
#pragma unroll
    for (int j = 0; j < Code::S / 2; j++) {
        constexpr unsigned ones = Code::ONES;
        const unsigned l = Code::label(2 * j), c = ~l & ones;
        const unsigned x = l & 1 ? c : l, y = ~x & ones; /* x: lane addend, y: plain */
        const uint32_t a = m[2 * j], b = m[2 * j + 1];
        const uint32_t lane = NORM ? L::add(bm.value[x], norm) : bm.value[x];
        const uint32_t plain = (y == ones ? 0 : bm.value[y]) + (NORM ? norm_plain : 0);
        const bool fixed = y == ones && !NORM; /* nothing but the tag */
        /* x goes with a: a + x against b + y + tag; x goes with b: b + x + tag against a + y */
        const uint32_t with_a = L::add_max(
            a, lane,
            fixed ? registers_mad(b, one, tag)
                  : registers_mad_scaled(b, registers_scale(plain + tag)));
        const uint32_t with_b = L::add_max(b, registers_mad(lane, one, tag),
                                           fixed ? a
                                                 : registers_mad_scaled(a, registers_scale(plain)));
        n[j] = l & 1 ? with_b : with_a;
        n[j + Code::S / 2] = l & 1 ? with_a : with_b;
    }
}

/* Any step: the lanes `even` and `odd` keep the predecessor whose dropped bit is 0 or 1, whatever the
 * metrics. Lane additions throughout. */
template <class Code, class L>
static REGISTERS_FN void registers_step_any(const uint32_t *m, uint32_t *n, const uint32_t *llr,
                                            uint32_t tag, uint32_t even, uint32_t odd)
{
    uint32_t value[1 << Code::N];

#pragma unroll
    for (unsigned label = 0; label <= Code::ONES; label++) {
        value[label] = 0;
#pragma unroll
        for (int j = 0; j < Code::N; j++)
            if (!(label >> j & 1))
                value[label] = L::add(value[label], llr[j]);
    }
#pragma unroll
    for (int j = 0; j < Code::S / 2; j++) {
        const unsigned l = Code::label(2 * j), c = ~l & Code::ONES;
        const uint32_t a = m[2 * j], b = m[2 * j + 1];
#pragma unroll
        for (int u = 0; u < 2; u++) {
            const uint32_t with_a = L::add(a, value[u ? c : l]);
            const uint32_t with_b = L::add(b, L::add(value[u ? l : c], tag));
            const uint32_t best = L::add_max(with_a, 0, with_b);
            n[j + u * (Code::S / 2)] = (with_a & even) | (with_b & odd) | (best & ~(even | odd));
        }
    }
}

#endif
