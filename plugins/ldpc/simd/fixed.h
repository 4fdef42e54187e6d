/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The 8-bit arithmetic of ldpc.decode's `simd`, in plain C: what all vector kernels must give, bit
 * by bit. Layered min-sum in the order of the schedule, with
 *
 *     L   -128..127: an input LLR times a gain, limited to +-LDPC_FIXED_INPUT, at first
 *     q_j = L_j - r_j, saturated to -128..127
 *     m_j = the least of |q_i|, i != j, at most `clip`
 *     r_j = the sign of the product of all q_i, i != j, times max(low[m_j % 16] + high[m_j / 16] -
 *         offset, 0), where low and high are multiples of alpha, rounded; 0 counts as positive
 *     L_j = q_j + r_j, saturated to -128..127
 *
 * Clip: no message is above LDPC_FIXED_MESSAGE. With larger ones three wrong messages outweigh an L
 * that was limited to 127, however many right ones made it: at 60, DVB-S2 1/4 (columns with 12
 * edges) decodes nothing, at 47 all is well, at 31 the low rates of DVB-S2 and Wi-Fi lose 0.05 dB.
 *
 * Rounding: low[] goes to the nearest, but down for NR. Down is like a small offset, which NR's low
 * rates like (block errors at 46 rows, of 1280: 264 in floating point, 206 down, 330 nearest), and
 * which costs Wi-Fi 1/2 0.04 dB (126 of 3840, 180 down, 144 nearest).
 *
 * Gain: OMS, whose offset has a unit, has LDPC_FIXED_SCALE units per natural LLR. NMS works at any
 * scale, but for what is rounded and limited: each frame is brought to a mean magnitude of
 * 3 + 27 R, R the rate of the rows in use, which is where the error rate is best (28 at rate 0.88,
 * 12 at 1/3, 8 at 1/5). The mean leaves out LLRs of 0, which were not sent, of +-127, which are known
 * or were limited before, and of fillers. These are LDPC_FIXED_INPUT, whatever arrives in their places.
 */
#ifndef LDPC_SIMD_FIXED_H
#define LDPC_SIMD_FIXED_H

#include "plugins/ldpc/decode.h"

enum {
    LDPC_FIXED_SCALE = 4,
    LDPC_FIXED_INPUT = 63,
    LDPC_FIXED_MESSAGE = 47,
    LDPC_FIXED_LEAST = 63 /* `clip` at most */
};

struct ldpc_fixed {
    uint32_t items;           /* of a frame, from its first on, that count for the mean */
    uint32_t filler, fillers; /* first item that is one, and how many follow it, itself included */
    uint32_t mean;            /* times 256; 0: none, `times` is given */
    uint16_t times;           /* gain times 256 */
    uint16_t factor;          /* alpha times 256, 1..256 */
    uint8_t half;             /* what makes low[] round to the nearest: 128, or down: 0 */
    uint8_t low[16], high[4];
    uint8_t offset; /* 0..63 */
    uint8_t clip;   /* 1..63 */
};

/* An LLR x becomes min((min(|x|, most) times + 128) / 256, LDPC_FIXED_INPUT) with its sign. */
struct ldpc_gain {
    uint16_t times;
    uint8_t most; /* no product is larger than 16 bits */
};

/* -1 and a reason: flooding, SPA, and values for which 8 bits are too few. */
int ldpc_fixed_init(struct ldpc_fixed *fixed, const struct ldpc_decode *decode,
                    struct fecrun_error *err);

struct ldpc_gain ldpc_fixed_gain(const struct ldpc_fixed *fixed, const int8_t *llr);
int8_t ldpc_fixed_input(const struct ldpc_gain *gain, int8_t llr);

/* The magnitude of a message; m = 0..63. */
uint8_t ldpc_fixed_scaled(const struct ldpc_fixed *fixed, uint8_t m);

struct ldpc_verdict {
    uint32_t iterations;
    bool converged;
};

/* Bytes that ldpc_fixed_decode() wants. */
size_t ldpc_fixed_scratch(const struct ldpc_decode *decode);

/* code->n LLRs of one frame into decode->bits bits, one a byte. */
struct ldpc_verdict ldpc_fixed_decode(const struct ldpc_decode *decode,
                                      const struct ldpc_fixed *fixed, const int8_t *llr,
                                      uint8_t *bits, void *scratch);

#endif
