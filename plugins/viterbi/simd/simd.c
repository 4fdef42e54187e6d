/* SPDX-License-Identifier: BSD-2-Clause */
/* Choice of kernels, and the walk over a batch. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode_simd.h"

const char *viterbi_isa_name(enum viterbi_isa isa)
{
    static const char *const names[] = {"auto", "generic", "avx2", "avx512"};
    return names[isa];
}

static const struct viterbi_kernel *kernels_of(enum viterbi_isa isa)
{
#if defined(__x86_64__) || defined(__i386__)
    if (isa == VITERBI_ISA_AVX512 && __builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512dq"))
        return viterbi_kernels_avx512();
    if (isa == VITERBI_ISA_AVX2 && __builtin_cpu_supports("avx2"))
        return viterbi_kernels_avx2();
#endif
    return isa == VITERBI_ISA_GENERIC ? viterbi_kernels_generic() : NULL;
}

enum viterbi_isa viterbi_isa_best(void)
{
    enum viterbi_isa isa = VITERBI_ISA_AVX512;
    while (isa > VITERBI_ISA_GENERIC && !kernels_of(isa))
        isa--;
    return isa;
}

/* K = 7 with generators 133 and 171 in either order: the code of CCSDS, DVB and 802.11. */
static bool is_k7(const struct viterbi_code *code)
{
    return code->K == 7 && code->n == 2 && ((code->gen[0] == 0133 && code->gen[1] == 0171) ||
                                            (code->gen[0] == 0171 && code->gen[1] == 0133));
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
    if (kernel->k7 && !is_k7(&simd->spec.code))
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

/* Measured: from how many tiles on a group is faster than one tile after the other. */
static size_t few_tiles(const struct viterbi_simd *simd)
{
    const unsigned K = simd->spec.code.K, few = K <= 7 ? 3 : K == 8 ? 5 : K == 9 ? 8 : 10;

    if (!simd->along)
        return 0;
    if (!simd->lanes)
        return SIZE_MAX;
    return simd->isa == VITERBI_ISA_AVX512 ? 2 * few : few;
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
    simd->few = few_tiles(simd);
    return 0;
}

static void describe(struct viterbi_simd *simd)
{
    const struct viterbi_kernel *k = simd->lanes ? simd->lanes : simd->along;
    const char *type = simd->spec.is_float ? "float" : k->bits == 8 ? "8-bit" : "16-bit";

    snprintf(simd->text, sizeof simd->text, "%s %s, %s", k->name, type,
             simd->lanes ? "64 tiles side by side" : "along the states of one tile");
}

int viterbi_simd_create(struct viterbi_simd **simd, const struct viterbi_spec *spec,
                        enum viterbi_isa isa, unsigned metric_bits)
{
    const struct viterbi_kernel *kernels;
    struct viterbi_simd *s;
    int error;

    *simd = NULL;
    if (viterbi_spec_problem(spec))
        return VITERBI_SIMD_BAD_SPEC;
    if (metric_bits != 0 && (spec->is_float ? metric_bits != 32
                                            : metric_bits != 8 && metric_bits != 16))
        return VITERBI_SIMD_NO_WIDTH;
    if (isa == VITERBI_ISA_AUTO)
        isa = viterbi_isa_best();
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
    free(simd);
}

const char *viterbi_simd_describe(const struct viterbi_simd *simd)
{
    return simd->text;
}

size_t viterbi_simd_scratch(const struct viterbi_simd *simd)
{
    struct viterbi_run run;
    size_t lanes = 0, along = 0;

    if (simd->lanes)
        lanes = viterbi_run_carve(&run, simd, simd->lanes, NULL);
    if (simd->along)
        along = viterbi_run_carve(&run, simd, simd->along, NULL);
    return lanes > along ? lanes : along;
}

/* Full groups side by side; what is left one by one if it is little. */
static const struct viterbi_kernel *kernel_for(const struct viterbi_simd *simd, size_t items,
                                               unsigned *lanes)
{
    const struct viterbi_kernel *kernel = items < simd->few ? simd->along : simd->lanes;
    *lanes = items < kernel->lanes ? (unsigned)items : kernel->lanes;
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
        viterbi_run_carve(&run, simd, kernel, scratch);
        viterbi_run_wrap(&run, input, frame, lanes, packed, out_stride, verdict + frame);
    }
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

    /* Bits are inserted; only the pad bits behind the last one would stay as they are. */
    for (size_t frame = 0; frame < input->frames; frame++)
        packed[frame * out_stride + (spec->info_bits - 1) / 8] = 0;
    if (viterbi_wraps_around(spec)) {
        decode_wrapping(simd, input, packed, out_stride, verdict, scratch);
        return;
    }
    for (size_t frame = 0; frame < input->frames; frame++)
        verdict[frame] = (struct viterbi_verdict){.converged = 1, .iterations = 1};
    viterbi_groups_begin(&groups, spec, input);
    while (viterbi_groups_next(&groups, &group)) {
        for (size_t i = 0; i < group.items; i += lanes) {
            const struct viterbi_kernel *kernel = kernel_for(simd, group.items - i, &lanes);
            viterbi_run_carve(&run, simd, kernel, scratch);
            viterbi_run_group(&run, input, &group, i, lanes, packed, out_stride);
        }
    }
}
