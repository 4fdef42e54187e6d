/* SPDX-License-Identifier: BSD-2-Clause */
/* Shapes of batches: rows that share classes, one code object a class, tails, where rows begin. */
#include "t/lib/toy.h"

#include "core/plan/shape.h"
#include <fecrun/sdk/sample.h>

static struct registry registry;
static struct pipeline *pipeline;
static struct graph *graph;
static struct diag error;

#define HEAD "fecrun: 1\npipeline:\n"
#define CHAIN HEAD "- toy.source: {n: 13}\n- toy.pass\n- toy.sink\n"

static void done(void)
{
    graph_free(graph);
    pipeline_free(pipeline);
    graph = NULL;
    pipeline = NULL;
}

static void load(const char *text)
{
    done();
    pipeline = yaml_load(text, NULL, &error);
    if (!pipeline || graph_bind(&graph, pipeline, &registry, &error))
        bail("%s", error.text);
    error = (struct diag){0};
}

/* Of the file's own values, or of a point of its sweep. frames: 0: as it is made. */
static bool make(struct shape *shape, const struct point *point, uint64_t frames)
{
    if (shape_make(shape, graph, point, &error))
        return false;
    if (frames)
        shape_set_frames(shape, frames);
    return true;
}

static const struct toy_code *code(const struct shape *shape, size_t stage, unsigned class)
{
    return shape->codes[stage][class];
}

/* Are codes those of the plans? */
static bool codes_fit(const struct shape *shape)
{
    for (size_t s = 0; s < graph->n; s++)
        for (size_t c = 0; c < shape->n_classes; c++)
            if (!shape->codes[s][c] || shape->codes[s][c] != shape->plans[c]->stages[s].plan.code)
                return false;
    return true;
}

/* Rows of `blocks:`: calls of plan() are counted, not seconds. Row r has size r % sizes. YAML has at most 10^5 values. */
static void test_many(unsigned n, unsigned sizes)
{
    const size_t room = (size_t)n * 32 + 256;
    char *text = malloc(room), *at = text;
    const unsigned before = toy_plans;
    struct shape shape;

    if (!text)
        bail("no memory");
    at += sprintf(at, CHAIN "blocks:\n");
    for (unsigned r = 0; r < n; r++)
        at += sprintf(at, "- {count: 1, n: %u}\n", 1 + r % sizes);
    load(text);
    free(text);
    ok(!shape_make(&shape, graph, NULL, &error) && shape.n_rows == n && shape.n_classes == sizes,
       "%u rows of %u sizes %s", n, sizes, error.text);
    is_int(toy_plans - before, 3 * (int)sizes, "each size is planned once");
    ok(shape.rows[n - 1].class == (n - 1) % sizes, "and found for the last row");
    shape_free(&shape);
}

static void test_equal(void)
{
    struct shape shape;
    unsigned before = toy_plans;

    load(CHAIN);
    if (!ok(make(&shape, NULL, 1000), "equal frames %s", error.text))
        return;
    ok(shape.n_rows == 1 && shape.n_classes == 1 && shape.frames == 1000, "are one row");
    ok(shape.rows[0].first == 0 && shape.rows[0].count == 1000 && !shape.rows[0].block &&
           shape.rows[0].class == 0,
       "of all frames");
    is_int(toy_plans - before, 3, "planned once");
    ok(codes_fit(&shape), "codes are those of the plan");
    is_int(shape_items(&shape, 0, 1, 0), 13, "items");
    shape_free(&shape);
    is_int(toy_codes, 0, "all goes with the shape");
    shape_free(&shape);
    ok(!shape.graph && !shape.rows && !shape.plans && !shape.codes, "which may go twice");
    ok(make(&shape, NULL, UINT64_C(1) << 40) && shape.frames == UINT64_C(1) << 40,
       "more frames than memory are a number");
    shape_free(&shape);
}

#define ROWS(...) CHAIN "blocks:\n" __VA_ARGS__

static void test_rows(void)
{
    static const unsigned class[] = {0, 1, 0, 2, 1, 3};
    static const uint64_t first[] = {0, 2, 5, 6, 16, 1000000016};
    struct shape shape;
    unsigned before = toy_plans, wrong = 0;

    load(ROWS("- {count: 2, n: 8, k: 1}\n- {count: 3, n: 16, k: 1}\n- {count: 1, n: 8, k: 1}\n"
              "- {count: 10, n: 8, k: 2}\n- {count: 1000000000, n: 16, k: 1}\n"
              "- {count: 5, n: 17, k: 1}\n"));
    if (!ok(make(&shape, NULL, 0), "rows of blocks %s", error.text))
        return;
    ok(shape.n_rows == 6 && shape.frames == 1000000021, "all of them once");
    is_int(shape.n_classes, 4, "those with equal sizes share a class");
    for (size_t r = 0; r < 6; r++)
        wrong += shape.rows[r].class != class[r] || shape.rows[r].first != first[r] ||
                 shape.rows[r].block != &pipeline->blocks[r] ||
                 shape.rows[r].count != pipeline->blocks[r].count;
    is_int(wrong, 0, "classes in order of appearance, each row behind the one before");
    is_int(toy_plans - before, 4 * 3, "a class is planned once");
    ok(codes_fit(&shape), "codes are those of the plans");
    ok(code(&shape, 0, 2)->n == 8 && code(&shape, 1, 2)->k == 2 && code(&shape, 0, 3)->n == 17,
       "each of its class");
    ok(shape_items(&shape, 0, 1, 0) == 8 && shape_items(&shape, 1, 1, 0) == 16 &&
           shape_items(&shape, 2, 1, 0) == 8 && shape_items(&shape, 3, 1, 0) == 17,
       "items of classes");
    shape_free(&shape);
    is_int(toy_codes, 0, "all goes with the shape");
    load(ROWS("- {count: 2, user: a}\n- {count: 3, user: b}\n"));
    ok(make(&shape, NULL, 0) && shape.n_rows == 2 && shape.n_classes == 1 && shape.frames == 5,
       "rows without sizes are of one class");
    shape_free(&shape);
    load(ROWS("- {count: 1, n: 7}\n"));
    ok(make(&shape, NULL, 0) && shape.frames == 1 && shape_items(&shape, 0, 0, 0) == 7, "one row");
    shape_free(&shape);
}

static void test_offsets(void)
{
    /* bytes of frames of 8, 16, 8 and 13 items; of 4, 2, 1 and 3 frames */
    static const struct {
        uint32_t type;
        uint64_t at[5];
    } cases[] = {
        {FECRUN_U8, {0, 32, 64, 72, 111}},     {FECRUN_PACKED, {0, 4, 8, 9, 15}},
        {FECRUN_I4, {0, 16, 32, 36, 57}},      {FECRUN_F16, {0, 64, 128, 144, 222}},
        {FECRUN_F32, {0, 128, 256, 288, 444}}, {FECRUN_C8, {0, 256, 512, 576, 888}},
        {FECRUN_I8, {0, 32, 64, 72, 111}},     {FECRUN_I16, {0, 64, 128, 144, 222}},
    };
    static const uint64_t begin[5] = {0, 4, 6, 7, 10};
    struct shape shape;

    load(ROWS("- {count: 4, n: 8}\n- {count: 2, n: 16}\n- {count: 1, n: 8}\n"
              "- {count: 3, n: 13}\n"));
    if (!ok(make(&shape, NULL, 0), "rows of four sizes %s", error.text))
        return;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned wrong = 0;
        for (size_t r = 0; r <= 4; r++)
            wrong += shape_bytes(&shape, begin[r], 1, 0, cases[i].type) != cases[i].at[r];
        is_int(wrong, 0, "rows of %s begin and end there", fecrun_type_name(cases[i].type));
    }
    ok(shape_bytes(&shape, 3, 1, 0, FECRUN_U8) == 24 &&
           shape_bytes(&shape, 8, 1, 0, FECRUN_U8) == 85,
       "so does what a batch has that ends within a row");
    is_int(shape_unit(&shape), 10, "a batch has a multiple of their frames");
    shape_set_frames(&shape, 30);
    ok(shape.frames == 30 && shape.round == 10, "three rounds of them");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned wrong = 0;
        for (size_t k = 0; k < 12; k++)
            wrong += shape_bytes(&shape, k / 4 * 10 + begin[k % 4], 1, 0, cases[i].type) !=
                     k / 4 * cases[i].at[4] + cases[i].at[k % 4];
        is_int(wrong, 0, "rows of %s follow round after round", fecrun_type_name(cases[i].type));
    }
    ok(shape_bytes(&shape, 28, 1, 0, FECRUN_U8) == 2 * 111 + 85, "and may end within the last one");
    {
        unsigned wrong = 0;
        for (uint64_t f = 0; f < 30; f++) {
            const size_t k = shape_span_of(&shape, f);
            const struct shape_row span = shape_span(&shape, k);
            wrong += f < span.first || f >= span.first + span.count ||
                     span.first != k / 4 * 10 + begin[k % 4] ||
                     span.class != shape.rows[k % 4].class;
            wrong += shape_frames(&shape, 1, 0, f) != f;
        }
        is_int(wrong, 0, "each frame has its span");
        ok(shape_span(&shape, 12).first == 30, "what follows begins behind the batch");
    }
    shape_free(&shape);
    load(CHAIN);
    make(&shape, NULL, 1000);
    ok(shape_bytes(&shape, 0, 0, 0, FECRUN_PACKED) == 0 &&
           shape_bytes(&shape, 1000, 0, 0, FECRUN_PACKED) == 2000,
       "equal frames begin on a byte each");
    shape_free(&shape);
}

static void refused(const char *text, const char *want)
{
    struct shape shape;

    load(text);
    ok(!make(&shape, NULL, 0), "refused");
    is_int(error.status, DIAG_USAGE, "as the user's error");
    is_str(error.text, want, "and told why");
    is_int(toy_codes, 0, "what was planned before is gone");
    shape_free(&shape);
}

static void test_errors(void)
{
    refused(ROWS("- {count: 1, k: 1}\n- {count: 1, k: 2}\n- {count: 1, k: 8}\n"),
            "p.yaml:9:3: toy.pass: 8 is taken");
    refused(ROWS("- {count: 1, k: 7}\n"), "p.yaml:7:17: toy.pass.k: 7 is taken");
    refused(HEAD "- toy.source: {stream: true}\n- toy.sink\nblocks: [{count: 1}]\n",
            "p.yaml:3:3: toy.source: is a stream, and blocks: needs frames");
}

static void test_tail(void)
{
    struct shape shape, full;

    load(HEAD "- toy.source: {n: 100, stream: true}\n- toy.pass\n- toy.sink\n");
    ok(make(&full, NULL, 8) && full.plans[0]->stages[1].out[0].stream == 1, "a stream");
    if (!ok(!shape_make_tail(&shape, &full, 37, &error), "its end %s", error.text))
        return;
    ok(shape.frames == 1 && shape.n_rows == 1 && shape.rows[0].count == 1, "is a single frame");
    ok(shape.tail_items == 37 && shape_items(&shape, 0, 1, 0) == 37 &&
           shape.plans[0]->stages[1].out[0].stream == 2,
       "that is shorter");
    is_int(shape_bytes(&shape, 1, 1, 0, FECRUN_PACKED), 5, "in whole bytes");
    shape_free(&shape);
    ok(full.frames == 8 && shape_items(&full, 0, 1, 0) == 100, "full batches stay as they are");
    shape_free(&full);
}

static void test_points(void)
{
    struct shape shape;
    unsigned wrong = 0;

    load(CHAIN "sweep: {toy.pass.x: [3, 4]}\nblocks:\n- {count: 1, n: 8}\n- {count: 2, n: 9}\n");
    for (size_t at = 0; at < 2; at++) {
        if (!make(&shape, toy_point(pipeline, at), 1))
            bail("%s", error.text);
        for (unsigned c = 0; c < 2; c++)
            wrong += code(&shape, 1, c)->x != 3.0 + (double)at || code(&shape, 0, c)->n != 8 + c ||
                     shape.point.at != at;
        shape_free(&shape);
    }
    is_int(wrong, 0, "classes of both points");
}

/* The batch's size is no matter of plans. */
static void test_frames(void)
{
    struct shape shape;
    void ***codes;

    load(CHAIN "sweep: {toy.pass.x: [3, 4, 9]}\n");
    if (!make(&shape, toy_point(pipeline, 1), 50))
        bail("%s", error.text);
    codes = shape.codes;
    shape_set_frames(&shape, 7);
    ok(shape.frames == 7 && shape.n_rows == 1 && shape.rows[0].count == 7, "a smaller batch");
    ok(shape.codes == codes && code(&shape, 1, 0)->x == 4, "of the same plans");
    shape_free(&shape);
    is_int(toy_codes, 0, "nothing is left");
    ok(!make(&shape, toy_point(pipeline, 2), 1), "a point that is refused");
    is_str(error.text, "p.yaml:6:21: toy.pass.x: must not be 9", "is told");
    load(CHAIN "blocks:\n- {count: 1, n: 8}\n- {count: 2, n: 9}\n");
    if (!make(&shape, NULL, 30))
        bail("%s", error.text);
    ok(shape.frames == 30 && shape.round == 3 && shape.rows[0].count == 1,
       "rows of blocks stay as they are");
    shape_free(&shape);
}

int main(void)
{
    toy_registry(&registry);
    test_equal();
    test_many(19000, 19000);
    test_many(19000, 7);
    test_rows();
    test_offsets();
    test_errors();
    test_tail();
    test_points();
    test_frames();
    done();
    is_int(toy_codes, 0, "no code object is left");
    memory_registry_free(&registry);
    return done_testing();
}
