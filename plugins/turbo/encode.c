/* SPDX-License-Identifier: BSD-2-Clause */
/* The stage turbo.encode and its reference. */
#include "plugins/common/checks/checks.h"
#include "plugins/turbo/encode.h"

#include <fecrun/sdk/stage.h>

#include "plugins/common/words/words.h"
#include "plugins/turbo/code/interleaver.h"
#include "plugins/turbo/code/params.h"
#include "plugins/turbo/plugin.h"

void turbo_encode_make_of(struct turbo_encode *e, const struct turbo_family *family, uint32_t k,
                          uint32_t fillers)
{
    e->family = family;
    e->qpp = family == &turbo_lte ? turbo_qpp_find(k) : NULL;
    e->k = k;
    e->fillers = fillers;
    e->bits = e->k - fillers;
    e->word = turbo_family_word(family, k);
    turbo_family_interleaver(family, k, e->pi, NULL);
}

void turbo_encode_make(struct turbo_encode *e, const struct turbo_qpp *qpp, uint32_t fillers)
{
    turbo_encode_make_of(e, &turbo_lte, qpp->k, fillers);
}

static int fill(struct turbo_encode *e, const struct fecrun_values *values,
                const struct fecrun_frame *in, struct fecrun_error *err)
{
    const uint32_t fillers = (uint32_t)fecrun_value(values, TURBO_P_FILLERS)->i;
    struct turbo_code code;
    char items[48];

    if (checks_frames(in, "block codes work", err))
        return -1;
    snprintf(items, sizeof items, "%llu bits a frame", (unsigned long long)in->items);
    if (turbo_read_code(&code, values, in->items + fillers, items, err))
        return -1;
    turbo_encode_make_of(e, code.family, code.k, code.fillers);
    return checks_bits(in, e->k, e->fillers, err);
}

static int plan(const struct fecrun_host *host, const struct fecrun_values *values,
                const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                struct fecrun_plan *result, struct fecrun_error *err)
{
    struct turbo_encode e;

    (void)host;
    if (fill(&e, values, in[0], err))
        return -1;
    if (!fecrun_code(result, sizeof e, err))
        return -1;
    memcpy(result->code, &e, sizeof e);
    turbo_identity(result, e.family, e.k, e.fillers);
    fecrun_frame_bits(out[0], in[0], e.word);
    if (e.family->layout == TURBO_BY_STREAM)
        snprintf(result->note, sizeof result->note, "K = %u, d0 d1 d2 of %u bits each", e.k,
                 e.k + 4);
    else
        snprintf(result->note, sizeof result->note, "%s, K = %u, a word of %u bits", e.family->name,
                 e.k, e.word);
    return 0;
}

/* ---- 64 steps at a time ----------------------------------------------------------------------- */

/* The register behind the block, of what was fed into it; the newest bit is the highest one. */
static uint32_t end_state(const struct turbo_encode *e, const uint64_t *fed)
{
    uint32_t state = 0;

    for (uint32_t i = e->k - e->family->memory; i < e->k; i++)
        state = state >> 1 | (uint32_t)(fed[i / 64] >> i % 64 & 1) << (e->family->memory - 1);
    return state;
}

/* x times a polynomial, and what of the 64 bits before reaches into these. */
static inline uint64_t times(uint64_t x, uint64_t before, uint32_t polynomial, uint32_t memory)
{
    uint64_t sum = polynomial & 1 ? x : 0;

    for (uint32_t i = 1; i <= memory; i++)
        if (polynomial >> i & 1)
            sum ^= x << i ^ before >> (64 - i);
    return sum;
}

/*
 * What 64 bits u feed into the register: u / g0, and since g0^64 = g0(D^64) over GF(2), 1 / g0 is
 * g0^63 = g0(D) g0(D^2) ... g0(D^32) up to D^63. before: what the 64 bits before have fed.
 */
static inline uint64_t feed_64(uint64_t u, uint64_t before, uint32_t feedback, uint32_t memory)
{
    uint64_t a = u ^ times(0, before, feedback, memory);

    for (unsigned d = 1; d < 32; d *= 2) {
        uint64_t sum = a;

        for (uint32_t i = 1; i <= memory; i++)
            if (feedback >> i & 1 && i * d < 64)
                sum ^= a << i * d;
        a = sum;
    }
    return a;
}

/* The block in the order of the second encoder. */
static void interleave(const struct turbo_encode *e, const uint8_t *block, uint64_t *word)
{
    uint32_t i = 0;

    for (; i + 8 <= e->k; i += 8) {
        uint64_t eight = 0;

        for (unsigned b = 0; b < 8; b++)
            eight |= (uint64_t)block[e->pi[i + b]] << b;
        word[i / 64] |= eight << i % 64;
    }
    for (; i < e->k; i++)
        word[i / 64] |= (uint64_t)block[e->pi[i]] << i % 64;
}

/* ---- the word --------------------------------------------------------------------------------- */

/* The block's steps of an output of an encoder. */
static void put(const struct turbo_encode *e, unsigned encoder, unsigned output,
                const uint8_t *bits, uint8_t *word)
{
    if (e->family->layout == TURBO_BY_STREAM) {
        memcpy(word + turbo_item(e->k, output ? 1 + encoder : 0, 0), bits, e->k);
        return;
    }
    for (uint32_t i = 0; i < e->k; i++) {
        const uint32_t item = turbo_family_item(e->family, e->k, encoder, output, i);

        if (item != TURBO_NOT_SENT)
            word[item] = bits[i];
    }
}

/* The last steps of an encoder, from this state back to 0. */
static void put_tail(const struct turbo_encode *e, unsigned encoder, uint32_t state, uint8_t *word)
{
    struct turbo_trellis trellis;

    turbo_trellis_make(e->family, encoder, &trellis);
    for (uint32_t t = 0; t < e->family->memory; t++) {
        const uint32_t u = trellis.tail[state], bits = u | (uint32_t)trellis.label[state][u] << 1;

        for (uint32_t o = 0; o <= e->family->outputs[encoder]; o++) {
            const uint32_t item = turbo_family_item(e->family, e->k, encoder, o, e->k + t);

            if (item != TURBO_NOT_SENT)
                word[item] = bits >> o & 1;
        }
        state = trellis.next[state][u];
    }
}

/* Parity bits of an encoder, whose k input bits are in u[], and its tail. */
static void encode_one(const struct turbo_encode *e, unsigned encoder, uint64_t *u, uint8_t *out)
{
    const struct turbo_family *f = e->family;
    const uint32_t words = (e->k + 63) / 64;
    uint64_t parity[(TURBO_LONGEST + 63) / 64], before = 0;
    uint8_t bits[TURBO_LONGEST];

    for (uint32_t w = 0; w < words; w++)
        before = u[w] = f->memory == 3 ? feed_64(u[w], before, turbo_lte.feedback, 3)
                                       : feed_64(u[w], before, f->feedback, f->memory);
    for (uint32_t o = 0; o < f->outputs[encoder]; o++) {
        for (uint32_t w = 0; w < words; w++)
            parity[w] = times(u[w], w ? u[w - 1] : 0, f->parity[encoder][o], f->memory);
        words_unpack(bits, parity, e->k);
        put(e, encoder, 1 + o, bits, out);
    }
    put_tail(e, encoder, end_state(e, u), out);
}

/* Fillers are zeros that meet state 0: the first encoder does nothing there. */
void turbo_encode_frame(const struct turbo_encode *e, const uint8_t *in, uint8_t *out)
{
    uint64_t word[2][(TURBO_LONGEST + 63) / 64];
    uint8_t block[TURBO_LONGEST];

    memset(word, 0, sizeof word);
    memset(block, 0, e->fillers);
    memcpy(block + e->fillers, in, e->bits);
    words_pack(word[0], block, e->k);
    interleave(e, block, word[1]);
    put(e, 0, 0, block, out);
    encode_one(e, 0, word[0], out);
    encode_one(e, 1, word[1], out);
}

static void encode_row(const struct turbo_encode *e, const uint8_t *in, uint8_t *out, void *scratch)
{
    (void)scratch;
    turbo_encode_frame(e, in, out);
}

FECRUN_RUN_ROWS(run, encode_row)

static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(FECRUN_REF(run), .summary = "both encoders, 64 bits at a time",
                   .forms = FECRUN_FORMS(FECRUN_ONE_FORM(FECRUN_U8, FECRUN_U8)),
                   .agreement = FECRUN_AGREEMENT_EXACT),
    &turbo_encode_cuda,
    NULL,
};

static const struct fecrun_param *const params[] = {TURBO_CODE_PARAMS, NULL};

static const struct fecrun_example *const examples[] = {
    FECRUN_EXAMPLE(.params = "{k: 40}", .items = 40),
    FECRUN_EXAMPLE(.params = "{k: 512, fillers: 63}", .items = 449),
    FECRUN_EXAMPLE(.params = "{code: umts, k: 41}", .items = 41),
    FECRUN_EXAMPLE(.params = "{code: umts}", .items = 5114),
    FECRUN_EXAMPLE(.params = "{code: ccsds, rate: 1/2, k: 1784}", .items = 1784),
    FECRUN_EXAMPLE(.params = "{code: ccsds, rate: 1/3, k: 1784}", .items = 1784),
    FECRUN_EXAMPLE(.params = "{code: ccsds, rate: 1/4, k: 1784}", .items = 1784),
    FECRUN_EXAMPLE(.params = "{code: ccsds, rate: 1/6, k: 3568}", .items = 3568),
    FECRUN_EXAMPLE(.params = "{code: lte, k: 6144}", .items = 6144),
    NULL};

const struct fecrun_stage turbo_encode_stage = {
    FECRUN_TRANSFORM(plan, free),
    .name = "turbo.encode",
    .summary = "turbo encoder of LTE, UMTS or CCSDS: K bits (less the fillers) give a word",
    .params = params,
    .inputs = FECRUN_BITS_IN,
    .outputs = FECRUN_BITS_OUT,
    .backends = backends,
    .examples = examples,
};
