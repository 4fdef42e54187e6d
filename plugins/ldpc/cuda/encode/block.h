/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ldpc.encode on CUDA devices: what the threads of a block do. A group of them encodes a frame, in
 * shared memory, where 32 bits lie in a word, the first one in the least significant place:
 *
 *     load     the information bits, as they come, fillers as zeros: base column c begins at bit c z
 *     sums     a vector of z bits for each row that has parity bits in other rows, too: the sum of
 *              its information bits
 *     solve    from these vectors, the parity bits of these rows (plan.c says how), in
 *              two steps
 *     store    each word of the output where it is made: information and parity bits are there, and
 *              of the other rows the sums are the output
 *
 * A list says what to add up: terms of a vector and a rotation, as an edge of the code has it. Bits
 * beyond a vector's last one may be anything.
 */
#ifndef LDPC_CUDA_ENCODE_BLOCK_H
#define LDPC_CUDA_ENCODE_BLOCK_H

#include "plugins/common/gpu/bits.h"

#include <stdbool.h>

enum {
    LDPC_ENCODE_THREADS = 128,
    LDPC_TERM_SHIFT_BITS = 9, /* of a term; above them the vector's first bit */
    LDPC_ENCODE_MAX_Z = 1 << LDPC_TERM_SHIFT_BITS,
    LDPC_ENCODE_STEPS = 3,
    LDPC_ENCODE_MAX_WORDS = 48 * 1024 / 4 /* of a block's shared memory */
};

/* What kernels know of a class of frames. */
struct ldpc_encode_class {
    uint32_t z;
    uint32_t words;     /* of a vector of z bits; the next one begins behind one word more */
    uint32_t bits;      /* of a frame of the input, K' */
    uint32_t k;         /* information bits with fillers */
    uint32_t n;         /* of a frame of the output */
    uint32_t punctured; /* lifted columns in front that are not in the output */
    uint32_t string;    /* words of the information bits, one more than are needed at least */
    uint32_t end[LDPC_ENCODE_STEPS]; /* vectors made by the end of each step */
    uint32_t rows;  /* of an accumulator, with one vector more for what it carries; else 0 */
    uint32_t first; /* place in the table where the lists of the vectors, then those of the
                           output's base columns, begin: one number more than lists */
};

struct ldpc_encode_args {
    struct gpu_frames frames;
    struct gpu_port in, out;
    const struct ldpc_encode_class *classes; /* in device memory, with the table */
    const uint32_t *table;
    uint32_t group;  /* threads of a frame */
    uint32_t shared; /* words of a frame, of any class */
};

/* ---- vectors ------------------------------------------------------------------------------- */

FECRUN_INLINE uint32_t ldpc_encode_window(const uint32_t *s, uint32_t at)
{
    return gpu_funnel(s[at / 32], s[at / 32 + 1], at % 32);
}

FECRUN_INLINE uint32_t ldpc_encode_vector(const struct ldpc_encode_class *c, uint32_t vector)
{
    return c->string + vector * (c->words + 1);
}

/* Bits lane to lane + n - 1 of a term, n 1..32; lane + n <= z. */
FECRUN_INLINE uint32_t ldpc_encode_term(const uint32_t *s, uint32_t term, uint32_t z, uint32_t lane,
                                        uint32_t n)
{
    const uint32_t base = term >> LDPC_TERM_SHIFT_BITS;
    uint32_t at = lane + (term & (LDPC_ENCODE_MAX_Z - 1)), left, bits;

    at = at >= z ? at - z : at;
    left = z - at;
    bits = ldpc_encode_window(s, base + at);
    if (left < n)
        bits = (bits & gpu_mask(left)) | ldpc_encode_window(s, base) << left;
    return bits;
}

FECRUN_INLINE uint32_t ldpc_encode_sum(const struct ldpc_encode_class *c, const uint32_t *table,
                                       const uint32_t *s, uint32_t list, uint32_t lane, uint32_t n)
{
    const uint32_t end = table[c->first + list + 1];
    uint32_t sum = 0;

    for (uint32_t i = table[c->first + list]; i < end; i++)
        sum ^= ldpc_encode_term(s, table[i], c->z, lane, n);
    return sum & gpu_mask(n);
}

/* ---- steps, each of one thread `t` of `group` ---------------------------------------------- */

FECRUN_INLINE void ldpc_encode_load(const struct ldpc_encode_class *c, const uint8_t *frame,
                                    bool in_packed, uint32_t *s, uint32_t t, uint32_t group)
{
    for (uint32_t w = t; w < c->string; w += group)
        s[w] = in_packed ? gpu_load_packed(frame, c->bits, 32 * w)
                         : gpu_load_u8(frame, c->bits, 32 * w);
}

FECRUN_INLINE void ldpc_encode_vectors(const struct ldpc_encode_class *c, const uint32_t *table,
                                       uint32_t *s, uint32_t from, uint32_t to, uint32_t t,
                                       uint32_t group)
{
    for (uint32_t i = t; i < (to - from) * c->words; i += group) {
        const uint32_t v = from + i / c->words, w = i % c->words, left = c->z - 32 * w;

        s[ldpc_encode_vector(c, v) + w] = ldpc_encode_sum(c, table, s, v, 32 * w,
                                                          left < 32 ? left : 32);
    }
}

/* Accumulator: each vector becomes the sum of those up to it. */
FECRUN_INLINE void ldpc_encode_add_rows(const struct ldpc_encode_class *c, uint32_t *s, uint32_t t,
                                        uint32_t group)
{
    for (uint32_t w = t; w < c->words; w += group) {
        uint32_t sum = 0;

        for (uint32_t r = 0; r < c->rows; r++) {
            sum ^= s[ldpc_encode_vector(c, r) + w];
            s[ldpc_encode_vector(c, r) + w] = sum;
        }
    }
}

/* What lane i of all rows gets from lanes 0..i-1: their sums, which the last row has. */
FECRUN_INLINE void ldpc_encode_carry(const struct ldpc_encode_class *c, uint32_t *s)
{
    const uint32_t *sum = s + ldpc_encode_vector(c, c->rows - 1);
    uint32_t *carry = s + ldpc_encode_vector(c, c->rows);
    uint32_t before = 0;

    for (uint32_t w = 0; w < c->words; w++) {
        uint32_t all = sum[w];

        for (unsigned d = 1; d < 32; d *= 2)
            all ^= all << d;
        carry[w] = all << 1 ^ before;
        before ^= 0u - (all >> 31);
    }
}

FECRUN_INLINE void ldpc_encode_step(const struct ldpc_encode_class *c, const uint32_t *table,
                                    uint32_t *s, unsigned step, uint32_t t, uint32_t group)
{
    if (!c->rows || step == 0)
        ldpc_encode_vectors(c, table, s, step ? c->end[step - 1] : 0, c->end[step], t, group);
    else if (step == 1)
        ldpc_encode_add_rows(c, s, t, group);
    else if (t == 0)
        ldpc_encode_carry(c, s);
}

/* ---- output -------------------------------------------------------------------------------- */

/* n bits from lifted column v on; n 1..32. */
FECRUN_INLINE uint32_t ldpc_encode_columns(const struct ldpc_encode_class *c, const uint32_t *table,
                                           const uint32_t *s, uint32_t v, uint32_t n)
{
    const uint32_t lists = c->end[LDPC_ENCODE_STEPS - 1];
    uint32_t column = v / c->z, lane = v - column * c->z, bits = 0, done = 0;

    do {
        const uint32_t left = c->z - lane, part = left < n - done ? left : n - done;

        bits |= ldpc_encode_sum(c, table, s, lists + column, lane, part) << done;
        done += part;
        column++;
        lane = 0;
    } while (done < n);
    return bits;
}

/* The same of the word of a code with an accumulator: parity bit i rows + r is lane i of row r. */
FECRUN_INLINE uint32_t ldpc_encode_accumulated(const struct ldpc_encode_class *c, const uint32_t *s,
                                               uint32_t item, uint32_t n)
{
    const uint32_t carry = ldpc_encode_vector(c, c->rows);
    const uint32_t known = item < c->k ? c->k - item < n ? c->k - item : n : 0;
    const uint32_t parity = item + known - c->k;
    uint32_t bits = known ? ldpc_encode_window(s, item) & gpu_mask(known) : 0;
    uint32_t lane = parity / c->rows, row = parity - lane * c->rows;

    for (uint32_t b = known; b < n; b++) {
        const uint32_t word = s[ldpc_encode_vector(c, row) + lane / 32] ^ s[carry + lane / 32];

        bits |= (word >> lane % 32 & 1) << b;
        if (++row == c->rows) {
            row = 0;
            lane++;
        }
    }
    return bits;
}

FECRUN_INLINE uint32_t ldpc_encode_bits(const struct ldpc_encode_class *c, const uint32_t *table,
                                        const uint32_t *s, uint32_t item, uint32_t n)
{
    return c->rows ? ldpc_encode_accumulated(c, s, item, n)
                   : ldpc_encode_columns(c, table, s, item + c->punctured, n);
}

/* A chunk is 32 bits, in 4 bytes or in 32 that begin at a multiple of 16. */
FECRUN_INLINE void ldpc_encode_store(const struct ldpc_encode_class *c, const uint32_t *table,
                                     const uint32_t *s, uint8_t *frame, bool out_packed, uint32_t t,
                                     uint32_t group)
{
    const uint32_t unit = out_packed ? 4 : 32, per_byte = out_packed ? 8 : 1;
    const int64_t bytes = (c->n + per_byte - 1) / per_byte;
    const uint32_t chunks = (uint32_t)fecrun_chunks((uint64_t)bytes, unit);

    for (uint32_t i = t; i < chunks; i += group) {
        const int64_t begin = fecrun_chunk_begin(frame, unit, out_packed ? 4 : 16, i);
        const uint32_t skip = begin < 0 ? (uint32_t)-begin * per_byte : 0; /* before the frame */
        const uint32_t first = begin < 0 ? 0 : (uint32_t)begin * per_byte;
        uint32_t n = 32 - skip, bits;

        if (first >= c->n)
            break;
        n = c->n - first < n ? c->n - first : n;
        bits = ldpc_encode_bits(c, table, s, first, n) << skip;
        if (out_packed)
            fecrun_store_chunk(frame, bytes, begin, fecrun_flip(bits));
        else
            gpu_store_u8(frame, bytes, begin, bits);
    }
}

/* ---- the block, where there are threads and barriers ---------------------------------------- */

#if defined(__CUDACC__) || defined(FECRUN_EMULATED_BLOCKS)
/* The compiler is to know the forms. */
FECRUN_ON_DEVICE void ldpc_encode_block(const struct ldpc_encode_args *a, bool in_packed,
                                        bool out_packed, uint32_t *shared)
{
    const uint32_t group = a->group, t = threadIdx.x % group;
    const uint64_t f = (uint64_t)blockIdx.x * (blockDim.x / group) + threadIdx.x / group;
    const bool mine = f < a->frames.n;
    const struct ldpc_encode_class c = a->classes[mine ? gpu_class(&a->frames, f) : 0];
    uint32_t *s = shared + threadIdx.x / group * a->shared;

    if (mine)
        ldpc_encode_load(&c, gpu_frame(&a->in, f), in_packed, s, t, group);
    FECRUN_UNROLL
    for (unsigned step = 0; step < LDPC_ENCODE_STEPS; step++) {
        __syncthreads();
        if (mine)
            ldpc_encode_step(&c, a->table, s, step, t, group);
    }
    __syncthreads();
    if (mine)
        ldpc_encode_store(&c, a->table, s, gpu_frame(&a->out, f), out_packed, t, group);
}
#endif

#endif
