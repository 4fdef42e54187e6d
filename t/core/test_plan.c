/* SPDX-License-Identifier: BSD-2-Clause */
/* plan_make(): frames and code objects that stages make for a point, a row of blocks, a tail. */
#include "t/lib/toy.h"

#include <math.h>

static struct registry registry;
static struct pipeline *pipeline;
static struct graph *graph;
static struct plan *made;
static struct diag error;

#define HEAD "fecrun: 1\npipeline:\n"
#define CHAIN \
    HEAD "- toy.source: {n: 12}\n- toy.pass: {x: 1}\n- toy.pass: {id: b, k: 2}\n" \
         "- toy.sink\n"

static void done(void)
{
    plan_free(made);
    graph_free(graph);
    pipeline_free(pipeline);
    made = NULL;
    graph = NULL;
    pipeline = NULL;
}

static void load(const char *text)
{
    done();
    pipeline = yaml_load(text, NULL, &error);
    if (!pipeline || graph_bind(&graph, pipeline, &registry, &error))
        bail("%s", error.text);
}

static bool make(const struct plan_request *request)
{
    plan_free(made);
    error = (struct diag){0};
    return !plan_make(&made, graph, request, &error);
}

static bool make_plain(void)
{
    return make(&(struct plan_request){0});
}

static double value(size_t stage, const char *name)
{
    const struct param_set *set = made->stages[stage].params;

    return param_values(set)->v[param_index(set, name)]->f;
}

static const struct toy_code *code(size_t stage)
{
    return made->stages[stage].plan.code;
}

/* Nothing is left of it, and the text is just this. */
static void refused(const struct plan_request *request, int status, const char *want)
{
    int before;

    plan_free(made);
    made = NULL;
    before = toy_codes;
    ok(!make(request) && !made, "refused");
    is_int(error.status, status, "with the right status");
    is_str(error.text, want, "and told why");
    is_int(toy_codes, before, "code objects of stages before it are gone");
}

static void test_names(void)
{
    is_str(plan_kind_name(FECRUN_KIND_BITS), "bits", "bits");
    is_str(plan_kind_name(FECRUN_KIND_LLR), "LLRs", "LLRs");
    is_str(plan_kind_name(FECRUN_KIND_SYMBOLS), "symbols", "symbols");
    is_str(plan_kind_name(FECRUN_KIND_VALUES), "values", "values");
    is_str(plan_kind_name(0), "nothing", "no kind");
    is_str(plan_kind_name(FECRUN_KIND_BITS | FECRUN_KIND_LLR), "nothing", "a frame is of one kind");
}

static void test_chain(void)
{
    unsigned before = toy_plans;

    load(CHAIN);
    if (!ok(make_plain(), "a chain %s", error.text))
        return;
    is_int(toy_plans - before, 4, "each stage is asked once");
    ok(made->graph == graph, "the plan knows its graph");
    for (size_t s = 0; s < 3; s++)
        ok(made->stages[s].out[0].size == sizeof(struct fecrun_frame) &&
               made->stages[s].out[0].items == 12 &&
               made->stages[s].out[0].kind == FECRUN_KIND_BITS,
           "frames travel down to stage %zu", s);
    ok(!plan_input(made, 0, 0), "nothing comes into the source");
    ok(plan_input(made, 2, 0) == &made->stages[1].out[0], "the output before is the input");
    ok(!plan_input(made, 2, 1), "no other is linked");
    ok(code(1)->x == 1 && code(1)->k == 0 && code(2)->k == 2, "values of the file");
    is_int(toy_codes, 4, "a code object each");
    plan_free(made);
    made = NULL;
    is_int(toy_codes, 0, "which go with the plan");
}

static void test_flags(void)
{
    load(HEAD "- toy.source: {ends: true}\n- toy.file\n");
    make_plain();
    is_int(plan_flags(made, 0), FECRUN_STAGE_ENDS, "flags that plan() sets");
    is_int(plan_flags(made, 1), FECRUN_STAGE_ORDERED | FECRUN_STAGE_ONE_POINT,
           "flags of the stage");
    load(HEAD "- toy.source: {ends: true, ordered: true}\n- toy.file\n");
    make_plain();
    is_int(plan_flags(made, 0), FECRUN_STAGE_ENDS | FECRUN_STAGE_ORDERED, "both");
}

/* ---- Points and rows ---- */

static void test_points(void)
{
    load(CHAIN "sweep: {b.x: [2, 3], toy.pass.x: [4, 5, 6]}\n");
    for (size_t at = 0; at < 6; at++) {
        struct plan_request request = {.point = toy_point(pipeline, at)};
        if (!make(&request) || value(2, "x") != (double)(2 + at / 3) ||
            value(1, "x") != (double)(4 + at % 3) || code(1)->x != value(1, "x"))
            ok(false, "point %zu: %s", at, error.text);
    }
    ok(true, "six points, the last name fastest");
    make_plain();
    ok(value(1, "x") == 1 && value(2, "x") == 0, "without a point: as in the file");
    ok(param_values(graph->stages[1].params)->v[0]->f == 1, "the graph stays as it was");
    load(CHAIN "sweep:\n  b.x: [1, 9]\n");
    ok(make(&(struct plan_request){.point = toy_point(pipeline, 0)}), "a value that goes");
    refused(&(struct plan_request){.point = toy_point(pipeline, 1)}, DIAG_USAGE,
            "p.yaml:8:8: b.x: must not be 9");
}

#define ROWS CHAIN "blocks:\n- {count: 1, n: 16, k: 3}\n- {count: 1, n: 24, k: 5}\n"

static void test_rows(void)
{
    load(ROWS);
    ok(make(&(struct plan_request){.block = &pipeline->blocks[1]}), "a row %s", error.text);
    is_int(made->stages[2].out[0].items, 24, "its frames");
    ok(code(1)->k == 5 && code(2)->k == 5, "all stages with such a size have it");
    ok(code(1)->x == 1, "other values are as in the file");
    make_plain();
    ok(made->stages[0].out[0].items == 12 && code(1)->k == 0 && code(2)->k == 2, "without a row");
    load(HEAD "- toy.source\n- toy.split: {n: 5}\n- toy.sink\nblocks: [{count: 1, n: 16}]\n");
    make(&(struct plan_request){.block = pipeline->blocks});
    ok(value(0, "n") == 16 && value(1, "n") == 5, "only sizes, not all that have their name");
}

static void test_row_errors(void)
{
    load(ROWS);
    pipeline->blocks[1].sizes[1] = (char[]){"101"};
    refused(&(struct plan_request){.block = &pipeline->blocks[1]}, DIAG_USAGE,
            "p.yaml:9:24: toy.pass.k: must be an integer from 0 to 100, is '101'");
    pipeline->blocks[1].marks = NULL;
    refused(&(struct plan_request){.block = &pipeline->blocks[1]}, DIAG_USAGE,
            "p.yaml:9:3: toy.pass.k: must be an integer from 0 to 100, is '101'");
    load(CHAIN "blocks:\n- {count: 1, k: 3}\n- {count: 1, k: 7}\n");
    refused(&(struct plan_request){.block = &pipeline->blocks[1]}, DIAG_USAGE,
            "p.yaml:9:17: toy.pass.k: 7 is taken");
    load(CHAIN "blocks:\n- {count: 1, k: 3}\n- {count: 1, k: 8}\n");
    refused(&(struct plan_request){.block = &pipeline->blocks[1]}, DIAG_USAGE,
            "p.yaml:9:3: toy.pass: 8 is taken");
    load(CHAIN "blocks:\n- {count: 1, k: 9}\n");
    refused(&(struct plan_request){.block = &pipeline->blocks[0]}, DIAG_USAGE,
            "p.yaml:8:3: toy.pass: failed without a reason");
}

static void test_plan_errors(void)
{
    const struct plan_request none = {0};

    load(HEAD "- toy.source\n- toy.pass: {k: 7}\n- toy.sink\n");
    refused(&none, DIAG_USAGE, "p.yaml:4:17: toy.pass.k: 7 is taken");
    load(HEAD "- toy.source\n- toy.pass: {k: 8}\n- toy.sink\n");
    refused(&none, DIAG_USAGE, "p.yaml:4:3: toy.pass: 8 is taken");
    load(HEAD "- toy.source\n- toy.pass: {id: p, k: 9}\n- toy.sink\n");
    refused(&none, DIAG_USAGE, "p.yaml:4:3: p: failed without a reason");
}

/* ---- The end of a stream ---- */

static void test_tail(void)
{
    load(HEAD "- toy.source: {n: 100, stream: true}\n- toy.pass\n- toy.sink\n");
    make_plain();
    is_int(made->stages[1].out[0].stream, 1, "pieces of a stream");
    ok(make(&(struct plan_request){.tail_items = 37}), "its last piece");
    ok(made->stages[0].out[0].items == 37 && made->stages[1].out[0].items == 37, "is shorter");
    ok(made->stages[0].out[0].stream == 2 && made->stages[1].out[0].stream == 2, "and says so");
    is_int(made->stages[1].out[0].info_bits, 37, "bits are cut alike");
    make(&(struct plan_request){.tail_items = 1});
    ok(made->stages[1].out[0].items == 1 && made->stages[1].out[0].info_bits == 1, "one item");
}

/* ---- Frames as a test wants them ---- */

static struct fecrun_frame frame;

static int odd_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                    const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                    struct fecrun_plan *plan, struct fecrun_error *err)
{
    (void)host, (void)values, (void)in, (void)err;
    toy_code(plan);
    fecrun_frame_copy(out[0], &frame);
    return 0;
}

#define EATER(stage_name, port_kinds) \
    TOY_STAGE(.name = stage_name, .role = FECRUN_ROLE_SINK, .plan = toy_plan, \
              .inputs = TOY_PORTS(FECRUN_PORT(.name = "food", .kinds = port_kinds)), \
              .outputs = TOY_NO_PORTS, .params = TOY_PARAMS(NULL), \
              .backends = TOY_BACKENDS(TOY_IN))

static const struct fecrun_stage *const odd_stages[] = {
    TOY_STAGE(.name = "odd.source", .role = FECRUN_ROLE_SOURCE, .plan = odd_plan,
              .inputs = TOY_NO_PORTS, .outputs = TOY_PORTS(TOY_PORT("stuff", .flags = 0)),
              .params = TOY_PARAMS(NULL), .backends = TOY_BACKENDS(TOY_OUT)),
    TOY_STAGE(.name = "odd.given", .role = FECRUN_ROLE_SINK, .plan = toy_plan,
              .inputs = TOY_PORTS(TOY_PORT("bits", .flags = 0)), .outputs = TOY_NO_PORTS,
              .params = TOY_PARAMS(FECRUN_PARAM(.name = "size", .type = FECRUN_VALUE_INT,
                                                .flags = FECRUN_PARAM_REQUIRED | FECRUN_PARAM_SIZE,
                                                .help = "must be known")),
              .backends = TOY_BACKENDS(TOY_IN)),
    EATER("eat.bits", FECRUN_KIND_BITS),
    EATER("eat.llrs", FECRUN_KIND_LLR),
    EATER("eat.bits-llrs", FECRUN_KIND_BITS | FECRUN_KIND_LLR),
    EATER("eat.bits-symbols", FECRUN_KIND_BITS | FECRUN_KIND_SYMBOLS),
    EATER("eat.llrs-symbols", FECRUN_KIND_LLR | FECRUN_KIND_SYMBOLS),
    EATER("eat.all", FECRUN_KIND_BITS | FECRUN_KIND_LLR | FECRUN_KIND_SYMBOLS),
    NULL,
};

/* What plan_make() says when that eater gets a frame of this kind; "" where all is good. */
static const char *fed(const char *eater, uint32_t kind)
{
    char text[128];

    snprintf(text, sizeof text, HEAD "- odd.source\n- eat.%s\n", eater);
    load(text);
    frame = (struct fecrun_frame){.size = sizeof frame, .kind = kind, .items = 1};
    frame.type = kind == FECRUN_KIND_BITS      ? FECRUN_U8
                 : kind == FECRUN_KIND_SYMBOLS ? FECRUN_C8
                                               : FECRUN_I8;
    make_plain();
    return error.text;
}

static void test_kinds(void)
{
    is_str(fed("bits", FECRUN_KIND_BITS), "", "bits go where bits are eaten");
    is_str(fed("bits-llrs", FECRUN_KIND_LLR), "", "LLRs where either is");
    is_str(fed("all", FECRUN_KIND_SYMBOLS), "", "anything where all is");
    is_str(fed("llrs", FECRUN_KIND_VALUES),
           "p.yaml:4:3: eat.llrs: input `food` takes LLRs, but odd.source gives values",
           "values are no LLRs, whatever their type is");
    is_str(fed("bits", FECRUN_KIND_LLR),
           "p.yaml:4:3: eat.bits: input `food` takes bits, but odd.source gives LLRs", "LLRs");
    is_str(fed("llrs", FECRUN_KIND_BITS),
           "p.yaml:4:3: eat.llrs: input `food` takes LLRs, but odd.source gives bits", "bits");
    is_str(fed("bits-llrs", FECRUN_KIND_SYMBOLS),
           "p.yaml:4:3: eat.bits-llrs: input `food` takes bits or LLRs, but odd.source gives "
           "symbols",
           "symbols");
    is_str(fed("bits-symbols", FECRUN_KIND_LLR),
           "p.yaml:4:3: eat.bits-symbols: input `food` takes bits or symbols, but odd.source gives "
           "LLRs",
           "neither of two");
    is_str(fed("llrs-symbols", FECRUN_KIND_BITS),
           "p.yaml:4:3: eat.llrs-symbols: input `food` takes LLRs or symbols, but odd.source gives "
           "bits",
           "both are named");
}

static const struct fecrun_frame good_frame = {
    .size = sizeof good_frame, .kind = FECRUN_KIND_BITS, .type = FECRUN_U8, .items = 8};

/* What becomes of a frame like a good one with something changed. */
static void test_impossible(void)
{
    const uint64_t most = (uint64_t)1 << 40;
    const struct plan_request none = {0};

    load(HEAD "- odd.source\n- toy.sink\n");
    frame = good_frame;
    frame.items = most;
    ok(make_plain(), "2^40 items are possible");
    frame.items = most + 1;
    refused(&none, DIAG_RUN,
            "p.yaml:3:3: odd.source: the plugin planned an impossible frame at "
            "output `stuff` (1099511627777 items)");
    frame.items = 0;
    refused(&none, DIAG_RUN,
            "p.yaml:3:3: odd.source: the plugin planned an impossible frame at "
            "output `stuff` (0 items)");
    for (int i = 0; i < 4; i++) { /* no kind, no type, one that there is not, one of other kinds */
        static const uint32_t wrong[] = {0, 0, FECRUN_C8 + 1, FECRUN_I8};

        frame = good_frame;
        *(i ? &frame.type : &frame.kind) = wrong[i];
        refused(&none, DIAG_RUN,
                "p.yaml:3:3: odd.source: the plugin planned an impossible frame "
                "at output `stuff` (8 items)");
    }
    frame = good_frame;
}

static void test_required(void)
{
    load(HEAD "- odd.source\n- odd.given\n");
    refused(&(struct plan_request){0}, DIAG_USAGE,
            "p.yaml:4:3: odd.given.size: must be given: must be known");
    load(HEAD "- odd.source\n- odd.given\nblocks: [{count: 1, size: 5}]\n");
    ok(make(&(struct plan_request){.block = pipeline->blocks}), "a column may give it %s",
       error.text);
}

static void test_cut(void)
{
    load(HEAD "- odd.source\n- toy.sink\n");
    frame = good_frame;
    frame.items = 300;
    frame.info_bits = 100;
    frame.channel_bits = 1000;
    make(&(struct plan_request){.tail_items = 100});
    is_int(made->stages[0].out[0].info_bits, 33, "a third of the bits, rounded down");
    is_int(made->stages[0].out[0].channel_bits, 333, "of both kinds");
    make(&(struct plan_request){.tail_items = 200});
    is_int(made->stages[0].out[0].info_bits, 67, "two thirds, rounded up");
    frame = good_frame;
}

/* ---- Signal-to-noise ratios ---- */

static void is_near(double got, double want, const char *what)
{
    ok(isnan(want) ? isnan(got) : fabs(got - want) < 1e-12, "%s: %.15g", what, got);
}

static void test_snr(void)
{
    double eb, es;

    load(HEAD "- odd.source\n- toy.pass\n- toy.sink\n");
    frame = good_frame;
    make_plain();
    plan_snr(made, &eb, &es);
    is_near(eb, NAN, "no channel, no Eb/N0");
    is_near(es, NAN, "nor Es/N0");
    frame.n0 = 1;
    make_plain();
    plan_snr(made, &eb, &es);
    ok(es == 0 && !signbit(es), "N0 of 1 is 0 dB, which is not negative");
    is_near(eb, NAN, "Eb/N0 wants to know the bits");
    /* rate 1/2 over symbols of 2 bits: an information bit has a symbol's energy */
    frame.n0 = 0.01;
    frame.info_bits = 500;
    frame.channel_bits = 1000;
    frame.bits_per_symbol = 2;
    make_plain();
    plan_snr(made, &eb, &es);
    is_near(es, 20, "N0 of 0.01 is 20 dB");
    is_near(eb, 20, "the same for Eb/N0");
    frame.bits_per_symbol = 1;
    make_plain();
    plan_snr(made, &eb, &es);
    is_near(eb, 20 + 10 * log10(2), "half a symbol's bits: 3.01 dB more");
    frame.bits_per_symbol = 0;
    make_plain();
    plan_snr(made, &eb, &es);
    is_near(eb, NAN, "unknown symbols");
    is_near(es, 20, "do not matter to Es/N0");
    frame = good_frame;
}

int main(void)
{
    toy_registry(&registry);
    for (size_t i = 0; odd_stages[i]; i++)
        memory_add_stage(&registry, odd_stages[i]);
    test_names();
    test_chain();
    test_flags();
    test_points();
    test_rows();
    test_row_errors();
    test_plan_errors();
    test_tail();
    test_kinds();
    test_impossible();
    test_required();
    test_cut();
    test_snr();
    done();
    is_int(toy_codes, 0, "no code object is left");
    memory_registry_free(&registry);
    return done_testing();
}
