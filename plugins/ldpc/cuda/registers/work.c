/* SPDX-License-Identifier: BSD-2-Clause */
/* Fills the arguments of a kernel in registers. */
#include <math.h>
#include <string.h>

#include "plugins/ldpc/cuda/registers/plan.h"
#include "plugins/ldpc/cuda/registers/form.h"

enum { MANY_ROWS = 24 };

uint32_t ldpc_registers_read(const struct ldpc_code *code, uint32_t rows)
{
    return (code->cols - code->rows + rows) * code->z - code->punctured;
}

void ldpc_registers_describe(const struct ldpc_registers_kernel *kernel,
                             const struct ldpc_code *code, uint32_t rows, uint32_t pairs,
                             struct ldpc_registers_work *work)
{
    memset(work, 0, sizeof *work);
    work->z = code->z;
    work->pairs = pairs ? pairs : kernel->lanes / code->z;
    work->lanes = work->pairs * code->z;
    work->rows = rows;
    work->read = ldpc_registers_read(code, rows);
    work->slot = ldpc_registers_slot(work->read, work->pairs);
    work->k = code->k;
    work->bits = code->k - code->fillers;
    work->one = 1;
    work->wrap = 0u - 4 * work->lanes;
    if (kernel->set)
        kernel->set(work, code);
}

size_t ldpc_registers_shared(const struct ldpc_registers_kernel *kernel,
                             const struct ldpc_registers_work *work)
{
    const size_t staged = (size_t)ldpc_registers_at_once(kernel, work) * work->slot;

    return kernel->shared + (kernel->unstaged ? 0 : staged);
}

/* As decoder<>::OWN_BYTES and LLR_BYTES. */
size_t ldpc_registers_away(const struct ldpc_registers_kernel *kernel)
{
    const size_t rows = kernel->bg ? kernel->rows - 4 : 0; /* of NR, with a column each */
    const size_t blocks = kernel->blocks ? kernel->blocks : 1;
    const size_t own = kernel->layout.own == LDPC_REGISTERS_AWAY ? (rows + 1) / 2 : 0;

    return 4 * blocks * kernel->lanes * (own + (kernel->soft ? rows : 0));
}

/* alpha as a half. The schema's 0.05 and more are normal ones. */
static uint32_t half_of(double alpha)
{
    int exponent;
    const double mantissa = frexp(alpha, &exponent);                  /* 0.5..1 */
    const uint32_t digits = (uint32_t)nearbyint(ldexp(mantissa, 11)); /* 1024..2048 */

    return ((uint32_t)(exponent + 13) << 10) + digits;
}

/* The offset; no message is left from 128 on, and none changes by less than 2^-14. */
static uint32_t offset_of(const struct ldpc_decode *code)
{
    const double beta = code->beta * code->llr_scale;

    return beta > 128 ? half_of(128) : beta >= 0x1p-14 ? half_of(beta) : 0;
}

/* Of the sum-product rule what minima.cuh says, which is a square: zero is that of an LLR, fall that of 1 / LLR. */
static void set_rule(struct ldpc_registers_work *work, const struct ldpc_decode *code)
{
    const double root = sqrt(code->llr_scale);

    work->natural = (float)(code->algorithm == LDPC_SPA ? root : code->beta * code->llr_scale);
    if (code->algorithm == LDPC_SPA) {
        work->beta = 0x10001 * half_of(0.82 * root);
        work->fall = 0x10001 * (0x8000 | half_of(0.23 / root));
    } else {
        work->beta = 0x10001 * offset_of(code);
    }
}

/*
 * Half of the messages of 8 bits are read with another one's bits behind theirs. Where all rows but the core's have
 * such messages, and bits have many, a little less than `alpha: auto` is best (bench/notebook/ldpc.md).
 */
static double share_of_alpha(const struct ldpc_registers_kernel *kernel,
                             const struct ldpc_decode *code)
{
    const struct ldpc_registers_layout *l = &kernel->layout;
    const bool packed = kernel->bg == 1 && l->pack0 <= code->code->core_rows &&
                        l->pack1 >= code->rows;

    return packed && code->rule == LDPC_LAYERED && code->quick && code->rows > MANY_ROWS ? 0.97 : 1;
}

void ldpc_registers_take(struct ldpc_registers_work *work,
                         const struct ldpc_registers_kernel *kernel, const struct ldpc_decode *code,
                         const struct fecrun_view *in, const struct fecrun_view *out,
                         struct fecrun_frame_info *info, uint64_t first, uint64_t n)
{
    double share;

    work->in_stride = in->offset ? code->code->n : in->stride;
    work->out_stride = out->offset ? (code->bits + 7) / 8 : out->stride;
    work->in = (const int8_t *)in->data + (in->offset ? in->offset[first] : first * in->stride);
    work->out = (uint8_t *)out->data + (out->offset ? out->offset[first] : first * out->stride);
    work->info = info + first;
    work->frames = (uint32_t)n;
    work->iterations = code->iterations;
    work->early_stop = code->early_stop;
    work->alpha_shift = ldpc_alpha_shift(code);
    share = share_of_alpha(kernel, code);
    for (uint32_t k = 0; k < ldpc_alpha_count(code); k++)
        work->alpha[k] = half_of(code->algorithm == LDPC_NMS ? share * ldpc_alpha(code, k) : 1);
    set_rule(work, code);
    work->quads = work->pairs == 1 && work->z % 8 == 0 &&
                  !(((uintptr_t)work->in | work->in_stride) & 3);
}
