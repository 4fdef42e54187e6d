/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What both decoders do, for one instruction set. Who includes this has defined
 *
 *   vec            V_WIDTH signed bytes; V_LOAD, V_STORE (aligned), V_LOADU, V_SET1
 *   V_MIN, V_MAX   of signed, V_MINU of unsigned bytes; V_SUM, V_SUB, V_ADDS (saturating), V_ABS
 *   mask           of the lanes of a vec: V_BITS(mask) and V_OF_BITS(bits), V_BYTES(mask) is -1 where
 *                  true, V_NEGATIVE(vec), V_EQ, V_LESSU (unsigned)
 *   V_PICK(mask, a, b)     a where true
 *   V_NEGATE(mask, a)      -a where true
 *   V_LOW(a, b), V_HIGH(a, b)         of each 16 bytes: the lower, the upper eight, a's and b's in turn
 *   V_ROWS(rows, a, b, c, d, half)    row 16 i gets the 16 bytes number i of each; half: the first two
 *                                     of them alone, if there are more
 *   V_KEEP(v)      v is in a register, and not loaded again for another use
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
   their numbers. Bytes 16 c .. 16 c + 15 of v[i] are then of position 16 c + i. */
static FECRUN_ALWAYS_INLINE void load_block(const int8_t *const from[16], uint32_t at, vec v[16])
{
    for (int i = 0; i < 16; i++) {
        v[i] = V_MAX(V_LOADU(from[i] + at), V_SET1(-127));
        __builtin_prefetch(from[i] + at + 2 * 64); /* 64 streams are more than hardware follows */
    }
    for (int round = 0; round < 4; round++)
        interleave(v);
}

static void load(const int8_t *const *from, uint32_t n, polar_row *rows)
{
    int8_t padded[POLAR_LANES][V_WIDTH];
    const int8_t *of[POLAR_LANES];
    vec v[4][16];

    for (uint32_t l = 0; l < POLAR_LANES; l++) {
        of[l] = from[l];
        if (n >= V_WIDTH)
            continue;
        memset(padded[l], 0, V_WIDTH);
        of[l] = memcpy(padded[l], from[l], n);
    }
    for (uint32_t at = 0; at < n; at += V_WIDTH) {
        for (uint32_t group = 0; group < 4; group++)
            load_block(of + 16 * group, at, v[group]);
        for (uint32_t i = 0; i < 16; i++)
            V_ROWS(rows + at + i, v[0][i], v[1][i], v[2][i], v[3][i], n < V_WIDTH);
    }
}

/* ---- Bits -------------------------------------------------------------------------------------- */

/* Four words at once. */
typedef polar_bits bits4 __attribute__((vector_size(32), aligned(8), may_alias));

static inline void xor_bits(polar_bits *to, const polar_bits *from, uint32_t n)
{
    uint32_t i = 0;

    for (; i + 4 <= n; i += 4)
        *(bits4 *)(to + i) ^= *(const bits4 *)(from + i);
    for (; i < n; i++)
        to[i] ^= from[i];
}

/* x of n >= 8 bits becomes u: polar_transform of all lanes. */
static void transform(polar_bits *x, uint32_t n)
{
    for (polar_bits *w = x; w < x + n; w += 8) {
        const polar_bits w7 = w[7], w67 = w[6] ^ w7, w57 = w[5] ^ w7, w37 = w[3] ^ w7;
        const polar_bits w4567 = w[4] ^ w[5] ^ w67, w2367 = w[2] ^ w[3] ^ w67;
        const polar_bits w1357 = w[1] ^ w[3] ^ w57;

        w[0] ^= w[1] ^ w[2] ^ w[3] ^ w4567;
        w[1] = w1357;
        w[2] = w2367;
        w[3] = w37;
        w[4] = w4567;
        w[5] = w57;
        w[6] = w67;
    }
    for (uint32_t half = 8; half < n; half *= 2)
        for (uint32_t first = 0; first < n; first += 2 * half)
            xor_bits(x + first, x + first + half, half);
}

static FECRUN_ALWAYS_INLINE void swap_bits(polar_bits *one, polar_bits *other, uint32_t shift,
                                           polar_bits select)
{
    const polar_bits t = (*one >> shift ^ *other) & select;

    *one ^= t << shift;
    *other ^= t;
}

/* Bit c of word r becomes bit r of word c. */
static inline void transpose_bits(polar_bits *m)
{
    static const polar_bits select[3] = {0x00000000ffffffff, 0x0000ffff0000ffff,
                                         0x00ff00ff00ff00ff};

    for (uint32_t k = 0, half = 32; k < 3; k++, half /= 2)
        for (uint32_t first = 0; first < 64; first += 2 * half)
            for (uint32_t r = first; r < first + half; r += 4) {
                bits4 *one = (bits4 *)(m + r), *other = (bits4 *)(m + r + half);
                const bits4 t = (*one >> half ^ *other) & select[k];

                *one ^= t << half;
                *other ^= t;
            }
    for (polar_bits *w = m; w < m + 64; w += 8) {
        for (uint32_t r = 0; r < 4; r++)
            swap_bits(&w[r], &w[r + 4], 4, 0x0f0f0f0f0f0f0f0f);
        for (uint32_t r = 0; r < 8; r += r & 1 ? 3 : 1)
            swap_bits(&w[r], &w[r + 2], 2, 0x3333333333333333);
        for (uint32_t r = 0; r < 8; r += 2)
            swap_bits(&w[r], &w[r + 1], 1, 0x5555555555555555);
    }
}

/* The packed bits of all lanes, each in (n + 63) / 64 * 8 bytes. */
static void lanes(const polar_bits *message, uint32_t n, uint8_t *to)
{
    const size_t stride = (n + 63) / 64 * 8;

    for (uint32_t first = 0; first < n; first += 64) {
        polar_bits m[64];

        for (uint32_t i = 0; i < 64; i++) /* the first bit stands highest */
            m[63 - i] = first + i < n ? message[first + i] : 0;
        transpose_bits(m);
        for (uint32_t l = 0; l < POLAR_LANES; l++) {
            const polar_bits word = __builtin_bswap64(m[l]);

            memcpy(to + l * stride + first / 8, &word, 8);
        }
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

/* Of at most POLAR_MOST_LEAF rows, V_WIDTH lanes; negative: of the negative ones the magnitudes. */
static FECRUN_ALWAYS_INLINE struct pair add_lanes(const int8_t *row, uint32_t h, bool negative)
{
    struct pair sum = {{0}, {0}};

    for (uint32_t i = 0; i < h; i++) {
        vec v = V_LOAD(row + i * POLAR_LANES);
        words w;

        if (negative)
            v = V_SUB(V_SET1(0), V_MIN(v, V_SET1(0)));
        w = (words)v;
        sum.even += w << 8 >> 8;
        sum.odd += w >> 8;
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
