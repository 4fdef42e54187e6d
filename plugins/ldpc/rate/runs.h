/* SPDX-License-Identifier: BSD-2-Clause */
/* The bits of one frame in the order of sending, cut into runs of neighbours in the word. */
#ifndef LDPC_RATE_RUNS_H
#define LDPC_RATE_RUNS_H

#include "plugins/ldpc/rate/rate.h"

struct rate_run {
    uint32_t item;  /* of the word, the first of the run; the others follow it */
    uint32_t place; /* of the first one in what is sent; the others follow, qm apart */
    uint32_t length;
    uint32_t rank; /* of the next run; row and column of the interleaver */
    uint32_t row, column;
};

static inline struct rate_run rate_run_first(const struct ldpc_rate *r)
{
    return (struct rate_run){.rank = r->first};
}

/* False: there are no more. */
static inline bool rate_run_next(const struct ldpc_rate *r, struct rate_run *run)
{
    uint32_t end = run->rank < r->fill_begin && r->fill_begin < r->sent ? r->fill_begin : r->sent;
    uint32_t left = r->columns - run->column;

    if (run->row == r->qm)
        return false;
    run->item = ldpc_rate_item(r, run->rank);
    run->place = run->column * r->qm + run->row;
    run->length = end - run->rank < left ? end - run->rank : left;
    run->rank += run->length;
    run->column += run->length;
    if (run->rank == r->sent)
        run->rank = 0;
    if (run->column == r->columns) {
        run->column = 0;
        run->row++;
    }
    return true;
}

#endif
