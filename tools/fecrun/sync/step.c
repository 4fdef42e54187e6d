/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/sync/step.h"

#include "core/batch/line.h"

#include <fecrun/sdk/params.h>
#include <jansson.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TELLS "reencoded"  /* the output that tells it */
#define NOISE "sync.noise" /* id of the stage that gives random signs */
#define NOISE_SEED 5592404
#define PIECE \
    20160 /* items of a stream's piece, where the file leaves it open: many things divide it */

/* ---- What tells it ---- */

static int teller_port(const struct fecrun_stage *stage)
{
    for (int p = 0; stage->outputs[p]; p++)
        if (!strcmp(stage->outputs[p]->name, TELLS))
            return p;
    return -1;
}

bool step_can_tell(const struct session *session)
{
    for (size_t s = 0; s < session->graph->n; s++) {
        const struct fecrun_stage *stage = session->graph->stages[s].stage;

        if (teller_port(stage) >= 0 || stage->flags & FECRUN_STAGE_CHECKS)
            return true;
    }
    return false;
}

/* ---- Another pipeline, as JSON ---- */

/* As it was written, numbers as texts, which are read just as well. */
static json_t *json_of(const struct conf_node *node)
{
    json_t *made = node->kind == CONF_MAP    ? json_object()
                   : node->kind == CONF_LIST ? json_array()
                                             : json_string(node->text);

    for (size_t i = 0; node->kind != CONF_SCALAR && i < node->count; i++)
        if (node->kind == CONF_MAP)
            json_object_set_new(made, node->keys[i]->text, json_of(node->items[i]));
        else
            json_array_append_new(made, json_of(node->items[i]));
    return made;
}

/* The first one of the host that can run, or the reference. */
static const char *backend_of(const struct graph_stage *stage, bool quick)
{
    const struct registry_stage *entry = stage->entry;

    for (size_t b = 1; quick && b < entry->n_backends; b++)
        if (!entry->backends[b].backend->provider && entry->backends[b].available)
            return entry->backends[b].backend->name;
    return entry->backends[0].backend->name;
}

static json_t *params_of(const struct graph_stage *stage, bool quick)
{
    json_t *params = stage->decl->params ? json_of(stage->decl->params) : json_object();

    json_object_set_new(params, "id", json_string(stage->decl->id));
    json_object_del(params, "from");
    if (stage->decl->from)
        json_object_set_new(params, "from", json_string(stage->decl->from));
    json_object_del(params, "tune");
    json_object_set_new(params, "backend", json_string(backend_of(stage, quick)));
    return params;
}

static void append(json_t *stages, const char *name, json_t *params)
{
    json_array_append_new(stages, json_pack("{s:o}", name, params));
}

/* The first stage whose input is LLRs; 0: none. */
static size_t first_of_llrs(const struct plan *plan)
{
    for (size_t s = 1; s < plan->graph->n; s++) {
        const struct fecrun_frame *in = plan_input(plan, s, 0);

        if (in && in->kind == FECRUN_KIND_LLR)
            return s;
    }
    return 0;
}

static void set_source(json_t *params, const struct session_plan *plan, const struct step_try *how)
{
    if (!json_object_get(params, "piece") && plan->plan->stages[0].out[0].stream)
        json_object_set_new(params, "piece", json_integer(PIECE));
    for (const struct step_setting *s = how->settings; s->name; s++)
        json_object_set_new(params, s->name, json_string(s->value));
}

/* Gives the link of a stage to the one in front of it. */
static void move_from(json_t *from, json_t *to)
{
    json_t *link = json_object_get(from, "from");

    if (link)
        json_object_set(to, "from", link);
    json_object_del(from, "from");
}

/* Stages on the host; sinks that write nothing; what tells it is read. Random signs, if so wanted. */
static json_t *change(const struct session *session, const struct session_plan *plan,
                      const struct step_try *how)
{
    const struct graph *graph = session->graph;
    const size_t noisy = how->noise ? first_of_llrs(plan->plan) : 0;
    json_t *changed = json_array();

    for (size_t s = 0; s < graph->n; s++) {
        const struct graph_stage *stage = &graph->stages[s];
        json_t *params = params_of(stage, how->quick);

        if (!s)
            set_source(params, plan, how);
        if (noisy && s == noisy) {
            json_t *noise = json_pack("{s:s, s:[i, i], s:i}", "id", NOISE, "polynomial", 23, 18,
                                      "seed", (int)(NOISE_SEED + how->noise));

            move_from(params, noise);
            append(changed, "frame.descramble", noise);
        }
        if (stage->stage->role == FECRUN_ROLE_SINK) {
            json_t *sink = json_pack("{s:s}", "id", stage->decl->id);

            move_from(params, sink);
            json_decref(params);
            append(changed, "sink.null", sink);
        } else {
            append(changed, stage->decl->name, params);
        }
    }
    for (size_t s = 0; s < graph->n; s++)
        if (teller_port(graph->stages[s].stage) >= 0)
            append(changed, "sink.null",
                   json_pack("{s:o, s:o}", "id", json_sprintf("sync.%zu", s), "from",
                             json_sprintf("%s." TELLS, graph->stages[s].decl->id)));
    return changed;
}

static char *make_text(const struct session *session, const struct step_try *how, struct diag *diag)
{
    struct session_plan plan;
    json_t *file;
    char *text;

    if (session_plan(session, 0, &plan, diag))
        return NULL;
    file = json_pack("{s:i, s:o}", "fecrun", 1, "pipeline", change(session, &plan, how));
    text = json_dumps(file, 0);
    if (!text)
        diag_no_memory(diag);
    json_decref(file);
    session_plan_free(&plan);
    return text;
}

/* ---- Its frames ---- */

struct sums {
    double share, square;
    uint64_t shares;
    struct step_result *result;
};

static void add_shares(const struct line *line, const struct graph *graph, struct sums *sums)
{
    for (size_t s = 0; s < graph->n; s++) {
        const int port = teller_port(graph->stages[s].stage);
        struct line_port values;

        for (uint64_t f = 0; port >= 0 && f < line_frames(line); f++) {
            if (!line_port(line, s, (unsigned)port, f, &values) || !values.on_host)
                continue;
            for (uint64_t p = 0; p < values.pieces; p++) {
                float share;

                memcpy(&share, values.data + p * values.stride, sizeof share);
                sums->share += share;
                sums->square += (double)share * share;
                sums->shares++;
            }
        }
    }
}

static bool is_silent(const struct line *line)
{
    struct line_port port;

    for (uint64_t f = 0; f < line_frames(line); f++) {
        if (!line_port(line, 0, 0, f, &port) || !port.on_host)
            return false;
        for (uint64_t i = 0; i < fecrun_bytes(port.type, port.frame->items); i++)
            if (port.data[i])
                return false;
    }
    return true;
}

static void add_verdicts(const struct line *line, struct step_result *result)
{
    struct line_port port;

    for (uint64_t f = 0; f < line_frames(line) && line_port(line, 0, 0, f, &port); f++) {
        result->checked += (port.info->flags & FECRUN_FRAME_CHECKED) != 0;
        result->failed += (port.info->flags & FECRUN_FRAME_FAILED) != 0;
    }
}

static int run_batches(const struct session_plan *plan, uint64_t items, const volatile int *cancel,
                       struct sums *sums, struct diag *diag)
{
    const struct fecrun_frame *source = &plan->plan->stages[0].out[0];
    struct step_result *result = sums->result;
    struct line line;
    bool ended = false;
    int status = 0;

    if (line_open(&line, plan->negotiation, &plan->shape, true, diag))
        return -1;
    while (!status && !ended && result->items < (double)items &&
           !(cancel && fecrun_cancelled(cancel))) {
        line_begin(&line, result->frames, plan->shape.frames);
        status = line_run(&line, 0, plan->plan->graph->n - 1, diag) || line_end(&line, diag) ||
                         line_wait(&line, diag)
                     ? -1
                     : 0;
        if (status)
            break;
        ended = line_frames(&line) < plan->shape.frames;
        add_shares(&line, plan->plan->graph, sums);
        add_verdicts(&line, result);
        result->silent = (result->silent || !result->frames) && is_silent(&line);
        result->frames += line_frames(&line);
        result->items += (double)(line_frames(&line) * source->items);
    }
    line_close(&line);
    return status;
}

static void set_share(struct step_result *result, const struct sums *sums)
{
    const double n = (double)sums->shares, mean = sums->share / n;
    const double variance = (sums->square / n - mean * mean) / (n - 1);

    result->reencoded = sums->shares ? mean : NAN;
    result->error = sums->shares > 1 ? sqrt(variance > 0 ? variance : 0) : NAN;
}

static int measure(const struct session *session, uint64_t items, const volatile int *cancel,
                   struct step_result *result, struct diag *diag)
{
    struct sums sums = {.result = result};
    struct session_plan plan;
    uint64_t frames;
    int status;

    if (session_plan(session, 0, &plan, diag))
        return -1;
    frames = items / plan.plan->stages[0].out[0].items;
    shape_set_frames(&plan.shape, frames < 1 ? 1 : frames > 64 ? 64 : frames);
    status = run_batches(&plan, items, cancel, &sums, diag);
    session_plan_free(&plan);
    set_share(result, &sums);
    return status;
}

/* References alone are asked, also where the file's stages are on others. */
static int is_reference(void *data, const struct registry_stage *stage,
                        const struct registry_backend *backend)
{
    (void)data;
    return backend == &stage->backends[0] ? 0 : REGISTRY_NOT;
}

/* The host's backends of the file's stages. */
static int is_quick(void *data, const struct registry_stage *stage,
                    const struct registry_backend *backend)
{
    const struct graph *graph = data;

    for (size_t s = 0; !backend->backend->provider && s < graph->n; s++)
        if (graph->stages[s].entry == stage)
            return 0;
    return REGISTRY_NOT;
}

static int measure_so(const struct session *session, const struct step_try *how, uint64_t items,
                      const volatile int *cancel, struct step_result *result, struct diag *diag)
{
    char *text = make_text(session, how, diag);
    struct pipeline_options options = {.text = text, .place = session->pipeline->place};
    struct session other = {.registry = session->registry, .threads = 1};
    int status = -1;

    *result = (struct step_result){.reencoded = NAN};
    if (!text)
        return -1;
    options.text_size = strlen(text);
    if (!pipeline_load(&other.pipeline, "sync", &options, diag) &&
        !graph_bind(&other.graph, other.pipeline, session->registry, diag) &&
        !registry_probe(session->registry, is_reference, other.graph, diag))
        status = measure(&other, items, cancel, result, diag);
    graph_free(other.graph);
    pipeline_free(other.pipeline);
    free(text);
    return status;
}

int step_measure(const struct session *session, const struct step_try *how, uint64_t items,
                 const volatile int *cancel, struct step_result *result, struct diag *diag)
{
    struct step_try so = *how;
    struct diag ignored = {0};

    if (how->quick && !registry_probe(session->registry, is_quick, session->graph, &ignored) &&
        !measure_so(session, how, items, cancel, result, &ignored))
        return 0;
    so.quick = false;
    return measure_so(session, &so, items, cancel, result, diag);
}
