/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The internal interleaver of UMTS, TS 25.212 4.2.3.2.3. The block fills the rows of a rectangle. Each row, and then the
 * rows, are put into another order, and what comes out column by column, less what lies behind the block, is the second
 * encoder's input.
 */
#include "plugins/turbo/code/family.h"

enum { MOST_ROWS = 20, MOST_PRIME = 257, MOST_COLUMNS = MOST_PRIME + 1 };

struct rectangle {
    uint32_t rows, columns, prime, k;
    uint32_t power[MOST_PRIME]; /* s(j): of the primitive root */
    uint32_t step[MOST_ROWS];   /* q of each row before rows change places */
};

static int is_prime(uint32_t x)
{
    for (uint32_t d = 2; d * d <= x; d++)
        if (x % d == 0)
            return 0;
    return x > 1;
}

static uint32_t gcd(uint32_t a, uint32_t b)
{
    return b ? gcd(b, a % b) : a;
}

/* Powers of v modulo p up to the one that is 1 again; how many. */
static uint32_t fill_powers(struct rectangle *r, uint32_t v)
{
    uint32_t n = 0, x = 1;

    do {
        r->power[n++] = x;
        x = x * v % r->prime;
    } while (x != 1);
    return n;
}

static void choose_size(struct rectangle *r, uint32_t k)
{
    uint32_t p = 7;

    r->k = k;
    r->rows = k <= 159 ? 5 : k <= 200 || (k >= 481 && k <= 530) ? 10 : 20;
    if (k >= 481 && k <= 530) {
        r->prime = r->columns = 53;
        return;
    }
    while (!is_prime(p) || k > r->rows * (p + 1))
        p++;
    r->prime = p;
    r->columns = k <= r->rows * (p - 1) ? p - 1 : k <= r->rows * p ? p : p + 1;
}

/* The place that row i, which comes out in this turn, had before. */
static uint32_t row_before(const struct rectangle *r, uint32_t turn)
{
    static const uint8_t one[MOST_ROWS] = {19, 9,  14, 4,  0, 2, 5, 7,  12, 18,
                                           16, 13, 17, 15, 3, 1, 6, 11, 8,  10};
    static const uint8_t other[MOST_ROWS] = {19, 9, 14, 4,  0, 2, 5,  7, 12, 18,
                                             10, 8, 13, 17, 3, 1, 16, 6, 15, 11};
    const int special = (r->k >= 2281 && r->k <= 2480) || (r->k >= 3161 && r->k <= 3210);

    return r->rows < 20 ? r->rows - 1 - turn : special ? one[turn] : other[turn];
}

/* The least primitive root, and a prime for each row that has no divisor in common with p - 1. */
static void fill_tables(struct rectangle *r)
{
    uint32_t root = 2, q = 1;

    while (fill_powers(r, root) < r->prime - 1)
        root++;
    for (uint32_t i = 0; i < r->rows; i++) {
        r->step[row_before(r, i)] = q;
        for (q = q < 7 ? 7 : q + 1; !is_prime(q) || gcd(q, r->prime - 1) > 1;)
            q++;
    }
}

/* Column of row i that comes out in turn j. */
static uint32_t column_of(const struct rectangle *r, uint32_t i, uint32_t j)
{
    const uint32_t p = r->prime;
    const int swaps = r->columns == p + 1 && r->k == r->rows * r->columns && i + 1 == r->rows;

    if (swaps && (j == 0 || j == p))
        j = p - j;
    if (j == p)
        return p;
    if (j == p - 1)
        return 0;
    return r->power[j * r->step[i] % (p - 1)] - (r->columns == p - 1);
}

void turbo_umts_interleaver(uint32_t k, uint16_t *pi)
{
    struct rectangle r;
    uint32_t n = 0;

    choose_size(&r, k);
    fill_tables(&r);
    for (uint32_t j = 0; j < r.columns; j++)
        for (uint32_t turn = 0; turn < r.rows; turn++) {
            const uint32_t row = row_before(&r, turn);
            const uint32_t bit = row * r.columns + column_of(&r, row, j);

            if (bit < k)
                pi[n++] = (uint16_t)bit;
        }
}
