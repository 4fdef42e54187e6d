/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>

#include "bench.h"
#include "cli.h"
#include "params.h"
#include "report.h"
#include "signals.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BATCHES 64

struct batches {
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
        if (!conf_int(word, &n) || n < 1 || n > 1 << 24 || batches->n == MAX_BATCHES)
            status = diag_fail(diag, DIAG_USAGE, "--batches %s: must be up to %d numbers from 1 "
                               "to %d, with commas", text, MAX_BATCHES, 1 << 24);
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

static int choose_batches(const struct cli *cli, const struct session *session,
                          struct batches *batches, struct diag *diag)
{
    struct session_point point;
    struct session_plan plan;

    if (cli->batches)
        return parse_batches(cli->batches, batches, diag);
    session_point(session, 0, &point);
    if (session_plan(session, &point.point, &plan, diag))
        return -1;
    if (session->pipeline->n_blocks)
        batches->frames[batches->n++] = 1; /* the rows of blocks are the batch */
    else
        default_batches(plan.frames, batches);
    session_plan_free(&plan);
    return 0;
}

/* What is timed is the first point of a sweep. */
struct benched {
    size_t points;
    json_t *set; /* its swept values */
    double ebn0_db, esn0_db;
};

static json_t *real_or_null(bool known, double value)
{
    return known ? json_real(value) : json_null();
}

static json_t *line_of(const struct bench_result *r, const struct benched *at)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:I, s:i, s:I, s:f, s:f, s:f, s:{s:f, s:f, s:f, s:f}, "
                     "s:o, s:o, s:I, s:o, s:O, s:o, s:o}",
                     "type", "bench", "stage", r->stage, "backend", r->backend, "device",
                     r->device, "batch", (json_int_t)r->batch, "threads", (int)r->threads,
                     "info_bits", (json_int_t)r->info_bits, "device_gbps", r->device_gbps,
                     "end_to_end_gbps", r->end_to_end_gbps, "spread", r->spread, "latency_us",
                     "p50", r->latency_us[0], "p90", r->latency_us[1], "p99", r->latency_us[2],
                     "max", r->latency_us[3], "ber", real_or_null(r->counted, r->ber), "fer",
                     real_or_null(r->counted, r->fer), "frames", (json_int_t)r->frames,
                     "iterations_mean", real_or_null(r->iterations_mean > 0, r->iterations_mean),
                     "set", at->set, "ebn0_db", real_or_null(!isnan(at->ebn0_db), at->ebn0_db),
                     "esn0_db", real_or_null(!isnan(at->esn0_db), at->esn0_db));
}

static void print_head(FILE *out, const struct bench_result *r, const struct benched *at)
{
    fprintf(out, "%s on %s, backend %s, %u thread%s, %llu information bits a frame", r->stage,
            r->device, r->backend, r->threads, r->threads == 1 ? "" : "s",
            (unsigned long long)r->info_bits);
    if (!isnan(at->ebn0_db))
        fprintf(out, ", Eb/N0 %.4g dB", at->ebn0_db);
    if (at->points > 1)
        fprintf(out, ", point 1 of %zu", at->points);
    fprintf(out, "\n");
    fprintf(out, "%8s %12s %12s %8s %10s %10s %10s %10s\n", "batch", "stage Gb/s", "whole Gb/s",
            "spread", "p50 us", "p99 us", "BER", "FER");
}

static void print_row(FILE *out, const struct bench_result *r)
{
    fprintf(out, "%8llu %12.4f %12.4f %7.1f%% %10.1f %10.1f", (unsigned long long)r->batch,
            r->device_gbps, r->end_to_end_gbps, 100 * r->spread, r->latency_us[0],
            r->latency_us[2]);
    if (r->counted)
        fprintf(out, " %10.3g %10.3g\n", r->ber, r->fer);
    else
        fprintf(out, " %10s %10s\n", "unchecked", "-");
}

/* The smallest batch that comes within 5 % of the best. */
static void print_knee(FILE *out, const struct bench_result *results, size_t n)
{
    double best = 0;
    size_t i = 0;

    for (size_t k = 0; k < n; k++)
        best = results[k].device_gbps > best ? results[k].device_gbps : best;
    while (i + 1 < n && results[i].device_gbps < 0.95 * best)
        i++;
    fprintf(out, "best %.4f Gb/s of information bits; batch %llu reaches 95 %% of it\n", best,
            (unsigned long long)results[i].batch);
}

struct benching {
    const struct cli *cli;
    struct session *session;
    struct result *result;
    const struct batches *batches;
    volatile int *cancel;
    struct benched at;
};

static int run_batches(const struct benching *b, struct diag *diag)
{
    struct bench_result results[MAX_BATCHES];
    const struct cli *cli = b->cli;
    bool on_stdout = cli->result.json && !strcmp(cli->result.json, "-");
    FILE *table = on_stdout ? stderr : stdout;
    int stage = bench_stage(b->session, cli->stage, diag);
    size_t i;

    if (stage < 0)
        return -1;
    for (i = 0; i < b->batches->n && !fecrun_cancelled(b->cancel); i++) {
        if (bench_run(b->session, (size_t)stage, b->batches->frames[i], &results[i], diag) ||
            result_line(b->result, line_of(&results[i], &b->at), diag))
            return -1;
        if (cli->result.quiet)
            continue;
        if (i == 0)
            print_head(table, &results[i], &b->at);
        print_row(table, &results[i]);
        fflush(table);
    }
    if (i > 0 && !cli->result.quiet)
        print_knee(table, results, i);
    return 0;
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

static int write_run_line(struct benching *b, struct diag *diag)
{
    const struct session *session = b->session;
    struct session_point point;
    struct session_plan plan;
    json_t *run;

    session_point(session, 0, &point);
    if (session_plan(session, &point.point, &plan, diag))
        return -1;
    run = report_run(session, &plan, session->threads);
    b->at.points = session_points(session);
    b->at.set = set_of(session, run);
    plan_snr(plan.plan, &b->at.ebn0_db, &b->at.esn0_db);
    if (session->pipeline->n_blocks > 1)
        b->at.ebn0_db = b->at.esn0_db = NAN; /* each row has its own */
    session_plan_free(&plan);
    return result_run(b->result, run, diag);
}

int cmd_bench(const struct cli *cli, struct diag *diag)
{
    struct result_options silent = cli->result;
    struct batches batches = {0};
    struct session session;
    struct benching b = {.cli = cli, .session = &session, .batches = &batches,
                         .cancel = signals_catch()};
    int status = -1;

    silent.quiet = true; /* the tables here are of another kind */
    if (session_open(&session, cli->operand, &cli->session, diag))
        return -1;
    if (!choose_batches(cli, &session, &batches, diag) && !result_open(&b.result, &silent, diag)) {
        status = write_run_line(&b, diag);
        if (!status)
            status = run_batches(&b, diag);
        status = cli_close(cli, b.result, status, fecrun_cancelled(b.cancel), diag);
        json_decref(b.at.set);
    }
    session_close(&session);
    return status;
}
