/* SPDX-License-Identifier: BSD-2-Clause */
/* channel.awgn, channel.bsc and channel.bec. */
#include "plugins/chain/plugin.h"
#include "plugins/chain/cuda/device.h"
#include "plugins/chain/cuda/thread/symbols.h"
#include "plugins/chain/modem/modem.h"

static int awgn_takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    return args->n_absorbed ? chain_takes_map(args->absorbed_codes[0][0], err) : 0;
}

#ifdef FECRUN_CUDA
static int awgn_run(void *instance, const struct fecrun_call *call,
                    const struct fecrun_view *const in[], struct fecrun_view *const out[],
                    struct fecrun_error *err)
{
    const struct chain_cuda *own = instance;
    const struct map_code *map = own->absorbed;
    struct levels levels = {{0}};

    if (map)
        fill_levels(&levels, map);
    if (fecrun_cuda_use(own->device, err))
        return -1;
    return chain_cuda_end(chain_cuda_awgn(chain_rows(in[0]), chain_rows(out[0]), &levels,
                                          map ? map->bits : 0, call->codes[0], chain_words(call),
                                          call->stream),
                          err);
}

static int channel_run(void *instance, const struct fecrun_call *call,
                       const struct fecrun_view *const in[], struct fecrun_view *const out[],
                       struct fecrun_error *err)
{
    const struct chain_cuda *own = instance;

    if (fecrun_cuda_use(own->device, err))
        return -1;
    return chain_cuda_end(chain_cuda_channel(chain_rows(in[0]), chain_rows(out[0]), call->codes[0],
                                             chain_words(call), call->stream),
                          err);
}
#endif

/* Bits come where modem.map is absorbed. */
static const struct fecrun_form *const awgn_forms[] = {
    FECRUN_ONE_FORM(FECRUN_C8, FECRUN_C8),
    FECRUN_ONE_FORM(FECRUN_PACKED, FECRUN_C8),
    FECRUN_ONE_FORM(FECRUN_U8, FECRUN_C8),
    NULL,
};

static const char *const awgn_absorbs[] = {"modem.map", NULL};

const struct fecrun_backend chain_channel_awgn_cuda = {
    FECRUN_CUDA_BACKEND(chain_cuda_probe, chain_cuda_create, awgn_run, free),
    .name = "cuda",
    .summary = "an RNG block a thread; maps by itself",
    .forms = awgn_forms,
    .absorbs = awgn_absorbs,
    .takes = awgn_takes,
};

static const struct fecrun_form *const channel_forms[] = {
    FECRUN_ONE_FORM(FECRUN_PACKED, FECRUN_F32),
    FECRUN_ONE_FORM(FECRUN_U8, FECRUN_F32),
    NULL,
};

const struct fecrun_backend chain_channel_bits_cuda = {
    FECRUN_CUDA_BACKEND(chain_cuda_probe, chain_cuda_create, channel_run, free),
    .name = "cuda",
    .summary = "an RNG block a thread",
    .forms = channel_forms,
};
