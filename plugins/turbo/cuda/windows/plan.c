/* SPDX-License-Identifier: BSD-2-Clause */
/* How blocks of each size are cut into windows, and the constants of scaling; see plan.h. */
#include "plugins/turbo/cuda/windows/plan.h"

#include <math.h>

/*
 * Windows that are shorter than LEAST_STEPS lose too much; those that are shorter than SHORT_STEPS overlap more.
 * Two blocks of threads share a multiprocessor if windows have up to 64 steps; only for small blocks of bits,
 * some of which cannot be cut that way, longer ones are taken.
 */
enum { SHORT_STEPS = 40, LEAST_STEPS = 32, SHARED_STEPS = 64, BEST_STEPS = 48, SHORT_K = 1024 };

static bool columns_repeat(const struct turbo_qpp *qpp, uint32_t windows)
{
    return 8u * qpp->f2 % windows == 0;
}

/* Threads that have work, less what windows of other lengths than the best one lose. */
static double worth(const struct turbo_qpp *qpp, uint32_t windows, uint32_t threads)
{
    const double steps = (double)qpp->k / windows;
    const double used = (double)(threads / windows * windows) / threads;
    const double whole = qpp->k / windows % WIN_BLOCK ? 0.55 : 1;

    return used * whole * (1 - fabs(steps - BEST_STEPS) / 160);
}

static bool has_room(const struct turbo_qpp *qpp, uint32_t threads, uint32_t windows, size_t shared)
{
    return turbo_windows_lay_out(threads, windows, qpp->k / windows).bytes <= shared;
}

/* The number of windows for so many threads; 0: there is none. */
static uint32_t choose(const struct turbo_qpp *qpp, uint32_t threads, size_t shared)
{
    const bool two = threads == WIN_NARROW && qpp->k > SHORT_K;
    const uint32_t longest = two ? +SHARED_STEPS : +WIN_MOST_STEPS;
    uint32_t windows = 0;
    double best = 0;

    for (uint32_t p = 1; p <= threads; p++) {
        const uint32_t steps = qpp->k / p;

        if (qpp->k % p || steps < LEAST_STEPS || steps > longest || !columns_repeat(qpp, p) ||
            !has_room(qpp, threads, p, shared))
            continue;
        if (worth(qpp, p, threads) > best) {
            best = worth(qpp, p, threads);
            windows = p;
        }
    }
    return windows;
}

/* NULL, or why no kernel does so many windows of blocks of that size. */
static const char *check_windows(const struct turbo_qpp *qpp, uint32_t windows)
{
    if (windows > WIN_WIDE || qpp->k % windows || qpp->k / windows < 8 ||
        qpp->k / windows > WIN_MOST_STEPS)
        return "windows are of 8 to 96 steps, and at most 192 of them";
    if (windows > WIN_NARROW && qpp->k / windows % WIN_BLOCK)
        return "more than 128 windows have to be of 32 steps";
    if (!columns_repeat(qpp, windows))
        return "the interleaver does not keep so many windows apart in the way these kernels need";
    return NULL;
}

const char *turbo_windows_fit(const struct turbo_qpp *qpp, uint32_t windows, uint32_t threads,
                              size_t shared, struct turbo_windows_class *c)
{
    const char *problem = windows ? check_windows(qpp, windows) : NULL;

    if (problem)
        return problem;
    if (windows && (windows > threads || (threads == WIN_WIDE && windows <= WIN_NARROW) ||
                    !has_room(qpp, threads, windows, shared)))
        windows = 0;
    else if (!windows && threads != WIN_WIDE)
        windows = choose(qpp, threads, shared);
    if (!windows)
        return "its windows need more shared memory than a thread block of this device has";
    c->k = qpp->k;
    c->f1 = qpp->f1;
    c->f2 = qpp->f2;
    c->windows = windows;
    c->steps = qpp->k / windows;
    c->threads = threads;
    c->slots = threads / windows;
    return NULL;
}

/*
 * Codes of higher rates tell less with each step: their metrics forget later where they began. Wrong blocks
 * with each of these are in doc/turbo.md.
 */
static const struct {
    double rate;
    uint32_t overlap;
} overlaps[] = {{0.36, 8}, {0.5, 16}, {0.65, 24}, {0.8, 32}};

/* Borders are as old as the last iteration, which of few iterations matters more. */
enum { FEW_ITERATIONS = 5 };

/* Windows of `least` steps or more; false: there are none, or no room for them. */
static bool lengthen(const struct turbo_qpp *qpp, uint32_t least, size_t shared,
                     struct turbo_windows_class *c)
{
    uint32_t windows = c->windows;

    while (windows > 1 &&
           (qpp->k % windows || qpp->k / windows < least || !columns_repeat(qpp, windows)))
        windows--;
    if (qpp->k / windows > WIN_MOST_STEPS || !has_room(qpp, c->threads, windows, shared))
        return false;
    c->windows = windows;
    c->steps = qpp->k / windows;
    c->slots = c->threads / windows;
    return true;
}

void turbo_windows_lengthen(const struct turbo_qpp *qpp, double rate, size_t shared,
                            struct turbo_windows_class *c)
{
    if (rate > 0.9 && c->windows > 1 && lengthen(qpp, WIN_LONGEST_STEPS, shared, c))
        return;
    if (rate > 0.8 && c->windows > 1)
        lengthen(qpp, WIN_LONG_STEPS, shared, c);
}

uint32_t turbo_windows_most_overlap(const struct turbo_windows_class *c, uint32_t overlap)
{
    const uint32_t most = c->steps / WIN_LEAD * WIN_LEAD;

    if (c->windows == 1)
        return 0;
    return overlap < most ? overlap : most;
}

uint32_t turbo_windows_overlap(const struct turbo_windows_class *c, double rate,
                               uint32_t iterations)
{
    const size_t n = sizeof overlaps / sizeof *overlaps;
    size_t i = 0;

    while (i < n && rate > overlaps[i].rate)
        i++;
    i += (c->steps < SHORT_STEPS) + (iterations <= FEW_ITERATIONS);
    return turbo_windows_most_overlap(c, i < n ? overlaps[i].overlap : +WIN_MOST_OVERLAP);
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
