/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Per-thread work of modem.map, channel.awgn, modem.demap and llr.quantize in one go, or the first three:
 * the bits that a block of noise goes to become LLRs in registers. Each step rounds as the stages' references do;
 * there are no NaNs, as all comes from bits. See items.h.
 */
#ifndef CHAIN_CUDA_THREAD_LINK_H
#define CHAIN_CUDA_THREAD_LINK_H

#include "plugins/chain/cuda/thread/noise.h"
#include "plugins/chain/cuda/thread/rough.h"
#include "plugins/chain/cuda/thread/symbols.h"

/* All that happens to a bit: what the code objects of the four stages say. */
struct link_job {
    struct levels levels; /* of a dimension */
    float sigma;
    struct demap_code demap;
    struct quantize_code quantize;
    struct rough rough; /* of one bit a dimension */
    struct noise_keys keys;
};

#ifndef __CUDACC__
/* All but the keys, which a call brings. quantize: NULL where LLRs stay floats. */
static inline void fill_link(struct link_job *job, const struct map_code *map,
                             const struct awgn_code *awgn, const struct demap_code *demap,
                             const struct quantize_code *quantize)
{
    fill_levels(&job->levels, map);
    job->sigma = awgn->sigma;
    job->demap = *demap;
    if (quantize)
        job->quantize = *quantize;
    if (quantize && demap->bits == 1)
        fill_rough(&job->rough, job->levels.level[0], awgn->sigma, demap->linear, quantize->scale,
                   quantize->max);
}
#endif

/* What classes of frames have of their own. */
struct link_class {
    float sigma;
    struct demap_code demap;
    struct quantize_code quantize;
    struct rough rough;
};

/* What all blocks of a frame share. */
struct link_frame {
    philox4x32_ctr_t counter; /* of block 0 */
    const uint8_t *bits;
    uint8_t *llrs;
    uint64_t items;     /* bits, and so LLRs */
    uint32_t bits_type; /* PACKED or U8 */
    bool wide_in;       /* U8: begins at a multiple of four bytes */
    bool wide_out;      /* begins at a multiple of four LLRs */
};

/* A block, and where it lies. */
struct link_place {
    const uint8_t *bits; /* the byte of its first bit */
    uint8_t *llrs;
    uint32_t block;
    unsigned skip; /* PACKED: bits of that byte before it */
};

/* Entry i of the table of symbols of m bits a dimension, of which m = 1 has no need. */
FECRUN_INLINE void link_symbol(const struct levels *levels, unsigned m, uint32_t i, float out[2])
{
    map_symbol(levels, 2 * m, i, out);
}

/* ---- Where ---------------------------------------------------------------------------------- */

/* Bytes that a block's 4 m LLRs take. */
FECRUN_INLINE unsigned link_bytes_out(uint32_t type, unsigned m)
{
    return m * (type == FECRUN_I4 ? 2 : type == FECRUN_I8 ? 4 : type == FECRUN_F32 ? 16 : 8);
}

FECRUN_INLINE struct link_place link_place_of(const struct link_frame *frame, uint32_t type,
                                              unsigned m, uint32_t block)
{
    const bool packed = frame->bits_type == FECRUN_PACKED;
    const uint64_t first = (uint64_t)block * (4 * m);
    struct link_place place;

    place.bits = frame->bits + (packed ? first / 8 : first);
    place.llrs = frame->llrs + (uint64_t)block * link_bytes_out(type, m);
    place.block = block;
    place.skip = packed ? (unsigned)first % 8 : 0;
    return place;
}

/* So many blocks further on, an even number. */
FECRUN_INLINE void link_go_on(const struct link_frame *frame, uint32_t type, unsigned m,
                              unsigned blocks, struct link_place *place)
{
    place->bits += blocks * 4 * m / (frame->bits_type == FECRUN_PACKED ? 8 : 1);
    place->llrs += blocks * link_bytes_out(type, m);
    place->block += blocks;
}

/* ---- Bits in: n of them, the first one on top; behind them is anything ----------------------- */

FECRUN_INLINE uint32_t link_packed(const struct link_place *place, unsigned m, unsigned n)
{
    uint32_t word = (uint32_t)place->bits[0] << 24;

    if (m > 2 && place->skip + n > 8)
        word |= (uint32_t)place->bits[1] << 16;
    return m % 2 ? word << place->skip : word;
}

FECRUN_INLINE uint32_t link_bytes(const struct link_place *place, unsigned m, unsigned n, bool wide)
{
    uint32_t word = 0;

    if (wide && n == 4 * m) {
        FECRUN_UNROLL
        for (unsigned i = 0; i < m; i++)
            word |= (fecrun_collect_4(fecrun_load_32(place->bits + 4 * i)) & 15) << (28 - 4 * i);
        return word;
    }
    FECRUN_UNROLL
    for (unsigned i = 0; i < 4 * m; i++)
        if (i < n)
            word |= (place->bits[i] & 1u) << (31 - i);
    return word;
}

/* ---- LLRs ---------------------------------------------------------------------------------- */

FECRUN_INLINE float link_smaller(float a, float b)
{
#ifdef __CUDA_ARCH__
    return fminf(a, b);
#else
    return a < b ? a : b;
#endif
}

FECRUN_INLINE float link_larger(float a, float b)
{
#ifdef __CUDA_ARCH__
    return fmaxf(a, b);
#else
    return a > b ? a : b;
#endif
}

/* The integer stands in the lowest bits of the sum with 1.5 * 2^23, in two's complement. */
FECRUN_INLINE int32_t link_quantize(const struct quantize_code *code, float llr)
{
    const float x = link_smaller(code->max, fecrun_mul(llr, code->scale));

    return (int32_t)fecrun_float_bits(fecrun_add(link_larger(-code->max, x), 12582912.0f));
}

/* What is stored of an LLR: its bits as a float or a half, or its integer. */
FECRUN_INLINE int32_t link_value(uint32_t type, const struct link_job *job, float llr)
{
    return type == FECRUN_F32   ? (int32_t)fecrun_float_bits(llr)
           : type == FECRUN_F16 ? half_llr(llr)
                                : link_quantize(&job->quantize, llr);
}

/* The smallest metric of the levels whose bit number `bit` (0: the last) is `value`. */
FECRUN_INLINE float link_smallest(const float *metric, unsigned levels, unsigned bit,
                                  unsigned value)
{
    float best = metric[value << bit];

    FECRUN_UNROLL
    for (unsigned p = 0; p < levels; p++)
        if ((p >> bit & 1) == value && p != value << bit)
            best = link_smaller(metric[p], best);
    return best;
}

/* The m LLRs of a dimension as they are stored, two apart; as demap_dimension(). */
FECRUN_INLINE void link_demap(const struct link_job *job, unsigned m, uint32_t type, float y,
                              int32_t *llr)
{
    const struct demap_code *code = &job->demap;
    const unsigned levels = 1u << (m - 1);
    float metric[MAX_LEVELS], scaled, size, best, sign;

    scaled = fecrun_mul(y, code->inverse_unit);
    size = fecrun_bits_float(fecrun_float_bits(scaled) & 0x7fffffffu);
    FECRUN_UNROLL
    for (unsigned p = 0; p < levels; p++)
        metric[p] = fecrun_add(code->square[p], -fecrun_mul(code->twice[p], size));
    best = metric[0];
    FECRUN_UNROLL
    for (unsigned p = 1; p < levels; p++)
        best = link_smaller(metric[p], best);
    sign = fecrun_add(fecrun_add(1.0f, fecrun_mul(2.0f, size)), -best);
    sign = fecrun_bits_float((fecrun_float_bits(sign) & 0x7fffffffu) |
                             (fecrun_float_bits(scaled) & 0x80000000u));
    llr[0] = link_value(type, job, fecrun_mul(code->gain, sign));
    FECRUN_UNROLL
    for (unsigned j = 1; j < m; j++) {
        const float one = link_smallest(metric, levels, m - 1 - j, 1);
        const float zero = link_smallest(metric, levels, m - 1 - j, 0);

        llr[2 * j] = link_value(type, job, fecrun_mul(code->gain, fecrun_add(one, -zero)));
    }
}

/* One bit a dimension: BPSK and QPSK are the same but for the amplitude. */
FECRUN_INLINE void link_linear(const struct link_job *job, uint32_t type, uint32_t bits,
                               const float noise[NOISE_BLOCK], int32_t *llr)
{
    const uint32_t amplitude = fecrun_float_bits(job->levels.level[0]);

    FECRUN_UNROLL
    for (unsigned j = 0; j < NOISE_BLOCK; j++) {
        const float level = fecrun_bits_float(amplitude ^ (bits << j & 0x80000000u));
        const float y = fecrun_horner(level, job->sigma, noise[j]);

        llr[j] = link_value(type, job, fecrun_mul(job->demap.linear, y));
    }
}

/* Two symbols of 2 m bits. */
FECRUN_INLINE void link_qam(const struct link_job *job, const float (*symbols)[2], unsigned m,
                            uint32_t type, uint32_t bits, const float noise[NOISE_BLOCK],
                            int32_t *llr)
{
    FECRUN_UNROLL
    for (unsigned s = 0; s < 2; s++) {
        const float *symbol = symbols[bits << (2 * m * s) >> (32 - 2 * m)];

        FECRUN_UNROLL
        for (unsigned d = 0; d < 2; d++)
            link_demap(job, m, type, fecrun_horner(symbol[d], job->sigma, noise[2 * s + d]),
                       llr + 2 * m * s + d);
    }
}

/* LLRs 4 i .. of a block; n of them are there. */
FECRUN_INLINE void link_put(uint32_t type, const struct link_place *place, unsigned i, unsigned n,
                            bool wide, const int32_t llr[4])
{
    if (type == FECRUN_I8)
        put_i8((int8_t *)place->llrs, 4 * i, n, wide, llr);
    else if (type == FECRUN_F32)
        put_words((uint32_t *)place->llrs, 4 * i, n, wide, llr);
    else if (type == FECRUN_I16 || type == FECRUN_F16)
        put_i16((int16_t *)place->llrs, 4 * i, n, wide, llr);
    else
        put_i4(place->llrs, 4 * i, n, wide, llr);
}

/*
 * A block of a frame, of m bits a dimension, to LLRs of that type. plain: all 4 m bits of it are
 * there and packed, and the LLRs go out in words.
 */
FECRUN_INLINE void link_block(const struct link_job *job, const float (*symbols)[2], unsigned m,
                              uint32_t type, bool plain, const struct link_frame *frame,
                              const struct link_place *place)
{
    const unsigned n = plain ? 4 * m
                             : group_part(frame->items, (uint64_t)place->block * (4 * m), 4 * m);
    const bool wide = plain || frame->wide_out;
    const uint32_t bits = plain || frame->bits_type == FECRUN_PACKED
                              ? link_packed(place, m, n)
                              : link_bytes(place, m, n, frame->wide_in);
    float noise[NOISE_BLOCK];
    int32_t llr[16];

    noise_samples(&job->keys, &frame->counter, place->block, noise);
    if (m == 1)
        link_linear(job, type, bits, noise, llr);
    else
        link_qam(job, symbols, m, type, bits, noise, llr);
    FECRUN_UNROLL
    for (unsigned i = 0; i < m; i++)
        if (4 * i < n)
            link_put(type, place, i, n - 4 * i < 4 ? n - 4 * i : 4, wide, llr + 4 * i);
}

/* Has link_rough() integers of this type? */
FECRUN_INLINE bool link_is_rough(unsigned m, uint32_t type)
{
    return m == 1 && (type == FECRUN_I8 || type == FECRUN_I4);
}

/*
 * The next n (1 or 2) plain blocks, and where they go on. Their approximations come first, so that the compiler has them side by
 * side.
 */
FECRUN_INLINE void link_plain(const struct link_job *job, const float (*symbols)[2], unsigned m,
                              uint32_t type, unsigned n, unsigned step,
                              const struct link_frame *frame, struct link_place *place)
{
    const bool is_rough = link_is_rough(m, type);
    struct rough_doubt doubt[2] = {{0xffffffffu, 0}, {0xffffffffu, 0}};
    struct link_place next = *place;
    uint32_t integers[2];

    FECRUN_UNROLL
    for (unsigned i = 0; i < n && is_rough; i++) {
        uint32_t word[NOISE_BLOCK];

        noise_words(&job->keys, &frame->counter, next.block, word);
        integers[i] = rough_integers(&job->rough, link_packed(&next, m, 4), word, &doubt[i]);
        link_go_on(frame, type, m, step, &next);
    }
    FECRUN_UNROLL
    for (unsigned i = 0; i < n; i++) {
        if (!is_rough || rough_doubts(&job->rough, &doubt[i]))
            link_block(job, symbols, m, type, true, frame, place);
        else if (type == FECRUN_I8)
            fecrun_store_32(place->llrs, integers[i]);
        else
            store_half(place->llrs, rough_nibbles(integers[i]));
        link_go_on(frame, type, m, step, place);
    }
}

/* A warp does LINK_BLOCKS times LINK_LANES blocks of a frame, LINK_LANES of them side by side. */
enum { LINK_LANES = 32, LINK_BLOCKS = 8 };

/* Of a frame of at most LINK_SHORT blocks, fewer threads do a part each. */
enum { LINK_SHORT = 128 };

#ifdef __CUDA_ARCH__
#define LINK_UNROLL_1 _Pragma("unroll 1")
#else
#define LINK_UNROLL_1
#endif

/* What a thread does of a frame: `count` blocks from `first` on, `step` apart, both even; fewer where the
   frame ends before. */
struct link_part {
    uint32_t first, step, count;
};

/* Of all `blocks` of a short frame, that many for each of part->step threads: what takes least time, where
   a thread's beginning costs a quarter of a block. */
static inline struct link_part link_short(uint32_t blocks)
{
    struct link_part best = {0, 2 * ((blocks + 3) / 4), 2};

    for (uint32_t count = 4; count <= LINK_BLOCKS; count += 2) {
        const uint32_t step = 2 * ((blocks + 2 * count - 1) / (2 * count));

        if (step * (4 * count + 1) < best.step * (4 * best.count + 1))
            best = (struct link_part){0, step, count};
    }
    return best;
}

/* pairs: two blocks at a time, for long frames; the compiler is to know. */
FECRUN_INLINE void link_lane(const struct link_job *job, const float (*symbols)[2], unsigned m,
                             uint32_t type, bool pairs, const struct link_frame *frame,
                             const struct link_part *part)
{
    const uint32_t blocks = (uint32_t)((frame->items + 4 * m - 1) / (4 * m));
    const uint32_t full = frame->bits_type == FECRUN_PACKED && frame->wide_out
                              ? (uint32_t)(frame->items / (4 * m))
                              : 0;
    struct link_place place = link_place_of(frame, type, m, part->first);
    uint32_t k = 0;

    LINK_UNROLL_1
    for (; pairs && k < part->count && place.block + part->step < full; k += 2)
        link_plain(job, symbols, m, type, 2, part->step, frame, &place);
    LINK_UNROLL_1
    for (; !pairs && k < part->count && place.block < full; k++)
        link_plain(job, symbols, m, type, 1, part->step, frame, &place);
    LINK_UNROLL_1
    for (; k < part->count && place.block < blocks; k++) {
        link_block(job, symbols, m, type, false, frame, &place);
        link_go_on(frame, type, m, part->step, &place);
    }
}

#endif
