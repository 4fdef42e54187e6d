/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef FECRUN_RUN_SWEEP_LIMITS_H
#define FECRUN_RUN_SWEEP_LIMITS_H

#include <stdint.h>

/* Bytes that this process may have: the least of the machine's memory, the limits of its control
   groups (v1 and v2, and of those that they are in) and ulimit -v and -d. UINT64_MAX: unknown. */
uint64_t limits_memory(void);

/* Of the control groups alone: `groups` is /proc/self/cgroup, `mount` /sys/fs/cgroup. */
uint64_t limits_of_groups(const char *groups, const char *mount);

#endif
