/* SPDX-License-Identifier: BSD-2-Clause */
/* All jobs of one backend on all variants of its stage. */
#include "tools/check/trial.h"

#include "tools/check/check_impl.h"
#include "tools/check/turns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    FEWEST_MANY = 257,
    MOST_MANY = 4099,
    FEWEST_SURE = 8,
    MOST_SURE = 130,
    SECONDS_SURE = 3,
};

#define SLOW_COST 0.02 /* seconds a frame: too slow for the special tests */

/* In the order of their worth; the first one, which tells how slow a variant is, is always done. */
static const struct check_job jobs[] = {
    {CHECK_RANDOM, 1},     {CHECK_CODED, 5},      {CHECK_LIMIT, 64},      {CHECK_ERRORS, 65},
    {CHECK_RANDOM, 65},    {CHECK_ERASED, 63},    {CHECK_NOISE_3DB, 17},  {CHECK_REAL_3DB, 65},
    {CHECK_TIES, 64},      {CHECK_SATURATED, 63}, {CHECK_ZERO, 1},        {CHECK_HOSTILE, 17},
    {CHECK_REAL_TIES, 65}, {CHECK_REAL_TIES, 17}, {CHECK_NOISE_1DB, 130}, {CHECK_REAL_1DB, 130},
    {CHECK_NOISE_5DB, 65}, {CHECK_RANDOM, 130},   {CHECK_SATURATED, 17},  {CHECK_TIES, 1},
    {CHECK_NOISE_3DB, 64}, {CHECK_HOSTILE, 65},   {CHECK_RANDOM, 3},      {CHECK_RANDOM, 63},
    {CHECK_ERRORS, 130},   {CHECK_RANDOM, 64},    {CHECK_RANDOM, 17},     {CHECK_REAL_3DB, 130},
    {CHECK_REAL_1DB, 65},  {CHECK_NOISE_1DB, 3},
};

enum { JOBS = sizeof jobs / sizeof *jobs, FIRST_JOBS = 4 };

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
    if (t->variant->flags & FECRUN_STAGE_ORDERED || t->input->truth) /* encoded from item 0 on */
        t->call.first_frame = 0;
    if (turn % 4 == 3)
        t->call.info = (struct fecrun_frame_info){FECRUN_FRAME_CHECKED | FECRUN_FRAME_FAILED, 7, 0};
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
        if (n && !check_budget_allows(0)) {
            t->work->left_out++;
            continue;
        }
        t->form = backend->forms[i];
        t->tune = t->work->tune[tune];
        if (!trial_run(t, &result) && tune) { /* a tuning that this case cannot have */
            check_result_free(&result);
            t->tune = t->work->tune[0];
            trial_run(t, &result);
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

/* Which one of its point's it is: no matter what there was time to plan before. */
static size_t number_of(const struct work *work, size_t i)
{
    size_t n = 0;

    while (n < i && work->variants.variant[i - n - 1].point == work->variants.variant[i].point)
        n++;
    return n;
}

static void run_job(struct work *work, const struct check_job *job, size_t j, size_t i,
                    uint64_t frames)
{
    struct trial t = {.work = work, .variant = &work->variants.variant[i], .job = job};
    struct check_random random = check_random_for(
        work->check->options->seed, t.variant->point->text, 100 * j + number_of(work, i));
    struct check_input input;

    t.frames = frames;
    t.input = &input;
    t.apart = j < 2 || (i + j) % 4 == 0;
    check_now(work->check->report, "input for %s", t.variant->point->text);
    if (check_input_make(&input, work->check, t.variant, job->pattern, t.frames, &random))
        return;
    choose_call(&t, i + 3 * j);
    run_forms(&t, i + j);
    check_input_free(&input);
}

/* ---- Many frames in one call ---- */

/* The variant whose frames cost least, of those that this form fits. */
static size_t cheapest(const struct work *work, const struct fecrun_form *form)
{
    size_t best = work->variants.n;

    for (size_t i = 0; i < work->variants.n; i++) {
        const struct check_variant *v = &work->variants.variant[i];

        if (v->cost > 0 && check_form_fits(v, form) &&
            (best == work->variants.n || v->cost < work->variants.variant[best].cost))
            best = i;
    }
    return best;
}

/* More than any table or tile of a backend is likely to have. */
static void run_many(struct work *work)
{
    const struct fecrun_form *const *forms = work->check->backend->backend->forms;
    size_t last = SIZE_MAX;

    for (size_t f = 0; forms[f]; f++) {
        size_t i = cheapest(work, forms[f]);
        const struct check_variant *v = &work->variants.variant[i];
        struct check_job job = {CHECK_NOISE_3DB, 0};
        double frames;

        if (i == last || i == work->variants.n)
            continue;
        if (!check_input_fits(v, job.pattern))
            job.pattern = CHECK_RANDOM;
        frames = fmin(0.2 / v->cost, 4e6 / (double)(v->n_in ? v->in[0].items : v->out[0].items));
        /* the reference's run, and three of this backend */
        if (!check_budget_allows(4 * v->cost * fmax(frames, FEWEST_MANY)))
            frames = check_budget_left() / (4 * v->cost);
        if (!check_budget_allows(4 * v->cost * FEWEST_MANY)) {
            check_left_out(work->check->report, "hundreds of frames in one call");
            continue;
        }
        job.frames = frames < FEWEST_MANY ? FEWEST_MANY
                     : frames > MOST_MANY ? MOST_MANY
                                          : (uint64_t)frames;
        run_job(work, &job, JOBS, i, job.frames);
        last = i;
    }
}

/* ---- Is each bit of the encoder right? ---- */

/* Asked of the reference alone: others may compute with fewer bits. Of the points that are meant one
   variant each is enough, and frames that are cheap. */
static void run_sure(struct work *work)
{
    const struct check_job job = {CHECK_SURE, MOST_SURE};
    const double end = check_clock() + SECONDS_SURE;
    const struct check_point *last = NULL;

    for (size_t i = 0; i < work->variants.n && check_clock() < end; i++) {
        const struct check_variant *v = &work->variants.variant[i];
        const double frames = v->cost > 0 ? 0.3 / v->cost : MOST_SURE;

        if (v->point == last || !check_point_meant(v->point) || !check_input_fits(v, CHECK_SURE) ||
            frames < FEWEST_SURE)
            continue;
        if (!check_budget_allows(3 * v->cost * frames)) {
            check_left_out(work->check->report, "words of which few bits are sure");
            return;
        }
        run_job(work, &job, JOBS + 1, i, frames < MOST_SURE ? (uint64_t)frames : MOST_SURE);
        last = v->point;
    }
}

/* ---- Tunings ---- */

static void add_tune(struct work *work, const char *name, const char *value)
{
    if (work->n_tunes < CHECK_MAX_TUNES)
        snprintf(work->tune[work->n_tunes++], sizeof work->tune[0], "%s=%s", name, value);
}

static void list_tunes(struct work *work, const struct fecrun_backend *backend)
{
    work->n_tunes = 1;
    for (size_t i = 0; backend->tune && backend->tune[i]; i++) {
        const struct fecrun_param *param = backend->tune[i];
        char text[32];

        for (size_t k = 0; param->type == FECRUN_VALUE_CHOICE && param->choices[k]; k++)
            add_tune(work, param->name, param->choices[k]);
        if (param->type == FECRUN_VALUE_BOOL) {
            add_tune(work, param->name, "true");
            add_tune(work, param->name, "false");
        }
        for (int k = 0; param->type == FECRUN_VALUE_INT && param->imin < param->imax && k < 2;
             k++) {
            snprintf(text, sizeof text, "%lld", (long long)(k ? param->imax : param->imin));
            add_tune(work, param->name, text);
        }
    }
}

/* ---- All of it ---- */

/* Breadth first: every variant gets its first job before any gets its second. The first one of all is
   done in any case. */
static void run_jobs(struct work *work, size_t from, size_t to)
{
    for (size_t j = from; j < to; j++)
        for (size_t i = 0; i < work->variants.n; i++) {
            const struct check_variant *v = &work->variants.variant[i];

            if (skipped(v, j, i) || !check_input_fits(v, jobs[j].pattern))
                continue;
            if ((i || j) && !check_budget_allows(0))
                work->left_out += fitting_forms(work, v);
            else
                run_job(work, &jobs[j], j, i, affordable(v, jobs[j].frames));
        }
}

/* From one to the next of a few variants, spread over the list. */
static size_t spread(const struct work *work)
{
    return work->variants.n / 6 + 1;
}

/* --threads: what run_more() has of them. The first job tells how slow the variant is. */
static void run_threads(struct work *work)
{
    const struct check *check = work->check;
    size_t step;

    for (size_t i = 0; i < work->variants.n; i += step) {
        struct check_variant *v = &work->variants.variant[i];
        const struct fecrun_form *form = check_first_form(v, check->backend->backend);
        struct check_random random = check_random_for(check->options->seed, v->point->text,
                                                      number_of(work, i));
        const uint64_t runs = work->runs;

        step = spread(work);
        if (!form || v->flags & FECRUN_STAGE_ORDERED || !check_input_fits(v, jobs[0].pattern))
            continue;
        if (i && !check_budget_allows(0)) {
            check_left_out(check->report, "all sets of parameters");
            return;
        }
        run_job(work, &jobs[0], 0, i, jobs[0].frames);
        step = work->runs > runs ? step : 1; /* one that was declined: the next one */
        if (v->cost <= SLOW_COST)
            check_threads(check, v, form, &random);
    }
}

/* The special tests: what each is about, and what it takes at least. */
static const struct special {
    const char *name;
    void (*run)(const struct check *check, struct check_variant *variant,
                const struct fecrun_form *form, struct check_random *random);
    bool ordered; /* also of ordered stages */
    double frames, creates;
} specials[] = {
    {"mixed batches", check_mixed, false, 26, 1},
    {"verdicts", check_verdict, false, 64, 1},
    {"batches of other sizes", check_split, true, 30, 1},
    {"two threads", check_threads, false, 42, 2},
    {"leaks", check_leaks, false, 18, 9},
};

enum { SPECIALS = sizeof specials / sizeof *specials };

static void run_special(const struct check *check, const struct special *special,
                        struct check_variant *v, const struct fecrun_form *form,
                        struct check_random *random)
{
    if (v->flags & FECRUN_STAGE_ORDERED && !special->ordered)
        return;
    if (check_budget_allows(special->frames * v->cost + special->creates * v->create))
        special->run(check, v, form, random);
    else
        check_left_out(check->report, special->name);
}

/* All of them on a few variants. */
static void run_specials(struct work *work)
{
    const struct check *check = work->check;
    size_t done = 0;

    for (size_t i = 0; i < work->variants.n; i += spread(work)) {
        struct check_variant *v = &work->variants.variant[i];
        const struct fecrun_form *form = check_first_form(v, check->backend->backend);
        struct check_random random = check_random_for(check->options->seed, v->point->text,
                                                      number_of(work, i));

        if (!form || v->cost > SLOW_COST || (work->left_out && v->cost == 0)) /* slow; not known */
            continue;
        for (size_t k = 0; k < SPECIALS; k++)
            run_special(check, &specials[k], v, form, &random);
        done++;
    }
    for (size_t k = 0; k < SPECIALS && !done && work->runs; k++)
        check_left_out(check->report, specials[k].name);
}

/* Parts of the time, in their order; what one does not use is the next one's. The first jobs tell how
   slow the variants are. */
static void run_all(struct work *work, struct check_fresh *fresh)
{
    const struct check *check = work->check;
    struct check_random random = check_random_for(check->options->seed, check->stage->stage->name,
                                                  7);

    check_budget_part(0.3);
    check_turns(check, &work->variants, fresh, &random);
    check_budget_part(0.45);
    run_jobs(work, 0, FIRST_JOBS);
    check_budget_part(0.7);
    run_specials(work);
    check_budget_part(0.75);
    check_ragged(check, &work->variants, &random);
    if (check->backend->backend->absorbs) {
        check_budget_part(0.85);
        check_absorb(check, &work->variants, &random);
    }
    check_budget_part(0.9);
    run_many(work);
    check_budget_part(0.95);
    if (check->backend == &check->stage->backends[0])
        run_sure(work);
    check_budget_part(1);
    run_jobs(work, FIRST_JOBS, JOBS);
    truth_finish(work);
    for (size_t form = 0; form < CHECK_FORMS; form++)
        pairs_judge(work, form);
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
    group[CHECK_TRUTH].what = "gives back what its encoder encoded";
    group[CHECK_ABSORB].what = "the same where it does upstream stages, too";
    group[CHECK_ALONE].what = "a frame in a mixed batch is as it is alone";
    group[CHECK_VERDICT].what = "tells good frames from bad ones";
    group[CHECK_TURNS].what = "each instance has its own parameters";
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
    if (!work->done && work->left_out)
        check_note(report, "NOT TESTED: time ran out before the first trial: --seconds");
    else if (!work->runs && work->variants.n)
        check_fail(report, CHECK_CALLS,
                   "it took none of %zu variants: no form fits, or takes() "
                   "or create() declined each",
                   work->variants.n);
}

void check_backend_child(void *data, struct check_report *report)
{
    struct check check = *(struct check *)data;
    struct check_points points;
    struct work work = {.check = &check};
    struct check_fresh fresh[CHECK_TURNS_MOST];
    const bool own = !check.backend->provider && !check.options->threads;
    struct diag diag = {0};

    check_budget_start(check.options->seconds);
    check.report = report;
    check.host = check_host(check.registry);
    name_groups(&check);
    for (size_t i = 0; i < CHECK_TURNS_MOST && own; i++)
        check_fresh_start(&fresh[i], &check);
    check_now(report, "destroy(NULL)");
    check.backend->backend->destroy(NULL);
    check_pass(report, CHECK_STRANGE);
    if (check_points_make(&points, &check, &diag)) {
        check_fail(report, CHECK_CALLS, "%s", diag.text);
        return;
    }
    check_budget_part(0.25);
    check_variants_make(&work.variants, &check, &points);
    check_budget_part(1);
    check_heap_watch(report);
    check_heap_lock(true);
    list_tunes(&work, check.backend->backend);
    if (check.options->threads)
        run_threads(&work);
    else
        run_all(&work, own ? fresh : NULL);
    summarize(&work);
    if (check.options->bench)
        check_bench(&check, &work.variants);
    check_heap_lock(false);
    for (size_t i = 0; i < CHECK_TURNS_MOST && own; i++)
        check_fresh_end(&fresh[i]);
    check_variants_free(&work.variants, &check);
    check_points_free(&points);
}
