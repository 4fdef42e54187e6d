/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/turbo/cuda/rate/received.h"

#include <fecrun/sdk/params.h>

#include "plugins/turbo/plugin.h"
#include "plugins/turbo/rate/rate.h"

const char *const turbo_received_absorbs[] = {"turbo.rate_recover", NULL};

int turbo_received_takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    if (args->n_absorbed && args->n_codes > 1)
        return fecrun_fail(err, NULL,
                           "turbo.rate_recover of frames of different sizes is not absorbed");
    return 0;
}

int turbo_received_make(struct absorbed *front, const struct fecrun_create *args,
                        struct fecrun_error *err)
{
    const struct turbo_recover *recover;

    *front = (struct absorbed){NULL, NULL, 0, 0};
    if (!args->n_absorbed)
        return 0;
    recover = args->absorbed_codes[0][0];
    return absorbed_make(front, &turbo_rate_recover_cuda, recover->rate.n, args, err);
}
