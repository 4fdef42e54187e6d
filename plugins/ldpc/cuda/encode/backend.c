/* SPDX-License-Identifier: BSD-2-Clause */
/* ldpc.encode on CUDA devices. */
#include "plugins/ldpc/cuda/encode/launch.h"

#include <stdlib.h>

#include "plugins/ldpc/encode.h"
#include "plugins/ldpc/cuda/encode/block.h"
#include "plugins/ldpc/cuda/device.h"
#include "plugins/ldpc/plugin.h"

static int takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    struct ldpc_encode_table table = {0};
    int status = 0;

    for (uint32_t i = 0; i < args->n_codes && !status; i++) {
        const struct ldpc_encode *e = args->codes[i];
        struct ldpc_encode_class class;

        table.n = 0;
        status = ldpc_encode_plan(&table, &class, e->code, err);
    }
    free(table.entry);
    return status;
}

#ifdef FECRUN_CUDA

struct instance {
    struct ldpc_gpu *gpu;
    size_t table;           /* bytes in front of the table, in device memory */
    uint32_t group, shared; /* struct ldpc_encode_args */
    int in_packed, out_packed;
};

static void destroy(void *instance)
{
    struct instance *self = instance;

    if (self)
        ldpc_gpu_destroy(self->gpu);
    free(self);
}

static int plan_classes(struct instance *self, const struct fecrun_create *args,
                        struct ldpc_encode_class *classes, struct ldpc_encode_table *table,
                        struct fecrun_error *err)
{
    for (uint32_t i = 0; i < args->n_codes; i++) {
        const struct ldpc_encode *e = args->codes[i];
        uint32_t words, group;

        if (ldpc_encode_plan(table, &classes[i], e->code, err))
            return -1;
        words = ldpc_encode_words(&classes[i]);
        group = ldpc_encode_group(&classes[i]);
        self->shared = words > self->shared ? words : self->shared;
        self->group = group > self->group ? group : self->group;
    }
    return 0;
}

/* Classes and table, one behind the other, as they will lie on the device. */
static int upload(struct instance *self, const struct fecrun_create *args,
                  const struct ldpc_encode_class *classes, const struct ldpc_encode_table *table,
                  struct fecrun_error *err)
{
    const size_t bytes = table->n * sizeof *table->entry;
    char *all;

    self->table = args->n_codes * sizeof *classes;
    all = malloc(self->table + bytes);
    if (!all)
        return fecrun_no_memory(err);
    memcpy(all, classes, self->table);
    memcpy(all + self->table, table->entry, bytes);
    self->gpu = ldpc_gpu_make(args, all, self->table + bytes, err);
    free(all);
    return self->gpu ? 0 : -1;
}

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    struct ldpc_encode_class *classes = calloc(args->n_codes, sizeof *classes);
    struct instance *self = calloc(1, sizeof *self);
    struct ldpc_encode_table table = {0};
    int status = 0;

    *instance = NULL;
    if (!classes || !self)
        status = fecrun_no_memory(err);
    if (!status)
        status = plan_classes(self, args, classes, &table, err) ||
                 upload(self, args, classes, &table, err);
    free(table.entry);
    free(classes);
    if (status) {
        destroy(self);
        return -1;
    }
    self->in_packed = args->form->in[0].type == FECRUN_PACKED;
    self->out_packed = args->form->out[0].type == FECRUN_PACKED;
    *instance = self;
    return 0;
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    const struct fecrun_view *const view[LDPC_GPU_PORTS] = {in[0], out[0], NULL};
    const struct instance *self = instance;
    struct ldpc_encode_args args;
    struct ldpc_gpu_call made;

    if (ldpc_gpu_begin(self->gpu, call, view, &made, err))
        return -1;
    args = (struct ldpc_encode_args){
        .frames = made.frames,
        .in = made.port[0],
        .out = made.port[1],
        .classes = self->gpu->table,
        .table = (const uint32_t *)((const char *)self->gpu->table + self->table),
        .group = self->group,
        .shared = self->shared};
    return fecrun_cuda_check(
        err, "starting the encoder",
        ldpc_encode_launch(&args, self->in_packed, self->out_packed, (cudaStream_t)call->stream));
}

#endif

#define FORM(from, to) \
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED, FECRUN_IN({.type = from}), FECRUN_OUT({.type = to}))

static const struct fecrun_form *const forms[] = {
    FORM(FECRUN_PACKED, FECRUN_PACKED), FORM(FECRUN_U8, FECRUN_PACKED),
    FORM(FECRUN_PACKED, FECRUN_U8), FORM(FECRUN_U8, FECRUN_U8), NULL};

const struct fecrun_backend ldpc_encode_cuda = {
    .size = sizeof(struct fecrun_backend),
    .name = "cuda",
    .provider = "cuda",
    .interface = FECRUN_CUDA_INTERFACE,
    .summary = "32 bits a word in shared memory, a warp or more a frame; frames of all sizes in "
               "one launch",
    .forms = forms,
    .agreement = FECRUN_AGREEMENT_EXACT,
    .probe = FECRUN_CUDA_PROBE(ldpc_cuda_probe),
    .create = FECRUN_CUDA_CREATE(create),
    .run = FECRUN_CUDA_RUN(run),
    .destroy = FECRUN_CUDA_DESTROY(destroy),
    .takes = takes,
};
