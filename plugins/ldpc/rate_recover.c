/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ldpc.rate_recover: undoes TS 38.212 5.4.2. LLRs of a bit that was sent more than once are added
 * up, also to those of earlier transmissions (HARQ); fillers are known.
 */
#include <fecrun/sdk/facts.h>
#include <fecrun/sdk/stage.h>
#include <math.h>

#include "plugins/ldpc/plugin.h"
#include "plugins/ldpc/rate/rate.h"
#include "plugins/ldpc/rate/params.h"
#include "plugins/ldpc/rate/runs.h"

enum { P_HARQ_IN = LDPC_RATE_N_PARAMS, P_HARQ_OUT };

enum { MAX_N = 1 << 17 }; /* of code: qc; NR has at most 66 * 384 */

/* ---- Planning ------------------------------------------------------------------------------ */

/* Parity rows, for ldpc.decode. Of a soft buffer that does not say, all of Ncb may be known. */
static double rows_of(const struct ldpc_recover *c, const struct ldpc_rate_params *p,
                      const struct fecrun_frame *harq)
{
    double buffer = 0;

    if (p->bg && (harq || c->common.soft.in))
        buffer = ldpc_rate_rows(p->bg, p->z, c->rate.ncb - 1);
    if (harq)
        buffer = fecrun_fact_get(harq, LDPC_FACT_ROWS, buffer);
    return fmax(c->rate.rows, buffer);
}

static int set_facts(const struct ldpc_recover *c, double rows, const struct fecrun_frame *harq,
                     struct fecrun_frame *out, struct fecrun_error *err)
{
    if (rows > 0 && fecrun_fact_set(out, LDPC_FACT_ROWS, rows, err))
        return -1;
    return recover_set_received(&c->common, LDPC_FACT_RECEIVED, fmin(c->rate.e, c->rate.sent), harq,
                                out, err)
               ? -1
               : 0;
}

/* Of a soft buffer that does not say which columns are known, nothing is said. */
static int say_columns(const struct ldpc_recover *c, uint32_t z, const struct fecrun_frame *harq,
                       struct fecrun_frame *out, struct fecrun_error *err)
{
    static const char *const key[] = {LDPC_FACT_COLUMNS_LOW, LDPC_FACT_COLUMNS_HIGH};
    bool received[LDPC_MAX_COLUMNS];

    ldpc_rate_columns(&c->rate, z, received);
    for (unsigned i = 0; i < 2; i++) {
        uint64_t known;
        const double before = harq ? fecrun_fact_get(harq, key[i], -1) : c->common.soft.in ? -1 : 0;

        fecrun_fact_drop(out, key[i]);
        if (before < 0)
            continue;
        known = (uint64_t)before;
        for (unsigned j = 0; j < LDPC_FACT_COLUMNS; j++)
            known |= (uint64_t)received[i * LDPC_FACT_COLUMNS + j] << j;
        if (fecrun_fact_set(out, key[i], (double)known, err))
            return -1;
    }
    return 0;
}

static int make_code(struct ldpc_recover *c, struct ldpc_rate_params *p,
                     const struct fecrun_values *values, const struct fecrun_frame *const in[],
                     struct fecrun_error *err)
{
    if (recover_check_input(in[0], LDPC_MAX_E, fecrun_value(values, LDPC_RATE_P_E), err))
        return -1;
    if (ldpc_rate_read(p, values, in[0], err))
        return -1;
    p->e = (uint32_t)in[0]->items;
    if (ldpc_rate_make(&c->rate, p, err))
        return -1;
    return recover_read_files(&c->common, c->rate.n, fecrun_value(values, P_HARQ_IN),
                              fecrun_value(values, P_HARQ_OUT), in[0], in[1], err);
}

static int recover_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                        const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                        struct fecrun_plan *plan, struct fecrun_error *err)
{
    struct ldpc_recover *c = calloc(1, sizeof *c);
    struct ldpc_rate_params params;
    double rows;

    (void)host;
    if (!c)
        return fecrun_no_memory(err);
    if (make_code(c, &params, values, in, err)) {
        free(c);
        return -1;
    }
    fecrun_frame_copy(out[0], in[0]);
    out[0]->items = c->rate.n;
    rows = rows_of(c, &params, in[1]);
    if (set_facts(c, rows, in[1], out[0], err) ||
        (params.bg && say_columns(c, params.z, in[1], out[0], err))) {
        free(c);
        return -1;
    }
    recover_describe(&c->common, (c->rate.e - 1) / c->rate.sent + 1,
                     c->rate.fill_end > c->rate.fill_begin, in[1], out[0]);
    recover_plan_files(&c->common, plan);
    if (params.bg)
        snprintf(plan->note, sizeof plan->note, "%g parity rows reach what was received", rows);
    ldpc_rate_identity(plan, &c->rate, &params);
    plan->code = c;
    return 0;
}

/* ---- Working -------------------------------------------------------------------------------- */

#define CLEAN_INT(x) (int)recover_clean_int(x, limit)
#define CLEAN_INT16(x) recover_clean_int16(x, limit)
#define CLEAN_INT32(x) recover_clean_int32(x, limit)
#define CLEAN_FLOAT(x) recover_clean(x, limit)

/* Calls a function whose last argument is qm with a constant: then compilers make vectors of its loops. */
#define WITH_QM(name, qm, ...) \
    ((qm) == 1    ? name(__VA_ARGS__, 1) \
     : (qm) == 2  ? name(__VA_ARGS__, 2) \
     : (qm) == 4  ? name(__VA_ARGS__, 4) \
     : (qm) == 6  ? name(__VA_ARGS__, 6) \
     : (qm) == 8  ? name(__VA_ARGS__, 8) \
     : (qm) == 10 ? name(__VA_ARGS__, 10) \
                  : name(__VA_ARGS__, 12))

/* All but the fillers, which become 0. wide holds every sum; `scratch` has room for N of them. */
#define RECOVER(name, type, wide, CLEAN) \
    static inline void name##_of(const struct ldpc_recover *c, const type *in, const type *old, \
                                 wide *restrict sum, type *restrict out, unsigned qm) \
    { \
        const struct ldpc_rate *r = &c->rate; \
        const wide limit = (wide)c->common.limit; \
        struct rate_run run = rate_run_first(r); \
        for (uint32_t i = 0; i < r->n; i++) \
            sum[i] = old ? (wide)CLEAN(old[i]) : 0; \
        while (rate_run_next(r, &run)) { \
            const type *from = in + run.place; \
            wide *restrict to = sum + run.item; \
            for (size_t i = 0; i < run.length; i++) \
                to[i] = (wide)(to[i] + CLEAN(from[i * qm])); \
        } \
        for (uint32_t i = 0; i < r->n; i++) \
            out[i] = (type)CLEAN(sum[i]); \
        memset(out + r->fill_begin, 0, (r->fill_end - r->fill_begin) * sizeof *out); \
    } \
    static void name(const struct ldpc_recover *c, const void *in, const void *prior, \
                     void *scratch, void *out) \
    { \
        WITH_QM(name##_of, c->rate.qm, c, in, prior, scratch, out); \
    }

/* Of bytes whose limit is 127. */
#define CLEAN_BYTE(x) ((x) < -127 ? -127 : (x))

/* The same where nothing has to be added: no soft buffer, and no bit twice. */
#define RECOVER_ONCE(name, type, one, CLEAN) \
    static inline void name##_of(const struct ldpc_recover *c, const type *in, type *restrict out, \
                                 unsigned qm) \
    { \
        const struct ldpc_rate *r = &c->rate; \
        const one limit = (one)c->common.limit; \
        struct rate_run run = rate_run_first(r); \
        (void)limit; \
        memset(out, 0, r->n * sizeof *out); \
        while (rate_run_next(r, &run)) { \
            const type *from = in + run.place; \
            type *restrict to = out + run.item; \
            for (size_t i = 0; i < run.length; i++) \
                to[i] = (type)CLEAN(from[i * qm]); \
        } \
    } \
    static void name(const struct ldpc_recover *c, const void *in, void *out) \
    { \
        WITH_QM(name##_of, c->rate.qm, c, in, out); \
    }

/* The narrowest sums that a number of LLRs of a bit cannot leave. */
RECOVER(few_i8, int8_t, int16_t, CLEAN_INT16)
RECOVER(few_i16, int16_t, int32_t, CLEAN_INT32)
RECOVER(recover_i8, int8_t, int64_t, CLEAN_INT)
RECOVER(recover_i16, int16_t, int64_t, CLEAN_INT)
RECOVER(recover_f32, float, double, CLEAN_FLOAT)
#define few_f32 recover_f32
RECOVER_ONCE(once_i8, int8_t, int, CLEAN_BYTE)
RECOVER_ONCE(once_i16, int16_t, int, CLEAN_INT)
RECOVER_ONCE(once_f32, float, double, CLEAN_FLOAT)

/* LLRs of a bit, one of the soft buffer among them, whose sum two bytes of i8 or four of i16 hold. */
enum { FEW = 256 };

static void recover_frame(const void *code, uint32_t type, const void *in, const void *prior,
                          void *scratch, void *out)
{
    const struct ldpc_recover *c = code;
    const bool alone = !prior && c->rate.e <= c->rate.sent;

    if (alone)
        RECOVER_BY_TYPE(type, once, c, in, out);
    else if ((c->rate.e - 1) / c->rate.sent + 2 <= FEW)
        RECOVER_BY_TYPE(type, few, c, in, prior, scratch, out);
    else
        RECOVER_BY_TYPE(type, recover, c, in, prior, scratch, out);
}

static void set_fillers(const void *code, uint32_t type, void *row)
{
    const struct ldpc_recover *c = code;

    for (uint32_t i = c->rate.fill_begin; i < c->rate.fill_end; i++)
        recover_put(row, type, i, c->common.limit);
}

static size_t recover_scratch(const void *instance, uint64_t frames)
{
    (void)instance;
    (void)frames;
    return MAX_N * sizeof(int64_t);
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
    &ldpc_rate_recover_cuda, NULL};

static const struct fecrun_param *const params[] = {
    LDPC_RATE_PARAMS(0, "LLRs received in a frame; optional, has to equal the input size"),
    RECOVER_FILE_PARAMS("ldpc.rate_recover"), NULL};

static const struct fecrun_example *const examples[] = {
    FECRUN_EXAMPLE(.params = "{bg: 1, z: 2, e: 100}", .items = 100),
    FECRUN_EXAMPLE(.params = "{bg: 1, z: 7, e: 462, rv: 1, qm: 2}", .items = 462),
    FECRUN_EXAMPLE(.params = "{bg: 1, z: 52, fillers: 101, e: 1500, rv: 1, qm: 6}", .items = 1500),
    FECRUN_EXAMPLE(.params = "{bg: 1, z: 52, fillers: 101, e: 4000, rv: 3, qm: 2, ncb: 2500}",
                   .items = 4000),
    FECRUN_EXAMPLE(.params = "{bg: 2, z: 2, fillers: 3, e: 5}", .items = 5),
    FECRUN_EXAMPLE(.params = "{bg: 2, z: 7, fillers: 30, e: 600, rv: 2, qm: 4, ncb: 301}",
                   .items = 600),
    FECRUN_EXAMPLE(.params = "{bg: 2, z: 10, fillers: 44, e: 66, qm: 6, ncb: 50}", .items = 66),
    FECRUN_EXAMPLE(.params = "{bg: 2, z: 2, e: 1000, rv: 3, qm: 8, ncb: 1}", .items = 1000),
    FECRUN_EXAMPLE(.params = "{bg: 2, z: 104, fillers: 100, e: 1001, rv: 2}", .items = 1001),
    FECRUN_EXAMPLE(.params = "{bg: 1, z: 384, e: 25344, rv: 3, qm: 8}", .items = 25344),
    FECRUN_EXAMPLE(.params = "{bg: 1, z: 22, fillers: 7, e: 1230, rv: 2, qm: 10}", .items = 1230),
    FECRUN_EXAMPLE(.params = "{bg: 2, z: 22, fillers: 7, e: 1236, rv: 2, qm: 12}", .items = 1236),
    /* as many LLRs come in as a word has, so that a soft buffer of that size fits, too */
    FECRUN_EXAMPLE(.params = "{bg: 1, z: 3, fillers: 20, e: 198, rv: 2}", .items = 198),
    FECRUN_EXAMPLE(.params = "{bg: 2, z: 2, fillers: 5, e: 100, rv: 3, qm: 4, ncb: 77}",
                   .items = 100),
    NULL};

const struct fecrun_stage ldpc_rate_recover_stage = {
    FECRUN_TRANSFORM(recover_plan, free),
    .name = "ldpc.rate_recover",
    .summary = "inverts ldpc.rate_match: LLRs of repeated bits and of earlier transmissions "
               "are added, unsent bits become 0, fillers are known",
    .params = params,
    .inputs = recover_inputs,
    .outputs = FECRUN_LLRS_OUT,
    .backends = backends,
    .examples = examples,
    .undoes = "ldpc.rate_match",
};
