/* SPDX-License-Identifier: BSD-2-Clause */
/* modem.hard, backend simd: by itself, or with mapper and noise from bits to bits. */
#include "plugins/chain/plugin.h"
#include "plugins/chain/simd/simd.h"

struct decider {
    const struct chain_kernels *kernels;
    bool links; /* from bits on */
    struct chain_link link;
};

/* As fecrun_create has them: nearest to the source first. */
enum { MAP, AWGN, N_ABSORBED };

static const char *const absorbs[] = {"channel.awgn", "modem.map", NULL};

static int takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    return args->n_absorbed == 1 ? fecrun_fail(err, NULL, "takes noise with modem.map only") : 0;
}

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    struct decider *own = calloc(1, sizeof *own);

    *instance = own;
    if (!own)
        return fecrun_fail(err, NULL, "out of memory");
    if (chain_simd_choose(args, &own->kernels, err)) {
        free(own);
        *instance = NULL;
        return -1;
    }
    own->links = args->n_absorbed == N_ABSORBED;
    if (own->links) {
        const struct hard_code *hard = args->codes[0];

        chain_link_send(&own->link, hard->bits, args->absorbed_codes[MAP][0],
                        args->absorbed_codes[AWGN][0]);
        own->link.demap.inverse_unit = hard->inverse_unit;
    }
    return 0;
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    const struct decider *own = instance;
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
            own->kernels->hard(call->codes[0], fecrun_row(in[0], f), out[0]->items,
                               fecrun_row(out[0], f), out[0]->type);
    }
    return 0;
}

/* Bits come where both of absorbs[] are. */
static const struct fecrun_form *const forms[] = {
    FECRUN_FORM(.in = {{.type = FECRUN_PACKED}}, .out = {{.type = FECRUN_PACKED}}),
    FECRUN_FORM(.in = {{.type = FECRUN_U8}}, .out = {{.type = FECRUN_U8}}),
    FECRUN_FORM(.in = {{.type = FECRUN_C8}}, .out = {{.type = FECRUN_PACKED}}),
    FECRUN_FORM(.in = {{.type = FECRUN_C8}}, .out = {{.type = FECRUN_U8}}),
    NULL,
};

const struct fecrun_backend chain_modem_hard_simd = {
    .size = sizeof chain_modem_hard_simd,
    .name = "simd",
    .summary = "AVX2, AVX-512; with mapper and noise from bits to bits, by itself",
    .forms = forms,
    .tune = chain_simd_tune,
    .absorbs = absorbs,
    .create = create,
    .run = run,
    .destroy = free,
    .takes = takes,
};
