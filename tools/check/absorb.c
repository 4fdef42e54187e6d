/* SPDX-License-Identifier: BSD-2-Clause */
/* Backends that do upstream stages' work, too: they give what these stages' references and their own
   give one after the other. */
#include "tools/check/check.h"

#include "tools/check/check_impl.h"
#include <fecrun/sdk/params.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FRAMES = 17, MAX_TRIALS = 60, MAX_SOURCES = 40 };

/* Stages from the first absorbed one ([0]) to the backend's own ([n - 1]), with matching frames. */
struct chain {
    struct check check[CHECK_MAX_ABSORBED + 1]; /* as each stage sees it */
    struct check_variant variant[CHECK_MAX_ABSORBED + 1];
    size_t n;
};

struct absorbing {
    const struct check *check;
    const struct check_variants *own; /* of the backend's stage: where points come from */
    struct check_points points[CHECK_MAX_ABSORBED]; /* of absorbs[i] */
    size_t depth;
    unsigned trials, runs;
};

static bool fail(const struct absorbing *a, const struct chain *chain, const char *what,
                 const char *why)
{
    char text[600] = "", frames[160];

    for (size_t i = 0; i < chain->n; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s %s", i ? ", " : "",
                 chain->check[i].stage->stage->name, chain->variant[i].point->text);
    return check_fail(a->check->report, CHECK_ABSORB, "%s; %s: %s: %s", text,
                      check_variant_text(&chain->variant[0], frames, sizeof frames), what, why);
}

/* ---- The stages one after the other ---- */

static bool run_reference(const struct chain *chain, size_t i, const struct check_input *input,
                          const struct check_call *call, struct check_result *result)
{
    const struct check *check = &chain->check[i];
    const struct fecrun_form *form = check_first_form(&chain->variant[i],
                                                      check->stage->backends[0].backend);
    struct check_instance instance;
    struct fecrun_error err;
    int status;

    memset(result, 0, sizeof *result);
    if (!form || check_instance_open(&instance, check, check->stage, &check->stage->backends[0],
                                     &chain->variant[i], form, NULL, call->frames, &err))
        return false;
    status = check_run(&instance, input, call, result, &err);
    check_instance_close(&instance);
    return !status;
}

static uint64_t now_pieces(const struct chain *chain, size_t i)
{
    return chain->variant[i].in[0].pieces;
}

/* All frames go through the absorbed stages, those that count and those round them. */
static bool run_chain(const struct chain *chain, const struct check_input *input,
                      const struct check_call *call, struct check_result *result)
{
    struct check_call all = *call, last = *call;
    struct check_input next = *input;
    bool good = true;

    all.first = 0;
    all.frames = input->port[0].frames;
    memset(result, 0, sizeof *result);
    for (size_t i = 0; i < chain->n && good; i++) {
        struct check_result now;
        last.infos = all.infos = result->infos == now_pieces(chain, i) ? result->info : NULL;
        all.rng = check_absorbed_rng(call->rng, (uint32_t)i);
        good = run_reference(chain, i, &next, i + 1 < chain->n ? &all : &last, &now);
        check_result_free(result);
        *result = now;
        next = (struct check_input){.port = {now.out[0]}};
    }
    return good;
}

/* ---- All in one ---- */

/* The backend's own frames behind the first stage's input. */
static void join(const struct chain *chain, struct check_variant *joined,
                 struct check_absorbed *absorbed)
{
    const struct check_variant *last = &chain->variant[chain->n - 1], *first = &chain->variant[0];
    uint64_t own = last->in[0].items, items = first->in[0].items;

    *joined = *last;
    joined->in[0] = first->in[0];
    joined->plan.before = (last->plan.before * items + own - 1) / own;
    joined->plan.after = (last->plan.after * items + own - 1) / own;
    joined->absorbed = absorbed;
    absorbed->n = (uint32_t)chain->n - 1;
    for (size_t i = 0; i + 1 < chain->n; i++) {
        absorbed->names[i] = chain->check[i].stage->stage->name;
        absorbed->code[i] = chain->variant[i].plan.code;
        absorbed->codes[i] = &absorbed->code[i];
    }
}

static void try_form(struct absorbing *a, const struct chain *chain,
                     const struct check_variant *joined, const struct fecrun_form *form,
                     const struct check_input *input, const struct check_call *call,
                     const struct check_result *ref)
{
    struct check_instance instance;
    struct check_result result;
    struct fecrun_error err;
    char text[400];

    if (check_instance_open(&instance, a->check, a->check->stage, a->check->backend, joined, form,
                            NULL, call->frames, &err)) {
        check_note(a->check->report, "absorbing was declined: %s", err.text);
        return;
    }
    a->runs++;
    if (check_run(&instance, input, call, &result, &err))
        fail(a, chain, "run()", err.text);
    else if (result.broken[0])
        fail(a, chain, "memory", result.broken);
    else if (!check_valid(&result, joined, false, text, sizeof text))
        fail(a, chain, "not valid, or not written", text);
    else if (!check_same(ref, &result, 0, true, text, sizeof text))
        fail(a, chain, "the references one after the other, and this", text);
    else
        check_pass(a->check->report, CHECK_ABSORB);
    check_result_free(&result);
    check_instance_close(&instance);
}

static void try_chain(struct absorbing *a, const struct chain *chain, struct check_random *random)
{
    const struct fecrun_form *const *forms = a->check->backend->backend->forms;
    struct check_absorbed absorbed;
    struct check_variant joined;
    struct check_input input;
    struct check_result ref;
    struct check_call call;
    uint64_t frames = 1 + a->trials % MOST_FRAMES;

    join(chain, &joined, &absorbed);
    check_now(a->check->report, "absorbing %s %s before %s", absorbed.names[0],
              chain->variant[0].point->text, joined.point->text);
    if (check_input_make(&input, a->check, &joined, CHECK_RANDOM, frames, random))
        return;
    call = check_call_for(&joined, &input, frames);
    if (joined.in[0].stream && a->trials % 3 == 1)
        call.first = 0;
    else
        call.first_frame = 1000;
    a->trials++;
    if (run_chain(chain, &input, &call, &ref))
        for (size_t f = 0; forms[f] && (!f || check_budget_allows(0)); f++)
            if (check_form_fits(&joined, forms[f]))
                try_form(a, chain, &joined, forms[f], &input, &call, &ref);
    check_result_free(&ref);
    check_input_free(&input);
}

/* ---- Which chains there are ---- */

/* The frames of the stage before into this one's plan(). */
static bool follow(struct chain *chain, const struct check *check, const struct check_point *point)
{
    struct check_variant *v = &chain->variant[chain->n];
    const struct check_variant *before = &chain->variant[chain->n - 1];
    struct fecrun_error err;

    memset(v, 0, sizeof *v);
    while (check->stage->stage->inputs[v->n_in])
        v->n_in++;
    while (check->stage->stage->outputs[v->n_out])
        v->n_out++;
    v->in[0] = before->out[0];
    v->linked[0] = true;
    for (unsigned p = 1; p < v->n_in; p++)
        if (!(check->stage->stage->inputs[p]->flags & FECRUN_PORT_OPTIONAL))
            return false;
    if (check_plan(check, point, v, &err))
        return false;
    chain->check[chain->n++] = *check;
    return true;
}

static bool time_is_up(const struct absorbing *a)
{
    return a->trials >= MAX_TRIALS || !check_budget_allows(0);
}

static void last_stage(struct absorbing *a, struct chain *chain, struct check_random *random)
{
    const struct check_point *tried = NULL;

    for (size_t i = 0; i < a->own->n && !time_is_up(a); i++) {
        /* spread over the points, each with many others in front of it */
        const struct check_variant *own = &a->own->variant[(i + 7 * a->trials) % a->own->n];
        if (own->point == tried || own->cost > 0.02 || !follow(chain, a->check, own->point))
            continue;
        tried = own->point;
        try_chain(a, chain, random);
        chain->n--;
        check_plan_free(a->check->stage->stage, chain->variant[chain->n].plan.code);
        if (a->trials % 3 == 0)
            return; /* the next one in front */
    }
}

/* Stages absorbs[nearest - 1], ..., absorbs[0], then the backend's own. */
static void next_stage(struct absorbing *a, struct chain *chain, size_t nearest,
                       struct check_random *random)
{
    struct check own = chain->check[0];

    if (!nearest) {
        last_stage(a, chain, random);
        return;
    }
    own.stage = registry_find(a->check->registry, a->check->backend->backend->absorbs[nearest - 1]);
    own.backend = &own.stage->backends[0];
    for (size_t i = 0; i < a->points[nearest - 1].n && !time_is_up(a); i++) {
        if (!follow(chain, &own, &a->points[nearest - 1].point[i]))
            continue;
        next_stage(a, chain, nearest - 1, random);
        chain->n--;
        check_plan_free(own.stage->stage, chain->variant[chain->n].plan.code);
    }
}

/* Integers. Real values and symbols only where they, too, must give the reference's bytes: else
   they would be judged by a bound or by frames, as the backend's own trials are. The chain goes through port 0
   alone. */
static bool suitable(const struct absorbing *a, const struct check_variant *v)
{
    bool integer = v->in[0].type == FECRUN_I8 || v->in[0].type == FECRUN_I4 ||
                   v->in[0].type == FECRUN_U8 || v->in[0].type == FECRUN_I16;

    for (unsigned p = 1; p < v->n_in; p++)
        if (v->linked[p])
            return false;
    return (integer || !(a->check->backend->backend->bound > 0)) &&
           !(v->flags & (FECRUN_STAGE_ORDERED | FECRUN_STAGE_RANDOM)) && v->n_in >= 1;
}

static void try_depth(struct absorbing *a, size_t depth, struct check_random *random)
{
    struct check far = *a->check;
    struct check_variants variants;

    far.stage = registry_find(a->check->registry, a->check->backend->backend->absorbs[depth - 1]);
    far.backend = &far.stage->backends[0];
    check_variants_make(&variants, &far, &a->points[depth - 1]);
    a->trials = 0;
    for (size_t i = 0; i < variants.n && !time_is_up(a); i++) {
        struct chain chain = {.n = 1};
        if (!suitable(a, &variants.variant[i]))
            continue;
        chain.check[0] = far;
        chain.variant[0] = variants.variant[i];
        next_stage(a, &chain, depth - 1, random);
    }
    check_variants_free(&variants, &far);
}

/* Stages of the same plugin only, as in options.c. */
static bool list_points(struct absorbing *a)
{
    const char *const *absorbs = a->check->backend->backend->absorbs;

    for (; a->depth < CHECK_MAX_ABSORBED && absorbs[a->depth]; a->depth++) {
        struct check own = *a->check;
        struct diag diag = {0};
        own.stage = registry_find(a->check->registry, absorbs[a->depth]);
        if (!own.stage || own.stage->plugin != a->check->stage->plugin)
            return check_fail(a->check->report, CHECK_ABSORB,
                              "absorbs %s, which is no stage of "
                              "this plugin",
                              absorbs[a->depth]);
        own.backend = &own.stage->backends[0];
        if (check_points_make(&a->points[a->depth], &own, &diag))
            return check_fail(a->check->report, CHECK_ABSORB, "%s", diag.text);
    }
    return true;
}

void check_absorb(const struct check *check, const struct check_variants *variants,
                  struct check_random *random)
{
    struct absorbing a = {.check = check, .own = variants};

    if (!check->backend->backend->absorbs || !variants->n ||
        check->backend->backend->agreement != FECRUN_AGREEMENT_EXACT)
        return;
    if (list_points(&a))
        for (size_t depth = 1; depth <= a.depth; depth++)
            try_depth(&a, depth, random);
    if (!check_budget_allows(0))
        check_left_out(check->report, "all that it absorbs");
    else if (a.depth && !a.runs)
        check_fail(check->report, CHECK_ABSORB, "it absorbs %s, but create() took no case of it",
                   check->backend->backend->absorbs[0]);
    for (size_t i = 0; i < a.depth; i++)
        check_points_free(&a.points[i]);
}
