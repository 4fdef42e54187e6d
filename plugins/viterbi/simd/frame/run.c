/* SPDX-License-Identifier: BSD-2-Clause */
/* Decodes a tile by itself: blocks of forward steps, the start state, the trace, output bits. */
#include "plugins/viterbi/simd/frame/frame.h"

#include <fecrun/sdk/carve.h>
#include <string.h>

#include "plugins/viterbi/simd/frame/trace.h"

struct work {
    const struct viterbi_frame *frame;
    struct viterbi_frame_run *run;
    uint8_t *llr;
    uint8_t *bits; /* of each chunk from run->first on, the first step's in the highest place */
    const int8_t *row;
    size_t phase,
        turn; /* tail-biting: step of the frame at which the tile begins, steps of it; else 0 */
};

/* With base NULL only counts. Returns the bytes used. */
static size_t carve(struct work *w, const struct viterbi_frame *f, void *base)
{
    const size_t llrs = (size_t)VITERBI_FRAME_BLOCK * f->spec.code.n;
    size_t used = 0;

    w->frame = f;
    w->run = fecrun_carve(base, &used, sizeof *w->run);
    w->llr = fecrun_carve(base, &used, llrs + VITERBI_FRAME_BEYOND);
    w->bits = fecrun_carve(base, &used, f->chunks);
    if (base)
        w->run->tags = fecrun_carve(base, &used, f->chunks * f->states);
    else
        fecrun_carve(NULL, &used, f->chunks * f->states);
    return used;
}

size_t viterbi_frame_scratch(const struct viterbi_frame *frame)
{
    struct work w;

    return carve(&w, frame, NULL);
}

static void begin_bytes(struct work *w, bool from_zero)
{
    struct viterbi_frame_run *run = w->run;

    memset(run->metric, from_zero ? INT8_MIN : w->frame->level, w->frame->states);
    if (from_zero)
        *(int8_t *)run->metric = INT8_MAX;
    run->step = 0;
    run->forced = from_zero ? w->frame->first : 0;
    run->first = 0;
}

static void begin(struct work *w, bool from_zero)
{
    const struct viterbi_frame *f = w->frame;
    const int word = from_zero ? f->others : f->equal;
    struct viterbi_frame_run *run = w->run;

    if (f->kernel->bits == 8) {
        begin_bytes(w, from_zero);
        return;
    }
    for (unsigned i = 0; i < f->states; i++)
        run->metric[i] = (int16_t)(word + f->tag[0][i]);
    if (from_zero)
        run->metric[0] = f->known;
    run->step = 0;
    run->forced = from_zero && !f->apart ? f->m : 0;
    run->normalise = (from_zero ? f->first : f->every) - 1;
    run->first = 0;
}

/* The LLRs of steps [from, from + steps), as unsigned bytes. */
static void take_llrs(struct work *w, size_t from, size_t steps)
{
    const size_t n = w->frame->spec.code.n;
    uint8_t *to = w->llr;

    if (!w->turn) {
        w->frame->set->unsign(w->row + from * n, steps * n, to);
        return;
    }
    for (size_t at = (w->phase + from) % w->turn, part; steps > 0; steps -= part, at = 0) {
        part = w->turn - at < steps ? w->turn - at : steps;
        w->frame->set->unsign(w->row + at * n, part * n, to);
        to += part * n;
    }
}

static void forward(struct work *w, size_t to)
{
    const struct viterbi_frame *f = w->frame;

    while (w->run->step < to) {
        const size_t from = w->run->step, room = VITERBI_FRAME_BLOCK - from % VITERBI_FRAME_BLOCK;
        const size_t steps = to - from < room ? to - from : room;
        take_llrs(w, from, steps);
        f->kernel->forward(f, w->run, w->llr, steps);
    }
}

void viterbi_frame_tile(const struct viterbi_frame *frame, const struct viterbi_input *input,
                        size_t number, const struct viterbi_tile *tile, uint8_t *bits,
                        void *scratch)
{
    const struct viterbi_spec *spec = &frame->spec;
    const size_t T = viterbi_frame_steps(spec);
    ptrdiff_t item = (ptrdiff_t)(number * input->stride);
    uint32_t position = 0;
    struct work w;

    carve(&w, frame, scratch);
    w.phase = w.turn = 0;
    if (spec->termination == VITERBI_TAIL_BITING) {
        w.turn = T;
        w.phase = (tile->at + T - tile->lead % T) % T;
    } else {
        item += ((ptrdiff_t)tile->at - (ptrdiff_t)tile->lead) * (ptrdiff_t)spec->code.n;
    }
    w.row = (const int8_t *)input->llr + item;
    begin(&w, tile->from_zero);
    forward(&w, tile->steps);
    if (!tile->to_zero && spec->start != VITERBI_ANY)
        position = frame->set->best(frame, w.run);
    viterbi_frame_trace(frame, w.run->tags, tile->steps, position, w.bits);
    viterbi_frame_put(w.bits, frame->tag_bits, tile->lead, tile->bits, bits, tile->at);
}

/* Bit i of the path: one of the chunks from `first` on, or of the position in which it begins. */
static unsigned path_bit(const struct work *w, uint32_t position, ptrdiff_t i)
{
    const ptrdiff_t first = (ptrdiff_t)(w->run->first * w->frame->tag_bits);
    const ptrdiff_t s = (ptrdiff_t)w->frame->tag_bits, m = (ptrdiff_t)w->frame->m;

    if (i < first)
        return position >> ((i + m) % m) & 1;
    return w->bits[(i - first) / s] >> (s - 1 - (i - first) % s) & 1u;
}

/* Does the path have the same state at these two stages? */
static bool closed(const struct work *w, uint32_t position, size_t begin, size_t end)
{
    for (ptrdiff_t back = 1; back <= (ptrdiff_t)w->frame->m; back++)
        if (path_bit(w, position, (ptrdiff_t)begin - back) !=
            path_bit(w, position, (ptrdiff_t)end - back))
            return false;
    return true;
}

/* Forgets the chunks of m steps that end before this step. */
static void forget(struct work *w, size_t step)
{
    struct viterbi_frame_run *run = w->run;
    const unsigned s = w->frame->tag_bits, m = w->frame->m, states = w->frame->states;
    const size_t first = step / m * (m / s), drop = first - run->first;

    if (!drop)
        return;
    memmove(run->tags, run->tags + drop * states, (run->step / s + 1 - first) * states);
    run->first = first;
}

/* The rounds follow each other as the steps of one long tile. */
void viterbi_frame_wrap(const struct viterbi_frame *frame, const struct viterbi_input *input,
                        size_t number, uint8_t *bits, struct viterbi_verdict *verdict,
                        void *scratch)
{
    const size_t T = viterbi_frame_steps(&frame->spec), s = frame->tag_bits;
    size_t from = 0;
    struct work w;

    carve(&w, frame, scratch);
    w.row = (const int8_t *)input->llr + number * input->stride;
    w.phase = 0;
    w.turn = T;
    begin(&w, false);
    *verdict = (struct viterbi_verdict){0};
    while (!verdict->converged && verdict->iterations < frame->spec.wrap_limit) {
        uint32_t position;
        verdict->iterations++;
        from = verdict->iterations > 2 ? from + T : 0;
        forget(&w, from);
        forward(&w, verdict->iterations * T);
        position = viterbi_frame_trace(frame, w.run->tags, w.run->step - w.run->first * s,
                                       frame->set->best(frame, w.run), w.bits);
        verdict->converged = closed(&w, position, from, from + T);
    }
    viterbi_frame_put(w.bits, frame->tag_bits, from - w.run->first * s, T, bits, 0);
}
