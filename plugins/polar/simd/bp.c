/* SPDX-License-Identifier: BSD-2-Clause */
/* Backend `simd` of polar.decode: 16 frames of belief propagation, until each is done. */
#include <fecrun/sdk/carve.h>

#include "plugins/polar/simd/simd.h"

size_t polar_simd_bp_carve(struct polar_bp *bp, const struct polar_decode *d, void *base)
{
    const size_t column = d->code->n * sizeof *bp->l, columns = d->code->stages + 1u;
    size_t used = 0;

    bp->l = fecrun_carve(base, &used, columns * column);
    bp->r = fecrun_carve(base, &used, columns * column);
    bp->x = fecrun_carve(base, &used, d->code->n * sizeof *bp->x);
    return used;
}

void polar_simd_bp_start(const struct polar_decode *d, struct polar_bp *bp, const void *const *from,
                         uint32_t type)
{
    const uint32_t n = d->code->n, last = d->code->stages * n;

    memset(bp->l, 0, (last + n) * sizeof *bp->l);
    memset(bp->r, 0, (last + n) * sizeof *bp->r);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t lane = 0; lane < POLAR_BP_LANES; lane++) {
            bp->l[last + i][lane] = (float)polar_llr(from[lane], type, i, d->limit);
            if (d->code->kind[i] == POLAR_FROZEN)
                bp->r[i][lane] = FECRUN_LLR_MAX_F32;
        }
}

static void decide(const struct polar_decode *d, const struct polar_bp *bp, uint32_t column,
                   polar_bits *bits)
{
    const size_t at = (size_t)column * d->code->n;

    for (uint32_t i = 0; i < d->code->n; i++) {
        bits[i] = 0;
        for (uint32_t lane = 0; lane < POLAR_BP_LANES; lane++)
            bits[i] |= (polar_bits)(bp->l[at + i][lane] + bp->r[at + i][lane] < 0) << lane;
    }
}

void polar_simd_bp_decide(const struct polar_decode *d, const struct polar_bp *bp, polar_bits *u)
{
    decide(d, bp, 0, u);
}

polar_bits polar_simd_bp_agree(const struct polar_decode *d, const struct polar_bp *bp,
                               const polar_bits *encoded)
{
    polar_bits wrong = 0;

    decide(d, bp, d->code->stages, bp->x);
    for (uint32_t i = 0; i < d->code->n; i++)
        wrong |= encoded[i] ^ bp->x[i];
    return ~wrong;
}
