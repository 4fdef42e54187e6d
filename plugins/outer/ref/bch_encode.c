/* SPDX-License-Identifier: BSD-2-Clause */
/* The plain BCH encoder. */
#include <fecrun/sdk/bits.h>

#include "plugins/outer/batch.h"
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

static void encode_row(const void *self, const uint8_t *in, uint32_t type, uint8_t *out,
                       void *scratch)
{
    const struct bch_code *code = self;
    uint8_t *bits = type == FECRUN_PACKED ? scratch : out;

    if (type == FECRUN_PACKED)
        fecrun_bits_unpack(bits, in, code->k);
    else
        memcpy(bits, in, code->k);
    make_parity(code, bits, bits + code->k);
    if (type == FECRUN_PACKED)
        fecrun_bits_pack(out, bits, code->n);
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    (void)instance, (void)err;
    outer_encode_frames(encode_row, call->codes[0], call, in[0], out[0]);
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
