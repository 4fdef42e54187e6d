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

/* Bits of the real part are every other one of a QAM symbol's. */
static float amplitude(const struct map_code *map, unsigned bits, unsigned behind_sign)
{
    unsigned symbol = 0;

    if (map->bits == 1)
        return map->symbol[0][0];
    for (unsigned p = 1; p < bits; p++)
        symbol |= (behind_sign >> (bits - 1 - p) & 1) << (map->bits - 1 - 2 * p);
    return map->symbol[symbol][0];
}

static void fill_link(struct chain_link *link, const struct fecrun_create *args)
{
    const struct map_code *map = args->absorbed_codes[MAP][0];
    const struct awgn_code *awgn = args->absorbed_codes[AWGN][0];
    const struct demap_code *demap = args->absorbed_codes[DEMAP][0];

    link->bits = demap->bits;
    link->sigma = awgn->sigma;
    link->demap = *demap;
    link->quantize = *(const struct quantize_code *)args->codes[0];
    for (unsigned p = 0; p < 1u << (demap->bits - 1); p++)
        link->amplitude[p] = amplitude(map, demap->bits, p);
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
