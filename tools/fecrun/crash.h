/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A plugin that crashes or calls exit() takes the program with it. Then a line says which one it was,
 * finished points are kept, and the status is 1.
 */
#ifndef FECRUN_TOOL_CRASH_H
#define FECRUN_TOOL_CRASH_H

void crash_watch(void);
/* From now on an end of the program is meant. */
void crash_over(void);

#endif
