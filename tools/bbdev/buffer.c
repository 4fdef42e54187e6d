/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/bbdev/buffer.h"
#include "tools/bbdev/split.h"

#include <rte_byteorder.h>
#include <rte_mbuf.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

const uint8_t *bbdev_read(const struct rte_bbdev_op_data *data, uint32_t from, uint32_t bytes,
                          uint8_t *copy)
{
    const struct rte_mbuf *segment = data->data;
    uint64_t skip = (uint64_t)data->offset + from;
    uint32_t copied = 0;

    if (from > data->length || bytes > data->length - from)
        return NULL;
    for (; segment && skip >= segment->data_len && bytes; segment = segment->next)
        skip -= segment->data_len;
    if (!segment)
        return NULL;
    if (segment->data_len >= skip + bytes)
        return rte_pktmbuf_mtod_offset(segment, const uint8_t *, skip);
    for (; segment && copied < bytes; segment = segment->next, skip = 0) {
        const uint32_t here = segment->data_len - (uint32_t)skip;
        const uint32_t n = RTE_MIN(here, bytes - copied);

        memcpy(copy + copied, rte_pktmbuf_mtod_offset(segment, const uint8_t *, skip), n);
        copied += n;
    }
    return copied == bytes ? copy : NULL;
}

uint8_t *bbdev_reserve(struct rte_bbdev_op_data *data, uint32_t bytes)
{
    struct rte_mbuf *m = data->data;
    const uint64_t end = (uint64_t)data->offset + bytes;

    if (!m || end > UINT16_MAX || end + m->data_off > m->buf_len)
        return NULL;
    if (m->data_len < end) {
        m->pkt_len += (uint32_t)end - m->data_len;
        m->data_len = (uint16_t)end;
    }
    data->length = bytes;
    return rte_pktmbuf_mtod_offset(m, uint8_t *, data->offset);
}

/* Stores that go past the caches, in the order of what follows once they are fenced. */
static void stream(int8_t *to, const int8_t *from, size_t n)
{
#ifdef __SSE2__
    for (; n && (uintptr_t)to % 16; n--)
        *to++ = *from++;
    for (; n >= 16; n -= 16, to += 16, from += 16)
        _mm_stream_si128((__m128i *)to, _mm_loadu_si128((const __m128i *)from));
#endif
    memcpy(to, from, n);
}

static void fence(void)
{
#ifdef __SSE2__
    _mm_sfence();
#endif
}

static const struct split_away past_caches = {stream, fence};

void bbdev_deinterleave_plain(const int8_t *from, uint32_t n, unsigned qm, int8_t *to, int away)
{
    deinterleave(from, n, qm, to, away ? &past_caches : NULL);
}

static int has_avx512(void)
{
#ifdef HAVE_AVX512
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
#else
    return 0;
#endif
}

void bbdev_deinterleave(const int8_t *from, uint32_t n, unsigned qm, int8_t *to, int away)
{
    if (has_avx512())
        bbdev_deinterleave_avx512(from, n, qm, to, away);
    else
        bbdev_deinterleave_plain(from, n, qm, to, away);
}

static uint32_t six(int8_t llr)
{
    return (uint32_t)RTE_MIN(RTE_MAX(llr, -32), 31) & 63;
}

/* Four of them are three bytes; `n` of these are there, the others are 0. */
static void four_to_six(const int8_t *from, uint32_t n, uint8_t *to)
{
    uint32_t bits = 0;

    for (uint32_t i = 0; i < n; i++)
        bits |= six(from[i]) << (18 - 6 * i);
    for (uint32_t i = 0; i < bbdev_six_bytes(n); i++)
        to[i] = (uint8_t)(bits >> (16 - 8 * i));
}

void bbdev_to_six(const int8_t *from, uint32_t n, uint8_t *to)
{
    for (; n >= 4; n -= 4, from += 4, to += 3)
        four_to_six(from, 4, to);
    four_to_six(from, n, to);
}

static void four_from_six(const uint8_t *from, uint32_t n, int8_t *to)
{
    uint32_t bits = 0;

    for (uint32_t i = 0; i < bbdev_six_bytes(n); i++)
        bits |= (uint32_t)from[i] << (16 - 8 * i);
    /* The sign is moved to bit 5 of a number without one. */
    for (uint32_t i = 0; i < n; i++)
        to[i] = (int8_t)((int)((bits >> (18 - 6 * i) & 63) ^ 32) - 32);
}

void bbdev_from_six(const uint8_t *from, uint32_t n, int8_t *to)
{
    for (; n >= 4; n -= 4, from += 3, to += 4)
        four_from_six(from, 4, to);
    four_from_six(from, n, to);
}

/* Bits that are collected into bytes. */
struct bits {
    uint8_t *to;
    unsigned word, n;
};

static struct bits begin(uint8_t *to, uint32_t at)
{
    to += at / 8;
    at %= 8;
    return (struct bits){to, at ? (unsigned)*to >> (8 - at) : 0, at};
}

static inline void put(struct bits *bits, unsigned bit)
{
    bits->word = bits->word << 1 | bit;
    if (++bits->n == 8) {
        *bits->to++ = (uint8_t)bits->word;
        bits->n = bits->word = 0;
    }
}

static void end(struct bits *bits)
{
    if (bits->n)
        *bits->to = (uint8_t)(bits->word << (8 - bits->n));
}

/* Adds 8 n bytes of 0 or 1. */
static void pack_bytes(struct bits *bits, const uint8_t *from, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        uint64_t eight;
        unsigned byte;

        memcpy(&eight, from + i * 8, 8);
        /* Each byte's bit comes to its place in the highest byte of the product, the first one highest. */
        byte = (unsigned)(rte_le_to_cpu_64(eight) * 0x8040201008040201u >> 56);
        bits->word = bits->word << 8 | byte;
        *bits->to++ = (uint8_t)(bits->word >> bits->n);
        bits->word &= (1u << bits->n) - 1;
    }
}

/* With a constant qm this becomes vectors. */
static inline void interleave(const uint8_t *restrict from, uint32_t rows, uint32_t n,
                              const unsigned qm, uint8_t *restrict to)
{
    for (uint32_t j = 0; j < n; j++)
        for (unsigned i = 0; i < qm; i++)
            to[j * qm + i] = from[i * rows + j];
}

static void interleave_by(const uint8_t *from, uint32_t rows, uint32_t n, unsigned qm, uint8_t *to)
{
    switch (qm) {
    case 2:
        interleave(from, rows, n, 2, to);
        break;
    case 4:
        interleave(from, rows, n, 4, to);
        break;
    case 6:
        interleave(from, rows, n, 6, to);
        break;
    case 8:
        interleave(from, rows, n, 8, to);
        break;
    default:
        interleave(from, rows, n, qm, to);
    }
}

void bbdev_pack(const uint8_t *from, uint32_t n, unsigned qm, uint8_t *to, uint32_t at)
{
    const uint32_t rows = n / qm;
    struct bits bits = begin(to, at);

    for (uint32_t j = 0; j < rows; j += PIECE) {
        const uint32_t m = RTE_MIN(rows - j, (uint32_t)PIECE), items = m * qm;
        uint8_t piece[PIECE * MOST_QM];
        const uint8_t *bytes = from + j;

        if (qm > 1) {
            interleave_by(from + j, rows, m, qm, piece);
            bytes = piece;
        }
        pack_bytes(&bits, bytes, items / 8);
        for (uint32_t i = items / 8 * 8; i < items; i++)
            put(&bits, bytes[i]);
    }
    end(&bits);
}

void bbdev_copy_bits(const uint8_t *from, uint32_t n, uint8_t *to, uint32_t at)
{
    struct bits bits;

    if (at % 8 == 0) {
        memcpy(to + at / 8, from, (n + 7) / 8);
        if (n % 8)
            to[(at + n) / 8] &= (uint8_t)(0xff00u >> n % 8);
        return;
    }
    bits = begin(to, at);
    for (uint32_t i = 0; i < n; i++)
        put(&bits, from[i / 8] >> (7 - i % 8) & 1);
    end(&bits);
}
