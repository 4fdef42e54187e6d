/* SPDX-License-Identifier: BSD-2-Clause */
/* Backend `ref` of polar.decode: frame by frame. */
#include <fecrun/sdk/bits.h>
#include <fecrun/sdk/carve.h>
#include <fecrun/sdk/mask.h>

#include "plugins/common/checks/checks.h"
#include "plugins/polar/ref/ref.h"

struct ref {
    float *llr; /* N */
    struct polar_ref_tree sc;
    struct polar_ref_list *list;
    float *bp;
    uint8_t *x; /* 2 N */
    uint8_t *message;
};

static size_t lay_out(struct ref *ref, const struct polar_decode *d, void *base)
{
    const uint32_t n = d->code->n;
    size_t used = 0, bytes = 0;
    void *rest;

    ref->llr = fecrun_carve(base, &used, n * sizeof *ref->llr);
    ref->sc.alpha = fecrun_carve(base, &used, 2 * n * sizeof *ref->sc.alpha);
    ref->sc.beta = fecrun_carve(base, &used, n);
    ref->x = fecrun_carve(base, &used, 2 * n);
    ref->message = fecrun_carve(base, &used, d->code->k);
    rest = fecrun_carve(base, &used, 0);
    if (d->algorithm == POLAR_SCL)
        bytes = polar_ref_list_carve(&ref->list, d, rest);
    if (d->algorithm == POLAR_BP)
        bytes = polar_ref_bp_carve(&ref->bp, d, rest);
    return used + bytes;
}

static void load(const struct ref *ref, const struct polar_decode *d, const void *row,
                 uint32_t type)
{
    for (uint32_t i = 0; i < d->code->n; i++)
        ref->llr[i] = (float)polar_llr(row, type, i, d->limit);
}

static void cancel(const struct ref *ref, const struct polar_decode *d)
{
    memcpy(ref->sc.alpha + d->code->n, ref->llr, d->code->n * sizeof *ref->llr);
    polar_ref_sc(d, &ref->sc);
    memcpy(ref->x, ref->sc.beta, d->code->n);
    polar_message(d->code, ref->x, ref->message);
}

static void decode(const struct ref *ref, const struct polar_decode *d,
                   struct fecrun_frame_info *info)
{
    bool met;

    if (d->algorithm == POLAR_ML) {
        polar_ref_small(d->code, ref->llr, ref->message);
        return;
    }
    if (d->algorithm == POLAR_BP) {
        info->iterations = polar_ref_bp(d, ref->bp, ref->llr, ref->x, ref->message, &met);
        if (d->stop == POLAR_GMATRIX && !d->crc.width)
            fecrun_frame_checked(info, met);
        return;
    }
    if (d->algorithm == POLAR_AE) {
        polar_ref_ensemble(d, &ref->sc, ref->llr, ref->x, ref->message);
        return;
    }
    if (d->sc)
        cancel(ref, d);
    if (d->adaptive)
        info->iterations = polar_crc_holds(&d->crc, ref->message, d->code->k) ? 1 : 2;
    if (d->list && info->iterations != 1)
        polar_ref_scl(d, ref->list, ref->llr, ref->x, ref->message);
}

static size_t scratch(const void *instance, uint64_t frames)
{
    struct ref ref;

    (void)frames;
    return lay_out(&ref, instance, NULL);
}

/* The mask that a frame brought along. */
static void set_mask(struct polar_crc *crc, const void *value)
{
    uint32_t mask;

    crc->rest = fecrun_mask_read(value, crc->width, &mask) ? POLAR_NO_REST
                                                           : polar_crc_rest(crc, mask);
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    struct polar_decode d = *(const struct polar_decode *)call->codes[0];
    struct ref ref;

    (void)instance;
    (void)err;
    lay_out(&ref, &d, call->scratch);
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        call->info[f].iterations = 0;
        if (fecrun_cancelled(call->cancel))
            return FECRUN_CANCELLED;
        if (in[1])
            set_mask(&d.crc, fecrun_row(in[1], f));
        load(&ref, &d, fecrun_row(in[0], f), in[0]->type);
        decode(&ref, &d, &call->info[f]);
        polar_report(&d, ref.message, &call->info[f]);
        if (out[0]->type == FECRUN_PACKED)
            fecrun_bits_pack(fecrun_row(out[0], f), ref.message, d.code->k);
        else
            memcpy(fecrun_row(out[0], f), ref.message, d.code->k);
    }
    if (out[1])
        polar_put_metrics(&d, in[0], out[0], out[1], ref.x);
    return 0;
}

#define FORM(from, to) \
    FECRUN_FORM(FECRUN_IN({.type = from}, {.type = FECRUN_F32}), \
                FECRUN_OUT({.type = to}, {.type = FECRUN_F32}))

static const struct fecrun_form *const forms[] = {CHECKS_DECODER_FORMS(FORM)};

const struct fecrun_backend polar_decode_ref = {
    .size = sizeof(struct fecrun_backend),
    .name = "ref",
    .summary = "the definition of the result, in plain C",
    .forms = forms,
    .agreement = FECRUN_AGREEMENT_EXACT,
    .create = fecrun_no_instance,
    .scratch = scratch,
    .run = run,
    .destroy = fecrun_no_destroy,
};
