/* SPDX-License-Identifier: BSD-2-Clause */
/* plan(): called with guarded structs, twice, and with what nobody would write. */
#include "check.h"

#include "check_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ZONE = 64, PATTERN = 0x96, FUZZ = 400 };

/* All that plan() gets or fills, between red zones. */
struct area {
    uint8_t zone0[ZONE];
    struct fecrun_frame in[FECRUN_MAX_PORTS];
    uint8_t zone1[ZONE];
    struct fecrun_frame out[FECRUN_MAX_PORTS];
    uint8_t zone2[ZONE];
    struct fecrun_plan plan;
    uint8_t zone3[ZONE];
    struct fecrun_error err;
    uint8_t zone4[ZONE];
};

static bool zone_intact(const uint8_t *zone)
{
    for (size_t i = 0; i < ZONE; i++)
        if (zone[i] != PATTERN)
            return false;
    return true;
}

static void fill_area(struct area *area, const struct check_variant *v)
{
    memset(area, PATTERN, sizeof *area);
    memcpy(area->in, v->in, sizeof area->in);
    memset(area->out, 0, sizeof area->out);
    memset(&area->plan, 0, sizeof area->plan);
    memset(&area->err, 0, sizeof area->err);
    for (unsigned p = 0; p < FECRUN_MAX_PORTS; p++)
        area->out[p].size = sizeof area->out[p];
    area->plan.size = sizeof area->plan;
    area->err.size = sizeof area->err;
}

/* What is wrong with the call itself, or NULL. */
static const char *broken(const struct area *area, const struct check_variant *v, int status)
{
    if (!zone_intact(area->zone0) || !zone_intact(area->zone1) || !zone_intact(area->zone2) ||
        !zone_intact(area->zone3) || !zone_intact(area->zone4))
        return "plan() wrote outside of its structs";
    if (memcmp(area->in, v->in, sizeof area->in))
        return "plan() changed an input frame";
    if (status != 0 && status != -1)
        return "plan() returned neither 0 nor -1";
    if (status && !area->err.text[0])
        return "plan() refused without a text in err";
    if (!memchr(area->err.text, 0, sizeof area->err.text) ||
        !memchr(area->err.param, 0, sizeof area->err.param))
        return "plan() left a text in err without its end";
    if (!status && !memchr(area->plan.note, 0, sizeof area->plan.note))
        return "plan() left a note without its end";
    return NULL;
}

static int call_plan(const struct check *check, const struct check_point *point,
                     const struct check_variant *v, struct area *area, const char **problem)
{
    const struct fecrun_frame *in[FECRUN_MAX_PORTS] = {NULL};
    struct fecrun_frame *out[FECRUN_MAX_PORTS] = {NULL};
    int status;

    fill_area(area, v);
    for (unsigned p = 0; p < v->n_in; p++)
        in[p] = v->linked[p] ? &area->in[p] : NULL;
    for (unsigned p = 0; p < v->n_out; p++)
        out[p] = &area->out[p];
    status = check->stage->stage->plan(check->host, param_values(point->set), in, out,
                                       &area->plan, &area->err);
    *problem = broken(area, v, status);
    return status;
}

static void free_code(const struct check *check, void *code)
{
    if (check->stage->stage->plan_free)
        check->stage->stage->plan_free(code);
}

/* A frame that a host would refuse, or NULL. */
static const char *bad_frame(const struct fecrun_frame *frame, const struct fecrun_port *port)
{
    if (frame->size != sizeof *frame)
        return "changed an output frame's size field";
    if (!(frame->kind & port->kinds) || (frame->kind & (frame->kind - 1)))
        return "gave an output frame of a kind that the port does not have";
    if (frame->type == FECRUN_NONE || frame->type > FECRUN_C8 ||
        check_kind_of_type(frame->type) != frame->kind)
        return "gave an output frame a type that its kind does not have";
    if (!frame->items || frame->items > (uint64_t)1 << 40)
        return "gave an output frame of an impossible number of items";
    if (!(frame->n0 >= 0) || !(frame->llr_scale >= 0) || !(frame->llr_max >= 0))
        return "gave an output frame a negative n0, llr_scale or llr_max";
    return frame->stream > 1 ? "gave an output frame a stream flag that is neither 0 nor 1" : NULL;
}

static const char *bad_plan(const struct check *check, const struct check_variant *v,
                            const struct area *area)
{
    const char *problem = NULL;

    for (unsigned p = 0; p < v->n_out && !problem; p++)
        problem = bad_frame(&area->out[p], check->stage->stage->outputs[p]);
    return problem;
}

static bool same_plan(const struct area *a, const struct area *b)
{
    return !memcmp(a->out, b->out, sizeof a->out) && a->plan.before == b->plan.before &&
           a->plan.after == b->plan.after && a->plan.flags == b->plan.flags &&
           !strcmp(a->plan.note, b->plan.note) && !strcmp(a->err.text, b->err.text) &&
           !strcmp(a->err.param, b->err.param);
}

static void report_plan(const struct check *check, const struct check_point *point,
                        const struct check_variant *v, const char *problem)
{
    char frames[200];

    if (!problem)
        check_pass(check->report, 0);
    else
        check_fail(check->report, 0, "%s; %s of %s", problem,
                   check_variant_text(v, frames, sizeof frames), point->text);
}

int check_plan(const struct check *check, const struct check_point *point,
               struct check_variant *v, struct fecrun_error *err)
{
    struct area area, again;
    const char *problem, *second = NULL;
    int status = call_plan(check, point, v, &area, &problem);

    check->report->progress++;
    *err = area.err;
    if (!check->backend) { /* the stage's own turn */
        int repeated = call_plan(check, point, v, &again, &second);

        if (!problem && (repeated != status || !same_plan(&area, &again)))
            problem = "plan() is not pure: a second call gives something else";
        if (!repeated)
            free_code(check, again.plan.code);
        if (!status && !problem)
            problem = bad_plan(check, v, &area);
        report_plan(check, point, v, problem);
    }
    if (status)
        return -1;
    memcpy(v->out, area.out, sizeof v->out);
    v->plan = area.plan;
    v->point = point;
    v->flags = check->stage->stage->flags | area.plan.flags;
    return 0;
}

/* ---- Fuzzing ---- */

static const char *random_number(const struct fecrun_param *param, struct check_random *random,
                                 char *text, size_t size)
{
    bool has = param->min < param->max;
    double low = has ? param->min : -5, high = has ? param->max : 70000, value;

    switch (check_random_below(random, 4)) {
    case 0:
        value = low;
        break;
    case 1: /* the highest, where it does not stand for a lot of memory */
        value = high <= 1 << 20 ? high : low + 1;
        break;
    default:
        value = low + check_random_unit(random) * (high - low < 5000 ? high - low : 5000);
    }
    if (param->type == FECRUN_P_FLOAT)
        snprintf(text, size, "%.6g", value);
    else
        snprintf(text, size, "%.0f", value);
    return text;
}

static void random_value(const struct fecrun_param *param, struct check_random *random, char *text,
                         size_t size)
{
    static const char *const strings[] = {"[\"1\"]", "[\"110\", \"101\"]", "[\"\"]", "[\"x\"]",
                                          "[\"11\", \"1\"]", "[\"000\"]"};
    static const char *const ints[] = {"[]", "[1]", "[5, 7]", "[91, 121]", "[-1, 0]",
                                       "[9223372036854775807, 1]", "[1, 1, 1, 1, 1, 1, 1, 1, 1]"};
    size_t n = 0;

    switch (param->type) {
    case FECRUN_P_INT:
    case FECRUN_P_FLOAT:
        random_number(param, random, text, size);
        return;
    case FECRUN_P_CHOICE:
        while (param->choices[n])
            n++;
        snprintf(text, size, "\"%s\"", param->choices[check_random_below(random, n)]);
        return;
    case FECRUN_P_BOOL:
        snprintf(text, size, "%s", check_random_below(random, 2) ? "true" : "false");
        return;
    case FECRUN_P_INTS:
        snprintf(text, size, "%s", ints[check_random_below(random, sizeof ints / sizeof *ints)]);
        return;
    case FECRUN_P_STRINGS:
        n = sizeof strings / sizeof *strings;
        snprintf(text, size, "%s", strings[check_random_below(random, n)]);
        return;
    default: /* STRING, PATH, PORT */
        snprintf(text, size, "/nonexistent/fecrun-check");
    }
}

static void random_map(const struct check *check, struct check_random *random, char *text,
                       size_t size)
{
    const struct fecrun_param *const *params = check->stage->stage->params;
    size_t used = 1;

    snprintf(text, size, "{");
    for (size_t i = 0; params[i] && used < size; i++) {
        char value[96];

        if (!(params[i]->flags & FECRUN_REQUIRED) && check_random_below(random, 2))
            continue;
        if (params[i]->flags & FECRUN_MAY_AUTO && !check_random_below(random, 3))
            snprintf(value, sizeof value, "auto");
        else
            random_value(params[i], random, value, sizeof value);
        used += (size_t)snprintf(text + used, size - used, "%s%s: %s", used > 1 ? ", " : "",
                                 params[i]->name, value);
    }
    if (used + 1 < size)
        strcat(text, "}");
}

static void random_frame(struct fecrun_frame *frame, uint32_t kinds, struct check_random *random)
{
    static const uint64_t items[] = {1, 2, 3, 7, 8, 24, 64, 100, 257, 1000, 4095, 65536,
                                     (uint64_t)1 << 20, (uint64_t)1 << 34};
    static const uint32_t types[] = {FECRUN_U8, FECRUN_PACKED, FECRUN_F32, FECRUN_F16, FECRUN_I16,
                                     FECRUN_I8, FECRUN_I4, FECRUN_C8};
    static const double maxima[] = {0, 0.3, 1, 7, 127, 1e9};

    do
        frame->type = types[check_random_below(random, sizeof types / sizeof *types)];
    while (!(check_kind_of_type(frame->type) & kinds));
    frame->size = sizeof *frame;
    frame->kind = check_kind_of_type(frame->type);
    frame->items = items[check_random_below(random, sizeof items / sizeof *items)];
    frame->stream = (uint32_t)check_random_below(random, 2);
    frame->scheme = (uint32_t)check_random_below(random, 6);
    frame->llr_max = maxima[check_random_below(random, 6)];
    frame->llr_scale = check_random_below(random, 2) ? 4 : 0;
    frame->n0 = check_random_below(random, 2) ? check_random_unit(random) : 0;
    frame->info_bits = check_random_below(random, 2) ? frame->items : 0;
    frame->channel_bits = check_random_below(random, 2) ? frame->items : 0;
    frame->bits_per_symbol = (uint32_t)check_random_below(random, 9);
}

/* Contradictory parameters and odd frames: refused with a text, or taken; never a crash. */
void check_plan_fuzz(const struct check *check, const struct check_points *points)
{
    const struct fecrun_stage *stage = check->stage->stage;
    struct check_random random = check_random_for(check->options->seed, stage->name, 99);
    double end = check_clock() + 2;

    (void)points;
    for (int i = 0; i < FUZZ && check_clock() < end; i++) {
        struct check_variant v = {0};
        struct check_point point;
        struct fecrun_error err;
        struct diag diag = {0};
        char text[sizeof point.text];

        random_map(check, &random, text, sizeof text);
        for (; stage->inputs[v.n_in]; v.n_in++) {
            v.linked[v.n_in] = !(stage->inputs[v.n_in]->flags & FECRUN_OPTIONAL) || i % 2;
            random_frame(&v.in[v.n_in], stage->inputs[v.n_in]->kinds, &random);
        }
        while (stage->outputs[v.n_out])
            v.n_out++;
        if (!check_point_read(&point, check->stage, text, "fuzz", &diag))
            continue;
        check_now(check->report, "plan() with %s, input 0 of %llu items", text,
                  (unsigned long long)v.in[0].items);
        if (!check_plan(check, &point, &v, &err))
            free_code(check, v.plan.code);
        check_point_clear(&point);
    }
}
