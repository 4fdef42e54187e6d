/* SPDX-License-Identifier: BSD-2-Clause */
/* NR's base graphs at compile time, and the host's side of their kernels in registers. */
#ifndef LDPC_CUDA_REGISTERS_NR_CUH
#define LDPC_CUDA_REGISTERS_NR_CUH

#include "plugins/ldpc/cuda/registers/plan.h"
#include "plugins/ldpc/cuda/registers/kernel.cuh"
#include "plugins/ldpc/code/standard/tables.h"

namespace ldpc_registers
{

constexpr struct ldpc_nr_entry bg1_entries[LDPC_NR_BG1_ENTRIES] = {
#include "plugins/ldpc/code/standard/nr_bg1.inc"
};

constexpr struct ldpc_nr_entry bg2_entries[LDPC_NR_BG2_ENTRIES] = {
#include "plugins/ldpc/code/standard/nr_bg2.inc"
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

/* Set of lifting sizes: z = a 2^j, a = 2, 3, 5, 7, 9, 11, 13, 15. Compilers ask, too, where z is 0 and
 * nobody wants to know: they shall not take minutes to give up. */
constexpr int set_of(int z)
{
    while (z && z % 2 == 0)
        z /= 2;
    return z / 2;
}

template <int BG> struct nr_edges;

template <> struct nr_edges<1> {
    static constexpr int INFO = 22, CORE = 26;
    static constexpr int KERNELS[] = {LDPC_REGISTERS_ROWS_1};
    static constexpr edges E = collect(bg1_entries, LDPC_NR_BG1_ENTRIES, 46, CORE);
};

template <> struct nr_edges<2> {
    static constexpr int INFO = 10, CORE = 14;
    static constexpr int KERNELS[] = {LDPC_REGISTERS_ROWS_2};
    static constexpr edges E = collect(bg2_entries, LDPC_NR_BG2_ENTRIES, 42, CORE);
};

template <int BG> struct nr_graph : nr_edges<BG> {
    using nr_edges<BG>::E;
    static constexpr int CORE_ROWS = 4, PUNCTURED = 2, SPLIT = 20;
    static constexpr bool TURNED = true, OMS = false, SPA = false, FORWARD = false,
                          EARLY_STOP = false, SOFT = false;

    static constexpr int sure(int rows)
    {
        int sure = 0;

        for (int kernel : nr_edges<BG>::KERNELS)
            sure = kernel < rows ? kernel : sure;
        return sure;
    }

    static constexpr int first(int r)
    {
        return E.first[r];
    }

    static constexpr int col(int e)
    {
        return E.col[e];
    }

    static constexpr int shift(int e, int z)
    {
        return E.shift[set_of(z)][e] % z;
    }

    static constexpr bool held(int)
    {
        return false;
    }

    static constexpr int offset(int)
    {
        return 0;
    }
};

template <> struct graph<1> : nr_graph<1> {
};

template <> struct graph<2> : nr_graph<2> {
};

template <class D> void set(struct ldpc_registers_work *work, const struct ldpc_code *code)
{
    using P = typename D::P;

    for (int r = 0; r < (int)work->rows; r++) {
        const struct ldpc_edge *edge = code->edge + code->row_first[r];
        uint32_t turn = 0;

        for (int k = 0; k < P::degree(r); k++)
            if (P::col(r, k) == P::resident(r))
                turn = (code->z - edge[k].shift) % code->z;
        for (int k = 0; k < P::degree(r); k++)
            work->shift[P::shift_place(r) + k] = 4 * work->pairs *
                                                 ((edge[k].shift + turn) % code->z);
        if (r >= 4)
            work->turn[r - 4] = turn;
    }
}

template <class D>
struct ldpc_registers_kernel make(uint32_t bg, uint32_t rows, uint32_t z, uint32_t lanes,
                                  const void *function)
{
    return {bg,     rows, z,  lanes,      function, D::END + FLAGS + LDPC_REGISTERS_ALIGN,
            set<D>, 1,    {}, !D::STAGED, D::HALF,  D::G::SOFT};
}

/* LANES: most threads of a block; up to 256 have 255 registers each, up to 384 have 168. */
template <int BG, int ROWS, int PACK0, int PACK1, int SHARED0, int SHARED1, int Z, int KEPT = 0,
          int LANES = Z ? Z : 384, int SPAN = 2, int CHAINS = NO_CHAINS>
struct ldpc_registers_kernel entry()
{
    using D =
        decoder<BG, ROWS, PACK0, PACK1, SHARED0, SHARED1, Z, KEPT, LANES, Z ? SPAN : 0, CHAINS>;

    struct ldpc_registers_kernel kernel = make<D>(BG, ROWS, Z, LANES,
                                                  (const void *)decode<D, LANES, 1>);

    kernel.layout = {PACK0, PACK1, SHARED0, SHARED1, KEPT, SPAN};
    return kernel;
}

/* One code block on Z / 2 threads, up to 255 registers each. */
template <int BG, int ROWS, int PACK0, int PACK1, int SHARED0, int SHARED1, int Z, int SPAN = 2,
          int CHAINS = NO_CHAINS>
struct ldpc_registers_kernel halved()
{
    using D = decoder<BG, ROWS, PACK0, PACK1, SHARED0, SHARED1, Z, 0, Z, SPAN, CHAINS, true>;

    struct ldpc_registers_kernel kernel = make<D>(BG, ROWS, Z, Z,
                                                  (const void *)decode<D, Z / 2, 1>);

    kernel.layout = {PACK0, PACK1, SHARED0, SHARED1, 0, SPAN};
    return kernel;
}

} // namespace ldpc_registers

#endif
