/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The path of the factor of normalised min-sum from its first to its last value. doc/ldpc.md has
 * the reasons.
 */
#include <math.h>

#include "plugins/ldpc/decode.h"

/*
 * Easy words are done after a few iterations, however many there may be; hard ones need a factor that rises slowly.
 * So with `quick` the first QUICK iterations go from quick_first to quick_last, and the others go on from there to
 * slow_last. Where there are so few iterations that equal steps from 0 to 1 are above that, they hold.
 */
enum { QUICK = 4 };
static const double quick_first = 0.1, quick_last = 0.4, slow_last = 0.8;

static double line(double from, double to, double i, double steps)
{
    return steps > 0 ? from + (to - from) * i / steps : from;
}

double ldpc_alpha_path(const struct ldpc_decode *d, uint32_t i)
{
    const double last = d->iterations - 1.0, equal = line(0, 1, i, last);

    if (!d->quick)
        return equal;
    if (i < QUICK)
        return fmax(equal, line(quick_first, quick_last, i, QUICK - 1));
    return fmax(equal, line(quick_last, slow_last, i - (QUICK - 1.0), last - (QUICK - 1)));
}
