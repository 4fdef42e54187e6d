/* SPDX-License-Identifier: BSD-2-Clause */
/* The loops of one thread over the blocks of its sub-frames. Whole tiles: whole.cuh. */
#ifndef VITERBI_CUDA_REGISTERS_DECODE_CUH
#define VITERBI_CUDA_REGISTERS_DECODE_CUH

#include "plugins/viterbi/cuda/registers/float_run.cuh"
#include "plugins/viterbi/cuda/registers/lean.cuh"

/* What a thread carries along for one of its tiles, but for floats. */
template <class Code, int SOURCE> struct registers_stream {
    registers_window<Code, SOURCE == REGISTERS_NIBBLES> window;
    const uint8_t *at;                    /* where the next block's LLRs begin */
    const struct registers_spread *table; /* punctured */
    uint32_t entry;                       /* of the next block; then that of the window */
    uint32_t window_entry;
};

template <class Code, int SOURCE>
static REGISTERS_FN void registers_seek(registers_stream<Code, SOURCE> *stream,
                                        const registers_job &job, const registers_tile &tile,
                                        uint32_t block)
{
    const int64_t step = tile.first + 8 * (int64_t)block;

    if constexpr (SOURCE == REGISTERS_PUNCTURED) {
        const int64_t p = step * Code::N, period = job.in.period;
        const int64_t q = p >= 0 ? p / period : -((period - 1 - p) / period);
        stream->at = tile.llr + q * job.in.sent + (job.in.rank[p - q * period] & VITERBI_RANK);
        stream->entry = (uint32_t)((p - q * period) / Code::N);
    } else {
        stream->at = tile.llr + (SOURCE == REGISTERS_NIBBLES ? step * Code::N / 2 : step * Code::N);
    }
}

/* Begins to load the next block. */
template <class Code, int SOURCE>
static REGISTERS_FN void registers_load(registers_stream<Code, SOURCE> *stream)
{
    registers_fetch<Code, SOURCE == REGISTERS_NIBBLES>(&stream->window, stream->at);
    if constexpr (SOURCE == REGISTERS_PUNCTURED) {
        const struct registers_spread *spread = &stream->table[stream->entry];
        stream->window_entry = stream->entry;
        stream->at += spread->select[0] >> 24;
        stream->entry = spread->select[1] >> 24;
    } else {
        stream->at += registers_window<Code, SOURCE == REGISTERS_NIBBLES>::BYTES;
    }
}

template <class Code, int SOURCE>
static REGISTERS_FN void registers_take(const registers_stream<Code, SOURCE> &stream,
                                        uint32_t *item)
{
    if constexpr (SOURCE == REGISTERS_PUNCTURED) {
        uint32_t word[4];
        registers_words<Code, false>(stream.window, word);
        registers_spread_out(word, stream.table[stream.window_entry], item);
    } else {
        registers_items<Code, SOURCE == REGISTERS_NIBBLES>(stream.window, item);
    }
}

/*
 * The blocks [from, to) that need no care in any tile of the warp. Their windows may reach up to 31
 * bytes over the end of the LLRs: the provider's memory is that much longer (plugins/cuda).
 */
template <class Code, class L>
static REGISTERS_FN void registers_plain_blocks(const registers_job &job,
                                                const registers_tile *tile, uint32_t *from,
                                                uint32_t *to)
{
    uint32_t a = 0, b = job.blocks;

    for (int i = 0; i < L::TILES; i++) {
        const uint32_t settled = tile[i].begin + (tile[i].forced_end ? job.settle : 0);
        const uint32_t start = (settled + 7) / 8, end = tile[i].end / 8;
        a = a > start ? a : start;
        b = b < end ? b : end;
    }
    if (registers_ring<Code, L>::SIGNS &&
        registers_warp_max((tile[0].begin - REGISTERS_FLOAT_BEGIN) & 7))
        a = ~0u; /* a cut stream may begin anywhere */
    *from = registers_warp_max(a);
    *to = registers_warp_min(b);
    if (*to <= *from)
        *from = *to = job.blocks;
}

/* ---- Sub-frames ---------------------------------------------------------------------------- */

/* Keeps the survivors of a block in its slot of the ring and puts out what is due. */
template <class Code, class L, int KIND>
static REGISTERS_FN void registers_finish_block(const registers_job &job,
                                                const registers_tile *tile, uint32_t block,
                                                uint8_t *mine, uint32_t slot, const uint32_t *m,
                                                const registers_half<Code, L> &half,
                                                const uint32_t *last, registers_collector<L> *out)
{
    constexpr bool held = registers_ring<Code, L>::HELD;
    constexpr bool keep_first = (KIND == REGISTERS_STORED && !held) ||
                                registers_ring<Code, L>::NEWEST;

    if (keep_first)
        registers_keep<Code, L>(registers_slot<Code, L>(job, mine, slot), m, half);
    registers_put_due<Code, L, KIND>(job, tile, block, mine, slot, m, last, out);
    if (!keep_first)
        registers_keep<Code, L>(registers_slot<Code, L>(job, mine, slot), m, half);
}

template <class Code, class L> static REGISTERS_FN void registers_start(uint32_t *m)
{
#pragma unroll
    for (int s = 0; s < Code::S; s++)
        m[s] = L::both(L::BASE);
}

/*
 * The tiles of a thread: `lanes` threads of a warp have some, job.tiles each. Where there is none it
 * reads the warp's first one. False: the warp has none at all.
 */
template <class Code, class L, bool PIECES = false>
static REGISTERS_FN bool registers_tiles(const registers_job &job, uint64_t group, uint32_t thread,
                                         registers_tile *tile)
{
    const uint32_t warps = job.threads / 32, lane = thread % 32;
    const uint64_t first = (group * job.tiles * warps + thread / 32) * job.lanes;

    for (uint32_t k = 0; k < L::TILES; k++) {
        const uint64_t item = first + (uint64_t)k * warps * job.lanes + lane;
        const bool none = item >= job.items || k >= job.tiles || lane >= job.lanes;
        const uint64_t at = !none ? item : first < job.items ? first : 0;
        if constexpr (PIECES)
            registers_piece_at<Code>(job, at, &tile[k]);
        else
            registers_tile_at<Code>(job, at, &tile[k]);
        if (none)
            tile[k].bits = 0;
    }
    return first < job.items;
}

/* Is there nothing to compute in a block, since its tiles have not begun or have ended? With all
 * tags 0 state 0 leads back to state 0. */
template <class Code, class L, int KIND>
static REGISTERS_FN bool registers_idle(const registers_tile *tile, uint32_t block)
{
    bool idle = true;

    for (int k = 0; k < L::TILES; k++)
        idle = idle && (tile[k].bits == 0 || 8 * block + 8 <= tile[k].begin ||
                        8 * block >= tile[k].end + (KIND == REGISTERS_ANY ? 0 : Code::K));
#ifdef __CUDA_ARCH__
    return __all_sync(~0u, idle);
#else
    return idle;
#endif
}

/* Takes the LLRs of a block that were asked for before, and asks for the next block's. */
template <class Code, class L, int SOURCE>
static REGISTERS_FN void registers_input(registers_stream<Code, SOURCE> *stream, bool more,
                                         uint32_t (*item)[2 * Code::N])
{
#pragma unroll
    for (int k = 0; k < L::TILES; k++) {
        registers_take<Code, SOURCE>(stream[k], item[k]);
        if (more)
            registers_load<Code, SOURCE>(&stream[k]);
    }
}

/*
 * Blocks [block, to) with sub-frames of one byte and STEPS look-ups a trace, which are made while
 * the next block is computed: they would wait for each other, the block has other work.
 */
template <class Code, class L, int SOURCE, int STEPS>
static REGISTERS_FN void
registers_run_traced(const registers_job &job, const registers_tile *tile,
                     registers_stream<Code, SOURCE> *stream, uint32_t block, uint32_t to,
                     uint8_t *mine, uint32_t *slot, uint32_t *m, registers_collector<L> *out)
{
    constexpr int newest = registers_ring<Code, L>::NEWEST, behind = 2 - newest;
    uint32_t pending = 0, tag[L::TILES] = {0}, word[L::TILES];
    uint32_t byte = out->byte + out->fill;
    registers_half<Code, L> half;

#pragma unroll
    for (int k = 0; k < L::TILES; k++)
        word[k] = out->fill ? (uint32_t)out->bytes[k] << (32 - 8 * out->fill) : 0;
#pragma unroll 1
    for (; block < to; block++) {
        uint32_t item[L::TILES][2 * Code::N], at = *slot;

        registers_input<Code, L, SOURCE>(stream, block + 1 < to, item);
        at = at < behind ? at + job.ring - behind : at - behind;
        registers_block<Code, L, STEPS - 1 + newest>(job, m, &half, item, mine, at, tag);
        if (pending)
            registers_collect_byte<L>(job, tile, word, &byte, tag);
        pending = block + 1 > job.delay;
#pragma unroll
        for (int k = 0; k < L::TILES; k++)
            tag[k] = registers_state_0<Code, L>(m, k);
        registers_keep<Code, L>(registers_slot<Code, L>(job, mine, *slot), m, half);
        registers_clear<Code, L>(m);
        *slot = *slot + 1 == job.ring ? 0 : *slot + 1;
    }
    out->fill = byte & 3;
    out->byte = byte - out->fill;
#pragma unroll
    for (int k = 0; k < L::TILES; k++)
        out->bytes[k] = out->fill ? word[k] >> (32 - 8 * out->fill) : 0;
    if (pending)
        registers_trace<Code, L, REGISTERS_ANY>(job, tile, mine,
                                                (*slot == 0 ? job.ring : *slot) - 1, tag, out);
}

template <class Code, class L, int SOURCE, int KIND>
static REGISTERS_FN void registers_run(const registers_job &job, const registers_tile *tile,
                                       registers_stream<Code, SOURCE> *stream, uint32_t block,
                                       uint32_t to, uint8_t *mine, uint32_t *slot, uint32_t *m,
                                       const uint32_t *last, registers_collector<L> *out)
{
    registers_half<Code, L> half;

#pragma unroll 1
    for (; block < to; block++) {
        uint32_t item[L::TILES][2 * Code::N];

        registers_input<Code, L, SOURCE>(stream, block + 1 < to, item);
        registers_block<Code, L, 0>(job, m, &half, item, NULL, 0, NULL);
        registers_finish_block<Code, L, KIND>(job, tile, block, mine, *slot, m, half, last, out);
        registers_clear<Code, L>(m);
        *slot = *slot + 1 == job.ring ? 0 : *slot + 1;
    }
}

/* Blocks [block, to) that need no care. */
template <class Code, class L, int SOURCE, int KIND, int STEPS>
static REGISTERS_FN void
registers_plain(const registers_job &job, const registers_tile *tile, uint32_t block, uint32_t to,
                uint8_t *ring, uint32_t thread, uint32_t *slot, uint32_t *m, const uint32_t *last,
                registers_collector<L> *out, const struct registers_spread *table)
{
    uint8_t *mine = ring + thread * registers_ring<Code, L>::PIECE;

    if constexpr (SOURCE == REGISTERS_I8 && registers_lean_wanted<Code, L>(KIND, STEPS))
        if (registers_lean_fits<Code, KIND>(job, tile))
            return registers_lean_run<Code, L, KIND>(job, tile, block, to, ring, thread, slot, m,
                                                     last, out);
    if constexpr (SOURCE == REGISTERS_FLOATS) {
        registers_float_run<Code, KIND>(job, tile, block, to, mine, slot, m, last, out);
    } else {
        registers_stream<Code, SOURCE> stream[L::TILES];
#pragma unroll
        for (int k = 0; k < L::TILES; k++) {
            stream[k].table = table;
            registers_seek<Code, SOURCE>(&stream[k], job, tile[k], block);
            registers_load<Code, SOURCE>(&stream[k]);
        }
        if constexpr (STEPS > 0 && !registers_ring<Code, L>::HELD)
            registers_run_traced<Code, L, SOURCE, STEPS>(job, tile, stream, block, to, mine, slot,
                                                         m, out);
        else
            registers_run<Code, L, SOURCE, KIND>(job, tile, stream, block, to, mine, slot, m, last,
                                                 out);
    }
}

/* A block that does. */
template <class Code, class L, int SOURCE, bool STORED>
static REGISTERS_FN void registers_any(const registers_job &job, const registers_tile *tile,
                                       uint32_t block, uint32_t *m, registers_half<Code, L> *half,
                                       uint32_t *last)
{
    if constexpr (SOURCE == REGISTERS_FLOATS)
        registers_float_block_any<Code, STORED>(job, *tile, block, m, half, last);
    else
        registers_block_any<Code, L, SOURCE, STORED>(job, tile, block, m, half, last);
}

template <class Code, class L, int SOURCE, int KIND, int STEPS>
static REGISTERS_FN void registers_sub_frames(const registers_job &job, uint64_t group,
                                              uint32_t thread, uint8_t *ring,
                                              const struct registers_spread *table = NULL)
{
    registers_tile tile[L::TILES];
    registers_collector<L> out = {};
    uint32_t m[Code::S], last[L::TILES] = {0}, from, to, slot = 0, block = 0;
    uint8_t *mine = ring + thread * registers_ring<Code, L>::PIECE;

    if (!registers_tiles<Code, L>(job, group, thread, tile))
        return;
#if defined REGISTERS_ON_HOST && !defined __CUDA_ARCH__
    registers_host_thread = thread;
#endif
    registers_plain_blocks<Code, L>(job, tile, &from, &to);
    registers_start<Code, L>(m);
    while (block < job.blocks) {
        if (block == from && from < to) {
            registers_plain<Code, L, SOURCE, KIND, STEPS>(job, tile, block, to, ring, thread, &slot,
                                                          m, last, &out, table);
            block = to;
        } else {
            registers_half<Code, L> half;
            registers_no_survivors<Code, L>(&half);
            if (!registers_idle<Code, L, KIND>(tile, block))
                registers_any<Code, L, SOURCE, KIND == REGISTERS_STORED>(job, tile, block, m, &half,
                                                                         last);
            registers_finish_block<Code, L, KIND>(job, tile, block, mine, slot, m, half, last,
                                                  &out);
            registers_clear<Code, L>(m);
            slot = slot + 1 == job.ring ? 0 : slot + 1;
            block++;
        }
    }
    registers_flush<L>(tile, out);
}

#endif
