/* SPDX-License-Identifier: BSD-2-Clause */
/* A warp's way through frames, and which path it puts out. */
#ifndef POLAR_CUDA_LIST_RUN_CUH
#define POLAR_CUDA_LIST_RUN_CUH

#include "plugins/polar/cuda/list_leaf.cuh"
#include "plugins/polar/cuda/output.cuh"

template <int L>
FECRUN_ON_DEVICE void list_begin(list_lane<L> &me, const struct polar_frames &f, uint32_t frame)
{
    me.in = f.in + frame * f.in_stride;
    me.near = me.far = me.beta = 0;
    me.bits = 0;
    me.metric = me.me ? LIST_NO_PATH : 0;
}

template <int L>
FECRUN_ON_DEVICE void list_decode(list_lane<L> &me, const struct polar_list_job &job)
{
    POLAR_UNROLL_BY(1)
    for (uint32_t i = 0; i < job.n_steps; i++) {
        const struct polar_list_step step = job.step[i];

        if (step.op == LIST_LEAF)
            list_leaf(me, step, job.paths);
        else if (step.op == LIST_F)
            list_to_child<false>(me, step.stage, step.at);
        else if (step.op == LIST_G)
            list_to_child<true>(me, step.stage, step.at);
        else
            list_combine(me, step.stage, step.at);
    }
}

/* The lane's x becomes u. */
template <int L> FECRUN_ON_DEVICE void list_transform(list_lane<L> &me)
{
    const uint32_t rows = (1u << me.stages) / 32;

    POLAR_UNROLL_BY(4)
    for (uint32_t row = 0; row < rows; row++) {
        uint32_t word = *list_at(me, me.x_row + row, me.me);

        word ^= word >> 16;
        word ^= word >> 1 & 0x55555555u;
        word ^= word >> 2 & 0x33333333u;
        word ^= word >> 4 & 0x0f0f0f0fu;
        word ^= word >> 8 & 0x00ff00ffu;
        *list_at(me, me.x_row + row, me.me) = word;
    }
    POLAR_UNROLL_BY(1)
    for (uint32_t h = 1; h < rows; h *= 2) {
        POLAR_UNROLL_BY(4)
        for (uint32_t n = 0; n < rows / 2; n++) {
            const uint32_t row = me.x_row + 2 * n - (n & (h - 1));

            *list_at(me, row, me.me) ^= *list_at(me, row + h, me.me);
        }
    }
}

/* Up to 32 bits of the message, the first one on top. */
template <int L>
FECRUN_ON_DEVICE uint32_t list_gather(const list_lane<L> &me, const uint16_t *position,
                                      uint32_t bits)
{
    uint32_t word = 0;

    FECRUN_UNROLL
    for (uint32_t j = 0; j < 32; j += 8) {
        uint32_t two[4];

        fecrun_load_128(two, position + j);
        FECRUN_UNROLL
        for (uint32_t k = 0; k < 8; k++) {
            const uint32_t at = two[k / 2] >> 16 * (k % 2) & 0xffff;
            const uint32_t u = *list_at(me, me.x_row + at / 32, me.me);

            word = word << 1 | (u >> (at % 32 / 2 + 16 * (at % 2)) & 1);
        }
    }
    return word & LIST_ALL << (32 - bits);
}

/* The message to the rows of LLRs, which nobody wants any more. Does its CRC hold? */
template <int L>
FECRUN_ON_DEVICE bool list_message(const list_lane<L> &me, const struct polar_frames &f)
{
    uint32_t state = f.crc_start;

    POLAR_UNROLL_BY(1)
    for (uint32_t i = 0; i < f.k; i += 32) {
        const uint32_t bits = f.k - i < 32 ? f.k - i : 32;
        const uint32_t word = list_gather(me, f.position + i, bits);

        if (f.checked)
            state = polar_crc_word(f, state, word, bits);
        *list_at(me, i / 32, me.me) = word;
    }
    return f.checked && state == f.crc_rest;
}

template <int L>
FECRUN_ON_DEVICE void list_finish(list_lane<L> &me, const struct polar_frames &f, uint32_t frame,
                                  bool wanted)
{
    uint32_t key, best;
    bool good;

    list_transform(me);
    good = list_message(me, f);
    __syncwarp(); /* the best path's message is for all lanes */
    key = me.metric << 4 | me.me;
    if (!good || me.metric >= LIST_NO_PATH)
        key |= 1u << 31;
    best = key;
    FECRUN_UNROLL
    for (int distance = L / 2; distance; distance /= 2)
        best = list_exchange(best, distance, true);
    good = !(best >> 31);
    if (wanted) {
        POLAR_UNROLL_BY(1)
        for (uint32_t i = me.me; 32 * i < f.k; i += L)
            polar_put_32(f, f.out + frame * f.out_stride, 32 * i, *list_at(me, i, best & 15),
                         f.k - 32 * i < 32 ? f.k - 32 * i : 32);
        if (me.me == 0)
            polar_say(f, frame, good);
    }
    __syncwarp();
}

template <int L> FECRUN_ON_DEVICE void list_run(const struct polar_list_job &job, uint32_t *shared)
{
    const struct polar_frames &f = job.frames;
    const uint32_t each = 32 / L, lane = threadIdx.x % 32, warps = blockDim.x / 32;
    const uint32_t warp = blockIdx.x * warps + threadIdx.x / 32;
    const uint32_t count = job.frame ? *job.n_frames : f.count;
    list_lane<L> me;

    me.rows = shared + threadIdx.x / 32 * polar_list_rows(L, job.stages) * LIST_ROW;
    me.global = job.global + (size_t)warp * LIST_GLOBAL_ROWS * LIST_ROW;
    me.aligned = f.aligned;
    me.stages = job.stages;
    me.first = job.first;
    me.x_row = polar_list_x_row(L);
    me.me = lane % L;
    me.group = lane - me.me;
    POLAR_UNROLL_BY(1)
    for (uint32_t first = warp * each; first < count; first += gridDim.x * warps * each) {
        const uint32_t number = first + lane / L, last = number < count ? number : count - 1;
        const uint32_t frame = job.frame ? job.frame[last] : last;

        list_begin(me, f, frame);
        list_decode(me, job);
        list_finish(me, f, frame, number < count);
    }
}

#endif
