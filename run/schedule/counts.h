/* SPDX-License-Identifier: BSD-2-Clause */
/* The counters of a point's frames. */
#ifndef FECRUN_RUN_SCHEDULE_COUNTS_H
#define FECRUN_RUN_SCHEDULE_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct run_class {
    uint64_t frames, bits, bit_errors, frame_errors;
};

/*
 * All counters: a new one is a line here, and one of count.c where it is counted. X(name, how, kept, extra): how those
 * of two parts make one; its name in a journal's lines, which have them in this order, or NULL; extra: results have it,
 * by its name, only where it is not 0.
 */
#define RUN_COUNTERS(X) \
    X(frames, SUM, NULL, false) \
    X(bits, SUM, "bits", false)           /* that the sink compares; info_bits if it does not: */ \
    X(info_bits, SUM, "info_bits", false) /* what speeds are of */ \
    X(bit_errors, SUM, "bit_errors", false) \
    X(frame_errors, SUM, "frame_errors", false) \
    X(failed, SUM, "failed", false)         /* flagged bad by a check */ \
    X(undetected, SUM, "undetected", false) /* bit errors in a frame that a check let pass */ \
    /* Of the smallest pieces that frames were split into; the frames themselves where none were. */ \
    X(blocks, SUM, "blocks", false) \
    X(block_errors, SUM, "block_errors", false) \
    X(iterations, SUM, "iterations", false) \
    X(iterations_max, MOST, "iterations_max", false) \
    X(squares, SQUARES, "squares", false) /* of frames' bit errors: see stats_add_squares() */ \
    /* Was a frame, or a block? 0 or 1. */ \
    X(counted, ANY, "counted", false) \
    X(checked, ANY, "checked", false) \
    X(blocks_judged, ANY, "judged", false) /* counted or checked; else block_errors is 0 */ \
    /* Items that end the source's stream inside a step, which nobody got. */ \
    X(left_over, SUM, NULL, true)

#define RUN_NUMBER(name, how, kept, extra) RUN_##name,
enum { RUN_COUNTERS(RUN_NUMBER) N_COUNTERS };

#define RUN_FIELD(name, how, kept, extra) uint64_t name;
struct run_counts {
    union {
        struct {
            RUN_COUNTERS(RUN_FIELD)
        };
        uint64_t all[N_COUNTERS];
    };
    struct run_class *rows; /* one a row of blocks; NULL without blocks */
};

struct run_counter {
    const char *name, *kept;
    enum { COUNT_SUM, COUNT_SQUARES, COUNT_MOST, COUNT_ANY } how;
    bool extra;
};
extern const struct run_counter run_counters[N_COUNTERS];

/* Adds what was counted of other frames; rows may be NULL. */
void run_counts_add(struct run_counts *to, const struct run_counts *counts, size_t n_rows);

#define RUN_PLACES 16

/* Frames without gap and what was counted of them: a point's counts are the sums of its parts. */
struct run_part {
    uint64_t first;           /* number of its first frame */
    struct run_counts counts; /* of the part alone; rows are gone after the call */
    double seconds;
    unsigned n_places;
    uint64_t
        places[RUN_PLACES]; /* numbers of its first wrong frames, as many as there is room for */
    uint64_t last_wrong;    /* if there is one */
};

/* Adds the part that follows. */
void run_part_add(struct run_part *to, const struct run_part *part, size_t n_rows);

/* One part after the other, of what comes in smaller ones. */
struct run_parts {
    struct run_part part; /* the present one */
    size_t n_rows;
    struct run_class *rows; /* twice as many: the present part's, and those of the one before */
};

/* first: frame that the first part begins with. -1: out of memory. */
int run_parts_begin(struct run_parts *parts, uint64_t first, size_t n_rows);
/* Ends the present part. Its rows are valid until the next call. false: it has no frames. */
bool run_parts_cut(struct run_parts *parts, struct run_part *part);
void run_parts_free(struct run_parts *parts);

#endif
