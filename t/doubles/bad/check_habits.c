/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Backends with bad habits, each with one: fecrun-check has to report every one but ref and good of
 * habit.invert. All invert bits, in frames of multiples of 64, where much goes well by chance.
 */
#include <fcntl.h>
#include <fecrun/sdk/stage.h>
#include <unistd.h>

struct code {
    unsigned calls;
    uint8_t *table; /* one item: what is added to a bit */
};

static void free_code(void *data)
{
    struct code *code = data;

    if (code)
        free(code->table);
    free(code);
}

static int plan(const struct fecrun_host *host, const struct fecrun_values *values,
                const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                struct fecrun_plan *result, struct fecrun_error *err)
{
    struct code *code;

    (void)host, (void)values;
    if (in[0]->items % 64)
        return fecrun_fail(err, NULL, "takes multiples of 64 bits");
    code = fecrun_code(result, sizeof *code, err);
    if (!code)
        return -1;
    code->table = malloc(1);
    if (!code->table) {
        free(code);
        return fecrun_no_memory(err);
    }
    code->table[0] = 1;
    fecrun_frame_copy(out[0], in[0]);
    return 0;
}

static int plan_margins(const struct fecrun_host *host, const struct fecrun_values *values,
                        const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                        struct fecrun_plan *result, struct fecrun_error *err)
{
    if (plan(host, values, in, out, result, err))
        return -1;
    result->before = (uint64_t)1 << 60;
    return 0;
}

static int create_file(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    if (open("/dev/null", O_RDONLY) < 0)
        return fecrun_fail(err, NULL, "no /dev/null");
    return fecrun_no_instance(args, instance, err);
}

static size_t scratch_endless(const void *instance, uint64_t frames)
{
    (void)instance, (void)frames;
    return SIZE_MAX;
}

enum fault {
    NONE,
    PRINTS,
    COUNTS_CALLS, /* in the code object */
    SETS_TABLE,   /* of the code object, to what it holds already */
    FLAGS,        /* that there are none */
    FAILED_ALONE, /* FECRUN_FRAME_FAILED without FECRUN_FRAME_CHECKED */
    TIGHT,        /* goes by the size of a frame, not by the stride */
    ALIGNED,      /* loads words of 16 bytes */
    FEW,          /* right up to 130 frames */
};

static void invert(enum fault fault, const struct code *code, const struct fecrun_view *in,
                   struct fecrun_view *out)
{
    for (uint64_t f = 0; f < in->frames; f++) {
        const uint8_t *from = fecrun_row(in, f);
        uint8_t *to = fecrun_row(out, f);

        if (fault == TIGHT) {
            from = (const uint8_t *)in->data + f * in->items;
            to = (uint8_t *)out->data + f * out->items;
        }
        if (fault == ALIGNED && ((uintptr_t)from % 16 || (uintptr_t)to % 16))
            abort(); /* what a vector instruction does */
        for (uint64_t i = 0; i < in->items; i++)
            to[i] = from[i] ^ code->table[0];
        if (fault == FEW && f > 129)
            to[0] ^= 1;
    }
}

static int run(enum fault fault, const struct fecrun_call *call,
               const struct fecrun_view *const in[], struct fecrun_view *const out[])
{
    struct code *code = call->codes[0];

    invert(fault, code, in[0], out[0]);
    if (fault == PRINTS)
        fprintf(stderr, "%llu frames\n", (unsigned long long)in[0]->frames);
    if (fault == COUNTS_CALLS)
        code->calls++;
    if (fault == SETS_TABLE)
        *(volatile uint8_t *)code->table = 1;
    if (fault == FLAGS)
        call->info[0].flags = 0x40;
    if (fault == FAILED_ALONE)
        call->info[0].flags = FECRUN_FRAME_FAILED;
    return 0;
}

#define RUN(name, fault) \
    static int run_##name(void *instance, const struct fecrun_call *call, \
                          const struct fecrun_view *const in[], struct fecrun_view *const out[], \
                          struct fecrun_error *err) \
    { \
        (void)instance, (void)err; \
        return run(fault, call, in, out); \
    }

RUN(good, NONE)
RUN(prints, PRINTS)
RUN(counts_calls, COUNTS_CALLS)
RUN(sets_table, SETS_TABLE)
RUN(flags, FLAGS)
RUN(failed_alone, FAILED_ALONE)
RUN(tight, TIGHT)
RUN(aligned, ALIGNED)
RUN(few, FEW)

/* ---- Tables ---- */

static const struct fecrun_param *const params[] = {NULL};
static const struct fecrun_form *const forms[] = {
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_U8}), FECRUN_OUT({.type = FECRUN_U8})), NULL};

#define BACKEND(text, function, maker, ...) \
    FECRUN_BACKEND(.name = text, .forms = forms, .create = maker, .run = run_##function, \
                   .destroy = fecrun_no_destroy, ##__VA_ARGS__)

static const struct fecrun_backend *const backends[] = {
    BACKEND("ref", good, fecrun_no_instance),
    BACKEND("good", good, fecrun_no_instance),
    BACKEND("prints", prints, fecrun_no_instance),
    BACKEND("leaves-files", good, create_file),
    BACKEND("counts-calls", counts_calls, fecrun_no_instance),
    BACKEND("sets-table", sets_table, fecrun_no_instance),
    BACKEND("flags", flags, fecrun_no_instance),
    BACKEND("failed-alone", failed_alone, fecrun_no_instance),
    BACKEND("tight", tight, fecrun_no_instance),
    BACKEND("aligned", aligned, fecrun_no_instance),
    BACKEND("few", few, fecrun_no_instance),
    BACKEND("endless-scratch", good, fecrun_no_instance, .scratch = scratch_endless),
    NULL,
};
static const struct fecrun_backend *const ref_only[] = {BACKEND("ref", good, fecrun_no_instance),
                                                        NULL};

#define STAGE(text, planner, table) \
    FECRUN_STAGE(.name = text, .role = FECRUN_ROLE_TRANSFORM, .summary = "inverts bits", \
                 .params = params, .inputs = FECRUN_BITS_IN, .outputs = FECRUN_BITS_OUT, \
                 .backends = table, .plan = planner, .plan_free = free_code)

static const struct fecrun_stage *const stages[] = {
    STAGE("habit.invert", plan, backends),
    STAGE("habit.margins", plan_margins, ref_only),
    STAGE("habit.twice", plan, ref_only),
    STAGE("habit.twice", plan, ref_only),
    NULL,
};

FECRUN_PLUGIN(.name = "check-habits", .version = "1", .license = "BSD-2-Clause", .stages = stages);
