/* SPDX-License-Identifier: BSD-2-Clause */
/* fecrun report: a page of result files. */
#include "tools/fecrun/cli.h"
#include "tools/fecrun/html/html.h"
#include "tools/fecrun/result_impl.h"

#include <string.h>

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

static int check_output(const struct cli *cli, struct diag *diag)
{
    const char *dot = cli->output ? strrchr(cli->output, '.') : NULL;
    size_t labels = 0;

    if (!cli->output)
        return diag_fail(diag, DIAG_USAGE, "report: needs -o FILE.html");
    if (strcmp(cli->output, "-") && (!dot || (strcmp(dot, ".html") && strcmp(dot, ".htm"))))
        return diag_fail(diag, DIAG_USAGE, "-o %s: must end in .html, or be - for standard output",
                         cli->output);
    while (cli->labels[labels])
        labels++;
    if (labels > cli->n_operands)
        return diag_fail(diag, DIAG_USAGE, "--label %s: there are %zu result files",
                         cli->labels[cli->n_operands], cli->n_operands);
    return 0;
}

static int write_page(const struct cli *cli, const json_t *data, struct diag *diag)
{
    struct output output = {0};
    int status = output_open(&output, cli->output, diag);

    if (!status)
        status = html_write(data, output.stream) ? diag_no_memory(diag)
                                                 : output_flush(&output, diag);
    output.failed |= status != 0;
    return output_close(&output, "", diag) ? -1 : status;
}

int cmd_report(const struct cli *cli, struct diag *diag)
{
    const struct html_request request = {.files = {.paths = cli->operands,
                                                   .labels = cli->labels,
                                                   .group = cli->group,
                                                   .n = cli->n_operands},
                                         .title = cli->title,
                                         .version = PACKAGE_VERSION};
    json_t *data;
    int status;

    if (check_output(cli, diag))
        return -1;
    data = html_read(&request, diag);
    if (!data)
        return -1;
    status = write_page(cli, data, diag);
    json_decref(data);
    return status;
}
