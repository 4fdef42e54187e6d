/* SPDX-License-Identifier: BSD-2-Clause */
/* LLRs of decoded bits against sums over all messages: each code and termination, max-log and log-map, i8 and floats. */
#include "t/lib/tap.h"

#include "plugins/viterbi/decode.h"
#include "plugins/viterbi/ref/soft.h"

#include <math.h>
#include <stdlib.h>

enum { BITS = 10, STEPS = BITS + 8, SCRATCH = 1 << 22 };

static uint32_t seed = 7;

static double draw(void)
{
    seed = seed * 1664525 + 1013904223;
    return (double)(seed >> 8) / (1 << 24);
}

/* How well a message fits, as minus the LLRs of its word's ones. feedback: the message is what the encoder gets. */
static double fit(const struct viterbi_spec *spec, uint32_t feedback, uint32_t message,
                  const double *llr)
{
    const unsigned K = spec->code.K, n = spec->code.n;
    uint32_t state = 0;
    double sum = 0;

    if (spec->termination == VITERBI_TAIL_BITING)
        for (unsigned i = 0; i < K - 1; i++)
            state |= (message >> (BITS - 1 - i) & 1) << (K - 2 - i);
    for (unsigned t = 0; t < viterbi_frame_steps(spec); t++) {
        const uint32_t fed = (uint32_t)__builtin_parity(state & feedback);
        const uint32_t u = t < BITS ? message >> t & 1 : fed; /* the tail feeds zeros */
        const uint32_t reg = (u ^ fed) << (K - 1) | state;
        const unsigned label = viterbi_code_label(&spec->code, reg);

        for (unsigned j = 0; j < n; j++)
            sum -= label >> j & 1 ? llr[t * n + j] : 0;
        state = reg >> 1;
    }
    return sum;
}

static double expected(const struct viterbi_spec *spec, const struct viterbi_soft *how,
                       unsigned bit, const double *llr)
{
    double of[2] = {-INFINITY, -INFINITY};

    for (uint32_t m = 0; m < 1u << BITS; m++) {
        const double x = fit(spec, how->feedback, m, llr) / how->unit;
        double *to = &of[m >> bit & 1];
        const double most = fmax(*to, x);

        *to = how->exact && isfinite(most) ? most + log1p(exp(-fabs(*to - x))) : most;
    }
    return (of[0] - of[1]) * how->unit;
}

static void try(const char *what, struct viterbi_spec spec, uint32_t feedback, void *scratch)
{
    const unsigned items = (unsigned)viterbi_frame_steps(&spec) * spec.code.n;
    double worst = 0, tail_biting = 0, bits = 0;

    for (unsigned round = 0; round < 8; round++) {
        const struct viterbi_soft how = {round & 1, feedback, round & 1 ? 8 : 1};
        const uint32_t sent = (uint32_t)(draw() * (1 << BITS));
        double llr[STEPS * VITERBI_MAX_N];
        float floats[STEPS * VITERBI_MAX_N], got[BITS];
        int8_t bytes[STEPS * VITERBI_MAX_N];
        struct viterbi_input input = {.llr = bytes, .stride = items, .frames = 1};

        spec.is_float = round & 2;
        for (unsigned i = 0; i < items; i++) {
            /* noise alone, or a word with a little of it */
            double unit[STEPS * VITERBI_MAX_N] = {0};
            double x = 60 * (draw() - 0.5);

            unit[i] = 1;
            if (round & 4)
                x += fit(&spec, feedback, sent, unit) < 0 ? -14 : 14;
            bytes[i] = (int8_t)x;
            floats[i] = (float)(spec.is_float ? x : bytes[i]);
            llr[i] = spec.is_float ? floats[i] : bytes[i];
        }
        if (spec.is_float)
            input.llr = floats;
        viterbi_soft_decode(&how, &spec, &input, got, scratch);
        for (unsigned b = 0; b < BITS; b++) {
            const double want = expected(&spec, &how, b, llr);

            worst = fmax(worst, fabs(want - (double)got[b]) / (1 + fabs(want)));
            tail_biting += fabs(want) > 30 && (want < 0) != (got[b] < 0);
            bits++;
        }
    }
    if (spec.termination == VITERBI_TAIL_BITING)
        ok(tail_biting <= bits / 40, "%s: signs of sure bits are those of all tail-biting words",
           what);
    else
        ok(worst < 1e-5, "%s: LLRs are those of all messages (%g)", what, worst);
}

int main(void)
{
    const struct viterbi_code k3 = {3, 2, {07, 05}, {0}}, k5 = {5, 3, {025, 033, 037}, {0, 1, 0}};
    const struct viterbi_code k7 = {7, 2, {0171, 0133}, {0, 1}};
    void *scratch = aligned_alloc(64, SCRATCH);

    for (unsigned t = VITERBI_ZERO; t <= VITERBI_TRUNCATED; t++) {
        static const char *const names[] = {"zero", "tail-biting", "truncated"};
        const struct viterbi_code codes[] = {k3, k5, k7};
        char what[64];

        for (unsigned c = 0; c < 3; c++) {
            const struct viterbi_spec spec = {.code = codes[c],
                                              .termination = (enum viterbi_termination)t,
                                              .info_bits = BITS,
                                              .wrap_limit = 4,
                                              .llr_max = 127};

            if (viterbi_soft_scratch(&spec) > SCRATCH)
                bail("too little memory");
            snprintf(what, sizeof what, "K = %u, %s", codes[c].K, names[t]);
            try(what, spec, 0, scratch);
        }
    }
    /* what goes into the register is the input and both bits of the state */
    for (unsigned t = VITERBI_ZERO; t <= VITERBI_TRUNCATED; t += 2)
        try(t ? "recursive, truncated" : "recursive, zero",
            (struct viterbi_spec){.code = k3,
                                  .termination = (enum viterbi_termination)t,
                                  .info_bits = BITS,
                                  .wrap_limit = 4,
                                  .llr_max = 127},
            07, scratch);
    free(scratch);
    return done_testing();
}
