/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Flooding in registers, for codes of NR: a row sees the LLRs of the iteration before, whatever other
 * rows have done since. Otherwise as row.cuh, and with its memory.
 *
 * q_j = L_j - alpha' r_j, and r_j of these, as in layers. S_j, the sum that becomes L_j, has memory of its
 * own: the first row of an iteration that has column j finds what arrived, C_j, in its place, the last
 * one leaves its sum where L_j was. Nobody else wants that any more: rows that share a column have a
 * barrier between them, as in layers. So an edge has one load more than there, and an iteration begins
 * and ends with nothing to do. A row reads L_j and finds its r_j before it waits for the rows before it.
 *
 * Columns 0 and 1 of turned rows have S in registers, too.
 *
 * With checks: rows' columns of degree 1 have no memory for their LLRs. Of these the signs are kept, 16
 * rows a word.
 */
#ifndef LDPC_CUDA_REGISTERS_FLOOD_CUH
#define LDPC_CUDA_REGISTERS_FLOOD_CUH

#include "plugins/ldpc/cuda/registers/kernel.cuh"

namespace ldpc_registers
{

/* As decoder<>. STAGE: LLRs come to shared memory first. */
template <int BG, int ROWS, int PACK0, int PACK1, int SHARED0, int SHARED1, int Z, int KEPT,
          int LANES, bool STAGE>
struct flooding : decoder<BG, ROWS, PACK0, PACK1, SHARED0, SHARED1, Z, KEPT, LANES> {
    using base = decoder<BG, ROWS, PACK0, PACK1, SHARED0, SHARED1, Z, KEPT, LANES>;
    using typename base::at_work;
    using typename base::G;
    using typename base::P;

    static constexpr bool LONE = false;

    static_assert(G::TURNED && Z && !G::FORWARD,
                  "columns 0 and 1 are in registers, shifts in the code");

    static constexpr bool FLOODING = true;
    static constexpr bool STAGED = STAGE, BYTES = true; /* columns of degree 1 */
    static constexpr int COLUMN = base::COLUMN;
    static constexpr int FEW_WORDS = 80; /* of messages in registers */

    /*
     * Shared memory: L of core columns; C of the others, in bytes; messages; S of columns from 1 on; C of
     * columns that are sent; signs.
     */
    static constexpr int OTHERS = ROWS - G::CORE_ROWS, PER_WORD = 16;
    static constexpr int SIGN_WORDS = (OTHERS + PER_WORD - 1) / PER_WORD;
    static constexpr int OWN = COLUMN * G::CORE;
    static constexpr int MESSAGES = OWN + COLUMN * ((OTHERS + 1) / 2);
    static constexpr int SUMS = MESSAGES + COLUMN * (base::SHARED_WORDS - 1);
    static constexpr int CHANNEL = SUMS + COLUMN * (G::CORE - G::PUNCTURED);
    static constexpr int SIGNS = CHANNEL + COLUMN * G::CORE;
    static constexpr int END = (SIGNS + COLUMN * SIGN_WORDS + LDPC_REGISTERS_ALIGN - 1) /
                               LDPC_REGISTERS_ALIGN * LDPC_REGISTERS_ALIGN;

    uint32_t s0, s1; /* S of columns 0 and 1 of turned rows */
    uint32_t signs;  /* of the last columns of up to 16 rows */
    uint32_t four;   /* bytes of C: of two rows and two code blocks */

    static constexpr bool first(int r, int c)
    {
        for (int i = r + 1; i < ROWS; i++)
            if (P::has(i, c))
                return false;
        return true;
    }

    static constexpr bool last(int r, int c)
    {
        for (int i = 0; i < r; i++)
            if (P::has(i, c))
                return false;
        return true;
    }

    /* In registers. */
    template <int C> FECRUN_MEMBER uint32_t &own_sum()
    {
        return C ? s1 : s0;
    }

    /* What arrived, from L. */
    FECRUN_MEMBER void keep_channel() const
    {
        each<G::CORE>([&](auto C) {
            if constexpr (C >= G::PUNCTURED)
                store<CHANNEL + COLUMN * C>(this->t4, load<COLUMN * C>(this->t4));
        });
    }

    /* C of row r's own column, lane at: halves to bytes, 128 more than they are. */
    FECRUN_MEMBER static void keep_own(char *memory, uint32_t r, uint32_t at, uint32_t llr)
    {
        const uint32_t i = r - G::CORE_ROWS, byte = subtract(llr, 0xe480e480u);

        *(uint16_t *)(memory + OWN + COLUMN * (i / 2) + 4 * at +
                      2 * (i % 2)) = (uint16_t)permute(byte, 0, 0x4420);
    }

    /* And back. */
    template <int R> FECRUN_MEMBER static uint32_t own_channel(uint32_t bytes)
    {
        return subtract(permute(bytes, 0x64, (R - G::CORE_ROWS) % 2 ? 0x4342 : 0x4140), 0x64806480);
    }

    template <int R> FECRUN_MEMBER void fetch(uint32_t *m) const
    {
        if constexpr (base::shared(R))
            each<base::words(R)>([&](auto W) {
                m[W] = load<MESSAGES + COLUMN *(base::shared_place(R) + W)>(this->t4);
            });
    }

    template <int R> FECRUN_MEMBER void keep(const uint32_t *m) const
    {
        if constexpr (base::shared(R))
            each<base::words(R)>([&](auto W) {
                store<MESSAGES + COLUMN *(base::shared_place(R) + W)>(this->t4, m[W]);
            });
    }

    /* Rows of a word of bytes come one after the other, the odd one first. */
    template <int R> FECRUN_MEMBER void columns(uint32_t *q, const uint32_t *at)
    {
        constexpr int I = R - G::CORE_ROWS;

        each<P::degree(R)>([&](auto K) {
            if constexpr (P::in_memory(R, K))
                q[K] = load<COLUMN * P::col(R, K)>(at[K]);
        });
        if constexpr (P::extended(R))
            q[P::degree(R)] = four = I % 2 || R == ROWS - 1 ? load<OWN + COLUMN *(I / 2)>(this->t4)
                                                            : four;
    }

    /* S, or what it begins as. */
    template <int R, int K> FECRUN_MEMBER uint32_t sum(const uint32_t *at)
    {
        constexpr int C = P::col(R, K);

        if constexpr (first(R, C) && C < G::PUNCTURED)
            return 0;
        else if constexpr (!P::in_memory(R, K))
            return own_sum<C>();
        else
            return load<(first(R, C) ? CHANNEL : SUMS) + COLUMN * C>(at[K]);
    }

    template <int R, int K> FECRUN_MEMBER void give_sum(const uint32_t *at, uint32_t llr)
    {
        constexpr int C = P::col(R, K);

        if constexpr (!P::in_memory(R, K))
            own_sum<C>() = llr;
        else
            store<(last(R, C) ? 0 : SUMS) + COLUMN * C>(at[K], llr);
    }

    template <int R, int N> FECRUN_MEMBER void keep_sign(const uint32_t (&r)[N], const uint32_t *q)
    {
        constexpr int PLACE = R - G::CORE_ROWS;
        const uint32_t llr = multiply_add(r[N - 1], this->alpha, q[N - 1]);

        signs = (signs >> 1 & 0x7fff7fff) | (llr & 0x80008000u);
        if constexpr (G::SOFT)
            this->template keep_llr<R>(llr);
        if constexpr (PLACE % PER_WORD == 0)
            store<SIGNS + COLUMN *(PLACE / PER_WORD)>(this->t4, signs);
    }

    /* Adds a row's messages. */
    template <int R> FECRUN_MEMBER void add_messages(uint32_t *m, const uint32_t *at)
    {
        uint32_t s[P::degree(R)];

        each<P::degree(R)>([&](auto K) { s[K] = this->template sum<R, K>(at); });
        each<P::degree(R)>([&](auto K) {
            const uint32_t r = this->template get<R>(m, K);

            this->template give_sum<R, K>(at, multiply_add(r, this->template factor<R>(), s[K]));
        });
        if constexpr (R == G::SPLIT)
            store<SUMS + COLUMN>(this->t4, s1);
    }

    /* Are its LLRs loaded while the row before is at work? Those of heavy rows take many registers. */
    static constexpr bool ahead(int r)
    {
        return P::extended(r) || base::WORDS <= FEW_WORDS;
    }

    template <int R> FECRUN_MEMBER void begin_row(uint32_t *q, uint32_t *at)
    {
        this->template addresses<R>(at);
        columns<R>(q, at);
    }

    /* q and at of the row: LLRs and addresses of its columns in memory. Leaves those of the next row. */
    template <int R, bool CHECK> FECRUN_MEMBER void row(at_work &w)
    {
        constexpr int D = P::degree(R), N = D + P::extended(R), NEXT = R ? R - 1 : 0;
        uint32_t *const q = w.q[R % 2], *const at = w.at[R % 2], *const m = w.m[R % 2];
        uint32_t r[N];
        tree<0, N> minima;

        fetch<R>(m);
        if constexpr (R > 0 && ahead(NEXT))
            begin_row<NEXT>(w.q[NEXT % 2], w.at[NEXT % 2]);
        each<D>([&](auto K) {
            if constexpr (!P::in_memory(R, K))
                q[K] = this->column[P::col(R, K)];
            q[K] = multiply_subtract(this->template get<R>(m, K), this->template factor<R>(), q[K]);
        });
        if constexpr (P::extended(R))
            q[D] = own_channel<R>(q[D]);
        if constexpr (G::SPA)
            without_each(minima, r, q, !P::extended(R), this->plus, numbers<N>{});
        else
            without_each(minima, r, q, !P::extended(R), least(), numbers<N>{});
        if constexpr (G::OMS)
            each<N>([&](auto K) { r[K] = subtract(r[K], min_xor(r[K], this->beta)); });
        each<D>([&](auto K) { this->template put<R>(m, r, K); });
        keep<R>(m);
        if constexpr (CHECK && P::extended(R))
            keep_sign<R>(r, q);
        if constexpr (P::barrier(R))
            __syncthreads();
        add_messages<R>(m, at);
        if constexpr (R > 0 && !ahead(NEXT))
            begin_row<NEXT>(w.q[NEXT % 2], w.at[NEXT % 2]);
    }

    template <bool CHECK, int... I> FECRUN_MEMBER void all_rows(at_work &w, sequence<I...>)
    {
        (row<ROWS - 1 - I, CHECK>(w), ...);
    }

    /* Or they are all kept, in memory, from one use to the next. */
    FECRUN_MEMBER void forget_addresses()
    {
        this->t4 = add(0, this->one, this->t4);
    }

    template <bool CHECK> FECRUN_MEMBER void iteration()
    {
        constexpr int R = ROWS - 1;
        at_work w;

        forget_addresses();
        s0 = s1 = signs = 0;
        if constexpr (ROWS > G::SPLIT)
            this->column[1] = load<COLUMN>(this->t4);
        begin_row<R>(w.q[R % 2], w.at[R % 2]);
        all_rows<CHECK>(w, numbers<ROWS>{});
        this->column[0] = s0;
    }

    FECRUN_MEMBER uint32_t core_parity()
    {
        forget_addresses();
        return base::core_parity();
    }

    /* Of the rows in use that have a column of their own. All columns in memory, but column 0. */
    FECRUN_MEMBER uint32_t others_parity()
    {
        uint32_t bad = 0;

        forget_addresses();
        if constexpr (ROWS > G::SPLIT)
            this->column[1] = load<COLUMN>(this->t4);
        each<SIGN_WORDS>([&](auto W) {
            const uint32_t word = load<SIGNS + COLUMN * W>(this->t4);

            each<PER_WORD>([&](auto I) {
                constexpr int R = G::CORE_ROWS + PER_WORD * decltype(W){} + I;

                if constexpr (R < ROWS)
                    if (R < this->rows)
                        bad |= this->template row_parity<R>() ^ (word << I);
            });
        });
        return bad;
    }
};

} // namespace ldpc_registers

#endif
