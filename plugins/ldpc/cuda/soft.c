/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/cuda/soft.h"

static void take_port(struct ldpc_soft_work *work, unsigned port, const struct fecrun_view *out,
                      uint64_t items, uint64_t first)
{
    if (!out)
        return;
    work->stride[port] = out->offset ? items * sizeof(float) : out->stride;
    work->to[port] = (float *)((char *)out->data +
                               (out->offset ? out->offset[first] : first * out->stride));
}

void ldpc_soft_take(struct ldpc_soft_work *work, const struct ldpc_decode *d,
                    const struct fecrun_view *in, struct fecrun_view *const out[],
                    const float *unit, uint64_t first)
{
    *work = (struct ldpc_soft_work){
        .unit = unit ? unit + first : NULL, .in_type = in->type, .n = d->code->n};
    work->in_stride = in->offset ? fecrun_bytes(in->type, d->code->n) : in->stride;
    work->in = (const char *)in->data + (in->offset ? in->offset[first] : first * in->stride);
    take_port(work, LDPC_SOFT_BITS, out[LDPC_OUT_LLR], d->bits, first);
    take_port(work, LDPC_SOFT_WORD, out[LDPC_OUT_CODE_LLR], d->code->n, first);
}
