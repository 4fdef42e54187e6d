/* SPDX-License-Identifier: BSD-2-Clause */
#include <fecrun/sdk/params.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/polar/cuda/rate/launch.h"
#include "plugins/polar/cuda/rate/thread.h"
#include "plugins/polar/rate_recover.h"

static struct polar_rate_class *allocate(uint32_t n, size_t items, size_t *bytes,
                                         struct fecrun_error *err)
{
    struct polar_rate_class *classes;

    *bytes = n * sizeof *classes + items * sizeof(uint16_t);
    classes = calloc(1, *bytes);
    if (!classes)
        fecrun_no_memory(err);
    return classes;
}

struct polar_rate_class *polar_match_tables(void *const *codes, uint32_t n, size_t *bytes,
                                            struct fecrun_error *err)
{
    struct polar_rate_class *classes;
    uint32_t items = 0;

    for (uint32_t i = 0; i < n; i++)
        items += ((const struct polar_rate *)codes[i])->e;
    classes = allocate(n, items, bytes, err);
    items = 0;
    for (uint32_t i = 0; i < n && classes; i++) {
        const struct polar_rate *rate = codes[i];

        classes[i] = (struct polar_rate_class){.n = rate->n, .e = rate->e, .table = items};
        memcpy((uint16_t *)(void *)(classes + n) + items, rate->order,
               rate->e * sizeof *rate->order);
        items += rate->e;
    }
    return classes;
}

/* Lists the places at which each bit is sent, in ascending order, by a counting sort. */
static void fill_places(const struct polar_rate *rate, uint16_t *table)
{
    uint16_t *first = table + rate->e, next[POLAR_NR_MOST_N];

    for (uint32_t j = 0; j < rate->e; j++)
        first[rate->order[j] + 1]++;
    for (uint32_t i = 0; i < rate->n; i++)
        first[i + 1] = (uint16_t)(first[i + 1] + first[i]);
    memcpy(next, first, rate->n * sizeof *next);
    for (uint32_t j = 0; j < rate->e; j++)
        table[next[rate->order[j]]++] = (uint16_t)j;
}

struct polar_rate_class *polar_recover_tables(void *const *codes, uint32_t n, size_t *bytes,
                                              struct fecrun_error *err)
{
    struct polar_rate_class *classes;
    uint32_t items = 0;

    for (uint32_t i = 0; i < n; i++) {
        const struct polar_rate *rate = &((const struct polar_recover *)codes[i])->rate;

        items += rate->e + rate->n + 1;
    }
    classes = allocate(n, items, bytes, err);
    items = 0;
    for (uint32_t i = 0; i < n && classes; i++) {
        const struct polar_recover *recover = codes[i];
        const struct polar_rate *rate = &recover->rate;
        const int32_t limit = (int32_t)recover->common.limit;

        classes[i] = (struct polar_rate_class){.n = rate->n,
                                               .e = rate->e,
                                               .table = items,
                                               .limit = limit,
                                               .unsent = rate->shortened ? limit : 0};
        fill_places(rate, (uint16_t *)(void *)(classes + n) + items);
        items += rate->e + rate->n + 1;
    }
    return classes;
}
