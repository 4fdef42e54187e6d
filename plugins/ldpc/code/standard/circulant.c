/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Circulants are polynomials modulo x^z + 1 here, a byte a coefficient: lane i of an edge of shift s takes
 * lane i + s of its column, so shifts of successive edges add.
 */
#include <fecrun/sdk/params.h>
#include <stdlib.h>

#include "plugins/common/words/words.h"
#include "plugins/ldpc/code/standard/circulant.h"

int ldpc_solution_dense(struct ldpc_code *c, uint32_t n, struct fecrun_error *err)
{
    struct ldpc_solution *s = c->solution = calloc(1, sizeof *s);

    if (!s)
        return fecrun_no_memory(err);
    s->n_dense = n;
    s->words = c->k / 64 + 1;
    s->dense = calloc(n, sizeof *s->dense);
    s->mask = calloc((size_t)n * s->words, sizeof *s->mask);
    s->result = calloc(1, sizeof *s->result);
    s->first = calloc(1, sizeof *s->first);
    s->term = calloc(1, sizeof *s->term);
    if (!s->dense || !s->mask || !s->result || !s->first || !s->term)
        return fecrun_no_memory(err);
    return 0;
}

int ldpc_solution_circulants(struct ldpc_code *c, uint32_t at, uint32_t column, const uint8_t *row,
                             struct fecrun_error *err)
{
    struct ldpc_solution *s = c->solution;
    const uint32_t z = c->z;
    uint8_t *turned = malloc(c->k);

    if (!turned)
        return fecrun_no_memory(err);
    for (uint32_t i = 0; i < z; i++) {
        for (uint32_t g = 0; g < c->k; g += z) {
            memcpy(turned + g + i, row + g, z - i);
            memcpy(turned + g, row + g + z - i, i);
        }
        words_pack(s->mask + (size_t)(at + i) * s->words, turned, c->k);
        s->dense[at + i] = column + i;
    }
    free(turned);
    return 0;
}

/* ---- Polynomials modulo x^z + 1 -------------------------------------------------------------- */

/* sum += a b */
static void add_product(uint8_t *sum, const uint8_t *a, const uint8_t *b, uint32_t z)
{
    for (uint32_t i = 0; i < z; i++) {
        if (!a[i])
            continue;
        for (uint32_t j = 0; j < z - i; j++)
            sum[i + j] ^= b[j];
        for (uint32_t j = z - i; j < z; j++)
            sum[i + j - z] ^= b[j];
    }
}

static bool is_odd(const uint8_t *a, uint32_t z)
{
    uint8_t sum = 0;

    for (uint32_t i = 0; i < z; i++)
        sum ^= a[i];
    return sum;
}

/*
 * z is a power of two, so a^z is a at x = 1: 1, if a has an odd number of terms. Its inverse is a^(z-1), the
 * product of a, a^2, a^4, ... a^(z/2). Three polynomials of working memory.
 */
static void invert(uint8_t *inverse, const uint8_t *a, uint8_t *work, uint32_t z)
{
    uint8_t *power = work, *square = work + z, *product = work + 2 * z;

    memset(inverse, 0, z);
    inverse[0] = 1;
    memcpy(power, a, z);
    for (uint32_t e = 1; e < z; e *= 2) {
        memset(product, 0, z);
        add_product(product, power, inverse, z);
        memcpy(inverse, product, z);
        memset(square, 0, z);
        for (uint32_t i = 0; i < z; i++)
            square[2 * i % z] ^= power[i];
        memcpy(power, square, z);
    }
}

/* ---- AR4JA: block rows 0 to 2 of 4 base rows; the last three block columns are parity --------------- */

enum { Q = 4 };

struct ring {
    uint32_t z, cols;
    uint8_t *cell; /* [Q][cols][z]: what is left of block row 2 */
    uint8_t *work; /* 4 polynomials */
};

static uint8_t *cell(const struct ring *r, uint32_t row, uint32_t col)
{
    return r->cell + ((size_t)row * r->cols + col) * r->z;
}

/* Block row 2, plus its column of x3 times block row 1, which has x3 alone: x3 is gone. */
static void substitute(struct ring *r, const struct ldpc_code *c)
{
    const uint32_t x3 = c->cols - 2 * Q;

    for (uint32_t e = c->row_first[2 * Q]; e < c->row_first[3 * Q]; e++)
        for (uint32_t row = 0; row < Q; row++) {
            const struct ldpc_edge *edge = &c->edge[e];
            const uint32_t other = Q + edge->col - x3;

            if (e < c->row_first[2 * Q + row] || e >= c->row_first[2 * Q + row + 1])
                continue;
            cell(r, row, edge->col)[edge->shift] ^= 1;
            if (edge->col < x3 || edge->col >= x3 + Q)
                continue;
            for (uint32_t f = c->row_first[other]; f < c->row_first[other + 1]; f++)
                cell(r, row, c->edge[f].col)[(edge->shift + c->edge[f].shift) % r->z] ^= 1;
        }
}

/* Gauss and Jordan: the last Q columns become the identity. */
static int eliminate(struct ring *r, struct fecrun_error *err)
{
    uint8_t *inverse = r->work + 3 * r->z;
    const size_t line = (size_t)r->cols * r->z;

    for (uint32_t p = 0; p < Q; p++) {
        const uint32_t col = r->cols - Q + p;
        uint32_t pivot = p;

        while (pivot < Q && !is_odd(cell(r, pivot, col), r->z))
            pivot++;
        if (pivot == Q)
            return fecrun_fail(err, "code", "has a matrix that cannot be encoded");
        for (size_t i = 0; pivot != p && i < line; i++)
            r->cell[p * line + i] ^= r->cell[pivot * line + i];
        invert(inverse, cell(r, p, col), r->work, r->z);
        for (uint32_t j = 0; j < r->cols; j++) {
            memset(r->work, 0, r->z);
            add_product(r->work, cell(r, p, j), inverse, r->z);
            memcpy(cell(r, p, j), r->work, r->z);
        }
        for (uint32_t row = 0; row < Q; row++) {
            memcpy(inverse, cell(r, row, col), r->z);
            for (uint32_t j = 0; row != p && j < r->cols; j++)
                add_product(cell(r, row, j), inverse, cell(r, p, j), r->z);
        }
    }
    return 0;
}

/* x2 and x3 by block rows 0 and 1, whose other columns are known. */
static int add_steps(struct ldpc_code *c, struct fecrun_error *err)
{
    const uint32_t z = c->z, rows = 2 * Q, first_parity = c->cols - 3 * Q;
    struct ldpc_solution *s = c->solution;
    uint32_t n = 0, *result = malloc(rows * z * sizeof *result),
             *first = calloc((size_t)rows * z + 1, sizeof *first),
             *term = malloc((size_t)c->row_first[rows] * z * sizeof *term);

    free(s->result);
    free(s->first);
    free(s->term);
    s->result = result;
    s->first = first;
    s->term = term;
    if (!result || !first || !term)
        return fecrun_no_memory(err);
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t i = 0; i < z; i++) {
            for (uint32_t e = c->row_first[row]; e < c->row_first[row + 1]; e++)
                if (c->edge[e].col != first_parity + row)
                    term[n++] = c->edge[e].col * z + (i + c->edge[e].shift) % z;
            result[s->n_steps++] = (first_parity + row) * z + i;
            first[s->n_steps] = n;
        }
    return 0;
}

int ldpc_solve_ar4ja(struct ldpc_code *c, struct fecrun_error *err)
{
    struct ring r = {.z = c->z, .cols = c->cols};
    int status = -1;

    r.cell = calloc((size_t)Q * r.cols, r.z);
    r.work = calloc(4, r.z);
    if (r.cell && r.work) {
        substitute(&r, c);
        status = eliminate(&r, err) || ldpc_solution_dense(c, Q * c->z, err) || add_steps(c, err)
                     ? -1
                     : 0;
    } else {
        fecrun_no_memory(err);
    }
    for (uint32_t q = 0; !status && q < Q; q++)
        status = ldpc_solution_circulants(c, q * c->z, (c->cols - Q + q) * c->z, cell(&r, q, 0),
                                          err);
    free(r.cell);
    free(r.work);
    return status;
}
