/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The 8-bit arithmetic of ldpc.decode's `simd`, in plain C: what all vector kernels must give, bit
 * by bit. Layered min-sum in the order of the schedule's base rows, lanes as ldpc_order_lanes() says, with
 *
 *     L   -128..127: an input LLR times a gain, limited to +-LDPC_FIXED_INPUT, at first
 *     q_j = L_j - r_j, saturated to -128..127; from iteration `late` on, the first is 0, L_j where
 *         |L_j| >= LDPC_FIXED_KNOWN
 *     m_j = the least of |q_i|, i != j, at most `clip`
 *     r_j = the sign of the product of all q_i, i != j, times max(low[m_j % 16] + high[m_j / 16] -
 *         offset, 0), where low and high are multiples of the iteration's alpha, rounded; 0 counts as positive
 *     L_j = q_j + r_j, saturated to -128..127
 *
 * Clip: no message is above LDPC_FIXED_MESSAGE, of NR LDPC_FIXED_NR_MESSAGE. With larger ones three wrong messages
 * outweigh an L that was limited to 127, however many right ones made it: at 60, DVB-S2 1/4 (columns with 12
 * edges) decodes nothing, at 47 all is well, at 31 the low rates of DVB-S2 and Wi-Fi lose 0.05 dB. NR at rate
 * 1/5, 20 iterations, of 600: 18, 4 and 2 failed with 39, 47 and 54, none in floating point.
 *
 * Known: L is less than the sum of its messages where it is limited to 127. If each row took its own message off
 * such an L, and the messages of all rows became a little smaller, L would fall by the sum of that and end with
 * the wrong sign. So an L that is nearly at its limit stays as it is. Without that rule `early_stop: none` at 50
 * iterations loses 1000 of 1000 words that 10 iterations decode (BG1, z = 64, rate 1/3, QPSK, -0.5 dB), with it
 * none; at the threshold it changes nothing. With an alpha of the user's it has to come soon: BG1, z = 384, 24 rows, alpha
 * 0.8 or 0.875, 2 dB, `early_stop: none`, 100 of 100 words were wrong after 10 iterations, none if L stays from
 * the second one on.
 *
 * Input: an LLR above 63 counts as 63. A column of which one check knows, as NR's extension has them, must not be
 * surer than what the check can say: a strongly wrong one would never be outvoted, and the frame would fail for
 * ever. It is limited to `lone`, a unit less than the row's largest message of iteration LONE_ITERATION, and so
 * that it is never `known` with a message. BG1, z = 384, rate 1/2, QPSK, 2 dB: 124 of 300 right words marked as
 * failed with 63, none so.
 *
 * Rounding: to the nearest in the core of NR; in its extension, whose rows tell little each, and with all
 * other codes low[] is rounded up from 5/8 only. That is like a small offset. Block errors in floating point,
 * to the nearest (nearly: from 9/16), from 5/8 and from 3/4, scale 16: BG1, redundancy versions 1 and 2 at rate
 * 1/4, QPSK, of 2000, 318, 363, 320, 303; 256QAM at rate 1/3, of 2000, 350, 381, 388, 412. At the low rates of
 * DVB-S2 it costs more than it gives (short 1/4, 30 of 200 in floating point: 39 to the nearest, 37 from 5/8,
 * 47 from 3/4).
 *
 * Gain: OMS, whose offset has a unit, has LDPC_FIXED_SCALE units per natural LLR. That ends at 31 natural LLRs, which
 * short codes reach where they are good, that is at high Es/N0: so these have LDPC_FIXED_RANGE units, if their rate is
 * 0.3 and more (at lower ones the coarse units cost more) and beta is whole in them. Wrong blocks with 4 / 2 units, in
 * floating point: Wi-Fi 648 2/3, QPSK, of 20250 57 / 21, 24; WiMAX 768 3/4A, 64QAM, of 19424 98 / 32, 32; NR BG1,
 * z = 6, rate 1/3, 16QAM, of 20250 60 / 25, 31; at a tenth of blocks they are alike (BG2, z = 15, 64QAM: 0.07 dB). NMS works at any
 * scale, but for what is rounded and limited: it is best with 6 to 9 units per natural LLR, whatever
 * the rate and the modulation (codes other than NR's, whose columns with 11 to 13 edges soon reach 127:
 * 5 to 6; Wi-Fi 648 1/2, 50 iterations, 31 blocks wrong in floating point: 65 with 8 units, 36 with 6). The
 * scale of the input may be unknown or wrong, so that of each frame is found from the frame: where a
 * code can just be decoded, the sum of min(|LLR|, 6), LLRs natural, is about the number of information
 * bits (BPSK to 256QAM, rates 1/3 to 0.93: 0.89 to 1.10 times; 256QAM, rate 1/5: 0.84). The gain makes
 * that sum `full` a bit, 6 natural LLRs of 8 units (6 where the code is not NR's, 4 where alpha is above
 * 0.95: Wi-Fi 648 5/6, alpha 1, 6400 blocks, 118 wrong in floating point: 283 with 8, 158 with 6, 119 with 4). So what was not received does not
 * count, nor does it matter how strong the strong LLRs are: it is neither rows nor modulation but what
 * came in that decides. But NR's gain is not below that of rate 1/4, or the small LLRs of many modulation
 * symbols are rounded too coarsely (256QAM at rate 1/5, scale 16, of 3000: 435 in floating point, 486 so, 504
 * without; DVB-S2's columns are full before, 84 of 500 become 98). Where parity bits have the sure places of
 * symbols and information bits the others, the sum is reached with few units for these: so the mean of NR's
 * information bits is LDPC_FIXED_INFO at least (BG2, z = 72, redundancy versions 2 and 3, 256QAM, 13.1 dB, of
 * 1500: 30 in floating point, 50 so, 71 without). Where less than half of NR's information bits came, the others are
 * found through many rows, each of which makes messages smaller: so there `full` is 80, less with more fillers, which
 * make rows short, and 48 as elsewhere from 45 % of K on (BG2, z = 320, a third fillers, version 1, 16QAM, of 1500:
 * 6 in floating point, 304 with 48, 137 with 64, 39 with 96; BG1, z = 384, half fillers, versions 1 and 3, of 1000:
 * 9, 12, 43, 676). Fillers are left out; they are LDPC_FIXED_INPUT, whatever
 * arrives in their places.
 */
#ifndef LDPC_SIMD_FIXED_H
#define LDPC_SIMD_FIXED_H

#include "plugins/ldpc/decode.h"
#include "plugins/ldpc/simd/order.h"

enum {
    LDPC_FIXED_SCALE = 4, /* of OMS: units per natural LLR, */
    LDPC_FIXED_RANGE = 2, /* and of short codes of high rates, whose sums would be limited to 31: */
    LDPC_FIXED_SHORT = 768,    /* bits of a word at most, */
    LDPC_FIXED_NR_SHORT = 640, /* and of NR */
    LDPC_FIXED_INPUT = 63,
    LDPC_FIXED_MESSAGE = 47,
    LDPC_FIXED_NR_MESSAGE = 54,
    LDPC_FIXED_LEAST = 63,   /* `clip` at most */
    LDPC_FIXED_LATE = 10,    /* iteration from which on there is, */
    LDPC_FIXED_SOON = 1,     /* and where the factor is the user's, */
    LDPC_FIXED_KNOWN = 93,   /* |L| from which on a row's message stays in it */
    LDPC_FIXED_INFO = 13,    /* units: the mean of information bits' LLRs, at least */
    LDPC_FIXED_SAMPLE = 2048 /* LLRs of a frame that are looked at, at most */
};

/* Rows of NR's extension, which have a column of their own, and all others. */
enum { LDPC_FIXED_CORE, LDPC_FIXED_OUTER, LDPC_FIXED_ROUNDINGS };

/* And with each of the factors that rows may have: LDPC_FIXED_ROUNDINGS times ldpc_row_kind() more. */
enum { LDPC_FIXED_KINDS = LDPC_FIXED_ROUNDINGS * LDPC_ALPHA_KINDS };

/* Magnitudes of messages; all others of m = 0..63 are made of these. */
struct ldpc_table {
    uint8_t half; /* what is added before low[] is rounded down: 128 is to the nearest */
    uint8_t low[16], high[4];
};

/* In an iteration. */
struct ldpc_phase {
    uint16_t factor[LDPC_ALPHA_KINDS]; /* alpha times 256, 1..256 */
    uint8_t clip;                      /* 1..63 */
    struct ldpc_table table[LDPC_FIXED_KINDS];
};

struct ldpc_fixed {
    uint32_t items;           /* of a frame, from its first on, that rows in use reach */
    uint32_t filler, fillers; /* first item that is one, and how many follow it, itself included */
    uint32_t step;            /* each so manieth item is looked at */
    uint32_t bits;            /* K'; 0: `times` is given */
    uint32_t full;            /* units from which on an LLR counts as a known bit, */
    uint32_t poor;            /* and where less than half of the information bits came */
    uint32_t least;           /* mean of min(|LLR|, full) over what was received, at least, */
    uint32_t info;            /* and over the information bits of that; 0: any */
    uint16_t times;           /* gain times 256 */
    uint8_t offset;           /* 0..63 */
    uint8_t lone
        [LDPC_FIXED_KINDS]; /* |LLR| of a column of which one check of that kind knows, at most */
    uint32_t shift;         /* of an iteration's place in phase[]: alphas.h */
    uint32_t late;          /* iteration from which on an L at its limit stays as it is */
    uint32_t kinds;         /* of rows: so many of table[] are in use */
    struct ldpc_phase phase[LDPC_ALPHAS];
};

/* An LLR x becomes min((min(|x|, most) times + 128) / 256, LDPC_FIXED_INPUT) with its sign. */
struct ldpc_gain {
    uint16_t times;
    uint8_t most; /* no product is larger than 16 bits */
};

/* -1 and a reason: flooding, SPA, and values for which 8 bits are too few. */
int ldpc_fixed_init(struct ldpc_fixed *fixed, const struct ldpc_decode *decode,
                    struct fecrun_error *err);

/*
 * Of n magnitudes, 0 to 127, those below `cut`, 1 to 128: their sum, and the number of the others. Behind
 * them are zeros up to a multiple of 64, which are neither.
 */
typedef void ldpc_add_up(const uint8_t *magnitude, uint32_t n, uint32_t cut, uint32_t *sum,
                         uint32_t *others);

/* add_up: a faster one than this file's, or NULL. */
struct ldpc_gain ldpc_fixed_gain(const struct ldpc_fixed *fixed, const int8_t *llr,
                                 ldpc_add_up *add_up);
int8_t ldpc_fixed_input(const struct ldpc_gain *gain, int8_t llr);

/* Of a row of the base graph: which of table[]. */
static inline unsigned ldpc_fixed_kind(const struct ldpc_decode *decode, uint32_t row)
{
    return LDPC_FIXED_ROUNDINGS * ldpc_row_kind(decode, row) +
           (row < decode->code->core_rows ? LDPC_FIXED_CORE : LDPC_FIXED_OUTER);
}

/* The first iteration is 0. */
static inline const struct ldpc_phase *ldpc_fixed_phase(const struct ldpc_fixed *fixed,
                                                        uint32_t iteration)
{
    return &fixed->phase[LDPC_ALPHA_PLACE(iteration, fixed->shift)];
}

/* The magnitude of a message of such a row; m = 0..63. */
uint8_t ldpc_fixed_scaled(const struct ldpc_fixed *fixed, const struct ldpc_phase *phase,
                          unsigned kind, uint8_t m);

struct ldpc_verdict {
    uint32_t iterations;
    bool converged;
};

/* Bytes that ldpc_fixed_decode() wants, 8-byte aligned. */
size_t ldpc_fixed_scratch(const struct ldpc_decode *decode);

/*
 * code->n LLRs of one frame into decode->bits bits, one a byte. The first cols z bytes of scratch are L
 * of the lifted columns then.
 */
struct ldpc_verdict ldpc_fixed_decode(const struct ldpc_decode *decode,
                                      const struct ldpc_fixed *fixed, const int8_t *llr,
                                      uint8_t *bits, void *scratch);

#endif
