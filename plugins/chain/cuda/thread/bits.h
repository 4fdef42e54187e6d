/* SPDX-License-Identifier: BSD-2-Clause */
/* Per-thread work on bits: source.random, sink.errors, crc.attach and crc.check. See items.h. */
#ifndef CHAIN_CUDA_THREAD_BITS_H
#define CHAIN_CUDA_THREAD_BITS_H

#include "plugins/chain/cuda/thread/items.h"
#include "plugins/common/crc/crc.h"

/* ---- Bits ---------------------------------------------------------------------------------- */

FECRUN_INLINE unsigned count_bits(uint32_t x)
{
#ifdef __CUDA_ARCH__
    return (unsigned)__popc(x);
#else
    return (unsigned)__builtin_popcount(x);
#endif
}

FECRUN_INLINE uint32_t pick_word(const philox4x32_ctr_t *x, unsigned i)
{
    uint32_t low = i & 1 ? x->v[1] : x->v[0], high = i & 1 ? x->v[3] : x->v[2];

    return i & 2 ? high : low;
}

FECRUN_INLINE void random_packed(const struct fecrun_rng *rng, uint64_t frame, uint64_t group,
                                 uint64_t bits, uint8_t *row, bool wide)
{
    philox4x32_ctr_t x = fecrun_rng_block(rng, frame, (uint32_t)group);
    unsigned n = group_part(bits, group * GROUP_PACKED, GROUP_PACKED);
    uint32_t v[4];

    row += group * (GROUP_PACKED / 8);
    if (wide && n == GROUP_PACKED) {
        FECRUN_UNROLL
        for (int i = 0; i < 4; i++)
            v[i] = fecrun_swap(x.v[i]);
        fecrun_store_128(row, v);
        return;
    }
    for (unsigned i = 0; i < n; i += 8) {
        uint32_t byte = pick_word(&x, i / 32) >> (24 - i % 32) & 255u;

        if (n - i < 8)
            byte &= 0xff00u >> (n - i);
        row[i / 8] = (uint8_t)byte;
    }
}

FECRUN_INLINE void random_bytes(const struct fecrun_rng *rng, uint64_t frame, uint64_t group,
                                uint64_t bits, uint8_t *row, bool wide)
{
    philox4x32_ctr_t x = fecrun_rng_block(rng, frame, (uint32_t)(group / 8));
    unsigned n = group_part(bits, group * GROUP_U8, GROUP_U8);
    uint32_t word = pick_word(&x, (unsigned)(group / 2 % 4)) << (group % 2 ? 16 : 0);
    uint32_t v[4];

    row += group * GROUP_U8;
    if (wide && n == GROUP_U8) {
        FECRUN_UNROLL
        for (int i = 0; i < 4; i++)
            v[i] = fecrun_expand_4(word >> (28 - 4 * i));
        fecrun_store_128(row, v);
        return;
    }
    for (unsigned i = 0; i < n; i++)
        row[i] = word >> (31 - i) & 1u;
}

/*
 * In how many of n bits do two rows differ, as far as this lane of several looks? `unit` is 16, 4
 * or 1: the bytes that may be read at once from both. What fills the last byte does not count.
 */
FECRUN_INLINE uint32_t differ(uint32_t type, const uint8_t *a, const uint8_t *b, uint64_t n,
                              unsigned lane, unsigned lanes, unsigned unit)
{
    uint64_t bytes = type == FECRUN_PACKED ? n / 8 : n, whole = 0;
    uint32_t mask = type == FECRUN_PACKED ? ~0u : 0x01010101u, count = 0;

    if (unit == 16) {
        whole = bytes / 16 * 16;
        for (uint64_t i = 16ull * lane; i < whole; i += 16ull * lanes) {
            uint32_t x[4], y[4];

            fecrun_load_128(x, a + i);
            fecrun_load_128(y, b + i);
            FECRUN_UNROLL
            for (int k = 0; k < 4; k++)
                count += count_bits((x[k] ^ y[k]) & mask);
        }
    } else if (unit == 4) {
        whole = bytes / 4 * 4;
        for (uint64_t i = 4ull * lane; i < whole; i += 4ull * lanes)
            count += count_bits((*(const uint32_t *)(a + i) ^ *(const uint32_t *)(b + i)) & mask);
    }
    for (uint64_t i = whole + lane; i < bytes; i += lanes)
        count += count_bits((uint32_t)(a[i] ^ b[i]) & mask & 255u);
    if (type == FECRUN_PACKED && n % 8 && lane == 0)
        count += count_bits((uint32_t)(a[bytes] ^ b[bytes]) >> (8 - n % 8));
    return count;
}

/* ---- CRC ----------------------------------------------------------------------------------- */

enum { CRC_LANES = 32 };

/*
 * Each lane has its part of a message's whole bytes. A CRC is linear: the register behind them all
 * is the sum of the lanes' registers, each times x^(8 * bytes behind its part). The bits of a last
 * byte that is not whole follow.
 */
struct crc_lanes {
    uint64_t part;             /* bytes */
    uint32_t shift[CRC_LANES]; /* that power, its lowest coefficient in bit 0 */
};

/* What the kernel knows of a class of frames. */
struct crc_job {
    struct crc_code code;
    struct crc_lanes lanes;
};

FECRUN_INLINE uint32_t crc_times(uint32_t state, uint32_t factor, uint32_t polynomial,
                                 unsigned width)
{
    uint32_t product = 0;

    for (unsigned i = width; i-- > 0;)
        product = crc_next(product, polynomial) ^ (factor >> i & 1 ? state : 0);
    return product;
}

/* A lane's summand of the register. */
FECRUN_INLINE uint32_t crc_of_lane(const struct crc_code *code, const struct crc_lanes *lanes,
                                   const uint32_t *table, unsigned lane, uint32_t type,
                                   const uint8_t *row)
{
    uint64_t bytes = code->message / 8, begin = lanes->part * lane, end = begin + lanes->part;
    uint32_t state = lane ? 0 : code->start;

    end = end < bytes ? end : bytes;
    for (uint64_t i = begin; i < end; i++)
        state = state << 8 ^ table[state >> 24 ^ take_bits(type, row, 8 * i, 8)];
    return crc_times(state, lanes->shift[lane], code->polynomial, code->width);
}

/* The register behind all whole bytes of a message, which are copied. */
FECRUN_INLINE uint32_t crc_whole(const struct crc_code *code, const uint32_t *table, uint32_t type,
                                 const uint8_t *row, uint8_t *to)
{
    const uint64_t bytes = code->message / 8;
    uint32_t state = code->start;

    for (uint64_t i = 0; i < bytes; i++) {
        state = state << 8 ^ table[state >> 24 ^ take_bits(type, row, 8 * i, 8)];
        if (type == FECRUN_PACKED)
            to[i] = row[i];
    }
    if (type != FECRUN_PACKED)
        for (uint64_t i = 0; i < code->message; i++)
            to[i] = row[i];
    return state;
}

/* The masked parity, from the lanes' sum. */
FECRUN_INLINE uint32_t crc_parity(const struct crc_code *code, uint32_t state, uint32_t type,
                                  const uint8_t *row)
{
    for (uint64_t i = code->message / 8 * 8; i < code->message; i++)
        state = crc_next(state ^ take_bits(type, row, i, 1) << 31, code->polynomial);
    return state >> (32 - code->width) ^ code->mask;
}

/* A lane's share of copying the message. */
FECRUN_INLINE void crc_copy(uint64_t message, unsigned lane, uint32_t type, const uint8_t *from,
                            uint8_t *to)
{
    uint64_t bytes = type == FECRUN_PACKED ? message / 8 : message;

    for (uint64_t i = lane; i < bytes; i += CRC_LANES)
        to[i] = from[i];
}

/* Writes `width` bits of parity after the message. Packed bits share the byte in which the message ends;
   `last` are the message's bits in that byte. */
FECRUN_INLINE void crc_put(uint64_t message, uint32_t parity, unsigned width, uint32_t type,
                           uint32_t last, uint8_t *to)
{
    unsigned rest = (unsigned)(message % 8), n = rest + width;
    uint32_t x;

    if (type != FECRUN_PACKED) {
        for (unsigned i = 0; i < width; i++)
            to[message + i] = parity >> (width - 1 - i) & 1u;
        return;
    }
    x = parity;
    if (rest)
        x |= last << width;
    if (n)
        x <<= 32 - n;
    for (unsigned i = 0; i < n; i += 8)
        to[message / 8 + i / 8] = (uint8_t)(x >> (24 - i));
}

/* Reads the message's bits after its last whole byte, for crc_put(). */
FECRUN_INLINE uint32_t crc_last(uint64_t message, uint32_t type, const uint8_t *row)
{
    const unsigned rest = (unsigned)(message % 8);

    return rest ? take_bits(type, row, message - rest, rest) : 0;
}

FECRUN_INLINE uint32_t crc_get(uint64_t message, unsigned width, uint32_t type, const uint8_t *row)
{
    uint32_t parity = 0;

    for (unsigned i = 0; i < width; i++)
        parity = parity << 1 | take_bits(type, row, message + i, 1);
    return parity;
}

/* The flags of a frame behind crc.check. `flags`: those that earlier stages set. */
FECRUN_INLINE uint32_t crc_flags(const struct crc_code *code, uint32_t flags, bool good)
{
    if (code->alone)
        flags &= ~(uint32_t)FECRUN_FRAME_FAILED;
    return flags | (uint32_t)FECRUN_FRAME_CHECKED | (good ? 0 : (uint32_t)FECRUN_FRAME_FAILED);
}

#ifndef __CUDACC__
/* x^(8 n), its lowest coefficient in bit 0. */
static inline uint32_t crc_power(const struct crc_code *code, uint64_t n)
{
    unsigned down = 32 - code->width;
    uint32_t power = 1u << down, square = power;

    for (int i = 0; i < 8; i++)
        square = crc_next(square, code->polynomial);
    for (; n; n /= 2) {
        if (n % 2)
            power = crc_times(power, square >> down, code->polynomial, code->width);
        square = crc_times(square, square >> down, code->polynomial, code->width);
    }
    return power >> down;
}

static inline void crc_make_lanes(struct crc_lanes *lanes, const struct crc_code *code)
{
    uint64_t bytes = code->message / 8;

    lanes->part = (bytes + CRC_LANES - 1) / CRC_LANES;
    for (unsigned i = 0; i < CRC_LANES; i++) {
        uint64_t end = lanes->part * (i + 1);

        lanes->shift[i] = crc_power(code, end < bytes ? bytes - end : 0);
    }
}
#endif

#endif
