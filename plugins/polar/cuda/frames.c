/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/polar/cuda/frames.h"

#include "plugins/polar/decode.h"

uint32_t polar_frames_positions(const struct polar_decode *d)
{
    return (d->code->k + 31) / 32 * 32;
}

void polar_frames_fill(struct polar_frames *f, const struct polar_decode *d, uint16_t *position,
                       uint32_t *table)
{
    const uint32_t first = d->code->n < POLAR_LEAST_N ? POLAR_LEAST_N - d->code->n : 0;
    const uint32_t shift = 32 - d->crc.width;

    f->n = d->code->n;
    f->k = d->code->k;
    for (uint32_t i = 0; i < polar_frames_positions(d); i++)
        position[i] = i < f->k ? (uint16_t)(first + d->code->position[i]) : 0;
    if (!d->crc.width)
        return;
    f->checked = 1;
    f->crc_start = d->crc.start << shift;
    f->crc_rest = d->crc.rest << shift;
    f->polynomial = d->crc.polynomial << shift;
    for (uint32_t i = 0; i < POLAR_CRC_TABLE; i++)
        table[i] = crc_entry(i, f->polynomial);
}
