/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Frames in and out, in plain loops that the compiler makes vectors of: those of the includer's
 * instruction set, which also says what a lane is (V_LANE) and sign_bits(): the signs of 64 lanes as a
 * word that is stored as eight bytes of bits, the first one highest.
 */

/*
 * Of n LLRs that are not 0; the smallest number is read as the next one. Sums of pieces fit `part`, so
 * that the compiler has short lanes.
 */
#define ADD_UP(name, from, magnitude, most, part) \
    static void name(const void *llrs, uint32_t n, uint32_t *sum, uint32_t *count) \
    { \
        const from *llr = llrs; \
\
        for (uint32_t first = 0; first < n; first += 256) { \
            const uint32_t last = n - first < 256 ? n : first + 256; \
            part s = 0, c = 0; \
\
            for (uint32_t i = first; i < last; i++) { \
                const magnitude u = (magnitude)(llr[i] < 0 ? -llr[i] : llr[i]); \
                const magnitude m = u < (most) ? u : (most); \
\
                s = (part)(s + m); \
                c = (part)(c + (m != 0)); \
            } \
            *sum += s; \
            *count += c; \
        } \
    }

ADD_UP(add_up_8, int8_t, uint8_t, 127, uint16_t)
ADD_UP(add_up_16, int16_t, uint16_t, 32767, uint32_t)

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
        V_LANE *restrict to = lanes; \
\
        for (uint32_t i = 0; i < n; i++) { \
            const number sign = (number)(llr[i] >> (8 * sizeof(from) - 1)); \
            number m = (number)((llr[i] ^ sign) - sign); \
\
            m = m < limit ? m : limit; \
            m = (number)((product)(m * times + (1 << ((point)-1))) >> (point)); \
            m = m < bound ? m : bound; \
            to[i] = (V_LANE)((m ^ sign) - sign); \
        } \
    }

#ifdef V_WORDS
QUANTISE(quantise_8, int8_t, 127, 16, int32_t, uint32_t)
#else
QUANTISE(quantise_8, int8_t, 127, 8, int16_t, uint16_t)
#endif
QUANTISE(quantise_16, int16_t, 32767, 16, int32_t, uint32_t)

/* Bits of n LLRs; a tie decides 0. */
static void decide(const void *restrict lanes, uint32_t n, bool packed, uint8_t *restrict to)
{
    const V_LANE *restrict llr = lanes;
    uint32_t i = 0;

    for (; i < n && !packed; i++)
        to[i] = llr[i] < 0;
    for (; i + 64 <= n; i += 64) {
        const uint64_t bits = sign_bits(llr + i);

        memcpy(to + i / 8, &bits, sizeof bits);
    }
    if (i < n)
        memset(to + i / 8, 0, (n - i + 7) / 8);
    for (; i < n; i++)
        to[i / 8] |= (uint8_t)((llr[i] < 0) << (7 - i % 8));
}
