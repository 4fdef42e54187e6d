/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ranges of a point's frames that were done, and what is left to do. Pure arithmetic on frame
 * numbers: no files, no clock.
 *
 * A point's counts are the sum of the chain: ranges that follow each other without gap from frame
 * 0 on and do not pass a stop rule. Ranges are never cut. Where one passes a rule, the frames from
 * its beginning on are run again, with what the rule has left as their limit: that is a second,
 * shorter range of the same beginning, and the chain then ends at the very frame where one
 * undisturbed run does.
 */
#ifndef FECRUN_TOOL_JOURNAL_RANGES_H
#define FECRUN_TOOL_JOURNAL_RANGES_H

#include "run/schedule/schedule.h"

struct range {
    uint64_t first;
    struct run_counts counts; /* counts.frames is its length; rows are the range's own */
    uint64_t last_wrong;      /* number of its last wrong frame, if there is one */
    double seconds;
    size_t file, line; /* where it stands */
};

struct ranges {
    size_t n, room;
    size_t sorted;     /* the first ones of all that are; ranges_settle() sorts the others */
    struct range *all; /* by first, longer ones first */
    uint64_t moved;    /* ranges that sorting has moved so far: for tests */
    uint64_t unit;     /* ranges that others follow are multiples of it: rows of `blocks:`; or 1 */
    size_t n_rows;     /* of counts.rows */
};

/* Adds a copy that owns the rows. Call ranges_settle() before anything else is asked. -1: out of memory. */
int ranges_add(struct ranges *ranges, const struct range *range);
/*
 * Puts what was added in order: n ranges in about n log n steps, however they came. Of ranges with one beginning and
 * length the first that came stays. *a and *b: two of these that do not agree, *b without rows; *a is NULL where all
 * do. -1: out of memory.
 */
int ranges_settle(struct ranges *ranges, const struct range **a, struct range *b);
void ranges_free(struct ranges *ranges);

/* Do both say the same of the same frames? */
bool ranges_agree(const struct ranges *ranges, const struct range *a, const struct range *b);

struct chain {
    struct run_counts counts; /* rows: see ranges_chain */
    double seconds;
    const char *met; /* the rule that holds there: "frame_errors" or "frames"; else NULL */
    uint64_t passed; /* length of a range that begins at the end and passes a rule; else 0 */
};

/* The end of the chain is frame chain->counts.frames. rows: n_rows of them to be filled in, or
   NULL. seconds are no rule here: they are no matter of frames. */
void ranges_chain(const struct ranges *ranges, const struct run_limits *limits,
                  struct run_class *rows, struct chain *chain);

/* Frames that no range has. */
struct gap {
    uint64_t first, end; /* UINT64_MAX: there is nothing behind it */
};

/* The first gap at frame `from` or behind, where `from` is an end of the chain or of a gap. Adds the
   ranges in between to *seen, if that is not NULL. */
struct gap ranges_gap(const struct ranges *ranges, uint64_t from, struct chain *seen);

/*
 * Cells are what shards take turns at: cell k belongs to shard k mod n. All shards know the same
 * ones without a word, for they depend on the pipeline and n alone. They grow: 16 rounds of n cells
 * each, then 16 of twice the size, and so on.
 */
struct cells {
    uint64_t size; /* of the first ones */
    unsigned n;    /* shards */
};

uint64_t cells_first(const struct cells *cells, uint64_t k);
/* The cell that has the frame. */
uint64_t cells_find(const struct cells *cells, uint64_t frame);

#endif
