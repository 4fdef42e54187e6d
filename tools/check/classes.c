/* SPDX-License-Identifier: BSD-2-Clause */
/* Chooses two classes of frames that make a batch for a form with FECRUN_FORM_RAGGED. */
#include "tools/check/ragged.h"

#include "tools/check/check_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PAIRS = 6, MAX_BASES = 8 };

struct pairs {
    const struct check *check;
    struct check_random *random;
    unsigned tried, ran;
};

/* ---- Do two fit? ---- */

static bool same_value(const struct check_variant *a, const struct check_variant *b, size_t i)
{
    char *x = check_value_text(a->point->set, i), *y = check_value_text(b->point->set, i);
    bool same = x && y && !strcmp(x, y);

    free(x);
    free(y);
    return same;
}

/* A `blocks:` table sets only parameters that say FECRUN_PARAM_SIZE. */
static bool same_but_sizes(const struct check_variant *a, const struct check_variant *b)
{
    const struct fecrun_param *const *schema = param_schema(a->point->set);

    for (unsigned p = 0; p < a->n_in; p++)
        if (a->linked[p] != b->linked[p] || a->in[p].type != b->in[p].type ||
            a->in[p].llr_max != b->in[p].llr_max || a->in[p].stream || b->in[p].stream ||
            strcmp(a->in[p].scheme, b->in[p].scheme))
            return false;
    for (size_t i = 0; a->point != b->point && schema[i]; i++)
        if (!(schema[i]->flags & FECRUN_PARAM_SIZE) && !same_value(a, b, i))
            return false;
    return true;
}

static const struct fecrun_form *
ragged_form(const struct check *check, const struct check_variant *a, const struct check_variant *b)
{
    const struct fecrun_form *const *forms = check->backend->backend->forms;

    for (size_t i = 0; forms[i]; i++)
        if (forms[i]->flags & FECRUN_FORM_RAGGED && check_form_fits(a, forms[i]) &&
            check_form_fits(b, forms[i]))
            return forms[i];
    return NULL;
}

static bool in_pieces(const struct check_variant *v)
{
    return v->in[0].pieces > 1 || v->out[0].pieces > 1;
}

static bool try_pair(struct pairs *pairs, const struct check_variant *a,
                     const struct check_variant *b)
{
    const struct fecrun_form *form = ragged_form(pairs->check, a, b);
    enum check_pattern pattern = pairs->tried % 3 == 2 ? CHECK_NOISE_3DB : CHECK_MIXED;

    if (!form || in_pieces(a) || in_pieces(b) ||
        a->flags & (FECRUN_STAGE_RANDOM | FECRUN_STAGE_ORDERED) || !same_but_sizes(a, b))
        return false;
    pairs->tried++;
    if (check_ragged_pair(pairs->check, a, b, form, pattern, pairs->random))
        pairs->ran++;
    return true;
}

static bool time_is_up(const struct pairs *pairs)
{
    if (check_budget_allows(0))
        return false;
    check_left_out(pairs->check->report, "all batches of several classes");
    return true;
}

/* Of those that there are. */
static void try_variants(struct pairs *pairs, const struct check_variants *variants)
{
    for (size_t i = 0; i < variants->n; i++)
        for (size_t k = i + 1; k < variants->n; k++) {
            const struct check_variant *a = &variants->variant[i], *b = &variants->variant[k];

            if (a->point == b->point && a->in[0].items == b->in[0].items)
                continue;
            if (pairs->tried == MAX_PAIRS || time_is_up(pairs))
                return;
            try_pair(pairs, a, b);
        }
}

/* ---- Another class for one that there is ---- */

/* Parameters of `base` with one other value (name NULL: as they are), and frames of a size that they
   take. True: that made a pair. */
static bool try_value(struct pairs *pairs, const struct check_variant *base, const char *name,
                      const char *value)
{
    char *text = check_map_text(base->point, NULL, name, value);
    struct check_point point;
    struct check_variant v;
    struct diag diag = {0};
    bool made = false;

    if (text && check_point_read(&point, pairs->check->stage, text, "schema", &diag)) {
        if (check_variant_like(pairs->check, &point, base, !name, &v)) {
            made = try_pair(pairs, base, &v);
            check_plan_free(pairs->check->stage->stage, v.plan.code);
        }
        check_point_clear(&point);
    }
    free(text);
    return made;
}

static bool try_number(struct pairs *pairs, const struct check_variant *base,
                       const struct fecrun_param *param, double now)
{
    const struct check_limits of = check_limits(param);
    const double value[] = {now - 1, now + 1, now - 2, now + 2, now / 2,
                            now * 2, now - 8, now + 8, of.min,  of.max};
    bool made = false;
    char text[40];

    for (size_t i = 0; i < sizeof value / sizeof *value && !made && !time_is_up(pairs); i++) {
        if (value[i] == now || value[i] > 65536 ||
            (of.min < of.max && (value[i] < of.min || value[i] > of.max)))
            continue;
        snprintf(text, sizeof text, param->type == FECRUN_VALUE_INT ? "%.0f" : "%.9g", value[i]);
        made = try_value(pairs, base, param->name, text);
    }
    return made;
}

static bool try_param(struct pairs *pairs, const struct check_variant *base, size_t i)
{
    const struct fecrun_param *param = param_schema(base->point->set)[i];
    const struct fecrun_value *now = param_values(base->point->set)->v[i];
    bool made = false;

    if (param->type == FECRUN_VALUE_INT || param->type == FECRUN_VALUE_FLOAT)
        return try_number(pairs, base, param, now->f);
    for (size_t k = 0; param->type == FECRUN_VALUE_CHOICE && param->choices[k] && !made; k++)
        if ((size_t)now->i != k && !time_is_up(pairs))
            made = try_value(pairs, base, param->name, param->choices[k]);
    return made;
}

static void search_class(struct pairs *pairs, const struct check_variant *base)
{
    const struct fecrun_param *const *schema = param_schema(base->point->set);
    bool made = try_value(pairs, base, NULL, NULL);

    for (size_t i = 0; schema[i] && !made; i++)
        if (schema[i]->flags & FECRUN_PARAM_SIZE)
            made = try_param(pairs, base, i);
}

/* ---- Why not ---- */

static const struct fecrun_form *any_ragged(const struct fecrun_backend *backend)
{
    for (size_t i = 0; backend->forms[i]; i++)
        if (backend->forms[i]->flags & FECRUN_FORM_RAGGED)
            return backend->forms[i];
    return NULL;
}

/* Names of the parameters that `blocks:` may set, "" if there are none. */
static const char *size_params(const struct fecrun_stage *stage, char *text, size_t size)
{
    size_t used = 0;

    text[0] = 0;
    for (size_t i = 0; stage->params[i] && used < size; i++)
        if (stage->params[i]->flags & FECRUN_PARAM_SIZE)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
                                     stage->params[i]->name);
    return text;
}

static void tell_why(const struct pairs *pairs)
{
    char names[200];

    size_params(pairs->check->stage->stage, names, sizeof names);
    if (pairs->tried)
        check_untested(pairs->check->report,
                       "frames of several classes in one batch: takes() or create() declined each "
                       "of %u pairs",
                       pairs->tried);
    else if (names[0])
        check_untested(
            pairs->check->report,
            "frames of several classes in one batch, which a form takes "
            "(FECRUN_FORM_RAGGED): no other value of %s was found that plan() takes (give "
            "examples that differ in nothing else)",
            names);
    else
        check_untested(
            pairs->check->report,
            "frames of several classes in one batch, which a form takes "
            "(FECRUN_FORM_RAGGED): no parameter says FECRUN_PARAM_SIZE, and plan() took frames of "
            "one size");
}

void check_ragged(const struct check *check, const struct check_variants *variants,
                  struct check_random *random)
{
    struct pairs pairs = {.check = check, .random = random};
    unsigned bases = 0;
    const struct check_point *last = NULL;

    if (!any_ragged(check->backend->backend) || !variants->n || !variants->variant[0].n_in ||
        !variants->variant[0].n_out)
        return;
    try_variants(&pairs, variants);
    for (size_t i = 0; i < variants->n && !pairs.ran && bases < MAX_BASES && !time_is_up(&pairs);
         i++) {
        if (variants->variant[i].point == last || variants->variant[i].in[0].stream)
            continue;
        last = variants->variant[i].point;
        bases++;
        search_class(&pairs, &variants->variant[i]);
    }
    if (!pairs.ran && check_budget_allows(0))
        tell_why(&pairs);
}
