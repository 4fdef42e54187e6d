/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fecrun compare A.json B.json: two results of run or merge, point by point. What became of single frames
 * they do not say, so rates are compared as those of two runs that know nothing of each other.
 */
#include "tools/fecrun/cmd_compare_files.h"
#include "tools/fecrun/cmd_compare.h"

#include "tools/fecrun/cmd_compare_stats.h"
#include "tools/fecrun/journal/identity.h"
#include "tools/fecrun/journal/renamed.h"
#include "tools/fecrun/json/objects.h"

#include <fecrun/sdk/stats.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One point that both have. */
struct met {
    const json_t *point[2];
    struct compare_two two;
    bool paired, alike; /* the same frames; all counts the same */
    double ebn0_db;
};

struct meeting {
    struct result_file file[2];
    struct defects defects;
    int unlike;       /* status where the files do not belong together */
    bool same_frames; /* where there are as many */
    char differ[320]; /* what the receivers do not have in common; "": nothing */
    size_t n;
    struct met *met;
    size_t alone[2]; /* points that only one has */
    FILE *table;
    struct result *result;
};

/* ---- Do they belong together? ---- */

static const char *stage_name(const json_t *pipeline, size_t i)
{
    void *first = json_object_iter(json_array_get(pipeline, i));

    return first ? json_object_iter_key(first) : "";
}

static bool begins(const char *text, const char *with)
{
    return !strncmp(text, with, strlen(with));
}

static bool ends(const char *text, const char *with)
{
    const size_t n = strlen(text), m = strlen(with);

    return n >= m && !strcmp(text + n - m, with);
}

/* Stages that make what is received: up to the last channel; without one, in front of the decoder. */
static size_t sender_stages(const json_t *pipeline)
{
    const size_t n = json_array_size(pipeline);

    for (size_t i = n; i-- > 0;)
        if (begins(stage_name(pipeline, i), "channel."))
            return i + 1;
    for (size_t i = 0; i < n; i++)
        if (ends(stage_name(pipeline, i), ".decode"))
            return i;
    return n;
}

/* Of a stage's object: without what does not change results, and what was swept, which points have. */
static void drop_rest(json_t *stage, const json_t *sweep)
{
    const char *name = json_object_iter_key(json_object_iter(stage));
    json_t *values = json_object_get(stage, name);
    const char *id = json_string_value(json_object_get(values, "id"));
    const char *key;
    json_t *value;
    void *next;
    char swept[256];

    json_object_del(values, "backend");
    json_object_del(values, "tune");
    json_object_foreach_safe(values, next, key, value)
    {
        snprintf(swept, sizeof swept, "%s.%s", id ? id : name, key);
        if (json_object_get(sweep, swept))
            json_object_del(values, key);
    }
}

/* All sweeps by their names, zipped ones, too. */
static json_t *swept_by(const json_t *run)
{
    json_t *all = json_object(), *zips = json_object_get(json_object_get(run, "sweep"), "zip");
    json_t *zip;
    size_t i;

    json_object_update(all, json_object_get(run, "sweep"));
    json_array_foreach(zips, i, zip) json_object_update(all, zip);
    json_object_del(all, "zip");
    return all;
}

/* The first or the last stages of the pipeline. */
static json_t *part_of(const json_t *run, bool sender)
{
    const json_t *pipeline = json_object_get(run, "pipeline");
    const size_t cut = sender_stages(pipeline);
    json_t *sweep = swept_by(run), *part = json_array();

    for (size_t i = 0; i < json_array_size(pipeline); i++) {
        json_t *stage = json_deep_copy(json_array_get(pipeline, i));
        drop_rest(stage, sweep);
        if ((i < cut) == sender)
            json_array_append(part, stage);
        else
            json_array_append_new(part, json_null()); /* so that stages have their numbers */
        json_decref(stage);
    }
    json_decref(sweep);
    return part;
}

static int check_part(struct meeting *m, bool sender, struct diag *diag)
{
    json_t *a = part_of(m->file[0].run, sender), *b = part_of(m->file[1].run, sender);
    const bool same = json_equal(a, b);
    char text[256];
    int status = 0;

    if (!same) {
        identity_difference(a, b, text, sizeof text);
        if (sender)
            status = diag_fail(
                diag, m->unlike,
                "compare: %s and %s: what is sent differs, so the receivers cannot be "
                "compared: stages%s",
                m->file[0].path, m->file[1].path, text);
        else
            snprintf(m->differ, sizeof m->differ, "stages behind the channel%s", text);
    }
    json_decref(a);
    json_decref(b);
    return status;
}

static int check_meeting(struct meeting *m, struct diag *diag)
{
    const json_t *a = m->file[0].run, *b = m->file[1].run;
    const json_t *blocks[2] = {json_object_get(a, "blocks"), json_object_get(b, "blocks")};

    if (blocks[0] != blocks[1] && !json_equal((json_t *)blocks[0], (json_t *)blocks[1]))
        return diag_fail(diag, m->unlike, "compare: %s and %s: blocks differ", m->file[0].path,
                         m->file[1].path);
    m->same_frames = json_equal(json_object_get(a, "seed"), json_object_get(b, "seed"));
    return check_part(m, true, diag) || check_part(m, false, diag) ? -1 : 0;
}

/* ---- Points ---- */

static bool same_count(const struct met *met, const char *key)
{
    return json_equal(json_object_get(met->point[0], key), json_object_get(met->point[1], key));
}

static int add_met(struct meeting *m, const json_t *a, const json_t *b, struct diag *diag)
{
    struct met *met = &m->met[m->n++];
    const json_t *db = json_object_get(a, "ebn0_db");

    *met = (struct met){.point = {a, b},
                        .ebn0_db = json_is_number(db) ? json_number_value(db) : NAN};
    for (int k = 0; k < 2; k++) {
        const json_t *errors = json_object_get(met->point[k], "frame_errors");
        const json_t *frames = json_object_get(met->point[k], "frames");
        if (!json_is_integer(errors) || json_integer_value(frames) <= 0 ||
            json_integer_value(errors) < 0 ||
            json_integer_value(errors) > json_integer_value(frames))
            return diag_fail(diag, DIAG_USAGE,
                             "compare: %s: a point has no frame errors: nothing counted "
                             "them (sink.errors)",
                             m->file[k].path);
        met->two.errors[k] = (uint64_t)json_integer_value(errors);
        met->two.trials[k] = (uint64_t)json_integer_value(frames);
    }
    met->paired = m->same_frames && same_count(met, "frames") && same_count(met, "bits");
    met->alike = met->paired && same_count(met, "bit_errors") && same_count(met, "frame_errors") &&
                 same_count(met, "failed") && same_count(met, "undetected");
    return 0;
}

/* Returns how many points of the file the other one does not have. */
static size_t count_alone(const struct result_file *file, const struct result_file *other)
{
    size_t i, n = 0;
    json_t *point;

    json_array_foreach(file->points, i, point)
    {
        n += !result_file_point(other, json_object_get(point, "set"));
    }
    return n;
}

static int meet(struct meeting *m, struct diag *diag)
{
    size_t i;
    json_t *a;

    m->met = calloc(json_array_size(m->file[0].points), sizeof *m->met);
    if (!m->met)
        return diag_no_memory(diag);
    json_array_foreach(m->file[0].points, i, a)
    {
        const json_t *b = result_file_point(&m->file[1], json_object_get(a, "set"));
        if (b && add_met(m, a, b, diag))
            return -1;
    }
    m->alone[0] = count_alone(&m->file[0], &m->file[1]);
    m->alone[1] = count_alone(&m->file[1], &m->file[0]);
    if (!m->n)
        return diag_fail(diag, m->unlike,
                         "compare: %s and %s: no point is in both: the swept parameters (`set`) "
                         "differ",
                         m->file[0].path, m->file[1].path);
    return 0;
}

/* ---- Telling ---- */

static double number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

static double fer(const struct met *met, int k)
{
    return (double)met->two.errors[k] / (double)met->two.trials[k];
}

static double speed_ratio(const struct met *met)
{
    return number(met->point[1], "info_mbps") / number(met->point[0], "info_mbps");
}

static json_t *real_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *json_of(const struct meeting *m, const struct met *met)
{
    double low[2], high[2], least, most;

    for (int k = 0; k < 2; k++)
        fecrun_interval(met->two.errors[k], met->two.trials[k], 0.95, &low[k], &high[k]);
    compare_ratio(&met->two, 0.95, &least, &most);
    return json_pack(
        "{s:s, s:s, s:s, s:O, s:o, s:I, s:I, s:I, s:I, s:f, s:f, s:f, s:f, s:f, s:f, s:o, s:o, s:o,"
        " s:f, s:b, s:b, s:o, s:o, s:o}",
        "type", "compare", "a", m->file[0].path, "b", m->file[1].path, "set",
        json_object_get(met->point[0], "set"), "ebn0_db", real_or_null(met->ebn0_db), "frames_a",
        (json_int_t)met->two.trials[0], "frames_b", (json_int_t)met->two.trials[1],
        "frame_errors_a", (json_int_t)met->two.errors[0], "frame_errors_b",
        (json_int_t)met->two.errors[1], "fer_a", fer(met, 0), "fer_a_lo", low[0], "fer_a_hi",
        high[0], "fer_b", fer(met, 1), "fer_b_lo", low[1], "fer_b_hi", high[1], "fer_ratio",
        real_or_null(fer(met, 1) / fer(met, 0)), "fer_ratio_lo", real_or_null(least),
        "fer_ratio_hi", real_or_null(most), "p", compare_unpaired(&met->two), "same_frames",
        met->paired, "counts_alike", met->alike, "mbps_a",
        real_or_null(number(met->point[0], "info_mbps")), "mbps_b",
        real_or_null(number(met->point[1], "info_mbps")), "speed_ratio",
        real_or_null(speed_ratio(met)));
}

static void print_head(const struct meeting *m)
{
    fprintf(m->table, "A: %s, B: %s\n", m->file[0].path, m->file[1].path);
    if (m->differ[0])
        fprintf(m->table, "%s\n", m->differ);
    fprintf(m->table, "%8s %9s %9s %8s %8s %14s %8s %9s\n", "Eb/N0", "frames A", "frames B",
            "FER A", "FER B", "95 % of B/A", "p", "B's speed");
}

static void print_met(const struct meeting *m, const struct met *met)
{
    const char *name;
    json_t *value;
    double low, high;

    compare_ratio(&met->two, 0.95, &low, &high);
    if (isfinite(met->ebn0_db))
        fprintf(m->table, "%8.3f", met->ebn0_db);
    else
        fprintf(m->table, "%8s", "-");
    fprintf(m->table, " %9llu %9llu %8.2e %8.2e %5.2f .. %5.2f %8.2g",
            (unsigned long long)met->two.trials[0], (unsigned long long)met->two.trials[1],
            fer(met, 0), fer(met, 1), low, high, compare_unpaired(&met->two));
    if (isfinite(speed_ratio(met)))
        fprintf(m->table, " %7.2f x\n", speed_ratio(met));
    else
        fprintf(m->table, " %9s\n", "-");
    json_object_foreach(json_object_get(met->point[0], "set"), name, value)
    {
        char *text = isfinite(met->ebn0_db) &&
                             json_object_size(json_object_get(met->point[0], "set")) == 1
                         ? NULL
                         : json_dumps(value, JSON_ENCODE_ANY);
        if (text)
            fprintf(m->table, "         %s=%s\n", name, text);
        free(text);
    }
}

static struct gap gap_of(const struct meeting *m, struct curve_point *curve, double rate)
{
    double db[2] = {NAN, NAN};

    for (int k = 0; k < 2; k++) {
        for (size_t i = 0; i < m->n; i++)
            curve[i] = (struct curve_point){m->met[i].ebn0_db, fer(&m->met[i], k)};
        db[k] = compare_crossing(curve, m->n, rate);
    }
    return (struct gap){.fer = rate, .known = isfinite(db[1] - db[0]), .db = db[1] - db[0]};
}

struct verdict {
    bool paired, alike, good;
    double p;
    struct gap gap;
};

static int judge(const struct meeting *m, double rate, struct verdict *verdict, struct diag *diag)
{
    struct compare_two *all = calloc(m->n, sizeof *all);
    struct curve_point *curve = calloc(m->n, sizeof *curve);
    double least = 1;

    if (!all || !curve) {
        free(all);
        free(curve);
        return diag_no_memory(diag);
    }
    *verdict = (struct verdict){.paired = true, .alike = true, .gap = gap_of(m, curve, rate)};
    for (size_t i = 0; i < m->n; i++) {
        all[i] = m->met[i].two;
        least = fmin(least, compare_unpaired(&all[i]));
        verdict->paired &= m->met[i].paired;
        verdict->alike &= m->met[i].alike;
    }
    verdict->p = m->n > 1 ? compare_strata(all, m->n) : least;
    verdict->good = compare_is_level(verdict->p, least, m->n);
    free(curve);
    free(all);
    return 0;
}

static void print_end(const struct meeting *m, const struct verdict *v)
{
    FILE *out = m->table;

    for (int k = 0; k < 2; k++)
        if (m->alone[k])
            fprintf(out, "%zu points are in %s alone\n", m->alone[k], m->file[k].path);
    if (v->alike)
        fputs("every count alike\n", out);
    else
        fprintf(out, "%s frames; %s (level 1 %%, p = %.2g)\n",
                v->paired        ? "the same"
                : m->same_frames ? "not as many"
                                 : "other",
                v->good ? "equally good" : "not equally good", v->p);
    if (m->n > 1 && v->gap.known)
        fprintf(out, "at a frame error rate of %g B needs %+.3f dB\n", v->gap.fer, v->gap.db);
}

static json_t *json_end(const struct meeting *m, const struct verdict *v)
{
    return json_pack("{s:s, s:s, s:s, s:i, s:i, s:i, s:s, s:b, s:b, s:b, s:f, s:f, s:o}", "type",
                     "compared", "a", m->file[0].path, "b", m->file[1].path, "points", (int)m->n,
                     "only_in_a", (int)m->alone[0], "only_in_b", (int)m->alone[1], "differ",
                     m->differ, "same_frames", v->paired, "every_count_alike", v->alike,
                     "equally_good", v->good, "p", v->p, "gap_fer", v->gap.fer, "gap_db",
                     real_or_null(v->gap.known ? v->gap.db : NAN));
}

static int tell(struct meeting *m, const struct cli *cli, double rate, struct diag *diag)
{
    struct verdict v = {0};

    if (judge(m, rate, &v, diag))
        return -1;
    if (m->table)
        print_head(m);
    for (size_t i = 0; i < m->n; i++) {
        if (m->table)
            print_met(m, &m->met[i]);
        if (objects_lost() || result_line(m->result, json_of(m, &m->met[i]), diag))
            return -1;
    }
    if (m->table)
        print_end(m, &v);
    if (result_line(m->result, json_end(m, &v), diag))
        return -1;
    if (cli->accept && !strcmp(cli->accept, "exact") && !v.alike)
        return diag_fail(diag, DIAG_DIFFERENT, "compare: counts differ%s",
                         v.paired ? "" : ", and were not of the same frames");
    if (cli->accept && !v.good)
        return diag_fail(diag, DIAG_DIFFERENT, "compare: %s and %s are not equally good: p = %.2g",
                         m->file[0].path, m->file[1].path, v.p);
    if (cli->accept && m->defects.n)
        return diag_fail(diag, DIAG_DIFFERENT,
                         "compare: %s and %s: not accepted, see the messages above",
                         m->file[0].path, m->file[1].path);
    return 0;
}

static void rename_file(struct result_file *file, const struct registry *registry)
{
    json_t *now = renamed_run(registry, file->run), *point;
    size_t i;

    json_array_foreach(file->points, i, point) json_object_set_new(
        point, "set", renamed_set(registry, file->run, json_object_get(point, "set")));
    json_decref(file->run);
    file->run = now;
}

/* Names of earlier versions do not tell two files apart, if there are plugins that know them. */
static int rename_both(struct meeting *m, const struct cli *cli, struct diag *diag)
{
    static const char *const keys[] = {"pipeline", "sweep"};
    struct diag why = {0};
    struct registry *registry;
    bool same = true;

    for (size_t i = 0; i < 2; i++)
        same = same && json_equal(json_object_get(m->file[0].run, keys[i]),
                                  json_object_get(m->file[1].run, keys[i]));
    if (same || !m->file[0].run || !m->file[1].run)
        return 0;
    if (cli_open_registry(cli, &registry, &why)) {
        if (!diag_says_refused(why.text))
            return 0;
        *diag = why;
        return -1;
    }
    for (int k = 0; k < 2; k++)
        rename_file(&m->file[k], registry);
    registry_close(registry);
    return objects_lost() ? diag_no_memory(diag) : 0;
}

/* Reads both files and tells what is missing in them. Without points there is nothing to compare. */
static int read_both(struct meeting *m, const struct cli *cli, struct diag *diag)
{
    for (int k = 0; k < 2; k++)
        if (result_file_read(&m->file[k], m->defects.strict, diag))
            return -1;
    if (rename_both(m, cli, diag))
        return -1;
    defects_find(&m->defects, m->file);
    for (int k = 0; k < 2; k++)
        if (!m->file[k].run || !json_array_size(m->file[k].points))
            return diag_fail(diag, m->unlike, "compare: %s: no results of run or merge",
                             m->file[k].path);
    return 0;
}

int compare_files(const struct cli *cli, double rate, struct diag *diag)
{
    struct meeting m = {.file = {{.path = cli->operands[0]}, {.path = cli->operands[1]}},
                        .unlike = cli->accept ? DIAG_DIFFERENT : DIAG_USAGE,
                        .defects = {.strict = cli->accept != NULL,
                                    .exact = cli->accept && !strcmp(cli->accept, "exact")}};
    const bool json_out = cli->result.json && !strcmp(cli->result.json, "-");
    int status;

    m.table = cli->result.quiet ? NULL : json_out ? stderr : stdout;
    status = read_both(&m, cli, diag);
    if (!status)
        status = check_meeting(&m, diag) || meet(&m, diag) || objects_lost() ? -1 : 0;
    if (!status)
        status = result_open(&m.result, &cli->result, diag);
    if (!status) {
        status = tell(&m, cli, rate, diag);
        status = cli_close(cli, m.result, status, false, diag);
    }
    for (int k = 0; k < 2; k++)
        result_file_free(&m.file[k]);
    free(m.met);
    return status;
}
