/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints the content of a journal for a point as a row of results. */
#ifndef FECRUN_TOOL_PRINT_JOURNAL_H
#define FECRUN_TOOL_PRINT_JOURNAL_H

#include <stdio.h>

#include "tools/fecrun/journal/journal.h"
#include "tools/fecrun/result.h"

/* notes: where to say what is missing; NULL: nowhere. */
int print_journal_point(struct result *result, const struct store *store,
                        const struct store_point *point, const struct run_limits *limits,
                        FILE *notes, struct diag *diag);

#endif
