/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A row, and an iteration, of the kernels in shared memory: plan.h.
 *
 * Min-sum in half, as in registers/row.cuh: q_j = L_j - alpha' r_j; r_j = min over the others of
 * |q|, with the product of their signs, at most 128; L_j = q_j + alpha r_j. Of a message the upper
 * 8 bits are kept (sign, exponent, two bits of mantissa), the others are 0: what that takes from
 * messages, a tenth of them on average, is in alpha. A message of 0 stays 0.
 *
 * A message's word is in the memory of its thread: nobody else reads it.
 */
#ifndef LDPC_CUDA_SHARED_ROW_CUH
#define LDPC_CUDA_SHARED_ROW_CUH

#include "plugins/ldpc/cuda/registers/row.cuh"
#include "plugins/ldpc/cuda/shared/ptx.cuh"
#include "plugins/ldpc/cuda/shared/work.h"

namespace ldpc_shared
{

using ldpc_registers::each;
using ldpc_registers::min_xor;
using ldpc_registers::multiply_add;
using ldpc_registers::multiply_subtract;
using ldpc_registers::permute;
using ldpc_registers::subtract;
using ldpc_registers::without_each;

constexpr uint32_t KNOWN = 0x64006400; /* 1024: of a filler, and of an edge that is not there */

/* Bytes in places 0 and 2 of each word to halves; -128 is read as -127. */
FECRUN_ON_DEVICE uint32_t bytes_to_halves(uint32_t bytes)
{
    const uint32_t w = (bytes & 0x00ff00ff) ^ 0x64806480; /* 1024 + 128 + x */

    return ldpc_registers::larger(subtract(w, 0x64806480), 0xd7f0d7f0);
}

/* Four LLRs each of two codewords. */
FECRUN_ON_DEVICE void widen(uint32_t *d, uint32_t a, uint32_t b)
{
    d[0] = bytes_to_halves(__byte_perm(a, b, 0x0400));
    d[1] = bytes_to_halves(__byte_perm(a, b, 0x0501));
    d[2] = bytes_to_halves(__byte_perm(a, b, 0x0602));
    d[3] = bytes_to_halves(__byte_perm(a, b, 0x0703));
}

/* To the nearest ones; no -0. */
FECRUN_ON_DEVICE uint32_t halves(float low, float high)
{
    return two_halves(low + 0.0f, high + 0.0f);
}

template <class C> struct rows_of {
    static constexpr uint32_t ITEM = C::WIDE ? 4 : 2, UNIT = ITEM * C::SLOTS; /* bytes */
    static constexpr uint32_t ARRAY = ((C::COLUMNS + C::SPARES) * UNIT + 15) / 16 * 16;
    static constexpr uint32_t MESSAGES = (C::FLOODING ? 2 : 1) * ARRAY;
    static constexpr uint32_t FLAGS = MESSAGES + 4 * C::THREADS * C::NEAR;

    static constexpr uint32_t PART = C::THREADS / C::PARTS, READERS = C::ROWS * C::PARTS;

    static constexpr int words(int weight)
    {
        return C::WIDE ? (weight + 1) / 2 : (weight + 3) / 4;
    }

    static constexpr int MOST_WORDS = words(C::MOST_WEIGHT);
    static constexpr int EDGES = !C::QC ? 0 : C::MOST_WEIGHT < C::AHEAD ? C::MOST_WEIGHT : C::AHEAD;
    static constexpr int TABLE = C::QC ? 1 : (C::MOST_WEIGHT + 1) / 2;

    char *memory;
    const ldpc_shared_work &work;
    uint32_t *near, *far;     /* this thread's first message in shared and in global memory */
    uint32_t part, row, slot; /* slot: bytes */
    uint32_t reader;          /* row of all parts' */
    uint32_t alpha; /* of this iteration in the lower half, of the one before in the upper one */
    uint32_t beta;  /* oms: two halves */
    uint32_t now;   /* flooding: where the LLRs are that are read */
    uint32_t bad;   /* bits 15 and 31: some check did not hold at its turn */

    FECRUN_MEMBER rows_of(char *sm, const ldpc_shared_work &w)
        : memory(sm), work(w), near((uint32_t *)(sm + MESSAGES) + threadIdx.x),
          far(C::NEAR < C::WORDS ? w.messages + blockIdx.x * w.message_words + threadIdx.x
                                 : nullptr),
          part(threadIdx.x / PART), row(threadIdx.x % PART / C::SLOTS),
          slot(threadIdx.x % C::SLOTS * 4), reader(row + part * C::ROWS), alpha(0), beta(0), now(0),
          bad(0)
    {
        if (!C::WIDE)
            slot = 0;
    }

    /* ---- LLRs ---- */

    FECRUN_MEMBER uint32_t load_from(uint32_t at) const
    {
        if constexpr (C::WIDE)
            return load_word(at);
        else
            return load_half(at);
    }

    FECRUN_MEMBER uint32_t place(uint32_t at) const
    {
        return C::FLOODING ? now + at : at;
    }

    FECRUN_MEMBER uint32_t load_at(uint32_t at) const
    {
        return load_from(place(at));
    }

    FECRUN_MEMBER void store_at(uint32_t at, uint32_t llr) const
    {
        if constexpr (C::WIDE)
            store_word(at, llr);
        else
            store_half(at, llr);
    }

    FECRUN_MEMBER uint32_t load_column(uint32_t column) const
    {
        return load_at(column * UNIT + slot);
    }

    FECRUN_MEMBER void store_column(uint32_t column, uint32_t llr) const
    {
        store_at(place(column * UNIT + slot), llr);
    }

    /* Flooding: where LLRs were is room for the next ones. */
    FECRUN_MEMBER void turn()
    {
        now = ARRAY - now;
    }

    /* ---- What a step needs from memory ---- */

    /* On its way while the step before is at work. */
    struct ahead {
        uint32_t *word;                /* of messages, this thread's first one */
        uint32_t m[MOST_WORDS];        /* they */
        uint32_t a[TABLE];             /* columns, two a word; of circulants the lane, in bytes */
        uint2 edge[EDGES ? EDGES : 1]; /* its first circulants */
    };

    /* This thread's first word of a step's messages. */
    FECRUN_MEMBER uint32_t *messages(const ldpc_shared_step &s) const
    {
        if (C::NEAR >= C::WORDS)
            return near + s.word;
        if (!C::NEAR)
            return far + s.word;
        return (s.kind & LDPC_SHARED_NEAR ? near : far) + s.word;
    }

    FECRUN_MEMBER void fetch(const ldpc_shared_step &s, bool first, ahead &n) const
    {
        const bool mine = row < s.rows;
        const int weight = C::WEIGHTS == 1 ? C::MOST_WEIGHT : (int)(s.kind & 0xff);

        n.word = messages(s);
        each<MOST_WORDS>([&](auto W) {
            n.m[W] = 0;
            if (!first && mine && W < words(weight))
                n.m[W] = n.word[W * C::THREADS];
        });
        if constexpr (C::QC) {
            uint32_t lane = s.lane + row;

            if (s.kind & LDPC_SHARED_LISTED && mine)
                lane = work.table[s.lane + row];
            n.a[0] = lane * UNIT + slot;
        } else {
            each<TABLE>([&](auto I) {
                n.a[I] = 0;
                if (mine && 2 * I < weight)
                    n.a[I] = work.table[s.edge + I * C::ROWS + row];
            });
        }
        each<EDGES>([&](auto K) { n.edge[K] = C::edges(s.edge)[K]; });
    }

    template <int D>
    FECRUN_MEMBER void addresses(const ldpc_shared_step &s, const ahead &n, uint32_t *at) const
    {
        if constexpr (C::QC) {
            each<D>([&](auto K) {
                const uint2 edge = K < EDGES ? n.edge[K < EDGES ? K : 0] : C::edges(s.edge)[K];
                const uint32_t x = n.a[0] + edge.y;

                at[K] = edge.x + __viaddmin_u32(x, 0u - C::Z * UNIT, x);
            });
            if (C::SPARES && s.kind & LDPC_SHARED_SKIPS)
                each<D>([&](auto K) {
                    if (n.a[0] - slot == C::skips(s.edge)[K])
                        at[K] = (C::COLUMNS + reader) * UNIT + slot;
                });
        } else {
            each<D>([&](auto K) {
                at[K] = (K % 2 ? n.a[K / 2] >> 16 : n.a[K / 2] & 0xffff) * UNIT + slot;
            });
        }
    }

    /* ---- Messages ---- */

    template <int K> FECRUN_MEMBER static uint32_t get(const uint32_t *m)
    {
        if constexpr (!C::WIDE)
            return permute(m[K / 4], 0, 0x4404 | K % 4 << 4);
        else if constexpr (K % 2)
            return permute(m[K / 2], 0, 0x2404);
        else
            return m[K / 2] & 0xff00ff00;
    }

    template <int K, int D> FECRUN_MEMBER static uint32_t at_or_zero(const uint32_t (&r)[D])
    {
        if constexpr (K < D)
            return r[K];
        else
            return 0;
    }

    template <int D> FECRUN_MEMBER static void pack(uint32_t *m, const uint32_t (&r)[D])
    {
        each<words(D)>([&](auto W) {
            if constexpr (C::WIDE) {
                m[W] = permute(at_or_zero<2 * W + 1>(r), r[2 * W], 0x7351);
            } else {
                const uint32_t low = permute(r[4 * W], at_or_zero<4 * W + 1>(r), 0x0051);
                const uint32_t high = permute(at_or_zero<4 * W + 2>(r), at_or_zero<4 * W + 3>(r),
                                              0x0051);

                m[W] = permute(low, high, 0x5410);
            }
        });
    }

    /* ---- A row ---- */

    template <int D, bool CHECK> FECRUN_MEMBER void take(const ldpc_shared_step &s, ahead &n)
    {
        uint32_t at[D], q[D], r[D], odd = 0;
        ldpc_registers::tree<0, D> minima;

        addresses<D>(s, n, at);
        each<D>([&](auto K) {
            q[K] = C::FLOODING ? load_from(ARRAY - now + at[K]) : load_from(at[K]);
        });
        each<D>([&](auto K) { q[K] = multiply_subtract(get<K>(n.m), alpha, q[K]); });
        without_each(minima, r, q, true, ldpc_registers::least(), ldpc_registers::numbers<D>{});
        if constexpr (C::OMS)
            each<D>([&](auto K) { r[K] = subtract(r[K], min_xor(r[K], beta)); });
        pack(n.m, r);
        each<words(D)>([&](auto W) { n.word[W * C::THREADS] = n.m[W]; });
        each<D>([&](auto K) {
            const uint32_t before = C::FLOODING ? load_at(at[K]) : q[K];
            const uint32_t llr = multiply_add(get<K>(n.m), alpha, before);

            store_at(place(at[K]), llr);
            odd ^= llr;
        });
        if (CHECK)
            bad |= odd;
    }

    /* Those behind the last step are empty ones. */
    template <bool CHECK> FECRUN_MEMBER void iteration(bool first)
    {
        ldpc_shared_step s = C::steps()[part], next = C::steps()[C::PARTS + part];
        ahead n, m;

        fetch(s, first, n);
#pragma unroll 2
        for (uint32_t i = 0; i < C::STEPS; i++) {
            const ldpc_shared_step after = C::steps()[(i + 2) * C::PARTS + part];

            fetch(next, first, m);
            if (row < s.rows)
                each<C::WEIGHTS>([&](auto W) {
                    if (C::WEIGHTS == 1 || (int)(s.kind >> 8 & 0xff) == W)
                        this->template take<C::weight(W), CHECK>(s, n);
                });
            if (s.kind & LDPC_SHARED_SYNC)
                __syncthreads();
            n = m;
            s = next;
            next = after;
        }
    }

    /* Bits 15 and 31: some check of this thread's rows does not hold. */
    FECRUN_MEMBER uint32_t parity() const
    {
        uint32_t all = 0;

#pragma unroll 1
        for (uint32_t i = 0; i < C::STEPS; i++) {
            const ldpc_shared_step s = C::steps()[i * C::PARTS + part];
            ahead n;

            if (row >= s.rows)
                continue;
            fetch(s, true, n);
            each<C::WEIGHTS>([&](auto W) {
                uint32_t at[C::weight(W)], odd = 0;

                if (C::WEIGHTS > 1 && (int)(s.kind >> 8 & 0xff) != W)
                    return;
                addresses<C::weight(W)>(s, n, at);
                each<C::weight(W)>([&](auto K) { odd ^= load_at(at[K]); });
                all |= odd;
            });
        }
        return all;
    }
};

} // namespace ldpc_shared

#endif
