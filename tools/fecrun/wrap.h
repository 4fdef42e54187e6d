/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef FECRUN_TOOL_WRAP_H
#define FECRUN_TOOL_WRAP_H

#include <stdio.h>

/* Writes the lines of `text`. One of more than `most` columns goes on in further lines, indented by two columns
   more than its beginning. Lines are cut at blanks and after `|`; longer words stay whole. most 0: no limit. */
void wrap_put(FILE *out, const char *text, int most);

/* A stream whose complete lines go to `out` in that way, as wide as its terminal is. `out` outlives it. The caller
   closes it. NULL: no memory. */
FILE *wrap_open(FILE *out);

#endif
