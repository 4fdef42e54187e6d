/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Output of the kernels in registers: LLRs of the information bits and of the word.
 *
 * Eight neighbouring threads take eight neighbouring lanes of a pair, 32 bytes of each code block's LLRs, the next eight those of
 * the next pair: code blocks side by side have a pair's lanes far from each other in shared memory.
 */
#ifndef LDPC_CUDA_REGISTERS_SOFT_CUH
#define LDPC_CUDA_REGISTERS_SOFT_CUH

#include "plugins/ldpc/cuda/registers/place.cuh"
#include "plugins/ldpc/cuda/registers/soft_number.cuh"

namespace ldpc_registers
{

/* Lane j of all columns of a pair; ending: code blocks that are wanted, a bit each. */
template <class D> struct soft_lane {
    using G = typename D::G;
    const place<D> &p;
    uint32_t pair, j, ending;
    float unit[2];

    FECRUN_MEMBER soft_lane(const place<D> &where, uint32_t of, uint32_t lane, uint32_t which)
        : p(where), pair(of), j(lane), ending(which)
    {
        for (uint32_t b = 0; b < 2; b++)
            unit[b] = ending >> b & 1 ? ldpc_soft::unit_of(p.work.soft, frame(b)) : 0;
    }

    FECRUN_MEMBER uint32_t frame(uint32_t b) const
    {
        return p.first + 2 * pair + b;
    }

    FECRUN_MEMBER void put(int port, uint32_t item, float low, float high) const
    {
        if (ending & 1)
            ldpc_soft::put(p.work.soft, port, frame(0), item, low);
        if (ending & 2)
            ldpc_soft::put(p.work.soft, port, frame(1), item, high);
    }

    FECRUN_MEMBER void put_llr(int port, uint32_t item, uint32_t llr) const
    {
        put(port, item, ldpc_soft::number(llr & 0xffff, unit[0]),
            ldpc_soft::number(llr >> 16, unit[1]));
    }

    FECRUN_MEMBER void write_core() const
    {
        const ldpc_soft_work &soft = p.work.soft;

#pragma unroll 2
        for (uint32_t c = 0; c < G::CORE; c++) {
            const uint32_t bit = c * p.work.z + j, llr = p.llr(c, j, 2 * pair);
            const uint32_t item = bit - G::PUNCTURED * p.work.z;

            if (soft.to[LDPC_SOFT_BITS] && bit < p.work.bits)
                put_llr(LDPC_SOFT_BITS, bit, llr);
            if (!soft.to[LDPC_SOFT_WORD] || c < G::PUNCTURED)
                continue;
            if (bit < p.work.bits || bit >= p.work.k)
                put_llr(LDPC_SOFT_WORD, item, llr);
            else
                put(LDPC_SOFT_WORD, item, FECRUN_LLR_MAX_F32, FECRUN_LLR_MAX_F32);
        }
    }

    /* Columns of degree 1 that rows in use reach: the next items. */
    FECRUN_MEMBER void write_own() const
    {
        const uint32_t *llrs = (const uint32_t *)p.llrs_of_own();
        uint32_t item = (G::CORE - G::PUNCTURED) * p.work.z + j;

#pragma unroll 2
        for (uint32_t r = G::CORE_ROWS; r < p.work.rows; r++) {
            const uint32_t at =
                p.wrap(j + p.work.z - p.turn((uint32_t)D::code_row((int)r))) * p.work.pairs + pair;

            put_llr(LDPC_SOFT_WORD, item, llrs[at]);
            llrs += D::ALL_LANES;
            item += p.work.z;
        }
    }

    /* The others. */
    FECRUN_MEMBER void write_arrived() const
    {
        const ldpc_soft_work &soft = p.work.soft;

        for (uint32_t b = 0; b < 2; b++)
            for (uint32_t i = p.work.read + j; ending >> b & 1 && i < soft.n; i += p.work.z)
                ldpc_soft::put(soft, LDPC_SOFT_WORD, frame(b), i,
                               ldpc_soft::arrived(soft, frame(b), i));
    }

    FECRUN_MEMBER void write() const
    {
        write_core();
        if (!p.work.soft.to[LDPC_SOFT_WORD])
            return;
        if constexpr (D::ALL_ROWS > G::CORE_ROWS)
            write_own();
        write_arrived();
    }
};

/* All columns in memory. ending(pair): which of its code blocks. */
template <class D, class F> FECRUN_ON_DEVICE void write_soft(const place<D> &p, F ending)
{
    enum { TILE = 8 };
    const uint32_t z = p.work.z, pairs = p.pairs_of(p.work), tiles = (z + TILE - 1) / TILE;

    for (uint32_t i = p.t; i < TILE * tiles * pairs; i += p.work.lanes) {
        const uint32_t tile = i / TILE, pair = tile % pairs, j = tile / pairs * TILE + i % TILE;
        const uint32_t which = j < z ? ending(pair) : 0;

        if (which)
            soft_lane<D>(p, pair, j, which).write();
    }
}

} // namespace ldpc_registers

#endif
