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

constexpr uint32_t MOST_CORE =
    0x58005800u; /* 128: core rows have no channel LLR that bounds them */

/* What the minima below are made of: magnitudes if signs are apart, else both. */
FECRUN_ON_DEVICE uint32_t lesser(uint32_t a, uint32_t b)
{
    return SIGNS_APART ? min_abs(a, b) : min_xor(a, b);
}

/* Places LO..HI-1 of a row. */
template <int LO, int HI> struct tree {
    tree<LO, (LO + HI) / 2> a;
    tree<(LO + HI) / 2, HI> b;
    uint32_t inside;

    FECRUN_MEMBER uint32_t up(const uint32_t *q)
    {
        const uint32_t x = a.up(q), y = b.up(q);

        return inside = lesser(x, y);
    }

    FECRUN_MEMBER void down(uint32_t *q, uint32_t outside)
    {
        a.down(q, lesser(outside, b.inside));
        b.down(q, lesser(outside, a.inside));
    }

    /* q: what comes in, then the minima without each one. */
    FECRUN_MEMBER void without_each(uint32_t *q, bool core)
    {
        uint32_t x = a.up(q), y = b.up(q);

        if (core) {
            x = lesser(x, MOST_CORE);
            y = lesser(y, MOST_CORE);
        }
        a.down(q, y);
        b.down(q, x);
    }
};

template <int LO> struct tree<LO, LO + 1> {
    uint32_t inside;

    FECRUN_MEMBER uint32_t up(const uint32_t *q)
    {
        return inside = q[LO];
    }

    FECRUN_MEMBER void down(uint32_t *q, uint32_t outside)
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

    FECRUN_MEMBER void without_each(uint32_t *q, bool core)
    {
        uint32_t before[N], a = q[0], b = q[HALF];

        each<HALF - 1>([&](auto I) {
            constexpr int K = I + 1, L = HALF + K;

            before[K] = a;
            a = lesser(a, q[K]);
            if constexpr (L < N) {
                before[L] = b;
                b = lesser(b, q[L]);
            }
        });
        if (core) {
            a = lesser(a, MOST_CORE);
            b = lesser(b, MOST_CORE);
        }
        each<N>([&](auto I) {
            constexpr int K = order(I);
            uint32_t &others = I % 2 ? a : b;
            const uint32_t own = q[K];

            if constexpr (K == 0 || K == HALF) {
                q[K] = others;
            } else {
                q[K] = lesser(before[K], others);
                others = lesser(own, others);
            }
        });
    }
};

constexpr int NO_CHAINS = 1000;

/*
 * Of q, by a tree or by chains. If signs are apart, that of all LLRs but one is the product of all signs and of the
 * one's.
 */
template <class MINIMA, int... K>
FECRUN_ON_DEVICE void without_each(MINIMA &minima, uint32_t *r, const uint32_t *q, bool core,
                                   sequence<K...>)
{
    ((r[K] = q[K]), ...);
    minima.without_each(r, core);
    if constexpr (SIGNS_APART) {
        const uint32_t all = (q[K] ^ ...);

        ((r[K] = with_signs(r[K], all ^ q[K])), ...);
    }
}

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
