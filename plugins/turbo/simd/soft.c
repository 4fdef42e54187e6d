/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * LLRs out of backend `simd` of turbo.decode: its integers in units of the input. What arrived counts
 * as the decoder saw it, rounded and clipped; so signs are those of the bits.
 */
#include "plugins/turbo/simd/simd.h"

void turbo_put_soft(const struct turbo_simd *s, const struct turbo_work *work,
                    const struct turbo_batch *batch, uint32_t b, uint64_t frame)
{
    const struct turbo_decode *d = s->decode;
    const int8_t *arrived = turbo_staged(s, work, b, d->fillers);
    const int8_t *llr = turbo_found(s, work, b, d->fillers);
    const float unit = (float)(1 << s->fixed.point) / (float)work->gain[b];

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
