/* SPDX-License-Identifier: BSD-2-Clause */
/* An ensemble of decoders by successive cancellation, each of the word in another order. */
#include "plugins/polar/ref/ref.h"

/* Sum of (1 - 2 x) LLR in the order of positions: the nearer, the larger. */
static double correlation(const float *llr, const uint8_t *x, uint32_t n)
{
    double sum = 0;

    for (uint32_t i = 0; i < n; i++)
        sum += (double)(x[i] ? -llr[i] : llr[i]);
    return sum;
}

void polar_ref_ensemble(const struct polar_decode *d, const struct polar_ref_tree *t,
                        const float *llr, uint8_t *x, uint8_t *message)
{
    const uint32_t n = d->code->n;
    uint8_t *best = x + n;
    double nearest = 0;
    bool best_holds = false;

    for (uint32_t m = 0; m < d->members; m++) {
        const uint16_t *from = d->permutation + (size_t)m * n;
        double sum;
        bool holds;

        for (uint32_t j = 0; j < n; j++)
            t->alpha[n + j] = llr[from[j]];
        polar_ref_sc(d, t);
        for (uint32_t j = 0; j < n; j++)
            x[from[j]] = t->beta[j];
        sum = correlation(llr, x, n);
        memcpy(t->beta, x, n);
        polar_message(d->code, x, message);
        holds = polar_crc_holds(&d->crc, message, d->code->k);
        if (m == 0 || holds > best_holds || (holds == best_holds && sum > nearest)) {
            memcpy(best, t->beta, n);
            best_holds = holds;
            nearest = sum;
        }
    }
    polar_message(d->code, best, message);
}
