/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The turbo codes by name: encoders, interleaver, and the order of bits in the word.
 *
 * An encoder's state has its `memory` bits, the newest one highest, so that D^i is bit memory - i. What enters the
 * register is the input plus the bits of `feedback`.
 */
#ifndef TURBO_CODE_FAMILY_H
#define TURBO_CODE_FAMILY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    TURBO_MOST_MEMORY = 4,
    TURBO_MOST_STATES = 1 << TURBO_MOST_MEMORY,
    TURBO_MOST_OUTPUTS = 3, /* parity bits of an encoder a step */
    TURBO_LONGEST = 8920,   /* bits of the largest block of any code */
    TURBO_MOST_COLUMNS = 6, /* bits of a word a step */
};

#define TURBO_NOT_SENT UINT32_MAX

/* Where bits stand in the word. */
enum turbo_layout {
    TURBO_BY_STREAM, /* d0 d1 d2, TS 36.212 5.1.3.2.2 */
    TURBO_BY_STEP,   /* TS 25.212 4.2.3.2.1: x z z' a step, then the tails of both encoders */
    TURBO_BY_COLUMN, /* CCSDS 131.0-B: `column` of each step; tails, too, without the second encoder's input */
};

struct turbo_column {
    uint8_t encoder, output; /* output 0: the input */
};

struct turbo_family {
    const char *name, *source;
    uint32_t memory, feedback; /* bit i of a polynomial: D^i */
    uint32_t outputs[2];       /* parity bits of each encoder */
    uint32_t parity[2][TURBO_MOST_OUTPUTS];
    enum turbo_layout layout;
    uint32_t columns; /* of the word a step, whatever the layout is */
    struct turbo_column column[TURBO_MOST_COLUMNS];
    uint32_t
        alternate; /* 1: the last column is the first encoder's in even steps, the second one's in odd ones */
};

/* Encoders of a code as tables. */
struct turbo_trellis {
    uint8_t next[TURBO_MOST_STATES][2];  /* by the input */
    uint8_t label[TURBO_MOST_STATES][2]; /* bit o: parity bit of output o + 1 */
    uint8_t tail[TURBO_MOST_STATES];     /* the input that brings a 0 into the register */
};

extern const struct turbo_family turbo_lte, turbo_umts;
extern const struct turbo_family turbo_ccsds[4]; /* rates 1/2, 1/3, 1/4, 1/6 */

static inline uint32_t turbo_states(const struct turbo_family *family)
{
    return 1u << family->memory;
}

void turbo_trellis_make(const struct turbo_family *family, unsigned encoder,
                        struct turbo_trellis *trellis);

/* Bits of the word of a block of k bits. */
static inline uint32_t turbo_family_word(const struct turbo_family *family, uint32_t k)
{
    return family->columns * (k + (family->layout == TURBO_BY_COLUMN ? family->memory : 4));
}

/*
 * Place in the word of encoder 0 or 1's bit of this step, 0 to k + memory - 1; output 0 is its input, which the second one
 * has in the interleaver's order, so that only tails are its own. TURBO_NOT_SENT: nowhere.
 */
uint32_t turbo_family_item(const struct turbo_family *family, uint32_t k, unsigned encoder,
                           unsigned output, uint32_t step);

/* Is there a block of k bits? */
int turbo_family_has(const struct turbo_family *family, uint32_t k);

/* pi[i] and its inverse, k entries each, of a block that there is; either may be NULL. */
void turbo_family_interleaver(const struct turbo_family *family, uint32_t k, uint16_t *pi,
                              uint16_t *inverse);

/* TS 25.212 4.2.3.2.3, 40 to 5114 bits. */
void turbo_umts_interleaver(uint32_t k, uint16_t *pi);
/* CCSDS 131.0-B, 1784, 3568, 7136 and 8920 bits. */
void turbo_ccsds_interleaver(uint32_t k, uint16_t *pi);

#ifdef __cplusplus
}
#endif

#endif
