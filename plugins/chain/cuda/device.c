/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/chain/cuda/device.h"

#ifdef FECRUN_CUDA

#include <stdlib.h>

int chain_cuda_probe(const struct fecrun_host *host, int32_t device, char *reason,
                     size_t reason_size)
{
    (void)host;
    return fecrun_cuda_probe_kernel(chain_cuda_kernel(), device, reason, reason_size);
}

int chain_cuda_create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    struct chain_cuda *own = calloc(1, sizeof *own);

    *instance = own;
    if (!own)
        return fecrun_no_memory(err);
    own->device = args->device;
    own->absorbed = args->n_absorbed ? args->absorbed_codes[0][0] : NULL;
    return 0;
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
