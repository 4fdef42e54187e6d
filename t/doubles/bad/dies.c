/* SPDX-License-Identifier: BSD-2-Clause */
/* Dies where DIE says: "plan exit", "create crash", "run exit", of frames of more than 64 items; "run sleep" sleeps
   for a minute. Or fills an error to the last byte: "plan words". */
#define BAD_NAME "dies"
#define BAD_PLAN dies_plan
#define BAD_CREATE dies_create
#define BAD_RUN dies_run
#include <fecrun/plugin.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void die(const char *where)
{
    const char *wish = getenv("DIE");
    const size_t n = strlen(where);

    if (!wish || strncmp(wish, where, n))
        return;
    if (!strcmp(wish + n, " exit"))
        exit(0);
    if (!strcmp(wish + n, " crash"))
        raise(SIGSEGV);
    if (!strcmp(wish + n, " sleep"))
        sleep(60);
}

static int dies_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                     const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                     struct fecrun_plan *plan, struct fecrun_error *err)
{
    const char *wish = getenv("DIE");

    (void)host, (void)values, (void)plan;
    die("plan");
    *out[0] = *in[0];
    if (!wish || strcmp(wish, "plan words"))
        return 0;
    memset(err->param, 'p', sizeof err->param);
    memset(err->text, 't', sizeof err->text);
    return -1;
}

static int dies_create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    (void)args, (void)err;
    die("create");
    *instance = NULL;
    return 0;
}

static int dies_run(void *instance, const struct fecrun_call *call,
                    const struct fecrun_view *const in[], struct fecrun_view *const out[],
                    struct fecrun_error *err)
{
    (void)instance, (void)call, (void)err;
    if (in[0]->items > 64)
        die("run");
    memcpy(out[0]->data, in[0]->data, in[0]->frames * in[0]->stride);
    return 0;
}

#include "t/doubles/bad/stage.h"
