/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef FECRUN_PROBE_H
#define FECRUN_PROBE_H

#include <fecrun/plugin.h>
#include <stdbool.h>

/*
 * Can it run here? Each asks in a child process: a probe that crashes or hangs costs a reason and
 * nothing else, and a driver that it starts leaves no state in this process.
 */
bool probe_backend(const struct fecrun_host *host, const struct fecrun_backend *backend,
                   char *reason, size_t size);
bool probe_provider(const struct fecrun_host *host, const struct fecrun_provider *provider,
                    int *devices, char *reason, size_t size);

#endif
