/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What goes out of backend `simd` of turbo.decode. LLRs are its integers in units of the input. What
 * arrived counts as the decoder saw it, rounded and clipped; so signs are those of the bits.
 */
#include "plugins/turbo/simd/simd.h"

void turbo_put_soft(const struct turbo_simd *s, const struct turbo_work *work,
                    const struct turbo_batch *batch, uint32_t b, uint64_t frame)
{
    const struct turbo_decode *d = s->decode;
    const int8_t *arrived = turbo_staged(s, work, b, d->fillers);
    const int8_t *llr = turbo_found(s, work, b, d->fillers);
    const float unit = (float)(1 << s->fixed.point) / (float)work->gain[b] / work->scale[b];

    for (unsigned p = 0; p < 2; p++) {
        float *to;

        if (!batch->soft[p])
            continue;
        to = (float *)(void *)(batch->soft[p] + frame * batch->soft_stride[p]);
        for (uint32_t i = 0; i < d->bits; i++)
            to[i] = unit * (float)(turbo_get(llr, i, s->width) -
                                   (p ? turbo_get(arrived, i, s->width) : 0));
    }
}

/* llr: those of the bits. */
static bool crc_holds(const struct turbo_simd *s, const void *llr)
{
    const uint32_t polynomial = turbo_stop_polynomial(s->decode->stop);
    uint32_t state = 0;

    for (uint32_t i = 0; i < s->decode->bits; i++)
        state = turbo_crc_step(state, polynomial, turbo_get(llr, i, s->width) < 0);
    return state == 0;
}

void turbo_settle(const struct turbo_simd *s, const struct turbo_work *work,
                  const struct turbo_batch *batch, uint32_t b, struct turbo_slot *slot)
{
    const struct turbo_decode *d = s->decode;
    const int8_t *llr = turbo_found(s, work, b, d->fillers);
    const bool met = d->stop != TURBO_NEVER && crc_holds(s, llr);

    slot->live = !met && slot->iterations < turbo_passes(d);
    if (slot->live)
        return;
    turbo_report(d, slot->iterations, met, &batch->info[slot->frame]);
    turbo_put_soft(s, work, batch, b, slot->frame);
    s->kernel->decide(llr, d->bits, batch->packed, batch->bits + slot->frame * batch->bits_stride);
}
