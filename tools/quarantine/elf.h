/* SPDX-License-Identifier: BSD-2-Clause */
/* What a plugin file says of itself, before dlopen() maps it. */
#ifndef FECRUN_TOOLS_ELF_H
#define FECRUN_TOOLS_ELF_H

#include "core/plugin/loader.h"

/*
 * Is the file that is open at fd whole, and for this machine? If not, or if it cannot be read, the reason is set. searches:
 * has it a search path of its own, which may begin where it lies ($ORIGIN)? Files that are no ELF objects are left to
 * dlopen().
 */
bool elf_check(struct loaded *file, int fd, bool *searches);

#endif
