/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>

#include "run/sweep/sweep.h"
#include "tools/fecrun/cli.h"

int cmd_check(const struct cli *cli, struct diag *diag)
{
    struct session session;
    int status;

    if (cli_open_session(cli, &cli->session, &session, diag))
        return -1;
    status = sweep_try(&session, diag);
    cli_warn(&session);
    if (!status && !cli->result.quiet)
        printf("%s: %zu stages, %zu points: fine\n", cli->operand, session.graph->n,
               session_points(&session));
    session_close(&session);
    return status;
}
