/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/polar/code/code.h"

#include <stdlib.h>
#include <string.h>

#include "plugins/common/words/words.h"

struct polar_code *polar_code_new(uint32_t stages, uint32_t k)
{
    const uint32_t n = 1u << stages;
    struct polar_code *code = malloc(sizeof *code + k * sizeof *code->position + n);

    if (!code)
        return NULL;
    *code = (struct polar_code){.n = n, .stages = stages, .k = k};
    code->position = (uint16_t *)(code + 1);
    code->kind = (uint8_t *)(code->position + k);
    memset(code->position, 0, k * sizeof *code->position);
    memset(code->kind, POLAR_FROZEN, n);
    return code;
}

static void transform_bytes(uint8_t *bits, uint32_t n)
{
    for (uint32_t half = 1; half < n; half *= 2)
        for (uint32_t first = 0; first < n; first += 2 * half)
            for (uint32_t i = first; i < first + half; i++)
                bits[i] ^= bits[i + half];
}

/* The first six stages, of 64 bits. */
static uint64_t transform_64(uint64_t x)
{
    x ^= x >> 1 & 0x5555555555555555;
    x ^= x >> 2 & 0x3333333333333333;
    x ^= x >> 4 & 0x0f0f0f0f0f0f0f0f;
    x ^= x >> 8 & 0x00ff00ff00ff00ff;
    x ^= x >> 16 & 0x0000ffff0000ffff;
    return x ^ x >> 32;
}

void polar_transform_words(uint64_t *word, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++)
        word[w] = transform_64(word[w]);
    for (uint32_t half = 1; half < words; half *= 2)
        for (uint32_t first = 0; first < words; first += 2 * half)
            for (uint32_t w = first; w < first + half; w++)
                word[w] ^= word[w + half];
}

void polar_transform(uint8_t *bits, uint32_t n)
{
    uint64_t word[POLAR_MOST_N / 64];

    if (n < 64) {
        transform_bytes(bits, n);
        return;
    }
    memset(word, 0, n / 8);
    words_pack(word, bits, n);
    polar_transform_words(word, n / 64);
    words_unpack(bits, word, n);
}

/* The standard's register of five bits, shifted in a circle, seen from each of its places. */
void polar_place(const struct polar_code *code, const uint8_t *message, uint8_t *u)
{
    uint8_t sum[POLAR_PARITY_DISTANCE] = {0};

    memset(u, 0, code->n);
    for (uint32_t i = 0; i < code->k; i++)
        u[code->position[i]] = message[i];
    for (uint32_t i = 0; i < code->n && code->parities; i++) {
        if (code->kind[i] == POLAR_PARITY)
            u[i] = sum[i % POLAR_PARITY_DISTANCE];
        else
            sum[i % POLAR_PARITY_DISTANCE] ^= u[i];
    }
}
