/* SPDX-License-Identifier: BSD-2-Clause */
/* channel.fading, backend simd: the waves of Jakes' spectrum in vectors. */
#include "plugins/chain/channel/fading.h"
#include "plugins/chain/simd/simd.h"

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    const struct chain_kernels *kernels = instance;

    (void)err;
    return fading_batch(kernels->wave, call, in[0], out);
}

/* Gains of blocks are as quick to make as samples of noise. */
static int takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    const struct fading_code *code = args->codes[0];

    return code->block ? fecrun_fail(err, NULL, "it makes gains of Jakes' spectrum (doppler) only")
                       : 0;
}

static const struct fecrun_form *const forms[] = {
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_C8}),
                FECRUN_OUT({.type = FECRUN_C8}, {.type = FECRUN_C8})),
    NULL,
};

const struct fecrun_backend chain_channel_fading_simd = {
    .size = sizeof chain_channel_fading_simd,
    .name = "simd",
    .summary = "AVX2, AVX-512: waves of Jakes' spectrum",
    .forms = forms,
    .tune = chain_simd_tune,
    .takes = takes,
    .create = chain_simd_create,
    .run = run,
    .destroy = fecrun_no_destroy,
};
