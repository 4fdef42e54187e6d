/* SPDX-License-Identifier: BSD-2-Clause */
/* Between exec.c and exec_call.c. */
#ifndef FECRUN_EXEC_CALL_H
#define FECRUN_EXEC_CALL_H

#include "exec.h"

bool stage_ordered(const struct exec *exec, size_t s);

/* The error of a stage's create() or run() as a diagnostic. */
int stage_fail(const struct exec *exec, size_t s, int status, const struct fecrun_error *err,
               struct diag *diag);

#endif
