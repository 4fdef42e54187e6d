/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Nodes of a machine: memory, the CPUs and the devices near it. sysfs: where the system tells of them,
 * "/sys" or a tree like it. Where that is missing, NULL or nonsense, nothing is known and nothing done.
 */
#ifndef FECRUN_RUN_FLEET_NUMA_H
#define FECRUN_RUN_FLEET_NUMA_H

#include <stdbool.h>

/* The node of a device, by its PCI address ("0000:3b:00.0"). -1: not known, or no more than one node
   has CPUs. */
int numa_of(const char *sysfs, const char *address);

/* The calling thread, and those that it starts from now on, stay at those CPUs of the node that it may
   use already. false: there are none, or the system does not let it; then it is as before. */
bool numa_bind(const char *sysfs, int node);

#endif
