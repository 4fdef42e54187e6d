/* SPDX-License-Identifier: BSD-2-Clause */
/* The work of a thread for tail-biting frames, see plan.h. */
#ifndef VITERBI_CUDA_REGISTERS_WRAP_THREAD_CUH
#define VITERBI_CUDA_REGISTERS_WRAP_THREAD_CUH

#include "plugins/viterbi/cuda/registers/decode.cuh"
#include "plugins/viterbi/cuda/registers/wrap/plan.h"

/* Survivors, where a thread's begin: the places below `places` in shared memory. */
struct wrap_survivors {
    uint8_t *near, *far;
    uint32_t places;
};

/* What a thread carries from round to round: its metrics, and the frame in each lane. */
template <class Code, class L> struct wrap_thread {
    uint32_t m[Code::S];
    uint64_t frame[L::TILES];
    uint32_t rounds[L::TILES]; /* that the frame has behind it */
    bool busy[L::TILES]; /* there is a frame; else its LLRs are read, but nothing is written */
};

static REGISTERS_FN uint32_t wrap_ones(uint32_t x)
{
#ifdef __CUDA_ARCH__
    return (uint32_t)__popc(x);
#else
    return (uint32_t)__builtin_popcount(x);
#endif
}

/* Frames of a warp's share that nobody has taken yet. */
struct wrap_share {
    uint64_t next, end;
};

static REGISTERS_FN wrap_share wrap_share_of(uint64_t frames, uint64_t warp, uint64_t warps)
{
    return wrap_share{frames / warps * warp + registers_min(warp, frames % warps),
                      frames / warps * (warp + 1) + registers_min(warp + 1, frames % warps)};
}

template <class Code, class L>
static REGISTERS_FN void wrap_begin(wrap_thread<Code, L> *t, const wrap_share &share)
{
    registers_start<Code, L>(t->m);
#pragma unroll
    for (int k = 0; k < L::TILES; k++) {
        t->frame[k] = share.next;
        t->rounds[k] = 0;
        t->busy[k] = false;
    }
}

/*
 * Lane k takes a frame if it has none and there are some. wanting: the threads of the warp that want
 * one, a bit each; all of them do this at the same time.
 */
template <class Code, class L>
static REGISTERS_FN void wrap_take(wrap_thread<Code, L> *t, int k, uint32_t wanting,
                                   uint32_t thread, wrap_share *share)
{
    const uint64_t mine = share->next + wrap_ones(wanting & ((1u << thread) - 1));
    const bool takes = !t->busy[k] && mine < share->end;
    const uint32_t lane = L::TILES == 2 ? 0xffffu << 16 * k : ~0u, fresh = takes ? lane : 0;

    share->next = registers_min(share->next + wrap_ones(wanting), share->end);
    if (takes) {
        t->frame[k] = mine;
        t->rounds[k] = 0;
        t->busy[k] = true;
    }
#pragma unroll
    for (int s = 0; s < Code::S; s++)
        t->m[s] = (t->m[s] & ~fresh) | (L::both(L::BASE) & fresh);
}

/* ---- Forward ------------------------------------------------------------------------------- */

template <class Code, class L>
static REGISTERS_FN uint8_t *wrap_place(const wrap_survivors &survivors, uint32_t place)
{
    return place < survivors.places
               ? survivors.near + (size_t)place * registers_ring<Code, L>::BLOCK
               : survivors.far +
                     (size_t)(place - survivors.places) * registers_ring<Code, L>::BLOCK;
}

/* A block's tags; the words are then without them. */
template <class Code, class L>
static REGISTERS_FN void wrap_keep(const wrap_survivors &survivors, uint32_t place, uint32_t *m)
{
    uint8_t *mine = wrap_place<Code, L>(survivors, place);

#pragma unroll
    for (int c = 0; c < Code::S / L::CHUNK; c++)
        *(uint4 *)(mine + c * REGISTERS_THREADS * 16) = L::pack(m + c * L::CHUNK);
#pragma unroll
    for (int s = 0; s < Code::S; s++)
        m[s] &= L::METRIC;
}

/* The tag of a state, of which there are the K - 1 low bits of `path`. */
template <class Code, class L>
static REGISTERS_FN uint32_t wrap_look_up(const uint8_t *mine, uint32_t path, int k)
{
    constexpr uint32_t low = L::CHUNK - 1, high = (Code::S - 1) & ~low;
    return mine[(path & high) * (REGISTERS_THREADS * 16 / L::CHUNK) + (path & low) * L::TILES + k];
}

/* Step t of a block. NORM: state 0's metric becomes the base. */
template <class Code, class L, bool NORM>
static REGISTERS_FN void wrap_step(const wrap_job &job, uint32_t *m, const uint32_t *llr,
                                   uint32_t t)
{
    const uint32_t base = L::both(L::BASE), metric = m[0] & L::METRIC;
    uint32_t n[Code::S];
    registers_branches<Code, L> bm;

    bm.set(llr);
    registers_step<Code, L, NORM>(m, n, bm, L::ONE << t, NORM ? L::lowering(metric, base) : 0,
                                  NORM ? base - metric : 0, job.registers.one);
#pragma unroll
    for (int s = 0; s < Code::S; s++)
        m[s] = n[s];
}

template <class Code, class L>
static REGISTERS_FN void wrap_block(const wrap_job &job, uint32_t *m,
                                    const uint32_t (*item)[2 * Code::N])
{
    uint32_t llr[8 * Code::N];

    registers_llrs<Code, L>(job.registers, item, llr);
#pragma unroll
    for (uint32_t t = 0; t < 8; t += 4) {
        wrap_step<Code, L, true>(job, m, llr + t * Code::N, t);
        wrap_step<Code, L, false>(job, m, llr + (t + 1) * Code::N, t + 1);
        wrap_step<Code, L, false>(job, m, llr + (t + 2) * Code::N, t + 2);
        wrap_step<Code, L, false>(job, m, llr + (t + 3) * Code::N, t + 3);
    }
}

/* As registers_fetch(), but only what has some of the next `bytes` bytes. */
template <class Code>
static REGISTERS_FN void wrap_fetch(registers_window<Code, false> *w, const uint8_t *at,
                                    uint32_t bytes)
{
    const uint4 *aligned = (const uint4 *)((uintptr_t)at & ~(uintptr_t)15);
    uint32_t last;

    w->shift = (uint32_t)((uintptr_t)at & 15);
    last = (w->shift + bytes - 1) / 16;
#pragma unroll
    for (int i = 0; i < registers_window<Code, false>::FETCH; i++)
        w->piece[i] = registers_read(aligned + ((uint32_t)i < last ? (uint32_t)i : last));
}

/* The last steps of a round, fewer than eight. */
template <class Code, class L>
static REGISTERS_FN void wrap_rest(const wrap_job &job, const uint8_t *const *at, uint32_t *m)
{
    uint32_t item[L::TILES][2 * Code::N], llr[8 * Code::N];

#pragma unroll
    for (int k = 0; k < L::TILES; k++) {
        registers_window<Code, false> window;
        wrap_fetch<Code>(&window, at[k], job.rest * Code::N);
        registers_items<Code, false>(window, item[k]);
    }
    registers_llrs<Code, L>(job.registers, item, llr);
#pragma unroll 1
    for (uint32_t t = 0; t < job.rest; t++) {
        wrap_step<Code, L, true>(job, m, llr, t);
#pragma unroll
        for (int i = 0; i < 7 * Code::N; i++)
            llr[i] = llr[i + Code::N];
    }
}

/* Once round the frames at llr[]; survivors from place `first` on. */
template <class Code, class L>
static REGISTERS_FN void wrap_forward(const wrap_job &job, const uint8_t *const *llr,
                                      const wrap_survivors &survivors, uint32_t first, uint32_t *m)
{
    registers_stream<Code, REGISTERS_I8> stream[L::TILES];
    const uint8_t *rest[L::TILES];

#pragma unroll
    for (int k = 0; k < L::TILES; k++) {
        stream[k].at = llr[k];
        rest[k] = llr[k] + 8 * Code::N * job.full;
        if (job.full)
            registers_load<Code, REGISTERS_I8>(&stream[k]);
    }
#pragma unroll 1
    for (uint32_t block = 0; block < job.full; block++) {
        uint32_t item[L::TILES][2 * Code::N];
        registers_input<Code, L, REGISTERS_I8>(stream, block + 1 < job.full, item);
        wrap_block<Code, L>(job, m, item);
        wrap_keep<Code, L>(survivors, first + block, m);
    }
    if (job.rest) {
        wrap_rest<Code, L>(job, rest, m);
        wrap_keep<Code, L>(survivors, first + job.full, m);
    }
}

/* ---- Back ---------------------------------------------------------------------------------- */

static REGISTERS_FN void wrap_put(uint8_t *out, uint32_t byte, uint32_t bits)
{
    out[byte] = (uint8_t)(registers_reverse(bits) >> 24);
}

/*
 * Back through one round, from the states in which it ends to those in which it begins. path: the
 * bits that were dropped, the oldest lowest; the state at a step is the K - 1 bits dropped next, and
 * the input bit the one dropped K - 1 steps later. out: where bits are wanted.
 */
template <class Code, class L>
static REGISTERS_FN void wrap_trace(const wrap_job &job, const wrap_survivors &survivors,
                                    uint32_t first, const bool *wanted, uint8_t *const *out,
                                    uint32_t *state)
{
    uint32_t path[L::TILES];

#pragma unroll
    for (int k = 0; k < L::TILES; k++)
        path[k] = state[k];
    if (job.rest) {
        const uint8_t *mine = wrap_place<Code, L>(survivors, first + job.full);
#pragma unroll
        for (int k = 0; k < L::TILES; k++) {
            path[k] = path[k] << job.rest | wrap_look_up<Code, L>(mine, path[k], k);
            if (wanted[k])
                wrap_put(out[k], job.full, path[k] >> (Code::K - 1) & ((1u << job.rest) - 1));
        }
    }
#pragma unroll 1
    for (uint32_t block = job.full; block-- > 0;) {
        const uint8_t *mine = wrap_place<Code, L>(survivors, first + block);
#pragma unroll
        for (int k = 0; k < L::TILES; k++) {
            path[k] = path[k] << 8 | wrap_look_up<Code, L>(mine, path[k], k);
            if (wanted[k])
                wrap_put(out[k], block, path[k] >> (Code::K - 1) & 0xff);
        }
    }
#pragma unroll
    for (int k = 0; k < L::TILES; k++)
        state[k] = path[k] & (Code::S - 1);
}

/* One more round of a frame is done: is it finished? */
template <class Code, class L>
static REGISTERS_FN void wrap_judge(const wrap_job &job, wrap_thread<Code, L> *t, int k,
                                    bool closed)
{
    t->rounds[k]++;
    if (!t->busy[k] || (!closed && t->rounds[k] < job.limit))
        return;
    t->busy[k] = false;
    struct fecrun_frame_info *info = &job.registers.out.info[t->frame[k]];
    info->iterations = t->rounds[k];
    info->flags &= ~(uint32_t)FECRUN_FRAME_FAILED;
    info->flags |= FECRUN_FRAME_CHECKED | (closed ? 0 : FECRUN_FRAME_FAILED);
}

/* A round of both frames; odd: the second set of places is the present one. */
template <class Code, class L>
static REGISTERS_FN void wrap_round(const wrap_job &job, const wrap_survivors &survivors, bool odd,
                                    wrap_thread<Code, L> *t)
{
    const uint32_t places = job.full + (job.rest > 0);
    const uint32_t present = odd ? places : 0, before = odd ? 0 : places;
    const uint8_t *llr[L::TILES];
    uint8_t *out[L::TILES];
    uint32_t best, end[L::TILES], begin[L::TILES];
    bool first[L::TILES], later[L::TILES], any = false;

#pragma unroll
    for (int k = 0; k < L::TILES; k++) {
        llr[k] = (const uint8_t *)job.registers.in.llr + t->frame[k] * job.registers.in.stride;
        out[k] = job.registers.out.packed + t->frame[k] * job.registers.out.stride;
        first[k] = t->busy[k] && t->rounds[k] == 0;
        later[k] = t->busy[k] && t->rounds[k] > 0;
        any = any || later[k];
    }
    wrap_forward<Code, L>(job, llr, survivors, present, t->m);
    best = registers_best<Code, L>(t->m);
#pragma unroll
    for (int k = 0; k < L::TILES; k++)
        begin[k] = end[k] = Code::S - 1 - L::tag(best, k);
    wrap_trace<Code, L>(job, survivors, present, first, out, begin);
    if (any) { /* the round before ended where this one begins */
        uint32_t state[L::TILES];
#pragma unroll
        for (int k = 0; k < L::TILES; k++)
            state[k] = begin[k];
        wrap_trace<Code, L>(job, survivors, before, later, out, state);
#pragma unroll
        for (int k = 0; k < L::TILES; k++) {
            end[k] = later[k] ? begin[k] : end[k];
            begin[k] = later[k] ? state[k] : begin[k];
        }
    }
#pragma unroll
    for (int k = 0; k < L::TILES; k++)
        wrap_judge<Code, L>(job, t, k, begin[k] == end[k]);
}

#endif
