/* SPDX-License-Identifier: BSD-2-Clause */
/* channel.awgn, backend simd. */
#include "plugins/chain/plugin.h"
#include "plugins/chain/simd/simd.h"

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    const struct chain_kernels *kernels = instance;
    const struct awgn_code *code = call->codes[0];
    struct chain_noise noise = {.rng = call->sim->rng};

    (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        noise.frame = call->first_frame + f;
        kernels->add(&noise, code->sigma, fecrun_row(in[0], f), fecrun_row(out[0], f),
                     code->real ? 2 : 1, code->real ? in[0]->items : 2 * in[0]->items);
    }
    return 0;
}

static const struct fecrun_form *const forms[] = {
    FECRUN_ONE_FORM(FECRUN_C8, FECRUN_C8),
    NULL,
};

const struct fecrun_backend chain_channel_awgn_simd = {
    .size = sizeof chain_channel_awgn_simd,
    .name = "simd",
    .summary = "AVX2, AVX-512",
    .forms = forms,
    .tune = chain_simd_tune,
    .create = chain_simd_create,
    .run = run,
    .destroy = fecrun_no_destroy,
};
