/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Probes that came back from the quarantine's child process, remembered for a day in the user's cache
 * (remember.h, file `probed`). Until the machine starts anew or a file changes that the child had loaded, this program
 * asks them in its own process: a driver is then started once, not twice. Answers are not remembered, only that nothing
 * crashed. A process that ends while it asks so is found in the file, and the next one has a child again.
 */
#ifndef FECRUN_TOOLS_PROBED_H
#define FECRUN_TOOLS_PROBED_H

#include "core/plugin/probe.h"

#include <stdbool.h>

/* Members of struct quarantine_memory. */
bool probed_trusts(void *data, const struct probe *probes, size_t n);
void probed_asked(void *data, const struct probe *probes, size_t n, const char *files);

#endif
