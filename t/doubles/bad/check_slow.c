/* SPDX-License-Identifier: BSD-2-Clause */
/* Works, and takes a tenth of a second for each create() and run(), as one on a device may. */
#define BAD_NAME "check_slow"
#define BAD_CREATE slow_create
#define BAD_RUN slow_run
#include <fecrun/plugin.h>
#include <string.h>
#include <time.h>

static void take_time(void)
{
    const struct timespec tenth = {0, 100000000L};

    nanosleep(&tenth, NULL);
}

static int slow_create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    (void)args, (void)err;
    take_time();
    *instance = NULL;
    return 0;
}

static int slow_run(void *instance, const struct fecrun_call *call,
                    const struct fecrun_view *const in[], struct fecrun_view *const out[],
                    struct fecrun_error *err)
{
    (void)instance, (void)call, (void)err;
    take_time();
    for (uint64_t f = 0; f < in[0]->frames; f++)
        memcpy((char *)out[0]->data + f * out[0]->stride,
               (const char *)in[0]->data + f * in[0]->stride, in[0]->items);
    return 0;
}

#include "t/doubles/bad/stage.h"
