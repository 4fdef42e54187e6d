/* SPDX-License-Identifier: BSD-2-Clause */
/* The parity of 24 bits of blocks and transport blocks, TS 36.212 5.1.1, as a rule to stop. */
#ifndef TURBO_CODE_CRC_H
#define TURBO_CODE_CRC_H

#include "plugins/turbo/code/qpp.h"

enum { TURBO_CRC24A_POLYNOMIAL = 0x864cfb, TURBO_CRC24B_POLYNOMIAL = 0x800063 };

/* One bit into the register of 24 bits, which starts at 0 and is 0 behind a right word. */
TURBO_FN uint32_t turbo_crc_step(uint32_t state, uint32_t polynomial, uint32_t bit)
{
    const uint32_t out = (state >> 23 ^ bit) & 1;

    return ((state << 1) & 0xffffff) ^ (out ? polynomial : 0);
}

#endif
