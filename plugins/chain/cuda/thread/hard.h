/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Per-thread work of modem.hard: eight real dimensions become the bits of the nearest points, as
 * modem/hard.h decides them, of symbols in memory or of bits with modem.map and channel.awgn between.
 * m is the number of bits of a dimension. See items.h.
 */
#ifndef CHAIN_CUDA_THREAD_HARD_H
#define CHAIN_CUDA_THREAD_HARD_H

#include "plugins/chain/cuda/thread/noise.h"
#include "plugins/chain/cuda/thread/symbols.h"

enum { HARD_DIMENSIONS = 8 }; /* of a thread: 8 m bits, whole bytes */

/* What classes of frames have of their own. */
struct hard_class {
    float sigma, inverse_unit;
};

struct hard_job {
    struct levels levels; /* of a dimension; read where bits are mapped, as are the next two */
    struct hard_class own;
    struct noise_keys keys;
};

/* A frame: real symbols or complex ones, or bits. */
struct hard_frame {
    const void *in;
    uint8_t *out;
    uint64_t bits;
    uint32_t type_in, type_out;
    bool wide;                /* symbols begin at a multiple of 16 bytes */
    philox4x32_ctr_t counter; /* of block 0 of its noise */
};

/* The bits of a dimension, the first one highest. */
FECRUN_INLINE uint32_t hard_dimension(unsigned m, float inverse_unit, float y)
{
    float left = fecrun_mul(y, inverse_unit);
    uint32_t bits = 0;

    if (m == 1)
        return y < 0;
    FECRUN_UNROLL
    for (unsigned j = 0; j < m; j++) {
        const float size = fecrun_bits_float(fecrun_float_bits(left) & 0x7fffffffu);

        bits = bits << 1 | (left < 0);
        left = fecrun_add((float)(1u << (m - 1) >> j), -size);
    }
    return bits;
}

/* Bits of two dimensions in turn: those of the first one at even places from the top. */
FECRUN_INLINE uint32_t hard_interleave(unsigned m, uint32_t real, uint32_t imaginary)
{
    uint32_t bits = 0;

    FECRUN_UNROLL
    for (unsigned j = 0; j < m; j++)
        bits |= (real >> j & 1) << (2 * j + 1) | (imaginary >> j & 1) << 2 * j;
    return bits;
}

/* The 8 m bits of eight dimensions, the first one on top of the word. */
FECRUN_INLINE uint32_t hard_word(bool real, unsigned m, float inverse_unit,
                                 const float y[HARD_DIMENSIONS])
{
    uint32_t word = 0;

    FECRUN_UNROLL
    for (unsigned d = 0; d < HARD_DIMENSIONS; d += 2) {
        const uint32_t a = hard_dimension(m, inverse_unit, y[d]);
        const uint32_t b = hard_dimension(m, inverse_unit, y[d + 1]);

        word |= (real ? a << 1 | b : hard_interleave(m, a, b)) << (32 - 2 * m - m * d);
    }
    return word;
}

/* Symbols out of memory; those behind the frame's end are 0. */
FECRUN_INLINE void hard_load(bool real, const struct hard_frame *frame, uint64_t first,
                             uint64_t symbols, float y[HARD_DIMENSIONS])
{
    FECRUN_UNROLL
    for (unsigned s = 0; s < (real ? 8u : 4u); s += 2) {
        float x[4] = {0, 0, 0, 0};

        if (first + s < symbols)
            load_two((const float *)frame->in, first + s, symbols, frame->wide, x);
        if (real) {
            y[s] = x[0];
            y[s + 1] = x[2];
        } else {
            FECRUN_UNROLL
            for (unsigned i = 0; i < 4; i++)
                y[2 * s + i] = x[i];
        }
    }
}

/* n bits of a row from bit `first`, a multiple of 8, the first one on top; bits behind them are 0. */
FECRUN_INLINE uint32_t hard_bits(uint32_t type, const uint8_t *row, uint64_t first, unsigned n)
{
    uint32_t word = 0;

    FECRUN_UNROLL
    for (unsigned i = 0; i < 32; i += 8)
        if (i < n)
            word |= take_bits(type, row, first + i, n - i < 8 ? n - i : 8)
                    << (n - i < 8 ? 32 - n : 24 - i);
    return word;
}

/* The same bits mapped, and noise on them. */
FECRUN_INLINE void hard_send(bool real, unsigned m, const struct hard_job *job,
                             const struct hard_class *own, const struct hard_frame *frame,
                             uint32_t group, uint32_t bits, float y[HARD_DIMENSIONS])
{
    float noise[HARD_DIMENSIONS];

    noise_samples(&job->keys, &frame->counter, 2 * group, noise);
    noise_samples(&job->keys, &frame->counter, 2 * group + 1, noise + NOISE_BLOCK);
    FECRUN_UNROLL
    for (unsigned d = 0; d < HARD_DIMENSIONS; d += 2) {
        const uint32_t pair = bits << m * d >> (32 - 2 * m);
        float x[2];

        if (real) {
            x[0] = job->levels.level[pair >> 1];
            x[1] = job->levels.level[pair & 1];
        } else {
            map_symbol(&job->levels, 2 * m, pair, x);
        }
        y[d] = fecrun_horner(x[0], own->sigma, noise[d]);
        y[d + 1] = fecrun_horner(x[1], own->sigma, noise[d + 1]);
    }
}

/* The first n bits of a word to a frame, from bit `first`, a multiple of 8. */
FECRUN_INLINE void hard_put(uint32_t type, uint8_t *row, uint64_t first, unsigned n, uint32_t word)
{
    if (type == FECRUN_PACKED) {
        word &= n < 32 ? ~(0xffffffffu >> n) : 0xffffffffu;
        FECRUN_UNROLL
        for (unsigned i = 0; i < 32; i += 8)
            if (i < n)
                row[(first + i) / 8] = (uint8_t)(word >> (24 - i));
        return;
    }
    FECRUN_UNROLL
    for (unsigned i = 0; i < 32; i++)
        if (i < n)
            row[first + i] = word >> (31 - i) & 1u;
}

/* Group `group` of a frame: its bits 8 m group .. . linked: from bits. */
FECRUN_INLINE void hard_group(bool real, unsigned m, bool linked, const struct hard_job *job,
                              const struct hard_class *own, const struct hard_frame *frame,
                              uint32_t group)
{
    const uint64_t first = (uint64_t)group * (HARD_DIMENSIONS * m);
    const unsigned n = group_part(frame->bits, first, HARD_DIMENSIONS * m);
    float y[HARD_DIMENSIONS];

    if (linked)
        hard_send(real, m, job, own, frame, group,
                  hard_bits(frame->type_in, (const uint8_t *)frame->in, first, n), y);
    else
        hard_load(real, frame, first / (real ? 1 : 2 * m), frame->bits / (real ? 1 : 2 * m), y);
    hard_put(frame->type_out, frame->out, first, n, hard_word(real, m, own->inverse_unit, y));
}

#endif
