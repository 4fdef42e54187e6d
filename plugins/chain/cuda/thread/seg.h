/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Per-thread work of seg.split, seg.join, seg.concatenate and seg.divide. 32 lanes share a code block
 * or a transport block, and each lane computes its part of the CRC (bits.h).
 *
 * The code blocks carry equal pieces of one row of bits: fillers, transport block, its parity.
 */
#ifndef CHAIN_CUDA_THREAD_SEG_H
#define CHAIN_CUDA_THREAD_SEG_H

#include "plugins/chain/cuda/thread/bits.h"
#include "plugins/chain/seg/seg.h"

struct seg_job {
    uint32_t front;                   /* fillers, which are zeros */
    uint32_t own;                     /* bits of that row in a code block: it less its parity */
    uint32_t blocks;                  /* of a transport block */
    struct crc_code transport, block; /* width 0: none; message: A and `own` */
    struct crc_lanes of_transport, of_block;
};

/* The frames at a port. */
struct seg_rows {
    uint8_t *data;
    uint64_t stride;
    uint32_t type;
};

FECRUN_INLINE uint8_t *seg_row(const struct seg_rows *rows, uint64_t f)
{
    return rows->data + f * rows->stride;
}

/* Reads n (1..8) bits of the row, the first one highest, from bit `at` on. */
FECRUN_INLINE uint32_t seg_bits(const struct seg_job *job, uint32_t type, const uint8_t *transport,
                                uint32_t parity, uint32_t at, unsigned n)
{
    const uint32_t a = (uint32_t)job->transport.message;
    uint32_t x = 0;

    if (at >= job->front && at + n <= job->front + a)
        return take_bits(type, transport, at - job->front, n);
    for (unsigned i = 0; i < n; i++) {
        const uint32_t j = at + i - job->front; /* in fillers: beyond all */
        const uint32_t k = j - a;

        x = x << 1 | (at + i < job->front ? 0
                      : j < a             ? take_bits(type, transport, j, 1)
                                          : parity >> (job->transport.width - 1 - k) & 1u);
    }
    return x;
}

/* Reads the same from the code blocks, of which frame `first` is the first one. Bits behind the last
   block are 0. */
FECRUN_INLINE uint32_t seg_gather(const struct seg_job *job, const struct seg_rows *in,
                                  uint64_t first, uint32_t at, unsigned n)
{
    uint32_t r = at / job->own, offset = at - r * job->own, x = 0;

    if (r < job->blocks && offset + n <= job->own)
        return take_bits(in->type, seg_row(in, first + r), offset, n);
    for (unsigned i = 0; i < n; i++, offset++) {
        if (offset == job->own)
            r++, offset = 0;
        x = x << 1 | (r < job->blocks ? take_bits(in->type, seg_row(in, first + r), offset, 1) : 0);
    }
    return x;
}

/* Writes n bits, 8 except at the end of a row, as byte i of a row of bits. */
FECRUN_INLINE void seg_put(uint32_t type, uint8_t *row, uint64_t i, uint32_t bits, unsigned n)
{
    if (type == FECRUN_PACKED) {
        row[i] = (uint8_t)(bits << (8 - n));
        return;
    }
    for (unsigned b = 0; b < n; b++)
        row[8 * i + b] = bits >> (n - 1 - b) & 1u;
}

/* Returns the number of bits in byte i of a row of `bits` bits. */
FECRUN_INLINE unsigned seg_part(uint64_t bits, uint64_t i)
{
    return bits - 8 * i < 8 ? (unsigned)(bits - 8 * i) : 8;
}

/* ---- seg.split ------------------------------------------------------------------------------- */

/* Writes this lane's share of the whole bytes of code block r. Returns its summand of the CRC register. */
FECRUN_INLINE uint32_t seg_split_lane(const struct seg_job *job, const uint32_t *table,
                                      unsigned lane, uint32_t type, const uint8_t *transport,
                                      uint32_t parity, uint32_t r, uint8_t *to, uint32_t to_type)
{
    const struct crc_lanes *lanes = &job->of_block;
    const uint64_t bytes = job->own / 8, begin = lanes->part * lane, end = begin + lanes->part;
    uint32_t state = 0;

    for (uint64_t i = lane; i < bytes; i += CRC_LANES)
        seg_put(to_type, to, i,
                seg_bits(job, type, transport, parity, r * job->own + 8 * (uint32_t)i, 8), 8);
    if (!job->block.width)
        return 0;
    for (uint64_t i = begin; i < end && i < bytes; i++)
        state = crc_byte(table, state,
                         seg_bits(job, type, transport, parity, r * job->own + 8 * (uint32_t)i, 8));
    return crc_times(state, lanes->shift[lane], job->block.polynomial, job->block.width);
}

/* Writes the last bits of the block and its parity. state: the sum of all lanes. */
FECRUN_INLINE void seg_split_end(const struct seg_job *job, uint32_t state, uint32_t type,
                                 const uint8_t *transport, uint32_t parity, uint32_t r, uint8_t *to,
                                 uint32_t to_type)
{
    const uint32_t whole = job->own / 8 * 8, rest = job->own - whole;
    const uint32_t bits = rest ? seg_bits(job, type, transport, parity, r * job->own + whole, rest)
                               : 0;

    for (unsigned b = rest; b-- > 0;)
        state = crc_step(state, job->block.polynomial, bits >> b & 1);
    if (to_type != FECRUN_PACKED && rest)
        seg_put(to_type, to, whole / 8, bits, rest);
    crc_put(job->own, job->block.width ? state >> (32 - job->block.width) : 0, job->block.width,
            to_type, bits, to);
}

/* ---- seg.join -------------------------------------------------------------------------------- */

/* Writes this lane's share of a transport block's bytes, whose first code block is frame `first`. Returns
   its summand of the CRC register. */
FECRUN_INLINE uint32_t seg_join_lane(const struct seg_job *job, const uint32_t *table,
                                     unsigned lane, const struct seg_rows *in, uint64_t first,
                                     uint8_t *to, uint32_t to_type)
{
    const struct crc_lanes *lanes = &job->of_transport;
    const uint64_t a = job->transport.message, bytes = a / 8;
    const uint64_t begin = lanes->part * lane, end = begin + lanes->part;
    uint32_t state = 0;

    for (uint64_t i = lane; 8 * i < a; i += CRC_LANES) {
        const unsigned n = seg_part(a, i);

        seg_put(to_type, to, i, seg_gather(job, in, first, job->front + 8 * (uint32_t)i, n), n);
    }
    if (!job->transport.width)
        return 0;
    for (uint64_t i = begin; i < end && i < bytes; i++)
        state = crc_byte(table, state, seg_gather(job, in, first, job->front + 8 * (uint32_t)i, 8));
    return crc_times(state, lanes->shift[lane], job->transport.polynomial, job->transport.width);
}

/* Is the parity of the transport block right? state: the sum of all lanes. */
FECRUN_INLINE bool seg_join_end(const struct seg_job *job, uint32_t state,
                                const struct seg_rows *in, uint64_t first)
{
    const uint32_t a = (uint32_t)job->transport.message, width = job->transport.width;
    uint32_t parity = 0;

    if (!width)
        return true;
    for (uint32_t i = a / 8 * 8; i < a; i++)
        state = crc_step(state, job->transport.polynomial,
                         seg_gather(job, in, first, job->front + i, 1));
    for (uint32_t i = 0; i < width; i++)
        parity = parity << 1 | seg_gather(job, in, first, job->front + a + i, 1);
    return parity == state >> (32 - width);
}

/* Returns the flags of a frame that was checked. Earlier verdicts do not count. */
FECRUN_INLINE uint32_t seg_flags(uint32_t flags, bool good)
{
    return (flags & ~(uint32_t)FECRUN_FRAME_FAILED) | (uint32_t)FECRUN_FRAME_CHECKED |
           (good ? 0 : (uint32_t)FECRUN_FRAME_FAILED);
}

/* ---- seg.divide ------------------------------------------------------------------------------ */

/* Copies chunk c, four aligned bytes, of a code block's LLRs. They are `bytes` bytes from `from` on. */
FECRUN_INLINE void seg_divide_chunk(const uint8_t *from, uint8_t *to, int64_t bytes, uint64_t c)
{
    const int64_t begin = fecrun_chunk_begin(to, 4, 4, c);
    uint32_t word = 0;

    if (begin >= bytes)
        return;
    FECRUN_UNROLL
    for (int i = 0; i < 4; i++)
        if (begin + i >= 0 && begin + i < bytes)
            word |= (uint32_t)from[begin + i] << 8 * i;
    fecrun_store_chunk(to, bytes, begin, word);
}

/* ---- The job --------------------------------------------------------------------------------- */

#ifndef __CUDACC__
static inline void seg_make_crc(struct crc_code *code, struct crc_lanes *lanes, uint32_t width,
                                uint32_t polynomial, uint32_t message)
{
    *code = (struct crc_code){.width = width, .polynomial = polynomial, .message = message};
    if (width)
        crc_make_lanes(lanes, code);
}

/* Makes the job of seg.split and seg.join. */
static inline void seg_make_job(struct seg_job *job, const struct seg_code *code)
{
    const struct seg_sizes *s = &code->sizes;

    *job = (struct seg_job){
        .front = code->front, .own = code->items - s->cb_crc, .blocks = s->blocks};
    seg_make_crc(&job->transport, &job->of_transport, s->tb_crc, code->tb_polynomial, s->a);
    seg_make_crc(&job->block, &job->of_block, s->cb_crc, code->cb_polynomial, job->own);
}
#endif

#endif
