/* SPDX-License-Identifier: BSD-2-Clause */
/* ldpc.rate_match and ldpc.rate_recover on CUDA devices. */
#include "plugins/ldpc/cuda/rate/launch.h"

#include <math.h>
#include <stdlib.h>

#include "plugins/common/gpu/gpu.h"
#include "plugins/ldpc/cuda/encode/launch.h"
#include "plugins/ldpc/cuda/device.h"
#include "plugins/ldpc/encode.h"
#include "plugins/ldpc/plugin.h"
#include "plugins/ldpc/cuda/rate/encoder.h"
#include "plugins/ldpc/cuda/rate/thread.h"
#include "plugins/ldpc/cuda/rate/recover.h"

struct ldpc_rate_class ldpc_match_class(const struct ldpc_rate *rate)
{
    struct ldpc_rate_class c = {.rate = *rate};

    for (uint32_t row = 0; row < rate->qm; row++)
        c.start[row] = (rate->first + row * rate->columns) % rate->sent;
    c.step = rate->columns % rate->sent;
    return c;
}

/* Chunks from the one of the first item that is sent to that of selected bit k, the first time. */
static uint32_t segment_of(const struct ldpc_rate_class *c, uint32_t type, uint32_t k)
{
    const struct ldpc_rate *r = &c->rate;
    const uint32_t items = (uint32_t)(LDPC_CHUNK / fecrun_bytes(type, 1));
    const uint32_t rank = (r->first + (k < r->sent ? k : r->sent - 1)) % r->sent;
    const uint32_t at = ldpc_rate_item(r, rank) / items;

    return at >= c->from ? at - c->from : at + (uint32_t)ldpc_rate_chunks_of(r, type) - c->from;
}

static void set_segments(struct ldpc_rate_class *c, uint32_t type)
{
    const struct ldpc_rate *r = &c->rate;
    uint32_t end;

    if (r->qm == 1)
        return;
    c->from = segment_of(c, type, 0);
    for (uint32_t row = 1; row < r->qm; row++) {
        c->segment[row] = segment_of(c, type, row * r->columns);
        if (c->segment[row] < c->segment[row - 1]) /* it lies in the first chunk again */
            c->segment[row] = c->segment[row - 1];
    }
    end = segment_of(c, type, r->e - 1) + 1;
    c->segment[r->qm] = end > c->segment[r->qm - 1] ? end : (uint32_t)ldpc_rate_chunks_of(r, type);
}

struct ldpc_rate_class ldpc_recover_class(const struct ldpc_recover *recover, uint32_t type)
{
    struct ldpc_rate_class c = ldpc_match_class(&recover->rate);

    c.limit = recover->common.limit;
    c.filler = recover->common.limit;
    /* only values without a limit of their own are real, and then they come as floats */
    if (type != FECRUN_F32) {
        c.limit = fmin(c.limit, INT16_MAX);
        c.filler = fmin(c.filler, INT16_MAX);
    }
    set_segments(&c, type);
    return c;
}

/*
 * Without windows the lanes of a warp that make chunks of a row meet in few banks: the more rows and
 * the smaller the items, the worse. Fewer rows are not slower without, or only with some sizes, and
 * short rows and repeated ones were not looked at.
 */
static bool has_windows(const struct ldpc_rate *r, uint32_t type)
{
    return (r->qm == 8 || (r->qm == 4 && type == FECRUN_I8)) && r->e <= r->sent &&
           fecrun_bytes(type, r->columns) >= LDPC_WINDOW * LDPC_CHUNK;
}

uint32_t ldpc_rate_windows(const struct ldpc_rate_class *classes, uint32_t n, uint32_t type)
{
    uint32_t most = 0;

    for (uint32_t i = 0; i < n; i++) {
        uint32_t windows = ldpc_recover_windows(&classes[i]);

        if (!has_windows(&classes[i].rate, type))
            return 0;
        most = windows > most ? windows : most;
    }
    return most;
}

uint64_t ldpc_rate_chunks(const struct ldpc_rate_class *classes, uint32_t n, uint32_t type)
{
    uint64_t most = 0;

    for (uint32_t i = 0; i < n; i++) {
        uint64_t chunks = ldpc_rate_chunks_of(&classes[i].rate, type);

        most = chunks > most ? chunks : most;
    }
    return most;
}

#ifdef FECRUN_CUDA

struct instance {
    struct gpu gpu;
    uint64_t chunks;
    uint32_t windows;
    struct ldpc_rate_encoder *encoder; /* NULL: words come */
};

static int make(const struct fecrun_create *args, const struct ldpc_rate_class *classes,
                void **instance, struct fecrun_error *err)
{
    const uint32_t type = args->form->in[0].type;
    struct instance *self = gpu_make(sizeof *self, args, classes, args->n_codes * sizeof *classes,
                                     err);

    *instance = self;
    if (!self)
        return -1;
    self->chunks = ldpc_rate_chunks(classes, args->n_codes, type);
    self->windows = ldpc_rate_windows(classes, args->n_codes, type);
    return 0;
}

static int match_create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    struct ldpc_rate_class *classes = calloc(args->n_codes, sizeof *classes);
    int status;

    *instance = NULL;
    if (!classes)
        return fecrun_no_memory(err);
    for (uint32_t i = 0; i < args->n_codes; i++)
        classes[i] = ldpc_match_class(&((const struct ldpc_match *)args->codes[i])->rate);
    status = make(args, classes, instance, err);
    free(classes);
    if (!status && args->n_absorbed) {
        struct instance *self = *instance;

        self->encoder = ldpc_rate_encoder_new(args, err);
        status = self->encoder ? 0 : -1;
    }
    return status;
}

static void match_destroy(void *instance)
{
    struct instance *self = instance;

    if (self)
        ldpc_rate_encoder_free(self->encoder);
    gpu_destroy(self);
}

static size_t match_scratch(const void *instance, uint64_t frames)
{
    const struct instance *self = instance;

    return self->encoder ? frames * ldpc_rate_encoder_stride(self->encoder) + LDPC_CHUNK : 0;
}

static int check_files(const struct ldpc_recover *c, struct fecrun_error *err)
{
    const char *which = c->common.soft.in ? "harq_in" : "harq_out";

    if (!c->common.soft.in && !c->common.soft.out)
        return 0;
    return fecrun_fail(err, which,
                       "a soft buffer in a file is for the host: give "
                       "ldpc.rate_recover `backend: ref`");
}

static int create_recover(const struct fecrun_create *args, void **instance,
                          struct fecrun_error *err)
{
    struct ldpc_rate_class *classes = calloc(args->n_codes, sizeof *classes);
    int status = 0;

    *instance = NULL;
    if (!classes)
        return fecrun_no_memory(err);
    for (uint32_t i = 0; i < args->n_codes && !status; i++) {
        classes[i] = ldpc_recover_class(args->codes[i], args->form->in[0].type);
        status = check_files(args->codes[i], err);
    }
    status = status ? status : make(args, classes, instance, err);
    free(classes);
    return status;
}

static int start(struct instance *self, const struct fecrun_call *call,
                 const struct fecrun_view *const view[GPU_PORTS], struct fecrun_error *err)
{
    struct gpu_call made;
    struct ldpc_rate_args args;

    if (gpu_begin(self, call, view, &made, err))
        return -1;
    if (self->encoder) {
        const cudaError_t status = ldpc_rate_encoder_run(
            self->encoder, &made.port[0], made.frames.n, call->scratch, (cudaStream_t)call->stream);

        if (fecrun_cuda_check(err, "starting the encoder", status))
            return -1;
        made.port[0] = (struct gpu_port){.data = call->scratch,
                                         .stride = ldpc_rate_encoder_stride(self->encoder)};
    }
    args = (struct ldpc_rate_args){.frames = made.frames,
                                   .in = made.port[0],
                                   .prior = made.port[1],
                                   .out = made.port[2],
                                   .classes = self->gpu.table,
                                   .chunks = self->chunks,
                                   .windows = self->windows};
    return fecrun_cuda_check(
        err, "starting the kernel",
        ldpc_rate_launch(&args, self->gpu.in_type, (cudaStream_t)call->stream));
}

static int match_run(void *instance, const struct fecrun_call *call,
                     const struct fecrun_view *const in[], struct fecrun_view *const out[],
                     struct fecrun_error *err)
{
    const struct fecrun_view *const view[GPU_PORTS] = {in[0], NULL, out[0]};

    return start(instance, call, view, err);
}

static int run_recover(void *instance, const struct fecrun_call *call,
                       const struct fecrun_view *const in[], struct fecrun_view *const out[],
                       struct fecrun_error *err)
{
    const struct fecrun_view *const view[GPU_PORTS] = {in[0], in[1], out[0]};

    return start(instance, call, view, err);
}

#endif

/* Tables and the kernels' interleaver have eight rows at most. */
static int takes_rate(const struct ldpc_rate *rate, struct fecrun_error *err)
{
    if (rate->qm <= LDPC_RATE_ROWS)
        return 0;
    return fecrun_fail(err, "qm", "takes up to %d bits a symbol, not %u", LDPC_RATE_ROWS, rate->qm);
}

/* Words of the encoder are packed, and of one size. */
static int takes_encode(const struct fecrun_create *args, struct fecrun_error *err)
{
    const struct ldpc_encode *encode = args->absorbed_codes[0][0];
    struct ldpc_encode_table table = {0};
    struct ldpc_encode_class class;
    int status;

    if (args->n_codes > 1 || encode->code->family != LDPC_NR ||
        args->form->in[0].type != FECRUN_PACKED)
        return fecrun_fail(err, NULL,
                           "it absorbs ldpc.encode for NR words of packed bits and one size");
    status = ldpc_encode_plan(&table, &class, encode->code, err);
    free(table.entry);
    return status;
}

static int match_takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    int status = args->n_absorbed ? takes_encode(args, err) : 0;

    for (uint32_t i = 0; i < args->n_codes && !status; i++)
        status = takes_rate(&((const struct ldpc_match *)args->codes[i])->rate, err);
    return status;
}

static int takes_recover(const struct fecrun_create *args, struct fecrun_error *err)
{
    int status = 0;

    for (uint32_t i = 0; i < args->n_codes && !status; i++)
        status = takes_rate(&((const struct ldpc_recover *)args->codes[i])->rate, err);
    return status;
}

static const struct fecrun_form *const bits_forms[] = {
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED, FECRUN_IN({.type = FECRUN_PACKED}),
                FECRUN_OUT({.type = FECRUN_PACKED})),
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED, FECRUN_IN({.type = FECRUN_U8}),
                FECRUN_OUT({.type = FECRUN_U8})),
    NULL};

static const struct fecrun_form *const llr_forms[] = {
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED, FECRUN_IN({.type = FECRUN_I8}, {.type = FECRUN_I8}),
                FECRUN_OUT({.type = FECRUN_I8})),
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED, FECRUN_IN({.type = FECRUN_I16}, {.type = FECRUN_I16}),
                FECRUN_OUT({.type = FECRUN_I16})),
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED, FECRUN_IN({.type = FECRUN_F32}, {.type = FECRUN_F32}),
                FECRUN_OUT({.type = FECRUN_F32})),
    NULL};

static const char *const match_absorbs[] = {"ldpc.encode", NULL};

const struct fecrun_backend ldpc_rate_match_cuda = {
    FECRUN_CUDA_BACKEND(ldpc_cuda_probe, match_create, match_run, match_destroy),
    .name = "cuda",
    .absorbs = match_absorbs,
    .scratch = FECRUN_CUDA_SCRATCH(match_scratch),
    .summary = "a thread 128 or 256 packed bits or 16 bytes; frames of all sizes in one launch",
    .forms = bits_forms,
    .agreement = FECRUN_AGREEMENT_EXACT,
    .takes = match_takes,
};

const struct fecrun_backend ldpc_rate_recover_cuda = {
    FECRUN_CUDA_BACKEND(ldpc_cuda_probe, create_recover, run_recover, gpu_destroy),
    .name = "cuda",
    .summary =
        "a thread 16 bytes of LLRs, each summed in the order of sending, of many rows by way of "
        "shared memory; frames of all sizes in one launch",
    .forms = llr_forms,
    .agreement = FECRUN_AGREEMENT_EXACT,
    .takes = takes_recover,
};
