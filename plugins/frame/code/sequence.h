/* SPDX-License-Identifier: BSD-2-Clause */
/* Pseudo-random bits of scramblers, one a byte, 0 or 1. */
#ifndef FRAME_CODE_SEQUENCE_H
#define FRAME_CODE_SEQUENCE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    SEQUENCE_DEGREE = 32,       /* of a polynomial, at most */
    SEQUENCE_DVB = 8 * 188 * 8, /* bits of a round: eight packets */
    SEQUENCE_M17 = 368,
    SEQUENCE_WIFI = 7,  /* degree */
    SEQUENCE_PBCH = 32, /* bits of a payload */
};

/*
 * A shift register of `degree` stages. Stage 1 is the highest bit of `state`, stage `degree` the lowest.
 * A step feeds the sum of the stages in `taps` into stage 1; stage e, bit degree - e, is what was fed
 * e steps ago. So x^e of a polynomial is a delay of e bits.
 */
struct shift_register {
    unsigned degree;
    uint32_t taps, state;
    bool last; /* the output is the last stage, not what is fed back */
};

/* n bits; goes on where it stands. */
void sequence_register(struct shift_register *shift, uint8_t *bits, uint64_t n);

/* Steps until the register is as it was; 0: more than `most`. */
uint64_t sequence_round(struct shift_register shift, uint64_t most);

/* EN 300 421 4.4.1: packets of 188 bytes, which begin with a sync byte. That of the first packet is inverted, and
   the others stay. SEQUENCE_DVB bits. */
void sequence_dvb(uint8_t *bits);

/* CCSDS 131.0-B, TM randomizer: its h(x) = x^8 + x^7 + x^5 + x^3 + 1 says bit n + 8, so in delays x^8 + x^5 + x^3 +
   x + 1; begins with all ones. EN 302 307-1 5.2.2: x^15 + x^14 + 1. */
struct shift_register sequence_ccsds(void);
struct shift_register sequence_dvb_s2(void);

/* IEEE 802.11-2020 17.3.5.5: the highest bit of the seed is x7. */
struct shift_register sequence_wifi(unsigned seed);

/* M17: SEQUENCE_M17 bits. */
void sequence_m17(uint8_t *bits);

/* TS 38.211 5.2.1 (and TS 36.211 7.2), c_init below 2^31. */
void sequence_nr(uint32_t c_init, uint8_t *bits, uint64_t n);

/*
 * TS 38.212 7.1.2: four sequences of SEQUENCE_PBCH bits. Which one it is say bits PBCH_THIRD and PBCH_SECOND of the payload, the
 * third and second lowest bit of the system frame number, in binary. lmax: 4, 8 or 64 blocks of a half frame.
 */
enum { PBCH_THIRD = 6, PBCH_SECOND = 24 };
void sequence_pbch(uint32_t cell, unsigned lmax, uint8_t *bits);

/* TS 38.212 table 7.1.1-1, G(j). */
extern const uint8_t sequence_pbch_place[SEQUENCE_PBCH];

#endif
