/* SPDX-License-Identifier: BSD-2-Clause */
/* Decodes some tiles together: blocks of forward steps, start states, traces, output bits. */
#include "plugins/viterbi/simd/several/several.h"

#include <fecrun/sdk/carve.h>
#include <fecrun/sdk/simd.h>
#include <string.h>

#include "plugins/viterbi/simd/frame/trace.h"

#define UNROLL _Pragma("GCC unroll 8")

struct work {
    const struct viterbi_several *several;
    const struct viterbi_several_lane *lanes;
    unsigned count;
    size_t turn; /* tail-biting: steps of the frame; else 0 */
    struct viterbi_several_run run;
    struct viterbi_frame_run *alone; /* one frame's metrics */
    uint8_t *staged;
    uint8_t *bits;   /* [frame][chunk], as in simd/frame/run.c */
    int8_t *wrapped; /* a block of a row that had to be put together */
    uint32_t position[VITERBI_SEVERAL_MOST];
};

/* With base NULL only counts. Returns the bytes used. */
static size_t carve(struct work *w, const struct viterbi_several *s, void *base)
{
    const struct viterbi_frame *f = s->frame;
    const size_t words = (size_t)f->states * s->frames;
    size_t used = 0;

    w->several = s;
    w->run.metric = fecrun_carve(base, &used, words * sizeof *w->run.metric);
    w->alone = fecrun_carve(base, &used, sizeof *w->alone);
    w->staged = fecrun_carve(base, &used, (VITERBI_SEVERAL_BLOCK / 4 + 1) * VITERBI_SEVERAL_VECTOR);
    w->wrapped = fecrun_carve(base, &used, VITERBI_SEVERAL_BLOCK * (size_t)f->spec.code.n);
    w->bits = fecrun_carve(base, &used, f->chunks * s->frames);
    w->run.tags = fecrun_carve(base, &used, f->chunks * words);
    return used;
}

size_t viterbi_several_scratch(const struct viterbi_several *several)
{
    struct work w;

    return carve(&w, several, NULL);
}

static void begin(struct work *w, const struct viterbi_several_lane *lanes, unsigned count,
                  size_t turn, bool from_zero)
{
    const struct viterbi_frame *f = w->several->frame;

    w->lanes = lanes;
    w->count = count;
    w->turn = turn;
    memcpy(w->run.metric, w->several->start[from_zero],
           (size_t)f->states * w->several->frames * sizeof *w->run.metric);
    w->run.step = 0;
    w->run.forced = from_zero && !f->apart ? f->m : 0;
    w->run.normalise = (from_zero ? f->first : f->every) - 1;
}

/* ---- LLRs ---------------------------------------------------------------------------------- */

/* Four steps after the other of a row to every `stride` bytes. */
static FECRUN_ALWAYS_INLINE void stage_fours(const int8_t *row, size_t fours, unsigned n,
                                             uint8_t *to, size_t stride)
{
    for (size_t i = 0; i < fours; i++)
        memcpy(to + i * stride, row + i * 4 * n, 4 * n);
}

static void stage_row(const int8_t *row, size_t steps, unsigned n, uint8_t *to, size_t stride)
{
    const size_t fours = steps / 4;

    if (n == 2)
        stage_fours(row, fours, 2, to, stride);
    else
        stage_fours(row, fours, 3, to, stride);
    memcpy(to + fours * stride, row + fours * 4 * n, steps % 4 * n);
}

/* The LLRs of a row's steps [from, from + steps), of one that is circular put together. */
static const int8_t *row_steps(struct work *w, const struct viterbi_several_lane *lane, size_t from,
                               size_t steps)
{
    const size_t n = w->several->frame->spec.code.n;
    size_t at;

    if (!w->turn)
        return lane->row + from * n;
    at = (lane->phase + from) % w->turn;
    if (at + steps <= w->turn)
        return lane->row + at * n;
    for (size_t done = 0, part; done < steps; done += part, at = 0) {
        part = w->turn - at < steps - done ? w->turn - at : steps - done;
        memcpy(w->wrapped + done * n, lane->row + at * n, part * n);
    }
    return w->wrapped;
}

/* Frames that are not there have the LLRs of the first one. */
static void stage(struct work *w, size_t from, size_t steps)
{
    const struct viterbi_several *s = w->several;
    const unsigned n = s->frame->spec.code.n;
    const bool eight = s->frames == 8 && !w->turn;
    const size_t together = eight ? steps / VITERBI_SEVERAL_STAGE * VITERBI_SEVERAL_STAGE : 0;
    uint8_t *staged = w->staged + together / 4 * VITERBI_SEVERAL_VECTOR;
    const int8_t *row[VITERBI_SEVERAL_MOST];

    for (unsigned k = 0; k < s->frames; k++)
        row[k] = w->lanes[k < w->count ? k : 0].row + from * n;
    if (together)
        s->set->stage_eight(row, together, w->staged);
    for (unsigned k = 0; k < s->frames; k++)
        stage_row(row_steps(w, &w->lanes[k < w->count ? k : 0], from + together, steps - together),
                  steps - together, n, staged + k * 2 * s->words, VITERBI_SEVERAL_VECTOR);
}

static void forward(struct work *w, size_t to)
{
    while (w->run.step < to) {
        const size_t from = w->run.step,
                     most = VITERBI_SEVERAL_BLOCK - from % VITERBI_SEVERAL_BLOCK;
        const size_t steps = to - from < most ? to - from : most;

        stage(w, from, steps);
        w->several->kernel->forward(w->several, &w->run, w->staged, steps);
    }
}

/* ---- traces -------------------------------------------------------------------------------- */

/* The position of a frame's best state. */
static uint32_t best(struct work *w, unsigned k)
{
    const struct viterbi_several *s = w->several;
    const struct viterbi_frame *f = s->frame;
    int16_t by_position[VITERBI_FRAME_MAX_STATES];

    for (unsigned v = 0; v < f->states / s->words; v++)
        for (unsigned i = 0; i < s->words; i++)
            by_position[viterbi_several_position(v, i, s->words)] =
                w->run.metric[v * (VITERBI_SEVERAL_VECTOR / 2) + k * s->words + i];
    for (unsigned i = 0; i < f->states; i++)
        w->alone->metric[i] = by_position[viterbi_frame_position(i, f->m)];
    w->alone->step = w->run.step;
    w->alone->forced = w->run.forced;
    return f->set->best(f, w->alone);
}

/* Of all frames, back from w->position through all chunks. A row of tags is as put_tags() of
 * step.h leaves it. */
static FECRUN_ALWAYS_INLINE void trace_all(struct work *w, size_t chunks, unsigned frames,
                                           unsigned words, unsigned parts)
{
    const struct viterbi_frame *f = w->several->frame;
    const uint8_t *reversed = f->reversed;
    const size_t row = (size_t)f->states * frames, stride = f->chunks;
    const unsigned each = 2 * words, low = each - 1, tag_bits = f->tag_bits;
    const uint32_t mask = (1u << tag_bits) - 1;
    uint32_t p[VITERBI_SEVERAL_MOST];

    UNROLL for (unsigned k = 0; k < frames; k++) p[k] = w->position[k];
    for (size_t c = chunks; c-- > 0;) {
        const uint8_t *tags = w->run.tags + c * row;
        const unsigned shift = parts == 1 ? 0 : (unsigned)(c % parts) * tag_bits;
        UNROLL for (unsigned k = 0; k < frames; k++)
        {
            const uint32_t tag = tags[(p[k] & ~low) * frames + (p[k] & low) + k * each] & mask;
            w->bits[k * stride + c] = reversed[p[k] >> shift & mask];
            p[k] = parts == 1 ? tag : (p[k] & ~(mask << shift)) | tag << shift;
        }
    }
    UNROLL for (unsigned k = 0; k < frames; k++) w->position[k] = p[k];
}

static FECRUN_ALWAYS_INLINE void trace_parts(struct work *w, size_t chunks, unsigned frames,
                                             unsigned words)
{
    const struct viterbi_frame *f = w->several->frame;

    if (f->m == f->tag_bits)
        trace_all(w, chunks, frames, words, 1);
    else
        trace_all(w, chunks, frames, words, 2);
}

static void trace(struct work *w, size_t steps)
{
    const unsigned tag_bits = w->several->frame->tag_bits;
    const size_t chunks = (steps + tag_bits - 1) / tag_bits;

    if (w->several->frames == 8)
        trace_parts(w, chunks, 8, 4);
    else
        trace_parts(w, chunks, 4, 8);
}

static const uint8_t *bits_of(const struct work *w, unsigned k)
{
    return w->bits + k * w->several->frame->chunks;
}

void viterbi_several_tiles(const struct viterbi_several *several,
                           const struct viterbi_several_lane *lanes, unsigned count,
                           const struct viterbi_tile *tile, void *scratch)
{
    const struct viterbi_frame *f = several->frame;
    const bool bites = f->spec.termination == VITERBI_TAIL_BITING;
    struct work w;

    carve(&w, several, scratch);
    begin(&w, lanes, count, bites ? viterbi_frame_steps(&f->spec) : 0, tile->from_zero);
    forward(&w, tile->steps);
    for (unsigned k = 0; k < several->frames; k++)
        w.position[k] = k < count && !tile->to_zero && f->spec.start != VITERBI_ANY ? best(&w, k)
                                                                                    : 0;
    trace(&w, tile->steps);
    for (unsigned k = 0; k < count; k++)
        viterbi_frame_put(bits_of(&w, k), f->tag_bits, tile->lead, tile->bits, lanes[k].bits,
                          lanes[k].at);
}
