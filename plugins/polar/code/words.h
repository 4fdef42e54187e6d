/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Bits of one frame in words of 64, the first bit lowest: how an encoder gets from the message to the
 * code word x, and a decoder from x to the message and its CRC.
 *
 * The free bits of a word of u are gathered in six steps of masks (Hacker's Delight, 7-4: compress):
 * step i moves the bits of move[i] down by 2^i. The encoder takes the steps backwards.
 */
#ifndef POLAR_CODE_WORDS_H
#define POLAR_CODE_WORDS_H

#include "plugins/polar/code/code.h"
#include "plugins/polar/code/crc.h"

/* Immutable; one piece of memory: free() is enough. */
struct polar_words {
    uint32_t n, k;     /* of the code */
    uint32_t words;    /* of x: a multiple of POLAR_WORDS_STEP, those behind N / 64 are 0 */
    uint64_t *free;    /* positions of the message */
    uint64_t *move[6]; /* of u's free bits */
    uint16_t *order;   /* bit order[i] of those is bit i of the message; NULL: they are in order */
    uint8_t *gathered; /* number of free bits of each word */
    uint32_t width;    /* of the CRC; 0: there is none */
    uint32_t start,
        rest; /* the CRC's register before and after the message, see polar_words_reflect() */
    uint32_t nibble[16][16]; /* CRC of the value of each of the 16 nibbles of a word */
};

enum { POLAR_WORDS_STEP = 8 };

/* NULL: out of memory. */
struct polar_words *polar_words_new(const struct polar_code *code, const struct polar_crc *crc);

/* A register of `width` bits whose highest bit is the lowest one. */
uint32_t polar_words_reflect(uint32_t state, uint32_t width);

/* The word of a message, both a bit a byte, of a code without parities and with N >= 64. */
void polar_words_encode(const struct polar_words *words, const uint8_t *message, uint8_t *word);
/* The same in bytes of eight bits, the first one on top. */
void polar_words_encode_packed(const struct polar_words *words, const uint8_t *message,
                               uint8_t *word);

/* The message of u's gathered bits, if words->order is not NULL; room: (K + 63) / 64 words each. */
void polar_words_reorder(const struct polar_words *words, const uint64_t *gathered,
                         uint64_t *message);

/* The CRC's register after the K bits of the message, reflected; words->width is not 0. */
uint32_t polar_words_crc(const struct polar_words *words, const uint64_t *message);

/* The K bits of the message to bytes whose highest bit is the first one. */
void polar_words_pack(const uint64_t *message, uint32_t k, uint8_t *to);

#endif
