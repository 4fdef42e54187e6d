/* SPDX-License-Identifier: BSD-2-Clause */
/* The plain BCH encoder. */
#include <fecrun/sdk/bits.h>

#include "plugins/outer/code/bch.h"
#include "plugins/outer/code/bits.h"
#include "plugins/outer/plugin.h"

/* Division by the generator in a register, bit by bit. */
static void make_parity(const struct bch_code *code, const uint8_t *bits, uint8_t *parity)
{
    const uint32_t r = code->parity;

    memset(parity, 0, r);
    for (uint32_t i = 0; i < code->k; i++) {
        const uint8_t factor = bits[i] ^ parity[0];

        memmove(parity, parity + 1, r - 1);
        parity[r - 1] = 0;
        for (uint32_t j = 0; factor && j < r; j++)
            parity[j] ^= code->generator[r - 1 - j];
    }
}

static size_t scratch(const void *instance, uint64_t frames)
{
    const struct bch_code *code = instance;

    (void)frames;
    return code->n;
}

static void encode_row(const struct bch_code *code, const uint8_t *in, uint8_t *out, void *scratch)
{
    (void)scratch;
    memcpy(out, in, code->k);
    make_parity(code, in, out + code->k);
}

static void encode_packed(const struct bch_code *code, const uint8_t *in, uint8_t *out,
                          void *scratch)
{
    uint8_t *bits = scratch;

    fecrun_bits_unpack(bits, in, code->k);
    make_parity(code, bits, bits + code->k);
    fecrun_bits_pack(out, bits, code->n);
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    const bool packed = in[0]->type == FECRUN_PACKED;

    (void)instance, (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++)
        (packed ? encode_packed : encode_row)(call->codes[0], fecrun_row(in[0], f),
                                              fecrun_row(out[0], f), call->scratch);
    return 0;
}

const struct fecrun_backend outer_bch_encode_ref = {
    .size = sizeof(struct fecrun_backend),
    FECRUN_REF(run),
    .summary = "division by the generator, bit by bit",
    .scratch = scratch,
    .forms = FECRUN_FORMS(FECRUN_ONE_FORM(FECRUN_U8, FECRUN_U8),
                          FECRUN_ONE_FORM(FECRUN_PACKED, FECRUN_PACKED)),
    .agreement = FECRUN_AGREEMENT_EXACT};
