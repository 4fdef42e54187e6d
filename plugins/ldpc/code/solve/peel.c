/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/code/solve/peel.h"

#include <fecrun/sdk/carve.h>
#include <string.h>

static uint32_t largest_row(const struct ldpc_code *code, uint32_t rows)
{
    uint32_t most = 0;

    for (uint32_t r = 0; r < rows; r++)
        if (code->row_first[r + 1] - code->row_first[r] > most)
            most = code->row_first[r + 1] - code->row_first[r];
    return most;
}

size_t ldpc_peel_carve(struct peel *p, const struct ldpc_code *code, uint32_t rows, void *base)
{
    const size_t edges = (size_t)code->row_first[rows] * code->z;
    size_t used = 0;

    p->rows = rows * code->z;
    p->cols = code->cols * code->z;
    p->most = largest_row(code, rows);
    p->row_first = fecrun_carve(base, &used, ((size_t)p->rows + 1) * sizeof *p->row_first);
    p->row_col = fecrun_carve(base, &used, edges * sizeof *p->row_col);
    p->col_first = fecrun_carve(base, &used, ((size_t)p->cols + 2) * sizeof *p->col_first);
    p->col_row = fecrun_carve(base, &used, edges * sizeof *p->col_row);
    p->unknown = fecrun_carve(base, &used, p->cols * sizeof *p->unknown);
    p->used = fecrun_carve(base, &used, p->rows * sizeof *p->used);
    p->step = fecrun_carve(base, &used, p->rows * sizeof *p->step);
    p->count = fecrun_carve(base, &used, p->rows * sizeof *p->count);
    p->next = fecrun_carve(base, &used, p->rows * sizeof *p->next);
    p->prev = fecrun_carve(base, &used, p->rows * sizeof *p->prev);
    p->head = fecrun_carve(base, &used, ((size_t)p->most + 1) * sizeof *p->head);
    return used;
}

void ldpc_peel_lift(struct peel *p, const struct ldpc_code *code)
{
    uint32_t z = code->z, n = 0;

    memset(p->row_first, 0, ((size_t)p->rows + 1) * sizeof *p->row_first);
    memset(p->col_first, 0, ((size_t)p->cols + 2) * sizeof *p->col_first);
    memset(p->used, 0, p->rows * sizeof *p->used);
    memset(p->unknown, 0, p->cols * sizeof *p->unknown);
    p->n_steps = 0;
    for (uint32_t row = 0; row < p->rows; row++) {
        uint32_t r = row / z, i = row % z;

        for (uint32_t e = code->row_first[r]; e < code->row_first[r + 1]; e++) {
            uint32_t c = code->edge[e].col * z + (i + code->edge[e].shift) % z;

            if (code->edge[e].skip == i)
                continue;
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

static void put(struct peel *p, uint32_t row)
{
    uint32_t count = p->count[row];

    p->prev[row] = PEEL_NONE;
    p->next[row] = p->head[count];
    if (p->head[count] != PEEL_NONE)
        p->prev[p->head[count]] = row;
    p->head[count] = row;
    if (count && count < p->lowest)
        p->lowest = count;
}

static void take(struct peel *p, uint32_t row)
{
    if (p->prev[row] == PEEL_NONE)
        p->head[p->count[row]] = p->next[row];
    else
        p->next[p->prev[row]] = p->next[row];
    if (p->next[row] != PEEL_NONE)
        p->prev[p->next[row]] = p->prev[row];
}

static void forget(struct peel *p, uint32_t col)
{
    p->unknown[col] = false;
    for (uint32_t e = p->col_first[col]; e < p->col_first[col + 1]; e++) {
        uint32_t row = p->col_row[e];

        if (p->used[row])
            continue;
        take(p, row);
        p->count[row]--;
        put(p, row);
    }
}

/* The row's last unknown is its result; others are set aside. */
static void use_row(struct peel *p, uint32_t row)
{
    uint32_t result = PEEL_NONE;

    take(p, row);
    p->used[row] = true;
    for (uint32_t e = p->row_first[row]; e < p->row_first[row + 1]; e++) {
        uint32_t c = p->row_col[e];

        if (p->unknown[c] && (result == PEEL_NONE || c > result))
            result = c;
    }
    for (uint32_t e = p->row_first[row]; e < p->row_first[row + 1]; e++)
        if (p->unknown[p->row_col[e]])
            forget(p, p->row_col[e]);
    p->step[p->n_steps++] = (struct ldpc_step){.row = row, .col = result};
}

void ldpc_peel(struct peel *p)
{
    memset(p->count, 0, p->rows * sizeof *p->count);
    memset(p->head, 0xff, ((size_t)p->most + 1) * sizeof *p->head);
    p->lowest = p->most + 1;
    for (uint32_t row = p->rows; row-- > 0;) {
        if (p->used[row])
            continue;
        for (uint32_t e = p->row_first[row]; e < p->row_first[row + 1]; e++)
            p->count[row] += p->unknown[p->row_col[e]];
        put(p, row);
    }
    while (p->lowest <= p->most) {
        if (p->head[p->lowest] == PEEL_NONE)
            p->lowest++;
        else
            use_row(p, p->head[p->lowest]);
    }
}
