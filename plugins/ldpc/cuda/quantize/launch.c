/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/cuda/quantize/launch.h"

#include <fecrun/sdk/cuda.h>

#ifdef FECRUN_CUDA

int ldpc_quantize_run(const struct ldpc_code *code, const struct fecrun_view *in,
                      const struct fecrun_view *narrow, float *unit, uint64_t first, uint64_t n,
                      void *stream, struct fecrun_error *err)
{
    const uint32_t known = code->k - code->fillers, before = code->punctured;
    const struct ldpc_quantize_work work = {
        .in = (const char *)in->data + (in->offset ? in->offset[first] : first * in->stride),
        .out = (int8_t *)narrow->data + first * narrow->stride,
        .unit = unit ? unit + first : NULL,
        .in_stride = in->offset ? fecrun_bytes(in->type, code->n) : in->stride,
        .out_stride = narrow->stride,
        .frames = n,
        .in_type = in->type,
        .n = code->n,
        .known = known > before ? known - before : 0,
        .known_end = code->k - before};

    return fecrun_cuda_check(err, "rounding LLRs", ldpc_quantize_launch(&work, stream));
}

#endif
