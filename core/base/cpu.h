/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef FECRUN_BASE_CPU_H
#define FECRUN_BASE_CPU_H

#include "core/base/diag.h"

/* Best instruction set of this CPU that FECRUN_ISA (generic, avx2, avx512) allows, as enum
   fecrun_isa; -1 with a diagnostic for another word there. */
int cpu_isa(struct diag *diag);
/* Monotonic seconds. */
double cpu_seconds(void);

#endif
