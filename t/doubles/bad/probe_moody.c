/* SPDX-License-Identifier: BSD-2-Clause */
/* A driver that was well when it was asked first, and is not any more. */
#define BAD_NAME "probe_moody"
#define BAD_PROBE probe
#include <fecrun/plugin.h>
#include <signal.h>
#include <stdlib.h>

static int probe(const struct fecrun_host *host, int32_t device, char *reason, size_t size)
{
    (void)host, (void)device, (void)reason, (void)size;
    return getenv("MOOD") ? raise(SIGSEGV) : 0;
}

#include "t/doubles/bad/stage.h"
