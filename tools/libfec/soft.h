/* SPDX-License-Identifier: BSD-2-Clause */
/* Symbols of 0..255 as the small LLRs that fecrun's decoder is fast for. */
#ifndef LIBFEC_SOFT_H
#define LIBFEC_SOFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FEC_MOST_FACTOR = 254, /* 128 * 254 fits 16 bits, and symbols have no finer steps */
    FEC_WIDE = 32          /* symbols of a vector */
};

/*
 * 256 times the factor by which a frame's symbols become LLRs of at most llr_max: chosen so that the
 * mean distance from 128 (of symbols that say something) becomes 0.6 llr_max.
 */
int fec_soft_factor(const uint8_t *symbols, size_t count, int llr_max);

/* One LLR: positive for 0, as in fecrun. */
int8_t fec_soft(int symbol, int factor, int llr_max);
void fec_soft_all(const uint8_t *symbols, size_t count, int factor, int llr_max, int8_t *llrs);

/* Sums: of the distances from 128, and how many symbols say something. For AVX2 the count is a multiple of
   FEC_WIDE. */
void fec_soft_sums_generic(const uint8_t *symbols, size_t count, uint64_t *sum, uint64_t *said);
void fec_soft_sums_avx2(const uint8_t *symbols, size_t count, uint64_t *sum, uint64_t *said);
void fec_soft_all_generic(const uint8_t *restrict symbols, size_t count, int factor, int llr_max,
                          int8_t *restrict llrs);
void fec_soft_all_avx2(const uint8_t *restrict symbols, size_t count, int factor, int llr_max,
                       int8_t *restrict llrs);

#endif
