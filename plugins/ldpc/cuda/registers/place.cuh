/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Where the kernels in registers have what belongs to the code blocks that a thread block decodes at a time.
 *
 * Shared memory behind a decoder's own: flags of the code blocks, the barrier of the bulk copies,
 * the staging area with the LLRs of the next 2 G code blocks, which come while these are decoded. A
 * decoder without that area (STAGED: flood.cuh) reads them where they are, from L2.
 */
#ifndef LDPC_CUDA_REGISTERS_PLACE_CUH
#define LDPC_CUDA_REGISTERS_PLACE_CUH

#include <fecrun/plugin.h>

#include "plugins/ldpc/cuda/registers/row.cuh"

namespace ldpc_registers
{

/* Flags, a byte a code block each: checks that do not hold, of which rows; it has its bits. */
enum { BAD_CORE, BAD_OTHERS, BAD_END, ENDED, N_FLAGS };

constexpr int FLAGS = LDPC_REGISTERS_FLAGS;
static_assert(FLAGS == N_FLAGS * LDPC_REGISTERS_LANES, "a byte each");

/*
 * The 2 G code blocks of an item and where their LLRs are. A thread's own pair is `pair`, its lane
 * in it `lane`.
 */
template <class D> struct place {
    static_assert(D::END % LDPC_REGISTERS_ALIGN == 0, "copies go to multiples of 16 bytes");

    char *memory;
    const ldpc_registers_work &work;
    uint32_t t, pair, lane, first; /* first: frame */
    uint32_t ended;                /* LONE: of both code blocks, a bit each */

    FECRUN_MEMBER place(char *sm, const ldpc_registers_work &w, uint32_t thread)
        : memory(sm), work(w), t(thread), pair(thread % pairs_of(w)), lane(thread / pairs_of(w)),
          first(0), ended(0)
    {
    }

    /* Known to the compiler where the kernel is for one lifting size. */
    FECRUN_MEMBER static uint32_t pairs_of(const ldpc_registers_work &w)
    {
        return D::PAIRS ? D::PAIRS : w.pairs;
    }

    FECRUN_MEMBER uint8_t *flag(int which) const
    {
        return (uint8_t *)memory + D::END + which * LDPC_REGISTERS_LANES;
    }

    /* Device memory of this thread block. */
    FECRUN_MEMBER char *away() const
    {
        return work.own + (size_t)blockIdx.x * (D::OWN_BYTES + D::LLR_BYTES);
    }

    /* What own_column() of a decoder counts from. */
    FECRUN_MEMBER char *own() const
    {
        return D::AWAY ? away() : memory;
    }

    /* SOFT: LLRs of columns of degree 1 as words of both code blocks, each row as its threads have them. */
    FECRUN_MEMBER char *llrs_of_own() const
    {
        return away() + D::OWN_BYTES;
    }

    FECRUN_MEMBER uint64_t *barrier() const
    {
        return (uint64_t *)(memory + D::END + FLAGS);
    }

    FECRUN_MEMBER char *staged(uint32_t block) const
    {
        return memory + D::END + FLAGS + LDPC_REGISTERS_ALIGN + block * work.slot;
    }

    FECRUN_MEMBER const int8_t *source(uint32_t frame) const
    {
        return work.in + frame * work.in_stride;
    }

    /* Its place in the staging area: copies begin at multiples of 16 bytes. */
    FECRUN_MEMBER const char *llrs(uint32_t block) const
    {
        if constexpr (!D::STAGED) {
            const uint32_t frame = first + block;

            return (const char *)source(frame < work.frames ? frame : work.frames - 1);
        }
        return staged(block) + ((uintptr_t)source(first + block) & (LDPC_REGISTERS_ALIGN - 1));
    }

    FECRUN_MEMBER uint32_t *word(uint32_t col, uint32_t at) const
    {
        return (uint32_t *)(memory + D::COLUMN * col) + at;
    }

    /* The lane of a column that is first in memory. */
    FECRUN_MEMBER uint32_t base(uint32_t col) const
    {
        if constexpr (D::TABLE)
            return ((const uint32_t *)(memory + D::SHIFTS))[col];
        return 0;
    }

    /* The lane of row r that thread 0 takes. */
    FECRUN_MEMBER uint32_t turn(uint32_t row) const
    {
        if constexpr (D::TABLE)
            return base(D::G::CORE + row);
        return work.turn[row - D::G::CORE_ROWS];
    }

    FECRUN_MEMBER uint32_t wrap(uint32_t lane) const
    {
        return lane < work.z ? lane : lane - work.z;
    }

    /* Lane j of a column of code block `block`: both code blocks of a pair. */
    FECRUN_MEMBER uint32_t llr(uint32_t col, uint32_t j, uint32_t block) const
    {
        if constexpr (D::TABLE)
            j = wrap(j + work.z - base(col));
        return *word(col, j * work.pairs + block / 2);
    }

    /* ---- Flags ---- */

    FECRUN_MEMBER void note(int which, uint32_t bad) const
    {
        if (bad & 0x8000)
            flag(which)[2 * pair] = 1;
        if (bad & 0x80000000u)
            flag(which)[2 * pair + 1] = 1;
    }

    FECRUN_MEMBER bool promising(uint32_t block) const
    {
        return !(flag(BAD_CORE)[block] | flag(BAD_OTHERS)[block] | flag(ENDED)[block]);
    }

    FECRUN_MEMBER bool good(uint32_t block) const
    {
        return !(flag(BAD_OTHERS)[block] | flag(BAD_END)[block]);
    }

    /* With this iteration? A look for a neighbour's sake does not end it before it would alone. */
    FECRUN_MEMBER bool ends(uint32_t block, bool last) const
    {
        return last ? !flag(ENDED)[block] : good(block) && promising(block);
    }

    FECRUN_MEMBER void clear(uint32_t block) const
    {
        flag(BAD_CORE)[block] = flag(BAD_OTHERS)[block] = flag(BAD_END)[block] = 0;
    }
};

} // namespace ldpc_registers

#endif
