/* SPDX-License-Identifier: BSD-2-Clause */
/* session.h: opening with real plugins; points, plans and execs with toy stages in memory. */
#include "t/lib/toy.h"

#include "core/base/cpu.h"
#include "run/sweep/sweep.h"

#include <fecrun/sdk/thread.h>
#include <limits.h>

static struct registry registry;
static struct session session;
static struct diag error;
static char fake[PATH_MAX];

#define HEAD "fecrun: 1\npipeline:\n"
#define CHAIN HEAD "- toy.source\n- toy.pass\n- toy.pass: {id: b}\n- toy.sink\n"

static void load_with(const char *text, const char *set)
{
    const char *const sets[] = {set, NULL};

    toy_session_close(&session);
    if (!toy_session(&session, &registry, text, sets, &error))
        bail("%s", error.text);
}

static void load(const char *text)
{
    load_with(text, NULL);
}

/* ---- Opening ---- */

static int open_file(const char *file, const struct session_options *options)
{
    error = (struct diag){0};
    return session_open(&session, file, options, &error);
}

static bool is_zero(const struct session *s)
{
    return !s->registry && !s->pipeline && !s->graph && !s->threads;
}

static void test_open(void)
{
    const char *const dirs[] = {fake, NULL};
    struct session_options options = {.registry = {.dirs = dirs}};

    toy_session_close(&session);
    ok(!open_file(yaml_file(HEAD "- null.source\n- null.sink\n"), &options), "a file %s",
       error.text);
    ok(session.registry && session.pipeline && session.graph && session.graph->n == 2 &&
           session.graph->registry == session.registry &&
           session.graph->pipeline == session.pipeline,
       "with its graph");
    is_int(session.threads, fecrun_cpus(), "threads: one a CPU");
    session_close(&session);
    ok(is_zero(&session), "nothing is left of it");
    session_close(&session);
    options.threads = 3;
    ok(!open_file("p.yaml", &options) && session.threads == 3, "or as many as were asked for");
    session_close(&session);
}

static void not_opened(const struct session_options *options, const char *want, const char *what)
{
    ok(open_file("p.yaml", options) && is_zero(&session), "%s: nothing is left", what);
    is_int(error.status, DIAG_USAGE, "it is the user's error");
    is_str(error.text, want, "and told");
}

static void test_not_opened(void)
{
    const char *const dirs[] = {fake, NULL}, *const nowhere[] = {"/nowhere", NULL};
    const char *const sets[] = {"null.source.bits=0", NULL};
    struct session_options options = {.registry = {.dirs = dirs}};

    yaml_file("fecrun: 1\n");
    not_opened(&options, "p.yaml:1:1: pipeline: must be given: the list of stages", "the file");
    yaml_file(HEAD "- null.source\n- null.snik\n");
    not_opened(&options,
               "p.yaml:4:3: unknown stage `null.snik` (did you mean null.sink?); `fecrun "
               "list` shows all",
               "its stages");
    yaml_file(HEAD "- null.source\n- null.sink\n");
    options.pipeline.sets = sets;
    not_opened(&options, "--set null.source.bits=0: must be an integer from 1 to 16777216, is '0'",
               "--set");
    options = (struct session_options){.registry = {.dirs = nowhere}};
    not_opened(&options, "--plugin-dir /nowhere: cannot be read: No such file or directory",
               "plugins");
}

/* Is that backend asked whether it can run? */
static bool probed(const char *stage, size_t row)
{
    return registry_find(session.registry, stage)->backends[row].probed;
}

/* Only who may be chosen is asked, for starting a driver takes time. */
static void test_probes(void)
{
    const char *const dirs[] = {fake, NULL};
    struct session_options options = {.registry = {.dirs = dirs}};

    yaml_file(HEAD "- fake.ramp\n- fake.flip: {backend: ref}\n- fake.count\n");
    ok(!open_file("p.yaml", &options) && probed("fake.ramp", 0) && probed("fake.ramp", 1),
       "both rows of a stage that may choose %s", error.text);
    ok(probed("fake.flip", 0) && !probed("fake.flip", 1), "one row where it is named");
    ok(!probed("fake.reverse", 0) && !probed("fake.reverse", 1), "none of other stages");
    session_close(&session);
    options.pipeline.backend = "fake:0";
    ok(!open_file("p.yaml", &options) && !probed("fake.ramp", 0) && probed("fake.ramp", 1),
       "--backend names all stages' rows");
    ok(probed("fake.flip", 0) && !probed("fake.flip", 1), "but for those that name theirs");
    session_close(&session);
}

/* ---- Points ---- */

static double value(const struct session_plan *plan, size_t stage, const char *name)
{
    const struct param_set *set = plan->plan->stages[stage].params;

    return param_values(set)->v[param_index(set, name)]->f;
}

static void test_points(void)
{
    struct session_plan plan;
    unsigned wrong = 0;

    load(CHAIN);
    is_int(session_points(&session), 1, "without a sweep one point");
    load(CHAIN "sweep: {toy.pass.x: [5]}\n");
    is_int(session_points(&session), 1, "a value alone, too");
    load(CHAIN "sweep: {b.x: [1, 2], toy.pass.x: [5, 6, 7]}\n");
    is_int(session_points(&session), 6, "else their product");
    for (size_t i = 0; i < 6; i++) {
        if (session_plan(&session, i, &plan, &error))
            bail("%s", error.text);
        wrong += value(&plan, 2, "x") != (double)(1 + i / 3) ||
                 value(&plan, 1, "x") != (double)(5 + i % 3) ||
                 ((struct toy_code *)plan.plan->stages[1].plan.code)->x != value(&plan, 1, "x");
        session_plan_free(&plan);
    }
    is_int(wrong, 0, "the last name's values change fastest");
    load_with(CHAIN "sweep: {b.x: [1, 2], toy.pass.x: [5, 6, 7]}\n", "b.x=4");
    is_int(session_points(&session), 3, "--set leaves one value");
    is_int(toy_codes, 0, "no code object is left");
}

/* 32 parameters of one value and 4 of 10: the largest sweep. */
static void test_many_points(void)
{
    static char text[8192];
    size_t used = (size_t)snprintf(text, sizeof text, HEAD "- toy.source\n");
    struct session_plan plan;

    for (int i = 0; i < 36; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "- toy.pass: {id: p%d}\n", i);
    used += (size_t)snprintf(text + used, sizeof text - used, "- toy.sink\nsweep:\n");
    for (int i = 0; i < 36; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "  p%d.x: %s\n", i,
                                 i % 9 ? "1" : "[0, 1, 2, 3, 4, 5, 6, 7, 8, -1]");
    load(text);
    is_int(session_points(&session), 10000, "36 parameters");
    if (!ok(!session_plan(&session, 4703, &plan, &error), "one of their points %s", error.text))
        return;
    ok(value(&plan, 1, "x") == 4 && value(&plan, 10, "x") == 7 && value(&plan, 19, "x") == 0 &&
           value(&plan, 28, "x") == 3 && value(&plan, 2, "x") == 1,
       "its number's digits");
    session_plan_free(&plan);
}

/* ---- Plans ---- */

static void test_plan(void)
{
    struct session_plan plan = {0}, other;

    session_plan_free(&plan);
    load(CHAIN "sweep: {toy.source.n: [8, 1536, 98304]}\n");
    ok(!session_plan(&session, 0, &plan, &error) && plan.plan == plan.shape.plans[0] &&
           plan.negotiation,
       "a plan %s", error.text);
    is_int(plan.frames, 4096, "and its batch");
    ok(!session_plan(&session, 2, &other, &error) && other.frames == 64,
       "another point's, of larger frames");
    ok(plan.frames == 4096 && plan.plan->stages[1].out[0].items == 8, "the first one stays");
    session_plan_free(&plan);
    session_plan_free(&other);
    ok(!plan.plan && !plan.negotiation && !toy_codes, "nothing is left");
    load_with(CHAIN, "batch=100");
    ok(!session_plan(&session, 0, &plan, &error) && plan.frames == 100, "the user's batch");
    session_plan_free(&plan);
    load_with(CHAIN "blocks: [{count: 3}, {count: 4}]\n", "batch=100");
    ok(!session_plan(&session, 0, &plan, &error) && plan.frames == 98, "whole rounds of blocks");
    session_plan_free(&plan);
    load_with(CHAIN "blocks: [{count: 3}, {count: 4}]\n", "batch=6");
    ok(!session_plan(&session, 0, &plan, &error) && plan.frames == 7, "one at least");
    session_plan_free(&plan);
}

static void not_planned_with(const char *text, const char *set, int status, const char *want)
{
    struct session_plan plan;

    load_with(text, set);
    error = (struct diag){0};
    ok(session_plan(&session, 0, &plan, &error) && !plan.plan && !plan.negotiation, "not planned");
    is_int(error.status, status, "with that status");
    is_str(error.text, want, "and told why");
    is_int(toy_codes, 0, "nothing is left");
}

static void not_planned(const char *text, int status, const char *want)
{
    not_planned_with(text, NULL, status, want);
}

static void test_not_planned(void)
{
    not_planned(HEAD "- toy.source\n- toy.pass: {k: 7}\n- toy.sink\n", DIAG_USAGE,
                "p.yaml:4:17: toy.pass.k: 7 is taken");
    not_planned(HEAD "- toy.source\n- toy.pass\n- toy.sink: {from: source}\n", DIAG_USAGE,
                "p.yaml:5:20: toy.sink.from: then no stage reads what toy.pass puts out");
    not_planned(CHAIN "backend: smid\n", DIAG_USAGE,
                "p.yaml:7:10: backend: unknown backend `smid`; `fecrun list` shows what there is");
    not_planned(CHAIN "backend: simd:x\n", DIAG_USAGE,
                "p.yaml:7:10: backend: `simd:x` is no backend name (NAME, NAME:DEVICE, NAME:all or "
                "NAME:DEVICE,DEVICE,...)");
    not_planned(CHAIN "backend: cuda\n", DIAG_USAGE,
                "p.yaml:7:10: backend: unknown backend `cuda`; `fecrun list` shows what there is");
    not_planned_with(
        CHAIN "backend: ref\n", "backend=warp", DIAG_USAGE,
        "--set backend=warp: backend: unknown backend `warp`; `fecrun list` shows what "
        "there is");
}

static void test_check(void)
{
    load(CHAIN "sweep: {b.x: [1, 2], toy.pass.x: [5, 6, 8]}\n");
    ok(!session_check(&session, NULL, NULL, &error), "all points go %s", error.text);
    load(CHAIN "sweep: {b.x: [1, 2], toy.pass.x: [5, 6, 9]}\n");
    error = (struct diag){0};
    ok(session_check(&session, NULL, NULL, &error), "the third does not");
    is_str(error.text, "p.yaml:7:34: toy.pass.x: must not be 9", "and is told before it runs");
    load(CHAIN "blocks:\n- {count: 1, k: 6}\n- {count: 2, k: 7}\n");
    error = (struct diag){0};
    ok(session_check(&session, NULL, NULL, &error), "a row of blocks does not");
    is_str(error.text, "p.yaml:9:17: toy.pass.k: 7 is taken", "and is told");
    load(HEAD "- toy.source: {once: true}\n- toy.pass\n- toy.sink\nsweep: {toy.pass.x: [1, 2]}\n");
    error = (struct diag){0};
    ok(session_check(&session, NULL, NULL, &error),
       "a stage whose parameters allow one point only");
    is_str(error.text,
           "p.yaml:3:3: toy.source: cannot be part of a sweep: every point would "
           "overwrite what the one before wrote",
           "is told");
    load(HEAD "- toy.source: {once: true}\n- toy.pass\n- toy.sink\nsweep: {toy.pass.x: [1]}\n");
    ok(!session_check(&session, NULL, NULL, &error), "and goes where there is one");
    is_int(toy_codes, 0, "no code object is left");
}

/* ---- What follows from the file ---- */

static struct run_limits limits(const char *text, struct session_plan *plan)
{
    load(text);
    if (session_plan(&session, 0, plan, &error))
        bail("%s", error.text);
    return session_limits(&session, plan->plan);
}

static void test_limits(void)
{
    struct session_plan plan;
    struct run_limits l = limits(CHAIN, &plan);

    ok(l.frame_errors == 100 && !l.frames && l.seconds == 60, "by default 100 errors, 60 seconds");
    ok(session_most(&session, &plan) == UINT64_MAX && plan.frames == 4096, "which bound no batch");
    session_plan_free(&plan);
    l = limits(HEAD "- toy.source: {ends: true}\n- toy.sink\n", &plan);
    ok(!l.frame_errors && !l.frames && l.seconds == 0, "a source that ends ends by itself");
    session_plan_free(&plan);
    l = limits(CHAIN "stop: {frames: 1000}\n", &plan);
    ok(!l.frame_errors && l.frames == 1000 && l.seconds == 0, "the user's are all there are");
    ok(session_most(&session, &plan) == 1000 && plan.frames == 4096,
       "a batch of nobody's needs no more than the run");
    session_plan_free(&plan);
    l = limits(CHAIN "batch: 2000\nstop: {frames: 1000, seconds: 2}\n", &plan);
    ok(l.frames == 1000 && l.seconds == 2 && plan.frames == 2000, "the user's is as it is");
    session_plan_free(&plan);
    l = limits(HEAD "- toy.source: {ends: true}\n- toy.sink\nstop: {frame_errors: 7}\n", &plan);
    ok(l.frame_errors == 7 && !l.frames && l.seconds == 0, "a source that ends may be stopped");
    session_plan_free(&plan);
    l = limits(CHAIN "blocks: [{count: 50}]\nstop: {frames: 10}\n", &plan);
    ok(session_most(&session, &plan) == 50 && plan.frames == 4050, "rows of blocks are not cut");
    session_plan_free(&plan);
}

static void test_workers(void)
{
    const char *const dirs[] = {fake, NULL};
    struct session_options options = {.registry = {.dirs = dirs}, .threads = 7};
    struct session_plan plan;

    toy_session_close(&session);
    yaml_file(HEAD "- fake.ramp\n- fake.flip\n- fake.count\nin_flight: 5\n");
    for (int host = 0; host < 2; host++) {
        options.pipeline.backend = host ? "ref" : NULL;
        if (open_file("p.yaml", &options) || session_plan(&session, 0, &plan, &error))
            bail("%s", error.text);
        is_int(session_workers(&session, plan.negotiation), host ? 7 : 5, "%s",
               host ? "threads of the host" : "with a device a thread a batch in flight");
        session_plan_free(&plan);
        session_close(&session);
    }
}

/* ---- Execs ---- */

static unsigned creates, live, fail_at;
static uint64_t max_frames;

static int count_create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    *instance = NULL;
    if (++creates == fail_at)
        return fecrun_fail(err, NULL, "no more of those");
    live++;
    max_frames = args->max_frames;
    *instance = &live;
    return 0;
}

static void count_destroy(void *instance)
{
    live -= instance != NULL;
}

static const struct fecrun_stage *counted(const char *name)
{
    static struct fecrun_stage stages[4];
    static struct fecrun_backend rows[4];
    static const struct fecrun_backend *tables[4][2];
    static unsigned n;
    unsigned i = n++;

    stages[i] = *registry_find(&registry, name)->stage;
    rows[i] = *stages[i].backends[0];
    rows[i].create = count_create;
    rows[i].destroy = count_destroy;
    tables[i][0] = &rows[i];
    stages[i].backends = tables[i];
    return &stages[i];
}

static void test_exec(struct registry *counting)
{
    const char *text = HEAD "- toy.source\n- toy.pass\n- toy.file\nstop: {frames: 300}\n";
    struct exec_options options = {0};
    struct session_plan plan;
    struct exec exec;

    toy_session_close(&session);
    error = (struct diag){0};
    if (!toy_session(&session, counting, text, NULL, &error) ||
        session_plan(&session, 0, &plan, &error))
        bail("%s", error.text);
    creates = live = 0;
    ok(!session_exec(&session, &plan, session_most(&session, &plan), &options, &exec, &error),
       "an exec %s", error.text);
    ok(options.workers == 2 && !exec.ordered.instances, "of two threads, no file is opened yet");
    ok(creates == 2 && live == 2, "with one worker's instances");
    is_int(max_frames, 300, "for batches no larger than the run");
    exec_close(&exec);
    is_int(live, 0, "which go with it");
    creates = 0;
    fail_at = 2;
    error = (struct diag){0};
    ok(session_exec(&session, &plan, UINT64_MAX, &options, &exec, &error) && !live,
       "an instance that fails takes the others along");
    is_int(error.status, DIAG_RUN, "as a failure");
    is_str(error.text, "p.yaml:4:3: toy.pass: no more of those", "and told where");
    session_plan_free(&plan);
    creates = 0;
    error = (struct diag){0};
    ok(sweep_try(&session, &error) && !live && !toy_codes, "sweep_try() finds it");
    is_str(error.text, "p.yaml:4:3: toy.pass: no more of those", "and says so");
    fail_at = 0;
    creates = 0;
    error = (struct diag){0};
    ok(!sweep_try(&session, &error) && creates == 2 && !live && !toy_codes,
       "else it leaves nothing, no file either %s", error.text);
}

static void test_execs(void)
{
    struct registry counting;

    memory_registry_init(&counting);
    memory_add_stage(&counting, counted("toy.source"));
    memory_add_stage(&counting, counted("toy.pass"));
    memory_add_stage(&counting, counted("toy.file"));
    test_exec(&counting);
    toy_session_close(&session);
    memory_registry_free(&counting);
}

/* ---- What the RNG knows points by ---- */

static uint32_t number(const char *text, size_t at, size_t stage)
{
    struct session_plan plan;
    uint32_t result;

    load(text);
    if (session_plan(&session, at, &plan, &error))
        bail("%s", error.text);
    result = plan.shape.point.numbers[stage];
    session_plan_free(&plan);
    return result;
}

/* Results of old files depend on these numbers: they never change. */
static void test_numbers(void)
{
    uint32_t one = number(CHAIN "sweep: {toy.pass.x: [3, 4]}\n", 1, 2);
    uint32_t two = number(CHAIN "sweep: {b.x: [1, 2], toy.pass.x: [3, 4]}\n", 3, 2);

    is_int(number(CHAIN, 0, 2), 0, "no sweep");
    is_int(one, 2478043809, "toy.pass.x=4");
    is_int(two, 1768188913, "b.x=2 and toy.pass.x=4");
    ok(number(CHAIN "sweep: {toy.pass.x: [4]}\n", 0, 2) == one, "whatever other points there are");
    ok(number(CHAIN "sweep: {toy.pass.x: ['4.00', 4e0]}\n", 0, 2) == one &&
           number(CHAIN "sweep: {toy.pass.x: ['4.00', 4e0]}\n", 1, 2) == one,
       "however it is written");
    ok(number(CHAIN "sweep: {toy.pass.x: [3, 4], b.x: [1, 2]}\n", 3, 2) == two, "in any order");
}

#define SWEEP "sweep: {b.x: [1, 2], toy.pass.x: [3, 4]}\n"
#define TWO_WAYS HEAD "- toy.source\n- toy.pass\n- toy.pass: {id: b, from: source}\n"

/* What is swept behind a stage, or on another way, leaves its random values as they are. */
static void test_reach(void)
{
    const uint32_t pass = 2478043809, b = 1768188913 - pass; /* toy.pass.x=4; b.x=2: see above */

    is_int(number(CHAIN SWEEP, 3, 0), 0, "nothing reaches the source");
    is_int(number(CHAIN SWEEP, 3, 1), pass, "a stage's own values do");
    is_int(number(CHAIN SWEEP, 3, 3), pass + b, "and those of all before it");
    is_int(number(CHAIN SWEEP, 1, 1), pass, "whatever the others are");
    is_int(number(TWO_WAYS "- toy.join: {side: toy.pass}\n- toy.sink\n" SWEEP, 3, 2), b,
           "from: not those of another way");
    is_int(number(TWO_WAYS "- toy.join: {side: toy.pass}\n- toy.sink\n" SWEEP, 3, 3), pass + b,
           "a side input counts, too");
}

/* ---- Instances of another point ---- */

/* Which stages' instances of the first plan serve the second one: a bit a stage. */
static unsigned served(const struct session_plan *made, const struct session_plan *next)
{
    unsigned stages = 0;

    for (size_t s = 0; s < session.graph->n; s++)
        stages |= (unsigned)session_serves(made, next, s) << s;
    return stages;
}

/* The same of the first two points. */
static unsigned served_in(const char *text)
{
    struct session_plan made, next;
    unsigned stages;

    load(text);
    if (session_plan(&session, 0, &made, &error) || session_plan(&session, 1, &next, &error))
        bail("%s", error.text);
    stages = served(&made, &next);
    session_plan_free(&made);
    session_plan_free(&next);
    return stages;
}

static void test_serves(void)
{
    is_int(served_in(CHAIN "sweep: {toy.pass.x: [5, 6]}\n"), 0xf, "a value that each call reads");
    is_int(served_in(CHAIN "sweep: {toy.pass.k: [1, 2]}\n"), 0xd, "one that create() reads");
    is_int(served_in(CHAIN "sweep: {b.k: [1, 2], toy.pass.x: [5, 6]}\n"), 0xf,
           "points of one value of the outer sweep");
    is_int(served_in(CHAIN "sweep: {toy.source.n: [8, 14]}\n"), 0, "other frames");
    is_int(served_in(CHAIN "sweep: {toy.source.stream: [false, true]}\n"), 0, "a stream");
    is_int(served_in(CHAIN "sweep: {toy.source.ends: [false, true]}\n"), 0xe, "other flags");
    is_int(served_in(HEAD "- toy.source: {ordered: true}\n- toy.pass\n- toy.sink\n"
                          "sweep: {toy.pass.x: [5, 6]}\n"),
           0x6, "a file cannot be read again");
    is_int(served_in(CHAIN "blocks:\n- {count: 1, k: 1}\n- {count: 1, k: 2}\n"
                           "sweep: {toy.source.n: [8, 14]}\n"),
           0, "frames of classes");
}

/* The same plan twice, one field of the second changed. */
static void test_serves_fields(void)
{
    struct session_plan made, next;
    struct choice *choice;
    struct fecrun_frame *frame;
    struct fecrun_plan *p;

    load(CHAIN);
    if (session_plan(&session, 0, &made, &error) || session_plan(&session, 0, &next, &error))
        bail("%s", error.text);
    frame = &next.shape.plans[0]->stages[1].out[0];
    p = &next.shape.plans[0]->stages[2].plan;
    choice = &next.negotiation->choices[2];
    is_int(served(&made, &next), 0xf, "the same plan");
#define DIFFERS(field, other, want) \
    do { \
        __typeof__(field) before = field; \
        field = other; \
        is_int(served(&made, &next), want, "another " #field); \
        field = before; \
    } while (0)
    DIFFERS(frame->kind, FECRUN_KIND_LLR, 0xb);
    DIFFERS(frame->type, FECRUN_PACKED, 0xb);
    DIFFERS(frame->items, 12, 0xb);
    DIFFERS(frame->stream, 1, 0xb);
    DIFFERS(frame->llr_max, 1.0, 0xb);
    DIFFERS(frame->llr_scale, 2.0, 0xb);
    DIFFERS(frame->n0, 0.5, 0xf);
    DIFFERS(p->before, 1, 0xb);
    DIFFERS(p->after, 1, 0xb);
    DIFFERS(p->flags, FECRUN_STAGE_ENDS, 0xb);
    DIFFERS(choice->absorbed_by, 3, 0xb);
    DIFFERS(choice->n_absorbed, 1, 0xb);
    DIFFERS(choice->backend, NULL, 0xb);
    DIFFERS(choice->form, NULL, 0xb);
    DIFFERS(next.negotiation->device, 1, 0);
#undef DIFFERS
    session_plan_free(&made);
    session_plan_free(&next);
}

/* ---- Warnings ---- */

static int take_warning(void *data, const char *text, struct diag *diag)
{
    char *all = data;

    (void)diag;
    snprintf(all + strlen(all), 512 - strlen(all), "%s\n", text);
    return 0;
}

static void test_warnings(void)
{
    struct session_plan plan;
    char all[512] = "";

    load(CHAIN "sweep: {b.x: [5, 8]}\n");
    ok(!session_plan(&session, 1, &plan, &error), "a stage warns, and nobody listens");
    session_plan_free(&plan);
    session.warn = take_warning;
    session.warn_data = all;
    ok(!session_plan(&session, 0, &plan, &error) && !*all, "another point");
    session_plan_free(&plan);
    ok(!session_plan(&session, 1, &plan, &error), "that point once more");
    session_plan_free(&plan);
    is_str(all, "p.yaml:5:3: b: x is 8\n", "is told with its place");
}

int main(void)
{
    if (!getenv("FAKEDIR"))
        skip_all("FAKEDIR is not set: run me with make check");
    if (!realpath(getenv("FAKEDIR"), fake))
        bail("no %s", getenv("FAKEDIR"));
    toy_registry(&registry);
    test_open();
    test_not_opened();
    test_probes();
    test_points();
    test_serves();
    test_warnings();
    test_serves_fields();
    test_many_points();
    test_numbers();
    test_reach();
    test_plan();
    test_not_planned();
    test_check();
    test_limits();
    test_workers();
    test_execs();
    toy_session_close(&session);
    memory_registry_free(&registry);
    return done_testing();
}
