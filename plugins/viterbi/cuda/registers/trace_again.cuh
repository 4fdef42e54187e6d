/* SPDX-License-Identifier: BSD-2-Clause */
/* Whole frames: bytes that were noted are traced again, after the steps that are needed for it. */
#ifndef VITERBI_CUDA_REGISTERS_TRACE_AGAIN_CUH
#define VITERBI_CUDA_REGISTERS_TRACE_AGAIN_CUH

#include "plugins/viterbi/cuda/registers/prove.cuh"

/*
 * Tracing again, byte after byte downwards, until what is found is there. A round computes the
 * blocks from kept metrics on to the one that the next look-up is in, of each tile by itself.
 */
template <class L> struct registers_mender {
    uint32_t byte[L::TILES], tag[L::TILES]; /* the next one, and the state above it */
    uint32_t lowest[L::TILES];              /* that has been looked at */
    uint32_t notes[L::TILES];               /* that are left */
    uint32_t above[L::TILES];               /* the state above a piece with which it was traced */
    bool open[L::TILES];
};

/* Where tiles have come to an end: their next note from block `bottom` on that has not been passed. */
template <class Code, class L>
static REGISTERS_FN bool registers_mend_next(const registers_memory<Code, L> &memory,
                                             const uint32_t *bottom, registers_mender<L> *mender)
{
    bool open = false;

#pragma unroll
    for (int k = 0; k < L::TILES; k++) {
        while (!mender->open[k] && mender->notes[k]) {
            const uint32_t note = *registers_note<Code, L>(memory, mender->notes[k] - 1, k);
            if ((note >> 6) + 1 < bottom[k])
                break;
            mender->byte[k] = note >> 6;
            mender->tag[k] = note;
            mender->open[k] = mender->byte[k] < mender->lowest[k];
            mender->notes[k]--;
        }
        open = open || (mender->open[k] && mender->byte[k] + 1 >= bottom[k]);
    }
    return open;
}

/* A round's blocks in the ring. */
template <class L> struct registers_again {
    uint32_t bottom[L::TILES]; /* the first one; ~0: the tile has none */
    uint64_t put[L::TILES];    /* what is put out of their bytes, the first one's lowest */
    uint32_t whole[L::TILES];  /* which are whole bytes of output */
};

/* Reads all bytes of output at once: a look-up would wait for each. */
template <class L>
static REGISTERS_FN void registers_read_output(const registers_tile *tile,
                                               registers_again<L> *again)
{
#pragma unroll
    for (int k = 0; k < L::TILES; k++) {
        again->put[k] = 0;
        again->whole[k] = 0;
#pragma unroll
        for (uint32_t i = 0; i < REGISTERS_TRACED_STEPS; i++) {
            const uint32_t byte = again->bottom[k] + i - 1; /* that is traced by block byte + 1 */
            const bool whole = again->bottom[k] != ~0u && byte < tile[k].bits / 8;

            again->put[k] |= whole ? (uint64_t)tile[k].out[byte] << 8 * i : 0;
            again->whole[k] |= (whole ? 1u : 0) << i;
        }
    }
}

/* A look-up in each tile that is open. */
template <class Code, class L>
static REGISTERS_FN void
registers_mend(const registers_tile *tile, const registers_memory<Code, L> &memory, uint32_t drop,
               const registers_again<L> &again, registers_mender<L> *mender)
{
#pragma unroll
    for (int k = 0; k < L::TILES; k++) {
        const uint32_t byte = mender->byte[k], slot = byte + 1 - again.bottom[k];
        uint32_t found, put;

        if (!mender->open[k] || byte + 1 < again.bottom[k])
            continue;
        found = registers_look_up<Code, L>(memory.ring + slot * registers_ring<Code, L>::BLOCK,
                                           mender->tag[k], k) &
                0xff;
        put = registers_reverse((uint32_t)(again.put[k] >> 8 * slot)) >> 24;
        mender->open[k] = byte > drop;
        if (put == found && again.whole[k] >> slot & 1)
            mender->open[k] = false;
        else
            registers_put_byte(tile[k], byte, found);
        mender->lowest[k] = byte;
        mender->tag[k] = found;
        mender->byte[k] = byte - 1;
    }
}

/* A tile in whose schedule block `block` is block REGISTERS_FAR, so that all have the same ones. */
enum { REGISTERS_FAR = 1 << 26 };

static REGISTERS_FN registers_tile registers_shifted(const registers_tile &tile, uint32_t block)
{
    const uint32_t steps = 8 * (REGISTERS_FAR - block);
    registers_tile shifted = tile;

    shifted.first -= steps;
    shifted.begin += steps;
    shifted.end += steps;
    shifted.forced_end += tile.forced_end ? steps : 0;
    shifted.known += tile.known == ~0u ? 0 : steps;
    return shifted;
}

/*
 * Computes `count` blocks from the blocks bottom[] on, of which the metrics are kept, into the ring.
 * drop: where a piece is joined to the one before, maybe in another state than it came there in.
 * plain: none of them needs care. Behind a piece's end nothing is ever noted.
 */
template <class Code, class L, int SOURCE>
static REGISTERS_FN void
registers_compute_again(const registers_job &job, const registers_tile *tile,
                        const registers_memory<Code, L> &memory, const uint32_t *bottom,
                        uint32_t drop, uint32_t count, bool plain,
                        const struct registers_spread *table)
{
    typedef registers_ring<Code, L> ring;
    registers_stream<Code, SOURCE> stream[L::TILES];
    uint32_t m[Code::S], last[L::TILES] = {0};
    registers_tile shifted[L::TILES];
    registers_half<Code, L> half;

    registers_start<Code, L>(m);
#pragma unroll
    for (int k = 0; k < L::TILES; k++) {
        shifted[k] = registers_shifted(tile[k], bottom[k]);
        registers_load_metrics<Code, L>(drop && bottom[k] == drop
                                            ? memory.joints
                                            : registers_kept_at<Code, L>(memory, bottom[k]),
                                        k, m);
    }
    if (plain)
        registers_seek_all<Code, SOURCE, L>(stream, job, shifted, REGISTERS_FAR, table);
#pragma unroll 1
    for (uint32_t i = 0; i < count; i++) {
        if (plain) {
            uint32_t item[L::TILES][2 * Code::N];
            registers_input<Code, L, SOURCE>(stream, i + 1 < count, item);
            registers_block<Code, L, 0>(job, m, &half, item, NULL, 0, NULL);
        } else {
            registers_any<Code, L, SOURCE, true>(job, shifted, REGISTERS_FAR + i, m, &half, last);
        }
        registers_keep<Code, L>(memory.ring + i * ring::BLOCK, m, half);
        registers_clear<Code, L>(m);
    }
}

/*
 * Where a tile's blocks of a round begin, and the warp's blocks in a round: those that need care are
 * slow for the whole warp, so these tiles wait until no others are left. True: a round without care.
 */
template <class L>
static REGISTERS_FN bool registers_bottoms(uint32_t from, uint32_t to, uint32_t drop,
                                           const registers_mender<L> &mender,
                                           registers_again<L> *again)
{
    constexpr uint32_t all = REGISTERS_TRACED_STEPS;
    bool plain[L::TILES], any = false;

#pragma unroll
    for (int k = 0; k < L::TILES; k++) {
        const uint32_t bottom = (mender.byte[k] + 1) / all * all;

        again->bottom[k] = bottom < drop ? drop : bottom;
        plain[k] = again->bottom[k] >= from && again->bottom[k] + all <= to;
        any = any || (mender.open[k] && plain[k]);
    }
    any = registers_warp_any(any);
#pragma unroll
    for (int k = 0; k < L::TILES; k++)
        if (!mender.open[k] || plain[k] != any)
            again->bottom[k] = ~0u;
    return any;
}

/* A round; false: there was nothing to do in any of the warp's tiles. */
template <class Code, class L, int SOURCE>
static REGISTERS_FN bool
registers_round(const registers_job &job, uint32_t thread, const registers_tile *tile,
                const registers_memory<Code, L> &memory, uint32_t from, uint32_t to,
                registers_mender<L> *mender, const struct registers_spread *table)
{
    const uint32_t drop = registers_drop(job, thread);
    uint32_t bottom[L::TILES] = {0}, count = 0;
    registers_again<L> again;

    if (!registers_warp_any(registers_mend_next<Code, L>(memory, bottom, mender)))
        return false;
    const bool plain = registers_bottoms<L>(from, to, drop, *mender, &again);
#pragma unroll
    for (int k = 0; k < L::TILES; k++) {
        bottom[k] = again.bottom[k];
        if (bottom[k] == ~0u)
            bottom[k] = plain ? from : 0; /* any blocks will do, with any metrics */
        else if (count < mender->byte[k] + 2 - bottom[k])
            count = mender->byte[k] + 2 - bottom[k];
    }
    registers_compute_again<Code, L, SOURCE>(job, tile, memory, bottom, drop,
                                             registers_warp_max(count), plain, table);
    registers_read_output<L>(tile, &again);
    while (registers_mend_next<Code, L>(memory, again.bottom, mender))
        registers_mend<Code, L>(tile, memory, drop, again, mender);
    return true;
}

/* Has the piece behind another state at its beginning than a piece was traced from? */
template <class Code, class L>
static REGISTERS_FN bool registers_look_behind(const registers_job &job, uint32_t thread,
                                               const registers_tile *tile,
                                               registers_mender<L> *mender)
{
    const uint32_t behind = registers_behind(job);
    bool other = false;

    if (registers_piece(job, thread) + 1 >= job.row)
        return false;
#pragma unroll
    for (int k = 0; k < L::TILES; k++) {
        const uint32_t state = tile[k].bits
                                   ? registers_reverse(tile[k].out[behind]) >> 24 & (Code::S - 1)
                                   : 0;

        if (tile[k].bits == 0 || state == mender->above[k])
            continue;
        mender->above[k] = mender->tag[k] = state;
        mender->byte[k] = behind - 1;
        mender->open[k] = other = true;
    }
    return other;
}

template <class Code, class L>
static REGISTERS_FN void registers_mend_begin(const registers_job &job, const registers_tile *tile,
                                              const registers_memory<Code, L> &memory,
                                              const uint32_t *notes, registers_mender<L> *mender)
{
#pragma unroll
    for (int k = 0; k < L::TILES; k++) {
        mender->open[k] = false;
        mender->byte[k] = mender->tag[k] = 0;
        mender->lowest[k] = ~0u;
        mender->notes[k] = tile[k].bits ? notes[k] : 0;
        mender->above[k] = job.row > 1 ? *registers_note<Code, L>(memory, job.blocks, k) : 0;
    }
}

#endif
