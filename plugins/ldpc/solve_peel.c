/* SPDX-License-Identifier: BSD-2-Clause */
#include <fecrun/sdk/params.h>
#include <stdlib.h>

#include "solve_peel.h"

void ldpc_peel_free(struct peel *p)
{
    free(p->row_first);
    free(p->row_col);
    free(p->col_first);
    free(p->col_row);
    free(p->used);
    free(p->step);
}

/* The matrix with all its lanes. */
static void lift(struct peel *p, const struct ldpc_code *code)
{
    uint32_t z = code->z, n = 0;

    for (uint32_t row = 0; row < p->rows; row++) {
        uint32_t r = row / z, i = row % z;

        for (uint32_t e = code->row_first[r]; e < code->row_first[r + 1]; e++) {
            uint32_t c = code->edge[e].col * z + (i + code->edge[e].shift) % z;

            p->row_col[n++] = c;
            p->col_first[c + 1]++;
        }
        p->row_first[row + 1] = n;
    }
    for (uint32_t c = 0; c < p->cols; c++)
        p->col_first[c + 1] += p->col_first[c];
    for (uint32_t row = p->rows; row-- > 0;)
        for (uint32_t e = p->row_first[row]; e < p->row_first[row + 1]; e++)
            p->col_row[--p->col_first[p->row_col[e] + 1]] = row;
    /* Each place was moved down to where its column begins: one place too far on. */
    for (uint32_t c = 0; c < p->cols; c++)
        p->col_first[c] = p->col_first[c + 1];
    p->col_first[p->cols] = n;
}

/* Rows by the number of their unknowns: lists, linked both ways. */
struct queue {
    uint32_t *count;        /* unknowns of each row */
    uint32_t *next, *prev;  /* of each row; PEEL_NONE: no more */
    uint32_t *head;         /* of each count */
    uint32_t most, lowest;  /* counts: the largest; no row has fewer but more than 0 */
    bool *unknown;          /* columns */
};

static void put(struct queue *q, uint32_t row)
{
    uint32_t count = q->count[row];

    q->prev[row] = PEEL_NONE;
    q->next[row] = q->head[count];
    if (q->head[count] != PEEL_NONE)
        q->prev[q->head[count]] = row;
    q->head[count] = row;
    if (count && count < q->lowest)
        q->lowest = count;
}

static void take(struct queue *q, uint32_t row)
{
    if (q->prev[row] == PEEL_NONE)
        q->head[q->count[row]] = q->next[row];
    else
        q->next[q->prev[row]] = q->next[row];
    if (q->next[row] != PEEL_NONE)
        q->prev[q->next[row]] = q->prev[row];
}

static void forget(struct queue *q, const struct peel *p, uint32_t col)
{
    q->unknown[col] = false;
    for (uint32_t e = p->col_first[col]; e < p->col_first[col + 1]; e++) {
        uint32_t row = p->col_row[e];

        if (p->used[row])
            continue;
        take(q, row);
        q->count[row]--;
        put(q, row);
    }
}

/* The row's last unknown is its result; others are set aside. */
static void use_row(struct queue *q, struct peel *p, uint32_t row)
{
    uint32_t result = PEEL_NONE;

    take(q, row);
    p->used[row] = true;
    for (uint32_t e = p->row_first[row]; e < p->row_first[row + 1]; e++) {
        uint32_t c = p->row_col[e];

        if (q->unknown[c] && (result == PEEL_NONE || c > result))
            result = c;
    }
    for (uint32_t e = p->row_first[row]; e < p->row_first[row + 1]; e++)
        if (q->unknown[p->row_col[e]])
            forget(q, p, p->row_col[e]);
    p->step[p->n_steps++] = (struct ldpc_step){.row = row, .col = result};
}

static void peel_all(struct queue *q, struct peel *p)
{
    for (uint32_t row = p->rows; row-- > 0;) {
        for (uint32_t e = p->row_first[row]; e < p->row_first[row + 1]; e++)
            q->count[row] += q->unknown[p->row_col[e]];
        put(q, row);
    }
    while (q->lowest <= q->most) {
        if (q->head[q->lowest] == PEEL_NONE)
            q->lowest++;
        else
            use_row(q, p, q->head[q->lowest]);
    }
}

static uint32_t largest_row(const struct peel *p)
{
    uint32_t most = 0;

    for (uint32_t r = 0; r < p->rows; r++)
        if (p->row_first[r + 1] - p->row_first[r] > most)
            most = p->row_first[r + 1] - p->row_first[r];
    return most;
}

static int peel_lifted(struct peel *p, uint32_t unknown)
{
    struct queue q = {.most = largest_row(p)};
    int status = -1;

    q.lowest = q.most + 1;
    q.count = calloc(p->rows, sizeof *q.count);
    q.next = malloc(p->rows * sizeof *q.next);
    q.prev = malloc(p->rows * sizeof *q.prev);
    q.head = malloc(((size_t)q.most + 1) * sizeof *q.head);
    q.unknown = calloc(p->cols, sizeof *q.unknown);
    if (q.count && q.next && q.prev && q.head && q.unknown) {
        memset(q.head, 0xff, ((size_t)q.most + 1) * sizeof *q.head);
        for (uint32_t c = unknown; c < p->cols; c++)
            q.unknown[c] = true;
        peel_all(&q, p);
        status = 0;
    }
    free(q.count);
    free(q.next);
    free(q.prev);
    free(q.head);
    free(q.unknown);
    return status;
}

int ldpc_peel(struct peel *p, const struct ldpc_code *code, uint32_t unknown,
              struct fecrun_error *err)
{
    size_t edges = (size_t)ldpc_edges(code) * code->z;

    p->rows = code->rows * code->z;
    p->cols = code->cols * code->z;
    p->row_first = calloc((size_t)p->rows + 1, sizeof *p->row_first);
    p->row_col = malloc((edges + 1) * sizeof *p->row_col);
    p->col_first = calloc((size_t)p->cols + 2, sizeof *p->col_first);
    p->col_row = malloc((edges + 1) * sizeof *p->col_row);
    p->used = calloc(p->rows, sizeof *p->used);
    p->step = malloc(p->rows * sizeof *p->step);
    if (p->row_first && p->row_col && p->col_first && p->col_row && p->used && p->step) {
        lift(p, code);
        if (!peel_lifted(p, unknown))
            return 0;
    }
    return fecrun_fail(err, NULL, "out of memory");
}
