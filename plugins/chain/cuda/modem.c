/* SPDX-License-Identifier: BSD-2-Clause */
/* modem.map and modem.demap. */
#include "plugins/chain/plugin.h"
#include "plugins/chain/cuda/device.h"
#include "plugins/chain/cuda/thread/symbols.h"
#include "plugins/chain/modem/modem.h"

static int map_takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    return chain_takes_map(args->codes[0], err);
}

static int demap_takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    return chain_takes_demap(args->codes[0], err);
}

#ifdef FECRUN_CUDA
static int map_run(void *instance, const struct fecrun_call *call,
                   const struct fecrun_view *const in[], struct fecrun_view *const out[],
                   struct fecrun_error *err)
{
    const struct chain_cuda *own = instance;
    const struct map_code *code = call->codes[0];
    struct levels levels = {{0}};

    fill_levels(&levels, code);
    if (fecrun_cuda_use(own->device, err))
        return -1;
    return chain_cuda_end(
        chain_cuda_map(chain_rows(in[0]), chain_rows(out[0]), &levels, code->bits, call->stream),
        err);
}

static int demap_run(void *instance, const struct fecrun_call *call,
                     const struct fecrun_view *const in[], struct fecrun_view *const out[],
                     struct fecrun_error *err)
{
    const struct chain_cuda *own = instance;

    if (fecrun_cuda_use(own->device, err))
        return -1;
    return chain_cuda_end(
        chain_cuda_demap(chain_rows(in[0]), chain_rows(out[0]), call->codes[0], NULL, call->stream),
        err);
}
#endif

static const struct fecrun_form *const map_forms[] = {
    FECRUN_ONE_FORM(FECRUN_PACKED, FECRUN_C8),
    FECRUN_ONE_FORM(FECRUN_U8, FECRUN_C8),
    NULL,
};

const struct fecrun_backend chain_modem_map_cuda = {
    FECRUN_CUDA_BACKEND(chain_cuda_probe, chain_cuda_create, map_run, free),
    .name = "cuda",
    .summary = "two symbols a thread",
    .forms = map_forms,
    .takes = map_takes,
};

static const struct fecrun_form *const demap_forms[] = {
    FECRUN_ONE_FORM(FECRUN_C8, FECRUN_F32),
    NULL,
};

const struct fecrun_backend chain_modem_demap_cuda = {
    FECRUN_CUDA_BACKEND(chain_cuda_probe, chain_cuda_create, demap_run, free),
    .name = "cuda",
    .summary = "two symbols a thread (BPSK: four)",
    .forms = demap_forms,
    .takes = demap_takes,
};
