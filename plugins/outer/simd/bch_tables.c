/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables of the vector code for BCH words, and division of what the vectors leave. */
#include "plugins/outer/simd/bch.h"

/* rest times x, modulo the generator. */
static void times_x(const struct bch_simd *s, uint64_t *rest)
{
    const uint32_t high = s->code->parity - 1;
    const bool out = rest[high / 64] >> high % 64 & 1;

    for (unsigned i = BCH_SIMD_WORDS; i-- > 1;)
        rest[i] = rest[i] << 1 | rest[i - 1] >> 63;
    rest[0] <<= 1;
    for (unsigned i = 0; i < BCH_SIMD_WORDS; i++)
        rest[i] = (rest[i] & s->top[i]) ^ (out ? s->generator[i] : 0);
}

/* rest times x^8, plus a byte, modulo the generator. */
static void add_byte(const struct bch_simd *s, uint64_t *rest, uint8_t byte)
{
    const uint32_t low = s->code->parity - 8, word = low / 64;
    uint64_t out = rest[word] >> low % 64;

    if (low % 64 > 56)
        out |= rest[word + 1] << (64 - low % 64);
    for (unsigned i = BCH_SIMD_WORDS; i-- > 1;)
        rest[i] = rest[i] << 8 | rest[i - 1] >> 56;
    rest[0] = rest[0] << 8 | byte;
    for (unsigned i = 0; i < BCH_SIMD_WORDS; i++)
        rest[i] = (rest[i] & s->top[i]) ^ s->byte[out & 255][i];
}

void bch_simd_remainder(const struct bch_simd *s, const uint8_t *bytes, size_t blocks,
                        uint64_t *rest)
{
    uint64_t all[4];

    s->kernels->divide(s, bytes, blocks, all);
    memset(rest, 0, BCH_SIMD_WORDS * sizeof *rest);
    for (unsigned i = 32; i-- > 0;)
        add_byte(s, rest, (uint8_t)(all[i / 8] >> 8 * (i % 8)));
}

void bch_simd_parity(const struct bch_simd *s, uint64_t *rest)
{
    for (uint32_t i = 0; i < s->code->parity / 8; i++)
        add_byte(s, rest, 0);
    for (uint32_t i = 0; i < s->code->parity % 8; i++)
        times_x(s, rest);
}

void bch_simd_terms(const struct bch_simd *s, const uint16_t *lambda, uint32_t j, uint8_t *low,
                    uint8_t *high)
{
    const struct gf *field = &s->code->field;
    uint16_t term = gf_mul(field, lambda[j], gf_power(field, -(int64_t)(s->code->n - 1) * j));
    const uint16_t step = gf_power(field, j);

    for (uint32_t i = 0; i < s->kernels->positions; i++) {
        low[i] = (uint8_t)term;
        high[i] = (uint8_t)(term >> 8);
        term = gf_mul(field, term, step);
    }
}

/* ---- Tables ---------------------------------------------------------------------------------- */

static void make_division(struct bch_simd *s)
{
    const uint32_t parity = s->code->parity;
    uint64_t rest[BCH_SIMD_WORDS] = {1};

    for (uint32_t i = 0; i < parity; i++) {
        s->generator[i / 64] |= (uint64_t)s->code->generator[i] << i % 64;
        s->top[i / 64] |= UINT64_C(1) << i % 64;
    }
    for (uint32_t power = 0; power <= 448; power++) {
        if (power >= 256 && power % 64 == 0)
            for (unsigned i = 0; i < BCH_SIMD_WORDS; i++)
                s->fold[i][(power - 256) / 64] = rest[i];
        times_x(s, rest);
    }
    for (unsigned b = 1; b < 256; b++) {
        const unsigned bit = 31u - (unsigned)__builtin_clz(b);

        memset(rest, 0, sizeof rest);
        memcpy(rest, s->generator, sizeof rest); /* x^parity */
        for (unsigned i = 0; i < bit; i++)
            times_x(s, rest);
        for (unsigned i = 0; i < BCH_SIMD_WORDS; i++)
            s->byte[b][i] = rest[i] ^ s->byte[b ^ 1u << bit][i];
    }
}

/* A factor of the field as matrices of bits: byte 7 - i has the bits that make bit i of the result. */
static void make_matrix(const struct bch_simd *s, uint16_t factor, uint64_t matrix[2][2])
{
    for (unsigned bit = 0; bit < s->code->m; bit++) {
        const uint16_t product = gf_mul(&s->code->field, factor, (uint16_t)(1u << bit));

        for (unsigned i = 0; i < 16; i++)
            matrix[i / 8][bit / 8] |= (uint64_t)(product >> i & 1) << (8 * (7 - i % 8) + bit % 8);
    }
}

static void make_nibbles(const struct bch_simd *s, uint16_t factor, uint8_t nibble[2][4][16])
{
    const uint32_t most = (1u << s->code->m) - 1;

    for (unsigned n = 0; n < 4; n++)
        for (unsigned u = 0; u < 16; u++) {
            const uint16_t product =
                gf_mul(&s->code->field, factor, (uint16_t)(u << 4 * n & most));

            nibble[0][n][u] = (uint8_t)product;
            nibble[1][n][u] = (uint8_t)(product >> 8);
        }
}

void bch_simd_tables(struct bch_simd *s)
{
    make_division(s);
    for (uint32_t j = 0; j <= s->code->t; j++) {
        const uint16_t factor = gf_power(&s->code->field, (int64_t)j * s->kernels->positions);

        make_matrix(s, factor, s->matrix[j]);
        make_nibbles(s, factor, s->nibble[j]);
    }
}
