/* SPDX-License-Identifier: BSD-2-Clause */
/* Between exec.c and exec_call.c. */
#ifndef FECRUN_EXEC_CALL_H
#define FECRUN_EXEC_CALL_H

#include "exec.h"

bool stage_ordered(const struct exec *exec, size_t s);

#endif
