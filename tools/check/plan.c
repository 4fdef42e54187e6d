/* SPDX-License-Identifier: BSD-2-Clause */
/* plan(): called with guarded structs, twice. */
#include "tools/check/check.h"

#include "tools/check/check_impl.h"

#include <fecrun/sdk/facts.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ZONE = 64, PATTERN = 0x96 };

#define MOST_MARGIN ((uint64_t)1 << 32) /* items: far beyond any decoder's */

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
    struct fecrun_sim_plan sim;
    uint8_t zone5[ZONE];
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
    memset(&area->sim, 0, sizeof area->sim);
    area->plan.size = sizeof area->plan;
    area->plan.sim = &area->sim;
    area->sim.size = sizeof area->sim;
    area->err.size = sizeof area->err;
}

/* What is wrong with the call itself, or NULL. */
static const char *broken(const struct area *area, const struct check_variant *v, int status)
{
    if (!zone_intact(area->zone0) || !zone_intact(area->zone1) || !zone_intact(area->zone2) ||
        !zone_intact(area->zone3) || !zone_intact(area->zone4) || !zone_intact(area->zone5) ||
        area->plan.sim != &area->sim)
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
    if (!status && (!memchr(area->plan.identity, 0, sizeof area->plan.identity) ||
                    !memchr(area->plan.warning, 0, sizeof area->plan.warning)))
        return "plan() left an identity or a warning without its end";
    return NULL;
}

static int call_plan(const struct check *check, const struct check_point *point,
                     const struct check_variant *v, struct area *area, const char **problem)
{
    const struct fecrun_frame *in[FECRUN_MAX_PORTS] = {NULL};
    struct fecrun_frame *out[FECRUN_MAX_PORTS] = {NULL};
    bool locked;
    int status;

    fill_area(area, v);
    for (unsigned p = 0; p < v->n_in; p++)
        in[p] = v->linked[p] ? &area->in[p] : NULL;
    for (unsigned p = 0; p < v->n_out; p++)
        out[p] = &area->out[p];
    locked = check_heap_lock(false);
    check_heap_plan(true);
    status = check->stage->stage->plan(check->host, param_values(point->set), in, out, &area->plan,
                                       &area->err);
    check_heap_plan(false);
    check_heap_lock(locked);
    *problem = broken(area, v, status);
    return status;
}

void check_plan_free(const struct fecrun_stage *stage, void *code)
{
    bool locked = check_heap_lock(false);

    if (stage->plan_free)
        stage->plan_free(code);
    check_heap_lock(locked);
}

/* "family.what", and zeros behind it. */
static bool good_key(const char *key, size_t size)
{
    size_t n = strnlen(key, size), family = strcspn(key, ".");

    if (n == size || !family || family + 1 >= n ||
        key[strspn(key, "abcdefghijklmnopqrstuvwxyz0123456789_.")])
        return false;
    while (n < size && !key[n])
        n++;
    return n == size;
}

/* What is wrong with a frame's facts, or NULL. */
static const char *bad_facts(const struct fecrun_frame *frame)
{
    uint32_t max;
    const struct fecrun_fact *facts = fecrun_facts(frame, &max);
    unsigned n = 0;

    while (n < max && facts[n].key[0])
        n++;
    for (unsigned i = n; i < max; i++)
        if (facts[i].key[0])
            return "left a gap between the facts of an output frame";
    for (unsigned i = 0; i < n; i++) {
        if (!good_key(facts[i].key, sizeof facts[i].key) || !isfinite(facts[i].value))
            return "gave an output frame a fact with a bad name or value";
        for (unsigned k = 0; k < i; k++)
            if (!strncmp(facts[i].key, facts[k].key, sizeof facts[i].key))
                return "gave an output frame a fact twice";
    }
    return NULL;
}

/* Facts that nobody knows come out as they went in. */
static bool fact_lost(const struct area *area, const struct check_variant *v)
{
    static const struct fecrun_fact travels = CHECK_FACT;
    const struct fecrun_fact *out = area->out[0].facts;

    if (!v->n_in || !v->n_out || memcmp(&v->in[0].facts[0], &travels, sizeof travels))
        return false;
    for (unsigned i = 0; i < FECRUN_MAX_FACTS; i++)
        if (!memcmp(&out[i], &travels, sizeof travels))
            return false;
    return true;
}

/* A frame that a host would refuse, or NULL. */
static const char *bad_frame(const struct fecrun_frame *frame, const struct fecrun_port *port,
                             bool source)
{
    if (frame->size != sizeof *frame)
        return "changed an output frame's size field";
    if (!(frame->kind & port->kinds) || (frame->kind & (frame->kind - 1)))
        return "gave an output frame of a kind that the port does not have";
    if (!(fecrun_type_kinds(frame->type) & frame->kind))
        return "gave an output frame a type that its kind does not have";
    if (!frame->items || frame->items > ((uint64_t)1 << 40) / fecrun_pieces(frame))
        return "gave an output frame of an impossible number of items";
    if (frame->pieces > 1 && (source || frame->stream))
        return "gave an output frame in pieces, of a source or a stream";
    if (!(frame->n0 >= 0) || !(frame->llr_scale >= 0) || !(frame->llr_max >= 0))
        return "gave an output frame a negative n0, llr_scale or llr_max";
    if (frame->stream > 1)
        return "gave an output frame a stream flag that is neither 0 nor 1";
    return bad_facts(frame);
}

/* What nobody can run, or NULL. */
static const char *bad_plan(const struct check *check, const struct check_variant *v,
                            const struct area *area)
{
    const char *problem = NULL;

    for (unsigned p = 0; p < v->n_out && !problem; p++)
        problem = bad_frame(&area->out[p], check->stage->stage->outputs[p], !v->n_in);
    if (!problem && (area->plan.before > MOST_MARGIN || area->plan.after > MOST_MARGIN))
        problem = "wants an impossible number of items before or after a batch";
    return problem;
}

static bool same_plan(const struct area *a, const struct area *b)
{
    return !memcmp(a->out, b->out, sizeof a->out) && a->plan.before == b->plan.before &&
           a->plan.after == b->plan.after && a->plan.flags == b->plan.flags &&
           !strcmp(a->plan.note, b->plan.note) && !strcmp(a->plan.identity, b->plan.identity) &&
           !strcmp(a->plan.warning, b->plan.warning) && !strcmp(a->err.text, b->err.text) &&
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

/* The stage's own turn: is it the same a second time? */
static const char *repeat_plan(const struct check *check, const struct check_point *point,
                               const struct check_variant *v, const struct area *area, int status)
{
    struct area again;
    const char *problem = NULL;
    int repeated = call_plan(check, point, v, &again, &problem);

    if (!repeated)
        check_plan_free(check->stage->stage, again.plan.code);
    if (repeated != status || !same_plan(area, &again))
        return "plan() is not pure: a second call gives something else";
    if (!status && fact_lost(area, v))
        return "dropped a fact of its input that is none of its own: start from "
               "fecrun_frame_copy()";
    return NULL;
}

int check_plan(const struct check *check, const struct check_point *point, struct check_variant *v,
               struct fecrun_error *err)
{
    struct area area;
    const char *problem, *impossible;
    int status = call_plan(check, point, v, &area, &problem);

    check->report->progress++;
    *err = area.err;
    impossible = status ? NULL : bad_plan(check, v, &area);
    problem = problem ? problem : impossible;
    if (!check->backend) {
        problem = problem ? problem : repeat_plan(check, point, v, &area, status);
        report_plan(check, point, v, problem);
    }
    if (impossible) {
        check_plan_free(check->stage->stage, area.plan.code);
        return fecrun_fail(err, NULL, "plan() %s", impossible);
    }
    if (status)
        return -1;
    memcpy(v->out, area.out, sizeof v->out);
    for (unsigned p = 0; p < v->n_out; p++)
        if (!v->out[p].pieces)
            v->out[p].pieces = v->n_in ? v->in[0].pieces : 1;
    v->plan = area.plan;
    v->plan.sim = NULL; /* it was in the area */
    v->point = point;
    v->flags = check->stage->stage->flags | area.plan.flags;
    return 0;
}
