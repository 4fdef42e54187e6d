/* SPDX-License-Identifier: BSD-2-Clause */
/* sync: settings of source.file with which the file's decoders are in step. */
#include "tools/fecrun/cli.h"
#include "tools/fecrun/signals.h"
#include "tools/fecrun/sync/step.h"

#include <fecrun/sdk/params.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ITEMS = 20160, /* of the recording, for each try */
    MOST_OFFSETS =
        12, /* patterns of puncturing have periods of up to 8 items here, and codes 6 outputs */
    TURNS = 4
};

/* A way to read the recording. */
struct way {
    uint64_t skip; /* more than the file's */
    unsigned quarters;
    bool swap, invert;
    int changes; /* settings that are not the file's, without skip */
    struct step_result result;
    double quality; /* 0: as noise, 1: as it should be */
};

static const char *const degrees[TURNS] = {"0", "90", "180", "270"};

/* What differs from the file. text: room for `skip`, which is added to that of the file. */
static void settings_of(const struct way *way, const struct way *file, char *text, size_t size,
                        struct step_try *how)
{
    size_t n = 0;

    snprintf(text, size, "%" PRIu64, file->skip + way->skip);
    *how = (struct step_try){0};
    if (way->skip)
        how->settings[n++] = (struct step_setting){"skip", text};
    if (way->invert != file->invert)
        how->settings[n++] = (struct step_setting){"invert", way->invert ? "true" : "false"};
    if (way->swap != file->swap)
        how->settings[n++] = (struct step_setting){"swap", way->swap ? "true" : "false"};
    if (way->quarters != file->quarters)
        how->settings[n++] = (struct step_setting){"rotate", degrees[way->quarters]};
}

/* How the file says that it is to be read. */
static struct way way_of_file(const struct graph_stage *source)
{
    static const char *const names[] = {"skip", "invert", "swap", "rotate"};
    const struct fecrun_value *value[4];

    for (size_t i = 0; i < 4; i++)
        value[i] = fecrun_named(source->stage->params, param_values(source->params), names[i]);
    return (struct way){.skip = (uint64_t)value[0]->i,
                        .invert = value[1]->i,
                        .swap = value[2]->i,
                        .quarters = (unsigned)value[3]->i};
}

/* ---- Ways ---- */

/* In the order of how much they change. */
static size_t list_ways(const struct fecrun_frame *source, const struct way *file, struct way *ways)
{
    const bool bits = source->kind == FECRUN_KIND_BITS, pairs = !bits && source->type != FECRUN_I4;
    const bool symbols = source->kind == FECRUN_KIND_SYMBOLS;
    const unsigned offsets = source->stream && !symbols ? MOST_OFFSETS : 1;
    const unsigned turns = symbols ? TURNS : pairs ? 2 : 1;
    size_t n = 0;

    for (unsigned change = 0; change < 2 * 2 * turns; change++)
        for (unsigned skip = 0; skip < offsets; skip++) {
            const bool invert = change & 1, swap = change & 2;
            const struct way way = {.skip = skip,
                                    .invert = file->invert != invert,
                                    .swap = file->swap != swap,
                                    .quarters = (file->quarters + change / 4) % TURNS,
                                    .changes = invert + swap + (change > 3)};

            if ((invert && symbols) || (swap && !pairs))
                continue;
            ways[n++] = way;
        }
    return n;
}

/* 0 for what is as bad as noise, 1 for no wrong symbol; and as much again for verdicts that are all good. */
static double quality(const struct step_result *result, double noise)
{
    const double match = isnan(result->reencoded) || !(noise > 0) ? 0
                                                                  : 1 - result->reencoded / noise;
    const double good = result->checked ? 1 - (double)result->failed / (double)result->checked : 0;

    return (match > 0 ? match : 0) + good;
}

static bool fits(const struct way *way)
{
    return way->quality > 0.3;
}

static int try_way(const struct session *session, const struct way *file, struct way *way,
                   double noise, struct diag *diag)
{
    struct step_try how;
    char text[32];

    settings_of(way, file, text, sizeof text, &how);
    if (step_measure(session, &how, ITEMS, signals_flag(), &way->result, diag))
        return -1;
    way->quality = quality(&way->result, noise);
    return 0;
}

/* Ways that cannot be, as a `skip` of no whole frames, have a quality below 0. */
static int try_ways(const struct session *session, const struct way *file, struct way *ways,
                    size_t n, double noise, struct diag *diag)
{
    struct diag first = {0};
    size_t done = 0;

    for (size_t i = 0; i < n && !fecrun_cancelled(signals_flag()); i++) {
        struct diag why = {0};

        ways[i].quality = -1;
        if (!try_way(session, file, &ways[i], noise, &why))
            done++;
        else if (!first.status)
            first = why;
    }
    if (fecrun_cancelled(signals_flag()))
        return diag_fail(diag, DIAG_RUN, "stopped by a signal");
    if (!done)
        *diag = first;
    return done ? 0 : -1;
}

/* ---- What is printed ---- */

static void settings_text(const struct way *way, const struct way *file, char *text, size_t size)
{
    struct step_try how;
    char number[32];
    size_t used = 0;

    settings_of(way, file, number, sizeof number, &how);
    if (!how.settings[0].name)
        snprintf(text, size, "as in the file");
    for (const struct step_setting *s = how.settings; s->name && used < size; s++)
        used += (size_t)snprintf(text + used, size - used, "%s%s: %s", used ? ", " : "", s->name,
                                 s->value);
}

static void print_way(FILE *out, const struct way *way, const struct way *file)
{
    char text[96], failed[48] = "";

    settings_text(way, file, text, sizeof text);
    if (way->result.checked)
        snprintf(failed, sizeof failed, "%" PRIu64 "/%" PRIu64, way->result.failed,
                 way->result.checked);
    if (isnan(way->result.reencoded))
        fprintf(out, "%14s %12s  %s\n", "", failed, text);
    else
        fprintf(out, "%12.3f %% %12s  %s\n", 100 * way->result.reencoded, failed, text);
}

static json_t *way_json(const struct way *way, const struct way *file)
{
    json_t *settings = json_object(), *object;
    struct step_try how;
    char number[32];

    settings_of(way, file, number, sizeof number, &how);
    for (const struct step_setting *s = how.settings; s->name; s++)
        json_object_set_new(settings, s->name, json_string(s->value));
    object = json_pack("{s:o, s:I, s:I, s:I, s:b}", "settings", settings, "frames",
                       (json_int_t)way->result.frames, "checked", (json_int_t)way->result.checked,
                       "failed", (json_int_t)way->result.failed, "fits", fits(way));
    json_object_set_new(object, "reencoded",
                        isnan(way->result.reencoded) ? json_null()
                                                     : json_real(way->result.reencoded));
    return object;
}

/* Of ways that are about as good the one that changes least comes first. */
static int by_quality(const void *a, const void *b)
{
    const struct way *x = a, *y = b;
    const long p = lround(25 * x->quality), q = lround(25 * y->quality);

    if (p != q)
        return p > q ? -1 : 1;
    return x->changes != y->changes ? x->changes - y->changes : (int)x->skip - (int)y->skip;
}

static void print_ways(FILE *out, const struct way *ways, size_t n, const struct way *file,
                       double noise)
{
    size_t alike = 0;

    fprintf(out, "%14s %12s  %s\n", "wrong symbols", "failed", "settings of source.file");
    for (size_t i = 0; i < n && (i < 3 || fits(&ways[i])) && i < 16; i++)
        print_way(out, &ways[i], file);
    if (!isnan(noise))
        fprintf(out, "%12.3f %% %12s  noise\n", 100 * noise, "");
    for (size_t i = 1; i < n; i++)
        alike += ways[i].skip == ways[0].skip &&
                 lround(25 * ways[i].quality) == lround(25 * ways[0].quality);
    if (!fits(&ways[0]))
        fputs("no way fits: another code, pattern or interleaver, or too much noise\n", out);
    else if (alike)
        fputs("several ways fit: the code has inverted words, too; a sync word, a CRC or an outer "
              "code behind it tells\n",
              out);
}

/* ---- The verb ---- */

static int sync_session(const struct cli *cli, const struct session *session, struct diag *diag)
{
    const struct graph_stage *source = &session->graph->stages[0];
    const bool json_out = cli->result.json && !strcmp(cli->result.json, "-");
    struct way ways[MOST_OFFSETS * 4 * TURNS];
    const struct step_try as_noise = {.noise = 1};
    struct step_result noise;
    struct session_plan plan;
    struct way file;
    json_t *object, *list;
    size_t n;
    int status;

    if (strcmp(source->stage->name, "source.file"))
        return diag_fail_at(diag, DIAG_USAGE, source->decl->mark,
                            "%s: sync is for recordings, which source.file reads",
                            source->decl->id);
    if (!step_can_tell(session))
        return diag_fail(diag, DIAG_USAGE,
                         "%s: no stage can tell whether it is in step: viterbi.decode can, and "
                         "stages that check frames",
                         cli->operand);
    if (session_plan(session, 0, &plan, diag))
        return -1;
    file = way_of_file(source);
    n = list_ways(&plan.plan->stages[0].out[0], &file, ways);
    session_plan_free(&plan);
    if (step_measure(session, &as_noise, ITEMS, signals_flag(), &noise, diag) ||
        try_ways(session, &file, ways, n, noise.reencoded, diag))
        return -1;
    qsort(ways, n, sizeof *ways, by_quality);
    if (!cli->result.quiet)
        print_ways(json_out ? stderr : stdout, ways, n, &file, noise.reencoded);
    list = json_array();
    for (size_t i = 0; i < n && ways[i].quality >= 0; i++)
        json_array_append_new(list, way_json(&ways[i], &file));
    object = json_pack("{s:s, s:o, s:o}", "type", "sync", "noise",
                       isnan(noise.reencoded) ? json_null() : json_real(noise.reencoded), "ways",
                       list);
    status = cli->result.json ? cli_write_json(cli, object, diag) : 0;
    json_decref(object);
    if (!status && !fits(&ways[0]))
        return diag_fail(diag, DIAG_RUN, "%s: no settings fit", cli->operand);
    return status;
}

int cmd_sync(const struct cli *cli, struct diag *diag)
{
    struct session session;
    int status;

    signals_catch();
    if (cli_open_session(cli, &cli->session, &session, diag))
        return -1;
    status = sync_session(cli, &session, diag);
    session_close(&session);
    return status;
}
