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

static void name_users(struct summary *summary, const struct store *store)
{
    const json_t *blocks = json_object_get(store->identity, "blocks");

    for (size_t r = 0; r < store->n_rows; r++) {
        const json_t *block = json_array_get(blocks, r);
        summary->users[r] = (struct pipeline_block){.cell = text_of(block, "cell"),
                                                    .user = text_of(block, "user")};
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
    summary->users = calloc(store->n_rows + 1, sizeof *summary->users);
    if (!summary->names || !summary->rows || !summary->users) {
        summary_free(summary);
        return diag_no_memory(diag);
    }
    ranges_chain(&point->ranges, limits, summary->rows, &summary->chain);
    look_behind(summary, point);
    name_users(summary, store);
    *result = (struct result_point){.n_set = json_object_size(point->set),
                                    .set_names = summary->names,
                                    .ebn0_db = point->ebn0_db,
                                    .esn0_db = point->esn0_db,
                                    .split = point->split,
                                    .seconds = summary->chain.seconds,
                                    .stop = summary->chain.met,
                                    .n_users = store->n_rows,
                                    .users = summary->users};
    result->set_values = result->set_names + result->n_set;
    result_count(result, &summary->chain.counts);
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
    free(summary->users);
    memset(summary, 0, sizeof *summary);
}
