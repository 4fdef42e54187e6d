/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * llr.quantize on CUDA devices: alone, with the demapper, or with mapper, noise and demapper
 * absorbed.
 */
#include "plugins/chain/plugin.h"
#include "plugins/chain/cuda/device.h"
#include "plugins/chain/cuda/thread/link.h"
#include "plugins/chain/modem/modem.h"

/* As fecrun_create has them where all are absorbed: nearest to the source first. */
enum { MAP, AWGN, DEMAP, ALL };

static const char *const absorbs[] = {"modem.demap", "channel.awgn", "modem.map", NULL};

/* Noise on symbols that are in memory is channel.awgn's. */
static int takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    if (args->n_absorbed == 2)
        return fecrun_fail(err, NULL, "it absorbs channel.awgn only with modem.map");
    return args->n_absorbed ? chain_takes_demap(args->absorbed_codes[args->n_absorbed - 1][0], err)
                            : 0;
}

#ifdef FECRUN_CUDA

struct quantizer {
    int device;
    const struct demap_code *demap; /* that is absorbed, or NULL */
    bool links;                     /* from bits on */
    struct link_job job;
};

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    struct quantizer *own = calloc(1, sizeof *own);

    *instance = own;
    if (!own)
        return fecrun_no_memory(err);
    own->device = args->device;
    own->links = args->n_absorbed == ALL;
    if (args->n_absorbed)
        own->demap = args->absorbed_codes[args->n_absorbed - 1][0];
    if (own->links)
        fill_link(&own->job, args->absorbed_codes[MAP][0], args->absorbed_codes[AWGN][0],
                  own->demap, args->codes[0]);
    return 0;
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    struct quantizer *own = instance;
    struct rows from = chain_rows(in[0]), to = chain_rows(out[0]);
    struct words words = chain_words(call);
    cudaError_t status;

    if (fecrun_cuda_use(own->device, err))
        return -1;
    if (own->links) {
        words.rng = call->sim->absorbed[AWGN];
        fill_keys(&own->job.keys, &words.rng);
        status = chain_cuda_link(from, to, &own->job, words, call->stream);
    } else if (own->demap) {
        status = chain_cuda_demap(from, to, own->demap, call->codes[0], call->stream);
    } else {
        status = chain_cuda_quantize(from, to, call->codes[0], call->stream);
    }
    return chain_cuda_end(status, err);
}
#endif

/* Bits come where all is absorbed, symbols where modem.demap is. The narrowest output that holds
   the values first. */
static const struct fecrun_form *const forms[] = {
    FECRUN_ONE_FORM(FECRUN_PACKED, FECRUN_I4),
    FECRUN_ONE_FORM(FECRUN_U8, FECRUN_I4),
    FECRUN_ONE_FORM(FECRUN_PACKED, FECRUN_I8),
    FECRUN_ONE_FORM(FECRUN_U8, FECRUN_I8),
    FECRUN_ONE_FORM(FECRUN_PACKED, FECRUN_I16),
    FECRUN_ONE_FORM(FECRUN_U8, FECRUN_I16),
    FECRUN_ONE_FORM(FECRUN_F32, FECRUN_I4),
    FECRUN_ONE_FORM(FECRUN_F32, FECRUN_I8),
    FECRUN_ONE_FORM(FECRUN_F32, FECRUN_I16),
    FECRUN_ONE_FORM(FECRUN_C8, FECRUN_I4),
    FECRUN_ONE_FORM(FECRUN_C8, FECRUN_I8),
    FECRUN_ONE_FORM(FECRUN_C8, FECRUN_I16),
    NULL,
};

const struct fecrun_backend chain_llr_quantize_cuda = {
    FECRUN_CUDA_BACKEND(chain_cuda_probe, create, run, free),
    .name = "cuda",
    .summary = "makes LLRs of bits, with mapper, noise and demapper, by itself; or demaps",
    .forms = forms,
    .absorbs = absorbs,
    .takes = takes,
};
