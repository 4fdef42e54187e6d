/* SPDX-License-Identifier: BSD-2-Clause */
/* Parameter points: the schema's own, those of the table, those of --case. */
#include "check.h"

#include "check_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_POINTS = 400, MAX_CHOICES = 32, MAX_TEXT = sizeof((struct check_point *)0)->text };

/* ---- One point ---- */

static uint32_t type_of_name(const char *name)
{
    for (uint32_t type = FECRUN_U8; type <= FECRUN_C8; type++)
        if (!strcmp(check_type_name(type), name))
            return type;
    return FECRUN_NONE;
}

static uint32_t scheme_of_name(const char *name)
{
    static const char *const names[] = {"none", "bpsk", "qpsk", "16qam", "64qam", "256qam", NULL};

    for (uint32_t i = 0; names[i]; i++)
        if (!strcmp(names[i], name))
            return i;
    return 0;
}

static int read_wish_entry(struct check_wish *wish, const char *key, const struct conf_node *value,
                           struct diag *diag)
{
    const char *text = value->kind == CONF_SCALAR ? value->text : "";
    bool flag = false, good;

    if (!strcmp(key, "items"))
        good = conf_uint(text, &wish->items);
    else if (!strcmp(key, "type"))
        good = (wish->type = type_of_name(text)) != FECRUN_NONE;
    else if (!strcmp(key, "llr_max"))
        good = conf_float(text, &wish->llr_max);
    else if (!strcmp(key, "n0"))
        good = conf_float(text, &wish->n0);
    else if (!strcmp(key, "scheme"))
        good = (wish->scheme = scheme_of_name(text)) != 0;
    else if (!strcmp(key, "stream")) {
        good = conf_bool(text, &flag);
        wish->stream = flag;
    } else
        return diag_fail_at(diag, DIAG_USAGE, value->mark, "check.%s: there are items, type, "
                            "llr_max, scheme, n0 and stream", key);
    return good ? 0 : diag_fail_at(diag, DIAG_USAGE, value->mark, "check.%s: `%s` is no value for "
                                   "it", key, text);
}

static int read_wish(struct check_wish *wish, const struct conf_node *map, struct diag *diag)
{
    *wish = (struct check_wish){.stream = -1};
    for (size_t i = 0; map && map->kind == CONF_MAP && i < map->count; i++)
        if (read_wish_entry(wish, map->keys[i]->text, map->items[i], diag))
            return -1;
    return 0;
}

bool check_point_read(struct check_point *point, const struct registry_stage *stage,
                      const char *text, const char *origin, struct diag *diag)
{
    static const char *const skip[] = {"check", NULL};
    struct param_source source = {.label = stage->stage->name, .skip = skip};

    memset(point, 0, sizeof *point);
    snprintf(point->text, sizeof point->text, "%s", text);
    point->origin = origin;
    if (conf_parse_text(&point->conf, origin, text, strlen(text), diag))
        return false;
    source.map = point->conf->root;
    if (!read_wish(&point->wish, conf_get(source.map, "check"), diag) &&
        !param_read(&point->set, stage->stage->params, &source, diag))
        return true;
    check_point_clear(point);
    return false;
}

void check_point_clear(struct check_point *point)
{
    param_free(point->set);
    if (point->conf)
        conf_free(point->conf);
    memset(point, 0, sizeof *point);
}

/* ---- Texts of maps ---- */

/* Plain where YAML lets it be. */
static void put_scalar(char *text, const char *value)
{
    size_t used = strlen(text);
    bool plain = value[0] && !value[strspn(value, "abcdefghijklmnopqrstuvwxyz"
                                                  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-")];

    if (value[0] == '[')
        plain = true; /* a list, as param_text() writes it */
    snprintf(text + used, MAX_TEXT - used, plain ? "%s" : "\"%s\"", value);
}

static void put_entry(char *text, const char *name, const char *value)
{
    size_t used = strlen(text);

    snprintf(text + used, MAX_TEXT - used, "%s%s: ", used > 1 ? ", " : "", name);
    put_scalar(text, value);
}

/* What the base's user wrote, with one parameter set to another value. */
void check_map_text(char *text, const struct check_point *base,
                    const struct fecrun_param *const *only, const char *name, const char *value)
{
    char buffer[MAX_TEXT];

    strcpy(text, "{");
    for (size_t i = 0; base && param_schema(base->set)[i]; i++) {
        const struct fecrun_param *param = param_schema(base->set)[i];
        bool wanted = !only;

        for (size_t k = 0; only && only[k]; k++)
            wanted = wanted || !strcmp(only[k]->name, param->name);
        if (wanted && param_values(base->set)->v[i]->given == 2 &&
            (!name || strcmp(param->name, name)))
            put_entry(text, param->name, param_text(base->set, i, buffer, sizeof buffer));
    }
    if (name)
        put_entry(text, name, value);
    if (strlen(text) + 1 < MAX_TEXT)
        strcat(text, "}");
}

/* ---- Lists of points ---- */

static bool known(const struct check_points *points, const char *text)
{
    for (size_t i = 0; i < points->n; i++)
        if (!strcmp(points->point[i].text, text))
            return true;
    return false;
}

static int add(struct check_points *points, const struct check_point *point)
{
    if (points->n == points->room) {
        size_t room = points->room ? 2 * points->room : 64;
        struct check_point *more = realloc(points->point, room * sizeof *more);

        if (!more)
            return -1;
        points->point = more;
        points->room = room;
    }
    points->point[points->n++] = *point;
    return 0;
}

/* A text that the schema itself refuses is not a point: the host would never plan it. */
static void add_text(struct check_points *points, const struct registry_stage *stage,
                     const char *text, const char *origin)
{
    struct check_point point;
    struct diag diag = {0};

    if (points->n >= MAX_POINTS || known(points, text) ||
        !check_point_read(&point, stage, text, origin, &diag))
        return;
    if (add(points, &point))
        check_point_clear(&point);
}

/* ---- A value for what has to be given ---- */

static bool limited(const struct fecrun_param *param)
{
    return param->min < param->max;
}

static const char *guess(const struct fecrun_param *param, char *text, size_t size)
{
    double one = limited(param) && (param->min > 1 || param->max < 1)
                     ? param->min + 0.1 * (param->max - param->min)
                     : 1;

    switch (param->type) {
    case FECRUN_P_INT:
        one = limited(param) && param->min > 96 ? param->min : 96;
        snprintf(text, size, "%.0f", limited(param) && param->max < one ? param->max : one);
        return text;
    case FECRUN_P_FLOAT:
        if (limited(param) && param->min == 0 && param->max <= 1)
            one = 0.1 * param->max; /* a probability */
        snprintf(text, size, "%.9g", one);
        return text;
    case FECRUN_P_CHOICE:
        return param->choices[0];
    case FECRUN_P_BOOL:
        return "false";
    case FECRUN_P_PORT:
        return "source"; /* the port is linked then */
    default:
        return NULL; /* no guess: a file, a list, a name */
    }
}

/* The required ones; false: one cannot be guessed. */
static bool required_text(const struct registry_stage *stage, char *text)
{
    char buffer[64];

    strcpy(text, "{");
    for (size_t i = 0; stage->stage->params[i]; i++) {
        const struct fecrun_param *param = stage->stage->params[i];
        const char *value = guess(param, buffer, sizeof buffer);

        if (!(param->flags & FECRUN_REQUIRED) || param->default_text)
            continue;
        if (!value)
            return false;
        put_entry(text, param->name, value);
    }
    strcat(text, "}");
    return true;
}

/* ---- Variations of a point ---- */

static void vary(struct check_points *points, const struct registry_stage *stage,
                 const struct check_point *base, const char *name, const char *value)
{
    char text[MAX_TEXT];

    check_map_text(text, base, NULL, name, value);
    add_text(points, stage, text, "schema");
}

static void vary_number(struct check_points *points, const struct registry_stage *stage,
                        const struct check_point *base, const struct fecrun_param *param)
{
    bool whole = param->type == FECRUN_P_INT;
    double low = limited(param) ? param->min : 0, high = limited(param) ? param->max : 100;
    double value[] = {low, low + 1, low + 7, low + 64, 1, high};
    char text[64];

    for (size_t i = 0; i < sizeof value / sizeof *value; i++) {
        /* large sizes take too long to be run */
        if (value[i] < low || value[i] > high || (whole && value[i] > 65536))
            continue;
        snprintf(text, sizeof text, whole ? "%.0f" : "%.9g", value[i]);
        vary(points, stage, base, param->name, text);
    }
}

static void vary_param(struct check_points *points, const struct registry_stage *stage,
                       const struct check_point *base, const struct fecrun_param *param)
{
    if (param->flags & FECRUN_MAY_AUTO)
        vary(points, stage, base, param->name, "auto");
    if (param->type == FECRUN_P_INT || param->type == FECRUN_P_FLOAT)
        vary_number(points, stage, base, param);
    for (size_t i = 0; param->type == FECRUN_P_CHOICE && param->choices[i] && i < MAX_CHOICES; i++)
        vary(points, stage, base, param->name, param->choices[i]);
    if (param->type == FECRUN_P_BOOL) {
        vary(points, stage, base, param->name, "true");
        vary(points, stage, base, param->name, "false");
    }
}

/* ---- A first point that plan() accepts ---- */

static bool take_base(struct check_point *base, const struct check *check, const char *text)
{
    struct diag diag = {0};

    if (!check_point_read(base, check->stage, text, "schema", &diag))
        return false;
    if (check_point_accepted(check, base))
        return true;
    check_point_clear(base);
    return false;
}

/* Two parameters more than what is required: the second loop starts with none. */
static bool search_base(struct check_point *base, const struct check *check, const char *required)
{
    const struct fecrun_param *const *params = check->stage->stage->params;
    struct check_points one = {0};
    struct check_point start;
    struct diag diag = {0};
    bool found = false;

    if (!check_point_read(&start, check->stage, required, "schema", &diag))
        return false;
    for (size_t i = 0; params[i]; i++)
        vary_param(&one, check->stage, &start, params[i]);
    for (size_t i = 0, n = one.n; i < n; i++)
        for (size_t k = 0; params[k] && one.n < MAX_POINTS; k++)
            if (params[k]->type == FECRUN_P_CHOICE)
                vary_param(&one, check->stage, &one.point[i], params[k]);
    for (size_t i = 0; i < one.n && !found; i++)
        found = take_base(base, check, one.point[i].text);
    check_points_free(&one);
    check_point_clear(&start);
    return found;
}

static bool is_for(const char *stages, const char *name)
{
    size_t n = strlen(name);

    for (const char *p = stages; (p = strstr(p, name)); p += n)
        if ((p == stages || p[-1] == ' ') && (p[n] == ' ' || !p[n]))
            return true;
    return false;
}

static bool find_base(struct check_point *base, const struct check *check)
{
    char required[MAX_TEXT];

    if (required_text(check->stage, required) && take_base(base, check, required))
        return true;
    for (size_t i = 0; check_builtins[i].stage; i++)
        if (is_for(check_builtins[i].stage, check->stage->stage->name) &&
            take_base(base, check, check_builtins[i].map))
            return true;
    return required_text(check->stage, required) && search_base(base, check, required);
}

/* ---- All points ---- */

static int add_cases(struct check_points *points, const struct check *check, struct diag *diag)
{
    for (size_t i = 0; check->options->cases[i]; i++) {
        const char *text = check->options->cases[i], *colon = strchr(text, ':');
        size_t n = colon ? (size_t)(colon - text) : 0;
        struct check_point point;

        if (!colon || strncmp(text, check->stage->stage->name, n) || check->stage->stage->name[n])
            continue;
        colon += 1 + strspn(colon + 1, " ");
        if (!check_point_read(&point, check->stage, colon, "--case", diag))
            return -1;
        if (add(points, &point))
            return diag_fail(diag, DIAG_RUN, "out of memory");
    }
    return 0;
}

int check_points_make(struct check_points *points, const struct check *check, struct diag *diag)
{
    const struct fecrun_param *const *params = check->stage->stage->params;
    struct check_point base;

    memset(points, 0, sizeof *points);
    if (add_cases(points, check, diag))
        return -1;
    if (check->options->only_cases)
        return 0;
    if (find_base(&base, check)) {
        add_text(points, check->stage, base.text, "defaults");
        for (size_t i = 0; params[i]; i++)
            vary_param(points, check->stage, &base, params[i]);
        check_point_clear(&base);
    }
    for (size_t i = 0; check_builtins[i].stage; i++)
        if (is_for(check_builtins[i].stage, check->stage->stage->name))
            add_text(points, check->stage, check_builtins[i].map, "built in");
    return 0;
}

void check_points_free(struct check_points *points)
{
    for (size_t i = 0; i < points->n; i++)
        check_point_clear(&points->point[i]);
    free(points->point);
    memset(points, 0, sizeof *points);
}
