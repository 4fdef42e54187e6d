/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/plan/plan.h"
#include "core/plan/graph.h"

#include "core/plan/share.h"
#include "core/plugin/calling.h"

#include <fecrun/sdk/sample.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *plan_kind_name(uint32_t kind)
{
    return kind == FECRUN_KIND_BITS      ? "bits"
           : kind == FECRUN_KIND_LLR     ? "LLRs"
           : kind == FECRUN_KIND_SYMBOLS ? "symbols"
           : kind == FECRUN_KIND_VALUES  ? "values"
                                         : "nothing";
}

const struct fecrun_frame *plan_input(const struct plan *plan, size_t stage, unsigned port)
{
    struct graph_link link = plan->graph->stages[stage].in[port];

    return link.stage < 0 ? NULL : &plan->stages[link.stage].out[link.port];
}

uint32_t plan_flags(const struct plan *plan, size_t stage)
{
    return plan->graph->stages[stage].stage->flags | plan->stages[stage].plan.flags;
}

/* "bits or LLRs" */
static const char *kinds_text(uint32_t kinds, char *text, size_t size)
{
    text[0] = '\0';
    for (uint32_t kind = FECRUN_KIND_BITS; kind <= FECRUN_KIND_VALUES; kind <<= 1)
        if (kinds & kind)
            text_add(text, size, "%s%s", *text ? " or " : "", plan_kind_name(kind));
    return text;
}

static int check_input(const struct plan *plan, size_t s, unsigned port, struct diag *diag)
{
    const struct graph_stage *stage = &plan->graph->stages[s];
    const struct fecrun_port *p = stage->stage->inputs[port];
    const struct fecrun_frame *frame = plan_input(plan, s, port);
    const struct graph_stage *from;
    char kinds[48];

    if (frame && frame->pieces != plan_input(plan, s, 0)->pieces)
        return diag_fail_at(diag, DIAG_USAGE, stage->decl->mark,
                            "%s: input `%s` has %u frames for each one of the source, and `%s` has "
                            "%u; all inputs must have as many",
                            stage->decl->id, p->name, frame->pieces, stage->stage->inputs[0]->name,
                            plan_input(plan, s, 0)->pieces);
    if (!frame || frame->kind & p->kinds)
        return 0;
    from = &plan->graph->stages[stage->in[port].stage];
    return diag_fail_at(diag, DIAG_USAGE, stage->decl->mark,
                        "%s: input `%s` takes %s, but %s gives %s", stage->decl->id, p->name,
                        kinds_text(p->kinds, kinds, sizeof kinds), from->decl->id,
                        plan_kind_name(frame->kind));
}

static int check_output(struct plan *plan, size_t s, unsigned port, struct diag *diag)
{
    const struct graph_stage *stage = &plan->graph->stages[s];
    struct fecrun_frame *frame = &plan->stages[s].out[port];
    const struct fecrun_frame *in = stage->n_in ? plan_input(plan, s, 0) : NULL;
    const uint64_t most = (uint64_t)1 << 40;
    bool type_ok = fecrun_type_kinds(frame->type) & frame->kind;
    char pieces[48] = "";

    if (!frame->pieces)
        frame->pieces = in ? in->pieces : 1;
    if (frame->pieces > 1)
        snprintf(pieces, sizeof pieces, "%s in %u pieces", frame->stream ? " of a stream" : "",
                 frame->pieces);
    /* 2^40 items: sizes of frames do not overflow, those of batches see to it (bytes_times) */
    if (!type_ok || frame->kind & (frame->kind - 1) || !frame->items ||
        frame->items > most / frame->pieces || (frame->pieces > 1 && (frame->stream || !in)))
        return diag_fail_at(diag, DIAG_RUN, stage->decl->mark,
                            "%s: the plugin planned an impossible frame at output `%s` "
                            "(%llu items%s)",
                            stage->decl->id, stage->stage->outputs[port]->name,
                            (unsigned long long)frame->items, pieces);
    return 0;
}

/* What is wrong with one row of `blocks:` alone is told with the row's place. */
static int plan_fail(const struct plan *plan, size_t s, const struct pipeline_block *block,
                     const struct fecrun_error *err, struct diag *diag)
{
    const struct param_set *params = plan->stages[s].params;
    int i = param_index(params, err->param);

    if (!block || diag_says_refused(err->text) ||
        (i >= 0 && param_values(params)->v[i]->given == 2))
        return param_fail(params, DIAG_USAGE, err, diag);
    return diag_fail_at(diag, DIAG_USAGE, block->mark, "%s%s%s: %s",
                        plan->graph->stages[s].decl->id, err->param[0] ? "." : "", err->param,
                        err->text[0] ? err->text : "failed without a reason");
}

static int plan_stage(struct plan *plan, size_t s, const struct pipeline_block *block,
                      struct diag *diag)
{
    const struct graph_stage *stage = &plan->graph->stages[s];
    struct plan_stage *ps = &plan->stages[s];
    const struct fecrun_frame *in[FECRUN_MAX_PORTS] = {NULL};
    struct fecrun_frame *out[FECRUN_MAX_PORTS] = {NULL};
    struct fecrun_error err = {.size = sizeof err};
    int status;

    for (unsigned p = 0; p < stage->n_in; p++) {
        if (check_input(plan, s, p, diag))
            return -1;
        in[p] = plan_input(plan, s, p);
    }
    for (unsigned p = 0; p < stage->n_out; p++) {
        ps->out[p].size = sizeof ps->out[p];
        out[p] = &ps->out[p];
    }
    ps->sim.size = sizeof ps->sim;
    ps->plan = (struct fecrun_plan){.size = sizeof ps->plan, .sim = &ps->sim};
    calling_begin(stage->decl->id, "plan", stage->entry->plugin->path);
    status = stage->stage->plan(&plan->graph->registry->host, param_values(ps->params), in, out,
                                &ps->plan, &err);
    calling_end(&err);
    if (status) {
        ps->plan.code = NULL;
        share_explain(plan, s, &err);
        return plan_fail(plan, s, block, &err, diag);
    }
    for (unsigned p = 0; p < stage->n_out; p++)
        if (check_output(plan, s, p, diag))
            return -1;
    if (s > 0 && !stage->n_in && (ps->out[0].stream || plan->stages[0].out[0].stream))
        return diag_fail_at(diag, DIAG_USAGE, stage->decl->mark,
                            "%s: a source beside the first one gives a frame for each of its "
                            "frames, and a stream has none",
                            stage->decl->id);
    return 0;
}

const char *point_value(const struct point *point, size_t i)
{
    size_t at = point->at;

    for (size_t k = point->n; --k > i;)
        at /= point->sweeps[k].zipped ? 1 : point->sweeps[k].count;
    return point->sweeps[i].values[at % point->sweeps[i].count];
}

static int override_params(struct plan *plan, const struct plan_request *request, struct diag *diag)
{
    const struct graph *graph = plan->graph;

    for (size_t i = 0; request->point && i < request->point->n; i++) {
        const struct pipeline_sweep *sweep = &request->point->sweeps[i];
        int s = graph_find(graph, sweep->stage);
        if (param_override(plan->stages[s].params, sweep->param, point_value(request->point, i),
                           sweep->mark, diag))
            return -1;
    }
    for (size_t c = 0; request->block && c < graph->pipeline->n_block_columns; c++) {
        const char *column = graph->pipeline->block_columns[c];
        for (size_t s = 0; s < graph->n; s++)
            if (graph_size_param(graph, s, column) >= 0 &&
                param_override(
                    plan->stages[s].params, column, request->block->sizes[c],
                    request->block->marks ? request->block->marks[c] : request->block->mark, diag))
                return -1;
    }
    return 0;
}

/* The frame that ends a stream carries its share of bits, so that its Eb/N0 is that of the rest. */
static void cut_tail(struct fecrun_frame *frame, uint64_t items)
{
    double share = (double)items / (double)frame->items;

    frame->info_bits = (uint64_t)llround((double)frame->info_bits * share);
    frame->channel_bits = (uint64_t)llround((double)frame->channel_bits * share);
    frame->items = items;
    frame->stream = 2;
}

int plan_make(struct plan **plan, const struct graph *graph, const struct plan_request *request,
              struct diag *diag)
{
    struct plan *p = calloc(1, sizeof *p);

    *plan = NULL;
    if (!p || !(p->stages = calloc(graph->n, sizeof *p->stages))) {
        free(p);
        return diag_fail(diag, DIAG_RUN, "out of memory");
    }
    p->graph = graph;
    for (size_t s = 0; s < graph->n; s++)
        if (!(p->stages[s].params = param_clone(graph->stages[s].params))) {
            diag_fail(diag, DIAG_RUN, "out of memory");
            goto fail;
        }
    if (override_params(p, request, diag))
        goto fail;
    for (size_t s = 0; s < graph->n; s++) {
        if (share_take(p, s, diag) || param_require(p->stages[s].params, diag) ||
            plan_stage(p, s, request->block, diag) || share_check(p, s, diag))
            goto fail;
        if (s == 0 && request->tail_items)
            cut_tail(&p->stages[0].out[0], request->tail_items);
    }
    *plan = p;
    return 0;
fail:
    plan_free(p);
    return -1;
}

void plan_free(struct plan *plan)
{
    if (!plan)
        return;
    for (size_t s = 0; s < plan->graph->n; s++) {
        if (plan->graph->stages[s].stage->plan_free)
            plan->graph->stages[s].stage->plan_free(plan->stages[s].plan.code);
        param_free(plan->stages[s].params);
    }
    free(plan->stages);
    free(plan);
}

void plan_snr(const struct plan *plan, double *ebn0_db, double *esn0_db)
{
    *ebn0_db = *esn0_db = NAN;
    for (size_t s = 0; s < plan->graph->n; s++) {
        const struct fecrun_frame *frame = &plan->stages[s].out[0];
        if (!plan->graph->stages[s].n_out || !(frame->n0 > 0))
            continue;
        *esn0_db = 0 - 10 * log10(frame->n0); /* no negative zero */
        if (frame->info_bits && frame->channel_bits && frame->bits_per_symbol)
            *ebn0_db = *esn0_db - 10 * log10((double)frame->info_bits * frame->bits_per_symbol /
                                             ((double)frame->channel_bits * frame->pieces));
    }
}

/* ---- What the RNG knows a point by ---- */

/* FNV-1a over "STAGE.PARAM=value" with the canonical value: 4, 4.0 and "4" are one point. */
static uint32_t hash_value(const struct plan *plan, size_t s, const struct pipeline_sweep *sweep)
{
    const struct param_set *set = plan->stages[s].params;
    char value[256], text[512];
    uint32_t hash = 2166136261u;

    snprintf(text, sizeof text, "%s.%s=%s", sweep->stage, sweep->param,
             param_text(set, (size_t)param_index(set, sweep->param), value, sizeof value));
    for (const char *p = text; *p; p++)
        hash = (hash ^ (unsigned char)*p) * 16777619u;
    return hash;
}

/* Sums, so that the order of the sweeps does not matter. */
void point_number(struct point *point, const struct plan *plan)
{
    const struct graph *graph = plan->graph;
    uint32_t past = 0;

    memset(point->numbers, 0, sizeof point->numbers);
    for (size_t i = 0; i < point->n; i++) {
        const size_t from = (size_t)graph_find(graph, point->sweeps[i].stage);
        const uint32_t hash = hash_value(plan, from, &point->sweeps[i]);
        bool reached[GRAPH_MAX_STAGES] = {false};

        for (size_t s = from; s < graph->n; s++) {
            reached[s] = s == from || graph_reads_any(graph, s, reached);
            point->numbers[s] += reached[s] ? hash : 0;
        }
    }
    for (size_t s = 0; s < graph->n; s++)
        past += plan->stages[s].sim.past;
    for (size_t s = 0; s < graph->n; s++)
        if (graph->stages[s].stage->role == FECRUN_ROLE_TRANSFORM)
            point->numbers[s] += past;
}
