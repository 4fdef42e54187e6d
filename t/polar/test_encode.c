/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Words of 64 bits (plugins/common/words) and the encoder that works with them, against sums bit by bit: any
 * positions in any order, arrays at any address, bytes before and behind them that have to stay.
 */
#include "t/lib/tap.h"

#include "plugins/common/words/words.h"
#include "plugins/polar/code/words.h"
#include "t/polar/trial.h"

static uint32_t draw(uint32_t of)
{
    static uint32_t number;
    const struct fecrun_rng rng = {.seed = 23, .stage = 7};

    return fecrun_rng_block(&rng, 0, number++).v[0] % of;
}

static void check_words(void)
{
    uint8_t bits[64 + 400], back[64 + 400];
    unsigned wrong_pack = 0, wrong_unpack = 0;

    for (uint32_t n = 0; n <= 300; n++) {
        const uint32_t at = draw(64);
        uint64_t word[6] = {0};

        memset(back, 0xa5, sizeof back);
        for (uint32_t i = 0; i < sizeof bits; i++)
            bits[i] = (uint8_t)draw(2);
        words_pack(word, bits + at, n);
        for (uint32_t i = 0; i < 384; i++)
            wrong_pack += (word[i / 64] >> i % 64 & 1) != (i < n ? bits[at + i] : 0);
        words_unpack(back + at, word, n);
        for (uint32_t i = 0; i < sizeof back; i++)
            wrong_unpack += back[i] != (i >= at && i < at + n ? bits[i] : 0xa5);
    }
    is_int(wrong_pack, 0, "words_pack, 0 to 300 bits");
    is_int(wrong_unpack, 0, "words_unpack, 0 to 300 bits");
}

/* dense: of 8, how many positions are free; mixed: their order is drawn, too. */
static struct polar_code *draw_code(uint32_t stages, uint32_t dense, bool mixed)
{
    static uint16_t at[POLAR_MOST_N];
    const uint32_t n = 1u << stages;
    struct polar_code *code;
    uint32_t k = 0;

    for (uint32_t i = 0; i < n; i++)
        if (draw(8) < dense)
            at[k++] = (uint16_t)i;
    if (!k)
        at[k++] = (uint16_t)(n - 1);
    for (uint32_t i = k; mixed && i-- > 1;) {
        const uint32_t j = draw(i + 1);
        const uint16_t from = at[i];

        at[i] = at[j];
        at[j] = from;
    }
    code = polar_code_new(stages, k);
    if (!code)
        bail("out of memory");
    for (uint32_t i = 0; i < k; i++) {
        code->position[i] = at[i];
        code->kind[at[i]] = POLAR_MESSAGE;
    }
    return code;
}

/* Bit j of a word is the sum of the bits of u whose numbers have all ones of j. Up to 64 bits are summed up so. */
static unsigned encode_wrong(const struct polar_code *code)
{
    static uint8_t message[POLAR_MOST_N], u[POLAR_MOST_N], word[POLAR_MOST_N + 2];
    const struct polar_crc none = {0};
    struct polar_words *words = polar_words_new(code, &none);
    unsigned wrong = 0;

    if (!words)
        bail("out of memory");
    memset(u, 0, sizeof u);
    memset(word, 0xa5, sizeof word);
    for (uint32_t i = 0; i < code->k; i++)
        u[code->position[i]] = message[i] = (uint8_t)draw(2);
    polar_words_encode(words, message, word + 1);
    for (uint32_t t = 0; t < 64; t++) {
        const uint32_t j = draw(code->n);
        uint8_t sum = 0;

        for (uint32_t i = j; i < code->n; i = (i + 1) | j)
            sum ^= u[i];
        wrong += word[1 + j] != sum;
    }
    wrong += word[0] != 0xa5 || word[code->n + 1] != 0xa5;
    free(words);
    return wrong;
}

int main(void)
{
    check_words();
    for (uint32_t stages = 6; stages <= POLAR_MOST_STAGES; stages++) {
        unsigned wrong = 0;

        for (uint32_t trial = 0; trial < 18; trial++) {
            struct polar_code *code = draw_code(stages, trial % 9, trial >= 9);

            wrong += encode_wrong(code);
            free(code);
        }
        is_int(wrong, 0, "any positions in any order, N = %u", 1u << stages);
    }
    return done_testing();
}
