/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Instances of several code objects in one process, used by turns: each decodes with its own
 * parameters. What is expected comes from a process of its own, as a plugin that keeps the first code
 * object gives the same wrong result here each time; on a device, where starting one takes long, from
 * an instance that is alone.
 */
#include "tools/check/turns.h"

#include "tools/check/check_impl.h"

#include <stdio.h>
#include <string.h>

enum { FRAMES = 4, ROUNDS = 2 };

struct turn {
    const struct check_variant *variant;
    struct check_input input;
    struct check_call call;
    struct check_result expected;
    struct check_instance instance;
};

struct turns {
    const struct check *check;
    struct turn turn[CHECK_TURNS_MOST];
    size_t n;
};

static bool fail(const struct turns *turns, size_t i, const char *what, const char *why)
{
    const struct check_variant *v = turns->turn[i].variant;
    char frames[160];

    return check_fail(turns->check->report, CHECK_TURNS, "%.200s with %s, besides %.200s%s: %s: %s",
                      v->point->text, check_variant_text(v, frames, sizeof frames),
                      turns->turn[!i].variant->point->text, turns->n > 2 ? " and another one" : "",
                      what, why);
}

/* ---- Which ones? ---- */

static bool usable(const struct check *check, const struct check_variant *v)
{
    const struct fecrun_form *form = check_first_form(v, check->backend->backend);
    struct fecrun_error err;

    return form && !(v->flags & FECRUN_STAGE_ORDERED) &&
           !check_takes(check, check->backend->backend, v, form, &err);
}

/* How much do they differ? 3: parameters and sizes, so surely the code objects do; 0: nothing. */
static unsigned difference(const struct check_variant *a, const struct check_variant *b)
{
    const bool point = a->point != b->point;
    const bool in = a->n_in && a->in[0].items != b->in[0].items;
    const bool out = a->n_out && a->out[0].items != b->out[0].items;

    /* as much goes in, and more comes out: of another rate */
    return !in && !out ? point : 1 + point + (out && !in);
}

static const struct check_variant *most_different(const struct turns *turns,
                                                  const struct check_variants *variants)
{
    const struct check_variant *best = NULL;
    unsigned most = 0;

    for (size_t i = 0; i < variants->n; i++) {
        unsigned least = usable(turns->check, &variants->variant[i]) ? 9 : 0;

        for (size_t k = 0; k < turns->n; k++) {
            const unsigned d = difference(turns->turn[k].variant, &variants->variant[i]);

            least = d < least ? d : least;
        }
        if (least > most) {
            most = least;
            best = &variants->variant[i];
        }
    }
    return best;
}

/* ---- What each gives by itself ---- */

static int run_alone(struct turns *turns, struct turn *t, struct check_fresh *fresh,
                     struct fecrun_error *err)
{
    const struct check *check = turns->check;
    const struct fecrun_form *form = check_first_form(t->variant, check->backend->backend);
    int status;

    if (fresh)
        return check_fresh_run(fresh, t->variant, form, &t->input, &t->call, &t->expected, err);
    status = check_instance_open(&t->instance, check, check->stage, check->backend, t->variant,
                                 form, NULL, t->call.frames, err);
    if (!status) {
        status = check_run(&t->instance, &t->input, &t->call, &t->expected, err);
        check_instance_close(&t->instance);
    }
    return status;
}

/* False: it cannot be used. */
static bool open_turn(struct turns *turns, const struct check_variant *v, struct check_fresh *fresh,
                      struct check_random *random)
{
    struct turn *t = &turns->turn[turns->n];
    struct fecrun_error err;

    *t = (struct turn){.variant = v};
    if (check_input_make(&t->input, turns->check, v,
                         check_input_fits(v, CHECK_MIXED) ? CHECK_MIXED : CHECK_RANDOM, FRAMES,
                         random))
        return false;
    t->call = check_call_for(v, &t->input, FRAMES);
    if (!run_alone(turns, t, fresh, &err))
        return true;
    check_note(turns->check->report, "code objects by turns: %.200s: %s", v->point->text, err.text);
    check_result_free(&t->expected);
    check_input_free(&t->input);
    return false;
}

/* ---- By turns ---- */

static bool open_instances(struct turns *turns)
{
    const struct check *check = turns->check;
    struct fecrun_error err;

    for (size_t i = 0; i < turns->n; i++) {
        struct turn *t = &turns->turn[i];
        const struct fecrun_form *form = check_first_form(t->variant, check->backend->backend);

        if (check_instance_open(&t->instance, check, check->stage, check->backend, t->variant, form,
                                NULL, t->call.frames, &err))
            return fail(turns, i, "create()", err.text);
    }
    return true;
}

static bool run_turn(struct turns *turns, size_t i)
{
    struct turn *t = &turns->turn[i];
    struct check_result result;
    struct fecrun_error err;
    char text[400];
    bool good;

    if (check_run(&t->instance, &t->input, &t->call, &result, &err))
        good = fail(turns, i, "run()", err.text);
    else if (!check_identical(&t->expected, &result, text, sizeof text))
        good = fail(
            turns, i,
            "alone in a process, and by turns with instances of other parameters in one, it "
            "gives something else",
            text);
    else
        good = true;
    check_result_free(&result);
    return good;
}

static void run_rounds(struct turns *turns)
{
    bool good = open_instances(turns);

    for (size_t k = 0; k < ROUNDS * turns->n && good; k++)
        good = run_turn(turns, k % turns->n);
    if (good)
        check_pass(turns->check->report, CHECK_TURNS);
}

static void close_all(struct turns *turns)
{
    for (size_t i = 0; i < turns->n; i++) {
        if (turns->turn[i].instance.backend)
            check_instance_close(&turns->turn[i].instance);
        check_result_free(&turns->turn[i].expected);
        check_input_free(&turns->turn[i].input);
    }
}

void check_turns(const struct check *check, const struct check_variants *variants,
                 struct check_fresh *fresh, struct check_random *random)
{
    struct turns turns = {.check = check};

    check_now(check->report, "code objects of different parameters by turns");
    for (size_t tries = 0; tries < CHECK_TURNS_MOST; tries++) {
        const struct check_variant *v = most_different(&turns, variants);

        if (!v)
            break;
        if (turns.n && !check_budget_allows(0)) {
            check_left_out(check->report, "code objects by turns");
            break;
        }
        check_now(check->report, "code objects by turns: %s", v->point->text);
        if (!open_turn(&turns, v, fresh ? &fresh[tries] : NULL, random))
            break;
        turns.n++;
    }
    if (turns.n > 1)
        run_rounds(&turns);
    else if (variants->n && turns.n && usable(check, &variants->variant[0]) &&
             check_budget_allows(0))
        check_untested(check->report,
                       "two code objects in one process: plan() took only %.200s, with frames of "
                       "one size (give an example with others)",
                       turns.turn[0].variant->point->text);
    close_all(&turns);
}
