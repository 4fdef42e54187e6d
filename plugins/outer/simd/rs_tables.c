/* SPDX-License-Identifier: BSD-2-Clause */
/* The tables of the vector code for Reed-Solomon words. */
#include "plugins/outer/simd/rs.h"

#define AES 0x11b /* the field of the instruction gf2p8mulb */

static uint8_t aes_mul(uint8_t a, uint8_t b)
{
    uint32_t product = 0;

    for (unsigned i = 0; i < 8; i++)
        product ^= b >> i & 1 ? (uint32_t)a << i : 0;
    for (unsigned i = 15; i >= 8; i--)
        product ^= product >> i & 1 ? (uint32_t)AES << (i - 8) : 0;
    return (uint8_t)product;
}

/* Is the code's polynomial 0 at that element? */
static bool is_root(uint32_t polynomial, uint8_t element)
{
    uint8_t sum = 0;

    for (unsigned i = 9; i-- > 0;)
        sum = aes_mul(sum, element) ^ (polynomial >> i & 1);
    return sum == 0;
}

/*
 * All fields of 256 elements are one: where x goes to a root of the code's polynomial, sums go to sums and
 * products to products.
 */
static void make_image(struct rs_simd *s)
{
    uint8_t power[8] = {1};
    uint8_t x = 2;

    while (!is_root(s->code->polynomial, x))
        x++;
    for (unsigned i = 1; i < 8; i++)
        power[i] = aes_mul(power[i - 1], x);
    for (unsigned u = 0; u < 256; u++) {
        uint8_t sum = 0;

        for (unsigned i = 0; i < 8; i++)
            sum ^= u >> i & 1 ? power[i] : 0;
        s->image[u] = sum;
    }
}

static uint8_t from_sent(const struct rs_simd *s, unsigned symbol)
{
    return s->image[s->code->dual ? s->code->from_dual[symbol] : symbol];
}

static uint8_t to_sent(const struct rs_simd *s, unsigned form)
{
    return (uint8_t)rs_sent(s->code, s->back[form]);
}

/* The operand of gf2p8affineqb for a linear map: byte 7 - i has the bits that make bit i of the result. */
static uint64_t matrix_of(const struct rs_simd *s,
                          uint8_t (*map)(const struct rs_simd *s, unsigned u))
{
    uint64_t matrix = 0;

    for (unsigned bit = 0; bit < 8; bit++)
        for (unsigned i = 0; i < 8; i++)
            matrix |= (uint64_t)(map(s, 1u << bit) >> i & 1) << (8 * (7 - i) + bit);
    return matrix;
}

static void make_nibbles(struct rs_simd *s)
{
    const struct rs_code *code = s->code;
    const unsigned most = (1u << code->m) - 1;

    for (unsigned e = 0; e <= most; e++)
        for (unsigned u = 0; u < 16; u++) {
            s->nibble[e][u] = (uint8_t)gf_mul(&code->field, (uint16_t)e, (uint16_t)(u & most));
            s->nibble[e][16 + u] =
                (uint8_t)gf_mul(&code->field, (uint16_t)e, (uint16_t)(u << 4 & most));
        }
    for (unsigned u = 0; u < 16; u++) {
        s->in_nibble[u] = from_sent(s, u);
        s->in_nibble[16 + u] = from_sent(s, u << 4);
        s->out_nibble[u] = to_sent(s, u);
        s->out_nibble[16 + u] = to_sent(s, u << 4);
    }
}

/* A power of the field's base, in the kernels' form. */
static uint8_t form_power(const struct rs_simd *s, int64_t power)
{
    return s->image[gf_power(&s->code->field, power)];
}

static void make_powers(struct rs_simd *s)
{
    const struct rs_code *code = s->code;

    for (uint32_t i = 0; i < code->n; i++) {
        const int64_t log = code->n - 1 - i;

        for (uint32_t j = 0; j < code->parity; j++)
            s->weight[j][i] = form_power(s, log * ((int64_t)code->fcr + j));
        for (uint32_t j = 0; j <= code->parity; j++)
            s->inverse[j][i] = form_power(s, -log * j);
        s->forney[i] = form_power(s, -log * ((int64_t)code->fcr + code->parity));
    }
}

/* Level l of a pair of roots multiplies by their power of 16 >> l, the even root's in the lower half. */
static void make_folds(struct rs_simd *s)
{
    const struct rs_code *code = s->code;

    for (uint32_t j = 0; j < code->parity; j++) {
        const int64_t root = (int64_t)code->fcr + j;

        for (unsigned i = 0; i < RS_SIMD_N / 32; i++)
            memcpy(s->power[j][i], s->nibble[gf_power(&code->field, 32 * i * root)], 32);
        for (unsigned l = 0; l < 5; l++) {
            const uint8_t *from = s->nibble[gf_power(&code->field, (16 >> l) * root)];

            memcpy(s->fold[j / 2][l][0] + j % 2 * 16, from, 16);
            memcpy(s->fold[j / 2][l][1] + j % 2 * 16, from + 16, 16);
        }
    }
}

/* Rows a and b of both matrices: *b += factor a. */
static void add_row(const struct gf *field, uint16_t *b, const uint16_t *a, uint16_t factor,
                    uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        b[i] ^= gf_mul(field, factor, a[i]);
}

/* The inverse of the matrix that makes syndromes of parity symbols, by elimination. That one is a Vandermonde
 * matrix with scaled columns, whose leading minors are not 0: no rows are swapped. */
static void make_solve(struct rs_simd *s)
{
    const struct rs_code *code = s->code;
    const struct gf *field = &code->field;
    const uint32_t r = code->parity;
    uint16_t row[RS_SIMD_PARITY][2 * RS_SIMD_PARITY];

    memset(row, 0, sizeof row);
    for (uint32_t j = 0; j < r; j++) {
        for (uint32_t i = 0; i < r; i++)
            row[j][i] = gf_power(field, (int64_t)(r - 1 - i) * ((int64_t)code->fcr + j));
        row[j][r + j] = 1;
    }
    for (uint32_t p = 0; p < r; p++) {
        const uint16_t pivot = row[p][p];

        for (uint32_t i = 0; i < 2 * r; i++)
            row[p][i] = gf_div(field, row[p][i], pivot);
        for (uint32_t j = 0; j < r; j++)
            if (j != p)
                add_row(field, row[j], row[p], row[j][p], 2 * r);
    }
    for (uint32_t j = 0; j < r; j++)
        for (uint32_t i = 0; i < r; i++)
            s->solve[j][i] = s->image[row[i][r + j]];
}

void rs_simd_tables(struct rs_simd *s)
{
    for (unsigned u = 0; u < 256; u++)
        s->image[u] = (uint8_t)u;
    if (s->kernels == rs_kernels_gfni())
        make_image(s);
    for (unsigned u = 0; u < 256; u++)
        s->back[s->image[u]] = (uint8_t)u;
    s->in_matrix = matrix_of(s, from_sent);
    s->out_matrix = matrix_of(s, to_sent);
    make_nibbles(s);
    make_powers(s);
    make_folds(s);
    make_solve(s);
}
