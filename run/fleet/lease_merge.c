/* SPDX-License-Identifier: BSD-2-Clause */
/* What came back, and the stop rules. */
#include "run/fleet/lease_impl.h"

#include <stdlib.h>
#include <string.h>

static void measure(struct lease_queue *queue, struct member *member, uint64_t frames,
                    double seconds)
{
    const double before = member->rate;
    const double rate = (double)frames / (seconds > 1e-6 ? seconds : 1e-6);

    if (!frames)
        return;
    /* a new machine's first lease has its start-up in it: newer ones count more */
    member->rate = before > 0 ? 0.5 * (before + rate) : rate;
    queue->rates += member->rate - before;
    queue->n_rated += !(before > 0);
}

/* Nobody wants what is behind the first k pieces. */
static void drop_behind(struct lease_queue *queue, size_t k)
{
    for (size_t i = queue->begin + k; i < queue->n; i++) {
        struct piece *piece = &queue->pieces[i];
        if (piece->state != DONE)
            queue->frames_out -= piece->frames;
        queue->n_back -= piece->state == BACK;
        free(piece->part.counts.rows);
    }
    queue->n = queue->begin + k;
    queue->pending = (struct run_counts){0};
}

/* Does it go on behind the frame at which the rule is met? */
static bool passes(const struct lease_queue *queue, const struct run_part *part)
{
    const uint64_t left = lease_errors_left(queue);

    return queue->options.limits.frame_errors &&
           (part->counts.frame_errors > left ||
            (part->counts.frame_errors == left &&
             part->last_wrong + 1 != part->first + part->counts.frames));
}

static void take_away(struct run_counts *from, const struct run_counts *counts)
{
    from->frames -= counts->frames;
    from->frame_errors -= counts->frame_errors;
    from->info_bits -= counts->info_bits;
}

static void merge_first(struct lease_queue *queue)
{
    struct piece *piece = &queue->pieces[queue->begin];

    take_away(&queue->pending, &piece->part.counts);
    run_counts_add(&queue->merged, &piece->part.counts, queue->options.n_rows);
    run_part_add(&queue->parts.part, &piece->part, queue->options.n_rows);
    free(piece->part.counts.rows);
    queue->begin++;
}

/* The piece at the front is to be done again, up to the rule; what is behind it was in vain. */
static void do_exactly(struct lease_queue *queue)
{
    struct piece *piece = &queue->pieces[queue->begin];

    free(piece->part.counts.rows);
    piece->part = (struct run_part){0};
    piece->state = BACK;
    queue->n_back++;
    queue->frames_out += piece->frames;
    drop_behind(queue, 1);
    queue->exact = true;
}

static void merge(struct lease_queue *queue)
{
    const struct run_limits *limits = &queue->options.limits;

    while (queue->begin < queue->n && queue->pieces[queue->begin].state == DONE) {
        if (passes(queue, &queue->pieces[queue->begin].part)) {
            do_exactly(queue);
            return;
        }
        merge_first(queue);
        if (limits->frame_errors && !lease_errors_left(queue))
            queue->met = "frame_errors";
        else if (limits->frames && queue->merged.frames >= limits->frames)
            queue->met = "frames";
        if (queue->met) {
            drop_behind(queue, 0);
            return;
        }
    }
}

/* A member stopped early: the rest of its piece is a piece of its own. */
static int split(struct lease_queue *queue, struct piece **piece, uint64_t frames)
{
    const uint64_t first = (*piece)->first;
    struct piece *tail;

    if (lease_room(queue))
        return -1;
    *piece = lease_find(queue, first);
    tail = *piece + 1;
    memmove(tail + 1, tail, (size_t)(queue->pieces + queue->n - tail) * sizeof *tail);
    queue->n++;
    *tail = (struct piece){
        .first = first + frames, .frames = (*piece)->frames - frames, .state = BACK};
    (*piece)->frames = frames;
    queue->n_back++;
    return 0;
}

static int keep(struct lease_queue *queue, struct piece *piece, const struct run_part *part)
{
    const size_t bytes = queue->options.n_rows * sizeof(struct run_class);
    struct run_class *rows = bytes ? malloc(bytes) : NULL;

    if (bytes && !rows)
        return -1;
    if (rows)
        memcpy(rows, part->counts.rows, bytes);
    queue->n_back -= piece->state == BACK;
    queue->frames_out -= piece->frames;
    piece->frames = part->counts.frames;
    piece->state = DONE;
    piece->part = *part;
    piece->part.counts.rows = rows;
    queue->pending.frames += part->counts.frames;
    queue->pending.frame_errors += part->counts.frame_errors;
    queue->pending.info_bits += part->counts.info_bits;
    return 0;
}

/* Frames of the part that can be used: pieces end after whole units, but at a rule. */
static uint64_t usable(const struct lease_queue *queue, const struct piece *piece,
                       const struct run_part *part)
{
    const struct run_limits *limits = &queue->options.limits;
    const uint64_t frames = part->counts.frames;

    if (frames == piece->frames ||
        (limits->frame_errors && part->counts.frame_errors >= lease_errors_left(queue)))
        return frames;
    return frames % queue->options.unit ? 0 : frames;
}

int lease_done(struct lease_queue *queue, unsigned number, double now, uint64_t first,
               const struct run_part *part)
{
    struct piece *piece = lease_find(queue, first);
    uint64_t frames;

    if (piece && piece->state == OUT && piece->member == number && number < queue->n_members)
        measure(queue, &queue->members[number], part->counts.frames, now - piece->since);
    if (queue->met || !piece || piece->state == DONE || part->counts.frames > piece->frames)
        return 1;
    frames = usable(queue, piece, part);
    if (!frames) {
        queue->n_back += piece->state != BACK;
        piece->state = BACK;
        return 0;
    }
    if (frames < piece->frames &&
        !(queue->options.limits.frame_errors &&
          part->counts.frame_errors >= lease_errors_left(queue)) &&
        split(queue, &piece, frames))
        return -1;
    if (keep(queue, piece, part))
        return -1;
    merge(queue);
    return 0;
}

void lease_lost(struct lease_queue *queue, unsigned number)
{
    for (size_t i = queue->begin; i < queue->n; i++)
        if (queue->pieces[i].state == OUT && queue->pieces[i].member == number) {
            queue->pieces[i].state = BACK;
            queue->n_back++;
        }
}
