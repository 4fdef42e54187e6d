/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * polar.decode: what its backends share. doc/polar.md says in words what is computed; code/program.h
 * has the steps of sc and scl.
 *
 * Arithmetic of sc and scl: f exact; sums of g are limited to +-limit: 127 of i8, 32767 of i16
 * LLRs, so that all is exact in integers; sums over a leaf and path metrics have no limit. For floats the
 * limit is FECRUN_LLR_MAX_F32. Of equally reliable bits the first one counts as less reliable.
 *
 * A fork of P paths with metrics m[p] makes 2 P candidates: number p keeps what is more likely, number
 * P + p takes the other one and its penalty. The L of least (metric, number), or all, are the paths
 * from then on, in that order.
 *
 *   RATE0  every path's metric grows by the |LLR| of negative ones
 *   CHECK  by its |LLR|, if it says the other bit
 *   REP    one fork; the penalty of 0 is the sum of |LLR| of the negative ones, that of 1 of the others
 *   RATE1  min(L - 1, 2^s) forks, of the bits from the least reliable on
 *   SPC    if the signs' parity is odd, the least reliable bit is to be flipped at the end and the
 *          metric grows by its |LLR|; then min(L - 1, 2^s - 1) forks, of the bits from the next one
 *          on: each flips that one and whether the least reliable bit is to be flipped
 *
 * ae: of the words of its members that whose CRC holds and that has the largest sum of (1 - 2 x) LLR; of equal
 * ones the first; or of all if none holds.
 *
 * Result: of the paths whose CRC holds that of least (metric, place), or of all if there is none or no
 * CRC.
 */
#ifndef POLAR_DECODE_H
#define POLAR_DECODE_H

#include <fecrun/sdk/stage.h>
#include <stdbool.h>

#include "plugins/polar/code/crc.h"
#include "plugins/polar/code/program.h"
#include "plugins/polar/code/words.h"

enum { POLAR_MOST_LIST = 32 };

/* ML: of nr-small, which has no other. */
enum polar_algorithm { POLAR_BP, POLAR_SC, POLAR_SCL, POLAR_AE, POLAR_ML };

/* Of belief propagation: f as scaled minimum, exactly on LLRs, exactly on likelihood ratios. */
enum polar_rule { POLAR_MIN_SUM, POLAR_SUM_PRODUCT, POLAR_SUM_PRODUCT_LR };

enum polar_stop { POLAR_NEVER, POLAR_GMATRIX, POLAR_CRC };

/* Code object of polar.decode: one class of frames. Immutable after plan(). */
struct polar_decode {
    struct polar_code *code;
    struct polar_program *sc;   /* sc, ae, and scl that is adaptive; else NULL */
    struct polar_program *list; /* scl; else NULL */
    struct polar_words *words;  /* sc and scl; else NULL */
    enum polar_algorithm algorithm;
    uint32_t most_paths;   /* scl: L */
    uint32_t members;      /* ae: M */
    uint16_t *permutation; /* ae: M x N, code/ensemble.h; else NULL */
    bool adaptive;         /* scl: sc first, the list where the CRC fails */
    struct polar_crc crc;
    uint32_t iterations; /* bp: at most; from here on bp's own */
    enum polar_rule rule;
    enum polar_stop stop;
    double scale;     /* of min-sum */
    double llr_scale; /* units of the input per natural LLR; 1 if unknown and of no account */
    double limit;     /* see above */
};

/* What a decoder says of a frame that it has decoded to these K bits, one a byte. */
static inline void polar_report(const struct polar_decode *d, const uint8_t *message,
                                struct fecrun_frame_info *info)
{
    if (d->crc.width)
        fecrun_frame_checked(info, polar_crc_holds(&d->crc, message, d->code->k));
}

/* LLR i of a frame, of type i8, i16 or f32: NaN is 0, and none is larger than the limit. */
static inline double polar_llr(const void *row, uint32_t type, uint32_t i, double limit)
{
    const double llr = type == FECRUN_I8    ? ((const int8_t *)row)[i]
                       : type == FECRUN_I16 ? ((const int16_t *)row)[i]
                                            : (double)((const float *)row)[i];

    if (!(llr == llr))
        return 0;
    return llr > limit ? limit : llr < -limit ? -limit : llr;
}

/* Of each frame that was decoded the sum of |LLR| where the word's bit is not what the LLR says. word: room
   for N + K bytes. */
void polar_put_metrics(const struct polar_decode *d, const struct fecrun_view *in,
                       const struct fecrun_view *bits, const struct fecrun_view *metric,
                       uint8_t *word);

/* The K bits of the word x, which becomes u. */
static inline void polar_message(const struct polar_code *code, uint8_t *x, uint8_t *message)
{
    polar_transform(x, code->n);
    for (uint32_t i = 0; i < code->k; i++)
        message[i] = x[code->position[i]];
}

/* Backends of polar.decode. */
extern const struct fecrun_backend polar_decode_ref;           /* ref/decode.c */
extern const struct fecrun_backend polar_decode_cuda;          /* cuda/decode.c */
extern const struct fecrun_backend polar_decode_cuda_document; /* cuda/bp/backend.c */
extern const struct fecrun_backend polar_decode_simd;          /* simd/simd.c */

#endif
