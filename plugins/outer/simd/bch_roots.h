/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Chien's search in vectors. A template for files of one instruction set each, which say what a vector is:
 *
 *     BCH_POSITIONS            bits of the word in a vector, one a byte
 *     bch_vector, bch_load(), bch_xor()
 *     bch_zeros(low, high)     a bit for each position at which both bytes are 0
 *     bch_step()               to the next vector of positions
 */
static uint32_t roots(const struct bch_simd *s, const uint16_t *lambda, uint32_t degree,
                      uint32_t *at)
{
    struct bch_term term[BCH_MOST_T + 1];
    uint8_t low[BCH_POSITIONS], high[BCH_POSITIONS];
    uint32_t found = 0;

    for (uint32_t j = 0; j <= degree; j++) {
        bch_simd_terms(s, lambda, j, low, high);
        term[j] = (struct bch_term){bch_load(low), bch_load(high)};
    }
    for (uint32_t first = 0; first < s->code->n && found < degree; first += BCH_POSITIONS) {
        const uint32_t left = s->code->n - first;
        bch_vector sum = term[0].low, above = term[0].high;
        uint64_t zero;

        for (uint32_t j = 1; j <= degree; j++) {
            sum = bch_xor(sum, term[j].low);
            above = bch_xor(above, term[j].high);
            bch_step(s, j, &term[j]);
        }
        zero = bch_zeros(sum, above);
        zero &= left < BCH_POSITIONS ? (UINT64_C(1) << left) - 1 : UINT64_MAX;
        for (; zero && found < degree; zero &= zero - 1)
            at[found++] = first + (uint32_t)__builtin_ctzll(zero);
    }
    return found;
}

static void divide(const struct bch_simd *s, const uint8_t *bytes, size_t blocks, uint64_t *rest)
{
    bch_divide(s, bytes, blocks, rest);
}
