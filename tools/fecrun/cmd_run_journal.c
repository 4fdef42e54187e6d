/* SPDX-License-Identifier: BSD-2-Clause */
/* run --journal: runs what a journal lacks. */
#include "tools/fecrun/cmd_run.h"

#include "tools/fecrun/print_journal.h"
#include "tools/fecrun/report.h"

#include <fecrun/sdk/params.h>
#include <stdlib.h>

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

/* The present point, before anything else about it. */
static int enter(struct running *running, struct diag *diag)
{
    const struct result_point *point = &running->sweep.point;

    if (session_seekable(point->plan, "--journal", diag) ||
        (!running->journaling && open_journal(running, point, diag)))
        return -1;
    return journal_enter(&running->journal, point, diag);
}

static int save(void *data, const struct run_part *part, struct diag *diag)
{
    struct running *running = data;

    return journal_save(&running->journal, running->sweep.number, part, diag);
}

/* The frames of the present task. */
static int run_task(struct running *running, struct diag *diag)
{
    const struct run_options options = {.limits = running->task.limits,
                                        .first_frame = running->task.first,
                                        .progress = running->progress,
                                        .save = save,
                                        .save_every = SAVE_EVERY,
                                        .data = running};
    struct run_counts counts = {0};
    const char *stop;
    double seconds;
    const int status = sweep_frames(&running->sweep, &options, &counts, &seconds, &stop, diag);

    free(counts.rows);
    return status;
}

/* Does all that the present point has for this process to do; the first task is there. */
static int run_tasks(struct running *running, struct diag *diag)
{
    int more = 1;

    while (more > 0) {
        if (run_task(running, diag))
            return -1;
        more = fecrun_cancelled(running->cancel)
                   ? 0
                   : journal_next(&running->journal, running->sweep.number, &running->task, diag);
    }
    return more;
}

/* What all processes have of the present point. The summary owns it. */
static int sum(struct running *running, struct result_point *result, struct diag *diag)
{
    struct sweep *sweep = &running->sweep;
    const struct journal_point *point = &running->journal.points[sweep->number];

    summary_free(&running->summary);
    if (summary_make(&running->summary, &running->journal.store, point->stored, &point->limits,
                     diag))
        return -1;
    *result = running->summary.result;
    result->plan = sweep_plan(sweep);
    if (!running->summary.chain.met && fecrun_cancelled(running->cancel))
        result->stop = "signal";
    sweep_shares(sweep);
    result->shares = sweep->point.shares;
    result->n_shares = sweep->point.n_shares;
    return 0;
}

/* ---- Each point is done when the next one begins ---- */

static int do_point(struct running *running, struct result_point *result, struct diag *diag)
{
    int more = enter(running, diag)
                   ? -1
                   : journal_next(&running->journal, running->sweep.number, &running->task, diag);

    if (more < 0 || (more ? run_make(running, diag) : run_begin(running, diag)))
        return -1;
    if (more)
        more = run_tasks(running, diag);
    /* what was counted before an error is worth having */
    return sum(running, result, diag) || run_show(running, result, diag) ? -1 : more;
}

static int run_in_order(struct running *running, struct diag *diag)
{
    struct result_point result;
    int more = 1;

    while (more > 0) {
        more = do_point(running, &result, diag);
        if (!more)
            more = run_next(running, &result, diag);
    }
    return more;
}

/* ---- Points are gone through until none has anything to do: shards ---- */

/* Returns whether there was something to do. After the first round a point is planned only if there is. */
static int visit(struct running *running, size_t number, bool first, struct diag *diag)
{
    int more;

    if (first && (sweep_go(&running->sweep, number, diag) || enter(running, diag)))
        return -1;
    more = journal_next(&running->journal, number, &running->task, diag);
    if (more <= 0)
        return more < 0 || run_begin(running, diag) ? -1 : 0;
    if (sweep_go(&running->sweep, number, diag) || run_make(running, diag) ||
        run_tasks(running, diag))
        return -1;
    return 1;
}

static int run_in_rounds(struct running *running, struct diag *diag)
{
    const size_t points = session_points(running->session);
    bool worked = true;

    for (size_t round = 0; worked; round++) {
        worked = false;
        for (size_t i = 0; i < points; i++) {
            const int status = visit(running, i, !round, diag);
            if (status < 0)
                return -1;
            worked |= status;
            if (fecrun_cancelled(running->cancel))
                return 0;
        }
    }
    return 0;
}

int run_journal(struct running *running, struct diag *diag)
{
    return running->shard.n ? run_in_rounds(running, diag) : run_in_order(running, diag);
}

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
