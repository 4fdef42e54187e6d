/* SPDX-License-Identifier: BSD-2-Clause */
/* The plain BCH decoder, which defines the result. */
#include <fecrun/sdk/bits.h>

#include "plugins/outer/batch.h"
#include "plugins/outer/code/bch.h"
#include "plugins/outer/code/bits.h"
#include "plugins/outer/plugin.h"

/* Values of the word at x^1 to x^2t; at an even power that of its half, squared. */
static bool syndromes(const struct bch_code *code, const uint8_t *bits, uint16_t *s)
{
    bool any = false;

    for (uint32_t j = 1; j <= 2 * code->t; j++) {
        const uint16_t root = gf_power(&code->field, j);
        uint16_t sum = 0;

        if (j % 2 == 0)
            sum = gf_mul(&code->field, s[j / 2 - 1], s[j / 2 - 1]);
        for (uint32_t i = 0; j % 2 && i < code->n; i++)
            sum = gf_mul(&code->field, sum, root) ^ bits[i];
        s[j - 1] = sum;
        any = any || sum;
    }
    return any;
}

/* Chien's search: the term of each power of the locator goes from one bit to the next by one product. Returns
 * how many roots were found, at most the degree. */
static uint32_t search(const struct bch_code *code, const struct outer_locator *locator,
                       uint32_t *at)
{
    const struct gf *field = &code->field;
    uint16_t term[2 * BCH_MOST_T + 1];
    uint32_t n = 0;

    for (uint32_t j = 0; j <= locator->degree; j++)
        term[j] = gf_mul(field, locator->lambda[j], gf_power(field, -(int64_t)(code->n - 1) * j));
    for (uint32_t i = 0; i < code->n && n < locator->degree; i++) {
        uint16_t sum = 0;

        for (uint32_t j = 0; j <= locator->degree; j++) {
            sum ^= term[j];
            term[j] = gf_mul(field, term[j], gf_power(field, j));
        }
        if (!sum)
            at[n++] = i;
    }
    return n;
}

/*
 * Finds the code word that differs from n bits, one a byte, in at most t. There is at most one. Returns in
 * how many places it differs, and the places in at[] of t items; -1: there is none.
 */
static int decode_word(const struct bch_code *code, const uint8_t *bits, uint32_t *at)
{
    uint16_t s[2 * BCH_MOST_T];
    struct outer_locator locator;

    if (!syndromes(code, bits, s))
        return 0;
    if (!outer_locate(&code->field, s, 2 * code->t, NULL, 0, &locator) ||
        search(code, &locator, at) != locator.degree)
        return -1;
    return (int)locator.degree;
}

static size_t scratch(const void *instance, uint64_t frames)
{
    const struct bch_code *code = instance;

    (void)frames;
    return code->n;
}

static uint32_t decode_row(const void *self, const uint8_t *in, const void *flags, uint32_t type,
                           uint8_t *out, float *corrected, void *scratch)
{
    const struct bch_code *code = self;
    uint32_t at[BCH_MOST_T];
    int n;

    (void)flags;
    if (type == FECRUN_PACKED)
        fecrun_bits_unpack(scratch, in, code->n);
    n = decode_word(code, type == FECRUN_PACKED ? scratch : in, at);
    bits_copy(out, in, type, code->k, code->k);
    for (int e = 0; e < n; e++)
        if (at[e] < code->k)
            bits_flip(out, type, at[e], 1, 1);
    corrected[0] = (float)n;
    return n < 0;
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    (void)instance, (void)err;
    outer_decode_frames(decode_row, call->codes[0], call, in[0], NULL, out, 1);
    return 0;
}

#define FORM(bits) \
    FECRUN_FORM(FECRUN_IN({.type = bits}), FECRUN_OUT({.type = bits}, {.type = FECRUN_F32}))

const struct fecrun_backend outer_bch_decode_ref = {
    .size = sizeof(struct fecrun_backend),
    FECRUN_REF(run),
    .summary = "syndromes, Berlekamp-Massey, Chien, bit by bit",
    .scratch = scratch,
    .forms = FECRUN_FORMS(FORM(FECRUN_U8), FORM(FECRUN_PACKED)),
    .agreement = FECRUN_AGREEMENT_EXACT};
