/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * As lifted.c, for z up to 64: Wi-Fi, WiMAX, NR's short blocks. A column is one word, lane 0 in the
 * lowest place, and what an edge of shift s takes is that word turned by s.
 */
#include <fecrun/sdk/params.h>

#include "plugins/ldpc/encode.h"
#include "plugins/ldpc/encode/words.h"

/* All columns, and the input's bits one after the other, read a word beyond. */
size_t ldpc_scratch_small(const struct ldpc_encode *e)
{
    return (e->code->cols + e->code->k / 64 + 2) * sizeof(uint64_t);
}

static uint64_t ones(uint32_t z)
{
    return UINT64_MAX >> (64 - z);
}

/* Lanes s, s + 1, ... modulo z; above the z-th place something else. */
static uint64_t turn(uint64_t column, uint32_t s, uint32_t z)
{
    return column >> s | column << 1 << (z - 1 - s);
}

/* What edges add up to; columns that are not known yet are 0. */
static uint64_t add_edges(const struct ldpc_code *c, const uint64_t *column, uint32_t from,
                          uint32_t to)
{
    uint64_t sum = 0;

    for (uint32_t e = from; e < to; e++)
        sum ^= turn(column[c->edge[e].col], c->edge[e].shift, c->z);
    return sum & ones(c->z);
}

/* The column of which an edge of that shift gives the sum. */
static uint64_t undo(uint64_t sum, uint32_t shift, uint32_t z)
{
    return shift ? turn(sum, z - shift, z) & ones(z) : sum;
}

static void solve(const struct ldpc_encode *e, uint64_t *column)
{
    const struct ldpc_code *c = e->code;
    const struct ldpc_steps *steps = e->steps;
    uint64_t sum;

    memset(column + steps->info_cols, 0, (c->cols - steps->info_cols) * sizeof *column);
    if (steps->sum_rows) {
        sum = add_edges(c, column, 0, c->row_first[steps->sum_rows]);
        column[steps->sum_col] = undo(sum, steps->sum_shift, c->z);
    }
    for (uint32_t i = 0; i < steps->n; i++) {
        const struct ldpc_step *step = &steps->step[i];
        sum = add_edges(c, column, c->row_first[step->row], c->row_first[step->row + 1]);
        column[step->col] = undo(sum, step->shift, c->z);
    }
}

/* Information columns; fillers, and what else is behind the last bit, are zeros. */
static void put_info(const struct ldpc_encode *e, const uint8_t *in, uint64_t *column,
                     uint64_t *bits)
{
    const uint32_t z = e->code->z;

    memset(bits, 0, (e->code->k / 64 + 2) * sizeof *bits);
    words_pack(bits, in, e->bits);
    for (uint32_t g = 0; g < e->steps->info_cols; g++) {
        const uint64_t *at = bits + (size_t)g * z / 64;
        const unsigned s = g * z % 64;
        column[g] = (at[0] >> s | at[1] << 1 << (63 - s)) & ones(z);
    }
}

void ldpc_encode_small(const struct ldpc_encode *e, const uint8_t *in, uint8_t *out, void *scratch)
{
    const struct ldpc_code *c = e->code;
    uint64_t *column = scratch;
    uint8_t *parity = out + c->k - c->punctured;

    put_info(e, in, column, column + c->cols);
    solve(e, column);
    for (uint32_t i = 0; c->place && i < c->n; i += c->z) /* whole base columns */
        words_unpack(out + i, &column[c->place[i] / c->z], c->z);
    if (c->place)
        return;
    memcpy(out, in + c->punctured, e->bits - c->punctured);
    memset(out + e->bits - c->punctured, 0, c->fillers);
    for (uint32_t col = e->steps->info_cols; col < c->cols; col++, parity += c->z)
        words_unpack(parity, &column[col], c->z);
}
