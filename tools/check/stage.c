/* SPDX-License-Identifier: BSD-2-Clause */
/* The part of a stage that its backends share: description and plan(). */
#include "tools/check/check.h"

#include "tools/check/check_impl.h"

#include <stdio.h>
#include <string.h>

void check_meta_child(void *data, struct check_report *report)
{
    const struct check *check = data;

    report->group[0].what = "description";
    check_now(report, "names, parameters, ports, forms");
    check_meta_stage(report, check->registry, check->stage);
}

static bool needs_file(const struct fecrun_stage *stage)
{
    for (size_t i = 0; stage->params[i]; i++)
        if (stage->params[i]->type == FECRUN_VALUE_PATH &&
            stage->params[i]->flags & FECRUN_PARAM_REQUIRED)
            return true;
    return false;
}

/* A stage that works on files has no points of its own; --case gives some. */
bool check_stage_has_cases(const struct check *check)
{
    size_t n = strlen(check->stage->stage->name);

    if (!needs_file(check->stage->stage) && !check->options->only_cases)
        return true;
    for (size_t i = 0; check->options->cases[i]; i++)
        if (!strncmp(check->options->cases[i], check->stage->stage->name, n) &&
            check->options->cases[i][n] == ':')
            return true;
    return false;
}

static void judge_points(const struct check *check, const struct check_points *points,
                         const struct check_variants *variants)
{
    struct check_report *report = check->report;

    snprintf(report->summary, sizeof report->summary,
             "plan() took %zu of %zu points, with %zu kinds of frames", variants->accepted,
             points->n, variants->n);
    if (variants->accepted)
        check_pass(report, 1);
    else
        check_fail(report, 1,
                   "plan() took none of %zu points with any frames that were tried; "
                   "give --case '%s: {...}', with check: {items: N} in the map for the size",
                   points->n, check->stage->stage->name);
    if (!variants->accepted && points->refusal[0])
        check_fail(report, 1, "the defaults: %s", points->refusal);
    for (unsigned i = 0; i < report->n_notes && !variants->accepted && i < CHECK_LINES - 1; i++)
        check_fail(report, 1, "%s", report->note[i]);
}

/* Has any of the variants this value of parameter i? */
static bool has_value(const struct check_variants *variants, size_t i, const char *value)
{
    for (size_t k = 0; k < variants->n; k++) {
        const struct fecrun_value *v = param_values(variants->variant[k].point->set)->v[i];

        if (v->given && v->s && !strcmp(v->s, value))
            return true;
    }
    return false;
}

static void tell_untested(const struct check *check, const struct check_points *points,
                          const struct check_variants *variants)
{
    const struct fecrun_stage *stage = check->stage->stage;
    struct check_report *report = check->report;

    if (points->refusal[0])
        check_untested(report, "its defaults: plan() takes them with no frames that were tried: %s",
                       points->refusal);
    for (size_t i = 0; stage->params[i] && !variants->untried; i++)
        for (size_t k = 0;
             stage->params[i]->type == FECRUN_VALUE_CHOICE && stage->params[i]->choices[k]; k++)
            if (!has_value(variants, i, stage->params[i]->choices[k]))
                check_untested(report, "%s: %s (give an example with it)", stage->params[i]->name,
                               stage->params[i]->choices[k]);
    for (unsigned p = 0; stage->inputs[p]; p++) {
        bool linked = false;

        for (size_t k = 0; k < variants->n && !linked; k++)
            linked = variants->variant[k].linked[p];
        if (!linked)
            check_untested(report, "port %s linked", stage->inputs[p]->name);
    }
}

/* Backends that cannot run here, too: takes() needs no device. */
static void judge_takes(const struct check *check, const struct fecrun_backend *backend,
                        const struct check_variant *v, const struct fecrun_form *form)
{
    struct fecrun_error first, second;
    const char *problem = NULL;
    char frames[200];
    int status, again;

    check_now(check->report, "takes() of %s with %s", backend->name, v->point->text);
    status = check_takes(check, backend, v, form, &first);
    again = check_takes(check, backend, v, form, &second);
    if (status != 0 && status != -1)
        problem = "takes() returned neither 0 nor -1";
    else if (!memchr(first.text, 0, sizeof first.text) ||
             !memchr(first.param, 0, sizeof first.param))
        problem = "takes() left a text in err without its end";
    else if (status && !first.text[0])
        problem = "takes() refused without a text in err";
    else if (again != status || strcmp(first.text, second.text) ||
             strcmp(first.param, second.param))
        problem = "takes() is not pure: a second call gives something else";
    if (!problem)
        check_pass(check->report, 2);
    else
        check_fail(check->report, 2, "backend %s: %s; %s of %s", backend->name, problem,
                   check_variant_text(v, frames, sizeof frames), v->point->text);
}

static void judge_all_takes(const struct check *check, const struct check_variants *variants)
{
    const struct fecrun_backend *const *backends = check->stage->stage->backends;

    for (size_t b = 0; backends[b]; b++) {
        if (!backends[b]->takes)
            continue;
        check->report->group[2].what = "takes() is pure, and refuses in words";
        for (size_t i = 0; i < variants->n && (!i || check_budget_allows(0)); i++)
            for (size_t f = 0; backends[b]->forms[f]; f++)
                if (check_form_fits(&variants->variant[i], backends[b]->forms[f]))
                    judge_takes(check, backends[b], &variants->variant[i], backends[b]->forms[f]);
    }
}

void check_stage_child(void *data, struct check_report *report)
{
    struct check check = *(struct check *)data;
    struct check_points points;
    struct check_variants variants;
    struct diag diag = {0};

    check_budget_start(check.options->seconds);
    check.report = report;
    check.host = check_host(check.registry);
    report->group[0].what = "plan() is pure, and refuses in words";
    report->group[1].what = "plan() takes each example, and one case at least";
    check_now(report, "plan_free(NULL)");
    check_plan_free(check.stage->stage, NULL);
    if (check_points_make(&points, &check, &diag)) {
        check_fail(report, 1, "%s", diag.text);
        return;
    }
    report->hint = points.hint;
    check_budget_part(0.6);
    check_variants_make(&variants, &check, &points);
    judge_points(&check, &points, &variants);
    check_budget_part(0.9);
    judge_all_takes(&check, &variants);
    check_budget_part(1);
    if (!check.options->only_cases) {
        if (variants.n)
            tell_untested(&check, &points, &variants);
        check_plan_fuzz(&check);
    }
    check_variants_free(&variants, &check);
    check_points_free(&points);
}
