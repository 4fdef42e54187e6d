/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * DVB-S2: the parity bits are running sums of the checks' information bits. In lanes, with S_t the
 * sum of base row t and P_t its parity column: P_t = P_(t-1) + S_t, and P_0 = S_0 + P_(q-1) one
 * lane later. So lane i of P_(q-1) is the sum of lanes 0 to i of all S_t.
 */
#include <fecrun/sdk/params.h>

#include "plugins/ldpc/encode.h"
#include "plugins/ldpc/encode/words.h"
#include "plugins/ldpc/code/standard/tables.h"

enum {
    Z = LDPC_DVBS2_Z,
    LANES = (Z + 63) / 64, /* words */
    COLUMN = 2 * LANES + 1,
};

size_t ldpc_scratch_dvbs2(const struct ldpc_encode *e)
{
    const struct ldpc_code *c = e->code;

    return (c->k / Z * COLUMN + (c->rows + 1) * LANES) * sizeof(uint64_t) + (size_t)c->rows * Z;
}

/* S_t of all rows, and their sum behind the last. */
static void sum_rows(const struct ldpc_code *c, const uint64_t *column, uint64_t *sum)
{
    uint64_t *all = sum + c->rows * LANES;

    memset(sum, 0, (c->rows + 1) * LANES * sizeof *sum);
    for (uint32_t t = 0; t < c->rows; t++) {
        uint64_t *to = sum + t * LANES;

        for (uint32_t e = c->row_first[t]; e < c->row_first[t + 1]; e++)
            if (c->edge[e].col < c->k / Z)
                words_add(to, column + c->edge[e].col * COLUMN, c->edge[e].shift, LANES);
        for (unsigned w = 0; w < LANES; w++)
            all[w] ^= to[w];
    }
}

/* Lane i becomes the sum of lanes 0 to i - 1: P_(q-1) one lane later. */
static void sum_lanes(uint64_t *lanes)
{
    uint64_t carry = 0;

    for (unsigned w = 0; w < LANES; w++) {
        uint64_t x = lanes[w];

        for (unsigned s = 1; s < 64; s *= 2)
            x ^= x << s;
        x ^= carry;
        lanes[w] = x << 1 | (carry & 1);
        carry = x >> 63 ? UINT64_MAX : 0;
    }
}

/* Out of rows of Z parity bits each into the standard's order, i q + t. */
static void put_parity(const uint8_t *row, uint32_t q, uint8_t *out)
{
    enum { BLOCK = 8 };

    for (uint32_t i = 0; i < Z; i += BLOCK)
        for (uint32_t t = 0; t < q; t++)
            for (uint32_t j = i; j < i + BLOCK; j++)
                out[j * q + t] = row[t * Z + j];
}

void ldpc_encode_dvbs2(const struct ldpc_encode *e, const uint8_t *in, uint8_t *out, void *scratch)
{
    const struct ldpc_code *c = e->code;
    uint32_t groups = c->k / Z;
    uint64_t *column = scratch, *sum = column + groups * COLUMN, *parity = sum + c->rows * LANES;
    uint8_t *bits = (uint8_t *)(parity + LANES);

    for (uint32_t g = 0; g < groups; g++) {
        uint64_t lanes[LANES] = {0};

        words_pack(lanes, in + g * Z, Z);
        words_double(column + g * COLUMN, lanes, Z);
    }
    sum_rows(c, column, sum);
    sum_lanes(parity);
    for (uint32_t t = 0; t < c->rows; t++) {
        for (unsigned w = 0; w < LANES; w++)
            parity[w] ^= sum[t * LANES + w];
        words_unpack(bits + t * Z, parity, Z);
    }
    memcpy(out, in, c->k);
    put_parity(bits, c->rows, out + c->k);
}
