/* SPDX-License-Identifier: BSD-2-Clause */
/* Decodes one group of lanes: chunks of forward steps, start states, traces, output bits. */
#include "plugins/viterbi/simd/simd.h"

#include <fecrun/sdk/carve.h>
#include <string.h>

enum { STATE_WORDS = VITERBI_MAX_K - 1 };

static size_t item_size(const struct viterbi_simd *simd)
{
    return simd->spec.is_float ? sizeof(float) : 1;
}

size_t viterbi_run_carve(struct viterbi_run *run, const struct viterbi_simd *simd,
                         const struct viterbi_kernel *kernel, void *base)
{
    const size_t lanes = kernel->lanes, metric = kernel->bits / 8 * lanes * simd->states;
    const size_t chunk = VITERBI_CHUNK * simd->spec.code.n * lanes * item_size(simd);
    size_t used = 0;

    run->simd = simd;
    run->kernel = kernel;
    run->dropped_step = kernel->dropped_step(simd);
    run->packed = fecrun_carve(base, &used, chunk);
    run->wrapped = fecrun_carve(base, &used,
                                simd->spec.termination == VITERBI_TAIL_BITING ? chunk : 0);
    run->metric[0] = fecrun_carve(base, &used, metric);
    run->metric[1] = fecrun_carve(base, &used, metric);
    run->words = fecrun_carve(base, &used, lanes > 1 ? simd->states * sizeof(uint64_t) : 0);
    run->others = fecrun_carve(base, &used, kernel->merge ? simd->states * sizeof(uint64_t) : 0);
    run->seeds = fecrun_carve(
        base, &used, viterbi_tile_max_traces(&simd->spec) * STATE_WORDS * sizeof(uint64_t));
    /* A cache line of slack: vectors of decisions may be read beyond the last state. */
    run->dropped = fecrun_carve(base, &used,
                                viterbi_tile_max_steps(&simd->spec) * run->dropped_step + 64);
    return used;
}

/* Points at the items of steps [from, from + steps) of a lane; circular rows are put together. */
static const void *row_items(const struct viterbi_run *run, unsigned lane, size_t from,
                             size_t steps)
{
    const struct viterbi_spec *spec = &run->simd->spec;
    const size_t step_bytes = spec->code.n * item_size(run->simd);
    uint8_t *copy;

    if (spec->termination != VITERBI_TAIL_BITING)
        return run->row[lane] + from * step_bytes;

    const size_t T = viterbi_frame_steps(spec);
    size_t at = (run->phase[lane] + from) % T;
    if (at + steps <= T)
        return run->row[lane] + at * step_bytes;
    copy = (uint8_t *)run->wrapped + lane * VITERBI_CHUNK * step_bytes;
    for (size_t done = 0, part; done < steps; done += part, at = 0) {
        part = T - at < steps - done ? T - at : steps - done;
        memcpy(copy + done * step_bytes, run->row[lane] + at * step_bytes, part * step_bytes);
    }
    return copy;
}

/* Rows are as many streams as lanes: too many for the hardware to foresee. */
static void prefetch(const struct viterbi_run *run, const void *const *rows, size_t bytes)
{
    for (unsigned lane = 0; lane < run->lanes; lane++)
        for (size_t at = bytes; at < 2 * bytes; at += 64)
            __builtin_prefetch((const uint8_t *)rows[lane] + at, 0, 2);
}

/* Steps of a chunk: of whole periods, and of whole blocks of pack_i8(). */
static size_t chunk_of(const struct viterbi_kernel *kernel)
{
    const size_t together = 8 * (kernel->period ? kernel->period : 1);

    return VITERBI_CHUNK - VITERBI_CHUNK % together;
}

static void forward(struct viterbi_run *run, size_t from, size_t to)
{
    const struct viterbi_kernel *kernel = run->kernel;
    const bool whole = !kernel->pack && run->simd->spec.termination != VITERBI_TAIL_BITING;
    const size_t most = whole ? to - from : chunk_of(kernel);
    const void *rows[VITERBI_LANES];

    while (from < to) {
        const size_t steps = to - from < most ? to - from : most;
        for (unsigned lane = 0; lane < kernel->lanes; lane++)
            rows[lane] = lane < run->lanes ? row_items(run, lane, from, steps) : rows[0];
        if (kernel->pack) {
            kernel->pack(rows, run->lanes, steps * run->simd->spec.code.n, run->packed);
            if (from + steps < to)
                prefetch(run, rows, steps * run->simd->spec.code.n * item_size(run->simd));
        }
        kernel->forward(run, kernel->pack ? run->packed : rows[0], from, steps);
        from += steps;
    }
}

/* Writes the n most significant bits of w; the bits around them keep their values. */
static void put_bits(uint8_t *out, size_t at, uint64_t w, unsigned n)
{
    out += at / 8;
    at %= 8;
    if (at == 0 && n == 64) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
        w = __builtin_bswap64(w);
#endif
        memcpy(out, &w, sizeof w);
        return;
    }
    while (n > 0) {
        const unsigned room = 8 - (unsigned)at, part = n < room ? n : room;
        const unsigned mask = (0xffu >> at) & (0xffu << (room - part));
        if (part == 8) /* what was there is not looked at: it may never have been written */
            *out = (uint8_t)(w >> 56);
        else
            *out = (uint8_t)((*out & ~mask) | ((unsigned)(w >> 56) >> at & mask));
        out++;
        w <<= part;
        n -= part;
        at = 0;
    }
}

/* Steps [from, to) of the tile's output, after the trace from `stage` down to them. */
static void trace(struct viterbi_run *run, const struct viterbi_trace *trace, size_t lead,
                  uint64_t *seed, uint64_t active)
{
    const struct viterbi_kernel *kernel = run->kernel;
    size_t at = trace->stage, to = trace->to;
    uint64_t words[VITERBI_LANES];

    while (at > lead + to) {
        const size_t down = at - (lead + to) < 64 ? lead + to : at - 64;
        kernel->trace(run, down, at, seed, NULL);
        at = down;
    }
    while (to > trace->from) {
        size_t from = (to - 1) & ~(size_t)63;
        if (from < trace->from)
            from = trace->from;
        kernel->trace(run, lead + from, lead + to, seed, words);
        for (unsigned lane = 0; lane < run->lanes; lane++)
            if (active >> lane & 1)
                put_bits(run->out[lane], run->bit[lane] + from, words[lane], (unsigned)(to - from));
        to = from;
    }
}

/*
 * A long tile's decisions leave the caches before they are traced. But a few steps for each bit of the state back,
 * all survivors have mostly come from one state: what lies before is decided, whatever follows. So
 * from time to time all states are traced together; what is decided is put out, and its memory takes
 * the next decisions. Where they have not merged, all is kept, and nothing but time is lost.
 */
enum {
    WINDOW_BYTES = 1 << 19, /* of decisions between two attempts: a part of the L2 cache */
    STRIDE = 64,            /* steps back before a look at whether all have merged */
    MOST_STRIDES = 4
};

static size_t window_steps(const struct viterbi_run *run)
{
    const size_t steps = WINDOW_BYTES / run->dropped_step;
    return steps < MOST_STRIDES * STRIDE ? MOST_STRIDES * STRIDE : steps / STRIDE * STRIDE;
}

/* Goes back from stage `at`; returns the last stage, a multiple of STRIDE before it, at which all that
 * survives has merged, with the states there, or `kept` if there is none behind that. */
static size_t merged_stage(struct viterbi_run *run, size_t kept, size_t at, uint64_t *seed)
{
    for (size_t n = 1; n <= MOST_STRIDES && at - n * STRIDE > kept; n++) {
        const size_t stage = at - n * STRIDE;
        if (run->kernel->merge(run, stage, stage + STRIDE, n > 1, seed))
            return stage;
    }
    return kept;
}

/* Like forward() up to the stage of `t`, a tile's only trace; its steps before the stage that is
 * returned have been put out. */
static size_t forward_and_settle(struct viterbi_run *run, size_t lead,
                                 const struct viterbi_trace *t)
{
    const size_t window = window_steps(run);
    size_t kept = lead, at = 0;

    for (size_t next = lead + window; next + window / 2 < t->stage; next += window) {
        uint64_t seed[STATE_WORDS] = {0};
        struct viterbi_trace part = *t;
        size_t stage;

        forward(run, at, next);
        at = next;
        stage = merged_stage(run, kept, at, seed);
        if (stage == kept)
            continue;
        part.stage = stage;
        part.from = kept - lead;
        part.to = stage - lead < t->to ? stage - lead : t->to;
        if (part.from < part.to)
            trace(run, &part, lead, seed, ~UINT64_C(0));
        kept = stage;
        memmove(run->dropped, viterbi_run_dropped(run, kept), (at - kept) * run->dropped_step);
        run->first = kept;
    }
    forward(run, at, t->stage);
    return kept;
}

static void set_lane(struct viterbi_run *run, unsigned lane, const struct viterbi_input *input,
                     size_t frame, const struct viterbi_tile *tile, uint8_t *packed,
                     size_t out_stride)
{
    const struct viterbi_spec *spec = &run->simd->spec;
    const size_t T = viterbi_frame_steps(spec);
    ptrdiff_t item = (ptrdiff_t)(frame * input->stride);

    run->phase[lane] = 0;
    if (spec->termination == VITERBI_TAIL_BITING)
        run->phase[lane] = (tile->at + T - tile->lead % T) % T;
    else
        item += ((ptrdiff_t)tile->at - (ptrdiff_t)tile->lead) * (ptrdiff_t)spec->code.n;
    run->row[lane] = (const uint8_t *)input->llr + item * (ptrdiff_t)item_size(run->simd);
    run->out[lane] = packed + frame * out_stride;
    run->bit[lane] = tile->at;
}

/* All traces of a tile, one behind the other. */
static void decode_tile(struct viterbi_run *run, const struct viterbi_tile *tile)
{
    const struct viterbi_spec *spec = &run->simd->spec;
    struct viterbi_trace t;
    const bool alone = run->kernel->merge && run->simd->states >= 16 &&
                       !viterbi_tile_trace(spec, tile, 1, &t);
    size_t done = 0, kept = tile->lead;

    for (size_t k = 0; viterbi_tile_trace(spec, tile, k, &t); k++) {
        uint64_t *seed = run->seeds + k * STATE_WORDS;
        if (alone)
            kept = forward_and_settle(run, tile->lead, &t);
        else
            forward(run, done, t.stage);
        done = t.stage;
        if (t.known || spec->start == VITERBI_ANY)
            memset(seed, 0, STATE_WORDS * sizeof *seed);
        else
            run->kernel->best(run, t.stage, seed);
    }
    for (size_t k = 0; viterbi_tile_trace(spec, tile, k, &t); k++) {
        t.from = alone ? kept - tile->lead : t.from;
        if (t.from < t.to)
            trace(run, &t, tile->lead, run->seeds + k * STATE_WORDS, ~UINT64_C(0));
    }
}

void viterbi_run_group(struct viterbi_run *run, const struct viterbi_input *input,
                       const struct viterbi_group *group, size_t from, unsigned lanes,
                       uint8_t *packed, size_t out_stride)
{
    const struct viterbi_spec *spec = &run->simd->spec;
    struct viterbi_tile tile = group->tile;

    run->lanes = lanes;
    run->from_zero = tile.from_zero;
    run->begin = 0;
    run->first = 0;
    for (unsigned lane = 0; lane < lanes; lane++) {
        const size_t item = group->skip + from + lane;
        viterbi_tile_at(spec, input, item / group->row, group->first + item % group->row, &tile);
        set_lane(run, lane, input, item / group->row, &tile, packed, out_stride);
    }
    run->kernel->reset(run);
    decode_tile(run, &tile);
}

void viterbi_run_wrap(struct viterbi_run *run, const struct viterbi_input *input, size_t frame,
                      unsigned lanes, uint8_t *packed, size_t out_stride,
                      struct viterbi_verdict *verdict)
{
    const struct viterbi_spec *spec = &run->simd->spec;
    const size_t T = viterbi_frame_steps(spec);
    const struct viterbi_trace t = {.from = 0, .to = T, .stage = T};
    const struct viterbi_tile tile = {.at = 0};
    uint64_t active = lanes == 64 ? ~UINT64_C(0) : (UINT64_C(1) << lanes) - 1;
    uint64_t end[STATE_WORDS] = {0};

    run->lanes = lanes;
    run->first = 0;
    run->from_zero = false;
    for (unsigned lane = 0; lane < lanes; lane++)
        set_lane(run, lane, input, frame + lane, &tile, packed, out_stride);
    run->kernel->reset(run);
    for (unsigned pass = 1; active && pass <= spec->wrap_limit; pass++) {
        const size_t at = pass == 1 ? 0 : T;
        uint64_t moved = 0;
        if (pass > 2)
            memcpy(run->dropped, run->dropped + T * run->dropped_step, T * run->dropped_step);
        run->begin = at;
        forward(run, at, at + T);
        run->kernel->best(run, at + T, run->seeds);
        trace(run, &(struct viterbi_trace){.from = T, .to = T, .stage = at + T}, 0, run->seeds,
              active);
        memcpy(end, run->seeds, sizeof end);
        trace(run, &t, 0, run->seeds, active);
        for (unsigned k = 0; k < (run->kernel->lanes == 1 ? 1 : spec->code.K - 1); k++)
            moved |= end[k] ^ run->seeds[k];
        if (run->kernel->lanes == 1)
            moved = moved != 0;
        for (unsigned lane = 0; lane < lanes; lane++)
            if (active >> lane & 1)
                verdict[lane] = (struct viterbi_verdict){.converged = !(moved >> lane & 1),
                                                         .iterations = (uint16_t)pass};
        active &= moved;
    }
}
