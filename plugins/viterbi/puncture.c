/* SPDX-License-Identifier: BSD-2-Clause */
/* conv.puncture drops bits by a periodic pattern, conv.depuncture puts LLRs of 0 in their place. */
#include <fecrun/sdk/stage.h>
#include <stdbool.h>

#include "plugins/common/recover/recover.h"
#include "plugins/viterbi/code/conv.h"
#include "plugins/viterbi/code/levels.h"
#include "plugins/viterbi/code/tables.h"
#include "plugins/viterbi/plugin.h"

#define MAX_COLUMNS 4096

enum { P_SCHEME, P_RATE, P_PATTERN, P_LENGTH };

/* Facts of a frame: the bits that conv.puncture took. The sent ones do not tell where the pattern
   drops the last steps. */
static const struct conv_levels lengths = {
    {"conv.unpunctured", "conv.unpunctured_2", "conv.unpunctured_3"}};

/* ---- the pattern --------------------------------------------------------------------------- */

static int fail_rate(const char *scheme, const char *rate, struct fecrun_error *err)
{
    char list[64] = "";

    for (size_t i = 0, used = 0; i < conv_n_puncturings && used < sizeof list; i++)
        if (!strcmp(conv_puncturings[i].scheme, scheme))
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "",
                                     conv_puncturings[i].rate);
    if (!list[0])
        return fecrun_fail(err, "scheme", "no scheme is called '%.60s'", scheme);
    return fecrun_fail(err, "rate", "%.60s has no rate %.20s; it has %s", scheme, rate, list);
}

/* A row with its runs, "110*3 1", in digits alone; text: MAX_COLUMNS of them and a 0. */
static int expand_to(char *text, const char *row, size_t number, struct fecrun_error *err)
{
    size_t used = 0;

    for (const char *at = row + strspn(row, " "); *at; at += strspn(at, " ")) {
        const char *run = at;
        const size_t digits = strspn(at, "01");
        long times = 1;

        at += digits;
        if (digits && *at == '*' && at[1] >= '1' && at[1] <= '9')
            times = strtol(at + 1, (char **)&at, 10);
        if (!digits || (*at && *at != ' '))
            return fecrun_fail(err, "pattern",
                               "row %zu, '%.40s': only 0 and 1 are allowed, and runs as 110*32",
                               number, row);
        if (times > (long)((MAX_COLUMNS - used) / digits))
            return fecrun_fail(err, "pattern", "row %zu, '%.40s', has more than %d digits", number,
                               row, MAX_COLUMNS);
        for (; times; times--, used += digits)
            memcpy(text + used, run, digits);
    }
    text[used] = 0;
    return 0;
}

/* The same in memory that the caller frees. NULL and *err: the row is wrong. */
static char *expand(const char *row, size_t number, struct fecrun_error *err)
{
    char *text = malloc(MAX_COLUMNS + 1);

    if (text && !expand_to(text, row, number, err))
        return text;
    if (!text)
        fecrun_fail(err, "pattern", "out of memory");
    free(text);
    return NULL;
}

static int check_rows(const char *const rows[], size_t n, struct fecrun_error *err)
{
    const size_t columns = strlen(rows[0]);
    bool any = false;

    if (columns < 1 || columns > MAX_COLUMNS)
        return fecrun_fail(err, "pattern", "row 1 has %zu characters; 1 to %d are possible",
                           columns, MAX_COLUMNS);
    for (size_t j = 0; j < n; j++) {
        const size_t digits = strlen(rows[j]);

        if (digits != columns)
            return fecrun_fail(err, "pattern", "row %zu has %zu characters and row 1 has %zu",
                               j + 1, digits, columns);
        any = any || strchr(rows[j], '1');
    }
    return any ? 0 : fecrun_fail(err, "pattern", "sends nothing: no row has a 1");
}

static int expand_rows(const struct fecrun_value *pattern, char *own[VITERBI_MAX_N],
                       struct fecrun_error *err)
{
    if (pattern->count < 1 || pattern->count > VITERBI_MAX_N)
        return fecrun_fail(err, "pattern", "has %zu rows; 1 to %d are possible, one a generator",
                           (size_t)pattern->count, VITERBI_MAX_N);
    for (size_t j = 0; j < pattern->count; j++) {
        own[j] = expand(pattern->strings[j], j + 1, err);
        if (!own[j])
            return -1;
    }
    return check_rows((const char *const *)own, pattern->count, err);
}

/* Finds the rows that the parameters mean. own[]: zeros before; the caller frees what is in it then. */
static int read_rows(const struct fecrun_values *values, char *own[VITERBI_MAX_N],
                     const char *const **rows, size_t *n, struct fecrun_error *err)
{
    const struct fecrun_value *scheme = fecrun_value(values, P_SCHEME);
    const struct fecrun_value *rate = fecrun_value(values, P_RATE);
    const struct fecrun_value *pattern = fecrun_value(values, P_PATTERN);
    const struct conv_puncturing *named;

    if (pattern->given && (scheme->given || rate->given))
        return fecrun_fail(err, "pattern", "give either scheme and rate, or pattern");
    if (pattern->given) {
        *rows = (const char *const *)own;
        *n = pattern->count;
        return expand_rows(pattern, own, err);
    }
    if (!scheme->given && !rate->given)
        return fecrun_fail(err, "scheme", "missing: give scheme and rate, or pattern");
    if (!scheme->given || !rate->given)
        return fecrun_fail(err, scheme->given ? "rate" : "scheme",
                           "missing: scheme and rate belong together");
    named = conv_find_puncturing(scheme->s, rate->s);
    if (!named)
        return fail_rate(scheme->s, rate->s, err);
    *rows = named->rows;
    *n = CONV_NAMED_ROWS;
    return 0;
}

/* NULL and *err: out of memory. */
static struct puncture_code *make_places(const char *const *rows, size_t n,
                                         struct fecrun_error *err)
{
    const size_t columns = strlen(rows[0]);
    struct puncture_code *c = calloc(1, sizeof *c + n * columns * sizeof c->place[0]);

    if (!c) {
        fecrun_no_memory(err);
        return NULL;
    }
    c->rows = n;
    c->period = n * columns;
    for (size_t t = 0; t < columns; t++)
        for (size_t j = 0; j < n; j++)
            if (rows[j][t] == '1')
                c->place[c->sent++] = (uint32_t)(t * n + j);
    return c;
}

static struct puncture_code *read_pattern(const struct fecrun_values *values,
                                          struct fecrun_error *err)
{
    char *own[VITERBI_MAX_N] = {NULL};
    const char *const *rows = NULL;
    struct puncture_code *c = NULL;
    size_t n = 0;

    if (!read_rows(values, own, &rows, &n, err))
        c = make_places(rows, n, err);
    for (size_t j = 0; j < VITERBI_MAX_N; j++)
        free(own[j]);
    return c;
}

/* Where the i-th sent item lies in the mother code. */
static uint64_t place_of(const struct puncture_code *c, uint64_t i)
{
    return i / c->sent * c->period + c->place[i % c->sent];
}

/* Is the pattern of so many steps the same again after the first n of them? */
static bool repeats(const struct puncture_code *c, uint64_t steps, uint64_t n)
{
    uint64_t times = steps / n, sent = c->sent / times;

    if (steps % n || c->sent % times)
        return false;
    for (uint64_t i = sent; i < c->sent; i++)
        if (c->place[i] != c->place[i - sent] + n * c->rows)
            return false;
    return true;
}

/* Of the shortest pattern that is the same; long ones do not fit as they are. */
static void say_pattern(const struct puncture_code *c, struct fecrun_plan *result)
{
    uint64_t steps = c->period / c->rows, n = 1, sent;

    while (!repeats(c, steps, n))
        n++;
    sent = c->sent / (steps / n);
    fecrun_identity(result, "pattern");
    for (uint64_t j = 0; n <= 16 && j < c->rows; j++) {
        char row[17] = "0000000000000000";

        for (uint64_t i = 0; i < sent; i++)
            if (c->place[i] % c->rows == j)
                row[c->place[i] / c->rows] = '1';
        fecrun_identity(result, " %.*s", (int)n, row);
    }
    if (n > 16)
        fecrun_identity(result, " of %llu rows and %llu steps, digest %016llx",
                        (unsigned long long)c->rows, (unsigned long long)n,
                        (unsigned long long)fecrun_digest(0, c->place, sent * sizeof c->place[0]));
}

static void finish_plan(struct puncture_code *c, const struct fecrun_frame *in,
                        struct fecrun_frame *out, uint64_t items, struct fecrun_plan *result)
{
    fecrun_frame_copy(out, in);
    out->items = items;
    result->code = c;
    snprintf(result->note, sizeof result->note, "sends %llu of %llu bits",
             (unsigned long long)c->sent, (unsigned long long)c->period);
    say_pattern(c, result);
}

/* ---- puncture ------------------------------------------------------------------------------ */

static int check_puncture(const struct puncture_code *c, const struct fecrun_frame *in,
                          struct fecrun_error *err)
{
    if (!in->items || in->items % c->rows)
        return fecrun_fail(err, NULL,
                           "a frame has %llu bits, which is not a whole number of steps of %llu "
                           "bits, one a row of the pattern",
                           (unsigned long long)in->items, (unsigned long long)c->rows);
    if (in->stream == 1 && in->items % c->period)
        return fecrun_fail(err, NULL,
                           "a frame of the stream has %llu bits, which is not a whole number of "
                           "periods of %llu bits",
                           (unsigned long long)in->items, (unsigned long long)c->period);
    if (!puncture_sent_of(c, in->items))
        return fecrun_fail(err, "pattern", "sends none of the %llu bits of a frame",
                           (unsigned long long)in->items);
    return 0;
}

static int puncture_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                         const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                         struct fecrun_plan *result, struct fecrun_error *err)
{
    struct puncture_code *c = read_pattern(values, err);

    (void)host;
    if (!c || check_puncture(c, in[0], err)) {
        free(c);
        return -1;
    }
    finish_plan(c, in[0], out[0], puncture_sent_of(c, in[0]->items), result);
    if (conv_levels_push(&lengths, out[0], in[0]->items, err)) {
        free(c);
        return -1;
    }
    out[0]->kind = FECRUN_KIND_BITS;
    out[0]->type = FECRUN_U8;
    return 0;
}

static void puncture_frame(const struct puncture_code *c, const uint8_t *in, uint64_t sent,
                           uint8_t *out)
{
    for (; sent >= c->sent; sent -= c->sent, in += c->period)
        for (uint64_t i = 0; i < c->sent; i++)
            *out++ = in[c->place[i]];
    for (uint64_t i = 0; i < sent; i++)
        *out++ = in[c->place[i]];
}

/* The end of a stream comes in a shorter frame, so run() goes by the views. */
static int check_views(const struct puncture_code *c, const struct fecrun_view *mother,
                       const struct fecrun_view *sent, struct fecrun_error *err)
{
    if (puncture_sent_of(c, mother->items) == sent->items)
        return 0;
    return fecrun_fail(err, NULL, "%llu sent items do not belong to %llu items",
                       (unsigned long long)sent->items, (unsigned long long)mother->items);
}

static int puncture_run(void *instance, const struct fecrun_call *call,
                        const struct fecrun_view *const in[], struct fecrun_view *const out[],
                        struct fecrun_error *err)
{
    const struct puncture_code *c = call->codes[0];

    (void)instance;
    if (check_views(c, in[0], out[0], err))
        return -1;
    for (uint64_t f = 0; f < in[0]->frames; f++)
        puncture_frame(c, fecrun_row(in[0], f), out[0]->items, fecrun_row(out[0], f));
    return 0;
}

/* ---- depuncture ---------------------------------------------------------------------------- */

/* Lengths in whole steps that `items` sent items fit: *min to *max, none if *min > *max. */
static void fitting_lengths(const struct puncture_code *c, uint64_t items, uint64_t *min,
                            uint64_t *max)
{
    *min = (place_of(c, items - 1) / c->rows + 1) * c->rows;
    *max = place_of(c, items) / c->rows * c->rows;
}

static int fail_split_step(const struct puncture_code *c, uint64_t items, uint64_t length,
                           struct fecrun_error *err)
{
    return fecrun_fail(err, NULL,
                       "a frame has %llu LLRs, which ends inside a step of the mother code; the "
                       "nearest sizes that do not are %llu and %llu",
                       (unsigned long long)items,
                       (unsigned long long)puncture_sent_of(c, length - c->rows),
                       (unsigned long long)puncture_sent_of(c, length));
}

/* The restored length for frames of in->items LLRs. `sent`: the length at conv.puncture; 0: unknown. */
static int choose_length(const struct puncture_code *c, const struct fecrun_frame *in,
                         const struct fecrun_value *wanted, uint64_t sent, uint64_t *length,
                         struct fecrun_error *err)
{
    uint64_t min, max;

    if (!in->items || in->items > UINT64_MAX / 2 / c->period)
        return fecrun_fail(err, NULL, "the input has %llu LLRs a frame",
                           (unsigned long long)in->items);
    if (in->stream == 1 && in->items % c->sent)
        return fecrun_fail(err, NULL,
                           "a frame of the stream has %llu LLRs, which is not a whole number of "
                           "periods of %llu LLRs",
                           (unsigned long long)in->items, (unsigned long long)c->sent);
    fitting_lengths(c, in->items, &min, &max);
    if (min > max)
        return fail_split_step(c, in->items, min, err);
    if (in->stream == 1) /* the next piece begins a period; the last piece may end inside one */
        min = max = in->items / c->sent * c->period;
    if (sent < min || sent > max || sent % c->rows) /* not of this frame, as it comes here */
        sent = 0;
    *length = wanted->given ? (uint64_t)wanted->i : sent ? sent : min;
    if (sent && *length != sent)
        return fecrun_fail(err, "length", "is %lld, but conv.puncture had frames of %llu bits",
                           (long long)wanted->i, (unsigned long long)sent);
    if (*length < min || *length > max || *length % c->rows)
        return fecrun_fail(
            err, "length", "is %lld; %llu LLRs fit lengths from %llu to %llu in steps of %llu",
            (long long)wanted->i, (unsigned long long)in->items, (unsigned long long)min,
            (unsigned long long)max, (unsigned long long)c->rows);
    return 0;
}

/*
 * Warns where fewer LLRs come in than there are bits to be found: those of conv.encode, or where the
 * word is another code's, those of the source. Where neither is known, a pattern of several rows
 * stands for a code with as many outputs a step. One of one row tells nothing.
 */
static void warn_rate(const struct puncture_code *c, const struct fecrun_frame *in,
                      struct fecrun_plan *result)
{
    const uint64_t steps = conv_levels_top(&conv_encoded, in);
    uint64_t received = in->items * (in->pieces ? in->pieces : 1);
    uint64_t wanted = steps ? steps : in->info_bits;

    if (!wanted && c->rows > 1) {
        received = c->sent;
        wanted = c->period / c->rows;
    }
    if (received < wanted)
        fecrun_warn(result,
                    "%llu LLRs are received of %llu %s: above rate 1 nothing can be decoded",
                    (unsigned long long)received, (unsigned long long)wanted,
                    steps || !in->info_bits ? "steps" : "bits");
}

static int depuncture_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                           const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                           struct fecrun_plan *result, struct fecrun_error *err)
{
    const uint64_t sent = conv_levels_top(&lengths, in[0]);
    struct puncture_code *c = read_pattern(values, err);
    uint64_t length = 0;

    (void)host;
    if (!c || choose_length(c, in[0], fecrun_value(values, P_LENGTH), sent, &length, err)) {
        free(c);
        return -1;
    }
    finish_plan(c, in[0], out[0], length, result);
    conv_levels_pop(&lengths, out[0]);
    warn_rate(c, in[0], result);
    return 0;
}

/* 0 in every type is all bits zero, so only the width of an item matters. */
#define SPREAD(width, type) \
    static void spread_##width(const struct puncture_code *c, const void *from, uint64_t sent, \
                               void *to) \
    { \
        const type *in = from; \
        type *out = to; \
        for (; sent >= c->sent; sent -= c->sent, out += c->period) \
            for (uint64_t i = 0; i < c->sent; i++) \
                out[c->place[i]] = *in++; \
        for (uint64_t i = 0; i < sent; i++) \
            out[c->place[i]] = *in++; \
    }

SPREAD(8, uint8_t)
SPREAD(16, uint16_t)
SPREAD(32, uint32_t)

static int depuncture_run(void *instance, const struct fecrun_call *call,
                          const struct fecrun_view *const in[], struct fecrun_view *const out[],
                          struct fecrun_error *err)
{
    const struct puncture_code *c = call->codes[0];
    uint64_t bytes = fecrun_bytes(out[0]->type, out[0]->items);

    (void)instance;
    if (check_views(c, out[0], in[0], err))
        return -1;
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        const void *from = fecrun_row(in[0], f);
        void *to = fecrun_row(out[0], f);

        memset(to, 0, bytes);
        if (out[0]->type == FECRUN_I8)
            spread_8(c, from, in[0]->items, to);
        else if (out[0]->type == FECRUN_I16)
            spread_16(c, from, in[0]->items, to);
        else
            spread_32(c, from, in[0]->items, to);
    }
    return 0;
}

/* ---- tables -------------------------------------------------------------------------------- */

static const struct fecrun_backend *const puncture_backends[] = {
    FECRUN_BACKEND(FECRUN_REF(puncture_run),
                   .forms = FECRUN_FORMS(FECRUN_ONE_FORM(FECRUN_U8, FECRUN_U8)),
                   .agreement = FECRUN_AGREEMENT_EXACT),
    &conv_puncture_cuda, NULL};

static const struct fecrun_backend *const depuncture_backends[] = {
    FECRUN_BACKEND(FECRUN_REF(depuncture_run), .forms = recover_plain_forms,
                   .agreement = FECRUN_AGREEMENT_EXACT),
    &conv_depuncture_cuda, NULL};

#define PATTERN_PARAMS \
    FECRUN_PARAM(.name = "scheme", .type = FECRUN_VALUE_CHOICE, .flags = FECRUN_PARAM_SHARED, \
                 .unless = "pattern", .choices = conv_scheme_names, \
                 .help = "a standard's patterns for a code of rate 1/2; with rate"), \
        FECRUN_PARAM(.name = "rate", .type = FECRUN_VALUE_CHOICE, .flags = FECRUN_PARAM_SHARED, \
                     .unless = "pattern", .choices = conv_rate_names, \
                     .help = "information bits to sent bits; with scheme"), \
        FECRUN_PARAM(.name = "pattern", .type = FECRUN_VALUE_STRINGS, \
                     .flags = FECRUN_PARAM_SHARED, .unless = "scheme rate", \
                     .help = "a row for each generator, 1: the step's output is sent; 110*3: " \
                             "three times 110; instead of scheme " \
                             "and rate: [\"110\", \"101\"]")

static const struct fecrun_param *const puncture_params[] = {PATTERN_PARAMS, NULL};

static const struct fecrun_param *const depuncture_params[] = {
    PATTERN_PARAMS,
    FECRUN_PARAM(.name = "length", .type = FECRUN_VALUE_INT, .unit = "LLRs", .imin = 1,
                 .imax = 1000000000000000,
                 .help = "LLRs of a restored frame; default: from conv.puncture, else the smallest "
                         "that ends after a whole step (larger ones fit if the pattern drops whole "
                         "steps)"),
    NULL};

static const struct fecrun_example *const examples[] = {
    FECRUN_EXAMPLE(.params = "{scheme: ieee80211, rate: 2/3}"),
    FECRUN_EXAMPLE(.params = "{scheme: ieee80211, rate: 3/4}"),
    FECRUN_EXAMPLE(.params = "{scheme: ieee80211, rate: 5/6}"),
    FECRUN_EXAMPLE(.params = "{scheme: dvb, rate: 2/3}"),
    FECRUN_EXAMPLE(.params = "{scheme: dvb, rate: 3/4}"),
    FECRUN_EXAMPLE(.params = "{scheme: dvb, rate: 5/6}"),
    FECRUN_EXAMPLE(.params = "{scheme: dvb, rate: 7/8}"),
    FECRUN_EXAMPLE(.params = "{pattern: [\"1\"]}"),
    FECRUN_EXAMPLE(.params = "{pattern: [\"10\", \"01\"]}"),
    FECRUN_EXAMPLE(.params = "{pattern: [\"1*20 10*3\", \"110*8 01\"]}"),
    FECRUN_EXAMPLE(.params = "{pattern: [\"1101\", \"1011\", \"0111\"]}"),
    FECRUN_EXAMPLE(.params = "{pattern: [\"1001\", \"0110\"]}"),
    NULL};

const struct fecrun_stage conv_puncture_stage = {
    FECRUN_TRANSFORM(puncture_plan, free),
    .name = "conv.puncture",
    .summary = "drops bits by a periodic pattern",
    .params = puncture_params,
    .inputs = FECRUN_BITS_IN,
    .outputs = FECRUN_BITS_OUT,
    .backends = puncture_backends,
    .examples = examples,
};

const struct fecrun_stage conv_depuncture_stage = {
    FECRUN_TRANSFORM(depuncture_plan, free),
    .name = "conv.depuncture",
    .summary = "puts LLRs of 0 where conv.puncture dropped bits",
    .params = depuncture_params,
    .inputs = FECRUN_LLRS_IN,
    .outputs = FECRUN_LLRS_OUT,
    .backends = depuncture_backends,
    .examples = examples,
    .undoes = "conv.puncture",
};
