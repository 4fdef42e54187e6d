/* SPDX-License-Identifier: BSD-2-Clause */
/* The parity-check matrix of ldpc.syndrome as lists of single ones. */
#include <stdlib.h>

#include "plugins/ldpc/syndrome/dem.h"
#include "plugins/ldpc/syndrome/syndrome.h"

static void list_rows(struct ldpc_syndrome *d)
{
    const struct ldpc_code *c = d->code;
    uint32_t n = 0;

    for (uint32_t r = 0; r < d->rows; r++) {
        const uint32_t base = r / c->z, lane = r % c->z;

        d->row_first[r] = n;
        for (uint32_t e = c->row_first[base]; e < c->row_first[base + 1]; e++)
            if (c->edge[e].skip != lane)
                d->col[n++] = c->edge[e].col * c->z + (lane + c->edge[e].shift) % c->z;
    }
    d->row_first[d->rows] = d->edges = n;
}

/* Counting sort of the edges, which stand by row. */
static void list_columns(struct ldpc_syndrome *d)
{
    for (uint32_t e = 0; e < d->edges; e++)
        d->col_first[d->col[e] + 1]++;
    for (uint32_t j = 0; j < d->cols; j++)
        d->col_first[j + 1] += d->col_first[j];
    for (uint32_t r = 0; r < d->rows; r++)
        for (uint32_t e = d->row_first[r]; e < d->row_first[r + 1]; e++) {
            const uint32_t place = d->col_first[d->col[e]]++;
            d->edge_of_col[place] = e;
            d->row_of_col[place] = r;
        }
    for (uint32_t j = d->cols; j > 0; j--)
        d->col_first[j] = d->col_first[j - 1];
    d->col_first[0] = 0;
}

static int allocate(struct ldpc_syndrome *d, uint32_t rows, uint32_t cols, size_t edges,
                    struct fecrun_error *err)
{
    const size_t most = edges + 1;

    d->rows = rows;
    d->cols = cols;
    d->row_first = calloc((size_t)d->rows + 1, sizeof *d->row_first);
    d->col_first = calloc((size_t)d->cols + 1, sizeof *d->col_first);
    d->col = calloc(most, sizeof *d->col);
    d->edge_of_col = calloc(most, sizeof *d->edge_of_col);
    d->row_of_col = calloc(most, sizeof *d->row_of_col);
    if (!d->row_first || !d->col_first || !d->col || !d->edge_of_col || !d->row_of_col)
        return fecrun_no_memory(err);
    return 0;
}

int ldpc_syndrome_matrix(struct ldpc_syndrome *d, struct fecrun_error *err)
{
    const struct ldpc_code *c = d->code;

    if (allocate(d, c->rows * c->z, c->cols * c->z, (size_t)ldpc_edges(c) * c->z, err))
        return -1;
    list_rows(d);
    list_columns(d);
    return 0;
}

/* A counting sort of the columns' targets. */
static void list_model(struct ldpc_syndrome *d, const struct ldpc_dem *dem)
{
    for (uint32_t j = 0; j < dem->cols; j++)
        for (uint32_t k = dem->first[j]; k < dem->flips[j]; k++)
            d->row_first[dem->target[k] + 1]++;
    for (uint32_t r = 0; r < d->rows; r++)
        d->row_first[r + 1] += d->row_first[r];
    d->edges = d->row_first[d->rows];
    for (uint32_t j = 0; j < dem->cols; j++)
        for (uint32_t k = dem->first[j]; k < dem->flips[j]; k++)
            d->col[d->row_first[dem->target[k]]++] = j;
    for (uint32_t r = d->rows; r > 0; r--)
        d->row_first[r] = d->row_first[r - 1];
    d->row_first[0] = 0;
    list_columns(d);
}

int ldpc_syndrome_model(struct ldpc_syndrome *d, const char *path, struct fecrun_error *err)
{
    struct ldpc_dem *dem = ldpc_dem_read(path, err);
    int status;

    if (!dem)
        return -1;
    status = allocate(d, dem->detectors, dem->cols, dem->first[dem->cols], err);
    if (!status) {
        list_model(d, dem);
        status = ldpc_syndrome_priors_of(d, dem->p, err);
    }
    ldpc_dem_free(dem);
    return status;
}
