/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks of bits into shared memory and out of it: one lane of a pair's windows. */
#ifndef TURBO_CUDA_WINDOWS_FRAME_CUH
#define TURBO_CUDA_WINDOWS_FRAME_CUH

#include "plugins/turbo/code/apriori.h"
#include "plugins/turbo/code/trellis.h"
#include "plugins/turbo/cuda/windows/half_iteration.cuh"

enum { WIN_NONE = 0xffffffffu };

/* ---- in
   --------------------------------------------------------------------------------------- */

struct win_source {
    const int8_t *word; /* d0 d1 d2 */
    uint32_t k, fillers;
    const float *apriori; /* LLRs of the bits beforehand, k - fillers; NULL: none */
    float apriori_unit;
};

/* A frame of a job. */
WIN_FN struct win_source win_source_of(const struct turbo_windows_job &job,
                                       const struct turbo_windows_class &c, uint32_t frame)
{
    const uint64_t offset = job.in_offset ? job.in_offset[frame] : frame * job.in_stride;
    struct win_source from = {job.in + offset, c.k, c.fillers, NULL, job.apriori_unit};

    if (job.apriori)
        from.apriori = (const float *)((const char *)job.apriori +
                                       (job.apriori_offset ? job.apriori_offset[frame]
                                                           : frame * job.apriori_stride));
    return from;
}

/* Four LLRs plus 128, as bytes; -128 is read as -127. */
WIN_FN uint32_t win_four(uint32_t x)
{
    const uint32_t y = x ^ 0x80808080u; /* 0 for -128, which becomes 1 */

    return y + ((~(((y & 0x7f7f7f7fu) + 0x7f7f7f7fu) | y) & 0x80808080u) >> 7);
}

enum { WIN_AT_ONCE = 12 }; /* words that are on their way together */

/* This thread's window of a stream, in one lane. */
template <class Decoder, unsigned STREAM>
WIN_FN void win_load_stream(const struct win_thread &me, const struct win_source &from,
                            unsigned lane)
{
    const int8_t *const x = from.word + turbo_item(from.k, STREAM, me.window * me.steps);
    uint32_t k = 0;

    if ((((uintptr_t)x) & 3) == 0) {
        WIN_NO_UNROLL
        for (; k + 4 * WIN_AT_ONCE <= me.steps; k += 4 * WIN_AT_ONCE) {
            uint32_t four[WIN_AT_ONCE];

            WIN_UNROLL
            for (uint32_t i = 0; i < WIN_AT_ONCE; i++)
                four[i] = ((const uint32_t *)x)[k / 4 + i];
            WIN_UNROLL
            for (uint32_t i = 0; i < WIN_AT_ONCE; i++) {
                const uint32_t bytes = win_four(four[i]);

                WIN_UNROLL
                for (unsigned e = 0; e < 4; e++)
                    Decoder::put_item(me, STREAM, k + 4 * i + e, lane, bytes >> 8 * e & 0xff);
            }
        }
    }
    WIN_PRAGMA_4
    for (; k < me.steps; k++)
        Decoder::put_item(me, STREAM, k, lane, win_four((uint8_t)x[k]) & 0xff);
}

/* Known zeros, whatever arrived; the first encoder makes zeros of them, too. */
template <class Decoder>
WIN_FN void win_fill(const struct win_thread &me, const struct win_source &from, unsigned lane)
{
    const uint32_t first = me.window * me.steps;

    for (uint32_t k = 0; k < me.steps && first + k < from.fillers; k++) {
        Decoder::put_item(me, 0, k, lane, 255);
        Decoder::put_item(me, 1, k, lane, 255);
    }
}

/* The bits' LLRs again, now with what was known of them before. */
template <class Decoder>
WIN_FN void win_join(const struct win_thread &me, const struct win_source &from, unsigned lane)
{
    if (!from.apriori)
        return;
    WIN_NO_UNROLL
    for (uint32_t k = 0; k < me.steps; k++) {
        const uint32_t i = me.window * me.steps + k;

        if (i >= from.fillers)
            Decoder::put_item(me, 0, k, lane,
                              128u + (uint32_t)turbo_joint(from.word[i],
                                                           from.apriori[i - from.fillers],
                                                           from.apriori_unit));
    }
}

template <class Decoder>
WIN_FN void win_load(const struct win_thread &me, const struct win_source &from, unsigned lane)
{
    win_load_stream<Decoder, 0>(me, from, lane);
    win_load_stream<Decoder, 1>(me, from, lane);
    win_load_stream<Decoder, 2>(me, from, lane);
    win_fill<Decoder>(me, from, lane);
    win_join<Decoder>(me, from, lane);
    Decoder::load_borders(me, from, lane);
}

/* Behind the last step of an encoder: one path of three steps leads from each state to state 0. */
WIN_FN int win_tail(const struct win_source &from, unsigned encoder, unsigned state)
{
    int sum = 0;

    WIN_UNROLL
    for (unsigned t = 0; t < TURBO_TAIL; t++) {
        const unsigned u = turbo_tail_input(state), z = turbo_parity(state, u);
        const int x = from.word[turbo_tail_x(from.k, encoder, t)];
        const int y = from.word[turbo_tail_z(from.k, encoder, t)];

        sum += (u ? 0 : x < -127 ? -127 : x) + (z ? 0 : y < -127 ? -127 : y);
        state = turbo_next(state, u);
    }
    return sum;
}

/* Word of a block of bits that somebody is going to need, from memory into the second level
   cache. */
WIN_FN void win_prefetch(const struct win_thread &me, const struct win_source &from)
{
    const uint32_t line = 128, bytes = turbo_word(from.k);

    for (uint32_t i = line * me.window; i < bytes; i += line * me.windows)
        prefetch(from.word + i);
}

/* ---- out
   -------------------------------------------------------------------------------------- */

/* Up to 16 decisions of a lane's block of steps, from bit 15 down. */
WIN_FN uint32_t win_decided(const struct win_thread &me, uint32_t block, uint32_t thread,
                            unsigned lane)
{
    return at<uint16_t>(win_shared, me.at.bits + 4 * (block * WIN_THREADS + thread) + 2 * lane);
}

/* Bit i of the block of bits. */
WIN_FN uint32_t win_bit(const struct win_thread &me, uint32_t i, unsigned lane)
{
    const uint32_t window = i / me.steps, k = i - window * me.steps;
    const uint32_t thread = me.slot * me.windows + window;

    return win_decided(me, k / WIN_BLOCK, thread, lane) >> (15 - k % WIN_BLOCK) & 1;
}

/* Eight of them; i and the windows begin on bytes. */
WIN_FN uint32_t win_byte(const struct win_thread &me, uint32_t i, unsigned lane)
{
    const uint32_t window = i / me.steps, k = i - window * me.steps;
    const uint32_t thread = me.slot * me.windows + window;

    return win_decided(me, k / WIN_BLOCK, thread, lane) >> (8 - k % WIN_BLOCK) & 0xff;
}

/* Windows of whole half words that lie on such: each thread has its own. */
WIN_FN void win_store_windows(const struct win_thread &me, unsigned lane, uint8_t *out)
{
    for (uint32_t block = 0; block < me.blocks; block++) {
        const uint32_t bits = win_decided(me, block, me.thread, lane);

        at<uint16_t>((char *)out, (me.window * me.steps + block * WIN_BLOCK) /
                                      8) = (uint16_t)select_bytes(bits, 0, 0x4401);
    }
}

/* By all threads of the pair. */
WIN_FN void win_store(const struct win_thread &me, uint32_t k, uint32_t fillers, unsigned lane,
                      bool packed, uint8_t *out)
{
    const uint32_t bits = k - fillers;
    const bool bytes = (me.steps | fillers) % 8 == 0;

    if (!packed) {
        for (uint32_t i = me.window; i < bits; i += me.windows)
            out[i] = (uint8_t)win_bit(me, fillers + i, lane);
        return;
    }
    if (fillers == 0 && me.steps % WIN_BLOCK == 0 && ((uintptr_t)out & 1) == 0) {
        win_store_windows(me, lane, out);
        return;
    }
    for (uint32_t i = me.window; 8 * i < bits; i += me.windows) {
        uint32_t byte = 0;

        if (bytes)
            byte = win_byte(me, fillers + 8 * i, lane);
        else
            for (uint32_t n = 8 * i; n < 8 * i + 8; n++)
                byte = byte << 1 | (n < bits ? win_bit(me, fillers + n, lane) : 0);
        out[i] = (uint8_t)byte;
    }
}

/* ---- CRC
   -------------------------------------------------------------------------------------- */

/*
 * Remainders stand in the upper 24 bits of a word. That of a block of bits is the sum of those of
 * its windows times x^(bits behind them).
 */
WIN_FN uint32_t win_crc_times_x(uint32_t r, uint32_t polynomial)
{
    return r << 1 ^ ((int32_t)r < 0 ? polynomial << 8 : 0);
}

WIN_FN void win_make_crc_table(uint32_t polynomial, uint32_t thread)
{
    for (uint32_t i = thread; i < 256; i += WIN_THREADS) {
        uint32_t r = i << 24;

        for (unsigned n = 0; n < 8; n++)
            r = win_crc_times_x(r, polynomial);
        at<uint32_t>(win_shared, WIN_CRC(WIN_THREADS) + 4 * i) = r;
    }
}

/* r times q. */
WIN_FN uint32_t win_crc_product(uint32_t r, uint32_t q, uint32_t polynomial)
{
    uint32_t sum = 0;

    WIN_UNROLL
    for (unsigned n = 0; n < 24; n++) { /* from the lowest coefficient of r */
        sum ^= r >> (8 + n) & 1 ? q : 0;
        q = win_crc_times_x(q, polynomial);
    }
    return sum;
}

/* x^n. */
WIN_FN uint32_t win_crc_power(uint32_t n, uint32_t polynomial)
{
    uint32_t r = 1u << 8;

    WIN_NO_UNROLL
    for (int i = 12; i >= 0; i--) {
        r = win_crc_product(r, r, polynomial);
        if (n >> i & 1)
            r = win_crc_times_x(r, polynomial);
    }
    return r;
}

/* Of this thread's window; x^24 that a CRC has more is left out, it does not make a 0 of
   another. */
WIN_FN uint32_t win_crc_window(const struct win_thread &me, unsigned lane, uint32_t polynomial)
{
    uint32_t r = 0;

    WIN_NO_UNROLL
    for (uint32_t k = 0; k < me.steps; k += 8) {
        const uint32_t word = win_decided(me, k / WIN_BLOCK, me.thread, lane);
        const uint32_t byte = word >> (8 - k % WIN_BLOCK) & 0xff;

        if (k + 8 <= me.steps) {
            r = r << 8 ^ at<uint32_t>(win_shared, WIN_CRC(WIN_THREADS) + 4 * (r >> 24 ^ byte));
        } else {
            for (uint32_t n = 7; n >= 8 - (me.steps - k); n--) {
                r ^= byte >> n << 31;
                r = win_crc_times_x(r, polynomial);
            }
        }
    }
    return r;
}

#endif
