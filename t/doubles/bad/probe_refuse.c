/* SPDX-License-Identifier: BSD-2-Clause */
#define BAD_NAME "probe_refuse"
#define BAD_PROBE probe
#include <fecrun/plugin.h>
#include <stdio.h>

static int probe(const struct fecrun_host *host, int32_t device, char *reason, size_t size)
{
    (void)host, (void)device;
    snprintf(reason, size, "it is Sunday");
    return -1;
}

#include "t/doubles/bad/stage.h"
