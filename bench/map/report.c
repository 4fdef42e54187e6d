/* SPDX-License-Identifier: BSD-2-Clause */
/* Results as a table, worst first, and as JSON lines. */
#include "bench/map/map.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct judged *judged_of(const struct row *row)
{
    return &row->result->backend[row->backend].at[row->point];
}

/* By what the loss is at least, 95 % sure. */
static double badness(const struct row *row)
{
    return stat_low(&judged_of(row)->decoder, 1.96);
}

static int compare(const void *a, const void *b)
{
    const double x = badness(a), y = badness(b);

    if (x != y)
        return x < y ? 1 : -1;
    return (int)((const struct row *)a)->result->cell.number -
           (int)((const struct row *)b)->result->cell.number;
}

struct row *report_rows(struct result *const *results, unsigned n, unsigned n_backends,
                        unsigned *n_rows)
{
    struct row *rows = calloc((size_t)n * n_backends * MAP_POINTS + 1, sizeof *rows);

    *n_rows = 0;
    for (unsigned i = 0; rows && i < n; i++)
        for (unsigned b = 0; b < n_backends; b++)
            for (unsigned p = 0; p < MAP_POINTS; p++)
                if (results[i]->backend[b].at[p].measured)
                    rows[(*n_rows)++] = (struct row){results[i], b, p};
    if (rows)
        qsort(rows, *n_rows, sizeof *rows, compare);
    return rows;
}

void report_command(const struct options *options, const struct result *result, char *text,
                    size_t size)
{
    snprintf(text, size, "%s --seed %llu --cell %u", options->command,
             (unsigned long long)options->seed, result->cell.number);
}

/* ---- The table ---- */

static void print_gap(FILE *out, const struct gap *gap)
{
    if (gap->known)
        fprintf(out, "%6.2f (%5.2f,%5.2f)", gap->db, stat_low(gap, 1.96), stat_high(gap, 1.96));
    else
        fprintf(out, "     ?              ");
}

static void print_more(FILE *out, const struct more *more)
{
    for (unsigned i = 0; i < MAP_MORE; i++)
        fprintf(out, "%s%zu", i ? "/" : " ", more->wrong[i]);
}

static void print_row(FILE *out, const struct options *options, const struct row *row)
{
    const struct judged *j = judged_of(row);
    const struct backend_result *own = &row->result->backend[row->backend];
    const struct result *result = row->result;
    char name[600], command[400];

    cell_name(&result->cell, name, sizeof name);
    report_command(options, result, command, sizeof command);
    fprintf(out, "%-6s ", options->backend[row->backend]);
    print_gap(out, &j->decoder);
    print_gap(out, &j->total);
    fprintf(out, "  %5.2f%% %3zu/%-3zu %4.2f  %zu/%zu/%zu of %zu", 100 * j->failed.mean,
            j->own.undetected, j->same.undetected, j->iterations,
            result->point[row->point].ref.wrong, j->same.wrong, j->own.wrong, j->frames);
    if (own->more.frames) {
        fprintf(out, "; 20/50/100 of %zu:", own->more.frames);
        print_more(out, &result->more);
        fprintf(out, ",");
        print_more(out, &own->more);
    }
    fprintf(out, "\n       %.2f dB: %s\n       %s%s", result->point[row->point].esn0_db, name,
            command, row->point ? " (1e-3)" : "");
    for (enum fault f = 0; f < FAULTS; f++)
        if (report_beyond(row, f)) {
            const char *reason = reason_of(f, options->backend[row->backend], result);

            fprintf(out, " [%s: %s]", fault_names[f], reason ? reason : "beyond its limit");
        }
    fprintf(out, "\n");
}

bool report_beyond(const struct row *row, enum fault fault)
{
    return judged_of(row)->beyond[fault] ||
           (fault == FAULT_MORE && !row->point && row->result->backend[row->backend].beyond[fault]);
}

static bool row_unexplained(const struct options *options, const struct row *row)
{
    for (enum fault f = 0; f < FAULTS; f++)
        if (report_beyond(row, f) && !reason_of(f, options->backend[row->backend], row->result))
            return true;
    return false;
}

bool report_unexplained(const struct options *options, const struct result *result)
{
    if (result->more.worse && !reason_of(FAULT_MORE, "ref", result))
        return true;
    for (unsigned b = 0; b < options->n_backends; b++)
        for (enum fault f = 0; f < FAULTS; f++)
            if (result->backend[b].beyond[f] && !reason_of(f, options->backend[b], result))
                return true;
    return false;
}

/* `ref` itself has more errors with more iterations. */
static void print_ref_more(FILE *out, const struct options *options, const struct result *result)
{
    char command[400];
    const char *reason = reason_of(FAULT_MORE, "ref", result);

    report_command(options, result, command, sizeof command);
    fprintf(out, "ref: errors with 20, 50 and 100 iterations, of %zu:", result->more.frames);
    print_more(out, &result->more);
    fprintf(out, " [%s]\n       %s\n", reason ? reason : "beyond its limit", command);
}

/* Without the place in a text that nobody sees: "cell N:LINE:COLUMN: ". */
static const char *plain_reason(const struct backend_result *own)
{
    const char *at = own->reason;

    if (strncmp(at, "cell ", 5))
        return at;
    at += 5;
    at += strspn(at, "0123456789:");
    return at + strspn(at, " ");
}

static bool refuses(const struct result *result, unsigned b)
{
    return !result->status && !result->backend[b].taken;
}

/* Cells that are refused as that one; 0: one before it was. */
static unsigned count_alike(struct result *const *results, unsigned n, unsigned b, unsigned first)
{
    const char *reason = plain_reason(&results[first]->backend[b]);
    unsigned count = 0;

    for (unsigned i = 0; i < n; i++) {
        if (!refuses(results[i], b) || strcmp(plain_reason(&results[i]->backend[b]), reason))
            continue;
        if (i < first)
            return 0;
        count++;
    }
    return count;
}

void report_not_taken(FILE *out, const struct options *options, struct result *const *results,
                      unsigned n)
{
    for (unsigned b = 0; b < options->n_backends; b++)
        for (unsigned i = 0; i < n; i++) {
            const unsigned alike = refuses(results[i], b) ? count_alike(results, n, b, i) : 0;

            if (alike)
                fprintf(out, "- %s: %u cells not taken: %s\n", options->backend[b], alike,
                        plain_reason(&results[i]->backend[b]));
        }
}

unsigned report_table(FILE *out, const struct options *options, struct result *const *results,
                      unsigned n)
{
    unsigned n_rows, low = 0, beyond = 0, failed = 0;
    struct row *rows = report_rows(results, n, options->n_backends, &n_rows);

    if (!options->quiet)
        fprintf(
            out,
            "backend  loss of the decoder, dB  in all   failed undet. iter.  wrong: ref f32, ref, "
            "backend\n");
    for (unsigned i = 0; rows && !options->quiet && i < n_rows; i++)
        if (i < options->rows || row_unexplained(options, &rows[i]))
            print_row(out, options, &rows[i]);
    free(rows);
    for (unsigned i = 0; i < n; i++) {
        low += results[i]->point[1].measured;
        failed += results[i]->status != 0;
        beyond += report_unexplained(options, results[i]);
        if (results[i]->more.worse && !options->quiet)
            print_ref_more(out, options, results[i]);
        if (results[i]->status)
            fprintf(out, "cell %u: %s\n", results[i]->cell.number, results[i]->error);
    }
    report_not_taken(out, options, results, n);
    fprintf(out,
            "%u cells, %u of them at a frame error rate of 0.001, too; %u beyond a limit without a "
            "reason, %u could not be measured\n",
            n, low, beyond, failed);
    return beyond + failed;
}

/* ---- JSON ---- */

static void json_text(FILE *out, const char *name, const char *text)
{
    fprintf(out, ",\"%s\":\"", name);
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else if ((unsigned char)*text >= ' ')
            fputc(*text, out);
    fprintf(out, "\"");
}

static void json_gap(FILE *out, const char *name, const struct gap *gap)
{
    if (gap->known)
        fprintf(out, ",\"%s\":[%.4f,%.4f,%.4f]", name, gap->db, stat_low(gap, 1.96),
                stat_high(gap, 1.96));
    else
        fprintf(out, ",\"%s\":null", name);
}

static void json_more(FILE *out, const char *name, const struct more *more)
{
    if (more->frames)
        fprintf(out, ",\"%s\":[%zu,%zu,%zu,%zu]", name, more->frames, more->wrong[0],
                more->wrong[1], more->wrong[2]);
}

static void json_judged(FILE *out, const struct point_result *point, const struct judged *j)
{
    fprintf(out,
            "{\"esn0_db\":%.3f,\"frames\":%zu,\"wrong_f32\":%zu,\"wrong_ref\":%zu,\"wrong\":%zu",
            point->esn0_db, j->frames, point->ref.wrong, j->same.wrong, j->own.wrong);
    json_gap(out, "loss_decoder", &j->decoder);
    json_gap(out, "loss_total", &j->total);
    fprintf(out, ",\"failed\":%zu,\"failed_ref\":%zu,\"undetected\":%zu,\"undetected_ref\":%zu",
            j->own.failed, j->same.failed, j->own.undetected, j->same.undetected);
    fprintf(out, ",\"failed_excess\":%.6f,\"iterations\":%.4f,\"iterations_ref\":%.4f}",
            j->failed.mean, j->own.iterations / (double)j->frames,
            j->same.iterations / (double)j->frames);
}

static void json_backend(FILE *out, const struct options *options, const struct result *result,
                         unsigned b)
{
    const struct backend_result *own = &result->backend[b];
    bool any = false;

    fprintf(out, "%s{\"backend\":\"%s\"", b ? "," : "", options->backend[b]);
    if (!own->taken)
        json_text(out, "not_taken", own->reason);
    json_more(out, "more", &own->more);
    fprintf(out, ",\"points\":[");
    for (unsigned p = 0; p < MAP_POINTS; p++)
        if (own->at[p].measured) {
            fputs(p ? "," : "", out);
            json_judged(out, &result->point[p], &own->at[p]);
        }
    fprintf(out, "],\"beyond\":[");
    for (enum fault f = 0; f < FAULTS; f++)
        if (own->beyond[f]) {
            fprintf(out, "%s\"%s\"", any ? "," : "", fault_names[f]);
            any = true;
        }
    fprintf(out, "]}");
}

static void json_line(FILE *out, const struct options *options, const struct result *result)
{
    char name[600], command[400];

    cell_name(&result->cell, name, sizeof name);
    report_command(options, result, command, sizeof command);
    fprintf(out, "{\"cell\":%u,\"family\":\"%s\",\"attempts\":%u,\"bits\":%u,\"coded\":%u",
            result->cell.number, family_names[result->cell.family], result->attempts,
            result->cell.bits, result->cell.coded);
    json_text(out, "name", name);
    json_text(out, "command", command);
    if (result->status)
        json_text(out, "error", result->error);
    fprintf(out, ",\"spent_s\":%.3f", result->spent * 1e-9);
    json_more(out, "more_ref", &result->more);
    fprintf(out, ",\"backends\":[");
    for (unsigned b = 0; b < options->n_backends; b++)
        json_backend(out, options, result, b);
    fprintf(out, "]}\n");
}

int report_json(const struct options *options, struct result *const *results, unsigned n)
{
    FILE *out = strcmp(options->json, "-") ? fopen(options->json, "w") : stdout;
    int status;

    if (!out)
        return -1;
    for (unsigned i = 0; i < n; i++)
        json_line(out, options, results[i]);
    status = ferror(out) ? -1 : 0;
    return (out == stdout ? fflush(out) : fclose(out)) ? -1 : status;
}
