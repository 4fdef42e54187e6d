/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/plan/graph.h"

#include "core/base/array.h"
#include "core/plan/negotiate.h"
#include "core/plan/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned count_ports(const struct fecrun_port *const *ports)
{
    unsigned n = 0;

    while (ports[n])
        n++;
    return n;
}

int graph_find(const struct graph *graph, const char *id)
{
    for (size_t s = 0; s < graph->n; s++)
        if (!strcmp(graph->stages[s].decl->id, id))
            return (int)s;
    return -1;
}

bool graph_output_read(const struct graph *graph, size_t stage, unsigned port)
{
    for (size_t t = stage + 1; t < graph->n; t++)
        for (unsigned p = 0; p < graph->stages[t].n_in; p++)
            if (graph->stages[t].in[p].stage == (int)stage &&
                graph->stages[t].in[p].port == (int)port)
                return true;
    return false;
}

bool graph_reads_any(const struct graph *graph, size_t stage, const bool *marked)
{
    for (unsigned p = 0; p < graph->stages[stage].n_in; p++) {
        int from = graph->stages[stage].in[p].stage;
        if (from >= 0 && marked[from])
            return true;
    }
    return false;
}

/* ---- Stages and parameters ---- */

/* FNV-1a folded to 16 bits: depends on the stage's own name only, so that adding other stages
   leaves this one's random values as they are. */
static uint32_t random_number(const struct graph *graph, size_t s)
{
    uint32_t h = 2166136261u;

    for (const char *p = graph->stages[s].decl->id; *p; p++)
        h = (h ^ (unsigned char)*p) * 16777619u;
    h = (h >> 16 ^ h) & 0xffff;
    for (size_t i = 0; i < s; i++)
        if (graph->stages[i].random_stage == h) {
            h = (h + 1) & 0xffff; /* a collision within one file; start over */
            i = (size_t)-1;
        }
    return h;
}

/* Often it is not the name that is wrong, but the plugin that is missing. */
static const char *where_to_look(const struct registry *registry)
{
    if (!registry->n_stages)
        return " (no plugin was found: set FECRUN_PLUGIN_PATH or give --plugin-dir)";
    for (size_t i = 0; i < registry->n_files; i++)
        if (!registry->files[i].plugin)
            return ", and which plugins could not be loaded";
    return "";
}

static int unknown_stage(const struct graph *graph, const struct pipeline_stage *decl,
                         struct diag *diag)
{
    const struct registry_hidden *hidden = registry_find_hidden(graph->registry, decl->name);
    char hint[128];

    diag_fail_at(diag, DIAG_USAGE, decl->mark, "unknown stage `%s`%s; `fecrun list` shows all%s",
                 decl->name, registry_stage_hint(graph->registry, decl->name, hint, sizeof hint),
                 where_to_look(graph->registry));
    if (hidden)
        diag_add(diag, "; %s is not used, because %s has the same name", hidden->path,
                 hidden->by->path);
    return -1;
}

/* A stage's own wish counts before the pipeline's, which only binds stages that declare it. */
static void bind_wish(struct graph_stage *stage, const char *common)
{
    const char *own = stage->decl->backend, *wish = own ? own : common;
    char name[64];

    if (!wish || !strcmp(wish, "auto"))
        return;
    if (backend_name_split(wish, name, sizeof name, &stage->device))
        stage->wished = registry_backend(stage->entry, name);
    if (own || stage->wished)
        stage->wish = wish;
}

static int bind_stage(struct graph *graph, size_t s, struct diag *diag)
{
    static const char *const skip[] = {"id", "backend", "from", "tune", NULL};
    struct graph_stage *stage = &graph->stages[s];
    const struct pipeline_stage *decl = &graph->pipeline->stages[s];
    struct param_source source = {.label = decl->id,
                                  .map = decl->params,
                                  .mark = decl->mark,
                                  .place = &graph->pipeline->place,
                                  .skip = skip,
                                  .incomplete = true}; /* sweep, blocks may add some */

    stage->decl = decl;
    stage->entry = registry_find(graph->registry, decl->name);
    if (!stage->entry)
        return unknown_stage(graph, decl, diag);
    stage->stage = stage->entry->stage;
    stage->n_in = count_ports(stage->stage->inputs);
    stage->n_out = count_ports(stage->stage->outputs);
    stage->random_stage = random_number(graph, s);
    bind_wish(stage, graph->pipeline->backend);
    return param_read(&stage->params, stage->stage->params, &source, diag);
}

static int check_roles(const struct graph *graph, struct diag *diag)
{
    size_t last = graph->n - 1;

    for (size_t s = 0; s < graph->n; s++) {
        const struct graph_stage *stage = &graph->stages[s];
        uint32_t role = stage->stage->role;
        if (s == 0 && role != FECRUN_ROLE_SOURCE)
            return diag_fail_at(diag, DIAG_USAGE, stage->decl->mark,
                                "%s: a pipeline begins with a source", stage->decl->id);
        if (s == last && role != FECRUN_ROLE_SINK)
            return diag_fail_at(diag, DIAG_USAGE, stage->decl->mark,
                                "%s: a pipeline ends with a sink (sink.errors, sink.file, "
                                "sink.null)",
                                stage->decl->id);
        if (s < last && stage->stage->flags & FECRUN_STAGE_COUNTS)
            return diag_fail_at(diag, DIAG_USAGE, stage->decl->mark,
                                "%s: counts errors, and that only the last stage can",
                                stage->decl->id);
    }
    return 0;
}

int graph_size_param(const struct graph *graph, size_t stage, const char *name)
{
    int i = param_index(graph->stages[stage].params, name);

    return i >= 0 && graph->stages[stage].stage->params[i]->flags & FECRUN_PARAM_SIZE ? i : -1;
}

/* ---- Links ---- */

static int find_port(const struct fecrun_port *const *ports, const char *name)
{
    for (int p = 0; ports[p]; p++)
        if (!strcmp(ports[p]->name, name))
            return p;
    return -1;
}

/* "source", "ID" or "ID.PORT" of an earlier stage -> link; false: it names no port. */
static bool find_link(const struct graph *graph, size_t before, const char *text,
                      struct graph_link *link)
{
    if (!strcmp(text, "source")) {
        *link = (struct graph_link){0, 0};
        return true;
    }
    for (size_t s = 0; s < before; s++) {
        const char *id = graph->stages[s].decl->id;
        size_t n = strlen(id);
        int port;
        if (strncmp(text, id, n) || !graph->stages[s].n_out || (text[n] && text[n] != '.'))
            continue;
        port = text[n] ? find_port(graph->stages[s].stage->outputs, text + n + 1) : 0;
        if (port >= 0) {
            *link = (struct graph_link){(int)s, port};
            return true;
        }
    }
    return false;
}

/* Names that `from:` of stage s may have and that resemble the one it has. */
static const char *from_hint(const struct graph *graph, size_t s, char *buffer, size_t size)
{
    const char *from = graph->stages[s].decl->from, *dot = strrchr(from, '.');
    struct guess guess = {from, NULL, 0};
    struct graph_link link;

    buffer[0] = '\0';
    if (dot) { /* ID.PORT with a wrong PORT */
        char id[128];

        snprintf(id, sizeof id, "%.*s", (int)(dot - from), from);
        if (find_link(graph, s, id, &link)) {
            const struct graph_stage *stage = &graph->stages[link.stage];

            snprintf(buffer, size, " (%s has the output%s", id, stage->n_out > 1 ? "s" : "");
            for (unsigned p = 0; p < stage->n_out; p++)
                text_add(buffer, size, "%s %s%s", p ? "," : "", stage->stage->outputs[p]->name,
                         p + 1 == stage->n_out ? ")" : "");
            return buffer;
        }
    }
    for (size_t t = s; t < graph->n; t++)
        if (!strcmp(graph->stages[t].decl->id, from)) {
            snprintf(buffer, size,
                     t == s ? " (a stage cannot feed itself)" : " (that stage comes later)");
            return buffer;
        }
    for (size_t t = 0; t < s; t++)
        guess_try(&guess, graph->stages[t].decl->id);
    guess_try(&guess, "source");
    return guess_hint(&guess, buffer, size);
}

/* Input 0: the stage before, or what `from:` says. */
static int link_main_port(struct graph *graph, size_t s, struct diag *diag)
{
    struct graph_stage *stage = &graph->stages[s];
    char hint[192];

    if (!stage->n_in)
        return 0;
    stage->in[0] = (struct graph_link){(int)s - 1, 0};
    if (!stage->decl->from && !stage[-1].n_out)
        return diag_fail_at(diag, DIAG_USAGE, stage->decl->mark,
                            "%s: %s puts out nothing; `from:` says which stage feeds this one",
                            stage->decl->id, stage[-1].decl->id);
    if (!stage->decl->from || find_link(graph, s, stage->decl->from, &stage->in[0]))
        return 0;
    return diag_fail_at(diag, DIAG_USAGE, stage->decl->from_mark,
                        "%s.from: no stage before this one is called `%s`%s; ID, ID.PORT or "
                        "source is allowed",
                        stage->decl->id, stage->decl->from, from_hint(graph, s, hint, sizeof hint));
}

static int link_side_ports(struct graph *graph, size_t s, struct diag *diag)
{
    struct graph_stage *stage = &graph->stages[s];
    const struct fecrun_values *values = param_values(stage->params);

    for (size_t i = 0; stage->stage->params[i]; i++) {
        const struct fecrun_param *param = stage->stage->params[i];
        int port;
        if (param->type != FECRUN_VALUE_PORT || !values->v[i]->given)
            continue;
        port = find_port(stage->stage->inputs, param->name);
        if (port >= 0 && find_link(graph, s, values->v[i]->s, &stage->in[port]))
            continue;
        if (param_make_path(stage->params, param->name, diag))
            return -1;
    }
    return 0;
}

static int link_ports(struct graph *graph, size_t s, struct diag *diag)
{
    struct graph_stage *stage = &graph->stages[s];

    for (unsigned p = 0; p < FECRUN_MAX_PORTS; p++)
        stage->in[p] = (struct graph_link){-1, 0};
    if (link_main_port(graph, s, diag) || link_side_ports(graph, s, diag))
        return -1;
    for (unsigned p = 1; p < stage->n_in; p++)
        if (stage->in[p].stage < 0 && !(stage->stage->inputs[p]->flags & FECRUN_PORT_OPTIONAL))
            return diag_fail_at(diag, DIAG_USAGE, stage->decl->mark, "%s: input `%s` is not linked",
                                stage->decl->id, stage->stage->inputs[p]->name);
    return 0;
}

/* ---- Sweeps and blocks: every value is tried now, so that `check` finds what `run` would ---- */

static int check_sweep(const struct graph *graph, const struct pipeline_sweep *sweep,
                       struct diag *diag)
{
    int s = graph_find(graph, sweep->stage);
    struct param_set *copy;
    int status = 0, param;

    if (s < 0)
        return diag_fail_at(diag, DIAG_USAGE, sweep->mark, "sweep: no stage `%s`", sweep->stage);
    param = param_index(graph->stages[s].params, sweep->param);
    if (param >= 0 && graph->stages[s].stage->params[param]->type == FECRUN_VALUE_PORT)
        return diag_fail_at(diag, DIAG_USAGE, sweep->mark,
                            "sweep: %s.%s links stages and cannot change between points",
                            sweep->stage, sweep->param);
    copy = param_clone(graph->stages[s].params);
    if (!copy)
        return diag_fail(diag, DIAG_RUN, "out of memory");
    for (size_t i = 0; i < sweep->count && !status; i++)
        status = param_override(copy, sweep->param, sweep->values[i], sweep->mark, diag);
    param_free(copy);
    return status;
}

static int check_sweeps(const struct graph *graph, struct diag *diag)
{
    for (size_t i = 0; i < graph->pipeline->n_sweeps; i++)
        if (check_sweep(graph, &graph->pipeline->sweeps[i], diag))
            return -1;
    return 0;
}

/* 1: some stage does; -1: an option sets what blocks set row by row. */
static int takes_column(const struct graph *graph, const char *column, struct diag *diag)
{
    int takes = 0;

    for (size_t s = 0; s < graph->n; s++) {
        const struct param_set *params = graph->stages[s].params;
        if (graph_size_param(graph, s, column) < 0)
            continue;
        takes = 1;
        if (param_mark(params, column).file && !param_mark(params, column).line)
            return diag_fail_at(diag, DIAG_USAGE, param_mark(params, column),
                                "blocks: sets it, row by row");
    }
    return takes;
}

/* Tells the size parameters of all stages, each once. */
static int fail_column(const struct graph *graph, size_t column, struct diag *diag)
{
    const struct pipeline *p = graph->pipeline;
    const char *names[256] = {"cell", "user", "count"};
    char hint[96], list[400] = "";
    size_t n = 3;

    for (size_t s = 0; s < graph->n; s++) {
        const struct fecrun_param *const *params = graph->stages[s].stage->params;

        for (size_t i = 0; params[i] && n < 255; i++) {
            if (!(params[i]->flags & FECRUN_PARAM_SIZE) || array_index(names, params[i]->name) >= 0)
                continue;
            names[n++] = params[i]->name;
            text_add(list, sizeof list, "%s%s", *list ? ", " : "", params[i]->name);
        }
    }
    return diag_fail_at(
        diag, DIAG_USAGE, p->column_marks ? p->column_marks[column] : p->blocks[0].mark,
        "blocks: no stage of this pipeline has a size parameter `%s`%s; there %s%s",
        p->block_columns[column], diag_hint(hint, sizeof hint, p->block_columns[column], names),
        n > 3 ? "are " : "is none", list);
}

static int check_blocks(const struct graph *graph, struct diag *diag)
{
    const struct pipeline *p = graph->pipeline;

    for (size_t c = 0; c < p->n_block_columns; c++) {
        const int takes = takes_column(graph, p->block_columns[c], diag);
        if (takes <= 0)
            return takes < 0 ? -1 : fail_column(graph, c, diag);
    }
    return 0;
}

int graph_check_read(const struct graph *graph, struct diag *diag)
{
    for (size_t s = 0; s + 1 < graph->n; s++) {
        const struct graph_stage *stage = &graph->stages[s], *next = &graph->stages[s + 1];
        bool read = !stage->n_out;

        for (unsigned p = 0; p < stage->n_out; p++)
            read = read || graph_output_read(graph, s, p);
        if (!read && (!next->decl->from || !stage->n_in))
            return diag_fail_at(diag, DIAG_USAGE, stage->decl->mark,
                                "%s: no stage reads what it puts out", stage->decl->id);
        if (!read)
            return diag_fail_at(diag, DIAG_USAGE, next->decl->from_mark,
                                "%s.from: then no stage reads what %s puts out", next->decl->id,
                                stage->decl->id);
    }
    return 0;
}

static int bind(struct graph *g, const struct pipeline *pipeline, struct diag *diag)
{
    if (pipeline->n_stages < 2 || pipeline->n_stages > GRAPH_MAX_STAGES)
        return diag_fail_at(diag, DIAG_USAGE, pipeline->stages[0].mark,
                            "pipeline: has %zu stages, must have 2 to %d", pipeline->n_stages,
                            GRAPH_MAX_STAGES);
    g->stages = calloc(pipeline->n_stages, sizeof *g->stages);
    if (!g->stages)
        return diag_no_memory(diag);
    while (g->n < pipeline->n_stages)
        if (bind_stage(g, g->n++, diag)) /* one that fails may be half bound */
            return -1;
    if (check_roles(g, diag))
        return -1;
    for (size_t s = 0; s < g->n; s++)
        if (link_ports(g, s, diag))
            return -1;
    return check_sweeps(g, diag) || check_blocks(g, diag) ? -1 : 0;
}

int graph_bind(struct graph **graph, const struct pipeline *pipeline,
               const struct registry *registry, struct diag *diag)
{
    struct graph *g = calloc(1, sizeof *g);

    *graph = NULL;
    if (!g)
        return diag_no_memory(diag);
    g->pipeline = pipeline;
    g->registry = registry;
    if (bind(g, pipeline, diag)) {
        graph_free(g);
        return -1;
    }
    *graph = g;
    return 0;
}

void graph_free(struct graph *graph)
{
    if (!graph)
        return;
    for (size_t s = 0; graph->stages && s < graph->n; s++)
        param_free(graph->stages[s].params);
    free(graph->stages);
    free(graph);
}
