/* SPDX-License-Identifier: BSD-2-Clause */
/* run: the head of the results, a point's progress and its result. */
#include <inttypes.h>
#include "tools/fecrun/cmd_run.h"

#include <fecrun/sdk/params.h>
#include "tools/fecrun/progress.h"
#include "tools/fecrun/report.h"
#include "tools/fecrun/report_devices.h"
#include "tools/fecrun/sync/step.h"

#include <unistd.h>

void run_clear(struct running *running)
{
    if (running->shown)
        progress_clear(STDERR_FILENO);
    running->shown = false;
}

/* Of a recording: nothing of it was as it should be. */
static void tell_failing(struct running *running, const struct plan *plan,
                         const struct run_counts *counts, const char *so_far)
{
    if (running->failing || !counts->checked || !counts->frames ||
        counts->failed < counts->frames || !step_is_recording(plan))
        return;
    running->failing = true;
    run_clear(running);
    fprintf(stderr,
            "fecrun: warning: %s: all frames%s failed, %" PRIu64 " of them: is it read as it was "
            "recorded? `fecrun sync` tries other ways\n",
            running->session->graph->stages[0].decl->id, so_far, counts->failed);
}

void run_watch(void *data, const struct run_counts *counts, double seconds)
{
    struct running *running = data;

    if (seconds + running->task.seconds_before >= 0.5)
        tell_failing(running, sweep_plan(&running->sweep)->plan, counts, " so far");
}

void run_progress(void *data, const struct run_counts *counts, double seconds)
{
    struct running *running = data;
    const struct sweep *sweep = &running->sweep;
    struct run_counts all = *counts;
    const struct progress progress = {.point = sweep->number,
                                      .points = session_points(running->session),
                                      .at = &sweep_plan(sweep)->shape.point,
                                      .counts = &all,
                                      .limits = sweep->point.limits,
                                      .seconds = seconds + running->task.seconds_before};

    if (progress.seconds < 0.5)
        return;
    run_watch(data, counts, seconds);
    run_counts_add(&all, &running->task.before, 0);
    progress_show(STDERR_FILENO, &progress);
    running->shown = true;
}

/* The first line of --json; a million rows of `blocks:` take seconds, in which a signal may come. */
static int write_run(struct running *running, const struct session_plan *plan, unsigned workers,
                     struct diag *diag)
{
    json_t *run = report_head(running->session, plan, workers);

    if (run && report_runs_on(run, running->session, plan, diag)) {
        json_decref(run);
        return -1;
    }
    if (run && running->journaling)
        json_object_set_new(run, "journal",
                            json_pack("{s:[s], s:s}", "dirs", running->cli->journal, "id",
                                      running->journal.store.id));
    return result_head(running->result, run, running->session->pipeline, running->cancel, diag);
}

/* Before the first frame: a recording may take hours. */
static void tell_step(const struct running *running)
{
    char text[256];

    step_look(running->session, running->cancel, text, sizeof text);
    if (text[0])
        fprintf(stderr, "fecrun: warning: %s\n", text);
}

int run_begin(struct running *running, struct diag *diag)
{
    const struct session_plan *plan = sweep_plan(&running->sweep);
    const unsigned workers = session_workers(running->session, plan->negotiation);

    if (running->begun)
        return 0;
    running->begun = true;
    cli_warn(running->session);
    tell_step(running);
    if (run_welcome(running, plan, diag))
        return -1;
    return result_takes_lines(running->result) ? write_run(running, plan, workers, diag) : 0;
}

int run_make(struct running *running, struct diag *diag)
{
    struct diag ignored = {0};
    const int status = sweep_make(&running->sweep, diag);

    /* results begin with the run, also where it could not begin */
    return run_begin(running, status ? &ignored : diag) || status ? -1 : 0;
}

static void tell_left_over(const struct running *running, uint64_t items)
{
    if (items)
        fprintf(stderr,
                "fecrun: warning: %s: the stream ends inside a step of a later stage; items at its "
                "end that were not decoded: %" PRIu64 "\n",
                running->session->graph->stages[0].decl->id, items);
}

/* Of a file that ends before its first frame. */
static void tell_empty(const struct running *running, const struct plan *plan,
                       const struct run_counts *counts)
{
    if (!counts->frames && !running->journaling && step_is_recording(plan) &&
        !fecrun_cancelled(running->cancel))
        fprintf(stderr, "fecrun: warning: %s: no frames: the recording is empty\n",
                running->session->graph->stages[0].decl->id);
}

int run_show(struct running *running, const struct result_point *point, struct diag *diag)
{
    const struct times *times = running->cli->stats ? &running->stats.now : NULL;
    json_t *backends = report_backends(running->session, point->plan);
    int status;

    run_clear(running);
    tell_left_over(running, point->counts.left_over);
    tell_empty(running, point->plan->plan, &point->counts);
    tell_failing(running, point->plan->plan, &point->counts, "");
    if (!running->backends)
        running->backends = json_incref(backends);
    status = result_point(running->result, point, times,
                          json_equal(backends, running->backends) ? NULL : backends, diag);
    json_decref(backends);
    if (!status && times && run_stats_add(&running->stats, point))
        return diag_no_memory(diag);
    return status;
}

/* number: of the last point of the search. */
static int show_found(struct running *running, size_t number, struct diag *diag)
{
    const struct pipeline *pipeline = running->session->pipeline;
    const struct walk *walk = &running->sweep.walk;
    struct result_found to = {.sweep = walk->last,
                              .others = {.n = pipeline->n_sweeps - 1,
                                         .sweeps = pipeline->sweeps,
                                         .at = number / walk->last->count},
                              .points = walk->find.n,
                              .found = find_result(&walk->find)};

    to.found.at = sweep_value(walk->last, to.found.at);
    to.found.low = sweep_value(walk->last, to.found.low);
    to.found.high = sweep_value(walk->last, to.found.high);
    return result_found(running->result, &to, diag);
}

int run_next(struct running *running, const struct result_point *point, struct diag *diag)
{
    const size_t number = running->sweep.number;
    const int more = sweep_next(&running->sweep, point, diag);

    return running->sweep.walk.ended && show_found(running, number, diag) ? -1 : more;
}
