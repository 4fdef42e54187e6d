/* SPDX-License-Identifier: BSD-2-Clause */
/* Whole frames, the first part of frames.cuh: all steps, and traces with their proof. */
#ifndef VITERBI_CUDA_REGISTERS_PROVE_CUH
#define VITERBI_CUDA_REGISTERS_PROVE_CUH

#include "plugins/viterbi/cuda/registers/decode.cuh"

/* A thread's part of the ring and of scratch memory. */
template <class Code, class L> struct registers_memory {
    uint8_t *ring;
    uint8_t *metrics; /* of each REGISTERS_TRACED_STEPS-th block; then those at the two joints */
    uint8_t *joints;
    uint32_t *notes; /* see registers_note() */
};

template <class Code, class L>
static REGISTERS_FN registers_memory<Code, L>
registers_memory_of(const registers_job &job, uint32_t thread, uint8_t *ring, uint8_t *scratch)
{
    typedef registers_ring<Code, L> r;
    const uint32_t at = thread * r::PIECE, kept = REGISTERS_KEPT(job.blocks);
    uint8_t *joints = scratch + (size_t)kept * r::BLOCK;

    return {ring + at, scratch + at, joints + at, (uint32_t *)(joints + 2 * r::BLOCK) + thread};
}

/* The piece of its frame that a thread has, and its first byte that is put out. */
static REGISTERS_FN uint32_t registers_piece(const registers_job &job, uint32_t thread)
{
    return (uint32_t)(thread % 32 % job.row);
}

static REGISTERS_FN uint32_t registers_drop(const registers_job &job, uint32_t thread)
{
    return registers_piece(job, thread) ? (uint32_t)job.v1 / 8 : 0;
}

/* The first byte that belongs to the piece behind. */
static REGISTERS_FN uint32_t registers_behind(const registers_job &job)
{
    return (uint32_t)(job.f + job.v1) / 8;
}

/* ---- Metrics --------------------------------------------------------------------------------- */

/* Keeps the differences to state 0's, in the room of a block of survivors. m: without tags. */
template <class Code, class L>
static REGISTERS_FN void registers_keep_metrics(uint8_t *to, const uint32_t *m)
{
    typedef registers_ring<Code, L> ring;
    const uint32_t down = lanes16::lowering(m[0], 0);

#pragma unroll
    for (int c = 0; c < ring::CHUNKS; c++) {
        uint32_t word[L::CHUNK / 2];
#pragma unroll
        for (int s = 0; s < L::CHUNK; s += 2) {
            const uint32_t *at = m + c * L::CHUNK + s;
            word[s / 2] = registers_perm(registers_add2(at[0], down), registers_add2(at[1], down),
                                         0x7531);
        }
        *(uint4 *)(to + c * ring::CHUNK) = make_uint4(word[0], word[1], word[2], word[3]);
    }
}

/* Of one tile. */
template <class Code, class L>
static REGISTERS_FN void registers_load_metrics(const uint8_t *from, int tile, uint32_t *m)
{
    typedef registers_ring<Code, L> ring;
    const uint32_t lane = 0xffffu << 16 * tile;

    static_assert(L::TILES == 2, "bytes as lanes16 packs them");
#pragma unroll
    for (int c = 0; c < ring::CHUNKS; c++) {
        const uint4 x = *(const uint4 *)(from + c * ring::CHUNK);
        const uint32_t word[4] = {x.x, x.y, x.z, x.w};
#pragma unroll
        for (int s = 0; s < L::CHUNK; s++) {
            const uint32_t both = registers_perm(word[s / 2], 0, s & 1 ? 0x3424 : 0x1404);
            const uint32_t value = registers_add2(both, L::both(L::BASE));
            m[c * L::CHUNK + s] = (m[c * L::CHUNK + s] & ~lane) | (value & lane);
        }
    }
}

template <class Code, class L>
static REGISTERS_FN uint8_t *registers_kept_at(const registers_memory<Code, L> &memory,
                                               uint32_t block)
{
    return memory.metrics +
           (size_t)(block / REGISTERS_TRACED_STEPS) * registers_ring<Code, L>::BLOCK;
}

/* Is a piece's beginning not the end of the piece before, which the thread before has? */
template <class Code, class L>
static REGISTERS_FN bool registers_unjoined(const registers_job &job, uint32_t thread,
                                            const registers_tile *tile,
                                            const registers_memory<Code, L> &memory)
{
    typedef registers_ring<Code, L> ring;
    const uint8_t *own = memory.joints, *before = memory.joints + ring::BLOCK - ring::PIECE;
    bool differs = false;

    if (registers_piece(job, thread) == 0)
        return false;
#pragma unroll 1
    for (int s = 0; s < Code::S; s++)
        for (int k = 0; k < L::TILES; k++)
            differs = differs || (tile[k].bits && registers_look_up<Code, L>(own, s, k) !=
                                                      registers_look_up<Code, L>(before, s, k));
    return differs;
}

/* ---- Traces ---------------------------------------------------------------------------------- */

/* byte: the next one. border: the states at the upper end of the one before, as its trace had it. */
template <class L> struct registers_proof {
    uint32_t byte, drop, behind;
    uint32_t border[L::TILES], word[L::TILES], notes[L::TILES];
};

/* The n-th note of a tile: byte << 6 | the state above it. Note job.blocks: see registers_prove(). */
template <class Code, class L>
static REGISTERS_FN uint32_t *registers_note(const registers_memory<Code, L> &memory, uint32_t n,
                                             int tile)
{
    static_assert(Code::S <= 64, "six bits");
    return memory.notes + ((size_t)n * L::TILES + tile) * REGISTERS_THREADS;
}

/*
 * tag: what the trace of a byte has found; border: before the last look-up. What is found of the first
 * byte behind a piece is noted, too.
 */
template <class Code, class L>
static REGISTERS_FN void registers_prove(const registers_job &job, const registers_tile *tile,
                                         const registers_memory<Code, L> &memory,
                                         registers_proof<L> *proof, const uint32_t *tag,
                                         const uint32_t *border)
{
    uint32_t differs = 0;

#pragma unroll
    for (int k = 0; k < L::TILES; k++)
        differs |= tag[k] ^ proof->border[k];
    if ((differs & (Code::S - 1)) && proof->byte > proof->drop)
#pragma unroll
        for (int k = 0; k < L::TILES; k++)
            if ((tag[k] ^ proof->border[k]) & (Code::S - 1))
                *registers_note<Code, L>(memory, proof->notes[k]++, k) = (proof->byte - 1) << 6 |
                                                                         (tag[k] & (Code::S - 1));
    if (proof->byte == proof->behind)
#pragma unroll
        for (int k = 0; k < L::TILES; k++)
            *registers_note<Code, L>(memory, job.blocks, k) = tag[k] & (Code::S - 1);
#pragma unroll
    for (int k = 0; k < L::TILES; k++) {
        proof->border[k] = border[k];
        proof->word[k] = registers_perm(proof->word[k], tag[k], 0x4321);
    }
    if ((++proof->byte & 3) == 0 && proof->byte > proof->drop) {
#pragma unroll
        for (int k = 0; k < L::TILES; k++)
            registers_put_word(job, tile[k], proof->byte - 4, proof->word[k]);
    }
}

/* What is left of a word. */
template <class L>
static REGISTERS_FN void registers_put_rest(const registers_tile *tile,
                                            const registers_proof<L> &proof)
{
    const uint32_t rest = proof.byte & 3;

    for (int k = 0; k < L::TILES; k++)
        for (uint32_t i = 0; i < rest; i++)
            registers_put_byte(tile[k], proof.byte - rest + i, proof.word[k] >> 8 * (4 - rest + i));
}

/* A trace at once, from the block before the one in the slot `slot`. tag: what that one says. */
template <class Code, class L>
static REGISTERS_FN void registers_trace_byte(const registers_job &job, const registers_tile *tile,
                                              const registers_memory<Code, L> &memory,
                                              uint32_t slot, uint32_t *tag,
                                              registers_proof<L> *proof)
{
    uint32_t at = slot == 0 ? job.ring - 1 : slot - 1, border[L::TILES];

#pragma unroll 1
    for (uint32_t i = 0; i < REGISTERS_TRACED_STEPS - 1; i++) {
        registers_copy<L>(border, tag);
        registers_step_back<Code, L>(job, memory.ring, &at, tag);
    }
    registers_prove<Code, L>(job, tile, memory, proof, tag, border);
}

/* ---- Forward --------------------------------------------------------------------------------- */

/* Blocks [block, to) that need no care: registers_run_traced() with a proof. */
template <class Code, class L, int SOURCE>
static REGISTERS_FN void
registers_run_proven(const registers_job &job, const registers_tile *tile,
                     registers_stream<Code, SOURCE> *stream, uint32_t block, uint32_t to,
                     const registers_memory<Code, L> &memory, uint32_t *slot, uint32_t *m,
                     registers_proof<L> *proof)
{
    uint32_t pending = 0, tag[L::TILES] = {0}, border[L::TILES];
    registers_half<Code, L> half;

#pragma unroll 1
    for (; block < to; block++) {
        uint32_t item[L::TILES][2 * Code::N], at = *slot;

        if (at == 0)
            registers_keep_metrics<Code, L>(registers_kept_at<Code, L>(memory, block), m);
        registers_input<Code, L, SOURCE>(stream, block + 1 < to, item);
        at = at < 2 ? at + job.ring - 2 : at - 2;
        registers_block<Code, L, REGISTERS_TRACED_STEPS - 1>(job, m, &half, item, memory.ring, at,
                                                             tag, border);
        if (pending)
            registers_prove<Code, L>(job, tile, memory, proof, tag, border);
        pending = block + 1 > job.delay;
#pragma unroll
        for (int k = 0; k < L::TILES; k++)
            tag[k] = L::tag(m[0], k);
        registers_keep<Code, L>(memory.ring + *slot * registers_ring<Code, L>::BLOCK, m, half);
        registers_clear<Code, L>(m);
        *slot = *slot + 1 == job.ring ? 0 : *slot + 1;
    }
    if (pending)
        registers_trace_byte<Code, L>(job, tile, memory, (*slot == 0 ? job.ring : *slot) - 1, tag,
                                      proof);
}

template <class Code, class L, int SOURCE>
static REGISTERS_FN void
registers_run_careful(const registers_job &job, const registers_tile *tile, uint32_t block,
                      const registers_memory<Code, L> &memory, uint32_t *slot, uint32_t *m,
                      uint32_t *last, registers_proof<L> *proof)
{
    registers_half<Code, L> half;
    uint32_t tag[L::TILES];

    if (*slot == 0)
        registers_keep_metrics<Code, L>(registers_kept_at<Code, L>(memory, block), m);
    registers_no_survivors<Code, L>(&half);
    if (!registers_idle<Code, L, REGISTERS_STORED>(tile, block))
        registers_any<Code, L, SOURCE, true>(job, tile, block, m, &half, last);
#pragma unroll
    for (int k = 0; k < L::TILES; k++)
        tag[k] = L::tag(m[0], k);
    if (block + 1 > job.delay)
        registers_trace_byte<Code, L>(job, tile, memory, *slot, tag, proof);
    registers_keep<Code, L>(memory.ring + *slot * registers_ring<Code, L>::BLOCK, m, half);
    registers_clear<Code, L>(m);
    *slot = *slot + 1 == job.ring ? 0 : *slot + 1;
}

/* At the joint that a block begins at, if any. again: see registers_pass(). */
template <class Code, class L>
static REGISTERS_FN void registers_at_joint(const registers_job &job, uint32_t thread,
                                            const registers_memory<Code, L> &memory, uint32_t block,
                                            bool again, uint32_t *m)
{
    typedef registers_ring<Code, L> ring;
    uint8_t *own = memory.joints, *end = memory.joints + ring::BLOCK;

    if (block == job.v1 / 8) {
        if (again && registers_piece(job, thread))
#pragma unroll
            for (int k = 0; k < L::TILES; k++)
                registers_load_metrics<Code, L>(end - ring::PIECE, k, m);
        registers_keep_metrics<Code, L>(own, m);
    } else if (block == registers_behind(job)) {
        registers_keep_metrics<Code, L>(end, m);
    }
    registers_warp_sync(); /* what is read at the one joint is written at the other */
}

/* The next block at which registers_run_proven() has to stop. */
static REGISTERS_FN uint32_t registers_stop(const registers_job &job, uint32_t block, uint32_t to)
{
    const uint32_t first = (uint32_t)job.v1 / 8, second = registers_behind(job);

    if (job.row > 1 && block < first && first < to)
        return first;
    return job.row > 1 && block < second && second < to ? second : to;
}

template <class Code, int SOURCE, class L>
static REGISTERS_FN void registers_seek_all(registers_stream<Code, SOURCE> *stream,
                                            const registers_job &job, const registers_tile *tile,
                                            uint32_t block, const struct registers_spread *table)
{
#pragma unroll
    for (int k = 0; k < L::TILES; k++) {
        stream[k].table = table;
        registers_seek<Code, SOURCE>(&stream[k], job, tile[k], block);
        registers_load<Code, SOURCE>(&stream[k]);
    }
}

/*
 * All steps of a thread's pieces. from, to: registers_plain_blocks(). notes: how many there are.
 * again: with the metrics that the pieces before had at their ends the last time.
 */
template <class Code, class L, int SOURCE>
static REGISTERS_FN void
registers_pass(const registers_job &job, uint32_t thread, const registers_tile *tile,
               const registers_memory<Code, L> &memory, uint32_t from, uint32_t to, bool again,
               uint32_t *notes, const struct registers_spread *table)
{
    registers_proof<L> proof = {};
    uint32_t m[Code::S], last[L::TILES] = {0}, slot = 0, block = 0;

    static_assert(!registers_ring<Code, L>::NEWEST, "traces begin in a block before the ring's");
    proof.drop = registers_drop(job, thread);
    proof.behind = job.row > 1 ? registers_behind(job) : ~0u;
    registers_start<Code, L>(m);
    while (block < job.blocks) {
        if (job.row > 1)
            registers_at_joint<Code, L>(job, thread, memory, block, again, m);
        if (block >= from && block < to) {
            registers_stream<Code, SOURCE> stream[L::TILES];
            const uint32_t stop = registers_stop(job, block, to);
            registers_seek_all<Code, SOURCE, L>(stream, job, tile, block, table);
            registers_run_proven<Code, L, SOURCE>(job, tile, stream, block, stop, memory, &slot, m,
                                                  &proof);
            block = stop;
        } else {
            registers_run_careful<Code, L, SOURCE>(job, tile, block, memory, &slot, m, last,
                                                   &proof);
            block++;
        }
    }
    registers_put_rest<L>(tile, proof);
    registers_copy<L>(notes, proof.notes);
}

#endif
