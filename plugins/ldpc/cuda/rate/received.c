/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/cuda/rate/received.h"

#include <fecrun/sdk/params.h>

#include "plugins/ldpc/plugin.h"
#include "plugins/ldpc/rate/rate.h"

const char *const ldpc_received_absorbs[] = {"ldpc.rate_recover", NULL};

int ldpc_received_takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    const uint32_t type = args->form->in[0].type;

    if (!args->n_absorbed)
        return 0;
    if (args->n_codes > 1)
        return fecrun_fail(err, NULL,
                           "ldpc.rate_recover of frames of different sizes is not absorbed");
    if (type != FECRUN_I8 && type != FECRUN_F32)
        return fecrun_fail(err, NULL, "ldpc.rate_recover is absorbed with LLRs of i8 and f32");
    return 0;
}

int ldpc_received_make(struct absorbed *front, const struct fecrun_create *args,
                       struct fecrun_error *err)
{
    const struct ldpc_recover *recover;

    *front = (struct absorbed){NULL, NULL, 0, 0};
    if (!args->n_absorbed)
        return 0;
    recover = args->absorbed_codes[0][0];
    return absorbed_make(front, &ldpc_rate_recover_cuda, recover->rate.n, args, err);
}
