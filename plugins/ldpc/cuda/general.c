/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The general decoder on the device: that of the backend cuda-document (cuda_document_backend.c), and
 * of others.
 *
 * All memory is there from create() on. Classes and the places of a ragged batch's frames are kept
 * in pinned memory as the device has them, and only what changed is copied: classes at a new sweep
 * point, places once. Before that memory is written, the last copy out of it has been waited for;
 * as a run() call comes after the work of the one before it, that never takes time.
 */
#include <fecrun/sdk/cuda.h>
#include <stdlib.h>

#include "cuda_document.h"

#ifdef FECRUN_CUDA

#include "cuda_document_launch.h"

/* Device memory of a class's tables. */
struct class_memory {
    void *edge, *row, *layer, *list, *place, *info;
};

struct ldpc_document {
    struct ldpc_document_config config;
    int device;
    bool nr;
    uint32_t in_type, out_type, n;
    uint64_t max_frames;
    struct class_memory *memory;           /* n each: */
    struct ldpc_document_class *classes;   /* as run() wants them */
    struct ldpc_document_class *pinned, *on_device;
    struct ldpc_document_shape *shape;     /* equal frames of a class */
    struct ldpc_document_shape ragged;
    struct ldpc_document_frame *frame, *device_frame; /* max_frames; n > 1 in one launch */
    uint32_t *bin, *device_bin;                       /* max_frames + 1 */
    uint64_t placed;                                  /* frames */
    struct ldpc_document_place next;
    cudaEvent_t copied;
    cudaStream_t stream; /* of the last copies */
    bool any_copy;
};

/* ---- Making one ---- */

int ldpc_document_device(struct ldpc_document_config *config, struct fecrun_error *err)
{
    int device = 0, processors = 0, shared = 0, shared_block = 0;

    if (fecrun_cuda_check(err, "finding the device", cudaGetDevice(&device)) ||
        fecrun_cuda_check(err, "counting multiprocessors",
                          cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount,
                                                 device)) ||
        fecrun_cuda_check(err, "measuring shared memory",
                          cudaDeviceGetAttribute(
                              &shared, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device)) ||
        fecrun_cuda_check(err, "measuring shared memory",
                          cudaDeviceGetAttribute(
                              &shared_block, cudaDevAttrMaxSharedMemoryPerBlockOptin, device)))
        return -1;
    config->processors = (unsigned)processors;
    config->shared = (size_t)shared;
    config->shared_block = (size_t)shared_block;
    return 0;
}

static int upload(void **device, const void *host, size_t bytes, struct fecrun_error *err)
{
    if (!host || !bytes)
        return 0;
    return fecrun_cuda_check(err, "memory for a code's tables", cudaMalloc(device, bytes)) ||
           fecrun_cuda_check(err, "copying a code's tables",
                             cudaMemcpy(*device, host, bytes, cudaMemcpyHostToDevice));
}

static int upload_tables(struct class_memory *m, struct ldpc_document_class *c,
                         const struct ldpc_document_tables *t, const struct ldpc_code *code,
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

static int make_class(struct ldpc_document *document, uint32_t i, const struct ldpc_decode *code,
                      struct fecrun_error *err)
{
    struct ldpc_document_class *c = &document->classes[i];
    struct ldpc_document_tables tables = {NULL};
    int status = ldpc_document_class_make(c, &tables, code, &document->config, err) ||
                 upload_tables(&document->memory[i], c, &tables, code->code, err) ||
                 ldpc_document_shape_make(&document->shape[i], c, 1, document->nr,
                                          &document->config, document->max_frames, err);

    ldpc_document_tables_free(&tables);
    return status ? -1 : 0;
}

static int take_host_memory(struct ldpc_document *document, struct fecrun_error *err)
{
    document->memory = calloc(document->n, sizeof *document->memory);
    document->classes = calloc(document->n, sizeof *document->classes);
    document->shape = calloc(document->n, sizeof *document->shape);
    if (!document->memory || !document->classes || !document->shape)
        return fecrun_fail(err, NULL, "out of memory");
    return 0;
}

static int take_both(void **host, void **device, size_t bytes, struct fecrun_error *err)
{
    return fecrun_cuda_check(err, "pinned memory", cudaMallocHost(host, bytes)) ||
           fecrun_cuda_check(err, "device memory", cudaMalloc(device, bytes));
}

static int take_memory(struct ldpc_document *document, struct fecrun_error *err)
{
    const bool places = document->n > 1 && !document->config.per_class;

    if (take_both((void **)&document->pinned, (void **)&document->on_device,
                  document->n * sizeof *document->pinned, err) ||
        fecrun_cuda_check(err, "making an event",
                          cudaEventCreateWithFlags(&document->copied, cudaEventDisableTiming)))
        return -1;
    memset(document->pinned, 0, document->n * sizeof *document->pinned);
    if (!places)
        return 0;
    return take_both((void **)&document->frame, (void **)&document->device_frame,
                     document->max_frames * sizeof *document->frame, err) ||
           take_both((void **)&document->bin, (void **)&document->device_bin,
                     (document->max_frames + 1) * sizeof *document->bin, err);
}

static int fill_constants(const struct ldpc_document *document, struct fecrun_error *err)
{
    struct ldpc_document_graphs *graphs = malloc(sizeof *graphs);
    int status;

    if (!graphs)
        return fecrun_fail(err, NULL, "out of memory");
    status = ldpc_document_graphs_make(graphs, err);
    if (!status)
        status = fecrun_cuda_check(
            err, "preparing the kernels",
            document->config.arithmetic == LDPC_DOCUMENT_I16
                ? ldpc_document_prepare_i16(graphs, document->config.shared_block)
                : ldpc_document_prepare_half(graphs, document->config.shared_block));
    free(graphs);
    return status;
}

static int make_document(struct ldpc_document *document, const struct fecrun_create *args,
                         struct fecrun_error *err)
{
    if (ldpc_document_takes(args, err) || take_host_memory(document, err) ||
        fecrun_cuda_check(err, "choosing the device", cudaSetDevice(document->device)) ||
        ldpc_document_device(&document->config, err) || take_memory(document, err) ||
        fill_constants(document, err))
        return -1;
    for (uint32_t i = 0; i < document->n; i++)
        if (make_class(document, i, args->codes[i], err))
            return -1;
    return ldpc_document_shape_make(&document->ragged, document->classes, document->n,
                                    document->nr, &document->config, document->max_frames, err);
}

int ldpc_document_create(const struct fecrun_create *args,
                         const struct ldpc_document_config *config,
                         struct ldpc_document **made, struct fecrun_error *err)
{
    const struct ldpc_decode *first = args->codes[0];
    struct ldpc_document *document = calloc(1, sizeof *document);

    *made = NULL;
    if (!document)
        return fecrun_fail(err, NULL, "out of memory");
    document->config = *config;
    document->device = args->device;
    document->nr = first->code->family == LDPC_NR;
    document->in_type = args->form->in[0].type;
    document->out_type = args->form->out[0].type;
    document->n = args->n_codes;
    document->max_frames = args->max_frames;
    if (config->arithmetic == LDPC_DOCUMENT_I16 && document->in_type != FECRUN_I8) {
        free(document);
        return fecrun_fail(err, "arithmetic", "i16 takes LLRs of type i8 only: put llr.quantize in "
                           "front");
    }
    if (make_document(document, args, err)) {
        ldpc_document_destroy(document);
        return -1;
    }
    *made = document;
    return 0;
}

void ldpc_document_destroy(struct ldpc_document *document)
{
    if (!document)
        return;
    cudaSetDevice(document->device);
    for (uint32_t i = 0; document->memory && i < document->n; i++) {
        cudaFree(document->memory[i].edge);
        cudaFree(document->memory[i].row);
        cudaFree(document->memory[i].layer);
        cudaFree(document->memory[i].list);
        cudaFree(document->memory[i].place);
        cudaFree(document->memory[i].info);
    }
    if (document->copied)
        cudaEventDestroy(document->copied);
    cudaFreeHost(document->pinned);
    cudaFreeHost(document->frame);
    cudaFreeHost(document->bin);
    cudaFree(document->on_device);
    cudaFree(document->device_frame);
    cudaFree(document->device_bin);
    free(document->memory);
    free(document->classes);
    free(document->shape);
    free(document);
}

/* ---- Scratch ---- */

static size_t shape_scratch(const struct ldpc_document_shape *shape, uint64_t bins)
{
    return (size_t)((bins < shape->limit ? bins : shape->limit) * shape->far * 4);
}

size_t ldpc_document_scratch(const struct ldpc_document *document, uint64_t frames)
{
    size_t most = 0;

    if (document->n > 1 && !document->config.per_class)
        return shape_scratch(&document->ragged, frames);
    for (uint32_t i = 0; i < document->n; i++) {
        const size_t bytes = shape_scratch(&document->shape[i], frames);

        most = bytes > most ? bytes : most;
    }
    return most;
}

/* ---- Copies to the device ---- */

/* Before pinned memory is written. */
static int begin_copies(struct ldpc_document *document, struct fecrun_error *err)
{
    if (!document->any_copy)
        return 0;
    return fecrun_cuda_check(err, "waiting for an earlier copy",
                             cudaEventSynchronize(document->copied));
}

static int end_copies(struct ldpc_document *document, cudaStream_t stream,
                      struct fecrun_error *err)
{
    document->any_copy = true;
    document->stream = stream;
    return fecrun_cuda_check(err, "marking a copy's end", cudaEventRecord(document->copied, stream));
}

static int copy_range(void *device, const void *host, size_t first, size_t end, size_t unit,
                      cudaStream_t stream, struct fecrun_error *err)
{
    return fecrun_cuda_check(err, "copying tables",
                             cudaMemcpyAsync((char *)device + first * unit,
                                             (const char *)host + first * unit,
                                             (end - first) * unit, cudaMemcpyHostToDevice, stream));
}

static int copy_classes(struct ldpc_document *document, const struct fecrun_call *call,
                        struct fecrun_error *err)
{
    const size_t bytes = document->n * sizeof *document->classes;

    for (uint32_t i = 0; i < document->n; i++)
        ldpc_document_class_set(&document->classes[i], call->codes[i],
                                document->config.arithmetic);
    if (document->any_copy && !memcmp(document->pinned, document->classes, bytes))
        return 0;
    if (begin_copies(document, err))
        return -1;
    memcpy(document->pinned, document->classes, bytes);
    return copy_range(document->on_device, document->pinned, 0, 1, bytes, call->stream, err) ||
           end_copies(document, call->stream, err);
}

static int check_frame(const struct ldpc_document *document, const struct fecrun_call *call,
                       const struct fecrun_view *in, const struct fecrun_view *out, uint64_t f,
                       struct fecrun_error *err)
{
    const uint32_t class = in->frame_class[f];
    const struct ldpc_decode *code;

    if (class >= document->n)
        return fecrun_fail(err, NULL, "frame %llu is of class %u of %u", (unsigned long long)f,
                           class, document->n);
    code = call->codes[class];
    if (in->offset[f + 1] - in->offset[f] == fecrun_bytes(document->in_type, code->code->n) &&
        out->offset[f + 1] - out->offset[f] == fecrun_bytes(document->out_type, code->bits))
        return 0;
    return fecrun_fail(err, NULL, "frame %llu has another size than its class",
                       (unsigned long long)f);
}

static int copy_places(struct ldpc_document *document, const struct fecrun_call *call,
                       const struct fecrun_view *in, const struct fecrun_view *out,
                       struct fecrun_error *err)
{
    const uint64_t first = document->placed;
    const uint32_t first_bin = first ? document->next.bin + 1 : 0;
    uint64_t bin = first_bin;

    if (in->frames <= first)
        return 0;
    if (begin_copies(document, err))
        return -1;
    for (uint64_t f = first; f < in->frames; f++) {
        struct ldpc_document_frame *frame = &document->frame[f];

        if (check_frame(document, call, in, out, f, err))
            return -1;
        memset(frame, 0, sizeof *frame);
        frame->in = in->offset[f];
        frame->out = out->offset[f];
        frame->class_number = in->frame_class[f];
        if (ldpc_document_pack(&document->next, frame, &document->classes[frame->class_number],
                               &document->ragged))
            document->bin[bin++] = (uint32_t)f;
    }
    document->bin[bin++] = (uint32_t)in->frames;
    document->placed = in->frames;
    return copy_range(document->device_frame, document->frame, first, in->frames,
                      sizeof *document->frame, call->stream, err) ||
           copy_range(document->device_bin, document->bin, first_bin, bin, sizeof *document->bin,
                      call->stream, err) ||
           end_copies(document, call->stream, err);
}

/* ---- Launches ---- */

static int launch(const struct ldpc_document *document, const struct ldpc_document_shape *shape,
                  struct ldpc_document_work *work, cudaStream_t stream, struct fecrun_error *err)
{
    struct ldpc_document_grid grid = {.home = shape->home, .nr = document->nr,
                                      .roomy = shape->roomy, .blocks = work->bins,
                                      .threads = shape->threads,
                                      .shared = 4 * (size_t)shape->near, .stream = stream};

    if (shape->far && grid.blocks > shape->limit)
        grid.blocks = shape->limit;
    work->scratch_words = shape->far;
    return fecrun_cuda_check(err, "starting the decoder",
                             document->config.arithmetic == LDPC_DOCUMENT_I16
                                 ? ldpc_document_launch_i16(work, &grid)
                                 : ldpc_document_launch_half(work, &grid));
}

static struct ldpc_document_work work_for(const struct ldpc_document *document,
                                          const struct fecrun_call *call,
                                          const struct fecrun_view *in,
                                          const struct fecrun_view *out)
{
    return (struct ldpc_document_work){.in = in->data, .out = out->data, .info = call->info,
                                       .classes = document->on_device,
                                       .in_type = document->in_type,
                                       .out_type = document->out_type, .frames = in->frames,
                                       .scratch = call->scratch};
}

static int launch_equal(const struct ldpc_document *document, struct ldpc_document_work *work,
                        uint32_t class, cudaStream_t stream, struct fecrun_error *err)
{
    const struct ldpc_document_shape *shape = &document->shape[class];

    work->class_number = class;
    work->blocks = shape->blocks;
    work->near = ldpc_document_near(&document->classes[class], shape->home);
    work->far = ldpc_document_far(&document->classes[class], shape->home);
    work->bins = (uint32_t)((work->frames + work->blocks - 1) / work->blocks);
    return launch(document, shape, work, stream, err);
}

static int run_equal(struct ldpc_document *document, const struct fecrun_call *call,
                     const struct fecrun_view *in, const struct fecrun_view *out,
                     struct fecrun_error *err)
{
    const struct ldpc_decode *code = call->codes[0];
    struct ldpc_document_work work = work_for(document, call, in, out);

    if (document->n != 1 || in->items != code->code->n || out->items != code->bits)
        return fecrun_fail(err, NULL, "made for %u classes and frames of %u LLRs, called with "
                           "frames of %llu for %llu bits", document->n, code->code->n,
                           (unsigned long long)in->items, (unsigned long long)out->items);
    work.in_stride = in->stride;
    work.out_stride = out->stride;
    return launch_equal(document, &work, 0, call->stream, err);
}

/* A launch for each run of frames of one class. */
static int run_classes(struct ldpc_document *document, const struct fecrun_call *call,
                       const struct fecrun_view *in, const struct fecrun_view *out,
                       struct fecrun_error *err)
{
    for (uint64_t f = 0, n; f < in->frames; f += n) {
        struct ldpc_document_work work = work_for(document, call, in, out);

        for (n = 0; f + n < in->frames && in->frame_class[f + n] == in->frame_class[f]; n++)
            if (check_frame(document, call, in, out, f + n, err))
                return -1;
        work.in = (const char *)in->data + in->offset[f];
        work.out = (char *)out->data + out->offset[f];
        work.info = call->info + f;
        work.in_stride = in->offset[f + 1] - in->offset[f];
        work.out_stride = out->offset[f + 1] - out->offset[f];
        work.frames = n;
        if (launch_equal(document, &work, in->frame_class[f], call->stream, err))
            return -1;
    }
    return 0;
}

/* Bins that the first `frames` frames lie in; bins are numbered upwards, and so are frames. */
static uint32_t bins_of(const struct ldpc_document *document, uint64_t frames)
{
    uint32_t low = 0, high = document->next.bin + 1;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (document->bin[middle] < frames)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int run_mixed(struct ldpc_document *document, const struct fecrun_call *call,
                     const struct fecrun_view *in, const struct fecrun_view *out,
                     struct fecrun_error *err)
{
    struct ldpc_document_work work = work_for(document, call, in, out);

    if (copy_places(document, call, in, out, err))
        return -1;
    work.frame = document->device_frame;
    work.bin = document->device_bin;
    work.bins = bins_of(document, in->frames);
    return launch(document, &document->ragged, &work, call->stream, err);
}

int ldpc_document_run(struct ldpc_document *document, const struct fecrun_call *call,
                      const struct fecrun_view *in, const struct fecrun_view *out,
                      struct fecrun_error *err)
{
    if (in->frames == 0)
        return 0;
    if (fecrun_cuda_check(err, "choosing the device", cudaSetDevice(document->device)))
        return -1;
    if (document->any_copy && document->stream != call->stream &&
        fecrun_cuda_check(err, "waiting for tables",
                          cudaStreamWaitEvent(call->stream, document->copied, 0)))
        return -1;
    if (copy_classes(document, call, err))
        return -1;
    if (!in->offset)
        return run_equal(document, call, in, out, err);
    if (document->config.per_class)
        return run_classes(document, call, in, out, err);
    return run_mixed(document, call, in, out, err);
}

#endif
