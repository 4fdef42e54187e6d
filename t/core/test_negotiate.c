/* SPDX-License-Identifier: BSD-2-Clause */
/* negotiate() on random small graphs against trying all combinations. */
#include "t/lib/memory.h"

#include <fecrun/sdk/sample.h>
#include "core/plan/negotiate.h"

enum { GRAPHS = 30000, MAX_N = 5, MAX_BACKENDS = 3, MAX_FORMS = 2 };

static uint64_t state = 1;

static unsigned draw(unsigned n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % n;
}

/* ---- Random stages. All frames are LLRs that i8 holds, with magnitudes up to 100. ---- */

struct random_stage {
    struct fecrun_stage stage;
    struct fecrun_backend backends[MAX_BACKENDS];
    const struct fecrun_backend *backend_table[MAX_BACKENDS + 1];
    struct fecrun_form forms[MAX_BACKENDS][MAX_FORMS];
    struct fecrun_sample samples[MAX_BACKENDS][MAX_FORMS][4]; /* two inputs, two outputs */
    const struct fecrun_form *form_table[MAX_BACKENDS][MAX_FORMS + 1];
    const char *absorbs[MAX_BACKENDS][MAX_N];
    char name[16];
};

static int plan_any(const struct fecrun_host *host, const struct fecrun_values *values,
                    const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                    struct fecrun_plan *plan, struct fecrun_error *err)
{
    (void)host, (void)values, (void)in, (void)err;
    plan->code = (void *)"code";
    for (unsigned p = 0; p < FECRUN_MAX_PORTS && out[p]; p++) {
        out[p]->kind = FECRUN_KIND_LLR;
        out[p]->type = FECRUN_I8;
        out[p]->items = 8;
        out[p]->llr_max = 100;
    }
    return 0;
}

static const struct fecrun_port *const no_ports[] = {NULL};
static const struct fecrun_port *const one_port[] = {
    FECRUN_PORT(.name = "in", .kinds = FECRUN_KIND_LLR), NULL};
static const struct fecrun_port *const two_ports[] = {
    FECRUN_PORT(.name = "in", .kinds = FECRUN_KIND_LLR),
    FECRUN_PORT(.name = "side", .kinds = FECRUN_KIND_LLR, .flags = FECRUN_PORT_OPTIONAL), NULL};
static const struct fecrun_param *const no_params[] = {NULL};

static uint32_t draw_type(void)
{
    static const uint32_t types[] = {FECRUN_I8, FECRUN_I8, FECRUN_I16, FECRUN_F32, FECRUN_F16};

    return types[draw(5)];
}

/* What some backends do not take; the same for all. */
static bool taken(const struct fecrun_form *form, unsigned n_absorbed)
{
    return (form->in[0].type + form->out[0].type + n_absorbed) % 4 != 0;
}

static int takes_some(const struct fecrun_create *args, struct fecrun_error *err)
{
    if (args->n_codes != 1 || strcmp(args->codes[0], "code") ||
        (args->n_absorbed && strcmp(args->absorbed_codes[args->n_absorbed - 1][0], "code")))
        bail("takes(): not the code objects of plan()");
    return taken(args->form, args->n_absorbed) ? 0 : fecrun_fail(err, NULL, "not this");
}

static void make_backend(struct random_stage *s, unsigned b, unsigned at)
{
    static const char *const names[] = {"ref", "b1", "b2"};
    static const char *const providers[] = {NULL, NULL, "dev0", "dev1"};
    static const char *const stages[] = {"t.0", "t.1", "t.2", "t.3"};
    unsigned forms = 1 + draw(MAX_FORMS), absorbs = at > 1 && draw(2) ? 1 + draw(at - 1) : 0;

    for (unsigned f = 0; f < forms; f++) {
        struct fecrun_form *form = &s->forms[b][f];
        struct fecrun_sample *sample = s->samples[b][f];
        *form = (struct fecrun_form){sizeof *form, 0, 2, sample, 2, sample + 2};
        for (unsigned p = 0; p < 2; p++) {
            sample[p].type = draw_type();
            sample[p].llr_max = draw(6) ? 0 : draw(2) ? 50 : 200;
            sample[2 + p].type = draw_type();
        }
        s->form_table[b][f] = form;
    }
    s->form_table[b][forms] = NULL;
    for (unsigned k = 0; k < absorbs; k++) /* names of stages before, now and then a wrong one */
        s->absorbs[b][k] = draw(8) ? stages[at - 1 - k] : "x.y";
    s->absorbs[b][absorbs] = NULL;
    s->backends[b] = (struct fecrun_backend){.size = sizeof(struct fecrun_backend),
                                             .name = names[b],
                                             .provider = b ? providers[draw(4)] : NULL,
                                             .forms = s->form_table[b],
                                             .absorbs = absorbs ? s->absorbs[b] : NULL,
                                             .takes = draw(3) ? NULL : takes_some};
    s->backend_table[b] = &s->backends[b];
}

static void make_stage(struct random_stage *s, unsigned at, unsigned n)
{
    unsigned backends = 1 + draw(MAX_BACKENDS);

    memset(s, 0, sizeof *s);
    snprintf(s->name, sizeof s->name, "t.%u", at);
    for (unsigned b = 0; b < backends; b++)
        make_backend(s, b, at);
    s->stage = (struct fecrun_stage){.size = sizeof s->stage,
                                     .name = s->name,
                                     .role = at == 0       ? FECRUN_ROLE_SOURCE
                                             : at + 1 == n ? FECRUN_ROLE_SINK
                                                           : FECRUN_ROLE_TRANSFORM,
                                     .summary = "",
                                     .params = no_params,
                                     .inputs = at == 0   ? no_ports
                                               : draw(2) ? two_ports
                                                         : one_port,
                                     .outputs = at + 1 == n ? no_ports
                                                : draw(3)   ? one_port
                                                            : two_ports,
                                     .backends = s->backend_table,
                                     .plan = plan_any};
}

/* ---- Devices: one converts between i8 and i16, the other only from i8 to f32 ---- */

static int convert0(int device, void *stream, const struct fecrun_view *in,
                    const struct fecrun_view *out, struct fecrun_error *err)
{
    const uint32_t from = in->type, to = out->type;

    (void)device, (void)stream, (void)err;
    return !((from == FECRUN_I8 && to == FECRUN_I16) || (from == FECRUN_I16 && to == FECRUN_I8));
}

static int convert1(int device, void *stream, const struct fecrun_view *in,
                    const struct fecrun_view *out, struct fecrun_error *err)
{
    (void)device, (void)stream, (void)err;
    return !(in->type == FECRUN_I8 && out->type == FECRUN_F32);
}

static const struct fecrun_provider dev0 = {
    .size = sizeof dev0, .name = "dev0", .convert = convert0};
static const struct fecrun_provider dev1 = {
    .size = sizeof dev1, .name = "dev1", .convert = convert1};

/* ---- All combinations ---- */

struct pick {
    int backend; /* -1: absorbed */
    unsigned form, n_absorbed;
};

struct brute {
    const struct graph *graph;
    struct pick picks[MAX_N];
    unsigned best;
    bool found;
};

static unsigned space_of(const struct graph *graph, size_t s, int b)
{
    const char *provider = graph->stages[s].stage->backends[b]->provider;

    return !provider ? 0 : strcmp(provider, "dev0") ? 2 : 1;
}

static bool converts(unsigned from_space, unsigned to_space, uint32_t from, uint32_t to)
{
    if (from == to)
        return true;
    if (!from_space || !to_space)
        return fecrun_convert_known(from, to);
    if (from_space != to_space)
        return false;
    return (from_space == 1 ? convert0 : convert1)(0, NULL, &(struct fecrun_view){.type = from},
                                                   &(struct fecrun_view){.type = to}, NULL) == 0;
}

/* May stage s vanish into the one behind it? */
static bool may_vanish(const struct graph *graph, size_t s)
{
    const struct graph_stage *stage = &graph->stages[s];
    unsigned readers = 0;

    for (size_t t = 0; t < graph->n; t++)
        for (unsigned p = 0; p < graph->stages[t].n_in; p++)
            readers += graph->stages[t].in[p].stage == (int)s;
    return s > 0 && s + 1 < graph->n && readers == 1 &&
           graph->stages[s + 1].in[0].stage == (int)s && graph->stages[s + 1].in[0].port == 0 &&
           stage->in[1].stage < 0 && !stage->decl->backend;
}

static bool can_absorb(const struct graph *graph, size_t s, int b, unsigned n)
{
    const char *const *absorbs = graph->stages[s].stage->backends[b]->absorbs;

    for (unsigned k = 0; k < n; k++) {
        if (!absorbs || !absorbs[k] || s < k + 2 || !may_vanish(graph, s - k - 1) ||
            strcmp(absorbs[k], graph->stages[s - k - 1].stage->name))
            return false;
    }
    return true;
}

/* Cost of one stage's pick; false: impossible. */
static bool cost_of(const struct brute *brute, size_t s, unsigned *cost)
{
    const struct graph_stage *stage = &brute->graph->stages[s];
    const struct pick *pick = &brute->picks[s];
    const struct fecrun_form *form = stage->stage->backends[pick->backend]->forms[pick->form];
    unsigned space = space_of(brute->graph, s, pick->backend);
    size_t n_backends = stage->entry->n_backends;

    if (!stage->entry->backends[pick->backend].available ||
        (stage->stage->backends[pick->backend]->takes && !taken(form, pick->n_absorbed)) ||
        (stage->decl->backend &&
         strcmp(stage->decl->backend, stage->stage->backends[pick->backend]->name)) ||
        !can_absorb(brute->graph, s, pick->backend, pick->n_absorbed))
        return false;
    *cost += 1000 * (unsigned)(pick->backend ? pick->backend - 1 : (int)n_backends - 1) + 5 +
             pick->form;
    for (unsigned p = 0; p < stage->n_in; p++) {
        struct graph_link link = p ? stage->in[p]
                                   : brute->graph->stages[s - pick->n_absorbed].in[0];
        const struct pick *from = &brute->picks[link.stage < 0 ? 0 : link.stage];
        const struct fecrun_form *their;
        unsigned their_space;
        if (link.stage < 0)
            continue;
        if (from->backend < 0 || (form->in[p].llr_max > 0 && form->in[p].llr_max < 100))
            return false;
        their = brute->graph->stages[link.stage].stage->backends[from->backend]->forms[from->form];
        their_space = space_of(brute->graph, (size_t)link.stage, from->backend);
        if (!converts(their_space, space, their->out[link.port].type, form->in[p].type))
            return false;
        *cost += (their_space != space ? 100u : 0u) +
                 (their->out[link.port].type != form->in[p].type ? 10u : 0u);
    }
    return true;
}

static void judge(struct brute *brute)
{
    unsigned cost = 0, pending = 0, device = SPACE_HOST, space;

    for (size_t s = 0; s < brute->graph->n; s++) {
        if (brute->picks[s].backend < 0) {
            if (!may_vanish(brute->graph, s))
                return;
            pending++;
            continue;
        }
        if (pending != brute->picks[s].n_absorbed || !cost_of(brute, s, &cost))
            return;
        pending = 0;
        space = space_of(brute->graph, s, brute->picks[s].backend);
        if (space != SPACE_HOST && device != SPACE_HOST && space != device)
            return; /* one device a pipeline */
        device = space != SPACE_HOST ? space : device;
    }
    if (!pending && (!brute->found || cost < brute->best)) {
        brute->best = cost;
        brute->found = true;
    }
}

static void try_all(struct brute *brute, size_t s)
{
    const struct fecrun_stage *stage;

    if (s == brute->graph->n || s == MAX_N) {
        judge(brute);
        return;
    }
    stage = brute->graph->stages[s].stage;
    brute->picks[s] = (struct pick){.backend = -1};
    try_all(brute, s + 1);
    for (int b = 0; stage->backends[b]; b++)
        for (unsigned f = 0; stage->backends[b]->forms[f]; f++)
            for (unsigned k = 0; k <= s; k++) {
                if (k && !can_absorb(brute->graph, s, b, k))
                    break;
                brute->picks[s] = (struct pick){b, f, k};
                try_all(brute, s + 1);
            }
}

/* What a result costs when it is added up anew, and whether it is possible at all. */
static bool adds_up(const struct graph *graph, const struct negotiation *n)
{
    struct brute brute = {.graph = graph};

    for (size_t s = 0; s < graph->n; s++) {
        const struct choice *choice = &n->choices[s];
        const struct fecrun_backend *const *all = graph->stages[s].stage->backends;
        struct pick *pick = &brute.picks[s];
        pick->backend = -1;
        if (choice->absorbed_by >= 0)
            continue;
        pick->n_absorbed = choice->n_absorbed;
        for (pick->backend = 0; all[pick->backend] != choice->backend->backend;)
            pick->backend++;
        while (all[pick->backend]->forms[pick->form] != choice->form)
            pick->form++;
        if (choice->space != space_of(graph, s, pick->backend))
            return false;
    }
    judge(&brute);
    return brute.found && brute.best == n->cost;
}

/* ---- One graph ---- */

struct tally {
    unsigned feasible, absorbed, device, wrong;
};

static void random_links(struct graph *graph)
{
    for (size_t s = 2; s < graph->n; s++) {
        unsigned from = draw((unsigned)s), main = draw((unsigned)s);
        if (!draw(5)) /* as `from:` does */
            graph->stages[s].in[0] = (struct graph_link){
                (int)main, graph->stages[main].n_out > 1 ? (int)draw(2) : 0};
        if (graph->stages[s].n_in > 1 && draw(2))
            graph->stages[s].in[1] = (struct graph_link){
                (int)from, graph->stages[from].n_out > 1 ? (int)draw(2) : 0};
    }
}

static void compare(const struct graph *graph, const struct shape *shape, struct tally *tally)
{
    struct brute brute = {.graph = graph};
    struct negotiation *n = NULL;
    struct diag d = {0};
    int status = negotiate(&n, shape, &d);

    try_all(&brute, 0);
    if ((status == 0) != brute.found || (n && (n->cost != brute.best || !adds_up(graph, n)))) {
        tally->wrong++;
        diag("negotiate: %s, cost %u; all combinations: %s, cost %u", status ? d.text : "good",
             n ? n->cost : 0, brute.found ? "good" : "impossible", brute.best);
    }
    tally->feasible += brute.found;
    for (size_t s = 0; n && s < graph->n; s++) {
        tally->absorbed += n->choices[s].absorbed_by >= 0;
        tally->device += n->choices[s].absorbed_by < 0 && n->choices[s].space;
    }
    negotiation_free(n);
}

static void one_graph(struct tally *tally)
{
    struct random_stage stages[MAX_N];
    struct pipeline_stage decls[MAX_N] = {{0}};
    struct pipeline pipeline = {.place.base_dir = ".", .in_flight = 3, .stages = decls};
    struct registry registry;
    struct graph *graph;
    struct shape shape;
    struct diag d = {0};

    memory_registry_init(&registry);
    memory_add_provider(&registry, &dev0);
    memory_add_provider(&registry, &dev1);
    pipeline.n_stages = 2 + draw(MAX_N - 1);
    for (unsigned s = 0; s < pipeline.n_stages; s++) {
        make_stage(&stages[s], s, (unsigned)pipeline.n_stages);
        memory_add_stage(&registry, &stages[s].stage);
        decls[s] = (struct pipeline_stage){.name = stages[s].name, .id = stages[s].name};
        if (!draw(6))
            decls[s].backend = stages[s].backend_table[0]->name;
        else if (!draw(6))
            registry.stages[s].backends[0].available = registry.stages[s].n_backends == 1;
    }
    if (graph_bind(&graph, &pipeline, &registry, &d))
        bail("graph_bind: %s", d.text);
    random_links(graph);
    if (shape_make(&shape, graph, NULL, &d))
        bail("shape_make: %s", d.text);
    compare(graph, &shape, tally);
    shape_free(&shape);
    graph_free(graph);
    memory_registry_free(&registry);
}

/* ---- One stage that is absorbed, whatever it could do by itself ---- */

enum { MANY_FORMS = 300 };

struct absorbing {
    struct fecrun_backend backends[4];
    const struct fecrun_backend *tables[4][2];
    const struct fecrun_form *forms[MANY_FORMS + 1];
    struct fecrun_stage stages[4];
    struct pipeline_stage decls[4];
    struct pipeline pipeline;
    struct registry registry;
    struct graph *graph;
    struct shape shape;
};

/* Source, a stage with so many equal forms, one that absorbs it, sink. */
static void make_absorbing(struct absorbing *a, unsigned forms, const struct conf_node *tune_of_1)
{
    static const struct fecrun_param x = {.size = sizeof x,
                                          .name = "x",
                                          .type = FECRUN_VALUE_INT,
                                          .imax = 9,
                                          .default_text = "1",
                                          .help = "x"};
    static const struct fecrun_param *const tune[] = {&x, NULL};
    static const struct fecrun_sample samples[2] = {{.type = FECRUN_I8}, {.type = FECRUN_I8}};
    static const struct fecrun_form form = {sizeof form, 0, 2, samples, 2, samples};
    static const char *const names[] = {"t.0", "t.1", "t.2", "t.3"};
    static const char *const absorbs[] = {"t.1", NULL};
    struct diag d = {0};

    memset(a, 0, sizeof *a);
    memory_registry_init(&a->registry);
    for (unsigned i = 0; i < forms; i++)
        a->forms[i] = &form;
    for (unsigned s = 0; s < 4; s++) {
        a->backends[s] = (struct fecrun_backend){.size = sizeof a->backends[s],
                                                 .name = "ref",
                                                 .tune = tune,
                                                 .forms = s == 1 ? a->forms : a->forms + forms - 1,
                                                 .absorbs = s == 2 ? absorbs : NULL};
        a->tables[s][0] = &a->backends[s];
        a->stages[s] = (struct fecrun_stage){.size = sizeof a->stages[s],
                                             .name = names[s],
                                             .summary = "",
                                             .params = no_params,
                                             .role = s == 0   ? FECRUN_ROLE_SOURCE
                                                     : s == 3 ? FECRUN_ROLE_SINK
                                                              : FECRUN_ROLE_TRANSFORM,
                                             .inputs = s == 0 ? no_ports : one_port,
                                             .outputs = s == 3 ? no_ports : one_port,
                                             .backends = a->tables[s],
                                             .plan = plan_any};
        memory_add_stage(&a->registry, &a->stages[s]);
        a->decls[s] = (struct pipeline_stage){.name = names[s], .id = names[s]};
    }
    a->decls[1].tune = tune_of_1;
    a->pipeline = (struct pipeline){.in_flight = 3, .stages = a->decls, .n_stages = 4};
    if (graph_bind(&a->graph, &a->pipeline, &a->registry, &d) ||
        shape_make(&a->shape, a->graph, NULL, &d))
        bail("%s", d.text);
}

static void free_absorbing(struct absorbing *a)
{
    shape_free(&a->shape);
    graph_free(a->graph);
    memory_registry_free(&a->registry);
}

static void test_many_forms(unsigned forms)
{
    struct absorbing a;
    struct negotiation *n = NULL;
    struct diag d = {0};

    make_absorbing(&a, forms, NULL);
    is_int(negotiate(&n, &a.shape, &d), 0, "a stage with %u forms: %s", forms, d.text);
    ok(n && n->choices[1].absorbed_by == 2 && n->choices[2].n_absorbed == 1,
       "it is absorbed all the same");
    negotiation_free(n);
    free_absorbing(&a);
}

/* Settings of a stage's backend are read on every machine, so that the file is right or wrong on
   all, and do something. */
static void test_tuned(void)
{
    const struct mark mark = {.file = "--set"};
    struct conf_node x = {.mark = mark, .text = (char[]){"x"}},
                     y = {.mark = mark, .text = (char[]){"y"}};
    struct conf_node three = {.mark = mark, .text = (char[]){"3"}};
    struct conf_node ten = {.mark = mark, .text = (char[]){"10"}};
    struct conf_node *is_x[] = {&x}, *is_y[] = {&y}, *is_3[] = {&three}, *is_10[] = {&ten};
    struct conf_node good = {.kind = CONF_MAP, .count = 1, .keys = is_x, .items = is_3};
    struct conf_node unknown = {.kind = CONF_MAP, .count = 1, .keys = is_y, .items = is_3};
    struct conf_node bad = {.kind = CONF_MAP, .count = 1, .keys = is_x, .items = is_10};
    struct absorbing a;
    struct negotiation *n = NULL;
    struct diag d = {0};

    make_absorbing(&a, 1, &good);
    is_int(negotiate(&n, &a.shape, &d), 0, "a stage with `tune` that could be absorbed: %s",
           d.text);
    ok(n && n->choices[1].absorbed_by == -1 && n->choices[2].n_absorbed == 0, "runs by itself");
    is_int(n && n->choices[1].tune ? param_values(n->choices[1].tune)->v[0]->i : 0, 3,
           "with what the user said");
    negotiation_free(n);
    free_absorbing(&a);
    make_absorbing(&a, 1, &unknown);
    ok(negotiate(&n, &a.shape, &d) == -1 && d.status == DIAG_USAGE, "an unknown one: %s", d.text);
    free_absorbing(&a);
    d = (struct diag){0};
    make_absorbing(&a, 1, &bad);
    ok(negotiate(&n, &a.shape, &d) == -1 && d.status == DIAG_USAGE, "a bad value: %s", d.text);
    free_absorbing(&a);
}

static void test_names(void)
{
    int devices[BACKEND_DEVICES];
    char name[8];
    int device;

    ok(backend_name_split("cuda:1", name, sizeof name, &device) && device == 1, "cuda:1");
    is_str(name, "cuda", "its name");
    ok(backend_name_split("ref", name, sizeof name, &device) && device == 0, "ref");
    ok(!backend_name_split("", name, sizeof name, &device), "no name");
    ok(!backend_name_split(":1", name, sizeof name, &device), "a number alone");
    ok(!backend_name_split("cuda:", name, sizeof name, &device), "no number");
    ok(!backend_name_split("cuda:x", name, sizeof name, &device), "not a number");
    ok(!backend_name_split("cuda:-1", name, sizeof name, &device), "a negative number");
    ok(!backend_name_split("cuda:99999999999", name, sizeof name, &device), "a huge number");
    ok(backend_name_split("cuda:all", name, sizeof name, &device) && device == 0, "all");
    ok(backend_name_split("cuda:2,0", name, sizeof name, &device) && device == 2,
       "the first of two");
    ok(!backend_name_split("cuda:2,2", name, sizeof name, &device), "one twice");
    ok(!backend_name_split("cuda:2,", name, sizeof name, &device), "a comma alone");
    ok(backend_names_several("cuda:all") && backend_names_several("cuda:0,1"), "several");
    ok(!backend_names_several("cuda:1") && !backend_names_several("cuda"), "not several");
    is_int((int)backend_devices("cuda:all", 3, devices), 3, "all of three");
    is_int((int)backend_devices("cuda:5,1", 3, devices), 2, "a list, whatever there is");
    ok(devices[0] == 5 && devices[1] == 1, "in its order");
    is_int((int)backend_devices("cuda", 3, devices), 1, "no number: the first");
    ok(!backend_name_split("muchtoolong", name, sizeof name, &device), "too long");
}

int main(void)
{
    struct tally tally = {0};

    test_names();
    test_many_forms(1);
    test_many_forms(127);
    test_many_forms(128);
    test_many_forms(MANY_FORMS);
    test_tuned();
    for (unsigned i = 0; i < GRAPHS; i++) {
        state = i + 1;
        draw(2);
        one_graph(&tally);
    }
    is_int(tally.wrong, 0, "%u graphs: negotiate finds the best of all combinations", GRAPHS);
    ok(tally.feasible > GRAPHS / 3 && tally.feasible < GRAPHS, "%u of them had one",
       tally.feasible);
    ok(tally.absorbed > GRAPHS / 50, "%u stages were absorbed", tally.absorbed);
    ok(tally.device > GRAPHS / 10, "%u stages ran on a device", tally.device);
    return done_testing();
}
