/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef FECRUN_PLAN_PATHS_H
#define FECRUN_PLAN_PATHS_H

#include "core/plan/graph.h"

/* No stage may write a file that another one reads or writes, nor the pipeline file. */
int paths_check(const struct graph *graph, struct diag *diag);

#endif
