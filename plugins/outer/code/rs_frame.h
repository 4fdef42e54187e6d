/* SPDX-License-Identifier: BSD-2-Clause */
/* Words of Reed-Solomon codes in frames of bits: symbols read, and corrections put in. Header only. */
#ifndef OUTER_RS_FRAME_H
#define OUTER_RS_FRAME_H

#include "plugins/outer/code/bits.h"
#include "plugins/outer/code/rs.h"

/* What the decoder found of a word: symbols that were wrong, and what is to be XORed onto them as they are
   sent. */
struct rs_found {
    bool failed;
    uint32_t count; /* 0 if it failed */
    uint16_t at[OUTER_MOST_PARITY];
    uint16_t value[OUTER_MOST_PARITY];
};

/* Bit of a frame at which symbol i of word c begins. */
static inline uint64_t rs_bit(const struct rs_code *code, uint32_t i, uint32_t c)
{
    return ((uint64_t)i * code->depth + c) * code->m;
}

/* The first `count` symbols of word c, in the conventional basis. */
static inline void rs_read_word(const struct rs_code *code, const uint8_t *row, uint32_t type,
                                uint32_t c, uint32_t count, uint16_t *word)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t s = bits_get(row, type, rs_bit(code, i, c), code->m);

        word[i] = (uint16_t)(code->dual ? code->from_dual[s] : s);
    }
}

/* What is to be XORed onto a symbol as it is sent. */
static inline uint16_t rs_sent(const struct rs_code *code, uint16_t symbol)
{
    return code->dual ? code->to_dual[symbol] : symbol;
}

/* Corrects the information symbols of word c in the output. */
static inline void rs_correct(const struct rs_code *code, const struct rs_found *found,
                              uint8_t *row, uint32_t type, uint32_t c)
{
    for (uint32_t e = 0; e < found->count; e++)
        if (found->at[e] < code->k)
            bits_flip(row, type, rs_bit(code, found->at[e], c), code->m, found->value[e]);
}

/*
 * Places in word c of the symbols whose flag is not 0, up to OUTER_MOST_PARITY + 1 of them. flags: a float for
 * each symbol of the frame, of any alignment, or NULL: none. Returns how many.
 */
static inline uint32_t rs_erasures(const struct rs_code *code, const void *flags, uint32_t c,
                                   uint16_t *at)
{
    uint32_t n = 0;

    for (uint32_t i = 0; flags && i < code->n && n <= OUTER_MOST_PARITY; i++) {
        float flag;

        memcpy(&flag, (const char *)flags + ((size_t)i * code->depth + c) * sizeof flag,
               sizeof flag);
        if (flag != 0)
            at[n++] = (uint16_t)i;
    }
    return n;
}

#endif
