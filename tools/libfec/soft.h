/* SPDX-License-Identifier: BSD-2-Clause */
/* Symbols of 0..255 as the small LLRs that fecrun's decoder is fast for. */
#ifndef LIBFEC_SOFT_H
#define LIBFEC_SOFT_H

#include <stddef.h>
#include <stdint.h>

/*
 * 256 times the factor by which a frame's symbols become LLRs of at most llr_max: chosen so that the
 * mean distance from 128 (of symbols that say something) becomes 0.6 llr_max, which costs about
 * 0.05 dB at llr_max = 10. At most 254 (128 * 254 fits 16 bits): symbols have no finer steps.
 */
int fec_soft_factor(const uint8_t *symbols, size_t count, int llr_max);

/* One LLR: positive for 0, as in fecrun. */
int8_t fec_soft(int symbol, int factor, int llr_max);
void fec_soft_all(const uint8_t *symbols, size_t count, int factor, int llr_max, int8_t *llrs);

#endif
