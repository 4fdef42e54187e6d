/* SPDX-License-Identifier: BSD-2-Clause */
/* fecrun merge: prints the results in journals as `run` would. */
#include <stdio.h>

#include "tools/fecrun/cli.h"
#include "tools/fecrun/journal/journal.h"
#include "tools/fecrun/print_journal.h"

#include "core/value/conf.h"

#include <stdlib.h>
#include <string.h>

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

/* ---- The order of points ---- */

static int compare_values(const char *a, const char *b)
{
    double x, y;

    if (!a || !b)
        return (a ? 1 : 0) - (b ? 1 : 0);
    if (conf_float(a, &x) && conf_float(b, &y))
        return (x > y) - (x < y);
    return strcmp(a, b);
}

/* By values, those of the first swept parameter first. */
static int compare_points(const void *a, const void *b)
{
    const struct store_point *x = *(struct store_point *const *)a;
    const struct store_point *y = *(struct store_point *const *)b;
    const char *name;
    json_t *value;

    json_object_foreach(x->set, name, value)
    {
        const int order = compare_values(json_string_value(value),
                                         json_string_value(json_object_get(y->set, name)));
        if (order)
            return order;
    }
    return 0;
}

/* ---- The first line ---- */

static json_t *dirs_of(const struct store *store)
{
    json_t *dirs = json_array();

    for (size_t i = 0; i < store->n_dirs; i++)
        json_array_append_new(dirs, json_string(store->dirs[i]));
    return dirs;
}

static json_t *stop_of(const struct run_limits *limits)
{
    json_t *stop = json_object();

    if (limits->frame_errors)
        json_object_set_new(stop, "frame_errors", json_integer((json_int_t)limits->frame_errors));
    if (limits->frames)
        json_object_set_new(stop, "frames", json_integer((json_int_t)limits->frames));
    if (limits->seconds > 0)
        json_object_set_new(stop, "seconds", json_real(limits->seconds));
    return stop;
}

static json_t *sweep_of(const struct store *store)
{
    json_t *sweep = json_object();

    for (size_t i = 0; i < store->n_points; i++) {
        const char *name;
        json_t *value, *values;

        json_object_foreach(store->points[i]->set, name, value)
        {
            size_t k;
            json_t *other;
            bool there = false;
            if (!json_object_get(sweep, name))
                json_object_set_new(sweep, name, json_array());
            values = json_object_get(sweep, name);
            json_array_foreach(values, k, other) there |= json_equal(other, value);
            if (!there)
                json_array_append(values, value);
        }
    }
    return sweep;
}

static json_t *run_line(const struct store *store)
{
    json_t *blocks = json_object_get(store->identity, "blocks");
    json_t *run = json_pack(
        "{s:s, s:i, s:s, s:O, s:{s:o, s:s}, s:o, s:o, s:O}", "type", "run", "format", 1, "fecrun",
        PACKAGE_VERSION, "seed", json_object_get(store->identity, "seed"), "journal", "dirs",
        dirs_of(store), "id", store->id, "stop", stop_of(&store->limits), "sweep", sweep_of(store),
        "pipeline", json_object_get(store->identity, "pipeline"));

    if (run && blocks)
        json_object_set(run, "blocks", blocks);
    return run;
}

/* ---- The verb ---- */

static struct run_limits limits_of(const struct store *store, const struct store_point *point)
{
    struct run_limits limits = store->limits;

    if (point->most && (!limits.frames || point->most < limits.frames))
        limits.frames = point->most;
    return limits;
}

static int show(const struct cli *cli, const struct store *store, struct diag *diag)
{
    struct result *result;
    int status;

    if (result_open(&result, &cli->result, diag))
        return -1;
    status = result_run(result, run_line(store), diag);
    for (size_t i = 0; !status && i < store->n_points; i++) {
        const struct run_limits limits = limits_of(store, store->points[i]);
        status = print_journal_point(result, store, store->points[i], &limits,
                                     cli->result.quiet ? NULL : stderr, diag);
    }
    return cli_close(cli, result, status, false, diag);
}

static int open_all(struct store *store, const struct cli *cli, struct diag *diag)
{
    for (size_t i = 0; i < cli->n_operands; i++)
        if (store_open(store, cli->operands[i], NULL, diag))
            return -1;
    return store_read(store, diag);
}

/* Journals, and lines, that only names of earlier versions tell apart are of one pipeline. */
static int open_renamed(struct store *store, const struct cli *cli, struct registry **registry,
                        struct diag *diag)
{
    struct registry *opened;
    struct diag again = {0};

    if (!open_all(store, cli, diag))
        return 0;
    if (!store->identity)
        return -1;
    if (!cli_open_registry(cli, &opened, &again)) {
        *registry = opened;
        store_close(store, NULL);
        *store = (struct store){.fd = -1, .registry = opened};
        if (!open_all(store, cli, &again)) {
            *diag = (struct diag){0};
            return 0;
        }
        *diag = again; /* what remains with today's names */
    } else if (diag_says_refused(again.text)) {
        *diag = again;
    }
    return -1;
}

int cmd_merge(const struct cli *cli, struct diag *diag)
{
    struct store store = {.fd = -1};
    struct registry *registry = NULL;
    int status = open_renamed(&store, cli, &registry, diag);

    if (!status && !store.n_points)
        status = diag_fail(diag, DIAG_RUN, "%s: nothing is finished yet", cli->operand);
    if (!status) {
        qsort(store.points, store.n_points, sizeof(*store.points), compare_points);
        status = show(cli, &store, diag);
    }
    store_close(&store, NULL);
    registry_close(registry);
    return status;
}
