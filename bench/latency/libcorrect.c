/* SPDX-License-Identifier: BSD-2-Clause */
/* libcorrect, its SSE decoder: any code; the tail is K - 1 zeros. Its symbols are bytes, 255 for a sure 1. */
#include "decoder.h"

#include <correct-sse.h>

struct state {
    correct_convolutional_sse *conv;
    uint8_t *symbols, *packed;
};

static void *create(int variant)
{
    struct state *s = get(sizeof *s);
    correct_convolutional_polynomial_t generators[4];
    const int outputs = row_number("outputs");

    (void)variant;
    if (!row_is("viterbi") || row_number("tail_biting"))
        return NULL;
    for (int i = 0; i < outputs; i++)
        generators[i] = (correct_convolutional_polynomial_t)row_reversed_generator(i);
    s->symbols = get((size_t)row.llrs);
    s->packed = get((size_t)row.bits / 8 + 8);
    s->conv = correct_convolutional_sse_create((size_t)outputs, (size_t)row_number("constraint_length"), generators);
    return s->conv ? s : NULL;
}

static void load(void *state, const int8_t *llrs, const uint8_t *bits)
{
    struct state *s = state;

    (void)bits;
    for (int i = 0; i < row.llrs; i++)
        s->symbols[i] = (uint8_t)(128 - llrs[i] * 127 / row.max);
}

static void decode(void *state)
{
    struct state *s = state;

    correct_convolutional_sse_decode_soft(s->conv, s->symbols, (size_t)row.llrs, s->packed);
}

static void store(void *state, uint8_t *bits)
{
    const struct state *s = state;

    for (int i = 0; i < row.bits; i++)
        bits[i] = s->packed[i / 8] >> (7 - i % 8) & 1;
}

const struct decoder decoders[] = {{"libcorrect", 0, create, load, decode, store}, {0}};
