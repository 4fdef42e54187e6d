/* SPDX-License-Identifier: BSD-2-Clause */
/* Symbols as LLRs, by the vectors that this machine has, against the header's words in whole numbers. */
#include "t/lib/tap.h"

#include "tools/libfec/soft.h"

enum { MOST = 700 };

static uint32_t word(void)
{
    static uint32_t z = 1;

    z ^= z << 13;
    z ^= z >> 17;
    return z ^= z << 5;
}

/* round(distance * factor / 256), half a unit up. */
static int rounded(int distance, int factor)
{
    int product = distance * factor + 128, floor = product / 256;

    return product < 0 && product % 256 ? floor - 1 : floor;
}

/* factor = 256 * 0.6 llr_max over the mean distance, half a unit up. */
static int wanted_factor(uint64_t sum, uint64_t said, int llr_max)
{
    const uint64_t factor = said ? (256 * 6 * (uint64_t)llr_max * said + 5 * sum) / (10 * sum)
                                 : FEC_MOST_FACTOR;

    return factor > FEC_MOST_FACTOR ? FEC_MOST_FACTOR : (int)factor;
}

static uint8_t symbol(unsigned round)
{
    if (round % 3 == 0)
        return (uint8_t)((word() & 1) * 255);
    return (uint8_t)(round % 3 == 1 ? word() >> 24 : 126 + word() % 5);
}

static void test_factor(void)
{
    uint8_t symbols[MOST];
    unsigned wrong = 0;

    for (unsigned round = 0; round < 300; round++) {
        const size_t count = word() % MOST;
        const int llr_max = 1 + (int)(word() % 127);
        uint64_t sum = 0, said = 0;
        for (size_t i = 0; i < count; i++) {
            int far;
            symbols[i] = symbol(round);
            far = symbols[i] > 128 ? symbols[i] - 128 : 128 - symbols[i];
            sum += (uint64_t)far;
            said += far > 1;
        }
        wrong += fec_soft_factor(symbols, count, llr_max) != wanted_factor(sum, said, llr_max);
    }
    is_int(wrong, 0, "the factor, frames of any size");
}

/* All 256 symbols, in all places of a vector. */
static void test_all(void)
{
    static const int most[] = {6, 9, 10, 127};
    uint8_t symbols[MOST];
    int8_t llrs[MOST + 1];
    unsigned wrong = 0, behind = 0;

    for (int factor = 0; factor <= FEC_MOST_FACTOR; factor++) {
        const int top = most[factor % 4];
        const size_t count = 512 + (size_t)(factor % 37);
        for (size_t i = 0; i < count; i++)
            symbols[i] = (uint8_t)(i + (size_t)factor);
        llrs[count] = 99;
        fec_soft_all(symbols, count, factor, top, llrs);
        for (size_t i = 0; i < count; i++) {
            int want = rounded(128 - symbols[i], factor);
            want = want > top ? top : want < -top ? -top : want;
            wrong += llrs[i] != want || fec_soft(symbols[i], factor, top) != want;
        }
        behind += llrs[count] != 99;
    }
    is_int(wrong, 0, "LLRs of all symbols");
    is_int(behind, 0, "none behind the last");
}

int main(void)
{
    test_factor();
    test_all();
    return done_testing();
}
