/* SPDX-License-Identifier: BSD-2-Clause */
/* One worker and one slot: frames that a source numbers, what ports hold of them, where it ends; errors. */
#include "t/lib/memory.h"

#include "core/batch/line.h"

enum { ITEMS = 4, ALL = 10 }; /* frames that there are */

static int live, fail_at;

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    (void)args;
    if (fail_at && live + 1 == fail_at)
        return fecrun_fail(err, NULL, "no more of these");
    *instance = &live;
    live++;
    return 0;
}

static void destroy(void *instance)
{
    live -= instance != NULL;
}

static int plan_bits(const struct fecrun_host *host, const struct fecrun_values *values,
                     const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                     struct fecrun_plan *made, struct fecrun_error *err)
{
    (void)host, (void)values, (void)in, (void)made, (void)err;
    for (unsigned p = 0; p < 2 && out[p]; p++) {
        out[p]->kind = FECRUN_KIND_BITS;
        out[p]->type = FECRUN_U8;
        out[p]->items = ITEMS;
    }
    return 0;
}

/* Items of frame f are f. */
static int run_source(void *instance, const struct fecrun_call *call,
                      const struct fecrun_view *const in[], struct fecrun_view *const out[],
                      struct fecrun_error *err)
{
    const uint64_t left = call->first_frame < ALL ? ALL - call->first_frame : 0;

    (void)instance, (void)in, (void)err;
    out[0]->frames = out[0]->frames < left ? out[0]->frames : left;
    for (uint64_t f = 0; f < out[0]->frames; f++)
        memset((char *)out[0]->data + f * out[0]->stride, (int)(call->first_frame + f), ITEMS);
    return 0;
}

/* 100 more, and a frame info. */
static int run_add(void *instance, const struct fecrun_call *call,
                   const struct fecrun_view *const in[], struct fecrun_view *const out[],
                   struct fecrun_error *err)
{
    (void)instance, (void)err;
    for (uint64_t i = 0; i < in[0]->frames * ITEMS; i++)
        ((uint8_t *)out[0]->data)[i] = (uint8_t)(((const uint8_t *)in[0]->data)[i] + 100);
    for (uint64_t f = 0; f < in[0]->frames; f++)
        call->info[f].iterations = 3;
    return 0;
}

static int run_sink(void *instance, const struct fecrun_call *call,
                    const struct fecrun_view *const in[], struct fecrun_view *const out[],
                    struct fecrun_error *err)
{
    (void)instance, (void)call, (void)in, (void)out, (void)err;
    return 0;
}

#define BACKENDS(run_fn, ...) \
    ((const struct fecrun_backend *const[]){ \
        FECRUN_BACKEND(.name = "ref", .create = create, .run = run_fn, .destroy = destroy, \
                       .forms = (const struct fecrun_form *const[]){FECRUN_FORM(__VA_ARGS__), \
                                                                    NULL}), \
        NULL})
#define PORT(port_name, ...) \
    &(const struct fecrun_port) \
    { \
        .size = sizeof(struct fecrun_port), .name = port_name, .kinds = FECRUN_KIND_BITS, \
        __VA_ARGS__ \
    }

static const struct fecrun_param *const no_params[] = {NULL};
static const struct fecrun_port *const no_ports[] = {NULL};
static const struct fecrun_port *const one[] = {PORT("bits", .flags = 0), NULL};
static const struct fecrun_port *const two[] = {PORT("bits", .flags = 0),
                                                PORT("side", .flags = FECRUN_PORT_OPTIONAL), NULL};
static const struct fecrun_stage *const stages[] = {
    FECRUN_STAGE(.name = "t.source", .summary = "", .role = FECRUN_ROLE_SOURCE, .plan = plan_bits,
                 .params = no_params, .inputs = no_ports, .outputs = one,
                 .backends = BACKENDS(run_source, FECRUN_OUT({.type = FECRUN_U8}))),
    FECRUN_STAGE(.name = "t.add", .summary = "", .role = FECRUN_ROLE_TRANSFORM, .plan = plan_bits,
                 .params = no_params, .inputs = one, .outputs = two,
                 .backends = BACKENDS(run_add, FECRUN_IN({.type = FECRUN_U8}),
                                      FECRUN_OUT({.type = FECRUN_U8}, {.type = FECRUN_U8}))),
    FECRUN_STAGE(.name = "t.sink", .summary = "", .role = FECRUN_ROLE_SINK, .plan = plan_bits,
                 .params = no_params, .inputs = one, .outputs = no_ports,
                 .backends = BACKENDS(run_sink, FECRUN_IN({.type = FECRUN_U8})))};

static struct registry registry;
static struct graph *graph;
static struct shape shape;
static struct negotiation *negotiation;

static void test_frames(void)
{
    struct line line;
    struct line_port port;
    struct diag d = {0};
    char copy[ITEMS];

    if (!ok(!line_open(&line, negotiation, &shape, true, &d), "a line %s", d.text))
        return;
    is_int(live, 3, "with an instance of each stage");
    line_begin(&line, 4, 4);
    ok(!line_run(&line, 0, 2, &d) && !line_end(&line, &d) && !line_wait(&line, &d),
       "frames 4 to 7");
    is_int((int64_t)line_frames(&line), 4, "are all there");
    ok(line_port(&line, 0, 0, 3, &port) && port.data[0] == 7 && port.data[ITEMS - 1] == 7,
       "frame 7 at the source");
    ok(line_port(&line, 1, 0, 1, &port) && port.data[0] == 105 && port.stride == ITEMS &&
           port.pieces == 1 && port.frame->items == ITEMS && port.on_host,
       "frame 5 behind the stage");
    ok(!strcmp(port.stage, "add") && !strcmp(port.port, "bits") && !strcmp(port.backend, "ref"),
       "is called by its names");
    ok(!line_fetch(&line, &port, copy, &d) && !memcmp(copy, port.data, ITEMS), "and can be copied");
    ok(!line_port(&line, 1, 1, 0, &port), "a port that nobody reads holds nothing");
    line_begin(&line, 8, 4);
    ok(!line_run(&line, 0, 0, &d) && line_frames(&line) == 2, "the source ends within a batch");
    ok(line_port(&line, 1, 0, 0, &port) && port.data[0] == 104,
       "a stage that did not run has done nothing");
    line_begin(&line, 12, 4);
    ok(!line_run(&line, 0, 2, &d) && line_frames(&line) == 0, "behind its end there is nothing");
    line_begin(&line, 0, 1);
    ok(!line_run(&line, 0, 1, &d) && line_frames(&line) == 1 && line_port(&line, 1, 0, 0, &port) &&
           port.data[0] == 100,
       "and it may begin again");
    ok(!line_finish(&line, &d), "no file is there to be finished");
    line_close(&line);
    is_int(live, 0, "instances go with it");
    ok(!line.exec && !line.slot, "it is closed");
    line_close(&line);
}

static void test_errors(void)
{
    for (fail_at = 1; fail_at <= 3; fail_at++) {
        struct line line;
        struct diag d = {0};

        ok(line_open(&line, negotiation, &shape, true, &d) && strstr(d.text, "no more of these") &&
               !live && !line.exec,
           "instance %d cannot be had: %s", fail_at, d.text);
        line_close(&line);
    }
    fail_at = 0;
}

int main(void)
{
    static struct pipeline_stage decls[] = {{.name = "t.source", .id = "source"},
                                            {.name = "t.add", .id = "add"},
                                            {.name = "t.sink", .id = "sink"}};
    static struct pipeline pipeline = {
        .place.base_dir = ".", .in_flight = 1, .stages = decls, .n_stages = 3};
    struct diag d = {0};

    memory_registry_init(&registry);
    for (size_t s = 0; s < 3; s++)
        memory_add_stage(&registry, stages[s]);
    if (graph_bind(&graph, &pipeline, &registry, &d) || shape_make(&shape, graph, NULL, &d) ||
        negotiate(&negotiation, &shape, &d))
        bail("%s", d.text);
    shape_set_frames(&shape, 4);
    test_frames();
    test_errors();
    negotiation_free(negotiation);
    shape_free(&shape);
    graph_free(graph);
    memory_registry_free(&registry);
    return done_testing();
}
