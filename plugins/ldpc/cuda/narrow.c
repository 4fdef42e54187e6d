/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/cuda/narrow.h"

#include <fecrun/sdk/cuda.h>

#ifdef FECRUN_CUDA

int ldpc_narrow_run(const struct ldpc_code *code, const struct fecrun_call *call,
                    const struct fecrun_view *in, struct fecrun_view *narrow,
                    struct fecrun_error *err)
{
    const uint32_t known = code->k - code->fillers, before = code->punctured;
    const struct ldpc_narrow_work work = {
        .in = (const char *)in->data + (in->offset ? in->offset[0] : 0),
        .out = call->scratch,
        .in_stride = in->offset ? fecrun_bytes(in->type, code->n) : in->stride,
        .out_stride = ldpc_narrow_stride(code->n),
        .in_type = in->type,
        .n = code->n,
        .known = known > before ? known - before : 0,
        .known_end = code->k - before};

    *narrow = (struct fecrun_view){.size = sizeof *narrow,
                                   .data = call->scratch,
                                   .type = FECRUN_I8,
                                   .frames = in->frames,
                                   .items = code->n,
                                   .stride = work.out_stride};
    return fecrun_cuda_check(err, "rounding LLRs",
                             ldpc_narrow_launch(&work, in->frames, call->stream));
}

#endif
