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
    return args->n_absorbed &&
                   (chain_takes_demap(args->absorbed_codes[args->n_absorbed - 1][0], err) ||
                    chain_takes_wide(args->absorbed_codes[args->n_absorbed - 1][0], err))
               ? -1
               : 0;
}

#ifdef FECRUN_CUDA

struct quantizer {
    struct gpu gpu; /* its table: struct link_class, where there are several classes */
    const struct demap_code *demap; /* that is absorbed, or NULL */
    bool links;                     /* from bits on */
    struct link_job job;
};

/* Of frames of several classes; NULL: out of memory. */
static struct link_class *make_classes(const struct fecrun_create *args)
{
    struct link_class *classes = calloc(args->n_codes, sizeof *classes);

    for (uint32_t c = 0; classes && c < args->n_codes; c++) {
        const struct awgn_code *awgn = args->n_absorbed == ALL ? args->absorbed_codes[AWGN][c]
                                                               : NULL;
        const struct demap_code *demap = args->n_absorbed
                                             ? args->absorbed_codes[args->n_absorbed - 1][c]
                                             : NULL;

        classes[c].quantize = *(const struct quantize_code *)args->codes[c];
        if (awgn)
            classes[c].sigma = awgn->sigma;
        if (demap)
            classes[c].demap = *demap;
        if (awgn && demap->bits == 1) {
            struct levels levels;

            fill_levels(&levels, args->absorbed_codes[MAP][c]);
            fill_rough(&classes[c].rough, levels.level[0], awgn->sigma, demap->linear,
                       classes[c].quantize.scale, classes[c].quantize.max);
        }
    }
    return classes;
}

static struct quantizer *make(const struct fecrun_create *args, struct fecrun_error *err)
{
    struct link_class *classes = args->n_codes > 1 ? make_classes(args) : NULL;
    struct quantizer *own = NULL;

    if (args->n_codes > 1 && !classes)
        fecrun_no_memory(err);
    else
        own = gpu_make(sizeof *own, args, classes, args->n_codes * sizeof *classes, err);
    free(classes);
    return own;
}

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    struct quantizer *own = make(args, err);

    *instance = own;
    if (!own)
        return -1;
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
    const struct fecrun_view *const view[GPU_PORTS] = {in[0], out[0], NULL};
    struct quantizer *own = instance;
    struct rows rows[GPU_PORTS];
    struct words words = chain_words(call);
    cudaError_t status;

    if (chain_cuda_ragged(own, call, view, rows, err))
        return -1;
    if (own->links) {
        words.rng = call->sim->absorbed[AWGN];
        fill_keys(&own->job.keys, &words.rng);
        status = chain_cuda_link(rows[0], rows[1], &own->job, own->gpu.table, words, call->stream);
    } else if (own->demap) {
        status = chain_cuda_demap(rows[0], rows[1], own->demap, call->codes[0], own->gpu.table,
                                  call->stream);
    } else {
        status = chain_cuda_quantize(rows[0], rows[1], call->codes[0], own->gpu.table,
                                     call->stream);
    }
    return chain_cuda_end(status, err);
}
#endif

#define RAGGED(from, to) \
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED, FECRUN_IN({.type = from}), FECRUN_OUT({.type = to}))

/* Bits come where all is absorbed, symbols where modem.demap is. The narrowest output that holds
   the values first. */
static const struct fecrun_form *const forms[] = {
    RAGGED(FECRUN_PACKED, FECRUN_I4),
    RAGGED(FECRUN_U8, FECRUN_I4),
    RAGGED(FECRUN_PACKED, FECRUN_I8),
    RAGGED(FECRUN_U8, FECRUN_I8),
    RAGGED(FECRUN_PACKED, FECRUN_I16),
    RAGGED(FECRUN_U8, FECRUN_I16),
    RAGGED(FECRUN_F32, FECRUN_I4),
    RAGGED(FECRUN_F32, FECRUN_I8),
    RAGGED(FECRUN_F32, FECRUN_I16),
    RAGGED(FECRUN_C8, FECRUN_I4),
    RAGGED(FECRUN_C8, FECRUN_I8),
    RAGGED(FECRUN_C8, FECRUN_I16),
    NULL,
};

const struct fecrun_backend chain_llr_quantize_cuda = {
    FECRUN_CUDA_BACKEND(chain_cuda_probe, create, run, gpu_destroy),
    .name = "cuda",
    .summary = "makes LLRs of bits, with mapper, noise and demapper, by itself; or demaps",
    .forms = forms,
    .absorbs = absorbs,
    .takes = takes,
};
