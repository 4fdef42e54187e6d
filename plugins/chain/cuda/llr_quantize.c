/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/chain/plugin.h"
#include "plugins/chain/cuda/common.h"

#ifdef FECRUN_CUDA
static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    const struct chain_cuda *own = instance;
    struct rows from = chain_rows(in[0]), to = chain_rows(out[0]);
    cudaError_t status;

    if (fecrun_cuda_use(own->device, err))
        return -1;
    if (own->absorbed)
        status = chain_cuda_demap(from, to, own->absorbed, call->codes[0], call->stream);
    else
        status = chain_cuda_quantize(from, to, call->codes[0], call->stream);
    return chain_cuda_end(status, err);
}
#endif

/* Symbols come where modem.demap is absorbed. The narrowest output that holds the values first. */
static const struct fecrun_form *const forms[] = {
    FECRUN_FORM(.in = {{.type = FECRUN_F32}}, .out = {{.type = FECRUN_I4}}),
    FECRUN_FORM(.in = {{.type = FECRUN_F32}}, .out = {{.type = FECRUN_I8}}),
    FECRUN_FORM(.in = {{.type = FECRUN_F32}}, .out = {{.type = FECRUN_I16}}),
    FECRUN_FORM(.in = {{.type = FECRUN_C8}}, .out = {{.type = FECRUN_I4}}),
    FECRUN_FORM(.in = {{.type = FECRUN_C8}}, .out = {{.type = FECRUN_I8}}),
    FECRUN_FORM(.in = {{.type = FECRUN_C8}}, .out = {{.type = FECRUN_I16}}),
    NULL,
};

static const char *const absorbs[] = {"modem.demap", NULL};

const struct fecrun_backend chain_llr_quantize_cuda = {
    .size = sizeof chain_llr_quantize_cuda,
    .name = "cuda",
    .provider = "cuda",
    .summary = "four LLRs a thread; demaps by itself",
    .forms = forms,
    .absorbs = absorbs,
    .probe = FECRUN_CUDA_PROBE(chain_cuda_probe),
    .create = FECRUN_CUDA_CREATE(chain_cuda_create),
    .run = FECRUN_CUDA_RUN(run),
    .destroy = FECRUN_CUDA_DESTROY(free),
};
