/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/journal/journal.h"

#include <stdlib.h>
#include <string.h>

static const char **names_of(const struct store_point *point)
{
    const size_t n = json_object_size(point->set);
    const char **names = calloc(2 * n + 1, sizeof *names);
    const char *name;
    json_t *value;
    size_t i = 0;

    json_object_foreach(point->set, name, value)
    {
        if (!names)
            break;
        names[i] = name;
        names[n + i++] = json_is_string(value) ? json_string_value(value) : "";
    }
    return names;
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "";
}

static void name_classes(struct summary *summary, const struct store *store)
{
    const json_t *blocks = json_object_get(store->identity, "blocks");

    for (size_t r = 0; r < store->n_rows; r++) {
        const json_t *block = json_array_get(blocks, r);
        const struct run_class *row = &summary->rows[r];
        summary->classes[r] = (struct result_class){.cell = text_of(block, "cell"),
                                                    .user = text_of(block, "user"),
                                                    .frames = row->frames,
                                                    .bits = row->bits,
                                                    .bit_errors = row->bit_errors,
                                                    .frame_errors = row->frame_errors};
    }
}

static void set_counts(struct result_point *result, const struct run_counts *counts)
{
    result->counted = counts->counted;
    result->checked = counts->checked;
    result->frames = counts->frames;
    result->bits = counts->bits;
    result->bit_errors = counts->bit_errors;
    result->frame_errors = counts->frame_errors;
    result->squares = counts->squares;
    result->undetected = counts->undetected;
    result->failed = counts->failed;
    result->info_bits = counts->info_bits;
    result->iterations_max = counts->iterations_max;
    if (counts->blocks)
        result->iterations_mean = (double)counts->iterations / (double)counts->blocks;
    if (result->split) {
        result->blocks = counts->blocks;
        result->block_errors = counts->block_errors;
        result->blocks_judged = counts->blocks_judged;
    }
}

static void look_behind(struct summary *summary, const struct store_point *point)
{
    struct chain seen = {0};
    struct gap gap = ranges_gap(&point->ranges, summary->chain.counts.frames, NULL);

    summary->gap = gap;
    while (gap.end != UINT64_MAX)
        gap = ranges_gap(&point->ranges, gap.end, &seen);
    summary->frames_more = seen.counts.frames;
}

int summary_make(struct summary *summary, const struct store *store,
                 const struct store_point *point, const struct run_limits *limits,
                 struct diag *diag)
{
    struct result_point *result = &summary->result;

    memset(summary, 0, sizeof *summary);
    summary->names = names_of(point);
    summary->rows = calloc(store->n_rows + 1, sizeof *summary->rows);
    summary->classes = calloc(store->n_rows + 1, sizeof *summary->classes);
    if (!summary->names || !summary->rows || !summary->classes) {
        summary_free(summary);
        return diag_no_memory(diag);
    }
    ranges_chain(&point->ranges, limits, summary->rows, &summary->chain);
    look_behind(summary, point);
    name_classes(summary, store);
    *result = (struct result_point){.n_set = json_object_size(point->set),
                                    .set_names = summary->names,
                                    .ebn0_db = point->ebn0_db,
                                    .esn0_db = point->esn0_db,
                                    .split = point->split,
                                    .seconds = summary->chain.seconds,
                                    .stop = summary->chain.met,
                                    .n_classes = store->n_rows,
                                    .classes = summary->classes};
    result->set_values = result->set_names + result->n_set;
    set_counts(result, &summary->chain.counts);
    if (!result->stop)
        result->stop = limits->seconds > 0 && summary->chain.seconds >= limits->seconds
                           ? "seconds"
                           : "incomplete";
    return 0;
}

void summary_free(struct summary *summary)
{
    free(summary->names);
    free(summary->rows);
    free(summary->classes);
    memset(summary, 0, sizeof *summary);
}
