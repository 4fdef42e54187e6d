/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Frames in and out, in plain loops that the compiler makes vectors of: those of the includer's
 * instruction set. bytes.h and words.h say what a lane is.
 */

/* Rows of LLRs become their magnitudes; the smallest number is read as the next one. */
#define SIZE_UP(name, number, positive) \
    static void name(void *llrs, uint32_t rows) \
    { \
        typedef number part __attribute__((vector_size(VEC_BYTES))); \
        typedef positive sizes __attribute__((vector_size(VEC_BYTES))); \
        part *llr = llrs; \
\
        for (uint32_t i = 0; i < rows * (TURBO_ROW / VEC_BYTES); i++) { \
            const part sign = llr[i] >> (8 * sizeof(number) - 1); \
            const part m = (part)((sizes)(llr[i] ^ sign) - (sizes)sign); \
\
            llr[i] = m ^ m >> (8 * sizeof(number) - 1); \
        } \
    }

SIZE_UP(size_up_8, int8_t, uint8_t)
SIZE_UP(size_up_16, int16_t, uint16_t)

typedef uint32_t sums32 __attribute__((vector_size(VEC_BYTES)));
typedef uint64_t sums64 __attribute__((vector_size(VEC_BYTES)));

/* Sums of both halves of each number. */
#define HALVES(x, bits) (((x) >> (bits)) + ((x) << (bits) >> (bits)))
#define FROM_16(x) HALVES((sums32)(x), 16)
#define FROM_32(x) (x)

/*
 * Of magnitudes in rows those above `limit`: their sum, and how many. Neighbours are added in numbers that
 * hold the sum of both, `from` those.
 */
#define ADD_UP(name, number, pair, from) \
    static struct turbo_total name(const void *magnitudes, uint32_t rows, uint32_t limit) \
    { \
        typedef number part __attribute__((vector_size(VEC_BYTES))); \
        typedef pair pairs __attribute__((vector_size(VEC_BYTES))); \
        const part *magnitude = magnitudes, most = (part){0} + (number)limit; \
        part counts = {0}; \
        pairs sums = {0}; \
        sums64 both; \
        uint64_t total = 0; \
\
        for (uint32_t i = 0; i < rows * (TURBO_ROW / VEC_BYTES); i++) { \
            const part above = magnitude[i] > most; \
\
            sums += HALVES((pairs)(magnitude[i] & above), 8 * sizeof(number)); \
            counts -= above; \
        } \
        both = HALVES((sums64)from(sums), 32) + \
               (HALVES((sums64)from(HALVES((pairs)counts, 8 * sizeof(number))), 32) << 32); \
        for (unsigned i = 0; i < VEC_BYTES / sizeof total; i++) \
            total += both[i]; \
        return (struct turbo_total){(uint32_t)total, (uint32_t)(total >> 32)}; \
    }

ADD_UP(add_up_8, int8_t, uint16_t, FROM_16)
ADD_UP(add_up_16, int16_t, uint32_t, FROM_32)

/*
 * Magnitudes times gain, which has `point` bits behind the point, rounded, at most `most`; so that a
 * `product` holds it, those that would be more are made `most` before.
 */
#define QUANTISE(name, from, largest, point, number, product) \
    static void name(const void *restrict llrs, uint32_t n, uint32_t gain, int16_t most, \
                     void *restrict lanes) \
    { \
        const uint32_t least = (((uint32_t)most << (point)) + gain - 1) / gain; \
        const number limit = (number)(least < (largest) ? least : (largest)); \
        const number bound = most; \
        const product times = (product)gain; \
        const from *restrict llr = llrs; \
        lane *restrict to = lanes; \
\
        for (uint32_t i = 0; i < n; i++) { \
            const number sign = (number)(llr[i] >> (8 * sizeof(from) - 1)); \
            number m = (number)((llr[i] ^ sign) - sign); \
\
            m = m < limit ? m : limit; \
            m = (number)((product)(m * times + (1 << ((point)-1))) >> (point)); \
            m = m < bound ? m : bound; \
            to[i] = (lane)((m ^ sign) - sign); \
        } \
    }

#if LANE_BITS == 16
QUANTISE(quantise_8, int8_t, 127, 16, int32_t, uint32_t)
#else
QUANTISE(quantise_8, int8_t, 127, 8, int16_t, uint16_t)
#endif
QUANTISE(quantise_16, int16_t, 32767, 16, int32_t, uint32_t)

typedef float floats __attribute__((vector_size(VEC_BYTES)));
typedef int32_t float_bits __attribute__((vector_size(VEC_BYTES)));
typedef int16_t words_of_floats __attribute__((vector_size(VEC_BYTES / 2)));

/* Floats that are not negative, as integers in the same order: at most `most`. */
static inline __attribute__((always_inline)) float_bits at_most(float_bits x, float most)
{
    const float_bits limit = (float_bits)((floats){0} + most), over = x > limit;

    return (x & ~over) | (limit & over);
}

static inline __attribute__((always_inline)) words_of_floats words_of(floats llr, float scale)
{
    const float_bits infinite = (float_bits){0} + (255 << 23), sign = (float_bits)llr >> 31;
    float_bits x = (float_bits)llr & INT32_MAX;

    x = at_most(x & ~(x > infinite), FECRUN_LLR_MAX_F32);
    x = at_most((float_bits)((floats)x * scale), INT16_MAX);
    x = __builtin_convertvector((floats)x + 0.5f, float_bits);
    return __builtin_convertvector((x ^ sign) - sign, words_of_floats);
}

static void to_words(const float *restrict llr, uint32_t n, float scale, int16_t *restrict to)
{
    enum { FLOATS = sizeof(floats) / sizeof *llr };
    words_of_floats words;
    floats some = {0};
    uint32_t i = 0;

    for (; i + FLOATS <= n; i += FLOATS) {
        memcpy(&some, llr + i, sizeof some);
        words = words_of(some, scale);
        memcpy(to + i, &words, sizeof words);
    }
    memcpy(&some, llr + i, (n - i) * sizeof *llr);
    words = words_of(some, scale);
    memcpy(to + i, &words, (n - i) * sizeof *to);
}

/* Bits of n LLRs; a tie decides 0. */
static void decide(const void *restrict lanes, uint32_t n, bool packed, uint8_t *restrict to)
{
    const lane *restrict llr = lanes;
    uint32_t i = 0;

    for (; i < n && !packed; i++)
        to[i] = llr[i] < 0;
    for (; i + 64 <= n; i += 64)
        for (uint32_t at = 0; at < 64; at += VEC_BYTES)
            vec_i8_put_signs_first_high(to + (i + at) / 8, lane_bytes(llr + i + at));
    if (i < n)
        memset(to + i / 8, 0, (n - i + 7) / 8);
    for (; i < n; i++)
        to[i / 8] |= (uint8_t)((llr[i] < 0) << (7 - i % 8));
}
