/* SPDX-License-Identifier: BSD-2-Clause */
/* Ends a verb's output: one JSON object, or the end of the result files. */
#include "tools/fecrun/cli.h"
#include "tools/fecrun/json/objects.h"
#include "tools/fecrun/result_impl.h"
#include "tools/fecrun/warnings.h"

#include <stdlib.h>
#include <string.h>

int cli_write_json(const struct cli *cli, json_t *object, struct diag *diag)
{
    struct output output = {0};
    char *line = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(12));
    int status;

    if (!line || objects_lost()) {
        free(line);
        return diag_no_memory(diag);
    }
    status = output_open(&output, cli->result.json, diag);
    if (!status) {
        fprintf(output.stream, "%s\n", line);
        status = output_flush(&output, diag);
    }
    if (output_close(&output, "", diag))
        status = -1;
    free(line);
    return status;
}

void cli_warn(const struct session *session)
{
    const struct warnings *warnings = session->warn_data;

    for (size_t i = 0; i < warnings->n; i++)
        fprintf(stderr, "fecrun: warning: %s\n", warnings->text[i]);
}

/* ---- The end of a run ---- */

static const char *file_name(const char *path)
{
    return strcmp(path, "-") ? path : "standard output";
}

static int fail_stopped(const struct cli *cli, struct diag *diag)
{
    const char *json = cli->result.json, *csv = cli->result.csv;

    if (!json && !csv && cli->result.quiet)
        return diag_fail(diag, DIAG_RUN, "stopped by a signal");
    return diag_fail(diag, DIAG_RUN, "stopped by a signal; results so far are in %s%s%s",
                     json  ? file_name(json)
                     : csv ? file_name(csv)
                           : "the table above",
                     json && csv ? " and " : "", json && csv ? file_name(csv) : "");
}

int cli_close(const struct cli *cli, struct result *result, int status, bool stopped,
              struct diag *diag)
{
    struct diag closing = {0};
    int code = status ? diag->status : stopped ? DIAG_RUN : 0;
    /* a difference is a result, and who stops a run wants what there is */
    bool whole = !status || diag->status == DIAG_DIFFERENT;

    if (result_close(result, code, whole ? NULL : diag, &closing) && !status)
        return diag_fail(diag, closing.status, "%s", closing.text);
    return stopped && !status ? fail_stopped(cli, diag) : status;
}
