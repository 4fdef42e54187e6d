/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ldpc.syndrome: what its backends share. doc/quantum.md says in words what is computed.
 *
 * Column j of H is an independent error with probability p_j; s = H e (modulo 2) is the syndrome. The stage
 * looks for a likely e with that syndrome: first by belief propagation, then, for frames whose syndrome is
 * not met after the last iteration, by ordered statistics decoding (OSD).
 */
#ifndef LDPC_SYNDROME_H
#define LDPC_SYNDROME_H

#include <fecrun/sdk/params.h>

#include "plugins/ldpc/code/code.h"

enum ldpc_syndrome_rule { LDPC_SYNDROME_MIN_SUM, LDPC_SYNDROME_SUM_PRODUCT };

enum ldpc_osd { LDPC_OSD_NONE, LDPC_OSD_0, LDPC_OSD_E, LDPC_OSD_CS };

/* The unit of weights: an LLR of 1 is 2^20. So sums are exact, in any order. */
#define LDPC_SYNDROME_WEIGHT 1048576.0
/* No message is larger. */
#define LDPC_SYNDROME_LIMIT FECRUN_LLR_MAX_F32

/* Code object of ldpc.syndrome. Immutable after plan(). */
struct ldpc_syndrome {
    struct ldpc_code *code;     /* NULL: of a detector error model */
    uint32_t rows, cols, edges; /* of H, lifted */
    uint32_t *row_first;        /* rows + 1 places: edges of a row stand together, by column */
    uint32_t *col;              /* of each edge */
    uint32_t *col_first;        /* cols + 1 places in edge_of_col[] */
    uint32_t *edge_of_col;      /* edges of a column, by row */
    uint32_t *row_of_col;       /* their rows */
    float *prior;               /* of each column: ln((1 - p) / p), natural LLR */
    int64_t *weight;            /* the same in units of 2^-20 */
    uint32_t iterations;        /* of the first leg */
    enum ldpc_syndrome_rule rule;
    float alpha; /* min-sum: factor of the minimum */
    enum ldpc_osd osd;
    uint32_t order; /* OSD-E, OSD-CS: columns outside of the information set that are searched */
    bool memory;    /* of LLRs: gamma0 is not 0, or there are legs after the first one */
    float gamma0;   /* memory strength of each column in the first leg */
    float gamma_min, gamma_width; /* those of later legs: gamma_min and up to gamma_width more */
    uint64_t gamma_seed;
    uint32_t legs;           /* after the first one */
    uint32_t leg_iterations; /* of each of these */
    uint32_t solutions;      /* that end a shot */
};

/* Output ports. */
enum ldpc_syndrome_port { LDPC_SYNDROME_ERROR, LDPC_SYNDROME_LLR, LDPC_SYNDROME_OUTPUTS };

/* Makes the lists of edges from d->code, each column and each lane on its own. 0, or -1 and a reason. */
int ldpc_syndrome_matrix(struct ldpc_syndrome *d, struct fecrun_error *err);

/*
 * The lists of edges, d->prior and d->weight of a detector error model: a row a detector, a column an error.
 * Probabilities are kept within 1e-12 and 1 - 1e-12. path: its file. 0, or -1 and a reason.
 */
int ldpc_syndrome_model(struct ldpc_syndrome *d, const char *path, struct fecrun_error *err);

/*
 * Fills d->prior and d->weight: from the file of that name, or, if path is NULL, with p for all columns.
 * The file has a probability above 0 and below 1 for each column, in their order; blanks and ends of lines
 * part them, and lines that begin with # are skipped. 0, or -1 and a reason.
 */
int ldpc_syndrome_priors(struct ldpc_syndrome *d, const char *path, double p,
                         struct fecrun_error *err);

/* The same with a probability for each column from 0 to 1, kept within 1e-12 and 1 - 1e-12. */
int ldpc_syndrome_priors_of(struct ldpc_syndrome *d, const double *p, struct fecrun_error *err);

/* Bytes of working memory for ldpc_syndrome_osd(). */
size_t ldpc_syndrome_osd_scratch(const struct ldpc_syndrome *d);

/*
 * Ordered statistics decoding, reference. llr: of each column; the least one is the likeliest error.
 * syndrome, error: a bit a byte. Writes error and returns true; or false, and leaves error as it is: no error has this syndrome.
 */
bool ldpc_syndrome_osd(const struct ldpc_syndrome *d, const float *llr, const uint8_t *syndrome,
                       uint8_t *error, void *scratch);

/* The memory strength of each column in a leg; leg 0 is the first one. The same for all shots. */
void ldpc_syndrome_gammas(const struct ldpc_syndrome *d, uint32_t leg, float *gamma);

/* The sum of weights of an error, a bit a byte. */
int64_t ldpc_syndrome_weigh(const struct ldpc_syndrome *d, const uint8_t *error);

/*
 * What a column's sum begins with, instead of its prior, where there is memory. llr: the LLR of the iteration before.
 * In this order of operations.
 */
static inline float ldpc_syndrome_remembered(float prior, float gamma, float llr)
{
    return prior + gamma * (llr - prior);
}

/* The forms of each backend. */
#define LDPC_SYNDROME_FORM(from, to) \
    FECRUN_FORM(FECRUN_IN({.type = from}), FECRUN_OUT({.type = to}, {.type = FECRUN_F32}))
#define LDPC_SYNDROME_FORMS \
    FECRUN_FORMS(LDPC_SYNDROME_FORM(FECRUN_U8, FECRUN_U8), \
                 LDPC_SYNDROME_FORM(FECRUN_PACKED, FECRUN_U8), \
                 LDPC_SYNDROME_FORM(FECRUN_U8, FECRUN_PACKED), \
                 LDPC_SYNDROME_FORM(FECRUN_PACKED, FECRUN_PACKED))

extern const struct fecrun_backend ldpc_syndrome_ref, ldpc_syndrome_simd;

#endif
