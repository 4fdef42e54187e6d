/* SPDX-License-Identifier: BSD-2-Clause */
/* bits.hard: the bits that LLRs say. A tie is 0, as is what is not a number. */
#include "plugins/frame/plugin.h"

#include <fecrun/sdk/bits.h>
#include <fecrun/sdk/sample.h>

enum { CHUNK = 4096 }; /* LLRs at a time: whole bytes of bits */

static const struct fecrun_param *const params[] = {NULL};

static int hard_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                     const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                     struct fecrun_plan *plan, struct fecrun_error *err)
{
    (void)host, (void)values, (void)plan, (void)err;
    fecrun_frame_bits(out[0], in[0], in[0]->items);
    return 0;
}

#define DECIDE(name, type, is_one) \
    static void name(const void *from, uint8_t *bits, size_t n) \
    { \
        const type *in = from; \
        for (size_t i = 0; i < n; i++) \
            bits[i] = (uint8_t)(is_one); \
    }

DECIDE(decide_f32, float, in[i] < 0)
DECIDE(decide_i16, int16_t, in[i] < 0)
DECIDE(decide_i8, int8_t, in[i] < 0)
/* below zero, not -0, and no larger than infinity, behind which numbers are none */
DECIDE(decide_f16, uint16_t, (in[i] > 0x8000) & (in[i] <= 0xfc00))

static void decide(uint32_t type, const uint8_t *from, uint8_t *bits, size_t n)
{
    switch (type) {
    case FECRUN_F32:
        decide_f32(from, bits, n);
        return;
    case FECRUN_F16:
        decide_f16(from, bits, n);
        return;
    case FECRUN_I16:
        decide_i16(from, bits, n);
        return;
    default:
        decide_i8(from, bits, n);
    }
}

static void decide_row(const struct fecrun_view *in, const struct fecrun_view *out, uint64_t f)
{
    const uint8_t *from = fecrun_row(in, f);
    uint8_t *to = fecrun_row(out, f), bits[CHUNK];

    for (uint64_t at = 0; at < in->items; at += CHUNK) {
        const size_t n = in->items - at < CHUNK ? (size_t)(in->items - at) : CHUNK;
        const uint8_t *llrs = from + fecrun_bytes(in->type, at);

        if (out->type == FECRUN_U8) {
            decide(in->type, llrs, to + at, n);
        } else {
            decide(in->type, llrs, bits, n);
            fecrun_bits_pack(to + at / 8, bits, n);
        }
    }
}

static int hard_run(void *instance, const struct fecrun_call *call,
                    const struct fecrun_view *const in[], struct fecrun_view *const out[],
                    struct fecrun_error *err)
{
    (void)instance, (void)call, (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++)
        decide_row(in[0], out[0], f);
    return 0;
}

static int hard_create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    (void)args, (void)err;
    *instance = NULL;
    return 0;
}

static const struct fecrun_form *const forms[] = {
    FECRUN_ONE_FORM(FECRUN_I8, FECRUN_PACKED),
    FECRUN_ONE_FORM(FECRUN_I8, FECRUN_U8),
    FECRUN_ONE_FORM(FECRUN_I16, FECRUN_PACKED),
    FECRUN_ONE_FORM(FECRUN_I16, FECRUN_U8),
    FECRUN_ONE_FORM(FECRUN_F16, FECRUN_PACKED),
    FECRUN_ONE_FORM(FECRUN_F16, FECRUN_U8),
    FECRUN_ONE_FORM(FECRUN_F32, FECRUN_PACKED),
    FECRUN_ONE_FORM(FECRUN_F32, FECRUN_U8),
    NULL,
};

static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(.name = "ref", .forms = forms, .create = hard_create, .run = hard_run,
                   .destroy = fecrun_no_destroy),
    &frame_hard_cuda,
    NULL,
};

static const struct fecrun_example *const examples[] = {
    FECRUN_EXAMPLE(.params = "{}", .batch = 64),
    NULL,
};

const struct fecrun_stage bits_hard = {
    FECRUN_TRANSFORM(hard_plan, NULL),
    .name = "bits.hard",
    .summary = "decides LLRs: bits, of which a tie is 0",
    .params = params,
    .inputs = FECRUN_LLRS_IN,
    .outputs = FECRUN_BITS_OUT,
    .backends = backends,
    .examples = examples,
};
