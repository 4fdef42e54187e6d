/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What follows from a base graph, which is known at compile time, for the kernels in registers.
 *
 * graph<BG> is a base graph: NR's are 1 and 2 (nr.cuh), others are written for a code
 * when it is used (source.c). It has, in columns and rows of the base graph,
 *
 *   INFO        columns of information bits
 *   CORE        columns but those that belong to one row only
 *   CORE_ROWS   rows without a column of their own; rows from there on have one
 *   PUNCTURED   first columns that are never sent
 *   TURNED      rows are turned so that column 0 is in a register
 *   OMS         messages are less by an offset, and there is no factor
 *   SPA         sum-product: minima.cuh; no factor either
 *   FORWARD     the code's rows are taken from the first one on: the kernel's row r is the code's row ROWS - 1 - r
 *   SOFT        LLRs come out, too: soft.cuh
 *   EARLY_STOP  decoders end an iteration when all checks hold: kernel.cuh
 *   SPLIT       from this row on a row has column 0 or 1, never both, and both are so; no such row: a
 *               number above all rows
 *   sure(n)     of n rows so many are in use with any decoder
 *   first(r)    the first edge of row r, without those to a column of its own
 *   col(e), shift(e, z)   of an edge
 *   held(c), offset(c)    all shifts of column c are the same, `offset`: thread t alone has to do
 *               with lane t + offset, which stays in a register of it
 */
#ifndef LDPC_CUDA_REGISTERS_GRAPH_CUH
#define LDPC_CUDA_REGISTERS_GRAPH_CUH

#include "plugins/ldpc/cuda/registers/work.h"

namespace ldpc_registers
{

template <int BG> struct graph;

/*
 * What a plan says of rows, and of edges by their numbers, found once: compilers do not remember what a
 * function said, and asked for each edge again they took most of the time that a kernel takes to compile.
 */
template <int ROWS, int EDGES> struct facts {
    uint16_t first[ROWS + 1]; /* the first edge of a row */
    uint8_t col[EDGES];
    uint64_t columns[ROWS]; /* of a row, as a mask */
    int shift_place[ROWS + 1];
    uint16_t lane[EDGES]; /* 0 without Z */
    bool loads[EDGES], stores[EDGES], late[EDGES], early[EDGES];
    bool barrier[ROWS];
    bool wrapped[64]; /* columns */
    uint16_t wrapped_lane[64];
};

template <class P, int ROWS, int EDGES> constexpr void find_edges(facts<ROWS, EDGES> &f)
{
    for (int r = 0; r < ROWS; r++) {
        f.first[r + 1] = (uint16_t)(f.first[r] + P::degree(r));
        f.shift_place[r + 1] = f.shift_place[r] + (P::degree(r) + 3) / 4 * 4;
        for (int k = 0; k < P::degree(r); k++) {
            f.col[f.first[r] + k] = (uint8_t)P::col(r, k);
            f.columns[r] |= UINT64_C(1) << P::col(r, k);
        }
    }
}

/*
 * Where there is a barrier, and what may be loaded early. written, wanted: columns, as masks, that go to memory
 * and come from it while a row is at work. early: loads, and nobody has touched it since the
 * barrier of the row before.
 */
template <int ROWS, int EDGES>
constexpr void find_barriers(facts<ROWS, EDGES> &f, const uint64_t *written, const uint64_t *wanted)
{
    uint64_t dirty = 0; /* since the last barrier when row r begins */

    for (int r = ROWS - 1; r >= 0; r--) {
        const uint64_t before = r + 1 < ROWS && !f.barrier[r + 1] ? dirty : 0;

        if (r + 1 < ROWS)
            dirty = (dirty & wanted[r + 1] ? 0 : dirty) | written[r + 1];
        f.barrier[r] = dirty & wanted[r];
        for (int e = f.first[r]; e < f.first[r + 1]; e++)
            f.early[e] = r + 1 < ROWS && f.loads[e] && !((written[r + 1] | before) >> f.col[e] & 1);
    }
}

/* Rows are taken from the last one (ROWS - 1) to row 0. Z: 0, or the only lifting size. */
template <int BG, int ROWS, int Z> struct plan {
    using G = graph<BG>;

    static constexpr int degree(int r)
    {
        return G::first(r + 1) - G::first(r);
    }

    static constexpr int col(int r, int k)
    {
        return G::col(G::first(r) + k);
    }

    static constexpr bool has(int r, int c)
    {
        for (int k = 0; k < degree(r); k++)
            if (col(r, k) == c)
                return true;
        return false;
    }

    /* Has the row a column of its own, of degree 1? */
    static constexpr bool extended(int r)
    {
        return G::FORWARD ? r < ROWS - G::CORE_ROWS : r >= G::CORE_ROWS;
    }

    /* The row's column that is in a register because the row is turned so; 255: none. */
    static constexpr int resident(int r)
    {
        if (!G::TURNED)
            return 255;
        return has(r, 0) ? 0 : r >= G::SPLIT && has(r, 1) ? 1 : 255;
    }

    static constexpr bool in_memory(int r, int k)
    {
        return col(r, k) != resident(r) && !G::held(col(r, k));
    }

    /* From this row on column 1 is in a register: it goes to memory when the row is done. */
    static constexpr int SPLIT = G::SPLIT;

    /* Does the row take the column from memory, does it leave it there? */
    static constexpr bool loads(int r, int k)
    {
        return F.loads[G::first(r) + k];
    }

    static constexpr bool stores(int r, int k)
    {
        return F.stores[G::first(r) + k];
    }

    /* Is it stored only when the next row is at work? */
    static constexpr bool late(int, int)
    {
        return false;
    }

    /* Is it in a register when an iteration ends? Then thread t has lane t + wrapped_lane(). */
    static constexpr bool wrapped(int c)
    {
        return G::held(c) || (G::TURNED && c == 0);
    }

    static constexpr uint32_t wrapped_lane(int c)
    {
        return G::held(c) ? (uint32_t)G::offset(c) : 0;
    }

    /* Is the row's lane of it there? */
    static constexpr bool at_end(int r, int k)
    {
        return !loads(r, k);
    }

    /* The lane of a column that is first in memory. */
    static constexpr uint32_t base(int)
    {
        return 0;
    }

    static constexpr uint32_t LANES = Z ? Z : 1;

    /* Only where Z is given, as are turn() and lane(). */
    static constexpr uint32_t shift(int r, int k)
    {
        return (uint32_t)G::shift(G::first(r) + k, Z);
    }

    static constexpr uint32_t turn(int r)
    {
        for (int k = 0; k < degree(r); k++)
            if (col(r, k) == resident(r))
                return (LANES - shift(r, k)) % LANES;
        return 0;
    }

    static constexpr uint32_t lane(int r, int k)
    {
        return F.lane[G::first(r) + k];
    }

    /* Columns that a row writes to memory, as a mask. */
    static constexpr uint64_t touched(int r)
    {
        uint64_t mask = 0;

        for (int k = 0; k < degree(r); k++)
            if (in_memory(r, k))
                mask |= UINT64_C(1) << col(r, k);
        return r == G::SPLIT ? mask | 2 : mask; /* there column 1 goes to memory */
    }

    static constexpr bool barrier(int r)
    {
        return F.barrier[r];
    }

    /* May be loaded while row r + 1 is at work? */
    static constexpr bool early(int r, int k)
    {
        return F.early[G::first(r) + k];
    }

    static constexpr int EDGES = G::first(ROWS);

    static constexpr facts<ROWS, EDGES> find_facts()
    {
        facts<ROWS, EDGES> f = {};
        uint64_t mask[ROWS] = {};

        find_edges<plan>(f);
        for (int r = 0; r < ROWS; r++) {
            mask[r] = touched(r);
            for (int k = 0; k < degree(r); k++) {
                const int e = f.first[r] + k;

                f.loads[e] = f.stores[e] = in_memory(r, k);
                f.lane[e] = Z ? (uint16_t)((shift(r, k) + turn(r)) % LANES) : 0;
            }
        }
        find_barriers(f, mask, mask);
        return f;
    }

    static constexpr facts<ROWS, EDGES> F = find_facts();

    /* Where a row's shifts begin in ldpc_registers_work.shift. */
    static constexpr int shift_place(int r)
    {
        return F.shift_place[r];
    }
};

/* Turns of rows, and lanes of columns that are first in memory. */
struct alignment {
    uint16_t turn[48], base[64];
};

/*
 * Each row is turned so that most of its columns lie as in a row at most SPAN before. A column then begins
 * in memory with the lane that most of its rows have for thread 0.
 */
template <int BG, int ROWS, int Z, int SPAN> constexpr alignment align()
{
    using G = graph<BG>;
    alignment a = {};
    int last_row[64] = {}, last_lane[64] = {}; /* of a column; no row yet: 0 */

    for (int r = ROWS - 1; r >= 0; r--) {
        int most = 0;

        for (int e = G::first(r); e < G::first(r + 1); e++) {
            int votes = 0;
            const int c = G::col(e), turn = (last_lane[c] - G::shift(e, Z) + Z) % Z;

            if (!last_row[c] || last_row[c] - r > SPAN)
                continue;
            for (int f = G::first(r); f < G::first(r + 1); f++)
                votes += last_row[G::col(f)] && last_row[G::col(f)] - r <= SPAN &&
                         (last_lane[G::col(f)] - G::shift(f, Z) + Z) % Z == turn;
            if (votes > most || (votes == most && turn < a.turn[r])) {
                most = votes;
                a.turn[r] = (uint16_t)turn;
            }
        }
        for (int e = G::first(r); e < G::first(r + 1); e++) {
            last_row[G::col(e)] = r;
            last_lane[G::col(e)] = (G::shift(e, Z) + a.turn[r]) % Z;
        }
    }
    for (int c = 0; c < G::CORE; c++) {
        int lanes[ROWS] = {}, n = 0, most = 0;

        for (int r = 0; r < ROWS; r++)
            for (int e = G::first(r); e < G::first(r + 1); e++)
                if (G::col(e) == c)
                    lanes[n++] = (G::shift(e, Z) + a.turn[r]) % Z;
        for (int i = 0; i < n; i++) {
            int votes = 0;

            for (int j = 0; j < n; j++)
                votes += lanes[j] == lanes[i];
            if (votes > most || (votes == most && lanes[i] < a.base[c])) {
                most = votes;
                a.base[c] = (uint16_t)lanes[i];
            }
        }
    }
    return a;
}

/*
 * The same for one lifting size Z. A column that a thread has the same lane of in two rows, one at most
 * SPAN before the other, stays in a register between them, also from one iteration to the next. Where
 * a thread's lane is that at its own place in memory no address has to be computed: align(). What a row
 * leaves for rows behind the next one is stored when the next one has begun, while that waits for its
 * own columns.
 */
template <int BG, int ROWS, int Z, int SPAN> struct aligned_plan : plan<BG, ROWS, Z> {
    using G = graph<BG>;
    using old = plan<BG, ROWS, Z>;
    using old::col;
    using old::degree;
    using old::has;

    static constexpr int SPLIT = 1000; /* column 1 is as the others */
    static constexpr alignment A = align<BG, ROWS, Z, SPAN>();

    static constexpr uint32_t turn(int r)
    {
        return A.turn[r];
    }

    static constexpr uint32_t base(int c)
    {
        return A.base[c];
    }

    static constexpr uint32_t lane(int r, int k)
    {
        return F.lane[G::first(r) + k];
    }

    static constexpr bool wrapped(int c)
    {
        return F.wrapped[c];
    }

    /* Of its last row. */
    static constexpr uint32_t wrapped_lane(int c)
    {
        return F.wrapped_lane[c];
    }

    static constexpr bool at_end(int r, int k)
    {
        return wrapped(col(r, k)) && lane(r, k) == wrapped_lane(col(r, k));
    }

    static constexpr bool loads(int r, int k)
    {
        return F.loads[G::first(r) + k];
    }

    static constexpr bool stores(int r, int k)
    {
        return F.stores[G::first(r) + k];
    }

    static constexpr bool late(int r, int k)
    {
        return F.late[G::first(r) + k];
    }

    static constexpr bool barrier(int r)
    {
        return F.barrier[r];
    }

    static constexpr bool early(int r, int k)
    {
        return F.early[G::first(r) + k];
    }

    using found = facts<ROWS, old::EDGES>;

    static constexpr void find_lanes(found &f)
    {
        for (int r = 0; r < ROWS; r++)
            for (int k = 0; k < degree(r); k++)
                f.lane[f.first[r] + k] =
                    (uint16_t)((old::shift(r, k) + A.turn[r] + Z - A.base[col(r, k)]) % Z);
    }

    /* One lane in the first row of an iteration that has the column and in the last one, which are near, or
     * in all rows. */
    static constexpr void find_wrapped(found &f)
    {
        for (int c = 0; c < G::CORE; c++) {
            int first = -1, last = -1, first_lane = 0;
            bool one = true;

            for (int r = ROWS - 1; r >= 0; r--)
                for (int e = f.first[r]; f.columns[r] >> c & 1 && e < f.first[r + 1]; e++) {
                    if (f.col[e] != c)
                        continue;
                    if (first < 0) {
                        first = r;
                        first_lane = f.lane[e];
                    }
                    last = r;
                    f.wrapped_lane[c] = f.lane[e];
                    one = one && f.lane[e] == first_lane;
                }
            f.wrapped[c] = first >= 0 && first_lane == f.wrapped_lane[c] &&
                           (last + ROWS - first <= SPAN || one);
        }
    }

    /* From memory, or to it, if the row before, or behind, that has the column is far or has another lane;
     * without such a row, unless the column is in a register then. */
    static constexpr void find_uses(found &f, bool *uses, int from, int step)
    {
        int row[64] = {}, lane[64] = {}; /* the nearest one; none: 0 */
        bool there[64] = {};

        for (int r = from; r >= 0 && r < ROWS; r += step)
            for (int e = f.first[r]; e < f.first[r + 1]; e++) {
                const int c = f.col[e], away = row[c] < r ? r - row[c] : row[c] - r;

                uses[e] = there[c] ? lane[c] != f.lane[e] || away > SPAN : !f.wrapped[c];
                there[c] = true;
                row[c] = r;
                lane[c] = f.lane[e];
            }
    }

    static constexpr found find_facts()
    {
        found f = {};
        uint64_t written[ROWS] = {}, wanted[ROWS] = {}; /* columns while row r is at work */

        find_edges<aligned_plan>(f);
        find_lanes(f);
        find_wrapped(f);
        find_uses(f, f.loads, ROWS - 1, -1);
        find_uses(f, f.stores, 0, 1);
        for (int r = 0; r < ROWS; r++)
            for (int e = f.first[r]; e < f.first[r + 1]; e++) {
                const uint64_t column = UINT64_C(1) << f.col[e];

                f.late[e] = r > 0 && f.stores[e] && !(f.columns[r - 1] & column);
                if (f.stores[e])
                    written[f.late[e] ? r - 1 : r] |= column;
                if (f.loads[e])
                    wanted[r] |= column;
            }
        find_barriers(f, written, wanted);
        return f;
    }

    static constexpr found F = find_facts();
};

template <int BG, int ROWS, int Z, int SPAN> struct plan_of {
    using type = aligned_plan<BG, ROWS, Z, SPAN>;
};

template <int BG, int ROWS, int Z> struct plan_of<BG, ROWS, Z, 0> {
    using type = plan<BG, ROWS, Z>;
};

} // namespace ldpc_registers

#endif
