/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Nodes of a machine: memory, the CPUs and the devices near it. sysfs: where the system tells of them,
 * "/sys" or a tree like it. Where that is missing, NULL or nonsense, nothing is known and nothing done.
 */
#ifndef FECRUN_TOOL_NUMA_H
#define FECRUN_TOOL_NUMA_H

#include "run/fleet/fleet.h"

#include <stdbool.h>

/* Where the system tells: FECRUN_SYSFS, for tests; empty: threads are not bound. Else "/sys". */
const char *numa_tree(void);

/* The node of a device, by its PCI address ("0000:3b:00.0"). -1: not known, or no more than one node
   has CPUs. */
int numa_of(const char *sysfs, const char *address);

/* The calling thread, and those that it starts from now on, stay at those CPUs of the node that it may
   use already. false: there are none, or the system does not let it; then it is as before. */
bool numa_bind(const char *sysfs, int node);

/* fleet_options.bind: at the node of the device that has that PCI address. data is not used. */
void numa_bind_share(void *data, const char *address, struct run_share *share);

#endif
