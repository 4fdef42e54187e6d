/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What both decoders do, for one instruction set. Who includes this has defined
 *
 *   vec            V_WIDTH signed bytes; V_LOAD, V_STORE (aligned), V_LOADU, V_SET1
 *   V_MIN, V_MAX   of signed, V_MINU of unsigned bytes; V_SUB, V_ADDS (saturating), V_ABS
 *   mask           of the lanes of a vec: V_BITS(mask) and V_OF_BITS(bits), V_BYTES(mask) is -1 where
 *                  true, V_NEGATIVE(vec), V_EQ, V_LESSU (unsigned)
 *   V_PICK(mask, a, b)     a where true
 *   V_NEGATE(mask, a)      -a where true
 *   V_LOW(a, b), V_HIGH(a, b)         of each 16 bytes: the lower, the upper eight, a's and b's in turn
 *   V_PUT(to, v, c)                   stores the 16 bytes number c
 *   V_LANES(row, map, at)  the lanes at .. of a row, by the map
 */
#include <fecrun/sdk/simd.h>

/* ---- Frames into rows ------------------------------------------------------------------------ */

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
   their numbers. */
static FECRUN_ALWAYS_INLINE void load_block(const int8_t *const from[16], uint32_t at,
                                            polar_row *rows, uint32_t lane, uint32_t n)
{
    vec v[16];

    for (int i = 0; i < 16; i++)
        v[i] = V_MAX(V_LOADU(from[i] + at), V_SET1(-127));
    for (int round = 0; round < 4; round++)
        interleave(v);
    for (uint32_t i = 0; i < 16; i++)
        for (uint32_t piece = 0; piece < V_WIDTH / 16 && at + 16 * piece < n; piece++)
            V_PUT(&rows[at + 16 * piece + i][lane], v[i], piece);
}

static void load(const int8_t *const *from, uint32_t n, polar_row *rows)
{
    int8_t padded[16][V_WIDTH];

    for (uint32_t lane = 0; lane < POLAR_LANES; lane += 16) {
        const int8_t *of[16];

        for (uint32_t i = 0; i < 16; i++) {
            of[i] = from[lane + i];
            if (n < V_WIDTH) {
                memset(padded[i], 0, V_WIDTH);
                of[i] = memcpy(padded[i], from[lane + i], n);
            }
        }
        for (uint32_t at = 0; at < n; at += V_WIDTH)
            load_block(of, at, rows, lane, n);
    }
}

/* ---- The two nodes --------------------------------------------------------------------------- */

/* The sign of a b with the smaller magnitude: of both signs the larger one of min and -max. */
static FECRUN_ALWAYS_INLINE vec check_of(vec a, vec b)
{
    return V_MAX(V_MIN(a, b), V_SUB(V_SET1(0), V_MAX(a, b)));
}

/* b + a, or b - a where negative. */
static FECRUN_ALWAYS_INLINE vec sum_of(vec a, vec b, mask negative)
{
    return V_MAX(V_ADDS(b, V_NEGATE(negative, a)), V_SET1(-127));
}

static FECRUN_ALWAYS_INLINE vec plain_sum(vec a, vec b)
{
    return V_MAX(V_ADDS(b, a), V_SET1(-127));
}

/* Of h rows, from `to` on. */
static inline void step_f(const polar_row *a, uint32_t h, polar_row *to)
{
    for (uint32_t i = 0; i < h; i++)
        for (uint32_t l = 0; l < POLAR_LANES; l += V_WIDTH)
            V_STORE(to[i] + l, check_of(V_LOAD(a[i] + l), V_LOAD(a[i + h] + l)));
}

static inline void step_g0(const polar_row *a, uint32_t h, polar_row *to)
{
    for (uint32_t i = 0; i < h; i++)
        for (uint32_t l = 0; l < POLAR_LANES; l += V_WIDTH)
            V_STORE(to[i] + l, plain_sum(V_LOAD(a[i] + l), V_LOAD(a[i + h] + l)));
}

/* ---- Sums of bytes over rows, in words of 16 bits ---------------------------------------------- */

typedef int16_t sums[POLAR_LANES];

/* Lane by lane of at most POLAR_MOST_LEAF rows. */
static inline void add_rows(const polar_row *rows, uint32_t h, int16_t *sum)
{
    for (uint32_t l = 0; l < POLAR_LANES; l++)
        sum[l] = 0;
    for (uint32_t i = 0; i < h; i++)
        for (uint32_t l = 0; l < POLAR_LANES; l++)
            sum[l] = (int16_t)(sum[l] + rows[i][l]);
}

/* The magnitudes of the negative ones. */
static inline void negative_sums(const polar_row *rows, uint32_t h, int16_t *sum)
{
    for (uint32_t l = 0; l < POLAR_LANES; l++)
        sum[l] = 0;
    for (uint32_t i = 0; i < h; i++)
        for (uint32_t l = 0; l < POLAR_LANES; l++)
            sum[l] = (int16_t)(sum[l] - (rows[i][l] < 0 ? rows[i][l] : 0));
}
