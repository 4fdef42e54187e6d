/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/chain/plugin.h"
#include "plugins/chain/cuda/device.h"
#include "plugins/chain/cuda/thread/link.h"
#include "plugins/chain/modem/modem.h"

static int map_takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    return chain_takes_map(args->codes[0], err);
}

#ifdef FECRUN_CUDA
static int map_run(void *instance, const struct fecrun_call *call,
                   const struct fecrun_view *const in[], struct fecrun_view *const out[],
                   struct fecrun_error *err)
{
    const struct fecrun_view *const view[GPU_PORTS] = {in[0], out[0], NULL};
    const struct map_code *code = call->codes[0];
    struct levels levels = {{0}};
    struct rows rows[GPU_PORTS];

    fill_levels(&levels, code);
    if (chain_cuda_ragged(instance, call, view, rows, err))
        return -1;
    return chain_cuda_end(chain_cuda_map(rows[0], rows[1], &levels, code->bits, call->stream), err);
}

#endif

#define FORM(from, to) \
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED, FECRUN_IN({.type = from}), FECRUN_OUT({.type = to}))

static const struct fecrun_form *const map_forms[] = {
    FORM(FECRUN_PACKED, FECRUN_C8),
    FORM(FECRUN_U8, FECRUN_C8),
    NULL,
};

const struct fecrun_backend chain_modem_map_cuda = {
    FECRUN_CUDA_BACKEND(chain_cuda_probe, chain_cuda_create, map_run, chain_cuda_destroy),
    .name = "cuda",
    .summary = "two symbols a thread",
    .forms = map_forms,
    .takes = map_takes,
};
