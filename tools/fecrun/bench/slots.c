/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes the frames on which a stage is timed, and counts the errors in its output. */
#include "tools/fecrun/bench/bench_impl.h"
#include "run/session/session.h"

#include "core/batch/slot.h"

#include <stdlib.h>
#include <string.h>

#define HOPELESS 0.4 /* bit error rate at which the output has nothing to do with the input */
/* Together the inputs of a device's slots are more than twice a large cache of these days (60 MB),
   unless that takes too many. */
#define INPUT_BYTES ((size_t)128 << 20)
enum { DEVICE_SLOTS_MOST = 32 };
/* Frames of a load: many, since the time of some decoders depends on the noise. */
#define LOAD_BYTES ((size_t)64 << 20)
enum { LOAD_SLOTS_MOST = 1000 };

size_t bench_bytes(const struct bench *bench, const struct buffer *buffer)
{
    const struct shape *shape = bench->exec.created;

    return (size_t)shape_bytes(shape, shape->frames, buffer->stage, buffer->port, buffer->type);
}

int bench_fetch(struct bench *bench, const struct buffer *buffer, size_t offset, void *to,
                size_t bytes, struct diag *diag)
{
    struct stream *stream = &bench->exec.workers[0].stream;

    if (buffer->memory.space == SPACE_HOST) {
        memcpy(to, buffer->data + offset, bytes);
        return 0;
    }
    if (stream_copy(stream, to, buffer->data + offset, bytes, diag))
        return -1;
    return stream_wait(stream, diag);
}

int bench_fill(struct bench *bench, const struct memory *memory, struct diag *diag)
{
    struct stream *stream = &bench->exec.workers[0].stream;
    struct fecrun_error err = {.size = sizeof err};

    if (memory->space == SPACE_HOST) {
        memset(memory->ptr, 0xa5, memory->bytes);
        return 0;
    }
    stream->pending = true;
    if (stream->provider->fill(stream->device, stream->handle, memory->ptr, 0xa5, memory->bytes,
                               &err))
        return diag_fail(diag, DIAG_RUN, "%s:%d: %s", stream->provider->name, stream->device,
                         err.text);
    return stream_wait(stream, diag);
}

int bench_poison(struct bench *bench, struct diag *diag)
{
    for (unsigned i = 0; i < bench->made; i++)
        for (unsigned p = 0; p < FECRUN_MAX_PORTS; p++) {
            const struct memory *out = &bench->slots[i].stages[bench->stage].out[p].memory;
            if (out->ptr && bench_fill(bench, out, diag))
                return -1;
        }
    return 0;
}

/* ---- A device's slots: buffers round the stage are their own, the others shared ---- */

/* Does nothing to a buffer that is the slot's own already. */
static int own(struct bench *bench, struct memory *memory, char **data, const struct memory *shared,
               struct diag *diag)
{
    const struct layout *layout = &bench->exec.layout;
    struct place place = {.space = shared->space, .device = shared->device};
    size_t front = data ? (size_t)(*data - (char *)shared->ptr) : 0;

    if (!shared->ptr || memory->ptr != shared->ptr)
        return 0;
    if (shared->space == SPACE_HOST && shared->provider)
        place.pinned_for = layout->device.space;
    if (memory_alloc(memory, bench->session->registry, place, shared->bytes, diag)) {
        *memory = *shared; /* as before */
        return -1;
    }
    if (data)
        *data = (char *)memory->ptr + front;
    return 0;
}

/* The same buffer of the other slot. */
static const struct buffer *twin(const struct slot *slot, const struct slot *base,
                                 const struct buffer *buffer)
{
    return (const struct buffer *)((const char *)base->stages +
                                   ((const char *)buffer - (const char *)slot->stages));
}

static int own_buffer(struct bench *bench, struct slot *slot, struct buffer *buffer,
                      struct diag *diag)
{
    return own(bench, &buffer->memory, &buffer->data, &twin(slot, &bench->base, buffer)->memory,
               diag);
}

/* What the stage reads and writes, and what later stages read from earlier ones. */
static int own_buffers(struct bench *bench, struct slot *slot, struct diag *diag)
{
    const struct graph *graph = bench->session->graph;
    const struct layout *layout = &bench->exec.layout;

    for (size_t t = bench->stage; t < graph->n; t++)
        for (unsigned p = 0; p < graph->stages[t].n_in; p++) {
            const struct edge *edge = &layout->negotiation->choices[t].in[p];
            if (edge->from_stage >= 0 && edge->from_stage < (int)bench->stage &&
                own_buffer(bench, slot, slot_input(slot, layout, t, p), diag))
                return -1;
        }
    for (unsigned p = 0; p < graph->stages[bench->stage].n_out; p++)
        if (own_buffer(bench, slot, &slot->stages[bench->stage].out[p], diag))
            return -1;
    return own(bench, &slot->info, NULL, &bench->base.info, diag) ||
           own(bench, &slot->device_info, NULL, &bench->base.device_info, diag);
}

static int share_slot(struct bench *bench, struct slot *slot, struct diag *diag)
{
    size_t bytes = bench->session->graph->n * sizeof *slot->stages;

    *slot = bench->base;
    slot->stages = malloc(bytes);
    if (!slot->stages)
        return diag_fail(diag, DIAG_RUN, "out of memory");
    memcpy(slot->stages, bench->base.stages, bytes);
    return own_buffers(bench, slot, diag);
}

static void disown(struct memory *memory, const struct memory *shared)
{
    if (memory->ptr != shared->ptr)
        memory_free(memory);
}

static void unshare_slot(struct bench *bench, struct slot *slot)
{
    const struct slot *base = &bench->base;

    for (size_t s = 0; slot->stages && s < bench->session->graph->n; s++)
        for (unsigned p = 0; p < FECRUN_MAX_PORTS; p++) {
            disown(&slot->stages[s].out[p].memory, &base->stages[s].out[p].memory);
            disown(&slot->stages[s].in[p].memory, &base->stages[s].in[p].memory);
        }
    if (slot->stages) {
        disown(&slot->info, &base->info);
        disown(&slot->device_info, &base->device_info);
    }
    free(slot->stages);
}

/* On a device, of what the slots do not share. */
static unsigned load_slots(struct bench *bench)
{
    const struct layout *layout = &bench->exec.layout;
    const uint64_t bytes = bench->on_device
                               ? bench_bytes(bench,
                                             slot_input(&bench->base, layout, bench->stage, 0))
                               : layout_bytes(layout, bench->exec.created->frames, NULL).host;
    const uint64_t n = LOAD_BYTES / (bytes + 1);

    return n > LOAD_SLOTS_MOST ? LOAD_SLOTS_MOST : n < BENCH_SLOTS ? BENCH_SLOTS : (unsigned)n;
}

static unsigned device_slots(struct bench *bench)
{
    const struct buffer *in = slot_input(&bench->base, &bench->exec.layout, bench->stage, 0);
    size_t n = INPUT_BYTES / (bench_bytes(bench, in) + 1) + 1;

    n = n > DEVICE_SLOTS_MOST ? DEVICE_SLOTS_MOST : n < BENCH_SLOTS ? BENCH_SLOTS : n;
    return n < bench->in_flight ? bench->in_flight : (unsigned)n;
}

/* ---- Frames ---- */

static struct line line_of(struct bench *bench, unsigned slot)
{
    return (struct line){
        .exec = &bench->exec, .worker = &bench->exec.workers[0], .slot = &bench->slots[slot]};
}

/* What the stages in front of the stage make. Waits: other streams will read it. 1: a load can do with the frames
   before, which the input has ended with. */
static int make_frames(struct bench *bench, unsigned number, struct diag *diag)
{
    const uint64_t frames = bench->exec.created->frames;
    struct line line = line_of(bench, number);

    line_begin(&line, number * frames, frames);
    if (line_run(&line, 0, bench->stage - 1, diag) || line_wait(&line, diag))
        return -1;
    if (line.slot->frames == frames)
        return 0;
    if (bench->load && number)
        return 1;
    return diag_fail(diag, DIAG_RUN, "bench: the input has fewer than %u batches of %llu frames",
                     bench->n_slots, (unsigned long long)frames);
}

/* A host hands out more memory than it has, and ends the program when it is used. */
static int check_room(const struct bench *bench, struct diag *diag)
{
    const uint64_t frames = bench->exec.created->frames;
    const struct layout *layout = &bench->exec.layout;
    const uint64_t need = bytes_times(layout_bytes(layout, frames, NULL).host, bench->n_slots) +
                          ragged_bytes(layout);
    const uint64_t have = budget_host_memory();

    if (bench->on_device || need <= have)
        return 0;
    return diag_fail(diag, DIAG_RUN,
                     "bench: %u batches of %llu frames, %d a thread, need %.1f GiB "
                     "of memory, and there are %.1f GiB; a smaller batch needs less",
                     bench->n_slots, (unsigned long long)frames, BENCH_SLOTS,
                     (double)need / (1 << 30), (double)have / (1 << 30));
}

static void drop_last(struct bench *bench)
{
    struct slot *slot = &bench->slots[--bench->made];

    if (bench->on_device)
        unshare_slot(bench, slot);
    else
        slot_free(slot, &bench->exec.layout);
}

int bench_slots_make(struct bench *bench, struct diag *diag)
{
    if (bench->on_device && slot_make(&bench->base, &bench->exec.layout, diag))
        return -1;
    bench->n_slots = bench->load        ? load_slots(bench)
                     : bench->on_device ? device_slots(bench)
                                        : bench->threads * BENCH_SLOTS;
    if (check_room(bench, diag))
        return -1;
    bench->slots = calloc(bench->n_slots, sizeof *bench->slots);
    if (!bench->slots)
        return diag_fail(diag, DIAG_RUN, "out of memory");
    while (bench->made < bench->n_slots) {
        unsigned number = bench->made++; /* to be freed, also half made */
        struct slot *slot = &bench->slots[number];
        int ended;
        if (bench->on_device ? share_slot(bench, slot, diag)
                             : slot_make(slot, &bench->exec.layout, diag))
            return -1;
        ended = make_frames(bench, number, diag);
        if (ended < 0)
            return -1;
        if (ended) {
            drop_last(bench);
            break;
        }
    }
    return 0;
}

void bench_slots_keep(struct bench *bench, unsigned n)
{
    while (bench->made > n)
        drop_last(bench);
}

void bench_slots_free(struct bench *bench)
{
    bench_slots_keep(bench, 0);
    free(bench->slots);
    if (bench->on_device && bench->base.stages)
        slot_free(&bench->base, &bench->exec.layout);
}

/* ---- Errors ---- */

/* rows: room for those of `blocks:`, or NULL. */
static int count_slots(struct bench *bench, struct run_counts *counts, struct run_class *rows,
                       struct diag *diag)
{
    const struct run_limits none = {0};

    for (unsigned i = 0; i < bench->made; i++) {
        struct run_part part = {.counts.rows = rows};
        struct line line = line_of(bench, i);
        /* on a device the stage was called alone */
        if (bench->on_device && line_edges(&line, bench->stage, diag))
            return -1;
        if (line_run(&line, bench->stage + 1, bench->session->graph->n - 1, diag) ||
            line_end(&line, diag) || line_wait(&line, diag))
            return -1;
        if (rows)
            memset(rows, 0, bench->exec.shape->n_rows * sizeof *rows);
        count_slot(&part, line.exec, line.slot, 0, &none);
        run_counts_add(counts, &part.counts, 0);
    }
    return 0;
}

int bench_count(struct bench *bench, struct bench_result *result, struct diag *diag)
{
    struct run_counts counts = {0};
    struct run_class *rows = NULL;
    int status;

    if (bench->session->pipeline->n_blocks &&
        !(rows = calloc(bench->exec.shape->n_rows, sizeof *rows)))
        return diag_fail(diag, DIAG_RUN, "out of memory");
    status = count_slots(bench, &counts, rows, diag);
    free(rows);
    if (status)
        return -1;
    result->counted = counts.counted;
    result->frames = counts.frames;
    result->ber = counts.bits ? (double)counts.bit_errors / (double)counts.bits : 0;
    result->fer = counts.frames ? (double)counts.frame_errors / (double)counts.frames : 0;
    result->iterations_mean = counts.frames ? (double)counts.iterations / (double)counts.frames : 0;
    if (result->counted && result->ber >= HOPELESS)
        return diag_fail(diag, DIAG_RUN,
                         "bench: the timed output is wrong: BER %.3g; no speed is reported (if "
                         "the channel is the reason, use less noise)",
                         result->ber);
    return 0;
}
