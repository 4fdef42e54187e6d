/* SPDX-License-Identifier: BSD-2-Clause */
/* The lists of ldpc.syndrome for one shot alone. */
#include "plugins/ldpc/syndrome/simd/simd.h"

enum { VECTOR = LDPC_SYNDROME_ALONE };

static uint32_t weight_of(const struct ldpc_syndrome *d, uint32_t col)
{
    return d->col_first[col + 1] - d->col_first[col];
}

static uint32_t vectors_of(uint32_t n)
{
    return n / VECTOR + (n % VECTOR != 0);
}

static uint32_t heaviest(const struct ldpc_syndrome *d)
{
    uint32_t most = 0;

    for (uint32_t j = 0; j < d->cols; j++)
        most = weight_of(d, j) > most ? weight_of(d, j) : most;
    return most;
}

/* groups[w]: of columns of weight w, by counts[w]. */
static int allocate(struct ldpc_syndrome_alone *a, const struct ldpc_syndrome *d,
                    const uint32_t *count, uint32_t most)
{
    size_t edges = 0;

    for (uint32_t w = 0; w <= most; w++) {
        a->groups += vectors_of(count[w]);
        edges += (size_t)vectors_of(count[w]) * w;
    }
    a->first = calloc((size_t)d->rows + 1, sizeof *a->first);
    for (uint32_t r = 0; a->first && r < d->rows; r++)
        a->first[r + 1] = a->first[r] + vectors_of(d->row_first[r + 1] - d->row_first[r]);
    a->vectors = a->first ? a->first[d->rows] : 0;
    a->place = calloc((size_t)a->vectors * VECTOR + 1, sizeof *a->place);
    a->col = calloc((size_t)a->groups * VECTOR, sizeof *a->col);
    a->prior = calloc((size_t)a->groups * VECTOR, sizeof *a->prior);
    a->place_of = calloc(d->cols, sizeof *a->place_of);
    a->start = calloc(((size_t)a->vectors + 1) * VECTOR, sizeof *a->start);
    a->weight = calloc(a->groups, sizeof *a->weight);
    a->edge = calloc(edges * VECTOR + 1, sizeof *a->edge);
    return a->first && a->place && a->col && a->prior && a->place_of && a->start && a->weight &&
                   a->edge
               ? 0
               : -1;
}

/* count[w] becomes the first place of weight w. */
static void place_columns(struct ldpc_syndrome_alone *a, const struct ldpc_syndrome *d,
                          uint32_t *count, uint32_t most)
{
    uint32_t group = 0;

    for (uint32_t p = 0; p < a->groups * VECTOR; p++) {
        a->col[p] = UINT32_MAX;
        a->prior[p] = 1;
    }
    for (uint32_t w = 0; w <= most; w++) {
        const uint32_t groups = vectors_of(count[w]);

        count[w] = group * VECTOR;
        for (uint32_t g = 0; g < groups; g++)
            a->weight[group++] = w;
    }
    for (uint32_t j = 0; j < d->cols; j++) {
        const uint32_t p = count[weight_of(d, j)]++;

        a->place_of[j] = p;
        a->col[p] = j;
        a->prior[p] = d->prior[j];
    }
}

/* place_of_edge: of each edge of d, in vectors of rows. Columns that no row has get the 0 behind the messages. */
static void place_edges(struct ldpc_syndrome_alone *a, const struct ldpc_syndrome *d,
                        uint32_t *place_of_edge)
{
    uint32_t at = 0;

    for (uint32_t r = 0; r < d->rows; r++)
        for (uint32_t e = d->row_first[r]; e < d->row_first[r + 1]; e++) {
            place_of_edge[e] = a->first[r] * VECTOR + e - d->row_first[r];
            a->place[place_of_edge[e]] = a->place_of[d->col[e]];
        }
    for (uint32_t g = 0; g < a->groups; g++)
        for (uint32_t k = 0; k < a->weight[g]; k++)
            for (uint32_t i = 0; i < VECTOR; i++) {
                const uint32_t col = a->col[g * VECTOR + i];

                a->edge[at++] = col == UINT32_MAX
                                    ? a->vectors * VECTOR
                                    : place_of_edge[d->edge_of_col[d->col_first[col] + k]];
            }
}

/* Min-sum of the priors, as in the reference. */
static void start_row(struct ldpc_syndrome_alone *a, const struct ldpc_syndrome *d, uint32_t r)
{
    const uint32_t *col = d->col + d->row_first[r], n = d->row_first[r + 1] - d->row_first[r];
    float least = LDPC_SYNDROME_LIMIT, second = LDPC_SYNDROME_LIMIT;
    bool odd = false;

    for (uint32_t i = 0; i < n; i++) {
        const float prior = d->prior[col[i]], magnitude = prior < 0 ? -prior : prior;

        second = magnitude < least ? least : magnitude < second ? magnitude : second;
        least = magnitude < least ? magnitude : least;
        odd ^= prior < 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        const float prior = d->prior[col[i]], magnitude = prior < 0 ? -prior : prior;
        const float message = d->alpha * (magnitude > least ? least : second);

        a->start[(size_t)a->first[r] * VECTOR + i] = odd != (prior < 0) ? -message : message;
    }
}

int ldpc_syndrome_alone_make(struct ldpc_syndrome_simd *s)
{
    const struct ldpc_syndrome *d = s->d;
    const uint32_t most = heaviest(d);
    uint32_t *count = calloc((size_t)most + 1, sizeof *count);
    uint32_t *place_of_edge = calloc((size_t)d->edges + 1, sizeof *place_of_edge);
    int status = -1;

    if (count && place_of_edge) {
        for (uint32_t j = 0; j < d->cols; j++)
            count[weight_of(d, j)]++;
        status = allocate(&s->alone, d, count, most);
    }
    if (!status) {
        place_columns(&s->alone, d, count, most);
        place_edges(&s->alone, d, place_of_edge);
        for (uint32_t r = 0; r < d->rows; r++)
            start_row(&s->alone, d, r);
    }
    free(count);
    free(place_of_edge);
    return status;
}

void ldpc_syndrome_alone_free(struct ldpc_syndrome_alone *a)
{
    free(a->first);
    free(a->place);
    free(a->col);
    free(a->prior);
    free(a->place_of);
    free(a->start);
    free(a->weight);
    free(a->edge);
}
