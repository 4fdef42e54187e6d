/* SPDX-License-Identifier: BSD-2-Clause */
/* ldpc.encode on CUDA devices. */
#include "plugins/ldpc/cuda/encode/launch.h"

#include <stdlib.h>

#include "plugins/common/gpu/gpu.h"
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
    struct gpu gpu;
    size_t table;           /* bytes in front of the table, in device memory */
    uint32_t group, shared; /* struct ldpc_encode_args */
};

/* The classes, their table, and in *most_group and *most_shared the most that one of them wants. */
static int plan_classes(const struct fecrun_create *args, struct ldpc_encode_class *classes,
                        struct ldpc_encode_table *table, uint32_t *most_group,
                        uint32_t *most_shared, struct fecrun_error *err)
{
    for (uint32_t i = 0; i < args->n_codes; i++) {
        const struct ldpc_encode *e = args->codes[i];
        uint32_t words, group;

        if (ldpc_encode_plan(table, &classes[i], e->code, err))
            return -1;
        words = ldpc_encode_words(&classes[i]);
        group = ldpc_encode_group(&classes[i]);
        *most_shared = words > *most_shared ? words : *most_shared;
        *most_group = group > *most_group ? group : *most_group;
    }
    return 0;
}

/* Classes and table, one behind the other, as they will lie on the device. */
static struct instance *upload(const struct fecrun_create *args,
                               const struct ldpc_encode_class *classes,
                               const struct ldpc_encode_table *table, struct fecrun_error *err)
{
    const size_t front = args->n_codes * sizeof *classes, bytes = table->n * sizeof *table->entry;
    char *all = malloc(front + bytes);
    struct instance *self;

    if (!all) {
        fecrun_no_memory(err);
        return NULL;
    }
    memcpy(all, classes, front);
    memcpy(all + front, table->entry, bytes);
    self = gpu_make(sizeof *self, args, all, front + bytes, err);
    if (self)
        self->table = front;
    free(all);
    return self;
}

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    struct ldpc_encode_class *classes = calloc(args->n_codes, sizeof *classes);
    struct ldpc_encode_table table = {0};
    uint32_t group = 0, shared = 0;
    struct instance *self = NULL;

    if (!classes)
        fecrun_no_memory(err);
    else if (!plan_classes(args, classes, &table, &group, &shared, err))
        self = upload(args, classes, &table, err);
    free(table.entry);
    free(classes);
    *instance = self;
    if (!self)
        return -1;
    self->group = group;
    self->shared = shared;
    return 0;
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    const struct fecrun_view *const view[GPU_PORTS] = {in[0], out[0], NULL};
    struct instance *self = instance;
    struct ldpc_encode_args args;
    struct gpu_call made;

    if (gpu_begin(self, call, view, &made, err))
        return -1;
    args = (struct ldpc_encode_args){
        .frames = made.frames,
        .in = made.port[0],
        .out = made.port[1],
        .classes = self->gpu.table,
        .table = (const uint32_t *)((const char *)self->gpu.table + self->table),
        .group = self->group,
        .shared = self->shared};
    return fecrun_cuda_check(err, "starting the encoder",
                             ldpc_encode_launch(&args, self->gpu.in_type == FECRUN_PACKED,
                                                self->gpu.out_type == FECRUN_PACKED,
                                                (cudaStream_t)call->stream));
}

#endif

#define FORM(from, to) \
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED, FECRUN_IN({.type = from}), FECRUN_OUT({.type = to}))

static const struct fecrun_form *const forms[] = {
    FORM(FECRUN_PACKED, FECRUN_PACKED), FORM(FECRUN_U8, FECRUN_PACKED),
    FORM(FECRUN_PACKED, FECRUN_U8), FORM(FECRUN_U8, FECRUN_U8), NULL};

const struct fecrun_backend ldpc_encode_cuda = {
    FECRUN_CUDA_BACKEND(ldpc_cuda_probe, create, run, gpu_destroy),
    .name = "cuda",
    .summary = "32 bits a word in shared memory, a warp or more a frame; frames of all sizes in "
               "one launch",
    .forms = forms,
    .agreement = FECRUN_AGREEMENT_EXACT,
    .takes = takes,
};
