/* SPDX-License-Identifier: BSD-2-Clause */
/* What `explain` says of the backend simd: its kernels, the width of their metrics, and why. */
#include "plugins/viterbi/simd/simd.h"

#include <fecrun/sdk/simd.h>
#include <stdio.h>

#include "plugins/viterbi/simd/several/several.h"

static bool has_8_bits(const struct viterbi_simd *simd, int llr_max)
{
    struct viterbi_spec spec = simd->spec;
    struct viterbi_simd *other;
    const bool has = (spec.llr_max = llr_max, !viterbi_simd_create(&other, &spec, simd->isa, 8));

    viterbi_simd_destroy(other);
    return has;
}

/* The largest |LLR| for which 8-bit metrics are exact; 0: none. */
static int limit_of_8_bits(const struct viterbi_simd *simd)
{
    int fits = 0, fails = 128;

    while (fails - fits > 1) {
        const int middle = (fits + fails) / 2;
        if (has_8_bits(simd, middle))
            fits = middle;
        else
            fails = middle;
    }
    return fits;
}

/* Of a metric, without a tag. */
static unsigned bits_of_frame(const struct viterbi_frame *frame)
{
    return frame->kernel->bits == 8 ? 8 : 16 - frame->tag_bits;
}

/* How fewer tiles are decoded than side by side. */
static void explain_few(const struct viterbi_simd *simd, char *text, size_t text_size)
{
    const bool sizes = simd->several[1] != NULL;
    const unsigned bits = bits_of_frame(simd->frame);
    char together[16], most[32] = "", alone[24] = "";

    if (simd->several[0]) {
        snprintf(together, sizeof together, sizes ? "%u or %u" : "%u",
                 simd->several[sizes ? 1 : 0]->frames, simd->several[0]->frames);
        if (simd->few != SIZE_MAX)
            snprintf(most, sizeof most, "up to %zu: ", simd->few - 1);
        if (bits_of_frame(simd->words) != bits)
            snprintf(alone, sizeof alone, " (alone: %u bits)", bits);
        snprintf(text, text_size,
                 "%s%s at a time along their states, fewer than %zu one by one, %u-bit metrics%s",
                 most, together, simd->least[sizes ? 1 : 0], bits_of_frame(simd->words), alone);
    } else if (simd->few == SIZE_MAX) {
        snprintf(text, text_size, "%u-bit metrics along the states of one frame", bits);
    } else {
        snprintf(text, text_size, "up to %zu along their states, %u-bit metrics", simd->few - 1,
                 bits);
    }
}

void viterbi_simd_explain(const struct viterbi_simd *simd, unsigned metric_bits, char *text,
                          size_t text_size)
{
    char few[128] = "", why[96] = "";

    if (simd->frame)
        explain_few(simd, few, sizeof few);
    if (simd->frame && simd->few == SIZE_MAX) {
        snprintf(text, text_size, "%s, %s", fecrun_isa_names[simd->isa], few);
        return;
    }
    if (!simd->spec.is_float && simd->lanes && simd->lanes->bits == 16 && metric_bits == 0) {
        const int limit = limit_of_8_bits(simd);
        if (limit)
            snprintf(why, sizeof why, "; 8-bit metrics are faster and need llr_max of at most %d",
                     limit);
    }
    snprintf(text, text_size, "%s%s%s%s", viterbi_simd_describe(simd), *few ? "; " : "", few, why);
}
