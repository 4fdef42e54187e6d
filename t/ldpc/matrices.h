/* SPDX-License-Identifier: BSD-2-Clause */
/* What tests with random matrices share. Who includes this has draw() and get(). */
#ifndef T_LDPC_MATRICES_H
#define T_LDPC_MATRICES_H

#include "plugins/ldpc/code/build.h"

static inline void shuffle(uint32_t *x, uint32_t n)
{
    for (uint32_t i = n; i-- > 1;) {
        const uint32_t j = draw(i + 1), y = x[i];

        x[i] = x[j];
        x[j] = y;
    }
}

/* A word in any order, without `missing` of the lifted columns, and information bits anywhere. */
static inline void permute(struct ldpc_code *c, uint32_t missing)
{
    const uint32_t lifted = c->cols * c->z;

    c->place = get(lifted * sizeof *c->place);
    c->info = get(lifted * sizeof *c->info);
    for (uint32_t v = 0; v < lifted; v++)
        c->place[v] = c->info[v] = v;
    shuffle(c->place, lifted);
    shuffle(c->info, lifted);
    c->n = lifted - missing;
}

/* twins: a second circulant in the same place counts as another one. */
static inline bool has_entry(const struct ldpc_entry *entry, size_t n, uint32_t row, uint32_t col,
                             uint32_t shift, bool twins)
{
    for (size_t i = 0; i < n; i++)
        if (entry[i].row == row && entry[i].edge.col == col &&
            (!twins || entry[i].edge.shift == shift))
            return true;
    return false;
}

#endif
