/* SPDX-License-Identifier: BSD-2-Clause */
/* libfec: K = 7 and 9, rate 1/2. Its symbols are bytes, 255 for a sure 1. */
#include "decoder.h"

#include <fec.h>

struct state {
    void *vp;
    uint8_t *symbols, *packed;
};

static void *create(int variant)
{
    struct state *s = get(sizeof *s);
    int generators[2];

    if (!row_is("viterbi") || row_number("tail_biting") || row_number("outputs") != 2 ||
        row_number("constraint_length") != variant)
        return NULL;
    for (int i = 0; i < 2; i++)
        generators[i] = row_reversed_generator(i);
    s->symbols = get((size_t)row.llrs);
    s->packed = get((size_t)row.bits / 8 + 1);
    if (variant == 7) {
        set_viterbi27_polynomial(generators);
        s->vp = create_viterbi27(row.bits);
    } else {
        set_viterbi29_polynomial(generators);
        s->vp = create_viterbi29(row.bits);
    }
    return s->vp ? s : NULL;
}

static void load(void *state, const int8_t *llrs, const uint8_t *bits)
{
    struct state *s = state;

    (void)bits;
    for (int i = 0; i < row.llrs; i++)
        s->symbols[i] = (uint8_t)(128 - llrs[i] * 127 / row.max);
}

static void decode7(void *state)
{
    struct state *s = state;

    init_viterbi27(s->vp, 0);
    update_viterbi27_blk(s->vp, s->symbols, row.bits + 6);
    chainback_viterbi27(s->vp, s->packed, (unsigned)row.bits, 0);
}

static void decode9(void *state)
{
    struct state *s = state;

    init_viterbi29(s->vp, 0);
    update_viterbi29_blk(s->vp, s->symbols, row.bits + 8);
    chainback_viterbi29(s->vp, s->packed, (unsigned)row.bits, 0);
}

static void store(void *state, uint8_t *bits)
{
    const struct state *s = state;

    for (int i = 0; i < row.bits; i++)
        bits[i] = s->packed[i / 8] >> (7 - i % 8) & 1;
}

const struct decoder decoders[] = {
    {"libfec", 7, create, load, decode7, store},
    {"libfec", 9, create, load, decode9, store},
    {0},
};
