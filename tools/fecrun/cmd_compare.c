/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fecrun compare: one file, run with each of two backends. All random values are functions of seed,
 * point and frame, so both see the same frames, and the second run has as many as the first one's
 * stop rules wanted. Of a frame four bytes are kept until then.
 */
#include "tools/fecrun/cmd_compare.h"
#include "run/sweep/sweep.h"

#include <fecrun/sdk/params.h>
#include <stdlib.h>
#include <string.h>

#include "tools/fecrun/cli.h"
#include "tools/fecrun/report_devices.h"
#include "tools/fecrun/signals.h"

/* What became of one frame: wrong bits times 2, and whether a check said so. */
typedef uint32_t outcome;

#define DUMP_MOST 100 /* frames */

struct outcomes {
    outcome *frame;
    size_t n, room;
};

struct comparing {
    const struct cli *cli;
    struct session session[2];
    bool second;
    struct compared *points;
    struct outcomes *outcomes; /* of the first run, a point each */
    size_t n_points, at;
    uint64_t seen; /* frames of the present point */
    size_t n_differing;
    struct differing differing[DUMP_MOST]; /* the first ones */
    bool no_memory;
    struct result *result;
    FILE *table; /* NULL: quiet */
    struct gap gap;
    const char *names[2];
};

/* ---- Frames ---- */

static outcome outcome_of(const struct fecrun_frame_info *info)
{
    const bool failed = info->flags & FECRUN_FRAME_CHECKED && info->flags & FECRUN_FRAME_FAILED;
    const uint32_t bits = info->flags & FECRUN_FRAME_COUNTED ? info->bit_errors : 0;

    return (bits < UINT32_MAX / 2 ? bits : UINT32_MAX / 2) << 1 | failed;
}

static void keep(struct comparing *c, const struct fecrun_frame_info *info, uint64_t frames)
{
    struct outcomes *o = &c->outcomes[c->at];

    if (o->n + frames > o->room) {
        const size_t room = 2 * (o->n + frames) + 1024;
        outcome *more = realloc(o->frame, room * sizeof *more);

        if (!more) {
            c->no_memory = true;
            return;
        }
        o->frame = more;
        o->room = room;
    }
    for (uint64_t f = 0; f < frames; f++)
        o->frame[o->n++] = outcome_of(&info[f]);
}

static void pair(struct comparing *c, const struct fecrun_frame_info *info, uint64_t frames)
{
    const struct outcomes *o = &c->outcomes[c->at];
    struct pairs *p = &c->points[c->at].pairs;

    for (uint64_t f = 0; f < frames && c->seen < o->n; f++, c->seen++) {
        const outcome a = o->frame[c->seen], b = outcome_of(&info[f]);
        const bool a_wrong = a >> 1, b_wrong = b >> 1;

        if (a != b && c->n_differing < DUMP_MOST)
            c->differing[c->n_differing++] = (struct differing){c->at, c->seen};
        p->frames++;
        p->same += a == b;
        p->both += a_wrong && b_wrong;
        p->only_a += a_wrong && !b_wrong;
        p->only_b += b_wrong && !a_wrong;
    }
}

static void on_frames(void *data, const struct fecrun_frame_info *info, uint64_t frames)
{
    struct comparing *c = data;

    (c->second ? pair : keep)(c, info, frames);
}

/* ---- Points ---- */

static int name_point(struct compared *to, const struct result_point *point, struct diag *diag)
{
    to->ebn0_db = point->ebn0_db;
    to->set = calloc(point->n_set + 1, sizeof *to->set);
    for (size_t i = 0; to->set && i < point->n_set; i++) {
        const size_t size = strlen(point->set_names[i]) + strlen(point->set_values[i]) + 2;

        if (!(to->set[i] = malloc(size)))
            break;
        snprintf(to->set[i], size, "%s=%s", point->set_names[i], point->set_values[i]);
        to->n_set++;
    }
    return to->set && to->n_set == point->n_set ? 0 : diag_no_memory(diag);
}

static int show(struct comparing *c, struct diag *diag)
{
    const struct compared *point = &c->points[c->at];

    if (c->table) {
        if (c->at == 0)
            compare_print_head(c->table, c->cli->a, c->cli->b);
        compare_print_point(c->table, point);
        fflush(c->table);
    }
    return result_line(c->result, compare_json_point(point, c->names), diag);
}

static int take_point(struct comparing *c, const struct result_point *point, struct diag *diag)
{
    struct compared *to = &c->points[c->at];
    int status = 0;

    if (!point->counts.counted)
        return diag_fail(diag, DIAG_USAGE, "compare: no sink of this file counts errors");
    if (c->no_memory)
        return diag_no_memory(diag);
    to->seconds[c->second] = point->seconds;
    to->bits = point->counts.bits;
    if (c->second && c->seen < c->outcomes[c->at].n)
        return diag_fail(diag, DIAG_RUN,
                         "compare: %s ended after %llu of the %zu frames that %s had", c->cli->b,
                         (unsigned long long)c->seen, c->outcomes[c->at].n, c->cli->a);
    if (!c->second && !c->outcomes[c->at].n)
        return diag_fail(diag, DIAG_RUN, "compare: there are no frames");
    status = c->second ? show(c, diag) : name_point(to, point, diag);
    c->at++;
    c->seen = 0;
    return status;
}

/* The present point; of the second run as many frames as the first one's rules wanted. */
static int do_point(struct comparing *c, struct sweep *sweep, struct diag *diag)
{
    const struct run_options options = {
        .limits = c->second ? (struct run_limits){.frames = c->outcomes[c->at].n}
                            : sweep->point.limits,
        .counted = on_frames,
        .data = c};
    const int status = sweep_point(sweep, &options, diag);

    if (status && !sweep->point.counts.frames)
        return -1;
    return take_point(c, &sweep->point, diag) || status ? -1 : 0;
}

static int run(struct comparing *c, bool second, volatile int *cancel, struct diag *diag)
{
    const struct sweep_options options = {.cancel = cancel};
    struct sweep sweep;
    int more;

    c->second = second;
    c->at = 0;
    c->seen = 0;
    more = sweep_open(&sweep, &c->session[second], &options, diag) ? -1 : 1;
    while (more > 0)
        more = do_point(c, &sweep, diag) ? -1 : sweep_next(&sweep, &sweep.point, diag);
    sweep_close(&sweep);
    if (more < 0)
        return -1;
    if (fecrun_cancelled(cancel))
        return diag_fail(diag, DIAG_RUN, "stopped by a signal: nothing is compared");
    return 0;
}

/* ---- The command line ---- */

static int check_options(const struct cli *cli, struct gap *gap, struct diag *diag)
{
    char *end = NULL;

    if (cli->accept && strcmp(cli->accept, "exact") && strcmp(cli->accept, "statistical"))
        return diag_fail(diag, DIAG_USAGE, "--accept %s: must be exact or statistical",
                         cli->accept);
    gap->fer = cli->fer ? strtod(cli->fer, &end) : 0.1;
    if ((end && (*end || end == cli->fer)) || !(gap->fer > 0 && gap->fer < 1))
        return diag_fail(diag, DIAG_USAGE, "--fer %s: must be a number between 0 and 1", cli->fer);
    return 0;
}

static int check_backends(const struct cli *cli, struct diag *diag)
{
    if (!cli->a || !cli->b)
        return diag_fail(diag, DIAG_USAGE,
                         "compare: needs --a BACKEND and --b BACKEND, or two result files");
    if (!strcmp(cli->operand, "-"))
        return diag_fail(diag, DIAG_USAGE,
                         "compare: reads its file twice, which standard input does not allow");
    return 0;
}

/* Two files were counted before: what would count again is of no use. */
static int check_files(const struct cli *cli, struct diag *diag)
{
    if (cli->n_operands > 2)
        return diag_fail(diag, DIAG_USAGE, "compare: two result files, not %zu", cli->n_operands);
    if (cli->a || cli->b || cli->dump || cli->sets[0] || cli->sweeps[0] || cli->session.threads ||
        cli->restrict_to)
        return diag_fail(diag, DIAG_USAGE,
                         "compare: two result files are compared as they are, "
                         "without --a, --b, --set, --sweep, --threads, --restrict and --dump");
    return 0;
}

/* Whatever is written or read once only cannot be had twice, nor points that are not known before. */
static int check_ends(const struct session *session, struct diag *diag)
{
    const struct graph *graph = session->graph;
    const struct pipeline_sweep *walk = pipeline_walk(session->pipeline);

    if (walk)
        return diag_fail_at(diag, DIAG_USAGE, walk->mark,
                            "compare: sweep.%s.%s: %s might end elsewhere for each backend",
                            walk->stage, walk->param, pipeline_walk_name(walk));
    for (size_t s = 0; s < graph->n; s++) {
        const struct graph_stage *stage = &graph->stages[s];
        const struct fecrun_values *values = param_values(stage->params);

        for (size_t i = 0; i < values->count; i++) {
            if (stage->stage->params[i]->type != FECRUN_VALUE_PATH || !values->v[i]->given)
                continue;
            if (s + 1 == graph->n)
                return diag_fail(diag, DIAG_USAGE,
                                 "compare: %s writes a file, and would write it twice",
                                 stage->decl->id);
            if (!strcmp(values->v[i]->s, "-"))
                return diag_fail(diag, DIAG_USAGE,
                                 "compare: %s reads standard input, which can be read only once",
                                 stage->decl->id);
        }
    }
    return 0;
}

static void close_all(struct comparing *c)
{
    for (size_t i = 0; i < c->n_points; i++) {
        for (size_t k = 0; c->points && k < c->points[i].n_set; k++)
            free(c->points[i].set[k]);
        if (c->points)
            free(c->points[i].set);
        if (c->outcomes)
            free(c->outcomes[i].frame);
    }
    free(c->points);
    free(c->outcomes);
    session_close(&c->session[1]);
    session_close(&c->session[0]);
}

static int open_sessions(struct comparing *c, struct diag *diag)
{
    struct session_options options = c->cli->session;

    options.pipeline.backend = c->cli->a;
    options.pipeline.backend_by = "--a";
    if (cli_open_session(c->cli, &options, &c->session[0], diag))
        return -1;
    options.pipeline.backend = c->cli->b;
    options.pipeline.backend_by = "--b";
    if (check_ends(&c->session[0], diag) ||
        cli_open_session(c->cli, &options, &c->session[1], diag)) {
        session_close(&c->session[0]);
        return -1;
    }
    if (cli_one_device(&c->session[0], "compare", diag) ||
        cli_one_device(&c->session[1], "compare", diag) ||
        (c->cli->dump && compare_dump_check(&c->session[0], diag))) {
        session_close(&c->session[1]);
        session_close(&c->session[0]);
        return -1;
    }
    c->n_points = session_points(&c->session[0]);
    c->points = calloc(c->n_points, sizeof *c->points);
    c->outcomes = calloc(c->n_points, sizeof *c->outcomes);
    if (c->points && c->outcomes)
        return 0;
    close_all(c);
    return diag_no_memory(diag);
}

/* ---- The end ---- */

static int dump(const struct comparing *c, uint64_t differ, struct diag *diag)
{
    if (compare_dump(&c->session[0], c->cli->dump, c->differing, c->n_differing, diag))
        return -1;
    if (c->table && c->n_differing)
        fprintf(c->table, "%zu of %llu frames that differ are in %s/point*/pipeline.yaml\n",
                c->n_differing, (unsigned long long)differ, c->cli->dump);
    return 0;
}

static int judge(struct comparing *c, struct diag *diag)
{
    const char *accept = c->cli->accept;
    const bool good = compare_equally_good(c->points, c->n_points);
    struct pairs all = {0};

    for (size_t i = 0; i < c->n_points; i++)
        compare_add(&all, &c->points[i].pairs);
    c->gap = compare_gap(c->points, c->n_points, c->gap.fer);
    if (c->table)
        compare_print_end(c->table, &all, &c->gap, good, c->n_points);
    if (result_line(c->result, compare_json_end(&all, &c->gap, good, c->names), diag))
        return -1;
    if (c->cli->dump && dump(c, all.frames - all.same, diag))
        return -1;
    if (accept && !strcmp(accept, "exact") && all.same != all.frames)
        return diag_fail(diag, DIAG_DIFFERENT, "compare: %llu of %llu frames differ",
                         (unsigned long long)(all.frames - all.same),
                         (unsigned long long)all.frames);
    if (accept && !strcmp(accept, "statistical") && !good)
        return diag_fail(diag, DIAG_DIFFERENT,
                         "compare: %s and %s are not equally good: %llu frames only %s gets wrong, "
                         "%llu only %s",
                         c->cli->a, c->cli->b, (unsigned long long)all.only_a, c->cli->a,
                         (unsigned long long)all.only_b, c->cli->b);
    return 0;
}

int cmd_compare(const struct cli *cli, struct diag *diag)
{
    struct comparing c = {.cli = cli, .names = {cli->a, cli->b}};
    const bool json_out = cli->result.json && !strcmp(cli->result.json, "-");
    volatile int *cancel = signals_catch();
    int status;

    if (check_options(cli, &c.gap, diag))
        return -1;
    if (cli->n_operands > 1)
        return check_files(cli, diag) ? -1 : compare_files(cli, c.gap.fer, diag);
    if (check_backends(cli, diag) || open_sessions(&c, diag))
        return -1;
    c.table = cli->result.quiet ? NULL : json_out ? stderr : stdout;
    status = result_open(&c.result, &cli->result, diag);
    if (!status) {
        status = run(&c, false, cancel, diag) || run(&c, true, cancel, diag) || judge(&c, diag) ? -1
                                                                                                : 0;
        status = cli_close(cli, c.result, status, false, diag);
    }
    close_all(&c);
    return status;
}
