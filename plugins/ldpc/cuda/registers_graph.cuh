/* SPDX-License-Identifier: BSD-2-Clause */
/* NR's base graphs at compile time, and what follows from them for the kernels in registers. */
#ifndef LDPC_CUDA_REGISTERS_GRAPH_CUH
#define LDPC_CUDA_REGISTERS_GRAPH_CUH

#include "plugins/ldpc/cuda/registers.h"
#include "plugins/ldpc/code/tables.h"

namespace ldpc_registers
{

constexpr struct ldpc_nr_entry bg1_entries[LDPC_NR_BG1_ENTRIES] = {
#include "plugins/ldpc/code/nr_bg1.inc"
};

constexpr struct ldpc_nr_entry bg2_entries[LDPC_NR_BG2_ENTRIES] = {
#include "plugins/ldpc/code/nr_bg2.inc"
};

/* Edges without those of the columns of degree 1, which rows from 4 on have one each of. */
struct edges {
    uint16_t first[LDPC_NR_BG1_ENTRIES]; /* of a row */
    uint8_t col[LDPC_NR_BG1_ENTRIES];
    uint16_t shift[8][LDPC_NR_BG1_ENTRIES]; /* of each set of lifting sizes, not yet modulo z */
};

constexpr edges collect(const struct ldpc_nr_entry *entry, int n, int rows, int core)
{
    edges e = {};
    int count = 0, row = 0;

    for (int i = 0; i < n; i++) {
        while (row < entry[i].row)
            e.first[++row] = (uint16_t)count;
        if (entry[i].col < core) {
            e.col[count] = entry[i].col;
            for (int set = 0; set < 8; set++)
                e.shift[set][count] = entry[i].shift[set];
            count++;
        }
    }
    while (row < rows)
        e.first[++row] = (uint16_t)count;
    return e;
}

template <int BG> struct graph;

template <> struct graph<1> {
    static constexpr int INFO = 22, CORE = 26;
    static constexpr edges E = collect(bg1_entries, LDPC_NR_BG1_ENTRIES, 46, CORE);
};

template <> struct graph<2> {
    static constexpr int INFO = 10, CORE = 14;
    static constexpr edges E = collect(bg2_entries, LDPC_NR_BG2_ENTRIES, 42, CORE);
};

/* Set of lifting sizes: z = a 2^j, a = 2, 3, 5, 7, 9, 11, 13, 15. */
constexpr int set_of(int z)
{
    while (z % 2 == 0)
        z /= 2;
    return z / 2;
}

/* Rows are taken from the last one (ROWS - 1) to row 0. Z: 0, or the only lifting size. */
template <int BG, int ROWS, int Z> struct plan {
    using G = graph<BG>;
    static constexpr int SPLIT = 20; /* from here on a row has column 0 or 1, never both */

    static constexpr int degree(int r)
    {
        return G::E.first[r + 1] - G::E.first[r];
    }

    static constexpr int col(int r, int k)
    {
        return G::E.col[G::E.first[r] + k];
    }

    static constexpr bool has(int r, int c)
    {
        for (int k = 0; k < degree(r); k++)
            if (col(r, k) == c)
                return true;
        return false;
    }

    /* The row's column that is in a register; 255: none. */
    static constexpr int resident(int r)
    {
        return has(r, 0) ? 0 : r >= SPLIT && has(r, 1) ? 1 : 255;
    }

    static constexpr bool in_memory(int r, int k)
    {
        return col(r, k) != resident(r);
    }

    /* Only where Z is given. */
    static constexpr uint32_t shift(int r, int k)
    {
        return (uint32_t)(G::E.shift[set_of(Z)][G::E.first[r] + k] % Z);
    }

    static constexpr uint32_t turn(int r)
    {
        for (int k = 0; k < degree(r); k++)
            if (!in_memory(r, k))
                return (Z - shift(r, k)) % Z;
        return 0;
    }

    static constexpr uint32_t lane(int r, int k)
    {
        return (shift(r, k) + turn(r)) % Z;
    }

    /* Columns that a row writes to memory, as a mask. */
    static constexpr uint32_t touched(int r)
    {
        uint32_t mask = 0;

        for (int k = 0; k < degree(r); k++)
            if (in_memory(r, k))
                mask |= 1u << col(r, k);
        return r == SPLIT ? mask | 2 : mask; /* there column 1 goes to memory */
    }

    /* Columns touched since the last barrier when row r begins. */
    static constexpr uint32_t dirty(int r)
    {
        uint32_t mask = 0;

        for (int i = ROWS - 1; i > r; i--) {
            if (mask & touched(i))
                mask = 0;
            mask |= touched(i);
        }
        return mask;
    }

    static constexpr bool barrier(int r)
    {
        return dirty(r) & touched(r);
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
