/* SPDX-License-Identifier: BSD-2-Clause */
/* The vector code's choice of kernels, and its walk over a batch. */
#include "plugins/viterbi/simd/turning.h"

#include <fecrun/sdk/simd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/viterbi/simd/several/several.h"

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

/* Is there one row of tags for K - 1 steps? */
static bool is_fine(const struct viterbi_several *several)
{
    return several->frame->tag_bits == several->frame->m;
}

/* Measured: from how many tiles on a vector of them side by side is faster than what takes fewer. */
static size_t few_beside_several(const struct viterbi_simd *simd)
{
    const unsigned K = simd->spec.code.K, n = simd->spec.code.n;
    const bool fine = is_fine(simd->several[0]);

    if (simd->lanes->bits == 8)
        return K == 5 ? 36 : simd->lanes->K ? 30 : 42;
    if (n == 2)
        return K == 7 && simd->lanes->K ? 21 : 33;
    if (!fine)
        return K == 5 ? 18 : 22;
    return K == 5 ? 24 : SIZE_MAX;
}

static size_t few_frames(const struct viterbi_simd *simd)
{
    const bool wide = simd->isa == FECRUN_ISA_AVX512, bytes = simd->lanes->bits == 8;

    if (viterbi_wraps_around(
            &simd->spec)) /* side by side all have as many rounds as the slowest one */
        return wide && bytes && (simd->lanes->K == 7 || simd->spec.code.K == 5) ? 52 : SIZE_MAX;
    if (simd->several[0])
        return few_beside_several(simd);
    switch (simd->spec.code.K) {
    case 5:
        return wide && bytes ? 24 : 18;
    case 7:
        if (simd->lanes->K)
            return wide ? (bytes ? 26 : 17) : bytes ? 21 : 16;
        return wide ? (bytes ? 42 : 27) : bytes ? 30 : SIZE_MAX;
    default:
        if (simd->lanes->K)
            return bytes ? (wide ? 38 : 33) : wide ? 21 : SIZE_MAX;
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

/* Measured: from how many tiles on it is faster to decode them together, even if some lanes are idle, than fewer or
 * one by one. */
static size_t least_together(const struct viterbi_several *several)
{
    const struct viterbi_code *code = &several->frame->spec.code;

    if (several->frames == 8)
        return 7;
    return code->K == 7 && code->n == 2 && is_fine(several) ? 3 : 4;
}

static int create_several(struct viterbi_simd *simd)
{
    if (viterbi_frame_create(&simd->words, &simd->spec, frame_kernels_of(simd->isa), 16))
        return VITERBI_SIMD_NO_MEMORY;
    for (unsigned i = 0; i < VITERBI_SIZES && simd->isa == FECRUN_ISA_AVX512; i++) {
        if (viterbi_several_create(&simd->several[i], simd->words,
                                   viterbi_several_kernels_avx512(i)))
            return VITERBI_SIMD_NO_MEMORY;
        if (simd->several[i])
            simd->least[i] = least_together(simd->several[i]);
    }
    return 0;
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
    if (viterbi_frame_create(&simd->frame, &simd->spec, frame_kernels_of(simd->isa), 8))
        return VITERBI_SIMD_NO_MEMORY;
    if (create_several(simd))
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
    free(simd->words);
    for (unsigned i = 0; i < VITERBI_SIZES; i++)
        free(simd->several[i]);
    free(simd->turning);
    free(simd);
}

const char *viterbi_simd_describe(const struct viterbi_simd *simd)
{
    return simd->text;
}

static size_t larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

size_t viterbi_simd_scratch(const struct viterbi_simd *simd)
{
    struct viterbi_run run;
    size_t most = 0;

    if (simd->lanes)
        most = viterbi_run_carve(&run, simd, simd->lanes, NULL);
    if (simd->along)
        most = larger(most, viterbi_run_carve(&run, simd, simd->along, NULL));
    if (simd->frame)
        most = larger(most, viterbi_frame_scratch(simd->frame));
    for (unsigned i = 0; i < VITERBI_SIZES; i++)
        if (simd->several[i])
            most = larger(most, viterbi_several_scratch(simd->several[i]));
    return most;
}

/* What takes the next tiles: a kernel of run.c, some tiles together, or, if both are NULL, simd->frame. */
struct way {
    const struct viterbi_kernel *kernel;
    const struct viterbi_several *several;
    unsigned lanes;
};

static unsigned at_most(size_t items, unsigned most)
{
    return items < most ? (unsigned)items : most;
}

/* Full groups side by side. What is left over is decoded several at a time or one by one if it is little. */
static struct way way_of(const struct viterbi_simd *simd, size_t items)
{
    struct way way = {.lanes = 1};

    if (!simd->frame || items >= simd->few) {
        way.kernel = items < simd->few ? simd->along : simd->lanes;
        way.lanes = at_most(items, way.kernel->lanes);
        if (simd->frame && way.lanes % simd->vector < simd->few && way.lanes > simd->vector)
            way.lanes -= way.lanes % simd->vector;
        return way;
    }
    for (unsigned i = VITERBI_SIZES; i-- > 0;)
        if (simd->several[i] && items >= simd->least[i])
            way.several = simd->several[i];
    if (way.several)
        way.lanes = at_most(items, way.several->frames);
    return way;
}

static struct viterbi_several_lane lane_of(const struct viterbi_simd *simd,
                                           const struct viterbi_input *input, size_t frame,
                                           const struct viterbi_tile *tile, uint8_t *bits)
{
    const struct viterbi_spec *spec = &simd->spec;
    const size_t T = viterbi_frame_steps(spec);
    struct viterbi_several_lane lane = {.bits = bits, .at = tile->at};
    ptrdiff_t item = (ptrdiff_t)(frame * input->stride);

    if (spec->termination == VITERBI_TAIL_BITING)
        lane.phase = (tile->at + T - tile->lead % T) % T;
    else
        item += ((ptrdiff_t)tile->at - (ptrdiff_t)tile->lead) * (ptrdiff_t)spec->code.n;
    lane.row = (const int8_t *)input->llr + item;
    return lane;
}

static void decode_wrapping(const struct viterbi_simd *simd, const struct viterbi_input *input,
                            uint8_t *packed, size_t out_stride, struct viterbi_verdict *verdict,
                            void *scratch)
{
    struct viterbi_run run;
    struct way way;

    for (size_t frame = 0; frame < input->frames; frame += way.lanes) {
        way = way_of(simd, input->frames - frame);
        if (way.kernel) {
            viterbi_run_carve(&run, simd, way.kernel, scratch);
            viterbi_run_wrap(&run, input, frame, way.lanes, packed, out_stride, verdict + frame);
        } else {
            viterbi_frame_wrap(simd->frame, input, frame, packed + frame * out_stride,
                               verdict + frame, scratch);
        }
    }
}

/* Tiles of a group from i on, without the kernels of run.c. */
static void decode_few(const struct viterbi_simd *simd, const struct viterbi_input *input,
                       const struct viterbi_group *group, size_t i, const struct way *way,
                       uint8_t *packed, size_t out_stride, void *scratch)
{
    struct viterbi_several_lane lane[VITERBI_SEVERAL_MOST];
    struct viterbi_tile tile = group->tile;

    for (unsigned k = 0; k < way->lanes; k++) {
        const size_t item = group->skip + i + k, frame = item / group->row;
        uint8_t *bits = packed + frame * out_stride;

        if (!simd->whole)
            viterbi_tile_at(&simd->spec, input, frame, group->first + item % group->row, &tile);
        if (!way->several)
            viterbi_frame_tile(simd->frame, input, frame, &tile, bits, scratch);
        else
            lane[k] = lane_of(simd, input, frame, &tile, bits);
    }
    if (way->several)
        viterbi_several_tiles(way->several, lane, way->lanes, &tile, scratch);
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
    struct way way;

    /* Bits are inserted, also where tiles meet within a byte; pad bits behind the last one stay as they are. */
    for (size_t frame = 0; frame < input->frames; frame++)
        memset(packed + frame * out_stride, 0, (spec->info_bits + 7) / 8);
    if (viterbi_wraps_around(spec)) {
        decode_wrapping(simd, input, packed, out_stride, verdict, scratch);
        return;
    }
    for (size_t frame = 0; frame < input->frames; frame++)
        verdict[frame] = (struct viterbi_verdict){.converged = 1, .iterations = 1};
    if (simd->whole && input->frames == 1) {
        decode_whole(simd, input, packed, out_stride, scratch);
        return;
    }
    viterbi_groups_begin(&groups, spec, input);
    while (viterbi_groups_next(&groups, &group)) {
        for (size_t i = 0; i < group.items; i += way.lanes) {
            way = way_of(simd, group.items - i);
            if (!way.kernel) {
                decode_few(simd, input, &group, i, &way, packed, out_stride, scratch);
                continue;
            }
            viterbi_run_carve(&run, simd, way.kernel, scratch);
            viterbi_run_group(&run, input, &group, i, way.lanes, packed, out_stride);
        }
    }
}
