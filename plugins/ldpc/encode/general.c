/* SPDX-License-Identifier: BSD-2-Clause */
/* Encoding of matrices without structure: see struct ldpc_solution. */
#include <fecrun/sdk/params.h>
#include <stdlib.h>

#include "plugins/ldpc/encode.h"
#include "plugins/ldpc/encode/words.h"

size_t ldpc_scratch_general(const struct ldpc_encode *e)
{
    return e->code->solution->words * sizeof(uint64_t) + e->code->cols * e->code->z;
}

static uint8_t parity(const uint64_t *mask, const uint64_t *info, size_t n)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < n; i++)
        sum ^= mask[i] & info[i];
    return (uint8_t)__builtin_parityll(sum);
}

void ldpc_encode_general(const struct ldpc_encode *e, const uint8_t *in, uint8_t *out,
                         void *scratch)
{
    const struct ldpc_code *c = e->code;
    const struct ldpc_solution *s = c->solution;
    uint64_t *info = scratch;
    uint8_t *bit = (uint8_t *)(info + s->words); /* of all lifted columns */

    memset(info, 0, s->words * sizeof *info);
    words_pack(info, in, c->k);
    for (uint32_t i = 0; i < c->k; i++)
        bit[ldpc_info(c, i)] = in[i];
    for (uint32_t j = 0; j < s->n_dense; j++)
        bit[s->dense[j]] = parity(s->mask + (size_t)j * s->words, info, s->words);
    for (uint32_t i = 0; i < s->n_steps; i++) {
        uint8_t sum = 0;

        for (uint32_t t = s->first[i]; t < s->first[i + 1]; t++)
            sum ^= bit[s->term[t]];
        bit[s->result[i]] = sum;
    }
    for (uint32_t i = 0; i < c->n; i++)
        out[i] = bit[ldpc_place(c, i)];
}
