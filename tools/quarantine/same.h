/* SPDX-License-Identifier: BSD-2-Clause */
/* What was tried is what is loaded: a plugin file that stays open in between. */
#ifndef FECRUN_TOOLS_SAME_H
#define FECRUN_TOOLS_SAME_H

#include "core/plugin/loader.h"

/*
 * As loader_open(), of the file that is open at fd, whatever lies at its path meanwhile, if elf_check() finds nothing wrong.
 * One that has a search path of its own ($ORIGIN) is loaded by its path, and refused if another file lies there now.
 */
int same_load(struct loaded *file, int fd, struct diag *diag);

#endif
