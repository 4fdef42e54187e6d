/* SPDX-License-Identifier: BSD-2-Clause */
/* A batch of clean, slightly wrong and hopelessly wrong words: each as if it were alone. */
#include "tools/check/check.h"

#include "tools/check/check_impl.h"

#include <stdio.h>
#include <string.h>

enum {
    FEW = 13, /* each kind of frame behind each */
    MANY = 67 /* more than a vector has lanes */
};

/* ---- One frame of a result ---- */

/* A view of frame f; nothing of it is freed. */
static struct check_result one_of(const struct check_result *all, uint64_t f)
{
    struct check_result one = *all;

    one.frames = 1;
    for (unsigned p = 0; p < one.n_out; p++)
        if (one.out[p].data)
            one.out[p].data += f * one.out[p].pieces * one.out[p].stride;
    one.info += f * one.infos;
    return one;
}

/* ---- The batch, and each frame alone ---- */

struct mixed {
    const struct check *check;
    const struct check_variant *variant;
    struct check_instance instance;
    struct check_input input;
    struct check_call call;
    struct check_result batch;
};

static bool fail(const struct mixed *m, unsigned group, const char *what, const char *why)
{
    char frames[160];

    return check_fail(m->check->report, group,
                      "%.300s, %s, a batch of %llu clean, slightly and hopelessly wrong words: %s: "
                      "%s",
                      m->variant->point->text,
                      check_variant_text(m->variant, frames, sizeof frames),
                      (unsigned long long)m->call.frames, what, why);
}

/* The first flag that only one of both has, in words; "" if there is none. */
static const char *flag_text(uint32_t batch, uint32_t alone)
{
    if ((batch ^ alone) & FECRUN_FRAME_FAILED)
        return batch & FECRUN_FRAME_FAILED ? "; it is marked FECRUN_FRAME_FAILED in the batch only"
                                           : "; it is marked FECRUN_FRAME_FAILED alone only";
    if ((batch ^ alone) & FECRUN_FRAME_CHECKED)
        return "; it got a verdict (FECRUN_FRAME_CHECKED) once only";
    return "";
}

/* Frame f: what differs goes to text, else that stays. */
static void compare(const struct mixed *m, uint64_t f, const struct check_result *alone, char *text,
                    size_t size)
{
    const struct check_result one = one_of(&m->batch, f);
    const uint64_t number = m->call.first + f;
    char why[300];

    if (check_identical(&one, alone, why, sizeof why))
        return;
    snprintf(text, size,
             "number %llu, %s, after one that is %s, differs from what it gives alone%s (%s)",
             (unsigned long long)f, check_mix_name(number),
             f ? check_mix_name(number - 1) : "not there",
             flag_text(one.info[0].flags, alone->info[0].flags), why);
}

/* From the last frame back, so that no frame has the same ones in front of it as in the batch. The
   first one that differs is told. */
static void run_alone(struct mixed *m)
{
    char text[600] = "";

    for (uint64_t f = m->call.frames; f--;) {
        struct check_call call = m->call;
        struct check_result alone;
        struct fecrun_error err;
        bool ran;

        if (f + 1 < m->call.frames && !check_budget_allows(0)) {
            check_left_out(m->check->report, "all frames of mixed batches");
            break;
        }
        call.first += f;
        call.frames = 1;
        ran = !check_run(&m->instance, &m->input, &call, &alone, &err);
        if (ran)
            compare(m, f, &alone, text, sizeof text);
        else
            fail(m, CHECK_CALLS, "run() of one of them", err.text);
        check_result_free(&alone);
        if (!ran)
            return;
    }
    if (text[0])
        fail(m, CHECK_ALONE, "a frame depends on the others", text);
    else
        check_pass(m->check->report, CHECK_ALONE);
}

static void run_batch(struct mixed *m, const struct fecrun_form *form)
{
    struct fecrun_error err;

    if (check_instance_open(&m->instance, m->check, m->check->stage, m->check->backend, m->variant,
                            form, NULL, m->call.frames, &err))
        return;
    if (check_run(&m->instance, &m->input, &m->call, &m->batch, &err))
        fail(m, CHECK_CALLS, "run()", err.text);
    else
        run_alone(m);
    check_result_free(&m->batch);
    check_instance_close(&m->instance);
}

void check_mixed(const struct check *check, struct check_variant *variant,
                 const struct fecrun_form *form, struct check_random *random)
{
    struct mixed m = {.check = check, .variant = variant};
    /* on a device each call takes its time */
    const bool quick = !check->backend->provider && 2 * MANY * variant->cost < 0.1;
    const uint64_t frames = quick ? MANY : FEW;

    if (!check_input_fits(variant, CHECK_MIXED) || variant->flags & FECRUN_STAGE_ORDERED)
        return;
    check_now(check->report, "a batch of clean and wrong words, %s", variant->point->text);
    if (check_input_make(&m.input, check, variant, CHECK_MIXED, frames, random))
        return;
    m.call = check_call_for(variant, &m.input, frames);
    run_batch(&m, form);
    check_input_free(&m.input);
}
