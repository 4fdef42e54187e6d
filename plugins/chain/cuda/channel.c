/* SPDX-License-Identifier: BSD-2-Clause */
/* channel.awgn, channel.bsc and channel.bec. */
#include "plugins/chain/plugin.h"
#include "plugins/chain/cuda/device.h"
#include "plugins/chain/cuda/thread/link.h"
#include "plugins/chain/modem/modem.h"

static int awgn_takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    return args->n_absorbed ? chain_takes_map(args->absorbed_codes[0][0], err) : 0;
}

#ifdef FECRUN_CUDA
static void fill_sigma(struct link_class *to, const void *code)
{
    to->sigma = ((const struct awgn_code *)code)->sigma;
}

static int awgn_run(void *instance, const struct fecrun_call *call,
                    const struct fecrun_view *const in[], struct fecrun_view *const out[],
                    struct fecrun_error *err)
{
    const struct fecrun_view *const view[GPU_PORTS] = {in[0], out[0], NULL};
    struct chain_cuda *own = instance;
    const struct map_code *map = own->absorbed;
    const struct link_class *classes;
    struct levels levels = {{0}};
    struct rows rows[GPU_PORTS];

    if (map)
        fill_levels(&levels, map);
    if (chain_cuda_ragged(own, call, view, rows, err) ||
        chain_cuda_classes(own, call, rows, fill_sigma, &classes, err))
        return -1;
    return chain_cuda_end(chain_cuda_awgn(rows[0], rows[1], &levels, map ? map->bits : 0,
                                          call->codes[0], classes, chain_words(call), call->stream),
                          err);
}

/* All classes have the same probability. */
static int channel_run(void *instance, const struct fecrun_call *call,
                       const struct fecrun_view *const in[], struct fecrun_view *const out[],
                       struct fecrun_error *err)
{
    const struct fecrun_view *const view[GPU_PORTS] = {in[0], out[0], NULL};
    struct rows rows[GPU_PORTS];

    if (chain_cuda_ragged(instance, call, view, rows, err))
        return -1;
    return chain_cuda_end(
        chain_cuda_channel(rows[0], rows[1], call->codes[0], chain_words(call), call->stream), err);
}
#endif

#define FORM(from, to) \
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED, FECRUN_IN({.type = from}), FECRUN_OUT({.type = to}))

/* Bits come where modem.map is absorbed. */
static const struct fecrun_form *const awgn_forms[] = {
    FORM(FECRUN_C8, FECRUN_C8),
    FORM(FECRUN_PACKED, FECRUN_C8),
    FORM(FECRUN_U8, FECRUN_C8),
    NULL,
};

static const char *const awgn_absorbs[] = {"modem.map", NULL};

const struct fecrun_backend chain_channel_awgn_cuda = {
    FECRUN_CUDA_BACKEND(chain_cuda_probe, chain_cuda_create, awgn_run, chain_cuda_destroy),
    .name = "cuda",
    .summary = "an RNG block a thread; maps by itself",
    .forms = awgn_forms,
    .absorbs = awgn_absorbs,
    .takes = awgn_takes,
};

static const struct fecrun_form *const channel_forms[] = {
    FORM(FECRUN_PACKED, FECRUN_F32),
    FORM(FECRUN_U8, FECRUN_F32),
    NULL,
};

const struct fecrun_backend chain_channel_bits_cuda = {
    FECRUN_CUDA_BACKEND(chain_cuda_probe, chain_cuda_create, channel_run, chain_cuda_destroy),
    .name = "cuda",
    .summary = "an RNG block a thread",
    .forms = channel_forms,
};
