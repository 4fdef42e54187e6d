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
#include "plugins/ldpc/cuda/registers/lanes.cuh"
#include "plugins/ldpc/cuda/registers/minima.cuh"
#include "plugins/ldpc/cuda/registers/ptx.cuh"

namespace ldpc_registers
{

/* Of a thread block. For codes that are compiled when they are used, chains and judging a pair alone are faster with
   so many (qc, z = 512: 98 and 94 Gb/s) and slower with few (WiMAX 2304, z = 96: 77 and 84). */
constexpr int MANY_LANES = 256;

/*
 * What a thread has of a pair of code blocks. Rows PACK0..PACK1-1 have two messages a word, rows
 * SHARED0..SHARED1-1 have them in shared memory. Z: the only lifting size, with shifts as constants,
 * or 0. Rows 0..KEPT-1 have their addresses in registers. LANES: most threads of a block. SPAN: of
 * aligned_plan, 0: plan. CHAINS: rows of at least so many LLRs have two chains, others a tree.
 *
 * OWN, STAGE: where shared memory is short, columns of degree 1 are bytes, of two rows in a word, there or in device
 * memory, and LLRs do not come to shared memory before they are wanted.
 *
 * HALVED: a code block alone, with half as many threads, of which each has lanes t and t + Z / 2. Rotated
 * by Z / 2 lanes a word is a word, so it is its own neighbour of a pair: lane j of a column in memory
 * has j in the lower half and j + Z / 2 in the upper one. A thread finds both of its lanes in one place, and
 * leaves them, exchanged, in the other place, too. No other thread of its row has to do with these two.
 */
template <int BG, int ROWS, int PACK0, int PACK1, int SHARED0, int SHARED1, int Z, int KEPT,
          int LANES, int SPAN = 0, int CHAINS = NO_CHAINS, bool HALVED = false,
          int OWN_ = LDPC_REGISTERS_HALVES, bool STAGE = true>
struct decoder : lanes<Z, LANES, HALVED> {
    static_assert(!Z || LANES % Z == 0, "indices wrap at LANES");
    static_assert(Z || !SPAN, "lanes are numbers");
    static_assert(SPAN || !graph<BG>::FORWARD, "turns of rows are in the code");
    static_assert(!HALVED || OWN_ == LDPC_REGISTERS_HALVES, "others are of two code blocks");
    static_assert(!HALVED || (SPAN && LANES == Z && Z % 64 == 0 && !KEPT), "whole warps");
    using G = graph<BG>;
    using P = typename plan_of<BG, ROWS, Z, SPAN>::type;
    using L = lanes<Z, LANES, HALVED>;
    using L::COLUMN;
    using L::is_low;
    using L::MIDDLE;
    using L::PAIRS;
    using L::t4;
    using L::wrapping;

    static constexpr bool FLOODING = false; /* flood.cuh has another */
    static constexpr bool STAGED = STAGE;   /* LLRs come to shared memory first */
    static constexpr int OWN = OWN_;
    static constexpr bool BYTES = OWN != LDPC_REGISTERS_HALVES, AWAY = OWN == LDPC_REGISTERS_AWAY;
    static constexpr int ALL_ROWS = ROWS, ALL_LANES = LANES;
    static constexpr bool HALF = HALVED;
    static constexpr uint32_t FRAMES = HALVED ? 1 : 2; /* of a pair */

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

    /* The first rows without a column of their own, and with one; the code's number of a row. */
    static constexpr int FIRST_CORE = G::FORWARD ? ROWS - G::CORE_ROWS : 0;
    static constexpr int FIRST_OWN = G::FORWARD ? 0 : G::CORE_ROWS;
    static constexpr int END_OWN = FIRST_OWN + ROWS - G::CORE_ROWS;

    static constexpr int code_row(int r)
    {
        return G::FORWARD ? ROWS - 1 - r : r;
    }

    /* Rows of the code from this one on may be beyond those in use. */
    static constexpr int SURE = G::sure(ROWS);

    /*
     * alpha, or 0 for a row beyond those in use whose messages have 8 bits: these are never 0, and even the least ones
     * would decide what an LLR of 0 becomes.
     */
    template <int R> FECRUN_MEMBER uint32_t factor() const
    {
        if constexpr (code_row(R) < SURE || !packed(R))
            return alpha;
        else
            return (uint32_t)code_row(R) < rows ? alpha : 0;
    }

    /* Where the column of row r's own is; a thread reads its own place only. */
    static constexpr int own_column(int r)
    {
        const int i = r - FIRST_OWN;

        return (AWAY ? 0 : COLUMN * G::CORE) +
               (BYTES ? COLUMN * (i / 2) : COLUMN / (HALVED ? 2 : 1) * i);
    }

    /* Its words, of a thread. */
    static constexpr int OWN_WORDS = (ROWS - G::CORE_ROWS + 1) / 2;
    static constexpr int OWN_BYTES = AWAY ? COLUMN * OWN_WORDS : 0; /* of a thread block */
    static constexpr int OWN_AHEAD = 2; /* AWAY: words that are on their way */

    /* And their LLRs, a word a lane and row: those of the last checked iteration. */
    static constexpr int LLR_BYTES = G::SOFT ? COLUMN * (ROWS - G::CORE_ROWS) : 0;

    /* Shared memory: columns, messages, shifts, then what place.cuh adds. */
    static constexpr int WORDS = place(ROWS), SHARED_WORDS = shared_place(ROWS);
    static constexpr int MESSAGES = AWAY ? COLUMN * G::CORE
                                         : own_column(BYTES ? END_OWN + 1 : END_OWN);
    static constexpr int SHIFTS = MESSAGES + COLUMN * SHARED_WORDS;
    static constexpr bool TABLE = SPAN; /* there is a table of P::base() and P::turn() */
    static constexpr int N_SHIFTS = TABLE ? G::CORE + ROWS : Z ? 0 : P::shift_place(ROWS);
    static constexpr int END = (SHIFTS + 4 * N_SHIFTS + LDPC_REGISTERS_ALIGN - 1) /
                               LDPC_REGISTERS_ALIGN * LDPC_REGISTERS_ALIGN;

    /* A thread block has one pair, and bits are written by warps. */
    static constexpr bool LONE = PAIRS == 1 && LANES % 32 == 0 && LANES >= MANY_LANES &&
                                 G::INFO <= 32;

    uint32_t message[WORDS];
    uint32_t kept[KEPT ? kept_place(KEPT) : 1];
    uint32_t column[G::CORE]; /* those that are in registers, and while they are */
    uint32_t alpha; /* of this iteration in the lower half, of the one before in the upper one */
    uint32_t beta;  /* OMS: two halves */
    boxplus plus;   /* SPA */
    uint32_t one, wrap;
    uint32_t half; /* 0x80, unknown to the compiler, which would load it each time */
    uint32_t rows; /* in use */
    uint32_t bad_core,
        bad_others;  /* bits 15 and 31: some check that is noted did not hold at its turn */
    uint32_t four;   /* BYTES: of two rows and two code blocks */
    const char *own; /* AWAY: this thread's words, */
    uint32_t ahead[OWN_AHEAD]; /* and the next ones */
    char *llrs; /* SOFT: this thread's LLRs of columns of degree 1; NULL: nobody asks */

    /* Columns that are in registers when an iteration ends: from memory, and back for those who look
       at bits and checks. */
    FECRUN_MEMBER void take_wrapped()
    {
        each<G::CORE>([&](auto C) {
            if constexpr (P::wrapped(C))
                column[C] = this->template load_lane<C, P::wrapped_lane(C)>();
        });
    }

    FECRUN_MEMBER void give_wrapped() const
    {
        each<G::CORE>([&](auto C) {
            if constexpr (P::wrapped(C) && wanted_at_end(C))
                this->template store_lane<C, P::wrapped_lane(C)>(column[C]);
        });
    }

    /* Lane t of a column in memory. */
    template <int C> FECRUN_MEMBER uint32_t column_lane() const
    {
        return this->template load_lane<C, (Z - P::base(C)) % P::LANES>();
    }

    static constexpr bool wanted_at_end(int c)
    {
        for (int r = 0; r < G::CORE_ROWS; r++)
            for (int k = 0; k < P::degree(r); k++)
                if (P::col(r, k) == c && !P::at_end(r, k))
                    return true;
        return c < G::INFO || G::SOFT;
    }

    /* What arrived in lane `at` of the column of row r's own. As bytes they are 128 more. */
    FECRUN_MEMBER static void keep_own(char *memory, uint32_t r, uint32_t at, uint32_t llr)
    {
        if constexpr (BYTES)
            *(uint16_t *)(memory + own_column((int)r) + 4 * at + (r - FIRST_OWN) % 2 * 2) =
                (uint16_t)permute(subtract(llr, 0xe480e480u), 0, 0x4420);
        else
            ((uint32_t *)(memory + own_column((int)r)))[at] = llr;
    }

    /* And back, from a row's bytes. */
    template <int R> FECRUN_MEMBER static uint32_t own_channel(uint32_t llr)
    {
        if constexpr (BYTES)
            llr = subtract(permute(llr, 0x64, (R - FIRST_OWN) % 2 ? 0x4342 : 0x4140), 0x64806480);
        return llr;
    }

    /* Rows of a word of bytes come one after the other, the odd one first. */
    template <int R> FECRUN_MEMBER uint32_t load_own()
    {
        constexpr int I = R - FIRST_OWN;

        if constexpr (BYTES && I % 2 == 0 && R != END_OWN - 1)
            return four;
        if constexpr (AWAY)
            four = next_own<(I / 2 + OWN_AHEAD * (OWN_WORDS - 1)) % OWN_WORDS>();
        else
            four = load<own_column(R)>(t4);
        return four;
    }

    /* AWAY: the word that comes now. The one that is asked for comes OWN_AHEAD later, in the next iteration if
       need be. */
    template <int WORD> FECRUN_MEMBER uint32_t next_own()
    {
        const uint32_t now = ahead[0];

        for (int i = 1; i < OWN_AHEAD; i++)
            ahead[i - 1] = ahead[i];
        ahead[OWN_AHEAD - 1] = load_device<COLUMN * WORD>(own);
        return now;
    }

    FECRUN_MEMBER void begin_own(const char *memory)
    {
        if constexpr (AWAY) {
            own = memory + t4;
            ahead[0] = load_device<COLUMN *(OWN_WORDS - 1)>(own);
            ahead[1] = load_device<COLUMN *((2 * OWN_WORDS - 2) % OWN_WORDS)>(own);
        }
    }

    /* SOFT: the LLR that a row leaves its own column with, which is kept nowhere else. */
    template <int R> FECRUN_MEMBER void keep_llr(uint32_t llr) const
    {
        if (llrs)
            *(volatile uint32_t *)(llrs + COLUMN * (code_row(R) - G::CORE_ROWS)) = llr;
    }

    /* The words of a row with messages in shared memory, for the time of the row's work. */
    template <int R, int... W> FECRUN_MEMBER void fetch(uint32_t *m, sequence<W...>) const
    {
        ((m[W] = load<MESSAGES + COLUMN *(shared_place(R) + W)>(t4)), ...);
    }

    template <int R, int... W> FECRUN_MEMBER void keep(const uint32_t *m, sequence<W...>) const
    {
        (store<MESSAGES + COLUMN *(shared_place(R) + W)>(t4, m[W]), ...);
    }

    template <int R> using words_of = numbers<shared(R) ? words(R) : 0>;

    /*
     * Functions of a row's edge have its number as an argument where they can, not in their type: a compiler that
     * has a function for each edge takes half as long again.
     */
    template <int R> FECRUN_MEMBER uint32_t get(const uint32_t *m, int k) const
    {
        const uint32_t word = (shared(R) ? m : message + place(R))[packed(R) ? k / 2 : k];

        return packed(R) && k % 2 ? permute(word, half, 0x2404) : word;
    }

    template <int R> FECRUN_MEMBER void put(uint32_t *m, const uint32_t *r, int k)
    {
        uint32_t *word = (shared(R) ? m : message + place(R)) + (packed(R) ? k / 2 : k);

        if (!packed(R) || (k % 2 == 0 && k + 1 == P::degree(R)))
            *word = r[k];
        else if (k % 2)
            *word = permute(r[k - 1], r[k], 0x3715);
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

    FECRUN_MEMBER uint32_t shifted(uint32_t shift) const
    {
        const uint32_t x = add(t4, one, shift);

        return __viaddmin_u32(x, wrap, x);
    }

    /* Where the row's columns in memory are, for this thread. */
    template <int R, int... K> FECRUN_MEMBER void make_addresses(uint32_t *at, sequence<K...>) const
    {
        if constexpr (Z) {
            ((in_address(R, K) ? (void)(at[K] = this->lane_address(wrapping(P::lane(R, K))))
                               : (void)0),
             ...);
        } else {
            uint32_t shift[(P::degree(R) + 3) / 4 * 4];

            load_shifts<R>(shift, numbers<(P::degree(R) + 3) / 4>{});
            ((in_address(R, K) ? (void)(at[K] = shifted(shift[K])) : (void)0), ...);
        }
    }

    template <int R, int... I> FECRUN_MEMBER void load_shifts(uint32_t *shift, sequence<I...>) const
    {
        (load4<SHIFTS + 4 * (P::shift_place(R) + 4 * I)>(shift + 4 * I), ...);
    }

    template <int R, int... K> FECRUN_MEMBER void kept_addresses(uint32_t *at, sequence<K...>) const
    {
        ((in_address(R, K) ? (void)(at[K] = Z && !P::lane(R, K) ? t4 : kept[kept_place(R) + K])
                           : (void)0),
         ...);
    }

    template <int R> FECRUN_MEMBER void addresses(uint32_t *at) const
    {
        if constexpr (R >= KEPT)
            make_addresses<R>(at, edges_of<R>{});
        else
            kept_addresses<R>(at, edges_of<R>{});
    }

    template <int R> FECRUN_MEMBER void keep_row()
    {
        make_addresses<R>(kept + kept_place(R), edges_of<R>{});
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

    /* The lane of an edge where it is more than an address: HALVED. */
    static constexpr uint32_t own_lane(int r, int k)
    {
        return HALVED ? P::lane(r, k) : 0;
    }

    /* The columns that may be loaded early, or the others. */
    template <int R, bool EARLY, int... K>
    FECRUN_MEMBER void columns(uint32_t *q, const uint32_t *at, sequence<K...>)
    {
        ((P::loads(R, K) && P::early(R, K) == EARLY
              ? (void)(q[K] = this->template load_at<P::col(R, K), own_lane(R, K)>(at[K]))
              : (void)0),
         ...);
        if constexpr (EARLY && P::extended(R))
            q[P::degree(R)] = load_own<R>();
    }

    /* Numbers of a row's edges. */
    template <int R> using edges_of = numbers<P::degree(R)>;

    /* Of a row: with the column of its own, if it has one. */
    static constexpr int count(int r)
    {
        return P::degree(r) + P::extended(r);
    }

    template <int R> using minima = minima_of<count(R), (count(R) >= CHAINS)>;
    template <int R> using text = row_text<P::degree(R), P::extended(R), packed(R)>;

    /* A new LLR goes to memory, or stays in a register. */
    template <int C, uint32_t LANE>
    FECRUN_MEMBER uint32_t put_llr(bool stores, uint32_t at, uint32_t llr)
    {
        if (stores)
            this->template store_at<C, LANE>(at, llr);
        else
            column[C] = llr;
        return llr;
    }

    /* q: the LLR without its message, or the new one already. */
    template <int R> FECRUN_MEMBER uint32_t new_llr(const uint32_t *m, uint32_t q, int k) const
    {
        if constexpr (text<R>::THERE)
            return q;
        else
            return multiply_add(get<R>(m, k), factor<R>(), q);
    }

    static constexpr bool finishes(int r, int k, bool late)
    {
        return k < P::degree(r) && P::late(r, k) == late;
    }

    /* New LLRs of the row, those that are late or the others: their parity. K: in the order of the minima. */
    template <int R, bool LATE, int... K>
    FECRUN_MEMBER uint32_t finish(const uint32_t *q, const uint32_t *at, const uint32_t *m,
                                  sequence<K...>)
    {
        constexpr int D = P::degree(R);
        uint32_t parity = 0;

        ((finishes(R, K, LATE) ? (void)(parity ^= put_llr<P::col(R, K % D), own_lane(R, K % D)>(
                                            P::stores(R, K % D), at[K % D], new_llr<R>(m, q[K], K)))
                               : (void)0),
         ...);
        return parity;
    }

    template <int R, int... I>
    static constexpr sequence<minima<R>::order(I)...> in_order(sequence<I...>)
    {
        return {};
    }

    template <int R> using in_order_of = decltype(in_order<R>(numbers<count(R)>{}));

    /*
     * Those of the row's check, but that of the late ones. Whether core rows' checks hold is found out at the end of
     * an iteration in which the last quarter of them did at their turn. All of them would be too many to ask for: most
     * often a word becomes right within an iteration, and would take another one. Where core rows come first none is
     * noted.
     */
    template <int R> FECRUN_MEMBER void note(uint32_t parity)
    {
        if constexpr (!P::extended(R))
            bad_core |= !G::FORWARD && R < (G::CORE_ROWS + 3) / 4 ? parity : 0;
        else if (code_row(R) < rows)
            bad_others |= parity;
    }

    static constexpr int most_edges()
    {
        int most = 0;

        for (int r = 0; r < ROWS; r++)
            most = P::degree(r) > most ? P::degree(r) : most;
        return most;
    }

    /*
     * LLRs, addresses and messages in shared memory of a row at work, and of its neighbour, whose rows are taken
     * before and behind it: of odd rows, and of even ones. parity: of the row before, without late LLRs if it has no
     * text.
     */
    struct at_work {
        static constexpr int MOST = most_edges();

        uint32_t q[2][MOST + 1], at[2][MOST], m[2][SHARED0 < SHARED1 ? MOST : 1], parity;
    };

    /* What row R left to do: nothing before the first row. */
    template <int R, bool CHECK> FECRUN_MEMBER void finish_late(const at_work &w)
    {
        if constexpr (R < ROWS) {
            const uint32_t parity = finish<R, true>(w.q[R % 2], w.at[R % 2], w.m[R % 2],
                                                    in_order_of<R>{});

            if constexpr (CHECK)
                note<R>(text<R>::THERE ? w.parity : w.parity ^ parity);
        }
    }

    /* LLRs of columns in registers, and what arrived of the row's own one. */
    template <int R, int... K> FECRUN_MEMBER void other_columns(uint32_t *q, sequence<K...>) const
    {
        ((P::loads(R, K) ? (void)0 : (void)(q[K] = column[P::col(R, K)])), ...);
        if constexpr (P::extended(R))
            q[P::degree(R)] = own_channel<R>(q[P::degree(R)]);
    }

    /* The row's messages: r, and as they are kept. K: its edges. I: these and that of its own column. */
    template <int R, int... K, int... I>
    FECRUN_MEMBER void find_messages(uint32_t *q, uint32_t *m, uint32_t *r, sequence<K...>,
                                     sequence<I...> all)
    {
        minima<R> found;

        ((q[K] = multiply_subtract(get<R>(m, K), factor<R>(), q[K])), ...);
        if constexpr (G::SPA)
            without_each(found, r, q, !P::extended(R), plus, all);
        else
            without_each(found, r, q, !P::extended(R), least(), all);
        if constexpr (G::OMS)
            ((r[I] = subtract(r[I], min_xor(r[I], beta))), ...);
        (put<R>(m, r, K), ...);
    }

    /* q and at of the row: addresses, and what was loaded early. Leaves those of the next row. */
    template <int R, bool CHECK> FECRUN_MEMBER void row(at_work &w)
    {
        constexpr int N = count(R), NEXT = R ? R - 1 : 0;
        uint32_t *const q = w.q[R % 2], *const at = w.at[R % 2], *const m = w.m[R % 2];
        uint32_t r[N];

        fetch<R>(m, words_of<R>{});
        if constexpr (P::barrier(R))
            __syncthreads();
        columns<R, false>(q, at, edges_of<R>{});
        finish_late<R + 1, CHECK>(w);
        if constexpr (R > 0) {
            addresses<NEXT>(w.at[NEXT % 2]);
            columns<NEXT, true>(w.q[NEXT % 2], w.at[NEXT % 2], edges_of<NEXT>{});
        }
        other_columns<R>(q, edges_of<R>{});
        if constexpr (text<R>::THERE)
            w.parity = text<R>::run(q, shared(R) ? m : message + place(R), factor<R>(), half, beta);
        else
            find_messages<R>(q, m, r, edges_of<R>{}, numbers<N>{});
        keep<R>(m, words_of<R>{});
        if constexpr (text<R>::THERE)
            finish<R, false>(q, at, m, in_order_of<R>{});
        else
            w.parity = finish<R, false>(q, at, m, in_order_of<R>{});
        if constexpr (R == P::SPLIT)
            store<COLUMN>(t4, column[1]);
        if constexpr (CHECK && P::extended(R)) {
            uint32_t llr = q[N - 1];

            if constexpr (!text<R>::THERE)
                w.parity ^= llr = multiply_add(r[N - 1], alpha, llr);
            if constexpr (G::SOFT)
                keep_llr<R>(llr);
        }
        if constexpr (CHECK && R == 0)
            note<0>(w.parity);
    }

    template <bool CHECK, int... I> FECRUN_MEMBER void all_rows(at_work &w, sequence<I...>)
    {
        (row<ROWS - 1 - I, CHECK>(w), ...);
    }

    /* Behind it goes a barrier. Rows are not nested in each other: compilers copy what is. */
    template <bool CHECK> FECRUN_MEMBER void iteration()
    {
        constexpr int R = ROWS - 1;
        at_work w;

        asm volatile(""
                     : "+r"(t4)); /* or all addresses are kept, in memory, from before the loop */
        if constexpr (ROWS > P::SPLIT)
            column[1] = load<COLUMN>(t4);
        addresses<R>(w.at[R % 2]);
        columns<R, true>(w.q[R % 2], w.at[R % 2], edges_of<R>{});
        all_rows<CHECK>(w, numbers<ROWS>{});
    }

    template <int R, int K> FECRUN_MEMBER uint32_t column_at_end(const uint32_t *at) const
    {
        if constexpr (P::at_end(R, K))
            return column[P::col(R, K)];
        else if constexpr (HALVED ||
                           (Z && !in_address(R, K))) /* the row itself has it in a register */
            return this->template load_lane<P::col(R, K), P::lane(R, K)>();
        else
            return load<COLUMN * P::col(R, K)>(at[K]);
    }

    template <int R, int... K>
    FECRUN_MEMBER uint32_t parity_at_end(const uint32_t *at, sequence<K...>) const
    {
        return (column_at_end<R, K>(at) ^ ...);
    }

    /* Bits 15 and 31: the check of this thread's lane of the row does not hold. */
    template <int R> FECRUN_MEMBER uint32_t row_parity() const
    {
        uint32_t at[P::degree(R)] = {};

        if constexpr (!HALVED)
            addresses<R>(at);
        return parity_at_end<R>(at, edges_of<R>{});
    }

    /* The same of any of its core rows. All columns in memory. */
    FECRUN_MEMBER uint32_t core_parity() const
    {
        uint32_t bad = 0;

        each<G::CORE_ROWS>([&](auto R) { bad |= row_parity<FIRST_CORE + R>(); });
        return bad;
    }
};

} // namespace ldpc_registers

#endif
