/* SPDX-License-Identifier: BSD-2-Clause */
/* modem.hard, backend simd: alone, or with mapper and noise absorbed. */
#include "plugins/chain/plugin.h"
#include "plugins/chain/modem/hard.h"
#include "plugins/chain/modem/modem.h"
#include "plugins/chain/simd/linked.h"

static const char *const absorbs[] = {"channel.awgn", "modem.map", NULL};

static int takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    if (args->n_absorbed == 1)
        return fecrun_fail(err, NULL, "takes noise with modem.map only");
    return args->n_absorbed ? chain_takes_map(args->absorbed_codes[CHAIN_MAP][0], err) : 0;
}

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    const struct hard_code *hard = args->codes[0];
    struct chain_linked *own = chain_linked_make(args, CHAIN_AWGN + 1, err);

    *instance = own;
    if (own && own->links) {
        chain_link_send(&own->link, hard->bits, args->absorbed_codes[CHAIN_MAP][0],
                        args->absorbed_codes[CHAIN_AWGN][0]);
        own->link.demap.inverse_unit = hard->inverse_unit;
    }
    return own ? 0 : -1;
}

static void decide(const struct chain_kernels *kernels, const struct fecrun_call *call,
                   const struct fecrun_view *in, const struct fecrun_view *out, uint64_t f)
{
    kernels->hard(call->codes[0], fecrun_row(in, f), out->items, fecrun_row(out, f), out->type,
                  chain_hard_first(call, in, f));
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    (void)err;
    chain_linked_run(instance, call, in[0], out[0], decide);
    return 0;
}

/* Bits come where both of absorbs[] are. */
static const struct fecrun_form *const forms[] = {
    FECRUN_ONE_FORM(FECRUN_PACKED, FECRUN_PACKED),
    FECRUN_ONE_FORM(FECRUN_U8, FECRUN_U8),
    FECRUN_ONE_FORM(FECRUN_C8, FECRUN_PACKED),
    FECRUN_ONE_FORM(FECRUN_C8, FECRUN_U8),
    NULL,
};

const struct fecrun_backend chain_modem_hard_simd = {
    .size = sizeof chain_modem_hard_simd,
    .name = "simd",
    .summary = "AVX2, AVX-512; absorbs mapper and noise",
    .forms = forms,
    .tune = chain_simd_tune,
    .absorbs = absorbs,
    .create = create,
    .run = run,
    .destroy = free,
    .takes = takes,
};
