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

/* Places LO..HI-1 of a row. */
template <int LO, int HI> struct tree {
    tree<LO, (LO + HI) / 2> a;
    tree<(LO + HI) / 2, HI> b;
    uint32_t inside;

    FECRUN_MEMBER uint32_t up(const uint32_t *q)
    {
        const uint32_t x = a.up(q), y = b.up(q);

        return inside = min_xor(x, y);
    }

    FECRUN_MEMBER void down(uint32_t *q, uint32_t outside)
    {
        a.down(q, min_xor(outside, b.inside));
        b.down(q, min_xor(outside, a.inside));
    }

    /* q: what comes in, then the minima without each one. */
    FECRUN_MEMBER void without_each(uint32_t *q, bool core)
    {
        uint32_t x = a.up(q), y = b.up(q);

        if (core) {
            x = min_xor(x, MOST_CORE);
            y = min_xor(y, MOST_CORE);
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

template <class F, int... I> FECRUN_ON_DEVICE void each(F &&f, sequence<I...>)
{
    (f(constant<I>{}), ...);
}

/* f(0), f(1), ... f(N - 1), each with a constant. */
template <int N, class F> FECRUN_ON_DEVICE void each(F &&f)
{
    each(f, typename first_numbers<N>::type{});
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
            a = min_xor(a, q[K]);
            if constexpr (L < N) {
                before[L] = b;
                b = min_xor(b, q[L]);
            }
        });
        if (core) {
            a = min_xor(a, MOST_CORE);
            b = min_xor(b, MOST_CORE);
        }
        each<N>([&](auto I) {
            constexpr int K = order(I);
            uint32_t &others = I % 2 ? a : b;
            const uint32_t own = q[K];

            if constexpr (K == 0 || K == HALF) {
                q[K] = others;
            } else {
                q[K] = min_xor(before[K], others);
                others = min_xor(own, others);
            }
        });
    }
};

constexpr int NO_CHAINS = 1000;

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
