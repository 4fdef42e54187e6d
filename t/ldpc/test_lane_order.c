/* SPDX-License-Identifier: BSD-2-Clause */
/* The order of lanes that share bits, which the 8-bit decoders keep: plugins/ldpc/simd/order.h. */
#include "plugins/ldpc/simd/order.h"
#include "t/ldpc/random_code.h"

/* Has any of the row's bits two lanes of these? seen[]: a byte for each lifted column, 0. */
static bool share_bits(const struct ldpc_code *c, uint32_t row, const struct ldpc_group *group,
                       uint32_t groups, uint8_t *seen)
{
    bool twice = false;

    for (uint32_t clear = 0; clear < 2; clear++)
        for (uint32_t g = 0; g < groups; g++)
            for (uint32_t i = 0; i < LDPC_GROUP; i++)
                for (uint32_t e = c->row_first[row];
                     (group[g].lanes >> i & 1) && e < c->row_first[row + 1]; e++) {
                    const uint32_t lane = group[g].first + i;
                    uint8_t *bit = &seen[c->edge[e].col * c->z + (lane + c->edge[e].shift) % c->z];

                    twice |= !clear && *bit;
                    *bit = !clear;
                }
    return twice;
}

/* What the order of all rows' lanes breaks; *vectors: of two groups each. */
static uint32_t wrong_orders(const struct ldpc_code *c, uint32_t *vectors)
{
    struct ldpc_group *group = get((2 * (size_t)c->z + 2) * sizeof *group);
    uint8_t *seen = get((size_t)c->cols * c->z), *lanes = get(c->z);
    uint32_t wrong = 0;

    memset(seen, 0, (size_t)c->cols * c->z);
    *vectors = 0;
    for (uint32_t r = 0; r < c->rows; r++) {
        const uint32_t n = ldpc_order_lanes(c, r, group);

        wrong += n % 2 != 0 || n > 2 * c->z + 2;
        *vectors += n ? n / 2 : (c->z + 63) / 64;
        memset(lanes, n == 0, c->z);
        for (uint32_t g = 0; g < n; g++) {
            wrong += g % 2 == 0 && share_bits(c, r, group + g, 2, seen);
            for (uint32_t i = 0; i < LDPC_GROUP; i++)
                if (group[g].lanes >> i & 1 && group[g].first + i < c->z)
                    lanes[group[g].first + i]++;
                else
                    wrong += group[g].lanes >> i & 1;
        }
        for (uint32_t i = 0; i < c->z; i++)
            wrong += lanes[i] != 1;
        for (uint32_t e = c->row_first[r]; !n && e + 1 < c->row_first[r + 1]; e++)
            wrong += c->edge[e].col == c->edge[e + 1].col;
    }
    free(group);
    free(seen);
    free(lanes);
    return wrong;
}

static void test_lane_order(void)
{
    static const struct {
        const char *rate;
        bool is_short;
        uint32_t vectors; /* 6 a row, were there no twins */
    } cases[] = {{"9/10", false, 115}, {"8/9", false, 139}, {"1/2", false, 546},
                 {"8/9", true, 37},    {"5/6", true, 64},   {"3/4", true, 72}};
    uint32_t wrong = 0, vectors;

    for (uint32_t n = 0; n < tap_rounds(60); n++) {
        struct ldpc_code *c = random_code(1 + draw(n % 4 ? 300 : 40), 6, 1 + draw(12), true);

        wrong += wrong_orders(c, &vectors);
        random_code_free(c);
    }
    is_int(wrong, 0, "lanes of random rows: each once, those done at once share no bit");
    wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct wish wish = DVBS2(cases[i].is_short, cases[i].rate);
        struct fecrun_error err = {.size = sizeof err};
        struct ldpc_code *c = read_wish(&wish, &err);

        if (!c)
            bail("%s: %s", err.param, err.text);
        wrong += wrong_orders(c, &vectors);
        if (vectors != cases[i].vectors) {
            diag("DVB-S2 %s: %u vectors", cases[i].rate, vectors);
            wrong++;
        }
        ldpc_code_free(c);
    }
    is_int(wrong, 0, "lanes of DVB-S2: and in so few vectors");
}

int main(void)
{
    test_lane_order();
    return done_testing();
}
