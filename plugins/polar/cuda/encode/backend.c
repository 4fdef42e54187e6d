/* SPDX-License-Identifier: BSD-2-Clause */
/* polar.encode on CUDA devices. */
#include <stdlib.h>

#include "plugins/common/gpu/gpu.h"
#include "plugins/polar/cuda/encode/block.h"
#include "plugins/polar/cuda/encode/launch.h"
#include "plugins/polar/plugin.h"

#ifdef FECRUN_CUDA

struct instance {
    struct gpu gpu;
    size_t words, order;                /* struct polar_encode_tables */
    uint32_t group, shared, most_words; /* struct polar_encode_args */
};

static int probe(const struct fecrun_host *host, int32_t device, char *reason, size_t reason_size)
{
    (void)host;
    return fecrun_cuda_probe_kernel(polar_encode_kernel(), device, reason, reason_size);
}

/* A frame of the largest class gets a thread for each word, and at most a whole block. */
static void fit(struct instance *self, const struct polar_encode_class *classes, uint32_t n)
{
    self->group = 1;
    for (uint32_t i = 0; i < n; i++) {
        const struct polar_encode_class *c = &classes[i];

        if (polar_encode_shared(c) > self->shared)
            self->shared = polar_encode_shared(c);
        if (c->words > self->most_words)
            self->most_words = c->words;
    }
    while (self->group < POLAR_ENCODE_THREADS && self->group < self->most_words)
        self->group *= 2;
}

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    struct polar_encode_tables tables;
    struct instance *self;

    *instance = NULL;
    if (polar_encode_tables_make(&tables, args->codes, args->n_codes, err))
        return -1;
    *instance = self = gpu_make(sizeof *self, args, tables.classes, tables.bytes, err);
    if (self) {
        self->words = tables.words;
        self->order = tables.order;
        fit(self, tables.classes, args->n_codes);
    }
    free(tables.classes);
    return self ? 0 : -1;
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    const struct fecrun_view *const view[GPU_PORTS] = {in[0], out[0], NULL};
    struct instance *self = instance;
    struct polar_encode_args args;
    struct gpu_call made;

    if (gpu_begin(self, call, view, &made, err))
        return -1;
    args = (struct polar_encode_args){
        .frames = made.frames,
        .in = made.port[0],
        .out = made.port[1],
        .classes = self->gpu.table,
        .words = (const void *)((const char *)self->gpu.table + self->words),
        .order = (const void *)((const char *)self->gpu.table + self->order),
        .group = self->group,
        .shared = self->shared,
        .most_words = self->most_words};
    return fecrun_cuda_check(err, "starting the encoder",
                             polar_encode_launch(&args, self->gpu.in_type == FECRUN_PACKED,
                                                 self->gpu.out_type == FECRUN_PACKED,
                                                 (cudaStream_t)call->stream));
}

#endif

#define FORM(from, to) \
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED, FECRUN_IN({.type = from}), FECRUN_OUT({.type = to}))

static const struct fecrun_form *const forms[] = {
    FORM(FECRUN_PACKED, FECRUN_PACKED), FORM(FECRUN_U8, FECRUN_PACKED),
    FORM(FECRUN_PACKED, FECRUN_U8), FORM(FECRUN_U8, FECRUN_U8), NULL};

const struct fecrun_backend polar_encode_cuda = {
    FECRUN_CUDA_BACKEND(probe, create, run, gpu_destroy),
    .name = "cuda",
    .summary = "32 positions a word in shared memory; frames of all sizes in one launch",
    .forms = forms,
    .agreement = FECRUN_AGREEMENT_EXACT,
};
