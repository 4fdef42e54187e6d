/* SPDX-License-Identifier: BSD-2-Clause */
#include "options.h"

#include "convert.h"
#include "params.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool backend_name_split(const char *text, char *name, size_t size, int *device)
{
    const char *colon = strchr(text, ':');
    size_t n = colon ? (size_t)(colon - text) : strlen(text);
    int64_t number = 0;

    if (!n || n >= size || (colon && (!conf_int(colon + 1, &number) || number < 0 ||
                                      number > 1024)))
        return false;
    memcpy(name, text, n);
    name[n] = 0;
    *device = (int)number;
    return true;
}

static const struct registry_backend *find_backend(const struct registry_stage *entry,
                                                   const char *name)
{
    for (size_t b = 0; b < entry->n_backends; b++)
        if (!strcmp(entry->backends[b].backend->name, name))
            return &entry->backends[b];
    return NULL;
}

static bool declares(const struct registry_stage *entry, const char *wish)
{
    char name[64];
    int device;

    return backend_name_split(wish, name, sizeof name, &device) && find_backend(entry, name);
}

/* A stage's own wish counts before the pipeline's, which only binds stages that declare it. */
const char *options_wish(const struct graph *graph, size_t s)
{
    const struct graph_stage *stage = &graph->stages[s];
    const char *own = stage->decl->backend, *common = graph->pipeline->backend;

    if (own && strcmp(own, "auto"))
        return own;
    if (own || !common || !strcmp(common, "auto"))
        return NULL;
    return declares(stage->entry, common) ? common : NULL;
}

/* ---- Does a form fit the frames at the ports? ---- */

static bool input_fits(const struct plan *plan, size_t s, unsigned port,
                       const struct fecrun_sample *sample)
{
    const struct fecrun_frame *frame = plan_input(plan, s, port);

    if (!frame)
        return true; /* an optional port that is not linked */
    if (!convert_holds(sample->type, frame->type))
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
           plan_input(plan, s - n_absorbed, 0)->items % convert_per_byte(form->in[0].type) == 0;
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
        if (!convert_holds(form->out[p].type, plan->stages[s].out[p].type))
            return false;
    return true;
}

/* In every class of `blocks:`. */
static bool fits_all(const struct plan *plan, size_t s, unsigned n_absorbed,
                     const struct fecrun_form *form)
{
    for (; plan; plan = plan->next)
        if (!form_fits(plan, s, n_absorbed, form))
            return false;
    return true;
}

/* A stage that only its parameters make ordered has a file to finish; not all backends can. */
bool options_in_order(const struct plan *plan, size_t s, const struct fecrun_backend *backend)
{
    const uint32_t own = plan->graph->stages[s].stage->flags;

    return !(plan_flags(plan, s) & ~own & FECRUN_ORDERED) || backend->finish;
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
 * runs there; an ordered one keeps its order, and a random one its number.
 */
static bool absorbable(const struct plan *plan, size_t s)
{
    const struct graph *graph = plan->graph;
    const struct graph_stage *stage = &graph->stages[s];

    if (plan_flags(plan, s) & (FECRUN_ORDERED | FECRUN_RANDOM) || s + 1 >= graph->n ||
        graph->stages[s + 1].in[0].stage != (int)s || graph->stages[s + 1].in[0].port != 0)
        return false;
    for (unsigned p = 1; p < stage->n_in; p++)
        if (stage->in[p].stage >= 0)
            return false; /* a soft buffer, say: the consumer has no port for it */
    for (unsigned p = 1; p < stage->n_out; p++)
        if (graph_output_read(graph, s, p))
            return false;
    return s > 0 && stage->n_in >= 1 && stage->n_out >= 1 &&
           consumers(graph, s) == 1 && !stage->decl->backend;
}

/* How many stages before s could its backend do itself? Of its own plugin only: another one's stage
   of that name has code objects of its own kind. */
static unsigned absorb_depth(const struct plan *plan, size_t s,
                             const struct fecrun_backend *backend)
{
    const struct graph *graph = plan->graph;
    unsigned n = 0;

    while (backend->absorbs && backend->absorbs[n] && s > n + 1 &&
           absorbable(plan, s - n - 1) &&
           graph->stages[s - n - 1].entry->plugin == graph->stages[s].entry->plugin &&
           !strcmp(graph->stages[s - n - 1].decl->name, backend->absorbs[n]))
        n++;
    return n;
}

static bool some_later_stage_absorbs(const struct plan *plan, size_t s)
{
    const struct graph *graph = plan->graph;

    for (size_t t = s + 1; t < graph->n; t++)
        for (size_t b = 0; b < graph->stages[t].entry->n_backends; b++) {
            const struct registry_backend *rb = &graph->stages[t].entry->backends[b];
            if (rb->available && absorb_depth(plan, t, rb->backend) >= t - s)
                return true;
        }
    return false;
}

/* ---- Does the backend take the codes? ---- */

/* Of the absorbed stages and then of the stage itself, in this order, a row of n classes each. */
static void **list_codes(const struct plan *plan, size_t s, unsigned n_absorbed, size_t n)
{
    void **codes = calloc((n_absorbed + 1) * n, sizeof *codes);

    for (size_t c = 0; codes && plan; c++, plan = plan->next)
        for (size_t k = 0; k <= n_absorbed; k++)
            codes[k * n + c] = plan->stages[s - n_absorbed + k].plan.code;
    return codes;
}

/* As create_one() in exec.c: all classes in one instance, or one each. */
static int ask(const struct plan *plan, size_t s, const struct option *option, void **codes,
               size_t n, struct fecrun_error *err)
{
    const struct graph *graph = plan->graph;
    const bool one = option->form->flags & FECRUN_RAGGED || plan_flags(plan, s) & FECRUN_ORDERED;
    const unsigned absorbed = option->n_absorbed;
    const char *names[GRAPH_MAX_STAGES];
    void *const *rows[GRAPH_MAX_STAGES];
    struct fecrun_create args = {.size = sizeof args,
                                 .host = &graph->registry->host,
                                 .n_codes = one ? (uint32_t)n : 1,
                                 .form = option->form,
                                 .n_absorbed = absorbed,
                                 .absorbed = names,
                                 .absorbed_codes = rows};

    for (size_t c = 0; c < n; c += args.n_codes) {
        for (unsigned k = 0; k < absorbed; k++) {
            names[k] = graph->stages[s - absorbed + k].decl->name;
            rows[k] = codes + k * n + c;
        }
        args.codes = codes + absorbed * n + c;
        if (option->backend->backend->takes(&args, err))
            return fecrun_fail(err, NULL, "it does not say why");
    }
    return 0;
}

static int takes(const struct plan *plan, size_t s, const struct option *option,
                 struct fecrun_error *err)
{
    const struct fecrun_backend *backend = option->backend->backend;
    size_t n = 0;
    void **codes;
    int status;

    if (!FECRUN_HAS(backend, takes) || !backend->takes)
        return 0;
    for (const struct plan *p = plan; p; p = p->next)
        n++;
    codes = list_codes(plan, s, option->n_absorbed, n);
    if (!codes)
        return fecrun_fail(err, NULL, "out of memory");
    status = ask(plan, s, option, codes, n, err);
    free(codes);
    return status;
}

/* ---- The list ---- */

static void add(struct options *options, const struct option *option)
{
    if (options->n < MAX_OPTIONS)
        options->option[options->n++] = *option;
    else
        options->full = true;
}

static void add_if_taken(struct options *options, const struct plan *plan, size_t s,
                         const struct option *option)
{
    struct fecrun_error err = {.size = sizeof err};

    if (!takes(plan, s, option, &err)) {
        add(options, option);
    } else if (!options->refuser) {
        options->refuser = option->backend;
        options->why = err;
    }
}

/* The place in the order of preference: the reference is written first and wanted last. */
static unsigned rank(const struct registry_stage *entry, size_t b)
{
    return (unsigned)(b ? b - 1 : entry->n_backends - 1);
}

static void add_forms(struct options *options, const struct plan *plan, size_t s, size_t b,
                      unsigned space, int device)
{
    const struct graph_stage *stage = &plan->graph->stages[s];
    const struct registry_backend *rb = &stage->entry->backends[b];
    unsigned depth = absorb_depth(plan, s, rb->backend);

    if (!options_in_order(plan, s, rb->backend))
        return;
    for (unsigned f = 0; rb->backend->forms[f]; f++)
        for (unsigned k = 0; k <= depth; k++) {
            struct option option = {.backend = rb,
                                    .form = rb->backend->forms[f],
                                    .space = space,
                                    .device = device,
                                    .n_absorbed = k,
                                    .cost = 1000 * rank(stage->entry, b) + 5 + f};
            if (fits_all(plan, s, k, option.form))
                add_if_taken(options, plan, s, &option);
        }
}

bool options_refused(const struct plan *plan, size_t s, size_t b, struct fecrun_error *why)
{
    struct options options = {.n = 0};

    add_forms(&options, plan, s, b, SPACE_HOST, 0);
    *why = options.why;
    return !options.n && options.refuser;
}

static unsigned space_of(const struct registry *registry, const struct registry_backend *rb)
{
    for (size_t i = 0; rb->provider && i < registry->n_providers; i++)
        if (registry->providers[i].provider == rb->provider)
            return (unsigned)i + 1;
    return SPACE_HOST;
}

static int no_such_backend(const struct plan *plan, size_t s, const char *wish,
                           struct diag *diag)
{
    const struct graph_stage *stage = &plan->graph->stages[s];
    const struct mark mark = stage->decl->backend_mark;
    char name[64], hint[96] = "", known[256] = "";
    size_t n = 0;
    int device;

    for (size_t b = 0; b < stage->entry->n_backends && n < sizeof known; b++)
        n += (size_t)snprintf(known + n, sizeof known - n, "%s%s", b ? ", " : "",
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
                        name, registry_backend_hint(plan->graph->registry, name, hint,
                                                    sizeof hint), known);
}

static int check_device(const struct plan *plan, size_t s, const struct registry_backend *rb,
                        int device, struct diag *diag)
{
    const struct graph_stage *stage = &plan->graph->stages[s];
    const struct registry_provider *provider;
    int devices = 1;

    if (rb->backend->provider) {
        provider = registry_provider(plan->graph->registry, rb->backend->provider);
        devices = provider ? provider->devices : 0;
    }
    if (device >= devices)
        return diag_fail_at(diag, DIAG_UNAVAILABLE, stage->decl->backend_mark,
                            "%s.backend: there is no device %d: %s has %d (devices: 0..%d)",
                            stage->decl->id, device,
                            rb->backend->provider ? rb->backend->provider : "the host", devices,
                            devices - 1);
    return 0;
}

static int wished_options(struct options *options, const struct plan *plan, size_t s,
                          const char *wish, struct diag *diag)
{
    const struct graph_stage *stage = &plan->graph->stages[s];
    const struct registry_backend *rb;
    char name[64];
    int device;

    if (!declares(stage->entry, wish))
        return no_such_backend(plan, s, wish, diag);
    backend_name_split(wish, name, sizeof name, &device);
    rb = find_backend(stage->entry, name);
    if (!options_in_order(plan, s, rb->backend))
        return diag_fail_at(diag, DIAG_UNAVAILABLE, stage->decl->backend_mark,
                            "%s.backend: %s cannot do what the parameters ask for: " OPTIONS_FILES,
                            stage->decl->id, name);
    if (!rb->available)
        return diag_fail_at(diag, DIAG_UNAVAILABLE, stage->decl->backend_mark,
                            "%s.backend: %s is not available here: %s", stage->decl->id, name,
                            rb->reason);
    if (check_device(plan, s, rb, device, diag))
        return -1;
    add_forms(options, plan, s, (size_t)(rb - stage->entry->backends),
              space_of(plan->graph->registry, rb), device);
    return 0;
}

/* The device that a stage's wish names; false: none, or no device of this machine. */
static bool wished_device(const struct graph *graph, size_t s,
                          const struct fecrun_provider **provider, int *device)
{
    const char *wish = options_wish(graph, s);
    const struct registry_backend *rb;
    char name[64];

    if (!wish || !backend_name_split(wish, name, sizeof name, device))
        return false;
    rb = find_backend(graph->stages[s].entry, name);
    *provider = rb ? rb->provider : NULL;
    return *provider;
}

/* Where nobody says which device, it is the one that was named elsewhere for the same provider. */
static int common_device(const struct graph *graph, const struct fecrun_provider *provider)
{
    const struct fecrun_provider *other;
    int device;

    for (size_t s = 0; provider && s < graph->n; s++)
        if (wished_device(graph, s, &other, &device) && other == provider && device)
            return device;
    return 0;
}

int options_one_device(const struct graph *graph, struct diag *diag)
{
    const struct fecrun_provider *first = NULL, *provider;
    int first_device = 0, device;
    size_t first_stage = 0;

    for (size_t s = 0; s < graph->n; s++) {
        if (!wished_device(graph, s, &provider, &device))
            continue;
        if (!first) {
            first = provider;
            first_device = device;
            first_stage = s;
        } else if (provider != first || device != first_device) {
            return diag_fail_at(diag, DIAG_USAGE, graph->stages[s].decl->backend_mark,
                                "%s.backend: one pipeline runs on one device, and %s is on %s:%d",
                                graph->stages[s].decl->id, graph->stages[first_stage].decl->id,
                                first->name, first_device);
        }
    }
    return 0;
}

static int no_form(const struct plan *plan, size_t s, const char *wish, struct diag *diag)
{
    const struct graph_stage *stage = &plan->graph->stages[s];
    const struct fecrun_frame *in = stage->n_in ? plan_input(plan, s, 0) : NULL;

    return diag_fail_at(diag, wish ? DIAG_UNAVAILABLE : DIAG_USAGE, stage->decl->mark,
                        "%s: no %s%sbackend takes %s as %s here", stage->decl->id,
                        wish ? wish : "available ", wish ? " " : "",
                        in ? plan_kind_name(in->kind) : "its frames",
                        in ? plan_type_name(in->type) : "asked for");
}

/* Without a wish: nothing is left, and this is what the first one says. */
static int refused(const struct options *options, const struct graph_stage *stage,
                   const char *wish, struct diag *diag)
{
    const struct pipeline_stage *decl = stage->decl;
    const struct fecrun_error *why = &options->why;

    return diag_fail_at(diag, DIAG_UNAVAILABLE,
                        wish && decl->backend_mark.file ? decl->backend_mark : decl->mark,
                        "%s.backend: %s%s cannot do what the parameters ask for: %s%s%s", decl->id,
                        wish ? "" : "no other one is available, and ",
                        options->refuser->backend->name, why->param, why->param[0] ? ": " : "",
                        why->text);
}

int options_list(struct options *options, const struct plan *plan, size_t s, struct diag *diag)
{
    const struct graph *graph = plan->graph;
    const struct graph_stage *stage = &graph->stages[s];
    const char *wish = options_wish(graph, s);
    bool absorbed = absorbable(plan, s) && some_later_stage_absorbs(plan, s);

    options->n = 0;
    options->full = false;
    options->refuser = NULL;
    if (wish && wished_options(options, plan, s, wish, diag))
        return -1;
    for (size_t b = 0; !wish && b < stage->entry->n_backends; b++)
        if (stage->entry->backends[b].available)
            add_forms(options, plan, s, b, space_of(graph->registry, &stage->entry->backends[b]),
                      common_device(graph, stage->entry->backends[b].provider));
    if (options->full)
        return diag_fail_at(diag, DIAG_RUN, stage->decl->mark,
                            "%s: more than %d combinations of backends and forms",
                            stage->decl->id, MAX_OPTIONS);
    if (!options->n && !absorbed)
        return options->refuser ? refused(options, stage, wish, diag)
                                : no_form(plan, s, wish, diag);
    if (absorbed)
        add(options, &(struct option){0});
    return 0;
}
