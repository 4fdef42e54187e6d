/* SPDX-License-Identifier: BSD-2-Clause */
/* The distance between the decoded word and the received LLRs. */
#include <fecrun/sdk/bits.h>

#include "plugins/polar/code/small.h"
#include "plugins/polar/decode.h"

static double metric_of(const struct polar_decode *d, const void *row, uint32_t type,
                        const uint8_t *word)
{
    const struct polar_small *small = d->code->small;
    double metric = 0;

    for (uint32_t i = 0; i < d->code->n; i++) {
        const double llr = polar_llr(row, type, i, d->limit);

        if ((llr < 0) != word[i] && !(small && small->row[i] == 0))
            metric += llr < 0 ? -llr : llr;
    }
    return metric;
}

void polar_put_metrics(const struct polar_decode *d, const struct fecrun_view *in,
                       const struct fecrun_view *bits, const struct fecrun_view *metric,
                       uint8_t *word)
{
    uint8_t *message = word + d->code->n;

    for (uint64_t f = 0; f < in->frames; f++) {
        float value;

        if (bits->type == FECRUN_PACKED)
            fecrun_bits_unpack(message, fecrun_row(bits, f), d->code->k);
        else
            memcpy(message, fecrun_row(bits, f), d->code->k);
        if (d->code->small) {
            polar_small_encode(d->code, message, word);
        } else {
            polar_place(d->code, message, word);
            polar_transform(word, d->code->n);
        }
        value = (float)metric_of(d, fecrun_row(in, f), in->type, word);
        memcpy(fecrun_row(metric, f), &value, sizeof value);
    }
}
