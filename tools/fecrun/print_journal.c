/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/print_journal.h"

#include <inttypes.h>

static void print_name(FILE *out, const struct result_point *point)
{
    for (size_t i = 0; i < point->n_set; i++)
        fprintf(out, "%s%s=%s", i ? ", " : "", point->set_names[i], point->set_values[i]);
    if (!point->n_set)
        fputs("the only point", out);
}

static void print_missing(FILE *out, const struct summary *summary)
{
    fputs("fecrun: ", out);
    print_name(out, &summary->result);
    if (summary->chain.passed)
        fprintf(out,
                ": the stop rule holds within the %" PRIu64 " frames from %" PRIu64
                " on; where, another run of the journal finds",
                summary->chain.passed, summary->gap.first);
    else if (summary->gap.end == UINT64_MAX)
        fprintf(out, ": not complete: ends with %" PRIu64 " frames", summary->result.counts.frames);
    else
        fprintf(out,
                ": not complete: frames %" PRIu64 " to %" PRIu64 " are missing; %" PRIu64
                " after them are kept",
                summary->gap.first, summary->gap.end - 1, summary->frames_more);
    putc('\n', out);
}

int print_journal_point(struct result *result, const struct store *store,
                        const struct store_point *point, const struct run_limits *limits,
                        FILE *notes, struct diag *diag)
{
    struct summary summary;
    int status;

    if (summary_make(&summary, store, point, limits, diag))
        return -1;
    status = result_point(result, &summary.result, NULL, NULL, diag);
    if (notes && !summary.chain.met)
        print_missing(notes, &summary);
    summary_free(&summary);
    return status;
}
