/* SPDX-License-Identifier: BSD-2-Clause */
/* Sweeps in memory: many parameters, how often plan() is called, progress while a point runs. */
#include "t/lib/memory.h"
#include "t/lib/sweep.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/*
 * The clock on the wall is about to be set back by an hour: what waits for a time of it waits that
 * long. Stands before the C library's own.
 */
static bool wall_is_ahead;

int clock_gettime(clockid_t clock, struct timespec *time)
{
    int status = (int)syscall(SYS_clock_gettime, clock, time);

    if (clock == CLOCK_REALTIME && wall_is_ahead)
        time->tv_sec += 3600;
    return status;
}

/* ---- A source with a hundred parameters, and a sink ---- */

enum { PARAMS = 100 };

static unsigned plans, takes, runs;
static struct fecrun_param params[PARAMS];
static const struct fecrun_param *param_table[PARAMS + 1];
static char names[PARAMS][8];

static int source_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                       const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                       struct fecrun_plan *plan, struct fecrun_error *err)
{
    (void)host, (void)values, (void)in, (void)plan, (void)err;
    plans++;
    out[0]->kind = FECRUN_KIND_BITS;
    out[0]->type = FECRUN_U8;
    out[0]->items = out[0]->info_bits = 8;
    return 0;
}

static int sink_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                     const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                     struct fecrun_plan *plan, struct fecrun_error *err)
{
    (void)host, (void)values, (void)in, (void)out, (void)plan, (void)err;
    return 0;
}

static int source_takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    (void)args, (void)err;
    takes++;
    return 0;
}

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    (void)args, (void)err;
    *instance = NULL;
    return 0;
}

static void destroy(void *instance)
{
    (void)instance;
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    (void)instance, (void)call, (void)err;
    if (!in[0])
        memset(out[0]->data, 0, out[0]->frames * out[0]->items);
    __atomic_add_fetch(&runs, 1, __ATOMIC_RELAXED);
    return 0;
}

static const struct fecrun_port *const no_ports[] = {NULL};
static const struct fecrun_port *const bits[] = {
    FECRUN_PORT(.name = "bits", .kinds = FECRUN_KIND_BITS), NULL};
static const struct fecrun_param *const no_params[] = {NULL};

static const struct fecrun_stage source = {
    .size = sizeof source,
    .name = "t.source",
    .role = FECRUN_ROLE_SOURCE,
    .params = param_table,
    .inputs = no_ports,
    .outputs = bits,
    .plan = source_plan,
    .backends = (const struct fecrun_backend *const[]){
        FECRUN_BACKEND(.name = "ref", .create = create, .run = run, .destroy = destroy,
                       .takes = source_takes,
                       .forms = (const struct fecrun_form *const[]){FECRUN_FORM(FECRUN_OUT(
                                                                        {.type = FECRUN_U8})),
                                                                    NULL}),
        NULL}};
static const struct fecrun_stage sink = {
    .size = sizeof sink,
    .name = "t.sink",
    .role = FECRUN_ROLE_SINK,
    .params = no_params,
    .inputs = bits,
    .outputs = no_ports,
    .plan = sink_plan,
    .backends = (const struct fecrun_backend *const[]){
        FECRUN_BACKEND(.name = "ref", .create = create, .run = run, .destroy = destroy,
                       .forms = (const struct fecrun_form *const[]){FECRUN_FORM(FECRUN_IN(
                                                                        {.type = FECRUN_U8})),
                                                                    NULL}),
        NULL}};

/* ---- A session of them ---- */

struct swept {
    struct registry registry;
    struct pipeline pipeline;
    struct pipeline_stage stages[2];
    struct pipeline_sweep sweeps[PARAMS];
    struct session session;
};

/* n parameters are swept, the last one over that many values, the others have one. flags: of all
   parameters. */
static void open_swept(struct swept *s, size_t n, size_t values, uint32_t flags)
{
    static char digits[][2] = {"7", "8", "9"};
    static char *numbers[] = {digits[0], digits[1], digits[2]};
    static char here[] = ".";
    struct diag d = {0};

    for (size_t i = 0; i < PARAMS; i++) {
        snprintf(names[i], sizeof names[i], "p%zu", i);
        params[i] = (struct fecrun_param){.size = sizeof params[i],
                                          .name = names[i],
                                          .type = FECRUN_VALUE_INT,
                                          .default_text = "0",
                                          .help = "",
                                          .flags = flags};
        param_table[i] = &params[i];
    }
    *s = (struct swept){
        .pipeline = {.place.base_dir = here,
                     .in_flight = 1,
                     .batch = 4,
                     .n_stages = 2,
                     .n_sweeps = n,
                     .stop_given = true,
                     .stop_frames = 10},
        .stages = {{.name = "t.source", .id = "t.source"}, {.name = "t.sink", .id = "t.sink"}}};
    s->pipeline.stages = s->stages;
    s->pipeline.sweeps = s->sweeps;
    for (size_t i = 0; i < n; i++)
        s->sweeps[i] = (struct pipeline_sweep){.stage = (char *)s->stages[0].id,
                                               .param = names[i],
                                               .values = numbers,
                                               .count = i + 1 < n ? 1 : values};
    memory_registry_init(&s->registry);
    memory_add_stage(&s->registry, &source);
    memory_add_stage(&s->registry, &sink);
    s->session = (struct session){.registry = &s->registry, .pipeline = &s->pipeline, .threads = 1};
    if (graph_bind(&s->session.graph, &s->pipeline, &s->registry, &d))
        bail("graph_bind: %s", d.text);
    plans = takes = runs = 0;
}

static void close_swept(struct swept *s)
{
    graph_free(s->session.graph);
    memory_registry_free(&s->registry);
}

/* ---- Many parameters ---- */

static void is_point(void *data, const struct result_point *point)
{
    unsigned *number = data;
    char last[2] = {(char)('7' + *number), 0};

    is_int((int64_t)point->n_set, PARAMS, "point %u has all parameters", *number);
    is_str(point->set_names[0], "t.source.p0", "the first name");
    is_str(point->set_values[0], "7", "and value");
    is_str(point->set_names[PARAMS - 1], "t.source.p99", "the last name");
    is_str(point->set_values[PARAMS - 1], last, "and value");
    is_int((int64_t)point->counts.frames, 10, "its frames");
    ++*number;
}

static void test_many(void)
{
    struct swept s;
    unsigned number = 0;
    const struct run_options options = {.data = &number};
    struct diag d = {0};

    open_swept(&s, PARAMS, 3, 0);
    is_int(sweep_all(&s.session, &options, NULL, is_point, &d), 0, "%d swept parameters: %s",
           PARAMS, d.text);
    is_int(number, 3, "points");
    close_swept(&s);
}

/* ---- Plans ---- */

static void test_plans(size_t values, uint32_t flags, unsigned want)
{
    struct swept s;
    struct diag d = {0};

    open_swept(&s, 1, values, flags);
    is_int(sweep_all(&s.session, NULL, NULL, NULL, &d), 0, "%zu points%s: %s", values,
           flags ? " that share instances" : "", d.text);
    is_int(plans, want, "calls of plan()");
    is_int(takes, want, "calls of takes()");
    plans = 0;
    is_int(sweep_try(&s.session, &d), 0, "a check of them: %s", d.text);
    is_int(plans, values, "plans each once");
    close_swept(&s);
}

/* ---- Progress ---- */

struct watching {
    int cancel;
    unsigned calls, most; /* most: calls of run() that went on during one call */
};

static void on_progress(void *data, const struct run_counts *counts, double seconds)
{
    struct watching *w = data;
    unsigned before = __atomic_load_n(&runs, __ATOMIC_RELAXED), now = before;

    (void)seconds;
    w->calls++;
    ok(!counts->rows && counts->frames <= 4 * (uint64_t)now, "progress shows a copy of the counts");
    for (unsigned i = 0; i < 300 && now < before + 100; i++) {
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        now = __atomic_load_n(&runs, __ATOMIC_RELAXED);
    }
    w->most = now - before > w->most ? now - before : w->most;
    if (w->calls > 1)
        __atomic_store_n(&w->cancel, 1, __ATOMIC_RELAXED);
}

static void test_progress(bool ahead)
{
    struct swept s;
    struct watching w = {0};
    const struct run_options options = {.progress = on_progress, .data = &w};
    struct diag d = {0};

    open_swept(&s, 0, 0, 0);
    s.pipeline.stop_frames = 0;
    s.pipeline.stop_seconds = 10;
    wall_is_ahead = ahead;
    is_int(sweep_all(&s.session, &options, &w.cancel, NULL, &d), 0, "a point with progress: %s",
           d.text);
    wall_is_ahead = false;
    ok(w.calls >= 2, "it comes%s: %u times", ahead ? " whatever the clock on the wall" : "",
       w.calls);
    ok(w.most >= 100, "batches go on while it is shown: %u calls", w.most);
    close_swept(&s);
}

int main(void)
{
    test_plans(1, 0, 1);
    test_plans(3, 0, 3 + 2); /* all before the first frame, and the others when they run */
    test_plans(3, FECRUN_PARAM_POINT, 3 + 2);
    test_progress(false);
    test_progress(true);
    test_many();
    return done_testing();
}
