/* SPDX-License-Identifier: BSD-2-Clause */
#define BAD_NAME "probe_crash"
#define BAD_PROBE probe
#include <fecrun/plugin.h>
#include <signal.h>

static int probe(const struct fecrun_host *host, int32_t device, char *reason, size_t size)
{
    (void)host, (void)device, (void)reason, (void)size;
    return raise(SIGSEGV);
}

#include "t/doubles/bad/stage.h"
