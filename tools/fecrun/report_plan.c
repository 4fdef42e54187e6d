/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/report.h"

#include "core/base/cpu.h"
#include "core/plan/candidates.h"
#include "core/plugin/calling.h"
#include "core/plan/share.h"
#include "tools/fecrun/signals.h"
#include "tools/fecrun/warnings.h"

#include <fecrun/sdk/simd.h>
#include <fecrun/sdk/params.h>
#include <fecrun/sdk/sample.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The plan's batch for people to read: the user's as given, the planner's no larger than a run. */
static uint64_t batch_of(const struct session *session, const struct session_plan *plan)
{
    uint64_t most = session_most(session, plan);

    return session->pipeline->batch || plan->frames < most ? plan->frames : most;
}

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

static json_t *frame_json(const struct fecrun_frame *f)
{
    json_t *o = json_pack("{s:s, s:I}", "kind", plan_kind_name(f->kind), "items",
                          (json_int_t)f->items);

    if (f->kind == FECRUN_KIND_LLR && f->llr_scale > 0)
        json_object_set_new(o, "llr_scale", json_real(f->llr_scale));
    if (f->kind == FECRUN_KIND_LLR && f->llr_max > 0)
        json_object_set_new(o, "llr_max", json_real(f->llr_max));
    if (f->pieces > 1)
        json_object_set_new(o, "pieces", json_integer(f->pieces));
    if (f->stream)
        json_object_set_new(o, "stream", json_true());
    return o;
}

static void space_text(const struct registry *registry, unsigned space, int device, char *text,
                       size_t size)
{
    if (space == SPACE_HOST)
        snprintf(text, size, "host");
    else
        snprintf(text, size, "%s:%d", registry->providers[space - 1].provider->name, device);
}

static json_t *values_json(const struct param_set *set)
{
    const struct fecrun_values *values = param_values(set);
    json_t *o = json_object();
    char text[256];

    for (size_t i = 0; i < values->count; i++)
        if (values->v[i]->given)
            json_object_set_new(o, param_schema(set)[i]->name,
                                json_string(param_text(set, i, text, sizeof text)));
    return o;
}

static json_t *input_json(const struct session *session, const struct session_plan *plan, size_t s,
                          unsigned port)
{
    const struct graph *graph = session->graph;
    const struct choice *choice = &plan->negotiation->choices[s];
    const struct edge *edge = &choice->in[port];
    const struct fecrun_frame *frame = &plan->plan->stages[edge->from_stage].out[edge->from_port];
    json_t *o = frame_json(frame);
    char from[64], to[64];

    space_text(session->registry, edge->from_space, plan->negotiation->device, from, sizeof from);
    space_text(session->registry, edge->to_space, plan->negotiation->device, to, sizeof to);
    json_object_set_new(o, "port", json_string(graph->stages[s].stage->inputs[port]->name));
    json_object_set_new(o, "from", json_string(graph->stages[edge->from_stage].decl->id));
    json_object_set_new(o, "type", json_string(fecrun_type_name(edge->to_type)));
    if (edge->from_type != edge->to_type)
        json_object_set_new(o, "converted_from", json_string(fecrun_type_name(edge->from_type)));
    if (edge->from_space != edge->to_space)
        json_object_set_new(o, "copied", json_sprintf("%s -> %s", from, to));
    return o;
}

/* Why an available backend b was not chosen for stage s, where the user asked for none. The host adds up places
   in the plugins' orders first, then copies between memories, conversions and stages that run. */
static json_t *refusal(const struct session *session, const struct session_plan *plan, size_t s,
                       size_t b)
{
    const struct registry_stage *entry = session->graph->stages[s].entry;
    const struct registry_backend *chosen = plan->negotiation->choices[s].backend;
    const size_t c = (size_t)(chosen - entry->backends);
    const char *missing = candidates_missing_port(plan->plan, s, entry->backends[b].backend);
    struct candidates options = {0};

    candidates_add(&options, &plan->shape, s, b);
    free(options.option);
    if (!options.n && options.refuser)
        return json_sprintf("%s%s%s", options.why.param, options.why.param[0] ? ": " : "",
                            options.why.text);
    if (!options.n && missing)
        return json_sprintf("it has no port `%s`, which is connected here", missing);
    if (!options.n)
        return json_string("none of its forms takes these frames");
    if (!b)
        return json_string("it is the reference, which is taken last");
    if (c && c < b)
        return json_sprintf("%s is before it in the plugin's order", chosen->backend->name);
    return json_string("it could run here, but stages around it would need copies or backends that "
                       "are later in their plugin's order");
}

/* Backends that were not chosen, and why. */
static json_t *refused_json(const struct session *session, const struct session_plan *plan,
                            size_t s)
{
    const struct registry_stage *entry = session->graph->stages[s].entry;
    const struct choice *choice = &plan->negotiation->choices[s];
    const char *wish = session->graph->stages[s].wish;
    json_t *all = json_array();

    for (size_t b = 0; b < entry->n_backends; b++) {
        const struct registry_backend *rb = &entry->backends[b];
        if (rb == choice->backend)
            continue;
        json_t *reason = !rb->probed      ? json_string("another one was asked for")
                         : !rb->available ? json_string(rb->reason)
                         : wish           ? json_string("another one was asked for")
                                          : refusal(session, plan, s, b);
        json_array_append_new(
            all, json_pack("{s:s, s:o}", "backend", rb->backend->name, "reason", reason));
    }
    return all;
}

/* Names of parameters that are another stage's, and that stage; NULL: none is. */
static json_t *taken_json(const struct plan *plan, size_t s)
{
    const struct param_set *set = plan->stages[s].params;
    const struct fecrun_values *values = param_values(set);
    int partner = share_partner(plan->graph, s);
    json_t *names = json_array();

    for (size_t i = 0; i < values->count; i++)
        if (values->v[i]->given == 3)
            json_array_append_new(names, json_string(param_schema(set)[i]->name));
    if (partner >= 0 && json_array_size(names))
        return json_pack("{s:s, s:o}", "from", plan->graph->stages[partner].decl->id, "params",
                         names);
    json_decref(names);
    return NULL;
}

/* Absent if nobody warned. */
static void set_warnings(json_t *o, const struct session *session)
{
    const struct warnings *warnings = session->warn_data;
    json_t *all = json_array();

    for (size_t i = 0; warnings && i < warnings->n; i++)
        json_array_append_new(all, json_string(warnings->text[i]));
    if (json_array_size(all))
        json_object_set(o, "warnings", all);
    json_decref(all);
}

/* What the backend says of the instance that it would make; absent if nothing. */
static void set_backend_note(json_t *o, const struct session *session,
                             const struct session_plan *plan, size_t s)
{
    const struct choice *choice = &plan->negotiation->choices[s];
    const struct fecrun_backend *backend = choice->backend->backend;
    const struct graph_stage *stage = &session->graph->stages[s];
    struct options_room room;
    struct fecrun_create args;
    char text[256] = "";

    if (!backend->note)
        return;
    args = options_create(&plan->shape, s, choice->form, choice->n_absorbed, 0, &room);
    args.tune = param_values(choice->tune);
    args.device = plan->negotiation->device;
    calling_begin(stage->decl->id, "note", stage->entry->plugin->path);
    backend->note(&args, text, sizeof text);
    calling_end(NULL);
    if (text[0])
        json_object_set_new(o, "backend_note", json_string(text));
}

static json_t *stage_json(const struct session *session, const struct session_plan *plan, size_t s)
{
    const struct graph_stage *stage = &session->graph->stages[s];
    const struct choice *choice = &plan->negotiation->choices[s];
    const struct plan_stage *ps = &plan->plan->stages[s];
    json_t *o = json_pack("{s:s, s:s, s:o}", "id", stage->decl->id, "name", stage->decl->name,
                          "params", values_json(ps->params));
    json_t *in = json_array(), *out = json_array(), *taken = taken_json(plan->plan, s);
    char space[64];

    if (choice->absorbed_by >= 0) {
        json_object_set_new(o, "absorbed_by",
                            json_string(session->graph->stages[choice->absorbed_by].decl->id));
    } else {
        space_text(session->registry, choice->space, plan->negotiation->device, space,
                   sizeof space);
        json_object_set_new(o, "backend", json_string(choice->backend->backend->name));
        json_object_set_new(o, "space", json_string(space));
        json_object_set_new(o, "tune", values_json(choice->tune));
        json_object_set_new(o, "refused", refused_json(session, plan, s));
        set_backend_note(o, session, plan, s);
        for (unsigned p = 0; p < stage->n_in; p++)
            if (choice->in[p].from_stage >= 0)
                json_array_append_new(in, input_json(session, plan, s, p));
    }
    for (unsigned p = 0; p < stage->n_out; p++) {
        json_t *frame = frame_json(&ps->out[p]);
        if (choice->absorbed_by < 0)
            json_object_set_new(frame, "type",
                                json_string(fecrun_type_name(choice->form->out[p].type)));
        json_array_append_new(out, frame);
    }
    json_object_set_new(o, "in", in);
    json_object_set_new(o, "out", out);
    if (taken)
        json_object_set_new(o, "taken", taken);
    if (ps->plan.note[0])
        json_object_set_new(o, "note", json_string(ps->plan.note));
    if (ps->plan.before || ps->plan.after)
        json_object_set_new(o, "margin",
                            json_pack("{s:I, s:I}", "before", (json_int_t)ps->plan.before, "after",
                                      (json_int_t)ps->plan.after));
    return o;
}

/* What `latency: low` does here, and what keeps it from doing more. */
static json_t *latency_note(const struct session *session, const struct session_plan *plan)
{
    const struct pipeline *pipeline = session->pipeline;
    const uint32_t flags = plan_flags(plan->plan, 0);
    const bool waits = (flags & FECRUN_STAGE_ORDERED) && !(flags & FECRUN_STAGE_SEEKS);

    return json_sprintf("%s%s%s",
                        pipeline->batch      ? "batches of the given size at most"
                        : pipeline->n_blocks ? "few rounds of the rows of blocks a batch"
                                             : "small batches",
                        waits ? ", each with what has come from " : "; nothing is waited for at ",
                        session->graph->stages[0].decl->id);
}

json_t *report_plan(const struct session *session, const struct session_plan *plan)
{
    json_t *stages = json_array();
    double eb, es;
    json_t *o;

    for (size_t s = 0; s < session->graph->n; s++)
        json_array_append_new(stages, stage_json(session, plan, s));
    o = json_pack("{s:s, s:I, s:i, s:i, s:o}", "type", "explain", "batch",
                  (json_int_t)batch_of(session, plan), "threads",
                  (int)session_workers(session, plan->negotiation), "in_flight",
                  (int)session->pipeline->in_flight, "stages", stages);
    if (session->pipeline->low_latency) {
        json_object_set_new(o, "latency", json_string("low"));
        json_object_set_new(o, "latency_note", latency_note(session, plan));
    }
    plan_snr(plan->plan, &eb, &es);
    if (!isnan(es))
        json_object_set_new(o, "esn0_db", json_real(es));
    if (!isnan(eb))
        json_object_set_new(o, "ebn0_db", json_real(eb));
    set_warnings(o, session);
    return o;
}

/* ---- Result files ---- */

static json_t *list_json(const struct fecrun_value *value, bool ints)
{
    json_t *list = json_array();

    for (size_t i = 0; i < value->count; i++)
        json_array_append_new(list, ints ? json_integer((json_int_t)value->ints[i])
                                         : json_string(value->strings[i]));
    return list;
}

static json_t *value_json(const struct param_set *set, size_t i)
{
    const struct fecrun_value *value = param_values(set)->v[i];
    uint32_t type = param_schema(set)[i]->type;

    if (value->is_auto)
        return json_string("auto");
    switch (type) {
    case FECRUN_VALUE_INT:
        return json_integer((json_int_t)value->i);
    case FECRUN_VALUE_FLOAT:
        return json_real(value->f);
    case FECRUN_VALUE_BOOL:
        return json_boolean(value->i);
    case FECRUN_VALUE_INTS:
    case FECRUN_VALUE_STRINGS:
        return list_json(value, type == FECRUN_VALUE_INTS);
    default:
        return json_string(value->s);
    }
}

/* With the types of JSON; least 2: only what the user wrote, no defaults. */
static json_t *typed_json(const struct param_set *set, uint32_t least)
{
    const struct fecrun_values *values = param_values(set);
    json_t *o = json_object();

    for (size_t i = 0; i < values->count; i++)
        if (values->v[i]->given >= least)
            json_object_set_new(o, param_schema(set)[i]->name, value_json(set, i));
    return o;
}

/* Is that parameter a value that was taken and changes with the partner's, between sweep points or
   rows of `blocks:`? Then it is no constant of the pipeline. */
static bool varies(const struct plan *plan, size_t s, size_t param)
{
    const struct pipeline *p = plan->graph->pipeline;
    const char *name = plan->graph->stages[s].stage->params[param]->name;
    int partner = share_partner(plan->graph, s), other;

    if (partner < 0 || param_values(plan->stages[s].params)->v[param]->given != 3)
        return false;
    for (size_t i = 0; i < p->n_sweeps; i++)
        if (!strcmp(p->sweeps[i].param, name) &&
            graph_find(plan->graph, p->sweeps[i].stage) == partner)
            return true;
    for (size_t c = 0; c < p->n_block_columns; c++)
        if (!strcmp(p->block_columns[c], name) &&
            graph_size_param(plan->graph, (size_t)partner, name) >= 0)
            return true;
    other = param_index(plan->stages[partner].params, name);
    return other >= 0 && varies(plan, (size_t)partner, (size_t)other);
}

/* What follows another stage's swept parameter, or column of `blocks:`, will do so again. */
static void drop_varying(json_t *values, const struct plan *plan, size_t s)
{
    const struct fecrun_param *const *schema = param_schema(plan->stages[s].params);

    for (size_t i = 0; schema[i]; i++)
        if (varies(plan, s, i))
            json_object_del(values, schema[i]->name);
}

static json_t *resolved_json(const struct session *session, const struct session_plan *plan)
{
    const struct graph *graph = session->graph;
    json_t *stages = json_array();

    for (size_t s = 0; s < graph->n; s++) {
        const struct pipeline_stage *decl = graph->stages[s].decl;
        const struct param_set *tune = plan->negotiation->choices[s].tune;
        json_t *values = typed_json(plan->plan->stages[s].params, 1);
        json_t *tunes = tune ? typed_json(tune, 2) : NULL;
        drop_varying(values, plan->plan, s);
        if (strcmp(decl->id, decl->name))
            json_object_set_new(values, "id", json_string(decl->id));
        if (decl->backend)
            json_object_set_new(values, "backend", json_string(decl->backend));
        if (decl->from)
            json_object_set_new(values, "from", json_string(decl->from));
        if (json_object_size(tunes))
            json_object_set(values, "tune", tunes);
        json_decref(tunes);
        json_array_append_new(stages, json_pack("{s:o}", decl->name, values));
    }
    return stages;
}

static json_t *stop_json(const struct run_limits *limits)
{
    json_t *o = json_object();

    if (limits->frame_errors)
        json_object_set_new(o, "frame_errors", json_integer((json_int_t)limits->frame_errors));
    if (limits->frames)
        json_object_set_new(o, "frames", json_integer((json_int_t)limits->frames));
    if (limits->seconds > 0)
        json_object_set_new(o, "seconds", json_real(limits->seconds));
    return o;
}

static json_t *auto_json(const struct pipeline_sweep *sweep)
{
    double first = 0, second = 0;

    conf_float(sweep->values[0], &first);
    conf_float(sweep->values[sweep->count > 1], &second);
    if (sweep->find_rate > 0)
        return json_pack("{s:{s:f, s:f, s:s, s:s}}", "find", sweep->find_ber ? "ber" : "fer",
                         sweep->find_rate, "tolerance_db", second - first, "from", sweep->values[0],
                         "to", sweep->values[sweep->count - 1]);
    return json_pack("{s:{s:s, s:f, s:s, s:f}}", "auto", "from", sweep->values[0], "step",
                     sweep->count > 1 ? second - first : 1, "to", sweep->values[sweep->count - 1],
                     "until_fer", sweep->until_fer);
}

static void add_sweep(json_t *to, const struct pipeline_sweep *sweep)
{
    json_t *values = json_array();
    char name[256];

    snprintf(name, sizeof name, "%s.%s", sweep->stage, sweep->param);
    if (sweep->until_fer > 0 || sweep->find_rate > 0) {
        json_decref(values);
        json_object_set_new(to, name, auto_json(sweep));
        return;
    }
    for (size_t v = 0; v < sweep->count; v++)
        json_array_append_new(values, json_string(sweep->values[v]));
    json_object_set_new(to, name, values);
}

static json_t *sweep_json(const struct pipeline *pipeline)
{
    json_t *o = json_object(), *zips = json_array();
    size_t end;

    for (size_t first = 0; first < pipeline->n_sweeps; first = end) {
        json_t *zip = json_object();
        for (end = first + 1; end < pipeline->n_sweeps && pipeline->sweeps[end].zipped; end++)
            continue;
        for (size_t i = first; i < end; i++)
            add_sweep(end - first > 1 ? zip : o, &pipeline->sweeps[i]);
        if (json_object_size(zip))
            json_array_append(zips, zip);
        json_decref(zip);
    }
    if (json_array_size(zips))
        json_object_set(o, "zip", zips);
    json_decref(zips);
    return o;
}

/* Incomplete after a signal, when nobody needs it any more. */
static json_t *blocks_json(const struct pipeline *pipeline)
{
    json_t *rows = json_array();

    for (size_t r = 0; r < pipeline->n_blocks && !fecrun_cancelled(signals_flag()); r++) {
        const struct pipeline_block *block = &pipeline->blocks[r];
        json_t *row = json_object();
        int64_t size;
        json_object_set_new(row, "cell", json_string(block->cell));
        json_object_set_new(row, "user", json_string(block->user));
        json_object_set_new(row, "count", json_integer((json_int_t)block->count));
        for (size_t c = 0; c < pipeline->n_block_columns; c++)
            if (conf_int(block->sizes[c], &size))
                json_object_set_new(row, pipeline->block_columns[c],
                                    json_integer((json_int_t)size));
        json_array_append_new(rows, row);
    }
    return rows;
}

/* JSON's integers end at 2^63 - 1 here; a text is read just as well. */
static json_t *seed_json(uint64_t seed)
{
    return seed > INT64_MAX ? json_sprintf("%llu", (unsigned long long)seed)
                            : json_integer((json_int_t)seed);
}

json_t *report_backends(const struct session *session, const struct session_plan *plan)
{
    json_t *o = json_object();

    for (size_t s = 0; s < session->graph->n; s++) {
        const struct choice *choice = &plan->negotiation->choices[s];
        const char *name = choice->absorbed_by >= 0
                               ? session->graph->stages[choice->absorbed_by].decl->id
                               : choice->backend->backend->name;
        char text[160];
        snprintf(text, sizeof text, "%s%s", choice->absorbed_by >= 0 ? "absorbed by " : "", name);
        json_object_set_new(o, session->graph->stages[s].decl->id, json_string(text));
    }
    return o;
}

/* Keys of a pipeline file, with all options applied: enough to run it again. */
static void set_request(json_t *o, const struct session *session, const struct session_plan *plan,
                        bool blocks)
{
    const struct pipeline *pipeline = session->pipeline;
    struct run_limits limits = session_limits(session, plan->plan);

    json_object_set_new(o, "in_flight", json_integer(pipeline->in_flight));
    if (pipeline->low_latency)
        json_object_set_new(o, "latency", json_string("low"));
    if (pipeline->backend)
        json_object_set_new(o, "backend", json_string(pipeline->backend));
    json_object_set_new(o, "stop", stop_json(&limits));
    json_object_set_new(o, "sweep", sweep_json(pipeline));
    if (pipeline->n_blocks && blocks)
        json_object_set_new(o, "blocks", blocks_json(pipeline));
    json_object_set_new(o, "pipeline", resolved_json(session, plan));
}

/* "AMD EPYC 9B14", or "unknown". Without stdio, which may have no memory: the name is not to depend on
   that. */
static const char *cpu_name(char *buffer, size_t size)
{
    char text[2048], *value;
    int fd = open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);

    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = 0;
    snprintf(buffer, size, "unknown");
    value = strstr(text, "model name");
    value = value ? strchr(value, ':') : NULL;
    if (!value)
        return buffer;
    value += strspn(value, ": \t");
    snprintf(buffer, size, "%.*s", (int)strcspn(value, "\n"), value);
    return buffer;
}

static json_t *make_run(const struct session *session, const struct session_plan *plan,
                        unsigned workers, bool blocks)
{
    json_t *registry = report_registry(session->registry);
    char name[128];
    json_t *o = json_pack(
        "{s:s, s:i, s:s, s:o, s:I, s:i, s:s, s:s, s:O, s:O, s:o}", "type", "run", "format", 1,
        "fecrun", PACKAGE_VERSION, "seed", seed_json(session->pipeline->seed), "batch",
        (json_int_t)batch_of(session, plan), "threads", (int)workers, "cpu",
        cpu_name(name, sizeof name), "isa", fecrun_isa_names[session->registry->host.isa],
        "devices", json_object_get(registry, "devices"), "plugins",
        json_object_get(registry, "plugins"), "backends", report_backends(session, plan));

    json_decref(registry);
    if (!o)
        return NULL;
    json_object_set_new(o, "file", json_string(session->pipeline->conf->file));
    set_warnings(o, session);
    set_request(o, session, plan, blocks);
    return o;
}

json_t *report_run(const struct session *session, const struct session_plan *plan, unsigned workers)
{
    return make_run(session, plan, workers, true);
}

json_t *report_head(const struct session *session, const struct session_plan *plan,
                    unsigned workers)
{
    return make_run(session, plan, workers, false);
}
