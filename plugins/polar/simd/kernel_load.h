/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Frames, whose positions lie side by side, into rows, after kernel.h. The two children of all of a
 * frame are made on the way: so LLRs of the largest stage, twice what the first cache holds, are
 * nowhere in rows.
 */

/* What becomes rows: LLRs, those of the left child, those of the right one. */
enum load { LOAD_ALL, LOAD_LEFT, LOAD_RIGHT };

struct frames {
    const int8_t *const *from; /* of each lane */
    uint32_t half;             /* of their positions */
    const polar_bits *left;    /* LOAD_RIGHT: lanes() of the left child; NULL: all are 0 */
};

static FECRUN_ALWAYS_INLINE vec received(const int8_t *from)
{
    return V_MAX(V_LOADU(from), V_SET1(-127));
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
                  V_OF_BITS(f->left[at / 64 * 64 + lane] >> at % 64));
}

static FECRUN_ALWAYS_INLINE void interleave(vec v[16])
{
    vec t[16];

    for (int i = 0; i < 8; i++) {
        t[2 * i] = V_LOW(v[i], v[i + 8]);
        t[2 * i + 1] = V_HIGH(v[i], v[i + 8]);
    }
    for (int i = 0; i < 16; i++)
        v[i] = t[i];
}

/* 16 lanes of V_WIDTH positions: vectors and their bytes change places, four times by one bit of
   their numbers. Bytes 16 c .. 16 c + 15 of v[i] are then of position 16 c + i. */
static FECRUN_ALWAYS_INLINE void load_block(const struct frames *f, enum load load, uint32_t lane,
                                            uint32_t at, vec v[16])
{
    for (uint32_t i = 0; i < 16; i++)
        v[i] = received_as(f, load, lane + i, at);
    for (int round = 0; round < 4; round++)
        interleave(v);
}

static FECRUN_ALWAYS_INLINE void load_as(const struct frames *f, enum load load, uint32_t n,
                                         polar_row *rows)
{
    vec v[4][16];

    for (uint32_t at = 0; at < n; at += V_WIDTH) {
        for (uint32_t group = 0; group < 4; group++)
            load_block(f, load, 16 * group, at, v[group]);
        for (uint32_t i = 0; i < 16; i++)
            V_ROWS(rows + at + i, v[0][i], v[1][i], v[2][i], v[3][i], n < V_WIDTH);
    }
}

static void load(const int8_t *const *from, uint32_t n, polar_row *rows)
{
    int8_t padded[POLAR_LANES][V_WIDTH];
    const int8_t *of[POLAR_LANES];
    const struct frames frames = {.from = of};

    for (uint32_t l = 0; l < POLAR_LANES; l++) {
        of[l] = from[l];
        if (n >= V_WIDTH)
            continue;
        memset(padded[l], 0, V_WIDTH);
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
