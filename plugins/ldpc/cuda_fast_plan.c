/* SPDX-License-Identifier: BSD-2-Clause */
/* Which kernel in registers decodes a code, and how its lanes are filled. */
#include <fecrun/sdk/cuda.h>

#include "cuda_fast.h"

#ifdef FECRUN_CUDA

static uint32_t llrs_read(const struct ldpc_code *code, uint32_t rows)
{
    return (code->cols - code->rows + rows - 2) * code->z; /* 22 or 10 columns, two not sent */
}

/* Bytes of a frame in the staging area; pairs' LLRs in as many banks as may be. */
static uint32_t slot_of(const struct ldpc_code *code, uint32_t rows, uint32_t pairs)
{
    const uint32_t bytes = llrs_read(code, rows) + 2 * LDPC_FAST_ALIGN - 1;
    const uint32_t slot = bytes / LDPC_FAST_ALIGN * LDPC_FAST_ALIGN;

    return pairs > 1 && slot / LDPC_FAST_ALIGN % 2 == 0 ? slot + LDPC_FAST_ALIGN : slot;
}

static size_t shared_of(const struct ldpc_fast_kernel *kernel, const struct ldpc_code *code,
                        uint32_t rows)
{
    const uint32_t pairs = kernel->lanes / code->z;

    return kernel->shared + 2 * (size_t)pairs * slot_of(code, rows, pairs);
}

/* Of those that will do with the fewest rows the one for most code blocks; of these the first. */
static const struct ldpc_fast_kernel *find(const struct ldpc_fast_kernel *kernel,
                                           const struct ldpc_code *code, uint32_t rows,
                                           size_t most_shared)
{
    const struct ldpc_fast_kernel *best = NULL;
    const uint32_t z = code->z;

    for (; kernel->function; kernel++)
        if (kernel->rows >= rows && (!kernel->z || kernel->z == z) &&
            (!best || kernel->rows == best->rows) &&
            kernel->lanes / z > (best ? best->lanes / z : 0) &&
            shared_of(kernel, code, rows) <= most_shared)
            best = kernel;
    return best;
}

static const struct ldpc_fast_kernel *choose(const struct ldpc_code *code, uint32_t rows,
                                             size_t most_shared)
{
    const struct ldpc_fast_kernel *fixed =
        find(code->bg == 1 ? ldpc_fast_bg1_fixed : ldpc_fast_bg2_fixed, code, rows, most_shared);
    const struct ldpc_fast_kernel *any =
        find(code->bg == 1 ? ldpc_fast_bg1 : ldpc_fast_bg2, code, rows, most_shared);

    return fixed && (!any || fixed->rows <= any->rows) ? fixed : any;
}

const struct ldpc_fast_kernel *ldpc_fast_choose(const struct ldpc_code *code, uint32_t rows,
                                                size_t most_shared, struct ldpc_fast_work *work)
{
    const struct ldpc_fast_kernel *kernel = choose(code, rows, most_shared);

    if (!kernel)
        return NULL;
    memset(work, 0, sizeof *work);
    work->z = code->z;
    work->pairs = kernel->lanes / code->z;
    work->lanes = work->pairs * code->z;
    work->rows = rows;
    work->read = llrs_read(code, rows);
    work->slot = slot_of(code, rows, work->pairs);
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
