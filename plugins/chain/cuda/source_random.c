/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/chain/plugin.h"
#include "plugins/chain/cuda/device.h"

#ifdef FECRUN_CUDA
static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    const struct fecrun_view *const view[GPU_PORTS] = {out[0], NULL, NULL};
    struct rows rows[GPU_PORTS];

    (void)in;
    if (chain_cuda_ragged(instance, call, view, rows, err))
        return -1;
    return chain_cuda_end(chain_cuda_random(rows[0], chain_words(call), call->stream), err);
}

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    return gpu_create(args, NULL, 0, instance, err);
}
#endif

#define FORM(type_) FECRUN_FORM(.flags = FECRUN_FORM_RAGGED, FECRUN_OUT({.type = type_}))

static const struct fecrun_form *const forms[] = {
    FORM(FECRUN_PACKED),
    FORM(FECRUN_U8),
    NULL,
};

const struct fecrun_backend chain_source_random_cuda = {
    FECRUN_CUDA_BACKEND(chain_cuda_probe, create, run, gpu_destroy),
    .name = "cuda",
    .summary = "an RNG block a thread; frames of all sizes in one launch",
    .forms = forms,
};
