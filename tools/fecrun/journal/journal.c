/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/journal/journal.h"

#include "core/base/cpu.h"
#include "tools/fecrun/journal/identity.h"
#include "tools/fecrun/journal/line.h"
#include "tools/fecrun/journal/versions.h"

#include <fecrun/sdk/stats.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_SHARDS 65536
#define CELL_BITS (1u << 17) /* information bits of the smallest cells, about */
#define CELL_FRAMES 4096
#define READ_EVERY 0.05 /* seconds */
#define READ_SHARE 50   /* of the time at least, that reading others' lines may not take */
#define SIGMAS 3.0      /* how sure a shard wants to be that what is done will do */

/* ---- Opening ---- */

int journal_parse_shard(const char *text, struct shard *shard, struct diag *diag)
{
    char *slash, *end;
    const unsigned long i = strtoul(text, &slash, 10);
    const unsigned long n = *slash == '/' ? strtoul(slash + 1, &end, 10) : 0;

    if (slash == text || *slash != '/' || end == slash + 1 || *end || *text == '-' ||
        slash[1] == '-' || !n || n > MAX_SHARDS || i >= n)
        return diag_fail(diag, DIAG_USAGE,
                         "--shard %s: must be I/N, shards 0 to N-1 of N, N at most %d", text,
                         MAX_SHARDS);
    *shard = (struct shard){(unsigned)i, (unsigned)n};
    return 0;
}

/* The first line of the own file; NULL: out of memory. */
static json_t *writer_of(const struct journal *journal, const json_t *run)
{
    json_t *writer = json_pack("{s:s, s:s, s:i, s:O, s:O, s:o}", "type", "writer", "host",
                               journal->host, "pid", (int)getpid(), "fecrun",
                               json_object_get(run, "fecrun"), "cpu", json_object_get(run, "cpu"),
                               "plugins", versions_of_plugins(journal->session));
    const json_t *stop = json_object_get(run, "stop");
    const struct run_limits limits = {
        .frame_errors = (uint64_t)json_integer_value(json_object_get(stop, "frame_errors")),
        .frames = (uint64_t)json_integer_value(json_object_get(stop, "frames")),
        .seconds = json_number_value(json_object_get(stop, "seconds"))};

    json_object_set_new(writer, "stop", line_limits(&limits));
    if (journal->shard.n)
        json_object_set_new(writer, "shard",
                            json_sprintf("%u/%u", journal->shard.i, journal->shard.n));
    return writer;
}

int journal_open(struct journal *journal, const char *dir, const struct shard *shard,
                 const struct session *session, const json_t *run, struct diag *diag)
{
    json_t *identity = identity_of(session, run, diag);
    int status;

    *journal = (struct journal){
        .session = session, .shard = *shard, .store = {.fd = -1, .registry = session->registry}};
    gethostname(journal->host, sizeof journal->host - 1);
    if (!identity)
        return -1;
    journal->store.writer = writer_of(journal, run);
    status = journal->store.writer
                 ? store_open(&journal->store, dir, identity, diag) ||
                       store_read(&journal->store, diag) || store_begin(&journal->store, diag)
                 : diag_no_memory(diag);
    json_decref(identity);
    if (!status)
        return 0;
    journal_close(journal, NULL);
    return -1;
}

int journal_close(struct journal *journal, struct diag *diag)
{
    const int status = store_close(&journal->store, diag);

    free(journal->points);
    journal->points = NULL;
    journal->n_points = 0;
    return status;
}

/* ---- Points ---- */

static json_t *set_of(const struct result_point *point)
{
    json_t *set = json_object();

    for (size_t i = 0; set && i < point->n_set; i++)
        json_object_set_new(set, point->set_names[i], json_string(point->set_values[i]));
    return set;
}

/* A power of two that makes about as many bits; whole rows of `blocks:`. */
static uint64_t cell_size(const struct store *store, const struct session_plan *plan)
{
    const struct fecrun_frame *frame = &plan->plan->stages[0].out[0];
    const uint64_t bits = (frame->items ? frame->items : 1) * store->unit;
    uint64_t frames = 1;

    while (frames < CELL_FRAMES && 2 * frames * bits <= CELL_BITS)
        frames *= 2;
    return frames * store->unit;
}

static int check_near(const struct journal *journal, const struct store_point *stored,
                      const json_t *near, struct diag *diag)
{
    char text[256];

    if (!stored->ranges.n)
        return 0;
    if (json_object_size(near) &&
        versions_differ(stored->by, journal->store.writer, text, sizeof text))
        return diag_fail(
            diag, DIAG_USAGE,
            "%s: what is there was computed by another version of backends that are only near "
            "their reference: %s; go on with that version, or begin another journal",
            journal->store.dirs[0], text);
    if (json_equal(stored->near, near))
        return 0;
    return diag_fail(diag, DIAG_USAGE,
                     "%s: its results are from other backends, which may differ in single "
                     "frames: %s",
                     journal->store.dirs[0],
                     identity_difference(stored->near, near, text, sizeof text));
}

static int set_stored(struct journal *journal, struct journal_point *p,
                      const struct result_point *point, struct diag *diag)
{
    json_t *set = set_of(point), *near = identity_near(journal->session, point->plan);
    int status = !set || !near ? diag_no_memory(diag)
                               : store_point(&journal->store, set, near, &p->stored, diag);

    if (!status)
        status = check_near(journal, p->stored, near, diag);
    json_decref(set);
    json_decref(near);
    return status;
}

int journal_enter(struct journal *journal, const struct result_point *point, struct diag *diag)
{
    const size_t number = point->plan->shape.point.at;
    struct journal_point *points = realloc(journal->points, (number + 1) * sizeof *points);
    struct journal_point *p;

    if (!points)
        return diag_no_memory(diag);
    journal->points = points;
    while (journal->n_points <= number)
        points[journal->n_points++] = (struct journal_point){0};
    p = &points[number];
    *p = (struct journal_point){.limits = point->limits,
                                .cells = {cell_size(&journal->store, point->plan),
                                          journal->shard.n ? journal->shard.n : 1}};
    identity_backends(point->plan, p->backends, sizeof p->backends);
    if (set_stored(journal, p, point, diag)) {
        p->stored = NULL;
        return -1;
    }
    p->stored->ebn0_db = point->ebn0_db;
    p->stored->esn0_db = point->esn0_db;
    p->stored->split = point->split;
    if (point->limits.frames != session_limits(journal->session, point->plan->plan).frames)
        p->stored->most = point->limits.frames;
    return 0;
}

/* ---- What next ---- */

static int read_others(struct journal *journal, struct diag *diag)
{
    const double begin = cpu_seconds();
    const int status = store_read(&journal->store, diag);

    journal->read_at = cpu_seconds();
    journal->read_took = journal->read_at - begin;
    return status;
}

/* A small range takes less time than to look at hundreds of files for what others did meanwhile. */
static bool is_stale(const struct journal *journal)
{
    const double wait = READ_SHARE * journal->read_took;

    return cpu_seconds() - journal->read_at >= (wait > READ_EVERY ? wait : READ_EVERY);
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Frames that the point will need at most, as far as what was seen can tell. */
static uint64_t horizon(const struct run_limits *limits, const struct run_counts *seen)
{
    const double wanted = (double)limits->frame_errors;
    const uint64_t most = limits->frames ? limits->frames : UINT64_MAX;
    double low, high, frames;

    if (!limits->frame_errors || !seen->frame_errors)
        return most;
    fecrun_interval(seen->frame_errors, seen->frames, 0.99, &low, &high);
    frames = low > 0 ? (wanted + SIGMAS * sqrt(wanted)) / low : INFINITY;
    return frames < 0x1p62 ? least(most, (uint64_t)frames + 1) : most;
}

/* All that is known of a point: its chain, and what else was done. */
struct known {
    struct chain chain, seen;
    uint64_t needed; /* frames */
};

static void look(const struct journal_point *p, struct known *known)
{
    struct gap gap;

    ranges_chain(&p->stored->ranges, &p->limits, NULL, &known->chain);
    known->seen = known->chain;
    gap = ranges_gap(&p->stored->ranges, known->chain.counts.frames, &known->seen);
    while (gap.end != UINT64_MAX)
        gap = ranges_gap(&p->stored->ranges, gap.end, &known->seen);
    known->needed = horizon(&p->limits, &known->seen.counts);
}

static bool enough(const struct journal_point *p, const struct known *known)
{
    return known->chain.met || (p->limits.seconds > 0 && known->seen.seconds >= p->limits.seconds);
}

/* The first frames of a gap that are this shard's; false: none are. */
static bool own_part(const struct journal *journal, const struct journal_point *p, struct gap *gap)
{
    const struct shard *shard = &journal->shard;
    uint64_t k = cells_find(&p->cells, gap->first);
    uint64_t first, end;

    k += (shard->i + shard->n - k % shard->n) % shard->n;
    first = cells_first(&p->cells, k);
    end = cells_first(&p->cells, k + 1);
    gap->first = first > gap->first ? first : gap->first;
    if (gap->first >= gap->end)
        return false;
    gap->end = least(gap->end, end);
    return true;
}

/* The frames that this process does next. */
static bool choose(const struct journal *journal, const struct journal_point *p,
                   const struct known *known, struct gap *chosen)
{
    const uint64_t at = known->chain.counts.frames;
    struct gap gap = ranges_gap(&p->stored->ranges, at, NULL);

    if (known->chain.passed) /* the rule holds within: whoever comes first finds where */
        return *chosen = (struct gap){at, at + known->chain.passed}, true;
    for (; gap.first < known->needed; gap = ranges_gap(&p->stored->ranges, gap.end, NULL)) {
        *chosen = gap;
        if (!journal->shard.n)
            return true;
        if (own_part(journal, p, chosen))
            return chosen->first < known->needed;
        if (gap.end == UINT64_MAX)
            return false;
    }
    return false;
}

int journal_next(struct journal *journal, size_t number, struct journal_task *task,
                 struct diag *diag)
{
    const struct journal_point *p = &journal->points[number];
    const struct run_limits *limits = &p->limits;
    bool fresh = is_stale(journal);
    struct known known;
    struct gap gap;

    if (fresh && read_others(journal, diag))
        return -1;
    look(p, &known);
    while (enough(p, &known) || !choose(journal, p, &known, &gap)) {
        if (fresh)
            return 0;
        fresh = true; /* so it looked, a moment ago */
        if (read_others(journal, diag))
            return -1;
        look(p, &known);
    }
    if (limits->frames)
        gap.end = least(gap.end, limits->frames);
    *task = (struct journal_task){
        .first = gap.first,
        .limits = {.frames = gap.end == UINT64_MAX ? 0 : gap.end - gap.first},
        .before = known.seen.counts,
        .seconds_before = known.seen.seconds};
    /* behind a gap nobody knows how many errors there are before */
    if (limits->frame_errors && gap.first == known.chain.counts.frames)
        task->limits.frame_errors = limits->frame_errors - known.chain.counts.frame_errors;
    if (limits->seconds > 0)
        task->limits.seconds = limits->seconds - known.seen.seconds;
    return 1;
}

/* ---- What was done ---- */

static json_t *extra_of(const struct journal *journal, const struct journal_point *p,
                        const struct run_part *part)
{
    json_t *extra = json_pack("{s:s, s:s}", "backend", p->backends, "host", journal->host);
    json_t *wrong = json_array();

    for (unsigned i = 0; i < part->n_places; i++)
        json_array_append_new(wrong, json_integer((json_int_t)part->places[i]));
    json_object_set_new(extra, "wrong", wrong);
    return extra;
}

int journal_save(struct journal *journal, size_t number, const struct run_part *part,
                 struct diag *diag)
{
    struct journal_point *p = &journal->points[number];
    struct range range = {.first = part->first,
                          .counts = part->counts,
                          .last_wrong = part->last_wrong,
                          .seconds = part->seconds};
    struct known known;

    if (store_append(&journal->store, p->stored, &range, extra_of(journal, p, part), diag))
        return -1;
    if (!journal->shard.n)
        return 0;
    if (is_stale(journal) && read_others(journal, diag))
        return -1;
    look(p, &known);
    return enough(p, &known);
}
