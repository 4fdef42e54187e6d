/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ldpc.rate_match, one CUDA thread: a chunk of the output of one frame. Packed bits are fetched as
 * words, of each row of the interleaver that the chunk has bits of; neighbours in a row are
 * neighbours in the code word, but where the fillers lie and where the buffer ends.
 */
#ifndef LDPC_CUDA_RATE_MATCH_H
#define LDPC_CUDA_RATE_MATCH_H

#include "plugins/ldpc/cuda/rate/interleave.h"
#include "plugins/ldpc/cuda/rate/thread.h"

enum { LDPC_MATCH_PIECES = 12 /* words that a thread fetches of all rows */ };

FECRUN_INLINE uint32_t ldpc_match_least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* ---- packed bits: fetching ------------------------------------------------------------------- */

/* Where in the ranks the fillers lie, if they do. */
FECRUN_INLINE uint32_t ldpc_match_knee(const struct ldpc_rate *r)
{
    return ldpc_match_least(r->fill_begin, r->sent);
}

/*
 * How many neighbours in the word there are from this rank on, beyond n of them; below 0: n are not
 * all neighbours.
 */
FECRUN_INLINE int32_t ldpc_match_slack(const struct ldpc_rate *r, uint32_t rank, uint32_t n)
{
    const uint32_t knee = ldpc_match_knee(r);

    return (int32_t)((rank < knee ? knee - n : r->sent - n) - rank);
}

/* The item of this rank. */
FECRUN_INLINE uint32_t ldpc_match_item(const struct ldpc_rate *r, uint32_t rank)
{
    return rank + (rank < ldpc_match_knee(r) ? 0 : r->fill_end - r->fill_begin);
}

/* The n (0..32) uppermost bits of a word. */
FECRUN_INLINE uint32_t ldpc_match_top(uint32_t n)
{
    return (uint32_t) ~(UINT64_C(0xffffffff) >> n);
}

/*
 * 32 * words bits of a frame of so many bits, from bit `at` on, the first one uppermost; anything
 * behind the frame's end. No aligned word without one of its bits is read.
 */
FECRUN_INLINE void ldpc_match_take(const uint8_t *frame, uint32_t bits, uint32_t at, unsigned words,
                                   uint32_t *piece)
{
#ifdef __CUDA_ARCH__
    const uint32_t skip = (uint32_t)(uintptr_t)frame & 3, begin = at + 8 * skip;
    const uint32_t last = (bits - 1 + 8 * skip) / 32;
    const uint32_t *aligned = (const uint32_t *)(frame - skip);
    uint32_t next = fecrun_swap(aligned[begin / 32]);

    FECRUN_UNROLL
    for (unsigned i = 0; i < words; i++) {
        const uint32_t one = next;

        next = fecrun_swap(aligned[ldpc_match_least(begin / 32 + i + 1, last)]);
        piece[i] = ldpc_bits_on(one, next, begin % 32);
    }
#else
    for (unsigned i = 0; i < words; i++, at += 32) {
        uint64_t all = 0;

        for (uint32_t b = 0; b < 5 && at / 8 + b < (bits + 7) / 8; b++)
            all |= (uint64_t)frame[at / 8 + b] << (56 - 8 * b);
        piece[i] = (uint32_t)(all << at % 8 >> 32);
    }
#endif
}

/* n (0..32) bits from this rank on, over whatever lies between them; then those behind them. */
FECRUN_INLINE uint32_t ldpc_match_gather(const struct ldpc_rate *r, const uint8_t *frame,
                                         uint32_t *rank, uint32_t n)
{
    uint32_t word = 0, have = 0;

    LDPC_NO_UNROLL
    while (have < n) {
        const uint32_t run = ldpc_match_least((uint32_t)ldpc_match_slack(r, *rank, 0), n - have);
        uint32_t bits;

        ldpc_match_take(frame, r->n, ldpc_match_item(r, *rank), 1, &bits);
        word |= (bits & ldpc_match_top(run)) >> have;
        have += run;
        *rank += run;
        *rank = *rank == r->sent ? 0 : *rank;
    }
    return word;
}

/* Bits of word `i` of those that n bits fill. */
FECRUN_INLINE uint32_t ldpc_match_part(uint32_t n, unsigned i)
{
    return n > 32 * i ? ldpc_match_least(n - 32 * i, 32) : 0;
}

/*
 * `most` columns from column j on, of all rows, words of them each; zeros behind the last column.
 * What is in order is loaded without a look at the others, so that all loads are on their way at
 * once.
 */
FECRUN_INLINE void ldpc_match_fetch(const struct ldpc_rate_class *own, const uint8_t *frame,
                                    unsigned rows, uint32_t most, uint32_t j, uint32_t *piece)
{
    const struct ldpc_rate *r = &own->rate;
    const unsigned words = (most + 31) / 32;
    const uint32_t n = ldpc_match_least(r->columns - j, most);
    uint32_t rank[LDPC_RATE_ROWS];
    int32_t slack = 0;

    if (j >= r->sent)
        j %= r->sent;
    FECRUN_UNROLL
    for (unsigned row = 0; row < rows; row++) {
        rank[row] = own->start[row] + j;
        rank[row] = ldpc_match_least(rank[row], rank[row] - r->sent); /* below 2 * sent */
        slack |= ldpc_match_slack(r, rank[row], n);
        ldpc_match_take(frame, r->n, ldpc_match_item(r, rank[row]), words, piece + row * words);
    }
    if (slack < 0) {
        FECRUN_UNROLL
        for (unsigned row = 0; row < rows; row++) {
            if (ldpc_match_slack(r, rank[row], n) >= 0)
                continue;
            FECRUN_UNROLL
            for (unsigned i = 0; i < words; i++)
                piece[row * words + i] = ldpc_match_gather(r, frame, &rank[row],
                                                           ldpc_match_part(n, i));
        }
    }
    if (n < most) {
        FECRUN_UNROLL
        for (unsigned i = 0; i < rows * words; i++)
            piece[i] &= ldpc_match_top(ldpc_match_part(n, i % words));
    }
}

/* ---- packed bits: a chunk -------------------------------------------------------------------- */

/* 256 bits of six rows from place x on, which may lie within a column: half by half. */
FECRUN_INLINE void ldpc_match_six(uint32_t word[8], const struct ldpc_rate_class *own,
                                  const uint8_t *frame, uint32_t x)
{
    const uint32_t half = (x + 128) / 6 - x / 6; /* columns from one to the other: 21 or 22 */
    uint32_t piece[LDPC_MATCH_PIECES], row[6];

    ldpc_match_fetch(own, frame, 6, 44, x / 6, piece);
    FECRUN_UNROLL
    for (int i = 0; i < 6; i++)
        row[i] = piece[2 * i];
    ldpc_interleave_6(word, row, x % 6);
    FECRUN_UNROLL
    for (int i = 0; i < 6; i++)
        row[i] = ldpc_bits_on(piece[2 * i], piece[2 * i + 1], half);
    ldpc_interleave_6(word + 4, row, (x + 128) % 6);
}

/* 256 bits from place x on, a multiple of 8, as they lie in memory; zeros behind the frame's end. */
FECRUN_INLINE void ldpc_match_words(uint32_t word[8], const struct ldpc_rate_class *own,
                                    const uint8_t *frame, uint32_t x)
{
    uint32_t piece[LDPC_MATCH_PIECES], row[4];

    switch (own->rate.qm) {
    case 2:
        ldpc_match_fetch(own, frame, 2, 128, x / 2, piece);
        FECRUN_UNROLL
        for (int i = 0; i < 4; i++)
            ldpc_interleave_2(word + 2 * i, piece[i], piece[4 + i]);
        break;
    case 4:
        ldpc_match_fetch(own, frame, 4, 64, x / 4, piece);
        FECRUN_UNROLL
        for (int half = 0; half < 2; half++) {
            FECRUN_UNROLL
            for (int i = 0; i < 4; i++)
                row[i] = piece[2 * i + half];
            ldpc_interleave_4(word + 4 * half, row);
        }
        break;
    case 6:
        ldpc_match_six(word, own, frame, x);
        break;
    default: /* 8 */
        ldpc_match_fetch(own, frame, 8, 32, x / 8, piece);
        ldpc_interleave_8(word, piece);
        break;
    }
}

/* The same bytes `skip` (0..31) further on in memory; n: 4 or 8. */
FECRUN_INLINE void ldpc_match_move(uint32_t *word, int n, unsigned skip)
{
    FECRUN_UNROLL
    for (int by = 4; by; by /= 2) { /* words */
        if (!(skip & 4 * (unsigned)by))
            continue;
        FECRUN_UNROLL
        for (int i = n - 1; i >= 0; i--)
            word[i] = i >= by ? word[i - by] : 0;
    }
    FECRUN_UNROLL
    for (int i = n - 1; i >= 0; i--) {
        const uint64_t two = (uint64_t)word[i] << 32 | (i ? word[i - 1] : 0);

        word[i] = (uint32_t)(two << 8 * (skip & 3) >> 32);
    }
}

/* The frame's part of n words at `begin`, `skip` bytes of which lie before it; they begin there. */
FECRUN_INLINE void ldpc_match_store(uint8_t *out, int32_t bytes, int32_t begin, unsigned skip,
                                    uint32_t *word, int n)
{
    if (!skip && begin + 4 * n <= bytes) {
        FECRUN_UNROLL
        for (int i = 0; i < n; i += 4)
            fecrun_store_128(out + begin + 4 * i, word + i);
        return;
    }
    ldpc_match_move(word, n, skip);
    FECRUN_UNROLL
    for (int i = 0; i < n; i++)
        fecrun_store_chunk(out, bytes, begin + 4 * i, word[i]);
}

/* 128 packed bits from bit `skip` (0..7) of these bytes on. */
FECRUN_INLINE void ldpc_match_copy(uint8_t *to, const uint8_t *from, unsigned skip)
{
    uint32_t word[4], next;

    gpu_load_chunk(word, from);
    if (!skip) {
        fecrun_store_128(to, word);
        return;
    }
    next = (uint32_t)from[LDPC_CHUNK] << 24;
    FECRUN_UNROLL
    for (int i = 0; i < 4; i++)
        word[i] = fecrun_swap(word[i]);
    FECRUN_UNROLL
    for (int i = 0; i < 4; i++)
        word[i] = fecrun_swap(word[i] << skip | (i < 3 ? word[i + 1] : next) >> (32 - skip));
    fecrun_store_128(to, word);
}

/* Chunk c of a frame without an interleaver: most are neighbours. */
FECRUN_INLINE void ldpc_match_plain(const struct ldpc_rate_class *own,
                                    const struct ldpc_rate_frame *at, uint32_t c)
{
    const struct ldpc_rate *r = &own->rate;
    const int32_t bytes = (int32_t)((r->e + 7) / 8), bits = 8 * LDPC_CHUNK;
    const int32_t begin = (int32_t)fecrun_chunk_begin(at->out, LDPC_CHUNK, LDPC_CHUNK, c);
    const unsigned skip = begin < 0 ? (unsigned)-begin : 0; /* bytes before the frame */
    const uint32_t x = 8 * ((uint32_t)begin + skip), rank = r->first + x;
    uint32_t word[4];

    if (begin >= bytes)
        return;
    if (!skip && x + bits <= r->e && rank < r->sent && ldpc_match_slack(r, rank, bits) >= 0) {
        const uint32_t item = ldpc_match_item(r, rank);

        ldpc_match_copy(at->out + begin, at->in + item / 8, item % 8);
        return;
    }
    ldpc_match_fetch(own, at->in, 1, bits, x, word);
    FECRUN_UNROLL
    for (int i = 0; i < 4; i++)
        word[i] = fecrun_swap(word[i]);
    ldpc_match_store(at->out, bytes, begin, skip, word, 4);
}

/* Chunk c of a frame; packed bits. */
FECRUN_INLINE void ldpc_match_packed(const struct ldpc_rate_class *own,
                                     const struct ldpc_rate_frame *at, uint32_t c)
{
    const struct ldpc_rate *r = &own->rate;
    const int32_t bytes = (int32_t)((r->e + 7) / 8);
    const int32_t begin = (int32_t)fecrun_chunk_begin(at->out, LDPC_MATCH_CHUNK, LDPC_MATCH_CHUNK,
                                                      c);
    const unsigned skip = begin < 0 ? (unsigned)-begin : 0; /* bytes before the frame */
    uint32_t word[8];

    if (r->qm == 1) {
        ldpc_match_plain(own, at, c);
        return;
    }
    if (begin >= bytes)
        return;
    ldpc_match_words(word, own, at->in, 8 * ((uint32_t)begin + skip));
    ldpc_match_store(at->out, bytes, begin, skip, word, 8);
}

/* ---- one bit a byte -------------------------------------------------------------------------- */

/* A place, that is row `row` of its column, and the ranks of its bit and of the column's first. */
struct ldpc_match_walk {
    uint32_t row, rank, head;
};

FECRUN_INLINE struct ldpc_match_walk ldpc_match_begin(const struct ldpc_rate_class *own, uint32_t x)
{
    const struct ldpc_rate *r = &own->rate;
    const uint32_t column = r->qm == 1 ? x : x / r->qm;
    struct ldpc_match_walk w;

    w.row = x - column * r->qm;
    w.head = (r->first + column) % r->sent;
    w.rank = (w.head + w.row * own->step) % r->sent;
    return w;
}

FECRUN_INLINE void ldpc_match_on(const struct ldpc_rate_class *own, struct ldpc_match_walk *w)
{
    const struct ldpc_rate *r = &own->rate;

    w->rank += own->step;
    if (++w->row == r->qm) {
        w->row = 0;
        w->head = w->head + 1 == r->sent ? 0 : w->head + 1;
        w->rank = w->head;
    }
    w->rank = ldpc_match_least(w->rank, w->rank - r->sent); /* below 2 * sent */
}

/* Chunk c of a frame. */
FECRUN_INLINE void ldpc_match_u8(const struct ldpc_rate_class *own,
                                 const struct ldpc_rate_frame *at, uint32_t c)
{
    const struct ldpc_rate *r = &own->rate;
    const int32_t e = (int32_t)r->e;
    const int32_t begin = (int32_t)fecrun_chunk_begin(at->out, LDPC_CHUNK, LDPC_CHUNK, c);
    const int32_t from = begin < 0 ? 0 : begin;
    const int32_t to = begin + LDPC_CHUNK < e ? begin + LDPC_CHUNK : e;
    struct ldpc_match_walk w;
    uint32_t word[4] = {0, 0, 0, 0};

    if (from >= to)
        return;
    w = ldpc_match_begin(own, (uint32_t)from);
    if (to - from < LDPC_CHUNK) {
        LDPC_NO_UNROLL
        for (int32_t x = from; x < to; x++) {
            at->out[x] = at->in[ldpc_match_item(r, w.rank)];
            ldpc_match_on(own, &w);
        }
        return;
    }
    FECRUN_UNROLL
    for (int i = 0; i < LDPC_CHUNK; i++) {
        word[i / 4] |= (uint32_t)at->in[ldpc_match_item(r, w.rank)] << 8 * (i % 4);
        ldpc_match_on(own, &w);
    }
    fecrun_store_128(at->out + begin, word);
}

#endif
