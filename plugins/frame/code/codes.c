/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/frame/code/codes.h"

#include <fecrun/sdk/params.h>

int scramble_takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    const struct scramble_code *code = args->codes[0];

    return args->form->in[0].type == FECRUN_PACKED && code->stream && !code->bytes
               ? fecrun_fail(err, NULL,
                             "packed bits need pieces and a `first` that are multiples of 8")
               : 0;
}
