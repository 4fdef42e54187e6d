/* SPDX-License-Identifier: BSD-2-Clause */
/* llr.quantize, backend simd: by itself, or with all that makes LLRs of bits. */
#include "plugins/chain/plugin.h"
#include "plugins/chain/simd/simd.h"

struct quantizer {
    const struct chain_kernels *kernels;
    bool links; /* from bits on */
    struct chain_link link;
};

/* As fecrun_create has them: nearest to the source first. */
enum { MAP, AWGN, DEMAP, N_ABSORBED };

static const char *const absorbs[] = {"modem.demap", "channel.awgn", "modem.map", NULL};

static void fill_link(struct chain_link *link, const struct fecrun_create *args)
{
    const struct demap_code *demap = args->absorbed_codes[DEMAP][0];

    chain_link_send(link, demap->bits, args->absorbed_codes[MAP][0], args->absorbed_codes[AWGN][0]);
    link->demap = *demap;
    link->quantize = *(const struct quantize_code *)args->codes[0];
}

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    struct quantizer *own = calloc(1, sizeof *own);

    *instance = own;
    if (!own)
        return fecrun_fail(err, NULL, "out of memory");
    if (chain_simd_choose(args, &own->kernels, err)) {
        free(own);
        *instance = NULL;
        return -1;
    }
    own->links = args->n_absorbed == N_ABSORBED;
    if (own->links)
        fill_link(&own->link, args);
    return 0;
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    const struct quantizer *own = instance;
    struct chain_noise noise = {.rng = chain_rng(call)};

    (void)err;
    if (own->links) {
        noise.rng.point = call->absorbed_point[AWGN];
        noise.rng.stage = call->absorbed_random_stage[AWGN];
    }
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        noise.frame = call->first_frame + f;
        if (own->links)
            own->kernels->link(&own->link, &noise, fecrun_row(in[0], f), in[0]->type, in[0]->items,
                               fecrun_row(out[0], f), out[0]->type);
        else
            own->kernels->quantize(call->codes[0], fecrun_row(in[0], f), fecrun_row(out[0], f),
                                   out[0]->type, in[0]->items);
    }
    return 0;
}

/* Bits come where all of absorbs[] is. The narrowest output that holds the values first. */
static const struct fecrun_form *const forms[] = {
    FECRUN_FORM(.in = {{.type = FECRUN_PACKED}}, .out = {{.type = FECRUN_I4}}),
    FECRUN_FORM(.in = {{.type = FECRUN_U8}}, .out = {{.type = FECRUN_I4}}),
    FECRUN_FORM(.in = {{.type = FECRUN_PACKED}}, .out = {{.type = FECRUN_I8}}),
    FECRUN_FORM(.in = {{.type = FECRUN_U8}}, .out = {{.type = FECRUN_I8}}),
    FECRUN_FORM(.in = {{.type = FECRUN_F32}}, .out = {{.type = FECRUN_I4}}),
    FECRUN_FORM(.in = {{.type = FECRUN_F32}}, .out = {{.type = FECRUN_I8}}),
    FECRUN_FORM(.in = {{.type = FECRUN_F32}}, .out = {{.type = FECRUN_I16}}),
    NULL,
};

const struct fecrun_backend chain_llr_quantize_simd = {
    .size = sizeof chain_llr_quantize_simd,
    .name = "simd",
    .summary = "AVX2, AVX-512; makes i4 and i8 of bits, with mapper, noise and demapper, by itself",
    .forms = forms,
    .tune = chain_simd_tune,
    .absorbs = absorbs,
    .create = create,
    .run = run,
    .destroy = free,
};
