/* SPDX-License-Identifier: BSD-2-Clause */
/* AVX-512 with VBMI: what vectors of bytes and of 16 bits share. A vector is a row. */
#include "plugins/common/vec/vec_avx512.h"

/* Bytes of a row in the order of an index. */
static inline vec in_order(const int8_t *row, const int8_t *index, uint32_t at, uint32_t span)
{
    (void)at, (void)span;
    return _mm512_permutexvar_epi8(vec_load(index), vec_load(row));
}
