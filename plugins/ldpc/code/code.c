/* SPDX-License-Identifier: BSD-2-Clause */
#include <fecrun/sdk/params.h>
#include <stdlib.h>

#include "plugins/ldpc/code/build.h"

static int compare(const void *left, const void *right)
{
    const struct ldpc_entry *a = left, *b = right;

    if (a->row != b->row)
        return a->row < b->row ? -1 : 1;
    if (a->edge.col != b->edge.col)
        return a->edge.col < b->edge.col ? -1 : 1;
    if (a->edge.shift != b->edge.shift)
        return a->edge.shift < b->edge.shift ? -1 : 1;
    return 0;
}

/* Sorts the entries. */
struct ldpc_code *ldpc_code_build(const struct ldpc_code *fixed, struct ldpc_entry *entry,
                                  size_t n_entries, struct fecrun_error *err)
{
    struct ldpc_code *c = malloc(sizeof *c);

    if (c) {
        *c = *fixed;
        c->row_first = calloc((size_t)c->rows + 1, sizeof *c->row_first);
        c->edge = calloc(n_entries + 1, sizeof *c->edge);
    }
    if (!c || !c->row_first || !c->edge) {
        ldpc_code_free(c);
        fecrun_no_memory(err);
        return NULL;
    }
    qsort(entry, n_entries, sizeof *entry, compare);
    for (size_t i = 0; i < n_entries; i++) {
        c->edge[i] = entry[i].edge;
        c->row_first[entry[i].row + 1]++;
        if (i && entry[i - 1].row == entry[i].row && entry[i - 1].edge.col == entry[i].edge.col)
            c->twins = true;
    }
    for (uint32_t r = 0; r < c->rows; r++)
        c->row_first[r + 1] += c->row_first[r];
    return c;
}

void ldpc_solution_free(struct ldpc_solution *solution)
{
    if (!solution)
        return;
    free(solution->dense);
    free(solution->mask);
    free(solution->result);
    free(solution->first);
    free(solution->term);
    free(solution);
}

void ldpc_code_free(struct ldpc_code *code)
{
    if (!code)
        return;
    free(code->row_first);
    free(code->edge);
    free(code->place);
    free(code->info);
    ldpc_solution_free(code->solution);
    free(code);
}
