/* SPDX-License-Identifier: BSD-2-Clause */
/* Backend `ref` of polar.decode: plain C and floats, which are exact where the input is integer. */
#ifndef POLAR_REF_REF_H
#define POLAR_REF_REF_H

#include "plugins/polar/decode.h"

/* A decoder's memory: alpha of stage s is alpha + 2^s. */
struct polar_ref_tree {
    float *alpha; /* 2 N; what was received at alpha + N */
    uint8_t *beta;
};

/* One of F, G, G0, COMBINE, COPY. */
void polar_ref_inner(const struct polar_step *step, const struct polar_ref_tree *t, float limit);
/* Behind the last step beta is x. */
void polar_ref_sc(const struct polar_decode *d, const struct polar_ref_tree *t);

/* x: room for 2 N bits. The result goes to message, K bits. */
void polar_ref_ensemble(const struct polar_decode *d, const struct polar_ref_tree *t,
                        const float *llr, uint8_t *x, uint8_t *message);

/* What the leaves of both have in common. */
static inline double polar_ref_sum(const float *a, uint32_t n)
{
    double sum = 0;

    for (uint32_t i = 0; i < n; i++)
        sum += (double)a[i];
    return sum;
}

static inline uint8_t polar_ref_check(const struct polar_program *program,
                                      const struct polar_step *step, const uint8_t *beta)
{
    uint8_t parity = 0;

    for (uint32_t i = 0; i < step->length; i++)
        parity ^= beta[program->check[step->list + i]];
    return parity;
}

/* The first of the least |a| among those that come behind (|a[last]|, last); last n: of all. */
uint32_t polar_ref_least(const float *a, uint32_t n, uint32_t last);

/* The message of nr-small whose word is the likeliest; of equal ones that of the least number, bit k of
   which is bit k of the message. */
void polar_ref_small(const struct polar_code *code, const float *llr, uint8_t *message);

struct polar_ref_list;

/* Lays it out behind `base` (NULL: only counts); returns bytes. */
size_t polar_ref_list_carve(struct polar_ref_list **list, const struct polar_decode *d, void *base);
/* llr: N of them. The result goes to message, K bits; x: room for N bits. */
void polar_ref_scl(const struct polar_decode *d, struct polar_ref_list *list, const float *llr,
                   uint8_t *x, uint8_t *message);

size_t polar_ref_bp_carve(float **work, const struct polar_decode *d, void *base);
/* Returns the iterations; *met: early_stop's rule, if there is one. x: room for 2 N bits. */
uint32_t polar_ref_bp(const struct polar_decode *d, float *work, const float *llr, uint8_t *x,
                      uint8_t *message, bool *met);

#endif
