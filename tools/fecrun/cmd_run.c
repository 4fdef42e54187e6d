/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/cmd_run.h"

#include <fecrun/sdk/params.h>
#include "tools/fecrun/numa.h"
#include "tools/fecrun/signals.h"
#include "run/fleet/fleet.h"

#include <string.h>
#include <unistd.h>

static void on_lost(void *data, const char *who, const char *why)
{
    run_clear(data);
    fprintf(stderr, "fecrun: warning: %s: %s; the run goes on without it\n", who, why);
}

/* A sink that writes its samples to standard output, or NULL. */
static const char *sink_on_stdout(const struct session *session)
{
    const struct graph_stage *sink = &session->graph->stages[session->graph->n - 1];
    const struct fecrun_values *values = param_values(sink->params);

    for (size_t i = 0; i < values->count; i++)
        if (sink->stage->params[i]->type == FECRUN_VALUE_PATH && values->v[i]->given &&
            !strcmp(values->v[i]->s, "-"))
            return sink->decl->id;
    return NULL;
}

/* Samples and results do not mix. */
static int open_results(struct running *running, struct diag *diag)
{
    const struct cli *cli = running->cli;
    const char *sink = sink_on_stdout(running->session);
    const struct result_options options = cli->result;

    if (sink && ((options.json && !strcmp(options.json, "-")) ||
                 (options.csv && !strcmp(options.csv, "-"))))
        return diag_fail(diag, DIAG_USAGE, "%s -: %s writes to standard output, too",
                         options.json && !strcmp(options.json, "-") ? "--json" : "--csv", sink);
    if (result_open(&running->result, &options, diag))
        return -1;
    if (sink)
        result_spare_stdout(running->result);
    return 0;
}

/* All points. */
static int run_points(struct running *running, struct diag *diag)
{
    struct sweep *sweep = &running->sweep;
    struct run_options options = {.progress = running->progress, .data = running};
    int more = 1;

    while (more > 0) {
        options.limits = sweep->point.limits;
        more = run_make(running, diag) || sweep_point(sweep, &options, diag) ? -1 : 1;
        /* what was counted before an error is worth having */
        if ((more > 0 || sweep->point.counts.frames) && run_show(running, &sweep->point, diag))
            more = -1;
        if (more > 0)
            more = run_next(running, &sweep->point, diag);
    }
    return more;
}

static int run(struct running *running, struct diag *diag)
{
    const struct cli *cli = running->cli;
    const struct fleet_options fleet = {
        .others = running->cluster->transport ? &running->cluster->members.others : NULL,
        .local = running->cluster->local,
        .locals = running->cluster->locals,
        .on_lost = on_lost,
        .bind = numa_bind_share,
        .data = running};
    const struct times_watch watch = {.took = run_stats_took, .data = &running->stats};
    const struct sweep_options options = {
        .cancel = running->cancel, .fleet = &fleet, .watch = cli->stats ? &watch : NULL};
    int status;

    running->progress = !cli->result.quiet && isatty(STDERR_FILENO) ? run_progress : run_watch;
    if ((cli->stats && cli_one_device(running->session, "--stats", diag)) ||
        open_results(running, diag))
        return -1;
    run_stats_begin(&running->stats);
    status = sweep_open(&running->sweep, running->session, &options, diag);
    if (!status)
        status = cli->journal ? run_journal(running, diag) : run_points(running, diag);
    sweep_close(&running->sweep);
    run_clear(running);
    if (!status && cli->stats)
        status = result_stats(running->result, &running->stats, running->session->graph, diag);
    status = run_end_journal(running, status, diag);
    status = cli_close(cli, running->result, status, fecrun_cancelled(options.cancel), diag);
    json_decref(running->backends);
    run_stats_free(&running->stats);
    return status;
}

static int check_options(const struct cli *cli, struct shard *shard, struct diag *diag)
{
    if (cli->shard && !cli->journal)
        return diag_fail(diag, DIAG_USAGE, "--shard: needs --journal DIR");
    if (cli->replay && cli->journal)
        return diag_fail(diag, DIAG_USAGE, "--replay: cannot be combined with --journal");
    if (cli->dump && !cli->replay)
        return diag_fail(diag, DIAG_USAGE, "--dump: belongs to --replay POINT:FRAME");
    if (cli->stats && (cli->journal || cli->replay || cli->doctor))
        return diag_fail(diag, DIAG_USAGE,
                         "--stats: cannot be combined with --journal, --replay and --doctor");
    if (cli->doctor && (cli->replay || cli->journal))
        return diag_fail(diag, DIAG_USAGE,
                         "--doctor: cannot be combined with --journal and --replay");
    if (cli->journal && !*cli->journal)
        return diag_fail(diag, DIAG_USAGE, "--journal: needs a directory");
    return cli->shard ? journal_parse_shard(cli->shard, shard, diag) : 0;
}

/* Which points there are, shards would have to wait for each other to know. */
static int check_walk(const struct session *session, const struct shard *shard, struct diag *diag)
{
    const struct pipeline_sweep *walk = pipeline_walk(session->pipeline);

    if (!shard->n || !walk)
        return 0;
    return diag_fail_at(diag, DIAG_USAGE, walk->mark,
                        "sweep.%s.%s: %s goes from point to point, so --shard cannot; "
                        "--sweep %s.%s=start:step:stop can",
                        walk->stage, walk->param, pipeline_walk_name(walk), walk->stage,
                        walk->param);
}

/* What was read before a signal ended it may look wrong, or empty. */
static int stopped_early(const struct cli *cli, const volatile int *cancel, struct diag *diag)
{
    if (!fecrun_cancelled(cancel))
        return -1;
    *diag = (struct diag){0};
    return diag_fail(diag, DIAG_RUN, "%s: stopped by a signal before it was read",
                     strcmp(cli->operand, "-") ? cli->operand : "standard input");
}

/* The only process, or rank 0. */
static int run_first(const struct cli *cli, struct cluster *cluster, volatile int *cancel,
                     struct diag *diag)
{
    struct session session;
    struct running running = {
        .cli = cli, .session = &session, .cluster = cluster, .cancel = cancel};
    int status;

    if (check_options(cli, &running.shard, diag) || run_check_cluster(cli, cluster, diag))
        return -1;
    if (cli_open_session(cli, &cli->session, &session, diag))
        return stopped_early(cli, running.cancel, diag);
    status = check_walk(&session, &running.shard, diag);
    if (!status)
        status = cli->replay   ? run_replay(cli, &session, diag)
                 : cli->doctor ? run_doctor(cli, &session, running.cancel, diag)
                               : run(&running, diag);
    session_close(&session);
    return status;
}

int cmd_run(const struct cli *cli, struct diag *diag)
{
    volatile int *cancel = signals_catch();
    struct cluster cluster;
    int status = cluster_open(&cluster, diag);

    if (!status && cluster.rank)
        run_worker(cli, &cluster, cancel);
    else if (!status)
        status = run_first(cli, &cluster, cancel, diag);
    cluster_close(&cluster);
    return status;
}
