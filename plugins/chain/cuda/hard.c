/* SPDX-License-Identifier: BSD-2-Clause */
/* modem.hard on CUDA devices: alone, or with mapper and noise absorbed. */
#include "plugins/chain/cuda/device.h"
#include "plugins/chain/cuda/thread/hard.h"
#include "plugins/chain/modem/modem.h"
#include "plugins/chain/plugin.h"

/* As fecrun_create has them where both are absorbed: nearest to the source first. */
enum { MAP, AWGN, BOTH };

static const char *const absorbs[] = {"channel.awgn", "modem.map", NULL};

/* Square schemes of up to 256QAM and BPSK; frames of several sizes in one launch have the same one. */
static int takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    const struct hard_code *first = args->codes[0];

    if (args->n_absorbed == 1)
        return fecrun_fail(err, NULL, "it absorbs channel.awgn only with modem.map");
    if ((first->shape != CHAIN_REAL && first->shape != CHAIN_SQUARE) || first->bits > 4)
        return fecrun_fail(err, "scheme", "cuda has bpsk, qpsk, 16qam, 64qam and 256qam");
    for (uint32_t c = 1; c < args->n_codes; c++) {
        const struct hard_code *code = args->codes[c];

        if (code->shape != first->shape || code->bits != first->bits)
            return fecrun_fail(err, "scheme",
                               "frames of several sizes in one call have the same scheme");
    }
    return args->n_absorbed ? chain_takes_map(args->absorbed_codes[MAP][0], err) : 0;
}

#ifdef FECRUN_CUDA

struct hard_cuda {
    struct gpu gpu; /* its table: struct hard_class, where there are several classes */
    struct hard_job job;
    bool linked;
};

static struct hard_class class_of(const struct fecrun_create *args, uint32_t c)
{
    const struct hard_code *code = args->codes[c];
    const struct awgn_code *awgn = args->n_absorbed ? args->absorbed_codes[AWGN][c] : NULL;

    return (struct hard_class){awgn ? awgn->sigma : 0, code->inverse_unit};
}

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    struct hard_class *classes = args->n_codes > 1 ? calloc(args->n_codes, sizeof *classes) : NULL;
    struct hard_cuda *own = NULL;

    for (uint32_t c = 0; classes && c < args->n_codes; c++)
        classes[c] = class_of(args, c);
    if (args->n_codes > 1 && !classes)
        fecrun_no_memory(err);
    else
        own = gpu_make(sizeof *own, args, classes, args->n_codes * sizeof *classes, err);
    free(classes);
    *instance = own;
    if (!own)
        return -1;
    own->linked = args->n_absorbed == BOTH;
    own->job.own = class_of(args, 0);
    if (own->linked)
        fill_levels(&own->job.levels, args->absorbed_codes[MAP][0]);
    return 0;
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    const struct fecrun_view *const view[GPU_PORTS] = {in[0], out[0], NULL};
    const struct hard_code *code = call->codes[0];
    struct words words = chain_words(call);
    struct hard_cuda *own = instance;
    struct rows rows[GPU_PORTS];

    if (chain_cuda_ragged(own, call, view, rows, err))
        return -1;
    if (own->linked) {
        words.rng = call->sim->absorbed[AWGN];
        fill_keys(&own->job.keys, &words.rng);
    }
    return chain_cuda_end(chain_cuda_hard(rows[0], rows[1], code->shape == CHAIN_REAL, code->bits,
                                          &own->job, own->gpu.table, words, call->stream),
                          err);
}
#endif

#define FORM(from, to) \
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED, FECRUN_IN({.type = from}), FECRUN_OUT({.type = to}))

/* Bits come where both of absorbs[] are. */
static const struct fecrun_form *const forms[] = {
    FORM(FECRUN_PACKED, FECRUN_PACKED),
    FORM(FECRUN_U8, FECRUN_U8),
    FORM(FECRUN_C8, FECRUN_PACKED),
    FORM(FECRUN_C8, FECRUN_U8),
    NULL,
};

const struct fecrun_backend chain_modem_hard_cuda = {
    FECRUN_CUDA_BACKEND(chain_cuda_probe, create, run, gpu_destroy),
    .name = "cuda",
    .summary = "eight dimensions a thread; maps and adds noise by itself",
    .forms = forms,
    .absorbs = absorbs,
    .takes = takes,
};
