/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>

#include "tools/fecrun/cli.h"
#include "tools/fecrun/json/objects.h"
#include "tools/fecrun/report.h"
#include "tools/fecrun/report_devices.h"

#include <string.h>

static const char *text(const json_t *object, const char *key)
{
    const char *value = json_string_value(json_object_get(object, key));

    return value ? value : "";
}

static void print_frame(const char *label, const json_t *frame)
{
    const json_t *max = json_object_get(frame, "llr_max");

    printf("    %-4s ", label);
    if (json_object_get(frame, "pieces"))
        printf("%lld x ", (long long)json_integer_value(json_object_get(frame, "pieces")));
    printf("%lld %s as %s", (long long)json_integer_value(json_object_get(frame, "items")),
           text(frame, "kind"), *text(frame, "type") ? text(frame, "type") : "-");
    if (max)
        printf(", |LLR| <= %g", json_real_value(max));
    if (json_object_get(frame, "stream"))
        printf(", pieces of a stream");
    if (*text(frame, "from"))
        printf(", to `%s` from %s", text(frame, "port"), text(frame, "from"));
    if (*text(frame, "converted_from"))
        printf(", converted from %s", text(frame, "converted_from"));
    if (*text(frame, "copied"))
        printf(", copied %s", text(frame, "copied"));
    printf("\n");
}

static void print_pairs(const char *label, const json_t *object)
{
    const char *key;
    json_t *value;

    if (!json_object_size(object))
        return;
    printf("    %-4s", label);
    json_object_foreach((json_t *)object, key, value)
        printf(" %s=%s", key, json_string_value(value));
    printf("\n");
}

static void print_taken(const json_t *taken)
{
    size_t i;
    json_t *name;

    if (!taken)
        return;
    printf("    %-4s", "");
    json_array_foreach(json_object_get(taken, "params"), i, name)
        printf("%s %s", i ? "," : "", json_string_value(name));
    printf(" as in %s\n", text(taken, "from"));
}

static void print_stage(const json_t *stage)
{
    const json_t *margin = json_object_get(stage, "margin");
    size_t i;
    json_t *row;

    if (*text(stage, "absorbed_by"))
        printf("%s: absorbed by %s\n", text(stage, "id"), text(stage, "absorbed_by"));
    else
        printf("%s: %s on %s\n", text(stage, "id"), text(stage, "backend"), text(stage, "space"));
    print_pairs("with", json_object_get(stage, "params"));
    print_taken(json_object_get(stage, "taken"));
    print_pairs("tune", json_object_get(stage, "tune"));
    if (*text(stage, "backend_note"))
        printf("    %-4s %s\n", "does", text(stage, "backend_note"));
    json_array_foreach(json_object_get(stage, "in"), i, row) print_frame("in", row);
    json_array_foreach(json_object_get(stage, "out"), i, row) print_frame("out", row);
    if (margin)
        printf("    %-4s reads %lld items before and %lld after each batch\n", "",
               (long long)json_integer_value(json_object_get(margin, "before")),
               (long long)json_integer_value(json_object_get(margin, "after")));
    if (*text(stage, "note"))
        printf("    %-4s %s\n", "note", text(stage, "note"));
    json_array_foreach(json_object_get(stage, "refused"), i, row)
        printf("    %-4s %s: %s\n", "not", text(row, "backend"), text(row, "reason"));
}

/* Only where there is something to say: several devices, or why not. */
static void print_runs_on(const json_t *plan)
{
    const json_t *names = json_object_get(plan, "runs_on");
    const json_t *nodes = json_object_get(plan, "runs_on_nodes");
    size_t i;
    json_t *name;

    if (json_array_size(names) < 2 && !*text(plan, "runs_on_note"))
        return;
    printf("runs on");
    json_array_foreach(names, i, name)
    {
        const json_t *node = json_array_get(nodes, i);
        printf("%s %s", i ? "," : "", json_string_value(name));
        if (json_is_integer(node))
            printf(" (node %lld)", (long long)json_integer_value(node));
    }
    printf("%s%s\n", *text(plan, "runs_on_note") ? ": " : "", text(plan, "runs_on_note"));
}

static void print_plan(const json_t *plan, size_t blocks)
{
    const json_t *eb = json_object_get(plan, "ebn0_db"), *es = json_object_get(plan, "esn0_db");
    size_t i;
    json_t *stage;

    if (*text(plan, "preset"))
        printf("%s\n", text(plan, "preset"));
    printf("batch %lld frames, %lld threads, %lld in flight",
           (long long)json_integer_value(json_object_get(plan, "batch")),
           (long long)json_integer_value(json_object_get(plan, "threads")),
           (long long)json_integer_value(json_object_get(plan, "in_flight")));
    if (eb)
        printf(", Eb/N0 %.4g dB", json_real_value(eb));
    if (es)
        printf(", Es/N0 %.4g dB", json_real_value(es));
    printf("\n");
    if (*text(plan, "latency"))
        printf("latency %s: %s\n", text(plan, "latency"), text(plan, "latency_note"));
    print_runs_on(plan);
    if (blocks > 1)
        printf("of %zu rows of blocks; sizes, Eb/N0 and notes are those of the first\n", blocks);
    json_array_foreach(json_object_get(plan, "stages"), i, stage) print_stage(stage);
}

/* The plan of the first point of a sweep. */
int cmd_explain(const struct cli *cli, struct diag *diag)
{
    struct session session;
    struct session_plan plan;
    json_t *json = NULL;
    int status = -1;

    if (cli_open_session(cli, &cli->session, &session, diag))
        return -1;
    if (!session_plan(&session, 0, &plan, diag)) {
        cli_warn(&session);
        json = report_plan(&session, &plan);
        if (cli->preset)
            json_object_set_new(json, "preset", json_string(cli->preset->stands));
        if (!json || objects_lost())
            diag_fail(diag, DIAG_RUN, "out of memory");
        else if (report_runs_on(json, &session, &plan, diag))
            status = -1;
        else if (cli->result.json)
            status = cli_write_json(cli, json, diag);
        else
            print_plan(json, session.pipeline->n_blocks), status = 0;
        session_plan_free(&plan);
    }
    json_decref(json);
    session_close(&session);
    return status;
}
