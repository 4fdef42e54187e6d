/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/json/objects.h"
#include "tools/fecrun/report_devices.h"
#include "tools/fecrun/result_impl.h"

#include <fecrun/sdk/stats.h>
#include <fecrun/sdk/params.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct result {
    struct output json, csv, terminal;
    struct csv columns;
    struct page_output page;
    struct table *table; /* NULL: quiet */
    bool points;         /* something stands in the files */
};

static int out_of_memory(struct diag *diag)
{
    return diag_fail(diag, DIAG_RUN, "out of memory");
}

static bool is_stdout(const char *path)
{
    return path && !strcmp(path, "-");
}

int result_open(struct result **result, const struct result_options *options, struct diag *diag)
{
    struct result *made;
    bool taken = is_stdout(options->json) || is_stdout(options->csv);

    *result = NULL;
    made = calloc(1, sizeof *made);
    if (!made)
        return out_of_memory(diag);
    if (output_open(&made->json, options->json, diag) ||
        output_open(&made->csv, options->csv, diag) ||
        page_open(&made->page, options, &made->json, diag))
        goto fail;
    if (!options->quiet) {
        made->table = table_new(output_columns(taken ? stderr : stdout));
        if (!made->table) {
            out_of_memory(diag);
            goto fail;
        }
        if (output_to(&made->terminal, taken ? stderr : stdout,
                      taken ? "standard error" : "standard output", diag))
            goto fail;
    }
    *result = made;
    return 0;

fail:
    made->json.failed = made->csv.failed = made->page.output.failed = true;
    result_close(made, 0, NULL, diag);
    return -1;
}

void result_spare_stdout(struct result *result)
{
    if (result->terminal.file != stdout)
        return;
    result->terminal.file = stderr;
    strcpy(result->terminal.path, "standard error"); /* shorter than what stands there */
}

bool result_takes_lines(const struct result *result)
{
    return result->json.stream != NULL;
}

/* Takes the line's last brace back: something follows. */
static int reopen(struct output *output)
{
    if (fflush(output->stream) || !output->size)
        return -1;
    output->size--;
    return 0;
}

/* point: whose users follow; or NULL. */
static int write_json(struct result *result, const json_t *line, const struct result_point *point,
                      struct diag *diag)
{
    FILE *stream = result->json.stream;
    const bool users = point && point->n_users && point->counts.frames;

    if (!stream)
        return 0;
    if (objects_lost() ||
        json_dumpf(line, stream, JSON_COMPACT | JSON_REAL_PRECISION(RESULT_DIGITS)) ||
        (users &&
         (reopen(&result->json) || rows_put_users(stream, point) || putc('}', stream) == EOF)) ||
        objects_lost()) {
        result->json.failed = true;
        return out_of_memory(diag);
    }
    putc('\n', stream);
    return output_flush(&result->json, diag);
}

int result_head(struct result *result, json_t *run, const struct pipeline *pipeline,
                const volatile int *cancel, struct diag *diag)
{
    FILE *stream = result->json.stream;
    int status = 0;

    if (!run)
        return out_of_memory(diag);
    if (stream && !pipeline->n_blocks)
        return result_run(result, run, diag);
    if (stream) {
        status = objects_lost() ||
                 json_dumpf(run, stream, JSON_COMPACT | JSON_REAL_PRECISION(RESULT_DIGITS)) ||
                 reopen(&result->json) || rows_put_blocks(stream, pipeline, cancel) ||
                 fputs("}\n", stream) < 0 || objects_lost();
        result->json.failed |= status;
    }
    json_decref(run);
    if (fecrun_cancelled(cancel))
        return diag_fail(diag, DIAG_RUN, "stopped by a signal before the first frame");
    if (status)
        return out_of_memory(diag);
    return stream ? output_flush(&result->json, diag) : 0;
}

static int write_csv(struct result *result, const json_t *line, struct diag *diag)
{
    if (!result->csv.stream)
        return 0;
    if (objects_lost() || csv_row(&result->columns, result->csv.stream, line)) {
        result->csv.failed = true;
        return out_of_memory(diag);
    }
    return output_flush(&result->csv, diag);
}

int result_run(struct result *result, json_t *run, struct diag *diag)
{
    int status;

    if (!run)
        return out_of_memory(diag);
    status = write_json(result, run, NULL, diag);
    json_decref(run);
    return status;
}

static int write_line(struct result *result, json_t *line, const struct result_point *point,
                      struct diag *diag)
{
    int status;

    if (!line)
        return out_of_memory(diag);
    status = write_json(result, line, point, diag) || write_csv(result, line, diag) ? -1 : 0;
    result->points |= !status;
    if (result->points) {
        output_keep(&result->json);
        output_keep(&result->csv);
    }
    json_decref(line);
    return status;
}

int result_line(struct result *result, json_t *line, struct diag *diag)
{
    return write_line(result, line, NULL, diag);
}

/* ---- A point as an object ---- */

static json_t *real_or_null(bool known, double value)
{
    return known && isfinite(value) ? json_real(value) : json_null();
}

static json_t *count_or_null(bool known, uint64_t value)
{
    return known ? json_integer((json_int_t)value) : json_null();
}

static json_t *ratio_or_null(bool known, uint64_t part, uint64_t whole)
{
    return real_or_null(known && whole, (double)part / (double)whole);
}

static json_t *set_of(const struct result_point *point)
{
    json_t *set = json_object();

    for (size_t i = 0; i < point->n_set; i++) {
        if (json_object_set_new(set, point->set_names[i], result_value(point->set_values[i]))) {
            json_decref(set);
            return NULL;
        }
    }
    return set;
}

static int add_blocks(json_t *json, const struct result_point *point)
{
    const bool judged = point->counts.blocks_judged;
    json_t *blocks;
    int status;

    if (!point->split)
        return 0;
    blocks = json_pack("{s:I, s:o, s:o}", "blocks", (json_int_t)point->counts.blocks,
                       "block_errors", count_or_null(judged, point->counts.block_errors), "bler",
                       ratio_or_null(judged, point->counts.block_errors, point->counts.blocks));
    status = blocks ? json_object_update(json, blocks) : -1;
    json_decref(blocks);
    return status;
}

/* Counters that few pipelines have. */
static int add_extras(json_t *json, const struct run_counts *counts)
{
    for (size_t k = 0; k < N_COUNTERS; k++) {
        const uint64_t value = counts->all[k];
        if (run_counters[k].extra && value &&
            json_object_set_new(json, run_counters[k].name, json_integer((json_int_t)value)))
            return -1;
    }
    return 0;
}

static json_t *point_of(const struct result_point *point, const struct times *times,
                        json_t *backends)
{
    const struct run_counts *counts = &point->counts;
    bool counted = counts->counted, rated = counted && counts->frames;
    bool iterated = counts->iterations_max > 0;
    double low = 0, high = 1, ber_low, ber_high;
    json_t *json, *more;

    result_ber_interval(point, &ber_low, &ber_high);
    if (rated)
        fecrun_interval(counts->frame_errors, counts->frames, 0.95, &low, &high);
    json = json_pack(
        "{s:s, s:o, s:o, s:o, s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "type", "point",
        "set", set_of(point), "ebn0_db", real_or_null(true, point->ebn0_db), "esn0_db",
        real_or_null(true, point->esn0_db), "frames", (json_int_t)counts->frames, "bits",
        (json_int_t)counts->bits, "bit_errors", count_or_null(counted, counts->bit_errors),
        "frame_errors", count_or_null(counted, counts->frame_errors), "ber",
        ratio_or_null(counted, counts->bit_errors, counts->bits), "fer",
        ratio_or_null(counted, counts->frame_errors, counts->frames), "fer_lo",
        real_or_null(rated, low), "fer_hi", real_or_null(rated, high), "ber_lo",
        real_or_null(rated, ber_low), "ber_hi", real_or_null(rated, ber_high));
    more = json_pack(
        "{s:o, s:o, s:o, s:o, s:f, s:o, s:s}", "undetected",
        count_or_null(counted && counts->checked, counts->undetected), "failed",
        count_or_null(counts->checked, counts->failed), "iterations_mean",
        real_or_null(iterated, point->iterations_mean), "iterations_max",
        count_or_null(iterated, counts->iterations_max), "seconds", point->seconds, "info_mbps",
        real_or_null(point->seconds > 0, (double)counts->info_bits / point->seconds / 1e6), "stop",
        point->stop ? point->stop : "end");
    if (!json || !more || json_object_update(json, more) || add_blocks(json, point) ||
        (point->n_shares && json_object_set_new(json, "shares", report_shares(point))) ||
        add_extras(json, counts) || (backends && json_object_set(json, "backends", backends)) ||
        (times && json_object_set_new(json, "stats", run_stats_json(times, point)))) {
        json_decref(json);
        json = NULL;
    }
    json_decref(more);
    return json;
}

int result_point(struct result *result, const struct result_point *point, const struct times *times,
                 json_t *backends, struct diag *diag)
{
    if (result->table) {
        if (table_row(result->table, result->terminal.stream, point))
            return out_of_memory(diag);
        if (output_flush(&result->terminal, diag))
            return -1;
    }
    if (result->json.stream || result->csv.stream)
        return write_line(result, point_of(point, times, backends), point, diag);
    result->points = true;
    return 0;
}

int result_found(struct result *result, const struct result_found *found, struct diag *diag)
{
    if (result->table) {
        found_print(result->terminal.stream, found);
        if (output_flush(&result->terminal, diag))
            return -1;
    }
    return result_run(result, found_json(found), diag);
}

int result_stats(struct result *result, const struct run_stats *stats, const struct graph *graph,
                 struct diag *diag)
{
    if (!result->table)
        return 0;
    run_stats_print(stats, graph, result->terminal.stream);
    return output_flush(&result->terminal, diag);
}

/* why: NULL if it is to have its name. keep: there is something in it. */
static int close_output(struct output *output, struct diag *why, bool keep, struct diag *diag)
{
    const bool named = output->place.target && output->place.temporary;

    if (why && !keep)
        output->failed = true;
    if (why && keep && named && !output->failed)
        diag_add(why, "; what was done before is in %s.partial", output->path);
    return output_close(output, why ? ".partial" : "", diag);
}

int result_close(struct result *result, int status, struct diag *why, struct diag *diag)
{
    int failed = 0;

    if (!result)
        return 0;
    if (result->json.stream && !result->json.failed) {
        json_t *end = json_pack("{s:s, s:i}", "type", "end", "status", status);

        failed |= end ? write_json(result, end, NULL, diag) : out_of_memory(diag);
        json_decref(end);
    }
    if (failed && !why) /* without its end it does not get its name */
        why = diag;
    failed |= close_output(&result->json, why, result->points, diag);
    failed |= close_output(&result->csv, why, result->points, diag);
    failed |= page_close(&result->page, !failed && !why && !result->page.output.failed, diag);
    csv_free(&result->columns);
    table_free(result->table);
    output_close(&result->terminal, "", diag);
    free(result);
    return failed ? -1 : 0;
}
