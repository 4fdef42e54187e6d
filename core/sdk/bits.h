/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Bits in their two forms: u8 (one a byte, 0 or 1) and packed (first bit in the most significant
 * place of the first byte).
 */
#ifndef FECRUN_SDK_BITS_H
#define FECRUN_SDK_BITS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* n bits into (n + 7) / 8 bytes; the last byte is filled with zeros. No overlap. */
void fecrun_bits_pack(uint8_t *packed, const uint8_t *bits, size_t n);

/* n bits out of (n + 7) / 8 bytes. No overlap. */
void fecrun_bits_unpack(uint8_t *bits, const uint8_t *packed, size_t n);

/* In how many places two arrays of n bits differ. */
uint64_t fecrun_bits_differ_u8(const uint8_t *a, const uint8_t *b, size_t n);
uint64_t fecrun_bits_differ_packed(const uint8_t *a, const uint8_t *b, size_t n);

/* Index of the first byte of n that is neither 0 nor 1; n: all are. */
size_t fecrun_bits_check(const uint8_t *bits, size_t n);

#ifdef __cplusplus
}
#endif

#endif
