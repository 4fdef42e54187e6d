/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Of a row's LLRs the minimum of magnitudes without each one, with the product of their signs: by a tree or by chains
 * (row.cuh); and loops over constants.
 */
#ifndef LDPC_CUDA_REGISTERS_MINIMA_CUH
#define LDPC_CUDA_REGISTERS_MINIMA_CUH

#include "plugins/ldpc/cuda/registers/ptx.cuh"

namespace ldpc_registers
{

/* 512: core rows have no channel LLR that bounds them. Four of these and 30 of 127 leave an LLR of a half some digits. */
constexpr uint32_t MOST_CORE = 0x60006000u;

/*
 * What minima are made of: of two LLRs the lesser magnitude and, unless signs are apart (APART), the product of
 * both signs.
 */
struct least {
    static constexpr bool APART = SIGNS_APART;

    FECRUN_MEMBER uint32_t operator()(uint32_t a, uint32_t b) const
    {
        return APART ? min_abs(a, b) : min_xor(a, b);
    }

    FECRUN_MEMBER uint32_t of_core(uint32_t a) const
    {
        return (*this)(a, MOST_CORE);
    }
};

/*
 * Sum-product: the magnitude is min + f(|a| + |b|) - f(||a| - |b||), f(x) = ln(1 + exp(-x)) in natural units. Here f(x)
 * is the square of 0.82 - 0.23 x, from where that is negative on 0: at most 0.035 away, and it never falls faster
 * than by 0.5, so that no magnitude becomes negative. Block error rates are those of the exact one (bench/notebook/ldpc.md).
 * zero, fall: 0.82 and -0.23 in the LLRs' units, two halves each.
 */
struct boxplus {
    static constexpr bool APART = false;
    uint32_t zero, fall;

    FECRUN_MEMBER uint32_t operator()(uint32_t a, uint32_t b) const
    {
        return boxplus_of(a, b, zero, fall);
    }

    FECRUN_MEMBER uint32_t of_core(uint32_t a) const
    {
        return min_xor(a, MOST_CORE);
    }
};

/* Places LO..HI-1 of a row. */
template <int LO, int HI> struct tree {
    tree<LO, (LO + HI) / 2> a;
    tree<(LO + HI) / 2, HI> b;
    uint32_t inside;

    template <class OF> FECRUN_MEMBER uint32_t up(const uint32_t *q, OF of)
    {
        const uint32_t x = a.up(q, of), y = b.up(q, of);

        return inside = of(x, y);
    }

    template <class OF> FECRUN_MEMBER void down(uint32_t *q, uint32_t outside, OF of)
    {
        a.down(q, of(outside, b.inside), of);
        b.down(q, of(outside, a.inside), of);
    }

    /* q: what comes in, then the minima without each one. */
    template <class OF> FECRUN_MEMBER void without_each(uint32_t *q, bool core, OF of)
    {
        uint32_t x = a.up(q, of), y = b.up(q, of);

        if (core) {
            x = of.of_core(x);
            y = of.of_core(y);
        }
        a.down(q, y, of);
        b.down(q, x, of);
    }
};

template <int LO> struct tree<LO, LO + 1> {
    uint32_t inside;

    template <class OF> FECRUN_MEMBER uint32_t up(const uint32_t *q, OF)
    {
        return inside = q[LO];
    }

    template <class OF> FECRUN_MEMBER void down(uint32_t *q, uint32_t outside, OF)
    {
        q[LO] = outside;
    }
};

/* As the standard library has them, which a compiler at run time has not. */
template <int I> struct constant {
    constexpr FECRUN_MEMBER operator int() const
    {
        return I;
    }
};

template <int... I> struct sequence {
};

template <int N, int... I> struct first_numbers : first_numbers<N - 1, N - 1, I...> {
};

template <int... I> struct first_numbers<0, I...> {
    using type = sequence<I...>;
};

template <int N> using numbers = typename first_numbers<N>::type;

template <class F, int... I> FECRUN_ON_DEVICE void each(F &&f, sequence<I...>)
{
    (f(constant<I>{}), ...);
}

/* f(0), f(1), ... f(N - 1), each with a constant. */
template <int N, class F> FECRUN_ON_DEVICE void each(F &&f)
{
    each(f, numbers<N>{});
}

/*
 * What a tree does, by two chains, each of which begins with the other one's total: on the way there while
 * LLRs come, on the way back one result after the other can be used and stored. order(i): which one is the
 * i-th. Whether this or the tree is faster depends on the compiler's schedule: measure it.
 */
template <int N> struct chains {
    static constexpr int HALF = (N + 1) / 2;

    static constexpr int order(int i)
    {
        return i % 2 ? N - 1 - i / 2 : HALF - 1 - i / 2;
    }

    template <class OF> FECRUN_MEMBER void without_each(uint32_t *q, bool core, OF of)
    {
        uint32_t before[N], a = q[0], b = q[HALF];

        each<HALF - 1>([&](auto I) {
            constexpr int K = I + 1, L = HALF + K;

            before[K] = a;
            a = of(a, q[K]);
            if constexpr (L < N) {
                before[L] = b;
                b = of(b, q[L]);
            }
        });
        if (core) {
            a = of.of_core(a);
            b = of.of_core(b);
        }
        each<N>([&](auto I) {
            constexpr int K = order(I);
            uint32_t &others = I % 2 ? a : b;
            const uint32_t own = q[K];

            if constexpr (K == 0 || K == HALF) {
                q[K] = others;
            } else {
                q[K] = of(before[K], others);
                others = of(own, others);
            }
        });
    }
};

constexpr int NO_CHAINS = 1000;

/*
 * Of q, by a tree or by chains. If signs are apart, that of all LLRs but one is the product of all signs and of the
 * one's.
 */
template <class MINIMA, class OF, int... K>
FECRUN_ON_DEVICE void without_each(MINIMA &minima, uint32_t *r, const uint32_t *q, bool core, OF of,
                                   sequence<K...>)
{
    ((r[K] = q[K]), ...);
    minima.without_each(r, core, of);
    if constexpr (OF::APART) {
        const uint32_t all = (q[K] ^ ...);

        ((r[K] = with_signs(r[K], all ^ q[K])), ...);
    }
}

/*
 * The arithmetic of a row as one statement, for rows of so many edges, with a column of their own, with two messages a
 * word: row_text.c writes it for kernels that are compiled when they are used. run(): q, LLRs, become new ones, and m the
 * row's new messages; the new LLRs' parity.
 */
template <int DEGREE, bool EXTENDED, bool PACKED> struct row_text {
    static constexpr bool THERE = false;

    FECRUN_MEMBER static uint32_t run(uint32_t *, uint32_t *, uint32_t, uint32_t, uint32_t)
    {
        return 0;
    }
};

template <int N, bool CHAIN> struct minima_of : tree<0, N> {
    static constexpr int order(int i)
    {
        return i;
    }
};

template <int N> struct minima_of<N, true> : chains<N> {
};

} // namespace ldpc_registers

#endif
