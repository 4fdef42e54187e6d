/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/polar/code/words.h"

#include <stdlib.h>
#include <string.h>

#include "plugins/common/words/words.h"

/* ---- Tables ---------------------------------------------------------------------------------- */

/* The masks of one word; `gone`: zeros below each bit, whose number says how far it moves. */
static void make_moves(struct polar_words *words, uint32_t w)
{
    uint64_t left = words->free[w], gone = ~left << 1;

    for (uint32_t i = 0; i < 6; i++) {
        uint64_t odd = gone;

        for (uint32_t shift = 1; shift < 64; shift *= 2)
            odd ^= odd << shift;
        words->move[i][w] = odd & left;
        left = (left ^ words->move[i][w]) | words->move[i][w] >> (1u << i);
        gone &= ~odd;
    }
    words->gathered[w] = (uint8_t)__builtin_popcountll(words->free[w]);
}

/* Ranks of the message's positions, if they are not in order. */
static void make_order(struct polar_words *words, const struct polar_code *code)
{
    bool in_order = true;

    for (uint32_t i = 1; i < code->k; i++)
        in_order &= code->position[i] > code->position[i - 1];
    for (uint32_t i = 0; i < code->k && !in_order; i++) {
        const uint32_t at = code->position[i];
        uint32_t rank = 0;

        for (uint32_t w = 0; w < at / 64; w++)
            rank += words->gathered[w];
        rank += (uint32_t)__builtin_popcountll(words->free[at / 64] &
                                               (((uint64_t)1 << at % 64) - 1));
        words->order[i] = (uint16_t)rank;
    }
    if (in_order)
        words->order = NULL;
}

static void make_crc(struct polar_words *words, const struct polar_crc *crc)
{
    const uint32_t polynomial = polar_words_reflect(crc->polynomial, crc->width);

    words->width = crc->width;
    words->start = polar_words_reflect(crc->start, crc->width);
    words->rest = polar_words_reflect(crc->rest, crc->width);
    for (uint32_t value = 0; value < 16; value++) {
        uint32_t state = value;

        for (uint32_t place = 16; place-- > 0;) {
            for (uint32_t b = 0; b < 4; b++)
                state = state >> 1 ^ (state & 1 ? polynomial : 0);
            words->nibble[place][value] = state;
        }
    }
}

uint32_t polar_words_reflect(uint32_t state, uint32_t width)
{
    uint32_t reflected = 0;

    for (uint32_t b = 0; b < width; b++)
        reflected |= (state >> b & 1) << (width - 1 - b);
    return reflected;
}

struct polar_words *polar_words_new(const struct polar_code *code, const struct polar_crc *crc)
{
    const uint32_t words_of = (code->n + 63) / 64;
    const uint32_t n = (words_of + POLAR_WORDS_STEP - 1) / POLAR_WORDS_STEP * POLAR_WORDS_STEP;
    struct polar_words *words = calloc(1, sizeof *words + 7 * n * sizeof(uint64_t) +
                                              code->k * sizeof *words->order + n);

    if (!words)
        return NULL;
    words->n = code->n;
    words->k = code->k;
    words->words = n;
    words->free = (uint64_t *)(words + 1);
    for (uint32_t i = 0; i < 6; i++)
        words->move[i] = words->free + (i + 1) * n;
    words->order = (uint16_t *)(words->free + 7 * n);
    words->gathered = (uint8_t *)(words->order + code->k);
    for (uint32_t i = 0; i < code->k; i++)
        words->free[code->position[i] / 64] |= (uint64_t)1 << code->position[i] % 64;
    for (uint32_t w = 0; w < n; w++)
        make_moves(words, w);
    make_order(words, code);
    if (crc->width)
        make_crc(words, crc);
    return words;
}

/* ---- Encoder --------------------------------------------------------------------------------- */

/* Each byte's bits the other way round. */
static uint64_t reversed_bytes(uint64_t w)
{
    w = (w >> 1 & 0x5555555555555555) | (w & 0x5555555555555555) << 1;
    w = (w >> 2 & 0x3333333333333333) | (w & 0x3333333333333333) << 2;
    return (w >> 4 & 0x0f0f0f0f0f0f0f0f) | (w & 0x0f0f0f0f0f0f0f0f) << 4;
}

/* The message's bits in the order of their positions. */
static void pack_message(const struct polar_words *words, const uint8_t *message, uint64_t *packed)
{
    if (!words->order) {
        words_pack(packed, message, words->k);
        return;
    }
    for (uint32_t i = 0; i < words->k; i++)
        packed[words->order[i] / 64] |= (uint64_t)(message[i] & 1) << words->order[i] % 64;
}

/* The lowest bits of x go to the free positions of word w. */
static uint64_t deposit(const struct polar_words *words, uint32_t w, uint64_t x)
{
    for (uint32_t i = 6; i-- > 0;) {
        const uint64_t move = words->move[i][w];

        x = (x & ~move) | (x << (1u << i) & move);
    }
    return x & words->free[w];
}

/* The same of a message whose bytes have their first bit on top. */
static void turn_message(const struct polar_words *words, const uint8_t *message, uint64_t *packed)
{
    const uint32_t bytes = (words->k + 7) / 8;

    for (uint32_t i = 0; i < words->k && words->order; i++)
        packed[words->order[i] / 64] |= (uint64_t)(message[i / 8] >> (7 - i % 8) & 1)
                                        << words->order[i] % 64;
    for (uint32_t at = 0; at < bytes && !words->order; at += 8) {
        uint64_t word = 0;

        memcpy(&word, message + at, bytes - at < 8 ? bytes - at : 8);
        packed[at / 8] = reversed_bytes(word);
    }
}

/* From the message's bits in the order of their positions to the word. */
static void encode(const struct polar_words *words, const uint64_t *packed, uint64_t *u)
{
    uint32_t at = 0;

    for (uint32_t w = 0; w < words->n / 64; w++) {
        const uint64_t low = packed[at / 64] >> at % 64, high = packed[at / 64 + 1] << 1;

        u[w] = words->gathered[w] ? deposit(words, w, low | high << (63 - at % 64)) : 0;
        at += words->gathered[w];
    }
    polar_transform_words(u, words->n / 64);
}

void polar_words_encode(const struct polar_words *words, const uint8_t *message, uint8_t *word)
{
    uint64_t packed[POLAR_MOST_N / 64 + 2], u[POLAR_MOST_N / 64];

    memset(packed, 0, (words->k / 64 + 2) * sizeof *packed);
    pack_message(words, message, packed);
    encode(words, packed, u);
    words_unpack(word, u, words->n);
}

void polar_words_encode_packed(const struct polar_words *words, const uint8_t *message,
                               uint8_t *word)
{
    uint64_t packed[POLAR_MOST_N / 64 + 2], u[POLAR_MOST_N / 64];

    memset(packed, 0, (words->k / 64 + 2) * sizeof *packed);
    turn_message(words, message, packed);
    encode(words, packed, u);
    polar_words_pack(u, words->n, word);
}

/* ---- Messages -------------------------------------------------------------------------------- */

void polar_words_reorder(const struct polar_words *words, const uint64_t *gathered,
                         uint64_t *message)
{
    for (uint32_t first = 0; first < words->k; first += 64) {
        const uint32_t n = words->k - first < 64 ? words->k - first : 64;
        uint64_t word = 0;

        for (uint32_t i = 0; i < n; i++) {
            const uint32_t from = words->order[first + i];

            word |= (gathered[from / 64] >> from % 64 & 1) << i;
        }
        message[first / 64] = word;
    }
}

/* A word whose bits end with the message's last one: zeros before them leave a register of 0. */
static uint32_t crc_of(const struct polar_words *words, uint64_t word)
{
    uint32_t state = 0;

    for (uint32_t place = 0; place < 16; place++)
        state ^= words->nibble[place][word >> (4 * place) & 15];
    return state;
}

uint32_t polar_words_crc(const struct polar_words *words, const uint64_t *message)
{
    const uint32_t whole = words->k / 64, left = words->k % 64;
    uint64_t state = words->start;

    for (uint32_t w = 0; w < whole; w++)
        state = crc_of(words, state ^ message[w]);
    if (left)
        state = state >> left ^ crc_of(words, (state ^ message[whole]) << (64 - left));
    return (uint32_t)state;
}

void polar_words_pack(const uint64_t *message, uint32_t k, uint8_t *to)
{
    for (uint32_t w = 0; w < k / 64; w++) {
        const uint64_t word = reversed_bytes(message[w]);

        memcpy(to + 8 * w, &word, 8);
    }
    if (k % 64) {
        const uint64_t word = reversed_bytes(message[k / 64] & (((uint64_t)1 << k % 64) - 1));

        memcpy(to + k / 64 * 8, &word, (k % 64 + 7) / 8);
    }
}
