/* SPDX-License-Identifier: BSD-2-Clause */
/* The loops of one thread: forward, and back through the ring. Whole tiles: cuda_fast_whole.cuh. */
#ifndef VITERBI_CUDA_FAST_DECODE_CUH
#define VITERBI_CUDA_FAST_DECODE_CUH

#include "cuda_fast_thread.cuh"

/* What a thread carries along for one of its tiles. */
template <class Code, int SOURCE> struct fast_stream {
    fast_window<Code, SOURCE == FAST_NIBBLES> window;
    const uint8_t *at; /* where the next block's LLRs begin */
    const struct fast_spread *table; /* punctured */
    uint32_t entry;                  /* of the next block; then that of the window */
    uint32_t window_entry;
};

template <class Code, int SOURCE>
static FAST_FN void fast_seek(fast_stream<Code, SOURCE> *stream, const fast_job &job,
                              const fast_tile &tile, uint32_t block)
{
    const int64_t step = tile.first + 8 * (int64_t)block;

    if constexpr (SOURCE == FAST_PUNCTURED) {
        const int64_t p = step * Code::N, period = job.in.period;
        const int64_t q = p >= 0 ? p / period : -((period - 1 - p) / period);
        stream->at = tile.llr + q * job.in.sent + (job.in.rank[p - q * period] & VITERBI_RANK);
        stream->entry = (uint32_t)((p - q * period) / Code::N);
    } else {
        stream->at = tile.llr + (SOURCE == FAST_NIBBLES ? step * Code::N / 2 : step * Code::N);
    }
}

/* Begins to load the next block. */
template <class Code, int SOURCE>
static FAST_FN void fast_load(fast_stream<Code, SOURCE> *stream)
{
    fast_fetch<Code, SOURCE == FAST_NIBBLES>(&stream->window, stream->at);
    if constexpr (SOURCE == FAST_PUNCTURED) {
        const struct fast_spread *spread = &stream->table[stream->entry];
        stream->window_entry = stream->entry;
        stream->at += spread->select[0] >> 24;
        stream->entry = spread->select[1] >> 24;
    } else {
        stream->at += fast_window<Code, SOURCE == FAST_NIBBLES>::BYTES;
    }
}

template <class Code, int SOURCE>
static FAST_FN void fast_take(const fast_stream<Code, SOURCE> &stream, uint32_t *item)
{
    if constexpr (SOURCE == FAST_PUNCTURED) {
        uint32_t word[4];
        fast_words<Code, false>(stream.window, word);
        fast_spread_out(word, stream.table[stream.window_entry], item);
    } else {
        fast_items<Code, SOURCE == FAST_NIBBLES>(stream.window, item);
    }
}

FAST_FN uint32_t fast_warp_max(uint32_t x)
{
#ifdef __CUDA_ARCH__
    return __reduce_max_sync(~0u, x);
#else
    return x;
#endif
}

FAST_FN uint32_t fast_warp_min(uint32_t x)
{
#ifdef __CUDA_ARCH__
    return __reduce_min_sync(~0u, x);
#else
    return x;
#endif
}

/*
 * The blocks [from, to) that need no care in any tile of the warp. Their windows may reach up to 31
 * bytes over the end of the LLRs: the provider's memory is that much longer (plugins/cuda).
 */
template <class Code, class L>
static FAST_FN void fast_plain_blocks(const fast_job &job, const fast_tile *tile, uint32_t *from,
                                      uint32_t *to)
{
    uint32_t a = 0, b = job.blocks;

    for (int i = 0; i < L::TILES; i++) {
        const uint32_t settled = tile[i].begin + (tile[i].forced_end ? job.settle : 0);
        const uint32_t start = (settled + 7) / 8, end = tile[i].end / 8;
        a = a > start ? a : start;
        b = b < end ? b : end;
    }
    *from = fast_warp_max(a);
    *to = fast_warp_min(b);
    if (*to <= *from)
        *from = *to = job.blocks;
}

/* ---- Output -------------------------------------------------------------------------------- */

FAST_FN uint32_t fast_reverse(uint32_t x)
{
#ifdef __CUDA_ARCH__
    return __brev(x);
#else
    x = (x & 0x55555555u) << 1 | (x >> 1 & 0x55555555u);
    x = (x & 0x33333333u) << 2 | (x >> 2 & 0x33333333u);
    x = (x & 0x0f0f0f0fu) << 4 | (x >> 4 & 0x0f0f0f0fu);
    return __builtin_bswap32(x);
#endif
}

/* Output byte number `byte` of a tile: its oldest bit is the tag's lowest. */
static FAST_FN void fast_put_byte(const fast_tile &tile, uint32_t byte, uint32_t tag)
{
    uint32_t x = fast_reverse(tag) >> 24;

    if (8 * byte >= tile.bits)
        return;
    if (tile.bits - 8 * byte < 8)
        x &= 0xff00u >> (tile.bits - 8 * byte);
    tile.out[byte] = (uint8_t)x;
}

static FAST_FN void fast_put_word(const fast_job &job, const fast_tile &tile, uint32_t byte,
                                  uint32_t word)
{
    if (job.word_stores && 8 * byte + 32 <= tile.bits) {
        *(uint32_t *)(tile.out + byte) = fast_perm(fast_reverse(word), 0, 0x0123);
    } else {
        for (uint32_t i = 0; i < 4; i++)
            fast_put_byte(tile, byte + i, word >> 8 * i);
    }
}

/* Output bytes of a thread's tiles on their way to whole words. */
template <class L> struct fast_collector {
    uint64_t bytes[L::TILES]; /* the first one lowest */
    uint32_t fill, byte;      /* how many; the first one's number in the tile */
};

/* group: n bytes of each tile, at most 4 */
template <class L>
static FAST_FN void fast_collect(const fast_job &job, const fast_tile *tile,
                                 fast_collector<L> *out, const uint32_t *group, uint32_t n)
{
#pragma unroll
    for (int k = 0; k < L::TILES; k++)
        out->bytes[k] |= (uint64_t)group[k] << 8 * out->fill;
    out->fill += n;
    if (out->fill < 4)
        return;
#pragma unroll
    for (int k = 0; k < L::TILES; k++) {
        fast_put_word(job, tile[k], out->byte, (uint32_t)out->bytes[k]);
        out->bytes[k] >>= 32;
    }
    out->fill -= 4;
    out->byte += 4;
}

/* The same for one byte; the words are filled from above. */
template <class L>
static FAST_FN void fast_collect_byte(const fast_job &job, const fast_tile *tile, uint32_t *word,
                                      uint32_t *byte, const uint32_t *tag)
{
#pragma unroll
    for (int k = 0; k < L::TILES; k++)
        word[k] = fast_perm(word[k], tag[k], 0x4321);
    if ((++*byte & 3) == 0) {
#pragma unroll
        for (int k = 0; k < L::TILES; k++)
            fast_put_word(job, tile[k], *byte - 4, word[k]);
    }
}

template <class L>
static FAST_FN void fast_flush(const fast_tile *tile, const fast_collector<L> &out)
{
    for (int k = 0; k < L::TILES; k++)
        for (uint32_t i = 0; i < out.fill; i++)
            fast_put_byte(tile[k], out.byte + i, (uint32_t)(out.bytes[k] >> 8 * i));
}

/* ---- Sub-frames: traces through a ring ------------------------------------------------------ */

/* Is there output after this block? A sub-frame's trace begins every out_blocks. */
static FAST_FN bool fast_due(const fast_job &job, uint32_t block)
{
    return block + 1 >= job.delay + job.out_blocks &&
           (job.out_blocks == 1 || (block + 1 - job.delay) % job.out_blocks == 0);
}

/*
 * Traces back from the newest block, whose slot is `at`, and puts a sub-frame out. tag: with
 * FAST_ANY state 0's in that block, which may not be in the ring yet; with FAST_STORED the states to
 * begin with.
 */
template <class Code, class L, int KIND>
static FAST_FN void fast_trace(const fast_job &job, const fast_tile *tile, const uint8_t *mine,
                               uint32_t at, uint32_t *tag, fast_collector<L> *out)
{
    const uint32_t steps = job.skip + job.out_blocks;
    uint32_t group[L::TILES] = {0};

    if (KIND == FAST_ANY)
        at = at == 0 ? job.ring - 1 : at - 1;
    for (uint32_t i = 0; i < steps; i++) {
        if (i > 0 || KIND != FAST_ANY)
            fast_step_back<Code, L>(job, mine, &at, tag);
        if (i >= job.skip) {
#pragma unroll
            for (int k = 0; k < L::TILES; k++)
                group[k] = group[k] << 8 | tag[k];
        }
    }
    fast_collect<L>(job, tile, out, group, job.out_blocks);
}

/* The state in which a trace from the end of a block begins. */
template <class Code>
static FAST_FN uint32_t fast_first_state(const fast_tile &tile, uint32_t stage, uint32_t best,
                                         uint32_t last)
{
    if (stage > tile.end)
        return stage - tile.end < Code::K ? last >> (stage - tile.end) : 0;
    return stage >= tile.known ? 0 : best;
}

/* Keeps the survivors of a block in its slot of the ring and puts out what is due. */
template <class Code, class L, int KIND>
static FAST_FN void fast_finish_block(const fast_job &job, const fast_tile *tile, uint32_t block,
                                      uint8_t *mine, uint32_t slot, const uint32_t *m,
                                      const uint32_t *last, fast_collector<L> *out)
{
    uint32_t tag[L::TILES];

    if (KIND == FAST_STORED)
        fast_keep<Code, L>(mine + slot * fast_ring<Code, L>::BLOCK, m);
    if (fast_due(job, block)) {
        const uint32_t best = KIND == FAST_STORED ? fast_best<Code, L>(m) : 0;
#pragma unroll
        for (int k = 0; k < L::TILES; k++)
            tag[k] = KIND == FAST_ANY ? L::tag(m[0], k)
                                      : fast_first_state<Code>(tile[k], 8 * (block + 1),
                                                               Code::S - 1 - L::tag(best, k),
                                                               last[k]);
        fast_trace<Code, L, KIND>(job, tile, mine, slot, tag, out);
    }
    if (KIND == FAST_ANY)
        fast_keep<Code, L>(mine + slot * fast_ring<Code, L>::BLOCK, m);
}

template <class Code, class L> static FAST_FN void fast_clear(uint32_t *m)
{
#pragma unroll
    for (int s = 0; s < Code::S; s++)
        m[s] &= L::METRIC;
}

template <class Code, class L> static FAST_FN void fast_start(uint32_t *m)
{
#pragma unroll
    for (int s = 0; s < Code::S; s++)
        m[s] = L::both(fast_base<Code, L>::value);
}

/*
 * The tiles of a thread: `lanes` threads of a warp have some, job.tiles each. Where there is none it
 * reads the warp's first one. False: the warp has none at all.
 */
template <class Code, class L>
static FAST_FN bool fast_tiles(const fast_job &job, uint64_t group, uint32_t thread,
                               fast_tile *tile)
{
    const uint32_t warps = job.threads / 32, lane = thread % 32;
    const uint64_t first = (group * job.tiles * warps + thread / 32) * job.lanes;

    for (uint32_t k = 0; k < L::TILES; k++) {
        const uint64_t item = first + (uint64_t)k * warps * job.lanes + lane;
        const bool none = item >= job.items || k >= job.tiles || lane >= job.lanes;
        fast_tile_at<Code>(job, !none ? item : first < job.items ? first : 0, &tile[k]);
        if (none)
            tile[k].bits = 0;
    }
    return first < job.items;
}

/* Is there nothing to compute in a block, since its tiles have not begun or have ended? With all
 * tags 0 state 0 leads back to state 0. */
template <class Code, class L, int KIND>
static FAST_FN bool fast_idle(const fast_tile *tile, uint32_t block)
{
    bool idle = true;

    for (int k = 0; k < L::TILES; k++)
        idle = idle && (tile[k].bits == 0 || 8 * block + 8 <= tile[k].begin ||
                        8 * block >= tile[k].end + (KIND == FAST_ANY ? 0 : Code::K));
#ifdef __CUDA_ARCH__
    return __all_sync(~0u, idle);
#else
    return idle;
#endif
}

/* Takes the LLRs of a block that were asked for before, and asks for the next block's. */
template <class Code, class L, int SOURCE>
static FAST_FN void fast_input(fast_stream<Code, SOURCE> *stream, bool more,
                               uint32_t (*item)[2 * Code::N])
{
#pragma unroll
    for (int k = 0; k < L::TILES; k++) {
        fast_take<Code, SOURCE>(stream[k], item[k]);
        if (more)
            fast_load<Code, SOURCE>(&stream[k]);
    }
}

/*
 * Blocks [block, to) with sub-frames of one byte and STEPS look-ups a trace, which are made while
 * the next block is computed: they would wait for each other, the block has other work.
 */
template <class Code, class L, int SOURCE, int STEPS>
static FAST_FN void fast_run_traced(const fast_job &job, const fast_tile *tile,
                                    fast_stream<Code, SOURCE> *stream, uint32_t block, uint32_t to,
                                    uint8_t *mine, uint32_t *slot, uint32_t *m,
                                    fast_collector<L> *out)
{
    uint32_t pending = 0, tag[L::TILES] = {0}, word[L::TILES];
    uint32_t byte = out->byte + out->fill;

#pragma unroll
    for (int k = 0; k < L::TILES; k++)
        word[k] = out->fill ? (uint32_t)out->bytes[k] << (32 - 8 * out->fill) : 0;
#pragma unroll 1
    for (; block < to; block++) {
        uint32_t item[L::TILES][2 * Code::N], at = *slot;

        fast_input<Code, L, SOURCE>(stream, block + 1 < to, item);
        at = at < 2 ? at + job.ring - 2 : at - 2;
        fast_block<Code, L, STEPS>(job, m, item, mine, at, tag);
        if (pending)
            fast_collect_byte<L>(job, tile, word, &byte, tag);
        pending = block + 1 > job.delay;
#pragma unroll
        for (int k = 0; k < L::TILES; k++)
            tag[k] = L::tag(m[0], k);
        fast_keep<Code, L>(mine + *slot * fast_ring<Code, L>::BLOCK, m);
        fast_clear<Code, L>(m);
        *slot = *slot + 1 == job.ring ? 0 : *slot + 1;
    }
    out->fill = byte & 3;
    out->byte = byte - out->fill;
#pragma unroll
    for (int k = 0; k < L::TILES; k++)
        out->bytes[k] = out->fill ? word[k] >> (32 - 8 * out->fill) : 0;
    if (pending)
        fast_trace<Code, L, FAST_ANY>(job, tile, mine, (*slot == 0 ? job.ring : *slot) - 1, tag, out);
}

template <class Code, class L, int SOURCE, int KIND>
static FAST_FN void fast_run(const fast_job &job, const fast_tile *tile,
                             fast_stream<Code, SOURCE> *stream, uint32_t block, uint32_t to,
                             uint8_t *mine, uint32_t *slot, uint32_t *m, const uint32_t *last,
                             fast_collector<L> *out)
{
#pragma unroll 1
    for (; block < to; block++) {
        uint32_t item[L::TILES][2 * Code::N];

        fast_input<Code, L, SOURCE>(stream, block + 1 < to, item);
        fast_block<Code, L, 0>(job, m, item, NULL, 0, NULL);
        fast_finish_block<Code, L, KIND>(job, tile, block, mine, *slot, m, last, out);
        fast_clear<Code, L>(m);
        *slot = *slot + 1 == job.ring ? 0 : *slot + 1;
    }
}

template <class Code, class L, int SOURCE, int KIND, int STEPS>
static FAST_FN void fast_sub_frames(const fast_job &job, uint64_t group, uint32_t thread,
                                    uint8_t *ring, const struct fast_spread *table = NULL)
{
    fast_tile tile[L::TILES];
    fast_stream<Code, SOURCE> stream[L::TILES];
    fast_collector<L> out = {};
    uint32_t m[Code::S], last[L::TILES] = {0}, from, to, slot = 0, block = 0;
    uint8_t *mine = ring + thread * 16;

    if (!fast_tiles<Code, L>(job, group, thread, tile))
        return;
    fast_plain_blocks<Code, L>(job, tile, &from, &to);
    fast_start<Code, L>(m);
    while (block < job.blocks) {
        if (block == from && from < to) {
#pragma unroll
            for (int k = 0; k < L::TILES; k++) {
                stream[k].table = table;
                fast_seek<Code, SOURCE>(&stream[k], job, tile[k], block);
                fast_load<Code, SOURCE>(&stream[k]);
            }
            if constexpr (STEPS > 0)
                fast_run_traced<Code, L, SOURCE, STEPS>(job, tile, stream, block, to, mine, &slot,
                                                        m, &out);
            else
                fast_run<Code, L, SOURCE, KIND>(job, tile, stream, block, to, mine, &slot, m, last,
                                                &out);
            block = to;
        } else {
            if (!fast_idle<Code, L, KIND>(tile, block))
                fast_block_any<Code, L, SOURCE == FAST_PUNCTURED, KIND == FAST_STORED>(
                    job, tile, block, m, last);
            fast_finish_block<Code, L, KIND>(job, tile, block, mine, slot, m, last, &out);
            fast_clear<Code, L>(m);
            slot = slot + 1 == job.ring ? 0 : slot + 1;
            block++;
        }
    }
    fast_flush<L>(tile, out);
}

#endif
