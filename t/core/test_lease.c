/* SPDX-License-Identifier: BSD-2-Clause */
/* Leases: whatever happens, in whatever order, the counts are those of one worker. */
#include "run/fleet/lease.h"
#include "t/lib/lease_sim.h"
#include "t/lib/tap.h"

/* What one worker counts that does all frames in order. */
static struct run_part alone(const struct sim *sim)
{
    struct run_limits limits = sim->options.limits;

    if (!limits.frames)
        limits.frames = UINT64_MAX;
    return sim_decode(sim, sim->options.first, &limits);
}

static bool same(const struct run_counts *a, const struct run_counts *b)
{
    return a->frames == b->frames && a->bits == b->bits && a->bit_errors == b->bit_errors &&
           a->frame_errors == b->frame_errors && a->squares == b->squares;
}

/* ---- Any order of events ---- */

struct held {
    bool any;
    struct lease lease;
};

/* A member stops after some of its frames; not within a unit, as no decoder of rows does. */
static void stop_early(struct sim *sim, struct run_part *part, uint64_t dice)
{
    const uint64_t unit = sim->options.unit;
    const struct run_limits few = {.frames = dice % (part->counts.frames + 1) / unit * unit};

    *part = sim_decode(sim, part->first, &few);
}

static struct run_class row_of(const struct run_counts *counts)
{
    return (struct run_class){counts->frames, counts->bits, counts->bit_errors,
                              counts->frame_errors};
}

/* The parts that are cut follow each other, and their sum is what was merged. */
static bool add_cut(struct lease_queue *queue, struct run_counts *sum, uint64_t *next)
{
    struct run_part part;

    if (!run_parts_cut(lease_parts(queue), &part))
        return true;
    if (part.first != *next || part.counts.rows[0].bit_errors != part.counts.bit_errors)
        return false;
    *next += part.counts.frames;
    run_counts_add(sum, &part.counts, 1);
    return true;
}

/* One result, in full or in part, twice, of a member that was given up: as the dice fall. */
static void deliver(struct sim *sim, struct lease_queue *queue, struct held *held, unsigned m,
                    double now, uint64_t dice)
{
    struct run_part part = sim_decode(sim, held->lease.first, &held->lease.limits);
    struct run_class row;

    if (dice % 11 == 0)
        stop_early(sim, &part, dice >> 8);
    if (dice % 13 == 0)
        lease_lost(queue, m);
    row = row_of(&part.counts);
    part.counts.rows = &row;
    lease_done(queue, m, now, held->lease.first, &part, NULL);
    if (dice % 17 == 0)
        lease_done(queue, m, now, held->lease.first, &part, NULL);
    held->any = dice % 19 == 0; /* it will come again */
}

#define MEMBERS 9

/* Returns whether it ended as it should. */
static bool shuffle(struct sim *sim)
{
    struct lease_queue *queue = lease_open(&sim->options);
    const struct run_part want = alone(sim);
    struct held held[MEMBERS] = {0};
    struct run_class row = {0};
    struct run_counts sum = {.rows = &row};
    uint64_t next = sim->options.first;
    double now = 0;
    bool good = true;

    for (uint64_t step = 0; good && !lease_met(queue) && step < 200000; step++) {
        const uint64_t dice = sim_hash(sim->seed * 1000003 + step);
        const unsigned m = dice % MEMBERS;
        now += (double)(dice >> 16 & 255) * (dice % 101 == 0 ? 1.0 : 1e-3);
        if (!held[m].any)
            held[m].any = lease_take(queue, m, now, &held[m].lease) == LEASE_WORK;
        else if (dice % 23 == 0)
            held[m].any = false; /* it died without a word */
        else
            deliver(sim, queue, &held[m], m, now, dice >> 8);
        good = add_cut(queue, &sum, &next);
    }
    good = good && lease_met(queue) && same(&queue->merged, &want.counts) &&
           same(&sum, &want.counts) && row.bit_errors == want.counts.bit_errors &&
           queue->merged.rows[0].frames == want.counts.frames;
    lease_close(queue);
    return good;
}

static void test_any_order(void)
{
    static const struct {
        const char *what;
        struct lease_options options;
        uint64_t one_in;
    } cases[] = {
        {"frame errors", {.limits = {.frame_errors = 30}, .unit = 1, .least = 5}, 200},
        {"one frame error", {.limits = {.frame_errors = 1}, .unit = 1, .least = 1}, 50},
        {"every frame is wrong", {.limits = {.frame_errors = 100}, .unit = 1, .least = 64}, 1},
        {"frames", {.limits = {.frames = 20011}, .unit = 1, .least = 3}, 100},
        {"both, frames first", {.limits = {50, 3001, 0}, .unit = 1, .least = 16}, 500},
        {"both, errors first", {.limits = {50, 900001, 0}, .unit = 1, .least = 16}, 500},
        {"rows", {.limits = {.frame_errors = 40}, .first = 24, .unit = 12, .least = 24}, 60},
        {"no frame is wrong",
         {.limits = {5, 7777, 0}, .first = 99, .unit = 1, .least = 8},
         UINT64_MAX},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned good = 0;
        for (uint64_t seed = 1; seed <= 50; seed++) {
            struct sim sim = {.options = cases[i].options, .seed = seed, .one_in = cases[i].one_in};
            sim.options.seconds = 1;
            sim.options.n_rows = 1;
            good += shuffle(&sim);
        }
        is_int(good, 50, "%s: 50 orders of events, one worker's counts", cases[i].what);
    }
}

/* ---- A simulated clock ---- */

enum trouble { STRAGGLERS = 1, DEATHS = 2, SILENT = 4, LATE_JOINERS = 8 };

static struct sim_member member(uint64_t dice, double rate, unsigned trouble, bool first)
{
    struct sim_member m = {.dies = INFINITY, .rate = rate * (0.5 + (double)(dice & 255) / 255)};

    if (first)
        return m;
    if (trouble & STRAGGLERS && (dice >> 8) % 20 == 0) {
        m.slow = 10;
        m.slow_from = 1;
    }
    if (trouble & DEATHS && (dice >> 16) % 10 == 0) {
        m.dies = (double)((dice >> 24) % 100) / 20;
        m.told = !(trouble & SILENT);
    }
    if (trouble & LATE_JOINERS && (dice >> 32) % 3 == 0)
        m.joins = (double)((dice >> 40) % 100) / 30;
    return m;
}

static void fleet(unsigned n, double rate, double seconds, unsigned trouble, const char *what)
{
    struct sim sim = {
        .options = {.limits = {.frame_errors = 100}, .unit = 1, .least = 4, .seconds = 1},
        .seed = n + trouble,
        .one_in = (uint64_t)(n * rate * seconds / 100),
        .latency = 1e-3,
        .n = n,
        .most = 100 * seconds + 100};
    const struct run_part want = alone(&sim);

    sim.members = calloc(n, sizeof *sim.members);
    for (unsigned m = 0; m < n; m++)
        sim.members[m] = member(sim_hash(m + 7 * trouble), rate, trouble, m == 0);
    sim_run(&sim);
    ok(same(&sim.counts, &want.counts) && !sim.failed, "%u members, %s: one worker's counts", n,
       what);
    ok(sim.vain <= sim.counts.frames / 10, "and at most a tenth of that in vain");
    diag("%.1f s, in vain %.2f %%, %" PRIu64 " leases, %" PRIu64 " of them again", sim.seconds,
         100 * (double)sim.vain / (double)sim.counts.frames, sim.leases, sim.reissued);
    free(sim.members);
}

/* The first members alone bring the first frames: that they are lost is no reason to stop. */
static void test_all_but_one_die(void)
{
    struct sim_member members[4] = {{.dies = 0.5, .rate = 1000},
                                    {.dies = 1.5, .rate = 1000},
                                    {.dies = 2.5, .rate = 1000},
                                    {.dies = INFINITY, .rate = 100, .joins = 2}};
    struct sim sim = {.options = {.limits = {.frames = 10000}, .unit = 1, .least = 4, .seconds = 1},
                      .one_in = 50,
                      .latency = 1e-3,
                      .n = 4,
                      .members = members,
                      .most = 1e4};
    const struct run_part want = alone(&sim);

    sim_run(&sim);
    ok(same(&sim.counts, &want.counts) && sim.met && !strcmp(sim.met, "frames"),
       "three of four die without a word: the last one does all that is missing");
}

/* Bytes that say which lease they came with. */
static struct lease_data data_of(const struct lease *lease)
{
    struct lease_data data = {.bytes = malloc(32), .n = 32};

    if (!data.bytes)
        bail("out of memory");
    snprintf(data.bytes, 32, "%" PRIu64, lease->first);
    return data;
}

/* All that is merged, in frame order; returns the frame behind it. */
static uint64_t take_data(struct lease_queue *queue, uint64_t next)
{
    struct lease_part part;

    while (lease_next(queue, &part)) {
        ok(part.first == next && strtoull(part.data.bytes, NULL, 10) == next,
           "the bytes of frame %" PRIu64 " on: `%s`", next, part.data.bytes);
        next += part.frames;
        free(part.data.bytes);
    }
    return next;
}

/* What comes out of order waits, so there is to be only so much of it. */
static void test_bounded(void)
{
    const struct lease_options options = {
        .limits = {.frames = 100}, .unit = 1, .least = 8, .seconds = 1, .most = 10, .ahead = 25};
    struct lease_queue *queue = lease_open(&options);
    struct run_part part = {.counts.frames = 8};
    struct lease first, lease;
    struct lease_data data;
    uint64_t behind = 0, end = 0;

    is_int(lease_take(queue, 0, 0, &first), LEASE_WORK, "the first frames");
    is_int((long long)first.behind, 92, "all others are behind them");
    for (int k = 0; lease_take(queue, 1, 0.1 * k, &lease) == LEASE_WORK; k++) {
        ok(lease.limits.frames <= 10, "no more than the most");
        behind = part.first = lease.first;
        part.counts.frames = lease.limits.frames;
        end = lease.first + lease.limits.frames;
        data = data_of(&lease);
        lease_done(queue, 1, 0.1 * k + 0.01, lease.first, &part, &data);
        ok(!data.bytes && !lease_waits(queue), "its bytes are kept");
        data = data_of(&lease);
        is_int(lease_done(queue, 1, 0.1 * k + 0.01, lease.first, &part, &data), 1, "once");
        ok(data.bytes != NULL, "others are not");
        free(data.bytes);
    }
    ok(behind < 25, "none begins further ahead of the first, which is out: %" PRIu64, behind);
    part.first = first.first;
    part.counts.frames = first.limits.frames;
    data = data_of(&first);
    is_int(lease_done(queue, 0, 1, first.first, &part, &data), 0, "it comes");
    is_int(lease_take(queue, 1, 1, &lease), LEASE_WAIT,
           "nobody has used what is merged: it waits somewhere, too");
    is_int((long long)take_data(queue, 0), (long long)end, "all bytes that waited");
    lease_used(queue, first.first + first.limits.frames);
    is_int(lease_take(queue, 1, 1, &lease), LEASE_WORK, "and they go on");
    ok(lease.first - first.limits.frames < 25, "within the limit, from what is not used on");
    lease_close(queue);
}

int main(void)
{
    test_bounded();
    test_any_order();
    fleet(1, 1000, 3, 0, "undisturbed");
    fleet(64, 500, 10, 0, "undisturbed");
    fleet(64, 500, 10, STRAGGLERS | DEATHS | SILENT, "a tenth dies without a word, stragglers");
    fleet(64, 500, 10, DEATHS | LATE_JOINERS, "a tenth dies, a third joins late");
    fleet(10000, 20, 10, STRAGGLERS | DEATHS | SILENT | LATE_JOINERS, "all of it");
    test_all_but_one_die();
    return done_testing();
}
