/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints the table of results while it grows. */
#include "tools/fecrun/result_impl.h"

#include "core/value/conf.h"

#include <fecrun/sdk/stats.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CELL = 64 };

struct column {
    const char *title;
    int width;
    int rank; /* which are left out first where there is no room: from 1 on; 0: none of these */
    bool (*applies)(const struct result_point *point);
    void (*print)(char *text, const struct result_point *point); /* at most MAX_CELL bytes */
};

struct table {
    int most;               /* bytes of a line; 0: any number */
    bool started, is_short; /* is_short: swept names without their stages */
    bool shown[24];         /* of columns[] */
    size_t n_set;
    int *set_width; /* 0: not shown */
};

static bool has_ebn0(const struct result_point *point)
{
    return isfinite(point->ebn0_db);
}

static bool has_esn0(const struct result_point *point)
{
    return isfinite(point->esn0_db);
}

static bool is_counted(const struct result_point *point)
{
    return point->counts.counted;
}

static bool is_checked(const struct result_point *point)
{
    return point->counts.checked;
}

static bool is_both(const struct result_point *point)
{
    return point->counts.checked && point->counts.counted;
}

static bool is_iterated(const struct result_point *point)
{
    return point->counts.iterations_max > 0;
}

static bool is_split(const struct result_point *point)
{
    return point->split;
}

static bool is_judged(const struct result_point *point)
{
    return point->counts.blocks_judged;
}

static bool always(const struct result_point *point)
{
    (void)point;
    return true;
}

static void print_count(char *text, uint64_t count)
{
    snprintf(text, MAX_CELL, "%" PRIu64, count);
}

static void print_rate(char *text, uint64_t part, uint64_t whole)
{
    snprintf(text, MAX_CELL, "%.3e", whole ? (double)part / (double)whole : 0.0);
}

static void print_db(char *text, double db)
{
    snprintf(text, MAX_CELL, "%.3f", fabs(db) < 0.0005 ? 0 : db);
}

static void print_ebn0(char *text, const struct result_point *point)
{
    print_db(text, point->ebn0_db);
}

static void print_esn0(char *text, const struct result_point *point)
{
    print_db(text, point->esn0_db);
}

static void print_frames(char *text, const struct result_point *point)
{
    print_count(text, point->counts.frames);
}

static void print_bit_errors(char *text, const struct result_point *point)
{
    print_count(text, point->counts.bit_errors);
}

static void print_frame_errors(char *text, const struct result_point *point)
{
    print_count(text, point->counts.frame_errors);
}

static void print_failed(char *text, const struct result_point *point)
{
    print_count(text, point->counts.failed);
}

static void print_undetected(char *text, const struct result_point *point)
{
    snprintf(text, MAX_CELL, "%" PRIu64, point->counts.undetected);
}

static void print_ber(char *text, const struct result_point *point)
{
    print_rate(text, point->counts.bit_errors, point->counts.bits);
}

static void print_fer(char *text, const struct result_point *point)
{
    print_rate(text, point->counts.frame_errors, point->counts.frames);
}

static void print_blocks(char *text, const struct result_point *point)
{
    print_count(text, point->counts.blocks);
}

static void print_block_errors(char *text, const struct result_point *point)
{
    print_count(text, point->counts.block_errors);
}

static void print_bler(char *text, const struct result_point *point)
{
    print_rate(text, point->counts.block_errors, point->counts.blocks);
}

static void print_interval(char *text, const struct result_point *point)
{
    double low, high;

    fecrun_interval(point->counts.frame_errors, point->counts.frames, 0.95, &low, &high);
    snprintf(text, MAX_CELL, "%.2e .. %.2e", low, high);
}

static void print_iterations(char *text, const struct result_point *point)
{
    snprintf(text, MAX_CELL, "%.2f", point->iterations_mean);
}

static void print_seconds(char *text, const struct result_point *point)
{
    snprintf(text, MAX_CELL, "%.2f", point->seconds);
}

static void print_speed(char *text, const struct result_point *point)
{
    if (point->seconds > 0)
        snprintf(text, MAX_CELL, "%.2f", (double)point->counts.info_bits / point->seconds / 1e6);
    else
        snprintf(text, MAX_CELL, "-");
}

static void print_stop(char *text, const struct result_point *point)
{
    snprintf(text, MAX_CELL, "%s", point->stop ? point->stop : "end");
}

static const struct column columns[] = {
    {"Eb/N0 dB", 8, 0, has_ebn0, print_ebn0},
    {"Es/N0 dB", 8, 2, has_esn0, print_esn0},
    {"frames", 10, 0, always, print_frames},
    {"bit errors", 10, 4, is_counted, print_bit_errors},
    {"frame errors", 12, 0, is_counted, print_frame_errors},
    {"failed", 8, 6, is_checked, print_failed},
    {"undetected", 10, 3, is_both, print_undetected},
    {"BER", 9, 10, is_counted, print_ber},
    {"FER", 9, 0, is_counted, print_fer},
    {"95 % of FER", 20, 1, is_counted, print_interval},
    {"blocks", 10, 9, is_split, print_blocks},
    {"block errors", 12, 5, is_judged, print_block_errors},
    {"BLER", 9, 0, is_judged, print_bler},
    {"iterations", 10, 11, is_iterated, print_iterations},
    {"time s", 7, 7, always, print_seconds},
    {"info Mb/s", 9, 12, always, print_speed},
    {"stop", 12, 8, always, print_stop},
};

enum { N_COLUMNS = sizeof columns / sizeof columns[0] };

_Static_assert(N_COLUMNS <= 24, "table.shown");

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);

    return n >= m && !strcmp(text + n - m, end);
}

/* Eb/N0 has a column of its own; the swept name would only repeat it. */
static bool is_repeated(const struct result_point *point, const char *name)
{
    return (has_ebn0(point) && ends_with(name, ".ebn0_db")) ||
           (has_esn0(point) && ends_with(name, ".esn0_db"));
}

static void put_cell(FILE *stream, bool *first, int width, const char *text)
{
    fprintf(stream, "%s%*s", *first ? "" : "  ", width, text);
    *first = false;
}

static int line_width(const struct table *table)
{
    int width = 0;

    for (size_t i = 0; i < table->n_set; i++)
        width += table->set_width[i] ? table->set_width[i] + 2 : 0;
    for (size_t c = 0; c < N_COLUMNS; c++)
        width += table->shown[c] ? columns[c].width + 2 : 0;
    return width - 2;
}

/* A word of the note, on a new line where the present one, `at` long, has no room. */
static int put_word(FILE *stream, const char *word, int at, int most)
{
    const int length = (int)strlen(word) + 1;

    if (at + length > most) {
        fputs("\n ", stream);
        at = 1;
    }
    fprintf(stream, "%s%s", at > 1 ? " " : "", word);
    return at + length;
}

static bool is_title(const char *name)
{
    for (size_t c = 0; c < N_COLUMNS; c++)
        if (!strcmp(columns[c].title, name))
            return true;
    return false;
}

/* The shortest end of swept name i, after a dot, that no other swept name ends with and that is no title. */
static const char *short_name(const struct result_point *point, size_t i)
{
    const char *name = point->set_names[i];

    for (const char *at = name + strlen(name); at > name; at--) {
        bool unique = at[-1] == '.' && !is_title(at);

        for (size_t k = 0; k < point->n_set && unique; k++)
            unique = k == i || !ends_with(point->set_names[k], at);
        if (unique)
            return at;
    }
    return name;
}

static int name_width(const char *name)
{
    const size_t n = strlen(name);

    return n < 8 ? 8 : n > 60 ? 60 : (int)n;
}

/* Swept names lose their stages where a line is too long. */
static void shorten(struct table *table, const struct result_point *point)
{
    table->is_short = table->most && line_width(table) > table->most;
    for (size_t i = 0; i < table->n_set && table->is_short; i++)
        if (table->set_width[i])
            table->set_width[i] = name_width(short_name(point, i));
}

/* Drops columns until a line fits, and tells which. Es/N0 stays where there is no Eb/N0. */
static void fit(struct table *table, FILE *stream)
{
    char word[MAX_CELL];
    int at = 0;

    for (int rank = 1; table->most && rank < (int)N_COLUMNS; rank++)
        for (size_t c = 0; c < N_COLUMNS; c++)
            if (columns[c].rank == rank && table->shown[c] && line_width(table) > table->most &&
                (columns[c].applies != has_esn0 || table->shown[0])) {
                table->shown[c] = false;
                if (!at)
                    at = fprintf(stream, "(no room for");
                snprintf(word, sizeof word, "%s,", columns[c].title);
                at = put_word(stream, word, at, table->most);
            }
    if (at) {
        put_word(stream, "which --json and --csv have)", at, table->most);
        putc('\n', stream);
    }
}

static int start(struct table *table, FILE *stream, const struct result_point *point)
{
    bool first = true;

    table->set_width = calloc(point->n_set + 1, sizeof *table->set_width);
    if (!table->set_width)
        return -1;
    table->started = true;
    table->n_set = point->n_set;
    for (size_t i = 0; i < table->n_set; i++) {
        if (!is_repeated(point, point->set_names[i]))
            table->set_width[i] = name_width(point->set_names[i]);
    }
    for (size_t c = 0; c < N_COLUMNS; c++)
        table->shown[c] = columns[c].applies(point);
    shorten(table, point);
    fit(table, stream);
    for (size_t i = 0; i < table->n_set; i++)
        if (table->set_width[i])
            put_cell(stream, &first, table->set_width[i],
                     table->is_short ? short_name(point, i) : point->set_names[i]);
    for (size_t c = 0; c < N_COLUMNS; c++)
        if (table->shown[c])
            put_cell(stream, &first, columns[c].width, columns[c].title);
    putc('\n', stream);
    return 0;
}

struct table *table_new(int most)
{
    struct table *table = calloc(1, sizeof *table);

    if (table)
        table->most = most;
    return table;
}

/* A line for each row of `blocks:`, under the sum of all, if anything was counted. */
static void print_users(FILE *stream, const struct result_point *point)
{
    for (size_t i = 0; point->counts.frames && i < point->n_users; i++) {
        const struct run_class *user = &point->counts.rows[i];
        fprintf(stream, "    cell %s, user %s: %" PRIu64 " frames", point->users[i].cell,
                point->users[i].user, user->frames);
        if (point->counts.counted && user->frames)
            fprintf(stream, ", %" PRIu64 " frame errors, BER %.3e, FER %.3e", user->frame_errors,
                    user->bits ? (double)user->bit_errors / (double)user->bits : 0,
                    (double)user->frame_errors / (double)user->frames);
        putc('\n', stream);
    }
}

int table_row(struct table *table, FILE *stream, const struct result_point *point)
{
    bool first = true;
    char text[MAX_CELL];

    if (!table->started && start(table, stream, point))
        return -1;
    for (size_t i = 0; i < table->n_set; i++) {
        if (table->set_width[i])
            put_cell(stream, &first, table->set_width[i],
                     i < point->n_set ? point->set_values[i] : "-");
    }
    for (size_t c = 0; c < N_COLUMNS; c++) {
        if (!table->shown[c])
            continue;
        snprintf(text, sizeof text, "-");
        if (columns[c].applies(point))
            columns[c].print(text, point);
        put_cell(stream, &first, columns[c].width, text);
    }
    putc('\n', stream);
    print_users(stream, point);
    return 0;
}

void table_free(struct table *table)
{
    if (table)
        free(table->set_width);
    free(table);
}
