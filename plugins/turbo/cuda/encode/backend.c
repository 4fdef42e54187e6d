/* SPDX-License-Identifier: BSD-2-Clause */
/* turbo.encode on CUDA devices. */
#include <stdbool.h>

#include "plugins/turbo/cuda/encode/launch.h"

#include <stdlib.h>

#include "plugins/turbo/cuda/encode/block.h"
#include "plugins/common/gpu/gpu.h"
#include "plugins/turbo/cuda/device.h"
#include "plugins/turbo/encode.h"
#include "plugins/turbo/plugin.h"

/* Of so many steps without input. */
static uint32_t turbo_after(uint32_t state, uint32_t steps)
{
    for (uint32_t b = 0; b < steps % TURBO_PERIOD; b++)
        state = turbo_next(state, 0);
    return state;
}

static uint32_t turbo_parity_after(uint32_t state, uint32_t steps)
{
    return turbo_parity(turbo_after(state, steps), 0);
}

struct turbo_encode_class turbo_encode_class_of(const struct turbo_encode *e)
{
    struct turbo_encode_class c = {
        .qpp = *e->qpp, .fillers = e->fillers, .pieces = (e->k + 31) / 32};

    c.words = c.pieces + 2;
    for (unsigned part = 0; part < 3; part++) {
        uint32_t state = 1u << part;

        for (unsigned b = 0; b < 32; b++)
            c.response[part] |= turbo_parity_after(state, b) << b;
        for (unsigned turn = 0; turn < TURBO_PERIOD; turn++)
            c.after[turn][part] = turbo_after(state, 32 * turn);
    }
    return c;
}

static int takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    for (uint32_t i = 0; i < args->n_codes; i++) {
        const struct turbo_encode *e = args->codes[i];

        if (e->family != &turbo_lte)
            return fecrun_fail(err, "code", "%s is encoded on the host alone", e->family->name);
    }
    return 0;
}

#ifdef FECRUN_CUDA

struct instance {
    struct gpu gpu;
    uint32_t group, shared; /* struct turbo_encode_args */
};

static void fill(struct instance *self, const struct fecrun_create *args,
                 const struct turbo_encode_class *classes)
{
    self->group = 4;
    for (uint32_t i = 0; i < args->n_codes; i++) {
        const uint32_t words = turbo_encode_words(&classes[i]);

        self->shared = words > self->shared ? words : self->shared;
        while (self->group < TURBO_ENCODE_THREADS && self->group < 2 * classes[i].pieces)
            self->group *= 2;
    }
}

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    struct turbo_encode_class *classes = calloc(args->n_codes, sizeof *classes);
    struct instance *self;

    *instance = NULL;
    if (!classes)
        return fecrun_no_memory(err);
    for (uint32_t i = 0; i < args->n_codes; i++)
        classes[i] = turbo_encode_class_of(args->codes[i]);
    *instance = self = gpu_make(sizeof *self, args, classes, args->n_codes * sizeof *classes, err);
    if (self)
        fill(self, args, classes);
    free(classes);
    return self ? 0 : -1;
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    const struct fecrun_view *const view[GPU_PORTS] = {in[0], out[0], NULL};
    struct instance *self = instance;
    struct turbo_encode_args args;
    struct gpu_call made;

    if (gpu_begin(self, call, view, &made, err))
        return -1;
    args = (struct turbo_encode_args){.frames = made.frames,
                                      .in = made.port[0],
                                      .out = made.port[1],
                                      .classes = self->gpu.table,
                                      .group = self->group,
                                      .shared = self->shared};
    return fecrun_cuda_check(err, "starting the encoder",
                             turbo_encode_launch(&args, self->gpu.in_type == FECRUN_PACKED,
                                                 self->gpu.out_type == FECRUN_PACKED,
                                                 (cudaStream_t)call->stream));
}

#endif

#define FORM(from, to) \
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED, FECRUN_IN({.type = from}), FECRUN_OUT({.type = to}))

static const struct fecrun_form *const forms[] = {
    FORM(FECRUN_PACKED, FECRUN_PACKED), FORM(FECRUN_U8, FECRUN_PACKED),
    FORM(FECRUN_PACKED, FECRUN_U8), FORM(FECRUN_U8, FECRUN_U8), NULL};

const struct fecrun_backend turbo_encode_cuda = {
    FECRUN_CUDA_BACKEND(turbo_cuda_probe, create, run, gpu_destroy),
    .name = "cuda",
    .summary = "32 steps a thread, joined by linearity; frames of all sizes in one launch",
    .forms = forms,
    .agreement = FECRUN_AGREEMENT_EXACT,
    .takes = takes,
};
