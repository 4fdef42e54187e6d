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

static void repeat(const int8_t *from, uint32_t n, polar_row *rows)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t l = 0; l < POLAR_LANES; l += V_WIDTH)
            V_STORE(rows[i] + l, V_MAX(V_SET1(from[i]), V_SET1(-127)));
}

/* ---- Bits -------------------------------------------------------------------------------------- */

/* As many words as a vector has, four, and two. */
enum { WIDE = V_WIDTH / sizeof(polar_bits) };
typedef polar_bits bits_wide __attribute__((vector_size(V_WIDTH), aligned(8), may_alias));
typedef polar_bits bits4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef polar_bits bits2 __attribute__((vector_size(16), aligned(8), may_alias));

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
    static const polar_bits select[4] = {0x00000000ffffffff, 0x0000ffff0000ffff, 0x00ff00ff00ff00ff,
                                         0x0f0f0f0f0f0f0f0f};

    for (uint32_t k = 0, half = 32; k < 4; k++, half /= 2)
        for (uint32_t first = 0; first < 64; first += 2 * half)
            for (uint32_t r = first; r < first + half; r += 4) {
                bits4 *one = (bits4 *)(m + r), *other = (bits4 *)(m + r + half);
                const bits4 t = (*one >> half ^ *other) & select[k];

                *one ^= t << half;
                *other ^= t;
            }
    for (polar_bits *w = m; w < m + 64; w += 4) {
        bits2 *one = (bits2 *)w, *other = (bits2 *)(w + 2);
        const bits2 t = (*one >> 2 ^ *other) & 0x3333333333333333;

        *one ^= t << 2;
        *other ^= t;
        swap_bits(&w[0], &w[1], 1, 0x5555555555555555);
        swap_bits(&w[2], &w[3], 1, 0x5555555555555555);
    }
}

/* The bits of all lanes, each in (n + 63) / 64 words: of each word the lowest one first. */
static void lanes(const polar_bits *message, uint32_t n, polar_bits *to)
{
    const size_t words_of = (n + 63) / 64;

    for (uint32_t first = 0; first < n; first += 64) {
        polar_bits m[64];

        for (uint32_t i = 0; i < 64; i++)
            m[i] = first + i < n ? message[first + i] : 0;
        transpose_bits(m);
        for (uint32_t l = 0; l < POLAR_LANES; l++)
            to[l * words_of + first / 64] = m[l];
    }
}

/* Bits of such words, one a byte. */
static void spread(const polar_bits *words_of, uint32_t n, uint8_t *to)
{
    for (uint32_t first = 0; first < n; first += POLAR_LANES) {
        const polar_bits word = words_of[first / POLAR_LANES];
        polar_row bytes;

        for (uint32_t l = 0; l < POLAR_LANES; l += V_WIDTH)
            V_STORE(bytes + l, V_BYTES(V_OF_BITS(word >> l)) & V_SET1(1));
        if (n - first < POLAR_LANES)
            memcpy(to + first, bytes, n - first);
        else
            memcpy(to + first, bytes, POLAR_LANES); /* a move, no call */
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
