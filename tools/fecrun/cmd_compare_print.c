/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints the comparison of two runs as numbers, JSON and text. */
#include "tools/fecrun/cmd_compare.h"

#include "tools/fecrun/cmd_compare_stats.h"

#include <math.h>
#include <stdlib.h>

#define LEVEL 0.01

void compare_add(struct pairs *sum, const struct pairs *pairs)
{
    sum->frames += pairs->frames;
    sum->same += pairs->same;
    sum->both += pairs->both;
    sum->only_a += pairs->only_a;
    sum->only_b += pairs->only_b;
}

bool compare_is_level(double p_all, double p_least, size_t n)
{
    return p_all >= LEVEL / 2 && p_least * (double)n >= LEVEL / 2;
}

bool compare_equally_good(const struct compared *points, size_t n)
{
    struct pairs all = {0};
    double least = 1;

    for (size_t i = 0; i < n; i++) {
        const struct pairs *p = &points[i].pairs;

        least = fmin(least, compare_paired(p->only_a, p->only_b));
        compare_add(&all, p);
    }
    return compare_is_level(compare_paired(all.only_a, all.only_b), least, n);
}

/* ---- The gap ---- */

static double wrong(const struct compared *point, bool b)
{
    const struct pairs *p = &point->pairs;

    return (double)(p->both + (b ? p->only_b : p->only_a)) / (double)p->frames;
}

double compare_crossing(const struct curve_point *points, size_t n, double fer)
{
    for (size_t i = 0; i + 1 < n; i++) {
        const double high = points[i].fer, low = points[i + 1].fer;

        if (high >= fer && low <= fer && low > 0 && high > low)
            return points[i].db +
                   (points[i + 1].db - points[i].db) * log(high / fer) / log(high / low);
    }
    return NAN;
}

struct gap compare_gap(const struct compared *points, size_t n, double fer)
{
    struct curve_point *curve = calloc(n, sizeof *curve);
    double db[2] = {NAN, NAN};

    for (int b = 0; curve && b < 2; b++) {
        for (size_t i = 0; i < n; i++)
            curve[i] = (struct curve_point){points[i].ebn0_db, wrong(&points[i], b)};
        db[b] = compare_crossing(curve, n, fer);
    }
    free(curve);
    return (struct gap){.fer = fer, .known = isfinite(db[1] - db[0]), .db = db[1] - db[0]};
}

/* ---- JSON ---- */

static json_t *json_of(const struct pairs *p)
{
    const double frames = p->frames ? (double)p->frames : 1;

    return json_pack(
        "{s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:f}", "frames", (json_int_t)p->frames, "same",
        (json_int_t)p->same, "both_wrong", (json_int_t)p->both, "only_a", (json_int_t)p->only_a,
        "only_b", (json_int_t)p->only_b, "fer_a", (double)(p->both + p->only_a) / frames, "fer_b",
        (double)(p->both + p->only_b) / frames, "p", compare_paired(p->only_a, p->only_b));
}

static json_t *real_or_null(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static double speed(const struct compared *point, bool b)
{
    return point->seconds[b] > 0 ? (double)point->bits / point->seconds[b] * 1e-6 : NAN;
}

static json_t *merged(json_t *line, json_t *more)
{
    if (!line || !more || json_object_update(line, more)) {
        json_decref(line);
        line = NULL;
    }
    json_decref(more);
    return line;
}

json_t *compare_json_point(const struct compared *point, const char *const names[2])
{
    json_t *set = json_array();

    for (size_t i = 0; set && i < point->n_set; i++)
        if (json_array_append_new(set, json_string(point->set[i]))) {
            json_decref(set);
            set = NULL;
        }
    return merged(
        json_pack("{s:s, s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "type", "compare", "a", names[0], "b",
                  names[1], "set", set, "ebn0_db", real_or_null(point->ebn0_db), "mbps_a",
                  real_or_null(speed(point, false)), "mbps_b", real_or_null(speed(point, true)),
                  "speed_ratio", real_or_null(speed(point, true) / speed(point, false))),
        json_of(&point->pairs));
}

json_t *compare_json_end(const struct pairs *all, const struct gap *gap, bool equally_good,
                         const char *const names[2])
{
    return merged(json_pack("{s:s, s:s, s:s, s:f, s:o, s:b, s:b}", "type", "compared", "a",
                            names[0], "b", names[1], "gap_fer", gap->fer, "gap_db",
                            gap->known ? json_real(gap->db) : json_null(), "every_frame_alike",
                            all->same == all->frames, "equally_good", equally_good),
                  json_of(all));
}

/* ---- Text ---- */

void compare_print_head(FILE *out, const char *a, const char *b)
{
    fprintf(out, "A: %s, B: %s; the same frames through both\n", a, b);
    fprintf(out, "%8s %9s %9s %9s %8s %8s %9s %11s\n", "Eb/N0", "frames", "alike", "both bad",
            "only A", "only B", "p", "B's speed");
}

void compare_print_point(FILE *out, const struct compared *point)
{
    const struct pairs *p = &point->pairs;

    if (isfinite(point->ebn0_db))
        fprintf(out, "%8.3f", point->ebn0_db);
    else
        fprintf(out, "%8s", "-");
    fprintf(out, " %9llu %9llu %9llu %8llu %8llu %9.2g %9.2f x\n", (unsigned long long)p->frames,
            (unsigned long long)p->same, (unsigned long long)p->both, (unsigned long long)p->only_a,
            (unsigned long long)p->only_b, compare_paired(p->only_a, p->only_b),
            speed(point, true) / speed(point, false));
    for (size_t i = 0; i < point->n_set && !isfinite(point->ebn0_db); i++)
        fprintf(out, "         %s\n", point->set[i]);
}

void compare_print_end(FILE *out, const struct pairs *all, const struct gap *gap, bool equally_good,
                       size_t points)
{
    if (all->same == all->frames)
        fprintf(out, "every one of %llu frames alike: as many wrong bits, the same verdict\n",
                (unsigned long long)all->frames);
    else
        fprintf(out, "%llu of %llu frames differ; %s (exact McNemar test, level 1 %%, p = %.2g)\n",
                (unsigned long long)(all->frames - all->same), (unsigned long long)all->frames,
                equally_good                ? "equally good"
                : all->only_b > all->only_a ? "B is worse"
                                            : "A is worse",
                compare_paired(all->only_a, all->only_b));
    if (points > 1 && gap->known)
        fprintf(out, "at a frame error rate of %g B needs %+.3f dB\n", gap->fer, gap->db);
}
