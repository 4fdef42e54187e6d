/* SPDX-License-Identifier: BSD-2-Clause */
/* Sizes and order of turbo rate matching, TS 36.212 5.1.4.1.2. */
#include "plugins/turbo/rate/rate.h"

#include <fecrun/sdk/params.h>

static int check(const struct turbo_rate_params *p, struct fecrun_error *err)
{
    if (p->rv > 3)
        return fecrun_fail(err, "rv", "is %u; there are redundancy versions 0 to 3", p->rv);
    if (p->e < 1 || p->e > TURBO_MAX_E)
        return fecrun_fail(err, "e", "is %u; 1 to %u bits can be sent", p->e, TURBO_MAX_E);
    if (p->ncb > turbo_buffer(p->k))
        return fecrun_fail(err, "ncb",
                           "is %u; the circular buffer of a block of %u bits has Kw = "
                           "%u places, dummies included",
                           p->ncb, p->k, turbo_buffer(p->k));
    return 0;
}

int turbo_rate_make(struct turbo_rate *rate, uint16_t *order, const struct turbo_rate_params *p,
                    struct fecrun_error *err)
{
    const uint32_t rows = turbo_rows(p->k), ncb = p->ncb ? p->ncb : turbo_buffer(p->k);
    uint32_t k0;

    if (check(p, err))
        return -1;
    *rate = (struct turbo_rate){
        .k = p->k, .fillers = p->fillers, .n = turbo_word(p->k), .ncb = ncb, .e = p->e};
    k0 = rows * (2 * ((ncb + 8 * rows - 1) / (8 * rows)) * p->rv + 2) % ncb;
    for (uint32_t x = 0; x < ncb; x++) {
        const uint32_t item = turbo_buffer_item(p->k, x);

        if (x == k0)
            rate->first = rate->sent;
        if (item != TURBO_DUMMY && !turbo_rate_is_filler(rate, item))
            order[rate->sent++] = (uint16_t)item;
    }
    if (!rate->sent)
        return fecrun_fail(err, "ncb",
                           "is %u; so many places of the circular buffer hold no bit "
                           "that could be sent, only dummies and fillers",
                           ncb);
    rate->first %= rate->sent;
    return 0;
}

void turbo_recover_make(struct turbo_recover *c)
{
    const struct turbo_rate *r = &c->rate;
    uint32_t rank = r->first;

    c->most = (uint16_t)(r->e < r->sent ? r->e : r->sent);
    for (uint32_t i = 0; i < r->n; i++)
        c->place[i] = c->most;
    for (uint32_t j = 0; j < c->most; j++) {
        c->place[c->order[rank]] = (uint16_t)j;
        rank = rank + 1 == r->sent ? 0 : rank + 1;
    }
}
