/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>

#include "bench.h"
#include "cli.h"
#include "report.h"

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

static json_t *line_of(const struct bench_result *r)
{
    return json_pack("{s:s, s:s, s:s, s:s, s:I, s:i, s:I, s:f, s:f, s:f, s:{s:f, s:f, s:f, s:f}, "
                     "s:o, s:o, s:I, s:o}",
                     "type", "bench", "stage", r->stage, "backend", r->backend, "device",
                     r->device, "batch", (json_int_t)r->batch, "threads", (int)r->threads,
                     "info_bits", (json_int_t)r->info_bits, "device_gbps", r->device_gbps,
                     "end_to_end_gbps", r->end_to_end_gbps, "spread", r->spread, "latency_us",
                     "p50", r->latency_us[0], "p90", r->latency_us[1], "p99", r->latency_us[2],
                     "max", r->latency_us[3], "ber", r->counted ? json_real(r->ber) : json_null(),
                     "fer", r->counted ? json_real(r->fer) : json_null(), "frames",
                     (json_int_t)r->frames, "iterations_mean",
                     r->iterations_mean > 0 ? json_real(r->iterations_mean) : json_null());
}

static void print_head(FILE *out, const struct bench_result *r)
{
    fprintf(out, "%s on %s, backend %s, %u thread%s, %llu information bits a frame\n", r->stage,
            r->device, r->backend, r->threads, r->threads == 1 ? "" : "s",
            (unsigned long long)r->info_bits);
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

static int run_batches(const struct cli *cli, struct session *session, struct result *result,
                       const struct batches *batches, struct diag *diag)
{
    struct bench_result results[MAX_BATCHES];
    bool on_stdout = cli->result.json && !strcmp(cli->result.json, "-");
    FILE *table = on_stdout ? stderr : stdout;
    int stage = bench_stage(session, cli->stage, diag);

    if (stage < 0)
        return -1;
    for (size_t i = 0; i < batches->n; i++) {
        if (bench_run(session, (size_t)stage, batches->frames[i], &results[i], diag) ||
            result_line(result, line_of(&results[i]), diag))
            return -1;
        if (cli->result.quiet)
            continue;
        if (i == 0)
            print_head(table, &results[i]);
        print_row(table, &results[i]);
        fflush(table);
    }
    if (!cli->result.quiet)
        print_knee(table, results, batches->n);
    return 0;
}

static int write_run_line(const struct session *session, struct result *result, struct diag *diag)
{
    struct session_point point;
    struct session_plan plan;
    int status;

    session_point(session, 0, &point);
    if (session_plan(session, &point.point, &plan, diag))
        return -1;
    status = result_run(result, report_run(session, &plan, session->threads), diag);
    session_plan_free(&plan);
    return status;
}

int cmd_bench(const struct cli *cli, struct diag *diag)
{
    struct result_options silent = cli->result;
    struct batches batches = {0};
    struct diag closing = {0};
    struct session session;
    struct result *result;
    int status = -1;

    silent.quiet = true; /* the tables here are of another kind */
    if (session_open(&session, cli->operand, &cli->session, diag))
        return -1;
    if (!choose_batches(cli, &session, &batches, diag) && !result_open(&result, &silent, diag)) {
        status = write_run_line(&session, result, diag);
        if (!status)
            status = run_batches(cli, &session, result, &batches, diag);
        if (result_close(result, status ? diag->status : 0, &closing) && !status)
            status = diag_fail(diag, closing.status, "%s", closing.text);
    }
    session_close(&session);
    return status;
}
