/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks the description of a plugin beyond the checks of the loader. */
#include "tools/check/check.h"

#include "tools/check/check_impl.h"

#include <stdio.h>
#include <string.h>

/* Group 0 of a report. */
static bool need(struct check_report *report, bool good, const char *owner, const char *what)
{
    if (good)
        check_pass(report, 0);
    else
        check_fail(report, 0, "%s: %s", owner, what);
    return good;
}

static bool is_word(const char *name, const char *also)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    size_t n = 0;

    for (; name[n]; n++)
        if (!strchr(letters, name[n]) && !strchr(also, name[n]))
            return false;
    return n > 0 && n < 64;
}

/* One line that says something. */
static bool is_line(const char *text)
{
    return text && text[0] && !strpbrk(text, "\n\r\t");
}

/* ---- Parameters ---- */

static bool limits_good(const struct fecrun_param *param)
{
    return param->imin <= param->imax && param->fmin <= param->fmax &&
           param->fmin - param->fmin == 0 && param->fmax - param->fmax == 0;
}

static bool choices_good(const struct fecrun_param *param)
{
    if (param->type != FECRUN_VALUE_CHOICE)
        return true;
    for (size_t i = 0; param->choices[i]; i++) {
        if (!param->choices[i][0] || strpbrk(param->choices[i], " \t\n\"',[]{}"))
            return false;
        for (size_t k = 0; k < i; k++)
            if (!strcmp(param->choices[i], param->choices[k]))
                return false;
    }
    return true;
}

static bool helps_good(const struct fecrun_param *param)
{
    size_t n = 0;

    if (!param->choices_help)
        return true;
    if (param->type != FECRUN_VALUE_CHOICE)
        return false;
    while (param->choices[n] && is_line(param->choices_help[n]))
        n++;
    return !param->choices[n] && !param->choices_help[n];
}

/* Names of other parameters, separated by blanks. */
static bool all_known(const char *names, const struct fecrun_param *const *params,
                      const struct fecrun_param *own)
{
    for (names += strspn(names, " "); *names; names += strspn(names, " ")) {
        size_t n = strcspn(names, " "), i = 0;

        while (params[i] && (strncmp(params[i]->name, names, n) || params[i]->name[n]))
            i++;
        if (!params[i] || params[i] == own)
            return false;
        names += n;
    }
    return true;
}

static void meta_shared(struct check_report *report, const char *name,
                        const struct fecrun_param *const *params, const struct fecrun_param *param)
{
    const char *unless = param->unless;

    need(report, !(param->flags & FECRUN_PARAM_SHARED) || param->type != FECRUN_VALUE_PORT, name,
         "is a port, which cannot be shared");
    need(report, !unless || param->flags & FECRUN_PARAM_SHARED, name,
         "has `unless` and is not shared");
    need(report, !unless || all_known(unless, params, param), name,
         "`unless` names no other parameter of the stage");
}

static bool is_choice(const struct fecrun_param *param, const char *word)
{
    for (size_t i = 0; param->choices[i]; i++)
        if (!strcmp(param->choices[i], word))
            return true;
    return false;
}

static const struct fecrun_param *find_param(const struct fecrun_param *const *params,
                                             const char *name)
{
    while (*params && strcmp((*params)->name, name))
        params++;
    return *params;
}

static bool is_old_name(const struct fecrun_param *param, const char *name)
{
    const char *const *old = param->old_names;

    while (old && *old && strcmp(*old, name))
        old++;
    return old && *old;
}

/* What an old word means is there, and is unambiguous. */
static bool old_choice_good(const struct fecrun_param *param,
                            const struct fecrun_param *const *params,
                            const struct fecrun_old_choice *old)
{
    const struct fecrun_param *also;

    if (!old->old || !old->now || is_choice(param, old->old) || !is_choice(param, old->now) ||
        !old->param != !old->value)
        return false;
    also = old->param ? find_param(params, old->param) : NULL;
    return !old->param || (also && also != param && also->type == FECRUN_VALUE_CHOICE &&
                           is_choice(also, old->value));
}

static void meta_old(struct check_report *report, const char *name,
                     const struct fecrun_param *const *params, size_t i)
{
    const struct fecrun_param *param = params[i];

    for (size_t n = 0; param->old_names && param->old_names[n]; n++) {
        const char *old = param->old_names[n];
        need(report, is_word(old, "_"), name, "an old name has a-z, 0-9 and _ only");
        need(report, !find_param(params, old), name, "an old name is a parameter of today");
        for (size_t k = 0; k < i; k++)
            need(report, !is_old_name(params[k], old), name, "an old name is another one's, too");
    }
    if (!param->old_choices)
        return;
    need(report, param->type == FECRUN_VALUE_CHOICE, name, "has old words and is no choice");
    for (size_t n = 0; param->type == FECRUN_VALUE_CHOICE && param->old_choices[n]; n++)
        need(report, old_choice_good(param, params, param->old_choices[n]), name,
             "an old word is one of today, or means none, or sets no other choice of the stage");
}

static void meta_param(struct check_report *report, const char *owner,
                       const struct fecrun_param *const *params, size_t i)
{
    static const char *const taken[] = {"id", "stage", "backend", "from", "tune", "check", NULL};
    const struct fecrun_param *param = params[i];
    uint32_t flags = FECRUN_PARAM_REQUIRED | FECRUN_PARAM_MAY_AUTO | FECRUN_PARAM_POINT |
                     FECRUN_PARAM_SIZE | FECRUN_PARAM_SHARED | FECRUN_PARAM_WRITES;
    char name[160];

    snprintf(name, sizeof name, "%s.%s", owner, param->name);
    need(report, is_word(param->name, "._"), name, "a name has a-z, 0-9, _ and . only");
    need(report, is_line(param->help), name, "help must be one line");
    need(report, !(param->flags & ~flags), name, "has flags that this ABI does not know");
    need(report, limits_good(param), name, "min is larger than max, or not finite");
    need(report, choices_good(param), name, "choices must be different plain words");
    need(report, !(param->flags & FECRUN_PARAM_REQUIRED) || !param->default_text, name,
         "is required and has a default");
    meta_shared(report, name, params, param);
    meta_old(report, name, params, i);
    need(report, helps_good(param), name, "choices_help must be one line for each choice");
    for (size_t k = 0; taken[k]; k++)
        need(report, strcmp(taken[k], param->name), name, "is a key of every stage");
    for (size_t k = 0; k < i; k++)
        need(report, strcmp(params[k]->name, param->name), name, "is there twice");
}

/* Defaults are read as a user's text would be: type, range, choice. */
static void meta_params(struct check_report *report, const char *owner,
                        const struct fecrun_param *const *params)
{
    struct param_source source = {.label = owner, .incomplete = true};
    struct param_set *set = NULL;
    struct diag diag = {0};

    for (size_t i = 0; params && params[i]; i++)
        meta_param(report, owner, params, i);
    if (params)
        need(report, !param_read(&set, params, &source, &diag), owner, diag.text);
    param_free(set);
}

/* ---- Ports, forms, backends ---- */

static void meta_ports(struct check_report *report, const char *owner,
                       const struct fecrun_port *const *ports)
{
    const uint32_t kinds = FECRUN_KIND_BITS | FECRUN_KIND_LLR | FECRUN_KIND_SYMBOLS |
                           FECRUN_KIND_VALUES;

    for (size_t i = 0; ports[i]; i++) {
        need(report, is_word(ports[i]->name, "_"), owner, "a port's name has a-z, 0-9 and _ only");
        need(report, !ports[i]->help || is_line(ports[i]->help), owner,
             "a port's help must be one line");
        need(report, !(ports[i]->kinds & ~kinds), owner, "a port has kinds that are none");
        need(report, i || !(ports[i]->flags & FECRUN_PORT_OPTIONAL), owner, "port 0 is optional");
        for (size_t k = 0; k < i; k++)
            need(report, strcmp(ports[k]->name, ports[i]->name), owner, "two ports of one name");
    }
}

/* any_first: the first port may get what a stage that the backend absorbs takes. */
static void meta_samples(struct check_report *report, const char *owner,
                         const struct fecrun_sample *samples,
                         const struct fecrun_port *const *ports, const char *side, bool any_first)
{
    char text[200];

    for (unsigned p = 0; ports[p]; p++) {
        uint32_t type = samples[p].type;

        snprintf(text, sizeof text, "a form's %s %u is %s, which is not of the port's kind", side,
                 p, fecrun_type_name(type));
        need(report,
             type ? fecrun_type_kinds(type) & ports[p]->kinds || (!p && any_first)
                  : ports[p]->flags & FECRUN_PORT_OPTIONAL,
             owner, text);
    }
}

static void meta_backend(struct check_report *report, const struct registry_stage *stage, size_t b)
{
    const struct fecrun_backend *backend = stage->backends[b].backend;
    char owner[200];

    snprintf(owner, sizeof owner, "%s, backend %s", stage->stage->name, backend->name);
    need(report, is_word(backend->name, "-_"), owner, "a name has a-z, 0-9, - and _ only");
    need(report, !backend->summary || is_line(backend->summary), owner, "summary: one line");
    need(report, backend->agreement <= FECRUN_AGREEMENT_NEAR, owner,
         "agreement is neither exact nor near");
    need(report, backend->agreement != FECRUN_AGREEMENT_NEAR || backend->bound > 0, owner,
         "is near without a bound");
    need(report, backend->bound >= 0 && backend->bound < 1e6, owner, "bound is negative or huge");
    for (size_t k = 0; k < b; k++)
        need(report, strcmp(stage->backends[k].backend->name, backend->name), owner,
             "two backends of one name");
    for (size_t i = 0; backend->forms[i]; i++) {
        meta_samples(report, owner, backend->forms[i]->in, stage->stage->inputs, "input",
                     backend->absorbs && backend->absorbs[0]);
        meta_samples(report, owner, backend->forms[i]->out, stage->stage->outputs, "output", false);
        need(report, !(backend->forms[i]->flags & ~(uint32_t)FECRUN_FORM_RAGGED), owner,
             "a form has flags that this ABI does not know");
    }
    meta_params(report, owner, backend->tune);
}

static void meta_examples(struct check_report *report, const struct registry_stage *stage)
{
    const struct fecrun_example *const *examples = stage->stage->examples;

    for (size_t i = 0; examples && examples[i]; i++) {
        struct check_point point;
        struct diag diag = {0};
        char owner[160];

        snprintf(owner, sizeof owner, "%s, example %.100s", stage->stage->name,
                 examples[i]->params);
        need(report,
             examples[i]->type <= FECRUN_C8 && examples[i]->stream <= 1 &&
                 (!examples[i]->scheme ||
                  strlen(examples[i]->scheme) < sizeof(((struct fecrun_frame *)0)->scheme)),
             owner, "has a type or stream that is none, or a scheme of 24 characters and more");
        if (need(report, check_point_example(&point, stage, examples[i], &diag), owner, diag.text))
            check_point_clear(&point);
    }
}

/* The stage that it undoes or follows. */
static void meta_other(struct check_report *report, const struct registry *registry,
                       const struct registry_stage *stage, const char *verb, const char *name)
{
    const struct registry_stage *other = name ? registry_find(registry, name) : NULL;
    char text[200];

    if (!name)
        return;
    snprintf(text, sizeof text, "%s %.100s, which is no other transform that there is", verb, name);
    need(report,
         other && other != stage && other->stage->role == FECRUN_ROLE_TRANSFORM &&
             stage->stage->role == FECRUN_ROLE_TRANSFORM,
         stage->stage->name, text);
}

void check_meta_stage(struct check_report *report, const struct registry *registry,
                      const struct registry_stage *stage)
{
    const struct fecrun_stage *s = stage->stage;
    const char *dot = strchr(s->name, '.');
    uint32_t flags = FECRUN_STAGE_ORDERED | FECRUN_STAGE_RANDOM | FECRUN_STAGE_ONE_POINT |
                     FECRUN_STAGE_ENDS | FECRUN_STAGE_COUNTS | FECRUN_STAGE_SEEKS |
                     FECRUN_STAGE_BOUND | FECRUN_STAGE_CHECKS;

    need(report, is_word(s->name, "._-") && dot && dot != s->name && dot[1], s->name,
         "a name is family.verb of a-z, 0-9, - and _");
    need(report, is_line(s->summary), s->name, "summary must be one line");
    need(report, !(s->flags & ~flags), s->name, "has flags that this ABI does not know");
    need(report, !(s->flags & FECRUN_STAGE_BOUND) || s->role != FECRUN_ROLE_TRANSFORM, s->name,
         "only a source or sink can be bound to memory");
    need(report, !(s->flags & FECRUN_STAGE_COUNTS) || s->role == FECRUN_ROLE_SINK, s->name,
         "counts and is no sink");
    need(report, !(s->flags & FECRUN_STAGE_CHECKS) || s->role == FECRUN_ROLE_TRANSFORM, s->name,
         "gives frames a verdict and is no transform");
    need(report, !(s->flags & FECRUN_STAGE_ENDS) || s->role == FECRUN_ROLE_SOURCE, s->name,
         "ends and is no source");
    need(report,
         !(s->flags & FECRUN_STAGE_SEEKS) ||
             (s->role == FECRUN_ROLE_SOURCE && s->flags & FECRUN_STAGE_ORDERED),
         s->name, "seeks and is no ordered source");
    meta_params(report, s->name, s->params);
    meta_ports(report, s->name, s->inputs);
    meta_ports(report, s->name, s->outputs);
    meta_examples(report, stage);
    meta_other(report, registry, stage, "undoes", s->undoes);
    meta_other(report, registry, stage, "follows", s->follows);
    need(report, !s->undoes || !s->follows, s->name, "undoes and follows");
    need(report, !stage->backends[0].backend->provider, s->name,
         "the reference, backends[0], runs on a device");
    need(report, stage->backends[0].backend->agreement == FECRUN_AGREEMENT_EXACT, s->name,
         "the reference, backends[0], must be exact: it is what the others are compared with");
    for (size_t b = 0; b < stage->n_backends; b++)
        meta_backend(report, stage, b);
}

/* ---- The plugin ---- */

void check_meta_plugin(struct check_report *report, const struct registry *registry,
                       const struct loaded *file)
{
    const struct fecrun_plugin *plugin = file->plugin;
    char text[300];

    need(report, is_word(plugin->name, "-_"), plugin->name, "a name has a-z, 0-9, - and _ only");
    need(report, is_line(plugin->version), plugin->name, "version must be one line");
    need(report, is_line(plugin->license), plugin->name, "license must be an SPDX expression");
    for (size_t i = 0; plugin->stages && plugin->stages[i]; i++) {
        const struct registry_stage *found = registry_find(registry, plugin->stages[i]->name);

        snprintf(text, sizeof text, "stage %s is that of plugin %s already: not checked",
                 plugin->stages[i]->name, found ? found->plugin->plugin->name : "?");
        need(report, found && found->stage == plugin->stages[i], plugin->name, text);
        for (size_t k = 0; k < i; k++) {
            snprintf(text, sizeof text, "stage %s is there twice", plugin->stages[i]->name);
            need(report, strcmp(plugin->stages[k]->name, plugin->stages[i]->name), plugin->name,
                 text);
        }
    }
}
