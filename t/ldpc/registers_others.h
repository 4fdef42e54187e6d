/* SPDX-License-Identifier: BSD-2-Clause */
/* Codes that are not NR's: kernels of registers_graphs.c are made for them, and test_registers_code.c
 * decodes them. */
#ifndef T_LDPC_REGISTERS_OTHERS_H
#define T_LDPC_REGISTERS_OTHERS_H

#include "plugins/ldpc/code/build.h"
#include "plugins/ldpc/cuda/registers/plan.h"
#include "plugins/ldpc/cuda/registers/form.h"
#include "t/ldpc/codes.h"

enum {
    OTHER_GRAPH = 3,                /* number of the first one */
    OTHER_SHARED = 228 << 10,       /* bytes of a multiprocessor and of a block, */
    OTHER_SHARED_BLOCK = 227 << 10, /* compute capability 9.0 */
};

/* A standard's code (rate), or a random one with that many rows and columns, or NR's base graph `cols` with so
   many rows. */
static const struct other {
    enum ldpc_family family;
    uint32_t n; /* of a random one z */
    const char *rate;
    uint32_t rows, cols;
    bool reverse, oms, flooding;
    uint8_t own, unstaged; /* of NR in layers */
    uint8_t soft;          /* LLRs come out */
    bool spa;
} others[] = {
    {LDPC_WIFI, 648, "1/2", 0, 0, false, false, false, 0, 0, 1, false},
    {LDPC_WIFI, 1944, "5/6", 0, 0, false, false, false, 0, 0, 0, false},
    {LDPC_WIMAX, 2304, "1/2", 0, 0, false, false, false, 0, 0, 0, false},
    {LDPC_WIMAX, 576, "2/3A", 0, 0, true, false, false, 0, 0, 1, false},
    {LDPC_WIMAX, 1152, "3/4B", 0, 0, false, false, false, 0, 0, 0, false},
    {LDPC_QC, 13, NULL, 3, 7, false, false, false, 0, 0, 0, false},
    {LDPC_QC, 200, NULL, 4, 10, true, false, false, 0, 0, 0, false},
    {LDPC_WIFI, 648, "3/4", 0, 0, false, true, false, 0, 0, 0, false},
    {LDPC_NR, 24, NULL, 9, 2, true, true, false, 0, 0, 0, false},
    {LDPC_NR, 36, NULL, 23, 1, true, true, false, 0, 0, 1, false},
    {LDPC_NR, 24, NULL, 9, 2, true, false, true, 0, 0, 0, false},
    {LDPC_NR, 36, NULL, 23, 1, true, false, true, 0, 0, 1, false},
    {LDPC_NR, 48, NULL, 6, 1, true, true, true, 0, 0, 0, false},
    {LDPC_NR, 384, NULL, 42, 2, true, false, true, 0, 0, 0, false},
    {LDPC_QC, 256, NULL, 4, 10, true, false, false, 0, 0, 1, false},
    {LDPC_NR, 52, NULL, 12, 2, true, false, false, LDPC_REGISTERS_BYTES, 1, 0, false},
    {LDPC_NR, 224, NULL, 9, 2, true, false, false, LDPC_REGISTERS_BYTES, 0, 0, false},
    {LDPC_NR, 26, NULL, 9, 1, true, false, false, LDPC_REGISTERS_AWAY, 1, 0, false},
    {LDPC_NR, 224, NULL, 10, 2, true, true, false, LDPC_REGISTERS_AWAY, 1, 1, false},
    {LDPC_NR, 256, NULL, 9, 2, true, false, false, 0, 0, 1, false},
    {LDPC_WIFI, 648, "2/3", 0, 0, true, false, false, 0, 0, 0, true},
    {LDPC_NR, 36, NULL, 23, 1, true, false, false, 0, 0, 1, true},
    {LDPC_NR, 24, NULL, 9, 2, false, false, true, 0, 0, 0, true},
    {LDPC_NR, 224, NULL, 11, 2, false, false, false, 0, 0, 0, true},
    {LDPC_NR, 52, NULL, 13, 2, false, false, false, LDPC_REGISTERS_BYTES, 1, 1, false},
    {LDPC_NR, 256, NULL, 9, 2, false, true, false, LDPC_REGISTERS_AWAY, 1, 0, false},
    {LDPC_NR, 26, NULL, 9, 1, false, false, false, 0, 0, 1, false},
};

enum { OTHERS = sizeof others / sizeof *others };

/* Is the kernel for decoders with an early stop alone? */
static inline bool other_stops(int i)
{
    return i % 3 == 2;
}

static inline enum ldpc_algorithm other_rule(const struct other *o)
{
    return o->oms ? LDPC_OMS : o->spa ? LDPC_SPA : LDPC_NMS;
}

/* Any circulants, some columns of degree 1, one in each row. */
static struct ldpc_code *random_code(const struct other *o)
{
    struct ldpc_entry entry[80];
    struct ldpc_code fixed = {.family = LDPC_QC,
                              .z = o->n,
                              .rows = o->rows,
                              .cols = o->cols,
                              .core_rows = o->rows,
                              .k = (o->cols - o->rows) * o->n,
                              .n = o->cols * o->n};
    struct fecrun_error err = {.size = sizeof err};
    size_t n = 0;

    rng_state = o->n;
    for (uint32_t r = 0; r < o->rows; r++)
        for (uint32_t c = 0; c < o->cols; c++)
            if (c == 0 || draw(2)) {
                entry[n].row = r;
                entry[n++].edge = (struct ldpc_edge){
                    .col = c, .shift = draw(o->n), .skip = LDPC_NO_LANE};
            }
    return ldpc_code_build(&fixed, entry, n, &err);
}

static struct ldpc_code *other_code(const struct other *o)
{
    struct fecrun_error err = {.size = sizeof err};
    struct ldpc_code *code = o->family == LDPC_NR      ? ldpc_code_nr(o->cols, o->n, 5, &err)
                             : o->family == LDPC_WIFI  ? ldpc_code_wifi(o->n, o->rate, &err)
                             : o->family == LDPC_WIMAX ? ldpc_code_wimax(o->n, o->rate, &err)
                                                       : random_code(o);

    if (!code)
        bail("no code: %s", err.text);
    return code;
}

/* Of NR: a kernel of which the plugin's source makes the twin; lanes for two pairs of code blocks. */
static TAP_UNUSED struct ldpc_registers_kernel other_nr_kernel(const struct other *o)
{
    const uint8_t rows = (uint8_t)o->rows;
    return (struct ldpc_registers_kernel){.bg = o->cols,
                                          .rows = rows,
                                          .z = o->n,
                                          .lanes = o->n > 208 ? o->n : 2 * o->n,
                                          .layout = {4, rows, 2, 6, 1, rows % 4, o->own},
                                          .unstaged = o->flooding ? rows % 2 == 0 : o->unstaged,
                                          .soft = o->soft};
}

#endif
