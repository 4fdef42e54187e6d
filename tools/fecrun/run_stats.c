/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/run_stats.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NAME 20
#define BACKEND 16

/* ---- Sums ---- */

static double all_seconds(const struct times *times)
{
    double sum = 0;

    for (size_t s = 0; s < GRAPH_MAX_STAGES; s++)
        sum += times->stages[s].seconds + times->stages[s].move_seconds;
    return sum;
}

/* Information bits of as many of the source's frames. */
static double info_bits(const struct stage_time *time, uint64_t frames, uint64_t bits)
{
    return frames ? (double)time->frames * (double)bits / (double)frames : 0;
}

static double mbps(double bits, double seconds)
{
    return seconds > 0 ? bits / seconds * 1e-6 : 0;
}

static const char *move_name(enum times_move move)
{
    static const char *const names[] = {"", "convert", "to device", "to host"};

    return names[move];
}

/* Absorbed stages have no time of their own. */
static char *backend_of(const struct negotiation *negotiation, size_t s)
{
    const struct choice *choice = &negotiation->choices[s];
    const char *name = choice->backend ? choice->backend->backend->name : "";
    char text[96];

    if (choice->absorbed_by >= 0)
        snprintf(text, sizeof text, "in %.90s",
                 negotiation->graph->stages[choice->absorbed_by].decl->id);
    else
        snprintf(text, sizeof text, "%.90s", name);
    return strdup(text);
}

static void add_time(struct stage_time *sum, const struct stage_time *more)
{
    sum->calls += more->calls;
    sum->frames += more->frames;
    sum->seconds += more->seconds;
    sum->move = more->move != TIMES_NONE ? more->move : sum->move;
    sum->moves += more->moves;
    sum->bytes += more->bytes;
    sum->move_seconds += more->move_seconds;
}

void run_stats_begin(struct run_stats *stats)
{
    *stats = (struct run_stats){.workers = 0};
    pthread_mutex_init(&stats->lock, NULL);
}

void run_stats_took(void *data, size_t stage, const struct stage_time *time)
{
    struct run_stats *stats = data;

    pthread_mutex_lock(&stats->lock);
    add_time(&stats->now.stages[stage], time);
    pthread_mutex_unlock(&stats->lock);
}

int run_stats_add(struct run_stats *stats, const struct result_point *point)
{
    for (size_t s = 0; s < GRAPH_MAX_STAGES; s++)
        add_time(&stats->times.stages[s], &stats->now.stages[s]);
    stats->now = (struct times){0};
    stats->seconds += point->seconds;
    stats->thread_seconds += point->seconds * point->workers;
    stats->frames += point->counts.frames;
    stats->info_bits += point->counts.info_bits;
    stats->workers = point->workers;
    for (size_t s = 0; s < point->plan->plan->graph->n; s++) {
        free(stats->backends[s]);
        stats->backends[s] = backend_of(point->plan->negotiation, s);
        if (!stats->backends[s])
            return -1;
    }
    return 0;
}

void run_stats_free(struct run_stats *stats)
{
    for (size_t s = 0; s < GRAPH_MAX_STAGES; s++)
        free(stats->backends[s]);
    pthread_mutex_destroy(&stats->lock);
}

/* ---- JSON ---- */

static json_t *stage_json(const struct times *times, const struct result_point *point, size_t s,
                          double all)
{
    const struct stage_time *time = &times->stages[s];
    char *backend = backend_of(point->plan->negotiation, s);
    json_t *object = json_pack(
        "{s:s, s:s, s:I, s:I, s:f, s:f, s:f}", "stage",
        point->plan->plan->graph->stages[s].decl->id, "backend", backend ? backend : "", "calls",
        (json_int_t)time->calls, "frames", (json_int_t)time->frames, "seconds", time->seconds,
        "share", all > 0 ? time->seconds / all : 0, "info_mbps",
        mbps(info_bits(time, point->counts.frames, point->counts.info_bits), time->seconds));

    free(backend);
    return object;
}

static json_t *move_json(const struct times *times, const struct result_point *point, size_t s,
                         double all)
{
    const struct stage_time *time = &times->stages[s];

    return json_pack("{s:s, s:s, s:I, s:I, s:f, s:f}", "behind",
                     point->plan->plan->graph->stages[s].decl->id, "what", move_name(time->move),
                     "calls", (json_int_t)time->moves, "bytes", (json_int_t)time->bytes, "seconds",
                     time->move_seconds, "share", all > 0 ? time->move_seconds / all : 0);
}

json_t *run_stats_json(const struct times *times, const struct result_point *point)
{
    const double all = all_seconds(times);
    json_t *stages = json_array(), *moves = json_array();

    for (size_t s = 0; s < point->plan->plan->graph->n; s++) {
        if (point->plan->negotiation->choices[s].absorbed_by < 0)
            json_array_append_new(stages, stage_json(times, point, s, all));
        if (times->stages[s].moves)
            json_array_append_new(moves, move_json(times, point, s, all));
    }
    return json_pack("{s:i, s:f, s:o, s:o}", "threads", (int)point->workers, "rest_seconds",
                     point->seconds * point->workers - all, "stages", stages, "copies", moves);
}

/* ---- The table ---- */

/* The end says more than the middle of what is too long. */
static const char *shorten(const char *text, size_t width, char *room)
{
    const size_t n = strlen(text);

    if (n <= width)
        return text;
    snprintf(room, width + 1, "%.*s~%s", (int)(width / 2), text,
             text + n - (width - width / 2 - 1));
    return room;
}

static void print_stage(const struct run_stats *stats, const struct graph *graph, size_t s,
                        double all, FILE *out)
{
    const struct stage_time *time = &stats->times.stages[s];
    const char *backend = stats->backends[s] ? stats->backends[s] : "";
    char name[NAME + 1], by[BACKEND + 1];

    fprintf(out, "%-*s %-*s", NAME, shorten(graph->stages[s].decl->id, NAME, name), BACKEND,
            shorten(backend, BACKEND, by));
    if (time->calls)
        fprintf(out, " %9" PRIu64 " %10.4g %6.1f %% %11.4g\n", time->calls, time->seconds,
                all > 0 ? 100 * time->seconds / all : 0,
                mbps(info_bits(time, stats->frames, stats->info_bits), time->seconds));
    else
        fputs("\n", out);
}

static void print_move(const struct run_stats *stats, size_t s, double all, FILE *out)
{
    const struct stage_time *time = &stats->times.stages[s];

    if (!time->moves)
        return;
    fprintf(out, "  %-*s %-*s %9" PRIu64 " %10.4g %6.1f %%", NAME - 2,
            time->move == TIMES_CONVERT ? "conversion" : "copy", BACKEND, move_name(time->move),
            time->moves, time->move_seconds, all > 0 ? 100 * time->move_seconds / all : 0);
    if (time->bytes)
        fprintf(out, " %7.3g GB/s", mbps((double)time->bytes, time->move_seconds) * 1e-3);
    putc('\n', out);
}

void run_stats_print(const struct run_stats *stats, const struct graph *graph, FILE *out)
{
    const double all = all_seconds(&stats->times);
    const double rest = stats->thread_seconds - all;

    fprintf(out, "\n%-*s %-*s %9s %10s %8s %11s\n", NAME, "stage", BACKEND, "backend", "calls",
            "time s", "share", "info Mb/s");
    for (size_t s = 0; s < graph->n; s++) {
        print_stage(stats, graph, s, all, out);
        print_move(stats, s, all, out);
    }
    fprintf(out, "%.3f s on %u %s; %.3f s of them in no stage\n", stats->seconds, stats->workers,
            stats->workers == 1 ? "thread" : "threads, whose times are added up",
            rest > 0 ? rest : 0);
}
