/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * frame.insert and frame.remove: items of each frame that are known to both ends or are not sent. Shortened and
 * punctured codes of every family are made of them.
 */
#include "plugins/frame/code/pieces.h"
#include "plugins/frame/plugin.h"

#include <fecrun/sdk/params.h>
#include <fecrun/sdk/sample.h>
#include <inttypes.h>

enum { P_COUNT, P_AT, P_VALUE };

enum { MOST = 1 << 28, HALF_MAX = 65504 };

static const char *const values_words[] = {"0", "1", "unknown", NULL};

static const char *const values_help[] = {"known zeros; the largest LLR of the frame's type",
                                          "known ones; the least LLR of it",
                                          "LLRs of 0, of items that were not sent", NULL};

#define COUNT \
    FECRUN_INT("count", 1, MOST, .flags = FECRUN_PARAM_REQUIRED, .unit = "items", \
               .help = "how many, one after the other")

static const struct fecrun_param *const insert_params[] = {
    COUNT,
    FECRUN_INT(
        "at", 0, MOST, .unit = "items",
        .help = "place of the first one in the frame that comes out; default: behind the frame"),
    FECRUN_CHOICE("value", values_words, .default_text = "0", .choices_help = values_help,
                  .help = "what they are"),
    NULL,
};

static const struct fecrun_param *const remove_params[] = {
    COUNT,
    FECRUN_INT("at", 0, MOST, .unit = "items",
               .help = "place of the first one in the frame; default: the last ones of the frame"),
    NULL,
};

/* `longer`: items of the frame that has the piece. */
static int plan_known(struct known *k, const struct fecrun_values *values,
                      const struct fecrun_frame *in, uint64_t longer, struct fecrun_error *err)
{
    const struct fecrun_value *at = fecrun_value(values, P_AT);

    if (in->stream)
        return fecrun_fail(err, NULL, "takes frames, not a stream");
    if (k->count > longer)
        return fecrun_fail(err, "count", "is %" PRIu64 ", but a frame has %" PRIu64 " items",
                           k->count, longer);
    k->at = at->given ? (uint64_t)at->i : longer - k->count;
    if (k->at > longer - k->count)
        return fecrun_fail(
            err, "at", "is %" PRIu64 "; %" PRIu64 " items of %" PRIu64 " begin at 0 to %" PRIu64,
            k->at, k->count, longer, longer - k->count);
    k->rest = longer - k->count - k->at;
    return 0;
}

static int finish_plan(const struct known *known, struct fecrun_plan *plan,
                       struct fecrun_error *err)
{
    struct known *k = fecrun_code(plan, sizeof *k, err);

    if (!k)
        return -1;
    *k = *known;
    return 0;
}

/* Says in *out that LLRs come to it that are as large as its type allows, as sure as any; returns that. */
static double put_largest(struct fecrun_frame *out)
{
    if (out->kind != FECRUN_KIND_LLR)
        return 0;
    if (out->type == FECRUN_I4)
        out->type = FECRUN_I8;
    out->llr_max = out->type == FECRUN_I8    ? INT8_MAX
                   : out->type == FECRUN_I16 ? INT16_MAX
                   : out->type == FECRUN_F16 ? HALF_MAX
                                             : (double)FECRUN_LLR_MAX_F32;
    return out->llr_max;
}

static int insert_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                       const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                       struct fecrun_plan *plan, struct fecrun_error *err)
{
    struct known k = {.count = (uint64_t)fecrun_value(values, P_COUNT)->i,
                      .value = (enum known_value)fecrun_value(values, P_VALUE)->i};
    const uint64_t items = in[0]->items + k.count;

    (void)host;
    if (k.value == KNOWN_UNKNOWN && in[0]->kind == FECRUN_KIND_BITS)
        return fecrun_fail(err, "value", "a bit is 0 or 1; LLRs may be unknown");
    if (plan_known(&k, values, in[0], items, err))
        return -1;
    fecrun_frame_copy(out[0], in[0]);
    out[0]->items = items;
    if (k.value != KNOWN_UNKNOWN)
        k.llr = put_largest(out[0]);
    return finish_plan(&k, plan, err);
}

static int remove_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                       const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                       struct fecrun_plan *plan, struct fecrun_error *err)
{
    struct known k = {.count = (uint64_t)fecrun_value(values, P_COUNT)->i};

    (void)host;
    if (plan_known(&k, values, in[0], in[0]->items, err))
        return -1;
    if (k.count == in[0]->items)
        return fecrun_fail(err, "count", "is %" PRIu64 ": that is all of a frame", k.count);
    fecrun_frame_copy(out[0], in[0]);
    out[0]->items -= k.count;
    return finish_plan(&k, plan, err);
}

/* Puts the piece there, which has n items. */
static void fill(const struct known *k, uint32_t type, uint8_t *to, uint64_t n)
{
    const double llr = k->value == KNOWN_ZERO ? k->llr : k->value == KNOWN_ONE ? -k->llr : 0;

    switch (type) {
    case FECRUN_I8:
        memset(to, (int)llr, n);
        return;
    case FECRUN_I16:
        for (uint64_t i = 0; i < n; i++)
            ((int16_t *)(void *)to)[i] = (int16_t)llr;
        return;
    case FECRUN_F32:
        for (uint64_t i = 0; i < n; i++)
            ((float *)(void *)to)[i] = (float)llr;
        return;
    default:
        memset(to, k->value == KNOWN_ONE, n);
    }
}

static int insert_run(void *instance, const struct fecrun_call *call,
                      const struct fecrun_view *const in[], struct fecrun_view *const out[],
                      struct fecrun_error *err)
{
    const struct known *k = call->codes[0];
    const uint64_t first = fecrun_bytes(in[0]->type, k->at),
                   more = fecrun_bytes(in[0]->type, k->count);

    (void)instance, (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        const uint8_t *from = fecrun_row(in[0], f);
        uint8_t *to = fecrun_row(out[0], f);

        memcpy(to, from, first);
        fill(k, in[0]->type, to + first, k->count);
        memcpy(to + first + more, from + first, fecrun_bytes(in[0]->type, k->rest));
    }
    return 0;
}

static int remove_run(void *instance, const struct fecrun_call *call,
                      const struct fecrun_view *const in[], struct fecrun_view *const out[],
                      struct fecrun_error *err)
{
    const struct known *k = call->codes[0];
    const uint64_t first = fecrun_bytes(in[0]->type, k->at),
                   more = fecrun_bytes(in[0]->type, k->count);

    (void)instance, (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        const uint8_t *from = fecrun_row(in[0], f);
        uint8_t *to = fecrun_row(out[0], f);

        memcpy(to, from, first);
        memcpy(to + first, from + first + more, fecrun_bytes(in[0]->type, k->rest));
    }
    return 0;
}

static const struct fecrun_form *const forms[] = {
    FECRUN_ONE_FORM(FECRUN_U8, FECRUN_U8),
    FECRUN_ONE_FORM(FECRUN_I8, FECRUN_I8),
    FECRUN_ONE_FORM(FECRUN_I16, FECRUN_I16),
    FECRUN_ONE_FORM(FECRUN_F32, FECRUN_F32),
    NULL,
};

static const struct fecrun_backend *const insert_backends[] = {
    FECRUN_BACKEND(FECRUN_REF(insert_run), .forms = forms),
    &frame_insert_cuda,
    NULL,
};

static const struct fecrun_backend *const remove_backends[] = {
    FECRUN_BACKEND(FECRUN_REF(remove_run), .forms = forms),
    &frame_remove_cuda,
    NULL,
};

static const struct fecrun_example *const insert_examples[] = {
    FECRUN_EXAMPLE(.params = "{count: 18, at: 0}", .batch = 64),
    FECRUN_EXAMPLE(.params = "{count: 5, value: 1}", .items = 33),
    FECRUN_EXAMPLE(.params = "{count: 1, at: 7}", .items = 64),
    NULL,
};

static const struct fecrun_example *const remove_examples[] = {
    FECRUN_EXAMPLE(.params = "{count: 18, at: 0}", .items = 100, .batch = 64),
    FECRUN_EXAMPLE(.params = "{count: 5}", .items = 33),
    FECRUN_EXAMPLE(.params = "{count: 1, at: 7}", .items = 64),
    NULL,
};

enum { KINDS = FECRUN_KIND_BITS | FECRUN_KIND_LLR };

const struct fecrun_stage frame_insert = {
    FECRUN_TRANSFORM(insert_plan, free),
    .name = "frame.insert",
    .summary =
        "puts items into each frame: known bits, or LLRs of items that are known or were not sent",
    .params = insert_params,
    .inputs = FECRUN_ONE_PORT("in", KINDS, "bits or LLRs"),
    .outputs = FECRUN_ONE_PORT("out", KINDS, "the same, and those put in"),
    .backends = insert_backends,
    .examples = insert_examples,
};

const struct fecrun_stage frame_remove = {
    FECRUN_TRANSFORM(remove_plan, free),
    .name = "frame.remove",
    .summary = "takes items out of each frame: known bits that are not sent, punctured ones",
    .params = remove_params,
    .inputs = FECRUN_ONE_PORT("in", KINDS, "bits or LLRs"),
    .outputs = FECRUN_ONE_PORT("out", KINDS, "the same, without those"),
    .backends = remove_backends,
    .examples = remove_examples,
};
