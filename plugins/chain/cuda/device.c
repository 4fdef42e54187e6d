/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/chain/cuda/device.h"
#include "plugins/chain/cuda/thread/link.h"

#ifdef FECRUN_CUDA

#include <stdlib.h>

int chain_cuda_probe(const struct fecrun_host *host, int32_t device, char *reason,
                     size_t reason_size)
{
    (void)host;
    return fecrun_cuda_probe_kernel(chain_cuda_kernel(), device, reason, reason_size);
}

void *chain_cuda_make(size_t size, const struct fecrun_create *args, const void *table,
                      size_t bytes, struct fecrun_error *err)
{
    struct chain_cuda *own = gpu_make(size, args, table, bytes, err);

    if (!own)
        return NULL;
    own->absorbed = args->n_absorbed ? args->absorbed_codes[0][0] : NULL;
    if (args->n_codes == 1)
        return own;
    own->classes = calloc(args->n_codes, sizeof *own->classes);
    if (!own->classes)
        fecrun_no_memory(err);
    else if (!gpu_jobs_make(&own->jobs, args->n_codes * sizeof *own->classes, err))
        return own;
    chain_cuda_destroy(own);
    return NULL;
}

int chain_cuda_create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    *instance = chain_cuda_make(sizeof(struct chain_cuda), args, NULL, 0, err);
    return *instance ? 0 : -1;
}

void chain_cuda_destroy(void *instance)
{
    struct chain_cuda *own = instance;

    if (!own)
        return;
    if (cudaSetDevice(own->gpu.device) == cudaSuccess)
        gpu_jobs_free(&own->jobs);
    free(own->classes);
    gpu_destroy(own);
}

int chain_cuda_classes(struct chain_cuda *own, const struct fecrun_call *call,
                       const struct rows *rows, chain_cuda_fill *fill,
                       const struct link_class **classes, struct fecrun_error *err)
{
    *classes = NULL;
    if (!rows->offset)
        return 0;
    for (uint32_t c = 0; c < own->gpu.n_classes; c++)
        fill(&own->classes[c], call->codes[c]);
    *classes = gpu_jobs_put(&own->jobs, own->classes, call->stream, err);
    return *classes ? 0 : -1;
}

static uint64_t most_items(const struct fecrun_view *view, uint32_t n_classes)
{
    uint64_t most = view->items;

    for (uint32_t c = 0; view->offset && c < n_classes; c++)
        most = view->class_items[c] > most ? view->class_items[c] : most;
    return most;
}

int chain_cuda_ragged(void *instance, const struct fecrun_call *call,
                      const struct fecrun_view *const view[GPU_PORTS], struct rows rows[GPU_PORTS],
                      struct fecrun_error *err)
{
    const struct gpu *gpu = instance;
    struct gpu_call made;

    if (gpu_begin(instance, call, view, &made, err))
        return -1;
    for (unsigned p = 0; p < GPU_PORTS; p++) {
        if (!view[p])
            continue;
        rows[p] = chain_rows(view[p]);
        rows[p].items = most_items(view[p], gpu->n_classes);
        rows[p].offset = made.port[p].offset;
        rows[p].class_of = made.frames.class_of;
        rows[p].class_items = made.port[p].class_items;
    }
    return 0;
}

int chain_cuda_end(cudaError_t status, struct fecrun_error *err)
{
    return fecrun_cuda_check(err, "cannot start the kernel", status);
}

#endif
