/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/cmd_bench.h"
#include "tools/fecrun/result_impl.h"
#include "tools/fecrun/wrap.h"

#include <fecrun/sdk/params.h>
#include "tools/fecrun/report.h"
#include "tools/fecrun/signals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BATCHES 64
#define MOST_FRAMES (1 << 24)
#define MOST_BITS ((uint64_t)1 << 32) /* of information in a batch that a sweep comes to */
#define KNEE_GROWTH 1.03
/* Below that a backend may handle frames one by one, which does not grow either. */
#define KNEE_FRAMES 64
#define KNEE_BITS ((uint64_t)1 << 24)
/* Seconds: for each of many batches less than for the only one */
#define CHECK_SECONDS 2
#define SWEEP_CHECK_SECONDS 0.3
#define LATENCY_SECONDS 60
#define SWEEP_LATENCY_SECONDS 1

struct batches {
    bool sweep; /* doubled until it does not help any more; n is 0 */
    size_t n;
    uint64_t frames[MAX_BATCHES];
};

static int parse_batches(const char *text, struct batches *batches, struct diag *diag)
{
    char *copy = strdup(text), *save = NULL;
    int status = copy ? 0 : diag_fail(diag, DIAG_RUN, "out of memory");

    for (char *word = copy ? strtok_r(copy, ",", &save) : NULL; word && !status;
         word = strtok_r(NULL, ",", &save)) {
        int64_t n;
        if (!conf_int(word, &n) || n < 1 || n > MOST_FRAMES || batches->n == MAX_BATCHES)
            status = diag_fail(diag, DIAG_USAGE,
                               "--batches %s: must be up to %d numbers from 1 "
                               "to %d, with commas",
                               text, MAX_BATCHES, MOST_FRAMES);
        else
            batches->frames[batches->n++] = (uint64_t)n;
    }
    if (!status && !batches->n)
        status = diag_fail(diag, DIAG_USAGE, "--batches: needs at least one number");
    free(copy);
    return status;
}

/* 1, 4, 16, ... up to the pipeline's batch, which is the last. */
static void default_batches(uint64_t most, struct batches *batches)
{
    for (uint64_t n = 1; n < most && batches->n + 1 < MAX_BATCHES; n *= 4)
        batches->frames[batches->n++] = n;
    batches->frames[batches->n++] = most;
}

/* On a device, as many as it takes; but a batch that the file gives is the only one. */
static int choose_batches(const struct cli *cli, const struct session *session, size_t stage,
                          struct batches *batches, struct diag *diag)
{
    struct session_plan plan;

    if (bench_latency_check(cli, session, diag) || cli->latency)
        return diag->status ? -1 : 0;
    if (cli->batches && cli->sweep_batch)
        return diag_fail(diag, DIAG_USAGE, "--batches and --sweep-batch: one of them only");
    if (session->pipeline->n_blocks && cli->sweep_batch)
        return diag_fail(diag, DIAG_USAGE,
                         "--sweep-batch: a batch has whole rounds of the rows of blocks; "
                         "--batches N takes their multiples");
    batches->sweep = cli->sweep_batch;
    if (cli->batches || cli->sweep_batch)
        return cli->batches ? parse_batches(cli->batches, batches, diag) : 0;
    if (session_plan(session, 0, &plan, diag))
        return -1;
    if (session->pipeline->n_blocks)
        batches->frames[batches->n++] = plan.frames;
    else if (plan.negotiation->choices[stage].space == SPACE_HOST)
        default_batches(plan.frames, batches);
    else if (session->pipeline->batch)
        batches->frames[batches->n++] = session->pipeline->batch;
    else
        batches->sweep = true;
    session_plan_free(&plan);
    return 0;
}

static void show(struct benching *b, const struct bench_result *r)
{
    if (b->cli->result.quiet)
        return;
    if (!b->rows++)
        bench_print_head(b->table, r, &b->at);
    bench_print_row(b->table, r);
    fflush(b->table);
}

/* ---- A list ---- */

/* The smallest batch that comes within 5 % of the best. */
static void print_best(FILE *out, const struct bench_result *results, size_t n)
{
    double best = 0;
    size_t i = 0;

    for (size_t k = 0; k < n; k++)
        best = results[k].device_gbps > best ? results[k].device_gbps : best;
    while (i + 1 < n && results[i].device_gbps < 0.95 * best)
        i++;
    if (n > 1)
        fprintf(out, "best %.4f Gb/s of information bits; batch %llu reaches 95 %% of it\n", best,
                (unsigned long long)results[i].batch);
    bench_print_limits(out, &results[i]);
}

static int run_list(struct benching *b, struct diag *diag)
{
    struct bench_result results[MAX_BATCHES];
    size_t i, n = b->batches->n;
    bool only = n == 1 && !b->cli->all_points && !b->cli->stage_only;
    struct bench_options options = {.point = b->at.point,
                                    .stage_only = b->cli->stage_only,
                                    .check_seconds = only ? CHECK_SECONDS : SWEEP_CHECK_SECONDS,
                                    .latency_seconds = LATENCY_SECONDS};

    for (i = 0; i < n && !fecrun_cancelled(b->cancel); i++) {
        options.batch = b->batches->frames[i];
        if (bench_run(b->session, b->stage, &options, &results[i], diag) ||
            result_line(b->result, bench_json(&results[i], &b->at, KNEE_UNKNOWN), diag))
            return -1;
        show(b, &results[i]);
    }
    if (i > 0 && !b->cli->result.quiet)
        print_best(b->table, results, i);
    return 0;
}

/* ---- Doubled until it does not help any more ---- */

static int write_swept(struct benching *b, const struct bench_result *r, enum bench_knee knee,
                       struct diag *diag)
{
    return result_line(b->result, bench_json(r, &b->at, knee), diag);
}

static bool may_be_knee(const struct bench_result *r)
{
    return r->batch >= KNEE_FRAMES || r->batch * r->info_bits >= KNEE_BITS;
}

/* Why there is no larger batch, NULL: there is. */
static const char *too_large(const struct bench_result *r)
{
    if (2 * r->batch > MOST_FRAMES || 2 * r->batch * r->info_bits > MOST_BITS)
        return "batches get no larger here";
    if (r->device_total && 2 * r->device_bytes > r->device_total / 20 * 19)
        return "device memory is too short for twice that";
    return NULL;
}

static void print_end(struct benching *b, const struct bench_result *r, bool knee,
                      const char *reason)
{
    if (b->cli->result.quiet)
        return;
    if (knee)
        fprintf(b->table,
                "knee: batch %llu, %.4f Gb/s of information bits; twice the batch gives "
                "less than %g %% more\n",
                (unsigned long long)r->batch, r->device_gbps, 100 * (KNEE_GROWTH - 1));
    else
        fprintf(b->table, "no knee up to batch %llu, %.4f Gb/s of information bits: %s\n",
                (unsigned long long)r->batch, r->device_gbps, reason);
    bench_print_limits(b->table, r);
}

/* A row waits for the next one, which tells whether it is the knee. */
static int run_sweep(struct benching *b, struct diag *diag)
{
    struct bench_options options = {.point = b->at.point,
                                    .batch = 1,
                                    .stage_only = b->cli->stage_only,
                                    .check_seconds = SWEEP_CHECK_SECONDS,
                                    .latency_seconds = SWEEP_LATENCY_SECONDS};
    struct bench_result last = {0}, now;
    const char *end = NULL;
    struct diag short_of = {0};

    for (; !end && !fecrun_cancelled(b->cancel); options.batch *= 2) {
        if (bench_run(b->session, b->stage, &options, &now, &short_of)) {
            if (!now.unmade || !last.batch)
                return diag_fail(diag, short_of.status, "%s", short_of.text);
            end = short_of.text;
            break;
        }
        show(b, &now);
        if (last.batch && may_be_knee(&last) && now.device_gbps < KNEE_GROWTH * last.device_gbps) {
            print_end(b, &last, true, NULL);
            return write_swept(b, &last, KNEE_YES, diag) || write_swept(b, &now, KNEE_NO, diag) ? -1
                                                                                                : 0;
        }
        if (last.batch && write_swept(b, &last, KNEE_NO, diag))
            return -1;
        last = now;
        end = too_large(&now);
    }
    if (!last.batch)
        return 0;
    print_end(b, &last, false, end ? end : "stopped");
    return write_swept(b, &last, KNEE_NO, diag);
}

/* The swept values as the run's line has them, in its pipeline. */
static json_t *set_of(const struct session *session, const json_t *run)
{
    const json_t *stages = json_object_get(run, "pipeline");
    json_t *set = json_object();
    char name[256];

    for (size_t i = 0; i < session->pipeline->n_sweeps; i++) {
        const struct pipeline_sweep *sweep = &session->pipeline->sweeps[i];
        size_t s = (size_t)graph_find(session->graph, sweep->stage);
        const json_t *stage = json_array_get(stages, s);
        snprintf(name, sizeof name, "%s.%s", sweep->stage, sweep->param);
        stage = json_object_get(stage, session->graph->stages[s].decl->name);
        json_object_set(set, name, json_object_get(stage, sweep->param));
    }
    return set;
}

/* ---- The verb ---- */

/* The run's line is written for the first point. */
static int begin_point(struct benching *b, size_t number, struct diag *diag)
{
    const struct session *session = b->session;
    struct session_plan plan;
    json_t *run;
    int status;

    if (session_plan(session, number, &plan, diag))
        return -1;
    run = report_run(session, &plan, session->threads);
    json_decref(b->at.set);
    b->at = (struct benched){
        .point = number, .points = session_points(session), .set = set_of(session, run)};
    plan_snr(plan.plan, &b->at.ebn0_db, &b->at.esn0_db);
    if (session->pipeline->n_blocks > 1)
        b->at.ebn0_db = b->at.esn0_db = NAN; /* each row has its own */
    session_plan_free(&plan);
    status = number ? 0 : result_run(b->result, json_incref(run), diag);
    json_decref(run);
    return status;
}

static int rows_of_point(struct benching *b, struct diag *diag)
{
    return b->cli->latency     ? bench_latency_rows(b, diag)
           : b->batches->sweep ? run_sweep(b, diag)
                               : run_list(b, diag);
}

static int run_all(struct benching *b, struct diag *diag)
{
    size_t n = b->cli->all_points ? session_points(b->session) : 1;
    const struct pipeline_sweep *walk = pipeline_walk(b->session->pipeline);

    if (walk && b->cli->all_points)
        return diag_fail_at(diag, DIAG_USAGE, walk->mark,
                            "sweep.%s.%s: which points %s has, error rates say, so --all-points "
                            "cannot; --sweep %s.%s=start:step:stop can",
                            walk->stage, walk->param, pipeline_walk_name(walk), walk->stage,
                            walk->param);
    if (session_check(b->session, NULL, b->cancel, diag))
        return -1;
    cli_warn(b->session);
    for (size_t i = 0; i < n && !fecrun_cancelled(b->cancel); i++) {
        b->rows = 0;
        if (begin_point(b, i, diag) || rows_of_point(b, diag))
            return -1;
    }
    return 0;
}

int cmd_bench(const struct cli *cli, struct diag *diag)
{
    struct result_options silent = cli->result;
    struct batches batches = {0};
    struct session session;
    struct benching b = {
        .cli = cli, .session = &session, .batches = &batches, .cancel = signals_catch()};
    bool on_stdout = (silent.json && !strcmp(silent.json, "-")) ||
                     (silent.csv && !strcmp(silent.csv, "-"));
    int status = -1, stage;

    silent.quiet = true; /* the tables here are of another kind */
    b.columns = output_columns(on_stdout ? stderr : stdout);
    if (cli_open_session(cli, &cli->session, &session, diag))
        return -1;
    b.table = wrap_open(on_stdout ? stderr : stdout);
    stage = cli_one_device(&session, "bench", diag) ? -1 : bench_stage(&session, cli->stage, diag);
    b.stage = stage < 0 ? 0 : (size_t)stage;
    if (!b.table)
        status = diag_no_memory(diag);
    else if (stage >= 0 && !choose_batches(cli, &session, b.stage, &batches, diag) &&
             !result_open(&b.result, &silent, diag)) {
        status = run_all(&b, diag);
        status = cli_close(cli, b.result, status, fecrun_cancelled(b.cancel), diag);
        json_decref(b.at.set);
    }
    if (b.table)
        fclose(b.table);
    session_close(&session);
    return status;
}
