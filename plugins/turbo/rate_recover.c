/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * turbo.rate_recover: undoes TS 36.212 5.1.4.1. LLRs of a bit that was sent more than once are added
 * up, also to those of earlier transmissions (HARQ); fillers are known.
 */
#include <fecrun/sdk/facts.h>
#include <fecrun/sdk/stage.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/turbo/plugin.h"
#include "plugins/turbo/rate/params.h"

enum { P_HARQ_IN = TURBO_RATE_N_PARAMS, P_HARQ_OUT };

/* ---- Planning ------------------------------------------------------------------------------ */

static int read_params(struct turbo_rate_params *p, const struct fecrun_values *values,
                       const struct fecrun_frame *in, struct fecrun_error *err)
{
    const uint64_t sent = (uint64_t)fecrun_fact_get(in, TURBO_FACT_K, 0);
    struct turbo_code code;

    if (recover_check_input(in, TURBO_MAX_E, fecrun_value(values, TURBO_RATE_P_E), err))
        return -1;
    if (!fecrun_value(values, TURBO_P_K)->given && !sent)
        return fecrun_fail(err, "k",
                           "must be given: what was received does not tell the size of "
                           "the block");
    if (turbo_only_lte(values, "turbo.rate_recover", err))
        return -1;
    if (turbo_read_code(&code, values, sent, "blocks of turbo.rate_match", err))
        return -1;
    turbo_rate_read(p, &code, values);
    p->e = (uint32_t)in->items;
    return 0;
}

static int make_code(struct turbo_recover *c, const struct fecrun_values *values,
                     const struct fecrun_frame *const in[], struct fecrun_error *err)
{
    struct turbo_rate_params params;

    if (read_params(&params, values, in[0], err) ||
        turbo_rate_make(&c->rate, c->order, &params, err))
        return -1;
    turbo_recover_make(c);
    return recover_read_files(&c->common, c->rate.n, fecrun_value(values, P_HARQ_IN),
                              fecrun_value(values, P_HARQ_OUT), in[0], in[1], err);
}

static int recover_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                        const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                        struct fecrun_plan *plan, struct fecrun_error *err)
{
    struct turbo_recover *c = calloc(1, sizeof *c);

    (void)host;
    if (!c)
        return fecrun_no_memory(err);
    if (make_code(c, values, in, err)) {
        free(c);
        return -1;
    }
    fecrun_frame_copy(out[0], in[0]);
    out[0]->items = c->rate.n;
    fecrun_fact_drop(out[0], TURBO_FACT_K);
    if (recover_set_received(&c->common, TURBO_FACT_RECEIVED, fmin(c->rate.e, c->rate.sent), in[1],
                             out[0], err)) {
        free(c);
        return -1;
    }
    recover_describe(&c->common, (c->rate.e - 1) / c->rate.sent + 1, c->rate.fillers > 0, in[1],
                     out[0]);
    recover_plan_files(&c->common, plan);
    turbo_rate_identity(plan, &c->rate, fecrun_value(values, TURBO_RATE_P_RV));
    snprintf(plan->note, sizeof plan->note, "K = %u", c->rate.k);
    plan->code = c;
    return 0;
}

/* ---- Working -------------------------------------------------------------------------------- */

/*
 * All but the fillers, which become 0: nobody sends them. What came in first for each item is looked
 * up in a clean copy with a 0 at its end. A frame longer than `sent` has more for some items.
 * wide holds the sum of 2^28 LLRs, two that of two. Sums begin with 0, so that none is -0.
 */
#define RECOVER(name, type, wide, CLEAN, two, CLEAN_TWO) \
    static void name##_again(const struct turbo_recover *c, const type *in, const type *old, \
                             type *out) \
    { \
        const wide limit = (wide)c->common.limit; \
        const uint32_t n = c->rate.n, e = c->rate.e, sent = c->rate.sent; \
        for (uint32_t i = 0; i < n; i++) { \
            wide sum = 0; \
            sum += old ? CLEAN(old[i], limit) : 0; \
            for (uint32_t j = c->place[i]; c->place[i] < sent && j < e; j += sent) \
                sum += CLEAN(in[j], limit); \
            out[i] = (type)CLEAN(sum, limit); \
        } \
    } \
\
    static void name##_once(const struct turbo_recover *c, const type *in, const type *old, \
                            type *first, type *out) \
    { \
        const two limit = (two)c->common.limit; \
        const uint32_t n = c->rate.n, most = c->most; \
        for (uint32_t j = 0; j < most; j++) \
            first[j] = (type)(CLEAN_TWO(in[j], limit) + 0); \
        first[most] = 0; \
        for (uint32_t i = 0; i < n; i++) \
            out[i] = first[c->place[i]]; \
        if (!old) \
            return; \
        for (uint32_t i = 0; i < n; i++) \
            out[i] = (type)CLEAN_TWO((two)(CLEAN_TWO(old[i], limit) + out[i]), limit); \
    } \
\
    static void name(const struct turbo_recover *c, const void *in, const void *old, \
                     void *scratch, void *out) \
    { \
        if (c->rate.e > c->rate.sent) \
            name##_again(c, in, old, out); \
        else \
            name##_once(c, in, old, scratch, out); \
        for (uint32_t s = 0; s < 2; s++) \
            memset((type *)out + turbo_item(c->rate.k, s, 0), 0, c->rate.fillers * sizeof(type)); \
    }

RECOVER(recover_i8, int8_t, int64_t, recover_clean_int, int16_t, recover_clean_int16)
RECOVER(recover_i16, int16_t, int64_t, recover_clean_int, int32_t, recover_clean_int32)
RECOVER(recover_f32, float, double, recover_clean, double, recover_clean)

static void recover_frame(const void *code, uint32_t type, const void *in, const void *prior,
                          void *scratch, void *out)
{
    RECOVER_BY_TYPE(type, recover, code, in, prior, scratch, out);
}

/* d2 has none. */
static void set_fillers(const void *code, uint32_t type, void *row)
{
    const struct turbo_recover *c = code;

    for (uint32_t s = 0; s < 2; s++)
        for (uint32_t i = 0; i < c->rate.fillers; i++)
            recover_put(row, type, turbo_item(c->rate.k, s, i), c->common.limit);
}

static size_t recover_scratch(const void *instance, uint64_t frames)
{
    (void)instance;
    (void)frames;
    return (TURBO_MOST_PLACES + 1) * sizeof(float);
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    static const struct recover_work work = {recover_frame, set_fillers};

    return recover_run(&work, instance, call, in, out, err);
}

/* ---- Tables --------------------------------------------------------------------------------- */

static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(.name = "ref", .forms = recover_forms, .agreement = FECRUN_AGREEMENT_EXACT,
                   .create = recover_create, .scratch = recover_scratch, .run = run,
                   .finish = recover_finish, .destroy = recover_destroy),
    &turbo_rate_recover_cuda, NULL};

static const struct fecrun_param *const params[] = {
    TURBO_CODE_PARAMS,
    TURBO_RATE_PARAMS(0, "LLRs received in a frame; optional, has to equal the input size"),
    RECOVER_FILE_PARAMS("turbo.rate_recover"), NULL};

static const struct fecrun_example *const examples[] = {
    FECRUN_EXAMPLE(.params = "{k: 40, rv: 1}", .items = 100),
    FECRUN_EXAMPLE(.params = "{k: 40, fillers: 39, rv: 3}", .items = 132),
    FECRUN_EXAMPLE(.params = "{k: 512, fillers: 20, rv: 2}", .items = 2400),
    FECRUN_EXAMPLE(.params = "{k: 6144, rv: 1, ncb: 9240}", .items = 12000), NULL};

const struct fecrun_stage turbo_rate_recover_stage = {
    FECRUN_TRANSFORM(recover_plan, free),
    .name = "turbo.rate_recover",
    .summary = "inverts turbo.rate_match: LLRs of repeated bits and of earlier "
               "transmissions are added, unsent bits become 0, fillers are known",
    .params = params,
    .inputs = recover_inputs,
    .outputs = FECRUN_LLRS_OUT,
    .backends = backends,
    .examples = examples,
    .undoes = "turbo.rate_match",
};
