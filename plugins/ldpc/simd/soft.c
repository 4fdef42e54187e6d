/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * LLRs out of backend `simd` of ldpc.decode: its bytes in units of the input. What arrived counts as
 * the decoder saw it, rounded and clipped; so signs are those of the bits.
 */
#include "plugins/ldpc/simd/simd.h"

static float *row_of(const struct ldpc_batch *batch, unsigned port, uint64_t frame)
{
    return (float *)(void *)(batch->soft[port] + frame * batch->soft_stride[port]);
}

/* n columns one behind the other; a loop of its own for bytes that are, too: vectors can do that. */
static void widen(const int8_t *L, size_t step, uint32_t n, float unit, float *to)
{
    if (step == 1)
        for (uint32_t i = 0; i < n; i++)
            to[i] = unit * (float)L[i];
    else
        for (uint32_t i = 0; i < n; i++)
            to[i] = unit * (float)L[i * step];
}

/* Columns that no row in use reaches are not in L. */
static void put_word(const struct ldpc_simd *s, const int8_t *arrived, const struct ldpc_gain *gain,
                     const int8_t *L, size_t step, float unit, float *to)
{
    const struct ldpc_code *code = s->decode->code;
    const uint32_t reached = s->used > code->punctured ? s->used - code->punctured : 0;
    uint32_t i = 0;

    if (!code->place) {
        i = reached < code->n ? reached : code->n;
        widen(L + code->punctured * step, step, i, unit, to);
    }
    for (; i < code->n; i++) {
        const uint32_t v = ldpc_place(code, i);

        to[i] = unit * (float)(v < s->used ? L[v * step] : ldpc_fixed_input(gain, arrived[i]));
    }
    for (uint32_t f = 0; f < code->fillers; f++)
        to[ldpc_filler_item(code) + f] = FECRUN_LLR_MAX_F32;
}

void ldpc_put_soft(const struct ldpc_simd *s, const struct ldpc_batch *batch, uint64_t frame,
                   const int8_t *L, size_t step)
{
    const struct ldpc_decode *d = s->decode;
    const int8_t *arrived = batch->llr + frame * batch->llr_stride;
    const struct ldpc_gain gain = ldpc_fixed_gain(&s->fixed, arrived, NULL);
    const float unit = 256 / (float)gain.times;

    if (batch->soft[0]) {
        float *to = row_of(batch, 0, frame);

        if (!d->code->info)
            widen(L, step, (uint32_t)d->bits, unit, to);
        for (uint32_t i = 0; d->code->info && i < d->bits; i++)
            to[i] = unit * (float)L[d->code->info[i] * step];
    }
    if (batch->soft[1])
        put_word(s, arrived, &gain, L, step, unit, row_of(batch, 1, frame));
}
