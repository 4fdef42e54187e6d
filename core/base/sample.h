/* SPDX-License-Identifier: BSD-2-Clause */
/* Lossless changes of sample type in host memory. */
#ifndef FECRUN_CONVERT_H
#define FECRUN_CONVERT_H

#include <fecrun/plugin.h>
#include <stdbool.h>

/* Bits that one item takes: 1 for PACKED, 4 for I4, 64 for C8. */
unsigned convert_bits(uint32_t type);

/* Items of a type that share a byte: 8 of PACKED, 2 of I4, else 1. */
unsigned convert_per_byte(uint32_t type);

/* Can values whose smallest type is `natural` be kept in `type` without loss? */
bool convert_holds(uint32_t type, uint32_t natural);

/* Is there a converter? Equal types count as one. */
bool convert_known(uint32_t from, uint32_t to);

/* n items; from and to do not overlap. The last byte of PACKED and I4 is filled with zeros. */
void convert_items(uint32_t from, uint32_t to, const void *in, void *out, uint64_t n);

#endif
