/* SPDX-License-Identifier: BSD-2-Clause */
/* Batches of random shapes through a pipeline in memory: margins of streams, ragged rows. */
#include "t/lib/memory.h"

#include "core/batch/slot.h"
#include <fecrun/sdk/sample.h>
#include <fecrun/sim.h>

static uint64_t state = 1;

static unsigned draw(unsigned n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(state >> 33) % n;
}

static int no_create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    (void)args, (void)err;
    *instance = NULL;
    return 0;
}

static void no_destroy(void *instance)
{
    (void)instance;
}

typedef int plan_fn(const struct fecrun_host *host, const struct fecrun_values *values,
                    const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                    struct fecrun_plan *plan, struct fecrun_error *err);
typedef int run_fn(void *instance, const struct fecrun_call *call,
                   const struct fecrun_view *const in[], struct fecrun_view *const out[],
                   struct fecrun_error *err);

#define BACKENDS(run_fn, ...) \
    ((const struct fecrun_backend *const[]){ \
        FECRUN_BACKEND(.name = "ref", .create = no_create, .run = run_fn, .destroy = no_destroy, \
                       .forms = (const struct fecrun_form *const[]){FECRUN_FORM(__VA_ARGS__), \
                                                                    NULL}), \
        NULL})

static const struct fecrun_param *const no_params[] = {NULL};
static const struct fecrun_port *const no_ports[] = {NULL};

static int volatile never;

/* Runs the pipeline of these stages; the caller has set the test's variables. */
static int run_all(const struct fecrun_stage *const *stages, struct pipeline *pipeline,
                   uint64_t batch, unsigned workers, struct run_limits limits,
                   struct run_counts *counts, struct diag *d)
{
    struct pipeline_stage decls[8] = {{0}};
    struct run_options options = {.limits = limits, .in_flight = pipeline->in_flight};
    struct exec_options exec_options = {.workers = workers, .cancel = &never};
    struct registry registry;
    struct graph *graph = NULL;
    struct shape shape = {0};
    struct negotiation *negotiation = NULL;
    struct exec exec;
    double seconds;
    const char *stop;
    int status = -1;

    memory_registry_init(&registry);
    pipeline->stages = decls;
    for (pipeline->n_stages = 0; stages[pipeline->n_stages]; pipeline->n_stages++) {
        const struct fecrun_stage *stage = stages[pipeline->n_stages];
        static const char *const ids[] = {"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7"};
        decls[pipeline->n_stages] = (struct pipeline_stage){.name = stage->name,
                                                            .id = ids[pipeline->n_stages]};
        if (!registry_find(&registry, stage->name))
            memory_add_stage(&registry, stage);
    }
    memset(counts, 0, sizeof *counts);
    if (!graph_bind(&graph, pipeline, &registry, d) && !shape_make(&shape, graph, NULL, d) &&
        !negotiate(&negotiation, &shape, d)) {
        shape_set_frames(&shape, batch * shape_unit(&shape));
        status = exec_open(&exec, negotiation, &shape, &exec_options, d);
    }
    if (!status) {
        status = exec_open_files(&exec, d) || run_point(&exec, &options, counts, &seconds, &stop, d)
                     ? -1
                     : 0;
        exec_close(&exec);
    }
    negotiation_free(negotiation);
    shape_free(&shape);
    graph_free(graph);
    memory_registry_free(&registry);
    return status;
}

/* ---- Streams: a source of numbers, two moving sums, a sink that keeps what it gets ---- */

enum { MOST_ITEMS = 600 };

static uint64_t total, piece, margin[2][2]; /* of the first and second window: before, after */
static uint64_t next_item, got_items;
static unsigned pauses;
static float got[MOST_ITEMS];

static int16_t number(uint64_t i)
{
    return (int16_t)(i * 7919 % 601) - 300;
}

static plan_fn stream_plan;
static int stream_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                       const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                       struct fecrun_plan *plan, struct fecrun_error *err)
{
    (void)host, (void)values, (void)in, (void)plan, (void)err;
    out[0]->kind = FECRUN_KIND_LLR;
    out[0]->type = FECRUN_I16;
    out[0]->items = piece;
    out[0]->stream = 1;
    return 0;
}

static run_fn stream_run;
static int stream_run(void *instance, const struct fecrun_call *call,
                      const struct fecrun_view *const in[], struct fecrun_view *const out[],
                      struct fecrun_error *err)
{
    int16_t *to = out[0]->data;
    uint64_t n = out[0]->frames * piece;

    (void)instance, (void)in;
    if (call->first_item != next_item)
        return fecrun_fail(err, NULL, "source: first item");
    if (n > total - next_item)
        n = total - next_item;
    for (uint64_t i = 0; i < n; i++)
        to[i] = number(next_item++);
    if (n / piece < out[0]->frames) {
        out[0]->frames = n / piece;
        out[0]->tail_items = n % piece;
    }
    return 0;
}

/* A source whose pieces come a few at a time: how many are its own choice, but one. */
static run_fn live_run;
static int live_run(void *instance, const struct fecrun_call *call,
                    const struct fecrun_view *const in[], struct fecrun_view *const out[],
                    struct fecrun_error *err)
{
    const uint64_t asked = out[0]->frames, come = 1 + next_item * 13 / 7 % asked;

    if (!out[0]->may_pause)
        return fecrun_fail(err, NULL, "source: may not pause");
    if (come < asked && next_item + come * piece <= total) {
        out[0]->frames = come;
        out[0]->paused = 1;
        pauses++;
    }
    return stream_run(instance, call, in, out, err);
}

static int window_plan(const struct fecrun_frame *in, struct fecrun_frame *out,
                       struct fecrun_plan *plan, const uint64_t *wanted)
{
    fecrun_frame_copy(out, in);
    out->type = FECRUN_F32;
    plan->before = wanted[0];
    plan->after = wanted[1];
    return 0;
}

static plan_fn first_plan;
static int first_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                      const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                      struct fecrun_plan *plan, struct fecrun_error *err)
{
    (void)host, (void)values, (void)err;
    return window_plan(in[0], out[0], plan, margin[0]);
}

static plan_fn second_plan;
static int second_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                       const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                       struct fecrun_plan *plan, struct fecrun_error *err)
{
    (void)host, (void)values, (void)err;
    return window_plan(in[0], out[0], plan, margin[1]);
}

static float item(const struct fecrun_view *view, int64_t i)
{
    return view->type == FECRUN_I16 ? ((const int16_t *)view->data)[i]
                                    : ((const float *)view->data)[i];
}

/* Sums over what is there; fewer items than asked for only at the ends of the stream. */
static int window_run(const struct fecrun_call *call, const struct fecrun_view *in,
                      struct fecrun_view *out, const uint64_t *wanted, struct fecrun_error *err)
{
    int64_t n = (int64_t)(in->frames * in->items);
    uint64_t left = total - call->first_item - (uint64_t)n;

    if (in->before != (call->first_item < wanted[0] ? call->first_item : wanted[0]) ||
        in->after != (left < wanted[1] ? left : wanted[1]))
        return fecrun_fail(err, NULL, "item %llu: %llu before, %llu after",
                           (unsigned long long)call->first_item, (unsigned long long)in->before,
                           (unsigned long long)in->after);
    for (int64_t i = 0; i < n; i++) {
        float sum = 0;
        for (int64_t k = i - (int64_t)wanted[0]; k <= i + (int64_t)wanted[1]; k++)
            if (k >= -(int64_t)in->before && k < n + (int64_t)in->after)
                sum += item(in, k);
        ((float *)out->data)[i] = sum;
    }
    return 0;
}

static run_fn first_run;
static int first_run(void *instance, const struct fecrun_call *call,
                     const struct fecrun_view *const in[], struct fecrun_view *const out[],
                     struct fecrun_error *err)
{
    (void)instance;
    return window_run(call, in[0], out[0], margin[0], err);
}

static run_fn second_run;
static int second_run(void *instance, const struct fecrun_call *call,
                      const struct fecrun_view *const in[], struct fecrun_view *const out[],
                      struct fecrun_error *err)
{
    (void)instance;
    return window_run(call, in[0], out[0], margin[1], err);
}

static plan_fn sink_plan;
static int sink_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                     const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                     struct fecrun_plan *plan, struct fecrun_error *err)
{
    (void)host, (void)values, (void)in, (void)out, (void)plan, (void)err;
    return 0;
}

static run_fn keep_run;
static int keep_run(void *instance, const struct fecrun_call *call,
                    const struct fecrun_view *const in[], struct fecrun_view *const out[],
                    struct fecrun_error *err)
{
    uint64_t n = in[0]->frames * in[0]->items;

    (void)instance, (void)out;
    if (call->first_item != got_items || got_items + n > MOST_ITEMS)
        return fecrun_fail(err, NULL, "sink: not in order");
    memcpy(got + got_items, in[0]->data, n * sizeof(float));
    got_items += n;
    return 0;
}

static const struct fecrun_port *const llrs[] = {
    FECRUN_PORT(.name = "llrs", .kinds = FECRUN_KIND_LLR), NULL};

static const struct fecrun_stage stream_source = {
    .size = sizeof stream_source,
    .name = "stream.source",
    .role = FECRUN_ROLE_SOURCE,
    .flags = FECRUN_STAGE_ORDERED | FECRUN_STAGE_ENDS,
    .params = no_params,
    .inputs = no_ports,
    .outputs = llrs,
    .plan = stream_plan,
    .backends = BACKENDS(stream_run, FECRUN_OUT({.type = FECRUN_I16}))};
static const struct fecrun_stage live_source = {
    .size = sizeof live_source,
    .name = "live.source",
    .role = FECRUN_ROLE_SOURCE,
    .flags = FECRUN_STAGE_ORDERED | FECRUN_STAGE_ENDS,
    .params = no_params,
    .inputs = no_ports,
    .outputs = llrs,
    .plan = stream_plan,
    .backends = BACKENDS(live_run, FECRUN_OUT({.type = FECRUN_I16}))};
static const struct fecrun_stage first_plain = {
    .size = sizeof first_plain,
    .name = "first.plain",
    .role = FECRUN_ROLE_TRANSFORM,
    .params = no_params,
    .inputs = llrs,
    .outputs = llrs,
    .plan = first_plan,
    .backends = BACKENDS(first_run, FECRUN_IN({.type = FECRUN_I16}),
                         FECRUN_OUT({.type = FECRUN_F32}))};
static const struct fecrun_stage first_converted = {/* its input is converted from i16 */
                                                    .size = sizeof first_converted,
                                                    .name = "first.converted",
                                                    .role = FECRUN_ROLE_TRANSFORM,
                                                    .params = no_params,
                                                    .inputs = llrs,
                                                    .outputs = llrs,
                                                    .plan = first_plan,
                                                    .backends = BACKENDS(
                                                        first_run, FECRUN_IN({.type = FECRUN_F32}),
                                                        FECRUN_OUT({.type = FECRUN_F32}))};
static const struct fecrun_stage second = {.size = sizeof second,
                                           .name = "second.window",
                                           .role = FECRUN_ROLE_TRANSFORM,
                                           .params = no_params,
                                           .inputs = llrs,
                                           .outputs = llrs,
                                           .plan = second_plan,
                                           .backends = BACKENDS(second_run,
                                                                FECRUN_IN({.type = FECRUN_F32}),
                                                                FECRUN_OUT({.type = FECRUN_F32}))};
static const struct fecrun_stage keep = {
    .size = sizeof keep,
    .name = "sink.keep",
    .role = FECRUN_ROLE_SINK,
    .flags = FECRUN_STAGE_ORDERED,
    .params = no_params,
    .inputs = llrs,
    .outputs = no_ports,
    .plan = sink_plan,
    .backends = BACKENDS(keep_run, FECRUN_IN({.type = FECRUN_F32}))};

static void moving_sum(const float *in, float *out, const uint64_t *wanted)
{
    for (int64_t i = 0; i < (int64_t)total; i++) {
        out[i] = 0;
        for (int64_t k = i - (int64_t)wanted[0]; k <= i + (int64_t)wanted[1]; k++)
            if (k >= 0 && k < (int64_t)total)
                out[i] += in[k];
    }
}

static bool stream_is_right(void)
{
    float in[MOST_ITEMS], once[MOST_ITEMS], twice[MOST_ITEMS];

    for (uint64_t i = 0; i < total; i++)
        in[i] = number(i);
    moving_sum(in, once, margin[0]);
    moving_sum(once, twice, margin[1]);
    return got_items == total && !memcmp(got, twice, total * sizeof *got);
}

static void test_streams(unsigned rounds)
{
    unsigned wrong = 0;

    for (unsigned i = 0; i < rounds; i++) {
        const bool live = draw(2);
        const struct fecrun_stage *stages[] = {live ? &live_source : &stream_source,
                                               draw(2) ? &first_plain : &first_converted, &second,
                                               &keep, NULL};
        struct pipeline pipeline = {
            .place.base_dir = ".", .in_flight = 1 + draw(6), .low_latency = live};
        uint64_t batch = 1 + draw(12);
        unsigned workers = 1 + draw(4);
        struct run_counts counts;
        struct diag d = {0};
        piece = 1 + draw(20);
        total = draw(8) ? draw(MOST_ITEMS) : draw(2 * (unsigned)piece);
        for (unsigned k = 0; k < 4; k++)
            margin[k / 2][k % 2] = draw(3) ? draw(12) : draw(3) ? 0 : draw(200);
        next_item = got_items = 0;
        if (!run_all(stages, &pipeline, batch, workers, (struct run_limits){0}, &counts, &d) &&
            stream_is_right() && counts.frames == (total + piece - 1) / piece)
            continue;
        wrong++;
        diag("%s%llu items in pieces of %llu, batch %llu, %u threads, %u in flight, windows "
             "-%llu+%llu -%llu+%llu: %s",
             live ? "live: " : "", (unsigned long long)total, (unsigned long long)piece,
             (unsigned long long)batch, workers, pipeline.in_flight,
             (unsigned long long)margin[0][0], (unsigned long long)margin[0][1],
             (unsigned long long)margin[1][0], (unsigned long long)margin[1][1], d.text);
    }
    is_int(wrong, 0, "%u streams: windows do not see where batches end", rounds);
    ok(pauses > rounds, "batches were shorter than others %u times", pauses);
}

/* ---- Ragged rows: bit i of frame f is a hash of both, whatever its row ---- */

struct size_code {
    uint64_t n;
};

static int hash_bit(uint64_t frame, uint64_t i)
{
    return (int)((frame * 2654435761u + i * 40503u) >> 7 & 1);
}

static plan_fn size_plan;
static int size_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                     const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                     struct fecrun_plan *plan, struct fecrun_error *err)
{
    struct size_code *code = plan->code = calloc(1, sizeof *code);

    (void)host, (void)err, (void)in;
    code->n = (uint64_t)fecrun_value(values, 0)->i;
    if (out[0]) {
        out[0]->kind = FECRUN_KIND_BITS;
        out[0]->type = FECRUN_U8;
        out[0]->items = code->n;
    }
    return 0;
}

static run_fn rows_run;
static int rows_run(void *instance, const struct fecrun_call *call,
                    const struct fecrun_view *const in[], struct fecrun_view *const out[],
                    struct fecrun_error *err)
{
    const struct size_code *code = call->codes[0];

    (void)instance, (void)in;
    if (out[0]->items != code->n)
        return fecrun_fail(err, NULL, "a row of other frames");
    for (uint64_t f = 0; f < out[0]->frames; f++)
        for (uint64_t i = 0; i < code->n; i++)
            ((uint8_t *)fecrun_row(out[0], f))[i] = (uint8_t)hash_bit(call->first_frame + f, i);
    return 0;
}

static run_fn ragged_run;
static int ragged_run(void *instance, const struct fecrun_call *call,
                      const struct fecrun_view *const in[], struct fecrun_view *const out[],
                      struct fecrun_error *err)
{
    (void)instance;
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        const struct size_code *code = call->codes[in[0]->frame_class ? in[0]->frame_class[f] : 0];
        uint64_t from = in[0]->offset ? in[0]->offset[f] : f * in[0]->stride;
        uint64_t to = out[0]->offset ? out[0]->offset[f] : f * out[0]->stride;
        for (uint64_t i = 0; i < code->n; i++) {
            uint8_t bit = ((uint8_t *)in[0]->data)[from + i];
            if (bit != hash_bit(call->first_frame + f, i))
                return fecrun_fail(err, NULL, "ragged: frame %llu, bit %llu",
                                   (unsigned long long)(call->first_frame + f),
                                   (unsigned long long)i);
            ((uint8_t *)out[0]->data)[to + i] = bit ^ 1;
        }
    }
    return 0;
}

/* Packed, so that rows are converted to frames that begin on a byte. */
static run_fn check_run;
static int check_run(void *instance, const struct fecrun_call *call,
                     const struct fecrun_view *const in[], struct fecrun_view *const out[],
                     struct fecrun_error *err)
{
    (void)instance, (void)out;
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        const uint8_t *row = fecrun_row(in[0], f);
        call->info[f].flags |= FECRUN_FRAME_COUNTED;
        call->info[f].bit_errors = 0;
        for (uint64_t i = 0; i < in[0]->items; i++)
            call->info[f].bit_errors += (row[i / 8] >> (7 - i % 8) & 1) ==
                                        hash_bit(call->first_frame + f, i);
        if (in[0]->items % 8 && row[in[0]->items / 8] & 0xff >> in[0]->items % 8)
            return fecrun_fail(err, NULL, "the last byte is not filled with zeros");
    }
    return 0;
}

static const struct fecrun_port *const bits[] = {
    FECRUN_PORT(.name = "bits", .kinds = FECRUN_KIND_BITS), NULL};
static const struct fecrun_param *const size_params[] = {
    FECRUN_PARAM(.name = "n", .type = FECRUN_VALUE_INT, .flags = FECRUN_PARAM_SIZE, .imin = 1,
                 .imax = 1000, .default_text = "5", .help = "bits"),
    NULL,
};
static const struct fecrun_stage rows_source = {
    .size = sizeof rows_source,
    .name = "rows.source",
    .role = FECRUN_ROLE_SOURCE,
    .params = size_params,
    .inputs = no_ports,
    .outputs = bits,
    .plan = size_plan,
    .plan_free = free,
    .backends = BACKENDS(rows_run, FECRUN_OUT({.type = FECRUN_U8}))};
static const struct fecrun_stage ragged = {
    .size = sizeof ragged,
    .name = "ragged.flip",
    .role = FECRUN_ROLE_TRANSFORM,
    .params = size_params,
    .inputs = bits,
    .outputs = bits,
    .plan = size_plan,
    .plan_free = free,
    .backends = BACKENDS(ragged_run, .flags = FECRUN_FORM_RAGGED, FECRUN_IN({.type = FECRUN_U8}),
                         FECRUN_OUT({.type = FECRUN_U8}))};
static const struct fecrun_stage rows_sink = {
    .size = sizeof rows_sink,
    .name = "rows.sink",
    .role = FECRUN_ROLE_SINK,
    .flags = FECRUN_STAGE_COUNTS,
    .params = no_params,
    .inputs = bits,
    .outputs = no_ports,
    .plan = sink_plan,
    .backends = BACKENDS(check_run, FECRUN_IN({.type = FECRUN_PACKED}))};

enum { MOST_ROWS = 6 };

/* Frames of each row, and all bits, as counted one by one. */
static bool rows_are_right(const struct pipeline *pipeline, const struct run_counts *counts,
                           uint64_t frames)
{
    uint64_t want[MOST_ROWS] = {0}, in_batch = 0, all_bits = 0;

    for (size_t r = 0; r < pipeline->n_blocks; r++)
        in_batch += pipeline->blocks[r].count;
    for (uint64_t f = 0; f < frames; f++) {
        uint64_t at = f % in_batch;
        size_t r = 0;
        while (at >= pipeline->blocks[r].count)
            at -= pipeline->blocks[r++].count;
        want[r]++;
        all_bits += strtoull(pipeline->blocks[r].sizes[0], NULL, 10);
    }
    for (size_t r = 0; r < pipeline->n_blocks; r++)
        if (counts->rows[r].frames != want[r])
            return false;
    return counts->frames == frames && counts->bits == all_bits && counts->counted &&
           !counts->bit_errors;
}

static void test_rows(unsigned rounds)
{
    static const struct fecrun_stage *const stages[] = {&rows_source, &ragged, &rows_sink, NULL};
    static char *columns[] = {"n"};
    unsigned wrong = 0;

    for (unsigned i = 0; i < rounds; i++) {
        struct pipeline_block blocks[MOST_ROWS];
        char sizes[MOST_ROWS][8], *size[MOST_ROWS][2];
        struct pipeline pipeline = {.place.base_dir = ".",
                                    .in_flight = 1 + draw(6),
                                    .blocks = blocks,
                                    .n_blocks = 1 + draw(MOST_ROWS),
                                    .n_block_columns = 1,
                                    .block_columns = columns};
        struct run_limits limits = {.frames = 1 + draw(100)};
        struct run_counts counts;
        struct diag d = {0};
        for (size_t r = 0; r < pipeline.n_blocks; r++) {
            snprintf(sizes[r], sizeof sizes[r], "%u", 1 + (draw(2) ? draw(3) : draw(100)));
            size[r][0] = sizes[r];
            size[r][1] = NULL;
            blocks[r] = (struct pipeline_block){
                .cell = "", .user = "", .count = 1 + draw(9), .sizes = size[r]};
        }
        if (run_all(stages, &pipeline, 1 + draw(3), 1 + draw(4), limits, &counts, &d) ||
            !rows_are_right(&pipeline, &counts, limits.frames)) {
            wrong++;
            diag("%zu rows, %llu frames: %s", pipeline.n_blocks, (unsigned long long)limits.frames,
                 d.text);
        }
        free(counts.rows);
    }
    is_int(wrong, 0, "%u ragged batches: every frame where it belongs", rounds);
}

/* ---- Tables of ragged rows are counted before they are made ---- */

static uint64_t table_bytes(const struct layout *layout)
{
    uint64_t bytes = 0;

    for (size_t s = 0; s < layout->graph->n; s++) {
        const struct ragged *tables = &layout->ragged[s];
        for (unsigned p = 0; p < FECRUN_MAX_PORTS; p++)
            bytes += tables->in[p].bytes + tables->out[p].bytes;
    }
    return bytes;
}

static void test_tables(void)
{
    static const struct fecrun_stage *const stages[] = {&rows_source, &ragged, &rows_sink};
    static char *columns[] = {"n"}, sizes[][2] = {"5", "6"};
    char *size[][2] = {{sizes[0]}, {sizes[1]}};
    struct pipeline_block blocks[] = {{.cell = "", .user = "", .count = 500, .sizes = size[0]},
                                      {.cell = "", .user = "", .count = 7, .sizes = size[1]}};
    struct pipeline_stage decls[3] = {{0}};
    struct pipeline pipeline = {.place.base_dir = ".",
                                .in_flight = 1,
                                .blocks = blocks,
                                .n_blocks = 2,
                                .n_block_columns = 1,
                                .block_columns = columns,
                                .stages = decls,
                                .n_stages = 3};
    struct registry registry;
    struct graph *graph;
    struct shape shape;
    struct negotiation *negotiation;
    struct layout layout;
    struct slot slot[2];
    struct diag d = {0};

    memory_registry_init(&registry);
    for (size_t s = 0; s < 3; s++) {
        decls[s] = (struct pipeline_stage){.name = stages[s]->name, .id = stages[s]->name};
        memory_add_stage(&registry, stages[s]);
    }
    if (graph_bind(&graph, &pipeline, &registry, &d) || shape_make(&shape, graph, NULL, &d) ||
        negotiate(&negotiation, &shape, &d) || layout_make(&layout, negotiation, &shape, NULL, &d))
        bail("%s", d.text);
    ok(!layout.ragged, "a layout has no tables yet");
    is_int((int64_t)ragged_bytes(&layout), 2 * ((508 + 2) * 8 + 507 * 4),
           "but says how large they are");
    if (slot_make(&slot[0], &layout, &d) || slot_make(&slot[1], &layout, &d))
        bail("%s", d.text);
    is_int((int64_t)table_bytes(&layout), (int64_t)ragged_bytes(&layout),
           "which is what they take, once for all slots");
    slot_free(&slot[0], &layout);
    slot_free(&slot[1], &layout);
    layout_free(&layout);
    blocks[0].count = blocks[1].count = (uint64_t)1 << 45;
    shape_free(&shape);
    if (shape_make(&shape, graph, NULL, &d) || layout_make(&layout, negotiation, &shape, NULL, &d))
        bail("%s", d.text);
    ok(layout_bytes(&layout, shape.frames, NULL).host >= (uint64_t)1 << 48,
       "sums of far too much do not overflow");
    layout_free(&layout);
    negotiation_free(negotiation);
    shape_free(&shape);
    graph_free(graph);
    memory_registry_free(&registry);
}

int main(void)
{
    test_tables();
    test_streams(400);
    test_rows(200);
    return done_testing();
}
