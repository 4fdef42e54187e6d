/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/common/recover/recover.h"

#include <fecrun/sdk/facts.h>
#include <fecrun/sdk/stage.h>
#include <fecrun/sim.h>
#include <math.h>
#include <string.h>

#include "plugins/common/checks/checks.h"

int recover_check_input(const struct fecrun_frame *in, uint32_t most, const struct fecrun_value *e,
                        struct fecrun_error *err)
{
    if (checks_frames(in, "rate matching works", err))
        return -1;
    if (in->items > most)
        return fecrun_fail(err, NULL, "the input has %llu LLRs a frame; 1 to %u are possible",
                           (unsigned long long)in->items, most);
    if (e->given && (uint64_t)e->i != in->items)
        return fecrun_fail(err, "e", "is %lld and the input has %llu LLRs a frame", (long long)e->i,
                           (unsigned long long)in->items);
    return 0;
}

static int check_linked(uint32_t n, const struct fecrun_frame *in,
                        const struct fecrun_frame *linked, struct fecrun_error *err)
{
    if (linked->items != n)
        return fecrun_fail(err, "harq_in", "has %llu LLRs a frame; the code word has %u",
                           (unsigned long long)linked->items, n);
    if (linked->stream)
        return fecrun_fail(err, "harq_in", "is one stream; soft buffers are frames");
    if (linked->llr_scale > 0 && in->llr_scale > 0 && linked->llr_scale != in->llr_scale)
        return fecrun_fail(err, "harq_in",
                           "has %g units per natural LLR and the input %g; only "
                           "LLRs of one scale can be added",
                           linked->llr_scale, in->llr_scale);
    return 0;
}

int recover_read_files(struct recover *r, uint32_t n, const struct fecrun_value *harq_in,
                       const struct fecrun_value *harq_out, const struct fecrun_frame *in,
                       const struct fecrun_frame *linked, struct fecrun_error *err)
{
    r->soft.n = n;
    if (harq_out->given && !strcmp(harq_out->s, "-"))
        return fecrun_fail(err, "harq_out", "standard output is raw; give the name of a .npy file");
    r->soft.out = harq_out->given ? harq_out->s : NULL;
    if (linked)
        return check_linked(n, in, linked, err);
    r->soft.in = harq_in->given ? harq_in->s : NULL;
    return r->soft.in ? harq_look(&r->soft, err) : 0;
}

/* The narrowest type for work on both. */
static uint32_t common_type(uint32_t a, uint32_t b)
{
    if (a == FECRUN_F32 || a == FECRUN_F16 || b == FECRUN_F32 || b == FECRUN_F16)
        return FECRUN_F32;
    return a == FECRUN_I16 || b == FECRUN_I16 ? FECRUN_I16 : FECRUN_I8;
}

void recover_describe(struct recover *r, uint32_t times, bool known,
                      const struct fecrun_frame *linked, struct fecrun_frame *out)
{
    const bool soft = linked || r->soft.in;
    double most = out->llr_max * times + (linked ? linked->llr_max : 0);

    if (out->llr_max <= 0 || (linked && linked->llr_max <= 0) || r->soft.in)
        most = 0;
    if (out->type != FECRUN_I4 || times > 1 || soft || known || r->soft.out)
        out->type = common_type(out->type, linked       ? linked->type
                                           : r->soft.in ? r->soft.in_type
                                                        : out->type);
    r->limit = out->type == FECRUN_F32   ? (double)FECRUN_LLR_MAX_F32
               : out->type == FECRUN_I16 ? 32767
                                         : 127;
    r->soft.out_type = out->type;
    out->llr_max = known || most <= 0 ? r->limit : fmin(most, r->limit);
    if (out->type == FECRUN_I4)
        out->llr_max = fmin(out->llr_max, 7);
}

int recover_set_received(const struct recover *r, const char *key, double now,
                         const struct fecrun_frame *linked, struct fecrun_frame *out,
                         struct fecrun_error *err)
{
    const double before = linked ? fecrun_fact_get(linked, key, INFINITY) : 0;

    fecrun_fact_drop(out, key);
    return r->soft.in || isinf(before) ? 0 : fecrun_fact_set(out, key, now + before, err);
}

void recover_plan_files(const struct recover *r, struct fecrun_plan *plan)
{
    if (r->soft.in || r->soft.out)
        plan->flags = FECRUN_STAGE_ORDERED | (r->soft.out ? FECRUN_STAGE_ONE_POINT : 0);
    plan->sim->past = r->soft.past;
}

int recover_create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    const struct recover *r = args->codes[0];

    *instance = NULL;
    if (!r->soft.in && !r->soft.out)
        return 0;
    for (uint32_t i = 1; i < args->n_codes; i++)
        if (harq_check_rows(&r->soft, &((const struct recover *)args->codes[i])->soft, err))
            return -1;
    *instance = harq_open(&r->soft, err);
    return *instance ? 0 : -1;
}

int recover_finish(void *instance, struct fecrun_error *err)
{
    return instance ? harq_finish(instance, err) : 0;
}

void recover_destroy(void *instance)
{
    harq_close(instance);
}

int recover_run(const struct recover_work *work, void *instance, const struct fecrun_call *call,
                const struct fecrun_view *const in[], struct fecrun_view *const out[],
                struct fecrun_error *err)
{
    const struct recover *r = call->codes[0];
    const uint32_t type = in[0]->type;

    for (uint64_t f = 0; f < in[0]->frames; f++) {
        const void *prior = in[1] ? fecrun_row(in[1], f) : NULL;
        void *to = fecrun_row(out[0], f);

        if (r->soft.in &&
            !(prior = harq_read(instance, &r->soft, call->first_frame + f, type, err)))
            return -1;
        work->frame(r, type, fecrun_row(in[0], f), prior, call->scratch, to);
        if (r->soft.out && harq_write(instance, &r->soft, to, type, err))
            return -1;
        if (work->known)
            work->known(r, type, to);
    }
    return 0;
}

#define FORM(t) FECRUN_FORM(FECRUN_IN({.type = t}, {.type = t}), FECRUN_OUT({.type = t}))

const struct fecrun_form *const recover_forms[] = {FORM(FECRUN_I8), FORM(FECRUN_I16),
                                                   FORM(FECRUN_F32), NULL};

const struct fecrun_form *const recover_plain_forms[] = {
    FECRUN_ONE_FORM(FECRUN_I8, FECRUN_I8), FECRUN_ONE_FORM(FECRUN_I16, FECRUN_I16),
    FECRUN_ONE_FORM(FECRUN_F32, FECRUN_F32), NULL};

const struct fecrun_port *const recover_inputs[] = {
    FECRUN_PORT(.name = "in", .kinds = FECRUN_KIND_LLR, .help = "LLRs of any scale"),
    FECRUN_PORT(.name = "harq_in", .kinds = FECRUN_KIND_LLR, .flags = FECRUN_PORT_OPTIONAL,
                .help = "N LLRs of earlier transmissions, of the same scale"),
    NULL};
