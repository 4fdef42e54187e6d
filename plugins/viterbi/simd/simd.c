/* SPDX-License-Identifier: BSD-2-Clause */
/* The vector code's choice of kernels, and its walk over a batch. */
#include "plugins/viterbi/simd/turning.h"

#include <fecrun/sdk/simd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/viterbi/simd/frame/frame.h"

static const struct viterbi_kernel *kernels_of(uint32_t isa)
{
    if (!fecrun_isa_runs(isa))
        return NULL;
    return isa == FECRUN_ISA_AVX512 ? viterbi_kernels_avx512()
           : isa == FECRUN_ISA_AVX2 ? viterbi_kernels_avx2()
                                    : viterbi_kernels_generic();
}

static const struct viterbi_frame_kernels *frame_kernels_of(uint32_t isa)
{
    return isa == FECRUN_ISA_AVX512 ? viterbi_frame_kernels_avx512()
           : isa == FECRUN_ISA_AVX2 ? viterbi_frame_kernels_avx2()
                                    : NULL;
}

bool viterbi_simd_has(uint32_t isa)
{
    return kernels_of(isa) != NULL;
}

/* Is this the code that the kernel is made for? */
static bool is_for(const struct viterbi_kernel *kernel, const struct viterbi_code *code)
{
    const bool turned = code->gen[0] != kernel->gen[0];

    return code->K == kernel->K && code->n == 2 && code->gen[0] == kernel->gen[turned] &&
           code->gen[1] == kernel->gen[!turned];
}

/* The largest |LLR| for which an 8-bit kernel with this range is exact, and its offset. */
static bool range_fits(const struct viterbi_range *range, int M, int *offset)
{
    const int up = (int)range->up * M, down = (int)range->down * M;

    *offset = up > 127 ? up - 127 : 0;
    return down + *offset <= 128 && (int)range->merge * M <= 127 && (int)range->early * M <= 127;
}

static bool fits_8_bits(struct viterbi_simd *simd, unsigned period)
{
    uint16_t work[4 << (VITERBI_LANES_MAX_K - 1)];
    struct viterbi_range range;

    viterbi_code_range(&simd->spec.code, period, work, &range);
    simd->careful = range.settle;
    return range_fits(&range, simd->spec.llr_max, &simd->offset);
}

static bool usable(struct viterbi_simd *simd, const struct viterbi_kernel *kernel,
                   unsigned metric_bits)
{
    const unsigned K = simd->spec.code.K;

    if ((kernel->bits == 32) != simd->spec.is_float || K < kernel->min_K)
        return false;
    if (metric_bits != 0 && metric_bits != kernel->bits)
        return false;
    if (kernel->lanes > 1 && K > VITERBI_LANES_MAX_K)
        return false;
    if (kernel->K && !is_for(kernel, &simd->spec.code))
        return false;
    if (kernel->turning && viterbi_wraps_around(&simd->spec)) /* its rounds end within a turn */
        return false;
    simd->careful = K - 1;
    simd->offset = 0;
    return kernel->bits != 8 || fits_8_bits(simd, kernel->period);
}

static void fill_labels(struct viterbi_simd *simd)
{
    struct viterbi_code code = simd->spec.code;

    memset(code.inverted, 0, sizeof code.inverted); /* the kernels change the LLR's sign instead */
    for (uint32_t i = 0; i < simd->states / 2; i++)
        simd->label[i] = (uint8_t)viterbi_code_label(&code, 2 * i);
    simd->newest = viterbi_code_label(&code, simd->states);
    simd->oldest = viterbi_code_label(&code, 1);
}

/* Measured: from how many tiles on a vector of them side by side is faster than one after the other. */
static size_t few_frames(const struct viterbi_simd *simd)
{
    const bool wide = simd->isa == FECRUN_ISA_AVX512, bytes = simd->lanes->bits == 8;

    switch (simd->spec.code.K) {
    case 5:
        return wide && bytes ? 24 : 18;
    case 7:
        if (simd->lanes->K)
            return wide ? (bytes ? 26 : 17) : bytes ? 21 : 16;
        return wide ? (bytes ? 42 : 27) : bytes ? 30 : SIZE_MAX;
    default:
        if (simd->lanes->K)
            return bytes ? 33 : wide ? 21 : SIZE_MAX;
        return !bytes || simd->spec.code.n < 4 ? SIZE_MAX : wide ? 44 : 28;
    }
}

static size_t few_tiles(const struct viterbi_simd *simd)
{
    const unsigned K = simd->spec.code.K, few = K <= 7 ? 3 : K == 8 ? 5 : K == 9 ? 8 : 10;

    if (simd->frame)
        return few_frames(simd);
    if (!simd->along)
        return 0;
    if (!simd->lanes)
        return SIZE_MAX;
    return simd->isa == FECRUN_ISA_AVX512 ? 2 * few : few;
}

/* Frames that are one tile each need no walk over tiles. */
static void find_whole(struct viterbi_simd *simd)
{
    const struct viterbi_spec *spec = &simd->spec;
    const struct viterbi_input one = {.frames = 1};

    simd->whole = simd->frame && spec->termination != VITERBI_CONTINUOUS &&
                  !viterbi_wraps_around(spec) && viterbi_frame_tiles(spec) == 1;
    if (simd->whole)
        viterbi_tile_at(spec, &one, 0, 0, &simd->tile);
}

static int choose_kernels(struct viterbi_simd *simd, const struct viterbi_kernel *kernels,
                          unsigned metric_bits)
{
    size_t careful = 0;
    int offset = 0;

    for (const struct viterbi_kernel *k = kernels; k->bits != 0; k++) {
        if (k->lanes > 1 && !simd->lanes && usable(simd, k, metric_bits)) {
            simd->lanes = k;
            careful = simd->careful;
            offset = simd->offset;
        } else if (k->lanes == 1 && !simd->along && usable(simd, k, 0)) {
            simd->along = k;
        }
    }
    simd->careful = careful;
    simd->offset = offset;
    if (!simd->lanes && (!simd->along || (metric_bits != 0 && metric_bits != simd->along->bits)))
        return VITERBI_SIMD_NO_WIDTH;
    if (viterbi_frame_create(&simd->frame, &simd->spec, frame_kernels_of(simd->isa)))
        return VITERBI_SIMD_NO_MEMORY;
    if (simd->frame)
        simd->vector = (simd->isa == FECRUN_ISA_AVX512 ? 512 : 256) / simd->lanes->bits;
    simd->few = few_tiles(simd);
    find_whole(simd);
    if (!simd->along || !simd->along->turning)
        return 0;
    simd->turning = viterbi_turning_create(&simd->spec.code, simd->label, simd->along->turning,
                                           simd->along->state_bit);
    return simd->turning ? 0 : VITERBI_SIMD_NO_MEMORY;
}

static void describe(struct viterbi_simd *simd)
{
    const struct viterbi_kernel *k = simd->lanes ? simd->lanes : simd->along;
    const char *type = simd->spec.is_float ? "float" : k->bits == 8 ? "8-bit" : "16-bit";

    snprintf(simd->text, sizeof simd->text, "%s %s, %s", k->name, type,
             simd->lanes ? "64 tiles side by side" : "along the states of one tile");
}

int viterbi_simd_create(struct viterbi_simd **simd, const struct viterbi_spec *spec, uint32_t isa,
                        unsigned metric_bits)
{
    const struct viterbi_kernel *kernels;
    struct viterbi_simd *s;
    int error;

    *simd = NULL;
    if (viterbi_spec_problem(spec))
        return VITERBI_SIMD_BAD_SPEC;
    if (metric_bits != 0 &&
        (spec->is_float ? metric_bits != 32 : metric_bits != 8 && metric_bits != 16))
        return VITERBI_SIMD_NO_WIDTH;
    kernels = kernels_of(isa);
    if (!kernels)
        return VITERBI_SIMD_NO_ISA;
    s = calloc(1, sizeof *s);
    if (!s)
        return VITERBI_SIMD_NO_MEMORY;
    s->spec = *spec;
    s->isa = isa;
    s->states = UINT32_C(1) << (spec->code.K - 1);
    fill_labels(s);
    error = choose_kernels(s, kernels, metric_bits);
    if (error) {
        viterbi_simd_destroy(s);
        return error;
    }
    describe(s);
    *simd = s;
    return 0;
}

void viterbi_simd_destroy(struct viterbi_simd *simd)
{
    if (!simd)
        return;
    free(simd->frame);
    free(simd->turning);
    free(simd);
}

const char *viterbi_simd_describe(const struct viterbi_simd *simd)
{
    return simd->text;
}

size_t viterbi_simd_scratch(const struct viterbi_simd *simd)
{
    struct viterbi_run run;
    size_t lanes = 0, along = 0, frame = 0;

    if (simd->lanes)
        lanes = viterbi_run_carve(&run, simd, simd->lanes, NULL);
    if (simd->along)
        along = viterbi_run_carve(&run, simd, simd->along, NULL);
    if (simd->frame)
        frame = viterbi_frame_scratch(simd->frame);
    lanes = lanes > along ? lanes : along;
    return lanes > frame ? lanes : frame;
}

/* Full groups side by side; what is left over one by one if it is little. NULL: the next tile alone, with
 * simd->frame. */
static const struct viterbi_kernel *kernel_for(const struct viterbi_simd *simd, size_t items,
                                               unsigned *lanes)
{
    const struct viterbi_kernel *kernel = items < simd->few ? simd->along : simd->lanes;

    if (simd->frame && items < simd->few) {
        *lanes = 1;
        return NULL;
    }
    *lanes = items < kernel->lanes ? (unsigned)items : kernel->lanes;
    if (simd->frame && *lanes % simd->vector<simd->few && * lanes> simd->vector)
        *lanes -= *lanes % simd->vector;
    return kernel;
}

static void decode_wrapping(const struct viterbi_simd *simd, const struct viterbi_input *input,
                            uint8_t *packed, size_t out_stride, struct viterbi_verdict *verdict,
                            void *scratch)
{
    struct viterbi_run run;
    unsigned lanes;

    for (size_t frame = 0; frame < input->frames; frame += lanes) {
        const struct viterbi_kernel *kernel = kernel_for(simd, input->frames - frame, &lanes);
        if (!kernel) {
            viterbi_frame_wrap(simd->frame, input, frame, packed + frame * out_stride,
                               verdict + frame, scratch);
            continue;
        }
        viterbi_run_carve(&run, simd, kernel, scratch);
        viterbi_run_wrap(&run, input, frame, lanes, packed, out_stride, verdict + frame);
    }
}

static void decode_alone(const struct viterbi_simd *simd, const struct viterbi_input *input,
                         const struct viterbi_group *group, size_t i, uint8_t *packed,
                         size_t out_stride, void *scratch)
{
    const size_t item = group->skip + i, frame = item / group->row;
    struct viterbi_tile tile = group->tile;

    if (group->row > 1 || i > 0)
        viterbi_tile_at(&simd->spec, input, frame, group->first + item % group->row, &tile);
    viterbi_frame_tile(simd->frame, input, frame, &tile, packed + frame * out_stride, scratch);
}

static void decode_whole(const struct viterbi_simd *simd, const struct viterbi_input *input,
                         uint8_t *packed, size_t out_stride, void *scratch)
{
    for (size_t frame = 0; frame < input->frames; frame++)
        viterbi_frame_tile(simd->frame, input, frame, &simd->tile, packed + frame * out_stride,
                           scratch);
}

void viterbi_simd_decode(const struct viterbi_simd *simd, const struct viterbi_input *input,
                         uint8_t *packed, size_t out_stride, struct viterbi_verdict *verdict,
                         void *scratch)
{
    const struct viterbi_spec *spec = &simd->spec;
    struct viterbi_groups groups;
    struct viterbi_group group;
    struct viterbi_run run;
    unsigned lanes;

    /* Bits are inserted, also where tiles meet within a byte; pad bits behind the last one stay as they are. */
    for (size_t frame = 0; frame < input->frames; frame++)
        memset(packed + frame * out_stride, 0, (spec->info_bits + 7) / 8);
    if (viterbi_wraps_around(spec)) {
        decode_wrapping(simd, input, packed, out_stride, verdict, scratch);
        return;
    }
    for (size_t frame = 0; frame < input->frames; frame++)
        verdict[frame] = (struct viterbi_verdict){.converged = 1, .iterations = 1};
    if (simd->whole && input->frames < simd->few) {
        decode_whole(simd, input, packed, out_stride, scratch);
        return;
    }
    viterbi_groups_begin(&groups, spec, input);
    while (viterbi_groups_next(&groups, &group)) {
        for (size_t i = 0; i < group.items; i += lanes) {
            const struct viterbi_kernel *kernel = kernel_for(simd, group.items - i, &lanes);
            if (!kernel) {
                decode_alone(simd, input, &group, i, packed, out_stride, scratch);
                continue;
            }
            viterbi_run_carve(&run, simd, kernel, scratch);
            viterbi_run_group(&run, input, &group, i, lanes, packed, out_stride);
        }
    }
}
