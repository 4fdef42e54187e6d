/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/plugin/calling.h"

void (*calling_thread)(void);
static _Thread_local struct call_place now;

void calling_begin(const char *stage, const char *what, const char *path)
{
    if (calling_thread && !now.what) /* of a new thread */
        calling_thread();
    now = (struct call_place){stage, what, path};
}

void calling_end(struct fecrun_error *err)
{
    now.stage = NULL;
    if (!err)
        return;
    err->param[sizeof err->param - 1] = 0;
    err->text[sizeof err->text - 1] = 0;
}

struct call_place calling_now(void)
{
    return now;
}
