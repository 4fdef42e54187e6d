/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Per-thread work of crc.attach and crc.check with CRCs of any polynomial (crc/general.h): as those of
 * bits.h, with registers of 64 bits and bytes that may be taken from their last bit on.
 */
#ifndef CHAIN_CUDA_THREAD_CRC_GENERAL_H
#define CHAIN_CUDA_THREAD_CRC_GENERAL_H

#include "plugins/chain/crc/general.h"
#include "plugins/chain/cuda/thread/bits.h"

/* What the kernel knows of a class of frames. Lanes as in struct crc_lanes. */
struct crc_general_job {
    struct crc_code code; /* its message and verdict */
    struct crc_general crc;
    uint64_t part;
    uint64_t shift[CRC_LANES];
};

FECRUN_INLINE uint64_t crc_general_next(uint64_t state, uint64_t polynomial)
{
    return state << 1 ^ (state >> 63 ? polynomial : 0);
}

/* An entry of the table of bytes. */
FECRUN_INLINE uint64_t crc_general_entry(uint32_t byte, uint64_t polynomial)
{
    uint64_t state = (uint64_t)byte << 56;

    for (int i = 0; i < 8; i++)
        state = crc_general_next(state, polynomial);
    return state;
}

FECRUN_INLINE uint64_t crc_general_times(uint64_t state, uint64_t factor, uint64_t polynomial,
                                         unsigned width)
{
    uint64_t product = 0;

    for (unsigned i = width; i-- > 0;)
        product = crc_general_next(product, polynomial) ^ (factor >> i & 1 ? state : 0);
    return product;
}

/* The last bit of a byte first. */
FECRUN_INLINE uint32_t crc_general_turned(uint32_t byte)
{
    byte = (byte >> 1 & 0x55) | (byte & 0x55) << 1;
    byte = (byte >> 2 & 0x33) | (byte & 0x33) << 2;
    return (byte >> 4 & 0x0f) | (byte & 0x0f) << 4;
}

/* The register after bytes begin .. end-1 of a message more. */
FECRUN_INLINE uint64_t crc_general_feed(const struct crc_general *crc, const uint64_t *table,
                                        uint64_t state, uint32_t type, const uint8_t *row,
                                        uint64_t begin, uint64_t end)
{
    for (uint64_t i = begin; i < end; i++) {
        const uint32_t byte = take_bits(type, row, 8 * i, 8);

        state = state << 8 ^
                table[(state >> 56 ^ (crc->reflect ? crc_general_turned(byte) : byte)) & 255];
    }
    return state;
}

/* A lane's summand of the register behind all whole bytes. */
FECRUN_INLINE uint64_t crc_general_of_lane(const struct crc_general_job *job, const uint64_t *table,
                                           unsigned lane, uint32_t type, const uint8_t *row)
{
    const uint64_t bytes = job->code.message / 8, begin = job->part * lane;
    const uint64_t end = begin + job->part < bytes ? begin + job->part : bytes;
    const uint64_t state = crc_general_feed(&job->crc, table, lane ? 0 : job->crc.start, type, row,
                                            begin, end);

    return crc_general_times(state, job->shift[lane], job->crc.polynomial, job->crc.width);
}

/* The parity, from that register. */
FECRUN_INLINE uint64_t crc_general_parity(const struct crc_general_job *job, uint64_t state,
                                          uint32_t type, const uint8_t *row)
{
    for (uint64_t i = job->code.message / 8 * 8; i < job->code.message; i++)
        state = crc_general_next(state ^ (uint64_t)take_bits(type, row, i, 1) << 63,
                                 job->crc.polynomial);
    return state >> (64 - job->crc.width) ^ job->crc.change;
}

/* Bit i of a parity as it is sent, the first one 0. */
FECRUN_INLINE uint32_t crc_general_bit(const struct crc_general *crc, uint64_t parity, unsigned i)
{
    return (uint32_t)(parity >> (crc->width - 1 - (crc->reflect ? i ^ 7 : i))) & 1u;
}

/* Writes the parity after the message. `last`: see crc_put(). */
FECRUN_INLINE void crc_general_put(const struct crc_general_job *job, uint64_t parity,
                                   uint32_t type, uint32_t last, uint8_t *to)
{
    const unsigned rest = (unsigned)(job->code.message % 8);
    uint32_t byte = last;

    if (type != FECRUN_PACKED) {
        for (unsigned i = 0; i < job->crc.width; i++)
            to[job->code.message + i] = (uint8_t)crc_general_bit(&job->crc, parity, i);
        return;
    }
    to += job->code.message / 8;
    for (unsigned i = 0; i < job->crc.width; i++) {
        byte = byte << 1 | crc_general_bit(&job->crc, parity, i);
        if ((rest + i) % 8 == 7)
            *to++ = (uint8_t)byte;
    }
    if ((rest + job->crc.width) % 8)
        *to = (uint8_t)(byte << (8 - (rest + job->crc.width) % 8));
}

/* Is this the parity that follows the message? */
FECRUN_INLINE bool crc_general_follows(const struct crc_general_job *job, uint64_t parity,
                                       uint32_t type, const uint8_t *row)
{
    uint32_t differ = 0;

    for (unsigned i = 0; i < job->crc.width; i++)
        differ |= crc_general_bit(&job->crc, parity, i) ^
                  take_bits(type, row, job->code.message + i, 1);
    return !differ;
}

/* What a frame's thread does, or its first lane, once the register is known. */
FECRUN_INLINE void crc_general_finish(const struct crc_general_job *job, bool check, uint64_t state,
                                      uint32_t type, const uint8_t *from, uint8_t *to,
                                      uint32_t *flags)
{
    const uint64_t parity = crc_general_parity(job, state, type, from);
    const uint32_t last = crc_last(job->code.message, type, from);

    if (!check) {
        crc_general_put(job, parity, type, last, to);
        return;
    }
    crc_put(job->code.message, 0, 0, type, last, to);
    *flags = crc_flags(&job->code, *flags, crc_general_follows(job, parity, type, from));
}

/* A message that one thread does alone: the register behind its whole bytes, which are copied. */
FECRUN_INLINE uint64_t crc_general_whole(const struct crc_general_job *job, const uint64_t *table,
                                         uint32_t type, const uint8_t *from, uint8_t *to)
{
    const uint64_t bytes = type == FECRUN_PACKED ? job->code.message / 8 : job->code.message;

    for (uint64_t i = 0; i < bytes; i++)
        to[i] = from[i];
    return crc_general_feed(&job->crc, table, job->crc.start, type, from, 0, job->code.message / 8);
}

#ifndef __CUDACC__
/* x^(8 n), its lowest coefficient in bit 0. */
static inline uint64_t crc_general_power(const struct crc_general *crc, uint64_t n)
{
    const unsigned down = 64 - crc->width;
    uint64_t power = UINT64_C(1) << down, square = power;

    for (int i = 0; i < 8; i++)
        square = crc_general_next(square, crc->polynomial);
    for (; n; n /= 2) {
        if (n % 2)
            power = crc_general_times(power, square >> down, crc->polynomial, crc->width);
        square = crc_general_times(square, square >> down, crc->polynomial, crc->width);
    }
    return power >> down;
}

static inline void crc_general_make_job(struct crc_general_job *job, const struct crc_plan *plan)
{
    const uint64_t bytes = plan->crc.message / 8;

    job->code = plan->crc;
    job->crc = plan->general;
    job->part = (bytes + CRC_LANES - 1) / CRC_LANES;
    for (unsigned i = 0; i < CRC_LANES; i++) {
        const uint64_t end = job->part * (i + 1);

        job->shift[i] = crc_general_power(&job->crc, end < bytes ? bytes - end : 0);
    }
}
#endif

#endif
