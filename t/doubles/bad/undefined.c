/* SPDX-License-Identifier: BSD-2-Clause */
#define BAD_NAME "undefined"
int fecrun_no_such_function(void);
#define BAD_RUN undefined_run
#include <fecrun/plugin.h>

static int undefined_run(void *instance, const struct fecrun_call *call,
                         const struct fecrun_view *const in[], struct fecrun_view *const out[],
                         struct fecrun_error *err)
{
    (void)instance, (void)call, (void)in, (void)out, (void)err;
    return fecrun_no_such_function();
}

#include "t/doubles/bad/stage.h"
