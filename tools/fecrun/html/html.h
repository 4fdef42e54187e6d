/* SPDX-License-Identifier: BSD-2-Clause */
/* A page of results: one HTML file that needs no other. */
#ifndef FECRUN_TOOL_HTML_H
#define FECRUN_TOOL_HTML_H

#include "tools/fecrun/plot/figure.h"

#include <jansson.h>

struct html_request {
    struct figure_files files; /* ber is not used: both rates are shown */
    const char *title;         /* NULL: the first file's name */
    const char *version;       /* of fecrun */
};

/*
 * Reads result files of run, merge, bench and compare, and those of other programs that figure_read() knows.
 * Files that share an axis share a chart. Returns what the page shows, which the caller decrefs:
 * {"title", "version", "charts": [], "bars": [], "files": []}, see page.js. NULL: diag says why.
 */
json_t *html_read(const struct html_request *request, struct diag *diag);

/* Writes the page. Its data stand in it as JSON, without any "<". -1: no memory. */
int html_write(const json_t *data, FILE *out);

#endif
