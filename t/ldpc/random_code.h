/* SPDX-License-Identifier: BSD-2-Clause */
/* Codes out of the air, for tests of decoders that take any. */
#ifndef T_LDPC_RANDOM_CODE_H
#define T_LDPC_RANDOM_CODE_H

#include "t/ldpc/codes.h"

/* One or more edges to a column, in the order of their shifts. Returns how many. */
static inline uint32_t random_edges(struct ldpc_edge *edge, uint32_t col, uint32_t z, bool twins)
{
    const uint32_t most = twins && draw(3) == 0 ? 2 + draw(2) : 1;
    uint32_t n = 0;

    for (uint32_t tries = 0; n < most && tries < 20; tries++) {
        const uint32_t shift = n && draw(2) ? (edge->shift + 1 + draw(20)) % z : draw(z);
        uint32_t at = 0;

        while (at < n && edge[at].shift < shift)
            at++;
        if (at < n && edge[at].shift == shift)
            continue;
        memmove(edge + at + 1, edge + at, (n - at) * sizeof *edge);
        edge[at] = (struct ldpc_edge){col, shift, LDPC_NO_LANE};
        n++;
    }
    if (twins && n == 1 && draw(20) == 0)
        edge->skip = draw(z);
    return n;
}

/*
 * Rows of 1 to `longest` edges to different columns; every other row has a column of its own as its
 * last one, as the extension of NR has. twins: and more edges to the same columns, and some that a lane does not have.
 */
static inline struct ldpc_code *random_code(uint32_t z, uint32_t rows, uint32_t longest, bool twins)
{
    const uint32_t shared = longest + 3, cols = shared + rows;
    struct ldpc_code *c = get(sizeof *c);
    uint32_t n = 0;

    *c = (struct ldpc_code){.family = LDPC_QC,
                            .z = z,
                            .rows = rows,
                            .cols = cols,
                            .core_rows = 1 + draw(rows),
                            .twins = twins,
                            .k = shared * z,
                            .n = cols * z};
    c->row_first = get((rows + 1) * sizeof *c->row_first);
    c->edge = get((size_t)rows * (3 * longest + 1) * sizeof *c->edge);
    for (uint32_t r = 0; r < rows; r++) {
        uint32_t degree = r < 2 ? longest : 1 + draw(longest), left = degree;

        c->row_first[r] = n;
        for (uint32_t col = 0; left; col++)
            if (draw(shared - col) < left) {
                n += random_edges(c->edge + n, col, z, twins);
                left--;
            }
        if (r % 2)
            c->edge[n++] = (struct ldpc_edge){shared + r, 0, LDPC_NO_LANE};
    }
    c->row_first[rows] = n;
    return c;
}

static inline void random_code_free(struct ldpc_code *c)
{
    free(c->row_first);
    free(c->edge);
    free(c);
}

#endif
