/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/chain/plugin.h"
#include "plugins/chain/cuda/device.h"
#include "plugins/chain/cuda/thread/bits.h"

#ifdef FECRUN_CUDA

struct crc_cuda {
    int device;
    struct crc_lanes lanes;
};

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    struct crc_cuda *own = calloc(1, sizeof *own);

    *instance = own;
    if (!own)
        return fecrun_no_memory(err);
    own->device = args->device;
    crc_make_lanes(&own->lanes, args->codes[0]);
    return 0;
}

static int attach_run(void *instance, const struct fecrun_call *call,
                      const struct fecrun_view *const in[], struct fecrun_view *const out[],
                      struct fecrun_error *err)
{
    const struct crc_cuda *own = instance;

    if (fecrun_cuda_use(own->device, err))
        return -1;
    return chain_cuda_end(chain_cuda_crc_attach(chain_rows(in[0]), chain_rows(out[0]),
                                                call->codes[0], &own->lanes, call->stream),
                          err);
}

static int check_run(void *instance, const struct fecrun_call *call,
                     const struct fecrun_view *const in[], struct fecrun_view *const out[],
                     struct fecrun_error *err)
{
    const struct crc_cuda *own = instance;

    if (fecrun_cuda_use(own->device, err))
        return -1;
    return chain_cuda_end(chain_cuda_crc_check(chain_rows(in[0]), chain_rows(out[0]),
                                               call->codes[0], &own->lanes, call->info,
                                               call->stream),
                          err);
}

#endif

static const struct fecrun_form *const forms[] = {
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_PACKED}, {.type = FECRUN_NONE}),
                FECRUN_OUT({.type = FECRUN_PACKED})),
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_U8}, {.type = FECRUN_NONE}),
                FECRUN_OUT({.type = FECRUN_U8})),
    NULL,
};

const struct fecrun_backend chain_crc_attach_cuda = {
    FECRUN_CUDA_BACKEND(chain_cuda_probe, create, attach_run, free),
    .name = "cuda",
    .summary = "a warp a frame",
    .forms = forms,
};

const struct fecrun_backend chain_crc_check_cuda = {
    FECRUN_CUDA_BACKEND(chain_cuda_probe, create, check_run, free),
    .name = "cuda",
    .summary = "a warp a frame",
    .forms = forms,
};
