/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/chain/simd/linked.h"
#include "plugins/chain/plugin.h"

struct chain_linked *chain_linked_make(const struct fecrun_create *args, uint32_t absorbed,
                                       struct fecrun_error *err)
{
    struct chain_linked *own = calloc(1, sizeof *own);

    if (!own) {
        fecrun_no_memory(err);
        return NULL;
    }
    if (chain_simd_choose(args, &own->kernels, err)) {
        free(own);
        return NULL;
    }
    own->links = args->n_absorbed == absorbed;
    return own;
}

void chain_linked_run(const struct chain_linked *own, const struct fecrun_call *call,
                      const struct fecrun_view *in, const struct fecrun_view *out,
                      chain_alone *alone)
{
    struct chain_noise noise = {.rng = call->sim->rng};

    if (own->links)
        noise.rng = call->sim->absorbed[CHAIN_AWGN];
    for (uint64_t f = 0; f < in->frames; f++) {
        noise.frame = call->first_frame + f;
        if (own->links)
            own->kernels->link(&own->link, &noise, fecrun_row(in, f), in->type, in->items,
                               fecrun_row(out, f), out->type);
        else
            alone(own->kernels, call, in, out, f);
    }
}
