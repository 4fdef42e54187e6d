/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/outer/plan.h"

#include "plugins/common/checks/checks.h"

void outer_plan_decoded(const struct fecrun_frame *in, struct fecrun_frame *const out[],
                        uint64_t items, uint32_t words)
{
    fecrun_frame_copy(out[0], in);
    out[0]->items = items;
    fecrun_frame_bits(out[1], in, words);
    out[1]->kind = FECRUN_KIND_VALUES;
    out[1]->type = FECRUN_F32;
}

static int check_bch(const struct bch_code *code, const struct fecrun_frame *in, uint32_t bits,
                     struct fecrun_error *err)
{
    if (checks_frames(in, "block codes work", err))
        return -1;
    if (in->items == bits)
        return 0;
    return fecrun_fail(err, NULL, "the input has %llu bits a frame and BCH(%u, %u) takes %u",
                       (unsigned long long)in->items, code->n, code->k, bits);
}

struct bch_code *bch_plan(const struct fecrun_values *values, const struct fecrun_frame *in,
                          bool decodes, struct fecrun_plan *result, struct fecrun_error *err)
{
    struct bch_code *code = bch_read_code(values, err);

    if (code && check_bch(code, in, decodes ? code->n : code->k, err)) {
        free(code);
        code = NULL;
    }
    if (code)
        bch_describe(code, result);
    result->code = code;
    return code;
}

static int check_rs(const struct rs_code *code, const struct fecrun_frame *in, uint32_t symbols,
                    struct fecrun_error *err)
{
    const uint64_t bits = (uint64_t)symbols * code->depth * code->m;
    char words[32] = "";

    if (checks_frames(in, "block codes work", err))
        return -1;
    if (in->items == bits)
        return 0;
    if (code->depth > 1)
        snprintf(words, sizeof words, "%u words of ", code->depth);
    return fecrun_fail(err, NULL,
                       "the input has %llu bits a frame and RS(%u, %u) takes %llu (%s%u symbols of "
                       "%u bits)",
                       (unsigned long long)in->items, code->n, code->k, (unsigned long long)bits,
                       words, symbols, code->m);
}

struct rs_code *rs_plan(const struct fecrun_values *values, const struct fecrun_frame *in,
                        bool decodes, struct fecrun_plan *result, struct fecrun_error *err)
{
    struct rs_code *code = rs_read_code(values, err);

    if (code && check_rs(code, in, decodes ? code->n : code->k, err)) {
        free(code);
        code = NULL;
    }
    if (code)
        rs_describe(code, result);
    result->code = code;
    return code;
}
