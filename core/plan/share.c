/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/plan/share.h"

#include <stdio.h>
#include <string.h>

static bool is_shared(const struct graph_stage *stage, size_t param)
{
    return stage->stage->params[param]->flags & FECRUN_PARAM_SHARED;
}

static bool shares(const struct graph_stage *stage)
{
    for (size_t i = 0; stage->stage->params[i]; i++)
        if (is_shared(stage, i))
            return true;
    return false;
}

/* Two inputs that have to be linked are two signals, and nothing says whose code leaves. */
static bool joins(const struct graph_stage *stage)
{
    return stage->n_in > 1 && !(stage->stage->inputs[1]->flags & FECRUN_PORT_OPTIONAL);
}

/* The nearest stage of that name in front that no other one has undone. */
static int look_back(const struct graph *graph, size_t s, const char *wanted)
{
    unsigned undone = 0;

    for (int t = graph->stages[s].in[0].stage; t >= 0; t = graph->stages[t].in[0].stage) {
        const char *other = graph->stages[t].stage->undoes;

        if (!strcmp(graph->stages[t].decl->name, wanted) && undone-- == 0)
            return t;
        if (other && !strcmp(other, wanted))
            undone++;
        if (joins(&graph->stages[t]))
            break;
    }
    return -1;
}

int share_partner(const struct graph *graph, size_t s)
{
    const struct fecrun_stage *stage = graph->stages[s].stage;
    const char *wanted = stage->undoes ? stage->undoes : stage->follows;

    return wanted && shares(&graph->stages[s]) ? look_back(graph, s, wanted) : -1;
}

int share_undone(const struct graph *graph, size_t s)
{
    const char *wanted = graph->stages[s].stage->undoes;

    return wanted ? look_back(graph, s, wanted) : -1;
}

/* The two ends of one plan. */
struct ends {
    const struct graph_stage *here, *there;
    const struct plan_stage *ours, *theirs;
};

static bool find_ends(struct ends *ends, const struct plan *plan, size_t s)
{
    int partner = share_partner(plan->graph, s);

    if (partner >= 0)
        *ends = (struct ends){.here = &plan->graph->stages[s],
                              .there = &plan->graph->stages[partner],
                              .ours = &plan->stages[s],
                              .theirs = &plan->stages[partner]};
    return partner >= 0;
}

/* Index of the partner's parameter of that name, or -1. */
static int other_index(const struct ends *ends, size_t param)
{
    return param_index(ends->theirs->params, ends->here->stage->params[param]->name);
}

static uint32_t given_here(const struct ends *ends, size_t param)
{
    return param_values(ends->ours->params)->v[param]->given;
}

/* What the user wrote here is not what is there; 1: both have a value. */
static bool differs(const struct ends *ends, size_t param, bool both)
{
    int other = other_index(ends, param);

    if (given_here(ends, param) != 2)
        return false;
    if (other < 0 || !param_values(ends->theirs->params)->v[other]->given)
        return !both;
    return !param_same(ends->ours->params, param, ends->theirs->params, (size_t)other);
}

/* ---- Taking ---- */

/* Is one of the names (separated by blanks) written differently? */
static bool any_differs(const struct ends *ends, const char *names)
{
    char name[64];

    for (names += strspn(names, " "); *names; names += strspn(names, " ")) {
        size_t n = strcspn(names, " ");
        int i;

        snprintf(name, sizeof name, "%.*s", (int)n, names);
        i = param_index(ends->ours->params, name);
        if (i >= 0 && differs(ends, (size_t)i, false))
            return true;
        names += n;
    }
    return false;
}

static int take(const struct ends *ends, size_t param, struct diag *diag)
{
    const struct fecrun_param *schema = ends->here->stage->params[param];
    int other = other_index(ends, param);

    if (other < 0 || given_here(ends, param) == 2 ||
        param_same(ends->ours->params, param, ends->theirs->params, (size_t)other))
        return 0;
    if (schema->unless && any_differs(ends, schema->unless))
        return 0;
    return param_take(ends->ours->params, param, ends->theirs->params, (size_t)other, diag);
}

int share_take(struct plan *plan, size_t s, struct diag *diag)
{
    struct ends ends;

    if (!find_ends(&ends, plan, s))
        return 0;
    for (size_t i = 0; ends.here->stage->params[i]; i++)
        if (is_shared(ends.here, i) && take(&ends, i, diag))
            return -1;
    return 0;
}

/* ---- Agreeing ---- */

/* "enc (conv.encode, line 5)", the line that of the parameter if it stands there. */
static void name_partner(const struct ends *ends, const char *param, char *text, size_t size)
{
    const struct pipeline_stage *decl = ends->there->decl;
    struct mark mark = param_mark(ends->theirs->params, param);
    bool named = strcmp(decl->id, decl->name) != 0;
    char where[160] = "--set";

    if (mark.line && ends->here->decl->mark.file && mark.file &&
        strcmp(mark.file, ends->here->decl->mark.file))
        snprintf(where, sizeof where, "%.100s:%u", mark.file, mark.line);
    else if (mark.line)
        snprintf(where, sizeof where, "line %u", mark.line);
    snprintf(text, size, "%.64s (%s%s%s)", decl->id, named ? decl->name : "", named ? ", " : "",
             where);
}

/* The parameter at fault: one that is written at both ends first, and short values before lists. */
static int find_fault(const struct ends *ends)
{
    int found = -1;

    for (int i = 0; ends->here->stage->params[i]; i++) {
        if (!is_shared(ends->here, (size_t)i) || !differs(ends, (size_t)i, false))
            continue;
        if (differs(ends, (size_t)i, true) && !param_is_list(ends->here->stage->params[i]))
            return i;
        if (found < 0)
            found = i;
    }
    return found;
}

/* Do both plans say what has to be the same? */
static bool known(const struct ends *ends)
{
    return ends->here->stage->undoes && ends->ours->plan.identity[0] &&
           ends->theirs->plan.identity[0];
}

/* "a, but enc (conv.encode, line 5) has b", or what both plans say. */
static void say_values(const struct ends *ends, int param, char *text, size_t size)
{
    const char *name = param < 0 ? "" : ends->here->stage->params[param]->name;
    int other = param < 0 ? -1 : other_index(ends, (size_t)param);
    char partner[170], ours[96], theirs[96];

    name_partner(ends, name, partner, sizeof partner);
    if (param >= 0 && differs(ends, (size_t)param, true) &&
        !(param_is_list(ends->here->stage->params[param]) && known(ends)))
        snprintf(text, size, "%s, but %s has %s",
                 param_text(ends->ours->params, (size_t)param, ours, sizeof ours), partner,
                 param_text(ends->theirs->params, (size_t)other, theirs, sizeof theirs));
    else
        snprintf(text, size, "%.130s, but %s has %.130s", ends->ours->plan.identity, partner,
                 ends->theirs->plan.identity);
}

int share_check(const struct plan *plan, size_t s, struct diag *diag)
{
    struct fecrun_error err = {.size = sizeof err};
    struct ends ends;
    int fault;

    if (!find_ends(&ends, plan, s))
        return 0;
    if (known(&ends) && !strcmp(ends.ours->plan.identity, ends.theirs->plan.identity))
        return 0;
    fault = find_fault(&ends);
    if (!known(&ends) && (fault < 0 || !differs(&ends, (size_t)fault, true)))
        return 0;
    if (fault >= 0)
        snprintf(err.param, sizeof err.param, "%s", ends.here->stage->params[fault]->name);
    say_values(&ends, fault, err.text, sizeof err.text);
    return param_fail(ends.ours->params, DIAG_USAGE, &err, diag);
}

void share_explain(const struct plan *plan, size_t s, struct fecrun_error *err)
{
    struct ends ends;
    char values[420];
    int fault;

    if (!find_ends(&ends, plan, s))
        return;
    fault = find_fault(&ends);
    if (fault < 0 || !differs(&ends, (size_t)fault, true) ||
        param_is_list(ends.here->stage->params[fault]))
        return;
    say_values(&ends, fault, values, sizeof values);
    text_add(err->text, sizeof err->text, "; %s is %s", ends.here->stage->params[fault]->name,
             values);
}
