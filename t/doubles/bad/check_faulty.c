/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Backends that break the contract, each in one way: fecrun-check has to report every one but those
 * called ref, good and near. All are meant to invert bits.
 */
#include <fecrun/sdk/params.h>
#include <fecrun/sim.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

struct code {
    uint64_t items;
    int64_t number; /* of plan_number() */
};

enum { SCRATCH = 64 };

static int plan(const struct fecrun_host *host, const struct fecrun_values *values,
                const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                struct fecrun_plan *result, struct fecrun_error *err)
{
    struct code *code = calloc(1, sizeof *code);

    (void)host;
    (void)values;
    if (!code)
        return fecrun_no_memory(err);
    code->items = in[0]->items;
    result->code = code;
    fecrun_frame_copy(out[0], in[0]);
    return 0;
}

/* A second call of it gives something else. */
static int plan_counts(const struct fecrun_host *host, const struct fecrun_values *values,
                       const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                       struct fecrun_plan *result, struct fecrun_error *err)
{
    static unsigned calls;

    snprintf(result->note, sizeof result->note, "call %u", __atomic_add_fetch(&calls, 1, 5));
    return plan(host, values, in, out, result, err);
}

/* Begins with an empty frame, so that what others said gets lost. */
static int plan_forgets(const struct fecrun_host *host, const struct fecrun_values *values,
                        const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                        struct fecrun_plan *result, struct fecrun_error *err)
{
    if (plan(host, values, in, out, result, err))
        return -1;
    memset(out[0]->facts, 0, sizeof out[0]->facts);
    return 0;
}

static int plan_fact(const struct fecrun_host *host, const struct fecrun_values *values,
                     const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                     struct fecrun_plan *result, struct fecrun_error *err)
{
    if (plan(host, values, in, out, result, err))
        return -1;
    memcpy(out[0]->facts[7].key, "faulty.gap", 10);
    return 0;
}

/* Refuses, and does not say why. */
static int plan_silent(const struct fecrun_host *host, const struct fecrun_values *values,
                       const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                       struct fecrun_plan *result, struct fecrun_error *err)
{
    return in[0]->items % 2 ? -1 : plan(host, values, in, out, result, err);
}

static int plan_crash(const struct fecrun_host *host, const struct fecrun_values *values,
                      const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                      struct fecrun_plan *result, struct fecrun_error *err)
{
    if (in[0]->stream)
        abort();
    return plan(host, values, in, out, result, err);
}

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    (void)args;
    (void)err;
    *instance = NULL;
    return 0;
}

static void destroy(void *instance)
{
    (void)instance;
}

static int create_leak(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    (void)err;
    *instance = args->host->alloc(args->host, 100);
    return 0;
}

static int create_malloc(const struct fecrun_create *args, void **instance,
                         struct fecrun_error *err)
{
    (void)args;
    (void)err;
    *instance = malloc(100);
    return 0;
}

static int create_silent(const struct fecrun_create *args, void **instance,
                         struct fecrun_error *err)
{
    (void)err;
    *instance = NULL;
    return args->max_frames > 60 ? -1 : 0;
}

/* ---- takes() ---- */

static int plan_number(const struct fecrun_host *host, const struct fecrun_values *values,
                       const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                       struct fecrun_plan *result, struct fecrun_error *err)
{
    if (plan(host, values, in, out, result, err))
        return -1;
    ((struct code *)result->code)->number = fecrun_value(values, 0)->i;
    return 0;
}

static int plan_even(const struct fecrun_host *host, const struct fecrun_values *values,
                     const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                     struct fecrun_plan *result, struct fecrun_error *err)
{
    if (in[0]->items % 2)
        return fecrun_fail(err, NULL, "takes an even number of bits");
    return plan_number(host, values, in, out, result, err);
}

static bool is_odd(const struct fecrun_create *args)
{
    return ((const struct code *)args->codes[0])->number % 2;
}

static int takes_even(const struct fecrun_create *args, struct fecrun_error *err)
{
    return is_odd(args) ? fecrun_fail(err, NULL, "even numbers only") : 0;
}

/* Nobody should come here with what takes_even() does not want. */
static int create_even(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    if (takes_even(args, err))
        abort();
    return create(args, instance, err);
}

static int takes_silent(const struct fecrun_create *args, struct fecrun_error *err)
{
    (void)err;
    return is_odd(args) ? -1 : 0;
}

static int takes_counts(const struct fecrun_create *args, struct fecrun_error *err)
{
    static unsigned calls;

    (void)args;
    return __atomic_add_fetch(&calls, 1, 5) % 2 ? fecrun_fail(err, NULL, "not now") : 0;
}

static size_t scratch(const void *instance, uint64_t frames)
{
    (void)instance;
    (void)frames;
    return SCRATCH;
}

/* ---- One run() for all: what it does wrong is a flag ---- */

enum fault {
    NONE,
    WRONG_BIT, /* one bit in one of a thousand frames */
    PAST_END,  /* writes one byte behind the last frame */
    BEFORE_START,
    SCRATCH_END, /* uses one byte more of scratch than it asked for */
    INFO_END,
    OWN_SCRATCH, /* reads scratch before it has written it */
    UNWRITTEN,   /* leaves the last frame's last item as it was */
    PAD_BITS,
    NOT_BITS,
    WRITES_INPUT,
    READS_BEYOND,  /* the byte behind its input */
    ALIGNED,       /* loads words as if rows began at their borders */
    COUNTS_CALLS,  /* in a static variable */
    LOOKS_AT_SEED, /* without FECRUN_STAGE_RANDOM */
    WHOLE_BATCH,   /* a frame's result depends on its place in the batch */
    SHARED_STATE,  /* two instances use one static buffer */
    INFO_FLAGS,
    FAILS,
    FAILS_SILENTLY,
    CRASHES,
    EXITS,
    HANGS,
};

static void invert(const struct fecrun_view *in, struct fecrun_view *out)
{
    const uint64_t bytes = fecrun_bytes(in->type, in->items);

    for (uint64_t f = 0; f < in->frames; f++) {
        const uint8_t *from = fecrun_row(in, f);
        uint8_t *to = fecrun_row(out, f);

        for (uint64_t i = 0; i < bytes; i++)
            to[i] = in->type == FECRUN_U8 ? from[i] ^ 1 : (uint8_t)~from[i];
        if (in->type == FECRUN_PACKED && in->items % 8)
            to[bytes - 1] &= (uint8_t)(0xff00 >> in->items % 8);
    }
}

static void flip(struct fecrun_view *out, uint64_t frame)
{
    *(uint8_t *)fecrun_row(out, frame) ^= 1;
}

/* Sleeps where the other thread has to come in between. */
static void share(const struct fecrun_view *in, struct fecrun_view *out)
{
    static volatile uint8_t shared[64];
    uint64_t n = in->items < sizeof shared ? in->items : sizeof shared;

    for (uint64_t f = 0; f < in->frames; f++) {
        const uint8_t *from = fecrun_row(in, f);
        uint8_t *to = fecrun_row(out, f);

        for (uint64_t i = 0; i < n; i++)
            shared[i] = from[i];
        if (f < 8)
            usleep(200);
        for (uint64_t i = 0; i < n; i++)
            to[i] = shared[i] ^ 1;
    }
}

static void spoil_memory(enum fault fault, const struct fecrun_call *call,
                         const struct fecrun_view *in, struct fecrun_view *out)
{
    uint8_t *start = out->data, *scratch_area;
    uint8_t *end = (uint8_t *)fecrun_row(out, out->frames - 1) +
                   fecrun_bytes(out->type, out->items);
    static volatile uint8_t sink;

    scratch_area = call->scratch;
    switch (fault) {
    case PAST_END:
        *end = 0;
        break;
    case BEFORE_START:
        start[-1] = 0;
        break;
    case SCRATCH_END:
        scratch_area[SCRATCH] = 0;
        break;
    case INFO_END:
        call->info[in->frames].iterations = 0;
        break;
    case OWN_SCRATCH:
        start[0] ^= scratch_area[5] == 0x5a;
        break;
    case PAD_BITS:
        for (uint64_t f = 0; out->items % 8 && f < out->frames; f++)
            ((uint8_t *)fecrun_row(out, f))[out->items / 8] |= 1;
        break;
    case NOT_BITS:
        start[0] |= 2;
        break;
    case WRITES_INPUT:
        *(uint8_t *)in->data ^= 1;
        break;
    case READS_BEYOND:
        sink = ((const uint8_t *)fecrun_row(in, in->frames - 1))[in->items];
        (void)sink;
        break;
    case ALIGNED: /* what a vector instruction does */
        if ((uintptr_t)in->data % 16)
            abort();
        break;
    default:
        break;
    }
}

static void spoil_values(enum fault fault, const struct fecrun_call *call,
                         const struct fecrun_view *in, struct fecrun_view *out)
{
    static unsigned calls;

    switch (fault) {
    case WRONG_BIT:
        for (uint64_t f = 0; f < out->frames; f++)
            if ((call->first_frame + f) % 1000 == 621)
                flip(out, f);
        break;
    case COUNTS_CALLS:
        if (__atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED) % 10 == 0)
            flip(out, 0);
        break;
    case LOOKS_AT_SEED:
        if (call->sim->rng.seed % 2)
            break;
        flip(out, 0);
        break;
    case WHOLE_BATCH:
        if (out->frames == 7)
            flip(out, 3);
        break;
    case INFO_FLAGS:
        call->info[0].flags |= FECRUN_FRAME_CHECKED;
        break;
    case SHARED_STATE:
        share(in, out);
        break;
    default:
        break;
    }
}

static int misbehave(enum fault fault, struct fecrun_error *err)
{
    static volatile int *volatile nowhere;
    static volatile int forever = 1;

    switch (fault) {
    case FAILS:
        return fecrun_fail(err, NULL, "does not feel like it");
    case FAILS_SILENTLY:
        return -1;
    case CRASHES:
        *nowhere = 1;
        return 0;
    case EXITS:
        exit(3);
    case HANGS:
        while (forever)
            ;
        return 0;
    default:
        return 0;
    }
}

static int run(enum fault fault, const struct fecrun_call *call,
               const struct fecrun_view *const in[], struct fecrun_view *const out[],
               struct fecrun_error *err)
{
    uint8_t *last = NULL, kept = 0;

    if (fault == UNWRITTEN) {
        last = (uint8_t *)fecrun_row(out[0], out[0]->frames - 1) + out[0]->items - 1;
        kept = *last;
    }
    invert(in[0], out[0]);
    spoil_memory(fault, call, in[0], out[0]);
    spoil_values(fault, call, in[0], out[0]);
    if (last)
        *last = kept;
    return misbehave(fault, err);
}

#define RUN(name, fault) \
    static int run_##name(void *instance, const struct fecrun_call *call, \
                          const struct fecrun_view *const in[], struct fecrun_view *const out[], \
                          struct fecrun_error *err) \
    { \
        (void)instance; \
        return run(fault, call, in, out, err); \
    }

RUN(good, NONE)
RUN(wrong_bit, WRONG_BIT)
RUN(past_end, PAST_END)
RUN(before_start, BEFORE_START)
RUN(scratch_end, SCRATCH_END)
RUN(info_end, INFO_END)
RUN(own_scratch, OWN_SCRATCH)
RUN(unwritten, UNWRITTEN)
RUN(pad_bits, PAD_BITS)
RUN(not_bits, NOT_BITS)
RUN(writes_input, WRITES_INPUT)
RUN(reads_beyond, READS_BEYOND)
RUN(aligned, ALIGNED)
RUN(counts_calls, COUNTS_CALLS)
RUN(looks_at_seed, LOOKS_AT_SEED)
RUN(whole_batch, WHOLE_BATCH)
RUN(shared_state, SHARED_STATE)
RUN(info_flags, INFO_FLAGS)
RUN(fails, FAILS)
RUN(fails_silently, FAILS_SILENTLY)
RUN(crashes, CRASHES)
RUN(exits, EXITS)
RUN(hangs, HANGS)

/* ---- A code without redundancy, and a decoder that is worse than its bound allows ---- */

static int plan_decode(const struct fecrun_host *host, const struct fecrun_values *values,
                       const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                       struct fecrun_plan *result, struct fecrun_error *err)
{
    if (plan(host, values, in, out, result, err))
        return -1;
    out[0]->kind = FECRUN_KIND_BITS;
    out[0]->type = FECRUN_U8;
    out[0]->llr_max = 0;
    return 0;
}

static int run_decode(void *instance, const struct fecrun_call *call,
                      const struct fecrun_view *const in[], struct fecrun_view *const out[],
                      struct fecrun_error *err)
{
    (void)instance;
    (void)call;
    (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        const float *from = fecrun_row(in[0], f);
        uint8_t *to = fecrun_row(out[0], f);

        for (uint64_t i = 0; i < in[0]->items; i++)
            to[i] = from[i] > 0;
    }
    return 0;
}

/* Spoils every frame whose first values happen to be so: about one in four. */
static int run_worse(void *instance, const struct fecrun_call *call,
                     const struct fecrun_view *const in[], struct fecrun_view *const out[],
                     struct fecrun_error *err)
{
    int status = run_decode(instance, call, in, out, err);

    for (uint64_t f = 0; f < in[0]->frames; f++) {
        const float *from = fecrun_row(in[0], f);

        if (in[0]->items > 2 && from[0] > from[1] && from[1] > from[2])
            flip(out[0], f);
    }
    return status;
}

/* ---- Tables ---- */

static const struct fecrun_form *const forms[] = {
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_U8}), FECRUN_OUT({.type = FECRUN_U8})),
    NULL,
};
static const struct fecrun_form *const packed_forms[] = {
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_PACKED}), FECRUN_OUT({.type = FECRUN_PACKED})),
    NULL,
};

/* Says that it takes frames of different sizes, and goes by the sizes of equal ones. */
static const struct fecrun_form *const ragged_forms[] = {
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED, FECRUN_IN({.type = FECRUN_U8}),
                FECRUN_OUT({.type = FECRUN_U8})),
    NULL,
};

#define BACKEND(text, function, ...) \
    FECRUN_BACKEND(.name = text, .forms = forms, .create = create, .scratch = scratch, \
                   .run = run_##function, .destroy = destroy, ##__VA_ARGS__)

static const struct fecrun_backend *const backends[] = {
    BACKEND("ref", good),
    FECRUN_BACKEND(.name = "good", .forms = packed_forms, .create = create, .run = run_good,
                   .destroy = destroy),
    BACKEND("wrong-bit", wrong_bit),
    BACKEND("past-end", past_end),
    BACKEND("before-start", before_start),
    BACKEND("scratch-end", scratch_end),
    BACKEND("info-end", info_end),
    BACKEND("own-scratch", own_scratch),
    BACKEND("unwritten", unwritten),
    FECRUN_BACKEND(.name = "pad-bits", .forms = packed_forms, .create = create, .scratch = scratch,
                   .run = run_pad_bits, .destroy = destroy),
    BACKEND("not-bits", not_bits),
    BACKEND("writes-input", writes_input),
    BACKEND("reads-beyond", reads_beyond),
    BACKEND("aligned", aligned),
    BACKEND("counts-calls", counts_calls),
    BACKEND("looks-at-seed", looks_at_seed),
    BACKEND("whole-batch", whole_batch),
    BACKEND("shared-state", shared_state),
    BACKEND("info-flags", info_flags),
    BACKEND("fails", fails),
    BACKEND("fails-silently", fails_silently),
    BACKEND("crashes", crashes),
    BACKEND("exits", exits),
    BACKEND("hangs", hangs),
    FECRUN_BACKEND(.name = "not-ragged", .forms = ragged_forms, .create = create, .run = run_good,
                   .destroy = destroy),
    FECRUN_BACKEND(.name = "leaks", .forms = forms, .create = create_leak, .run = run_good,
                   .destroy = destroy),
    FECRUN_BACKEND(.name = "leaks-malloc", .forms = forms, .create = create_malloc, .run = run_good,
                   .destroy = destroy),
    FECRUN_BACKEND(.name = "create-silent", .forms = forms, .create = create_silent,
                   .run = run_good, .destroy = destroy),
    NULL,
};
static const struct fecrun_form *const llr_forms[] = {
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_F32}), FECRUN_OUT({.type = FECRUN_U8})),
    NULL,
};
static const struct fecrun_backend *const decoders[] = {
    FECRUN_BACKEND(.name = "ref", .forms = llr_forms, .create = create, .run = run_decode,
                   .destroy = destroy),
    FECRUN_BACKEND(.name = "near", .forms = llr_forms, .agreement = FECRUN_AGREEMENT_NEAR,
                   .bound = 0.1, .create = create, .run = run_decode, .destroy = destroy),
    FECRUN_BACKEND(.name = "near-worse", .forms = llr_forms, .agreement = FECRUN_AGREEMENT_NEAR,
                   .bound = 0.1, .create = create, .run = run_worse, .destroy = destroy),
    NULL,
};
static const struct fecrun_backend *const ref_only[] = {BACKEND("ref", good), NULL};

#define TAKER(table, text, maker, asked) \
    static const struct fecrun_backend *const table[] = { \
        BACKEND("ref", good), \
        FECRUN_BACKEND(.name = text, .forms = forms, .create = maker, .run = run_good, \
                       .destroy = destroy, .takes = asked), \
        NULL}
TAKER(even, "even", create_even, takes_even);
TAKER(silent, "silent", create, takes_silent);
TAKER(counts, "counts", create, takes_counts);

static const struct fecrun_param *const params[] = {NULL};
static const struct fecrun_param *const odd_params[] = {
    FECRUN_PARAM(.name = "Bad Name", .type = FECRUN_VALUE_INT, .imin = 1, .imax = 5,
                 .default_text = "9", .help = "two lines\nof help"),
    NULL,
};
static const struct fecrun_param *const number_params[] = {
    FECRUN_PARAM(.name = "number", .type = FECRUN_VALUE_INT, .imin = 0, .imax = 9,
                 .default_text = "0", .help = "without effect"),
    NULL,
};

/* Old names and words that are today's, another one's, or nothing. */
static const char *const old_numbers[] = {"number", "other.way", NULL};
static const struct fecrun_old_choice *const old_ways[] = {
    FECRUN_OLD_CHOICE(.old = "c", .now = "d"), NULL};

/* Shared, but nobody knows with whom the last one has to do; and a help too few. */
static const struct fecrun_param *const shared_params[] = {
    FECRUN_PARAM(.name = "way", .type = FECRUN_VALUE_CHOICE, .flags = FECRUN_PARAM_SHARED,
                 .default_text = "a", .choices = (const char *const[]){"a", "b", NULL},
                 .unless = "number", .choices_help = (const char *const[]){"the one", NULL},
                 .help = "without effect", .old_choices = old_ways),
    FECRUN_PARAM(.name = "number", .type = FECRUN_VALUE_INT, .unless = "way",
                 .help = "without effect"),
    FECRUN_PARAM(.name = "other", .type = FECRUN_VALUE_INT, .flags = FECRUN_PARAM_SHARED,
                 .unless = "way nobody", .help = "without effect", .old_names = old_numbers),
    NULL,
};

/* One is what it should be. */
static const struct fecrun_example *const refused_examples[] = {
    FECRUN_EXAMPLE(.params = "{number: 3}", .items = 32),
    FECRUN_EXAMPLE(.params = "{number: 4}", .items = 33), NULL};
static const struct fecrun_example *const odd_examples[] = {
    FECRUN_EXAMPLE(.params = "{number: 12}"), FECRUN_EXAMPLE(.params = "number: 3"), NULL};

static const struct fecrun_port *const ports[] = {
    FECRUN_PORT(.name = "bits", .kinds = FECRUN_KIND_BITS, .help = "bits"),
    NULL,
};

static const struct fecrun_port *const llr_ports[] = {
    FECRUN_PORT(.name = "llr", .kinds = FECRUN_KIND_LLR, .help = "LLRs"),
    NULL,
};

#define STAGE(text, planner, schema, input, table, ...) \
    FECRUN_STAGE(.name = text, .role = FECRUN_ROLE_TRANSFORM, .summary = "inverts bits", \
                 .params = schema, .inputs = input, .outputs = ports, .backends = table, \
                 .plan = planner, .plan_free = free, ##__VA_ARGS__)

static const struct fecrun_stage *const stages[] = {
    STAGE("faulty.invert", plan, params, ports, backends),
    STAGE("faulty.encode", plan, params, ports, ref_only),
    STAGE("faulty.decode", plan_decode, params, llr_ports, decoders, .undoes = "faulty.encode"),
    STAGE("faulty.undoes", plan, params, ports, ref_only, .undoes = "faulty.endcode"),
    STAGE("faulty.follows", plan, params, ports, ref_only, .follows = "faulty.encoder",
          .undoes = "faulty.encode"),
    STAGE("faulty.counts", plan_counts, params, ports, ref_only),
    STAGE("faulty.forgets", plan_forgets, params, ports, ref_only),
    STAGE("faulty.fact", plan_fact, params, ports, ref_only),
    STAGE("faulty.silent", plan_silent, params, ports, ref_only),
    STAGE("faulty.crash", plan_crash, params, ports, ref_only),
    STAGE("faulty.even", plan_number, number_params, ports, even),
    STAGE("faulty.takes-silent", plan_number, number_params, ports, silent),
    STAGE("faulty.takes-counts", plan_number, number_params, ports, counts),
    STAGE("faulty.shared", plan, shared_params, ports, ref_only),
    STAGE("faulty.odd", plan, odd_params, ports, ref_only),
    STAGE("faulty.refuses-example", plan_even, number_params, ports, ref_only,
          .examples = refused_examples),
    STAGE("faulty.odd-examples", plan_number, number_params, ports, ref_only,
          .examples = odd_examples),
    NULL,
};

FECRUN_EXPORT const struct fecrun_plugin fecrun_plugin = {
    .size = sizeof fecrun_plugin,
    .abi = FECRUN_ABI,
    .name = "check-faulty",
    .version = "1",
    .license = "BSD-2-Clause",
    .stages = stages,
};
