/* SPDX-License-Identifier: BSD-2-Clause */
/* Lines of JSON, the table, the page. */
#include "bench/map/speed/speed.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Threads of an H100 that the fastest kernels have: 132 multiprocessors of 256. */
#define DEVICE_THREADS 33792.0

enum { FEW_ROWS = 20 };

int speed_write(FILE *out, const struct speed *s)
{
    json_t *line = json_pack(
        "{s:i, s:i, s:i, s:s, s:s, s:i, s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:f}", "cell",
        (int)s->cell.cell.number, "bits", (int)s->cell.cell.bits, "coded", (int)s->cell.cell.coded,
        "group", group_names[s->cell.group], "like", s->cell.like, "batch", (int)s->cell.batch,
        "kernel", s->kernel, "refused", s->refused, "gbps", s->gbps, "us", s->us, "rate", s->rate,
        "iterations", s->iterations, "fer", s->fer, "frames", s->frames);
    int status = line ? json_dumpf(line, out, JSON_COMPACT) : -1;

    json_decref(line);
    return status || fputc('\n', out) == EOF || fflush(out) ? -1 : 0;
}

static void copy_text(const json_t *line, const char *key, char *text, size_t size)
{
    const char *value = json_string_value(json_object_get(line, key));

    snprintf(text, size, "%s", value ? value : "");
}

static void read_line(const json_t *line, struct speed *s)
{
    copy_text(line, "kernel", s->kernel, sizeof s->kernel);
    copy_text(line, "refused", s->refused, sizeof s->refused);
    s->gbps = json_number_value(json_object_get(line, "gbps"));
    s->us = json_number_value(json_object_get(line, "us"));
    s->rate = json_number_value(json_object_get(line, "rate"));
    s->iterations = json_number_value(json_object_get(line, "iterations"));
    s->fer = json_number_value(json_object_get(line, "fer"));
    s->frames = json_number_value(json_object_get(line, "frames"));
}

int speed_read(const char *path, struct speed *all, unsigned n)
{
    FILE *in = fopen(path, "r");
    json_error_t error;
    json_t *line;

    if (!in) {
        fprintf(stderr, "speed: %s: %s\n", path, strerror(errno));
        return -1;
    }
    while ((line = json_loadf(in, JSON_DISABLE_EOF_CHECK, &error))) {
        const long long number = json_integer_value(json_object_get(line, "cell"));

        for (unsigned i = 0; i < n; i++)
            if (all[i].cell.cell.number == number)
                read_line(line, &all[i]);
        json_decref(line);
    }
    fclose(in);
    return 0;
}

/* ---- Worst first ---------------------------------------------------------------------------------- */

struct row {
    const struct speed *speed;
    double share; /* of the group's best */
};

static int by_share(const void *a, const void *b)
{
    const double x = ((const struct row *)a)->share, y = ((const struct row *)b)->share;

    return (x > y) - (x < y);
}

/* Those that were measured; free() them. */
static struct row *make_rows(const struct speed *all, unsigned n, const struct speed **best,
                             unsigned *n_rows)
{
    struct row *rows = calloc(n + 1, sizeof *rows);

    *n_rows = 0;
    memset(best, 0, GROUPS * sizeof(struct speed *));
    for (unsigned i = 0; i < n; i++)
        if (all[i].gbps > 0 &&
            (!best[all[i].cell.group] || all[i].rate > best[all[i].cell.group]->rate))
            best[all[i].cell.group] = &all[i];
    for (unsigned i = 0; rows && i < n; i++)
        if (all[i].gbps > 0)
            rows[(*n_rows)++] = (struct row){&all[i], all[i].rate / best[all[i].cell.group]->rate};
    if (rows)
        qsort(rows, *n_rows, sizeof *rows, by_share);
    return rows;
}

/* About how much of a device the call's frames fill. */
static double filled(const struct speed *s)
{
    return s->cell.batch * s->cell.threads / DEVICE_THREADS;
}

static const char *like_of(const struct speed *s)
{
    return *s->cell.like ? s->cell.like : "9.0";
}

/* The first of these that holds. bench/notebook/map.md has the measurements. */
static const char *polar_reason(const struct speed *s)
{
    const struct cell *c = &s->cell.cell;

    return strstr(s->kernel, "list of one path") ? "sc of N > 1024 and of parity bits is a list"
           : strstr(s->kernel, "in floats")      ? "bp of N < 256 computes in floats"
           : strstr(c->decode, "adaptive")       ? "both passes are started; frames go to the list"
           : c->stops && s->iterations < 3       ? "few iterations: input, output and CRC"
           : c->word <= 128                      ? "short words: input, output and CRC"
           : c->word >= 4096                     ? "N = 4096: few warps find room"
                                                 : "rows in shared memory: fewer warps";
}

static const char *ldpc_reason(const struct speed *s)
{
    const struct cell *c = &s->cell.cell;
    const bool soft = c->soft != NULL, wide = c->llr != LLR_I8;

    return strstr(s->kernel, "in shared memory") ? "the kernel in shared memory; it says why"
           : strstr(s->kernel, "the general")    ? "the general kernel; it says why"
           : soft                                ? "LLRs are written"
           : c->stops && s->iterations < 3       ? "few iterations: input, output, checks"
           : wide                                ? "four bytes an LLR, which are rounded first"
           : c->stops                            ? "checks are looked at near the end"
           : c->bits > 0.7 * c->coded            ? "few rows: input and output"
           : filled(s) < 4                       ? "the last blocks run alone"
                                                 : "";
}

static const char *other_reason(const struct speed *s)
{
    const struct cell *c = &s->cell.cell;

    if (c->family == FAMILY_VITERBI)
        return strstr(s->kernel, "general decoder, which") ? "the general decoder; it says why"
               : strstr(c->code, "tail-biting")    ? "steps are decoded twice to close the path"
               : strstr(s->kernel, "four threads") ? "K = 9: metrics go from thread to thread"
               : c->bits < 64                      ? "short frames: input and output"
                                                   : "";
    return strstr(c->decode, "log-map")    ? "log-map: one block a thread, more operations"
           : c->stops && s->iterations < 3 ? "few iterations: input, output and CRC"
           : c->bits > 0.5 * c->coded      ? "high code rate: windows overlap by half and more"
           : c->bits < 512                 ? "short windows, which overlap"
           : filled(s) < 1                 ? "few blocks: a part of the device idles"
           : strstr(s->cell.like, ":99")   ? "99 KiB: one block of threads a multiprocessor"
                                           : "";
}

static const char *reason(const struct speed *s)
{
    return s->cell.group == GROUP_LDPC                                      ? ldpc_reason(s)
           : s->cell.group == GROUP_TURBO || s->cell.group == GROUP_VITERBI ? other_reason(s)
                                                                            : polar_reason(s);
}

static void print_row(FILE *out, const struct row *row)
{
    const struct speed *s = row->speed;
    char name[600];

    cell_name(&s->cell.cell, name, sizeof name);
    fprintf(out, "| %u | %s | %u | %.3f | %.3g | %.3g | %.0f | %.2g | %.1f | %s | %s | %s%s |\n",
            s->cell.cell.number, like_of(s), s->cell.batch, row->share, s->gbps, 1e-9 * s->rate,
            s->us, filled(s), s->iterations, row->share < 0.5 && filled(s) >= 0.5 ? reason(s) : "",
            s->kernel, name, speed_is_wrong(s) ? " **wrong**" : "");
}

/* Tells which rows are shown: all with wrong output. Of those that fill the device, the ones below half of the best. Of
   the others, the first few. */
static void print_rows(FILE *out, const struct row *rows, unsigned n, bool full)
{
    unsigned left = full ? n : FEW_ROWS;

    fprintf(out, "| cell | as | batch | of the best | Gb/s | 10^9 units/s | us | filled | "
                 "iterations | why | "
                 "kernel | |\n"
                 "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (unsigned i = 0; i < n; i++) {
        const bool slow = rows[i].share < 0.5 && left;

        if ((filled(rows[i].speed) >= 0.5) != full || !(slow || speed_is_wrong(rows[i].speed)))
            continue;
        print_row(out, &rows[i]);
        left -= slow;
    }
}

static void print_best(FILE *out, const struct speed *all, unsigned n, const struct speed **best)
{
    fprintf(out, "| group | cells | unit | best, 10^9 units/s | Gb/s | as | batch | of |\n"
                 "| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (enum group g = 0; g < GROUPS; g++) {
        unsigned cells = 0;
        char name[600];

        for (unsigned i = 0; i < n; i++)
            cells += all[i].cell.group == g && all[i].gbps > 0;
        if (!best[g])
            continue;
        cell_name(&best[g]->cell.cell, name, sizeof name);
        fprintf(out, "| %s | %u | %s | %.4g | %.4g | %s | %u | %s |\n", group_names[g], cells,
                group_units[g], 1e-9 * best[g]->rate, best[g]->gbps, like_of(best[g]),
                best[g]->cell.batch, name);
    }
}

static void print_refused(FILE *out, const struct speed *all, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (all[i].refused[0])
            fprintf(out, "- cell %u, as %s: %s\n", all[i].cell.cell.number, like_of(&all[i]),
                    all[i].refused);
}

static void print_all(FILE *out, const struct speed *all, unsigned n, const char *head)
{
    const struct speed *best[GROUPS];
    unsigned n_rows, wrong = 0, checked = 0;
    struct row *rows = make_rows(all, n, best, &n_rows);

    for (unsigned i = 0; i < n; i++) {
        wrong += speed_is_wrong(&all[i]);
        checked += all[i].checked > 0;
    }
    fprintf(out, "%u cells, %u measured, %u checked, %u with more errors than simd or ref\n\n", n,
            n_rows, checked, wrong);
    print_best(out, all, n, best);
    fprintf(out, "\n%sBatches that fill a device, below half of the best\n\n", head);
    print_rows(out, rows, n_rows, true);
    fprintf(out, "\n%sBatches that do not, the slowest\n\n", head);
    print_rows(out, rows, n_rows, false);
    fprintf(out, "\n%sNot taken\n\n", head);
    print_refused(out, all, n);
    free(rows);
}

void speed_table(FILE *out, const struct speed *all, unsigned n)
{
    print_all(out, all, n, "");
}

int speed_page(const struct speed_options *options, const struct speed *all, unsigned n)
{
    FILE *out = fopen(options->page, "w");

    if (!out)
        return -1;
    fprintf(
        out,
        "# Speeds of codes and links drawn at random\n\n"
        "Made by `%s`. A cell is a code, a decoder setting, a type of LLRs, a batch and a compute\n"
        "capability, worst first. The decoder alone is timed, input and output on the device.\n"
        "`of the best`: its speed in units of its group's work, beside the fastest cell of the "
        "group.\n"
        "`filled`: about how much of a device the batch has work for.\n\n",
        options->command);
    print_all(out, all, n, "## ");
    return ferror(out) | fclose(out) ? -1 : 0;
}
