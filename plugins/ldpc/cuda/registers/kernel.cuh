/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernels in registers round the iterations: LLRs in, bits and LLRs out, when to stop.
 *
 * Syndrome: rows from 4 on are checked as they are taken, with the LLRs that they leave behind (and
 * that of their own column, which is nowhere else); rows 0 to 3, whose columns go on changing, at
 * the end of the iteration, and only if the last of them were right as they were taken. A code block's
 * bits are those of the iteration in which it converged, whatever its neighbours do. With flooding no
 * column has its LLR before the iteration's end: rows 0 to 3 are checked then, and the others if these
 * are right.
 */
#ifndef LDPC_CUDA_REGISTERS_KERNEL_CUH
#define LDPC_CUDA_REGISTERS_KERNEL_CUH

#include "plugins/ldpc/cuda/registers/read.cuh"
#include "plugins/ldpc/cuda/registers/soft.cuh"
#include "plugins/ldpc/cuda/registers/write.cuh"

namespace ldpc_registers
{

/* ---- Stop? ---- */

/* Some code blocks may have ended: true if all have. */
template <class D> FECRUN_ON_DEVICE bool end(const place<D> &p, uint32_t iterations, bool last)
{
    bool ended = true;

    __syncthreads();
    if (p.work.quads)
        write_eights(p, last);
    else
        write_bytes(p, last);
    if constexpr (D::G::SOFT)
        write_soft(p, [&](uint32_t pair) {
            return (uint32_t)p.ends(2 * pair, last) | (uint32_t)p.ends(2 * pair + 1, last) << 1;
        });
    if (p.t < 2 * p.work.pairs) {
        if (p.ends(p.t, last))
            write_info(p, p.t, iterations, p.good(p.t));
        else
            ended = p.flag(ENDED)[p.t];
    }
    __syncthreads();
    if (p.t < 2 * p.work.pairs) {
        p.flag(ENDED)[p.t] = ended;
        p.clear(p.t);
    }
    return last || __syncthreads_and(ended);
}

/* Not the last iteration: has some code block not yet shown a check that does not hold? */
template <class D> FECRUN_ON_DEVICE bool any_promising(const place<D> &p)
{
    if (__syncthreads_or(p.promising(2 * p.pair) || p.promising(2 * p.pair + 1)))
        return true;
    if (p.t < 2 * p.work.pairs)
        p.clear(p.t);
    return false;
}

/* The end of an iteration with checks, and its barrier; true: all code blocks have ended. */
template <class D> FECRUN_ON_DEVICE bool judge(const place<D> &p, D &d, uint32_t iterations)
{
    const bool last = iterations == p.work.iterations;

    d.give_wrapped();
    if constexpr (D::FLOODING) {
        __syncthreads();
        p.note(last ? BAD_END : BAD_CORE, d.core_parity());
    } else {
        p.note(BAD_CORE, d.bad_core);
        p.note(BAD_OTHERS, d.bad_others);
    }
    __syncthreads();
    if (!last && !any_promising(p))
        return false;
    if constexpr (D::FLOODING)
        p.note(BAD_END, d.others_parity());
    else
        p.note(BAD_END, d.core_parity());
    return end(p, iterations, last);
}

/* ---- Stop, where all threads have the same pair? All of them see the same flags. ---- */

/* Of iteration i: two code blocks' BAD_CORE, then BAD_OTHERS. Two such words in turn. */
template <class D> FECRUN_ON_DEVICE uint32_t *checks(const place<D> &p, uint32_t i)
{
    return (uint32_t *)p.flag(0) + i % 2;
}

/* Both code blocks' BAD_END. */
template <class D> FECRUN_ON_DEVICE uint32_t *end_checks(const place<D> &p)
{
    return (uint32_t *)p.flag(0) + 2;
}

template <class D> FECRUN_ON_DEVICE void note_in(uint32_t *flags, int which, uint32_t bad)
{
    if constexpr (D::HALF) {
        if (bad & 0x80008000)
            ((uint8_t *)flags)[which] = 1;
        return;
    }
    if (bad & 0x8000)
        ((uint8_t *)flags)[which] = 1;
    if (bad & 0x80000000u)
        ((uint8_t *)flags)[which + 1] = 1;
}

/* Of bytes 0 and 1, bits 0 and 1: those that are 0. */
FECRUN_ON_DEVICE uint32_t right(uint32_t flags)
{
    return ~(flags | flags >> 7) & 3;
}

template <class D> FECRUN_ON_DEVICE void clear_lone(const place<D> &p)
{
    if (p.t == 0)
        *checks(p, 0) = *checks(p, 1) = *end_checks(p) = 0;
}

/* Within an iteration? */
template <class D> constexpr bool has_barrier()
{
    for (int r = 0; r < D::ALL_ROWS; r++)
        if (D::P::barrier(r))
            return true;
    return false;
}

/* As judge(). Between the words' uses is a barrier within the iteration. */
template <class D> FECRUN_ON_DEVICE bool judge_lone(place<D> &p, D &d, uint32_t iterations)
{
    const bool last = iterations == p.work.iterations;
    uint32_t flags, good, ending;

    static_assert(!D::LONE || has_barrier<D>(), "flags are cleared in time");
    note_in<D>(checks(p, iterations), 0, d.bad_core);
    note_in<D>(checks(p, iterations), 2, d.bad_others);
    __syncthreads();
    flags = *checks(p, iterations);
    if (p.t == 0)
        *checks(p, iterations + 1) = *end_checks(p) = 0;
    if (!last && !(right(flags | flags >> 16) & ~p.ended))
        return false;
    d.give_wrapped();
    __syncthreads();
    note_in<D>(end_checks(p), 0, d.core_parity());
    __syncthreads();
    good = right(flags >> 16 | *end_checks(p));
    ending = (last ? 3 : good & right(flags)) & ~p.ended;
    if (ending) {
        write_columns(p, d, ending);
        if constexpr (D::G::SOFT)
            write_soft(p, [&](uint32_t) { return ending; });
        if (p.t < 2 && ending >> p.t & 1)
            write_info(p, p.t, iterations, good >> p.t & 1);
    }
    p.ended |= ending;
    __syncthreads(); /* columns have been read */
    return p.ended == 3;
}

/* Of an iteration, the first is 0; an index unknown to the compiler, or the factor would go
   where all threads share it, and operations could not have it beside their other operands. */
template <class D>
FECRUN_ON_DEVICE uint32_t alpha(const place<D> &p, const D &d, uint32_t iteration)
{
    return p.work.alpha[LDPC_ALPHA_PLACE(iteration, p.work.alpha_shift) + (d.half >> 8)];
}

/*
 * Numbers of the rule, of both code blocks: the launch's, or, of LLRs that were scaled frame by frame, those of each
 * frame's unit.
 */
template <class D> FECRUN_ON_DEVICE void set_rule(const place<D> &p, D &d)
{
    const float *unit = p.work.soft.unit, natural = p.work.natural;

    d.beta = d.plus.zero = p.work.beta;
    d.plus.fall = p.work.fall;
    if constexpr (D::G::OMS || D::G::SPA) {
        if (!unit)
            return;
        const uint32_t frame = p.first + D::FRAMES * p.pair;
        const uint32_t next = frame + D::FRAMES - 1, last = p.work.frames - 1;
        const float low = unit[frame < last ? frame : last], high = unit[next < last ? next : last];

        if constexpr (D::G::OMS) {
            d.beta = halves_of(at_most(natural / low, 128), at_most(natural / high, 128));
        } else {
            const float x = at_most(natural / root_of(low), 128);
            const float y = at_most(natural / root_of(high), 128);

            d.plus = {halves_of(0.82f * x, 0.82f * y), halves_of(-0.23f / x, -0.23f / y)};
        }
    }
}

template <class D> FECRUN_ON_DEVICE void begin(place<D> &p, D &d)
{
    set_rule(p, d);
    d.alpha = alpha(p, d, 0);
    for (int c = 0; c < D::G::PUNCTURED; c++) {
        *p.word(c, p.t) = 0;
        if constexpr (D::HALF)
            *p.word(c, p.t + D::MIDDLE) = 0;
    }
    if constexpr (D::HALF)
        read_halves(p);
    else if (p.work.quads)
        read_quads(p);
    else
        read_bytes(p);
    for (int i = 0; i < D::WORDS; i++)
        d.message[i] = 0;
    for (int i = 0; i < D::SHARED_WORDS; i++)
        ((uint32_t *)(p.memory + D::MESSAGES + D::COLUMN * i))[p.t] = 0;
    if constexpr (D::LONE) {
        clear_lone(p);
        p.ended = D::HALF || p.first + 1 >= p.work.frames ? 2 : 0;
    } else if (p.t < 2 * p.work.pairs) {
        p.clear(p.t);
        p.flag(ENDED)[p.t] = p.first + p.t >= p.work.frames;
    }
    if (p.work.bits < p.work.k) {
        __syncthreads();
        if constexpr (D::HALF)
            read_half_fillers(p);
        else
            read_fillers(p);
    }
    if constexpr (D::FLOODING) {
        __syncthreads();
        d.keep_channel();
    }
}

/*
 * G::EARLY_STOP: all decoders have it, and iterations without checks are not compiled. Neither are they with
 * sum-product: checks are a small part of such an iteration, and another one takes seconds to compile.
 */
template <class D> FECRUN_ON_DEVICE void run(place<D> &p, D &d)
{
    for (uint32_t i = 1;; i++) {
        d.alpha = d.alpha << 16 | alpha(p, d, i - 1);
        if constexpr (!D::G::EARLY_STOP && !D::G::SPA)
            if (!p.work.early_stop && i < p.work.iterations) {
                d.template iteration<false>();
                __syncthreads();
                continue;
            }
        d.bad_core = d.bad_others = 0;
        d.template iteration<true>();
        if (D::G::SPA && !p.work.early_stop && i < p.work.iterations) {
            __syncthreads();
            continue;
        }
        if (D::LONE ? judge_lone(p, d, i) : judge(p, d, i))
            break;
    }
}

/* Values that the compiler must hold in registers of each thread: they come from memory. */
template <class D>
FECRUN_ON_DEVICE void prepare(D &d, char *memory, const ldpc_registers_work &work)
{
    volatile uint32_t *values = (volatile uint32_t *)(memory + D::END);

    d.make_table((uint32_t *)(memory + D::SHIFTS), work);
    values[0] = work.wrap;
    values[1] = 0x80;
    __syncthreads();
    d.wrap = values[0];
    d.half = values[1];
    d.one = work.one;
    d.t4 = 4 * threadIdx.x;
    d.rows = work.rows;
    __syncthreads();
    d.keep_addresses();
}

/* BLOCKS: that share a multiprocessor. */
template <class D, int THREADS, int BLOCKS>
__global__ void __launch_bounds__(THREADS, BLOCKS)
    decode(const __grid_constant__ struct ldpc_registers_work work)
{
#if __CUDA_ARCH__ >= 900 || defined __CUDACC_RTC__ /* for older devices only when it is used */
    extern __shared__ __align__(128) char memory[];
    const uint32_t step = gridDim.x * D::FRAMES * work.pairs;
    uint32_t phase = 0;
    place<D> p(memory, work, threadIdx.x);
    D d;

    let_next_begin();
    if (D::STAGED && threadIdx.x == 0)
        barrier_make(p.barrier());
    __syncthreads();
    p.first = blockIdx.x * D::FRAMES * work.pairs;
    if (!work.waits && threadIdx.x < work.lanes)
        fetch(p, p.first);
    prepare(d, memory, work);
    if (threadIdx.x >= work.lanes)
        return;
    if (work.waits) {
        wait_for_others();
        fetch(p, p.first);
    }
    for (; p.first < work.frames; p.first += step) {
        wait(p, phase);
        phase ^= 1;
        begin(p, d);
        __syncthreads();
        fetch(p, p.first + step);
        d.take_wrapped();
        d.begin_own(p.own());
        if constexpr (D::G::SOFT)
            d.llrs = work.soft.to[LDPC_SOFT_WORD] ? p.llrs_of_own() + d.t4 : nullptr;
        run(p, d);
    }
#endif
}

} // namespace ldpc_registers

#endif
