/* SPDX-License-Identifier: BSD-2-Clause */
/* One thread's memory, and how LLRs that were received come there. */
#ifndef POLAR_CUDA_SC_INPUT_CUH
#define POLAR_CUDA_SC_INPUT_CUH

#include "plugins/polar/cuda/sc/block.cuh"

struct sc_thread {
    uint4 *rows, *top; /* of the thread's memory: shared; 512 positions. SC_LANES apart, as are */
    uint32_t *x, *u;   /* words */
    uint4 *stage;      /* where the rows of the warp begin */
    const uint32_t *table;
    uint32_t first; /* frame of the warp; beyond the last ones lanes are not active */
    uint32_t lane, stages;
    uint32_t bits; /* of x that count: none where SC_G is a step SC_G0 */
    bool active;
};

/* ---- Rows ------------------------------------------------------------------------------------ */

FECRUN_ON_DEVICE uint4 *sc_row(const struct sc_thread &me, uint32_t stage, uint32_t row)
{
    return me.rows + (polar_sc_row(me.stages, stage) + row) * SC_LANES;
}

FECRUN_ON_DEVICE void sc_unpack(const uint4 &v, uint32_t (&a)[8])
{
    halves_unpack(v.x, &a[0], &a[1]);
    halves_unpack(v.y, &a[2], &a[3]);
    halves_unpack(v.z, &a[4], &a[5]);
    halves_unpack(v.w, &a[6], &a[7]);
}

FECRUN_ON_DEVICE void sc_read(const uint4 *from, uint32_t (&a)[8])
{
    sc_unpack(*from, a);
}

FECRUN_ON_DEVICE void sc_write(uint4 *to, const uint32_t (&a)[8])
{
    *to = make_uint4(halves_pack(a[0], a[1]), halves_pack(a[2], a[3]), halves_pack(a[4], a[5]),
                     halves_pack(a[6], a[7]));
}

/* ---- Steps, eight positions at a time -------------------------------------------------------- */

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
    return op == SC_G ? me.x[word * SC_LANES] & me.bits : 0;
}

/* Where the x begins that a step to the node at `at` needs, which is its brother's. */
FECRUN_ON_DEVICE uint32_t sc_left(uint32_t stage, uint32_t at)
{
    return (at - (1u << stage)) / 16 % SC_MOST_X;
}

/* ---- Copies to shared memory, 16 bytes at a time --------------------------------------------- */

/* The cache is to keep the stage of 512 positions, not what is received or put out. */

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800

FECRUN_ON_DEVICE void sc_copy_16(uint4 *to, const void *from)
{
    uint64_t once;

    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(once));
    asm volatile("cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %2;"
                 :
                 : "r"((uint32_t)__cvta_generic_to_shared(to)), "l"(from), "l"(once)
                 : "memory");
}

FECRUN_ON_DEVICE void sc_copy_4(uint32_t *to, const uint32_t *from)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;"
                 :
                 : "r"((uint32_t)__cvta_generic_to_shared(to)), "l"(from)
                 : "memory");
}

FECRUN_ON_DEVICE void sc_copies_end(void)
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

/* But for the last N groups. */
template <int N> FECRUN_ON_DEVICE void sc_copies_wait(void)
{
    asm volatile("cp.async.wait_group %0;" : : "n"(N) : "memory");
}

#else

FECRUN_ON_DEVICE void sc_copy_16(uint4 *to, const void *from)
{
    *to = *(const uint4 *)from;
}

FECRUN_ON_DEVICE void sc_copy_4(uint32_t *to, const uint32_t *from)
{
    *to = *from;
}

FECRUN_ON_DEVICE void sc_copies_end(void)
{
}

template <int N> FECRUN_ON_DEVICE void sc_copies_wait(void)
{
}

#endif

/* ---- What was received ----------------------------------------------------------------------- */

/* 16 bytes from any address; the words around them may be read (plugin.h, FECRUN_SLACK). */
FECRUN_ON_DEVICE uint4 sc_fetch(const int8_t *from)
{
    const unsigned beside = (uintptr_t)from & 15;
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

/* Four positions of two frames, from -128 on. */
FECRUN_ON_DEVICE void sc_widen(uint32_t first, uint32_t second, uint32_t *a)
{
    first ^= 0x80808080u;
    second ^= 0x80808080u;
    halves_unpack(polar_bytes(first, second, 0x5140), &a[0], &a[1]);
    halves_unpack(polar_bytes(first, second, 0x7362), &a[2], &a[3]);
}

/* Eight positions, the upper or lower ones of 16 bytes. */
FECRUN_ON_DEVICE void sc_widen_8(const uint4 &first, const uint4 &second, unsigned upper,
                                 uint32_t (&a)[8])
{
    sc_widen(upper ? first.z : first.x, upper ? second.z : second.x, a);
    sc_widen(upper ? first.w : first.y, upper ? second.w : second.y, a + 4);
}

FECRUN_ON_DEVICE void sc_limit_8(uint32_t (&a)[8])
{
    FECRUN_UNROLL
    for (int i = 0; i < 8; i++)
        a[i] = halves_limited(a[i]);
}

FECRUN_ON_DEVICE uint32_t sc_frame(const struct polar_frames &f, uint32_t frame)
{
    return frame < f.count ? frame : f.count - 1;
}

/*
 * A warp copies the LLRs of its 64 frames in chunks of 64 from each half of N = 1024. Of the buffer
 * the units of 16 bytes are numbered by half, then by lane of the words, thread and part of the
 * chunk, five for four parts, so that threads read from different banks.
 */
enum { SC_CHUNK = 64, SC_PARTS = SC_CHUNK / 16, SC_PITCH = 5, SC_HALF = 2 * SC_LANES * SC_PITCH };

/* A thread's part of it for each half and one frame of eight. */
FECRUN_ON_DEVICE const int8_t *sc_chunk_from(const struct polar_frames &f,
                                             const struct sc_thread &me, uint32_t chunk,
                                             uint32_t frame)
{
    return f.in + sc_frame(f, me.first + frame) * f.in_stride + chunk * SC_CHUNK +
           16 * (me.lane % SC_PARTS);
}

FECRUN_ON_DEVICE uint4 *sc_chunk_to(const struct sc_thread &me, uint32_t chunk, uint32_t frame)
{
    return me.stage + chunk % 2 * 2 * SC_HALF + me.lane % SC_PARTS +
           (frame % 2 * SC_LANES + frame / 2) * SC_PITCH;
}

FECRUN_ON_DEVICE void sc_copy_chunk(const struct polar_frames &f, const struct sc_thread &me,
                                    uint32_t chunk)
{
    enum { STEP = SC_LANES / SC_PARTS };
    const uint32_t first = me.lane / SC_PARTS;

    if (!f.aligned) {
        POLAR_UNROLL_BY(1)
        for (uint32_t i = 0; i < 4 * SC_LANES; i += STEP) {
            const uint32_t frame = first + i % (2 * SC_LANES), half = i / (2 * SC_LANES);

            sc_chunk_to(me, chunk, frame)[half * SC_HALF] = sc_fetch(
                sc_chunk_from(f, me, chunk, frame) + half * 512);
        }
        return;
    }
    FECRUN_UNROLL
    for (uint32_t i = 0; i < 2 * SC_LANES; i += STEP) {
        const int8_t *const from = sc_chunk_from(f, me, chunk, first + i);
        uint4 *const to = sc_chunk_to(me, chunk, first + i);

        sc_copy_16(to, from);
        sc_copy_16(to + SC_HALF, from + 512);
    }
}

template <unsigned OP>
FECRUN_ON_DEVICE void sc_begin_chunk(const struct sc_thread &me, uint32_t chunk)
{
    const uint4 *const from = me.stage + chunk % 2 * 2 * SC_HALF + me.lane * SC_PITCH;

    POLAR_UNROLL_BY(2)
    for (uint32_t part = 0; part < SC_PARTS; part++) {
        const uint4 *const left = from + part, *const right = left + SC_HALF;
        const uint4 a0 = left[0], a1 = left[SC_LANES * SC_PITCH];
        const uint4 b0 = right[0], b1 = right[SC_LANES * SC_PITCH];
        const uint32_t at = chunk * SC_PARTS + part, word = sc_bits(me, OP, at);

        FECRUN_UNROLL
        for (unsigned upper = 0; upper < 2; upper++) {
            uint32_t a[8], b[8];

            sc_widen_8(a0, a1, upper, a);
            sc_widen_8(b0, b1, upper, b);
            if (OP != SC_F) {
                sc_limit_8(a);
                sc_limit_8(b);
            }
            sc_step_8(OP, word, upper, a, b);
            if (OP == SC_F)
                sc_limit_8(a);
            sc_write(me.top + (2 * at + upper) * SC_LANES, a);
        }
    }
}

/* From what was received to 512 positions, by way of the warp's rows, in which there is nothing. */
template <unsigned OP>
FECRUN_ON_DEVICE void sc_begin(const struct polar_frames &f, const struct sc_thread &me)
{
    enum { CHUNKS = 512 / SC_CHUNK };

    POLAR_UNROLL_BY(1)
    for (uint32_t chunk = 0; chunk < CHUNKS + 2; chunk++) {
        sc_copies_wait<1>();
        __syncwarp();
        if (chunk >= 2) {
            if (me.active)
                sc_begin_chunk<OP>(me, chunk - 2);
            __syncwarp();
        }
        if (chunk < CHUNKS)
            sc_copy_chunk(f, me, chunk);
        sc_copies_end();
    }
}

/* All that was received, behind `first` zeros, N < 1024. */
FECRUN_ON_DEVICE void sc_load(const struct polar_frames &f, const struct sc_thread &me,
                              uint32_t first)
{
    uint4 *const to = me.stages == SC_TOP_STAGE ? me.top : sc_row(me, me.stages, 0);
    const int8_t *const one = f.in + sc_frame(f, me.first + 2 * me.lane) * f.in_stride;
    const int8_t *const two = f.in + sc_frame(f, me.first + 2 * me.lane + 1) * f.in_stride;
    const uint32_t zeros = 0x80808080u;

    for (uint32_t i = 0; i < first; i += 8)
        to[i / 8 * SC_LANES] = make_uint4(zeros, zeros, zeros, zeros);
    POLAR_UNROLL_BY(1)
    for (uint32_t i = first; i < 1u << me.stages; i += 32) {
        uint4 v[4];

        if (f.aligned) {
            FECRUN_UNROLL
            for (unsigned k = 0; k < 2; k++) {
                v[k] = *(const uint4 *)(one + i - first + 16 * k);
                v[2 + k] = *(const uint4 *)(two + i - first + 16 * k);
            }
        } else {
            FECRUN_UNROLL
            for (unsigned k = 0; k < 2; k++) {
                v[k] = sc_fetch(one + i - first + 16 * k);
                v[2 + k] = sc_fetch(two + i - first + 16 * k);
            }
        }
        FECRUN_UNROLL
        for (unsigned k = 0; k < 4; k++) {
            uint32_t a[8];

            sc_widen_8(v[k / 2], v[2 + k / 2], k % 2, a);
            sc_limit_8(a);
            sc_write(to + (i / 8 + k) * SC_LANES, a);
        }
    }
}

#endif
