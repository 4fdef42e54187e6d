/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef FECRUN_TOOL_SHOWN_H
#define FECRUN_TOOL_SHOWN_H

#include <stdbool.h>

/* From here on, what is written to stdout and stderr has no control characters (core/base/printable.h),
   wherever a name in it came from, and whether it goes to a terminal or a pipe. */
void shown_begin(void);

/* Did the reader of stdout close its end? */
bool shown_is_closed(void);

#endif
