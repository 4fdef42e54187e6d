/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * polar.encode on CUDA devices: the work of the threads of a block. A group of threads encodes a frame
 * in shared memory. A word has 32 positions, the first one in the least significant place.
 *
 * The message's bits are in the order of their positions, so the bits of one word of u are neighbours.
 * Five steps spread them over the positions of the word (expand, the inverse of compress: H. S. Warren,
 * Hacker's Delight, 7-5). Five stages of the transform are inside a word, the others between words.
 */
#ifndef POLAR_CUDA_ENCODE_BLOCK_H
#define POLAR_CUDA_ENCODE_BLOCK_H

#include "plugins/common/gpu/bits.h"
#include "plugins/polar/code/code.h"
#include "plugins/polar/code/small.h"

enum { POLAR_ENCODE_THREADS = 128, POLAR_ENCODE_PARITIES = 3, POLAR_ENCODE_MOVES = 5 };

/* A class without a table of message bits: they arrive in the order of their positions. */
#define POLAR_ENCODE_IN_ORDER UINT32_MAX

/* The 32 positions of u in a word. */
struct polar_encode_word {
    uint32_t message;                  /* those of message bits */
    uint32_t first;                    /* the message bit in the first of them */
    uint32_t move[POLAR_ENCODE_MOVES]; /* bits that go up by 1, 2, 4, 8, 16 places */
};

/* A class of frames, as the kernel sees it. */
struct polar_encode_class {
    uint32_t k, n;
    uint32_t words;                            /* of u; 0: a small code */
    uint32_t word;                             /* the first one of them in the table of words */
    uint32_t order;                            /* where its table of message bits begins */
    uint32_t parities;                         /* K is at most 25 if there are any */
    uint32_t parity_at[POLAR_ENCODE_PARITIES]; /* position */
    uint32_t parity_of[POLAR_ENCODE_PARITIES]; /* message bits that it sums */
    uint32_t small_base;                       /* small codes: the word of zeros, */
    uint32_t small_column[POLAR_SMALL_MOST_K]; /* and what each message bit changes */
};

struct polar_encode_args {
    struct gpu_frames frames;
    struct gpu_port in, out;
    /* in device memory */
    const struct polar_encode_class *classes;
    const struct polar_encode_word *words;
    const uint16_t *order;
    uint32_t group;      /* threads of a frame, a power of two */
    uint32_t shared;     /* words of a frame, of any class */
    uint32_t most_words; /* of u, of any class */
};

/* Returns the words of the message, with zeros at the end, so that any 32 of its bits can be read. */
FECRUN_INLINE uint32_t polar_encode_message_words(const struct polar_encode_class *c)
{
    return c->k / 32 + 2;
}

/* Returns the words of shared memory: codeword, one word of zeros, message. */
FECRUN_INLINE uint32_t polar_encode_shared(const struct polar_encode_class *c)
{
    return (c->words ? c->words : 1) + 1 + polar_encode_message_words(c);
}

FECRUN_INLINE uint32_t polar_encode_window(const uint32_t *words, uint32_t bit)
{
    return gpu_funnel(words[bit / 32], words[bit / 32 + 1], bit % 32);
}

/* Reads bits `at` to at + 31 of the message, in the order of their positions. */
FECRUN_INLINE uint32_t polar_encode_load(const struct polar_encode_class *c, const uint16_t *order,
                                         const uint8_t *frame, bool packed, uint32_t at)
{
    uint32_t word = 0;

    if (c->order == POLAR_ENCODE_IN_ORDER)
        return packed ? gpu_load_packed(frame, c->k, at) : gpu_load_u8(frame, c->k, at);
    for (uint32_t b = 0; b < 32 && at + b < c->k; b++) {
        const uint32_t i = order[c->order + at + b];

        word |= ((packed ? frame[i / 8] >> (7 - i % 8) : frame[i]) & 1u) << b;
    }
    return word;
}

/* Moves the lowest bits to the positions of the message, in their order. */
FECRUN_INLINE uint32_t polar_encode_spread(const struct polar_encode_word *w, uint32_t bits)
{
    FECRUN_UNROLL
    for (int i = POLAR_ENCODE_MOVES - 1; i >= 0; i--)
        bits = (bits & ~w->move[i]) | (bits << (1 << i) & w->move[i]);
    return bits & w->message;
}

FECRUN_INLINE uint32_t polar_encode_sum(uint32_t bits)
{
#ifdef __CUDA_ARCH__
    return __popc(bits) & 1;
#else
    return (uint32_t)__builtin_popcount(bits) & 1;
#endif
}

/* Returns word w of u. */
FECRUN_INLINE uint32_t polar_encode_place(const struct polar_encode_class *c,
                                          const struct polar_encode_word *table,
                                          const uint32_t *message, uint32_t w)
{
    const struct polar_encode_word *own = &table[c->word + w];
    uint32_t word = polar_encode_spread(own, polar_encode_window(message, own->first));

    for (uint32_t p = 0; p < c->parities; p++)
        if (c->parity_at[p] / 32 == w)
            word |= polar_encode_sum(message[0] & c->parity_of[p]) << c->parity_at[p] % 32;
    return word;
}

FECRUN_INLINE uint32_t polar_encode_transform(uint32_t x)
{
    x ^= x >> 1 & 0x55555555;
    x ^= x >> 2 & 0x33333333;
    x ^= x >> 4 & 0x0f0f0f0f;
    x ^= x >> 8 & 0x00ff00ff;
    return x ^ x >> 16;
}

FECRUN_INLINE uint32_t polar_encode_small(const struct polar_encode_class *c, uint32_t message)
{
    uint32_t word = c->small_base;

    for (uint32_t b = 0; b < c->k; b++)
        word ^= message >> b & 1 ? c->small_column[b] : 0;
    return word;
}

/* Makes the frame's words from its message, except for the stages between words. */
FECRUN_INLINE void polar_encode_words(const struct polar_encode_class *c,
                                      const struct polar_encode_args *a, const uint32_t *message,
                                      uint32_t *s, uint32_t t)
{
    const uint32_t words = c->words ? c->words : 1;

    for (uint32_t w = t; w <= words; w += a->group)
        s[w] = w == words ? 0
               : c->words ? polar_encode_transform(polar_encode_place(c, a->words, message, w))
                          : polar_encode_small(c, message[0]);
}

/* Does the stage whose partners are `half` words apart. */
FECRUN_INLINE void polar_encode_butterflies(const struct polar_encode_class *c, uint32_t *s,
                                            uint32_t half, uint32_t t, uint32_t group)
{
    for (uint32_t i = t; i < c->words / 2; i += group) {
        const uint32_t at = 2 * i - (i & (half - 1));

        s[at] ^= s[at + half];
    }
}

/* ---- the block, where there are threads and barriers ----------------------------------------- */

#if defined(__CUDACC__) || defined(FECRUN_EMULATED_BLOCKS)
/* in_packed and out_packed are constants at compile time. */
FECRUN_ON_DEVICE void polar_encode_block(const struct polar_encode_args *a, bool in_packed,
                                         bool out_packed, uint32_t *shared)
{
    const uint32_t group = a->group, t = threadIdx.x % group;
    const uint64_t f = (uint64_t)blockIdx.x * (blockDim.x / group) + threadIdx.x / group;
    const bool mine = f < a->frames.n;
    const struct polar_encode_class *c = &a->classes[mine ? gpu_class(&a->frames, f) : 0];
    uint32_t *s = shared + threadIdx.x / group * a->shared;
    uint32_t *message = s + (c->words ? c->words : 1) + 1;

    for (uint32_t w = t; mine && w < polar_encode_message_words(c); w += group)
        message[w] = polar_encode_load(c, a->order, gpu_frame(&a->in, f), in_packed, 32 * w);
    __syncthreads();
    if (mine)
        polar_encode_words(c, a, message, s, t);
    for (uint32_t half = 1; half < a->most_words; half *= 2) {
        __syncthreads();
        if (mine && half < c->words)
            polar_encode_butterflies(c, s, half, t, group);
    }
    __syncthreads();
    if (mine)
        gpu_store_frame(gpu_frame(&a->out, f), c->n, s, out_packed, t, group);
}
#endif

#endif
