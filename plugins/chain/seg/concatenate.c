/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * seg.concatenate and seg.divide: what is sent of the code blocks of a transport block as one frame,
 * one behind the other, and back (TS 38.212 5.5). All send as many bits. Uplink control whose number of
 * bits is odd ends with a zero that belongs to neither block (TS 38.212 6.3.1.5).
 */
#include "plugins/chain/plugin.h"
#include "plugins/chain/seg/kind.h"

#include <fecrun/sdk/facts.h>

/* What seg.concatenate tells seg.divide of frames. */
#define FACT_BLOCKS "seg.blocks"

enum { P_SIZE }; /* g, or blocks */

static const struct fecrun_param *const concatenate_params[] = {
    FECRUN_INT("g", 1, SEG_MOST, .flags = FECRUN_PARAM_SIZE, .unit = "bits",
               .help = "bits sent in total; default: from seg.split, else the bits of the code "
                       "blocks. Up to C - 1 additional bits are zeros"),
    NULL};

static const struct fecrun_param *const divide_params[] = {
    FECRUN_INT("blocks", 1, SEG_MOST, .flags = FECRUN_PARAM_SIZE,
               .help = "number of code blocks; default: from seg.concatenate"),
    NULL};

static int concatenate_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                            const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                            struct fecrun_plan *plan, struct fecrun_error *err)
{
    const struct fecrun_value *given = fecrun_value(values, P_SIZE);
    const uint32_t n = fecrun_pieces(in[0]);
    const uint64_t all = n * in[0]->items, fact = (uint64_t)fecrun_fact_get(in[0], SEG_FACT_G, 0);
    const uint64_t g = given->given ? (uint64_t)given->i : fact ? fact : all;
    struct seg_blocks *code;

    (void)host;
    if (in[0]->stream)
        return fecrun_fail(err, NULL, "the input is one stream; code blocks are frames");
    if (g < all || g - all >= n)
        return fecrun_fail(
            err, "g",
            "is %llu, but %u code block%s of %llu bits arrive here: %llu to %llu are "
            "possible",
            (unsigned long long)g, n, n > 1 ? "s" : "", (unsigned long long)in[0]->items,
            (unsigned long long)all, (unsigned long long)all + n - 1);
    code = fecrun_code(plan, sizeof *code, err);
    if (!code)
        return -1;
    *code = (struct seg_blocks){n, in[0]->items, g - all};
    fecrun_frame_copy(out[0], in[0]);
    out[0]->items = g;
    out[0]->pieces = 1;
    out[0]->channel_bits *= n;
    if (!fecrun_fact_set(out[0], FACT_BLOCKS, n, err))
        return 0;
    free(code);
    return -1;
}

static int divide_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                       const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                       struct fecrun_plan *plan, struct fecrun_error *err)
{
    const struct fecrun_value *given = fecrun_value(values, P_SIZE);
    const uint64_t fact = (uint64_t)fecrun_fact_get(in[0], FACT_BLOCKS, 0);
    const uint64_t n = given->given ? (uint64_t)given->i : fact;
    struct seg_blocks *code;

    (void)host;
    if (in[0]->stream)
        return fecrun_fail(err, NULL, "the input is one stream; code blocks are parts of frames");
    if (!n)
        return fecrun_fail(err, "blocks", "is needed: no seg.concatenate is upstream");
    if (fact && n != fact)
        return fecrun_fail(err, "blocks", "is %llu, but seg.concatenate upstream took %llu",
                           (unsigned long long)n, (unsigned long long)fact);
    if (n > in[0]->items)
        return fecrun_fail(err, "blocks", "is %llu, but %llu LLRs a frame arrive here",
                           (unsigned long long)n, (unsigned long long)in[0]->items);
    code = fecrun_code(plan, sizeof *code, err);
    if (!code)
        return -1;
    *code = (struct seg_blocks){(uint32_t)n, in[0]->items / n, in[0]->items % n};
    fecrun_frame_copy(out[0], in[0]);
    out[0]->items = code->items;
    out[0]->pieces = fecrun_pieces(in[0]) * code->n;
    out[0]->channel_bits /= n;
    fecrun_fact_drop(out[0], FACT_BLOCKS);
    return 0;
}

static int concatenate_run(void *instance, const struct fecrun_call *call,
                           const struct fecrun_view *const in[], struct fecrun_view *const out[],
                           struct fecrun_error *err)
{
    const struct seg_blocks *code = call->codes[0];

    (void)instance;
    (void)err;
    for (uint64_t f = 0; f < out[0]->frames; f++) {
        uint8_t *to = fecrun_row(out[0], f);

        for (uint32_t r = 0; r < code->n; r++)
            memcpy(to + r * code->items, fecrun_row(in[0], f * code->n + r), code->items);
        memset(to + code->n * code->items, 0, code->rest);
    }
    return 0;
}

static int divide_run(void *instance, const struct fecrun_call *call,
                      const struct fecrun_view *const in[], struct fecrun_view *const out[],
                      struct fecrun_error *err)
{
    const struct seg_blocks *code = call->codes[0];
    const size_t bytes = fecrun_bytes(in[0]->type, code->items);

    (void)instance;
    (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++)
        for (uint32_t r = 0; r < code->n; r++)
            memcpy(fecrun_row(out[0], f * code->n + r),
                   (const char *)fecrun_row(in[0], f) + r * bytes, bytes);
    return 0;
}

/* ---- Tables --------------------------------------------------------------------------------- */

#define FORM(t) FECRUN_ONE_FORM(t, t)

static const struct fecrun_form *const bits[] = {FORM(FECRUN_U8), NULL};
static const struct fecrun_form *const llrs[] = {FORM(FECRUN_I8), FORM(FECRUN_I16),
                                                 FORM(FECRUN_F32), NULL};

static const struct fecrun_backend *const concatenate_backends[] = {
    FECRUN_BACKEND(FECRUN_REF(concatenate_run), .forms = bits, .agreement = FECRUN_AGREEMENT_EXACT),
    &chain_seg_concatenate_cuda, NULL};

static const struct fecrun_backend *const divide_backends[] = {
    FECRUN_BACKEND(FECRUN_REF(divide_run), .forms = llrs, .agreement = FECRUN_AGREEMENT_EXACT),
    &chain_seg_divide_cuda, NULL};

static const struct fecrun_example *const concatenate_examples[] = {
    FECRUN_EXAMPLE(.params = "{g: 1089}", .items = 544, .pieces = 2),
    FECRUN_EXAMPLE(.params = "{}", .items = 100, .pieces = 3), NULL};

static const struct fecrun_example *const divide_examples[] = {
    FECRUN_EXAMPLE(.params = "{blocks: 2}", .items = 1089),
    FECRUN_EXAMPLE(.params = "{blocks: 3}", .items = 300), NULL};

const struct fecrun_stage chain_seg_concatenate = {
    FECRUN_TRANSFORM(concatenate_plan, free),
    .name = "seg.concatenate",
    .summary = "sends the code blocks of a transport block as one frame",
    .params = concatenate_params,
    .inputs = FECRUN_BITS_IN,
    .outputs = FECRUN_BITS_OUT,
    .backends = concatenate_backends,
    .examples = concatenate_examples,
};

const struct fecrun_stage chain_seg_divide = {
    FECRUN_TRANSFORM(divide_plan, free),
    .name = "seg.divide",
    .summary = "gives each code block of a transport block its received LLRs",
    .params = divide_params,
    .inputs = FECRUN_LLRS_IN,
    .outputs = FECRUN_LLRS_OUT,
    .backends = divide_backends,
    .examples = divide_examples,
    .undoes = "seg.concatenate",
};
