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

    /* Of a held column: its place among them. */
    static constexpr int held_place(int c)
    {
        int n = 0;

        for (int i = 0; i < c; i++)
            n += G::held(i);
        return n;
    }

    /* Only where Z is given. */
    static constexpr uint32_t shift(int r, int k)
    {
        return (uint32_t)G::shift(G::first(r) + k, Z);
    }

    static constexpr uint32_t turn(int r)
    {
        for (int k = 0; k < degree(r); k++)
            if (col(r, k) == resident(r))
                return (Z - shift(r, k)) % Z;
        return 0;
    }

    static constexpr uint32_t lane(int r, int k)
    {
        return (shift(r, k) + turn(r)) % Z;
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

} // namespace ldpc_registers

#endif
