/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/chain/plugin.h"
#include "plugins/chain/cuda/device.h"

#ifdef FECRUN_CUDA
static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    const struct chain_cuda *own = instance;

    (void)in;
    if (fecrun_cuda_use(own->device, err))
        return -1;
    return chain_cuda_end(chain_cuda_random(chain_rows(out[0]), chain_words(call), call->stream),
                          err);
}
#endif

static const struct fecrun_form *const forms[] = {
    FECRUN_FORM(FECRUN_OUT({.type = FECRUN_PACKED})),
    FECRUN_FORM(FECRUN_OUT({.type = FECRUN_U8})),
    NULL,
};

const struct fecrun_backend chain_source_random_cuda = {
    FECRUN_CUDA_BACKEND(chain_cuda_probe, chain_cuda_create, run, free),
    .name = "cuda",
    .summary = "an RNG block a thread",
    .forms = forms,
};
