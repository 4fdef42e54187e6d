/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef FECRUN_TOOL_SHOWN_H
#define FECRUN_TOOL_SHOWN_H

/* From here on, what is written to stdout and stderr has no control characters (core/base/printable.h),
   wherever a name in it came from, and whether it goes to a terminal or a pipe. */
void shown_begin(void);

#endif
