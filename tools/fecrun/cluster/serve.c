/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/cluster/serve.h"

#include "run/sweep/sweep.h"

#include <stdlib.h>
#include <string.h>

struct server {
    struct sweep sweep;
    size_t n_rows;
    struct run_class *rows;
    struct run_part sum; /* of the present lease, */
    bool capture;
    struct lease_data data; /* and what its sink would have got */
};

int serve_open(struct server **server, const struct session *session,
               const struct sweep_options *options, const struct fleet_options *fleet,
               const struct session_plan **plan, struct diag *diag)
{
    struct server *s = calloc(1, sizeof *s);
    struct sweep_options own = *options;

    *server = s;
    if (!s)
        return diag_no_memory(diag);
    own.fleet = fleet;
    if (sweep_open(&s->sweep, session, &own, diag))
        return -1;
    *plan = sweep_plan(&s->sweep);
    s->capture = capture_is(*plan);
    s->n_rows = session->pipeline->n_blocks ? (*plan)->shape.n_rows : 0;
    s->rows = calloc(s->n_rows + 1, sizeof *s->rows);
    return s->rows ? 0 : diag_no_memory(diag);
}

size_t serve_rows(const struct server *server)
{
    return server->n_rows;
}

static int add(void *data, const struct run_part *part, struct diag *diag)
{
    struct server *server = data;

    (void)diag;
    run_part_add(&server->sum, part, server->n_rows);
    return 0;
}

/* Several devices of this process take their samples, and care for the margins, themselves. */
static void take_samples(struct server *server, const struct lease *lease,
                         struct run_options *options)
{
    struct exec *exec = &server->sweep.exec;
    const struct margin round = capture_margins(exec);

    server->data.n = 0;
    if (fleet_shares(&server->sweep.fleet)) {
        server->sweep.fleet.into = &server->data;
        options->trail = lease->behind;
        return;
    }
    options->lead = round.before < options->first_frame ? round.before : options->first_frame;
    options->trail = round.after < lease->behind ? round.after : lease->behind;
    options->first_frame -= options->lead;
    exec->tap = (struct exec_tap){.take = capture_take, .data = &server->data};
}

const void *serve_data(const struct server *server, size_t *n)
{
    *n = server->capture ? server->data.n : 0;
    return server->data.bytes;
}

int serve_lease(struct server *server, size_t point, const struct lease *lease,
                struct run_part *part, struct diag *diag)
{
    struct sweep *sweep = &server->sweep;
    struct run_options options = {.limits = lease->limits,
                                  .first_frame = lease->first,
                                  .save = add,
                                  .save_every = 1e9, /* once, at its end */
                                  .data = server};
    struct run_counts counts = {0};
    const char *stop;
    double seconds;
    int status;

    memset(server->rows, 0, (server->n_rows + 1) * sizeof *server->rows);
    server->sum = (struct run_part){.first = lease->first,
                                    .counts.rows = server->n_rows ? server->rows : NULL};
    if (sweep_go(sweep, point, diag) || sweep_make(sweep, diag))
        return -1;
    if (server->capture)
        take_samples(server, lease, &options);
    status = sweep_frames(sweep, &options, &counts, &seconds, &stop, diag);
    free(counts.rows);
    *part = server->sum;
    return status;
}

void serve_close(struct server *server)
{
    if (!server)
        return;
    sweep_close(&server->sweep);
    capture_free(&server->data);
    free(server->rows);
    free(server);
}
