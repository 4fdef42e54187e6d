/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One point's frames, given out in pieces to members that are faster, slower or gone: devices of this
 * process, processes of other machines. Pure arithmetic on frame numbers and on times that the caller
 * tells; it knows no devices, no threads and no messages.
 *
 * A lease is a range of frames. What comes back is merged in frame order alone, and the stop rules
 * act on what is merged: the counts are those of one worker, whoever did what, in whatever order.
 * Where a piece passes a rule, its frames are leased once more with what the rule has left as their
 * limit, so that it ends at the very frame.
 *
 *   - Leases are in order, small at first and then about lease_options.seconds long for the member
 *     that takes them, so that unequal ones share.
 *   - No more frames are out than the frame errors that are still missing are expected to need, and
 *     no lease is more than a member's part of that: when the rule is met, little was in vain.
 *   - What a member gave back, or has had for more than five times as long as it should need, goes to
 *     the next who asks. The first result of a piece counts.
 *
 * Not for several threads at once.
 */
#ifndef FECRUN_RUN_FLEET_LEASE_H
#define FECRUN_RUN_FLEET_LEASE_H

#include "run/schedule/schedule.h"

struct lease_queue;

struct lease_options {
    struct run_limits limits; /* of frames from `first` on; seconds are the caller's matter */
    uint64_t first;
    uint64_t unit;  /* leases are multiples of it, but for the last one: rows of `blocks:`; or 1 */
    uint64_t least; /* frames of a member's first lease */
    double seconds; /* that a lease should take */
    uint64_t most;  /* frames of a lease; 0: no limit */
    uint64_t ahead; /* no lease begins so many frames behind the first that the caller has not done
                       with (lease_used()), or further; 0: no limit */
    size_t n_rows;  /* of counts.rows */
};

struct lease {
    uint64_t first;           /* also its name */
    struct run_limits limits; /* frames, and frame errors from which on nobody wants more of it */
    uint64_t behind;          /* frames behind it up to the end of all; UINT64_MAX: not known */
};

enum lease_answer {
    LEASE_WORK,
    LEASE_WAIT, /* nothing now: ask again after the next result, or after a while */
    LEASE_OVER, /* a rule is met */
};

/* NULL: out of memory. */
struct lease_queue *lease_open(const struct lease_options *options);
void lease_close(struct lease_queue *queue);

/* Members are numbers, from 0 on, of whom nothing need be said before; now: seconds of any clock that
   does not run backwards. -1: out of memory. */
int lease_take(struct lease_queue *queue, unsigned member, double now, struct lease *lease);

/* Bytes that come with what was done, such as samples for a sink. */
struct lease_data {
    char *bytes;
    size_t n, room;
};

/*
 * What a member has done of a lease: from its beginning on, and less than the whole where it was told
 * to stop. rows are copied; data, which may be NULL, is empty afterwards if it was kept for lease_next(). 0: taken; 1: nobody wanted it any more (somebody else was faster, or a
 * rule was met before it); -1: out of memory.
 */
int lease_done(struct lease_queue *queue, unsigned member, double now, uint64_t first,
               const struct run_part *part, struct lease_data *data);

/* Frames that are merged, and the bytes that came with them. */
struct lease_part {
    uint64_t first, frames;
    struct lease_data data;
};
/* Has lease_next() one? */
bool lease_waits(const struct lease_queue *queue);
/* In frame order, each once; it is the caller's then. false: there is none now. */
bool lease_next(struct lease_queue *queue, struct lease_part *part);

/* The member is gone: its leases are for others. */
void lease_lost(struct lease_queue *queue, unsigned member);

/* With options.ahead: the caller has done with all frames before this one, which are merged. What is
   merged may still wait for him: for a sink that is slower than who decodes. */
void lease_used(struct lease_queue *queue, uint64_t frame);

/* Is this lease worth going on with? */
bool lease_wanted(const struct lease_queue *queue, uint64_t first);

/* Returns what was merged; its rows are the caller's from then on. */
struct run_counts lease_take_counts(struct lease_queue *queue);
/* The rule that the merged frames meet: "frame_errors", "frames", or NULL. */
const char *lease_met(const struct lease_queue *queue);
/* And what else is known of frames behind it. */
void lease_seen(const struct lease_queue *queue, struct run_counts *seen);

/* What was merged, in parts that the caller ends by run_parts_cut(); seconds are the members'. */
struct run_parts *lease_parts(struct lease_queue *queue);

#endif
