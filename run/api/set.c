/* SPDX-License-Identifier: BSD-2-Clause */
/* fecrun_set(): other values of parameters in a prepared pipeline. Stages that they do not affect are kept. */
#include "run/api/api_impl.h"

#include "core/base/array.h"
#include "run/file/pipeline_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- The values ---- */

/* Replaces the parameter's value, or adds it. Frees set->values after an error, else keeps them. */
static int put(struct pipeline *pipeline, const struct pipeline_sweep *set, struct diag *diag)
{
    size_t i = 0;

    while (i < pipeline->n_sweeps && (strcmp(pipeline->sweeps[i].stage, set->stage) ||
                                      strcmp(pipeline->sweeps[i].param, set->param)))
        i++;
    if (i < pipeline->n_sweeps) {
        free(pipeline->sweeps[i].values);
    } else if (array_grow(&pipeline->sweeps, i, sizeof *pipeline->sweeps)) {
        free(set->values);
        return diag_no_memory(diag);
    } else {
        pipeline->n_sweeps++;
    }
    pipeline->sweeps[i] = *set;
    return 0;
}

/* Returns why the stage's parameter cannot change. NULL: it can, or there is no such parameter. */
static const char *fixed(const struct graph *graph, size_t s, const char *param)
{
    static const char *const keys[] = {"id", "from", "backend", NULL};
    const struct param_set *set = graph->stages[s].params;
    const int i = param_index(set, param);

    if (i < 0 && (array_index(keys, param) >= 0 || !strncmp(param, "tune.", 5)))
        return "is fixed in a prepared pipeline; parameters of stages and seed may change";
    if (i >= 0 && param_schema(set)[i]->type == FECRUN_VALUE_PORT)
        return "links stages, which is fixed in a prepared pipeline";
    for (size_t c = 0; c < graph->pipeline->n_block_columns; c++)
        if (!strcmp(graph->pipeline->block_columns[c], param) &&
            graph_size_param(graph, s, param) >= 0)
            return "blocks: sets it, row by row";
    return NULL;
}

/* Puts present names in the place of old ones. Returns as refusal(): a word that sets two parameters is none. */
static const char *rename_old(const struct fecrun_stage *stage, struct pipeline_sweep *set,
                              char *hint, size_t room)
{
    const struct fecrun_param *now = pipeline_formerly(stage, set->param);
    const struct fecrun_old_choice *word;

    if (now)
        set->param = now->name;
    word = pipeline_old_word(stage, set->param, set->values[0]);
    if (word && word->param)
        snprintf(hint, room, "`%s` is an old word; write %s, and %s.%s=%s", word->old, word->now,
                 set->stage, word->param, word->value);
    else if (word)
        set->values[0] = (char *)word->now;
    return *hint ? "" : NULL;
}

/* Returns why NAME cannot be set. NULL: it can, and *set gets its stage and parameter. */
static const char *refusal(const struct pipeline *pipeline, const struct graph *graph,
                           const char *name, struct pipeline_sweep *set, char *hint, size_t room)
{
    const char *param;
    const int s = pipeline_find(pipeline, name, &param);

    if (s >= 0) {
        set->stage = pipeline->stages[s].id;
        set->param = param;
        param = rename_old(graph->stages[s].stage, set, hint, room);
        return param ? param : fixed(graph, (size_t)s, set->param);
    }
    if (pipeline_is_setting(name))
        return "is fixed in a prepared pipeline";
    pipeline_hint(pipeline, name, hint, room);
    return "unknown; STAGE.PARAM and seed may change";
}

#define OPTION "--set " /* stands before the text of a setting in messages */

/* Reads "STAGE.PARAM=VALUE" or "seed=VALUE". set.values is followed by the text and a copy to be cut. */
static int read_one(struct pipeline *pipeline, const struct graph *graph, const char *text,
                    struct diag *diag)
{
    const size_t length = strlen(text) + 1;
    struct pipeline_sweep set = {.count = 1,
                                 .values = malloc(sizeof(char *) + sizeof OPTION + 2 * length)};
    char *option = (char *)(set.values + 1), *name = option + sizeof OPTION + length, *value,
         hint[160] = "";
    const char *why = "must be NAME=VALUE";
    int status;

    if (!set.values)
        return diag_no_memory(diag);
    sprintf(option, OPTION "%s", text);
    strcpy(name, text);
    set.mark.file = option;
    value = strchr(name, '=');
    if (value && value > name) {
        *value++ = 0;
        set.values[0] = value;
        if (!strcmp(name, "seed")) {
            status = pipeline_read_seed(pipeline,
                                        &(struct conf_node){.text = value, .mark = set.mark}, diag);
            free(set.values);
            return status;
        }
        why = refusal(pipeline, graph, name, &set, hint, sizeof hint);
    }
    if (!why)
        return put(pipeline, &set, diag);
    setting_fail(set.mark, "", diag, "%s%s", why, hint);
    free(set.values);
    return -1;
}

/* Makes *next of the present values and those of the sets. */
static int read_sets(struct pipeline *next, const struct fecrun_prepared *prepared,
                     const char *const *sets, struct diag *diag)
{
    const struct graph *graph = prepared->session.graph;

    *next = prepared->pipeline;
    next->sweeps = NULL;
    next->n_sweeps = 0;
    next->batch = prepared->made->frames;
    for (size_t i = 0; i < prepared->pipeline.n_sweeps; i++)
        if (read_one(next, graph, prepared->pipeline.sweeps[i].mark.file + strlen(OPTION), diag))
            return -1;
    for (; *sets; sets++)
        if (read_one(next, graph, *sets, diag))
            return -1;
    return 0;
}

/* ---- Making what is new ---- */

struct renewal {
    struct fecrun_prepared *prepared;
    struct session_plan *next;
    struct exec *old, *new;
    bool keep[GRAPH_MAX_STAGES];
};

/* Creates all instances that are not kept. */
static int make_instances(struct renewal *r, struct diag *diag)
{
    int status;

    for (size_t s = 0; s < r->new->graph->n; s++)
        r->keep[s] = session_serves(r->prepared->made, r->next, s) &&
                     exec_frames(r->old, &r->prepared->made->shape, s, r->next->frames) ==
                         exec_frames(r->new, &r->next->shape, s, r->next->frames);
    r->new->kept = r->keep;
    status = exec_make_instances(r->new, &r->new->workers[0], diag);
    r->new->kept = NULL;
    return status;
}

#define SWAP(type, a, b) \
    do { \
        type swapped = (a); \
        (a) = (b); \
        (b) = swapped; \
    } while (0)

/* Exchanges the instances that are kept, scratch memory and the device's stream between the old exec and the new one. */
static void hand_over(struct renewal *r)
{
    struct worker *a = &r->old->workers[0], *b = &r->new->workers[0];

    SWAP(struct stream, a->stream, b->stream);
    SWAP(struct memory, a->scratch, b->scratch);
    SWAP(struct memory, a->device_scratch, b->device_scratch);
    for (size_t s = 0; s < r->new->graph->n; s++)
        if (r->keep[s])
            SWAP(void **, a->full.instances[s], b->full.instances[s]);
}

/* Keeps the codes that kept instances were created with, although their plan is freed. */
static void keep_codes(struct renewal *r)
{
    struct fecrun_prepared *prepared = r->prepared;
    struct shape *made = &prepared->made->shape;

    for (size_t s = 0; prepared->kept && s < made->graph->n; s++)
        for (size_t k = s - r->next->negotiation->choices[s].n_absorbed;
             r->keep[s] && !prepared->older[s] && k <= s; k++)
            for (size_t c = 0; c < made->n_classes; c++)
                SWAP(void *, made->plans[c]->stages[k].plan.code,
                     prepared->kept->shape.plans[c]->stages[k].plan.code);
    memcpy(prepared->older, r->keep, sizeof prepared->older);
    if (prepared->kept)
        prepared_drop(prepared->made);
    else
        prepared->kept = prepared->made;
    prepared->made = r->next;
}

/* Makes the slot's memory, from the old slot's where that is large enough. */
static int make_memory(struct renewal *r, struct diag *diag)
{
    struct line *line = &r->prepared->line;

    slot_free(line->slot, &r->old->layout);
    hand_over(r);
    if (!exec_start_worker(r->new, &r->new->workers[0], diag) &&
        !slot_make(line->slot, &r->new->layout, diag))
        return 0;
    hand_over(r);
    r->old->workers[0].started = false;
    r->prepared->broken = exec_start_worker(r->old, &r->old->workers[0], NULL) ||
                          slot_make(line->slot, &r->old->layout, NULL);
    if (!r->prepared->broken)
        prepared_place(r->prepared);
    return -1;
}

/* Makes the new exec. */
static int make_all(struct renewal *r, struct diag *diag)
{
    const struct exec_options options = {.workers = 1, .shares = true, .pool = r->prepared->pool};

    if (exec_open(r->new, r->next->negotiation, &r->next->shape, &options, diag))
        return -1;
    if (r->new->layout.device.space != r->old->layout.device.space ||
        r->new->layout.device.device != r->old->layout.device.device)
        diag_fail(diag, DIAG_USAGE, "with these values another device would take part");
    else if (!make_instances(r, diag) && !make_memory(r, diag))
        return 0;
    exec_close(r->new);
    return -1;
}

/* Replaces the exec and the plan. After an error nothing has changed. */
static int renew(struct fecrun_prepared *prepared, struct session_plan *next, struct diag *diag)
{
    struct renewal r = {.prepared = prepared,
                        .next = next,
                        .old = prepared->line.exec,
                        .new = calloc(1, sizeof *r.new)};

    if (!r.new)
        return diag_no_memory(diag);
    if (make_all(&r, diag)) {
        free(r.new);
        return -1;
    }
    exec_close(r.old);
    free(r.old);
    prepared->line.exec = r.new;
    prepared->line.worker = &r.new->workers[0];
    keep_codes(&r);
    prepared_place(prepared);
    memory_pool_drain(prepared->pool); /* what was too small */
    return 0;
}

/* ---- All of it ---- */

/* Plans with these values. Random numbers are those of a pipeline without a sweep. */
static int plan(const struct fecrun_prepared *prepared, const struct pipeline *pipeline,
                struct session_plan *next, struct diag *diag)
{
    struct session session = prepared->session;

    session.pipeline = (struct pipeline *)pipeline;
    if (session_plan(&session, 0, next, diag))
        return -1;
    if (!next->plan->stages[0].out[0].stream != !prepared->is_stream)
        return diag_fail(
            diag, DIAG_USAGE,
            "with these values the pipeline would take %s, which is fixed in a prepared "
            "pipeline",
            prepared->is_stream ? "frames" : "a stream");
    next->shape.point.n = 0;
    point_number(&next->shape.point, next->plan);
    next->shape.point.n = pipeline->n_sweeps; /* for the end of a stream */
    shape_set_frames(&next->shape, next->frames);
    return prepared_check(next, diag);
}

static int set(struct fecrun_prepared *prepared, const void *sets, struct diag *diag)
{
    struct session_plan *next = calloc(1, sizeof *next);
    struct pipeline pipeline = {0};

    if (!next)
        return diag_no_memory(diag);
    if (prepared->broken || prepared->feed.begun)
        diag_fail(diag, DIAG_USAGE,
                  prepared->broken ? "a call has failed before: prepare the pipeline again"
                                   : "a stream is under way: values may change once it has ended");
    else if (!line_wait(&prepared->line, diag) && !read_sets(&pipeline, prepared, sets, diag) &&
             !plan(prepared, &pipeline, next, diag) && !renew(prepared, next, diag)) {
        SWAP(struct pipeline, prepared->pipeline, pipeline);
        prepared->line.exec->seed = prepared->pipeline.seed;
        settings_free(&pipeline);
        return 0;
    }
    settings_free(&pipeline);
    prepared_drop(next);
    return -1;
}

int fecrun_set(struct fecrun_prepared *prepared, const char *const *sets,
               struct fecrun_message *message)
{
    NEED(prepared);
    NEED(sets);
    return api_call(prepared, set, sets, message);
}
