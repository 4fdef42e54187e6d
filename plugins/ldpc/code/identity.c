/* SPDX-License-Identifier: BSD-2-Clause */
/* The identity of a code as text, on which an encoder and its decoder have to agree. */
#include <fecrun/sdk/stage.h>

#include "plugins/ldpc/code/params.h"

/* Steele, Lea, Flood: Fast splittable pseudorandom number generators (OOPSLA 2014), mix64. */
static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* Of the ones of a lifted row, in any order. */
static uint64_t digest_row(const struct ldpc_code *c, uint32_t row, uint32_t lane)
{
    uint64_t sum = 0;

    for (uint32_t e = c->row_first[row]; e < c->row_first[row + 1]; e++)
        if (c->edge[e].skip != lane)
            sum += mix((uint64_t)c->edge[e].col * c->z + (lane + c->edge[e].shift) % c->z + 1);
    return mix(sum);
}

/* The same for one matrix however it is written (a standard's name, alist, qc) and in whichever order
   its rows stand, if words and information bits lie in the same columns of it. */
uint64_t ldpc_digest(const struct ldpc_code *c)
{
    uint64_t matrix = 0, places = 0;

    for (uint32_t r = 0; r < c->rows; r++)
        for (uint32_t lane = 0; lane < c->z; lane++)
            matrix += digest_row(c, r, lane);
    for (uint32_t i = 0; i < c->n; i++)
        places = mix(places + ldpc_place(c, i) + 1);
    for (uint32_t i = 0; i < c->k; i++)
        places = mix(places + ldpc_info(c, i) + 1);
    return mix(matrix) + places;
}

void ldpc_identity(struct fecrun_plan *plan, const struct ldpc_code *c)
{
    if (c->family == LDPC_NR)
        fecrun_identity(plan, "base graph %u with z = %u and %u fillers", c->bg, c->z, c->fillers);
    else
        fecrun_identity(plan, "K = %u, N = %u, matrix %016llx", c->k, c->n,
                        (unsigned long long)(c->digest ? c->digest : ldpc_digest(c)));
}
