/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes and reads a range as a line of JSON. */
#ifndef FECRUN_TOOL_JOURNAL_LINE_H
#define FECRUN_TOOL_JOURNAL_LINE_H

#include "tools/fecrun/journal/store.h"

/* {"id":, "point":{}, "first":, "n":, ...}; NULL: out of memory. */
json_t *line_of(const struct store *store, const struct store_point *point,
                const struct range *range);

/* range->counts.rows has room for n_rows. false: something is missing, or makes no sense. */
bool line_read(const json_t *line, struct range *range, size_t n_rows);

/* Are the counts of a line, which line_read() has made the range of, counts that no run can have? true: text
   says which ones, and what is allowed. */
bool line_wrong(const json_t *line, const struct range *range, size_t n_rows, char *text,
                size_t size);

/* Stop rules: 0 and null are none. */
json_t *line_limits(const struct run_limits *limits);
struct run_limits line_read_limits(const json_t *limits);

#endif
