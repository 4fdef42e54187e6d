/* SPDX-License-Identifier: BSD-2-Clause */
/* One run of one backend, judged: memory, output, a second time, against the reference. */
#include "tools/check/trial.h"

#include "tools/check/check_impl.h"

#include <stdio.h>
#include <string.h>

/* ---- One backend, one form, one input: twice ---- */

/* A stage that does not say RANDOM must not look at the seed. */
static struct check_call second_call(const struct trial *t)
{
    struct check_call call = t->call;

    call.poison = 0x5a;
    call.more = 5;
    call.guard = true;
    if (!(t->variant->flags & FECRUN_STAGE_RANDOM)) {
        call.rng.seed = ~call.rng.seed;
        call.rng.point++;
        call.rng.stage++;
    }
    return call;
}

static bool judge_one(const struct trial *t, const struct check_result *result)
{
    struct check_report *report = t->work->check->report;
    char text[400];

    if (result->broken[0])
        return trial_fail(t, CHECK_ZONES, "memory", result->broken);
    check_pass(report, CHECK_ZONES);
    if (!check_valid(result, t->variant, t->job->pattern == CHECK_HOSTILE, text, sizeof text))
        return trial_fail(t, CHECK_OUTPUT, "not valid, or not written", text);
    check_pass(report, CHECK_OUTPUT);
    return true;
}

static bool judge_two(const struct trial *t, const struct check_result *a,
                      const struct check_result *b, const char *what)
{
    char text[400];

    if (!check_identical(a, b, text, sizeof text))
        return trial_fail(t, CHECK_OUTPUT, what, text);
    check_pass(t->work->check->report, CHECK_OUTPUT);
    return true;
}

/* ---- Against the reference ---- */

static bool bits_out(const struct check_result *result)
{
    return result->n_out && fecrun_type_kind(result->out[0].type) == FECRUN_KIND_BITS;
}

/* Real values into bits: compared frame by frame at the end, see judge_form(). */
static bool judged_by_frames(const struct trial *t, const struct fecrun_backend *backend,
                             const struct check_result *result)
{
    return bits_out(result) && backend->bound > 0 &&
           (t->input->real || backend->agreement == FECRUN_AGREEMENT_NEAR);
}

static size_t form_number(const struct trial *t)
{
    const struct fecrun_form *const *forms = t->work->check->backend->backend->forms;
    size_t i = 0;

    while (forms[i] != t->form && i + 1 < CHECK_FORMS)
        i++;
    return i;
}

static void judge_agreement(const struct trial *t, const struct check_result *result)
{
    const struct fecrun_backend *backend = t->work->check->backend->backend;
    struct check_report *report = t->work->check->report;
    bool near = backend->agreement == FECRUN_AGREEMENT_NEAR || t->input->real;
    double scale = t->variant->n_out && t->variant->out[0].llr_scale > 0
                       ? t->variant->out[0].llr_scale
                       : 1;
    unsigned group = near ? CHECK_NEAR : CHECK_AGREE;
    char text[400];

    if (t->job->pattern == CHECK_HOSTILE && t->input->real)
        return; /* sums of huge values: only that it goes well counts */
    if (judged_by_frames(t, backend, result)) {
        if (t->job->pattern >= CHECK_CODED && !truth_is_apt(t))
            return;
        if (t->input->truth || t->input->real)
            check_pair(&t->variant->pairs[form_number(t)], t->input, t->call.first, t->ref, result);
        return;
    }
    if (check_same(t->ref, result, near ? backend->bound * scale : 0, !near, text, sizeof text))
        check_pass(report, group);
    else
        trial_fail(t, group, "the reference and this", text);
}

/* The same input once more, in another call: it gives the same. */
static bool run_again(const struct trial *t, const struct check_instance *instance,
                      const struct check_call *call, const struct check_result *first,
                      const char *what)
{
    struct check_result again;
    struct fecrun_error err;
    bool good;

    if (check_run(instance, t->input, call, &again, &err)) {
        check_result_free(&again);
        return trial_fail(t, CHECK_CALLS, "run(), second time", err.text);
    }
    good = judge_one(t, &again) && judge_two(t, first, &again, what);
    check_result_free(&again);
    return good;
}

static bool run_second(const struct trial *t, const struct check_instance *instance,
                       const struct check_result *first)
{
    const struct check_call call = second_call(t);

    return run_again(t, instance, &call, first,
                     t->variant->flags & FECRUN_STAGE_RANDOM
                         ? "a second call gives something else (or leaves bytes as they were)"
                         : "a second call, with another seed, gives something else (or leaves "
                           "bytes as they were)");
}

/* As rows of `blocks:` lie, and frames of a caller's array. */
static bool run_apart(const struct trial *t, const struct check_instance *instance,
                      const struct check_result *first)
{
    struct check_call call = t->call;
    char text[700];

    if (!t->apart || !check_budget_allows(0))
        return true;
    call.apart = true;
    check_now(t->work->check->report,
              "%s, with gaps between frames, aligned as an item is and not more",
              trial_text(t, text, sizeof text));
    return run_again(t, instance, &call, first,
                     "gives something else where frames have gaps between them, and addresses "
                     "that only items are aligned to");
}

/* Each reason is noted once. */
static void decline(const struct trial *t, const char *text, const char *why)
{
    struct check_report *report = t->work->check->report;

    t->work->declined++;
    for (unsigned i = 0; i < report->n_notes; i++)
        if (strstr(report->note[i], why))
            return;
    check_note(report, "declined: %s: %s", text, why);
}

/* The other calls; one that takes long is not made again when time is up. */
static bool run_others(const struct trial *t, const struct check_instance *instance,
                       const struct check_result *first)
{
    if (t->variant->flags & FECRUN_STAGE_ORDERED)
        return true;
    if (!check_budget_allows(0)) {
        check_left_out(t->work->check->report, "all second calls");
        return true;
    }
    return run_second(t, instance, first) && run_apart(t, instance, first);
}

bool trial_run(const struct trial *t, struct check_result *result)
{
    const struct check *check = t->work->check;
    struct check_instance instance;
    struct fecrun_error err;
    char text[700];
    double begin = check_clock();

    memset(result, 0, sizeof *result);
    check_now(check->report, "%s", trial_text(t, text, sizeof text));
    if (check_instance_open(&instance, check, check->stage, check->backend, t->variant, t->form,
                            t->tune[0] ? t->tune : NULL, t->frames, &err)) {
        if (!err.text[0])
            return trial_fail(t, CHECK_CALLS, "create()", "failed without a text");
        decline(t, text, err.text);
        return false;
    }
    t->variant->create = check_clock() - begin;
    t->work->runs++;
    if (check_run(&instance, t->input, &t->call, result, &err)) {
        trial_fail(t, CHECK_CALLS, "run()", err.text);
        check_instance_close(&instance);
        return false;
    }
    check_pass(check->report, CHECK_CALLS);
    if (check->backend == &check->stage->backends[0])
        t->variant->cost = check_run_seconds() / (double)t->frames;
    if (judge_one(t, result) && run_others(t, &instance, result)) {
        truth_judge(t, result);
        if (t->ref)
            judge_agreement(t, result);
    }
    check_instance_close(&instance);
    return true;
}
