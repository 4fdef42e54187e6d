/* SPDX-License-Identifier: BSD-2-Clause */
/* All jobs of one backend on all variants of its stage. */
#include "tools/check/check.h"

#include "tools/check/check_impl.h"
#include <fecrun/sdk/params.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TUNES = 24, SLOW = 20 /* times the time allowed, before what is left is dropped */ };

/* In the order of their worth; the first one, which tells how slow a variant is, is always done. */
static const struct job {
    enum check_pattern pattern;
    uint64_t frames;
} jobs[] = {
    {CHECK_RANDOM, 1},     {CHECK_RANDOM, 65},    {CHECK_NOISE_3DB, 17},  {CHECK_REAL_3DB, 65},
    {CHECK_TIES, 64},      {CHECK_SATURATED, 63}, {CHECK_ZERO, 1},        {CHECK_HOSTILE, 17},
    {CHECK_REAL_TIES, 65}, {CHECK_REAL_TIES, 17}, {CHECK_NOISE_1DB, 130}, {CHECK_REAL_1DB, 130},
    {CHECK_NOISE_5DB, 65}, {CHECK_RANDOM, 130},   {CHECK_SATURATED, 17},  {CHECK_TIES, 1},
    {CHECK_NOISE_3DB, 64}, {CHECK_HOSTILE, 65},   {CHECK_RANDOM, 3},      {CHECK_RANDOM, 63},
    {CHECK_RANDOM, 64},    {CHECK_RANDOM, 17},    {CHECK_REAL_3DB, 130},  {CHECK_REAL_1DB, 65},
    {CHECK_NOISE_1DB, 3},
};

enum { JOBS = sizeof jobs / sizeof *jobs };

struct work {
    const struct check *check;
    struct check_variants variants;
    char tune[MAX_TUNES][96]; /* [0] is "": the defaults */
    size_t n_tunes;
    double start, end;
    uint64_t runs, declined;
    uint64_t done, left_out; /* of the plan: a job on a variant in one form */
};

/* What one comparison is about. */
struct trial {
    struct work *work;
    struct check_variant *variant;
    const struct job *job;
    uint64_t frames;
    const struct check_input *input;
    struct check_call call;
    const struct fecrun_form *form;
    const char *tune;
    const struct check_result *ref; /* NULL: this is it */
};

/* ---- Texts ---- */

static const char *form_text(const struct fecrun_form *form, char *buffer, size_t size)
{
    snprintf(buffer, size, "%s>%s", fecrun_type_name(form->in[0].type),
             fecrun_type_name(form->out[0].type));
    return buffer;
}

static const char *trial_text(const struct trial *t, char *buffer, size_t size)
{
    char frames[160], form[40];

    snprintf(buffer, size, "%.400s, %s, %s, %llu frames, form %s%s%s%s%s", t->variant->point->text,
             check_variant_text(t->variant, frames, sizeof frames),
             check_pattern_name(t->job->pattern), (unsigned long long)t->frames,
             form_text(t->form, form, sizeof form), t->tune[0] ? ", tune " : "", t->tune,
             t->variant->in[0].stream && t->call.first == 0 ? ", start of the stream" : "",
             t->call.info.flags ? ", info set before" : "");
    return buffer;
}

static bool fail(const struct trial *t, unsigned group, const char *what, const char *why)
{
    char text[700];

    return check_fail(t->work->check->report, group, "%s: %s: %s", trial_text(t, text, sizeof text),
                      what, why);
}

/* ---- One backend, one form, one input: twice ---- */

/* A stage that does not say RANDOM must not look at the seed. */
static struct check_call second_call(const struct trial *t)
{
    struct check_call call = t->call;

    call.poison = 0x5a;
    call.more = 5;
    call.guard = true;
    if (!(t->variant->flags & FECRUN_RANDOM)) {
        call.seed = ~call.seed;
        call.point++;
        call.random_stage++;
    }
    return call;
}

static bool judge_one(const struct trial *t, const struct check_result *result)
{
    struct check_report *report = t->work->check->report;
    char text[400];

    if (result->broken[0])
        return fail(t, CHECK_ZONES, "memory", result->broken);
    check_pass(report, CHECK_ZONES);
    if (!check_valid(result, t->variant, t->job->pattern == CHECK_HOSTILE, text, sizeof text))
        return fail(t, CHECK_OUTPUT, "not valid, or not written", text);
    check_pass(report, CHECK_OUTPUT);
    return true;
}

static void judge_two(const struct trial *t, const struct check_result *a,
                      const struct check_result *b)
{
    char text[400];

    if (check_identical(a, b, text, sizeof text))
        check_pass(t->work->check->report, CHECK_OUTPUT);
    else
        fail(t, CHECK_OUTPUT,
             t->variant->flags & FECRUN_RANDOM
                 ? "a second call gives something else (or leaves bytes as they were)"
                 : "a second call, with another seed, gives something else (or leaves bytes as "
                   "they were)",
             text);
}

/* ---- Against the reference ---- */

static bool bits_out(const struct check_result *result)
{
    return result->n_out && fecrun_type_kind(result->out[0].type) == FECRUN_BITS;
}

/* Real values into bits: compared frame by frame at the end, see judge_form(). */
static bool judged_by_frames(const struct trial *t, const struct fecrun_backend *backend,
                             const struct check_result *result)
{
    return bits_out(result) && backend->bound > 0 &&
           (t->input->real || backend->agreement == FECRUN_NEAR);
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
    bool near = backend->agreement == FECRUN_NEAR || t->input->real;
    double scale = t->variant->n_out && t->variant->out[0].llr_scale > 0
                       ? t->variant->out[0].llr_scale
                       : 1;
    unsigned group = near ? CHECK_NEAR : CHECK_AGREE;
    char text[400];

    if (t->job->pattern == CHECK_HOSTILE && t->input->real)
        return; /* sums of huge values: only that it goes well counts */
    if (judged_by_frames(t, backend, result)) {
        if (t->input->truth || t->input->real)
            check_pair(&t->variant->pairs[form_number(t)], t->input, t->call.first, t->ref, result);
        return;
    }
    if (check_same(t->ref, result, near ? backend->bound * scale : 0, !near, text, sizeof text))
        check_pass(report, group);
    else
        fail(t, group, "the reference and this", text);
}

static bool run_second(const struct trial *t, const struct check_instance *instance,
                       const struct check_result *first)
{
    struct check_call call = second_call(t);
    struct check_result second;
    struct fecrun_error err;
    bool good;

    if (check_run(instance, t->input, &call, &second, &err)) {
        check_result_free(&second);
        return fail(t, CHECK_CALLS, "run(), second time", err.text);
    }
    good = judge_one(t, &second);
    if (good)
        judge_two(t, first, &second);
    check_result_free(&second);
    return good;
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

/* False: declined, or failed. The result is the caller's. */
static bool run_trial(const struct trial *t, struct check_result *result)
{
    const struct check *check = t->work->check;
    struct check_instance instance;
    struct fecrun_error err;
    char text[700];
    bool ordered = t->variant->flags & FECRUN_ORDERED;

    memset(result, 0, sizeof *result);
    check_now(check->report, "%s", trial_text(t, text, sizeof text));
    if (check_instance_open(&instance, check, check->stage, check->backend, t->variant, t->form,
                            t->tune[0] ? t->tune : NULL, t->frames, &err)) {
        if (!err.text[0])
            return fail(t, CHECK_CALLS, "create()", "failed without a text");
        decline(t, text, err.text);
        return false;
    }
    t->work->runs++;
    if (check_run(&instance, t->input, &t->call, result, &err)) {
        fail(t, CHECK_CALLS, "run()", err.text);
        check_instance_close(&instance);
        return false;
    }
    check_pass(check->report, CHECK_CALLS);
    if (check->backend == &check->stage->backends[0])
        t->variant->cost = check_run_seconds() / (double)t->frames;
    if (judge_one(t, result) && (ordered || run_second(t, &instance, result)) && t->ref)
        judge_agreement(t, result);
    check_instance_close(&instance);
    return true;
}

/* ---- The reference's own result ---- */

static bool run_reference(struct trial *t, struct check_result *result)
{
    const struct check *check = t->work->check;
    const struct registry_backend *ref = &check->stage->backends[0];
    const struct fecrun_form *form = check_first_form(t->variant, ref->backend);
    struct check_instance instance;
    struct fecrun_error err;
    int status;

    memset(result, 0, sizeof *result);
    check_now(check->report, "the reference %s with %s", ref->backend->name,
              t->variant->point->text);
    if (!form || check_instance_open(&instance, check, check->stage, ref, t->variant, form, NULL,
                                     t->frames, &err))
        return false;
    status = check_run(&instance, t->input, &t->call, result, &err);
    check_instance_close(&instance);
    t->variant->cost = check_run_seconds() / (double)t->frames;
    return !status;
}

/* ---- One job on one variant: all forms that fit ---- */

/* Streams: in the middle, at the start, at the end. Infos: clear, or as stages before left them. */
static void choose_call(struct trial *t, size_t turn)
{
    uint64_t before = check_frames_before(t->variant), after = check_frames_after(t->variant);

    t->call = check_call_for(t->variant, t->input, t->frames);
    t->call.first_frame = turn % 2 ? 0 : ((uint64_t)1 << 33) + 5 + turn;
    if (t->variant->n_in && t->variant->in[0].stream && turn % 3 == 1)
        t->call.first = t->call.first_frame = 0;
    if (t->variant->n_in && t->variant->in[0].stream && turn % 3 == 2)
        t->call.first = before + after;
    if (t->variant->flags & FECRUN_ORDERED)
        t->call.first_frame = 0;
    if (turn % 4 == 3)
        t->call.info = (struct fecrun_frame_info){FECRUN_CHECKED | FECRUN_FAILED, 7, 0};
}

static uint64_t fitting_forms(const struct work *work, const struct check_variant *v)
{
    const struct fecrun_form *const *forms = work->check->backend->backend->forms;
    uint64_t n = 0;

    for (size_t i = 0; forms[i]; i++)
        n += check_form_fits(v, forms[i]);
    return n;
}

/* A reference with one form has nothing to be compared with. */
static bool is_alone(const struct trial *t)
{
    return t->work->check->backend == &t->work->check->stage->backends[0] &&
           fitting_forms(t->work, t->variant) == 1 && t->work->n_tunes == 1;
}

static void run_forms(struct trial *t, size_t turn)
{
    const struct check *check = t->work->check;
    const struct fecrun_backend *backend = check->backend->backend;
    struct check_result ref = {0}, result;
    size_t n = 0;

    t->ref = is_alone(t) || !run_reference(t, &ref) ? NULL : &ref;
    for (size_t i = 0; backend->forms[i]; i++) {
        size_t tune = (turn + i) % t->work->n_tunes;

        if (!check_form_fits(t->variant, backend->forms[i]))
            continue;
        if (n && check_clock() > t->work->end) {
            t->work->left_out++;
            continue;
        }
        t->form = backend->forms[i];
        t->tune = t->work->tune[tune];
        if (!run_trial(t, &result) && tune) { /* a tuning that this case cannot have */
            check_result_free(&result);
            t->tune = t->work->tune[0];
            run_trial(t, &result);
        }
        check_result_free(&result);
        n++;
        t->work->done++;
    }
    check_result_free(&ref);
}

/* A slow reference gets fewer frames, and fewer jobs. */
static uint64_t affordable(const struct check_variant *v, uint64_t frames)
{
    double most = v->cost > 0 ? 0.02 / v->cost : 3;

    return (double)frames < most ? frames : most < 1 ? 1 : (uint64_t)most;
}

static bool skipped(const struct check_variant *v, size_t j, size_t i)
{
    return v->cost > 0.01 && (i + j) % 5;
}

static void run_job(struct work *work, size_t j, size_t i)
{
    struct trial t = {.work = work, .variant = &work->variants.variant[i], .job = &jobs[j]};
    struct check_random random = check_random_for(work->check->options->seed,
                                                  t.variant->point->text, 100 * j + i);
    struct check_input input;

    t.frames = affordable(t.variant, t.job->frames);
    t.input = &input;
    check_now(work->check->report, "input for %s", t.variant->point->text);
    if (check_input_make(&input, work->check, t.variant, t.job->pattern, t.frames, &random))
        return;
    choose_call(&t, i + 3 * j);
    run_forms(&t, i + j);
    check_input_free(&input);
}

/* ---- Tunings ---- */

static void add_tune(struct work *work, const char *name, const char *value)
{
    if (work->n_tunes < MAX_TUNES)
        snprintf(work->tune[work->n_tunes++], sizeof work->tune[0], "%s=%s", name, value);
}

static void list_tunes(struct work *work, const struct fecrun_backend *backend)
{
    work->n_tunes = 1;
    for (size_t i = 0; backend->tune && backend->tune[i]; i++) {
        const struct fecrun_param *param = backend->tune[i];
        char text[32];

        for (size_t k = 0; param->type == FECRUN_P_CHOICE && param->choices[k]; k++)
            add_tune(work, param->name, param->choices[k]);
        if (param->type == FECRUN_P_BOOL) {
            add_tune(work, param->name, "true");
            add_tune(work, param->name, "false");
        }
        for (int k = 0; param->type == FECRUN_P_INT && param->min < param->max && k < 2; k++) {
            snprintf(text, sizeof text, "%.0f", k ? param->max : param->min);
            add_tune(work, param->name, text);
        }
    }
}

/* ---- All of it ---- */

/*
 * Frames that only one of the two decodes, at most. FECRUN_EXACT: rounding of real values decides
 * hardly ever. FECRUN_NEAR: an iterative decoder with fewer bits takes another way through each
 * frame, and near its limits ends elsewhere; but the two have to have more in common than two
 * decoders with as many errors, in frames of which each knows nothing of the other's.
 */
static double most_differ(const struct check_pairs *pairs, bool near)
{
    double n = (double)pairs->frames, wrong = (double)pairs->ref_wrong;

    return fmax(2, n / 100) + (near ? 2 * wrong * (1 - wrong / n) : 0);
}

/* Paired block errors: "near" must not hide a decoder that is worse. */
static void judge_pair(const struct work *work, const struct check_variant *v,
                       const struct check_pairs *pairs)
{
    const bool near = work->check->backend->backend->agreement == FECRUN_NEAR;
    double p = check_mcnemar(pairs->only_ref, pairs->only_other), most = most_differ(pairs, near);
    char frames[160];

    if ((double)pairs->differ <= most &&
        (p > 0.001 || (near && pairs->only_other > pairs->only_ref)))
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

/*
 * A variant has few frames, all of them together have many. `loss`: what 0.05 dB cost, see
 * judge_form(); on top, three standard deviations of the difference between equals.
 */
static void judge_sum(const struct work *work, const struct check_pairs *sum, double loss)
{
    double more = (double)sum->only_ref - (double)sum->only_other;
    double most = loss + 3 * sqrt((double)sum->only_ref + (double)sum->only_other);

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

/*
 * Form by form: two of them see the same noise, and its frames must not count twice. 0.05 dB cost a
 * quarter more block errors where these are rare, and nothing where all frames are lost.
 */
static void judge_form(const struct work *work, size_t form)
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
        loss += (double)pairs->ref_wrong * (1 - (double)pairs->ref_wrong / (double)pairs->frames) /
                4;
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

/* Breadth first: every variant gets its first job before any gets its second. */
static void run_jobs(struct work *work)
{
    double slowest = work->start + SLOW * work->check->options->seconds;

    for (size_t j = 0; j < JOBS; j++) {
        if (j == 1)
            work->end = check_clock() + work->check->options->seconds;
        for (size_t i = 0; i < work->variants.n; i++) {
            const struct check_variant *v = &work->variants.variant[i];
            double now = check_clock();

            if (skipped(v, j, i) || !check_input_fits(v, jobs[j].pattern))
                continue;
            if (now > slowest || (j > 0 && now > work->end))
                work->left_out += fitting_forms(work, v);
            else
                run_job(work, j, i);
        }
    }
}

/* The special tests, on a few variants spread over the list. */
static void run_more(struct work *work)
{
    const struct check *check = work->check;
    size_t step = work->variants.n / 6 + 1;
    struct check_random random;

    for (size_t i = 0; i < work->variants.n; i += step) {
        struct check_variant *v = &work->variants.variant[i];
        const struct fecrun_form *form = check_first_form(v, check->backend->backend);

        random = check_random_for(check->options->seed, v->point->text, i);
        if (!form || v->cost > 0.02 || (work->left_out && v->cost == 0)) /* slow; not known */
            continue;
        check_split(check, v, form, &random);
        if (v->flags & FECRUN_ORDERED)
            continue;
        check_threads(check, v, form, &random);
        check_leaks(check, v, form, &random);
    }
    random = check_random_for(check->options->seed, check->stage->stage->name, 7);
    check_ragged(check, &work->variants, &random);
    check_absorb(check, &work->variants, &random);
}

static void name_groups(const struct check *check)
{
    struct check_group *group = check->report->group;

    group[CHECK_CALLS].what = "create() and run() succeed";
    group[CHECK_ZONES].what = "stays inside its memory";
    group[CHECK_OUTPUT].what = "writes all of its output, the same each time";
    group[CHECK_AGREE].what = check->backend == &check->stage->backends[0]
                                  ? "all forms give the same"
                                  : "the reference's result, exactly";
    group[CHECK_NEAR].what = "the reference's result, within the bound";
    group[CHECK_STRANGE].what = "is fine without an instance, and when cancelled";
    group[CHECK_SPLIT].what = "does not depend on how frames are batched";
    group[CHECK_THREADS].what = "two instances at the same time";
    group[CHECK_LEAKS].what = "leaves no memory behind";
    group[CHECK_RAGGED].what = "frames of different sizes in one batch";
    group[CHECK_ABSORB].what = "the same where it does upstream stages, too";
}

static void summarize(const struct work *work)
{
    struct check_report *report = work->check->report;

    const unsigned long long all = work->done + work->left_out;

    snprintf(report->summary, sizeof report->summary,
             "%zu points, %zu variants, %llu runs; %s%llu of %llu planned trials%s",
             work->variants.accepted, work->variants.n, (unsigned long long)work->runs,
             work->left_out ? "" : "all ", (unsigned long long)work->done, all,
             work->left_out ? ", then time ran out: --seconds" : "");
    if (work->declined)
        check_note(report, "declined %llu times", (unsigned long long)work->declined);
    if (!work->runs && work->variants.n)
        check_fail(report, CHECK_CALLS,
                   "it took none of %zu variants: no form fits, or takes() "
                   "or create() declined each",
                   work->variants.n);
}

void check_backend_child(void *data, struct check_report *report)
{
    struct check check = *(struct check *)data;
    struct check_points points;
    struct work work = {.check = &check, .start = check_clock()};
    struct diag diag = {0};

    check.report = report;
    check.host = check_host(check.registry);
    name_groups(&check);
    check_now(report, "destroy(NULL)");
    check.backend->backend->destroy(NULL);
    check_pass(report, CHECK_STRANGE);
    if (check_points_make(&points, &check, &diag)) {
        check_fail(report, CHECK_CALLS, "%s", diag.text);
        return;
    }
    check_variants_make(&work.variants, &check, &points);
    list_tunes(&work, check.backend->backend);
    work.end = check_clock() + SLOW * check.options->seconds;
    run_jobs(&work);
    for (size_t form = 0; form < CHECK_FORMS; form++)
        judge_form(&work, form);
    run_more(&work);
    summarize(&work);
    if (check.options->bench)
        check_bench(&check, &work.variants);
    check_variants_free(&work.variants, &check);
    check_points_free(&points);
}
