/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The columns from the likeliest error on, in the reference's order: by LLR, and by number where it is equal. Often
 * only the first few are asked for, so they are sorted in parts, each of which is made when it is reached.
 */
#include <fecrun/sdk/carve.h>
#include <string.h>

enum { ORDER_BINS = 4096, ORDER_GROUP = 32, ORDER_FIRST = 128, ORDER_TIMES = 4 };

struct order {
    uint32_t n, taken; /* columns; those of parts before */
    uint32_t *
        key; /* of a column, and ORDER_GROUP of no meaning: as unsigned numbers these are in the order of LLRs */
    uint32_t *bin;          /* columns whose key has these highest 12 bits */
    uint32_t cut;           /* the next part begins with this bin */
    uint64_t *part, *other; /* n + 1 */
    uint32_t at, size;      /* of the part */
};

static size_t order_carve(struct order *o, uint32_t n, void *base)
{
    size_t used = 0;

    o->n = n;
    o->key = fecrun_carve(base, &used, ((size_t)n + ORDER_GROUP) * sizeof *o->key);
    o->bin = fecrun_carve(base, &used, ORDER_BINS * sizeof *o->bin);
    o->part = fecrun_carve(base, &used, ((size_t)n + 1) * sizeof *o->part);
    o->other = fecrun_carve(base, &used, ((size_t)n + 1) * sizeof *o->other);
    return used;
}

static inline uint32_t order_key(float llr)
{
    const float x = llr + 0.0F; /* -0 is 0 */
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits ^ (bits >> 31 ? UINT32_MAX : (uint32_t)1 << 31);
}

static void order_start(struct order *o, const float *llr)
{
    memset(o->bin, 0, ORDER_BINS * sizeof *o->bin);
    memset(o->key + o->n, 0, ORDER_GROUP * sizeof *o->key);
    for (uint32_t j = 0; j < o->n; j++)
        o->key[j] = order_key(llr[j]);
    for (uint32_t j = 0; j < o->n; j++)
        o->bin[o->key[j] >> 20]++;
    o->taken = o->at = o->size = o->cut = 0;
}

/* Sorts the part by keys, a byte after the other; equal ones stay in their order. */
static void order_sort(struct order *o)
{
    uint32_t place[4][256] = {{0}};

    for (uint32_t i = 0; i < o->size; i++)
        for (unsigned k = 0; k < 4; k++)
            place[k][o->part[i] >> (32 + 8 * k) & 255]++;
    for (unsigned k = 0; k < 4; k++) {
        uint64_t *const from = o->part;
        uint32_t sum = 0;

        if (place[k][from[0] >> (32 + 8 * k) & 255] == o->size)
            continue;
        for (unsigned b = 0; b < 256; b++) {
            const uint32_t here = place[k][b];

            place[k][b] = sum;
            sum += here;
        }
        for (uint32_t i = 0; i < o->size; i++)
            o->other[place[k][from[i] >> (32 + 8 * k) & 255]++] = from[i];
        o->part = o->other;
        o->other = from;
    }
}

/* Collects the columns with a key from `from` to `last`. Most groups have none in a small part. */
static void order_collect(const struct order *o, uint32_t from, uint32_t last)
{
    const uint32_t *restrict key = o->key;
    uint64_t *restrict part = o->part;
    uint32_t n = 0;

    for (uint32_t first = 0; first < o->n; first += ORDER_GROUP) {
        const uint32_t end = o->n - first < ORDER_GROUP ? o->n : first + ORDER_GROUP;
        uint32_t any = 0;

        for (uint32_t j = first; j < first + ORDER_GROUP; j++)
            any |= key[j] - from <= last - from;
        for (uint32_t j = first; any && j < end; j++) {
            part[n] = (uint64_t)key[j] << 32 | j;
            n += key[j] - from <= last - from;
        }
    }
}

static void order_next_part(struct order *o)
{
    const uint32_t wanted = o->taken ? ORDER_TIMES * o->taken : ORDER_FIRST, from = o->cut;
    uint32_t size = 0;

    while (o->cut < ORDER_BINS && size < wanted)
        size += o->bin[o->cut++];
    order_collect(o, from << 20, (o->cut << 20) - 1);
    o->size = size;
    o->at = 0;
    o->taken += size;
}

/* The next column: true, or false after the last one. */
static inline bool order_next(struct order *o, uint32_t *col)
{
    if (o->at == o->size) {
        if (o->taken == o->n)
            return false;
        order_next_part(o);
        order_sort(o);
    }
    *col = (uint32_t)o->part[o->at++];
    return true;
}
