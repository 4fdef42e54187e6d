/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads a value from a node or a text, checks it against its parameter, and makes a text of it again. */
#include "core/value/param_impl.h"

#include "core/base/array.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_LIMIT 9e18 /* of a FLOAT: beyond it, no limit is meant */

__attribute__((format(printf, 3, 4))) static int fail(struct param_problem *problem,
                                                      struct mark mark, const char *format, ...)
{
    va_list args;

    problem->mark = mark;
    va_start(args, format);
    vsnprintf(problem->text, sizeof problem->text, format, args);
    va_end(args);
    return -1;
}

/* The upper or the lower limit; false: there is none on that side. */
static bool limit_text(char *buffer, size_t size, const struct fecrun_param *param, bool upper)
{
    const double f = upper ? param->fmax : param->fmin;
    const int64_t i = upper ? param->imax : param->imin;

    if (param->type == FECRUN_VALUE_FLOAT)
        conf_float_text(buffer, size, f);
    else
        snprintf(buffer, size, "%lld", (long long)i);
    return param->type == FECRUN_VALUE_FLOAT ? fabs(f) < NO_LIMIT : i > INT64_MIN && i < INT64_MAX;
}

static void add_range(char *buffer, size_t size, const struct fecrun_param *param)
{
    const bool any = param->imin != param->imax || param->fmin != param->fmax;
    char low[32], high[32];
    const bool has_min = limit_text(low, sizeof low, param, false) && any;
    const bool has_max = limit_text(high, sizeof high, param, true) && any;

    if (has_min && has_max)
        text_add(buffer, size, " from %s to %s", low, high);
    else if (has_min)
        text_add(buffer, size, " of at least %s", low);
    else if (has_max)
        text_add(buffer, size, " of at most %s", high);
    if (param->unit && *param->unit)
        text_add(buffer, size, has_min || has_max ? " %s" : " (%s)", param->unit);
}

/* What is allowed: "an integer from 4 to 46 or auto". */
static void describe(char *buffer, size_t size, const struct fecrun_param *param)
{
    static const char *const words[] = {
        [FECRUN_VALUE_INT] = "an integer",
        [FECRUN_VALUE_FLOAT] = "a number",
        [FECRUN_VALUE_STRING] = "a text",
        [FECRUN_VALUE_CHOICE] = "",
        [FECRUN_VALUE_BOOL] = "true or false",
        [FECRUN_VALUE_INTS] = "a list [a, b, ...] of integers",
        [FECRUN_VALUE_STRINGS] = "a list [a, b, ...] of texts",
        [FECRUN_VALUE_PATH] = "a file name",
        [FECRUN_VALUE_PORT] = "a stage or a file name",
    };
    const char *const *choice = param->type == FECRUN_VALUE_CHOICE ? param->choices : NULL;

    snprintf(buffer, size, "%s", words[param->type]);
    for (size_t i = 0; choice && choice[i]; i++)
        text_add(buffer, size, "%s%s", i ? ", " : "one of ", choice[i]);
    if (param->type == FECRUN_VALUE_INT || param->type == FECRUN_VALUE_FLOAT ||
        param->type == FECRUN_VALUE_INTS)
        add_range(buffer, size, param);
    if (param->flags & FECRUN_PARAM_MAY_AUTO)
        text_add(buffer, size, " or auto");
}

static int refuse(const struct fecrun_param *param, const struct conf_node *node,
                  struct param_problem *problem)
{
    char allowed[320], is[64], hint[96] = "";
    bool is_int = param->type == FECRUN_VALUE_INT || param->type == FECRUN_VALUE_INTS;

    describe(allowed, sizeof allowed, param);
    if (param->type == FECRUN_VALUE_CHOICE && node->kind == CONF_SCALAR && param->choices)
        diag_hint(hint, sizeof hint, node->text, param->choices);
    if (is_int && node->kind == CONF_SCALAR && node->text[0] == '0' && node->text[1] >= '0' &&
        node->text[1] <= '9')
        snprintf(hint, sizeof hint, " (octal is written 0o171, decimal without leading zeros)");
    return fail(problem, node->mark, "must be %s, is %s%s", allowed, conf_show(is, sizeof is, node),
                hint);
}

/* A parameter has limits of one of both. */
static bool in_range(const struct fecrun_param *param, int64_t i, double f)
{
    return (param->imin == param->imax || (i >= param->imin && i <= param->imax)) &&
           (param->fmin == param->fmax || (f >= param->fmin && f <= param->fmax));
}

static bool read_int(const struct fecrun_param *param, const struct conf_node *node, int64_t *i)
{
    return node->kind == CONF_SCALAR && conf_int(node->text, i) && in_range(param, *i, 0);
}

static bool read_choice(const struct fecrun_param *param, const char *text, int64_t *i)
{
    const int at = array_index(param->choices, text);

    *i = at < 0 ? 0 : at;
    return at >= 0;
}

static char *join(const char *base_dir, const char *text)
{
    const size_t n = base_dir ? strlen(base_dir) : 0;
    char *path;

    if (!base_dir || !strcmp(base_dir, ".") || text[0] == '/' || !strcmp(text, "-"))
        return strdup(text);
    path = malloc(n + strlen(text) + 2);
    if (path)
        sprintf(path, "%s%s%s", base_dir, n && base_dir[n - 1] == '/' ? "" : "/", text);
    return path;
}

int param_path(const struct conf_place *place, const char *text, char **path, char *why,
               size_t size)
{
    int status;

    *path = join(place->base_dir, text);
    if (!*path)
        return -1;
    if (!place->resolve || !strcmp(*path, "-"))
        return 0;
    status = place->resolve(place->data, path, why, size);
    if (status) {
        free(*path);
        *path = NULL;
    }
    return status;
}

/* 0 or -1, as read_scalar; 2: refused already */
static int read_path(const struct conf_place *place, const struct conf_node *node,
                     struct fecrun_value *value, struct param_problem *problem)
{
    char *path, why[sizeof problem->text];
    const int status = param_path(place, node->text, &path, why, sizeof why);

    if (status > 0)
        fail(problem, node->mark, "%s", why);
    value->s = path;
    return status > 0 ? 2 : status;
}

/* The types that are one number or word. 1: not of this type or range. */
static int read_scalar(const struct fecrun_param *param, const struct conf_place *place,
                       const struct conf_node *node, struct fecrun_value *value,
                       struct param_problem *problem)
{
    bool flag;

    switch (param->type) {
    case FECRUN_VALUE_INT:
        if (!read_int(param, node, &value->i))
            return 1;
        value->f = (double)value->i;
        return 0;
    case FECRUN_VALUE_FLOAT:
        return !(conf_float(node->text, &value->f) && in_range(param, 0, value->f));
    case FECRUN_VALUE_BOOL:
        if (!conf_bool(node->text, &flag))
            return 1;
        value->f = (double)(value->i = flag);
        return 0;
    case FECRUN_VALUE_CHOICE:
        if (!read_choice(param, node->text, &value->i))
            return 1;
        value->s = strdup(node->text);
        break;
    case FECRUN_VALUE_PATH:
        if (!*node->text)
            return 1;
        return read_path(place, node, value, problem);
    default:
        if (!*node->text && param->type == FECRUN_VALUE_PORT)
            return 1;
        value->s = strdup(node->text);
    }
    return value->s ? 0 : -1;
}

/* A scalar's text; of a list in a list, its items' with blanks between them. NULL: no memory. */
static char *item_text(const struct conf_node *node)
{
    size_t size = 1;
    char *text;

    if (node->kind == CONF_SCALAR)
        return strdup(node->text);
    for (size_t i = 0; i < node->count; i++)
        size += strlen(node->items[i]->text) + 1;
    text = calloc(1, size);
    for (size_t i = 0; text && i < node->count; i++)
        text_add(text, size, "%s%s", i ? " " : "", node->items[i]->text);
    return text;
}

static bool has_scalars_only(const struct conf_node *node)
{
    for (size_t i = 0; i < node->count; i++)
        if (node->items[i]->kind != CONF_SCALAR)
            return false;
    return node->kind == CONF_LIST;
}

static int read_list(const struct fecrun_param *param, const struct conf_node *node,
                     struct fecrun_value *value, struct param_problem *problem)
{
    bool is_int = param->type == FECRUN_VALUE_INTS;
    const uint32_t type = is_int ? FECRUN_VALUE_INT : FECRUN_VALUE_STRING;
    const struct fecrun_param one = {
        .type = type, .imin = param->imin, .imax = param->imax, .unit = param->unit};
    /* One more, as malloc(0) may give NULL. */
    int64_t *ints = calloc(node->count + 1, sizeof(*ints));
    char **strings = calloc(node->count + 1, sizeof(*strings));

    value->ints = ints;
    value->strings = (const char *const *)strings;
    if (!ints || !strings)
        return fail(problem, node->mark, "out of memory");
    for (size_t i = 0; i < node->count; i++) {
        const struct conf_node *item = node->items[i];

        if (is_int ? !read_int(&one, item, &ints[i])
                   : item->kind != CONF_SCALAR && !has_scalars_only(item)) {
            struct param_problem inner;

            refuse(&one, item, &inner);
            return fail(problem, item->mark, "item %zu: %.480s", i + 1, inner.text);
        }
        strings[i] = item_text(item);
        value->count = i + 1;
        if (!strings[i])
            return fail(problem, node->mark, "out of memory");
    }
    return 0;
}

static int read_value(const struct fecrun_param *param, const struct conf_place *place,
                      const struct conf_node *node, struct fecrun_value *value,
                      struct param_problem *problem)
{
    const bool is_list = param_is_list(param);
    int result;

    if (node->kind == CONF_SCALAR && (param->flags & FECRUN_PARAM_MAY_AUTO) &&
        !strcmp(node->text, "auto")) {
        value->is_auto = 1;
        if (param->type == FECRUN_VALUE_CHOICE)
            read_choice(param, "auto", &value->i);
        value->s = strdup("auto");
        return value->s ? 0 : fail(problem, node->mark, "out of memory");
    }
    if (is_list && node->kind == CONF_LIST)
        return read_list(param, node, value, problem);
    if (is_list || node->kind != CONF_SCALAR)
        return refuse(param, node, problem);
    result = read_scalar(param, place, node, value, problem);
    if (result < 0)
        return fail(problem, node->mark, "out of memory");
    return result == 1 ? refuse(param, node, problem) : result ? -1 : 0;
}

/* The text of a list, as options and sweeps have it. */
static int read_list_text(const struct fecrun_param *param, const struct conf_place *place,
                          const struct conf_node *node, struct fecrun_value *value,
                          struct param_problem *problem)
{
    struct conf *conf;
    int result;

    if (conf_parse_text(&conf, "", node->text, strlen(node->text), NULL))
        return refuse(param, node, problem);
    result = read_value(param, place, conf->root, value, problem);
    problem->mark = node->mark;
    conf_free(conf);
    return result;
}

int param_value_read(const struct fecrun_param *param, const struct conf_place *place,
                     const struct conf_node *node, struct fecrun_value *value,
                     struct param_problem *problem)
{
    const bool text = node->kind == CONF_SCALAR && param_is_list(param) && node->text[0] == '[';

    *value = (struct fecrun_value){.size = sizeof *value};
    if (!(text ? read_list_text : read_value)(param, place, node, value, problem))
        return 0;
    param_value_clear(value);
    return -1;
}

bool param_value_fits(const struct fecrun_param *param, struct fecrun_value *value)
{
    if (value->is_auto)
        return param->flags & FECRUN_PARAM_MAY_AUTO;
    for (size_t i = 0; param->type == FECRUN_VALUE_INTS && i < value->count; i++)
        if (!in_range(param, value->ints[i], 0))
            return false;
    if (param->type == FECRUN_VALUE_INT || param->type == FECRUN_VALUE_FLOAT)
        return in_range(param, value->i, value->f);
    return param->type != FECRUN_VALUE_CHOICE || read_choice(param, value->s, &value->i);
}

int param_value_copy(struct fecrun_value *value, const struct fecrun_value *from)
{
    int64_t *ints = from->ints ? calloc(from->count + 1, sizeof(*ints)) : NULL;
    char **strings = from->strings ? calloc(from->count + 1, sizeof(*strings)) : NULL;

    *value = *from;
    value->s = from->s ? strdup(from->s) : NULL;
    value->count = 0;
    value->ints = ints;
    value->strings = (const char *const *)strings;
    if ((from->s && !value->s) || (from->ints && !ints) || (from->strings && !strings))
        return -1;
    for (size_t i = 0; i < from->count; i++) {
        ints[i] = from->ints[i];
        strings[i] = strdup(from->strings[i]);
        value->count = i + 1;
        if (!strings[i])
            return -1;
    }
    return 0;
}

void param_value_clear(struct fecrun_value *value)
{
    for (size_t i = 0; i < value->count; i++)
        free((char *)value->strings[i]);
    free((void *)value->strings);
    free((void *)value->ints);
    free((char *)value->s);
    *value = (struct fecrun_value){.size = sizeof *value};
}

/* ---- To text ---- */

/* An item of a list, such that the list can be read again. */
static void add_item(char *buffer, size_t size, const char *text)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+";

    if (*text && strspn(text, safe) == strlen(text)) {
        text_add(buffer, size, "%s", text);
        return;
    }
    text_add(buffer, size, "'");
    for (; *text; text++)
        text_add(buffer, size, *text == '\'' ? "''" : "%c", *text);
    text_add(buffer, size, "'");
}

static void add_list(char *buffer, size_t size, const struct fecrun_value *value, bool ints)
{
    text_add(buffer, size, "[");
    for (size_t i = 0; i < value->count; i++) {
        text_add(buffer, size, i ? ", " : "");
        if (ints)
            text_add(buffer, size, "%" PRId64, value->ints[i]);
        else
            add_item(buffer, size, value->strings[i]);
    }
    text_add(buffer, size, "]");
}

const char *param_text(const struct param_set *set, size_t i, char *buffer, size_t size)
{
    const struct fecrun_value *value = &set->values[i];
    const uint32_t type = set->schema[i]->type;

    buffer[0] = '\0';
    if (!value->given)
        return buffer;
    if (value->is_auto)
        text_add(buffer, size, "auto");
    else if (type == FECRUN_VALUE_INT)
        text_add(buffer, size, "%" PRId64, value->i);
    else if (type == FECRUN_VALUE_FLOAT)
        conf_float_text(buffer, size, value->f);
    else if (type == FECRUN_VALUE_INTS || type == FECRUN_VALUE_STRINGS)
        add_list(buffer, size, value, type == FECRUN_VALUE_INTS);
    else
        text_add(buffer, size, "%s",
                 type != FECRUN_VALUE_BOOL ? value->s
                 : value->i                ? "true"
                                           : "false");
    return buffer;
}
