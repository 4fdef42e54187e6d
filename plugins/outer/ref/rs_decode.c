/* SPDX-License-Identifier: BSD-2-Clause */
/* The plain Reed-Solomon decoder, which defines the result. */
#include "plugins/outer/batch.h"
#include "plugins/outer/code/rs_frame.h"

#include "plugins/outer/plugin.h"

/* The word's values at the generator's roots. Returns whether they are not all 0. */
static bool syndromes(const struct rs_code *code, const uint16_t *word, uint16_t *s)
{
    bool any = false;

    for (uint32_t j = 0; j < code->parity; j++) {
        const uint16_t root = gf_power(&code->field, (int64_t)code->fcr + j);

        s[j] = 0;
        for (uint32_t i = 0; i < code->n; i++)
            s[j] = gf_mul(&code->field, s[j], root) ^ word[i];
        any = any || s[j];
    }
    return any;
}

/* Is 1 / x a root of the locator? */
static bool is_wrong(const struct gf *field, const struct outer_locator *locator, uint32_t log)
{
    uint16_t sum = 0;

    for (uint32_t i = 0; i <= locator->degree; i++)
        sum ^= gf_mul(field, locator->lambda[i], gf_power(field, -(int64_t)log * i));
    return sum == 0;
}

/* Chien's search: places and locators of the wrong symbols. Returns whether the locator has all its roots
 * there. */
static bool search(const struct rs_code *code, const struct outer_locator *locator, uint16_t *at,
                   uint16_t *x)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < code->n && n < locator->degree; i++) {
        const uint32_t log = code->n - 1 - i;

        if (!is_wrong(&code->field, locator, log))
            continue;
        at[n] = (uint16_t)i;
        x[n++] = gf_power(&code->field, log);
    }
    return n == locator->degree;
}

/*
 * Finds the code word that differs from word[] in e symbols besides f erased ones, with 2 e + f <= n - k.
 * There is at most one; without one the word has failed. erased: places of the f erasures; more than
 * n - k of them fail. The symbols that differ are in `found`, as they are sent.
 */
static void decode_word(const struct rs_code *code, const uint16_t *word, const uint16_t *erased,
                        uint32_t f, struct rs_found *found)
{
    uint16_t s[OUTER_MOST_PARITY], x[OUTER_MOST_PARITY], at[OUTER_MOST_PARITY];
    uint16_t value[OUTER_MOST_PARITY];
    struct outer_locator locator;

    found->count = 0;
    found->failed = f > code->parity;
    if (found->failed || !syndromes(code, word, s))
        return;
    for (uint32_t e = 0; e < f; e++)
        x[e] = gf_power(&code->field, code->n - 1 - erased[e]);
    found->failed = !outer_locate(&code->field, s, code->parity, x, f, &locator) ||
                    !search(code, &locator, at, x);
    if (found->failed)
        return;
    outer_values(&code->field, s, code->parity, code->fcr, &locator, x, value);
    for (uint32_t e = 0; e < locator.degree; e++) {
        if (!value[e])
            continue;
        found->at[found->count] = at[e];
        found->value[found->count++] = rs_sent(code, value[e]);
    }
}

struct work {
    struct rs_found found;
    uint16_t erased[OUTER_MOST_PARITY + 1];
    uint16_t word[];
};

static size_t scratch(const void *instance, uint64_t frames)
{
    const struct rs_code *code = instance;

    (void)frames;
    return sizeof(struct work) + code->n * sizeof(uint16_t);
}

static uint32_t decode_row(const void *self, const uint8_t *in, const void *flags, uint32_t type,
                           uint8_t *out, float *corrected, void *scratch)
{
    const struct rs_code *code = self;
    struct work *work = scratch;
    uint32_t failed = 0;

    bits_copy(out, in, type, rs_bit(code, code->k, 0), rs_bit(code, code->k, 0));
    for (uint32_t c = 0; c < code->depth; c++) {
        const uint32_t f = rs_erasures(code, flags, c, work->erased);

        rs_read_word(code, in, type, c, code->n, work->word);
        decode_word(code, work->word, work->erased, f, &work->found);
        rs_correct(code, &work->found, out, type, c);
        failed += work->found.failed;
        corrected[c] = work->found.failed ? -1.0f : (float)work->found.count;
    }
    return failed;
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    const struct rs_code *code = call->codes[0];

    (void)instance, (void)err;
    outer_decode_frames(decode_row, code, call, in[0], in[1], out, code->depth);
    return 0;
}

#define FORM(bits) \
    FECRUN_FORM(FECRUN_IN({.type = bits}, {.type = FECRUN_F32}), \
                FECRUN_OUT({.type = bits}, {.type = FECRUN_F32}))

const struct fecrun_backend outer_rs_decode_ref = {
    .size = sizeof(struct fecrun_backend),
    FECRUN_REF(run),
    .summary = "syndromes, Berlekamp-Massey, Chien, Forney, symbol by symbol",
    .scratch = scratch,
    .forms = FECRUN_FORMS(FORM(FECRUN_PACKED), FORM(FECRUN_U8)),
    .agreement = FECRUN_AGREEMENT_EXACT};
