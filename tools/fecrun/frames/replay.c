/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/frames/replay.h"

#include <stdlib.h>

/* ---- Ports ---- */

/* What lies on a device is copied for the call. */
static int show_port(struct line *line, const struct replay_options *options,
                     struct line_port *port, struct diag *diag)
{
    const uint64_t bytes = port->pieces * port->stride;
    void *copy = NULL;
    int status = 0;

    if (!port->on_host) {
        copy = malloc(bytes ? bytes : 1);
        status = copy ? line_fetch(line, port, copy, diag) : diag_no_memory(diag);
        port->data = copy;
    }
    if (!status)
        status = options->on_port(options->data, port, diag);
    free(copy);
    return status ? -1 : 0;
}

/* at: the frame's place in its batch. */
static int show_ports(struct line *line, const struct replay_options *options,
                      const struct graph *graph, uint64_t at, struct diag *diag)
{
    struct line_port port;

    for (size_t s = 0; s < graph->n; s++)
        for (unsigned p = 0; p < graph->stages[s].n_out; p++)
            if (line_port(line, s, p, at, &port) && show_port(line, options, &port, diag))
                return -1;
    return 0;
}

/* ---- The frame ---- */

static int count(const struct line *line, uint64_t at, size_t n_rows, struct run_counts *counts,
                 struct diag *diag)
{
    const struct run_limits one = {.frames = 1};
    struct run_part part = {.counts.rows = calloc(n_rows, sizeof *part.counts.rows)};

    if (!part.counts.rows)
        return diag_no_memory(diag);
    count_slot(&part, line->exec, line->slot, at, &one);
    free(part.counts.rows);
    *counts = part.counts;
    counts->rows = NULL;
    return 0;
}

/* The batch that has the frame: it alone, or all rows of `blocks:`. */
static int run_frame(struct line *line, struct session_plan *plan,
                     const struct replay_options *options, struct run_counts *counts,
                     struct diag *diag)
{
    const uint64_t unit = plan->shape.frames, at = options->frame % unit;

    line_begin(line, options->frame - at, unit);
    if (line_run(line, 0, plan->shape.graph->n - 1, diag) || line_end(line, diag) ||
        line_wait(line, diag) || show_ports(line, options, plan->shape.graph, at, diag))
        return -1;
    return count(line, at, plan->shape.n_rows, counts, diag);
}

int replay_run(const struct session *session, const struct replay_options *options,
               struct run_counts *counts, struct diag *diag)
{
    struct session_plan plan;
    struct line line = {0};
    int status;

    if (options->point >= session_points(session))
        return diag_fail(diag, DIAG_USAGE, "point %zu: the sweep has points 0 to %zu",
                         options->point, session_points(session) - 1);
    if (session_plan(session, options->point, &plan, diag))
        return -1;
    status = session_seekable(&plan, "a replay", diag);
    if (!status)
        status = session_line(session, &plan, shape_unit(&plan.shape), NULL, &line, diag) ||
                 run_frame(&line, &plan, options, counts, diag);
    line_close(&line);
    session_plan_free(&plan);
    return status ? -1 : 0;
}
