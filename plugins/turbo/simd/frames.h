/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Frames in and out, in plain loops that the compiler makes vectors of: those of the includer's
 * instruction set, which also says sign_bits(): the signs of 64 bytes as a word that is stored as
 * eight bytes of bits, the first one highest.
 */
static inline uint8_t magnitude(int8_t x)
{
    const uint8_t m = (uint8_t)(x < 0 ? -x : x);

    return m < 127 ? m : 127; /* -128 is read as -127 */
}

/* Of n LLRs that are not 0. Sums of pieces fit 16 bits, so that the compiler has short lanes. */
static void add_up(const int8_t *llr, uint32_t n, uint32_t *sum, uint32_t *count)
{
    for (uint32_t from = 0; from < n; from += 256) {
        const uint32_t to = n - from < 256 ? n : from + 256;
        uint16_t s = 0, c = 0;

        for (uint32_t i = from; i < to; i++) {
            const uint8_t m = magnitude(llr[i]);

            s = (uint16_t)(s + m);
            c = (uint16_t)(c + (m != 0));
        }
        *sum += s;
        *count += c;
    }
}

/*
 * Magnitudes times gain, rounded, at most `most`; so that 16 bits hold the product, those that
 * would be more are made `most` before.
 */
static void quantise(const int8_t *restrict llr, uint32_t n, uint32_t gain, int8_t most,
                     int8_t *restrict to)
{
    const uint32_t least = ((uint32_t)most * 256 + gain - 1) / gain;
    const int16_t limit = (int16_t)(least < 127 ? least : 127);
    const int16_t bound = most;
    const uint16_t times = (uint16_t)gain;

    for (uint32_t i = 0; i < n; i++) {
        const int16_t sign = (int16_t)(llr[i] >> 7);
        int16_t m = (int16_t)((llr[i] ^ sign) - sign);

        m = m < limit ? m : limit;
        m = (int16_t)((uint16_t)(m * times + 128) >> 8);
        m = m < bound ? m : bound;
        to[i] = (int8_t)((m ^ sign) - sign);
    }
}

/* Bits of n LLRs; a tie decides 0. */
static void decide(const int8_t *restrict llr, uint32_t n, bool packed, uint8_t *restrict to)
{
    uint32_t i = 0;

    for (; i < n && !packed; i++)
        to[i] = (uint8_t)llr[i] >> 7;
    for (; i + 64 <= n; i += 64) {
        const uint64_t bits = sign_bits(llr + i);

        memcpy(to + i / 8, &bits, sizeof bits);
    }
    if (i < n)
        memset(to + i / 8, 0, (n - i + 7) / 8);
    for (; i < n; i++)
        to[i / 8] |= (uint8_t)(((uint8_t)llr[i] >> 7) << (7 - i % 8));
}
