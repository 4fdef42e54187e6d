/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/journal/ranges.h"

#include "run/schedule/stats.h"

#include <stdlib.h>
#include <string.h>

#define ROUNDS 16 /* of n cells of one size */

/* ---- The set ---- */

static uint64_t end_of(const struct range *range)
{
    return range->first + range->counts.frames;
}

/* Index of the first range that begins at the frame or behind. */
static size_t find(const struct ranges *ranges, uint64_t first)
{
    size_t low = 0, high = ranges->n;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (ranges->all[middle].first < first)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int make_room(struct ranges *ranges)
{
    const size_t room = ranges->room ? 2 * ranges->room : 64;
    struct range *all;

    if (ranges->n < ranges->room)
        return 0;
    all = realloc(ranges->all, room * sizeof *all);
    if (!all)
        return -1;
    ranges->all = all;
    ranges->room = room;
    return 0;
}

int ranges_add(struct ranges *ranges, const struct range *range, const struct range **same)
{
    const size_t bytes = ranges->n_rows * sizeof(struct run_class);
    struct run_class *rows = NULL;
    size_t at = find(ranges, range->first);

    *same = NULL;
    while (at < ranges->n && ranges->all[at].first == range->first &&
           ranges->all[at].counts.frames > range->counts.frames)
        at++;
    if (at < ranges->n && ranges->all[at].first == range->first &&
        ranges->all[at].counts.frames == range->counts.frames) {
        *same = &ranges->all[at];
        return 0;
    }
    if (make_room(ranges) || (bytes && !(rows = malloc(bytes))))
        return -1;
    if (bytes)
        memcpy(rows, range->counts.rows, bytes);
    memmove(ranges->all + at + 1, ranges->all + at, (ranges->n - at) * sizeof *ranges->all);
    ranges->all[at] = *range;
    ranges->all[at].counts.rows = rows;
    ranges->n++;
    return 0;
}

void ranges_free(struct ranges *ranges)
{
    for (size_t i = 0; i < ranges->n; i++)
        free(ranges->all[i].counts.rows);
    free(ranges->all);
    memset(ranges, 0, sizeof *ranges);
}

bool ranges_agree(const struct ranges *ranges, const struct range *a, const struct range *b)
{
    const struct run_counts *x = &a->counts, *y = &b->counts;

    for (size_t k = 0; k < N_COUNTERS; k++) {
        const uint64_t p = x->all[k], q = y->all[k];
        const int how = run_counters[k].how;
        if (p != q && how != COUNT_ANY &&
            !(how == COUNT_SQUARES && (p == STATS_UNKNOWN || q == STATS_UNKNOWN)))
            return false;
    }
    return (!x->frame_errors || a->last_wrong == b->last_wrong) &&
           (!ranges->n_rows || !memcmp(x->rows, y->rows, ranges->n_rows * sizeof *x->rows));
}

/* ---- The chain ---- */

/* What is left of the rules; UINT64_MAX: no such rule. */
struct left {
    uint64_t frames, errors;
};

static bool passes(const struct range *range, const struct left *left)
{
    return range->counts.frames > left->frames || range->counts.frame_errors > left->errors ||
           (range->counts.frame_errors == left->errors && range->last_wrong + 1 != end_of(range));
}

static bool meets(const struct range *range, const struct left *left)
{
    return range->counts.frames == left->frames || range->counts.frame_errors == left->errors;
}

/* The longest one at this place that keeps to the rules. */
static const struct range *next_link(const struct ranges *ranges, const struct left *left,
                                     uint64_t at, uint64_t *passed)
{
    for (size_t i = find(ranges, at); i < ranges->n && ranges->all[i].first == at; i++) {
        const struct range *range = &ranges->all[i];
        if (passes(range, left))
            *passed = range->counts.frames; /* the shortest of them in the end */
        else if (range->counts.frames % ranges->unit == 0 || meets(range, left))
            return range;
    }
    return NULL;
}

void ranges_chain(const struct ranges *ranges, const struct run_limits *limits,
                  struct run_class *rows, struct chain *chain)
{
    const struct range *link;

    *chain = (struct chain){.counts.rows = rows};
    if (rows)
        memset(rows, 0, ranges->n_rows * sizeof *rows);
    do {
        const struct run_counts *counts = &chain->counts;
        const struct left left = {limits->frames ? limits->frames - counts->frames : UINT64_MAX,
                                  limits->frame_errors ? limits->frame_errors - counts->frame_errors
                                                       : UINT64_MAX};
        chain->met = !left.errors ? "frame_errors" : !left.frames ? "frames" : NULL;
        chain->passed = 0;
        link = chain->met ? NULL : next_link(ranges, &left, counts->frames, &chain->passed);
        if (link) {
            run_counts_add(&chain->counts, &link->counts, ranges->n_rows);
            chain->seconds += link->seconds;
        }
    } while (link);
}

struct gap ranges_gap(const struct ranges *ranges, uint64_t from, struct chain *seen)
{
    size_t i = find(ranges, from);

    for (; i < ranges->n; i = find(ranges, from)) {
        const struct range *range = &ranges->all[i];
        /* what is no whole unit ended a chain, and has nothing behind it */
        while (i < ranges->n && range->first == from && range->counts.frames % ranges->unit)
            range = &ranges->all[++i];
        if (i == ranges->n)
            break;
        if (range->first > from)
            return (struct gap){from, range->first};
        if (seen) {
            run_counts_add(&seen->counts, &range->counts, 0);
            seen->seconds += range->seconds;
        }
        from += range->counts.frames;
    }
    return (struct gap){from, UINT64_MAX};
}

/* ---- Cells ---- */

/* Frame that a generation of cells begins with: n ROUNDS size (2^g - 1). */
static uint64_t generation_first(const struct cells *cells, unsigned g)
{
    return cells->size * cells->n * ROUNDS * (((uint64_t)1 << g) - 1);
}

uint64_t cells_first(const struct cells *cells, uint64_t k)
{
    const uint64_t per = (uint64_t)cells->n * ROUNDS;
    const unsigned g = (unsigned)(k / per);

    return generation_first(cells, g) + k % per * (cells->size << g);
}

uint64_t cells_find(const struct cells *cells, uint64_t frame)
{
    unsigned g = 0;

    while (generation_first(cells, g + 1) <= frame)
        g++;
    return (uint64_t)g * cells->n * ROUNDS +
           (frame - generation_first(cells, g)) / (cells->size << g);
}
