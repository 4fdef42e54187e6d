/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames that a backend decodes and the reference does not, and the other way round. */
#include "tools/check/trial.h"

#include "tools/check/check_impl.h"

#include <fecrun/sdk/stats.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- One input ---- */

void check_pair(struct check_pairs *pairs, const struct check_input *input, uint64_t first,
                const struct check_result *ref, const struct check_result *other)
{
    bool known = input->truth && input->truth_items == ref->out[0].items;

    for (uint64_t f = 0; f < ref->frames * ref->out[0].pieces; f++) {
        uint8_t *x = check_widen(&ref->out[0], f), *y = check_widen(&other->out[0], f);
        const uint8_t *truth = known ? input->truth + (first + f) * input->truth_items : x;
        size_t n = ref->out[0].items;

        if (x && y) {
            bool ref_good = !memcmp(x, truth, n), other_good = !memcmp(y, truth, n);

            pairs->frames++;
            /* two wrong guesses need not be the same */
            pairs->differ += (ref_good || other_good) && memcmp(x, y, n);
            pairs->only_ref += known && ref_good && !other_good;
            pairs->only_other += known && other_good && !ref_good;
            pairs->ref_wrong += known && !ref_good;
        }
        free(x);
        free(y);
    }
}

/* Exact two-sided McNemar test on discordant pairs: twice the tail of a fair coin. */
static double mcnemar(uint64_t a, uint64_t b)
{
    const double low = (double)(a < b ? a : b), n = (double)(a + b);

    return a == b ? 1 : fmin(1, 2 * fecrun_beta(n - low, low + 1, 0.5));
}

/* ---- All inputs ---- */

/*
 * Frames that only one of the two decodes, at most. FECRUN_AGREEMENT_EXACT: rounding of real values decides
 * hardly ever. FECRUN_AGREEMENT_NEAR: an iterative decoder with fewer bits takes another way through each
 * frame, and near its limits ends elsewhere; but the two have to have more in common than two
 * decoders with as many errors, in frames of which each knows nothing of the other's.
 */
static double most_differ(const struct check_pairs *pairs, bool near)
{
    double n = (double)pairs->frames, wrong = (double)pairs->ref_wrong;

    return fmax(2, n / 100) + (near ? 2 * wrong * (1 - wrong / n) : 0);
}

/* 0.05 dB cost a quarter more block errors where these are rare, and nothing where all frames are
   lost; and what equals differ by, three standard deviations of it. */
static double most_more(const struct check_pairs *pairs, double loss)
{
    return loss + 3 * sqrt((double)pairs->only_ref + (double)pairs->only_other);
}

static double loss_of(const struct check_pairs *pairs)
{
    double n = (double)pairs->frames, wrong = (double)pairs->ref_wrong;

    return wrong * (1 - wrong / n) / 4;
}

/* Paired block errors: "near" must not hide a decoder that is worse. */
static void judge_pair(const struct work *work, const struct check_variant *v,
                       const struct check_pairs *pairs)
{
    const bool near = work->check->backend->backend->agreement == FECRUN_AGREEMENT_NEAR;
    double p = mcnemar(pairs->only_ref, pairs->only_other), most = most_differ(pairs, near);
    double more = (double)pairs->only_ref - (double)pairs->only_other;
    char frames[160];

    if ((double)pairs->differ <= most &&
        (p > 0.001 || (near && more <= 0) ||
         (near && !check_point_meant(v->point) && more <= most_more(pairs, loss_of(pairs)))))
        check_pass(work->check->report, CHECK_NEAR);
    else
        check_fail(
            work->check->report, CHECK_NEAR,
            "%.400s, %s, noise: of %llu frames %llu differ (%.0f are allowed); %llu decoded by "
            "the reference only, %llu by this one only (p = %.2g)",
            v->point->text, check_variant_text(v, frames, sizeof frames),
            (unsigned long long)pairs->frames, (unsigned long long)pairs->differ, floor(most),
            (unsigned long long)pairs->only_ref, (unsigned long long)pairs->only_other, p);
}

/* A variant has few frames, all of them together have many. */
static void judge_sum(const struct work *work, const struct check_pairs *sum, double loss)
{
    double more = (double)sum->only_ref - (double)sum->only_other;
    double most = most_more(sum, loss);

    if (more <= most)
        check_pass(work->check->report, CHECK_NEAR);
    else
        check_fail(
            work->check->report, CHECK_NEAR,
            "all variants, noise: of %llu frames %llu decoded by the reference only, %llu "
            "by this one only: %.0f more errors than the reference's %llu (%.0f are allowed)",
            (unsigned long long)sum->frames, (unsigned long long)sum->only_ref,
            (unsigned long long)sum->only_other, more, (unsigned long long)sum->ref_wrong,
            floor(most));
}

/* Form by form: two of them see the same noise, and its frames must not count twice. */
void pairs_judge(const struct work *work, size_t form)
{
    struct check_pairs sum = {0};
    double loss = 0;

    for (size_t i = 0; i < work->variants.n; i++) {
        const struct check_variant *v = &work->variants.variant[i];
        const struct check_pairs *pairs = &v->pairs[form];

        if (!pairs->frames)
            continue;
        judge_pair(work, v, pairs);
        sum.frames += pairs->frames;
        sum.only_ref += pairs->only_ref;
        sum.only_other += pairs->only_other;
        sum.ref_wrong += pairs->ref_wrong;
        loss += loss_of(pairs);
    }
    if (!sum.frames)
        return;
    judge_sum(work, &sum, loss);
    check_note(work->check->report,
               "form %zu: of %llu frames with noise %llu decoded by the "
               "reference only, %llu by this one only, %llu by none",
               form, (unsigned long long)sum.frames, (unsigned long long)sum.only_ref,
               (unsigned long long)sum.only_other,
               (unsigned long long)(sum.ref_wrong - sum.only_other));
}
