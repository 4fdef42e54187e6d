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

static struct range *grow(struct ranges *ranges, size_t n)
{
    struct range *all;
    size_t room = ranges->room ? ranges->room : 64;

    if (n <= ranges->room)
        return ranges->all;
    while (room < n)
        room *= 2;
    all = realloc(ranges->all, room * sizeof *all);
    if (!all)
        return NULL;
    ranges->all = all;
    ranges->room = room;
    return all;
}

static int order(const struct range *a, const struct range *b)
{
    if (a->first != b->first)
        return a->first < b->first ? -1 : 1;
    return (a->counts.frames < b->counts.frames) - (a->counts.frames > b->counts.frames);
}

static int order_of_lines(const void *x, const void *y)
{
    const struct range *a = x, *b = y;
    const int by_frames = order(a, b);

    if (by_frames)
        return by_frames;
    return a->file != b->file ? (a->file > b->file) - (a->file < b->file)
                              : (a->line > b->line) - (a->line < b->line);
}

int ranges_add(struct ranges *ranges, const struct range *range)
{
    const size_t bytes = ranges->n_rows * sizeof(struct run_class);
    struct run_class *rows = NULL;

    if (!grow(ranges, ranges->n + 1) || (bytes && !(rows = malloc(bytes))))
        return -1;
    if (bytes)
        memcpy(rows, range->counts.rows, bytes);
    ranges->all[ranges->n] = *range;
    ranges->all[ranges->n++].counts.rows = rows;
    return 0;
}

/* Moves the largest to the end, one after the other, until no new one is left. *from: those before stay in place. */
static int merge(struct ranges *ranges, size_t *from)
{
    const size_t n_new = ranges->n - ranges->sorted;
    struct range *added = malloc(n_new * sizeof *added);
    size_t old = ranges->sorted, left = n_new;

    if (!added)
        return -1;
    memcpy(added, ranges->all + old, n_new * sizeof *added);
    qsort(added, n_new, sizeof *added, order_of_lines);
    for (size_t to = ranges->n; left; ranges->moved++) {
        const bool is_old = old && order(&ranges->all[old - 1], &added[left - 1]) > 0;
        ranges->all[--to] = is_old ? ranges->all[--old] : added[--left];
    }
    free(added);
    *from = old;
    return 0;
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

/* Keeps one of each, in those from a place on. */
static void drop_same(struct ranges *ranges, size_t from, const struct range **a, struct range *b)
{
    size_t n = from;

    for (size_t i = from; i < ranges->n; i++) {
        struct range *range = &ranges->all[i], *last = n ? &ranges->all[n - 1] : NULL;
        if (!last || order(last, range)) {
            ranges->all[n++] = *range;
        } else {
            if (!*a && !ranges_agree(ranges, last, range)) {
                *a = last;
                *b = *range;
                b->counts.rows = NULL;
            }
            free(range->counts.rows);
        }
    }
    ranges->n = n;
}

int ranges_settle(struct ranges *ranges, const struct range **a, struct range *b)
{
    size_t from;

    *a = NULL;
    if (ranges->sorted == ranges->n)
        return 0;
    if (merge(ranges, &from))
        return -1;
    drop_same(ranges, from, a, b);
    ranges->sorted = ranges->n;
    return 0;
}

void ranges_free(struct ranges *ranges)
{
    for (size_t i = 0; i < ranges->n; i++)
        free(ranges->all[i].counts.rows);
    free(ranges->all);
    memset(ranges, 0, sizeof *ranges);
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
