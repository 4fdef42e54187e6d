/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/polar/code/ensemble.h"

#include <string.h>

/* ---- Blocks ---------------------------------------------------------------------------------- */

static bool is_free(const struct polar_code *code, uint32_t i)
{
    return code->kind[i] == POLAR_MESSAGE;
}

/* Bits `place` and `place + 1` of i change places. */
static uint32_t swapped(uint32_t i, uint32_t place)
{
    const uint32_t differ = (i >> place ^ i >> (place + 1)) & 1;

    return i ^ (differ << place | differ << (place + 1));
}

/* No frozen position is better than a free one: it is enough to look at neighbours. */
static bool keeps_order(const struct polar_code *code)
{
    for (uint32_t i = 0; i < code->n; i++)
        for (uint32_t place = 0; place < code->stages && is_free(code, i); place++) {
            if (!is_free(code, i | 1u << place))
                return false;
            if (place + 1 < code->stages && (i >> place & 3) == 1 &&
                !is_free(code, swapped(i, place)))
                return false;
        }
    return true;
}

static bool same_swapped(const struct polar_code *code, uint32_t place)
{
    for (uint32_t i = 0; i < code->n; i++)
        if (is_free(code, i) != is_free(code, swapped(i, place)))
            return false;
    return true;
}

uint32_t polar_blocks(const struct polar_code *code, uint32_t size[POLAR_MOST_STAGES])
{
    uint32_t blocks = 1;

    if (code->parities || !keeps_order(code))
        return 0;
    size[0] = 1;
    for (uint32_t place = 0; place + 1 < code->stages; place++)
        if (same_swapped(code, place))
            size[blocks - 1]++;
        else
            size[blocks++] = 1;
    return blocks;
}

uint32_t polar_ensemble_most(const struct polar_code *code)
{
    uint32_t size[POLAR_MOST_STAGES], most = 1;
    const uint32_t blocks = polar_blocks(code, size);

    for (uint32_t b = 0; b < blocks; b++)
        for (uint32_t s = b == 0 ? 3 : 2; s <= size[b] && most < POLAR_MOST_ENSEMBLE; s++)
            most *= (1u << s) - 1;
    return most < POLAR_MOST_ENSEMBLE ? most : POLAR_MOST_ENSEMBLE;
}

/* ---- Matrices -------------------------------------------------------------------------------- */

/* Columns, each a word of bits. */
struct matrix {
    uint16_t column[POLAR_MOST_STAGES];
};

static uint32_t highest(uint32_t x)
{
    return 31 - (uint32_t)__builtin_clz(x);
}

/*
 * What decides which decoder it is: each column without what those behind it span, whose highest bits it
 * then lacks. false: the columns depend on each other.
 */
static bool reduce(const struct matrix *a, uint32_t n, struct matrix *reduced)
{
    uint16_t of_pivot[POLAR_MOST_STAGES] = {0};

    for (uint32_t c = n; c-- > 0;) {
        uint32_t x = a->column[c];

        for (uint32_t bit = n; bit-- > 0;)
            if (x >> bit & 1 && of_pivot[bit])
                x ^= of_pivot[bit];
        if (!x)
            return false;
        of_pivot[highest(x)] = (uint16_t)x;
        reduced->column[c] = (uint16_t)x;
    }
    return true;
}

/* A fixed sequence: the ensemble is part of what is defined. */
static uint32_t draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*state >> 40);
}

static void draw_matrix(const uint32_t *size, uint32_t blocks, uint64_t *state, struct matrix *a)
{
    uint32_t first = 0;

    for (uint32_t b = 0; b < blocks; first += size[b++])
        for (uint32_t c = first; c < first + size[b]; c++)
            a->column[c] = (uint16_t)((draw(state) & ((1u << size[b]) - 1)) << first);
}

static void write_permutation(const struct matrix *a, uint32_t stages, uint16_t *permutation)
{
    for (uint32_t j = 0; j < 1u << stages; j++) {
        uint32_t to = 0;

        for (uint32_t c = 0; c < stages; c++)
            to ^= j >> c & 1 ? a->column[c] : 0;
        permutation[j] = (uint16_t)to;
    }
}

void polar_ensemble_make(const struct polar_code *code, uint32_t members, uint16_t *permutation)
{
    struct matrix a = {{0}}, seen[POLAR_MOST_ENSEMBLE] = {{{0}}}, now = {{0}};
    uint32_t size[POLAR_MOST_STAGES], blocks = polar_blocks(code, size), made = 0;
    uint64_t state = 1;

    for (uint32_t c = 0; c < code->stages; c++)
        a.column[c] = (uint16_t)(1u << c);
    while (made < members) {
        /* columns that do not count: the first one, or two of a lowest block of more than one */
        const uint32_t skip = blocks && size[0] > 1 ? 2 : 1;
        bool old = !reduce(&a, code->stages, &now);

        for (uint32_t m = 0; m < made && !old; m++)
            old = !memcmp(&seen[m].column[skip], &now.column[skip],
                          (code->stages - skip) * sizeof *now.column);
        if (!old) {
            seen[made] = now;
            write_permutation(&a, code->stages, permutation + (size_t)made++ * code->n);
        }
        draw_matrix(size, blocks, &state, &a);
    }
}
