/* SPDX-License-Identifier: BSD-2-Clause */
#include <fecrun/sdk/params.h>
#include <stdlib.h>

#include "plugins/polar/cuda/encode/block.h"
#include "plugins/polar/cuda/encode/launch.h"

/* See block.h. Move i shifts those bits whose number of empty positions below has bit i set. */
static void fill_moves(struct polar_encode_word *w)
{
    uint32_t to = w->message, empty = ~w->message << 1;

    for (unsigned i = 0; i < POLAR_ENCODE_MOVES; i++) {
        uint32_t odd = empty;

        for (unsigned shift = 1; shift < 32; shift *= 2)
            odd ^= odd << shift;
        w->move[i] = odd & to;
        to = (to ^ w->move[i]) | w->move[i] >> (1u << i);
        empty &= ~odd;
    }
}

static void fill_words(const struct polar_code *code, struct polar_encode_word *words)
{
    uint32_t at = 0;

    for (uint32_t w = 0; w < code->n / 32; w++) {
        words[w] = (struct polar_encode_word){.first = at};
        for (uint32_t b = 0; b < 32; b++)
            words[w].message |= (uint32_t)(code->kind[32 * w + b] == POLAR_MESSAGE) << b;
        at += (uint32_t)__builtin_popcount(words[w].message);
        fill_moves(&words[w]);
    }
}

/* Lists the message bits by their positions. Returns true if that is their own order. */
static bool fill_order(const struct polar_code *code, uint16_t *order, uint16_t *at_position)
{
    uint32_t rank = 0;
    bool in_order = true;

    for (uint32_t i = 0; i < code->k; i++)
        at_position[code->position[i]] = (uint16_t)i;
    for (uint32_t i = 0; i < code->n; i++)
        if (code->kind[i] == POLAR_MESSAGE) {
            in_order = in_order && at_position[i] == rank;
            order[rank++] = at_position[i];
        }
    return in_order;
}

/* Codes with parity bits have at most 25 bits in order. */
static void fill_parities(const struct polar_code *code, struct polar_encode_class *class)
{
    for (uint32_t i = 0; i < code->n && code->parities; i++) {
        uint32_t of = 0;

        if (code->kind[i] != POLAR_PARITY)
            continue;
        for (uint32_t b = 0; b < code->k; b++)
            of |= (uint32_t)polar_in_parity(code, i, code->position[b]) << b;
        class->parity_at[class->parities] = i;
        class->parity_of[class->parities++] = of;
    }
}

static uint32_t small_word(const struct polar_code *code, uint32_t number)
{
    uint8_t message[POLAR_SMALL_MOST_K], bits[POLAR_SMALL_N];
    uint32_t word = 0;

    for (uint32_t b = 0; b < code->k; b++)
        message[b] = number >> b & 1;
    polar_small_encode(code, message, bits);
    for (uint32_t i = 0; i < code->n; i++)
        word |= (uint32_t)bits[i] << i;
    return word;
}

static void fill_small(const struct polar_code *code, struct polar_encode_class *class)
{
    class->small_base = small_word(code, 0);
    for (uint32_t b = 0; b < code->k; b++)
        class->small_column[b] = small_word(code, 1u << b) ^ class->small_base;
}

/* Allocates the classes, followed by `words` words and `order` message bits. */
static int allocate(struct polar_encode_tables *tables, uint32_t n, size_t words, size_t order,
                    struct fecrun_error *err)
{
    tables->words = n * sizeof(struct polar_encode_class);
    tables->order = tables->words + words * sizeof(struct polar_encode_word);
    tables->bytes = tables->order + order * sizeof(uint16_t);
    tables->classes = calloc(1, tables->bytes);
    return tables->classes ? 0 : fecrun_no_memory(err);
}

int polar_encode_tables_make(struct polar_encode_tables *tables, void *const *codes, uint32_t n,
                             struct fecrun_error *err)
{
    uint16_t *at_position = malloc(POLAR_MOST_N * sizeof *at_position);
    uint32_t words = 0, order = 0;

    for (uint32_t i = 0; i < n; i++) {
        const struct polar_code *code = codes[i];

        words += code->small ? 0 : code->n / 32;
        order += code->small ? 0 : code->k;
    }
    if (!at_position || allocate(tables, n, words, order, err)) {
        free(at_position);
        return fecrun_no_memory(err);
    }
    words = order = 0;
    for (uint32_t i = 0; i < n; i++) {
        const struct polar_code *code = codes[i];
        struct polar_encode_class *class = &tables->classes[i];
        uint16_t *orders = (uint16_t *)(void *)((char *)tables->classes + tables->order) + order;

        *class = (struct polar_encode_class){
            .k = code->k, .n = code->n, .order = POLAR_ENCODE_IN_ORDER};
        if (code->small) {
            fill_small(code, class);
            continue;
        }
        class->words = code->n / 32;
        class->word = words;
        fill_words(code,
                   (struct polar_encode_word *)(void *)((char *)tables->classes + tables->words) +
                       words);
        if (!fill_order(code, orders, at_position))
            class->order = order;
        fill_parities(code, class);
        words += class->words;
        order += class->k;
    }
    free(at_position);
    return 0;
}
