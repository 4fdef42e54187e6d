/* SPDX-License-Identifier: BSD-2-Clause */
/* One thread's way through the steps of plan.h. */
#ifndef POLAR_CUDA_SC_STAGES_CUH
#define POLAR_CUDA_SC_STAGES_CUH

#include "plugins/polar/cuda/sc/output.cuh"

/* ---- Steps ----------------------------------------------------------------------------------- */

/* To 128 positions. */
template <unsigned OP>
FECRUN_ON_DEVICE void sc_pass(const struct sc_thread &me, const struct polar_sc_step &step)
{
    const uint32_t rows = (1u << step.stage) / 8, left = sc_left(step.stage, step.at);
    const uint4 *const from = sc_row(me, step.stage + 1, 0);
    uint4 *const to = sc_row(me, step.stage, 0);

    POLAR_UNROLL_BY(2)
    for (uint32_t row = 0; row < rows; row++) {
        uint32_t a[8], b[8];

        sc_read(from + row * SC_LANES, a);
        sc_read(from + (row + rows) * SC_LANES, b);
        sc_step_8(OP, sc_bits(me, OP, left + row / 2), row, a, b);
        sc_write(to + row * SC_LANES, a);
    }
}

/* Rows that a step from 512 to 256 positions reads for two of them, a quarter apart. */
FECRUN_ON_DEVICE void sc_read_top(const struct sc_thread &me, uint32_t row, uint4 (&v)[4])
{
    FECRUN_UNROLL
    for (uint32_t i = 0; i < 4; i++)
        v[i] = me.top[(row + 16 * i) * SC_LANES];
}

/* To 256 positions, two rows ahead of the memory, and to the left child. */
template <unsigned OP>
FECRUN_ON_DEVICE void sc_pass_top(const struct sc_thread &me, const struct polar_sc_step &step)
{
    const uint32_t left = sc_left(step.stage, step.at);
    uint4 v[2][4];

    sc_read_top(me, 0, v[0]);
    sc_read_top(me, 1, v[1]);
    POLAR_UNROLL_BY(1)
    for (uint32_t i = 0; i < 16; i += 2) {
        FECRUN_UNROLL
        for (uint32_t k = 0; k < 2; k++) {
            const uint32_t row = i + k;
            uint32_t a[2][8], b[8];

            FECRUN_UNROLL
            for (uint32_t half = 0; half < 2; half++) {
                sc_unpack(v[k][half], a[half]);
                sc_unpack(v[k][half + 2], b);
                sc_step_8(OP, sc_bits(me, OP, left + i / 2 + 8 * half), k, a[half], b);
                sc_write(sc_row(me, 8, row + 16 * half), a[half]);
            }
            sc_read_top(me, (row + 2) % 16, v[k]);
            if (step.with_left) {
                sc_step_8(SC_F, 0, 0, a[0], a[1]);
                sc_write(sc_row(me, 7, row), a[0]);
            }
        }
    }
}

template <unsigned OP>
FECRUN_ON_DEVICE void sc_to_stage(const struct polar_frames &f, const struct sc_thread &me,
                                  const struct polar_sc_step &step)
{
    if (step.stage == SC_TOP_STAGE)
        sc_begin<OP>(f, me);
    else if (!me.active)
        return;
    else if (step.stage == SC_TOP_STAGE - 1)
        sc_pass_top<OP>(me, step);
    else
        sc_pass<OP>(me, step);
}

/* Nodes of children with 2^stage positions. */
FECRUN_ON_DEVICE void sc_combine(const struct sc_thread &me, uint32_t stage, uint32_t at, bool copy)
{
    const uint32_t words = (1u << stage) / 16;
    uint32_t *const x = me.x + at / 16 % SC_MOST_X * SC_LANES;

    POLAR_UNROLL_BY(4)
    for (uint32_t i = 0; i < words; i++) {
        const uint32_t right = x[(i + words) * SC_LANES];

        x[i * SC_LANES] = copy ? right : x[i * SC_LANES] ^ right;
    }
}

/* ---- Leaves of 128, and frozen ones of all sizes --------------------------------------------- */

enum { SC_LARGE = 7, SC_LARGE_WORDS = 8 };

FECRUN_ON_DEVICE void sc_read_16(const struct sc_thread &me, uint32_t word, uint32_t (&a)[16])
{
    FECRUN_UNROLL
    for (uint32_t k = 0; k < 2; k++) {
        uint32_t part[8];

        sc_read(sc_row(me, SC_LARGE, 2 * word + k), part);
        FECRUN_UNROLL
        for (int i = 0; i < 8; i++)
            a[8 * k + i] = part[i];
    }
}

FECRUN_ON_DEVICE uint32_t sc_repeat_large(const struct sc_thread &me)
{
    float sum[2] = {0, 0};

    POLAR_UNROLL_BY(1)
    for (uint32_t j = 0; j < SC_LARGE_WORDS; j++) {
        uint32_t a[16], total;

        sc_read_16(me, j, a);
        total = sc_total<16>(a);
        sum[0] += halves_float(total, 0);
        sum[1] += halves_float(total, 1);
    }
    return (sum[0] < 0 ? 0xffffu : 0) | (sum[1] < 0 ? 0xffff0000u : 0);
}

/* u of a leaf whose x is there. */
FECRUN_ON_DEVICE void sc_transform_large(const uint32_t *x, uint32_t *u)
{
    uint32_t word[SC_LARGE_WORDS];

    FECRUN_UNROLL
    for (int j = 0; j < SC_LARGE_WORDS; j++)
        word[j] = x[j * SC_LANES];
    FECRUN_UNROLL
    for (int h = 1; h < SC_LARGE_WORDS; h *= 2) {
        FECRUN_UNROLL
        for (int j = 0; j < SC_LARGE_WORDS; j++)
            if (!(j & h))
                word[j] ^= word[j + h];
    }
    FECRUN_UNROLL
    for (int j = 0; j < SC_LARGE_WORDS; j++)
        u[j * SC_LANES] = sc_transform(word[j]);
}

FECRUN_ON_DEVICE void sc_leaf_large(const struct sc_thread &me, const struct polar_sc_step &step)
{
    const uint32_t words = (1u << step.stage) / 16;
    uint32_t *const x = me.x + step.at / 16 % SC_MOST_X * SC_LANES;
    const uint32_t all = step.whole == NODE_REP ? sc_repeat_large(me) : 0;
    struct sc_weakest w = {0xffffffffu, 0};

    POLAR_UNROLL_BY(1)
    for (uint32_t j = 0; j < words; j++) {
        uint32_t word = all;

        if (step.whole == NODE_RATE1 || step.whole == NODE_SPC) {
            uint32_t a[16], bits[1];

            sc_read_16(me, j, a);
            sc_signs<16>(a, bits);
            word = bits[0];
            if (step.whole == NODE_SPC)
                sc_weigh(w, a, word, 16 * j * 0x10001u);
        }
        x[j * SC_LANES] = word;
    }
    if (step.whole == NODE_RATE0)
        return;
    if (step.whole == NODE_SPC) {
        FECRUN_UNROLL
        for (unsigned lane = 0; lane < 2; lane++) {
            const uint32_t j = w.key >> (16 * lane + 4) & 31;

            x[j * SC_LANES] ^= sc_correction(w, 16 * j) & 0xffffu << 16 * lane;
        }
    }
    sc_transform_large(x, me.u + step.at / 16 * SC_LANES);
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

template <unsigned OP>
FECRUN_ON_DEVICE void sc_head(const struct sc_thread &me, uint32_t at, uint32_t (&a)[64])
{
    const uint32_t left = sc_left(SC_BLOCK_STAGE, at);

    FECRUN_UNROLL
    for (uint32_t row = 0; row < 8; row++) {
        uint32_t one[8], two[8];

        sc_read(sc_row(me, SC_BLOCK_STAGE + (OP != SC_LOAD), row), one);
        if (OP != SC_LOAD) {
            sc_read(sc_row(me, SC_BLOCK_STAGE + 1, row + 8), two);
            sc_step_8(OP, sc_bits(me, OP, left + row / 2), row, one, two);
        }
        FECRUN_UNROLL
        for (int i = 0; i < 8; i++)
            a[8 * row + i] = one[i];
    }
}

FECRUN_ON_DEVICE void sc_block(struct sc_thread &me, const struct polar_sc_step &step)
{
    uint32_t a[64], x[4], u[4];

    if (step.head == SC_F)
        sc_head<SC_F>(me, step.at, a);
    else if (step.head == SC_LOAD)
        sc_head<SC_LOAD>(me, step.at, a);
    else {
        me.bits = step.head == SC_G ? 0xffffffffu : 0;
        sc_head<SC_G>(me, step.at, a);
    }
    sc_decode_64(step, a, x);
    sc_transform_64(x, u);
    FECRUN_UNROLL
    for (uint32_t j = 0; j < 4; j++) {
        me.x[(step.at / 16 % SC_MOST_X + j) * SC_LANES] = x[j];
        me.u[(step.at / 16 + j) * SC_LANES] = u[j];
    }
}

/* ---- A warp's frames ------------------------------------------------------------------------- */

FECRUN_ON_DEVICE void sc_step(const struct polar_frames &f, struct sc_thread &me,
                              const struct polar_sc_step &step)
{
    switch (step.op) {
    case SC_F:
        sc_to_stage<SC_F>(f, me, step);
        return;
    case SC_G:
    case SC_G0:
        me.bits = step.op == SC_G ? 0xffffffffu : 0;
        sc_to_stage<SC_G>(f, me, step);
        return;
    default:
        break;
    }
    if (!me.active)
        return;
    switch (step.op) {
    case SC_BLOCK:
        sc_block(me, step);
        break;
    case SC_LEAF:
        sc_leaf_large(me, step);
        break;
    case SC_LOAD:
        sc_load(f, me, step.at);
        break;
    default:
        sc_combine(me, step.stage, step.at, step.op == SC_COPY);
    }
}

/* An odd frame at the end is decoded in both lanes of its word. */
FECRUN_ON_DEVICE void sc_say(const struct polar_sc_job &job, const struct sc_thread &me)
{
    const uint32_t good = sc_put(job, me);

    for (unsigned i = 0; i < 2; i++) {
        const uint32_t frame = me.first + 2 * me.lane + i;

        if (frame >= job.frames.count)
            continue;
        polar_say(job.frames, frame, good >> i & 1);
        if (job.fail && !(good >> i & 1))
            job.fail[atomicAdd(job.n_fail, 1u)] = frame;
    }
}

/* All lanes of a warp go along, if only to copy for the others. */
FECRUN_ON_DEVICE void sc_frames(const struct polar_sc_job &job, struct sc_thread &me)
{
    me.active = me.first + 2 * me.lane < job.frames.count;
    POLAR_UNROLL_BY(1)
    for (uint32_t i = 0; i < job.n_steps; i++)
        sc_step(job.frames, me, job.step[i]);
    __syncwarp();
    if (me.active)
        sc_say(job, me);
    __syncwarp();
    sc_flush(job.frames, me);
    __syncwarp();
}

/* The warps of a grid share the frames, 64 at a time. */
FECRUN_ON_DEVICE void sc_run(const struct polar_sc_job &job, uint4 *shared)
{
    const uint32_t warps = blockDim.x / SC_LANES, warp = threadIdx.x / SC_LANES;
    const uint32_t number = blockIdx.x * warps + warp;
    uint32_t *const table = (uint32_t *)(shared + warps * polar_sc_warp(job.stages));
    uint32_t *const scratch = job.scratch + number * polar_sc_scratch(job.stages);
    struct sc_thread me;

    for (uint32_t i = threadIdx.x; i < POLAR_CRC_TABLE; i += blockDim.x)
        table[i] = job.frames.crc_table[i];
    __syncthreads();
    me.lane = threadIdx.x % SC_LANES;
    me.stage = shared + warp * polar_sc_warp(job.stages);
    me.rows = me.stage + me.lane;
    me.x = (uint32_t *)(me.stage + polar_sc_rows(job.stages) * SC_LANES) + me.lane;
    me.top = (uint4 *)scratch + me.lane;
    me.u = scratch + polar_sc_top(job.stages) + me.lane;
    me.table = table;
    me.stages = job.stages;
    POLAR_UNROLL_BY(1)
    for (me.first = 2 * SC_LANES * number; me.first < job.frames.count;
         me.first += 2 * SC_LANES * warps * gridDim.x)
        sc_frames(job, me);
}

#endif
