/* SPDX-License-Identifier: BSD-2-Clause */
/* A warp's way through frames. */
#ifndef POLAR_CUDA_LIST_RUN_CUH
#define POLAR_CUDA_LIST_RUN_CUH

#include "plugins/polar/cuda/list/finish.cuh"
#include "plugins/polar/cuda/list/leaf.cuh"

/* 16 bytes that the cache need not keep. */
FECRUN_ON_DEVICE void list_load_once(uint32_t (&word)[4], const void *from)
{
#ifdef __CUDA_ARCH__
    const uint4 x = __ldcs((const uint4 *)from);

    word[0] = x.x, word[1] = x.y, word[2] = x.z, word[3] = x.w;
#else
    fecrun_load_128(word, from);
#endif
}

/* Four LLRs as received, -128 made -127. */
FECRUN_ON_DEVICE uint32_t list_receive(uint32_t word)
{
    word ^= 0x80808080u;
    return llr_pack(llr_limited(llr_of_bytes(word, 0x4140)),
                    llr_limited(llr_of_bytes(word, 0x4342)));
}

/* 16 of them; in front of the frame there are zeros. */
FECRUN_ON_DEVICE void list_receive_16(uint32_t *to, const int8_t *in, bool aligned, bool any)
{
    uint32_t word[4] = {0};

    if (any && aligned) {
        list_load_once(word, in);
    } else if (any) {
        POLAR_UNROLL_BY(1)
        for (int i = 0; i < 16; i++)
            word[i / 4] |= (uint32_t)(uint8_t)in[i] << 8 * (i % 4);
    }
    FECRUN_UNROLL
    for (int i = 0; i < 4; i++)
        word[i] = list_receive(word[i]);
    fecrun_store_128(to, word);
}

/* What all paths share. */
template <int L, bool ALONE>
FECRUN_ON_DEVICE void list_begin(list_lane<L, ALONE> &me, const struct polar_list_job &job,
                                 const int8_t *in)
{
    const bool aligned = ((uintptr_t)in & 15) == 0;
    const uint32_t size = 1u << job.stages;

    me.alpha = me.beta = me.bits = 0;
    me.metric = me.me ? LIST_NO_PATH : 0;
    POLAR_UNROLL_BY(2)
    for (uint32_t p = 16 * (me.part * L + me.me); p < size; p += 16 * me.parts * L)
        list_receive_16(me.received + p / 4, in + p - job.first, aligned, p >= job.first);
    __syncwarp();
    if (job.stages >= LIST_TOP_STAGES) {
        POLAR_UNROLL_BY(1)
        for (uint32_t p = 16 * (me.part * L + me.me); p < size / 2; p += 16 * me.parts * L) {
            uint32_t a[8], b[8];

            list_load_packed(me.received + p / 4, a);
            list_load_packed(me.received + me.half + p / 4, b);
            list_children<false, 8>(a, a, b, 0);
            list_store_packed(me.top + p / 4, a);
        }
        __syncwarp();
    }
}

FECRUN_ON_DEVICE struct polar_list_step list_step_of(const uint32_t (&next)[4])
{
    const uint32_t word[4] = {list_uniform(next[0]), list_uniform(next[1]), list_uniform(next[2]),
                              next[3]};
    struct polar_list_step step;

    step.right = word[0] & 255;
    step.stage = word[0] >> 8 & 255;
    step.node = word[0] >> 16 & 255;
    step.stored = word[0] >> 24;
    step.at = word[1] & 0xffff;
    step.forks = word[1] >> 16;
    step.near = word[2] & 255;
    step.far = word[2] >> 8 & 255;
    step.left = word[2] >> 16 & 255;
    step.place = word[2] >> 24;
    step.places = word[3];
    return step;
}

/* The block's warps wait for each other now and then: where all are at the same steps, they find the
   instructions in the caches, which are too small for all of them. */
template <int L, bool ALONE> FECRUN_ON_DEVICE void list_meet(const list_lane<L, ALONE> &me)
{
    if (me.threads == 32)
        return;
#ifdef __CUDA_ARCH__
    asm volatile("bar.sync 1, %0;" : : "r"(me.threads) : "memory");
#else
    emu_barrier(1, me.threads);
#endif
}

enum { LIST_MEET_STAGE = 7 };

template <int L, bool ALONE>
FECRUN_ON_DEVICE void list_decode(list_lane<L, ALONE> &me, const struct polar_list_job &job)
{
    uint32_t next[4];

    fecrun_load_128(next, job.step);
    POLAR_UNROLL_BY(1)
    for (uint32_t i = 0; i < job.n_steps; i++) {
        const struct polar_list_step step = list_step_of(next);
        uint32_t a[8];

        fecrun_load_128(next, job.step + (i + 1 < job.n_steps ? i + 1 : 0));
        if (step.stage < 5)
            list_get_small(me, step, a);
        if (step.stored) {
            if (step.stage < 5)
                list_put_small(me, step.stage, a);
            else if (step.stored != LIST_STORED_BEFORE) {
                if (step.stage >= LIST_MEET_STAGE)
                    list_meet(me);
                list_to_child(me, step);
            }
            me.alpha = list_point<L>(me.alpha, step.stage - 1u, me.me);
            __syncwarp();
        }
        if (step.node != NODE_SPLIT) {
            list_do_leaf(me, step, a, job.paths, job.parity);
            __syncwarp(); /* LLRs that others have read may be overwritten */
        }
    }
}

/* Few frames are spread over all blocks: threads of this block's warps that have one, of `left` frames from its first one on. */
FECRUN_ON_DEVICE uint32_t list_threads(uint32_t left, uint32_t each)
{
    const uint32_t warps = (left + gridDim.x * each - 1) / (gridDim.x * each);

    return 32 * warps < blockDim.x ? 32 * warps : blockDim.x;
}

/* The compiler would compute these again wherever they are wanted; what a shuffle says it keeps. */
FECRUN_ON_DEVICE uint32_t list_keep(uint32_t x)
{
    return __shfl_sync(LIST_ALL, x, (int)(threadIdx.x % 32));
}

FECRUN_ON_DEVICE uint32_t *list_keep_shared(uint32_t *p)
{
#ifdef __CUDA_ARCH__
    return (uint32_t *)__cvta_shared_to_generic(list_keep((uint32_t)__cvta_generic_to_shared(p)));
#else
    return p;
#endif
}

/* rows: of shared memory, for each warp of a block; global: for each of the grid. */
struct list_memory {
    uint32_t *shared, *global;
    uint32_t rows, global_rows;
};

template <int L, bool ALONE>
FECRUN_ON_DEVICE list_lane<L, ALONE> list_start(uint32_t stages, const struct list_memory &memory,
                                                uint32_t warp)
{
    const uint32_t lane = threadIdx.x % 32, slot = ALONE ? 0 : lane / L;
    uint32_t *const rows = memory.shared + threadIdx.x / 32 * memory.rows * LIST_ROW;
    uint32_t *const x = rows + polar_list_x_row(L) * LIST_ROW;
    list_lane<L, ALONE> me;

    me.me = lane % L;
    me.part = ALONE ? lane / L : 0;
    me.group = slot * L;
    me.stages = stages;
    me.half = (1u << stages) / 8;
    me.rows = list_keep_shared(rows + 4 * me.group);
    me.x = list_keep_shared(x + me.group);
    me.top = list_keep_shared(x + (1u << stages) / 2 + slot * me.half);
    if constexpr (ALONE) {
        me.global = list_keep_shared(rows + polar_list_rows(L, stages, false) * LIST_ROW);
        me.received = me.global + polar_list_frames_row(stages) * LIST_ROW;
    } else {
        me.global = memory.global + list_keep(warp * memory.global_rows * LIST_ROW);
        me.received = me.global + polar_list_frames_row(stages) * LIST_ROW +
                      slot * polar_list_frame_words(stages);
        me.global += 4 * me.group;
    }
    return me;
}

template <int L, bool ALONE>
FECRUN_ON_DEVICE void list_run(const struct polar_list_job &job, uint32_t *shared)
{
    const uint32_t each = ALONE ? 1 : 32 / L, slot = ALONE ? 0 : threadIdx.x % 32 / L;
    const uint32_t number_of_warp = list_uniform(threadIdx.x / 32);
    const uint32_t warp = number_of_warp * gridDim.x + blockIdx.x;
    const uint32_t warps = gridDim.x * (blockDim.x / 32);
    const uint32_t count = job.frame ? *job.n_frames : job.frames.count;
    const struct polar_frames &f = job.frames;
    const struct list_memory memory = {shared, job.global, polar_list_rows(L, job.stages, ALONE),
                                       polar_list_global_rows(L, job.stages)};
    list_lane<L, ALONE> me = list_start<L, ALONE>(job.stages, memory, warp);

    POLAR_UNROLL_BY(1)
    for (uint32_t first = warp * each; first < count; first += warps * each) {
        const uint32_t number = first + slot, last = number < count ? number : count - 1;
        const uint32_t n = job.frame ? job.frame[last] : last;

        me.threads = list_threads(count - (first - number_of_warp * gridDim.x * each), each);
        list_begin(me, job, f.in + n * f.in_stride);
        list_decode(me, job);
        list_finish(me, job, {f.out + n * f.out_stride, f.info + n, n, number < count});
    }
}

#endif
