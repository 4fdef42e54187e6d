/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The general decoder on the device: that of the backend cuda-general (backend.c), and
 * of others.
 *
 * All memory is there from create() on. Classes and the places of a ragged batch's frames are kept
 * in pinned memory as the device has them, and only what changed is copied: classes at a new sweep
 * point, places once. Before that memory is written, the last copy out of it has been waited for;
 * as a run() call comes after the work of the one before it, that never takes time.
 */
#include <fecrun/sdk/cuda.h>
#include <stdlib.h>

#include "plugins/ldpc/cuda/general/plan.h"

#ifdef FECRUN_CUDA

#include "plugins/ldpc/cuda/general/launch.h"

/* Device memory of a class's tables. */
struct class_memory {
    void *edge, *row, *layer, *list, *place, *info;
};

struct ldpc_general {
    struct ldpc_general_config config;
    int device;
    bool nr;
    uint32_t in_type, out_type, n;
    uint64_t max_frames;
    struct class_memory *memory;        /* n each: */
    struct ldpc_general_class *classes; /* as run() wants them */
    struct ldpc_general_class *pinned, *on_device;
    struct ldpc_general_shape *shape; /* equal frames of a class */
    struct ldpc_general_shape ragged;
    struct ldpc_general_frame *frame, *device_frame; /* max_frames; n > 1 in one launch */
    uint32_t *bin, *device_bin;                      /* max_frames + 1 */
    uint64_t placed;                                 /* frames */
    struct ldpc_general_place next;
    cudaEvent_t copied;
    cudaStream_t stream; /* of the last copies */
    bool any_copy;
};

/* ---- Making one ---- */

static int upload(void **device, const void *host, size_t bytes, struct fecrun_error *err)
{
    return fecrun_cuda_upload(device, host, bytes, "a code's tables", err);
}

static int upload_tables(struct class_memory *m, struct ldpc_general_class *c,
                         const struct ldpc_general_tables *t, const struct ldpc_code *code,
                         struct fecrun_error *err)
{
    if (upload(&m->edge, t->edge, t->edges * sizeof *t->edge, err) ||
        upload(&m->row, t->row, t->rows * sizeof *t->row, err) ||
        upload(&m->layer, t->layer, t->layers * sizeof *t->layer, err) ||
        upload(&m->list, t->list, t->lists * sizeof *t->list, err) ||
        upload(&m->place, code->place, code->n * sizeof *code->place, err) ||
        upload(&m->info, code->info, code->k * sizeof *code->info, err))
        return -1;
    c->edge = m->edge;
    c->row = m->row;
    c->layer = m->layer;
    c->list = m->list;
    c->place = m->place;
    c->info = m->info;
    return 0;
}

static int make_class(struct ldpc_general *general, uint32_t i, const struct ldpc_decode *code,
                      struct fecrun_error *err)
{
    struct ldpc_general_class *c = &general->classes[i];
    struct ldpc_general_tables tables = {NULL};
    int status = ldpc_general_class_make(c, &tables, code, &general->config, err) ||
                 upload_tables(&general->memory[i], c, &tables, code->code, err) ||
                 ldpc_general_shape_make(&general->shape[i], c, 1, general->nr, &general->config,
                                         general->max_frames, err);

    ldpc_general_tables_free(&tables);
    return status ? -1 : 0;
}

static int take_host_memory(struct ldpc_general *general, struct fecrun_error *err)
{
    general->memory = calloc(general->n, sizeof *general->memory);
    general->classes = calloc(general->n, sizeof *general->classes);
    general->shape = calloc(general->n, sizeof *general->shape);
    if (!general->memory || !general->classes || !general->shape)
        return fecrun_no_memory(err);
    return 0;
}

static int take_both(void **host, void **device, size_t bytes, struct fecrun_error *err)
{
    return fecrun_cuda_check(err, "pinned memory", cudaMallocHost(host, bytes)) ||
           fecrun_cuda_check(err, "device memory", cudaMalloc(device, bytes));
}

static int take_memory(struct ldpc_general *general, struct fecrun_error *err)
{
    const bool places = general->n > 1 && !general->config.per_class;

    if (take_both((void **)&general->pinned, (void **)&general->on_device,
                  general->n * sizeof *general->pinned, err) ||
        fecrun_cuda_check(err, "making an event",
                          cudaEventCreateWithFlags(&general->copied, cudaEventDisableTiming)))
        return -1;
    memset(general->pinned, 0, general->n * sizeof *general->pinned);
    if (!places)
        return 0;
    return take_both((void **)&general->frame, (void **)&general->device_frame,
                     general->max_frames * sizeof *general->frame, err) ||
           take_both((void **)&general->bin, (void **)&general->device_bin,
                     (general->max_frames + 1) * sizeof *general->bin, err);
}

static int fill_constants(const struct ldpc_general *general, struct fecrun_error *err)
{
    struct ldpc_general_graphs *graphs = malloc(sizeof *graphs);
    int status;

    if (!graphs)
        return fecrun_no_memory(err);
    status = ldpc_general_graphs_make(graphs, err);
    if (!status)
        status = fecrun_cuda_check(
            err, "preparing the kernels",
            general->config.arithmetic == LDPC_GENERAL_I16
                ? ldpc_general_prepare_i16(graphs, general->config.limits.shared_block)
                : ldpc_general_prepare_half(graphs, general->config.limits.shared_block));
    free(graphs);
    return status;
}

static int make_general(struct ldpc_general *general, const struct fecrun_create *args,
                        struct fecrun_error *err)
{
    if (ldpc_general_takes(args, err) || take_host_memory(general, err) ||
        fecrun_cuda_use(general->device, err) ||
        fecrun_cuda_read_limits(&general->config.limits, err) || take_memory(general, err) ||
        fill_constants(general, err))
        return -1;
    for (uint32_t i = 0; i < general->n; i++)
        if (make_class(general, i, args->codes[i], err))
            return -1;
    return ldpc_general_shape_make(&general->ragged, general->classes, general->n, general->nr,
                                   &general->config, general->max_frames, err);
}

int ldpc_general_create(const struct fecrun_create *args, const struct ldpc_general_config *config,
                        struct ldpc_general **made, struct fecrun_error *err)
{
    const struct ldpc_decode *first = args->codes[0];
    struct ldpc_general *general = calloc(1, sizeof *general);

    *made = NULL;
    if (!general)
        return fecrun_no_memory(err);
    general->config = *config;
    general->device = args->device;
    general->nr = first->code->family == LDPC_NR;
    general->in_type = args->form->in[0].type;
    general->out_type = args->form->out[0].type;
    general->n = args->n_codes;
    general->max_frames = args->max_frames;
    if (config->arithmetic == LDPC_GENERAL_I16 && general->in_type != FECRUN_I8) {
        free(general);
        return fecrun_fail(err, "arithmetic",
                           "i16 takes LLRs of type i8 only: put llr.quantize in "
                           "front");
    }
    if (make_general(general, args, err)) {
        ldpc_general_destroy(general);
        return -1;
    }
    *made = general;
    return 0;
}

void ldpc_general_destroy(struct ldpc_general *general)
{
    if (!general)
        return;
    cudaSetDevice(general->device);
    for (uint32_t i = 0; general->memory && i < general->n; i++) {
        cudaFree(general->memory[i].edge);
        cudaFree(general->memory[i].row);
        cudaFree(general->memory[i].layer);
        cudaFree(general->memory[i].list);
        cudaFree(general->memory[i].place);
        cudaFree(general->memory[i].info);
    }
    if (general->copied)
        cudaEventDestroy(general->copied);
    cudaFreeHost(general->pinned);
    cudaFreeHost(general->frame);
    cudaFreeHost(general->bin);
    cudaFree(general->on_device);
    cudaFree(general->device_frame);
    cudaFree(general->device_bin);
    free(general->memory);
    free(general->classes);
    free(general->shape);
    free(general);
}

/* ---- Scratch ---- */

static size_t shape_scratch(const struct ldpc_general_shape *shape, uint64_t bins)
{
    return (size_t)((bins < shape->limit ? bins : shape->limit) * shape->far * 4);
}

size_t ldpc_general_scratch(const struct ldpc_general *general, uint64_t frames)
{
    size_t most = 0;

    if (general->n > 1 && !general->config.per_class)
        return shape_scratch(&general->ragged, frames);
    for (uint32_t i = 0; i < general->n; i++) {
        const size_t bytes = shape_scratch(&general->shape[i], frames);

        most = bytes > most ? bytes : most;
    }
    return most;
}

/* ---- Copies to the device ---- */

/* Before pinned memory is written. */
static int begin_copies(struct ldpc_general *general, struct fecrun_error *err)
{
    if (!general->any_copy)
        return 0;
    return fecrun_cuda_check(err, "waiting for an earlier copy",
                             cudaEventSynchronize(general->copied));
}

static int end_copies(struct ldpc_general *general, cudaStream_t stream, struct fecrun_error *err)
{
    general->any_copy = true;
    general->stream = stream;
    return fecrun_cuda_check(err, "marking a copy's end", cudaEventRecord(general->copied, stream));
}

static int copy_range(void *device, const void *host, size_t first, size_t end, size_t unit,
                      cudaStream_t stream, struct fecrun_error *err)
{
    return fecrun_cuda_check(err, "copying tables",
                             cudaMemcpyAsync((char *)device + first * unit,
                                             (const char *)host + first * unit,
                                             (end - first) * unit, cudaMemcpyHostToDevice, stream));
}

static int copy_classes(struct ldpc_general *general, const struct fecrun_call *call,
                        struct fecrun_error *err)
{
    const size_t bytes = general->n * sizeof *general->classes;

    for (uint32_t i = 0; i < general->n; i++)
        ldpc_general_class_set(&general->classes[i], call->codes[i], general->config.arithmetic);
    if (general->any_copy && !memcmp(general->pinned, general->classes, bytes))
        return 0;
    if (begin_copies(general, err))
        return -1;
    memcpy(general->pinned, general->classes, bytes);
    return copy_range(general->on_device, general->pinned, 0, 1, bytes, call->stream, err) ||
           end_copies(general, call->stream, err);
}

static int check_frame(const struct ldpc_general *general, const struct fecrun_call *call,
                       const struct fecrun_view *in, struct fecrun_view *const out[], uint64_t f,
                       struct fecrun_error *err)
{
    const uint32_t class = in->frame_class[f];
    const struct ldpc_decode *code;

    if (class >= general->n)
        return fecrun_fail(err, NULL, "frame %llu is of class %u of %u", (unsigned long long)f,
                           class, general->n);
    code = call->codes[class];
    if (in->offset[f + 1] - in->offset[f] == fecrun_bytes(general->in_type, code->code->n) &&
        out[LDPC_OUT]->offset[f + 1] - out[LDPC_OUT]->offset[f] ==
            fecrun_bytes(general->out_type, code->bits))
        return 0;
    return fecrun_fail(err, NULL, "frame %llu has another size than its class",
                       (unsigned long long)f);
}

static int copy_places(struct ldpc_general *general, const struct fecrun_call *call,
                       const struct fecrun_view *in, struct fecrun_view *const out[],
                       struct fecrun_error *err)
{
    const uint64_t first = general->placed;
    const uint32_t first_bin = first ? general->next.bin + 1 : 0;
    uint64_t bin = first_bin;

    if (in->frames <= first)
        return 0;
    if (begin_copies(general, err))
        return -1;
    for (uint64_t f = first; f < in->frames; f++) {
        struct ldpc_general_frame *frame = &general->frame[f];

        if (check_frame(general, call, in, out, f, err))
            return -1;
        memset(frame, 0, sizeof *frame);
        frame->in = in->offset[f];
        frame->out = out[LDPC_OUT]->offset[f];
        for (unsigned p = 0; p < 2; p++)
            if (out[LDPC_OUT_LLR + p])
                frame->soft[p] = out[LDPC_OUT_LLR + p]->offset[f];
        frame->class_number = in->frame_class[f];
        if (ldpc_general_pack(&general->next, frame, &general->classes[frame->class_number],
                              &general->ragged))
            general->bin[bin++] = (uint32_t)f;
    }
    general->bin[bin++] = (uint32_t)in->frames;
    general->placed = in->frames;
    return copy_range(general->device_frame, general->frame, first, in->frames,
                      sizeof *general->frame, call->stream, err) ||
           copy_range(general->device_bin, general->bin, first_bin, bin, sizeof *general->bin,
                      call->stream, err) ||
           end_copies(general, call->stream, err);
}

/* ---- Launches ---- */

static int launch(const struct ldpc_general *general, const struct ldpc_general_shape *shape,
                  struct ldpc_general_work *work, cudaStream_t stream, struct fecrun_error *err)
{
    struct ldpc_general_grid grid = {.home = shape->home,
                                     .nr = general->nr,
                                     .roomy = shape->roomy,
                                     .soft = work->soft[0] || work->soft[1],
                                     .blocks = work->bins,
                                     .threads = shape->threads,
                                     .shared = 4 * (size_t)shape->near,
                                     .stream = stream};

    if (shape->far && grid.blocks > shape->limit)
        grid.blocks = shape->limit;
    work->scratch_words = shape->far;
    return fecrun_cuda_check(err, "starting the decoder",
                             general->config.arithmetic == LDPC_GENERAL_I16
                                 ? ldpc_general_launch_i16(work, &grid)
                                 : ldpc_general_launch_half(work, &grid));
}

static struct ldpc_general_work work_for(const struct ldpc_general *general,
                                         const struct fecrun_call *call,
                                         const struct fecrun_view *in,
                                         struct fecrun_view *const out[])
{
    struct ldpc_general_work work = {.in = in->data,
                                     .out = out[LDPC_OUT]->data,
                                     .info = call->info,
                                     .classes = general->on_device,
                                     .in_type = general->in_type,
                                     .out_type = general->out_type,
                                     .frames = in->frames,
                                     .scratch = call->scratch};

    for (unsigned p = 0; p < 2; p++)
        work.soft[p] = out[LDPC_OUT_LLR + p] ? out[LDPC_OUT_LLR + p]->data : NULL;
    return work;
}

/* Frames from f on, which are of one class: the first one, and how far the next one is from it. */
static void take_strides(struct ldpc_general_work *work, const struct fecrun_view *in,
                         struct fecrun_view *const out[], uint64_t f)
{
    work->in_stride = in->offset[f + 1] - in->offset[f];
    work->in = (const char *)in->data + in->offset[f];
    work->out_stride = out[LDPC_OUT]->offset[f + 1] - out[LDPC_OUT]->offset[f];
    work->out = (char *)out[LDPC_OUT]->data + out[LDPC_OUT]->offset[f];
    for (unsigned p = 0; p < 2; p++) {
        const struct fecrun_view *soft = out[LDPC_OUT_LLR + p];

        if (!soft)
            continue;
        work->soft_stride[p] = soft->offset[f + 1] - soft->offset[f];
        work->soft[p] = (char *)soft->data + soft->offset[f];
    }
}

static int launch_equal(const struct ldpc_general *general, struct ldpc_general_work *work,
                        uint32_t class, cudaStream_t stream, struct fecrun_error *err)
{
    const struct ldpc_general_shape *shape = &general->shape[class];

    work->class_number = class;
    work->blocks = shape->blocks;
    work->near = ldpc_general_near(&general->classes[class], shape->home);
    work->far = ldpc_general_far(&general->classes[class], shape->home);
    work->bins = (uint32_t)((work->frames + work->blocks - 1) / work->blocks);
    return launch(general, shape, work, stream, err);
}

static int run_equal(struct ldpc_general *general, const struct fecrun_call *call,
                     const struct fecrun_view *in, struct fecrun_view *const out[],
                     struct fecrun_error *err)
{
    const struct ldpc_decode *code = call->codes[0];
    struct ldpc_general_work work = work_for(general, call, in, out);

    if (general->n != 1 || in->items != code->code->n || out[LDPC_OUT]->items != code->bits)
        return fecrun_fail(err, NULL,
                           "made for %u classes and frames of %u LLRs, called with "
                           "frames of %llu for %llu bits",
                           general->n, code->code->n, (unsigned long long)in->items,
                           (unsigned long long)out[LDPC_OUT]->items);
    work.in_stride = in->stride;
    work.out_stride = out[LDPC_OUT]->stride;
    for (unsigned p = 0; p < 2; p++)
        work.soft_stride[p] = out[LDPC_OUT_LLR + p] ? out[LDPC_OUT_LLR + p]->stride : 0;
    return launch_equal(general, &work, 0, call->stream, err);
}

/* A launch for each run of frames of one class. */
static int run_classes(struct ldpc_general *general, const struct fecrun_call *call,
                       const struct fecrun_view *in, struct fecrun_view *const out[],
                       struct fecrun_error *err)
{
    for (uint64_t f = 0, n; f < in->frames; f += n) {
        struct ldpc_general_work work = work_for(general, call, in, out);

        for (n = 0; f + n < in->frames && in->frame_class[f + n] == in->frame_class[f]; n++)
            if (check_frame(general, call, in, out, f + n, err))
                return -1;
        take_strides(&work, in, out, f);
        work.info = call->info + f;
        work.frames = n;
        if (launch_equal(general, &work, in->frame_class[f], call->stream, err))
            return -1;
    }
    return 0;
}

/* Bins that the first `frames` frames lie in; bins are numbered upwards, and so are frames. */
static uint32_t bins_of(const struct ldpc_general *general, uint64_t frames)
{
    uint32_t low = 0, high = general->next.bin + 1;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (general->bin[middle] < frames)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int run_mixed(struct ldpc_general *general, const struct fecrun_call *call,
                     const struct fecrun_view *in, struct fecrun_view *const out[],
                     struct fecrun_error *err)
{
    struct ldpc_general_work work = work_for(general, call, in, out);

    if (copy_places(general, call, in, out, err))
        return -1;
    work.frame = general->device_frame;
    work.bin = general->device_bin;
    work.bins = bins_of(general, in->frames);
    return launch(general, &general->ragged, &work, call->stream, err);
}

int ldpc_general_run(struct ldpc_general *general, const struct fecrun_call *call,
                     const struct fecrun_view *in, struct fecrun_view *const out[],
                     struct fecrun_error *err)
{
    if (in->frames == 0)
        return 0;
    if (fecrun_cuda_use(general->device, err))
        return -1;
    if (general->any_copy && general->stream != call->stream &&
        fecrun_cuda_check(err, "waiting for tables",
                          cudaStreamWaitEvent(call->stream, general->copied, 0)))
        return -1;
    if (copy_classes(general, call, err))
        return -1;
    if (!in->offset)
        return run_equal(general, call, in, out, err);
    if (general->config.per_class)
        return run_classes(general, call, in, out, err);
    return run_mixed(general, call, in, out, err);
}

#endif
