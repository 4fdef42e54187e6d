/* SPDX-License-Identifier: BSD-2-Clause */
/* The codes that have kernels in registers in the build, for machines without libnvrtc. Others are compiled when used. */
#include "plugins/viterbi/cuda/registers/plan.h"
#include "plugins/viterbi/cuda/registers/wrap/plan.h"

#ifdef FECRUN_CUDA

/* Its floats have kernels with those of the code that is not inverted. */
static bool choose_k7_inverted(const struct registers_wish *wish, struct registers_kernel *kernel)
{
    return wish->source == REGISTERS_FLOATS && viterbi_choose_k7_float(wish, kernel, true);
}

static const struct entry {
    struct viterbi_code code;
    bool (*choose)(const struct registers_wish *wish,
                   struct registers_kernel *kernel);          /* or NULL */
    bool (*wrap)(bool wide, struct registers_kernel *kernel); /* tail-biting frames */
} entries[] = {
    {{.K = 7, .n = 2, .gen = {0133, 0171}}, viterbi_choose_k7, viterbi_wrap_k7},
    {{.K = 7, .n = 2, .gen = {0171, 0133}, .inverted = {0, 1}},
     choose_k7_inverted,
     viterbi_wrap_k7_inverted},
    {{.K = 7, .n = 3, .gen = {0133, 0171, 0165}}, NULL, viterbi_wrap_k7_lte},
    {{.K = 7, .n = 3, .gen = {0133, 0145, 0175}}, NULL, viterbi_wrap_k7_gsm},
    {{.K = 7, .n = 4, .gen = {0133, 0171, 0145, 0133}}, NULL, viterbi_wrap_k7_dab},
};

static bool same_code(const struct viterbi_code *a, const struct viterbi_code *b, bool swapped)
{
    if (a->K != b->K || a->n != b->n || (swapped && a->n != 2))
        return false;
    for (unsigned j = 0; j < a->n; j++) {
        const unsigned i = swapped ? 1 - j : j;
        if (a->gen[j] != b->gen[i] || a->inverted[j] != b->inverted[i])
            return false;
    }
    return true;
}

static bool choose(const struct entry *entry, const struct registers_wish *wish,
                   struct registers_kernel *kernel)
{
    if (wish->kind != REGISTERS_WRAP)
        return entry->choose && entry->choose(wish, kernel);
    return wish->source == REGISTERS_I8 && entry->wrap(wish->wide, kernel);
}

bool viterbi_registers_choose(const struct viterbi_code *code, const struct registers_wish *wish,
                              struct registers_kernel *kernel, bool *swapped)
{
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        for (int s = 0; s < 2; s++)
            if (same_code(code, &entries[i].code, s)) {
                *swapped = s;
                return choose(&entries[i], wish, kernel);
            }
    return false;
}

#endif
