/* SPDX-License-Identifier: BSD-2-Clause */
/* turbo.encode takes 64 bits at a time; the standard's registers, a bit at a time, give the same word. */
#include "t/lib/tap.h"

#include <string.h>

#include "plugins/turbo/encode.h"

static uint64_t random_state = 0x2545f4914f6cdd1d;

static uint32_t draw(uint32_t below)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 32) % below;
}

/*
 * One encoder of figure 5.1.3-2 of TS 36.212: parity[i] of input[i], i < k, then the three steps whose input is what
 * is fed back, x and z in turn to tail.
 */
static void encode_plain(const uint8_t *input, uint32_t k, uint8_t *parity, uint8_t *tail)
{
    unsigned d1 = 0, d2 = 0, d3 = 0;

    for (uint32_t i = 0; i < k + 3; i++) {
        const unsigned back = d2 ^ d3, x = i < k ? input[i] : back, fed = x ^ back,
                       z = fed ^ d1 ^ d3;

        if (i < k) {
            parity[i] = (uint8_t)z;
        } else {
            tail[2 * (i - k)] = (uint8_t)x;
            tail[2 * (i - k) + 1] = (uint8_t)z;
        }
        d3 = d2;
        d2 = d1;
        d1 = fed;
    }
}

/* 5.1.3.2.2: tails x z x z x z of the first encoder, then of the second, to d0 d1 d2 in turn from item k on. */
static void word_plain(const struct turbo_qpp *qpp, const uint8_t *block, uint8_t *word)
{
    const uint32_t k = qpp->k;
    uint8_t second[TURBO_MOST_K], tail[12];

    for (uint64_t i = 0; i < k; i++)
        second[i] = block[(qpp->f1 * i + qpp->f2 * i * i) % k];
    memcpy(word, block, k);
    encode_plain(block, k, word + k + 4, tail);
    encode_plain(second, k, word + 2 * (k + 4), tail + 6);
    for (uint32_t t = 0; t < 12; t++)
        word[t % 3 * (k + 4) + k + t / 3] = tail[t];
}

/* density: ones among 8 bits */
static void try(const struct turbo_qpp *qpp, uint32_t fillers, uint32_t density)
{
    static struct turbo_encode e;
    static uint8_t block[TURBO_MOST_K], want[3 * (TURBO_MOST_K + 4)], got[sizeof want];
    bool same;

    turbo_encode_make(&e, qpp, fillers);
    for (uint32_t i = 0; i < e.k; i++)
        block[i] = i >= fillers && draw(8) < density;
    word_plain(qpp, block, want);
    memset(got, 0xa5, sizeof got);
    turbo_encode_frame(&e, block + fillers, got);
    same = !memcmp(got, want, e.word);
    for (uint32_t i = e.word; i < sizeof got; i++)
        same &= got[i] == 0xa5;
    ok(same, "K = %u, %u fillers, %u of 8 bits are ones", e.k, fillers, density);
}

int main(void)
{
    static const uint32_t densities[] = {0, 1, 4, 8};

    for (uint32_t i = 0; i < TURBO_SIZES; i++)
        try(&turbo_qpp_table[i],
            i % 3 ? draw(turbo_qpp_table[i].k < 63 ? turbo_qpp_table[i].k : 63) : 0,
            densities[i % 4]);
    return done_testing();
}
