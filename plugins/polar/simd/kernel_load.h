/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Frames, whose positions lie side by side, into rows, after kernel.h. The two children of all of a
 * frame are made on the way: so LLRs of the largest stage, twice what the first cache holds, are
 * nowhere in rows.
 */
#include "plugins/common/vec/vec_blocks.h"

/* What becomes rows: LLRs, those of the left child, those of the right one. */
enum load { LOAD_ALL, LOAD_LEFT, LOAD_RIGHT };

struct frames {
    const int8_t *const *from; /* of each lane */
    uint32_t half;             /* of their positions */
    const polar_bits *left;    /* LOAD_RIGHT: lanes() of the left child; NULL: all are 0 */
};

static FECRUN_ALWAYS_INLINE vec received(const int8_t *from)
{
    return vec_i8_max(vec_load_any(from), vec_i8_set(-127));
}

static FECRUN_ALWAYS_INLINE vec received_as(const struct frames *f, enum load load, uint32_t lane,
                                            uint32_t at)
{
    const int8_t *const from = f->from[lane] + at;

    if (load == LOAD_ALL)
        return received(from);
    if (load == LOAD_LEFT)
        return check_of(received(from), received(from + f->half));
    if (!f->left)
        return plain_sum(received(from), received(from + f->half));
    return sum_of(received(from), received(from + f->half),
                  vec_mask_of_bits(f->left[at / 64 * 64 + lane] >> at % 64));
}

/* 16 lanes of VEC_BYTES positions. Bytes 16 c .. 16 c + 15 of v[i] are then of position 16 c + i. */
static FECRUN_ALWAYS_INLINE void load_block(const struct frames *f, enum load load, uint32_t lane,
                                            uint32_t at, vec v[16])
{
    for (uint32_t i = 0; i < 16; i++)
        v[i] = received_as(f, load, lane + i, at);
    vec_i8_transpose(v);
}

static FECRUN_ALWAYS_INLINE void load_as(const struct frames *f, enum load load, uint32_t n,
                                         polar_row *rows)
{
    vec v[4][16];

    for (uint32_t at = 0; at < n; at += VEC_BYTES) {
        for (uint32_t group = 0; group < 4; group++)
            load_block(f, load, 16 * group, at, v[group]);
        for (uint32_t i = 0; i < 16; i++)
            put_rows(rows + at + i, v[0][i], v[1][i], v[2][i], v[3][i], n < VEC_BYTES);
    }
}

static void load(const int8_t *const *from, uint32_t n, polar_row *rows)
{
    int8_t padded[POLAR_LANES][VEC_BYTES];
    const int8_t *of[POLAR_LANES];
    const struct frames frames = {.from = of};

    for (uint32_t l = 0; l < POLAR_LANES; l++) {
        of[l] = from[l];
        if (n >= VEC_BYTES)
            continue;
        memset(padded[l], 0, VEC_BYTES);
        of[l] = memcpy(padded[l], from[l], n);
    }
    load_as(&frames, LOAD_ALL, n, rows);
}

static void load_left(const int8_t *const *from, uint32_t half, polar_row *rows)
{
    const struct frames frames = {.from = from, .half = half};

    load_as(&frames, LOAD_LEFT, half, rows);
}

/* left: NULL: all are 0. */
static void load_right(const int8_t *const *from, const polar_bits *left, uint32_t half,
                       polar_row *rows)
{
    polar_bits words_of[1 << (POLAR_MOST_STAGES - 1)];
    const struct frames frames = {.from = from, .half = half, .left = left ? words_of : NULL};

    if (left)
        lanes(left, half, words_of);
    load_as(&frames, LOAD_RIGHT, half, rows);
}
