/* SPDX-License-Identifier: BSD-2-Clause */
/* One thread's way through the steps of sc.h. */
#ifndef POLAR_CUDA_SC_STAGES_CUH
#define POLAR_CUDA_SC_STAGES_CUH

#include "plugins/polar/cuda/output.cuh"
#include "plugins/polar/cuda/sc_block.cuh"

struct sc_thread {
    uint4 *rows;         /* of the thread's memory, SC_THREADS apart */
    uint32_t *x, *u;     /* `stride` apart */
    const int8_t *in[2]; /* of both frames */
    uint32_t stride, stages;
    bool aligned;
};

/* ---- Memory ---------------------------------------------------------------------------------- */

FECRUN_ON_DEVICE uint4 *sc_row(const struct sc_thread &me, uint32_t stage, uint32_t row)
{
    return me.rows + (polar_sc_row(me.stages, stage) + row) * SC_THREADS;
}

FECRUN_ON_DEVICE void sc_read(const uint4 *from, uint32_t (&a)[8])
{
    const uint4 v = *from;

    halves_unpack(v.x, &a[0], &a[1]);
    halves_unpack(v.y, &a[2], &a[3]);
    halves_unpack(v.z, &a[4], &a[5]);
    halves_unpack(v.w, &a[6], &a[7]);
}

FECRUN_ON_DEVICE void sc_write(uint4 *to, const uint32_t (&a)[8])
{
    *to = make_uint4(halves_pack(a[0], a[1]), halves_pack(a[2], a[3]), halves_pack(a[4], a[5]),
                     halves_pack(a[6], a[7]));
}

/* 16 bytes from any address; the words around them may be read (plugin.h, FECRUN_SLACK). */
FECRUN_ON_DEVICE uint4 sc_fetch(const int8_t *from, bool aligned)
{
    const unsigned beside = aligned ? 0 : (uintptr_t)from & 15;
    const uint4 *const at = (const uint4 *)(from - beside);
    const uint4 low = at[0];

    if (beside == 0)
        return low;
    {
        const uint4 high = at[1];
        const uint32_t word[8] = {low.x, low.y, low.z, low.w, high.x, high.y, high.z, high.w};
        uint32_t out[4] = {0, 0, 0, 0};

        FECRUN_UNROLL
        for (unsigned skip = 0; skip < 4; skip++)
            if (beside / 4 == skip) {
                FECRUN_UNROLL
                for (unsigned i = 0; i < 4; i++)
                    out[i] = __funnelshift_r(word[skip + i], word[(skip + i + 1) % 8],
                                             8 * (beside % 4));
            }
        return make_uint4(out[0], out[1], out[2], out[3]);
    }
}

/* Four positions of two frames. */
FECRUN_ON_DEVICE void sc_widen(uint32_t first, uint32_t second, uint32_t *a)
{
    first ^= 0x80808080u;
    second ^= 0x80808080u;
    halves_unpack(polar_bytes(first, second, 0x5140), &a[0], &a[1]);
    halves_unpack(polar_bytes(first, second, 0x7362), &a[2], &a[3]);
    FECRUN_UNROLL
    for (int i = 0; i < 4; i++)
        a[i] = halves_limited(a[i]); /* -128 */
}

/* Eight positions, the upper or lower ones of 16 bytes. */
FECRUN_ON_DEVICE void sc_widen_8(const uint4 &first, const uint4 &second, unsigned upper,
                                 uint32_t (&a)[8])
{
    sc_widen(upper ? first.z : first.x, upper ? second.z : second.x, a);
    sc_widen(upper ? first.w : first.y, upper ? second.w : second.y, a + 4);
}

/* ---- Steps ----------------------------------------------------------------------------------- */

/* The bits that a step to the right child needs of row `row` are in word row / 2. */
FECRUN_ON_DEVICE void sc_step_8(unsigned op, uint32_t word, unsigned row, uint32_t (&a)[8],
                                const uint32_t (&b)[8])
{
    if (op == SC_F) {
        FECRUN_UNROLL
        for (int i = 0; i < 8; i++)
            a[i] = halves_check(a[i], b[i]);
        return;
    }
    word <<= row % 2 ? 0 : 8;
    FECRUN_UNROLL
    for (int i = 0; i < 8; i++)
        a[i] = halves_sum(a[i], b[i], sc_to_sign(word, 8 + i));
}

FECRUN_ON_DEVICE uint32_t sc_bits(const struct sc_thread &me, unsigned op, uint32_t word)
{
    return op == SC_G ? me.x[word * me.stride] : 0;
}

/* Both from and to memory of the thread. */
template <unsigned OP>
FECRUN_ON_DEVICE void sc_pass(const struct sc_thread &me, uint32_t stage, uint32_t at)
{
    const uint32_t rows = (1u << stage) / 8, left = (at - (1u << stage)) / 16;
    const uint4 *const from = sc_row(me, stage + 1, 0);
    uint4 *const to = sc_row(me, stage, 0);

    POLAR_UNROLL_BY(2)
    for (uint32_t row = 0; row < rows; row++) {
        uint32_t a[8], b[8];

        sc_read(from + row * SC_THREADS, a);
        sc_read(from + (row + rows) * SC_THREADS, b);
        sc_step_8(OP, sc_bits(me, OP, left + row / 2), row, a, b);
        sc_write(to + row * SC_THREADS, a);
    }
}

/* From what was received, 16 positions at a time; 32 of the 64 bytes of a sector that are read. */
template <unsigned OP> FECRUN_ON_DEVICE void sc_begin(const struct sc_thread &me, uint32_t stage)
{
    const uint32_t half = 1u << stage;
    uint4 *const to = sc_row(me, stage, 0);

    POLAR_UNROLL_BY(1)
    for (uint32_t i = 0; i < half; i += 32) {
        uint4 v[2][4];

        FECRUN_UNROLL
        for (unsigned k = 0; k < 2; k++) {
            v[k][0] = sc_fetch(me.in[0] + i + 16 * k, me.aligned);
            v[k][1] = sc_fetch(me.in[1] + i + 16 * k, me.aligned);
            v[k][2] = sc_fetch(me.in[0] + half + i + 16 * k, me.aligned);
            v[k][3] = sc_fetch(me.in[1] + half + i + 16 * k, me.aligned);
        }
        FECRUN_UNROLL
        for (unsigned k = 0; k < 2; k++) {
            const uint32_t word = sc_bits(me, OP, i / 16 + k);

            FECRUN_UNROLL
            for (unsigned upper = 0; upper < 2; upper++) {
                uint32_t a[8], b[8];

                sc_widen_8(v[k][0], v[k][1], upper, a);
                sc_widen_8(v[k][2], v[k][3], upper, b);
                sc_step_8(OP, word, upper, a, b);
                sc_write(to + (i / 8 + 2 * k + upper) * SC_THREADS, a);
            }
        }
    }
}

/* All that was received, behind `first` zeros. */
FECRUN_ON_DEVICE void sc_load(const struct sc_thread &me, uint32_t first)
{
    uint4 *const to = sc_row(me, me.stages, 0);
    const uint32_t zeros = 0x80808080u;

    for (uint32_t i = 0; i < first; i += 8)
        to[i / 8 * SC_THREADS] = make_uint4(zeros, zeros, zeros, zeros);
    POLAR_UNROLL_BY(2)
    for (uint32_t i = first; i < 1u << me.stages; i += 16) {
        const uint4 one = sc_fetch(me.in[0] + i - first, me.aligned);
        const uint4 two = sc_fetch(me.in[1] + i - first, me.aligned);

        FECRUN_UNROLL
        for (unsigned upper = 0; upper < 2; upper++) {
            uint32_t a[8];

            sc_widen_8(one, two, upper, a);
            sc_write(to + (i / 8 + upper) * SC_THREADS, a);
        }
    }
}

template <unsigned OP>
FECRUN_ON_DEVICE void sc_to_stage(const struct sc_thread &me, const struct polar_sc_step &step)
{
    if (step.stage + 1u == SC_MOST_STAGES)
        sc_begin<OP>(me, step.stage);
    else
        sc_pass<OP>(me, step.stage, step.at);
}

/* Nodes of children with 2^stage positions. */
FECRUN_ON_DEVICE void sc_combine(const struct sc_thread &me, uint32_t stage, uint32_t at, bool copy)
{
    const uint32_t words = (1u << stage) / 16;
    uint32_t *const x = me.x + at / 16 * me.stride, *const u = me.u + at / 16 * me.stride;

    POLAR_UNROLL_BY(4)
    for (uint32_t i = 0; i < words; i++) {
        const uint32_t right = x[(i + words) * me.stride];

        x[i * me.stride] = copy ? right : x[i * me.stride] ^ right;
        if (copy)
            u[i * me.stride] = 0;
    }
}

/* ---- Leaves ---------------------------------------------------------------------------------- */

FECRUN_ON_DEVICE void sc_read_16(const struct sc_thread &me, uint32_t stage, uint32_t word,
                                 uint32_t (&a)[16])
{
    FECRUN_UNROLL
    for (uint32_t k = 0; k < 2; k++) {
        uint32_t part[8];

        sc_read(sc_row(me, stage, 2 * word + k), part);
        FECRUN_UNROLL
        for (int i = 0; i < 8; i++)
            a[8 * k + i] = part[i];
    }
}

FECRUN_ON_DEVICE uint32_t sc_repeat_large(const struct sc_thread &me, uint32_t stage)
{
    float sum[2] = {0, 0};

    POLAR_UNROLL_BY(1)
    for (uint32_t j = 0; j < (1u << stage) / 16; j++) {
        uint32_t a[16], total;

        sc_read_16(me, stage, j, a);
        total = sc_total<16>(a);
        sum[0] += halves_float(total, 0);
        sum[1] += halves_float(total, 1);
    }
    return (sum[0] < 0 ? 0xffffu : 0) | (sum[1] < 0 ? 0xffff0000u : 0);
}

/* u of a leaf whose x is there: in words, then from word to word. */
FECRUN_ON_DEVICE void sc_transform_large(const struct sc_thread &me, uint32_t stage, uint32_t at)
{
    const uint32_t words = (1u << stage) / 16, *const x = me.x + at / 16 * me.stride;
    uint32_t *const u = me.u + at / 16 * me.stride;

    POLAR_UNROLL_BY(4)
    for (uint32_t j = 0; j < words; j++)
        u[j * me.stride] = sc_transform(x[j * me.stride]);
    POLAR_UNROLL_BY(1)
    for (uint32_t h = 1; h < words; h *= 2) {
        POLAR_UNROLL_BY(4)
        for (uint32_t n = 0; n < words / 2; n++) {
            const uint32_t j = 2 * n - (n & (h - 1));

            u[j * me.stride] ^= u[(j + h) * me.stride];
        }
    }
}

FECRUN_ON_DEVICE void sc_leaf_large(const struct sc_thread &me, const struct polar_sc_step &step)
{
    const uint32_t words = (1u << step.stage) / 16;
    uint32_t *const x = me.x + step.at / 16 * me.stride;
    const uint32_t all = step.whole == NODE_REP ? sc_repeat_large(me, step.stage) : 0;
    struct sc_weakest w = {0xffffffffu, 0};

    POLAR_UNROLL_BY(1)
    for (uint32_t j = 0; j < words; j++) {
        uint32_t word = all;

        if (step.whole == NODE_RATE1 || step.whole == NODE_SPC) {
            uint32_t a[16], bits[1];

            sc_read_16(me, step.stage, j, a);
            sc_signs<16>(a, bits);
            word = bits[0];
            if (step.whole == NODE_SPC)
                sc_weigh(w, a, word, 16 * j * 0x10001u);
        }
        x[j * me.stride] = word;
    }
    if (step.whole == NODE_SPC) {
        FECRUN_UNROLL
        for (unsigned lane = 0; lane < 2; lane++) {
            const uint32_t j = w.key >> (16 * lane + 4) & 31;

            x[j * me.stride] ^= sc_correction(w, 16 * j) & 0xffffu << 16 * lane;
        }
    }
    sc_transform_large(me, step.stage, step.at);
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

template <unsigned OP>
FECRUN_ON_DEVICE void sc_head(const struct sc_thread &me, uint32_t at, uint32_t (&a)[64])
{
    const uint32_t left = (at - 64) / 16;

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

FECRUN_ON_DEVICE void sc_block(const struct sc_thread &me, const struct polar_sc_step &step)
{
    uint32_t a[64], x[4], u[4];

    if (step.head == SC_F)
        sc_head<SC_F>(me, step.at, a);
    else if (step.head == SC_G)
        sc_head<SC_G>(me, step.at, a);
    else if (step.head == SC_G0)
        sc_head<SC_G0>(me, step.at, a);
    else
        sc_head<SC_LOAD>(me, step.at, a);
    sc_decode_64(step, a, x);
    sc_transform_64(x, u);
    FECRUN_UNROLL
    for (uint32_t j = 0; j < 4; j++) {
        me.x[(step.at / 16 + j) * me.stride] = x[j];
        me.u[(step.at / 16 + j) * me.stride] = u[j];
    }
}

/* ---- A pair of frames ------------------------------------------------------------------------ */

FECRUN_ON_DEVICE void sc_decode(const struct polar_sc_job &job, const struct sc_thread &me)
{
    POLAR_UNROLL_BY(1)
    for (uint32_t i = 0; i < job.n_steps; i++) {
        const struct polar_sc_step &step = job.step[i];

        switch (step.op) {
        case SC_BLOCK:
            sc_block(me, step);
            break;
        case SC_F:
            sc_to_stage<SC_F>(me, step);
            break;
        case SC_G:
            sc_to_stage<SC_G>(me, step);
            break;
        case SC_G0:
            sc_to_stage<SC_G0>(me, step);
            break;
        case SC_LEAF:
            sc_leaf_large(me, step);
            break;
        case SC_LOAD:
            sc_load(me, step.at);
            break;
        default:
            sc_combine(me, step.stage, step.at, step.op == SC_COPY);
        }
    }
}

/* An odd frame at the end is decoded in both lanes. */
FECRUN_ON_DEVICE void sc_pair(const struct polar_sc_job &job, struct sc_thread &me, uint32_t pair)
{
    const struct polar_frames &f = job.frames;
    uint32_t good;

    for (unsigned lane = 0; lane < 2; lane++) {
        const uint32_t frame = 2 * pair + lane < f.count ? 2 * pair + lane : f.count - 1;

        me.in[lane] = f.in + frame * f.in_stride;
    }
    sc_decode(job, me);
    good = polar_put_pair(f, me.u, me.stride, 2 * pair);
    for (unsigned lane = 0; lane < 2; lane++) {
        const uint32_t frame = 2 * pair + lane;

        if (frame >= f.count)
            continue;
        polar_say(f, frame, good >> lane & 1);
        if (job.fail && !(good >> lane & 1))
            job.fail[atomicAdd(job.n_fail, 1u)] = frame;
    }
}

/* The threads of a grid share the pairs. */
FECRUN_ON_DEVICE void sc_run(const struct polar_sc_job &job, uint4 *shared)
{
    const uint32_t n = 1u << job.stages, threads = gridDim.x * SC_THREADS;
    const uint32_t thread = blockIdx.x * SC_THREADS + threadIdx.x;
    struct sc_thread me;

    me.rows = shared + threadIdx.x;
    me.x = job.bits + thread;
    me.u = me.x + n / 16 * threads;
    me.stride = threads;
    me.stages = job.stages;
    me.aligned = job.frames.aligned;
    POLAR_UNROLL_BY(1)
    for (uint32_t pair = thread; pair < (job.frames.count + 1) / 2; pair += threads)
        sc_pair(job, me, pair);
}

#endif
