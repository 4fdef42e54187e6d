/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ldpc.decode: what its backends share. doc/ldpc.md says in words what is computed.
 *
 * Layered: the rows of the schedule, one after the other; of a row with LLRs L_j and messages r_j
 * (0 at first), q_j = L_j - r_j; r_j = f(all q but q_j); L_j = q_j + r_j. Flooding: all rows from
 * the same L, then all columns. One iteration takes all rows once. After each iteration, with
 * `early_stop: syndrome`, and after the last one in any case: bit = L < 0; a frame has converged
 * when all checks of the rows in use hold; but one of which nothing is known in the end, L = 0 for all
 * information bits, is failed. `erasures: solve` then looks at those that have not: ref/erasures.h.
 *
 * The ports `llr` and `code_llr` have L of the last iteration, of the information bits and of all bits
 * of the word, in units of the input; no magnitude is above FECRUN_LLR_MAX_F32, and fillers have that.
 */
#ifndef LDPC_DECODE_H
#define LDPC_DECODE_H

#include <fecrun/sdk/params.h>

#include "plugins/ldpc/alphas.h"
#include "plugins/ldpc/code/code.h"

enum ldpc_algorithm { LDPC_NMS, LDPC_OMS, LDPC_SPA };

enum ldpc_rule { LDPC_LAYERED, LDPC_FLOODING };

/* Code object of ldpc.decode: one class of frames. Immutable after plan(). */
struct ldpc_decode {
    struct ldpc_code *code;
    struct ldpc_schedule *schedule; /* of `rows` base rows */
    uint32_t rows;                  /* base rows in use; NR: 4..46 or 42; else all */
    uint32_t iterations;            /* at most; 1 and more */
    enum ldpc_algorithm algorithm;
    enum ldpc_rule rule;
    bool reverse;    /* order of base rows: last one first (NR), or first one first */
    bool listed;     /* or one of the user's; `schedule` has it and is this decoder's */
    bool early_stop; /* on the syndrome */
    bool solve;      /* erasures, after the iterations */
    double alpha;    /* NMS: factor of the minimum in the first iteration, and */
    double rise;     /* what is added to it until the last one: ldpc_alpha() */
    bool quick;      /* and how: ldpc_alpha_path(); `alpha: auto` begins with quick steps */
    bool by_row;     /* NMS: rows have their own, for decoders that can: ldpc_row_alpha() */
    double row_first, row_last;
    uint8_t row_kind[LDPC_ALPHA_ROWS];
    double beta;      /* OMS: offset, natural LLR units */
    double llr_scale; /* units of the input per natural LLR; 1 if unknown */
    double llr_max;   /* no |LLR| of the input is larger; 0: unknown */
    uint64_t bits;    /* K' = code->k - code->fillers, output items of a frame */
};

/* The table of NMS's factors is that of alphas.h. */
static inline uint32_t ldpc_alpha_shift(const struct ldpc_decode *d)
{
    const uint32_t last = d->iterations - 1;
    uint32_t shift = 0;

    while (LDPC_ALPHA_PLACE(last, shift) >= LDPC_ALPHAS)
        shift++;
    return shift;
}

/* How many places of the table the iterations need. */
static inline uint32_t ldpc_alpha_count(const struct ldpc_decode *d)
{
    return LDPC_ALPHA_PLACE(d->iterations - 1, ldpc_alpha_shift(d)) + 1;
}

/* The first iteration of place n. */
static inline uint32_t ldpc_alpha_iteration(const struct ldpc_decode *d, uint32_t n)
{
    return n < LDPC_ALPHAS_OWN ? n
                               : LDPC_ALPHAS_OWN + ((n - LDPC_ALPHAS_OWN) << ldpc_alpha_shift(d));
}

/*
 * How far iteration i, of which the first is 0, is on the way from the first factor to the last one: 0 to 1.
 */
double ldpc_alpha_path(const struct ldpc_decode *d, uint32_t i);

/* The factor at place n. */
static inline double ldpc_alpha(const struct ldpc_decode *d, uint32_t n)
{
    return d->alpha + d->rise * ldpc_alpha_path(d, ldpc_alpha_iteration(d, n));
}

/* Of a row: which of the factors there are. */
static inline unsigned ldpc_row_kind(const struct ldpc_decode *d, uint32_t row)
{
    return d->by_row ? d->row_kind[row] : 0;
}

/* The factor at place n of rows of that kind. */
static inline double ldpc_row_alpha(const struct ldpc_decode *d, unsigned kind, uint32_t n)
{
    double first = d->row_first - LDPC_ALPHA_STEP * kind;

    if (!d->by_row)
        return ldpc_alpha(d, n);
    if (first < LDPC_ALPHA_LEAST)
        first = LDPC_ALPHA_LEAST;
    return first + (d->row_last - first) * ldpc_alpha_path(d, ldpc_alpha_iteration(d, n));
}

/* Output ports. Forms have floats at the last two, or, of backends that do less then, nothing. */
enum ldpc_decode_port { LDPC_OUT, LDPC_OUT_LLR, LDPC_OUT_CODE_LLR, LDPC_OUTPUTS };

#define LDPC_DECODE_OUT(bit) FECRUN_OUT({.type = bit}, {.type = FECRUN_F32}, {.type = FECRUN_F32})
#define LDPC_DECODE_OUT_BITS(bit) \
    FECRUN_OUT({.type = bit}, {.type = FECRUN_NONE}, {.type = FECRUN_NONE})

/* Is the form one with LLRs? */
static inline bool ldpc_form_is_soft(const struct fecrun_form *form)
{
    return form->out[LDPC_OUT_LLR].type != FECRUN_NONE;
}

/* First item of the word that is a filler; code->fillers of them lie behind each other. */
static inline uint32_t ldpc_filler_item(const struct ldpc_code *code)
{
    return code->k - code->fillers - code->punctured;
}

/* Backends of ldpc.decode. */
extern const struct fecrun_backend ldpc_decode_ref;
extern const struct fecrun_backend ldpc_decode_simd;
extern const struct fecrun_backend ldpc_decode_cuda;
extern const struct fecrun_backend ldpc_decode_cuda_general;

/* For takes() of a backend that leaves erasures alone: 0, or -1 and a reason. */
static inline int ldpc_erasures_left(const struct ldpc_decode *d, const char *backend,
                                     struct fecrun_error *err)
{
    return !d->solve
               ? 0
               : fecrun_fail(err, "erasures", "%s has leave only; solve is that of ref", backend);
}

/* The same of a backend that takes rows only forward or in reverse. */
static inline int ldpc_list_left(const struct ldpc_decode *d, struct fecrun_error *err)
{
    return !d->listed ? 0
                      : fecrun_fail(err, "row_order",
                                    "this backend takes rows forward or in reverse; lists are for "
                                    "ref and simd");
}

#endif
