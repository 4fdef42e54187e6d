/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/journal/line.h"

#include "run/schedule/stats.h"
#include "tools/fecrun/json/counts.h"

#include <math.h>
#include <stdio.h>

#define FRAMES_MOST ((uint64_t)1 << 48) /* of a point: what the RNG counts */

/* ---- Writing ---- */

static json_t *integer(uint64_t value)
{
    return json_integer((json_int_t)value);
}

static json_t *ratio(double db)
{
    return isfinite(db) ? json_real(db) : json_null();
}

static json_t *rows_of(const struct run_counts *counts, size_t n)
{
    json_t *rows = json_array();

    for (size_t r = 0; r < n; r++) {
        const struct run_class *row = &counts->rows[r];
        json_array_append_new(rows, json_pack("[I, I, I, I]", (json_int_t)row->frames,
                                              (json_int_t)row->bits, (json_int_t)row->bit_errors,
                                              (json_int_t)row->frame_errors));
    }
    return rows;
}

static void set_counter(json_t *line, const struct run_counter *counter, uint64_t value)
{
    if (counter->how == COUNT_ANY)
        json_object_set_new(line, counter->kept, json_boolean(value));
    else if (counter->how != COUNT_SQUARES || value < STATS_UNKNOWN)
        json_object_set_new(line, counter->kept, integer(value));
}

json_t *line_of(const struct store *store, const struct store_point *point,
                const struct range *range)
{
    json_t *line = json_pack("{s:s, s:O, s:o, s:o, s:o, s:o}", "id", store->id, "point", point->set,
                             "first", integer(range->first), "n", integer(range->counts.frames),
                             "ebn0_db", ratio(point->ebn0_db), "esn0_db", ratio(point->esn0_db));

    if (!line)
        return NULL;
    for (size_t k = 0; k < N_COUNTERS; k++)
        if (run_counters[k].kept)
            set_counter(line, &run_counters[k], range->counts.all[k]);
    if (range->counts.frame_errors)
        json_object_set_new(line, "last_wrong", integer(range->last_wrong));
    if (point->split)
        json_object_set_new(line, "split", json_true());
    if (point->most)
        json_object_set_new(line, "most", integer(point->most));
    if (store->n_rows)
        json_object_set_new(line, "rows", rows_of(&range->counts, store->n_rows));
    if (json_object_size(point->near))
        json_object_set(line, "near", point->near);
    json_object_set_new(line, "seconds", json_real(range->seconds));
    return line;
}

json_t *line_limits(const struct run_limits *limits)
{
    return json_pack("{s:o, s:o, s:f}", "frame_errors", integer(limits->frame_errors), "frames",
                     integer(limits->frames), "seconds", limits->seconds);
}

/* ---- Reading ---- */

static bool read_integer(const json_t *value, uint64_t *to)
{
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return false;
    *to = (uint64_t)json_integer_value(value);
    return true;
}

static bool read_row(const json_t *value, struct run_class *row)
{
    return read_integer(json_array_get(value, 0), &row->frames) &&
           read_integer(json_array_get(value, 1), &row->bits) &&
           read_integer(json_array_get(value, 2), &row->bit_errors) &&
           read_integer(json_array_get(value, 3), &row->frame_errors);
}

static bool read_counter(const json_t *line, const struct run_counter *counter, uint64_t *value)
{
    const json_t *read = json_object_get(line, counter->kept);

    if (counter->how == COUNT_ANY) {
        *value = json_is_true(read);
        return true;
    }
    if (read_integer(read, value))
        return true;
    *value = STATS_UNKNOWN; /* too many, or a journal older than them */
    return counter->how == COUNT_SQUARES;
}

bool line_read(const json_t *line, struct range *range, size_t n_rows)
{
    struct run_class *rows = range->counts.rows;
    const json_t *users = json_object_get(line, "rows");

    *range = (struct range){.counts.rows = rows};
    for (size_t k = 0; k < N_COUNTERS; k++)
        if (run_counters[k].kept && !read_counter(line, &run_counters[k], &range->counts.all[k]))
            return false;
    for (size_t r = 0; r < n_rows; r++)
        if (!read_row(json_array_get(users, r), &rows[r]))
            return false;
    range->seconds = json_number_value(json_object_get(line, "seconds"));
    return read_integer(json_object_get(line, "first"), &range->first) &&
           read_integer(json_object_get(line, "n"), &range->counts.frames) &&
           range->counts.frames > 0 && range->first < FRAMES_MOST &&
           range->counts.frames <= FRAMES_MOST - range->first && range->seconds >= 0 &&
           (!range->counts.frame_errors ||
            (read_integer(json_object_get(line, "last_wrong"), &range->last_wrong) &&
             range->last_wrong >= range->first &&
             range->last_wrong - range->first < range->counts.frames));
}

bool line_wrong(const json_t *line, const struct range *range, size_t n_rows, char *text,
                size_t size)
{
    const struct run_class *rows = range->counts.rows;

    if (counts_wrong(line, "n", text, size))
        return true;
    for (size_t r = 0; r < n_rows; r++) {
        if (rows[r].frame_errors <= rows[r].frames && rows[r].bit_errors <= rows[r].bits)
            continue;
        snprintf(text, size, "rows: entry %zu has more wrong frames or bits than it has of them",
                 r);
        return true;
    }
    return false;
}

struct run_limits line_read_limits(const json_t *limits)
{
    struct run_limits read = {.seconds = json_number_value(json_object_get(limits, "seconds"))};

    if (!read_integer(json_object_get(limits, "frame_errors"), &read.frame_errors))
        read.frame_errors = 0;
    if (!read_integer(json_object_get(limits, "frames"), &read.frames))
        read.frames = 0;
    return read;
}
