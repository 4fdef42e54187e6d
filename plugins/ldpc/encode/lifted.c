/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Encoding by the structure of a lifted base graph: NR, Wi-Fi, WiMAX, qc files like them.
 *
 * A column's z bits lie twice in a row in 64-bit words, lane 0 in the lowest place, so that what an
 * edge of shift s takes, lanes s to s + z - 1 modulo z, is a shift by s.
 */
#include <fecrun/sdk/params.h>

#include "plugins/ldpc/encode.h"
#include "plugins/ldpc/encode/words.h"

/* Words of z bits, and of a column; one more is read with the last. */
static size_t lane_words(const struct ldpc_code *c)
{
    return (c->z + 63) / 64;
}

static size_t column_words(const struct ldpc_code *c)
{
    return 2 * lane_words(c) + 1;
}

size_t ldpc_scratch_lifted(const struct ldpc_encode *e)
{
    return (e->code->cols * column_words(e->code) + lane_words(e->code)) * sizeof(uint64_t);
}

struct columns {
    const struct ldpc_code *code;
    uint64_t *sum;  /* lane_words */
    uint64_t *word; /* column_words a column */
};

static uint64_t *column(const struct columns *s, uint32_t col)
{
    return s->word + col * column_words(s->code);
}

/* Adds the row's columns but one. */
static void add_row(const struct columns *s, uint32_t row, uint32_t but)
{
    const struct ldpc_code *c = s->code;

    for (uint32_t e = c->row_first[row]; e < c->row_first[row + 1]; e++)
        if (c->edge[e].col != but)
            words_add(s->sum, column(s, c->edge[e].col), c->edge[e].shift, lane_words(c));
}

/* The column of which an edge of that shift gives the sum, into it and into the word. */
static void finish_column(const struct columns *s, uint32_t col, uint32_t shift)
{
    uint32_t z = s->code->z;
    uint64_t *to = column(s, col);

    words_double(to, s->sum, z);
    if (shift) {
        memset(s->sum, 0, lane_words(s->code) * sizeof *s->sum);
        words_add(s->sum, to, z - shift, lane_words(s->code));
        words_double(to, s->sum, z);
    }
}

static void solve(const struct ldpc_encode *e, const struct columns *s)
{
    const struct ldpc_steps *steps = e->steps;
    size_t bytes = lane_words(e->code) * sizeof *s->sum;

    if (steps->sum_rows) {
        memset(s->sum, 0, bytes);
        for (uint32_t r = 0; r < steps->sum_rows; r++)
            for (uint32_t i = e->code->row_first[r]; i < e->code->row_first[r + 1]; i++)
                if (e->code->edge[i].col < steps->info_cols)
                    words_add(s->sum, column(s, e->code->edge[i].col), e->code->edge[i].shift,
                              lane_words(e->code));
        finish_column(s, steps->sum_col, steps->sum_shift);
    }
    for (uint32_t i = 0; i < steps->n; i++) {
        memset(s->sum, 0, bytes);
        add_row(s, steps->step[i].row, steps->step[i].col);
        finish_column(s, steps->step[i].col, steps->step[i].shift);
    }
}

/* Column g's information bits; those behind the last are zeros. */
static void put_info(const struct ldpc_encode *e, const struct columns *s, uint32_t g,
                     const uint8_t *in)
{
    uint64_t z = e->code->z, from = g * z;
    uint64_t left = e->bits > from ? e->bits - from : 0;

    memset(s->sum, 0, lane_words(e->code) * sizeof *s->sum);
    if (left)
        words_pack(s->sum, in + from, left < z ? left : z);
    words_double(column(s, g), s->sum, e->code->z);
}

/* Where all columns are sent, or all but the first ones, information goes as it is. */
static void put_out(const struct ldpc_encode *e, const struct columns *s, const uint8_t *in,
                    uint8_t *out)
{
    const struct ldpc_code *c = e->code;
    uint64_t info = e->bits - c->punctured;
    uint8_t *parity = out + c->k - c->punctured;

    memcpy(out, in + c->punctured, info);
    memset(out + info, 0, c->fillers);
    for (uint32_t col = e->steps->info_cols; col < c->cols; col++, parity += c->z)
        words_unpack(parity, column(s, col), c->z);
}

/* Some base columns are not in the word: `place` has whole ones. */
static void put_places(const struct ldpc_encode *e, const struct columns *s, uint8_t *out)
{
    const struct ldpc_code *c = e->code;

    for (uint32_t i = 0; i < c->n; i += c->z)
        words_unpack(out + i, column(s, c->place[i] / c->z), c->z);
}

void ldpc_encode_lifted(const struct ldpc_encode *e, const uint8_t *in, uint8_t *out, void *scratch)
{
    struct columns s = {.code = e->code, .sum = scratch};

    s.word = s.sum + lane_words(e->code);
    for (uint32_t g = 0; g < e->steps->info_cols; g++)
        put_info(e, &s, g, in);
    solve(e, &s);
    if (e->code->place)
        put_places(e, &s, out);
    else
        put_out(e, &s, in, out);
}
