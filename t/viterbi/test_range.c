/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The bounds that viterbi_code_range() gives for path metrics: what makes narrow metrics exact.
 * FECRUN_TEST_SEED and FECRUN_TEST_ROUNDS as in test_core.c.
 */
#include "t/viterbi/viterbi.h"

#include <inttypes.h>
#include <limits.h>

/* ---- the range of metrics ---- */

enum { RANGE_STATES = 64, IMPOSSIBLE = INT_MIN / 2 };

enum figure { MERGE, EARLY, SETTLED, UP, DOWN, FIGURES }; /* of struct viterbi_range */

struct forward {
    const struct viterbi_code *code;
    int metric[RANGE_STATES];
    int llr[VITERBI_MAX_N];
    int origin; /* state 0's metric at the beginning of the period */
};

static void raise_to(unsigned *most, int value)
{
    if (value > 0 && (unsigned)value > *most)
        *most = (unsigned)value;
}

/* A step with metrics that grow by minus the LLRs of 1s. */
static void watch_step(struct forward *fw, bool settled, unsigned *seen)
{
    const unsigned states = 1u << (fw->code->K - 1);
    int next[RANGE_STATES], candidate[2];

    for (unsigned s = 0; s < states; s++) {
        for (unsigned d = 0; d < 2; d++) {
            const uint32_t reg = s << 1 | d;
            candidate[d] = fw->metric[reg % states];
            if (candidate[d] == IMPOSSIBLE)
                continue;
            for (unsigned j = 0; j < fw->code->n; j++)
                candidate[d] -= __builtin_parity(reg & fw->code->gen[j]) ? fw->llr[j] : 0;
            if (settled) {
                raise_to(&seen[UP], candidate[d] - fw->origin);
                raise_to(&seen[DOWN], fw->origin - candidate[d]);
            }
        }
        if (candidate[0] != IMPOSSIBLE && candidate[1] != IMPOSSIBLE)
            raise_to(&seen[MERGE], abs(candidate[0] - candidate[1]));
        next[s] = candidate[0] > candidate[1] ? candidate[0] : candidate[1];
    }
    memcpy(fw->metric, next, sizeof next);
}

/* LLRs of 1 and -1 for a path, with a turn near the end: nothing drives metrics farther apart. */
static void watch_path(const struct viterbi_code *code, const struct viterbi_range *range,
                       unsigned period, unsigned *seen)
{
    const bool known = draw(2) == 0;
    const unsigned states = 1u << (code->K - 1), mode = draw(3);
    const unsigned steps = 20 + draw(60), turn = steps - draw(12);
    struct forward fw = {.code = code};
    uint32_t reg = known ? 0 : draw(2 * states);

    for (unsigned s = 1; s < states && known; s++)
        fw.metric[s] = IMPOSSIBLE;
    for (unsigned t = 0, settled_steps = 0; t < steps; t++) {
        const bool settled = !known || t >= range->settle;

        reg = reg >> 1 | draw(2) << (code->K - 1);
        for (unsigned j = 0; j < code->n; j++) {
            fw.llr[j] = __builtin_parity(reg & code->gen[j]) ? -1 : 1;
            if (t >= turn && (mode == 1 || (mode == 2 && draw(2))))
                fw.llr[j] = -fw.llr[j];
        }
        if (settled && settled_steps++ % period == 0)
            fw.origin = fw.metric[0];
        watch_step(&fw, settled, seen);
        for (unsigned s = 0; s < states; s++) {
            if (fw.metric[s] == IMPOSSIBLE)
                continue;
            raise_to(&seen[EARLY], abs(fw.metric[s] - fw.metric[0]));
            if (!known || t + 1 >= range->settle)
                raise_to(&seen[SETTLED], abs(fw.metric[s] - fw.metric[0]));
        }
    }
}

/* Whether the bounds hold; *tight: they are met. */
static bool holds(const struct viterbi_code *code, unsigned period, unsigned paths, bool *tight)
{
    uint16_t work[4 * RANGE_STATES];
    struct viterbi_range range;
    unsigned seen[FIGURES] = {0};
    bool good = true;

    viterbi_code_range(code, period, work, &range);
    for (unsigned i = 0; i < paths; i++)
        watch_path(code, &range, period, seen);
    const unsigned bound[] = {range.merge, range.early, range.settled, range.up, range.down};
    *tight = memcmp(seen, bound, sizeof bound) == 0;
    for (unsigned i = 0; i < FIGURES; i++) {
        if (seen[i] > bound[i]) {
            diag("K %u n %u gen %o %o %o %o period %u: figure %u is %u, said to be %u at most",
                 code->K, code->n, code->gen[0], code->gen[1], code->gen[2], code->gen[3], period,
                 i, seen[i], bound[i]);
            good = false;
        }
    }
    return good;
}

static void test_range(uint64_t seed)
{
    const struct viterbi_code k7 = {.K = 7, .n = 2, .gen = {0133, 0171}};
    const uint64_t n = rounds(80);
    struct viterbi_code code;
    bool good = true, tight = false;

    seed_rng(seed);
    for (unsigned period = 1; period <= 4; period *= 2)
        ok(holds(&k7, period, 3000, &tight) && tight,
           "the metrics of K = 7 reach their bounds and no farther, period %u", period);
    for (uint64_t i = 0; i < n; i++) {
        any_code(&code, 7, 4);
        good = holds(&code, 1u << i % 3, 60, &tight) && good;
    }
    ok(good, "the metrics of %" PRIu64 " random codes stay within their bounds", n);
}

int main(void)
{
    test_range(number_of_env("FECRUN_TEST_SEED", 1));
    return done_testing();
}
