/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Plugin files that did not come back while they were loaded, remembered for a day in the user's cache
 * ($XDG_CACHE_HOME/fecrun/hanging, else ~/.cache/fecrun/hanging): each costs every start of the program
 * 20 seconds. A file that changes is tried again.
 */
#ifndef FECRUN_TOOLS_HANGING_H
#define FECRUN_TOOLS_HANGING_H

#include "tools/quarantine/quarantine.h"

/* The program's quarantine of plugins, with this memory. Without such a folder nothing is remembered, which is no error. */
const struct quarantine *hanging_quarantine(void);

#endif
