/* SPDX-License-Identifier: BSD-2-Clause */
/* The plain Reed-Solomon encoder. */
#include "plugins/outer/batch.h"
#include "plugins/outer/code/rs_frame.h"

#include "plugins/outer/plugin.h"

/* Division by the generator: what is left of the information times x^(n - k) follows it in word[]. */
static void encode_word(const struct rs_code *code, uint16_t *word)
{
    uint16_t *parity = word + code->k;

    memset(parity, 0, code->parity * sizeof *parity);
    for (uint32_t i = 0; i < code->k; i++) {
        const uint16_t factor = word[i] ^ parity[0];

        for (uint32_t j = 0; j < code->parity; j++)
            parity[j] = (j + 1 < code->parity ? parity[j + 1] : 0) ^
                        gf_mul(&code->field, factor, code->generator[code->parity - 1 - j]);
    }
}

static size_t scratch(const void *instance, uint64_t frames)
{
    const struct rs_code *code = instance;

    (void)frames;
    return code->n * sizeof(uint16_t);
}

static void encode_row(const void *self, const uint8_t *in, uint32_t type, uint8_t *out,
                       void *scratch)
{
    const struct rs_code *code = self;
    uint16_t *word = scratch;

    bits_copy(out, in, type, rs_bit(code, code->k, 0), rs_bit(code, code->n, 0));
    for (uint32_t c = 0; c < code->depth; c++) {
        rs_read_word(code, in, type, c, code->k, word);
        encode_word(code, word);
        for (uint32_t i = code->k; i < code->n; i++)
            bits_flip(out, type, rs_bit(code, i, c), code->m, rs_sent(code, word[i]));
    }
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    (void)instance, (void)err;
    outer_encode_frames(encode_row, call->codes[0], call, in[0], out[0]);
    return 0;
}

const struct fecrun_backend outer_rs_encode_ref = {
    .size = sizeof(struct fecrun_backend),
    FECRUN_REF(run),
    .summary = "division by the generator, symbol by symbol",
    .scratch = scratch,
    .forms = FECRUN_FORMS(FECRUN_ONE_FORM(FECRUN_PACKED, FECRUN_PACKED),
                          FECRUN_ONE_FORM(FECRUN_U8, FECRUN_U8)),
    .agreement = FECRUN_AGREEMENT_EXACT};
