/* SPDX-License-Identifier: BSD-2-Clause */
/* Larger steps made of the names of one vec_*.h, which comes first. */
#ifndef PLUGINS_COMMON_VEC_BLOCKS_H
#define PLUGINS_COMMON_VEC_BLOCKS_H
#ifdef VEC_BYTES

/* The transposition of each block of 16 x 16 bytes, 16 bytes of each vector: byte i of vector j and
   byte j of vector i change places. Four perfect shuffles. */
static FECRUN_ALWAYS_INLINE void vec_i8_transpose(vec v[16])
{
    vec t[16];

#pragma GCC unroll 4
    for (unsigned shuffle = 0; shuffle < 4; shuffle++) {
#pragma GCC unroll 8
        for (unsigned i = 0; i < 8; i++) {
            t[2 * i] = vec_i8_zip_low(v[i], v[i + 8]);
            t[2 * i + 1] = vec_i8_zip_high(v[i], v[i + 8]);
        }
#pragma GCC unroll 16
        for (unsigned i = 0; i < 16; i++)
            v[i] = t[i];
    }
}

#endif
#endif
