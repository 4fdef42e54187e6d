/* SPDX-License-Identifier: BSD-2-Clause */
/* Which kernel in registers decodes a code, and how its lanes are filled. */
#include <fecrun/sdk/cuda.h>

#include "cuda_fast.h"

#ifdef FECRUN_CUDA

static const struct ldpc_fast_kernel *find(const struct ldpc_fast_kernel *kernel, uint32_t rows,
                                           uint32_t lanes)
{
    for (; kernel->function; kernel++)
        if (kernel->rows >= rows && kernel->lanes >= lanes)
            return kernel;
    return NULL;
}

const struct ldpc_fast_kernel *ldpc_fast_choose(const struct ldpc_code *code, uint32_t rows,
                                                struct ldpc_fast_work *work)
{
    const uint32_t z = code->z, lanes = LDPC_FAST_LANES / z * z;
    const struct ldpc_fast_kernel *kernel =
        z == LDPC_FAST_LANES
            ? find(code->bg == 1 ? ldpc_fast_bg1_384 : ldpc_fast_bg2_384, rows, lanes)
            : find(code->bg == 1 ? ldpc_fast_bg1 : ldpc_fast_bg2, rows, lanes);

    if (!kernel)
        return NULL;
    memset(work, 0, sizeof *work);
    work->z = z;
    work->pairs = LDPC_FAST_LANES / z;
    work->lanes = lanes;
    work->rows = rows;
    work->read = (code->cols - code->rows + rows - 2) * z; /* 22 or 10 columns, two not sent */
    work->slot = (work->read + 2 * LDPC_FAST_ALIGN - 1) / LDPC_FAST_ALIGN * LDPC_FAST_ALIGN;
    if (work->pairs > 1 && work->slot / LDPC_FAST_ALIGN % 2 == 0)
        work->slot += LDPC_FAST_ALIGN; /* pairs' LLRs in as many banks as may be */
    work->k = code->k;
    work->bits = code->k - code->fillers;
    work->one = 1;
    work->wrap = 0u - 4 * work->lanes;
    kernel->set(work, code);
    return kernel;
}

size_t ldpc_fast_shared(const struct ldpc_fast_kernel *kernel, const struct ldpc_fast_work *work)
{
    return kernel->shared + 2 * (size_t)work->pairs * work->slot;
}

#endif
