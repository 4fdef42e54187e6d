/* SPDX-License-Identifier: BSD-2-Clause */
/* Backend `simd` of polar.decode: small blocks, 64 frames at a time. */
#include "plugins/polar/code/small.h"
#include "plugins/polar/simd/simd.h"

struct polar_simd_small {
    polar_row rows[POLAR_SMALL_N];
    int8_t padded[POLAR_LANES][POLAR_SMALL_N]; /* LLRs of the lanes */
    int16_t message[POLAR_LANES];
};

size_t polar_simd_small_bytes(void)
{
    return sizeof(struct polar_simd_small);
}

static void put(const struct polar_code *code, uint32_t message, uint32_t type, uint8_t *to)
{
    if (type == FECRUN_PACKED)
        memset(to, 0, (code->k + 7) / 8);
    for (uint32_t b = 0; b < code->k; b++)
        if (type == FECRUN_PACKED)
            to[b / 8] |= (uint8_t)((message >> b & 1) << (7 - b % 8));
        else
            to[b] = message >> b & 1;
}

void polar_simd_small(const struct polar_kernel *kernel, const struct polar_code *code,
                      const struct fecrun_view *in, const struct fecrun_view *out,
                      struct fecrun_frame_info *info, struct polar_simd_small *work)
{
    const int8_t *from[POLAR_LANES];

    memset(work->padded, 0, sizeof work->padded);
    for (uint32_t l = 0; l < POLAR_LANES; l++)
        from[l] = work->padded[l];
    for (uint64_t first = 0; first < in->frames; first += POLAR_LANES) {
        const uint64_t left = in->frames - first;
        const uint32_t frames = left < POLAR_LANES ? (uint32_t)left : POLAR_LANES;

        for (uint32_t l = 0; l < frames; l++)
            memcpy(work->padded[l], fecrun_row(in, first + l), code->n);
        kernel->load(from, POLAR_SMALL_N, work->rows);
        kernel->small(code, (const polar_row *)work->rows, work->message);
        for (uint32_t l = 0; l < frames; l++) {
            put(code, (uint32_t)work->message[l], out->type, fecrun_row(out, first + l));
            info[first + l].iterations = 0;
        }
    }
}
