/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * turbo.encode on CUDA devices: what the threads of a block do. A group of them encodes a block of
 * bits, in shared memory, where 32 bits lie in a word, the first one in the least significant place.
 *
 * An encoder is linear: what it puts out is the sum of what its input makes of it from state 0 and
 * of what its state makes of zeros. So a thread encodes 32 steps from state 0 (pieces); then each
 * adds up which state its piece begins in, and what that state changes.
 *
 * From state 0, what enters the register is the input divided by g0 = 1 + D^2 + D^3, as polynomials: since
 * g0^32 = 1 + D^64 + D^96, the input times g0^31, up to D^31. The register without input comes back after 7 steps
 * (g0 is primitive). So a state 32 steps later is one of 7 maps of it, and where a piece begins follows from a sum:
 * map^(piece - 1) of the sum of map^-j of the ends of all pieces j in front of it.
 */
#ifndef TURBO_CUDA_ENCODE_BLOCK_H
#define TURBO_CUDA_ENCODE_BLOCK_H

#include "plugins/turbo/code/trellis.h"
#include "plugins/common/gpu/frames.h"

enum {
    TURBO_ENCODE_THREADS = 128,
    TURBO_PERIOD = 7, /* steps after which a register without input is as before */
};

/* What the kernel knows of a class of frames. */
struct turbo_encode_class {
    struct turbo_qpp qpp;
    uint32_t fillers;
    uint32_t pieces;                 /* of 32 steps, the last one shorter or not */
    uint32_t words;                  /* of a stream: pieces and two more */
    uint32_t response[3];            /* 32 parity bits of zeros from state 1, 2, 4 */
    uint32_t after[TURBO_PERIOD][3]; /* the state after 0, 32, 64, ... of them */
};

struct turbo_encode_args {
    struct gpu_frames frames;
    struct gpu_port in, out;
    const struct turbo_encode_class *classes; /* in device memory */
    uint32_t group;                           /* threads of a frame, a power of two */
    uint32_t shared;                          /* words of a frame, of any class */
};

/* Words of an encoder's last states: a byte a piece. */
FECRUN_INLINE uint32_t turbo_encode_ends(const struct turbo_encode_class *c)
{
    return (c->pieces + 3) / 4;
}

/* Words of shared memory: three streams, the pieces' last states of both encoders, the last ones. */
FECRUN_INLINE uint32_t turbo_encode_words(const struct turbo_encode_class *c)
{
    return 3 * c->words + 2 * turbo_encode_ends(c) + 2;
}

/* Steps of a piece. */
FECRUN_INLINE uint32_t turbo_encode_steps(const struct turbo_encode_class *c, uint32_t piece)
{
    return c->qpp.k - 32 * piece < 32 ? c->qpp.k - 32 * piece : 32;
}

/* The sum of a state's three parts. */
FECRUN_INLINE uint32_t turbo_encode_part(const uint32_t part[3], uint32_t state)
{
    return (state & 1 ? part[0] : 0) ^ (state & 2 ? part[1] : 0) ^ (state & 4 ? part[2] : 0);
}

/* Bit i of a frame. */
FECRUN_INLINE uint32_t turbo_encode_bit(const uint8_t *frame, uint32_t i, bool packed)
{
    return (packed ? frame[i / 8] >> (7 - i % 8) : frame[i]) & 1u;
}

/* Bits `first` to first + 31 of the block; fillers, and what is behind it, are zeros. */
FECRUN_INLINE uint32_t turbo_encode_gather(const struct turbo_encode_class *c, const uint8_t *frame,
                                           bool packed, uint32_t first)
{
    uint32_t word = 0;

    for (uint32_t b = 0; b < 32; b++)
        if (first + b >= c->fillers && first + b < c->qpp.k)
            word |= turbo_encode_bit(frame, first + b - c->fillers, packed) << b;
    return word;
}

/* The block's bits, fillers and all, are stream 0; zeros behind them. */
FECRUN_INLINE void turbo_encode_load(const struct turbo_encode_class *c, const uint8_t *frame,
                                     bool packed, uint32_t *s, uint32_t t, uint32_t group)
{
    for (uint32_t w = t; w < c->words; w += group) {
        uint32_t word = 0;

        if (packed && !c->fillers && 32 * w + 32 <= c->qpp.k) {
            FECRUN_UNROLL
            for (unsigned i = 0; i < 4; i++)
                word |= (uint32_t)frame[4 * w + i] << 8 * i;
            word = fecrun_flip(word);
        } else {
            word = turbo_encode_gather(c, frame, packed, 32 * w);
        }
        s[w] = word;
        s[w + c->words] = s[w + 2 * c->words] = 0;
    }
}

/* The input bits of a piece of an encoder. */
FECRUN_INLINE uint32_t turbo_encode_input(const struct turbo_encode_class *c, const uint32_t *s,
                                          uint32_t encoder, uint32_t piece)
{
    const uint32_t n = turbo_encode_steps(c, piece), k = c->qpp.k;
    const uint32_t twice = 2u * c->qpp.f2 < k ? 2u * c->qpp.f2 : 2u * c->qpp.f2 - k;
    uint32_t at = turbo_pi(&c->qpp, 32 * piece), word = 0, step;

    if (!encoder)
        return s[piece];
    step = (c->qpp.f1 + c->qpp.f2 + twice * (32 * piece)) % k; /* below 2^27 */
    FECRUN_UNROLL
    for (uint32_t b = 0; b < 32; b++) { /* a step more does no harm: places are below k */
        const uint32_t bit = s[at / 32] >> at % 32 & 1;

        word |= (b < n ? bit : 0) << b;
        at += step;
        at -= at >= k ? k : 0;
        step += twice;
        step -= step >= k ? k : 0;
    }
    return word;
}

/* What enters the register with this input from state 0: divided by g0. Bit 0 is the first step. */
FECRUN_INLINE uint32_t turbo_encode_feed(uint32_t in)
{
    in ^= in << 2 ^ in << 3;
    in ^= in << 4 ^ in << 6;
    in ^= in << 8 ^ in << 12;
    return in ^ in << 16 ^ in << 24;
}

/* The state 32 `turns` steps after this one, without input. */
FECRUN_INLINE uint32_t turbo_encode_turn(const struct turbo_encode_class *c, uint32_t turns,
                                         uint32_t state)
{
    return turbo_encode_part(c->after[turns % TURBO_PERIOD], state);
}

/* Parity bits of all pieces from state 0, and where they end, turned back to where the first one does. */
FECRUN_INLINE void turbo_encode_pieces(const struct turbo_encode_class *c, uint32_t *s, uint32_t t,
                                       uint32_t group)
{
    uint8_t *ends = (uint8_t *)(s + 3 * c->words);

    for (uint32_t i = t; i < 2 * c->pieces; i += group) {
        const uint32_t encoder = i >= c->pieces, piece = i - encoder * c->pieces;
        const uint32_t n = turbo_encode_steps(c, piece);
        const uint32_t a = turbo_encode_feed(turbo_encode_input(c, s, encoder, piece));

        s[(1 + encoder) * c->words + piece] = (a ^ a << 1 ^ a << 3) & gpu_mask(n);
        ends[4 * encoder * turbo_encode_ends(c) + piece] = (uint8_t)turbo_encode_turn(
            c, TURBO_PERIOD - piece % TURBO_PERIOD, a >> (n - 3) & 7);
    }
}

/* The sum of bytes in front of this one. */
FECRUN_INLINE uint32_t turbo_encode_before(const uint32_t *words, uint32_t byte)
{
    uint32_t sum = words[byte / 4] & gpu_mask(byte % 4 * 8);

    for (uint32_t w = 0; w < byte / 4; w++)
        sum ^= words[w];
    sum ^= sum >> 16;
    return (sum ^ sum >> 8) & 7;
}

/* What the pieces' first states add. */
FECRUN_INLINE void turbo_encode_join(const struct turbo_encode_class *c, uint32_t *s, uint32_t t,
                                     uint32_t group)
{
    const uint32_t words = turbo_encode_ends(c);

    for (uint32_t i = t; i < 2 * c->pieces; i += group) {
        const uint32_t encoder = i >= c->pieces, piece = i - encoder * c->pieces;
        const uint32_t n = turbo_encode_steps(c, piece);
        const uint32_t *ends = s + 3 * c->words + encoder * words;
        uint32_t state = turbo_encode_turn(c, piece + TURBO_PERIOD - 1,
                                           turbo_encode_before(ends, piece));

        s[(1 + encoder) * c->words + piece] ^= turbo_encode_part(c->response, state) & gpu_mask(n);
        if (piece + 1 < c->pieces)
            continue;
        for (uint32_t b = 0; b < n; b++)
            state = turbo_next(state, 0);
        s[3 * c->words + 2 * words + encoder] =
            state ^ turbo_encode_turn(c, piece, ((const uint8_t *)ends)[piece]);
    }
}

FECRUN_INLINE void turbo_encode_put(const struct turbo_encode_class *c, uint32_t *s, uint32_t item,
                                    uint32_t bit)
{
    const uint32_t stream = item / (c->qpp.k + 4u), i = item - stream * (c->qpp.k + 4u);

    s[stream * c->words + i / 32] |= bit << i % 32;
}

/* The last steps of both encoders; one thread's work. */
FECRUN_INLINE void turbo_encode_tails(const struct turbo_encode_class *c, uint32_t *s)
{
    for (uint32_t encoder = 0; encoder < 2; encoder++) {
        uint32_t state = s[3 * c->words + 2 * turbo_encode_ends(c) + encoder];

        for (uint32_t t = 0; t < TURBO_TAIL; t++) {
            const uint32_t u = turbo_tail_input(state);

            turbo_encode_put(c, s, turbo_tail_x(c->qpp.k, encoder, t), u);
            turbo_encode_put(c, s, turbo_tail_z(c->qpp.k, encoder, t), turbo_parity(state, u));
            state = turbo_next(state, u);
        }
    }
}

/* Bits i to i + 31 of a stream. */
FECRUN_INLINE uint32_t turbo_encode_window(const uint32_t *stream, uint32_t i)
{
    return i % 32 ? stream[i / 32] >> i % 32 | stream[i / 32 + 1] << (32 - i % 32) : stream[i / 32];
}

/* 32 items of the word d0 d1 d2 from this one on; a stream is longer than that. */
FECRUN_INLINE uint32_t turbo_encode_items(const struct turbo_encode_class *c, const uint32_t *s,
                                          uint32_t item)
{
    const uint32_t length = c->qpp.k + 4u, stream = item / length, i = item - stream * length;
    uint32_t word = turbo_encode_window(s + stream * c->words, i);

    if (length - i < 32)
        word = (word & gpu_mask(length - i)) |
               (stream < 2 ? s[(stream + 1) * c->words] << (length - i) : 0);
    return word;
}

/* A chunk is 32 bits, in 4 bytes or in 32. */
FECRUN_INLINE void turbo_encode_store(const struct turbo_encode_class *c, const uint32_t *s,
                                      uint8_t *frame, bool packed, uint32_t t, uint32_t group)
{
    const uint32_t items = turbo_word(c->qpp.k), unit = packed ? 4 : 32, per_byte = packed ? 8 : 1;
    const int64_t bytes = (items + per_byte - 1) / per_byte;
    const uint32_t chunks = (uint32_t)fecrun_chunks((uint64_t)bytes, unit);

    for (uint32_t i = t; i < chunks; i += group) {
        const int64_t begin = fecrun_chunk_begin(frame, unit, 4, i);
        const uint32_t skip = begin < 0 ? (uint32_t)-begin * per_byte : 0; /* before the frame */
        const uint32_t first = begin < 0 ? 0 : (uint32_t)begin * per_byte;
        uint32_t bits;

        if (first >= items)
            break;
        bits = turbo_encode_items(c, s, first) << skip;
        if (packed) {
            fecrun_store_chunk(frame, bytes, begin, fecrun_flip(bits));
            continue;
        }
        for (int n = 0; n < 8; n++)
            fecrun_store_chunk(frame, bytes, begin + 4 * n, fecrun_expand_4_low(bits >> 4 * n));
    }
}

/* ---- the block, where there are threads and barriers ----------------------------------------- */

#if defined(__CUDACC__) || defined(FECRUN_EMULATED_BLOCKS)
/* The compiler is to know the forms. */
FECRUN_ON_DEVICE void turbo_encode_block(const struct turbo_encode_args *a, bool in_packed,
                                         bool out_packed, uint32_t *shared)
{
    const uint32_t group = a->group, t = threadIdx.x % group;
    const uint64_t f = (uint64_t)blockIdx.x * (blockDim.x / group) + threadIdx.x / group;
    const bool mine = f < a->frames.n;
    const struct turbo_encode_class *c = &a->classes[mine ? gpu_class(&a->frames, f) : 0];
    uint32_t *s = shared + threadIdx.x / group * a->shared;

    if (mine)
        turbo_encode_load(c, gpu_frame(&a->in, f), in_packed, s, t, group);
    __syncthreads();
    if (mine)
        turbo_encode_pieces(c, s, t, group);
    __syncthreads();
    if (mine)
        turbo_encode_join(c, s, t, group);
    __syncthreads();
    if (mine && t == 0)
        turbo_encode_tails(c, s);
    __syncthreads();
    if (mine)
        turbo_encode_store(c, s, gpu_frame(&a->out, f), out_packed, t, group);
}
#endif

#endif
