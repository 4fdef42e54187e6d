/* SPDX-License-Identifier: BSD-2-Clause */
/* Tiles that are traced as a whole, after all of their steps: survivors in scratch memory. */
#ifndef VITERBI_CUDA_FAST_WHOLE_CUH
#define VITERBI_CUDA_FAST_WHOLE_CUH

#include "cuda_fast_decode.cuh"

/* Byte `byte` of a tile out of the tags of two blocks, at bit `shift` of the older one. */
static FAST_FN uint32_t fast_join(uint32_t older, uint32_t newer, uint32_t shift)
{
    return (older | newer << 8) >> shift & 0xff;
}

/* Bytes in descending order: a word is complete with its lowest. */
static FAST_FN void fast_put_down(const fast_job &job, const fast_tile &tile, uint32_t byte,
                                  uint32_t tag, uint32_t *word)
{
    *word = *word << 8 | tag;
    if (byte % 4 == 0) {
        fast_put_word(job, tile, byte, *word);
        *word = 0;
    }
}

/*
 * Traces the blocks below `block` down to `bottom`. newer: the tags of `block`, afterwards those of
 * `bottom`. word: what has been put into the present word.
 */
template <class Code, class L>
static FAST_FN void fast_trace_down(const fast_job &job, const fast_tile *tile,
                                    const uint8_t *mine, uint32_t block, uint32_t bottom,
                                    uint32_t *newer, uint32_t *word)
{
    const uint32_t place = job.lead + Code::K - 1, shift = place & 7, first = place / 8;

#pragma unroll 1
    while (block-- > bottom) {
#pragma unroll
        for (int k = 0; k < L::TILES; k++) {
            const uint32_t tag = fast_look_up<Code, L>(
                mine + (size_t)block * fast_ring<Code, L>::BLOCK, newer[k], k);
            fast_put_down(job, tile[k], block - first, fast_join(tag, newer[k], shift), &word[k]);
            newer[k] = tag;
        }
    }
}

/*
 * A look-up waits for the one before it. So the lower parts of a long tile are traced at the same
 * time as the last one, on trust: each begins FAST_TRUST blocks above itself in state 0 and will
 * nearly always have met the true path there. Where it has not, the part is traced again.
 */
enum { FAST_PARTS = 4, FAST_TRUST = 12 };

template <class Code, class L> struct fast_parts {
    uint32_t length, first;
    uint32_t tag[FAST_PARTS][L::TILES], entry[FAST_PARTS][L::TILES], word[FAST_PARTS][L::TILES];
};

/* A part is [first + part * length, top); its trace begins at `from`. */
template <class Code, class L>
static FAST_FN uint32_t fast_part_top(const fast_job &job, const fast_parts<Code, L> &p, int part)
{
    return part == FAST_PARTS - 1 ? job.blocks : p.first + (part + 1) * p.length;
}

template <class Code, class L>
static FAST_FN uint32_t fast_part_from(const fast_job &job, const fast_parts<Code, L> &p, int part)
{
    return fast_part_top(job, p, part) + (part == FAST_PARTS - 1 ? 0 : FAST_TRUST);
}

/* The block of look-up i; any block after the last one. */
template <class Code, class L>
static FAST_FN uint32_t fast_part_block(const fast_job &job, const fast_parts<Code, L> &p, int part,
                                        uint32_t i)
{
    const uint32_t from = fast_part_from(job, p, part);

    return i < from ? from - 1 - i : 0;
}

template <class Code, class L>
static FAST_FN void fast_trace_parts(const fast_job &job, const fast_tile *tile,
                                     const uint8_t *mine, fast_parts<Code, L> *p)
{
    const uint32_t shift = (job.lead + Code::K - 1) & 7;

#pragma unroll 1
    for (uint32_t i = 0; i < p->length + FAST_TRUST; i++) {
        uint32_t found[FAST_PARTS][L::TILES];
        /* all look-ups before the first use */
#pragma unroll
        for (int part = 0; part < FAST_PARTS; part++)
#pragma unroll
            for (int k = 0; k < L::TILES; k++)
                found[part][k] = fast_look_up<Code, L>(
                    mine + (size_t)fast_part_block(job, *p, part, i) * fast_ring<Code, L>::BLOCK,
                    p->tag[part][k], k);
#pragma unroll
        for (int part = 0; part < FAST_PARTS; part++) {
            const uint32_t block = fast_part_block(job, *p, part, i);
            const uint32_t top = fast_part_top(job, *p, part);
            if (i >= fast_part_from(job, *p, part) - (p->first + part * p->length))
                continue;
#pragma unroll
            for (int k = 0; k < L::TILES; k++) {
                const uint32_t newer = p->tag[part][k];
                if (block == top - 1)
                    p->entry[part][k] = newer;
                if (block < top)
                    fast_put_down(job, tile[k], block - p->first,
                                  fast_join(found[part][k], newer, shift), &p->word[part][k]);
                p->tag[part][k] = found[part][k];
            }
        }
    }
}

/* From the end of all blocks down to the first one that has output. state: those to begin with. */
template <class Code, class L>
static FAST_FN void fast_trace_whole(const fast_job &job, const fast_tile *tile,
                                     const uint8_t *mine, uint32_t *state)
{
    const uint32_t place = job.lead + Code::K - 1, first = place / 8;
    const uint32_t length = ((job.blocks - first) / FAST_PARTS + 4) & ~3u;
    fast_parts<Code, L> p = {length, first};

    /* the bits that the last state holds, too, are output where nothing follows them */
#pragma unroll
    for (int k = 0; k < L::TILES; k++) {
        p.tag[FAST_PARTS - 1][k] = state[k];
        fast_put_down(job, tile[k], job.blocks - first, state[k] >> (place & 7),
                      &p.word[FAST_PARTS - 1][k]);
    }
    if (length < 2 * FAST_TRUST) {
        fast_trace_down<Code, L>(job, tile, mine, job.blocks, first, p.tag[FAST_PARTS - 1],
                                 p.word[FAST_PARTS - 1]);
        return;
    }
    fast_trace_parts<Code, L>(job, tile, mine, &p);
#pragma unroll
    for (int part = FAST_PARTS - 2; part >= 0; part--) {
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
        fast_trace_down<Code, L>(job, tile, mine, bottom + length, bottom, state, word);
#pragma unroll
        for (int k = 0; k < L::TILES; k++)
            p.tag[part][k] = state[k];
    }
}

template <class Code, class L, int SOURCE>
static FAST_FN void fast_whole(const fast_job &job, uint64_t group, uint32_t thread,
                               uint8_t *survivors, const struct fast_spread *table = NULL)
{
    fast_tile tile[L::TILES];
    fast_stream<Code, SOURCE> stream[L::TILES];
    uint32_t m[Code::S], last[L::TILES] = {0}, from, to, block = 0, best, state[L::TILES];
    uint8_t *mine = survivors + thread * 16;

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
#pragma unroll 1
            for (; block < to; block++) {
                uint32_t item[L::TILES][2 * Code::N];
                fast_input<Code, L, SOURCE>(stream, block + 1 < to, item);
                fast_block<Code, L, 0>(job, m, item, NULL, 0, NULL);
                fast_keep<Code, L>(mine + (size_t)block * fast_ring<Code, L>::BLOCK, m);
                fast_clear<Code, L>(m);
            }
        } else {
            fast_block_any<Code, L, SOURCE == FAST_PUNCTURED, false>(job, tile, block, m, last);
            fast_keep<Code, L>(mine + (size_t)block * fast_ring<Code, L>::BLOCK, m);
            fast_clear<Code, L>(m);
            block++;
        }
    }
    best = fast_best<Code, L>(m);
#pragma unroll
    for (int k = 0; k < L::TILES; k++)
        state[k] = job.from_any || 8 * job.blocks >= tile[k].known
                       ? 0 : Code::S - 1 - L::tag(best, k);
    fast_trace_whole<Code, L>(job, tile, mine, state);
}

#endif
