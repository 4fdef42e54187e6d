/* SPDX-License-Identifier: BSD-2-Clause */
/* The reader of detector error models: lines into errors, then errors that are alike into columns. */
#include "plugins/ldpc/syndrome/dem.h"

#include <fecrun/sdk/params.h>
#include <locale.h>
#include <stdlib.h>

#include "plugins/ldpc/code/read/lines.h"

#define OBSERVABLE 0x80000000U /* of a target: not a detector */
#define MAX_DEPTH 16           /* of repeat blocks */

struct fault {
    double p;
    uint32_t first, n; /* in target[] */
    uint32_t number;   /* in the order of the file */
};

struct repeat {
    struct ldpc_text start; /* behind the line of the `{` */
    int64_t left;
};

struct reader {
    struct ldpc_text text;
    struct ldpc_dem *dem;
    struct fault *fault;
    uint32_t n_faults, room_faults;
    uint32_t *target;
    uint32_t n_targets, room_targets;
    int64_t shift;  /* of detectors */
    uint32_t lines; /* that were read */
    struct repeat repeat[MAX_DEPTH];
    unsigned depth;
};

static int no_memory(const struct reader *r)
{
    return fecrun_no_memory(r->text.err);
}

/* "column 5: WHAT", counted from 1. */
static int fail_here(struct reader *r, const char *what)
{
    return ldpc_text_fail(&r->text, "column %zu: %s", (size_t)(r->text.at - r->text.start) + 1,
                          what);
}

static void skip_blanks(struct ldpc_text *t)
{
    while (t->at < t->stop && (*t->at == ' ' || *t->at == '\t' || *t->at == '\r'))
        t->at++;
}

/* Nothing more stands there, or a remark. */
static bool is_end(struct ldpc_text *t)
{
    skip_blanks(t);
    return t->at == t->stop || *t->at == '#';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || c == '_';
}

static bool take_word(struct ldpc_text *t, char word[static 24])
{
    size_t n = 0;

    while (t->at + n < t->stop && n < 23 && is_letter(t->at[n])) {
        word[n] = t->at[n];
        n++;
    }
    word[n] = 0;
    t->at += n;
    return n > 0;
}

static int skip_tag(struct reader *r)
{
    struct ldpc_text *t = &r->text;
    const char *end;

    if (t->at == t->stop || *t->at != '[')
        return 0;
    end = memchr(t->at, ']', (size_t)(t->stop - t->at));
    if (!end)
        return fail_here(r, "a tag has no end, ]");
    t->at = end + 1;
    return 0;
}

/* Digits, at most 9 of them. */
static int take_number(struct reader *r, int64_t *value)
{
    struct ldpc_text *t = &r->text;
    const char *start = t->at;

    *value = 0;
    while (t->at < t->stop && *t->at >= '0' && *t->at <= '9' && t->at - start < 10)
        *value = 10 * *value + (*t->at++ - '0');
    if (t->at > start && t->at - start < 10)
        return 0;
    t->at = start;
    return fail_here(r, "a whole number below 10^9 is missing here");
}

/* "(0.01)": a probability from 0 to 1. */
static int take_probability(struct reader *r, double *p)
{
    struct ldpc_text *t = &r->text;
    char word[64], *end;
    size_t n = 0;

    if (t->at == t->stop || *t->at != '(')
        return fail_here(r, "an error has a probability: error(0.01)");
    t->at++;
    skip_blanks(t);
    for (; t->at + n < t->stop && n < sizeof word - 1 && t->at[n] != ')' && t->at[n] != ' '; n++)
        word[n] = t->at[n];
    word[n] = 0;
    *p = strtod(word, &end);
    if (!n || *end || !(*p >= 0 && *p <= 1))
        return fail_here(r, "must be a probability from 0 to 1");
    t->at += n;
    skip_blanks(t);
    if (t->at == t->stop || *t->at != ')')
        return fail_here(r, "a ) is missing behind the probability");
    t->at++;
    return 0;
}

static int skip_numbers(struct reader *r)
{
    struct ldpc_text *t = &r->text;
    const char *end;

    if (t->at == t->stop || *t->at != '(')
        return 0;
    end = memchr(t->at, ')', (size_t)(t->stop - t->at));
    if (!end)
        return fail_here(r, "coordinates have no end, )");
    t->at = end + 1;
    return 0;
}

/* "D3" or "L0", the detector shifted. */
static int take_target(struct reader *r, uint32_t *target)
{
    struct ldpc_text *t = &r->text;
    const char kind = *t->at;
    const char *start = t->at;
    const int64_t most = kind == 'D' ? LDPC_DEM_COLUMNS : LDPC_DEM_OBSERVABLES;
    uint32_t *count = kind == 'D' ? &r->dem->detectors : &r->dem->observables;
    int64_t value;

    if (kind != 'D' && kind != 'L')
        return fail_here(r, "must be a detector (D0), an observable (L0) or ^");
    t->at++;
    if (take_number(r, &value))
        return -1;
    value += kind == 'D' ? r->shift : 0;
    if (value >= most) {
        t->at = start;
        return ldpc_text_fail(
            t, "column %zu: %s number %lld; 0 to %lld is possible", (size_t)(start - t->start) + 1,
            kind == 'D' ? "detector" : "observable", (long long)value, (long long)most - 1);
    }
    *count = (uint32_t)value >= *count ? (uint32_t)value + 1 : *count;
    *target = (uint32_t)value | (kind == 'L' ? OBSERVABLE : 0);
    return 0;
}

static void *grow(void *list, uint32_t n, uint32_t *room, size_t size)
{
    void *larger;

    if (n < *room)
        return list;
    larger = realloc(list, (*room ? 2 * (size_t)*room : 1024) * size);
    if (larger)
        *room = *room ? 2 * *room : 1024;
    return larger;
}

static int add_target(struct reader *r, uint32_t target)
{
    uint32_t *list;

    if (r->n_targets == LDPC_DEM_TARGETS)
        return ldpc_text_fail(&r->text, "the errors have more than %d targets", LDPC_DEM_TARGETS);
    list = grow(r->target, r->n_targets, &r->room_targets, sizeof *list);
    if (!list)
        return no_memory(r);
    r->target = list;
    r->target[r->n_targets++] = target;
    return 0;
}

static int compare_numbers(const void *left, const void *right)
{
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

    return a < b ? -1 : a > b;
}

/* In ascending order; those that are there twice cancel. */
static uint32_t order_targets(uint32_t *target, uint32_t n)
{
    uint32_t kept = 0;

    qsort(target, n, sizeof *target, compare_numbers);
    for (uint32_t i = 0; i < n; i++)
        if (kept && target[kept - 1] == target[i])
            kept--;
        else
            target[kept++] = target[i];
    return kept;
}

static int read_error(struct reader *r)
{
    const uint32_t first = r->n_targets;
    struct fault *list;
    double p = 0;

    if (take_probability(r, &p))
        return -1;
    while (!is_end(&r->text)) {
        uint32_t target;

        if (*r->text.at == '^') {
            r->text.at++;
            continue;
        }
        if (take_target(r, &target) || add_target(r, target))
            return -1;
    }
    if (p == 0) {
        r->n_targets = first;
        return 0;
    }
    if (r->n_faults == LDPC_DEM_COLUMNS)
        return ldpc_text_fail(&r->text, "the model has more than %d errors", LDPC_DEM_COLUMNS);
    list = grow(r->fault, r->n_faults, &r->room_faults, sizeof *list);
    if (!list)
        return no_memory(r);
    r->fault = list;
    r->fault[r->n_faults] = (struct fault){
        .p = p,
        .first = first,
        .n = r->n_targets > first ? order_targets(r->target + first, r->n_targets - first) : 0,
        .number = r->n_faults};
    r->n_targets = first + r->fault[r->n_faults].n;
    r->n_faults++;
    return 0;
}

/* Of a line that only says that there are these. */
static int read_names(struct reader *r)
{
    uint32_t target;

    if (skip_numbers(r))
        return -1;
    while (!is_end(&r->text))
        if (take_target(r, &target))
            return -1;
    return 0;
}

static int read_shift(struct reader *r)
{
    int64_t by;

    if (skip_numbers(r))
        return -1;
    skip_blanks(&r->text);
    if (take_number(r, &by))
        return -1;
    r->shift += by;
    return r->shift <= LDPC_DEM_COLUMNS
               ? 0
               : ldpc_text_fail(&r->text, "detectors are shifted by more than %d",
                                LDPC_DEM_COLUMNS);
}

static int begin_repeat(struct reader *r)
{
    int64_t times;

    skip_blanks(&r->text);
    if (take_number(r, &times))
        return -1;
    skip_blanks(&r->text);
    if (times < 1 || r->text.at == r->text.stop || *r->text.at != '{')
        return fail_here(r, "a block is `repeat TIMES {`, at least once");
    r->text.at++;
    if (r->depth == MAX_DEPTH)
        return ldpc_text_fail(&r->text, "more than %d blocks in each other", MAX_DEPTH);
    r->repeat[r->depth++] = (struct repeat){.start = r->text, .left = times};
    return 0;
}

static int end_repeat(struct reader *r)
{
    r->text.at++;
    if (!r->depth)
        return ldpc_text_fail(&r->text, "a } without `repeat TIMES {`");
    if (--r->repeat[r->depth - 1].left)
        r->text = r->repeat[r->depth - 1].start;
    else
        r->depth--;
    return 0;
}

static int read_line(struct reader *r)
{
    static const struct {
        const char *name;
        int (*read)(struct reader *r);
    } kinds[] = {{"error", read_error},
                 {"detector", read_names},
                 {"logical_observable", read_names},
                 {"shift_detectors", read_shift},
                 {"repeat", begin_repeat}};
    char word[24];

    if (*r->text.at == '}')
        return end_repeat(r);
    if (take_word(&r->text, word))
        for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
            if (!strcmp(word, kinds[i].name))
                return skip_tag(r) ? -1 : kinds[i].read(r);
    r->text.at = r->text.start;
    skip_blanks(&r->text);
    return fail_here(r, "must be error, detector, logical_observable, shift_detectors or repeat");
}

static int read_lines(struct reader *r)
{
    while (ldpc_text_more(&r->text)) {
        if (++r->lines > LDPC_DEM_LINES)
            return ldpc_text_fail(&r->text, "with repeated blocks the model has more than %d lines",
                                  LDPC_DEM_LINES);
        if (read_line(r))
            return -1;
        if (!is_end(&r->text))
            return fail_here(r, "the line should end here");
    }
    return r->depth ? ldpc_text_fail(&r->text, "the file ends inside a block: } is missing") : 0;
}

/* ---- Columns ---- */

struct sorted {
    const struct fault *fault;
    const uint32_t *target;
};

static int compare_targets(const struct sorted *a, const struct sorted *b)
{
    const uint32_t n = a->fault->n < b->fault->n ? a->fault->n : b->fault->n;

    for (uint32_t i = 0; i < n; i++)
        if (a->target[i] != b->target[i])
            return a->target[i] < b->target[i] ? -1 : 1;
    return a->fault->n < b->fault->n ? -1 : a->fault->n > b->fault->n;
}

static int compare_sorted(const void *left, const void *right)
{
    const struct sorted *a = left, *b = right;
    const int targets = compare_targets(a, b);

    if (targets)
        return targets;
    return a->fault->number < b->fault->number ? -1 : 1;
}

/* Those that are alike become the first one of them; the others get the probability 0. */
static int merge(struct reader *r)
{
    struct sorted *list = malloc(((size_t)r->n_faults + 1) * sizeof *list);

    if (!list)
        return no_memory(r);
    for (uint32_t i = 0; i < r->n_faults; i++)
        list[i] = (struct sorted){&r->fault[i], r->target + r->fault[i].first};
    qsort(list, r->n_faults, sizeof *list, compare_sorted);
    for (uint32_t i = 0, first = 0; i < r->n_faults; i++) {
        struct fault *before = &r->fault[list[first].fault->number];
        struct fault *now = &r->fault[list[i].fault->number];

        if (i == first)
            continue;
        if (compare_targets(&list[first], &list[i])) {
            first = i;
            continue;
        }
        before->p = before->p * (1 - now->p) + now->p * (1 - before->p);
        now->p = 0;
    }
    free(list);
    return 0;
}

static int fill(struct reader *r)
{
    struct ldpc_dem *dem = r->dem;
    uint32_t n = 0;

    dem->first = calloc((size_t)r->n_faults + 1, sizeof *dem->first);
    dem->flips = calloc((size_t)r->n_faults + 1, sizeof *dem->flips);
    dem->target = calloc((size_t)r->n_targets + 1, sizeof *dem->target);
    dem->p = calloc((size_t)r->n_faults + 1, sizeof *dem->p);
    if (!dem->first || !dem->flips || !dem->target || !dem->p)
        return no_memory(r);
    for (uint32_t i = 0; i < r->n_faults; i++) {
        const struct fault *fault = &r->fault[i];

        if (fault->p == 0)
            continue;
        dem->first[dem->cols] = dem->flips[dem->cols] = n;
        for (uint32_t k = 0; k < fault->n; k++) {
            const uint32_t target = r->target[fault->first + k];

            dem->flips[dem->cols] += !(target & OBSERVABLE);
            dem->target[n++] = target & ~OBSERVABLE;
        }
        dem->p[dem->cols++] = fault->p;
    }
    dem->first[dem->cols] = n;
    if (!dem->cols)
        return ldpc_text_fail(&r->text, "all errors cancel each other: they are alike, and sure");
    return 0;
}

static int check_sizes(struct reader *r)
{
    if (!r->dem->detectors)
        return ldpc_text_fail(&r->text, "the model has no detector");
    if (!r->n_faults)
        return ldpc_text_fail(&r->text, "the model has no error of a probability above 0");
    return 0;
}

static int parse(struct reader *r)
{
    /* With points in numbers, whatever the locale of the program around us has. */
    const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0), before = uselocale(c);
    const int status = read_lines(r) || check_sizes(r) || merge(r) || fill(r) ? -1 : 0;

    uselocale(before);
    if (c)
        freelocale(c);
    return status;
}

struct ldpc_dem *ldpc_dem_read(const char *path, struct fecrun_error *err)
{
    size_t size;
    char *data = ldpc_text_read(path, &size, err);
    struct reader r = {.dem = calloc(1, sizeof *r.dem)};
    int status = -1;

    if (data && !r.dem)
        fecrun_no_memory(err);
    if (data && r.dem) {
        ldpc_text_start(&r.text, data, size, err);
        status = parse(&r);
        if (status)
            ldpc_text_name(err, path);
    }
    free(data);
    free(r.fault);
    free(r.target);
    if (!status)
        return r.dem;
    ldpc_dem_free(r.dem);
    return NULL;
}

void ldpc_dem_free(struct ldpc_dem *dem)
{
    if (!dem)
        return;
    free(dem->first);
    free(dem->flips);
    free(dem->target);
    free(dem->p);
    free(dem);
}
