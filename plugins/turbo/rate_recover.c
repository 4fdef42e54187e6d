/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * turbo.rate_recover: undoes TS 36.212 5.1.4.1. LLRs of a bit that was sent more than once are added
 * up, also to those of earlier transmissions (HARQ); fillers are known.
 */
#include <fecrun/sdk/facts.h>
#include <fecrun/sdk/stage.h>
#include <fecrun/sim.h>
#include <math.h>
#include <stdlib.h>

#include "plugins/turbo/plugin.h"
#include "plugins/turbo/rate/params.h"

enum { P_HARQ_IN = TURBO_RATE_N_PARAMS, P_HARQ_OUT };

/* ---- Planning ------------------------------------------------------------------------------ */

static int read_params(struct turbo_rate_params *p, const struct fecrun_values *values,
                       const struct fecrun_frame *in, struct fecrun_error *err)
{
    const struct fecrun_value *e = fecrun_value(values, TURBO_RATE_P_E);
    const uint64_t sent = (uint64_t)fecrun_fact_get(in, TURBO_FACT_K, 0);
    struct turbo_code code;

    if (in->stream)
        return fecrun_fail(err, NULL, "the input is one stream; rate matching works on frames");
    if (in->items > TURBO_MAX_E)
        return fecrun_fail(err, NULL, "the input has %llu LLRs a frame; 1 to %u are possible",
                           (unsigned long long)in->items, TURBO_MAX_E);
    if (!fecrun_value(values, TURBO_P_K)->given && !sent)
        return fecrun_fail(err, "k",
                           "must be given: what was received does not tell the size of "
                           "the block");
    if (turbo_read_code(&code, values, sent, "blocks of turbo.rate_match", err))
        return -1;
    if (e->given && (uint64_t)e->i != in->items)
        return fecrun_fail(err, "e", "is %lld and the input has %llu LLRs a frame", (long long)e->i,
                           (unsigned long long)in->items);
    turbo_rate_read(p, &code, values);
    p->e = (uint32_t)in->items;
    return 0;
}

static int check_linked(const struct turbo_recover *c, const struct fecrun_frame *in,
                        const struct fecrun_frame *harq, struct fecrun_error *err)
{
    if (harq->items != c->rate.n)
        return fecrun_fail(err, "harq_in", "has %llu LLRs a frame; the word has %u",
                           (unsigned long long)harq->items, c->rate.n);
    if (harq->stream)
        return fecrun_fail(err, "harq_in", "is one stream; soft buffers are frames");
    if (harq->llr_scale > 0 && in->llr_scale > 0 && harq->llr_scale != in->llr_scale)
        return fecrun_fail(err, "harq_in",
                           "has %g units per natural LLR and the input %g; only "
                           "LLRs of one scale can be added",
                           harq->llr_scale, in->llr_scale);
    return 0;
}

/* The narrowest type for work on both. */
static uint32_t common_type(uint32_t a, uint32_t b)
{
    if (a == FECRUN_F32 || a == FECRUN_F16 || b == FECRUN_F32 || b == FECRUN_F16)
        return FECRUN_F32;
    return a == FECRUN_I16 || b == FECRUN_I16 ? FECRUN_I16 : FECRUN_I8;
}

/*
 * What becomes of the LLRs. The limit is that of the type that the values come in, whichever wider
 * one the host chooses for the work, so that the choice changes nothing. Without any sum and filler
 * i4 stays what it is.
 */
static void describe(struct turbo_recover *c, struct fecrun_frame *out,
                     const struct fecrun_frame *harq)
{
    const uint32_t times = (c->rate.e - 1) / c->rate.sent + 1;
    const bool soft = harq || c->soft.in, fillers = c->rate.fillers > 0;
    double most = out->llr_max * times + (harq ? harq->llr_max : 0);

    if (out->llr_max <= 0 || (harq && harq->llr_max <= 0) || c->soft.in)
        most = 0;
    if (out->type != FECRUN_I4 || times > 1 || soft || fillers || c->soft.out)
        out->type = common_type(out->type, harq         ? harq->type
                                           : c->soft.in ? c->soft.in_type
                                                        : out->type);
    c->limit = out->type == FECRUN_F32   ? (double)FECRUN_LLR_MAX_F32
               : out->type == FECRUN_I16 ? 32767
                                         : 127;
    c->soft.out_type = out->type;
    out->llr_max = fillers || most <= 0 ? c->limit : fmin(most, c->limit);
    if (out->type == FECRUN_I4)
        out->llr_max = fmin(out->llr_max, 7);
}

/* Bits of the word of which something is known; infinity: of a file's nobody says. */
static double received_of(const struct turbo_recover *c, const struct fecrun_frame *harq)
{
    double received = fmin(c->rate.e, c->rate.sent);

    if (harq)
        received += fecrun_fact_get(harq, TURBO_FACT_RECEIVED, INFINITY);
    return c->soft.in ? INFINITY : received;
}

static int set_facts(const struct turbo_recover *c, const struct fecrun_frame *harq,
                     struct fecrun_frame *out, struct fecrun_error *err)
{
    double received = received_of(c, harq);

    fecrun_fact_drop(out, TURBO_FACT_K);
    fecrun_fact_drop(out, TURBO_FACT_RECEIVED);
    return isfinite(received) ? fecrun_fact_set(out, TURBO_FACT_RECEIVED, received, err) : 0;
}

static int make_code(struct turbo_recover *c, const struct fecrun_values *values,
                     const struct fecrun_frame *const in[], struct fecrun_error *err)
{
    const struct fecrun_value *harq_in = fecrun_value(values, P_HARQ_IN);
    const struct fecrun_value *harq_out = fecrun_value(values, P_HARQ_OUT);
    struct turbo_rate_params params;

    if (read_params(&params, values, in[0], err) ||
        turbo_rate_make(&c->rate, c->order, &params, err))
        return -1;
    c->soft.n = c->rate.n;
    if (harq_out->given && !strcmp(harq_out->s, "-"))
        return fecrun_fail(err, "harq_out", "standard output is raw; give the name of a .npy file");
    c->soft.out = harq_out->given ? harq_out->s : NULL;
    if (in[1])
        return check_linked(c, in[0], in[1], err);
    c->soft.in = harq_in->given ? harq_in->s : NULL;
    return c->soft.in ? harq_look(&c->soft, err) : 0;
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
    if (set_facts(c, in[1], out[0], err)) {
        free(c);
        return -1;
    }
    describe(c, out[0], in[1]);
    if (c->soft.in || c->soft.out)
        plan->flags = FECRUN_STAGE_ORDERED | (c->soft.out ? FECRUN_STAGE_ONE_POINT : 0);
    plan->sim->past = c->soft.past;
    turbo_rate_identity(plan, &c->rate, fecrun_value(values, TURBO_RATE_P_RV));
    snprintf(plan->note, sizeof plan->note, "K = %u", c->rate.k);
    plan->code = c;
    return 0;
}

/* ---- Working -------------------------------------------------------------------------------- */

static inline double clean(double llr, double limit)
{
    if (!(llr == llr))
        return 0;
    return llr > limit ? limit : llr < -limit ? -limit : llr;
}

static inline int64_t clean_int(int64_t llr, int64_t limit)
{
    return llr > limit ? limit : llr < -limit ? -limit : llr;
}

/* All but the fillers, which become 0. sum: room for N values. 64 bits hold MAX_E * 32767. */
#define RECOVER(name, type, wide, CLEAN) \
    static void name(const struct turbo_recover *c, const void *from, const void *prior, \
                     void *scratch, void *to) \
    { \
        const struct turbo_rate *r = &c->rate; \
        const wide limit = (wide)c->limit; \
        const type *in = from, *old = prior; \
        wide *sum = scratch; \
        type *out = to; \
        uint32_t rank = r->first; \
        for (uint32_t i = 0; i < r->n; i++) \
            sum[i] = old ? CLEAN(old[i], limit) : 0; \
        for (uint32_t j = 0; j < r->e; j++) { \
            sum[c->order[rank]] += CLEAN(in[j], limit); \
            rank = rank + 1 == r->sent ? 0 : rank + 1; \
        } \
        for (uint32_t i = 0; i < r->n; i++) \
            out[i] = turbo_rate_is_filler(r, i) ? (type)0 : (type)CLEAN(sum[i], limit); \
    }

RECOVER(recover_i8, int8_t, int64_t, clean_int)
RECOVER(recover_i16, int16_t, int64_t, clean_int)
RECOVER(recover_f32, float, double, clean)

static void recover_frame(const struct turbo_recover *c, uint32_t type, const void *in,
                          const void *prior, void *scratch, void *out)
{
    if (type == FECRUN_I8)
        recover_i8(c, in, prior, scratch, out);
    else if (type == FECRUN_I16)
        recover_i16(c, in, prior, scratch, out);
    else
        recover_f32(c, in, prior, scratch, out);
}

/* d2 has none. */
static void set_fillers(const struct turbo_recover *c, uint32_t type, void *row)
{
    for (uint32_t s = 0; s < 2; s++)
        for (uint32_t i = 0; i < c->rate.fillers; i++) {
            const uint32_t item = turbo_item(c->rate.k, s, i);

            if (type == FECRUN_I8)
                ((int8_t *)row)[item] = (int8_t)c->limit;
            else if (type == FECRUN_I16)
                ((int16_t *)row)[item] = (int16_t)c->limit;
            else
                ((float *)row)[item] = (float)c->limit;
        }
}

/* Instances without files are none. */
static int recover_create(const struct fecrun_create *args, void **instance,
                          struct fecrun_error *err)
{
    const struct turbo_recover *c = args->codes[0];

    *instance = NULL;
    if (!c->soft.in && !c->soft.out)
        return 0;
    for (uint32_t i = 1; i < args->n_codes; i++)
        if (harq_check_rows(&c->soft, &((const struct turbo_recover *)args->codes[i])->soft, err))
            return -1;
    *instance = harq_open(&c->soft, err);
    return *instance ? 0 : -1;
}

static size_t recover_scratch(const void *instance, uint64_t frames)
{
    (void)instance;
    (void)frames;
    return turbo_word(TURBO_MOST_K) * sizeof(int64_t);
}

static int recover_run(void *instance, const struct fecrun_call *call,
                       const struct fecrun_view *const in[], struct fecrun_view *const out[],
                       struct fecrun_error *err)
{
    const struct turbo_recover *c = call->codes[0];
    const uint32_t type = in[0]->type;

    for (uint64_t f = 0; f < in[0]->frames; f++) {
        const void *prior = in[1] ? fecrun_row(in[1], f) : NULL;
        void *to = fecrun_row(out[0], f);

        if (c->soft.in &&
            !(prior = harq_read(instance, &c->soft, call->first_frame + f, type, err)))
            return -1;
        recover_frame(c, type, fecrun_row(in[0], f), prior, call->scratch, to);
        if (c->soft.out && harq_write(instance, &c->soft, to, type, err))
            return -1;
        set_fillers(c, type, to);
    }
    return 0;
}

static int recover_finish(void *instance, struct fecrun_error *err)
{
    return instance ? harq_finish(instance, err) : 0;
}

static void recover_destroy(void *instance)
{
    harq_close(instance);
}

/* ---- Tables --------------------------------------------------------------------------------- */

#define FORM(t) FECRUN_FORM(FECRUN_IN({.type = t}, {.type = t}), FECRUN_OUT({.type = t}))

static const struct fecrun_form *const forms[] = {FORM(FECRUN_I8), FORM(FECRUN_I16),
                                                  FORM(FECRUN_F32), NULL};

static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(.name = "ref", .forms = forms, .agreement = FECRUN_AGREEMENT_EXACT,
                   .create = recover_create, .scratch = recover_scratch, .run = recover_run,
                   .finish = recover_finish, .destroy = recover_destroy),
    &turbo_rate_recover_cuda, NULL};

static const struct fecrun_port *const inputs[] = {
    FECRUN_PORT(.name = "in", .kinds = FECRUN_KIND_LLR, .help = "LLRs of any scale"),
    FECRUN_PORT(.name = "harq_in", .kinds = FECRUN_KIND_LLR, .flags = FECRUN_PORT_OPTIONAL,
                .help = "N LLRs of earlier transmissions, of the same scale"),
    NULL};

static const struct fecrun_param *const params[] = {
    TURBO_CODE_PARAMS,
    TURBO_RATE_PARAMS(0, "LLRs received in a frame; optional, has to equal the input size"),
    FECRUN_PARAM(.name = "harq_in", .type = FECRUN_VALUE_PORT,
                 .help = "soft buffer to add to: another turbo.rate_recover (ID or ID.PORT), or a "
                         ".npy file with N LLRs of the input's scale a frame"),
    FECRUN_PARAM(.name = "harq_out", .type = FECRUN_VALUE_PATH, .flags = FECRUN_PARAM_WRITES,
                 .help = "a .npy file for the combined LLRs, N a frame, fillers 0"),
    NULL};

static const struct fecrun_example *const examples[] = {
    FECRUN_EXAMPLE(.params = "{k: 40, rv: 1}", .items = 100),
    FECRUN_EXAMPLE(.params = "{k: 40, fillers: 39, rv: 3}", .items = 132),
    FECRUN_EXAMPLE(.params = "{k: 512, fillers: 20, rv: 2}", .items = 2400),
    FECRUN_EXAMPLE(.params = "{k: 6144, rv: 1, ncb: 9240}", .items = 12000), NULL};

const struct fecrun_stage turbo_rate_recover_stage = {
    .size = sizeof(struct fecrun_stage),
    .name = "turbo.rate_recover",
    .role = FECRUN_ROLE_TRANSFORM,
    .summary = "inverts turbo.rate_match: LLRs of repeated bits and of earlier "
               "transmissions are added, unsent bits become 0, fillers are known",
    .params = params,
    .inputs = inputs,
    .outputs = FECRUN_ONE_PORT("out", FECRUN_KIND_LLR, "LLRs of that scale"),
    .backends = backends,
    .plan = recover_plan,
    .plan_free = free,
    .examples = examples,
    .undoes = "turbo.rate_match",
};
