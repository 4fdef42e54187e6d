/* SPDX-License-Identifier: BSD-2-Clause */
/* turbo.rate_match and turbo.rate_recover on CUDA devices. */
#include "plugins/turbo/cuda/rate/launch.h"

#include <stdlib.h>

#include "plugins/common/gpu/gpu.h"
#include "plugins/turbo/cuda/device.h"
#include "plugins/turbo/cuda/rate/thread.h"
#include "plugins/turbo/plugin.h"

/* Room for n classes with so many items of tables in all. */
static struct turbo_rate_class *allocate(uint32_t n, size_t items, size_t *bytes,
                                         struct fecrun_error *err)
{
    struct turbo_rate_class *classes;

    *bytes = n * sizeof *classes + items * sizeof(uint16_t);
    classes = calloc(1, *bytes);
    if (!classes)
        fecrun_no_memory(err);
    return classes;
}

struct turbo_rate_class *turbo_match_tables(void *const *codes, uint32_t n, size_t *bytes,
                                            struct fecrun_error *err)
{
    struct turbo_rate_class *classes;
    uint32_t items = 0;

    for (uint32_t i = 0; i < n; i++)
        items += ((const struct turbo_match *)codes[i])->rate.sent;
    classes = allocate(n, items, bytes, err);
    items = 0;
    for (uint32_t i = 0; i < n && classes; i++) {
        const struct turbo_match *match = codes[i];

        classes[i] = (struct turbo_rate_class){.rate = match->rate, .table = items};
        memcpy((uint16_t *)(classes + n) + items, match->order,
               match->rate.sent * sizeof *match->order);
        items += match->rate.sent;
    }
    return classes;
}

struct turbo_rate_class *turbo_recover_tables(void *const *codes, uint32_t n, size_t *bytes,
                                              struct fecrun_error *err)
{
    struct turbo_rate_class *classes;
    uint32_t items = 0;

    for (uint32_t i = 0; i < n; i++)
        items += ((const struct turbo_recover *)codes[i])->rate.n;
    classes = allocate(n, items, bytes, err);
    items = 0;
    for (uint32_t i = 0; i < n && classes; i++) {
        const struct turbo_recover *recover = codes[i];
        uint16_t *ranks = (uint16_t *)(classes + n) + items;

        classes[i] = (struct turbo_rate_class){
            .rate = recover->rate, .table = items, .limit = (int32_t)recover->common.limit};
        memset(ranks, 0xff, recover->rate.n * sizeof *ranks); /* TURBO_UNSENT */
        for (uint32_t rank = 0; rank < recover->rate.sent; rank++)
            ranks[recover->order[rank]] = (uint16_t)rank;
        items += recover->rate.n;
    }
    return classes;
}

#ifdef FECRUN_CUDA

struct instance {
    struct gpu gpu;
    uint32_t n_codes;
    uint64_t chunks; /* struct turbo_rate_args */
};

/* Frees the classes. */
static int make(const struct fecrun_create *args, struct turbo_rate_class *classes, size_t bytes,
                bool match, void **instance, struct fecrun_error *err)
{
    const uint32_t type = args->form->out[0].type;
    struct instance *self = classes ? gpu_make(sizeof *self, args, classes, bytes, err) : NULL;

    for (uint32_t i = 0; self && i < args->n_codes; i++) {
        const uint64_t chunks = turbo_rate_chunks(&classes[i].rate, type == FECRUN_PACKED,
                                                  (unsigned)fecrun_bytes(type, 1), match);

        self->chunks = chunks > self->chunks ? chunks : self->chunks;
    }
    free(classes);
    *instance = self;
    if (!self)
        return -1;
    self->n_codes = args->n_codes;
    return 0;
}

static int match_create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    size_t bytes;
    struct turbo_rate_class *classes = turbo_match_tables(args->codes, args->n_codes, &bytes, err);

    return make(args, classes, bytes, true, instance, err);
}

static int create_recover(const struct fecrun_create *args, void **instance,
                          struct fecrun_error *err)
{
    size_t bytes;
    struct turbo_rate_class *classes = turbo_recover_tables(args->codes, args->n_codes, &bytes,
                                                            err);

    return make(args, classes, bytes, false, instance, err);
}

static int start(struct instance *self, const struct fecrun_call *call,
                 const struct fecrun_view *const view[GPU_PORTS], struct fecrun_error *err)
{
    struct turbo_rate_args args;
    struct gpu_call made;

    if (gpu_begin(self, call, view, &made, err))
        return -1;
    args = (struct turbo_rate_args){.frames = made.frames,
                                    .in = made.port[0],
                                    .prior = made.port[1],
                                    .out = made.port[2],
                                    .classes = self->gpu.table,
                                    .items = turbo_rate_items(self->gpu.table, self->n_codes),
                                    .chunks = self->chunks};
    return fecrun_cuda_check(
        err, "starting the kernel",
        turbo_rate_launch(&args, self->gpu.in_type, (cudaStream_t)call->stream));
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

#define BITS(t) \
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED, FECRUN_IN({.type = t}), FECRUN_OUT({.type = t}))
#define LLRS(t) \
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED, FECRUN_IN({.type = t}, {.type = t}), \
                FECRUN_OUT({.type = t}))

static const struct fecrun_form *const bits_forms[] = {BITS(FECRUN_PACKED), BITS(FECRUN_U8), NULL};

static const struct fecrun_form *const llr_forms[] = {LLRS(FECRUN_I8), LLRS(FECRUN_I16),
                                                      LLRS(FECRUN_F32), NULL};

const struct fecrun_backend turbo_rate_match_cuda = {
    FECRUN_CUDA_BACKEND(turbo_cuda_probe, match_create, match_run, gpu_destroy),
    .name = "cuda",
    .summary = "a thread 32 packed bits or four bytes; frames of all sizes in one launch",
    .forms = bits_forms,
    .agreement = FECRUN_AGREEMENT_EXACT,
};

const struct fecrun_backend turbo_rate_recover_cuda = {
    FECRUN_CUDA_BACKEND(turbo_cuda_probe, create_recover, run_recover, gpu_destroy),
    .name = "cuda",
    .summary = "a thread four LLRs, each summed in the order of sending; frames of all sizes in "
               "one launch",
    .forms = llr_forms,
    .agreement = FECRUN_AGREEMENT_EXACT,
};
