/* SPDX-License-Identifier: BSD-2-Clause */
/* polar.rate_match and polar.rate_recover on CUDA devices. */
#include <stdlib.h>

#include "plugins/common/gpu/gpu.h"
#include "plugins/polar/cuda/rate/launch.h"
#include "plugins/polar/cuda/rate/thread.h"
#include "plugins/polar/plugin.h"

#ifdef FECRUN_CUDA

struct instance {
    struct gpu gpu;
    size_t tables; /* where they begin, in bytes */
    uint64_t chunks;
};

static int probe(const struct fecrun_host *host, int32_t device, char *reason, size_t reason_size)
{
    (void)host;
    return fecrun_cuda_probe_kernel(polar_rate_kernel(), device, reason, reason_size);
}

static unsigned size_of(uint32_t type)
{
    return type == FECRUN_F32 ? 4 : type == FECRUN_I16 ? 2 : 1;
}

/* Frees the classes. */
static int make(const struct fecrun_create *args, struct polar_rate_class *classes, size_t bytes,
                bool match, void **instance, struct fecrun_error *err)
{
    struct instance *self = classes ? gpu_make(sizeof *self, args, classes, bytes, err) : NULL;

    for (uint32_t i = 0; self && i < args->n_codes; i++) {
        const uint32_t type = self->gpu.in_type;
        const uint64_t chunks = polar_rate_chunks(match ? classes[i].e : classes[i].n,
                                                  type == FECRUN_PACKED, size_of(type));

        self->tables = args->n_codes * sizeof *classes;
        self->chunks = chunks > self->chunks ? chunks : self->chunks;
    }
    free(classes);
    *instance = self;
    return self ? 0 : -1;
}

static int create_match(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    size_t bytes;
    struct polar_rate_class *classes = polar_match_tables(args->codes, args->n_codes, &bytes, err);

    return make(args, classes, bytes, true, instance, err);
}

static int create_recover(const struct fecrun_create *args, void **instance,
                          struct fecrun_error *err)
{
    size_t bytes;
    struct polar_rate_class *classes = polar_recover_tables(args->codes, args->n_codes, &bytes,
                                                            err);

    return make(args, classes, bytes, false, instance, err);
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    const struct fecrun_view *const view[GPU_PORTS] = {in[0], out[0], NULL};
    struct instance *self = instance;
    struct polar_rate_args args;
    struct gpu_call made;

    if (gpu_begin(self, call, view, &made, err))
        return -1;
    args = (struct polar_rate_args){
        .frames = made.frames,
        .in = made.port[0],
        .out = made.port[1],
        .classes = self->gpu.table,
        .tables = (const void *)((const char *)self->gpu.table + self->tables),
        .chunks = self->chunks};
    return fecrun_cuda_check(
        err, "starting the kernel",
        polar_rate_launch(&args, self->gpu.in_type, (cudaStream_t)call->stream));
}

#endif

#define FORM(t) \
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED, FECRUN_IN({.type = t}), FECRUN_OUT({.type = t}))

static const struct fecrun_form *const bits_forms[] = {FORM(FECRUN_PACKED), FORM(FECRUN_U8), NULL};

static const struct fecrun_form *const llr_forms[] = {FORM(FECRUN_I8), FORM(FECRUN_I16),
                                                      FORM(FECRUN_F32), NULL};

const struct fecrun_backend polar_rate_match_cuda = {
    FECRUN_CUDA_BACKEND(probe, create_match, run, gpu_destroy),
    .name = "cuda",
    .summary = "a thread 32 packed bits or four bytes; frames of all sizes in one launch",
    .forms = bits_forms,
    .agreement = FECRUN_AGREEMENT_EXACT,
};

const struct fecrun_backend polar_rate_recover_cuda = {
    FECRUN_CUDA_BACKEND(probe, create_recover, run, gpu_destroy),
    .name = "cuda",
    .summary = "a thread four LLRs, each summed in the order of sending; frames of all sizes in "
               "one launch",
    .forms = llr_forms,
    .agreement = FECRUN_AGREEMENT_EXACT,
};
