/* SPDX-License-Identifier: BSD-2-Clause */
/* How blocks of each size are cut into windows, and the constants of scaling; see windows.h. */
#include "plugins/turbo/cuda/windows.h"

#include <math.h>

/*
 * Windows that are shorter lose too much. Two blocks of threads share a multiprocessor if windows
 * have up to 64 steps; only for small blocks of bits, some of which cannot be cut that way, longer
 * ones are taken.
 */
enum { LEAST_STEPS = 32, SHARED_STEPS = 64, BEST_STEPS = 48, SHORT_K = 1024 };

static bool columns_repeat(const struct turbo_qpp *qpp, uint32_t windows)
{
    return 8u * qpp->f2 % windows == 0;
}

/* Threads that have work, less what windows of other lengths than the best one lose. */
static double worth(const struct turbo_qpp *qpp, uint32_t windows)
{
    const double steps = (double)qpp->k / windows;
    const double used = (double)(WIN_NARROW / windows * windows) / WIN_NARROW;
    const double whole = qpp->k / windows % WIN_BLOCK ? 0.55 : 1;

    return used * whole * (1 - fabs(steps - BEST_STEPS) / 160);
}

const char *turbo_windows_fit(const struct turbo_qpp *qpp, uint32_t windows,
                              struct turbo_windows_class *c)
{
    const bool wide = windows > WIN_NARROW;
    const uint32_t longest = qpp->k > SHORT_K ? +SHARED_STEPS : +WIN_MOST_STEPS;
    double best = 0;

    if (windows && (windows > WIN_WIDE || qpp->k % windows || qpp->k / windows < 8 ||
                    qpp->k / windows > WIN_MOST_STEPS))
        return "windows are of 8 to 96 steps, and at most 192 of them";
    if (wide && qpp->k / windows % WIN_BLOCK)
        return "more than 128 windows have to be of 32 steps";
    if (windows && !columns_repeat(qpp, windows))
        return "the interleaver does not keep so many windows apart in the way these kernels need";
    for (uint32_t p = 1; p <= WIN_NARROW && !windows; p++) {
        const uint32_t steps = qpp->k / p;

        if (qpp->k % p || steps < LEAST_STEPS || steps > longest || !columns_repeat(qpp, p))
            continue;
        if (worth(qpp, p) > best) {
            best = worth(qpp, p);
            c->windows = p;
        }
    }
    if (windows)
        c->windows = windows;
    else if (best == 0)
        return "there are no windows of the right length for this size";
    c->k = qpp->k;
    c->f1 = qpp->f1;
    c->f2 = qpp->f2;
    c->steps = qpp->k / c->windows;
    c->threads = wide ? WIN_WIDE : WIN_NARROW;
    c->slots = c->threads / c->windows;
    return NULL;
}

/* Codes of higher rates tell less with each step. */
uint32_t turbo_windows_overlap(const struct turbo_windows_class *c, double rate)
{
    const uint32_t overlap = rate > 0.45 && c->steps >= WIN_MOST_OVERLAP ? +WIN_MOST_OVERLAP
                                                                         : +WIN_LEAD;

    return c->windows > 1 ? overlap : 0;
}

/* ---- scaling
   ----------------------------------------------------------------------------------- */

/* Bits of the half nearest to x, 2^-14 <= x < 65504. */
static uint32_t half_bits(double x)
{
    int exponent;
    const double fraction = frexp(x, &exponent); /* from 1/2 to 1 */

    return (uint32_t)((exponent + 13) * 1024 + (int)lrint((fraction * 2 - 1) * 1024) + 1024);
}

static double half_value(uint32_t bits)
{
    return ldexp(1024 + bits % 1024, (int)(bits / 1024) - 25);
}

/*
 * A priori LLRs are made of an LLR of the input plus 128 and of an extrinsic LLR plus its limit,
 * times the factor. The limit times the factor should be an integer, so that both signs are rounded
 * alike.
 */
void turbo_windows_scale(double scale, double units, struct turbo_windows_job *job)
{
    const uint32_t bits = half_bits(scale);
    const double factor = half_value(bits);
    uint32_t most = (uint32_t)(383 / factor), best;

    most = most > 511 ? 511 : most;
    best = most;
    for (uint32_t limit = most; limit + 16 > most; limit--)
        if (fabs(limit * factor - rint(limit * factor)) <
            fabs(best * factor - rint(best * factor)) - 1e-9)
            best = limit;
    job->unit = (float)(1.4426950408889634 / units);
    job->scale = (float)scale;
    job->limit = best * 0x10001u;
    job->factor = bits * 0x10001u;
    job->bias = (128 + (uint32_t)lrint(best * factor)) * 0x10001u;
}
