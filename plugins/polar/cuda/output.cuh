/* SPDX-License-Identifier: BSD-2-Clause */
/* From the bits of u to the output of two frames, and their CRC. */
#ifndef POLAR_CUDA_OUTPUT_CUH
#define POLAR_CUDA_OUTPUT_CUH

#include "plugins/polar/cuda/frames.h"
#include "plugins/polar/cuda/halves.cuh"

/* Bits i .. i + 15 of both frames; the first one in the highest place of a lane. */
FECRUN_ON_DEVICE uint32_t polar_gather_16(const struct polar_frames &f, const uint32_t *u,
                                          uint32_t stride, uint32_t i)
{
    uint32_t position[8], out = 0;

    fecrun_load_128(position, f.position + i);
    fecrun_load_128(position + 4, f.position + i + 8);
    FECRUN_UNROLL
    for (int j = 0; j < 16; j++) {
        const uint32_t at = position[j / 2] >> 16 * (j % 2) & 0xffff;

        out = out << 1 | (u[at / 16 * stride] >> at % 16 & 0x00010001u);
    }
    return out;
}

/* `bits` of the 32, the first one on top, at bit i of a frame; i is a multiple of 32. */
FECRUN_ON_DEVICE void polar_put_32(const struct polar_frames &f, uint8_t *frame, uint32_t i,
                                   uint32_t word, uint32_t bits)
{
    if (f.packed) {
        uint8_t *const to = frame + i / 8;

        if (bits == 32 && ((uintptr_t)to & 3) == 0)
            fecrun_store_32(to, fecrun_swap(word));
        else
            fecrun_store_bytes(to, (bits + 7) / 8, 0, fecrun_swap(word));
        return;
    }
    for (uint32_t j = 0; j < bits; j += 4) {
        const uint32_t four = fecrun_expand_4(word >> (28 - j));

        if (j + 4 <= bits && ((uintptr_t)frame & 3) == 0)
            fecrun_store_32(frame + i + j, four);
        else
            fecrun_store_bytes(frame + i + j, bits - j, 0, four);
    }
}

FECRUN_ON_DEVICE uint32_t polar_crc_word(const struct polar_frames &f, uint32_t state,
                                         uint32_t word, uint32_t bits)
{
    uint32_t j = 0;

    for (; j + 8 <= bits; j += 8)
        state = crc_byte(f.crc_table, state, word >> (24 - j));
    for (; j < bits; j++)
        state = crc_step(state, f.polynomial, word >> (31 - j));
    return state;
}

/* The frames `frame` and, if it is one, the next. Bit 0 and 1: their CRC holds, or there is none. */
FECRUN_ON_DEVICE uint32_t polar_put_pair(const struct polar_frames &f, uint32_t *u, uint32_t stride,
                                         uint32_t frame)
{
    uint8_t *const first = f.out + frame * f.out_stride;
    uint32_t state[2] = {f.crc_start, f.crc_start};

    POLAR_UNROLL_BY(1)
    for (uint32_t i = 0; i < f.k; i += 32) {
        const uint32_t bits = f.k - i < 32 ? f.k - i : 32;
        const uint32_t wanted = 0xffffffffu << (32 - bits);
        const uint32_t one = polar_gather_16(f, u, stride, i);
        const uint32_t two = polar_gather_16(f, u, stride, i + 16);

        FECRUN_UNROLL
        for (unsigned lane = 0; lane < 2; lane++) {
            const uint32_t word = polar_bytes(two, one, lane ? 0x7632 : 0x5410) & wanted;

            if (f.checked)
                state[lane] = polar_crc_word(f, state[lane], word, bits);
            if (frame + lane < f.count)
                polar_put_32(f, first + lane * f.out_stride, i, word, bits);
        }
    }
    return !f.checked ? 3 : (state[0] == f.crc_rest) | (uint32_t)(state[1] == f.crc_rest) << 1;
}

FECRUN_ON_DEVICE void polar_say_of(const struct polar_frames &f, struct fecrun_frame_info *info,
                                   bool good)
{
    info->iterations = f.iterations;
    if (f.checked)
        info->flags = (info->flags & ~(uint32_t)FECRUN_FRAME_FAILED) | FECRUN_FRAME_CHECKED |
                      (good ? 0 : (uint32_t)FECRUN_FRAME_FAILED);
}

FECRUN_ON_DEVICE void polar_say(const struct polar_frames &f, uint32_t frame, bool good)
{
    polar_say_of(f, &f.info[frame], good);
}

#endif
