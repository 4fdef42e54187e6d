/* SPDX-License-Identifier: BSD-2-Clause */
/* Errors in a code word: single bits, symbols, erasures, everything. */
#include "tools/check/check.h"

#include "tools/check/check_impl.h"

#include <stdlib.h>

unsigned check_wrong_bits(uint64_t frame)
{
    static const unsigned count[] = {0, 1, 1, 2, 2, 3, 4, 5, 6, 8, 12, 16};

    return count[frame % (sizeof count / sizeof *count)];
}

struct check_random check_places(uint64_t frame)
{
    return check_random_for(1, "places", frame);
}

unsigned check_erasures(uint64_t frame)
{
    return 2 * check_wrong_bits(frame);
}

/* Each kind of frame comes after each, and a good one first and last. */
enum check_mix check_mix_of(uint64_t frame)
{
    static const char order[] = "CHCFHHFCFFHCC";

    switch (order[frame % (sizeof order - 1)]) {
    case 'H':
        return CHECK_HOPELESS;
    case 'F':
        return CHECK_FEW;
    default:
        return CHECK_CLEAN;
    }
}

const char *check_mix_name(uint64_t frame)
{
    static const char *const names[] = {"clean", "slightly wrong", "hopelessly wrong"};

    return names[check_mix_of(frame)];
}

/* One bit, two, four and so on to a quarter or a half of all. */
static uint64_t level_of(uint64_t frame, uint64_t items)
{
    unsigned levels = 1;

    while ((uint64_t)2 << levels <= items)
        levels++;
    return (uint64_t)1 << frame % levels;
}

static void invert(int8_t *sign, uint64_t items, uint64_t n, struct check_random *random)
{
    for (; n; n--)
        sign[check_random_below(random, items)] *= -1;
}

static void invert_half(int8_t *sign, uint64_t items, struct check_random *random)
{
    for (uint64_t i = 0; i < items; i++)
        if (check_random(random) >> 63)
            sign[i] = -sign[i];
}

/* At least one bit of a symbol, the others as it comes; of every second frame one only. */
static void spoil_symbol(int8_t *sign, uint64_t items, bool one, struct check_random *random)
{
    const uint64_t sure = check_random_below(random, items);

    for (uint64_t i = 0; i < items; i++)
        if (i == sure || (!one && check_random(random) >> 63))
            sign[i] = -sign[i];
}

/* Floyd's choice of n of `all`: each set is as likely. */
static void choose(bool *chosen, uint64_t all, uint64_t n, struct check_random *random)
{
    for (uint64_t k = all - n; k < all; k++) {
        const uint64_t i = check_random_below(random, k + 1);

        chosen[chosen[i] ? k : i] = true;
    }
}

/* All that the decoder says it corrects; in every fourth frame fewer. */
static void spoil_limit(int8_t *sign, uint64_t items, const struct check_wish *wish, uint64_t frame,
                        struct check_random *random)
{
    const uint64_t given = wish->symbol_items ? wish->symbol_items : 1;
    const uint64_t size = given < items ? given : items;
    const uint64_t symbols = (items + size - 1) / size;
    uint64_t n = wish->corrects < symbols ? wish->corrects : symbols;
    bool *chosen = calloc(symbols, sizeof *chosen);

    if (frame % 4 == 3)
        n = check_random_below(random, n + 1);
    if (chosen)
        choose(chosen, symbols, n, random);
    for (uint64_t s = 0; chosen && s < symbols; s++)
        if (chosen[s])
            spoil_symbol(sign + s * size, s + 1 < symbols ? size : items - s * size, frame % 2,
                         random);
    free(chosen);
}

void check_spoil(int8_t *sign, const struct check_variant *v, enum check_pattern pattern,
                 uint64_t frame)
{
    struct check_random random = check_places(frame);
    const uint64_t items = v->in[0].items;

    switch (pattern) {
    case CHECK_ERASED:
        for (unsigned n = check_erasures(frame); n; n--)
            sign[check_random_below(&random, items)] = 0;
        invert(sign, items, check_wrong_bits(frame) / 4, &random);
        break;
    case CHECK_ERRORS:
        invert(sign, items, check_wrong_bits(frame), &random);
        break;
    case CHECK_LIMIT:
        spoil_limit(sign, items, &v->point->wish, frame, &random);
        break;
    case CHECK_LEVELS:
    case CHECK_DOUBTS:
        invert(sign, items, level_of(frame, items), &random);
        break;
    case CHECK_MIXED:
        if (check_mix_of(frame) == CHECK_FEW)
            invert(sign, items, 1 + frame % 2, &random);
        if (check_mix_of(frame) == CHECK_HOPELESS)
            invert_half(sign, items, &random);
        break;
    default:
        break;
    }
}
