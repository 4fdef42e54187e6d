/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef FECRUN_TOOL_COMPLETE_H
#define FECRUN_TOOL_COMPLETE_H

#include "tools/fecrun/cli.h"

/* fecrun --complete WORD...: n words after the program's name, the last one unfinished (maybe empty). Prints a line for each
   word that it may become, then maybe a tab and what that is; ":files" or ":dirs": the shell's own. Returns 0. */
int complete(const struct verb *const *verbs, int n, char **given);

#endif
