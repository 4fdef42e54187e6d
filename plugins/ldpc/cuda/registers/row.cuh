/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One base row, and an iteration, of the kernels in registers; see plan.h.
 *
 * Normalised min-sum in half, two code blocks a word. Of a row with LLRs L_j:
 * q_j = L_j - alpha' r_j; r_j = min over the others of |q|, with the product of their signs;
 * L_j = q_j + alpha r_j; alpha' is that of the iteration before. The minima without each one come from a binary tree: up the minimum of
 * each half, down that of all outside of it, 3 (d - 2) operations; or from two chains, as many.
 * min.xorsign.abs takes the minimum of magnitudes and the product of signs in one.
 *
 * Words with two messages a and b hold their upper bytes (sign, exponent, two bits of mantissa):
 * a, b, a, b from the top. a is read as it stands, the lower byte of its mantissa is then b's upper
 * one; b gets 0x80 there. So the error is up to a quarter either way, subtracted as it was added.
 *
 * Addresses: the index wraps in one operation, min(x, x - 4 m), unsigned. That needs x to begin at
 * 0, so the base of shared memory is part of the instruction: LDPC_REGISTERS_BASE. The host asks
 * the device whether it is so (ldpc_registers_base).
 */
#ifndef LDPC_CUDA_REGISTERS_ROW_CUH
#define LDPC_CUDA_REGISTERS_ROW_CUH

#include "plugins/ldpc/cuda/registers/graph.cuh"
#include "plugins/ldpc/cuda/registers/minima.cuh"
#include "plugins/ldpc/cuda/registers/ptx.cuh"

namespace ldpc_registers
{

/* Of a thread block. For codes that are compiled when they are used, chains and judging a pair alone are faster with
   so many (qc, z = 512: 98 and 94 Gb/s) and slower with few (WiMAX 2304, z = 96: 77 and 84). */
constexpr int MANY_LANES = 256;

/* Bytes in places 0 and 2 of each word to halves; -128 is read as -127. */
FECRUN_ON_DEVICE uint32_t to_half(uint32_t bytes)
{
    const uint32_t w = (bytes & 0x00ff00ff) ^ 0x64806480; /* 1024 + 128 + x */

    return larger(subtract(w, 0x64806480), 0xd7f0d7f0);
}

/*
 * What a thread has of a pair of code blocks. Rows PACK0..PACK1-1 have two messages a word, rows
 * SHARED0..SHARED1-1 have them in shared memory. Z: the only lifting size, with shifts as constants,
 * or 0. Rows 0..KEPT-1 have their addresses in registers. LANES: most threads of a block. SPAN: of
 * aligned_plan, 0: plan. CHAINS: rows of at least so many LLRs have two chains, others a tree.
 *
 * OWN, STAGE: where shared memory is short, columns of degree 1 are there as bytes, of two rows in a word, or are read
 * where they lie, and LLRs do not come to shared memory before they are wanted.
 *
 * HALVED: a code block alone, with half as many threads, of which each has lanes t and t + Z / 2. Rotated
 * by Z / 2 lanes a word is a word, so it is its own neighbour of a pair: lane j of a column in memory
 * has j in the lower half and j + Z / 2 in the upper one. A thread finds both of its lanes in one place, and
 * leaves them, exchanged, in the other place, too. No other thread of its row has to do with these two.
 */
template <int BG, int ROWS, int PACK0, int PACK1, int SHARED0, int SHARED1, int Z, int KEPT,
          int LANES, int SPAN = 0, int CHAINS = NO_CHAINS, bool HALVED = false,
          int OWN_ = LDPC_REGISTERS_HALVES, bool STAGE = true>
struct decoder {
    static_assert(!Z || LANES % Z == 0, "indices wrap at LANES");
    static_assert(Z || !SPAN, "lanes are numbers");
    static_assert(!HALVED || OWN_ == LDPC_REGISTERS_HALVES, "others are of two code blocks");
    static_assert(OWN_ != LDPC_REGISTERS_AWAY || (Z && !STAGE), "it knows its lane, and LLRs stay");
    static_assert(!HALVED || (SPAN && LANES == Z && Z % 64 == 0 && !KEPT), "whole warps");
    using G = graph<BG>;
    using P = typename plan_of<BG, ROWS, Z, SPAN>::type;

    static constexpr bool FLOODING = false; /* flood.cuh has another */
    static constexpr bool STAGED = STAGE;   /* LLRs come to shared memory first */
    static constexpr int OWN = OWN_;
    static constexpr bool BYTES = OWN == LDPC_REGISTERS_BYTES, AWAY = OWN == LDPC_REGISTERS_AWAY;
    static constexpr int ALL_ROWS = ROWS, ALL_LANES = LANES;
    static constexpr int COLUMN = 4 * LANES;        /* bytes */
    static constexpr int PAIRS = Z ? LANES / Z : 0; /* of code blocks at a time; 0: any number */
    static constexpr bool HALF = HALVED;
    static constexpr uint32_t FRAMES = HALVED ? 1 : 2; /* of a pair */
    static constexpr uint32_t MIDDLE = Z / 2;

    static constexpr bool packed(int r)
    {
        return r >= PACK0 && r < PACK1;
    }

    static constexpr bool shared(int r)
    {
        return r >= SHARED0 && r < SHARED1;
    }

    static constexpr int words(int r)
    {
        return packed(r) ? (P::degree(r) + 1) / 2 : P::degree(r);
    }

    /* Words of messages before row r's, in registers and in shared memory, and addresses. */
    struct places {
        int words[ROWS + 1], shared_words[ROWS + 1], addresses[ROWS + 1];
    };

    static constexpr places find_places()
    {
        places p = {};

        for (int r = 0; r < ROWS; r++) {
            p.words[r + 1] = p.words[r] + (shared(r) ? 0 : words(r));
            p.shared_words[r + 1] = p.shared_words[r] + (shared(r) ? words(r) : 0);
            p.addresses[r + 1] = p.addresses[r] + P::degree(r);
        }
        return p;
    }

    static constexpr places PLACES = find_places();

    static constexpr int place(int r)
    {
        return PLACES.words[r];
    }

    static constexpr int shared_place(int r)
    {
        return PLACES.shared_words[r];
    }

    static constexpr int kept_place(int r)
    {
        return PLACES.addresses[r];
    }

    /* Where the column of row r's own is; a thread reads its own place only. */
    static constexpr int own_column(int r)
    {
        const int i = r - G::CORE_ROWS;

        return COLUMN * G::CORE + (AWAY    ? 0
                                   : BYTES ? COLUMN * (i / 2)
                                           : COLUMN / (HALVED ? 2 : 1) * i);
    }

    /* Shared memory: columns, messages, shifts, then what place.cuh adds. */
    static constexpr int WORDS = place(ROWS), SHARED_WORDS = shared_place(ROWS);
    static constexpr int MESSAGES = own_column(BYTES ? ROWS + 1 : ROWS);
    static constexpr int SHIFTS = MESSAGES + COLUMN * SHARED_WORDS;
    static constexpr bool TABLE = SPAN; /* there is a table of P::base() and P::turn() */
    static constexpr int N_SHIFTS = TABLE ? G::CORE + ROWS : Z ? 0 : P::shift_place(ROWS);
    static constexpr int END = (SHIFTS + 4 * N_SHIFTS + LDPC_REGISTERS_ALIGN - 1) /
                               LDPC_REGISTERS_ALIGN * LDPC_REGISTERS_ALIGN;

    /* A thread block has one pair, and bits are written by warps. */
    static constexpr bool LONE = PAIRS == 1 && LANES % 32 == 0 && LANES >= MANY_LANES &&
                                 G::INFO <= 32;

    static constexpr bool has_barrier()
    {
        for (int r = 0; r < ROWS; r++)
            if (P::barrier(r))
                return true;
        return false;
    }

    uint32_t message[WORDS];
    uint32_t kept[KEPT ? kept_place(KEPT) : 1];
    uint32_t column[G::CORE]; /* those that are in registers, and while they are */
    uint32_t t4;              /* 4 t */
    uint32_t alpha; /* of this iteration in the lower half, of the one before in the upper one */
    uint32_t beta;  /* OMS: two halves */
    uint32_t one, wrap;
    uint32_t half; /* 0x80, unknown to the compiler, which would load it each time */
    uint32_t rows; /* in use */
    uint32_t bad_core,
        bad_others;      /* bits 15 and 31: some check that is noted did not hold at its turn */
    uint32_t four;       /* BYTES: of two rows and two code blocks */
    const char *away[2]; /* AWAY: both code blocks' LLRs, and this thread's lane */
    uint32_t lane;

    template <uint32_t LANE> FECRUN_MEMBER uint32_t lane_address() const
    {
        constexpr uint32_t shift = 4 * PAIRS * LANE;
        const uint32_t x = t4 + shift;

        return shift ? __viaddmin_u32(x, (uint32_t)(-COLUMN), x) : t4;
    }

    /* HALVED: index t + lane never wraps if the lane is at most the middle. */
    static constexpr bool is_low(uint32_t lane)
    {
        return HALVED && lane <= MIDDLE;
    }

    /* Of the two places of a lane the one that wraps, as an index for thread 0. */
    static constexpr uint32_t wrapping(uint32_t lane)
    {
        return is_low(lane) ? lane + MIDDLE : lane;
    }

    /* `at`: the address of the place that wraps, or of the only one. */
    template <int C, uint32_t LANE> FECRUN_MEMBER uint32_t load_at(uint32_t at) const
    {
        if constexpr (is_low(LANE))
            return load<COLUMN * C + 4 * (int)LANE>(t4);
        else
            return load<COLUMN * C>(at);
    }

    template <int C, uint32_t LANE> FECRUN_MEMBER void store_at(uint32_t at, uint32_t llr) const
    {
        if constexpr (!HALVED) {
            store<COLUMN * C>(at, llr);
        } else {
            const uint32_t exchanged = permute(llr, llr, 0x1032);
            constexpr bool low = is_low(LANE);
            constexpr int straight = COLUMN * C + 4 * (int)(low ? LANE : LANE - MIDDLE);

            store<straight>(t4, low ? llr : exchanged);
            if constexpr (LANE % MIDDLE == 0)
                store<COLUMN * C + (LANE ? 0 : 4 * (int)MIDDLE)>(t4, exchanged);
            else
                store<COLUMN * C>(at, low ? exchanged : llr);
        }
    }

    /* The same with an address that is made for it. */
    template <int C, uint32_t LANE> FECRUN_MEMBER uint32_t load_lane() const
    {
        if constexpr (is_low(LANE))
            return load_at<C, LANE>(0);
        else
            return load_at<C, LANE>(lane_address<LANE>());
    }

    template <int C, uint32_t LANE> FECRUN_MEMBER void store_lane(uint32_t llr) const
    {
        store_at<C, LANE>(lane_address<wrapping(LANE)>(), llr);
    }

    /* Columns that are in registers when an iteration ends: from memory, and back for those who look
       at bits and checks. */
    FECRUN_MEMBER void take_wrapped()
    {
        each<G::CORE>([&](auto C) {
            if constexpr (P::wrapped(C))
                column[C] = load_lane<C, P::wrapped_lane(C)>();
        });
    }

    FECRUN_MEMBER void give_wrapped() const
    {
        each<G::CORE>([&](auto C) {
            if constexpr (P::wrapped(C) && wanted_at_end(C))
                store_lane<C, P::wrapped_lane(C)>(column[C]);
        });
    }

    /* Lane t of a column in memory. */
    template <int C> FECRUN_MEMBER uint32_t column_lane() const
    {
        return load_lane<C, (Z - P::base(C)) % P::LANES>();
    }

    static constexpr bool wanted_at_end(int c)
    {
        for (int r = 0; r < G::CORE_ROWS; r++)
            for (int k = 0; k < P::degree(r); k++)
                if (P::col(r, k) == c && !P::at_end(r, k))
                    return true;
        return c < G::INFO;
    }

    /* What arrived in lane `at` of the column of row r's own. As bytes they are 128 more. */
    FECRUN_MEMBER static void keep_own(char *memory, uint32_t r, uint32_t at, uint32_t llr)
    {
        static_assert(!AWAY, "there is no place for it");
        if constexpr (BYTES)
            *(uint16_t *)(memory + own_column((int)r) + 4 * at + (r - G::CORE_ROWS) % 2 * 2) =
                (uint16_t)permute(subtract(llr, 0xe480e480u), 0, 0x4420);
        else
            ((uint32_t *)(memory + own_column((int)r)))[at] = llr;
    }

    /* And back, from a row's bytes. */
    template <int R> FECRUN_MEMBER static uint32_t own_channel(uint32_t llr)
    {
        if constexpr (AWAY)
            llr = to_half(llr);
        if constexpr (BYTES)
            llr = subtract(permute(llr, 0x64, (R - G::CORE_ROWS) % 2 ? 0x4342 : 0x4140),
                           0x64806480);
        return llr;
    }

    /* Rows of a word of bytes come one after the other, the odd one first. */
    template <int R> FECRUN_MEMBER uint32_t load_own()
    {
        if constexpr (AWAY) {
            const uint32_t x = lane + P::turn(R);
            const uint32_t at = (G::CORE - G::CORE_ROWS + R - G::PUNCTURED) * Z +
                                __viaddmin_u32(x, 0u - Z, x);

            return R < rows ? (uint8_t)away[0][at] | (uint32_t)(uint8_t)away[1][at] << 16 : 0;
        }
        if constexpr (!BYTES || (R - G::CORE_ROWS) % 2 || R == ROWS - 1)
            four = load<own_column(R)>(t4);
        return four;
    }

    /* The words of a row with messages in shared memory, for the time of the row's work. */
    template <int R> FECRUN_MEMBER void fetch(uint32_t *m) const
    {
        if constexpr (shared(R))
            each<words(R)>(
                [&](auto W) { m[W] = load<MESSAGES + COLUMN *(shared_place(R) + W)>(t4); });
    }

    template <int R> FECRUN_MEMBER void keep(const uint32_t *m) const
    {
        if constexpr (shared(R))
            each<words(R)>(
                [&](auto W) { store<MESSAGES + COLUMN *(shared_place(R) + W)>(t4, m[W]); });
    }

    template <int R, int K> FECRUN_MEMBER uint32_t get(const uint32_t *m) const
    {
        const uint32_t word = (shared(R) ? m : message + place(R))[packed(R) ? K / 2 : K];

        if constexpr (packed(R) && K % 2)
            return permute(word, half, 0x2404);
        else
            return word;
    }

    template <int R, int K, int N> FECRUN_MEMBER void put(uint32_t *m, const uint32_t (&r)[N])
    {
        uint32_t *word = (shared(R) ? m : message + place(R)) + (packed(R) ? K / 2 : K);

        if constexpr (!packed(R) || (K % 2 == 0 && K + 1 == P::degree(R)))
            *word = r[K];
        else if constexpr (K % 2)
            *word = permute(r[K - 1], r[K], 0x3715);
    }

    /* Has it an address? */
    static constexpr bool in_address(int r, int k)
    {
        if constexpr (HALVED)
            return P::lane(r, k) % MIDDLE &&
                   (P::stores(r, k) || (P::loads(r, k) && !is_low(P::lane(r, k))));
        else
            return P::loads(r, k) || P::stores(r, k);
    }

    /* Where the row's columns in memory are, for this thread. */
    template <int R> FECRUN_MEMBER void make_addresses(uint32_t *at) const
    {
        constexpr int D = P::degree(R);

        if constexpr (Z)
            each<D>([&](auto K) {
                if constexpr (in_address(R, K))
                    at[K] = lane_address<wrapping(P::lane(R, K))>();
            });
        else
            each<(D + 3) / 4>([&](auto I) {
                uint32_t shift[4];

                load4<SHIFTS + 4 * (P::shift_place(R) + 4 * I)>(shift);
                each<4>([&](auto J) {
                    constexpr int k = 4 * I + J;

                    if constexpr (k < D) {
                        const uint32_t x = add(t4, one, shift[J]);

                        if constexpr (in_address(R, k))
                            at[k] = __viaddmin_u32(x, wrap, x);
                    }
                });
            });
    }

    template <int R> FECRUN_MEMBER void addresses(uint32_t *at) const
    {
        if constexpr (R >= KEPT)
            make_addresses<R>(at);
        else
            each<P::degree(R)>([&](auto K) {
                if constexpr (in_address(R, K))
                    at[K] = Z && !P::lane(R, K) ? t4 : kept[kept_place(R) + K];
            });
    }

    template <int R> FECRUN_MEMBER void keep_row()
    {
        make_addresses<R>(kept + kept_place(R));
        each<P::degree(R)>([&](auto K) {
            if constexpr (in_address(R, K) && (!Z || P::lane(R, K)))
                asm volatile("" : "+r"(kept[kept_place(R) + K])); /* not made again */
        });
    }

    FECRUN_MEMBER void keep_addresses()
    {
        each<KEPT>([&](auto R) { keep_row<R>(); });
    }

    /* Shifts of the rows, or the lanes where columns and then rows begin. */
    FECRUN_MEMBER void make_table(uint32_t *table, const ldpc_registers_work &work) const
    {
        if constexpr (TABLE) {
            each<G::CORE>([&](auto C) {
                if (threadIdx.x == C)
                    table[C] = P::base(C);
            });
            each<ROWS>([&](auto R) {
                if (threadIdx.x == R)
                    table[G::CORE + R] = P::turn(R);
            });
        } else {
            for (int i = (int)threadIdx.x; i < N_SHIFTS; i += (int)blockDim.x)
                table[i] = work.shift[i];
        }
    }

    /* An edge's column; without lifting size its lane is in the address alone. */
    template <int R, int K> FECRUN_MEMBER uint32_t load_of(uint32_t at) const
    {
        if constexpr (HALVED)
            return load_at<P::col(R, K), P::lane(R, K)>(at);
        else
            return load<COLUMN * P::col(R, K)>(at);
    }

    template <int R, int K> FECRUN_MEMBER void store_of(uint32_t at, uint32_t llr) const
    {
        if constexpr (HALVED)
            store_at<P::col(R, K), P::lane(R, K)>(at, llr);
        else
            store<COLUMN * P::col(R, K)>(at, llr);
    }

    /* The columns that may be loaded early, or the others. */
    template <int R, bool EARLY> FECRUN_MEMBER void columns(uint32_t *q, const uint32_t *at)
    {
        each<P::degree(R)>([&](auto K) {
            if constexpr (P::loads(R, K) && P::early(R, K) == EARLY)
                q[K] = load_of<R, K>(at[K]);
        });
        if constexpr (EARLY && P::extended(R))
            q[P::degree(R)] = load_own<R>();
    }

    /* Of a row: with the column of its own, if it has one. */
    static constexpr int count(int r)
    {
        return P::degree(r) + P::extended(r);
    }

    template <int R> using minima = minima_of<count(R), (count(R) >= CHAINS)>;

    /* New LLRs of the row, those that are late or the others: their parity. In the order of the minima. */
    template <int R, bool LATE>
    FECRUN_MEMBER uint32_t finish(const uint32_t *q, const uint32_t *at, const uint32_t *m)
    {
        uint32_t parity = 0;

        each<count(R)>([&](auto I) {
            constexpr int K = minima<R>::order(I);

            if constexpr (K < P::degree(R) && P::late(R, K) == LATE) {
                const uint32_t llr = multiply_add(get<R, K>(m), alpha, q[K]);

                if constexpr (P::stores(R, K))
                    store_of<R, K>(at[K], llr);
                else
                    column[P::col(R, K)] = llr;
                parity ^= llr;
            }
        });
        return parity;
    }

    /*
     * Those of the row's check, but that of the late ones. Whether core rows' checks hold is found out at the end of
     * an iteration in which the last quarter of them did at their turn. All of them would be too many to ask for: most
     * often a word becomes right within an iteration, and would take another one.
     */
    template <int R> FECRUN_MEMBER void note(uint32_t parity)
    {
        if constexpr (!P::extended(R))
            bad_core |= R < (G::CORE_ROWS + 3) / 4 ? parity : 0;
        else if (R < rows)
            bad_others |= parity;
    }

    /* What the row before left to do: nothing before the first row. */
    template <int R> struct rest {
        const uint32_t *q, *at, *m;
        uint32_t parity;
    };

    template <int R, bool CHECK> FECRUN_MEMBER void finish_late(const rest<R> &left)
    {
        if constexpr (R < ROWS) {
            const uint32_t parity = finish<R, true>(left.q, left.at, left.m);

            if constexpr (CHECK)
                note<R>(left.parity ^ parity);
        }
    }

    /* q and at: addresses, and what was loaded early. Goes on with the row before. */
    template <int R, bool CHECK>
    FECRUN_MEMBER void row(uint32_t *q, uint32_t *at, const rest<R + 1> &left)
    {
        constexpr int D = P::degree(R), N = D + P::extended(R), NEXT = R ? R - 1 : 0;
        uint32_t next_q[P::degree(NEXT) + 1], next_at[P::degree(NEXT)], r[N], parity;
        uint32_t m[shared(R) ? words(R) : 1];
        minima<R> found;

        fetch<R>(m);

        if constexpr (P::barrier(R))
            __syncthreads();
        columns<R, false>(q, at);
        finish_late<R + 1, CHECK>(left);
        if constexpr (R > 0) {
            addresses<NEXT>(next_at);
            columns<NEXT, true>(next_q, next_at);
        }
        each<D>([&](auto K) {
            if constexpr (!P::loads(R, K))
                q[K] = column[P::col(R, K)];
            q[K] = multiply_subtract(get<R, K>(m), alpha, q[K]);
        });
        if constexpr (P::extended(R))
            q[D] = own_channel<R>(q[D]);
        without_each(found, r, q, !P::extended(R));
        if constexpr (G::OMS)
            each<N>([&](auto K) { r[K] = subtract(r[K], min_xor(r[K], beta)); });
        each<D>([&](auto K) { put<R, K>(m, r); });
        keep<R>(m);
        parity = finish<R, false>(q, at, m);
        if constexpr (R == P::SPLIT)
            store<COLUMN>(t4, column[1]);
        if constexpr (CHECK && P::extended(R))
            parity ^= multiply_add(r[N - 1], alpha, q[N - 1]);
        if constexpr (R > 0)
            row<NEXT, CHECK>(next_q, next_at, rest<R>{q, at, m, parity});
        else if constexpr (CHECK)
            note<0>(parity);
    }

    /* Behind it goes a barrier. */
    template <bool CHECK> FECRUN_MEMBER void iteration()
    {
        constexpr int R = ROWS - 1;
        uint32_t q[P::degree(R) + 1], at[P::degree(R)];

        asm volatile(""
                     : "+r"(t4)); /* or all addresses are kept, in memory, from before the loop */
        if constexpr (AWAY)
            asm volatile("" : "+r"(lane)); /* and all that is read by it */
        if constexpr (ROWS > P::SPLIT)
            column[1] = load<COLUMN>(t4);
        addresses<R>(at);
        columns<R, true>(q, at);
        row<R, CHECK>(q, at, rest<ROWS>{});
    }

    /* Bits 15 and 31: the check of this thread's lane of the row does not hold. */
    template <int R> FECRUN_MEMBER uint32_t row_parity() const
    {
        uint32_t at[P::degree(R)], parity = 0;

        if constexpr (!HALVED)
            addresses<R>(at);
        each<P::degree(R)>([&](auto K) {
            if constexpr (P::at_end(R, K))
                parity ^= column[P::col(R, K)];
            else if constexpr (HALVED ||
                               (Z && !in_address(R, K))) /* the row itself has it in a register */
                parity ^= load_lane<P::col(R, K), P::lane(R, K)>();
            else
                parity ^= load<COLUMN * P::col(R, K)>(at[K]);
        });
        return parity;
    }

    /* The same of any of its core rows. All columns in memory. */
    FECRUN_MEMBER uint32_t core_parity() const
    {
        uint32_t bad = 0;

        each<G::CORE_ROWS>([&](auto R) { bad |= row_parity<R>(); });
        return bad;
    }
};

} // namespace ldpc_registers

#endif
