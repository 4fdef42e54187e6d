/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/plan/negotiate.h"

#include "core/base/array.h"
#include "core/plan/candidates.h"

#include <fecrun/sdk/sample.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Stage by stage, a list of partial solutions is kept. What the rest of the pipeline can see of a
 * partial solution is its frontier: the options of stages that a later stage still reads from. Of
 * two partial solutions with the same frontier and the same device only the cheaper one can be part
 * of the best, so the list stays short and the result is still exact.
 */
struct partial {
    unsigned cost;
    unsigned space; /* of the device that it has chosen, if any: there is one in a pipeline */
    unsigned pick[GRAPH_MAX_STAGES]; /* index into the stage's options */
};

struct search {
    const struct plan *plan;
    struct candidates *options; /* one list a stage */
    struct partial *now, *next;
    size_t n_now, n_next;
};

static const struct candidate *picked(const struct search *search, const struct partial *partial,
                                      size_t s)
{
    return &search->options[s].option[partial->pick[s]];
}

/* The edge into port p of a stage with that option, whose absorbed stages are skipped. */
static struct edge edge_of(const struct search *search, const struct partial *partial, size_t s,
                           const struct candidate *option, unsigned port)
{
    const struct graph *graph = search->plan->graph;
    struct graph_link link = graph->stages[s].in[port];
    const struct candidate *from;

    if (port == 0 && option->n_absorbed)
        link = graph->stages[s - option->n_absorbed].in[0];
    if (link.stage < 0)
        return (struct edge){.from_stage = -1};
    from = picked(search, partial, (size_t)link.stage);
    return (struct edge){.from_stage = link.stage,
                         .from_port = link.port,
                         .from_type = from->form ? from->form->out[link.port].type : FECRUN_NONE,
                         .to_type = option->form->in[port].type,
                         .from_space = from->space,
                         .to_space = option->space};
}

/* On a device only what its provider knows; between spaces the host side may do it too. */
static bool edge_possible(const struct plan *plan, const struct edge *edge)
{
    const struct fecrun_provider *provider;
    const struct fecrun_view from = {.size = sizeof from, .type = edge->from_type};
    const struct fecrun_view to = {.size = sizeof to, .type = edge->to_type};

    if (edge->from_type == FECRUN_NONE)
        return false; /* reads from a stage that was absorbed */
    if (edge->from_type == edge->to_type)
        return true;
    if (edge->from_space == SPACE_HOST || edge->to_space == SPACE_HOST)
        return fecrun_convert_known(edge->from_type, edge->to_type);
    provider = plan->graph->registry->providers[edge->to_space - 1].provider;
    return edge->from_space == edge->to_space && provider->convert &&
           provider->convert(0, NULL, &from, &to, NULL) == 0;
}

/* Does option o fit on stage s behind this partial solution? Adds its cost. */
static bool extend(const struct search *search, const struct partial *partial, size_t s,
                   const struct candidate *option, unsigned *cost)
{
    unsigned pending = 0;

    while (s > pending && !picked(search, partial, s - 1 - pending)->backend)
        pending++;
    *cost = partial->cost;
    if (!option->backend)
        return true; /* to be absorbed; the absorbing stage checks the run's length */
    if (pending != option->n_absorbed ||
        (partial->space != SPACE_HOST && option->space != SPACE_HOST &&
         partial->space != option->space))
        return false;
    *cost += option->cost;
    for (unsigned p = 0; p < search->plan->graph->stages[s].n_in; p++) {
        struct edge edge = edge_of(search, partial, s, option, p);
        if (edge.from_stage < 0)
            continue;
        if (!edge_possible(search->plan, &edge))
            return false;
        *cost += (edge.from_space != edge.to_space ? 100 : 0) +
                 (edge.from_type != edge.to_type ? 10 : 0);
    }
    return true;
}

/* Is stage t still seen by stages after s, directly or through stages to be absorbed? */
static bool in_frontier(const struct search *search, const struct partial *partial, size_t t,
                        size_t s)
{
    const struct graph *graph = search->plan->graph;

    for (size_t u = s + 1; u < graph->n; u++)
        for (unsigned p = 0; p < graph->stages[u].n_in; p++)
            if (graph->stages[u].in[p].stage == (int)t)
                return true;
    /* t feeds a row of absorbed stages that reaches up to s, or stands in it or before it */
    for (size_t u = s; u > t; u--) {
        if (picked(search, partial, u)->backend)
            return u < s && graph->stages[u + 1].in[0].stage == (int)t;
    }
    return true;
}

static bool same_frontier(const struct search *search, const struct partial *a,
                          const struct partial *b, size_t s)
{
    if (a->space != b->space)
        return false;
    for (size_t t = 0; t <= s; t++)
        if (a->pick[t] != b->pick[t] &&
            (in_frontier(search, a, t, s) || in_frontier(search, b, t, s)))
            return false;
    return true;
}

/* Keeps the cheaper of two with the same frontier. */
static int keep(struct search *search, const struct partial *partial, size_t s)
{
    for (size_t i = 0; i < search->n_next; i++)
        if (same_frontier(search, &search->next[i], partial, s)) {
            if (partial->cost < search->next[i].cost)
                search->next[i] = *partial;
            return 0;
        }
    if (array_grow(&search->next, search->n_next, sizeof *search->next))
        return -1;
    search->next[search->n_next++] = *partial;
    return 0;
}

/* What a backend refused was left to a later stage to absorb, whose backend refuses it, too. */
static int fail_step(const struct search *search, size_t s, struct diag *diag)
{
    const struct graph_stage *stages = search->plan->graph->stages;
    const struct candidates *options = search->options;

    for (size_t t = s; t-- > 0 && options[t].n == 1 && !options[t].option->backend;)
        if (options[t].refuser)
            return candidates_fail(&options[t], &stages[t], diag);
    return diag_fail_at(diag, DIAG_USAGE, stages[s].decl->mark,
                        "%s: no lossless conversion leads from the stages before it to any of its "
                        "backends, or they are on different devices",
                        stages[s].decl->id);
}

static int step(struct search *search, size_t s, struct diag *diag)
{
    search->n_next = 0;
    for (size_t i = 0; i < search->n_now; i++)
        for (size_t o = 0; o < search->options[s].n; o++) {
            const struct candidate *option = &search->options[s].option[o];
            struct partial partial = search->now[i];
            unsigned cost;
            if (!extend(search, &partial, s, option, &cost))
                continue;
            partial.pick[s] = (unsigned)o;
            partial.cost = cost;
            if (option->backend && option->space != SPACE_HOST)
                partial.space = option->space;
            if (keep(search, &partial, s))
                return diag_fail(diag, DIAG_RUN, "out of memory");
        }
    if (!search->n_next)
        return fail_step(search, s, diag);
    free(search->now);
    search->now = search->next;
    search->n_now = search->n_next;
    search->next = NULL;
    return 0;
}

/* ---- The best one, as choices ---- */

static void fill_choices(struct negotiation *n, const struct search *search,
                         const struct partial *best)
{
    for (size_t s = 0; s < n->graph->n; s++) {
        const struct candidate *option = picked(search, best, s);
        struct choice *choice = &n->choices[s];
        choice->absorbed_by = -1;
        for (unsigned p = 0; p < FECRUN_MAX_PORTS; p++)
            choice->in[p].from_stage = -1;
        if (!option->backend) {
            size_t t = s;
            while (!picked(search, best, t)->backend)
                t++;
            choice->absorbed_by = (int)t;
            continue;
        }
        choice->backend = option->backend;
        choice->form = option->form;
        choice->space = option->space;
        if (option->space != SPACE_HOST) {
            n->space = option->space;
            n->device = option->device;
        }
        choice->n_absorbed = option->n_absorbed;
        for (unsigned p = 0; p < n->graph->stages[s].n_in; p++)
            choice->in[p] = edge_of(search, best, s, option, p);
    }
}

/* ---- Tuning: known only now that the backend is ---- */

static int read_tune(const struct graph *graph, size_t s, struct choice *choice, struct diag *diag)
{
    static const struct fecrun_param *const none[] = {NULL};
    const struct fecrun_backend *backend = choice->backend->backend;
    const struct pipeline_stage *decl = graph->stages[s].decl;
    char label[160];
    struct param_source source = {
        .label = label, .map = decl->tune, .mark = decl->mark, .place = &graph->pipeline->place};

    if (!backend->tune && decl->tune && decl->tune->count)
        return diag_fail_at(diag, DIAG_USAGE, decl->tune->keys[0]->mark,
                            "%s.tune.%s: backend %s has no tuning", decl->id,
                            decl->tune->keys[0]->text, backend->name);
    snprintf(label, sizeof label, "%s.tune (backend %s)", decl->id, backend->name);
    return param_read(&choice->tune, backend->tune ? backend->tune : none, &source, diag);
}

/* --backend, or a top-level backend:, that no stage declares */
static int check_common_wish(const struct graph *graph, struct diag *diag)
{
    const char *wish = graph->pipeline->backend;
    const struct mark mark = graph->pipeline->backend_mark;
    char name[64], hint[96];
    int device;

    if (!wish || !strcmp(wish, "auto"))
        return 0;
    if (!backend_name_split(wish, name, sizeof name, &device))
        return diag_fail_at(diag, DIAG_USAGE, mark,
                            "backend: `%s` is no backend name (NAME, NAME:DEVICE, NAME:all or "
                            "NAME:DEVICE,DEVICE,...)",
                            wish);
    for (size_t s = 0; s < graph->n; s++)
        if (registry_backend(graph->stages[s].entry, name))
            return 0;
    if (!registry_knows_backend(graph->registry, name))
        return diag_fail_at(diag, DIAG_USAGE, mark,
                            "backend: unknown backend `%s`%s; `fecrun list` shows what there is",
                            name, registry_backend_hint(graph->registry, name, hint, sizeof hint));
    return diag_fail_at(diag, DIAG_UNAVAILABLE, mark,
                        "backend: no stage of this pipeline has a backend `%s` in this build",
                        name);
}

static int run_search(struct search *search, const struct shape *shape, struct diag *diag)
{
    size_t n = shape->graph->n;

    search->now = calloc(1, sizeof *search->now);
    search->options = calloc(n, sizeof *search->options);
    if (!search->now || !search->options)
        return diag_fail(diag, DIAG_RUN, "out of memory");
    search->n_now = 1;
    for (size_t s = 0; s < n; s++)
        if (candidates_list(&search->options[s], shape, s, diag) || step(search, s, diag))
            return -1;
    return 0;
}

static int choose(struct negotiation *n, struct search *search, const struct shape *shape,
                  struct diag *diag)
{
    const struct graph *graph = shape->graph;
    const struct partial *best;

    n->graph = graph;
    n->choices = calloc(graph->n, sizeof *n->choices);
    if (!n->choices)
        return diag_no_memory(diag);
    if (check_common_wish(graph, diag) || candidates_one_device(graph, diag) ||
        run_search(search, shape, diag))
        return -1;
    best = search->now;
    for (size_t i = 1; i < search->n_now; i++)
        if (search->now[i].cost < best->cost)
            best = &search->now[i];
    n->cost = best->cost;
    fill_choices(n, search, best);
    for (size_t s = 0; s < graph->n; s++)
        if (n->choices[s].absorbed_by < 0 && read_tune(graph, s, &n->choices[s], diag))
            return -1;
    return 0;
}

int negotiate(struct negotiation **negotiation, const struct shape *shape, struct diag *diag)
{
    struct search search = {.plan = shape->plans[0]};
    struct negotiation *n = calloc(1, sizeof *n);
    const int status = n ? choose(n, &search, shape, diag) : diag_no_memory(diag);

    free(search.now);
    free(search.next);
    for (size_t s = 0; search.options && s < shape->graph->n; s++)
        free(search.options[s].option);
    free(search.options);
    if (status)
        negotiation_free(n);
    *negotiation = status ? NULL : n;
    return status;
}

bool negotiation_same(const struct negotiation *a, const struct negotiation *b)
{
    if (a->space != b->space || a->device != b->device)
        return false;
    for (size_t s = 0; s < a->graph->n; s++) {
        const struct choice *c = &a->choices[s], *d = &b->choices[s];
        if (c->absorbed_by != d->absorbed_by || c->backend != d->backend || c->form != d->form ||
            c->space != d->space || c->n_absorbed != d->n_absorbed)
            return false;
    }
    return true;
}

void negotiation_free(struct negotiation *negotiation)
{
    if (!negotiation)
        return;
    for (size_t s = 0; negotiation->choices && s < negotiation->graph->n; s++)
        param_free(negotiation->choices[s].tune);
    free(negotiation->choices);
    free(negotiation);
}
