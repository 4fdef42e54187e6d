/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * JSON objects and memory. An object is made of hundreds of calls, and one that finds no memory leaves
 * a member out. So nobody asks each call, but whoever is to show an object, or to keep it, asks once.
 */
#ifndef FECRUN_TOOL_OBJECTS_H
#define FECRUN_TOOL_OBJECTS_H

#include <stdbool.h>

/* Once, before the first object. */
void objects_watch(void);
/* Has a part of any object been lost since? Then none is to be trusted any more. */
bool objects_lost(void);

#endif
