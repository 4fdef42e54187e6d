/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sink.errors in device memory. A reference that is a file is read a piece at a time, while the
 * device compares the piece before.
 */
#include "plugins/chain/cuda/device.h"
#include "plugins/chain/sink/errors.h"

#ifdef FECRUN_CUDA

enum { PIECE = 1 << 20 }; /* bytes of the reference on the device; holds whole ERRORS_BLOCKs */

struct half {
    uint8_t *host, *device;
    cudaEvent_t free; /* the device has compared what is in it */
};

struct errors_cuda {
    struct gpu gpu;
    int fd; /* of the reference; -1: a port */
    unsigned turn;
    struct half half[2]; /* with a file only */
    uint8_t block[ERRORS_BLOCK];
};

static void destroy(void *instance)
{
    struct errors_cuda *own = instance;

    if (!own)
        return;
    if (own->fd >= 0)
        cudaSetDevice(own->gpu.device);
    for (int i = 0; i < 2 && own->fd >= 0; i++) { /* no call makes a context for nothing */
        if (own->half[i].free)
            cudaEventDestroy(own->half[i].free);
        cudaFree(own->half[i].device);
        cudaFreeHost(own->half[i].host);
    }
    errors_close(own->fd);
    gpu_destroy(own);
}

static int make_halves(struct errors_cuda *own, struct fecrun_error *err)
{
    cudaError_t status = cudaSetDevice(own->gpu.device);

    for (int i = 0; i < 2 && status == cudaSuccess; i++) {
        status = cudaMallocHost((void **)&own->half[i].host, PIECE);
        if (status == cudaSuccess)
            status = cudaMalloc((void **)&own->half[i].device, PIECE);
        if (status == cudaSuccess)
            status = cudaEventCreateWithFlags(&own->half[i].free, cudaEventDisableTiming);
    }
    return fecrun_cuda_check(err, "no memory for the reference", status);
}

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    struct errors_cuda *own = gpu_make(sizeof *own, args, NULL, 0, err);

    *instance = own;
    if (!own)
        return -1;
    own->fd = -1;
    if (!errors_open(args->codes[0], &own->fd, err) && (own->fd < 0 || !make_halves(own, err)))
        return 0;
    destroy(own);
    *instance = NULL;
    return -1;
}

/* Bits first .. first+n-1 of the file, as this type. */
static int read_bits(struct errors_cuda *own, const struct errors_code *code, uint64_t first,
                     uint64_t n, uint32_t type, uint8_t *to, struct fecrun_error *err)
{
    for (uint64_t i = 0; i < n; i += ERRORS_BLOCK) {
        size_t part = n - i < ERRORS_BLOCK ? (size_t)(n - i) : ERRORS_BLOCK;

        if (errors_read(own->fd, code, first + i, own->block, part, err))
            return -1;
        if (type == FECRUN_PACKED)
            fecrun_bits_pack(to + i / 8, own->block, part);
        else
            memcpy(to + i, own->block, part);
    }
    return 0;
}

/* Bits of a frame that begin at `skip`; a piece has whole frames, or a part of one. */
struct piece {
    uint64_t frame, frames;
    uint64_t skip, items;
};

static int fill_half(struct errors_cuda *own, const struct fecrun_call *call,
                     const struct fecrun_view *in, const struct piece *piece, struct half *half,
                     struct fecrun_error *err)
{
    const struct errors_code *code = call->codes[0];
    uint64_t stride = fecrun_bytes(in->type, piece->items), first;

    for (uint64_t f = 0; f < piece->frames; f++) {
        if (errors_find_frame(code, call, piece->frame + f, in->items, &first, err) ||
            read_bits(own, code, first + piece->skip, piece->items, in->type,
                      half->host + f * stride, err))
            return -1;
    }
    return 0;
}

static int count_piece(struct errors_cuda *own, const struct fecrun_call *call,
                       const struct fecrun_view *in, const struct piece *piece,
                       struct fecrun_error *err)
{
    struct half *half = &own->half[own->turn++ % 2];
    uint64_t stride = fecrun_bytes(in->type, piece->items);
    const struct rows rows = {.data = (char *)fecrun_row(in, piece->frame) +
                                      fecrun_bytes(in->type, piece->skip),
                              .stride = in->stride,
                              .frames = piece->frames,
                              .items = piece->items,
                              .type = in->type};
    const struct rows reference = {.data = half->device,
                                   .stride = stride,
                                   .frames = piece->frames,
                                   .items = piece->items,
                                   .type = in->type};
    cudaError_t status = cudaEventSynchronize(half->free);

    if (fecrun_cuda_check(err, "cannot go on", status) ||
        fill_half(own, call, in, piece, half, err))
        return -1;
    status = cudaMemcpyAsync(half->device, half->host, piece->frames * stride,
                             cudaMemcpyHostToDevice, call->stream);
    if (status == cudaSuccess)
        status = chain_cuda_errors(rows, reference, call->info + piece->frame, piece->skip > 0,
                                   call->stream);
    if (status == cudaSuccess)
        status = cudaEventRecord(half->free, call->stream);
    return chain_cuda_end(status, err);
}

static int count_with_file(struct errors_cuda *own, const struct fecrun_call *call,
                           const struct fecrun_view *in, struct fecrun_error *err)
{
    uint64_t stride = fecrun_bytes(in->type, in->items);
    uint64_t frames = stride && stride <= PIECE ? PIECE / stride : 1;
    uint64_t items = in->type == FECRUN_PACKED ? 8ull * PIECE : PIECE;

    for (uint64_t f = 0; f < in->frames; f += frames)
        for (uint64_t i = 0; i < in->items; i += items) {
            struct piece piece = {f, in->frames - f < frames ? in->frames - f : frames, i,
                                  in->items - i < items ? in->items - i : items};

            if (count_piece(own, call, in, &piece, err))
                return -1;
        }
    return 0;
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    const struct fecrun_view *const view[GPU_PORTS] = {in[0], in[1], NULL};
    struct errors_cuda *own = instance;
    struct rows rows[GPU_PORTS];

    (void)out;
    if (chain_cuda_ragged(own, call, view, rows, err))
        return -1;
    if (own->fd >= 0)
        return count_with_file(own, call, in[0], err);
    return chain_cuda_end(chain_cuda_errors(rows[0], rows[1], call->info, false, call->stream),
                          err);
}

#endif

static int takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    const struct errors_code *code = args->codes[0];

    if (args->n_codes > 1 && code->path)
        return fecrun_fail(err, "reference",
                           "frames of several sizes in one call are compared with a port only");
    return 0;
}

static const struct fecrun_form *const forms[] = {
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED,
                FECRUN_IN({.type = FECRUN_PACKED}, {.type = FECRUN_PACKED})),
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED, FECRUN_IN({.type = FECRUN_U8}, {.type = FECRUN_U8})),
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_PACKED}, {.type = FECRUN_PACKED})),
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_U8}, {.type = FECRUN_U8})),
    NULL,
};

const struct fecrun_backend chain_sink_errors_cuda = {
    FECRUN_CUDA_BACKEND(chain_cuda_probe, create, run, destroy),
    .name = "cuda",
    .summary = "a thread, a warp or a block a frame; frames of all sizes in one launch",
    .forms = forms,
    .takes = takes,
};
