/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls plan() with unlikely values. */
#include "tools/check/check.h"

#include "tools/check/check_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FUZZ = 400 };

static const char *random_number(const struct fecrun_param *param, struct check_random *random,
                                 char *text, size_t size)
{
    const struct check_limits of = check_limits(param);
    const double low = of.min < of.max ? of.min : -5, high = of.min < of.max ? of.max : 70000;
    double value;

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
    if (param->type == FECRUN_VALUE_FLOAT)
        snprintf(text, size, "%.6g", value);
    else
        snprintf(text, size, "%.0f", value);
    return text;
}

static const char *random_value(const struct fecrun_param *param, struct check_random *random,
                                char *text, size_t size)
{
    static const char *const strings[] = {"[\"1\"]", "[\"110\", \"101\"]", "[\"\"]",
                                          "[\"x\"]", "[\"11\", \"1\"]",    "[\"000\"]"};
    static const char *const ints[] = {"[]",
                                       "[1]",
                                       "[5, 7]",
                                       "[91, 121]",
                                       "[-1, 0]",
                                       "[9223372036854775807, 1]",
                                       "[1, 1, 1, 1, 1, 1, 1, 1, 1]"};
    size_t n = 0;

    switch (param->type) {
    case FECRUN_VALUE_INT:
    case FECRUN_VALUE_FLOAT:
        return random_number(param, random, text, size);
    case FECRUN_VALUE_CHOICE:
        while (param->choices[n])
            n++;
        return param->choices[check_random_below(random, n)];
    case FECRUN_VALUE_BOOL:
        return check_random_below(random, 2) ? "true" : "false";
    case FECRUN_VALUE_INTS:
        return ints[check_random_below(random, sizeof ints / sizeof *ints)];
    case FECRUN_VALUE_STRINGS:
        return strings[check_random_below(random, sizeof strings / sizeof *strings)];
    default: /* STRING, PATH, PORT */
        return "/nonexistent/fecrun-check";
    }
}

/* To be freed; NULL without memory. */
static char *random_map(const struct check *check, struct check_random *random)
{
    const struct fecrun_param *const *params = check->stage->stage->params;
    struct check_map map;

    if (!check_map_begin(&map))
        return NULL;
    for (size_t i = 0; params[i]; i++) {
        char text[64];

        if (!(params[i]->flags & FECRUN_PARAM_REQUIRED) && check_random_below(random, 2))
            continue;
        if (params[i]->flags & FECRUN_PARAM_MAY_AUTO && !check_random_below(random, 3))
            check_map_put(&map, params[i]->name, "auto");
        else
            check_map_put(&map, params[i]->name,
                          random_value(params[i], random, text, sizeof text));
    }
    return check_map_end(&map);
}

static void random_frame(struct fecrun_frame *frame, uint32_t kinds, struct check_random *random)
{
    static const uint64_t items[] = {
        1, 2, 3, 7, 8, 24, 64, 100, 257, 1000, 4095, 65536, (uint64_t)1 << 20, (uint64_t)1 << 34};
    static const uint32_t types[] = {FECRUN_U8,  FECRUN_PACKED, FECRUN_F32, FECRUN_F16,
                                     FECRUN_I16, FECRUN_I8,     FECRUN_I4,  FECRUN_C8};
    static const char *const schemes[] = {"",      "bpsk",    "qpsk",   "16qam",
                                          "64qam", "4096qam", "16apsk", "no scheme at all"};
    static const double maxima[] = {0, 0.3, 1, 7, 127, 1e9};

    do
        frame->type = types[check_random_below(random, sizeof types / sizeof *types)];
    while (!(fecrun_type_kinds(frame->type) & kinds));
    frame->size = sizeof *frame;
    kinds &= fecrun_type_kinds(frame->type);
    frame->kind = kinds & -kinds; /* one of them */
    frame->items = items[check_random_below(random, sizeof items / sizeof *items)];
    frame->stream = (uint32_t)check_random_below(random, 2);
    snprintf(frame->scheme, sizeof frame->scheme, "%s", schemes[check_random_below(random, 8)]);
    frame->symbol_dimensions = (uint32_t)check_random_below(random, 4);
    frame->llr_max = maxima[check_random_below(random, 6)];
    frame->llr_scale = check_random_below(random, 2) ? 4 : 0;
    frame->n0 = check_random_below(random, 2) ? check_random_unit(random) : 0;
    frame->info_bits = check_random_below(random, 2) ? frame->items : 0;
    frame->channel_bits = check_random_below(random, 2) ? frame->items : 0;
    frame->bits_per_symbol = (uint32_t)check_random_below(random, 9);
}

static void random_frames(struct check_variant *v, const struct fecrun_stage *stage, bool link,
                          struct check_random *random)
{
    memset(v, 0, sizeof *v);
    for (; stage->inputs[v->n_in]; v->n_in++) {
        v->linked[v->n_in] = !(stage->inputs[v->n_in]->flags & FECRUN_PORT_OPTIONAL) || link;
        random_frame(&v->in[v->n_in], stage->inputs[v->n_in]->kinds, random);
    }
    while (stage->outputs[v->n_out])
        v->n_out++;
}

/* Contradictory parameters and odd frames: refused with a text, or taken; never a crash. */
void check_plan_fuzz(const struct check *check)
{
    const struct fecrun_stage *stage = check->stage->stage;
    struct check_random random = check_random_for(check->options->seed, stage->name, 99);
    double end = check_clock() + 2;

    for (int i = 0; i < FUZZ && check_clock() < end && (!i || check_budget_allows(0)); i++) {
        char *text = random_map(check, &random);
        struct check_variant v;
        struct check_point point;
        struct fecrun_error err;
        struct diag diag = {0};

        random_frames(&v, stage, i % 2, &random);
        if (text && check_point_read(&point, check->stage, text, "fuzz", &diag)) {
            check_now(check->report, "plan() with %s, input 0 of %llu items", text,
                      (unsigned long long)v.in[0].items);
            if (!check_plan(check, &point, &v, &err))
                check_plan_free(stage, v.plan.code);
            check_point_clear(&point);
        }
        free(text);
    }
}
