/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A family of stages in memory, for tests of what the core makes of a pipeline file:
 *
 *     toy.source  n bits, stream: yes or no; flags of its plan(): ends, ordered, once (one point)
 *     toy.pass    leaves frames as they are; x may change between points, k is a size
 *     toy.split   outputs main and side; n is not a size
 *     toy.join    inputs in and, optional, side (a parameter)
 *     toy.need    the same, but side must be linked
 *     toy.sink    takes bits; toy.file cannot be part of a sweep
 *
 * plan() of toy.pass refuses k: 7 (names k), k: 8 (names nothing), k: 9 (says nothing, and leaves a
 * code object that is none) and x: 9. It warns of x: 8.
 */
#ifndef T_LIB_TOY_H
#define T_LIB_TOY_H

#include "run/session/session.h"
#include "t/lib/memory.h"
#include "t/lib/yaml.h"

struct toy_code {
    int64_t n, k;
    double x;
};

/* Code objects that live; plans that were made. */
static int toy_codes;
static unsigned toy_plans;

static struct toy_code *toy_code(struct fecrun_plan *plan)
{
    toy_codes++;
    toy_plans++;
    plan->code = calloc(1, sizeof(struct toy_code));
    return plan->code;
}

static TAP_UNUSED void toy_free(void *code)
{
    toy_codes -= code != NULL;
    free(code);
}

static int toy_source_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                           const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                           struct fecrun_plan *plan, struct fecrun_error *err)
{
    (void)host, (void)in, (void)err;
    toy_code(plan)->n = fecrun_value(values, 0)->i;
    out[0]->kind = FECRUN_KIND_BITS;
    out[0]->type = FECRUN_U8;
    out[0]->items = out[0]->info_bits = (uint64_t)fecrun_value(values, 0)->i;
    out[0]->stream = fecrun_value(values, 1)->i != 0;
    plan->flags = (fecrun_value(values, 2)->i ? FECRUN_STAGE_ENDS : 0u) |
                  (fecrun_value(values, 3)->i ? FECRUN_STAGE_ORDERED : 0u) |
                  (fecrun_value(values, 4)->i ? FECRUN_STAGE_ONE_POINT : 0u);
    return 0;
}

/* All outputs are as the first input. */
static int toy_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                    const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                    struct fecrun_plan *plan, struct fecrun_error *err)
{
    (void)host, (void)values, (void)err;
    toy_code(plan);
    for (unsigned p = 0; p < FECRUN_MAX_PORTS && out[p]; p++)
        fecrun_frame_copy(out[p], in[0]);
    return 0;
}

static int toy_pass_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                         const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                         struct fecrun_plan *plan, struct fecrun_error *err)
{
    double x = fecrun_value(values, 0)->f;
    int64_t k = fecrun_value(values, 1)->i;

    if (x == 9)
        return fecrun_fail(err, "x", "must not be 9");
    if (k == 7 || k == 8)
        return fecrun_fail(err, k == 7 ? "k" : NULL, "%d is taken", (int)k);
    if (k == 9) {
        plan->code = (void *)values;
        return -1;
    }
    toy_plan(host, values, in, out, plan, err);
    *(struct toy_code *)plan->code = (struct toy_code){.k = k, .x = x};
    if (x == 8)
        snprintf(plan->warning, sizeof plan->warning, "x is 8");
    return 0;
}

static TAP_UNUSED int toy_create(const struct fecrun_create *args, void **instance,
                                 struct fecrun_error *err)
{
    (void)args, (void)err;
    *instance = NULL;
    return 0;
}

static TAP_UNUSED int toy_run(void *instance, const struct fecrun_call *call,
                              const struct fecrun_view *const in[], struct fecrun_view *const out[],
                              struct fecrun_error *err)
{
    (void)instance, (void)call, (void)in, (void)out, (void)err;
    return 0;
}

static TAP_UNUSED int toy_finish(void *instance, struct fecrun_error *err)
{
    (void)instance, (void)err;
    return 0;
}

static TAP_UNUSED void toy_destroy(void *instance)
{
    (void)instance;
}

#define TOY_PORT(port_name, ...) \
    FECRUN_PORT(.name = port_name, .kinds = FECRUN_KIND_BITS, __VA_ARGS__)
#define TOY_PORTS(...) ((const struct fecrun_port *const[]){__VA_ARGS__, NULL})
#define TOY_NO_PORTS ((const struct fecrun_port *const[]){NULL})
#define TOY_PARAMS(...) ((const struct fecrun_param *const[]){__VA_ARGS__, NULL})
#define TOY_SIDE(...) \
    FECRUN_PARAM(.name = "side", .type = FECRUN_VALUE_PORT, .help = "what feeds `side`", \
                 __VA_ARGS__)
#define TOY_FLAG(flag_name) \
    FECRUN_PARAM(.name = flag_name, .type = FECRUN_VALUE_BOOL, .default_text = "false", \
                 .help = "of the source")
#define TOY_FORMS(...) ((const struct fecrun_form *const[]){FECRUN_FORM(__VA_ARGS__), NULL})
#define TOY_BACKEND(...) \
    FECRUN_BACKEND(.create = toy_create, .run = toy_run, .finish = toy_finish, \
                   .destroy = toy_destroy, __VA_ARGS__)
#define TOY_BACKENDS(...) \
    ((const struct fecrun_backend *const[]){ \
        TOY_BACKEND(.name = "ref", .forms = TOY_FORMS(__VA_ARGS__)), NULL})
#define TOY_STAGE(...) FECRUN_STAGE(.summary = "a toy", .plan_free = toy_free, __VA_ARGS__)
#define TOY_IN FECRUN_IN({.type = FECRUN_U8}, {.type = FECRUN_U8})
#define TOY_OUT FECRUN_OUT({.type = FECRUN_U8}, {.type = FECRUN_U8})

static const struct fecrun_stage *const toy_stages[] = {
    TOY_STAGE(.name = "toy.source", .role = FECRUN_ROLE_SOURCE, .plan = toy_source_plan,
              .inputs = TOY_NO_PORTS, .outputs = TOY_PORTS(TOY_PORT("bits", .flags = 0)),
              .params = TOY_PARAMS(
                  FECRUN_PARAM(.name = "n", .type = FECRUN_VALUE_INT, .flags = FECRUN_PARAM_SIZE,
                               .imin = 1, .imax = 0x1p41, .default_text = "8",
                               .help = "bits of a frame"),
                  TOY_FLAG("stream"), TOY_FLAG("ends"), TOY_FLAG("ordered"), TOY_FLAG("once")),
              .backends = TOY_BACKENDS(TOY_OUT)),
    TOY_STAGE(.name = "toy.pass", .role = FECRUN_ROLE_TRANSFORM, .plan = toy_pass_plan,
              .inputs = TOY_PORTS(TOY_PORT("bits", .flags = 0)),
              .outputs = TOY_PORTS(TOY_PORT("bits", .flags = 0)),
              .params = TOY_PARAMS(
                  FECRUN_PARAM(.name = "x", .type = FECRUN_VALUE_FLOAT, .flags = FECRUN_PARAM_POINT,
                               .fmin = -10, .fmax = 10, .default_text = "0", .help = "a value"),
                  FECRUN_PARAM(.name = "k", .type = FECRUN_VALUE_INT, .flags = FECRUN_PARAM_SIZE,
                               .imin = 0, .imax = 100, .default_text = "0", .help = "a size")),
              .backends = TOY_BACKENDS(TOY_IN, TOY_OUT)),
    TOY_STAGE(.name = "toy.split", .role = FECRUN_ROLE_TRANSFORM, .plan = toy_plan,
              .inputs = TOY_PORTS(TOY_PORT("bits", .flags = 0)),
              .outputs = TOY_PORTS(TOY_PORT("main", .flags = 0), TOY_PORT("side", .flags = 0)),
              .params = TOY_PARAMS(FECRUN_PARAM(.name = "n", .type = FECRUN_VALUE_INT, .imin = 0,
                                                .imax = 100, .default_text = "0",
                                                .help = "no size, whatever its name")),
              .backends = TOY_BACKENDS(TOY_IN, TOY_OUT)),
    TOY_STAGE(.name = "toy.join", .role = FECRUN_ROLE_TRANSFORM, .plan = toy_plan,
              .inputs = TOY_PORTS(TOY_PORT("in", .flags = 0),
                                  TOY_PORT("side", .flags = FECRUN_PORT_OPTIONAL)),
              .outputs = TOY_PORTS(TOY_PORT("bits", .flags = 0)),
              .params = TOY_PARAMS(TOY_SIDE(.flags = 0)),
              .backends = TOY_BACKENDS(TOY_IN, TOY_OUT)),
    TOY_STAGE(.name = "toy.need", .role = FECRUN_ROLE_TRANSFORM, .plan = toy_plan,
              .inputs = TOY_PORTS(TOY_PORT("in", .flags = 0), TOY_PORT("side", .flags = 0)),
              .outputs = TOY_PORTS(TOY_PORT("bits", .flags = 0)),
              .params = TOY_PARAMS(TOY_SIDE(.flags = 0)),
              .backends = TOY_BACKENDS(TOY_IN, TOY_OUT)),
    TOY_STAGE(.name = "toy.sink", .role = FECRUN_ROLE_SINK, .plan = toy_plan,
              .inputs = TOY_PORTS(TOY_PORT("bits", .flags = 0)), .outputs = TOY_NO_PORTS,
              .params = TOY_PARAMS(NULL), .backends = TOY_BACKENDS(TOY_IN)),
    TOY_STAGE(.name = "toy.file", .role = FECRUN_ROLE_SINK,
              .flags = FECRUN_STAGE_ORDERED | FECRUN_STAGE_ONE_POINT, .plan = toy_plan,
              .inputs = TOY_PORTS(TOY_PORT("bits", .flags = 0)), .outputs = TOY_NO_PORTS,
              .params = TOY_PARAMS(NULL), .backends = TOY_BACKENDS(TOY_IN)),
    NULL,
};

/* Combination number `at` of the swept values, the last one's changing fastest; valid until the
   next call. */
static TAP_UNUSED const struct point *toy_point(const struct pipeline *pipeline, size_t at)
{
    static struct point point;

    point = (struct point){.n = pipeline->n_sweeps, .sweeps = pipeline->sweeps, .at = at};
    return &point;
}

static TAP_UNUSED void toy_registry(struct registry *registry)
{
    memory_registry_init(registry);
    for (size_t i = 0; toy_stages[i]; i++)
        memory_add_stage(registry, toy_stages[i]);
}

/* ---- Sessions of a registry in memory: as session_open() makes them, but for the plugins ---- */

static TAP_UNUSED void toy_session_close(struct session *session)
{
    graph_free(session->graph);
    pipeline_free(session->pipeline);
    memset(session, 0, sizeof *session);
}

static TAP_UNUSED bool toy_session(struct session *session, struct registry *registry,
                                   const char *text, const char *const *sets, struct diag *d)
{
    *session = (struct session){.registry = registry, .threads = 2};
    session->pipeline = yaml_load(text, sets, d);
    if (session->pipeline && !graph_bind(&session->graph, session->pipeline, registry, d))
        return true;
    toy_session_close(session);
    return false;
}

#endif
