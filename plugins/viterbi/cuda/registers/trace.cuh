/* SPDX-License-Identifier: BSD-2-Clause */
/* The output of one thread's tiles, and traces of their sub-frames back through the ring. */
#ifndef VITERBI_CUDA_REGISTERS_TRACE_CUH
#define VITERBI_CUDA_REGISTERS_TRACE_CUH

#include "plugins/viterbi/cuda/registers/thread.cuh"

/* ---- Output -------------------------------------------------------------------------------- */

REGISTERS_FN uint32_t registers_reverse(uint32_t x)
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
static REGISTERS_FN void registers_put_byte(const registers_tile &tile, uint32_t byte, uint32_t tag)
{
    uint32_t x = registers_reverse(tag) >> 24;

    if (8 * byte >= tile.bits)
        return;
    if (tile.bits - 8 * byte < 8)
        x &= 0xff00u >> (tile.bits - 8 * byte);
    tile.out[byte] = (uint8_t)x;
}

static REGISTERS_FN void registers_put_word(const registers_job &job, const registers_tile &tile,
                                            uint32_t byte, uint32_t word)
{
    if (job.word_stores && 8 * byte + 32 <= tile.bits) {
        *(uint32_t *)(tile.out + byte) = registers_perm(registers_reverse(word), 0, 0x0123);
    } else {
        for (uint32_t i = 0; i < 4; i++)
            registers_put_byte(tile, byte + i, word >> 8 * i);
    }
}

/* group: n bytes of each tile, at most 4 */
template <class L>
static REGISTERS_FN void registers_collect(const registers_job &job, const registers_tile *tile,
                                           registers_collector<L> *out, const uint32_t *group,
                                           uint32_t n)
{
#pragma unroll
    for (int k = 0; k < L::TILES; k++)
        out->bytes[k] |= (uint64_t)group[k] << 8 * out->fill;
    out->fill += n;
    if (out->fill < 4)
        return;
#pragma unroll
    for (int k = 0; k < L::TILES; k++) {
        registers_put_word(job, tile[k], out->byte, (uint32_t)out->bytes[k]);
        out->bytes[k] >>= 32;
    }
    out->fill -= 4;
    out->byte += 4;
}

/* The same for one byte; the words are filled from above. */
template <class L>
static REGISTERS_FN void registers_collect_byte(const registers_job &job,
                                                const registers_tile *tile, uint32_t *word,
                                                uint32_t *byte, const uint32_t *tag)
{
#pragma unroll
    for (int k = 0; k < L::TILES; k++)
        word[k] = registers_perm(word[k], tag[k], 0x4321);
    if ((++*byte & 3) == 0) {
#pragma unroll
        for (int k = 0; k < L::TILES; k++)
            registers_put_word(job, tile[k], *byte - 4, word[k]);
    }
}

template <class L>
static REGISTERS_FN void registers_flush(const registers_tile *tile,
                                         const registers_collector<L> &out)
{
    for (int k = 0; k < L::TILES; k++)
        for (uint32_t i = 0; i < out.fill; i++)
            registers_put_byte(tile[k], out.byte + i, (uint32_t)(out.bytes[k] >> 8 * i));
}

/* ---- Sub-frames: traces through a ring ------------------------------------------------------ */

/* Is there output after this block? A sub-frame's trace begins every out_blocks. */
static REGISTERS_FN bool registers_due(const registers_job &job, uint32_t block)
{
    return block + 1 >= job.delay + job.out_blocks &&
           (job.out_blocks == 1 || (block + 1 - job.delay) % job.out_blocks == 0);
}

/*
 * Traces back from the newest block, whose slot is `at`, and puts a sub-frame out. tag: the states to
 * begin with; with REGISTERS_ANY state 0's in that block, which may not be in the ring yet, but for
 * rings that hold the NEWEST.
 */
template <class Code, class L, int KIND>
static REGISTERS_FN void registers_trace(const registers_job &job, const registers_tile *tile,
                                         const uint8_t *mine, uint32_t at, uint32_t *tag,
                                         registers_collector<L> *out)
{
    const uint32_t steps = job.skip + job.out_blocks;
    uint32_t group[L::TILES] = {0};

    if (KIND == REGISTERS_ANY && !registers_ring<Code, L>::NEWEST)
        at = at == 0 ? job.ring - 1 : at - 1;
    for (uint32_t i = 0; i < steps; i++) {
        if (i > 0 || KIND != REGISTERS_ANY || registers_ring<Code, L>::NEWEST)
            registers_step_back<Code, L>(job, mine, &at, tag);
        if (i >= job.skip) {
#pragma unroll
            for (int k = 0; k < L::TILES; k++)
                group[k] = group[k] << 8 | (tag[k] & 0xff);
        }
    }
    registers_collect<L>(job, tile, out, group, job.out_blocks);
}

/* The state in which a trace from the end of a block begins. */
template <class Code>
static REGISTERS_FN uint32_t registers_first_state(const registers_tile &tile, uint32_t stage,
                                                   uint32_t best, uint32_t last)
{
    if (stage > tile.end)
        return stage - tile.end < Code::K ? last >> (stage - tile.end) : 0;
    return stage >= tile.known ? 0 : best;
}

/* Where traces from state 0 begin: see registers_trace(). */
template <class Code, class L>
static REGISTERS_FN uint32_t registers_state_0(const uint32_t *m, int tile)
{
    return registers_ring<Code, L>::NEWEST ? 0 : L::tag(m[0], tile);
}

/* Puts out what is due after a block; `slot` is its slot of the ring. */
template <class Code, class L, int KIND>
static REGISTERS_FN void registers_put_due(const registers_job &job, const registers_tile *tile,
                                           uint32_t block, const uint8_t *mine, uint32_t slot,
                                           const uint32_t *m, const uint32_t *last,
                                           registers_collector<L> *out)
{
    constexpr bool held = registers_ring<Code, L>::HELD && KIND == REGISTERS_STORED;
    uint32_t tag[L::TILES];

    if (!registers_due(job, block))
        return;
    const uint32_t best = KIND == REGISTERS_STORED ? registers_best<Code, L>(m) : 0;
#pragma unroll
    for (int k = 0; k < L::TILES; k++)
        tag[k] = KIND == REGISTERS_ANY
                     ? registers_state_0<Code, L>(m, k)
                     : registers_first_state<Code>(tile[k], 8 * (block + 1),
                                                   Code::S - 1 - L::tag(best, k), last[k]);
    if constexpr (held) {
        registers_held<Code, L> newest;
        registers_hold<Code, L>(&newest, m);
#pragma unroll
        for (int k = 0; k < L::TILES; k++)
            tag[k] = registers_held_tag<Code, L>(newest, tag[k], k);
    }
    registers_trace<Code, L, held ? REGISTERS_ANY : KIND>(job, tile, mine, slot, tag, out);
}

#endif
