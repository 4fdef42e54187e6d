/* SPDX-License-Identifier: BSD-2-Clause */
/* The stage turbo.encode and its reference. */
#include "plugins/common/checks/checks.h"
#include "plugins/turbo/encode.h"

#include <fecrun/sdk/stage.h>

#include "plugins/common/words/words.h"
#include "plugins/turbo/code/interleaver.h"
#include "plugins/turbo/code/params.h"
#include "plugins/turbo/plugin.h"

void turbo_encode_make(struct turbo_encode *e, const struct turbo_qpp *qpp, uint32_t fillers)
{
    e->qpp = qpp;
    e->k = qpp->k;
    e->fillers = fillers;
    e->bits = e->k - fillers;
    e->word = turbo_word(e->k);
    turbo_interleaver(qpp, e->pi, NULL);
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
    turbo_encode_make(e, code.qpp, code.fillers);
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
    turbo_identity(result, e.k, e.fillers);
    fecrun_frame_bits(out[0], in[0], e.word);
    snprintf(result->note, sizeof result->note, "K = %u, d0 d1 d2 of %u bits each", e.k, e.k + 4);
    return 0;
}

/* The three last steps of encoder `which`, from this state back to 0. */
static void put_tail(const struct turbo_encode *e, uint32_t which, uint32_t state, uint8_t *out)
{
    for (uint32_t t = 0; t < TURBO_TAIL; t++) {
        const uint32_t u = turbo_tail_input(state);

        out[turbo_tail_x(e->k, which, t)] = (uint8_t)u;
        out[turbo_tail_z(e->k, which, t)] = (uint8_t)turbo_parity(state, u);
        state = turbo_next(state, u);
    }
}

/* The register behind so many bits of what was fed into it, the newest bit highest. */
static uint32_t state_of(uint64_t fed, uint32_t bits)
{
    return (uint32_t)(fed >> (bits - 3) & 7);
}

/*
 * Parity of 64 bits u. What is fed into the register is u / g0, and since g0^64 = g0(D^64) over
 * GF(2), 1 / g0 is g0^63 = g0(D) g0(D^2) ... g0(D^32) up to D^63. *fed: that of the 64 bits before;
 * then of these.
 */
static uint64_t parity_64(uint64_t u, uint64_t *fed)
{
    const uint64_t before = *fed;
    uint64_t a = u ^ before >> 62 ^ before >> 61; /* D^2 and D^3 of g0 reach them from there */

    for (unsigned d = 1; d < 32; d *= 2)
        a ^= a << 2 * d ^ a << 3 * d;
    *fed = a;
    return a ^ (a << 1 | before >> 63) ^ (a << 3 | before >> 61);
}

/* The block in the order of the second encoder. */
static void interleave(const struct turbo_encode *e, const uint8_t *block, uint64_t *word)
{
    for (uint32_t i = 0; i < e->k; i += 8) {
        uint64_t eight = 0;

        for (unsigned b = 0; b < 8; b++)
            eight |= (uint64_t)block[e->pi[i + b]] << b;
        word[i / 64] |= eight << i % 64;
    }
}

/* Parity bits of encoder `which`, whose k input bits are in word[], and its tail. */
static void encode_one(const struct turbo_encode *e, uint32_t which, uint64_t *word, uint8_t *out)
{
    uint64_t fed = 0;

    for (uint32_t i = 0; i < e->k; i += 64)
        word[i / 64] = parity_64(word[i / 64], &fed);
    words_unpack(out + turbo_item(e->k, 1 + which, 0), word, e->k);
    put_tail(e, which, state_of(fed, (e->k - 1) % 64 + 1), out);
}

/* Fillers are zeros that meet state 0: the first encoder does nothing there. */
void turbo_encode_frame(const struct turbo_encode *e, const uint8_t *in, uint8_t *out)
{
    uint64_t word[2][TURBO_MOST_K / 64];

    memset(word, 0, sizeof word);
    memset(out, 0, e->fillers);
    memcpy(out + e->fillers, in, e->bits);
    words_pack(word[0], out, e->k);
    interleave(e, out, word[1]);
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
    FECRUN_EXAMPLE(.params = "{code: lte, k: 6144}", .items = 6144), NULL};

const struct fecrun_stage turbo_encode_stage = {
    FECRUN_TRANSFORM(plan, free),
    .name = "turbo.encode",
    .summary = "LTE turbo encoder: K bits (less the fillers) give d0, d1, d2 of K + 4 bits each",
    .params = params,
    .inputs = FECRUN_BITS_IN,
    .outputs = FECRUN_BITS_OUT,
    .backends = backends,
    .examples = examples,
};
