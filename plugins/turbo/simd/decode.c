/* SPDX-License-Identifier: BSD-2-Clause */
/* Backend `simd` of turbo.decode: iterations of the lanes of a row. */
#include <fecrun/sdk/carve.h>
#include <string.h>

#include "plugins/turbo/simd/single.h"
#include "plugins/turbo/simd/single_bytes.h"

/* What rows of lanes need, which blocks alone do without. */
static void carve_rows(struct turbo_work *work, const struct turbo_simd *s, void *base,
                       size_t *used)
{
    const size_t rows = s->steps * sizeof(turbo_row);

    for (uint32_t e = 0; e < s->rows; e++)
        work->stream[e] = fecrun_carve(base, used, rows);
    work->sys = work->stream[0];
    work->parity[0] = work->stream[1];
    work->parity[1] = work->stream[1 + s->family->outputs[0]];
    work->in = fecrun_carve(base, used, rows);
    work->in2 = fecrun_carve(base, used, rows);
    work->out2 = fecrun_carve(base, used, rows);
    work->llr = fecrun_carve(base, used, rows);
    work->llr2 = fecrun_carve(base, used, rows);
    work->alpha = fecrun_carve(base, used, turbo_states(s->family) * rows);
    work->guess = fecrun_carve(base, used, TURBO_GUESS * sizeof *work->guess);
}

size_t turbo_simd_carve(struct turbo_work *work, const struct turbo_simd *s, void *base)
{
    size_t used = 0, alone;

    work->begin = fecrun_carve(base, &used, 2 * sizeof *work->begin);
    work->end = fecrun_carve(base, &used, 2 * sizeof *work->end);
    work->late = fecrun_carve(base, &used, 2 * sizeof *work->late);
    work->early = fecrun_carve(base, &used, 2 * sizeof *work->early);
    work->stage = fecrun_carve(base, &used, (size_t)s->blocks * s->staged << s->width);
    work->gain = fecrun_carve(base, &used, s->blocks * sizeof *work->gain);
    work->scale = fecrun_carve(base, &used, s->blocks * sizeof *work->scale);
    work->words = fecrun_carve(base, &used, s->floats ? s->decode->word * sizeof *work->words : 0);
    work->lane = fecrun_carve(base, &used, s->steps * sizeof(turbo_row));
    alone = used;
    if (s->single)
        turbo_single_carve(&work->single, s->decode->k, base, &alone);
    if (s->single_bytes)
        turbo_single_bytes_carve(&work->single_bytes, s->decode->k, base, &alone);
    carve_rows(work, s, base, &used);
    return used > alone ? used : alone;
}

/* Bytes of a row become others where `keep` is 0, from p on, which need not be aligned. */
static inline void replace(int8_t *row, const int8_t *keep, const int8_t *p)
{
    typedef int8_t piece __attribute__((vector_size(16)));

    for (uint32_t at = 0; at < TURBO_ROW; at += sizeof(piece)) {
        piece mine, mask, other;

        memcpy(&mine, row + at, sizeof mine);
        memcpy(&mask, keep + at, sizeof mask);
        memcpy(&other, p + at, sizeof other);
        mine = (mine & mask) | (other & ~mask);
        memcpy(row + at, &mine, sizeof mine);
    }
}

/* The borders inside blocks, from the steps next to them: what is known at the end of a sub-block is where
   its neighbour begins. The first and the last border of a block stay. */
static void guess(const struct turbo_simd *s, const struct turbo_kernel *kernel,
                  struct turbo_work *work, struct turbo_half half)
{
    const size_t lane = (size_t)1 << s->width;
    turbo_row *const begin = half.begin, *const end = half.end;

    half.train = true;
    half.begin = work->guess + 1;
    half.end = half.begin + TURBO_STATES;
    kernel->half(&half);
    for (uint32_t state = 0; state < TURBO_STATES; state++) {
        replace(begin[state], s->firsts, half.begin[state] - lane);
        replace(end[state], s->lasts, half.end[state] + lane);
    }
}

static void half_iteration(const struct turbo_simd *s, const struct turbo_kernel *kernel,
                           uint32_t bytes, struct turbo_work *work, unsigned e, bool decide)
{
    struct turbo_half half = {
        .fixed = &s->fixed,
        .bytes = bytes,
        .steps = s->steps,
        .training = s->training,
        .late = s->windows > 1 ? work->late[e] : NULL,
        .early = s->windows > 1 ? work->early[e] : NULL,
        .in = e ? work->in2 : work->in,
        .parity = work->parity[e],
        .sys = e ? NULL : work->sys,
        .out = e ? work->out2 : work->in,
        .llr = e && decide ? work->llr2 : NULL,
        .begin = work->begin[e],
        .end = work->end[e],
        .alpha = work->alpha,
    };

    for (uint32_t o = 1; o < s->family->outputs[e]; o++)
        half.more[o - 1] = work->stream[1 + e * s->family->outputs[0] + o];
    if (s->windows > 1)
        guess(s, kernel, work, half);
    (s->many[e] ? s->many[e] : kernel->half)(&half);
}

/* A half iteration of the first encoder, and one of the second: of a whole row, or of its first half where the other one
   has no blocks. */
static void do_first(const struct turbo_simd *s, struct turbo_work *work, bool whole)
{
    half_iteration(s, whole ? s->kernel : s->narrow, whole ? TURBO_ROW : TURBO_ROW / 2, work, 0,
                   false);
}

static void do_second(const struct turbo_simd *s, struct turbo_work *work, bool whole, bool decide)
{
    const struct turbo_kernel *kernel = whole ? s->kernel : s->narrow;
    const uint32_t bytes = whole ? TURBO_ROW : TURBO_ROW / 2;

    kernel->gather(s, bytes, work->in, work->in2);
    half_iteration(s, kernel, bytes, work, 1, decide);
    kernel->scatter(s, bytes, work->out2, work->sys, work->in);
    if (decide)
        kernel->scatter(s, bytes, work->llr2, NULL, work->llr);
}

/* Frames in need of lanes come in; returns how many slots are live. */
static uint32_t fill(const struct turbo_simd *s, struct turbo_work *work,
                     const struct turbo_batch *batch, uint64_t frames, uint64_t *next,
                     struct turbo_slot *slot)
{
    uint32_t fresh = 0, live = 0;

    for (uint32_t b = 0; b < s->blocks; b++) {
        const bool was = slot[b].live;

        if (!was && *next < frames)
            slot[b] = (struct turbo_slot){.frame = (*next)++, .live = true};
        fresh += slot[b].live && !was;
        slot[b].fresh = slot[b].live && !was;
        live += slot[b].live;
    }
    if (fresh)
        turbo_load(s, work, batch, slot, fresh == live);
    return live;
}

/* Of the frames in the lanes: those that are done go out. */
static void finish(const struct turbo_simd *s, struct turbo_work *work,
                   const struct turbo_batch *batch, struct turbo_slot *slot)
{
    turbo_unload(s, work);
    for (uint32_t b = 0; b < s->blocks; b++)
        if (slot[b].live)
            turbo_settle(s, work, batch, b, &slot[b]);
}

/* Whether blocks are in the second half of the row. */
static bool is_whole(const struct turbo_simd *s, const struct turbo_slot *slot)
{
    bool whole = !s->narrow;

    for (uint32_t b = s->blocks / 2; b < s->blocks; b++)
        whole |= slot[b].live && 2 * b >= s->blocks;
    return whole;
}

/* The first frames of a batch. A block that is done leaves its lanes to the next one, whatever its neighbours do. */
static void decode_rows(const struct turbo_simd *s, struct turbo_work *work,
                        const struct turbo_batch *batch, uint64_t frames)
{
    struct turbo_slot slot[TURBO_LANES] = {{0}};
    uint64_t next = 0;

    for (;;) {
        bool decide = s->decode->stop != TURBO_NEVER, whole;

        /* Blocks that come in begin behind it. */
        if (s->decode->extra_half && next)
            do_first(s, work, is_whole(s, slot));
        if (!fill(s, work, batch, frames, &next, slot))
            return;
        for (uint32_t b = 0; b < s->blocks; b++)
            decide |= slot[b].live && slot[b].iterations + 1 == turbo_passes(s->decode);
        whole = is_whole(s, slot);
        if (!s->decode->extra_half)
            do_first(s, work, whole);
        do_second(s, work, whole, decide);
        for (uint32_t b = 0; b < s->blocks; b++)
            slot[b].iterations++;
        if (decide)
            finish(s, work, batch, slot);
    }
}

/* Of blocks that do not fill a row: how many take less time one by one, and the others in a row, or in half of one. */
static uint64_t count_alone(const struct turbo_simd *s, uint64_t rest)
{
    const uint64_t half = s->blocks / 2, over = rest > half ? rest - half : 0;

    if (rest <= turbo_simd_few(s))
        return rest;
    return s->narrow && TURBO_FIFTHS * over <= (TURBO_FIFTHS - TURBO_HALF) * s->few ? over : 0;
}

void turbo_simd_decode(const struct turbo_simd *s, const struct turbo_batch *batch, uint64_t frames,
                       void *scratch)
{
    const uint64_t alone = count_alone(s, frames % s->blocks);
    struct turbo_work work;

    turbo_simd_carve(&work, s, scratch);
    decode_rows(s, &work, batch, frames - alone);
    for (uint64_t f = frames - alone; f < frames; f++)
        if (s->single)
            turbo_single_decode(s, &work, batch, f);
        else
            turbo_single_bytes_decode(s, &work, batch, f);
}
