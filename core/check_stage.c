/* SPDX-License-Identifier: BSD-2-Clause */
/* The part of a stage that its backends share: description and plan(). */
#include "check.h"

#include "check_impl.h"

#include <stdio.h>
#include <string.h>

void check_meta_child(void *data, struct check_report *report)
{
    const struct check *check = data;

    report->group[0].what = "description";
    check_now(report, "names, parameters, ports, forms");
    check_meta_stage(report, check->stage);
}

static bool needs_file(const struct fecrun_stage *stage)
{
    for (size_t i = 0; stage->params[i]; i++)
        if (stage->params[i]->type == FECRUN_P_PATH && stage->params[i]->flags & FECRUN_REQUIRED)
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
        check_fail(report, 1, "plan() took none of %zu points with any frames that were tried; "
                   "give --case '%s: {...}', with check: {items: N} in the map for the size",
                   points->n, check->stage->stage->name);
    for (unsigned i = 0; i < report->n_notes && !variants->accepted && i < CHECK_LINES - 1; i++)
        check_fail(report, 1, "%s", report->note[i]);
}

void check_stage_child(void *data, struct check_report *report)
{
    struct check check = *(struct check *)data;
    struct check_points points;
    struct check_variants variants;
    struct diag diag = {0};

    check.report = report;
    check.host = check_host(check.registry);
    report->group[0].what = "plan() is pure, and refuses in words";
    report->group[1].what = "plan() takes at least one case";
    check_now(report, "plan_free(NULL)");
    if (check.stage->stage->plan_free)
        check.stage->stage->plan_free(NULL);
    if (check_points_make(&points, &check, &diag)) {
        check_fail(report, 1, "%s", diag.text);
        return;
    }
    check_variants_make(&variants, &check, &points);
    judge_points(&check, &points, &variants);
    if (!check.options->only_cases)
        check_plan_fuzz(&check, &points);
    check_variants_free(&variants, &check);
    check_points_free(&points);
}
