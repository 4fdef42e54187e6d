/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/plan/candidates.h"

#include "core/base/array.h"
#include "core/plugin/calling.h"

#include <fecrun/sdk/sample.h>
#include <fecrun/sdk/params.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Does a form fit the frames at the ports? ---- */

static bool input_fits(const struct plan *plan, size_t s, unsigned port,
                       const struct fecrun_sample *sample)
{
    const struct fecrun_frame *frame = plan_input(plan, s, port);

    if (!frame)
        return true; /* an optional port that is not linked */
    if (!fecrun_type_holds(sample->type, frame->type))
        return false;
    if (sample->llr_max > 0 && !(frame->llr_max > 0 && frame->llr_max <= sample->llr_max))
        return false;
    return true;
}

/* Margins of a stream are cut between bytes, and its frames must lie without gap. */
static bool margins_fit(const struct plan *plan, size_t s, unsigned n_absorbed,
                        const struct fecrun_form *form)
{
    const struct fecrun_plan *want = &plan->stages[s].plan;

    return (!want->before && !want->after) ||
           plan_input(plan, s - n_absorbed, 0)->items % fecrun_type_per_byte(form->in[0].type) == 0;
}

/* With absorbed stages, input 0 is what the first of them would get. */
static bool form_fits(const struct plan *plan, size_t s, unsigned n_absorbed,
                      const struct fecrun_form *form)
{
    const struct graph_stage *stage = &plan->graph->stages[s];

    if (!margins_fit(plan, s, n_absorbed, form))
        return false;
    for (unsigned p = 0; p < stage->n_in; p++)
        if (!input_fits(plan, p == 0 ? s - n_absorbed : s, p, &form->in[p]))
            return false;
    for (unsigned p = 0; p < stage->n_out; p++)
        if (form->out[p].type || !(stage->stage->outputs[p]->flags & FECRUN_PORT_OPTIONAL)
                ? !fecrun_type_holds(form->out[p].type, plan->stages[s].out[p].type)
                : graph_output_read(plan->graph, s, p))
            return false;
    return true;
}

/* In every class of `blocks:`. */
static bool fits_all(const struct shape *shape, size_t s, unsigned n_absorbed,
                     const struct fecrun_form *form)
{
    for (size_t c = 0; c < shape->n_classes; c++)
        if (!form_fits(shape->plans[c], s, n_absorbed, form))
            return false;
    return true;
}

/* A stage that only its parameters make ordered has a file to finish; not all backends can. */
static bool in_order(const struct plan *plan, size_t s, const struct fecrun_backend *backend)
{
    const uint32_t own = plan->graph->stages[s].stage->flags;

    return !(plan_flags(plan, s) & ~own & FECRUN_STAGE_ORDERED) || backend->finish;
}

/* ---- Absorption ---- */

static unsigned consumers(const struct graph *graph, size_t s)
{
    unsigned n = 0;

    for (size_t t = s + 1; t < graph->n; t++)
        for (unsigned p = 0; p < graph->stages[t].n_in; p++)
            n += graph->stages[t].in[p].stage == (int)s;
    return n;
}

/*
 * Only a plain link of the chain can vanish into its consumer. A stage whose backend the user named
 * runs there, and one with settings for its backend runs by itself, so that they are read and do
 * something; an ordered one keeps its order.
 */
static bool absorbable(const struct plan *plan, size_t s)
{
    const struct graph *graph = plan->graph;
    const struct graph_stage *stage = &graph->stages[s];

    if (plan_flags(plan, s) & FECRUN_STAGE_ORDERED || s + 1 >= graph->n ||
        graph->stages[s + 1].in[0].stage != (int)s || graph->stages[s + 1].in[0].port != 0)
        return false;
    for (unsigned p = 1; p < stage->n_in; p++)
        if (stage->in[p].stage >= 0)
            return false; /* a soft buffer, say: the consumer has no port for it */
    return s > 0 && stage->n_in >= 1 && stage->n_out >= 1 && consumers(graph, s) == 1 &&
           !stage->decl->backend && !(stage->decl->tune && stage->decl->tune->count);
}

/* How many stages before s could its backend do itself? Of its own plugin only: another one's stage
   of that name has code objects of its own kind. */
static unsigned absorb_depth(const struct plan *plan, size_t s,
                             const struct fecrun_backend *backend)
{
    const struct graph *graph = plan->graph;
    unsigned n = 0;

    while (backend->absorbs && backend->absorbs[n] && s > n + 1 && absorbable(plan, s - n - 1) &&
           graph->stages[s - n - 1].entry->plugin == graph->stages[s].entry->plugin &&
           !strcmp(graph->stages[s - n - 1].decl->name, backend->absorbs[n]))
        n++;
    return n;
}

/* ---- Does the backend take the codes? ---- */

size_t options_instances(const struct shape *shape, size_t s, const struct fecrun_form *form)
{
    return form->flags & FECRUN_FORM_RAGGED || plan_flags(shape->plans[0], s) & FECRUN_STAGE_ORDERED
               ? 1
               : shape->n_classes;
}

struct fecrun_create options_create(const struct shape *shape, size_t s,
                                    const struct fecrun_form *form, unsigned n_absorbed,
                                    size_t class, struct options_room *room)
{
    const struct graph *graph = shape->graph;

    for (unsigned k = 0; k < n_absorbed; k++) {
        room->names[k] = graph->stages[s - n_absorbed + k].decl->name;
        room->codes[k] = shape->codes[s - n_absorbed + k] + class;
    }
    return (struct fecrun_create){
        .size = sizeof(struct fecrun_create),
        .host = &graph->registry->host,
        .codes = shape->codes[s] + class,
        .n_codes = (uint32_t)(shape->n_classes / options_instances(shape, s, form)),
        .form = form,
        .n_absorbed = n_absorbed,
        .absorbed = room->names,
        .absorbed_codes = room->codes};
}

static int takes(const struct shape *shape, size_t s, const struct candidate *option,
                 struct fecrun_error *err)
{
    const struct fecrun_backend *backend = option->backend->backend;
    const struct graph_stage *stage = &shape->graph->stages[s];
    struct options_room room;

    if (!backend->takes)
        return 0;
    for (size_t c = 0; c < options_instances(shape, s, option->form); c++) {
        struct fecrun_create args = options_create(shape, s, option->form, option->n_absorbed, c,
                                                   &room);
        int status;
        args.device = option->device;
        calling_begin(stage->decl->id, "takes", stage->entry->plugin->path);
        status = backend->takes(&args, err);
        calling_end(err);
        if (status)
            return fecrun_fail(err, NULL, "it does not say why");
    }
    return 0;
}

/* ---- The list ---- */

static void add(struct candidates *options, const struct candidate *option)
{
    if (array_grow(&options->option, options->n, sizeof *options->option))
        options->failed = true;
    else
        options->option[options->n++] = *option;
}

static void add_if_taken(struct candidates *options, const struct shape *shape, size_t s,
                         const struct candidate *option)
{
    struct fecrun_error err = {.size = sizeof err};

    if (!takes(shape, s, option, &err)) {
        add(options, option);
    } else if (diag_says_refused(err.text)) {
        options->failed = true;
    } else if (!options->refuser) {
        options->refuser = option->backend;
        options->why = err;
    }
}

static unsigned space_of(const struct registry *registry, const struct registry_backend *rb)
{
    for (size_t i = 0; rb->provider && i < registry->n_providers; i++)
        if (registry->providers[i].provider == rb->provider)
            return (unsigned)i + 1;
    return SPACE_HOST;
}

void candidates_add(struct candidates *options, const struct shape *shape, size_t s, size_t b)
{
    const struct plan *plan = shape->plans[0];
    const struct graph_stage *stage = &plan->graph->stages[s];
    const struct registry_backend *rb = &stage->entry->backends[b];
    unsigned depth = absorb_depth(plan, s, rb->backend);
    /* the reference is written first and wanted last */
    unsigned rank = (unsigned)(b ? b - 1 : stage->entry->n_backends - 1);
    const unsigned space = space_of(plan->graph->registry, rb);
    const int device = candidates_device(plan->graph, rb->provider);

    if (!in_order(plan, s, rb->backend)) {
        if (!options->refuser)
            fecrun_fail(&options->why, NULL, "it reads and writes no files");
        options->refuser = options->refuser ? options->refuser : rb;
        return;
    }
    for (unsigned f = 0; rb->backend->forms[f]; f++)
        for (unsigned k = 0; k <= depth; k++) {
            struct candidate option = {.backend = rb,
                                       .form = rb->backend->forms[f],
                                       .space = space,
                                       .device = device,
                                       .n_absorbed = k,
                                       .cost = 1000 * rank + 5 + f};
            if (fits_all(shape, s, k, option.form))
                add_if_taken(options, shape, s, &option);
        }
}

/* Has a form of the backend this port? */
static bool has_port(const struct fecrun_backend *backend, bool output, unsigned p)
{
    for (size_t f = 0; backend->forms[f]; f++)
        if (output ? backend->forms[f]->out[p].type : backend->forms[f]->in[p].type)
            return true;
    return false;
}

const char *candidates_missing_port(const struct plan *plan, size_t s,
                                    const struct fecrun_backend *backend)
{
    const struct graph_stage *stage = &plan->graph->stages[s];

    for (unsigned p = 0; p < stage->n_in; p++)
        if (plan_input(plan, s, p) && !has_port(backend, false, p))
            return stage->stage->inputs[p]->name;
    for (unsigned p = 0; p < stage->n_out; p++)
        if (graph_output_read(plan->graph, s, p) && !has_port(backend, true, p))
            return stage->stage->outputs[p]->name;
    return NULL;
}

static int no_such_backend(const struct plan *plan, size_t s, const char *wish, struct diag *diag)
{
    const struct graph_stage *stage = &plan->graph->stages[s];
    const struct mark mark = stage->decl->backend_mark;
    char name[64], hint[96] = "", known[256] = "";
    int device;

    for (size_t b = 0; b < stage->entry->n_backends; b++)
        text_add(known, sizeof known, "%s%s", b ? ", " : "",
                 stage->entry->backends[b].backend->name);
    if (!backend_name_split(wish, name, sizeof name, &device))
        return diag_fail_at(diag, DIAG_USAGE, mark,
                            "%s.backend: `%s` is no backend name (NAME or NAME:DEVICE)",
                            stage->decl->id, wish);
    if (registry_knows_backend(plan->graph->registry, name))
        return diag_fail_at(diag, DIAG_UNAVAILABLE, mark,
                            "%s.backend: this stage has no backend `%s` (it has %s)",
                            stage->decl->id, name, known);
    return diag_fail_at(diag, DIAG_USAGE, mark,
                        "%s.backend: unknown backend `%s`%s; this stage has %s", stage->decl->id,
                        name, registry_backend_hint(plan->graph->registry, name, hint, sizeof hint),
                        known);
}

static int check_device(const struct plan *plan, size_t s, struct diag *diag)
{
    const struct graph_stage *stage = &plan->graph->stages[s];
    const struct registry_backend *rb = stage->wished;
    const struct registry_provider *provider;
    int devices = 1;

    if (rb->backend->provider) {
        provider = registry_provider(plan->graph->registry, rb->backend->provider);
        if (!provider || !provider->answer.available)
            return 0; /* which is said of the backend */
        devices = provider->answer.devices;
    }
    if (stage->device >= devices)
        return diag_fail_at(diag, DIAG_UNAVAILABLE, stage->decl->backend_mark,
                            "%s.backend: there is no device %d: %s has %d (devices: 0..%d)",
                            stage->decl->id, stage->device,
                            rb->backend->provider ? rb->backend->provider : "the host", devices,
                            devices - 1);
    return 0;
}

static int wished_options(struct candidates *options, const struct shape *shape, size_t s,
                          struct diag *diag)
{
    const struct plan *plan = shape->plans[0];
    const struct graph_stage *stage = &plan->graph->stages[s];
    const struct registry_backend *rb = stage->wished;

    if (!rb)
        return no_such_backend(plan, s, stage->wish, diag);
    if (check_device(plan, s, diag))
        return -1;
    if (!rb->available)
        return diag_fail_at(diag, DIAG_UNAVAILABLE,
                            stage->decl->backend_mark.file ? stage->decl->backend_mark
                                                           : plan->graph->pipeline->backend_mark,
                            "%s.backend: %s is not available here: %s", stage->decl->id,
                            rb->backend->name, rb->reason);
    candidates_add(options, shape, s, (size_t)(rb - stage->entry->backends));
    return 0;
}

/* Did the user name a device for the stage, by number or not? */
static bool wishes_device(const struct graph_stage *stage)
{
    return stage->wished && stage->wished->provider;
}

int candidates_device(const struct graph *graph, const struct fecrun_provider *provider)
{
    for (size_t s = 0; provider && s < graph->n; s++)
        if (wishes_device(&graph->stages[s]) && graph->stages[s].device &&
            graph->stages[s].wished->provider == provider)
            return graph->stages[s].device;
    return 0;
}

int candidates_one_device(const struct graph *graph, struct diag *diag)
{
    const struct graph_stage *first = NULL;

    for (size_t s = 0; s < graph->n; s++) {
        const struct graph_stage *stage = &graph->stages[s];
        const struct pipeline_stage *decl = stage->decl;
        if (decl->backend && backend_names_several(decl->backend))
            return diag_fail_at(diag, DIAG_USAGE, decl->backend_mark,
                                "%s.backend: `%s`: several devices are for whole pipelines: "
                                "--backend, or backend: beside pipeline:",
                                decl->id, decl->backend);
        if (!wishes_device(stage))
            continue;
        if (!first)
            first = stage;
        if (stage->wished->provider != first->wished->provider || stage->device != first->device)
            return diag_fail_at(diag, DIAG_USAGE, decl->backend_mark,
                                "%s.backend: one pipeline runs on one device, and %s is on %s:%d",
                                decl->id, first->decl->id, first->wished->provider->name,
                                first->device);
    }
    return 0;
}

static int no_form(const struct plan *plan, size_t s, struct diag *diag)
{
    const struct graph_stage *stage = &plan->graph->stages[s];
    const char *wish = stage->wish;
    const struct fecrun_frame *in = stage->n_in ? plan_input(plan, s, 0) : NULL;
    const char *missing = stage->wished ? candidates_missing_port(plan, s, stage->wished->backend)
                                        : NULL;

    if (missing)
        return diag_fail_at(diag, DIAG_UNAVAILABLE, stage->decl->mark,
                            "%s.backend: %s has no port `%s`, which is connected here",
                            stage->decl->id, wish, missing);
    return diag_fail_at(diag, wish ? DIAG_UNAVAILABLE : DIAG_USAGE, stage->decl->mark,
                        "%s: no %s%sbackend takes %s as %s here", stage->decl->id,
                        wish ? wish : "available ", wish ? " " : "",
                        in ? plan_kind_name(in->kind) : "its frames",
                        in ? fecrun_type_name(in->type) : "asked for");
}

/* Without a wish: nothing is left, and this is what the first one says. */
static int refused(const struct candidates *options, const struct graph_stage *stage,
                   struct diag *diag)
{
    const char *wish = stage->wish;
    const struct pipeline_stage *decl = stage->decl;
    const struct fecrun_error *why = &options->why;

    return diag_fail_at(
        diag, DIAG_UNAVAILABLE, wish && decl->backend_mark.file ? decl->backend_mark : decl->mark,
        "%s.backend: %s%s cannot do what the parameters ask for: %s%s%s", decl->id,
        wish ? "" : "no other one is available, and ", options->refuser->backend->name, why->param,
        why->param[0] ? ": " : "", why->text);
}

int candidates_list(struct candidates *options, const struct shape *shape, size_t s,
                    struct diag *diag)
{
    const struct plan *plan = shape->plans[0];
    const struct graph_stage *stage = &plan->graph->stages[s];
    const char *wish = stage->wish;

    *options = (struct candidates){.n = 0};
    if (wish && wished_options(options, shape, s, diag))
        return -1;
    for (size_t b = 0; !wish && b < stage->entry->n_backends; b++)
        if (stage->entry->backends[b].available)
            candidates_add(options, shape, s, b);
    if (options->failed)
        return diag_fail(diag, DIAG_RUN, "out of memory");
    if (options->n)
        return 0;
    return options->refuser ? refused(options, stage, diag) : no_form(plan, s, diag);
}
