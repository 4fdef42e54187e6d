/* SPDX-License-Identifier: BSD-2-Clause */
/* Bytes of mbufs, and the orders of bits in them. Bits are packed, the first one in a byte's highest bit. */
#ifndef FECRUN_BBDEV_BUFFER_H
#define FECRUN_BBDEV_BUFFER_H

#include <rte_bbdev_op.h>
#include <stdint.h>

/* Returns `bytes` bytes of the operation's data, from byte `from` of it on: where they are, if they are in one
   segment, else copied to `copy`. NULL: the data does not have as many. */
const uint8_t *bbdev_read(const struct rte_bbdev_op_data *data, uint32_t from, uint32_t bytes,
                          uint8_t *copy);

/* Makes the first segment long enough for `bytes` bytes from data->offset on, sets data->length and returns where
   they are. NULL: there is no mbuf, or not as much room in it. */
uint8_t *bbdev_reserve(struct rte_bbdev_op_data *data, uint32_t bytes);

/* Undoes the bit interleaver of TS 38.212 5.4.2.2: to[i n/qm + j] = from[i + j qm]. n is a multiple of qm,
   which is 1, 2, 4, 6, 8 or 10. away: past the caches, as `to` is memory that a device reads, and this core does not. */
void bbdev_deinterleave(const int8_t *from, uint32_t n, unsigned qm, int8_t *to, int away);
/* What it calls: with instructions that every CPU has, and with AVX-512 where HAVE_AVX512 says that it is compiled for. */
void bbdev_deinterleave_plain(const int8_t *from, uint32_t n, unsigned qm, int8_t *to, int away);
void bbdev_deinterleave_avx512(const int8_t *from, uint32_t n, unsigned qm, int8_t *to, int away);

/* An LLR has six bits, in two's complement; values above 31 and below -32 are limited. They follow each other without
   gaps, the first one in the highest bits of the first byte. Here: bytes for n LLRs, and LLRs in so many bytes. */
static inline uint32_t bbdev_six_bytes(uint32_t n)
{
    return (uint32_t)(((uint64_t)n * 6 + 7) / 8);
}

static inline uint32_t bbdev_six_llrs(uint32_t bytes)
{
    return (uint32_t)((uint64_t)bytes * 8 / 6);
}

/* Bits that are left over in the last byte become 0. */
void bbdev_to_six(const int8_t *from, uint32_t n, uint8_t *to);
void bbdev_from_six(const uint8_t *from, uint32_t n, int8_t *to);

/* The nearest number from -127 to 127. */
static inline int8_t bbdev_soft(float llr)
{
    return (int8_t)(llr > 127 ? 127 : llr < -127 ? -127 : llr < 0 ? llr - .5f : llr + .5f);
}

/* Packs n bits of bytes 0 or 1, interleaved by qm as the inverse of the above, from bit `at` of `to` on. What the first
   byte holds before that bit stays; behind the last bit the byte's rest is 0. */
void bbdev_pack(const uint8_t *from, uint32_t n, unsigned qm, uint8_t *to, uint32_t at);

/* Copies n packed bits to bit `at` of `to`, with the same ends. */
void bbdev_copy_bits(const uint8_t *from, uint32_t n, uint8_t *to, uint32_t at);

#endif
