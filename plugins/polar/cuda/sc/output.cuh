/* SPDX-License-Identifier: BSD-2-Clause */
/* From u of a warp's frames to their output and CRC, by way of its rows, which are nobody's then. */
#ifndef POLAR_CUDA_SC_OUTPUT_CUH
#define POLAR_CUDA_SC_OUTPUT_CUH

#include "plugins/polar/cuda/output.cuh"
#include "plugins/polar/cuda/sc/input.cuh"

/*
 * In the warp's rows: a thread's words of u, then of the output 32 bits of each frame at a time, the
 * first bit on top. One more word than frames, so that those of a frame lie in different banks.
 */
enum { SC_PUT_PITCH = 2 * SC_LANES + 1 };

FECRUN_ON_DEVICE uint32_t *sc_put_place(const struct sc_thread &me)
{
    return (uint32_t *)me.stage + (SC_LANES << me.stages >> 4);
}

struct sc_sink {
    uint32_t *to;
    uint32_t state[2]; /* of the CRC */
};

/* `bits` of 32 bits of each frame, the first one at the bottom; those behind them are 0. */
FECRUN_ON_DEVICE void sc_put_32(const struct polar_frames &f, const struct sc_thread &me,
                                struct sc_sink &sink, uint32_t first, uint32_t second,
                                uint32_t bits)
{
    uint32_t j = 0;

    first = __brev(first);
    second = __brev(second);
    sink.to[0] = first;
    sink.to[SC_LANES] = second;
    sink.to += SC_PUT_PITCH;
    if (!f.checked)
        return;
    POLAR_UNROLL_BY(1)
    for (; j + 8 <= bits; j += 8) {
        sink.state[0] = crc_byte(me.table, sink.state[0], first >> (24 - j));
        sink.state[1] = crc_byte(me.table, sink.state[1], second >> (24 - j));
    }
    POLAR_UNROLL_BY(1)
    for (; j < bits; j++) {
        sink.state[0] = crc_step(sink.state[0], f.polynomial, first >> (31 - j));
        sink.state[1] = crc_step(sink.state[1], f.polynomial, second >> (31 - j));
    }
}

/* The bits of the message to the lowest places of both lanes. */
FECRUN_ON_DEVICE uint32_t sc_pick(const struct polar_sc_pick &pick, uint32_t word)
{
    word &= pick.mask;
    if (pick.count == 16)
        return word;
    FECRUN_UNROLL
    for (int i = 0; i < 4; i++) {
        const uint32_t moved = word & pick.move[i];

        word = (word ^ moved) | moved >> (1 << i);
    }
    return word;
}

FECRUN_ON_DEVICE void sc_put_ordered(const struct polar_sc_job &job, const struct sc_thread &me,
                                     struct sc_sink &sink, const uint32_t *u)
{
    uint32_t first = 0, second = 0, have = 0;

    POLAR_UNROLL_BY(1)
    for (uint32_t j = 0; j < (1u << me.stages) / 16; j++) {
        const uint32_t count = job.pick[j].count;
        uint32_t word;

        if (count == 0)
            continue;
        word = sc_pick(job.pick[j], u[j * SC_LANES]);
        first |= (word & 0xffff) << have;
        second |= word >> 16 << have;
        have += count;
        if (have >= 32) {
            have -= 32;
            sc_put_32(job.frames, me, sink, first, second, 32);
            first = (word & 0xffff) >> (count - have);
            second = word >> 16 >> (count - have);
        }
    }
    if (have)
        sc_put_32(job.frames, me, sink, first, second, have);
}

FECRUN_ON_DEVICE void sc_put_any(const struct polar_sc_job &job, const struct sc_thread &me,
                                 struct sc_sink &sink, const uint32_t *u)
{
    const struct polar_frames &f = job.frames;

    POLAR_UNROLL_BY(1)
    for (uint32_t i = 0; i < f.k; i += 32) {
        const uint32_t bits = f.k - i < 32 ? f.k - i : 32;
        const uint32_t wanted = 0xffffffffu >> (32 - bits);
        const uint32_t low = polar_gather_16(f, u, SC_LANES, i);
        const uint32_t high = polar_gather_16(f, u, SC_LANES, i + 16);

        sc_put_32(f, me, sink, __brev(polar_bytes(high, low, 0x5410)) & wanted,
                  __brev(polar_bytes(high, low, 0x7632)) & wanted, bits);
    }
}

/* To the rows. Bit 0 and 1: the frames' CRC holds, or there is none. */
FECRUN_ON_DEVICE uint32_t sc_put(const struct polar_sc_job &job, const struct sc_thread &me)
{
    const struct polar_frames &f = job.frames;
    struct sc_sink sink = {sc_put_place(me) + me.lane, {f.crc_start, f.crc_start}};
    uint32_t *const u = (uint32_t *)me.stage + me.lane;

    POLAR_UNROLL_BY(4)
    for (uint32_t j = 0; j < (1u << me.stages) / 16; j++)
        sc_copy_4(u + j * SC_LANES, me.u + j * SC_LANES);
    sc_copies_end();
    sc_copies_wait<0>();
    if (job.ordered)
        sc_put_ordered(job, me, sink, u);
    else
        sc_put_any(job, me, sink, u);
    return !f.checked
               ? 3
               : (sink.state[0] == f.crc_rest) | (uint32_t)(sink.state[1] == f.crc_rest) << 1;
}

FECRUN_ON_DEVICE void sc_store_once(uint8_t *to, const uint32_t (&four)[4])
{
#ifdef __CUDA_ARCH__
    __stcs((uint4 *)to, make_uint4(four[0], four[1], four[2], four[3]));
#else
    fecrun_store_128(to, four);
#endif
}

/* 16 bits of a frame, or those that are left, one a byte: to an address that is a multiple of 16. */
FECRUN_ON_DEVICE void sc_store_16(const struct polar_frames &f, uint8_t *frame, uint32_t i,
                                  uint32_t word)
{
    uint32_t four[4];

    FECRUN_UNROLL
    for (uint32_t j = 0; j < 4; j++)
        four[j] = fecrun_expand_4(word >> (28 - 4 * j));
    if (i + 16 <= f.k) {
        sc_store_once(frame + i, four);
        return;
    }
    FECRUN_UNROLL
    for (uint32_t j = 0; j < 4; j++)
        fecrun_store_bytes(frame, f.k, i + 4 * j, four[j]);
}

/*
 * From the rows: lanes have neighbouring bits of a frame, so that stores fill sectors. `part` is a
 * reciprocal, exact for less than 4096 pieces with at most 64 a frame.
 */
FECRUN_ON_DEVICE void sc_flush(const struct polar_frames &f, const struct sc_thread &me)
{
    const uint32_t *const from = sc_put_place(me);
    const uint32_t frames = f.count - me.first < 2 * SC_LANES ? f.count - me.first : 2 * SC_LANES;
    const bool wide = !f.packed && ((uintptr_t)f.out | f.out_stride) % 16 == 0;
    const uint32_t size = wide ? 16 : 32, each = (f.k + size - 1) / size;
    const uint32_t part = (1u << 19) / each + 1;

    POLAR_UNROLL_BY(2)
    for (uint32_t piece = me.lane; piece < frames * each; piece += SC_LANES) {
        const uint32_t frame = piece * part >> 19, i = (piece - frame * each) * size;
        uint8_t *const to = f.out + (me.first + frame) * f.out_stride;
        const uint32_t word = from[i / 32 * SC_PUT_PITCH + frame % 2 * SC_LANES + frame / 2]
                              << i % 32;

        if (wide)
            sc_store_16(f, to, i, word);
        else
            polar_put_32(f, to, i, word, f.k - i < 32 ? f.k - i : 32);
    }
}

#endif
