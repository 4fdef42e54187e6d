/* SPDX-License-Identifier: BSD-2-Clause */
/* modem.demap on CUDA devices: alone, or with mapper and noise absorbed. */
#include "plugins/chain/plugin.h"
#include "plugins/chain/cuda/device.h"
#include "plugins/chain/cuda/thread/link.h"
#include "plugins/chain/modem/modem.h"

/* As fecrun_create has them where both are absorbed: nearest to the source first. */
enum { MAP, AWGN, BOTH };

static const char *const absorbs[] = {"channel.awgn", "modem.map", NULL};

/* Noise on symbols that are in memory is channel.awgn's. */
static int takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    if (args->n_absorbed == 1)
        return fecrun_fail(err, NULL, "it absorbs channel.awgn only with modem.map");
    if (chain_takes_demap(args->codes[0], err) || chain_takes_type(args->codes[0], args->form, err))
        return -1;
    return args->n_absorbed ? chain_takes_map(args->absorbed_codes[MAP][0], err) : 0;
}

#ifdef FECRUN_CUDA

struct demapper {
    struct chain_cuda
        chain;  /* its table: struct link_class, where all is done for several classes */
    bool links; /* from bits on */
    struct link_job job;
};

/* What classes have that come as bits; NULL: out of memory. */
static struct link_class *make_classes(const struct fecrun_create *args)
{
    struct link_class *classes = calloc(args->n_codes, sizeof *classes);

    for (uint32_t c = 0; classes && c < args->n_codes; c++) {
        classes[c].sigma = ((const struct awgn_code *)args->absorbed_codes[AWGN][c])->sigma;
        classes[c].demap = *(const struct demap_code *)args->codes[c];
    }
    return classes;
}

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    const bool links = args->n_absorbed == BOTH, several = links && args->n_codes > 1;
    struct link_class *classes = several ? make_classes(args) : NULL;
    struct demapper *own = NULL;

    if (several && !classes)
        fecrun_no_memory(err);
    else
        own = chain_cuda_make(sizeof *own, args, classes, args->n_codes * sizeof *classes, err);
    free(classes);
    *instance = own;
    if (!own)
        return -1;
    own->links = links;
    if (links)
        fill_link(&own->job, args->absorbed_codes[MAP][0], args->absorbed_codes[AWGN][0],
                  args->codes[0], NULL);
    return 0;
}

static void fill_demap(struct link_class *to, const void *code)
{
    to->demap = *(const struct demap_code *)code;
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    const struct fecrun_view *const view[GPU_PORTS] = {in[0], out[0], NULL};
    struct words words = chain_words(call);
    struct demapper *own = instance;
    const struct link_class *classes = own->chain.gpu.table;
    struct rows rows[GPU_PORTS];
    cudaError_t status;

    if (chain_cuda_ragged(own, call, view, rows, err) ||
        (!own->links && chain_cuda_classes(&own->chain, call, rows, fill_demap, &classes, err)))
        return -1;
    if (own->links) {
        words.rng = call->sim->absorbed[AWGN];
        fill_keys(&own->job.keys, &words.rng);
        status = chain_cuda_link(rows[0], rows[1], &own->job, classes, words, call->stream);
    } else {
        status = chain_cuda_demap(rows[0], rows[1], call->codes[0], NULL, classes, call->stream);
    }
    return chain_cuda_end(status, err);
}
#endif

#define FORM(from, to) \
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED, FECRUN_IN({.type = from}, {.type = FECRUN_NONE}), \
                FECRUN_OUT({.type = to}))

/* Bits come where both of absorbs[] are. */
static const struct fecrun_form *const forms[] = {
    FORM(FECRUN_PACKED, FECRUN_F16),
    FORM(FECRUN_U8, FECRUN_F16),
    FORM(FECRUN_PACKED, FECRUN_F32),
    FORM(FECRUN_U8, FECRUN_F32),
    FORM(FECRUN_C8, FECRUN_F16),
    FORM(FECRUN_C8, FECRUN_F32),
    NULL,
};

const struct fecrun_backend chain_modem_demap_cuda = {
    FECRUN_CUDA_BACKEND(chain_cuda_probe, create, run, chain_cuda_destroy),
    .name = "cuda",
    .summary = "makes LLRs of bits, with mapper and noise, by itself; or demaps",
    .forms = forms,
    .absorbs = absorbs,
    .takes = takes,
};
