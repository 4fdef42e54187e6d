/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/polar/code/code.h"

#include <stdlib.h>
#include <string.h>

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

void polar_transform(uint8_t *bits, uint32_t n)
{
    for (uint32_t half = 1; half < n; half *= 2)
        for (uint32_t first = 0; first < n; first += 2 * half)
            for (uint32_t i = first; i < first + half; i++)
                bits[i] ^= bits[i + half];
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
