/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What follows from a base graph, which is known at compile time, for the kernels in registers.
 *
 * graph<BG> is a base graph: NR's are 1 and 2 (registers_nr.cuh), others are written for a code
 * when it is used (registers_source.c). It has, in columns and rows of the base graph,
 *
 *   INFO        columns of information bits
 *   CORE        columns but those that belong to one row only
 *   CORE_ROWS   rows without a column of their own; rows from there on have one
 *   PUNCTURED   first columns that are never sent
 *   TURNED      rows are turned so that column 0 is in a register
 *   OMS         messages are less by an offset, and there is no factor
 *   SPLIT       from this row on a row has column 0 or 1, never both, and both are so; no such row: a
 *               number above all rows
 *   first(r)    the first edge of row r, without those to a column of its own
 *   col(e), shift(e, z)   of an edge
 *   held(c), offset(c)    all shifts of column c are the same, `offset`: thread t alone has to do
 *               with lane t + offset, which stays in a register of it
 */
#ifndef LDPC_CUDA_REGISTERS_GRAPH_CUH
#define LDPC_CUDA_REGISTERS_GRAPH_CUH

#include "plugins/ldpc/cuda/registers_work.h"

namespace ldpc_registers
{

template <int BG> struct graph;

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
        return r >= G::CORE_ROWS;
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
        return in_memory(r, k);
    }

    static constexpr bool stores(int r, int k)
    {
        return in_memory(r, k);
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
        return !in_memory(r, k);
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
        return (shift(r, k) + turn(r)) % LANES;
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

    /* Columns touched since the last barrier when row r begins. */
    static constexpr uint64_t dirty(int r)
    {
        uint64_t mask = 0;

        for (int i = ROWS - 1; i > r; i--) {
            if (mask & touched(i))
                mask = 0;
            mask |= touched(i);
        }
        return mask;
    }

    static constexpr bool barrier(int r)
    {
        return (dirty(r) & touched(r)) != 0;
    }

    /* May be loaded while row r + 1 is at work: nobody has touched it since the barrier there. */
    static constexpr bool early(int r, int k)
    {
        if (!in_memory(r, k) || r + 1 >= ROWS)
            return false;
        return !((touched(r + 1) | (barrier(r + 1) ? 0 : dirty(r + 1))) >> col(r, k) & 1);
    }

    /* Where a row's shifts begin in ldpc_registers_work.shift. */
    static constexpr int shift_place(int r)
    {
        int place = 0;

        for (int i = 0; i < r; i++)
            place += (degree(i) + 3) / 4 * 4;
        return place;
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
        int most = 0;

        for (int r = 0; r < ROWS; r++)
            for (int e = G::first(r); e < G::first(r + 1); e++) {
                const int lane = (G::shift(e, Z) + a.turn[r]) % Z;
                int votes = 0;

                if (G::col(e) != c)
                    continue;
                for (int i = 0; i < ROWS; i++)
                    for (int f = G::first(i); f < G::first(i + 1); f++)
                        votes += G::col(f) == c && (G::shift(f, Z) + a.turn[i]) % Z == lane;
                if (votes > most || (votes == most && lane < a.base[c])) {
                    most = votes;
                    a.base[c] = (uint16_t)lane;
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
        return (old::shift(r, k) + A.turn[r] + Z - A.base[col(r, k)]) % Z;
    }

    static constexpr uint32_t lane_of(int r, int c)
    {
        for (int k = 0; k < degree(r); k++)
            if (col(r, k) == c)
                return lane(r, k);
        return Z;
    }

    /* The first row of an iteration that has the column, and the last one; -1: none has. */
    static constexpr int first_row(int c)
    {
        for (int r = ROWS - 1; r >= 0; r--)
            if (has(r, c))
                return r;
        return -1;
    }

    static constexpr int last_row(int c)
    {
        for (int r = 0; r < ROWS; r++)
            if (has(r, c))
                return r;
        return -1;
    }

    static constexpr bool one_lane(int c)
    {
        for (int r = 0; r < ROWS; r++)
            if (has(r, c) && lane_of(r, c) != lane_of(last_row(c), c))
                return false;
        return true;
    }

    static constexpr bool wrapped(int c)
    {
        const int first = first_row(c), last = last_row(c);

        return first >= 0 && lane_of(first, c) == lane_of(last, c) &&
               (last + ROWS - first <= SPAN || one_lane(c));
    }

    static constexpr uint32_t wrapped_lane(int c)
    {
        return lane_of(last_row(c), c);
    }

    static constexpr bool at_end(int r, int k)
    {
        return wrapped(col(r, k)) && lane(r, k) == wrapped_lane(col(r, k));
    }

    static constexpr bool loads(int r, int k)
    {
        const int c = col(r, k);

        for (int i = r + 1; i < ROWS; i++)
            if (has(i, c))
                return lane_of(i, c) != lane(r, k) || i - r > SPAN;
        return !wrapped(c);
    }

    static constexpr bool stores(int r, int k)
    {
        const int c = col(r, k);

        for (int i = r - 1; i >= 0; i--)
            if (has(i, c))
                return lane_of(i, c) != lane(r, k) || r - i > SPAN;
        return !wrapped(c);
    }

    static constexpr bool late(int r, int k)
    {
        return r > 0 && stores(r, k) && !has(r - 1, col(r, k));
    }

    /* Columns that go to memory while row r is at work, as a mask. */
    static constexpr uint64_t written(int r)
    {
        uint64_t mask = 0;

        for (int k = 0; k < degree(r); k++)
            if (stores(r, k) && !late(r, k))
                mask |= UINT64_C(1) << col(r, k);
        for (int k = 0; r + 1 < ROWS && k < degree(r + 1); k++)
            if (late(r + 1, k))
                mask |= UINT64_C(1) << col(r + 1, k);
        return mask;
    }

    static constexpr uint64_t wanted(int r)
    {
        uint64_t mask = 0;

        for (int k = 0; k < degree(r); k++)
            if (loads(r, k))
                mask |= UINT64_C(1) << col(r, k);
        return mask;
    }

    /* Columns written since the last barrier when row r begins. */
    static constexpr uint64_t dirty(int r)
    {
        uint64_t mask = 0;

        for (int i = ROWS - 1; i > r; i--) {
            if (mask & wanted(i))
                mask = 0;
            mask |= written(i);
        }
        return mask;
    }

    static constexpr bool barrier(int r)
    {
        return (dirty(r) & wanted(r)) != 0;
    }

    static constexpr bool early(int r, int k)
    {
        if (!loads(r, k) || r + 1 >= ROWS)
            return false;
        return !((written(r + 1) | (barrier(r + 1) ? 0 : dirty(r + 1))) >> col(r, k) & 1);
    }
};

template <int BG, int ROWS, int Z, int SPAN> struct plan_of {
    using type = aligned_plan<BG, ROWS, Z, SPAN>;
};

template <int BG, int ROWS, int Z> struct plan_of<BG, ROWS, Z, 0> {
    using type = plan<BG, ROWS, Z>;
};

} // namespace ldpc_registers

#endif
