/* SPDX-License-Identifier: BSD-2-Clause */
#include "run/fleet/lease_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GROWTH 4    /* of a member's leases, from one to the next, at most */
#define SHARE 2     /* a lease is at most this part of a member's part of the expected rest */
#define LEAST 0.01  /* of the seconds of a lease: shorter ones cost more to hand out than to do */
#define LATE 5      /* times its estimate: then others may do it, too */
#define SOONEST 1.0 /* seconds; but never before. */
#define SETTLE 5.0  /* the same of a member that was never heard of: it may still be starting */

struct lease_queue *lease_open(const struct lease_options *options)
{
    struct lease_queue *queue = calloc(1, sizeof *queue);
    const size_t n = options->n_rows;

    if (!queue)
        return NULL;
    queue->options = *options;
    queue->next = queue->used = options->first;
    queue->late_at = INFINITY;
    queue->merged.rows = n ? calloc(n, sizeof *queue->merged.rows) : NULL;
    if (!run_parts_begin(&queue->parts, options->first, n) && (!n || queue->merged.rows))
        return queue;
    lease_close(queue);
    return NULL;
}

/* What came of it. */
static void clear(struct piece *piece)
{
    free(piece->part.counts.rows);
    free(piece->data.bytes);
    piece->part = (struct run_part){0};
    piece->data = (struct lease_data){0};
}

void lease_close(struct lease_queue *queue)
{
    if (!queue)
        return;
    for (size_t i = queue->taken; i < queue->n; i++)
        clear(&queue->pieces[i]);
    free(queue->pieces);
    free(queue->members);
    free(queue->merged.rows);
    run_parts_free(&queue->parts);
    free(queue);
}

/* ---- Members ---- */

static struct member *member_of(struct lease_queue *queue, unsigned number)
{
    if (number >= queue->n_members) {
        const size_t n = 2 * (size_t)number + 8;
        struct member *members = realloc(queue->members, n * sizeof *members);
        if (!members)
            return NULL;
        memset(members + queue->n_members, 0, (n - queue->n_members) * sizeof *members);
        queue->members = members;
        queue->n_members = n;
    }
    return &queue->members[number];
}

/* ---- Pieces ---- */

static uint64_t errors_left(const struct lease_queue *queue)
{
    return queue->options.limits.frame_errors - queue->merged.frame_errors;
}

/* The piece with that first frame, not merged yet; NULL: there is none. */
static struct piece *find(const struct lease_queue *queue, uint64_t first)
{
    size_t low = queue->begin, high = queue->n;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (queue->pieces[middle].first < first)
            low = middle + 1;
        else
            high = middle;
    }
    return low < queue->n && queue->pieces[low].first == first ? &queue->pieces[low] : NULL;
}

/* Room for one more piece, the places of those that are gone first; all others may move. -1: out of memory. */
static int make_room(struct lease_queue *queue)
{
    const size_t n = queue->n - queue->taken;

    if (queue->n < queue->room)
        return 0;
    if (2 * n >= queue->room) {
        const size_t room = queue->room ? 2 * queue->room : 64;
        struct piece *pieces = realloc(queue->pieces, room * sizeof *pieces);
        if (!pieces)
            return -1;
        queue->pieces = pieces;
        queue->room = room;
    }
    memmove(queue->pieces, queue->pieces + queue->taken, n * sizeof *queue->pieces);
    queue->begin -= queue->taken;
    queue->taken = 0;
    queue->n = n;
    return 0;
}

/* ---- How much, and who ---- */

/*
 * Frames that the rules are expected to need beyond those that are done: the errors that are missing
 * over the rate of those that are known, as if one more frame had been seen, a wrong one.
 */
static double rest(const struct lease_queue *queue)
{
    const struct run_limits *limits = &queue->options.limits;
    const uint64_t errors = queue->merged.frame_errors + queue->pending.frame_errors;
    const uint64_t frames = queue->merged.frames + queue->pending.frames;
    double most = INFINITY;

    if (limits->frames)
        most = (double)(limits->frames - (queue->next - queue->options.first) + queue->frames_out);
    if (!limits->frame_errors)
        return most;
    if (errors >= limits->frame_errors)
        return 0;
    return fmin(most, (double)(limits->frame_errors - errors) * (double)(frames + 1) /
                          (double)(errors + 1));
}

static uint64_t size_for(const struct lease_queue *queue, const struct member *member, double rest)
{
    const struct lease_options *options = &queue->options;
    const uint64_t begun = queue->next - options->first;
    double size = (double)options->least,
           part = (rest - (double)queue->frames_out) / (double)(SHARE * queue->n_active);
    uint64_t frames;

    if (member->rate > 0) {
        size = fmin(member->rate * options->seconds, (double)member->last * GROWTH);
        part = fmax(part, member->rate * options->seconds * LEAST);
    }
    size = fmin(size, fmax(part, (double)options->least / GROWTH));
    frames = size < 0x1p40 ? (uint64_t)size : (uint64_t)1 << 40;
    if (options->most && frames > options->most)
        frames = options->most;
    frames -= frames % options->unit;
    if (!frames)
        frames = options->unit;
    if (options->limits.frames && frames > options->limits.frames - begun)
        frames = options->limits.frames - begun;
    return frames;
}

/* A member that was never heard of is thought to be like the others, and to start slowly. */
static double late(const struct lease_queue *queue, const struct member *member, uint64_t frames)
{
    const double rate = member->rate > 0 ? member->rate
                        : queue->n_rated ? queue->rates / (double)queue->n_rated
                                         : 0;
    const double soonest = member->rate > 0 ? SOONEST : SETTLE;
    const double seconds = rate > 0 ? LATE * (double)frames / rate : 0;

    return seconds > soonest ? seconds : soonest;
}

static uint64_t behind(const struct lease_queue *queue, const struct piece *piece)
{
    const struct lease_options *options = &queue->options;

    return options->limits.frames
               ? options->first + options->limits.frames - piece->first - piece->frames
               : UINT64_MAX;
}

static struct lease give(struct lease_queue *queue, struct piece *piece, unsigned number,
                         double now)
{
    struct member *member = &queue->members[number];

    if (piece->state == BACK)
        queue->n_back--;
    piece->state = OUT;
    piece->member = number;
    piece->since = now;
    piece->until = now + late(queue, member, piece->frames);
    if (piece->until < queue->late_at)
        queue->late_at = piece->until;
    member->last = piece->frames;
    return (struct lease){
        .first = piece->first,
        .behind = behind(queue, piece),
        .limits = {.frames = piece->frames,
                   .frame_errors = queue->options.limits.frame_errors ? errors_left(queue) : 0}};
}

/* The first piece that came back or is late. */
static struct piece *again(struct lease_queue *queue, double now)
{
    double next = INFINITY;

    if (!queue->n_back && now < queue->late_at)
        return NULL;
    for (size_t i = queue->begin; i < queue->n; i++) {
        struct piece *piece = &queue->pieces[i];
        if (piece->state == BACK || (piece->state == OUT && now >= piece->until))
            return piece;
        if (piece->state == OUT)
            next = fmin(next, piece->until);
    }
    queue->late_at = next;
    return NULL;
}

static bool may_begin(const struct lease_queue *queue, double rest)
{
    const struct run_limits *limits = &queue->options.limits;

    if (queue->exact || (limits->frames && queue->next - queue->options.first >= limits->frames))
        return false;
    if (queue->options.ahead && queue->next - queue->used >= queue->options.ahead)
        return false;
    return !queue->frames_out || (double)queue->frames_out < rest;
}

int lease_take(struct lease_queue *queue, unsigned number, double now, struct lease *lease)
{
    struct member *member = member_of(queue, number);
    struct piece *piece;
    double left;

    if (!member)
        return -1;
    if (queue->met)
        return LEASE_OVER;
    piece = again(queue, now);
    left = piece ? 0 : rest(queue);
    if (!piece && !may_begin(queue, left))
        return LEASE_WAIT;
    queue->n_active += !member->last;
    if (!piece) {
        if (make_room(queue))
            return -1;
        piece = &queue->pieces[queue->n++];
        *piece = (struct piece){.first = queue->next, .frames = size_for(queue, member, left)};
        queue->next += piece->frames;
        queue->frames_out += piece->frames;
    }
    *lease = give(queue, piece, number, now);
    return LEASE_WORK;
}

/* ---- What came back, and the stop rules ---- */

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
        clear(piece);
    }
    queue->n = queue->begin + k;
    queue->pending = (struct run_counts){0};
}

/* Does it go on behind the frame at which the rule is met? */
static bool passes(const struct lease_queue *queue, const struct run_part *part)
{
    const uint64_t left = errors_left(queue);

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
    piece->part.counts.rows = NULL;
    queue->begin++;
    if (!piece->data.bytes && queue->taken + 1 == queue->begin)
        queue->taken++;
}

/* The piece at the front is to be done again, up to the rule; what is behind it was in vain. */
static void do_exactly(struct lease_queue *queue)
{
    struct piece *piece = &queue->pieces[queue->begin];

    clear(piece);
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
        if (limits->frame_errors && !errors_left(queue))
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

    if (make_room(queue))
        return -1;
    *piece = find(queue, first);
    tail = *piece + 1;
    memmove(tail + 1, tail, (size_t)(queue->pieces + queue->n - tail) * sizeof *tail);
    queue->n++;
    *tail = (struct piece){
        .first = first + frames, .frames = (*piece)->frames - frames, .state = BACK};
    (*piece)->frames = frames;
    queue->n_back++;
    return 0;
}

static int keep(struct lease_queue *queue, struct piece *piece, const struct run_part *part,
                struct lease_data *data)
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
    if (data) {
        piece->data = *data;
        *data = (struct lease_data){0};
    }
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
        (limits->frame_errors && part->counts.frame_errors >= errors_left(queue)))
        return frames;
    return frames % queue->options.unit ? 0 : frames;
}

int lease_done(struct lease_queue *queue, unsigned number, double now, uint64_t first,
               const struct run_part *part, struct lease_data *data)
{
    struct piece *piece = find(queue, first);
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
        !(queue->options.limits.frame_errors && part->counts.frame_errors >= errors_left(queue)) &&
        split(queue, &piece, frames))
        return -1;
    if (keep(queue, piece, part, data))
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

bool lease_waits(const struct lease_queue *queue)
{
    return queue->taken < queue->begin;
}

bool lease_next(struct lease_queue *queue, struct lease_part *part)
{
    struct piece *piece = &queue->pieces[queue->taken];

    if (!lease_waits(queue))
        return false;
    *part = (struct lease_part){piece->first, piece->frames, piece->data};
    piece->data = (struct lease_data){0};
    queue->taken++;
    return true;
}

void lease_used(struct lease_queue *queue, uint64_t frame)
{
    queue->used = frame;
}

/* ---- What is known ---- */

bool lease_wanted(const struct lease_queue *queue, uint64_t first)
{
    const struct piece *piece = find(queue, first);

    return !queue->met && piece && piece->state != DONE;
}

struct run_counts lease_take_counts(struct lease_queue *queue)
{
    const struct run_counts counts = queue->merged;

    queue->merged.rows = NULL;
    return counts;
}

const char *lease_met(const struct lease_queue *queue)
{
    return queue->met;
}

void lease_seen(const struct lease_queue *queue, struct run_counts *seen)
{
    *seen = queue->merged;
    seen->rows = NULL;
    seen->frames += queue->pending.frames;
    seen->frame_errors += queue->pending.frame_errors;
    seen->info_bits += queue->pending.info_bits;
}

struct run_parts *lease_parts(struct lease_queue *queue)
{
    return &queue->parts;
}
