/* SPDX-License-Identifier: BSD-2-Clause */
/* Random codes, frames and LLRs for the vector code of few frames, also those that strain its metrics most. */
#ifndef T_VITERBI_STRAIN_H
#define T_VITERBI_STRAIN_H

#include "t/viterbi/viterbi.h"

#include "plugins/viterbi/simd/frame/frame.h"

enum kind { NOISE, ZEROS, SIGNS, TIES, PLUS, MINUS, EVERY_SECOND, RUNS, PATH, TURN, CODED, KINDS };

/* Named codes in any order of the outputs, and others with both end taps. */
static void choose_code(struct viterbi_code *code)
{
    const unsigned pick = draw(2 * (unsigned)viterbi_n_named_codes);

    memset(code, 0, sizeof *code);
    if (pick < viterbi_n_named_codes && viterbi_named_codes[pick].code.K <= 9) {
        *code = viterbi_named_codes[pick].code;
        for (unsigned i = 0; i < code->n; i++) {
            const unsigned j = draw(code->n);
            const uint32_t gen = code->gen[i];
            code->gen[i] = code->gen[j];
            code->gen[j] = gen;
        }
    } else {
        code->K = 5 + 2 * draw(3);
        code->n = 2 + draw(3);
        for (unsigned i = 0; i < code->n; i++)
            code->gen[i] = draw(1u << (code->K - 2)) << 1 | 1u << (code->K - 1) | 1;
    }
    for (unsigned i = 0; i < code->n; i++)
        code->inverted[i] = one_in(3);
}

/* The code of UMTS of rate 1/2, with LLRs that 8-bit metrics take. */
static void choose_bytes(struct viterbi_spec *s)
{
    const unsigned first = draw(2);

    s->code = (struct viterbi_code){.K = 9, .n = 2};
    s->code.gen[first] = 0561;
    s->code.gen[1 - first] = 0753;
    for (unsigned i = 0; i < s->code.n; i++)
        s->code.inverted[i] = one_in(3);
    s->llr_max = one_in(2) ? 8 : 1 + (int)draw(8);
}

static void choose_spec(struct viterbi_spec *s)
{
    const bool bytes = one_in(8);

    memset(s, 0, sizeof *s);
    choose_code(&s->code);
    if (bytes)
        choose_bytes(s);
    s->termination = draw(TERMINATIONS);
    s->info_bits = 1 + draw(one_in(3) ? 2 * s->code.K : one_in(2) ? 120 : one_in(4) ? 3000 : 600);
    if (s->termination == VITERBI_TAIL_BITING && s->info_bits < s->code.K - 1)
        s->info_bits = s->code.K - 1;
    if (one_in(3))
        s->f = 1 + draw(one_in(2) ? 20 : 300);
    s->v1 = draw(70);
    s->v2 = draw(70);
    s->start = VITERBI_BEST + draw(3);
    s->wrap_limit = 1 + draw(6);
    if (!bytes)
        s->llr_max = one_in(3) ? 127 : 1 + (int)draw(127);
}

/* Metrics of the kernel that strain() has looked at: of so many bits or more. */
static unsigned strained_bits = 8;

/* The largest LLRs that the kernel of those in spec takes, or takes without a look at what a known start leads
 * to. */
static void strain(struct viterbi_spec *spec, const struct viterbi_frame_kernels *set)
{
    const unsigned bits = strained_bits = one_in(2) ? 8 : 16;
    struct viterbi_frame *now, *next;
    const struct viterbi_frame_kernel *kernel;
    const bool alike = one_in(2);
    bool apart;

    if (viterbi_frame_create(&now, spec, set, bits))
        bail("out of memory");
    if (!now)
        return;
    kernel = now->kernel;
    apart = now->apart;
    free(now);
    for (; spec->llr_max < 127; spec->llr_max++) {
        struct viterbi_spec more = *spec;
        more.llr_max++;
        if (viterbi_frame_create(&next, &more, set, bits))
            bail("out of memory");
        now = next;
        if (!now || now->kernel != kernel || (alike && now->apart != apart)) {
            free(now);
            return;
        }
        free(now);
    }
}

static int value(enum kind kind, const struct viterbi_code *code, size_t i, int M, uint32_t *reg,
                 int *run)
{
    int path;

    switch (kind) {
    case NOISE:
        return (int)draw(2 * (unsigned)M + 1) - M;
    case ZEROS:
        return 0;
    case SIGNS:
        return one_in(2) ? M : -M;
    case TIES:
        return (int)draw(3) - 1;
    case PLUS:
        return M;
    case MINUS:
        return -M;
    case EVERY_SECOND:
        return i / code->n % 2 ? M : -M;
    case RUNS:
        if (one_in(20))
            *run = -*run;
        return *run * M;
    default:
        break;
    }
    if (i % code->n == 0)
        *reg = *reg >> 1 | draw(2) << (code->K - 1);
    path = viterbi_code_label(code, *reg) >> i % code->n & 1 ? -M : M;
    if (kind == TURN && one_in(40))
        *run = -*run;
    if (kind == TURN)
        return path * *run;
    return kind == CODED && one_in(5) ? -path : path;
}

static int8_t *draw_llr(const struct viterbi_spec *s, size_t items, enum kind kind)
{
    uint32_t reg = 0;
    int run = 1;
    int8_t *llr = get(items);

    for (size_t i = 0; i < items; i++) {
        const int x = value(kind, &s->code, i, s->llr_max, &reg, &run);
        llr[i] = (int8_t)(x == -127 && one_in(2) ? -128 : x);
    }
    return llr;
}

#endif
