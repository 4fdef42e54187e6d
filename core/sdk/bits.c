/* SPDX-License-Identifier: BSD-2-Clause */
#include "bits.h"

#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the eight-at-once tricks below want a little-endian machine"
#endif

#define ONES 0x0101010101010101u

/*
 * Byte i has to go from bit 8i to bit 63-i: it is multiplied by 2^(63-9i). No two of the products'
 * terms meet in one place, so nothing is carried.
 */
void fecrun_bits_pack(uint8_t *packed, const uint8_t *bits, size_t n)
{
    size_t bytes = n / 8;

    for (size_t i = 0; i < bytes; i++) {
        uint64_t x;

        memcpy(&x, bits + 8 * i, 8);
        packed[i] = (uint8_t)((x & ONES) * 0x8040201008040201u >> 56);
    }
    if (n % 8) {
        unsigned last = 0;

        for (size_t i = 8 * bytes; i < n; i++)
            last |= (bits[i] & 1u) << (7 - i % 8);
        packed[bytes] = (uint8_t)last;
    }
}

/* A copy of the byte in each of eight, then only bit 7-i of byte i, then that as 0 or 1. */
void fecrun_bits_unpack(uint8_t *bits, const uint8_t *packed, size_t n)
{
    size_t bytes = n / 8;

    for (size_t i = 0; i < bytes; i++) {
        uint64_t x = packed[i] * ONES & 0x0102040810204080u;

        x = (x + 0x7f7f7f7f7f7f7f7fu) >> 7 & ONES;
        memcpy(bits + 8 * i, &x, 8);
    }
    for (size_t i = 8 * bytes; i < n; i++)
        bits[i] = packed[bytes] >> (7 - i % 8) & 1;
}

/* Sum of eight bytes whose sum is below 256. */
static unsigned sum_bytes(uint64_t x)
{
    return (unsigned)(x * ONES >> 56);
}

static unsigned count_ones(uint64_t x)
{
    x -= x >> 1 & 0x5555555555555555u;
    x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
    return sum_bytes((x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu);
}

uint64_t fecrun_bits_differ_u8(const uint8_t *a, const uint8_t *b, size_t n)
{
    uint64_t count = 0;
    size_t i = 0;

    while (n - i >= 8) {
        uint64_t sums = 0; /* eight counters of 8 bits: 31 steps keep their sum below 256 */

        for (int step = 0; step < 31 && n - i >= 8; step++, i += 8) {
            uint64_t x, y;

            memcpy(&x, a + i, 8);
            memcpy(&y, b + i, 8);
            sums += (x ^ y) & ONES;
        }
        count += sum_bytes(sums);
    }
    for (; i < n; i++)
        count += (a[i] ^ b[i]) & 1;
    return count;
}

uint64_t fecrun_bits_differ_packed(const uint8_t *a, const uint8_t *b, size_t n)
{
    uint64_t count = 0;
    size_t bytes = n / 8, i = 0;

    for (; bytes - i >= 8; i += 8) {
        uint64_t x, y;

        memcpy(&x, a + i, 8);
        memcpy(&y, b + i, 8);
        count += count_ones(x ^ y);
    }
    for (; i < bytes; i++)
        count += count_ones(a[i] ^ b[i]);
    if (n % 8) /* the fill does not count, whatever it holds */
        count += count_ones((a[bytes] ^ b[bytes]) >> (8 - n % 8));
    return count;
}

size_t fecrun_bits_check(const uint8_t *bits, size_t n)
{
    size_t i = 0;

    for (; n - i >= 8; i += 8) {
        uint64_t x;

        memcpy(&x, bits + i, 8);
        if (x & ~(uint64_t)ONES)
            break;
    }
    while (i < n && bits[i] <= 1)
        i++;
    return i;
}
