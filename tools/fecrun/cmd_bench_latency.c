/* SPDX-License-Identifier: BSD-2-Clause */
/* bench --latency: single frames that arrive at a rate. */
#include "tools/fecrun/cmd_bench.h"

#include "core/value/conf.h"
#include <fecrun/sdk/params.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_RATES "10%,50%,90%"
#define DEFAULT_SECONDS 2
#define MOST_SECONDS 3600
#define MOST_RATE 1e7
#define MOST_PERCENT 1000
/* Seconds of the reference: of the only row, of each of several */
#define CHECK_SECONDS 2
#define EACH_CHECK_SECONDS 0.3

enum { MAX_RATES = 64 };

/* ---- Options ---- */

struct rates {
    size_t n;
    double rate[MAX_RATES];  /* frames a second, or */
    double share[MAX_RATES]; /* of what single calls reach; 0: a rate */
};

static bool add_rate(char *word, struct rates *rates)
{
    const size_t length = strlen(word);
    const bool percent = length && word[length - 1] == '%';
    double value;

    if (percent)
        word[length - 1] = 0;
    if (rates->n == MAX_RATES || !conf_float(word, &value) || value <= 0 ||
        value > (percent ? MOST_PERCENT : MOST_RATE))
        return false;
    rates->rate[rates->n] = percent ? 0 : value;
    rates->share[rates->n++] = percent ? value / 100 : 0;
    return true;
}

static int parse_rates(const char *text, struct rates *rates, struct diag *diag)
{
    char *copy = strdup(text), *save = NULL;
    int status = copy ? 0 : diag_no_memory(diag);

    *rates = (struct rates){0};
    for (char *word = copy ? strtok_r(copy, ",", &save) : NULL; word && !status;
         word = strtok_r(NULL, ",", &save))
        if (!add_rate(word, rates))
            status = diag_fail(diag, DIAG_USAGE,
                               "--rate %s: must be up to %d frames a second above 0 to %g, or "
                               "percentages above 0%% to %d%%, with commas",
                               text, MAX_RATES, MOST_RATE, MOST_PERCENT);
    if (!status && !rates->n)
        status = diag_fail(diag, DIAG_USAGE, "--rate: needs at least one number");
    free(copy);
    return status;
}

static int parse_seconds(const char *text, double *seconds, struct diag *diag)
{
    if (!conf_float(text, seconds) || *seconds <= 0 || *seconds > MOST_SECONDS)
        return diag_fail(diag, DIAG_USAGE, "--seconds %s: must be above 0 to %d", text,
                         MOST_SECONDS);
    return 0;
}

int bench_latency_check(const struct cli *cli, const struct session *session, struct diag *diag)
{
    const char *alien = cli->batches           ? "--batches"
                        : cli->sweep_batch     ? "--sweep-batch"
                        : cli->stage_only      ? "--stage-only"
                        : cli->session.threads ? "--threads"
                                               : NULL;
    struct rates rates;
    double seconds;

    if (!cli->latency && (cli->rates || cli->seconds))
        return diag_fail(diag, DIAG_USAGE, "%s: belongs to --latency",
                         cli->rates ? "--rate" : "--seconds");
    if (!cli->latency)
        return 0;
    if (alien)
        return diag_fail(diag, DIAG_USAGE,
                         "%s: not with --latency, which serves one frame after the other in one "
                         "thread",
                         alien);
    if (session->pipeline->n_blocks)
        return diag_fail_at(diag, DIAG_USAGE, session->pipeline->blocks[0].mark,
                            "blocks: their rows are one batch, and --latency is that of one frame");
    if (cli->rates && parse_rates(cli->rates, &rates, diag))
        return -1;
    return cli->seconds ? parse_seconds(cli->seconds, &seconds, diag) : 0;
}

/* ---- JSON ---- */

static json_t *latency_of(const struct bench_result *r)
{
    static const char *const names[] = {"p50", "p90", "p99", "p999", "max"};
    json_t *object = json_object();

    for (size_t i = 0; i < 5; i++)
        json_object_set_new(object, names[i],
                            bench_json_real(!isnan(r->load_us[i]), r->load_us[i]));
    return object;
}

static json_t *line_of(const struct bench_result *r, const struct benched *at)
{
    return json_pack(
        "{s:s, s:s, s:s, s:s, s:I, s:f, s:I, s:I, s:f, s:f, s:b, s:o, s:o, s:o, s:I, s:o, s:o, "
        "s:O, "
        "s:o, s:o}",
        "type", "latency", "stage", r->stage, "backend", r->backend, "device", r->device,
        "info_bits", (json_int_t)r->info_bits, "rate", r->rate, "arrivals", (json_int_t)r->arrivals,
        "served", (json_int_t)r->served, "load", r->load, "service_us", r->service_us, "overloaded",
        (int)r->overloaded, "latency_us", latency_of(r), "ber", bench_json_real(r->counted, r->ber),
        "fer", bench_json_real(r->counted, r->fer), "frames", (json_int_t)r->frames,
        "checked_frames", r->compared ? json_integer((json_int_t)r->checked_frames) : json_null(),
        "iterations_mean", bench_json_real(r->iterations_mean > 0, r->iterations_mean), "set",
        at->set, "ebn0_db", bench_json_real(!isnan(at->ebn0_db), at->ebn0_db), "esn0_db",
        bench_json_real(!isnan(at->esn0_db), at->esn0_db));
}

/* ---- The table ---- */

static void print_us(FILE *out, double us)
{
    if (isnan(us))
        fprintf(out, " %8s", "-");
    else
        fprintf(out, " %8.2f", us);
}

static void print_row(struct benching *b, const struct bench_result *r)
{
    static const size_t shown[] = {0, 2, 3, 4};
    const bool wide = !b->columns || b->columns >= 96;

    if (b->cli->result.quiet)
        return;
    if (!b->rows++) {
        bench_print_what(b->table, r);
        fprintf(b->table, "one frame at a time");
        bench_print_point(b->table, r, &b->at);
        if (!wide)
            fprintf(b->table, "(no room for served, call us, which --json has)\n");
        fprintf(b->table, "%9s %6s", "frames/s", "load");
        if (wide)
            fprintf(b->table, " %7s %8s", "served", "call us");
        fprintf(b->table, " %8s %8s %8s %8s %9s %8s %7s\n", "p50 us", "p99 us", "p99.9 us",
                "max us", "BER", "FER", "checked");
    }
    fprintf(b->table, "%9.6g %5.1f%%", r->rate, 100 * r->load);
    if (wide)
        fprintf(b->table, " %7llu %8.2f", (unsigned long long)r->served, r->service_us);
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++)
        print_us(b->table, r->load_us[shown[i]]);
    bench_print_check(b->table, r);
    if (r->overloaded && r->load <= 1)
        fprintf(b->table, "overload: a frame has waited for as long as frames arrive\n");
    else if (r->overloaded)
        fprintf(b->table,
                "overload: %.6g frames/s arrive and %.6g can be served, so latency has no bound\n",
                r->rate, 1e6 / r->service_us);
    fflush(b->table);
}

/* ---- The rows ---- */

int bench_latency_rows(struct benching *b, struct diag *diag)
{
    const struct cli *cli = b->cli;
    struct bench_load load = {
        .point = b->at.point, .seconds = DEFAULT_SECONDS, .cancel = b->cancel};
    struct bench_result result;
    struct rates rates;

    if (parse_rates(cli->rates ? cli->rates : DEFAULT_RATES, &rates, diag) ||
        (cli->seconds && parse_seconds(cli->seconds, &load.seconds, diag)))
        return -1;
    load.check_seconds = rates.n == 1 && !cli->all_points ? CHECK_SECONDS : EACH_CHECK_SECONDS;
    for (size_t i = 0; i < rates.n && !fecrun_cancelled(b->cancel); i++) {
        load.rate = rates.rate[i];
        load.share = rates.share[i];
        if (bench_load_run(b->session, b->stage, &load, &result, diag) ||
            result_line(b->result, line_of(&result, &b->at), diag))
            return -1;
        print_row(b, &result);
    }
    return 0;
}
