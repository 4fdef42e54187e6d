/* SPDX-License-Identifier: BSD-2-Clause */
/* Tiles that are traced as a whole, after all of their steps: survivors in scratch memory. */
#ifndef VITERBI_CUDA_REGISTERS_WHOLE_CUH
#define VITERBI_CUDA_REGISTERS_WHOLE_CUH

#include "plugins/viterbi/cuda/registers/decode.cuh"

/* Byte `byte` of a tile out of the tags of two blocks, at bit `shift` of the older one. */
static REGISTERS_FN uint32_t registers_join(uint32_t older, uint32_t newer, uint32_t shift)
{
    return ((older & 0xff) | newer << 8) >> shift & 0xff;
}

/* Bytes in descending order: a word is complete with its lowest. */
static REGISTERS_FN void registers_put_down(const registers_job &job, const registers_tile &tile,
                                            uint32_t byte, uint32_t tag, uint32_t *word)
{
    *word = *word << 8 | tag;
    if (byte % 4 == 0) {
        registers_put_word(job, tile, byte, *word);
        *word = 0;
    }
}

/*
 * Traces the blocks below `block` down to `bottom`. newer: the tags of `block`, afterwards those of
 * `bottom`. word: what has been put into the present word.
 */
template <class Code, class L>
static REGISTERS_FN void registers_trace_down(const registers_job &job, const registers_tile *tile,
                                              const uint8_t *mine, uint32_t block, uint32_t bottom,
                                              uint32_t *newer, uint32_t *word)
{
    const uint32_t place = job.lead + Code::K - 1, shift = place & 7, first = place / 8;

#pragma unroll 1
    while (block-- > bottom) {
#pragma unroll
        for (int k = 0; k < L::TILES; k++) {
            const uint32_t tag = registers_look_up<Code, L>(
                                     mine + (size_t)block * registers_ring<Code, L>::BLOCK,
                                     newer[k], k) &
                                 0xff;
            registers_put_down(job, tile[k], block - first, registers_join(tag, newer[k], shift),
                               &word[k]);
            newer[k] = tag;
        }
    }
}

/*
 * A look-up waits for the one before it. So the lower parts of a long tile are traced at the same
 * time as the last one, on trust: each begins REGISTERS_TRUST blocks above itself in state 0 and
 * will nearly always have met the true path there. Where it has not, the part is traced again.
 */
enum { REGISTERS_PARTS = 4, REGISTERS_TRUST = 12 };

template <class Code, class L> struct registers_parts {
    uint32_t length, first;
    uint32_t tag[REGISTERS_PARTS][L::TILES], entry[REGISTERS_PARTS][L::TILES],
        word[REGISTERS_PARTS][L::TILES];
};

/* A part is [first + part * length, top); its trace begins at `from`. */
template <class Code, class L>
static REGISTERS_FN uint32_t registers_part_top(const registers_job &job,
                                                const registers_parts<Code, L> &p, int part)
{
    return part == REGISTERS_PARTS - 1 ? job.blocks : p.first + (part + 1) * p.length;
}

template <class Code, class L>
static REGISTERS_FN uint32_t registers_part_from(const registers_job &job,
                                                 const registers_parts<Code, L> &p, int part)
{
    return registers_part_top(job, p, part) + (part == REGISTERS_PARTS - 1 ? 0 : REGISTERS_TRUST);
}

/* The block of look-up i; any block after the last one. */
template <class Code, class L>
static REGISTERS_FN uint32_t registers_part_block(const registers_job &job,
                                                  const registers_parts<Code, L> &p, int part,
                                                  uint32_t i)
{
    const uint32_t from = registers_part_from(job, p, part);

    return i < from ? from - 1 - i : 0;
}

template <class Code, class L>
static REGISTERS_FN void registers_trace_parts(const registers_job &job, const registers_tile *tile,
                                               const uint8_t *mine, registers_parts<Code, L> *p)
{
    const uint32_t shift = (job.lead + Code::K - 1) & 7;

#pragma unroll 1
    for (uint32_t i = 0; i < p->length + REGISTERS_TRUST; i++) {
        uint32_t found[REGISTERS_PARTS][L::TILES];
        /* all look-ups before the first use */
#pragma unroll
        for (int part = 0; part < REGISTERS_PARTS; part++)
#pragma unroll
            for (int k = 0; k < L::TILES; k++)
                found[part][k] = registers_look_up<Code, L>(
                                     mine + (size_t)registers_part_block(job, *p, part, i) *
                                                registers_ring<Code, L>::BLOCK,
                                     p->tag[part][k], k) &
                                 0xff;
#pragma unroll
        for (int part = 0; part < REGISTERS_PARTS; part++) {
            const uint32_t block = registers_part_block(job, *p, part, i);
            const uint32_t top = registers_part_top(job, *p, part);
            if (i >= registers_part_from(job, *p, part) - (p->first + part * p->length))
                continue;
#pragma unroll
            for (int k = 0; k < L::TILES; k++) {
                const uint32_t newer = p->tag[part][k];
                if (block == top - 1)
                    p->entry[part][k] = newer;
                if (block < top)
                    registers_put_down(job, tile[k], block - p->first,
                                       registers_join(found[part][k], newer, shift),
                                       &p->word[part][k]);
                p->tag[part][k] = found[part][k];
            }
        }
    }
}

/* From the end of all blocks down to the first one that has output. state: those to begin with. */
template <class Code, class L>
static REGISTERS_FN void registers_trace_whole(const registers_job &job, const registers_tile *tile,
                                               const uint8_t *mine, uint32_t *state)
{
    const uint32_t place = job.lead + Code::K - 1, first = place / 8;
    const uint32_t length = ((job.blocks - first) / REGISTERS_PARTS + 4) & ~3u;
    registers_parts<Code, L> p = {length, first};

    /* the bits that the last state holds, too, are output where nothing follows them */
#pragma unroll
    for (int k = 0; k < L::TILES; k++) {
        p.tag[REGISTERS_PARTS - 1][k] = state[k];
        registers_put_down(job, tile[k], job.blocks - first, state[k] >> (place & 7),
                           &p.word[REGISTERS_PARTS - 1][k]);
    }
    if (length < 2 * REGISTERS_TRUST) {
        registers_trace_down<Code, L>(job, tile, mine, job.blocks, first,
                                      p.tag[REGISTERS_PARTS - 1], p.word[REGISTERS_PARTS - 1]);
        return;
    }
    registers_trace_parts<Code, L>(job, tile, mine, &p);
#pragma unroll
    for (int part = REGISTERS_PARTS - 2; part >= 0; part--) {
        const uint32_t bottom = first + part * length;
        uint32_t word[L::TILES] = {0};
        bool met = true;
#pragma unroll
        for (int k = 0; k < L::TILES; k++) {
            met = met && p.entry[part][k] == p.tag[part + 1][k];
            state[k] = p.tag[part + 1][k];
        }
        if (met)
            continue;
        registers_trace_down<Code, L>(job, tile, mine, bottom + length, bottom, state, word);
#pragma unroll
        for (int k = 0; k < L::TILES; k++)
            p.tag[part][k] = state[k];
    }
}

template <class Code, class L, int SOURCE>
static REGISTERS_FN void registers_whole(const registers_job &job, uint64_t group, uint32_t thread,
                                         uint8_t *survivors,
                                         const struct registers_spread *table = NULL)
{
    registers_tile tile[L::TILES];
    registers_stream<Code, SOURCE> stream[L::TILES];
    uint32_t m[Code::S], last[L::TILES] = {0}, from, to, block = 0, best, state[L::TILES];
    uint8_t *mine = survivors + thread * registers_ring<Code, L>::PIECE;
    registers_half<Code, L> half;

    if (!registers_tiles<Code, L>(job, group, thread, tile))
        return;
    registers_plain_blocks<Code, L>(job, tile, &from, &to);
    registers_start<Code, L>(m);
    while (block < job.blocks) {
        if (block == from && from < to) {
#pragma unroll
            for (int k = 0; k < L::TILES; k++) {
                stream[k].table = table;
                registers_seek<Code, SOURCE>(&stream[k], job, tile[k], block);
                registers_load<Code, SOURCE>(&stream[k]);
            }
#pragma unroll 1
            for (; block < to; block++) {
                uint32_t item[L::TILES][2 * Code::N];
                registers_input<Code, L, SOURCE>(stream, block + 1 < to, item);
                registers_block<Code, L, 0>(job, m, &half, item, NULL, 0, NULL);
                registers_keep<Code, L>(mine + (size_t)block * registers_ring<Code, L>::BLOCK, m,
                                        half);
                registers_clear<Code, L>(m);
            }
        } else {
            registers_block_any<Code, L, SOURCE, false>(job, tile, block, m, &half, last);
            registers_keep<Code, L>(mine + (size_t)block * registers_ring<Code, L>::BLOCK, m, half);
            registers_clear<Code, L>(m);
            block++;
        }
    }
    best = registers_best<Code, L>(m);
#pragma unroll
    for (int k = 0; k < L::TILES; k++)
        state[k] = job.from_any || 8 * job.blocks >= tile[k].known ? 0
                                                                   : Code::S - 1 - L::tag(best, k);
    registers_trace_whole<Code, L>(job, tile, mine, state);
}

#endif
