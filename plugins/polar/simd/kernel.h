/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What both decoders do, for one instruction set. Who includes this has included one vec_*.h and
 * defined
 *
 *   put_rows(rows, a, b, c, d, half)  row 16 i gets the 16 bytes number i of each; half: the first two
 *                                     of them alone, if there are more
 *   transform_8(w), transpose_64(m)   u of eight words of x; 64 words change places with their bits:
 *                                     words.h has both for those that have nothing better
 *   take_lanes(row, map, at)          the lanes at .. of a row, by the map
 */

/* ---- Frames into rows ------------------------------------------------------------------------ */

static void repeat(const int8_t *from, uint32_t n, polar_row *rows)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t l = 0; l < POLAR_LANES; l += VEC_BYTES)
            vec_store(rows[i] + l, vec_i8_max(vec_i8_set(from[i]), vec_i8_set(-127)));
}

/* ---- Bits -------------------------------------------------------------------------------------- */

/* As many words as a vector has. */
enum { WIDE = VEC_BYTES / sizeof(polar_bits) };
typedef polar_bits bits_wide __attribute__((vector_size(VEC_BYTES), aligned(8), may_alias));

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
        transform_8(w);
    for (uint32_t half = 8; half < n; half *= 2)
        for (uint32_t first = 0; first < n; first += 2 * half)
            xor_bits(x + first, x + first + half, half);
}

/* The bits of all lanes: 64 of each lane in a word, the lowest one first; then the next 64. */
static void lanes(const polar_bits *message, uint32_t n, polar_bits *to)
{
    uint32_t first = 0;

    for (; n - first >= 64; first += 64) {
#pragma GCC unroll 32
        for (uint32_t i = first; i < first + 64; i += WIDE) /* vectors: a memcpy() here is slow */
            *(bits_wide *)(to + i) = *(const bits_wide *)(message + i);
        transpose_64(to + first);
    }
    if (first == n)
        return;
    memcpy(to + first, message + first, (n - first) * sizeof *to);
    memset(to + n, 0, (64 - (n - first)) * sizeof *to);
    transpose_64(to + first);
}

/* Bits of a lane's words, one a byte. */
static void spread(const polar_bits *words_of, uint32_t n, uint8_t *to)
{
    uint32_t first = 0;

    for (; first + 64 <= n; first += 64)
        for (uint32_t l = 0; l < 64; l += VEC_BYTES)
            vec_store_any(to + first + l, vec_mask_ones(vec_mask_of_bits(words_of[first] >> l)));
    for (; first < n; first++)
        to[first] = words_of[first / 64 * 64] >> first % 64 & 1;
}

/* ---- The two nodes --------------------------------------------------------------------------- */

/* The sign of a b with the smaller magnitude: of both signs the larger one of min and -max. */
static FECRUN_ALWAYS_INLINE vec check_of(vec a, vec b)
{
    return vec_i8_max(vec_i8_min(a, b), vec_i8_sub(vec_i8_set(0), vec_i8_max(a, b)));
}

/* b + a, or b - a where negative. */
static FECRUN_ALWAYS_INLINE vec sum_of(vec a, vec b, vec_mask negative)
{
    return vec_i8_max(vec_i8_add_sat(b, vec_i8_negate(negative, a)), vec_i8_set(-127));
}

static FECRUN_ALWAYS_INLINE vec plain_sum(vec a, vec b)
{
    return vec_i8_max(vec_i8_add_sat(b, a), vec_i8_set(-127));
}

/* Of h rows, from `to` on. What is used twice is loaded once: vec_keep sees to it. */
static inline void step_f(const polar_row *a, uint32_t h, polar_row *to)
{
    const size_t bytes = h * sizeof *a;
    const int8_t *upper = a[0], *lower = a[h];
    int8_t *out = to[0];

#pragma GCC unroll 4
    for (size_t i = 0; i < bytes; i += VEC_BYTES) {
        vec one = vec_load(upper + i), other = vec_load(lower + i);

        vec_keep(one);
        vec_keep(other);
        vec_store(out + i, check_of(one, other));
    }
}

static inline void step_g0(const polar_row *a, uint32_t h, polar_row *to)
{
    for (uint32_t i = 0; i < h; i++)
        for (uint32_t l = 0; l < POLAR_LANES; l += VEC_BYTES)
            vec_store(to[i] + l, plain_sum(vec_load(a[i] + l), vec_load(a[i + h] + l)));
}

/* ---- Sums of bytes over rows, in words of 16 bits ---------------------------------------------- */

typedef int16_t sums[POLAR_LANES];

/* Words of the bytes of a vector: the even ones, the odd ones. */
typedef int16_t words __attribute__((vector_size(VEC_BYTES)));

struct pair {
    words even, odd;
};

static FECRUN_ALWAYS_INLINE void add_to(struct pair *sum, vec v)
{
    const words w = (words)v;

    sum->even += w << 8 >> 8;
    sum->odd += w >> 8;
}

/* Of at most POLAR_MOST_LEAF rows, VEC_BYTES lanes; negative: of the negative ones the magnitudes. */
static FECRUN_ALWAYS_INLINE struct pair add_lanes(const int8_t *row, uint32_t h, bool negative)
{
    struct pair sum = {{0}, {0}};

    for (uint32_t i = 0; i < h; i++) {
        vec v = vec_load(row + i * POLAR_LANES);

        if (negative)
            v = vec_i8_sub(vec_i8_set(0), vec_i8_min(v, vec_i8_set(0)));
        add_to(&sum, v);
    }
    return sum;
}

static FECRUN_ALWAYS_INLINE void put_sums(struct pair sum, int16_t *to)
{
    for (uint32_t i = 0; i < VEC_BYTES / 2; i++) {
        to[2 * i] = sum.even[i];
        to[2 * i + 1] = sum.odd[i];
    }
}

/* Lane by lane. */
static inline void add_rows(const polar_row *rows, uint32_t h, int16_t *sum)
{
    for (uint32_t l = 0; l < POLAR_LANES; l += VEC_BYTES)
        put_sums(add_lanes(rows[0] + l, h, false), sum + l);
}

/* The magnitudes of the negative ones. */
static inline void negative_sums(const polar_row *rows, uint32_t h, int16_t *sum)
{
    for (uint32_t l = 0; l < POLAR_LANES; l += VEC_BYTES)
        put_sums(add_lanes(rows[0] + l, h, true), sum + l);
}
