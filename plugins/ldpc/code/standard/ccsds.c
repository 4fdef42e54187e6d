/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The LDPC codes of CCSDS: 131.0-B (telemetry: the nine AR4JA codes and C2) and 231.0-B
 * (telecommand: two lengths). A permutation of AR4JA's M bits turns quarters of M/4 bits, so z is M/4 here.
 */
#include <fecrun/sdk/params.h>
#include <stdlib.h>

#include "plugins/ldpc/code/standard/circulant.h"
#include "plugins/ldpc/code/standard/tables.h"

enum {
    QUARTERS = 4,
    BLOCKS = 11,        /* block columns of rate 4/5; other rates have the last 7 or 5 of them */
    AR4JA_ROWS = 3,     /* block rows */
    MOST_ENTRIES = 256, /* of all codes here */
    C2_N = 8176,
    C2_Z = 511, /* 131.0-B 7.3 */
    C2_ROWS = 2,
    C2_COLS = 16,
    C2_GROUPS = 14
};

static const struct family {
    uint16_t n, m;  /* bits of the word, of a block */
    uint8_t blocks; /* block columns, the last of which is not sent */
} ar4ja[] = {{1280, 128, 11}, {1536, 256, 7},    {2048, 512, 5},   {5120, 512, 11}, {6144, 1024, 7},
             {8192, 2048, 5}, {20480, 2048, 11}, {24576, 4096, 7}, {32768, 8192, 5}};

/* A block row and column of rate 4/5, and a permutation of the sum that stands there; 0: the identity. */
static const struct {
    uint8_t row, col, permutation;
} terms[] = {
    {0, 8, 0},  {0, 10, 0}, {0, 10, 1}, {1, 0, 21}, {1, 0, 22}, {1, 0, 23}, {1, 1, 0},  {1, 2, 15},
    {1, 2, 16}, {1, 2, 17}, {1, 3, 0},  {1, 4, 9},  {1, 4, 10}, {1, 4, 11}, {1, 5, 0},  {1, 6, 0},
    {1, 7, 0},  {1, 9, 0},  {1, 10, 2}, {1, 10, 3}, {1, 10, 4}, {2, 0, 0},  {2, 1, 24}, {2, 1, 25},
    {2, 1, 26}, {2, 2, 0},  {2, 3, 18}, {2, 3, 19}, {2, 3, 20}, {2, 4, 0},  {2, 5, 12}, {2, 5, 13},
    {2, 5, 14}, {2, 6, 0},  {2, 7, 5},  {2, 7, 6},  {2, 9, 7},  {2, 9, 8},  {2, 10, 0},
};

static struct ldpc_entry entry_of(uint32_t row, uint32_t col, uint32_t shift)
{
    return (struct ldpc_entry){row, {col, shift, LDPC_NO_LANE}};
}

/* ---- AR4JA --------------------------------------------------------------------------------- */

/* Bit i of quarter j goes to bit i + phi of quarter j + theta. */
static struct ldpc_entry permuted(unsigned t, uint32_t quarter, const struct family *f,
                                  unsigned size)
{
    const uint32_t row = terms[t].row * QUARTERS + quarter;
    const uint32_t block = terms[t].col - (BLOCKS - f->blocks);
    const unsigned k = terms[t].permutation;

    if (!k)
        return entry_of(row, block * QUARTERS + quarter, 0);
    return entry_of(row, block * QUARTERS + (ldpc_ar4ja_theta[k - 1] + quarter) % QUARTERS,
                    ldpc_ar4ja_phi[size][quarter][k - 1]);
}

static struct ldpc_code *build_ar4ja(const struct family *f, struct fecrun_error *err)
{
    struct ldpc_entry entry[MOST_ENTRIES];
    struct ldpc_code *c, fixed = {
                             .family = LDPC_CCSDS,
                             .z = f->m / QUARTERS,
                             .rows = AR4JA_ROWS * QUARTERS,
                             .cols = (uint32_t)f->blocks * QUARTERS,
                             .core_rows = AR4JA_ROWS * QUARTERS,
                             .k = (f->blocks - AR4JA_ROWS) * (uint32_t)f->m,
                             .n = f->n,
                         };
    unsigned size = 0;
    size_t n = 0;

    while (LDPC_AR4JA_M0 << size < f->m)
        size++;
    for (unsigned t = 0; t < sizeof terms / sizeof *terms; t++)
        for (uint32_t j = 0; terms[t].col >= BLOCKS - f->blocks && j < QUARTERS; j++)
            entry[n++] = permuted(t, j, f, size);
    c = ldpc_code_build(&fixed, entry, n, err);
    if (!c)
        return NULL;
    c->place = malloc(c->n * sizeof *c->place);
    if (!c->place)
        fecrun_no_memory(err);
    for (uint32_t i = 0; c->place && i < c->n; i++)
        c->place[i] = i;
    if (c->place && !ldpc_solve_ar4ja(c, err))
        return c;
    ldpc_code_free(c);
    return NULL;
}

/* ---- C2 ------------------------------------------------------------------------------------ */

/* The matrix leaves 7156 bits free; the standard's generator has 7154, and two parity bits by its tables. */
static int solve_c2(struct ldpc_code *c, struct fecrun_error *err)
{
    uint8_t *row = calloc(c->k, 1);
    int status = row ? ldpc_solution_dense(c, (C2_COLS - C2_GROUPS) * C2_Z, err)
                     : fecrun_no_memory(err);

    for (uint32_t q = 0; !status && q < C2_COLS - C2_GROUPS; q++) {
        for (uint32_t g = 0; g < C2_GROUPS; g++)
            for (uint32_t j = 0; j < C2_Z; j++) {
                const uint64_t word =
                    ldpc_c2_generator[g][q][(j + 1) / 64]; /* a 0 before the first */
                row[g * C2_Z + (C2_Z - j) % C2_Z] = word >> (63 - (j + 1) % 64) & 1;
            }
        status = ldpc_solution_circulants(c, q * C2_Z, (C2_GROUPS + q) * C2_Z, row, err);
    }
    free(row);
    return status;
}

static struct ldpc_code *build_c2(struct fecrun_error *err)
{
    struct ldpc_entry entry[C2_ROWS * C2_COLS * 2];
    struct ldpc_code *c, fixed = {
                             .family = LDPC_CCSDS,
                             .z = C2_Z,
                             .rows = C2_ROWS,
                             .cols = C2_COLS,
                             .core_rows = C2_ROWS,
                             .k = C2_GROUPS * C2_Z,
                             .n = C2_N,
                         };
    size_t n = 0;

    for (uint32_t r = 0; r < C2_ROWS; r++)
        for (uint32_t i = 0; i < 2 * C2_COLS; i++)
            entry[n++] = entry_of(r, i / 2, ldpc_c2_shift[r][i / 2][i % 2]);
    c = ldpc_code_build(&fixed, entry, n, err);
    if (!c || !solve_c2(c, err))
        return c;
    ldpc_code_free(c);
    return NULL;
}

/* ---- Telecommand --------------------------------------------------------------------------- */

/* 231.0-B 4.2: 4 x 8 circulants, of which those of the diagonal are sums with the identity. */
static struct ldpc_code *build_tc(const struct ldpc_tc *t, struct fecrun_error *err)
{
    struct ldpc_entry entry[LDPC_TC_ROWS * (LDPC_TC_COLS + 1)];
    struct ldpc_code *c, fixed = {
                             .family = LDPC_CCSDS,
                             .z = t->z,
                             .rows = LDPC_TC_ROWS,
                             .cols = LDPC_TC_COLS,
                             .core_rows = LDPC_TC_ROWS,
                             .n = (uint32_t)LDPC_TC_COLS * t->z,
                         };
    size_t n = 0;

    for (uint32_t r = 0; r < LDPC_TC_ROWS; r++) {
        entry[n++] = entry_of(r, r, 0);
        for (uint32_t col = 0; col < LDPC_TC_COLS; col++)
            if (t->shift[r][col] >= 0)
                entry[n++] = entry_of(r, col, (uint32_t)t->shift[r][col]);
    }
    c = ldpc_code_build(&fixed, entry, n, err);
    if (!c || !ldpc_code_solve(c, err))
        return c;
    ldpc_code_free(c);
    return NULL;
}

struct ldpc_code *ldpc_code_ccsds(uint32_t n, struct fecrun_error *err)
{
    if (n == C2_N)
        return build_c2(err);
    for (unsigned i = 0; i < LDPC_TC_CODES; i++)
        if (n == (uint32_t)LDPC_TC_COLS * ldpc_tc[i].z)
            return build_tc(&ldpc_tc[i], err);
    for (unsigned i = 0; i < sizeof ar4ja / sizeof *ar4ja; i++)
        if (n == ar4ja[i].n)
            return build_ar4ja(&ar4ja[i], err);
    fecrun_fail(
        err, "n",
        "is %u; CCSDS has 128, 512 (telecommand), 8176 (C2), 1280, 5120, 20480 (AR4JA 4/5), 1536, "
        "6144, 24576 (2/3), 2048, 8192 and 32768 (1/2)",
        n);
    return NULL;
}
