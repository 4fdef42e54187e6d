/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The functions of the exact rule of checks, in double precision and in operations that round alike everywhere: one
 * number at a time in the reference, or one in each lane of a vector.
 *
 * Who includes this defines EXACT_LANES, the number of lanes, or does not, for one number.
 */
#include <fecrun/sdk/simd.h>
#include <stdint.h>
#include <string.h>

#ifdef EXACT_LANES
typedef double exact_real __attribute__((vector_size(8 * EXACT_LANES)));
typedef uint64_t exact_bits __attribute__((vector_size(8 * EXACT_LANES)));
#define exact_as_bits(x) ((exact_bits)(x))
#define exact_as_real(x) ((exact_real)(x))
#define exact_pick(mask, a, b) \
    exact_as_real(((exact_bits)(mask) & (exact_bits)(a)) | (~(exact_bits)(mask) & (exact_bits)(b)))
#else
typedef double exact_real;
typedef uint64_t exact_bits;
#define exact_pick(mask, a, b) ((mask) ? (a) : (b))

static inline exact_bits exact_as_bits(exact_real x)
{
    exact_bits bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline exact_real exact_as_real(exact_bits bits)
{
    exact_real x;

    memcpy(&x, &bits, sizeof x);
    return x;
}
#endif

/* ln 2 in two parts: products of the first one with whole numbers up to 2^11 are exact. */
#define EXACT_LN2 0x1.62e42feep-1
#define EXACT_LN2_REST 0x1.a39ef35793c76p-33
#define EXACT_PER_LN2 0x1.71547652b82fep0
/* Above this, exp_minus() is 0. */
#define EXACT_MOST 708.0

/* exp(-y) of y >= 0: 2^n times the series of exp(r), |r| <= ln(2) / 2. */
static FECRUN_ALWAYS_INLINE exact_real exact_exp_minus(exact_real y)
{
    const double whole = 0x1.8p52; /* added to a number, it rounds that to a whole one */
    static const double series[] = {1.0 / 6227020800,
                                    1.0 / 479001600,
                                    1.0 / 39916800,
                                    1.0 / 3628800,
                                    1.0 / 362880,
                                    1.0 / 40320,
                                    1.0 / 5040,
                                    1.0 / 720,
                                    1.0 / 120,
                                    1.0 / 24,
                                    1.0 / 6,
                                    0.5,
                                    1,
                                    1};
    const exact_real zero = y - y;
    const exact_real least = exact_pick(y < EXACT_MOST, -y, zero - EXACT_MOST);
    const exact_real shifted = least * EXACT_PER_LN2 + whole;
    const exact_real n = shifted - whole;
    const exact_real r = (least - n * EXACT_LN2) - n * EXACT_LN2_REST;
    exact_real sum = zero + series[0];

    for (unsigned i = 1; i < sizeof series / sizeof *series; i++)
        sum = sum * r + series[i];
    sum = exact_as_real(exact_as_bits(sum) + (exact_as_bits(shifted) << 52));
    return exact_pick(y < EXACT_MOST, sum, zero);
}

/*
 * -ln(x) of 0 < x <= 1, at most about 708: x = 2^k m with m from sqrt(1/2) to sqrt(2), and the series of
 * ln(m) = 2 artanh(s), s = (m - 1) / (m + 1).
 */
static FECRUN_ALWAYS_INLINE exact_real exact_minus_log(exact_real x)
{
    const uint64_t root_half = 0x3fe6a09e667f3bcd, one = 0x3ff0000000000000,
                   whole = 0x4330000000000000;                       /* of sqrt(1/2), 1, 2^52 */
    const exact_bits k = (exact_as_bits(x) - root_half + one) >> 52; /* and 1023 */
    const exact_real m = exact_as_real(exact_as_bits(x) - (k << 52) + one);
    const exact_real n = exact_as_real(k + whole) - (0x1p52 + 1023);
    const exact_real s = (m - 1) / (m + 1), z = s * s;
    exact_real sum = (z - z) + 1.0 / 21;

    for (int i = 19; i > 0; i -= 2)
        sum = sum * z + 1.0 / i;
    return (n * -EXACT_LN2) - (2 * s * sum + n * EXACT_LN2_REST);
}

/* With x = exp(-|q|), that of two edges together: no term cancels another. */
static FECRUN_ALWAYS_INLINE exact_real exact_join(exact_real x1, exact_real x2)
{
    return (x1 + x2) / (1 + x1 * x2);
}
