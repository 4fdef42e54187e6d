/* SPDX-License-Identifier: BSD-2-Clause */
/* llr.quantize, backend simd: alone, or with mapper, noise and demapper absorbed. */
#include "plugins/chain/plugin.h"
#include "plugins/chain/modem/modem.h"
#include "plugins/chain/simd/linked.h"

static const char *const absorbs[] = {"modem.demap", "channel.awgn", "modem.map", NULL};

static int takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    return args->n_absorbed > CHAIN_DEMAP &&
                   (chain_takes_map(args->absorbed_codes[CHAIN_MAP][0], err) ||
                    chain_takes_wide(args->absorbed_codes[CHAIN_DEMAP][0], err))
               ? -1
               : 0;
}

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    struct chain_linked *own = chain_linked_make(args, CHAIN_DEMAP + 1, err);

    *instance = own;
    if (own && own->links) {
        const struct demap_code *demap =
            &((const struct demap_all *)args->absorbed_codes[CHAIN_DEMAP][0])->code;

        chain_link_send(&own->link, demap->bits, args->absorbed_codes[CHAIN_MAP][0],
                        args->absorbed_codes[CHAIN_AWGN][0]);
        own->link.demap = *demap;
        own->link.quantize = *(const struct quantize_code *)args->codes[0];
    }
    return own ? 0 : -1;
}

static void quantize(const struct chain_kernels *kernels, const struct fecrun_call *call,
                     const struct fecrun_view *in, const struct fecrun_view *out, uint64_t f)
{
    kernels->quantize(call->codes[0], fecrun_row(in, f), fecrun_row(out, f), out->type, in->items);
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    (void)err;
    chain_linked_run(instance, call, in[0], out[0], quantize);
    return 0;
}

/* Bits come where all of absorbs[] is. The narrowest output that holds the values first. */
static const struct fecrun_form *const forms[] = {
    FECRUN_ONE_FORM(FECRUN_PACKED, FECRUN_I4), FECRUN_ONE_FORM(FECRUN_U8, FECRUN_I4),
    FECRUN_ONE_FORM(FECRUN_PACKED, FECRUN_I8), FECRUN_ONE_FORM(FECRUN_U8, FECRUN_I8),
    FECRUN_ONE_FORM(FECRUN_F32, FECRUN_I4),    FECRUN_ONE_FORM(FECRUN_F32, FECRUN_I8),
    FECRUN_ONE_FORM(FECRUN_F32, FECRUN_I16),   NULL,
};

const struct fecrun_backend chain_llr_quantize_simd = {
    .size = sizeof chain_llr_quantize_simd,
    .name = "simd",
    .summary = "AVX2, AVX-512; for i4 and i8 absorbs mapper, noise and demapper",
    .forms = forms,
    .tune = chain_simd_tune,
    .absorbs = absorbs,
    .create = create,
    .run = run,
    .destroy = free,
    .takes = takes,
};
