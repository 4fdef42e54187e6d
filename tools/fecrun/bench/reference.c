/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The timed output against the reference's. A twin of the session gets the stage's inputs as they
 * lie in the slots, a few frames at a time, and runs the stage and those that its backend had
 * absorbed.
 */
#include "tools/fecrun/bench/bench_impl.h"

#include "core/base/cpu.h"
#include "core/plan/graph.h"
#include "tools/fecrun/frames/twin.h"
#include <fecrun/sdk/params.h>
#include <fecrun/sdk/sample.h>

#include <stdlib.h>
#include <string.h>

#define CHUNK_BITS 100000 /* of a chunk of frames: a small part of a second */

struct reference {
    struct bench *bench;
    struct session_twin twin;
    struct session_plan plan;
    struct line line;
    size_t first;         /* first stage that runs */
    uint64_t chunk, edge; /* frames in a chunk; of those at its end that see too little beyond */
    char *raw, *turned;   /* a buffer's bytes as they lie, and in the other's type */
    size_t room;
};

/* ---- What can be compared ---- */

static bool is_integer(uint32_t type)
{
    return type != FECRUN_F32 && type != FECRUN_F16 && type != FECRUN_C8;
}

/* Rows agree exactly only wherever the input is integer. */
static bool claims_equality(const struct bench *bench)
{
    const struct choice *choice = &bench->exec.negotiation->choices[bench->stage];
    const struct registry_stage *entry = bench->session->graph->stages[bench->stage].entry;

    if (choice->backend == &entry->backends[0] ||
        choice->backend->backend->agreement != FECRUN_AGREEMENT_EXACT)
        return false;
    for (unsigned p = 0; p < FECRUN_MAX_PORTS; p++)
        if ((choice->in[p].from_stage >= 0 && !is_integer(choice->in[p].to_type)) ||
            (p < choice->form->n_out && choice->form->out[p].type &&
             graph_output_read(bench->session->graph, bench->stage, p) &&
             !is_integer(choice->form->out[p].type)))
            return false;
    return true;
}

/* ---- The other session ---- */

static uint64_t frame_items(const struct shape *shape, const struct buffer *buffer)
{
    return shape_items(shape, 0, buffer->stage, buffer->port);
}

/* Frames at the end of a chunk of a stream whose neighbours behind them are not there. */
static uint64_t edge_frames(struct reference *ref)
{
    uint64_t frames = 0;

    for (size_t s = ref->first; s <= ref->bench->stage; s++) {
        const struct layout *layout = &ref->line.exec->layout;
        const struct buffer *in = slot_input(ref->line.slot, layout, s, 0);
        uint64_t after = layout->margins[s].after;
        if (in && after)
            frames += (after - 1) / frame_items(&ref->plan.shape, in) + 1;
    }
    return frames;
}

static int open_line(struct reference *ref, uint64_t frames, struct diag *diag)
{
    ref->chunk = frames;
    shape_set_frames(&ref->plan.shape, frames);
    return line_open(&ref->line, ref->plan.negotiation, &ref->plan.shape, false, diag);
}

/* A chunk of a stream has at least as many frames that count as ones at its edge. */
static int choose_chunk(struct reference *ref, struct diag *diag)
{
    const struct bench *bench = ref->bench;
    uint64_t all = bench->exec.created->frames, frames;
    uint64_t items = frame_items(bench->exec.created, &bench->slots[0].stages[bench->stage].out[0]);

    frames = ref->twin.pipeline.n_blocks ? shape_unit(bench->exec.created)
                                         : CHUNK_BITS / (items + 1) + 1;
    frames = frames < all ? frames : all;
    if (open_line(ref, frames, diag))
        return -1;
    ref->edge = edge_frames(ref);
    if (!ref->edge || frames == all || frames >= 2 * ref->edge)
        return 0;
    line_close(&ref->line);
    frames = 2 * ref->edge < all ? 2 * ref->edge : all;
    return open_line(ref, frames, diag);
}

static int open_reference(struct reference *ref, struct bench *bench, struct diag *diag)
{
    *ref = (struct reference){.bench = bench,
                              .first = bench->stage -
                                       bench->exec.negotiation->choices[bench->stage].n_absorbed};
    if (session_twin_open(&ref->twin, bench->session, diag) ||
        session_plan(&ref->twin.session, bench->options->point, &ref->plan, diag))
        return -1;
    return choose_chunk(ref, diag);
}

static void close_reference(struct reference *ref)
{
    line_close(&ref->line);
    session_plan_free(&ref->plan);
    session_twin_close(&ref->twin);
    free(ref->raw);
    free(ref->turned);
}

/* ---- Frames from one to the other ---- */

struct piece {              /* frames of one span that are in the chunk */
    uint64_t first, n;      /* first: in the chunk */
    uint64_t items, pieces; /* n counts the pieces, too */
    char *from;             /* fetched, in the type of the timed buffer */
    char *to;               /* in the reference's slot */
    uint64_t from_stride, to_stride;
};

static int grow(struct reference *ref, size_t bytes, struct diag *diag)
{
    if (bytes <= ref->room)
        return 0;
    free(ref->raw);
    free(ref->turned);
    ref->raw = malloc(bytes);
    ref->turned = malloc(bytes);
    ref->room = ref->raw && ref->turned ? bytes : 0;
    return ref->room ? 0 : diag_fail(diag, DIAG_RUN, "out of memory");
}

/* Frames first, first + 1, ... of a batch: 1 and a piece, 0 where the span has none of them. */
static int get_piece(struct reference *ref, const struct buffer *from, const struct buffer *to,
                     uint64_t first, uint64_t n, const struct shape_row *r, struct piece *piece,
                     struct diag *diag)
{
    const struct shape *shape = ref->bench->exec.created;
    uint64_t begin = r->first > first ? r->first : first;
    uint64_t end = r->first + r->count < first + n ? r->first + r->count : first + n;
    const struct fecrun_frame *frame = &shape->plans[r->class]->stages[from->stage].out[from->port];

    if (begin >= end)
        return 0;
    *piece = (struct piece){.first = begin - first,
                            .n = (end - begin) * frame->pieces,
                            .items = frame->items,
                            .pieces = frame->pieces,
                            .from_stride = fecrun_bytes(from->type, frame->items),
                            .to_stride = fecrun_bytes(to->type, frame->items)};
    piece->to = to->data +
                shape_bytes(&ref->plan.shape, begin - first, to->stage, to->port, to->type);
    if (grow(ref, piece->n * piece->from_stride + piece->to_stride, diag) ||
        bench_fetch(ref->bench, from,
                    shape_bytes(shape, r->first, from->stage, from->port, from->type) +
                        (begin - r->first) * frame->pieces * piece->from_stride,
                    ref->raw, piece->n * piece->from_stride, diag))
        return -1;
    piece->from = ref->raw;
    return 1;
}

static int load(struct reference *ref, const struct buffer *from, const struct buffer *to,
                uint64_t first, uint64_t n, struct diag *diag)
{
    const struct shape *shape = ref->bench->exec.created;

    for (size_t k = shape_span_of(shape, first);; k++) {
        const struct shape_row span = shape_span(shape, k);
        struct piece piece;
        int status = get_piece(ref, from, to, first, n, &span, &piece, diag);
        if (span.first >= first + n)
            return 0;
        if (status < 0)
            return -1;
        for (uint64_t f = 0; status && f < piece.n; f++)
            fecrun_convert(from->type, to->type, piece.from + f * piece.from_stride,
                           piece.to + f * piece.to_stride, piece.items);
    }
}

static int differs(const struct reference *ref, uint64_t frame, const char *turned,
                   const char *wanted, uint64_t bytes, struct diag *diag)
{
    const struct bench *bench = ref->bench;
    uint64_t at = 0;

    while (at < bytes && turned[at] == wanted[at])
        at++;
    return diag_fail(diag, DIAG_RUN,
                     "bench: %s: backend %s differs from %s in frame %llu, byte "
                     "%llu of its output; no speed is reported",
                     bench->session->graph->stages[bench->stage].decl->id,
                     bench->exec.negotiation->choices[bench->stage].backend->backend->name,
                     ref->plan.negotiation->choices[bench->stage].backend->backend->name,
                     (unsigned long long)frame, (unsigned long long)at);
}

static int compare(struct reference *ref, const struct slot *slot, const struct buffer *from,
                   const struct buffer *to, uint64_t first, uint64_t n, struct diag *diag)
{
    const struct shape *shape = ref->bench->exec.created;

    for (size_t k = shape_span_of(shape, first);; k++) {
        const struct shape_row span = shape_span(shape, k);
        struct piece piece;
        int status = get_piece(ref, from, to, first, n, &span, &piece, diag);
        if (span.first >= first + n)
            return 0;
        if (status < 0)
            return -1;
        for (uint64_t f = 0; status && f < piece.n; f++) {
            const char *wanted = piece.to + f * piece.to_stride;
            fecrun_convert(from->type, to->type, piece.from + f * piece.from_stride, ref->turned,
                           piece.items);
            if (memcmp(ref->turned, wanted, piece.to_stride))
                return differs(ref, slot->first_frame + first + piece.first + f / piece.pieces,
                               ref->turned, wanted, piece.to_stride, diag);
        }
    }
}

/* ---- A chunk ---- */

/* Stages that were absorbed are in front of port 0. */
static struct buffer *reference_input(struct reference *ref, unsigned port)
{
    return slot_input(ref->line.slot, &ref->line.exec->layout,
                      port ? ref->bench->stage : ref->first, port);
}

/* Types that cannot be turned into each other are not compared. */
static bool convertible(struct reference *ref)
{
    struct bench *bench = ref->bench;

    for (unsigned p = 0; p < FECRUN_MAX_PORTS; p++) {
        const struct buffer *from = slot_input(&bench->slots[0], &bench->exec.layout, bench->stage,
                                               p);
        const struct buffer *to = reference_input(ref, p);
        if (from && to && !fecrun_convert_known(from->type, to->type))
            return false;
        from = &bench->slots[0].stages[bench->stage].out[p];
        to = &ref->line.slot->stages[bench->stage].out[p];
        if (from->memory.ptr && !fecrun_convert_known(from->type, to->type))
            return false;
    }
    return true;
}

static int run_reference(struct reference *ref, struct slot *slot, uint64_t first, uint64_t n,
                         struct diag *diag)
{
    struct bench *bench = ref->bench;

    line_begin(&ref->line, slot->first_frame + first, n);
    for (unsigned p = 0; p < FECRUN_MAX_PORTS; p++) {
        const struct buffer *from = slot_input(slot, &bench->exec.layout, bench->stage, p);
        if (from && load(ref, from, reference_input(ref, p), first, n, diag))
            return -1;
    }
    return line_run(&ref->line, ref->first, bench->stage, diag);
}

static int check_chunk(struct reference *ref, struct slot *slot, uint64_t first, uint64_t n,
                       uint64_t counting, struct diag *diag)
{
    const size_t stage = ref->bench->stage;

    if (run_reference(ref, slot, first, n, diag))
        return -1;
    for (unsigned p = 0; p < FECRUN_MAX_PORTS; p++)
        if (slot->stages[stage].out[p].memory.ptr &&
            compare(ref, slot, &slot->stages[stage].out[p], &ref->line.slot->stages[stage].out[p],
                    first, counting, diag))
            return -1;
    return 0;
}

/* Of a stream only the first frames of each batch: what lies in front of others counts, too. */
static int check_slots(struct reference *ref, struct bench_result *result, struct diag *diag)
{
    struct bench *bench = ref->bench;
    uint64_t all = bench->exec.created->frames;
    bool stream = ref->edge || bench->exec.created->plans[0]->stages[0].out[0].stream;
    double begin = cpu_seconds();

    for (unsigned i = 0; i < bench->made; i++)
        for (uint64_t first = 0; first < all && (!stream || !first); first += ref->chunk) {
            uint64_t n = all - first < ref->chunk ? all - first : ref->chunk;
            uint64_t counting = n < all && stream ? n - ref->edge : n;
            if (result->checked_frames && cpu_seconds() - begin > bench->options->check_seconds)
                return 0;
            if (check_chunk(ref, &bench->slots[i], first, n, counting, diag))
                return -1;
            result->checked_frames += counting;
        }
    return 0;
}

int bench_reference(struct bench *bench, struct bench_result *result, struct diag *diag)
{
    struct reference ref;
    int status;

    if (!claims_equality(bench))
        return 0;
    status = open_reference(&ref, bench, diag);
    if (!status && convertible(&ref)) {
        status = check_slots(&ref, result, diag);
        result->compared = !status;
    }
    close_reference(&ref);
    return status;
}
