/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/polar/rate/rate.h"

/* Place of bit j of E that are written row by row, T, T - 1, .. 1 in a row, when columns are read. */
static void interleave(uint16_t *order, uint32_t e)
{
    uint16_t from[POLAR_NR_MOST_E];
    uint32_t side = 1, at = 0;

    while (side * (side + 1) / 2 < e)
        side++;
    for (uint32_t j = 0; j < e; j++)
        from[j] = order[j];
    for (uint32_t column = 0; column < side; column++)
        for (uint32_t row = 0, first = 0; row < side - column; first += side - row, row++)
            if (first + column < e)
                order[at++] = from[first + column];
}

int polar_rate_make(struct polar_rate *rate, const struct polar_nr *nr, bool channel_interleave,
                    struct fecrun_error *err)
{
    const uint32_t n = 1u << polar_nr_stages(nr), e = nr->e;
    const bool punctured = e < n && polar_nr_punctures(nr->k, e);

    if (polar_nr_check(nr, err))
        return -1;
    rate->n = n;
    rate->e = e;
    rate->shortened = e < n && !punctured;
    for (uint32_t j = 0; j < e; j++)
        rate->order[j] = (uint16_t)polar_nr_interleaved(n, (punctured ? j + n - e : j) % n);
    if (channel_interleave)
        interleave(rate->order, e);
    return 0;
}

void polar_rate_repeat(struct polar_rate *rate, uint32_t n, uint32_t e)
{
    rate->n = n;
    rate->e = e;
    rate->shortened = false;
    for (uint32_t j = 0; j < e; j++)
        rate->order[j] = (uint16_t)(j % n);
}
