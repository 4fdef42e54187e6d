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
    size_t labels = 0;

    if (!cli->output)
        return diag_fail(diag, DIAG_USAGE, "report: needs -o FILE.html");
    if (page_check_name("-o", cli->output, diag))
        return -1;
    while (cli->labels[labels])
        labels++;
    if (labels > cli->n_operands)
        return diag_fail(diag, DIAG_USAGE, "--label %s: there are %zu result files",
                         cli->labels[cli->n_operands], cli->n_operands);
    return 0;
}

static int write_page(const struct cli *cli, const struct html_request *request, struct diag *diag)
{
    struct output output = {0};
    int status = output_open(&output, cli->output, diag);

    if (!status)
        status = page_put(&output, request, diag);
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

    return check_output(cli, diag) ? -1 : write_page(cli, &request, diag);
}
