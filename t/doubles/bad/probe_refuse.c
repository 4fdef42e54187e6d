/* SPDX-License-Identifier: BSD-2-Clause */
#define BAD_NAME "probe_refuse"
#define BAD_PROBE probe
#include <fecrun/plugin.h>
#include <stdio.h>

static int probe(const struct fecrun_host *host, char *reason, size_t size)
{
    (void)host;
    snprintf(reason, size, "it is Sunday");
    return -1;
}

#include "t/doubles/bad/stage.h"
