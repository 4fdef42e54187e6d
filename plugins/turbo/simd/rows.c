/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * LLRs of frames into rows of lanes, and LLRs of lanes back. Tiles of 16 lanes and 16 steps are
 * transposed; the last tile of a lane begins where it has to, over steps that were done before.
 */
#include <string.h>

#include "plugins/turbo/code/apriori.h"
#include "plugins/turbo/simd/simd.h"

typedef uint8_t tile_row __attribute__((vector_size(16)));

enum { TILE = 16 };

/* 16 rows of bytes into 16 columns: four times, rows i and i + 8 are dealt like two packs of cards. */
static inline void transpose(tile_row *t)
{
    for (unsigned round = 0; round < 4; round++) {
        tile_row next[TILE];

        for (unsigned i = 0; i < TILE / 2; i++) {
            next[2 * i] = __builtin_shufflevector(t[i], t[i + 8], 0, 16, 1, 17, 2, 18, 3, 19, 4, 20,
                                                  5, 21, 6, 22, 7, 23);
            next[2 * i + 1] = __builtin_shufflevector(t[i], t[i + 8], 8, 24, 9, 25, 10, 26, 11, 27,
                                                      12, 28, 13, 29, 14, 30, 15, 31);
        }
        memcpy(t, next, sizeof next);
    }
}

/* lane[l] holds the LLRs of lane l. */
static void to_rows(const int8_t *const *lane, uint32_t steps, turbo_row *rows)
{
    for (uint32_t l = 0; l < TURBO_LANES; l += TILE)
        for (uint32_t x = 0; x < steps; x += TILE) {
            const uint32_t at = x + TILE <= steps ? x : steps - TILE;
            tile_row t[TILE];

            for (unsigned i = 0; i < TILE; i++)
                memcpy(&t[i], lane[l + i] + at, TILE);
            transpose(t);
            for (unsigned i = 0; i < TILE; i++)
                memcpy(rows[at + i] + l, &t[i], TILE);
        }
}

void turbo_unload(const struct turbo_simd *s, struct turbo_work *work)
{
    for (uint32_t l = 0; l < TURBO_LANES; l += TILE)
        for (uint32_t x = 0; x < s->steps; x += TILE) {
            const uint32_t at = x + TILE <= s->steps ? x : s->steps - TILE;
            tile_row t[TILE];

            for (unsigned i = 0; i < TILE; i++)
                memcpy(&t[i], work->llr[at + i] + l, TILE);
            transpose(t);
            for (unsigned i = 0; i < TILE; i++)
                memcpy(work->lane + (size_t)(l + i) * s->steps + at, &t[i], TILE);
        }
}

/* ---- gain ------------------------------------------------------------------------------------ */

/* 1/256; so that the mean of what is not 0, fillers aside, comes to fixed->mean. */
static uint32_t gain_of(const struct turbo_simd *s, const int8_t *llr)
{
    const uint32_t k = s->decode->k, fillers = s->decode->fillers;
    uint32_t sum = 0, count = 0, gain;

    s->kernel->add_up(llr + fillers, k + 4 - fillers, &sum, &count);
    s->kernel->add_up(llr + turbo_item(k, 1, fillers), k + 4 - fillers, &sum, &count);
    s->kernel->add_up(llr + turbo_item(k, 2, 0), k + 4, &sum, &count);
    if (!count)
        return 256;
    gain = (uint32_t)(((uint64_t)s->fixed.mean * count + sum / 2) / sum);
    return gain ? gain : 1;
}

/* ---- borders ---------------------------------------------------------------------------------- */

static int sat(int x)
{
    return x < -128 ? -128 : x;
}

/* Beta behind the last step of encoder e: one path from each state through the tail to state 0. */
static void tail(const struct turbo_simd *s, const int8_t *word, unsigned e, int8_t *beta)
{
    const uint32_t k = s->decode->k;
    int sum[TURBO_STATES], most = 0;

    for (uint32_t state = 0; state < TURBO_STATES; state++) {
        uint32_t at = state;

        sum[state] = 0;
        for (uint32_t t = 0; t < TURBO_TAIL; t++) {
            const uint32_t u = turbo_tail_input(at);

            sum[state] += u ? 0 : word[turbo_tail_x(k, e, t)];
            sum[state] += turbo_parity(at, u) ? 0 : word[turbo_tail_z(k, e, t)];
            at = turbo_next(at, u);
        }
        most = state && most > sum[state] ? most : sum[state];
    }
    for (uint32_t state = 0; state < TURBO_STATES; state++)
        beta[state] = (int8_t)sat(sum[state] - most + s->fixed.top);
}

/* What is known of the borders of a block's sub-blocks from the start on. */
static void set_ends(const struct turbo_simd *s, struct turbo_work *work, uint32_t block)
{
    const int8_t *word = work->stage + (size_t)block * s->decode->word;
    const uint32_t first = block * s->windows, last = first + s->windows - 1;

    for (unsigned e = 0; e < 2; e++) {
        int8_t beta[TURBO_STATES];

        tail(s, word, e, beta);
        for (uint32_t state = 0; state < TURBO_STATES; state++) {
            work->begin[e][state][first] = state ? -128 : s->fixed.top;
            work->end[e][state][last] = beta[state];
        }
    }
}

/* The bits' LLRs again, now with what was known of them before. */
static void join(const struct turbo_simd *s, const struct turbo_work *work, uint32_t block,
                 const int8_t *llr, const float *apriori)
{
    const struct turbo_decode *d = s->decode;
    int8_t *const sum = work->lane;

    for (uint32_t i = 0; i < d->bits; i++)
        sum[i] = (int8_t)turbo_joint(llr[d->fillers + i], apriori[i], (float)d->apriori);
    s->kernel->quantise(sum, d->bits, work->gain[block], s->fixed.channel,
                        work->stage + (size_t)block * d->word + d->fillers);
}

/* The LLRs of one block, with their gain, where rows are made of. */
static void stage(const struct turbo_simd *s, struct turbo_work *work, uint32_t block,
                  const int8_t *llr, const float *apriori)
{
    const struct turbo_decode *d = s->decode;
    int8_t *to = work->stage + (size_t)block * d->word;

    if (!llr) {
        memset(to, 0, d->word);
    } else {
        work->gain[block] = gain_of(s, llr);
        s->kernel->quantise(llr, d->word, work->gain[block], s->fixed.channel, to);
        if (apriori)
            join(s, work, block, llr, apriori);
        memset(to, s->fixed.channel, d->fillers);
        memset(to + turbo_item(d->k, 1, 0), s->fixed.channel, d->fillers);
    }
    set_ends(s, work, block);
}

/* One block into its lanes. */
static void place(const struct turbo_simd *s, struct turbo_work *work, uint32_t block)
{
    turbo_row *const rows[TURBO_STREAMS] = {work->sys, work->parity[0], work->parity[1]};

    for (uint32_t e = 0; e < TURBO_STREAMS; e++) {
        const int8_t *from = work->stage + (size_t)block * s->decode->word +
                             turbo_item(s->decode->k, e, 0);

        for (uint32_t w = 0; w < s->windows; w++) {
            int8_t *to = *rows[e] + block * s->windows + w;

            for (uint32_t x = 0; x < s->steps; x++)
                to[(size_t)x * TURBO_LANES] = from[w * s->steps + x];
        }
    }
    for (uint32_t x = 0; x < s->steps; x++)
        memcpy(work->in[x] + block * s->windows, work->sys[x] + block * s->windows, s->windows);
}

static void place_all(const struct turbo_simd *s, struct turbo_work *work)
{
    turbo_row *const rows[TURBO_STREAMS] = {work->sys, work->parity[0], work->parity[1]};
    const int8_t *lane[TURBO_LANES];

    for (uint32_t e = 0; e < TURBO_STREAMS; e++) {
        for (uint32_t l = 0; l < TURBO_LANES; l++)
            lane[l] = work->stage + (size_t)(l / s->windows) * s->decode->word +
                      turbo_item(s->decode->k, e, l % s->windows * s->steps);
        to_rows(lane, s->steps, rows[e]);
    }
    memcpy(work->in, work->sys, s->steps * sizeof(turbo_row));
}

void turbo_load(const struct turbo_simd *s, struct turbo_work *work,
                const struct turbo_batch *batch, const struct turbo_slot *slot, bool all)
{
    for (uint32_t b = 0; b < s->blocks; b++) {
        const size_t at = slot[b].frame * batch->apriori_stride;

        if (slot[b].fresh)
            stage(s, work, b, batch->llr + slot[b].frame * batch->llr_stride,
                  batch->apriori ? (const float *)(const void *)(batch->apriori + at) : NULL);
        else if (all)
            stage(s, work, b, NULL, NULL);
    }
    if (all)
        place_all(s, work);
    for (uint32_t b = 0; b < s->blocks && !all; b++)
        if (slot[b].fresh)
            place(s, work, b);
}
