/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * turbo.decode: what its backends share. doc/turbo.md says in words what is computed.
 *
 * One iteration is two half iterations, of the first encoder in the block's order and of the second
 * in the interleaver's. Each takes what arrived and the extrinsic LLRs of the other one, times
 * `scale`, as a priori LLRs. The LLRs of an iteration are those of its second half: what arrived, the
 * a priori and the unscaled extrinsic LLR of each bit. Bit = LLR < 0. After each iteration the rule
 * of early stopping looks at them; `iterations` of a frame counts whole iterations.
 *
 * What comes in at the port `apriori` counts as if it had arrived for the bit, too. The ports `llr`
 * and `extrinsic` have the LLRs of the last iteration and what of them was not in what arrived for
 * the bit itself, in units of the input.
 *
 * The port `code_llr` has LLRs of the whole word in its order, in units of the input: those of `llr` for the bits of d0,
 * and for parity bits and tails what the last half iteration of their encoder makes of them, what arrived included.
 *
 * With `extra_half` a half iteration of the second encoder comes before the first iteration, and the rule is asked behind
 * it, too. It does not count as an iteration.
 */
#ifndef TURBO_DECODE_H
#define TURBO_DECODE_H

#include <fecrun/sdk/stage.h>
#include <stdbool.h>

#include "plugins/common/crc/crc.h"
#include "plugins/turbo/code/family.h"
#include "plugins/turbo/code/trellis.h"

enum turbo_algorithm { TURBO_MAX_LOG, TURBO_LOG_MAP };

/* With any but TURBO_NEVER a frame that did not meet the rule has failed. */
enum turbo_stop { TURBO_NEVER, TURBO_MEAN_LLR, TURBO_MIN_LLR, TURBO_CRC24A, TURBO_CRC24B };

enum { TURBO_LEAST_STEPS = 8 }; /* of a sub-block */

/* Code object of turbo.decode: one class of frames. Immutable after plan(). */
struct turbo_decode {
    const struct turbo_family *family; /* NULL: LTE */
    const struct turbo_qpp *qpp;       /* LTE */
    uint32_t k;                        /* bits of the block, fillers included */
    uint32_t fillers;                  /* its first ones, known zeros; not in the output */
    uint32_t bits;                     /* output items of a frame: k - fillers */
    uint32_t word;                     /* input items of a frame */
    uint32_t iterations;               /* at most; 1 and more */
    uint32_t sub_blocks; /* P, a divisor of k with k / P >= TURBO_LEAST_STEPS; 0: auto */
    enum turbo_algorithm algorithm;
    enum turbo_stop stop;
    bool low_latency; /* what the user wants of the choice that `auto` is */
    bool extra_half;  /* see above */
    double scale;     /* of extrinsic LLRs, 0 < scale <= 1 */
    double threshold; /* TURBO_MEAN_LLR, TURBO_MIN_LLR: natural LLR units */
    double llr_scale; /* units of the input per natural LLR; 1 if unknown and of no account */
    double llr_max;   /* no |LLR| of the input is larger; 0: unknown */
    double apriori;   /* units of the input in one of the port `apriori` */
    double received;  /* bits of the word of which something is known; `word` if nobody says */
};

static inline const struct turbo_family *turbo_family_of(const struct turbo_decode *d)
{
    return d->family ? d->family : &turbo_lte;
}

/* Of backends that know no other code: -1 and a reason. */
static inline int turbo_is_lte(const struct turbo_decode *d, const char *backend,
                               struct fecrun_error *err)
{
    return turbo_family_of(d) == &turbo_lte
               ? 0
               : fecrun_fail(err, "code", "%s is decoded on the host alone, not by backend %s",
                             turbo_family_of(d)->name, backend);
}

/* Input ports. All forms have floats at the second. */
enum turbo_decode_input { TURBO_IN, TURBO_IN_APRIORI };

#define TURBO_DECODE_IN(llr) FECRUN_IN({.type = llr}, {.type = FECRUN_F32})

/* Output ports. All forms have floats at those of LLRs; most have no code_llr. */
enum turbo_decode_port {
    TURBO_OUT,
    TURBO_OUT_LLR,
    TURBO_OUT_EXTRINSIC,
    TURBO_OUT_CODE_LLR,
    TURBO_OUTPUTS
};

#define TURBO_DECODE_OUT(bit) \
    FECRUN_OUT({.type = bit}, {.type = FECRUN_F32}, {.type = FECRUN_F32}, {.type = FECRUN_NONE})
#define TURBO_DECODE_OUT_WORD(bit) \
    FECRUN_OUT({.type = bit}, {.type = FECRUN_F32}, {.type = FECRUN_F32}, {.type = FECRUN_F32})

/* Polynomial of the rule, and one bit into its register of 24 bits, which starts at 0 and is 0 behind a
   right word. */
TURBO_FN uint32_t turbo_stop_polynomial(enum turbo_stop stop)
{
    return (stop == TURBO_CRC24A ? CRC_24A_POLYNOMIAL : CRC_24B_POLYNOMIAL) >> 8;
}

TURBO_FN uint32_t turbo_crc_step(uint32_t state, uint32_t polynomial, uint32_t bit)
{
    return crc_step_low(24, state, polynomial, bit);
}

/* Half iterations of the second encoder, at most. */
static inline uint32_t turbo_passes(const struct turbo_decode *d)
{
    return d->iterations + d->extra_half;
}

/* What a decoder says of a frame. */
static inline void turbo_report(const struct turbo_decode *d, uint32_t passes, bool met,
                                struct fecrun_frame_info *info)
{
    info->iterations = passes - d->extra_half;
    if (d->stop != TURBO_NEVER)
        fecrun_frame_checked(info, met);
}

/* Backends of turbo.decode. */
extern const struct fecrun_backend turbo_decode_ref;           /* ref/decode.c */
extern const struct fecrun_backend turbo_decode_simd;          /* simd/simd.c */
extern const struct fecrun_backend turbo_decode_cuda;          /* cuda/decode.c */
extern const struct fecrun_backend turbo_decode_cuda_document; /* cuda/document/backend.c */

#endif
