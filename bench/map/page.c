/* SPDX-License-Identifier: BSD-2-Clause */
/* Results as a page in Markdown. */
#include "bench/map/map.h"

#include <stdlib.h>

static void family_table(FILE *out, const struct options *options, struct result *const *results,
                         unsigned n)
{
    fprintf(out, "| family | cells | at 0.001, too |");
    for (unsigned b = 0; b < options->n_backends; b++)
        fprintf(out, " `%s` takes | beyond a limit |", options->backend[b]);
    fprintf(out, "\n| --- | --- | --- |");
    for (unsigned b = 0; b < options->n_backends; b++)
        fprintf(out, " --- | --- |");
    for (enum family f = 0; f < FAMILIES; f++) {
        unsigned cells = 0, low = 0, taken[MAP_BACKENDS] = {0}, beyond[MAP_BACKENDS] = {0};

        for (unsigned i = 0; i < n; i++) {
            if (results[i]->cell.family != f || results[i]->status)
                continue;
            cells++;
            low += results[i]->point[1].measured;
            for (unsigned b = 0; b < options->n_backends; b++) {
                bool any = false;

                for (enum fault k = 0; k < FAULTS; k++)
                    any = any || results[i]->backend[b].beyond[k];
                taken[b] += results[i]->backend[b].taken;
                beyond[b] += any;
            }
        }
        fprintf(out, "\n| %s | %u | %u |", family_names[f], cells, low);
        for (unsigned b = 0; b < options->n_backends; b++)
            fprintf(out, " %u | %u |", taken[b], beyond[b]);
    }
    fprintf(out, "\n");
}

static void gap_cell(FILE *out, const struct gap *gap)
{
    if (gap->known)
        fprintf(out, " %.2f (%.2f to %.2f) |", gap->db, stat_low(gap, 1.96), stat_high(gap, 1.96));
    else
        fprintf(out, " ? |");
}

static void row_line(FILE *out, const struct options *options, const struct row *row)
{
    const struct backend_result *own = &row->result->backend[row->backend];
    const struct judged *j = &own->at[row->point];
    char name[600];

    cell_name(&row->result->cell, name, sizeof name);
    fprintf(out, "| %u | `%s` | %s |", row->result->cell.number, options->backend[row->backend],
            name);
    gap_cell(out, &j->decoder);
    gap_cell(out, &j->total);
    fprintf(out, " %.2f | %.2f |", 100 * j->failed.mean, j->iterations);
}

static void head(FILE *out, const char *last)
{
    fprintf(out,
            "| cell | backend | | loss of the decoder, dB | with the quantiser | failed, %% | "
            "iterations |%s\n"
            "| --- | --- | --- | --- | --- | --- | --- |%s\n",
            last, *last ? " --- |" : "");
}

static void worst_table(FILE *out, const struct options *options, const struct row *rows,
                        unsigned n)
{
    for (enum family f = 0; f < FAMILIES; f++) {
        unsigned shown = 0;

        fprintf(out, "\n### The worst of %s\n\n", family_names[f]);
        head(out, "");
        for (unsigned i = 0; i < n && shown < 5; i++)
            if (rows[i].result->cell.family == f) {
                row_line(out, options, &rows[i]);
                fprintf(out, "\n");
                shown++;
            }
    }
}

static void beyond_table(FILE *out, const struct options *options, const struct row *rows,
                         unsigned n)
{
    fprintf(out, "\n## Beyond a limit\n\n");
    head(out, " reason |");
    for (unsigned i = 0; i < n; i++) {
        bool first = true;

        for (enum fault f = 0; f < FAULTS; f++) {
            const char *reason;

            if (!report_beyond(&rows[i], f))
                continue;
            reason = reason_of(f, options->backend[rows[i].backend], rows[i].result);
            if (first)
                row_line(out, options, &rows[i]);
            fprintf(out, "%s %s: %s", first ? "" : ";", fault_names[f],
                    reason ? reason : "none known");
            first = false;
        }
        if (!first)
            fprintf(out, " |\n");
    }
}

static void ref_table(FILE *out, struct result *const *results, unsigned n)
{
    fprintf(out, "\n## `ref`: more errors with more iterations\n\n"
                 "| cell | | frames | 20 | 50 | 100 | reason |\n"
                 "| --- | --- | --- | --- | --- | --- | --- |\n");
    for (unsigned i = 0; i < n; i++) {
        const struct more *more = &results[i]->more;
        const char *reason = more->worse ? reason_of(FAULT_MORE, "ref", results[i]) : NULL;
        char name[600];

        if (!more->worse)
            continue;
        cell_name(&results[i]->cell, name, sizeof name);
        fprintf(out, "| %u | %s | %zu | %zu | %zu | %zu | %s |\n", results[i]->cell.number, name,
                more->frames, more->wrong[0], more->wrong[1], more->wrong[2],
                reason ? reason : "none known");
    }
}

/* Decoders that are as good as `ref` on the same LLRs, of LLRs that cost more than the limit. */
static void quantiser_table(FILE *out, const struct options *options, const struct row *rows,
                            unsigned n)
{
    fprintf(out,
            "\n## What the quantiser costs\n\n"
            "The decoder is within its limit; its LLRs cost more than that, in any decoder.\n\n");
    head(out, "");
    for (unsigned i = 0; i < n; i++) {
        const struct backend_result *own = &rows[i].result->backend[rows[i].backend];

        if (own->at[rows[i].point].beyond[FAULT_LOSS] ||
            !(stat_low(&own->at[rows[i].point].total, 3) > options->limits.loss))
            continue;
        row_line(out, options, &rows[i]);
        fprintf(out, "\n");
    }
}

static void explain(FILE *out, const struct options *options, unsigned n)
{
    const struct limits *limits = &options->limits;

    fprintf(
        out,
        "# What decoders lose, over codes and links drawn at random\n\n"
        "Made by `%s --seed %llu --cells %u` (effort %.3g s a cell); `--cell N` repeats one, "
        "`--print` writes "
        "its pipeline.\n"
        "Each cell is a code, a link and a decoder setting. All decoders get the same frames "
        "and noise, where "
        "`ref` with\nfloat LLRs loses a tenth of its frames, and where effort allows, a "
        "thousandth. The loss "
        "is against `ref` on the\nsame LLRs, and, with the quantiser, against `ref` on float "
        "LLRs; in brackets "
        "95 %% intervals. `failed`: frames marked\nas failed beyond those that are wrong, less "
        "the same of "
        "`ref`.\n\n"
        "A loss is beyond its limit of %.2f dB (%.2f dB with scales that the documentation calls "
        "too coarse) if it is so "
        "by\nthree standard deviations; failed frames beyond %.1f %% and iterations beyond "
        "%.2f times those of "
        "`ref` likewise.\n`more`: more errors with 50 or 100 iterations than with 20.\n\n",
        options->command, (unsigned long long)options->seed, n, options->effort * 1e-9,
        limits->loss, limits->coarse, 100 * limits->failed, limits->iterations);
}

int report_page(const struct options *options, struct result *const *results, unsigned n)
{
    FILE *out = fopen(options->page, "w");
    unsigned n_rows;
    struct row *rows;
    int status;

    if (!out)
        return -1;
    rows = report_rows(results, n, options->n_backends, &n_rows);
    if (rows) {
        explain(out, options, n);
        family_table(out, options, results, n);
        fprintf(out, "\n");
        report_not_taken(out, options, results, n);
        worst_table(out, options, rows, n_rows);
        beyond_table(out, options, rows, n_rows);
        ref_table(out, results, n);
        quantiser_table(out, options, rows, n_rows);
    }
    free(rows);
    status = ferror(out) || !rows ? -1 : 0;
    return fclose(out) ? -1 : status;
}
