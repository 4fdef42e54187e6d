/* SPDX-License-Identifier: BSD-2-Clause */
/* A warp's way through frames. */
#ifndef POLAR_CUDA_LIST_RUN_CUH
#define POLAR_CUDA_LIST_RUN_CUH

#include "plugins/polar/cuda/list_finish.cuh"
#include "plugins/polar/cuda/list_leaf.cuh"

/* Four LLRs as received, -128 made -127, from position p on; in front of the frame there are zeros. */
FECRUN_ON_DEVICE uint32_t list_receive(const int8_t *in, bool aligned, uint32_t p, uint32_t first)
{
    uint32_t word = 0, a, b;

    if (p < first)
        return 0;
    in += p - first;
    if (aligned)
        word = fecrun_load_32(in);
    else
        for (int i = 3; i >= 0; i--)
            word = word << 8 | (uint8_t)in[i];
    word ^= 0x80808080u;
    a = llr_of_bytes(word, 0x4140);
    b = llr_of_bytes(word, 0x4342);
    return llr_pack(llr_limited(a), llr_limited(b));
}

/* What all paths share. */
template <int L>
FECRUN_ON_DEVICE void list_begin(list_lane<L> &me, const struct polar_list_job &job, uint32_t frame)
{
    const struct polar_frames &f = job.frames;
    const int8_t *const in = f.in + frame * f.in_stride;
    const uint32_t words = (1u << job.stages) / 4;

    me.alpha = me.beta = me.bits = 0;
    me.metric = me.me ? LIST_NO_PATH : 0;
    POLAR_UNROLL_BY(4)
    for (uint32_t i = me.me; i < words; i += L)
        me.received[i] = list_receive(in, f.aligned, 4 * i, job.first);
    __syncwarp();
    if (job.stages > LIST_TOP_STAGE) {
        POLAR_UNROLL_BY(2)
        for (uint32_t i = me.me; i < 32; i += L) {
            uint32_t a[8], b[8];

            list_load_packed(me.received + 4 * i, a);
            list_load_packed(me.received + 4 * (32 + i), b);
            list_children<false, 8>(a, a, b, 0);
            list_store_packed(me.top + 4 * i, a);
        }
        __syncwarp();
    }
}

/* In two loads. */
FECRUN_ON_DEVICE struct polar_list_step list_step_at(const struct polar_list_step *from)
{
    const uint32_t what = fecrun_load_32(from), where = fecrun_load_32(&from->at);
    struct polar_list_step step;

    step.right = what & 255;
    step.stage = what >> 8 & 255;
    step.node = what >> 16 & 255;
    step.up = what >> 24;
    step.at = where & 0xffff;
    step.forks = where >> 16;
    return step;
}

template <int L>
FECRUN_ON_DEVICE void list_decode(list_lane<L> &me, const struct polar_list_job &job)
{
    struct polar_list_step next = list_step_at(job.step);

    POLAR_UNROLL_BY(1)
    for (uint32_t i = 0; i < job.n_steps; i++) {
        const struct polar_list_step step = next;

        next = list_step_at(job.step + (i + 1 < job.n_steps ? i + 1 : 0));
        if (step.node == NODE_SPLIT)
            list_to_child(me, step);
        else
            list_do_leaf(me, step, job.paths);
    }
}

template <int L> FECRUN_ON_DEVICE void list_run(const struct polar_list_job &job, uint32_t *shared)
{
    const uint32_t each = 32 / L, lane = threadIdx.x % 32, warps = blockDim.x / 32;
    const uint32_t warp = blockIdx.x * warps + threadIdx.x / 32;
    const uint32_t count = job.frame ? *job.n_frames : job.frames.count;
    list_lane<L> me;

    me.me = lane % L;
    me.group = lane - me.me;
    me.stages = job.stages;
    me.rows = shared + threadIdx.x / 32 * polar_list_rows(L, job.stages) * LIST_ROW;
    me.x = me.rows + polar_list_x_row(L) * LIST_ROW + me.group;
    me.rows += 4 * me.group;
    me.global = job.global + (size_t)warp * polar_list_global_rows(L) * LIST_ROW;
    me.received = me.global + LIST_GLOBAL_FRAMES * LIST_ROW + lane / L * LIST_FRAME_WORDS;
    me.top = me.received + 1024 / 4;
    me.global += 4 * me.group;
    POLAR_UNROLL_BY(1)
    for (uint32_t first = warp * each; first < count; first += gridDim.x * warps * each) {
        const uint32_t number = first + lane / L, last = number < count ? number : count - 1;
        const uint32_t frame = job.frame ? job.frame[last] : last;

        list_begin(me, job, frame);
        list_decode(me, job);
        list_finish(me, job, frame, number < count);
    }
}

#endif
