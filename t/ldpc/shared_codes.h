/* SPDX-License-Identifier: BSD-2-Clause */
/* Codes and forms of which shared_graphs.c makes kernels in shared memory, and test_shared.c tries them. */
#ifndef T_LDPC_SHARED_CODES_H
#define T_LDPC_SHARED_CODES_H

#include "plugins/ldpc/code/build.h"
#include "plugins/ldpc/cuda/shared/plan.h"
#include "t/ldpc/codes.h"
#include "t/ldpc/matrices.h"

enum { ALL = 1000 }; /* more words than a thread has */

/* A random code with that many rows and columns (z 1: no structure), or NR (bg) with that many rows. */
static const struct shared_trial {
    uint32_t bg, z, rows, cols;
    enum ldpc_algorithm algorithm;
    enum ldpc_rule rule;
    uint32_t in_type, out_type;
    bool permuted;                /* word and information bits in any order */
    struct ldpc_shared_form form; /* wide, slots, parts (0: 1), rows, blocks, ahead, near */
} shared_trials[] = {
    {0,
     1,
     40,
     90,
     LDPC_NMS,
     LDPC_LAYERED,
     FECRUN_I8,
     FECRUN_PACKED,
     false,
     {.wide = true, .near = ALL, .slots = 32, .rows = 4, .blocks = 1}},
    {0,
     1,
     40,
     90,
     LDPC_OMS,
     LDPC_LAYERED,
     FECRUN_F32,
     FECRUN_U8,
     true,
     {.wide = true, .slots = 4, .rows = 9, .blocks = 2}},
    {0,
     1,
     200,
     400,
     LDPC_NMS,
     LDPC_LAYERED,
     FECRUN_F16,
     FECRUN_PACKED,
     true,
     {.slots = 1, .rows = 64, .blocks = 1, .near = 5}},
    {0,
     1,
     60,
     100,
     LDPC_NMS,
     LDPC_FLOODING,
     FECRUN_I8,
     FECRUN_PACKED,
     true,
     {.near = ALL, .slots = 1, .rows = 40, .blocks = 1}},
    {0,
     13,
     6,
     14,
     LDPC_NMS,
     LDPC_LAYERED,
     FECRUN_I8,
     FECRUN_PACKED,
     true,
     {.wide = true, .slots = 4, .rows = 13, .blocks = 1, .ahead = 12}},
    {0,
     75,
     5,
     9,
     LDPC_NMS,
     LDPC_LAYERED,
     FECRUN_I8,
     FECRUN_U8,
     true,
     {.near = ALL, .slots = 1, .rows = 40, .blocks = 1, .ahead = 3}},
    {0,
     75,
     5,
     9,
     LDPC_OMS,
     LDPC_FLOODING,
     FECRUN_F32,
     FECRUN_PACKED,
     false,
     {.wide = true, .slots = 1, .rows = 75, .blocks = 1, .near = 9}},
    {1,
     16,
     9,
     0,
     LDPC_OMS,
     LDPC_LAYERED,
     FECRUN_I8,
     FECRUN_PACKED,
     false,
     {.wide = true, .slots = 2, .rows = 16, .blocks = 1, .ahead = 10}},
    {2,
     22,
     42,
     0,
     LDPC_NMS,
     LDPC_FLOODING,
     FECRUN_I8,
     FECRUN_PACKED,
     false,
     {.wide = true, .near = ALL, .slots = 1, .rows = 22, .blocks = 1}},
    {2,
     10,
     12,
     0,
     LDPC_NMS,
     LDPC_LAYERED,
     FECRUN_F32,
     FECRUN_PACKED,
     false,
     {.wide = true, .slots = 4, .rows = 10, .blocks = 1}},
    {0,
     50,
     9,
     40,
     LDPC_NMS,
     LDPC_LAYERED,
     FECRUN_I8,
     FECRUN_PACKED,
     true,
     {.slots = 1, .parts = 2, .rows = 50, .blocks = 1, .ahead = 7}},
    {0,
     50,
     9,
     40,
     LDPC_OMS,
     LDPC_LAYERED,
     FECRUN_F16,
     FECRUN_U8,
     false,
     {.slots = 1, .parts = 2, .rows = 50, .blocks = 1, .near = 5}},
};

enum { SHARED_TRIALS = sizeof shared_trials / sizeof *shared_trials };

/* Rows of 2 to 8 edges; with a lifting size some lanes lack one, and some circulants lie in one place. */
static struct ldpc_code *random_matrix(const struct shared_trial *t)
{
    const struct ldpc_code fixed = {.family = LDPC_QC,
                                    .z = t->z,
                                    .rows = t->rows,
                                    .cols = t->cols,
                                    .core_rows = t->rows,
                                    .n = t->cols * t->z,
                                    .k = (t->cols - t->rows) * t->z};
    struct ldpc_entry *entry = get(t->rows * 8 * sizeof *entry);
    struct fecrun_error err = {.size = sizeof err};
    struct ldpc_code *code;
    size_t n = 0;

    for (uint32_t r = 0; r < t->rows; r++)
        for (uint32_t weight = 2 + draw(7), e = 0; e < weight;) {
            const uint32_t col = draw(t->cols), shift = draw(t->z);

            if (has_entry(entry, n, r, col, shift, t->z > 1))
                continue;
            entry[n++] = (struct ldpc_entry){
                r, {col, shift, t->z > 1 && draw(9) == 0 ? draw(t->z) : LDPC_NO_LANE}};
            e++;
        }
    code = ldpc_code_build(&fixed, entry, n, &err);
    free(entry);
    if (!code)
        bail("no code: %s", err.text);
    if (t->permuted)
        permute(code, draw(code->cols * code->z / 8));
    return code;
}

static void shared_decoder(const struct shared_trial *t, struct ldpc_decode *d)
{
    struct fecrun_error err = {.size = sizeof err};

    rng_state = (t->z + 1000 * t->cols) * 0x9e3779b97f4a7c15u;
    *d = (struct ldpc_decode){.algorithm = t->algorithm, .rule = t->rule, .reverse = t->bg != 0};
    d->code = t->bg ? ldpc_code_nr(t->bg, t->z, t->z / 2, &err) : random_matrix(t);
    if (!d->code)
        bail("no code: %s", err.text);
    d->rows = t->rows;
    d->bits = d->code->k - d->code->fillers;
    d->schedule = ldpc_schedule_new(d->code, d->rows, d->reverse, &err);
    if (!d->schedule)
        bail("no schedule: %s", err.text);
}

static void shared_plan(const struct shared_trial *t, const struct ldpc_decode *d,
                        struct ldpc_shared_plan *plan)
{
    struct fecrun_error err = {.size = sizeof err};
    struct ldpc_shared_form form = t->form;

    if (ldpc_shared_unfit(d))
        bail("%s", ldpc_shared_unfit(d));
    form.parts = form.parts ? form.parts : 1;
    form.soft = (t - shared_trials) % 2 == 0;
    ldpc_shared_lay_out(&form, d, t->in_type, t->out_type);
    if (ldpc_shared_plan(plan, d, &form, &err))
        bail("no plan: %s", err.text);
}

#endif
