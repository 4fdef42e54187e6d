/* SPDX-License-Identifier: BSD-2-Clause */
/* Vectors of the compiler: what lanes of bytes and of 16 bits share. A row is four vectors. */
#include "plugins/common/vec/vec_generic.h"

/* 16 bytes of a row in the order of an index. */
static inline vec in_order(const int8_t *row, const int8_t *index, uint32_t at, uint32_t span)
{
    int8_t byte[VEC_BYTES];

    (void)span;
    for (uint32_t i = 0; i < VEC_BYTES; i++)
        byte[i] = row[index[at + i]];
    return vec_load_any(byte);
}
