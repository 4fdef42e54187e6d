/* SPDX-License-Identifier: BSD-2-Clause */
/* The stage turbo.encode and its reference. */
#include "plugins/common/checks/checks.h"
#include "plugins/turbo/encode.h"

#include <fecrun/sdk/stage.h>

#include "plugins/turbo/code/params.h"
#include "plugins/turbo/plugin.h"

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
    *e = (struct turbo_encode){.qpp = code.qpp,
                               .k = code.k,
                               .fillers = code.fillers,
                               .bits = code.k - code.fillers,
                               .word = turbo_word(code.k)};
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

/* Fillers are zeros that meet state 0: the first encoder does nothing there. */
void turbo_encode_frame(const struct turbo_encode *e, const uint8_t *in, uint8_t *out)
{
    uint8_t *d0 = out, *d1 = out + turbo_item(e->k, 1, 0), *d2 = out + turbo_item(e->k, 2, 0);
    uint32_t first = 0, second = 0, at = 0, step = turbo_pi_step(e->qpp);

    memset(d0, 0, e->fillers);
    memcpy(d0 + e->fillers, in, e->bits);
    for (uint32_t i = 0; i < e->k; i++, turbo_pi_next(e->qpp, &at, &step)) {
        const uint32_t u = d0[i], v = d0[at];

        d1[i] = (uint8_t)turbo_parity(first, u);
        d2[i] = (uint8_t)turbo_parity(second, v);
        first = turbo_next(first, u);
        second = turbo_next(second, v);
    }
    put_tail(e, 0, first, out);
    put_tail(e, 1, second, out);
}

static void encode_row(const struct turbo_encode *e, const uint8_t *in, uint8_t *out, void *scratch)
{
    (void)scratch;
    turbo_encode_frame(e, in, out);
}

FECRUN_RUN_ROWS(run, encode_row)

static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(FECRUN_REF(run), .summary = "both encoders bit by bit",
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
