/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * LLRs of frames into rows of lanes, and LLRs of lanes back. Tiles of 16 lanes and 16 steps, or 8 and
 * 8 of 16 bits, are transposed; the last tile of a lane begins where it has to, over steps that were
 * done before.
 */
#include <fecrun/sdk/simd.h>
#include <string.h>

#include "plugins/turbo/simd/simd.h"

typedef uint8_t tile_row __attribute__((vector_size(16)));
typedef uint16_t word_row __attribute__((vector_size(16)));

enum { TILE = 16 }; /* bytes of one row */

/* 16 rows of bytes into 16 columns: four times, rows i and i + 8 are dealt like two packs of cards. */
static inline void transpose_bytes(tile_row *t)
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

/* 8 rows of 16-bit numbers, three times. */
static inline void transpose_words(tile_row *rows)
{
    word_row t[TILE / 2];

    memcpy(t, rows, sizeof t);
    for (unsigned round = 0; round < 3; round++) {
        word_row next[TILE / 2];

        for (unsigned i = 0; i < TILE / 4; i++) {
            next[2 * i] = __builtin_shufflevector(t[i], t[i + 4], 0, 8, 1, 9, 2, 10, 3, 11);
            next[2 * i + 1] = __builtin_shufflevector(t[i], t[i + 4], 4, 12, 5, 13, 6, 14, 7, 15);
        }
        memcpy(t, next, sizeof next);
    }
    memcpy(rows, t, sizeof t);
}

static FECRUN_ALWAYS_INLINE void transpose(tile_row *t, enum turbo_width width)
{
    if (width == TURBO_BYTE)
        transpose_bytes(t);
    else
        transpose_words(t);
}

/* ---- all lanes -------------------------------------------------------------------------------- */

/* lane[l] holds the LLRs of lane l; rows are `pitch` bytes apart. Where they are less than a tile, each one is
   written over what the one before has left behind itself, and the last one leaves as much. */
static FECRUN_ALWAYS_INLINE void to_rows(const int8_t *const *lane, uint32_t lanes, uint32_t steps,
                                         int8_t *rows, size_t pitch, enum turbo_width width)
{
    const uint32_t tile = TILE >> width;

    for (uint32_t l = 0; l < lanes; l += tile)
        for (uint32_t x = 0; x < steps; x += tile) {
            const uint32_t at = x + tile <= steps ? x : steps - tile;
            tile_row t[TILE];

            for (unsigned i = 0; i < tile; i++)
                memcpy(&t[i], lane[l + i] + ((size_t)at << width), TILE);
            transpose(t, width);
            for (unsigned i = 0; i < tile; i++)
                memcpy(rows + (at + i) * pitch + (l << width), &t[i], TILE);
        }
}

/* Reads as much behind the last row as to_rows() writes there. */
static FECRUN_ALWAYS_INLINE void from_rows(const int8_t *rows, size_t pitch, uint32_t lanes,
                                           uint32_t steps, int8_t *lane, enum turbo_width width)
{
    const uint32_t tile = TILE >> width;

    for (uint32_t l = 0; l < lanes; l += tile)
        for (uint32_t x = 0; x < steps; x += tile) {
            const uint32_t at = x + tile <= steps ? x : steps - tile;
            tile_row t[TILE];

            for (unsigned i = 0; i < tile; i++)
                memcpy(&t[i], rows + (at + i) * pitch + (l << width), TILE);
            transpose(t, width);
            for (unsigned i = 0; i < tile && l + i < lanes; i++)
                memcpy(lane + (((size_t)(l + i) * steps + at) << width), &t[i], TILE);
        }
}

void turbo_unload(const struct turbo_simd *s, struct turbo_work *work)
{
    if (s->width == TURBO_BYTE)
        from_rows(*work->llr, TURBO_ROW, TURBO_LANES, s->steps, work->lane, TURBO_BYTE);
    else
        from_rows(*work->llr, TURBO_ROW, TURBO_LANES / 2, s->steps, work->lane, TURBO_WORD);
}

static void place_all(const struct turbo_simd *s, struct turbo_work *work)
{
    const int8_t *lane[TURBO_LANES];

    for (uint32_t e = 0; e < s->rows; e++) {
        for (uint32_t l = 0; l < turbo_lanes(s->width); l++)
            lane[l] = turbo_staged(s, work, l / s->windows,
                                   turbo_item(s->decode->k, e, l % s->windows * s->steps));
        if (s->width == TURBO_BYTE)
            to_rows(lane, TURBO_LANES, s->steps, *work->stream[e], TURBO_ROW, TURBO_BYTE);
        else
            to_rows(lane, TURBO_LANES / 2, s->steps, *work->stream[e], TURBO_ROW, TURBO_WORD);
    }
    memcpy(work->in, work->sys, s->steps * sizeof(turbo_row));
}

/* ---- one block -------------------------------------------------------------------------------- */

void turbo_load_single(const struct turbo_simd *s, const struct turbo_work *work)
{
    const struct turbo_single_bytes_work *single = &work->single_bytes;
    int8_t *const rows[TURBO_STREAMS] = {single->sys, single->parity[0], single->parity[1]};

    for (uint32_t e = 0; e < TURBO_STREAMS; e++) {
        const int8_t *from = turbo_staged(s, work, 0, turbo_item(s->decode->k, e, 0));
        const int8_t *lane[TILE];

        for (uint32_t l = 0; l < TILE; l++)
            lane[l] = from + l % s->windows * s->steps;
        if (s->windows == 1)
            memcpy(rows[e], from, s->steps);
        else
            to_rows(lane, TILE, s->steps, rows[e], s->windows, TURBO_BYTE);
    }
    memcpy(single->in, single->sys, s->decode->k);
}

void turbo_unload_single(const struct turbo_simd *s, const struct turbo_work *work)
{
    const int8_t *llr = work->single_bytes.llr;

    if (s->windows == 1)
        memcpy(work->lane, llr, s->steps);
    else
        from_rows(llr, s->windows, s->windows, s->steps, work->lane, TURBO_BYTE);
}

/* `steps` LLRs of one lane, down a column. */
static FECRUN_ALWAYS_INLINE void to_column(const int8_t *from, uint32_t steps, int8_t *to,
                                           enum turbo_width width)
{
    for (uint32_t x = 0; x < steps; x++)
        memcpy(to + (size_t)x * TURBO_ROW, from + ((size_t)x << width), (size_t)1 << width);
}

static void place(const struct turbo_simd *s, struct turbo_work *work, uint32_t block)
{
    const size_t first = (size_t)block * s->windows << s->width;

    for (uint32_t e = 0; e < s->rows; e++)
        for (uint32_t w = 0; w < s->windows; w++) {
            const uint32_t item = turbo_item(s->decode->k, e, w * s->steps);
            const int8_t *from = turbo_staged(s, work, block, item);
            int8_t *to = *work->stream[e] + first + (w << s->width);

            if (s->width == TURBO_BYTE)
                to_column(from, s->steps, to, TURBO_BYTE);
            else
                to_column(from, s->steps, to, TURBO_WORD);
        }
    for (uint32_t x = 0; x < s->steps; x++)
        memcpy(work->in[x] + first, work->sys[x] + first, s->windows << s->width);
}

void turbo_stage_frame(const struct turbo_simd *s, struct turbo_work *work, uint32_t block,
                       const struct turbo_batch *batch, uint64_t frame)
{
    const void *llr = (const char *)batch->llr + frame * batch->llr_stride;
    const char *apriori = batch->apriori;

    if (apriori)
        apriori += frame * batch->apriori_stride;
    work->scale[block] = s->floats ? turbo_to_words(s, work, llr) : 1;
    turbo_stage(s, work, block, s->floats ? work->words : llr,
                (const float *)(const void *)apriori);
}

void turbo_load(const struct turbo_simd *s, struct turbo_work *work,
                const struct turbo_batch *batch, const struct turbo_slot *slot, bool all)
{
    for (uint32_t b = 0; b < s->blocks; b++)
        if (slot[b].fresh)
            turbo_stage_frame(s, work, b, batch, slot[b].frame);
        else if (all)
            turbo_stage(s, work, b, NULL, NULL);
    if (all)
        place_all(s, work);
    for (uint32_t b = 0; b < s->blocks && !all; b++)
        if (slot[b].fresh)
            place(s, work, b);
}
