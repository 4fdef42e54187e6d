/* SPDX-License-Identifier: BSD-2-Clause */
/* The parity of TS 38.212 5.1 at the end of a message, as a decoder checks it. */
#ifndef POLAR_CODE_CRC_H
#define POLAR_CODE_CRC_H

#include "plugins/common/crc/crc.h"

struct polar_crc {
    uint32_t width;      /* 0: there is none */
    uint32_t polynomial; /* without the highest power */
    uint32_t start;      /* register behind the leading ones */
    uint32_t rest;       /* register behind a right word, 0 without a mask of the parity */
};

/* `rest` of a frame for which no word is right. */
#define POLAR_NO_REST 0xffffffffu

/* One bit into the register, whose highest bit is width - 1. */
FECRUN_INLINE uint32_t polar_crc_step(const struct polar_crc *crc, uint32_t state, uint32_t bit)
{
    return crc_step_low(crc->width, state, crc->polynomial, bit);
}

/*
 * `rest` of a mask. The register runs over the parity, too, which ends at 0. It is linear: a masked parity
 * leaves what the mask by itself leaves in a register that starts at 0.
 */
FECRUN_INLINE uint32_t polar_crc_rest(const struct polar_crc *crc, uint32_t mask)
{
    uint32_t rest = 0;

    for (uint32_t i = crc->width; i-- > 0;)
        rest = polar_crc_step(crc, rest, mask >> i & 1);
    return rest;
}

/* n bits, parity included. */
FECRUN_INLINE int polar_crc_holds(const struct polar_crc *crc, const uint8_t *bits, uint32_t n)
{
    uint32_t state = crc->start;

    for (uint32_t i = 0; i < n && crc->width; i++)
        state = polar_crc_step(crc, state, bits[i]);
    return state == crc->rest;
}

#endif
