/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What both decoders do, for one instruction set. Who includes this has defined
 *
 *   vec            V_WIDTH signed bytes; V_LOAD, V_STORE (aligned), V_LOADU, V_STOREU, V_SET1
 *   V_MIN, V_MAX   of signed, V_MINU of unsigned bytes; V_SUM, V_SUB, V_ADDS (saturating), V_ABS
 *   mask           of the lanes of a vec: V_BITS(mask) and V_OF_BITS(bits), V_BYTES(mask) is -1 where
 *                  true, V_NEGATIVE(vec), V_EQ, V_LESSU (unsigned)
 *   V_PICK(mask, a, b)     a where true
 *   V_NEGATE(mask, a)      -a where true
 *   V_LOW(a, b), V_HIGH(a, b)         of each 16 bytes: the lower, the upper eight, a's and b's in turn
 *   V_ROWS(rows, a, b, c, d, half)    row 16 i gets the 16 bytes number i of each; half: the first two
 *                                     of them alone, if there are more
 *   V_ONES(mask)   1 where true
 *   V_KEEP(v)      v is in a register, and not loaded again for another use
 *   V_TRANSFORM_8(w), V_TRANSPOSE(m)  u of eight words of x; 64 words change places with their bits:
 *                                     words.h has both for those that have nothing better
 *   V_LANES(row, map, at)  the lanes at .. of a row, by the map
 */
#include <fecrun/sdk/simd.h>

/* ---- Frames into rows ------------------------------------------------------------------------ */

static void repeat(const int8_t *from, uint32_t n, polar_row *rows)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t l = 0; l < POLAR_LANES; l += V_WIDTH)
            V_STORE(rows[i] + l, V_MAX(V_SET1(from[i]), V_SET1(-127)));
}

/* ---- Bits -------------------------------------------------------------------------------------- */

/* As many words as a vector has. */
enum { WIDE = V_WIDTH / sizeof(polar_bits) };
typedef polar_bits bits_wide __attribute__((vector_size(V_WIDTH), aligned(8), may_alias));

static inline void xor_bits(polar_bits *to, const polar_bits *from, uint32_t n)
{
    uint32_t i = 0;

    for (; i + WIDE <= n; i += WIDE)
        *(bits_wide *)(to + i) ^= *(const bits_wide *)(from + i);
    for (; i < n; i++)
        to[i] ^= from[i];
}

/* x of n >= 8 bits becomes u: polar_transform of all lanes. */
static void transform(polar_bits *x, uint32_t n)
{
    for (polar_bits *w = x; w < x + n; w += 8)
        V_TRANSFORM_8(w);
    for (uint32_t half = 8; half < n; half *= 2)
        for (uint32_t first = 0; first < n; first += 2 * half)
            xor_bits(x + first, x + first + half, half);
}

/* The bits of all lanes: 64 of each lane in a word, the lowest one first; then the next 64. */
static void lanes(const polar_bits *message, uint32_t n, polar_bits *to)
{
    for (uint32_t first = 0; first < n; first += 64) {
        const uint32_t left = n - first < 64 ? n - first : 64;

        memcpy(to + first, message + first, left * sizeof *to);
        memset(to + first + left, 0, (64 - left) * sizeof *to);
        V_TRANSPOSE(to + first);
    }
}

/* Bits of a lane's words, one a byte. */
static void spread(const polar_bits *words_of, uint32_t n, uint8_t *to)
{
    uint32_t first = 0;

    for (; first + 64 <= n; first += 64)
        for (uint32_t l = 0; l < 64; l += V_WIDTH)
            V_STOREU(to + first + l, V_ONES(V_OF_BITS(words_of[first] >> l)));
    for (; first < n; first++)
        to[first] = words_of[first / 64 * 64] >> first % 64 & 1;
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

/* Of h rows, from `to` on. What is used twice is loaded once: V_KEEP sees to it. */
static inline void step_f(const polar_row *a, uint32_t h, polar_row *to)
{
    const size_t bytes = h * sizeof *a;
    const int8_t *upper = a[0], *lower = a[h];
    int8_t *out = to[0];

#pragma GCC unroll 4
    for (size_t i = 0; i < bytes; i += V_WIDTH) {
        vec one = V_LOAD(upper + i), other = V_LOAD(lower + i);

        V_KEEP(one);
        V_KEEP(other);
        V_STORE(out + i, check_of(one, other));
    }
}

static inline void step_g0(const polar_row *a, uint32_t h, polar_row *to)
{
    for (uint32_t i = 0; i < h; i++)
        for (uint32_t l = 0; l < POLAR_LANES; l += V_WIDTH)
            V_STORE(to[i] + l, plain_sum(V_LOAD(a[i] + l), V_LOAD(a[i + h] + l)));
}

/* ---- Sums of bytes over rows, in words of 16 bits ---------------------------------------------- */

typedef int16_t sums[POLAR_LANES];

/* Words of the bytes of a vector: the even ones, the odd ones. */
typedef int16_t words __attribute__((vector_size(V_WIDTH)));

struct pair {
    words even, odd;
};

static FECRUN_ALWAYS_INLINE void add_to(struct pair *sum, vec v)
{
    const words w = (words)v;

    sum->even += w << 8 >> 8;
    sum->odd += w >> 8;
}

/* Of at most POLAR_MOST_LEAF rows, V_WIDTH lanes; negative: of the negative ones the magnitudes. */
static FECRUN_ALWAYS_INLINE struct pair add_lanes(const int8_t *row, uint32_t h, bool negative)
{
    struct pair sum = {{0}, {0}};

    for (uint32_t i = 0; i < h; i++) {
        vec v = V_LOAD(row + i * POLAR_LANES);

        if (negative)
            v = V_SUB(V_SET1(0), V_MIN(v, V_SET1(0)));
        add_to(&sum, v);
    }
    return sum;
}

static FECRUN_ALWAYS_INLINE void put_sums(struct pair sum, int16_t *to)
{
    for (uint32_t i = 0; i < V_WIDTH / 2; i++) {
        to[2 * i] = sum.even[i];
        to[2 * i + 1] = sum.odd[i];
    }
}

/* Lane by lane. */
static inline void add_rows(const polar_row *rows, uint32_t h, int16_t *sum)
{
    for (uint32_t l = 0; l < POLAR_LANES; l += V_WIDTH)
        put_sums(add_lanes(rows[0] + l, h, false), sum + l);
}

/* The magnitudes of the negative ones. */
static inline void negative_sums(const polar_row *rows, uint32_t h, int16_t *sum)
{
    for (uint32_t l = 0; l < POLAR_LANES; l += V_WIDTH)
        put_sums(add_lanes(rows[0] + l, h, true), sum + l);
}
