/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/plan/negotiate.h"

#include "core/base/array.h"
#include "core/plan/candidates.h"

#include <fecrun/sdk/sample.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Stage by stage, a list of partial solutions is kept, up to that stage, which runs itself. One that absorbs k stages
 * goes on from the list k + 1 stages before. What the rest of the pipeline can see of a partial solution is its frontier:
 * the options of stages that a later stage still reads from. Of two partial solutions with the same frontier and the same
 * device only the cheaper one can be part of the best, so the lists stay short and the result is still exact.
 */
struct partial {
    unsigned cost;
    unsigned space; /* of the device that it has chosen, if any: there is one in a pipeline */
    unsigned pick[GRAPH_MAX_STAGES]; /* index into the options of a stage that runs itself */
};

struct list {
    struct partial *partial;
    size_t n;
};

struct search {
    const struct plan *plan;
    struct candidates *options; /* one list a stage */
    struct list *before;        /* [s]: solutions of stages 0 to s - 1; [n]: of all */
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
                         .from_type = from->form->out[link.port].type,
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

    if (edge->from_type == edge->to_type)
        return true;
    if (edge->from_space == SPACE_HOST || edge->to_space == SPACE_HOST)
        return fecrun_convert_known(edge->from_type, edge->to_type);
    provider = plan->graph->registry->providers[edge->to_space - 1].provider;
    return edge->from_space == edge->to_space && provider->convert &&
           provider->convert(0, NULL, &from, &to, NULL) == 0;
}

/* Adds option o of stage s to the partial solution; false: it does not fit. */
static bool extend(const struct search *search, struct partial *partial, size_t s, size_t o)
{
    const struct candidate *option = &search->options[s].option[o];

    if (partial->space != SPACE_HOST && option->space != SPACE_HOST &&
        partial->space != option->space)
        return false;
    partial->cost += option->cost;
    for (unsigned p = 0; p < search->plan->graph->stages[s].n_in; p++) {
        struct edge edge = edge_of(search, partial, s, option, p);
        if (edge.from_stage < 0)
            continue;
        if (!edge_possible(search->plan, &edge))
            return false;
        partial->cost += (edge.from_space != edge.to_space ? 100 : 0) +
                         (edge.from_type != edge.to_type ? 10 : 0);
    }
    if (option->space != SPACE_HOST)
        partial->space = option->space;
    partial->pick[s] = (unsigned)o;
    return true;
}

/* Do stages after s read from stage t? */
static bool in_frontier(const struct graph *graph, size_t t, size_t s)
{
    for (size_t u = s + 1; u < graph->n; u++)
        for (unsigned p = 0; p < graph->stages[u].n_in; p++)
            if (graph->stages[u].in[p].stage == (int)t)
                return true;
    return false;
}

static bool same_frontier(const struct graph *graph, const struct partial *a,
                          const struct partial *b, size_t s)
{
    if (a->space != b->space)
        return false;
    for (size_t t = 0; t <= s; t++)
        if (a->pick[t] != b->pick[t] && in_frontier(graph, t, s))
            return false;
    return true;
}

/* Keeps the cheaper of two with the same frontier. */
static int keep(const struct graph *graph, struct list *list, const struct partial *partial,
                size_t s)
{
    for (size_t i = 0; i < list->n; i++)
        if (same_frontier(graph, &list->partial[i], partial, s)) {
            if (partial->cost < list->partial[i].cost)
                list->partial[i] = *partial;
            return 0;
        }
    if (array_grow(&list->partial, list->n, sizeof *list->partial))
        return -1;
    list->partial[list->n++] = *partial;
    return 0;
}

/* Fills the list behind stage s; why: where it stays empty. */
static int step(struct search *search, const struct shape *shape, size_t s, struct diag *why)
{
    struct candidates *options = &search->options[s];
    struct list *list = &search->before[s + 1];

    if (candidates_list(options, shape, s, why))
        return why->status == DIAG_RUN ? -1 : 0;
    for (size_t o = 0; o < options->n; o++) {
        const struct list *from = &search->before[s - options->option[o].n_absorbed];
        for (size_t i = 0; i < from->n; i++) {
            struct partial partial = from->partial[i];
            if (extend(search, &partial, s, o) && keep(shape->graph, list, &partial, s))
                return diag_no_memory(why);
        }
    }
    if (!list->n)
        diag_fail_at(why, DIAG_USAGE, shape->graph->stages[s].decl->mark,
                     "%s: no lossless conversion leads from the stages before it to any of its "
                     "backends, or they are on different devices",
                     shape->graph->stages[s].decl->id);
    return 0;
}

/* ---- The best one, as choices ---- */

static void fill_choices(struct negotiation *n, const struct search *search,
                         const struct partial *best)
{
    unsigned absorbed = 0; /* stages before the last one that runs itself */
    size_t runs = 0;       /* that one */

    for (size_t s = n->graph->n; s-- > 0;) {
        struct choice *choice = &n->choices[s];
        const struct candidate *option;
        for (unsigned p = 0; p < FECRUN_MAX_PORTS; p++)
            choice->in[p].from_stage = -1;
        choice->absorbed_by = absorbed ? (int)runs : -1;
        if (absorbed && absorbed--)
            continue;
        option = picked(search, best, s);
        runs = s;
        absorbed = choice->n_absorbed = option->n_absorbed;
        choice->backend = option->backend;
        choice->form = option->form;
        choice->space = option->space;
        if (option->space != SPACE_HOST) {
            n->space = option->space;
            n->device = option->device;
        }
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

/* Stages that cannot run themselves may be absorbed by a later one; if none does so, the first of them is at fault. */
static int run_search(struct search *search, const struct shape *shape, struct diag *diag)
{
    const size_t n = shape->graph->n;
    struct diag fault = {0};

    search->options = calloc(n, sizeof *search->options);
    search->before = calloc(n + 1, sizeof *search->before);
    if (!search->options || !search->before ||
        !(search->before[0].partial = calloc(1, sizeof *search->before[0].partial)))
        return diag_no_memory(diag);
    search->before[0].n = 1;
    for (size_t s = 0; s < n; s++) {
        struct diag why = {0};
        if (step(search, shape, s, &why))
            return diag_fail(diag, why.status, "%s", why.text);
        if (search->before[s + 1].n || !fault.status)
            fault = why;
    }
    return fault.status ? diag_fail(diag, fault.status, "%s", fault.text) : 0;
}

static int choose(struct negotiation *n, struct search *search, const struct shape *shape,
                  struct diag *diag)
{
    const struct graph *graph = shape->graph;
    const struct list *all;
    const struct partial *best;

    n->graph = graph;
    n->choices = calloc(graph->n, sizeof *n->choices);
    if (!n->choices)
        return diag_no_memory(diag);
    if (check_common_wish(graph, diag) || candidates_one_device(graph, diag) ||
        run_search(search, shape, diag))
        return -1;
    all = &search->before[graph->n];
    best = all->partial;
    for (size_t i = 1; i < all->n; i++)
        if (all->partial[i].cost < best->cost)
            best = &all->partial[i];
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

    for (size_t s = 0; search.options && s < shape->graph->n; s++)
        free(search.options[s].option);
    for (size_t s = 0; search.before && s <= shape->graph->n; s++)
        free(search.before[s].partial);
    free(search.options);
    free(search.before);
    if (status)
        negotiation_free(n);
    *negotiation = status ? NULL : n;
    return status;
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
