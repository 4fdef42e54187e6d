/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/report.h"

#include "core/base/cpu.h"

#include <fecrun/sdk/sample.h>
#include <string.h>

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

/* ---- Registry ---- */

static json_t *backend_json(const struct registry_backend *rb)
{
    json_t *o = json_pack("{s:s, s:b}", "name", rb->backend->name, "available", rb->available);

    if (!rb->available)
        json_object_set_new(o, "reason", json_string(rb->reason));
    if (rb->backend->summary)
        json_object_set_new(o, "summary", json_string(rb->backend->summary));
    return o;
}

static const char *role_name(uint32_t role)
{
    return role == FECRUN_ROLE_SOURCE ? "source" : role == FECRUN_ROLE_SINK ? "sink" : "transform";
}

static json_t *stage_head(const struct registry_stage *entry)
{
    json_t *backends = json_array();

    for (size_t b = 0; b < entry->n_backends; b++)
        json_array_append_new(backends, backend_json(&entry->backends[b]));
    return json_pack("{s:s, s:s, s:s, s:s, s:o}", "name", entry->stage->name, "summary",
                     entry->stage->summary, "role", role_name(entry->stage->role), "plugin",
                     entry->plugin->plugin->name, "backends", backends);
}

static json_t *plugin_json(const struct loaded *file)
{
    const struct fecrun_plugin *p = file->plugin;

    if (!p)
        return json_pack("{s:s, s:b, s:s}", "path", file->path, "loaded", 0, "reason",
                         file->reason);
    return json_pack("{s:s, s:b, s:s, s:s, s:s}", "path", file->path, "loaded", 1, "name", p->name,
                     "version", p->version, "license", p->license);
}

static json_t *device_json(const struct registry_provider *p, int device)
{
    json_t *o = json_pack("{s:s, s:b, s:i, s:s}", "provider", p->provider->name, "available", 1,
                          "device", device, "description",
                          device < PROBE_DEVICES ? p->answer.description[device] : "");

    if (p->answer.software[0])
        json_object_set_new(o, "software", json_string(p->answer.software));
    return o;
}

/* Of providers that were asked. */
static json_t *devices_json(const struct registry *registry)
{
    json_t *all = json_array();

    for (size_t i = 0; i < registry->n_providers; i++) {
        const struct registry_provider *p = &registry->providers[i];
        if (p->probed && !p->answer.available)
            json_array_append_new(all, json_pack("{s:s, s:b, s:s}", "provider", p->provider->name,
                                                 "available", 0, "reason", p->answer.reason));
        for (int d = 0; p->answer.available && d < p->answer.devices; d++)
            json_array_append_new(all, device_json(p, d));
    }
    return all;
}

static json_t *plugins_json(const struct registry *registry)
{
    json_t *plugins = json_array();

    for (size_t i = 0; i < registry->n_files; i++)
        json_array_append_new(plugins, plugin_json(&registry->files[i]));
    return plugins;
}

static json_t *hidden_json(const struct registry *registry)
{
    json_t *all = json_array();

    for (size_t i = 0; i < registry->n_hidden; i++) {
        const struct registry_hidden *hidden = &registry->hidden[i];
        json_t *o = json_pack("{s:s, s:s, s:s}", "path", hidden->path, "name",
                              hidden->by->plugin->name, "by", hidden->by->path);
        if (hidden->stage)
            json_object_set_new(o, "stage", json_string(hidden->stage));
        json_array_append_new(all, o);
    }
    return all;
}

json_t *report_registry(const struct registry *registry)
{
    json_t *stages = json_array();

    for (size_t i = 0; i < registry->n_stages; i++)
        json_array_append_new(stages, stage_head(&registry->stages[i]));
    return json_pack("{s:s, s:o, s:o, s:o, s:o}", "type", "list", "plugins", plugins_json(registry),
                     "hidden", hidden_json(registry), "stages", stages, "devices",
                     devices_json(registry));
}

/* ---- One stage ---- */

static const char *param_type_name(uint32_t type)
{
    static const char *const names[] = {
        "?",    "integer",          "number",        "text", "choice",
        "bool", "list of integers", "list of texts", "path", "port or path"};

    return type < sizeof names / sizeof *names ? names[type] : "?";
}

static json_t *choices_help_json(const struct fecrun_param *p)
{
    json_t *helps = json_array();

    for (size_t i = 0; p->choices[i] && p->choices_help[i]; i++)
        json_array_append_new(helps, json_string(p->choices_help[i]));
    return helps;
}

static json_t *names_json(const char *const *names)
{
    json_t *all = json_array();

    for (; *names; names++)
        json_array_append_new(all, json_string(*names));
    return all;
}

/* {"nms": "min-sum"}; with "crc, and crc: 24a" for a word that sets two. */
static json_t *old_choices_json(const struct fecrun_param *p)
{
    json_t *o = json_object();

    for (size_t i = 0; p->old_choices[i]; i++) {
        const struct fecrun_old_choice *old = p->old_choices[i];
        json_object_set_new(o, old->old,
                            old->param
                                ? json_sprintf("%s, and %s: %s", old->now, old->param, old->value)
                                : json_string(old->now));
    }
    return o;
}

static void set_old(json_t *o, const struct fecrun_param *p)
{
    if (p->old_names)
        json_object_set_new(o, "old_names", names_json(p->old_names));
    if (p->type == FECRUN_VALUE_CHOICE && p->old_choices)
        json_object_set_new(o, "old_choices", old_choices_json(p));
}

static json_t *param_json(const struct fecrun_param *p)
{
    json_t *o = json_pack("{s:s, s:s, s:s, s:b}", "name", p->name, "type", param_type_name(p->type),
                          "help", p->help, "required", (p->flags & FECRUN_PARAM_REQUIRED) != 0);

    if (p->unit)
        json_object_set_new(o, "unit", json_string(p->unit));
    if (p->imin != p->imax) {
        json_object_set_new(o, "min", json_integer(p->imin));
        json_object_set_new(o, "max", json_integer(p->imax));
    }
    if (p->fmin != p->fmax) {
        json_object_set_new(o, "min", json_real(p->fmin));
        json_object_set_new(o, "max", json_real(p->fmax));
    }
    if (p->default_text)
        json_object_set_new(o, "default", json_string(p->default_text));
    if (p->flags & FECRUN_PARAM_MAY_AUTO)
        json_object_set_new(o, "auto", json_true());
    if (p->flags & FECRUN_PARAM_SHARED)
        json_object_set_new(o, "shared", json_true());
    if (p->flags & FECRUN_PARAM_SIZE)
        json_object_set_new(o, "blocks_column", json_true());
    if (p->type == FECRUN_VALUE_CHOICE) {
        json_t *choices = json_array();
        for (size_t i = 0; p->choices[i]; i++)
            json_array_append_new(choices, json_string(p->choices[i]));
        json_object_set_new(o, "choices", choices);
        if (p->choices_help)
            json_object_set_new(o, "choices_help", choices_help_json(p));
    }
    set_old(o, p);
    return o;
}

static json_t *params_json(const struct fecrun_param *const *params)
{
    json_t *all = json_array();

    for (size_t i = 0; params && params[i]; i++)
        json_array_append_new(all, param_json(params[i]));
    return all;
}

static json_t *ports_json(const struct fecrun_port *const *ports)
{
    json_t *all = json_array();

    for (size_t i = 0; ports[i]; i++) {
        json_t *kinds = json_array();
        for (uint32_t k = FECRUN_KIND_BITS; k <= FECRUN_KIND_VALUES; k <<= 1)
            if (ports[i]->kinds & k)
                json_array_append_new(kinds, json_string(plan_kind_name(k)));
        json_array_append_new(all, json_pack("{s:s, s:o, s:b, s:s}", "name", ports[i]->name,
                                             "takes", kinds, "optional",
                                             (ports[i]->flags & FECRUN_PORT_OPTIONAL) != 0, "help",
                                             ports[i]->help ? ports[i]->help : ""));
    }
    return all;
}

static json_t *forms_json(const struct fecrun_stage *stage, const struct fecrun_backend *backend)
{
    json_t *all = json_array();

    for (size_t f = 0; backend->forms[f]; f++) {
        json_t *in = json_array(), *out = json_array();
        for (size_t p = 0; stage->inputs[p]; p++)
            json_array_append_new(in, json_string(fecrun_type_name(backend->forms[f]->in[p].type)));
        for (size_t p = 0; stage->outputs[p]; p++)
            json_array_append_new(out,
                                  json_string(fecrun_type_name(backend->forms[f]->out[p].type)));
        json_array_append_new(all, json_pack("{s:o, s:o}", "in", in, "out", out));
    }
    return all;
}

static json_t *example_json(const struct fecrun_example *e)
{
    json_t *o = json_pack("{s:s}", "params", e->params);

    if (e->items)
        json_object_set_new(o, "items", json_integer((json_int_t)e->items));
    if (e->type)
        json_object_set_new(o, "type", json_string(fecrun_type_name(e->type)));
    if (e->llr_max > 0)
        json_object_set_new(o, "llr_max", json_real(e->llr_max));
    if (e->scheme)
        json_object_set_new(o, "scheme", json_string(e->scheme));
    if (e->n0 > 0)
        json_object_set_new(o, "n0", json_real(e->n0));
    if (e->stream)
        json_object_set_new(o, "stream", json_true());
    if (e->batch)
        json_object_set_new(o, "batch", json_integer(e->batch));
    if (e->corrects)
        json_object_set_new(o, "corrects", json_integer((json_int_t)e->corrects));
    if (e->symbol_items)
        json_object_set_new(o, "symbol_items", json_integer((json_int_t)e->symbol_items));
    return o;
}

static json_t *examples_json(const struct fecrun_stage *stage)
{
    const struct fecrun_example *const *examples = stage->examples;
    json_t *all = json_array();

    for (; examples && *examples; examples++)
        json_array_append_new(all, example_json(*examples));
    return all;
}

json_t *report_stage(const struct registry_stage *entry)
{
    json_t *o = stage_head(entry);
    json_t *backends = json_object_get(o, "backends");

    json_object_set_new(o, "type", json_string("describe"));
    json_object_set_new(o, "inputs", ports_json(entry->stage->inputs));
    json_object_set_new(o, "outputs", ports_json(entry->stage->outputs));
    json_object_set_new(o, "params", params_json(entry->stage->params));
    json_object_set_new(o, "examples", examples_json(entry->stage));
    if (entry->stage->undoes)
        json_object_set_new(o, "undoes", json_string(entry->stage->undoes));
    if (entry->stage->follows)
        json_object_set_new(o, "follows", json_string(entry->stage->follows));
    for (size_t b = 0; b < entry->n_backends; b++) {
        const struct fecrun_backend *backend = entry->backends[b].backend;
        json_t *row = json_array_get(backends, b);
        json_object_set_new(row, "forms", forms_json(entry->stage, backend));
        json_object_set_new(
            row, "agreement",
            json_string(backend->agreement == FECRUN_AGREEMENT_EXACT ? "exact" : "near"));
        if (backend->agreement != FECRUN_AGREEMENT_EXACT)
            json_object_set_new(row, "bound", json_real(backend->bound));
        json_object_set_new(row, "tune", params_json(backend->tune));
        if (backend->old_names)
            json_object_set_new(row, "old_names", names_json(backend->old_names));
    }
    return o;
}
