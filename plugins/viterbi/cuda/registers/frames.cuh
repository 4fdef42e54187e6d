/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Whole frames, exactly: sub-frames of a byte, whose traces run through the ring in shared memory
 * beside the next block of steps, and a proof that they have met the path from the frame's end.
 *
 * The last trace begins behind the end, where the state is known. Each other one is right if it is in
 * the same state as the next one where that ends, at the border between their bytes. Where it is
 * not, the byte is noted. After all steps the blocks of steps around what is noted are computed
 * again, from metrics that are kept whenever the ring begins anew, and traced from the right state.
 *
 * Few frames are cut into pieces, each decoded by a thread of its own, neighbours in a warp. Piece p
 * begins at step p f, and but for the first one in all states alike; what it decides before step p f
 * + v1 is dropped. From there on it is the frame's decoder if all differences of its metrics are
 * those of the piece before, which goes on until then. Pieces for which that does not hold are done
 * again, with the metrics of the piece before.
 */
#ifndef VITERBI_CUDA_REGISTERS_FRAMES_CUH
#define VITERBI_CUDA_REGISTERS_FRAMES_CUH

#include "plugins/viterbi/cuda/registers/trace_again.cuh"

template <class Code, class L, int SOURCE>
static REGISTERS_FN void registers_frames(const registers_job &job, uint64_t group, uint32_t thread,
                                          uint8_t *ring, uint8_t *scratch,
                                          const struct registers_spread *table)
{
    const registers_memory<Code, L> memory = registers_memory_of<Code, L>(job, thread, ring,
                                                                          scratch);
    registers_tile tile[L::TILES];
    registers_mender<L> mender;
    uint32_t notes[L::TILES], from, to;
    bool again = false;

    if (!registers_tiles<Code, L, true>(job, group, thread, tile))
        return;
    registers_plain_blocks<Code, L>(job, tile, &from, &to);
    do {
        registers_pass<Code, L, SOURCE>(job, thread, tile, memory, from, to, again, notes, table);
        registers_warp_sync();
        again = job.row > 1 &&
                registers_warp_any(registers_unjoined<Code, L>(job, thread, tile, memory));
    } while (again);
    registers_mend_begin<Code, L>(job, tile, memory, notes, &mender);
    do {
        while (
            registers_round<Code, L, SOURCE>(job, thread, tile, memory, from, to, &mender, table))
            ;
        registers_warp_sync();
        again = job.row > 1 &&
                registers_warp_any(registers_look_behind<Code, L>(job, thread, tile, &mender));
    } while (again);
}

#endif
