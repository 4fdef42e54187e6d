/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The loop of blocks of float metrics that need no care. Its body is half a block: with eight steps the
 * code would not fit the instruction cache.
 */
#ifndef VITERBI_CUDA_REGISTERS_FLOAT_RUN_CUH
#define VITERBI_CUDA_REGISTERS_FLOAT_RUN_CUH

#include "plugins/viterbi/cuda/registers/trace.cuh"

enum { REGISTERS_FLOAT_STEPS = 4 };

/* LLRs of half a block, as they lie in memory. */
template <class Code> struct registers_float_window {
    static constexpr int WORDS = REGISTERS_FLOAT_STEPS * Code::N;
    uint32_t word[WORDS];
};

template <class Code>
static REGISTERS_FN void registers_float_fetch(registers_float_window<Code> *w, const uint8_t *at)
{
    constexpr int WORDS = registers_float_window<Code>::WORDS;

    static_assert(WORDS % 4 == 0, "whole pieces of 16 bytes");
    if (((uintptr_t)at & 15) == 0) {
#pragma unroll
        for (int i = 0; i < WORDS / 4; i++) {
            const uint4 x = registers_read((const uint4 *)at + i);
            w->word[4 * i] = x.x;
            w->word[4 * i + 1] = x.y;
            w->word[4 * i + 2] = x.z;
            w->word[4 * i + 3] = x.w;
        }
    } else {
#pragma unroll
        for (int i = 0; i < WORDS; i++)
            w->word[i] = ((const uint32_t *)at)[i];
    }
}

/* Half a block; mine: the place of its first step's signs. renew: its step REGISTERS_FLOAT_BEGIN is
 * one at which state 0's metric is taken away. */
template <class Code>
static REGISTERS_FN void registers_float_half(const registers_job &job, uint32_t *m, uint8_t *mine,
                                              const registers_float_window<Code> &w, bool renew)
{
#pragma unroll
    for (int t = 0; t < REGISTERS_FLOAT_STEPS; t++) {
        const float llr[2] = {registers_clean(registers_float(w.word[2 * t])),
                              registers_clean(registers_float(w.word[2 * t + 1]))};
        uint32_t n[Code::S];
        registers_signs signs;

        if (t == REGISTERS_FLOAT_BEGIN)
            signs = registers_float_step<Code, true>(m, n, llr, job.swapped, renew);
        else
            signs = registers_float_step<Code, false>(m, n, llr, job.swapped, false);
        registers_keep_signs<Code>(mine, t, signs);
#pragma unroll
        for (int s = 0; s < Code::S; s++)
            m[s] = n[s];
    }
}

/* Blocks [block, to). */
template <class Code, int KIND>
static REGISTERS_FN void registers_float_run(const registers_job &job, const registers_tile *tile,
                                             uint32_t block, uint32_t to, uint8_t *mine,
                                             uint32_t *slot, uint32_t *m, const uint32_t *last,
                                             registers_collector<lanes_float> *out)
{
    constexpr uint32_t HALF = REGISTERS_FLOAT_STEPS * registers_ring<Code, lanes_float>::CHUNK;
    const uint8_t *at = tile->llr + (tile->first + 8 * (int64_t)block) * Code::N * 4;
    registers_float_window<Code> next;

    registers_float_fetch<Code>(&next, at);
#pragma unroll 1
    for (uint32_t half = 2 * block; half < 2 * to; half++) {
        const registers_float_window<Code> now = next;
        const uint32_t since = 4 * half + REGISTERS_FLOAT_BEGIN - tile->begin;

        at += 4 * registers_float_window<Code>::WORDS;
        if (half + 1 < 2 * to)
            registers_float_fetch<Code>(&next, at);
        registers_float_half<Code>(
            job, m, mine + *slot * registers_ring<Code, lanes_float>::BLOCK + half % 2 * HALF, now,
            since % VITERBI_RENEW == 0);
        if (half % 2) {
            registers_put_due<Code, lanes_float, KIND>(job, tile, half / 2, mine, *slot, m, last,
                                                       out);
            *slot = *slot + 1 == job.ring ? 0 : *slot + 1;
        }
    }
}

#endif
