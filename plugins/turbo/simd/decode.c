/* SPDX-License-Identifier: BSD-2-Clause */
/* Backend `simd` of turbo.decode: iterations of the lanes of a row. */
#include <fecrun/sdk/carve.h>
#include <string.h>

#include "plugins/turbo/simd/simd.h"

size_t turbo_simd_carve(struct turbo_work *work, const struct turbo_simd *s, void *base)
{
    const size_t rows = s->steps * sizeof(turbo_row);
    size_t used = 0;

    work->sys = fecrun_carve(base, &used, rows);
    work->parity[0] = fecrun_carve(base, &used, rows);
    work->parity[1] = fecrun_carve(base, &used, rows);
    work->in = fecrun_carve(base, &used, rows);
    work->in2 = fecrun_carve(base, &used, rows);
    work->out2 = fecrun_carve(base, &used, rows);
    work->llr = fecrun_carve(base, &used, rows);
    work->llr2 = fecrun_carve(base, &used, rows);
    work->alpha = fecrun_carve(base, &used, TURBO_STATES * rows);
    work->begin = fecrun_carve(base, &used, 2 * sizeof *work->begin);
    work->end = fecrun_carve(base, &used, 2 * sizeof *work->end);
    work->guess = fecrun_carve(base, &used, 2 * sizeof *work->guess);
    work->late = fecrun_carve(base, &used, s->always ? 2 * sizeof *work->late : 0);
    work->early = fecrun_carve(base, &used, s->always ? 2 * sizeof *work->early : 0);
    work->stage = fecrun_carve(base, &used, (size_t)s->blocks * s->decode->word << s->width);
    work->gain = fecrun_carve(base, &used, s->blocks * sizeof *work->gain);
    work->lane = fecrun_carve(base, &used, rows);
    return used;
}

/*
 * What the sub-blocks ended with is where their neighbours begin; a block's first and last border
 * stay what they were.
 */
static void hand_over(const struct turbo_simd *s, turbo_row *begin, turbo_row *end,
                      const turbo_row *first, const turbo_row *last)
{
    const size_t lane = (size_t)1 << s->width;

    if (s->windows == 1) {
        memcpy(begin, first, TURBO_STATES * sizeof *begin);
        memcpy(end, last, TURBO_STATES * sizeof *end);
        return;
    }
    for (uint32_t state = 0; state < TURBO_STATES; state++) {
        int8_t *alpha = begin[state], *beta = end[state];

        memmove(alpha + lane, alpha, TURBO_ROW - lane);
        memmove(beta, beta + lane, TURBO_ROW - lane);
        for (size_t l = 0; l < turbo_lanes(s->width); l += s->windows) {
            const size_t most = l + s->windows - 1;

            turbo_put(alpha, l, s->width, turbo_get(first[state], l, s->width));
            turbo_put(beta, most, s->width, turbo_get(last[state], most, s->width));
        }
    }
}

/* The borders inside blocks, from the steps next to them: of those that have just come in or, where
   it is always done, of all. */
static void guess(const struct turbo_simd *s, struct turbo_work *work, struct turbo_half half,
                  const struct turbo_slot *slot)
{
    const size_t block = s->windows << s->width;
    turbo_row *begin = half.begin, *end = half.end;

    half.train = true;
    half.begin = work->guess[0];
    half.end = work->guess[1];
    s->kernel->half(&half);
    hand_over(s, half.begin, half.end, begin, end);
    for (uint32_t b = 0; b < s->blocks; b++)
        for (uint32_t state = 0; state < TURBO_STATES && (s->always || slot[b].fresh); state++) {
            memcpy(begin[state] + b * block, half.begin[state] + b * block, block);
            memcpy(end[state] + b * block, half.end[state] + b * block, block);
        }
}

static void half_iteration(const struct turbo_simd *s, struct turbo_work *work, unsigned e,
                           const struct turbo_slot *slot, bool fresh, bool decide)
{
    turbo_row first[TURBO_STATES], last[TURBO_STATES];
    const struct turbo_half half = {
        .fixed = &s->fixed,
        .steps = s->steps,
        .training = s->training,
        .late = s->always ? work->late[e] : NULL,
        .early = s->always ? work->early[e] : NULL,
        .in = e ? work->in2 : work->in,
        .parity = work->parity[e],
        .sys = e ? NULL : work->sys,
        .out = e ? work->out2 : work->in,
        .llr = e && decide ? work->llr2 : NULL,
        .begin = work->begin[e],
        .end = work->end[e],
        .alpha = work->alpha,
    };

    if (s->windows > 1 && (s->always || fresh))
        guess(s, work, half, slot);
    memcpy(first, half.begin, sizeof first);
    memcpy(last, half.end, sizeof last);
    s->kernel->half(&half);
    hand_over(s, half.begin, half.end, first, last);
}

static void iterate(const struct turbo_simd *s, struct turbo_work *work,
                    const struct turbo_slot *slot, bool fresh, bool decide)
{
    half_iteration(s, work, 0, slot, fresh, false);
    s->kernel->gather(s, work->in, work->in2);
    half_iteration(s, work, 1, slot, fresh, decide);
    s->kernel->scatter(s, work->out2, work->sys, work->in);
    if (decide)
        s->kernel->scatter(s, work->llr2, NULL, work->llr);
}

/* llr: those of the bits. */
static bool crc_holds(const struct turbo_simd *s, const void *llr)
{
    const uint32_t polynomial = turbo_stop_polynomial(s->decode->stop);
    uint32_t state = 0;

    for (uint32_t i = 0; i < s->decode->bits; i++)
        state = turbo_crc_step(state, polynomial, turbo_get(llr, i, s->width) < 0);
    return state == 0;
}

/* Frames in need of lanes come in; returns whether there are any, and how many slots are live. */
static bool fill(const struct turbo_simd *s, struct turbo_work *work,
                 const struct turbo_batch *batch, uint64_t frames, uint64_t *next,
                 struct turbo_slot *slot, uint32_t *live)
{
    uint32_t fresh = 0;

    *live = 0;
    for (uint32_t b = 0; b < s->blocks; b++) {
        const bool was = slot[b].live;

        if (!was && *next < frames)
            slot[b] = (struct turbo_slot){.frame = (*next)++, .live = true};
        fresh += slot[b].live && !was;
        slot[b].fresh = slot[b].live && !was;
        *live += slot[b].live;
    }
    if (fresh)
        turbo_load(s, work, batch, slot, fresh == *live);
    return fresh;
}

/* Of the frames in the lanes: those that are done go out. */
static void finish(const struct turbo_simd *s, struct turbo_work *work,
                   const struct turbo_batch *batch, struct turbo_slot *slot)
{
    const struct turbo_decode *d = s->decode;

    turbo_unload(s, work);
    for (uint32_t b = 0; b < s->blocks; b++) {
        const int8_t *llr = turbo_found(s, work, b, d->fillers);
        bool met;

        if (!slot[b].live)
            continue;
        met = d->stop != TURBO_NEVER && crc_holds(s, llr);
        slot[b].live = !met && slot[b].iterations < d->iterations;
        if (slot[b].live)
            continue;
        turbo_report(d, slot[b].iterations, met, &batch->info[slot[b].frame]);
        turbo_put_soft(s, work, batch, b, slot[b].frame);
        s->kernel->decide(llr, d->bits, batch->packed,
                          batch->bits + slot[b].frame * batch->bits_stride);
    }
}

/* A block that is done leaves its lanes to the next one, whatever its neighbours do. */
void turbo_simd_decode(const struct turbo_simd *s, const struct turbo_batch *batch, uint64_t frames,
                       void *scratch)
{
    struct turbo_slot slot[TURBO_LANES] = {{0}};
    struct turbo_work work;
    uint64_t next = 0;
    uint32_t live;

    turbo_simd_carve(&work, s, scratch);
    for (;;) {
        const bool fresh = fill(s, &work, batch, frames, &next, slot, &live);
        bool decide = s->decode->stop != TURBO_NEVER;

        if (!live)
            return;
        for (uint32_t b = 0; b < s->blocks; b++)
            decide |= slot[b].live && slot[b].iterations + 1 == s->decode->iterations;
        iterate(s, &work, slot, fresh, decide);
        for (uint32_t b = 0; b < s->blocks; b++)
            slot[b].iterations++;
        if (decide)
            finish(s, &work, batch, slot);
    }
}
