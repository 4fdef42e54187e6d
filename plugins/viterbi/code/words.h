/* SPDX-License-Identifier: BSD-2-Clause */
/* Bits of 64 steps as a word, the first step in the top place: what a register of K digits makes of them. */
#ifndef VITERBI_CODE_WORDS_H
#define VITERBI_CODE_WORDS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "plugins/viterbi/code/trellis.h"

enum { WORD = 64, GROUP = 8 }; /* steps; GROUP steps give whole bytes for any n */

struct viterbi_tables {
    uint64_t expand[256]; /* a byte's bits, first one first in memory, one a byte */
    uint64_t spread[256]; /* a byte's bits n places apart, the first one in place 8n - 1 */
};

static inline void fill_tables(struct viterbi_tables *tables, unsigned n)
{
    for (unsigned b = 0; b < 256; b++) {
        uint8_t bits[8];

        tables->spread[b] = 0;
        for (unsigned i = 0; i < 8; i++) {
            bits[i] = b >> (7 - i) & 1;
            tables->spread[b] |= (uint64_t)bits[i] << (n * (8 - i) - 1);
        }
        memcpy(&tables->expand[b], bits, sizeof bits);
    }
}

/* Up to WORD bits as a word, the first in the top place, zeros behind the last. */
static inline uint64_t gather(const uint8_t *bits, size_t n)
{
    uint64_t word = 0;
    size_t i = 0;

    for (; i + 8 <= n; i += 8) {
        const uint8_t *b = bits + i;
        uint64_t byte = (uint64_t)(b[0] << 7 | b[1] << 6 | b[2] << 5 | b[3] << 4 | b[4] << 3 |
                                   b[5] << 2 | b[6] << 1 | b[7]);

        word |= byte << (WORD - 8 - i);
    }
    for (; i < n; i++)
        word |= (uint64_t)bits[i] << (WORD - 1 - i);
    return word;
}

/* The same of up to WORD packed bits, from bit `at` on. */
static inline uint64_t gather_packed(const uint8_t *bits, uint64_t at, size_t n)
{
    uint64_t word = 0;

    for (size_t i = 0; i < n; i++)
        word |= (uint64_t)(bits[(at + i) / 8] >> (7 - (at + i) % 8) & 1) << (WORD - 1 - i);
    return word;
}

/* Up to 8 bytes as a word, zeros behind the last. */
static inline uint64_t load_word(const uint8_t *bytes, uint64_t n)
{
    uint64_t word = 0;

    memcpy(&word, bytes, n < 8 ? n : 8);
    return __builtin_bswap64(word);
}

/* Those of WORD steps that the digits of a generator choose, added up; `past` holds the bits before them, the newest in the
   lowest place. */
static inline uint64_t filter_word(unsigned K, uint32_t generator, uint64_t now, uint64_t past)
{
    uint64_t sum = 0;

    for (uint32_t left = generator; left; left &= left - 1) {
        const unsigned d = K - 1 - (unsigned)__builtin_ctz(left);

        sum ^= d ? now >> d | past << (WORD - d) : now;
    }
    return sum;
}

/* The outputs of WORD steps. */
static inline void encode_word(const struct viterbi_code *code, uint64_t now, uint64_t past,
                               uint64_t out[VITERBI_MAX_N])
{
    for (unsigned j = 0; j < code->n; j++)
        out[j] = filter_word(code->K, code->gen[j], now, past) ^
                 (code->inverted[j] ? UINT64_MAX : 0);
}

/*
 * What goes into the register of a recursive code: each of the first n bits plus those before it that the feedback chooses,
 * zeros behind them. `taps` has digit d of the feedback in place d - 1.
 */
static inline uint64_t recurse_word(uint32_t taps, uint64_t now, uint64_t past, unsigned n)
{
    uint64_t sums = 0;

    for (unsigned i = 0; i < n; i++) {
        const uint64_t bit = (now >> (WORD - 1 - i) & 1) ^
                             (uint64_t)__builtin_parityll(past & taps);

        sums |= bit << (WORD - 1 - i);
        past = past << 1 | bit;
    }
    return sums;
}

/* The outputs of GROUP steps from `step` on, GROUP * n bits in the order of sending. */
static inline uint64_t interleave(const struct viterbi_tables *tables, unsigned n,
                                  const uint64_t word[VITERBI_MAX_N], unsigned step)
{
    uint64_t bits = 0;

    for (unsigned j = 0; j < n; j++)
        bits |= tables->spread[word[j] >> (WORD - GROUP - step) & 255] >> j;
    return bits;
}

/* The outputs of WORD steps into n * WORD bytes. */
static inline void put_word(const struct viterbi_tables *tables, unsigned n,
                            const uint64_t word[VITERBI_MAX_N], uint8_t *out)
{
    for (unsigned step = 0; step < WORD; step += GROUP) {
        const uint64_t bits = interleave(tables, n, word, step);

        for (unsigned b = n; b-- > 0; out += 8)
            memcpy(out, &tables->expand[bits >> (8 * b) & 255], 8);
    }
}

#endif
