/* SPDX-License-Identifier: BSD-2-Clause */
/* Which kernel in registers decodes a code, how its lanes are filled, and what it is told. */
#include <math.h>
#include <string.h>

#include "plugins/ldpc/cuda/registers.h"
#include "plugins/ldpc/decode.h"

#if defined FECRUN_CUDA || defined LDPC_REGISTERS_EMULATED /* where there are kernels */

/* Of base graphs 1 and 2 with any lifting size, then with one: fewest rows first. */
static const struct ldpc_registers_kernel *const tables[2][2][8] = {
    {{ldpc_registers_bg1_9, ldpc_registers_bg1_18, ldpc_registers_bg1_24, ldpc_registers_bg1_34,
      ldpc_registers_bg1_46_256, ldpc_registers_bg1_46_352, ldpc_registers_bg1_46_384},
     {ldpc_registers_bg1_fixed_18, ldpc_registers_bg1_fixed_34, ldpc_registers_bg1_fixed_46}},
    {{ldpc_registers_bg2_20, ldpc_registers_bg2_42}, {ldpc_registers_bg2_fixed}},
};

static uint32_t llrs_read(const struct ldpc_code *code, uint32_t rows)
{
    return (code->cols - code->rows + rows - 2) * code->z; /* 22 or 10 columns, two not sent */
}

/* Bytes of a frame in the staging area; pairs' LLRs in as many banks as may be. */
static uint32_t slot_of(const struct ldpc_code *code, uint32_t rows, uint32_t pairs)
{
    const uint32_t bytes = llrs_read(code, rows) + 2 * LDPC_REGISTERS_ALIGN - 1;
    const uint32_t slot = bytes / LDPC_REGISTERS_ALIGN * LDPC_REGISTERS_ALIGN;

    return pairs > 1 && slot / LDPC_REGISTERS_ALIGN % 2 == 0 ? slot + LDPC_REGISTERS_ALIGN : slot;
}

static size_t shared_of(const struct ldpc_registers_kernel *kernel, uint32_t pairs, uint32_t slot)
{
    return kernel->shared + 2 * (size_t)pairs * slot;
}

/* Of those that will do with the fewest rows the one for most code blocks; of these the first. */
static const struct ldpc_registers_kernel *find(const struct ldpc_registers_kernel *const *table,
                                                const struct ldpc_code *code, uint32_t rows,
                                                size_t most_shared)
{
    const struct ldpc_registers_kernel *best = NULL;
    uint32_t most_pairs = 0;

    for (; *table; table++)
        for (const struct ldpc_registers_kernel *kernel = *table; kernel->function; kernel++) {
            const uint32_t pairs = kernel->lanes / code->z;

            if (kernel->rows < rows || (kernel->z && kernel->z != code->z) ||
                (best && kernel->rows > best->rows) || pairs <= most_pairs ||
                shared_of(kernel, pairs, slot_of(code, rows, pairs)) > most_shared)
                continue;
            best = kernel;
            most_pairs = pairs;
        }
    return best;
}

static const struct ldpc_registers_kernel *choose(const struct ldpc_code *code, uint32_t rows,
                                                  size_t most_shared)
{
    const struct ldpc_registers_kernel *fixed = find(tables[code->bg - 1][1], code, rows,
                                                     most_shared);
    const struct ldpc_registers_kernel *any = find(tables[code->bg - 1][0], code, rows,
                                                   most_shared);

    return fixed && (!any || fixed->rows <= any->rows) ? fixed : any;
}

const struct ldpc_registers_kernel *ldpc_registers_choose(const struct ldpc_code *code,
                                                          uint32_t rows, size_t most_shared,
                                                          struct ldpc_registers_work *work)
{
    const struct ldpc_registers_kernel *kernel = choose(code, rows, most_shared);

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

size_t ldpc_registers_shared(const struct ldpc_registers_kernel *kernel,
                             const struct ldpc_registers_work *work)
{
    return shared_of(kernel, work->pairs, work->slot);
}

/* alpha as a half. The schema's 0.05 and more are normal ones. */
static uint32_t half_of(double alpha)
{
    int exponent;
    const double mantissa = frexp(alpha, &exponent);                  /* 0.5..1 */
    const uint32_t digits = (uint32_t)nearbyint(ldexp(mantissa, 11)); /* 1024..2048 */

    return ((uint32_t)(exponent + 13) << 10) + digits;
}

void ldpc_registers_take(struct ldpc_registers_work *work, const struct ldpc_decode *code,
                         const struct fecrun_view *in, const struct fecrun_view *out,
                         struct fecrun_frame_info *info, uint64_t first, uint64_t n)
{
    work->in_stride = in->offset ? code->code->n : in->stride;
    work->out_stride = out->offset ? (code->bits + 7) / 8 : out->stride;
    work->in = (const int8_t *)in->data + (in->offset ? in->offset[first] : first * in->stride);
    work->out = (uint8_t *)out->data + (out->offset ? out->offset[first] : first * out->stride);
    work->info = info + first;
    work->frames = (uint32_t)n;
    work->iterations = code->iterations;
    work->early_stop = code->early_stop;
    work->alpha_shift = ldpc_alpha_shift(code);
    for (uint32_t k = 0; k <= (code->iterations - 1) >> work->alpha_shift; k++)
        work->alpha[k] = half_of(ldpc_alpha(code, k));
    work->quads = work->pairs == 1 && work->z % 8 == 0 &&
                  !(((uintptr_t)work->in | work->in_stride) & 3);
}

#endif
