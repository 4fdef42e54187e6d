/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef FECRUN_RUN_SESSION_PATHS_H
#define FECRUN_RUN_SESSION_PATHS_H

#include "core/plan/graph.h"

/* The file that parameter i names; NULL: none, or "-", standard input or output. The set owns it. */
const char *paths_of(const struct param_set *params, size_t i);

/* No stage may write a file that another one reads or writes, the pipeline file, that of `blocks:` or a plugin. */
int paths_check(const struct graph *graph, struct diag *diag);

#endif
