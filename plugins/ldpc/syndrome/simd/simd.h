/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Backend `simd` of ldpc.syndrome: shots side by side, one in each lane of a vector, in the reference's order of
 * operations, so with its result bit by bit. A shot that is done leaves its lane to the next one.
 *
 * All shots of a batch are computed alike wherever they are; none depends on its lane or on its neighbours.
 */
#ifndef LDPC_SYNDROME_SIMD_H
#define LDPC_SYNDROME_SIMD_H

#include <fecrun/sdk/simd.h>
#include <fecrun/sdk/stage.h>

#include "plugins/ldpc/syndrome/syndrome.h"

/*
 * A row's edges, in this order: those at which their column's sum begins, goes on, ends, and those of columns with
 * one edge. So a row's messages are added to the columns at once, in the order of rows.
 */
struct ldpc_syndrome_row {
    uint32_t first; /* in col[] */
    uint32_t begins, goes_on, ends, alone;
};

/*
 * For one shot alone: vectors along a row's edges, and along columns of one weight. Columns have places in the order of
 * weights; those of a weight are filled up to whole vectors, with columns that no row has.
 */
struct ldpc_syndrome_alone {
    uint32_t vectors, groups; /* of edges, all rows together; of columns */
    uint32_t *first;          /* rows + 1: a row's first vector */
    uint32_t *place;          /* of an edge's column: LDPC_SYNDROME_ALONE a vector */
    uint32_t *col;            /* of a place; UINT32_MAX: none */
    uint32_t *place_of;       /* of a column */
    float *prior;             /* of a place */
    float *start;     /* messages of the first iteration of the syndrome 0, and a vector of 0 */
    uint32_t *weight; /* of a group */
    uint32_t *edge; /* of groups: places of the first edge of each column, of the second one, ... */
};

enum { LDPC_SYNDROME_ALONE = 16 };

/* What an instance has: made once, then only read. */
struct ldpc_syndrome_simd {
    const struct ldpc_syndrome *d;
    const struct ldpc_syndrome_kernel *kernel;
    struct ldpc_syndrome_row *row;
    uint32_t *col;                    /* of each edge */
    uint32_t *by_col;                 /* places of a row's edges in the order of columns */
    uint32_t widest;                  /* edges of a row */
    uint32_t *empty, n_empty;         /* columns without edges */
    struct ldpc_syndrome_alone alone; /* if the kernel has code for it */
    /* What becomes of the syndrome 0 ... */
    bool zero_met; /* ... if the first iteration meets it */
    float *zero_llr;
    uint8_t *zero_error;
};

/* One call. */
struct ldpc_syndrome_batch {
    const struct fecrun_view *syndrome, *error;
    const struct fecrun_view *llr; /* NULL: not wanted */
    struct fecrun_frame_info *info;
    const volatile int *cancel;
    uint64_t frames;
};

/* Code for one instruction set. */
struct ldpc_syndrome_kernel {
    const char *name;
    size_t (*scratch)(const struct ldpc_syndrome_simd *s);
    /* False: cancelled. */
    bool (*decode)(const struct ldpc_syndrome_simd *s, const struct ldpc_syndrome_batch *batch,
                   void *scratch);
    bool alone;
    size_t (*osd_scratch)(const struct ldpc_syndrome *d);
    /* As ldpc_syndrome_osd(), with the same result; for tests. */
    bool (*osd)(const struct ldpc_syndrome *d, const float *llr, const uint8_t *syndrome,
                uint8_t *error, void *scratch);
};

/* Makes and frees s->alone. 0, or -1: no memory. */
int ldpc_syndrome_alone_make(struct ldpc_syndrome_simd *s);
void ldpc_syndrome_alone_free(struct ldpc_syndrome_alone *a);

/* NULL: not in this build. */
const struct ldpc_syndrome_kernel *ldpc_syndrome_generic(void);
const struct ldpc_syndrome_kernel *ldpc_syndrome_avx2(void);
const struct ldpc_syndrome_kernel *ldpc_syndrome_avx512(void);

/* The kernel for an instruction set (enum fecrun_isa); NULL: not in this build or on this machine. */
const struct ldpc_syndrome_kernel *ldpc_syndrome_kernel(uint32_t isa);

/* Makes an instance's lists. NULL and a reason if there is no memory. */
struct ldpc_syndrome_simd *ldpc_syndrome_simd_new(const struct ldpc_syndrome *d,
                                                  const struct ldpc_syndrome_kernel *kernel,
                                                  struct fecrun_error *err);
void ldpc_syndrome_simd_free(struct ldpc_syndrome_simd *s);

#endif
