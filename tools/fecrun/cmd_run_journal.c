/* SPDX-License-Identifier: BSD-2-Clause */
/* run --journal: runs what a journal lacks. */
#include "tools/fecrun/cmd_run.h"

#include "tools/fecrun/print_journal.h"
#include "tools/fecrun/report.h"

#include <fecrun/sdk/params.h>

#define SAVE_EVERY 1.0 /* seconds: what a killed run has lost */

/* It is opened with the first point: what it is a journal of is known then. */
static int open_journal(struct running *running, const struct result_point *point,
                        struct diag *diag)
{
    const unsigned workers = session_workers(running->session, point->plan->negotiation);
    json_t *run = report_run(running->session, point->plan, workers);
    int status = run ? journal_open(&running->journal, running->cli->journal, &running->shard,
                                    running->session, run, diag)
                     : diag_no_memory(diag);

    json_decref(run);
    running->journaling = !status;
    return status;
}

static int enter(void *data, const struct result_point *point, struct diag *diag)
{
    struct running *running = data;

    if (session_seekable(point->plan, "--journal", diag) ||
        (!running->journaling && open_journal(running, point, diag)))
        return -1;
    return journal_enter(&running->journal, point, diag);
}

static int next(void *data, size_t point, struct sweep_task *task, struct diag *diag)
{
    struct running *running = data;

    return journal_next(&running->journal, point, task, diag);
}

static int save(void *data, size_t point, const struct run_part *part, struct diag *diag)
{
    struct running *running = data;

    return journal_save(&running->journal, point, part, diag);
}

static int sum(void *data, size_t number, struct result_point *result, struct diag *diag)
{
    struct running *running = data;
    const struct journal_point *point = &running->journal.points[number];
    const struct session_plan *plan = result->plan;

    summary_free(&running->summary);
    if (summary_make(&running->summary, &running->journal.store, point->stored, &point->limits,
                     diag))
        return -1;
    *result = running->summary.result;
    result->plan = plan;
    if (!running->summary.chain.met && fecrun_cancelled(running->cancel))
        result->stop = "signal";
    return 0;
}

const struct sweep_keeper run_keeper = {
    .save_every = SAVE_EVERY, .enter = enter, .next = next, .save = save, .sum = sum};
const struct sweep_keeper run_shard_keeper = {.save_every = SAVE_EVERY,
                                              .enter = enter,
                                              .next = next,
                                              .save = save,
                                              .sum = sum,
                                              .rounds = true};

/* What others have written in the meantime, too. */
static int show_shard(struct running *running, struct diag *diag)
{
    struct journal *journal = &running->journal;
    FILE *notes = running->cli->result.quiet ? NULL : stderr;

    if (store_read(&journal->store, diag))
        return -1;
    for (size_t i = 0; i < journal->n_points; i++)
        if (journal->points[i].stored &&
            print_journal_point(running->result, &journal->store, journal->points[i].stored,
                                &journal->points[i].limits, notes, diag))
            return -1;
    return 0;
}

int run_end_journal(struct running *running, int status, struct diag *diag)
{
    struct diag closing = {0};

    summary_free(&running->summary);
    if (!running->journaling)
        return status;
    if (running->shard.n && show_shard(running, &closing) && !status)
        status = diag_fail(diag, closing.status, "%s", closing.text);
    closing = (struct diag){0};
    if (journal_close(&running->journal, &closing) && !status)
        status = diag_fail(diag, closing.status, "%s", closing.text);
    return status;
}
