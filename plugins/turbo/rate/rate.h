/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rate matching of the turbo code, TS 36.212 5.1.4.1: which item of the word stands where in what is
 * sent.
 *
 * The sub-block interleavers put the word d0 d1 d2 into a circular buffer w of Kw places, together
 * with dummies (code/subblock.h). Of its first Ncb places those that hold neither a dummy nor a
 * filler (one of the first F items of d0 and d1; d2 has none) have ranks 0..sent-1. Bit j of the e
 * bits that are sent has rank (first + j) mod sent, where `first` is the rank of the first such place
 * from k0 = R (2 ceil(Ncb / 8R) rv + 2) on.
 */
#ifndef TURBO_RATE_RATE_H
#define TURBO_RATE_RATE_H

#include <fecrun/plugin.h>
#include <stdbool.h>

#include "plugins/common/recover/recover.h"
#include "plugins/turbo/code/subblock.h"

#define TURBO_MAX_E (1u << 28)

enum { TURBO_MOST_PLACES = TURBO_STREAMS * (TURBO_MOST_K + 32) }; /* Kw of the largest block */

/* Plain numbers. */
struct turbo_rate {
    uint32_t k, fillers;
    uint32_t n;     /* items of the word, 3 (k + 4) */
    uint32_t ncb;   /* Ncb, 1..Kw */
    uint32_t sent;  /* places of the buffer that can be sent; 1 at least */
    uint32_t first; /* rank of the first bit that is sent, 0..sent-1 */
    uint32_t e;     /* items that are sent, 1..TURBO_MAX_E */
};

/* What the parameters of both stages say; ncb 0: Kw. */
struct turbo_rate_params {
    uint32_t k, fillers, e, rv, ncb;
};

/*
 * k is one of the table; fillers may be more than a stage takes. Fills order[] (TURBO_MOST_PLACES)
 * with the items of ranks 0..sent-1. -1 and a reason which names the parameter at fault.
 */
int turbo_rate_make(struct turbo_rate *rate, uint16_t *order,
                    const struct turbo_rate_params *params, struct fecrun_error *err);

/* Fillers of the word: known zeros. */
TURBO_FN int turbo_rate_is_filler(const struct turbo_rate *r, uint32_t item)
{
    return item % (r->k + 4) < r->fillers && item < turbo_item(r->k, 2, 0);
}

/* Code object of turbo.rate_match. */
struct turbo_match {
    struct turbo_rate rate;
    uint16_t order[TURBO_MOST_PLACES];
};

/*
 * Code object of turbo.rate_recover. Item i of the output is, as a sum in double,
 *
 *     clean(harq_in[i]) + clean(LLR of bit j) for each j that item i was sent as, j ascending
 *
 * clamped to +-limit in the end; where i is a filler, it is the limit instead. clean() reads no
 * number as 0 and ends magnitudes at the limit.
 */
struct turbo_recover {
    struct recover common;
    struct turbo_rate rate;
    uint16_t order[TURBO_MOST_PLACES];
    uint16_t
        place[TURBO_STREAMS * (TURBO_MOST_K + 4)]; /* first bit j of item i; most: never sent */
    uint16_t most;                                 /* min(e, sent) */
};

/* c->place and c->most, of c->rate and c->order. */
void turbo_recover_make(struct turbo_recover *c);

#endif
