/* SPDX-License-Identifier: BSD-2-Clause */
/* Decodes code words of the stage's own encoder, and compares the information bits. */
#include "tools/check/trial.h"

#include "tools/check/check_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FEW_CHECK_BITS = 64, /* a code with more of them is there to correct something */
    OPEN_END = 64,
};

/* Information bits of a frame that did not come back, and the first of them. */
struct wrong {
    uint64_t bits, first;
};

static struct wrong compare(const struct trial *t, const struct check_result *result,
                            uint64_t frame)
{
    const struct check_input *input = t->input;
    const uint8_t *truth = input->truth + (t->call.first + frame) * input->truth_items;
    uint8_t *bits = check_widen(&result->out[0], frame);
    struct wrong wrong = {0, 0};

    for (uint64_t i = 0; bits && i < input->truth_items; i++)
        if (bits[i] != truth[i] && !wrong.bits++)
            wrong.first = i;
    free(bits);
    return wrong;
}

/* Does the stream end before the items that the stage reads ahead of the first wrong one? */
static bool lacks_items(const struct trial *t, uint64_t frame, const struct wrong *wrong)
{
    const struct check_signal *in = &t->input->port[0];
    const uint64_t left = (in->frames - t->call.first - frame) * in->items;

    return left - wrong->first * in->items / t->input->truth_items <= t->variant->plan.after;
}

/* Nobody may know the last bits of a code word that just ends. */
static bool is_open_end(const struct trial *t, uint64_t frame, const struct wrong *wrong)
{
    return (wrong->first + OPEN_END >= t->input->truth_items &&
            8 * wrong->bits <= t->input->truth_items) ||
           lacks_items(t, frame, wrong);
}

bool truth_is_apt(const struct trial *t)
{
    return t->work->check->backend->backend->agreement == FECRUN_AGREEMENT_EXACT ||
           check_point_meant(t->variant->point);
}

static void fail_coded(const struct trial *t, uint64_t frame, uint64_t wrong, const char *more,
                       const char *what)
{
    char text[200];

    snprintf(text, sizeof text, "frame %llu: %llu of %llu information bits are wrong%s",
             (unsigned long long)frame, (unsigned long long)wrong,
             (unsigned long long)t->input->truth_items, more);
    trial_fail(t, CHECK_TRUTH, what, text);
}

/* Are most of the frames marked that came out right? Then a CRC is wanted that is not in them, and the
   decoder may have found another word that has it. */
static bool wants_more(const struct trial *t, const struct check_result *result)
{
    uint64_t right = 0, marked = 0;

    for (uint64_t f = 0; f < result->frames; f++) {
        const bool good = !compare(t, result, f).bits;

        right += good;
        marked += good && result->info[f].flags & FECRUN_FRAME_FAILED;
    }
    return 2 * marked > right;
}

/*
 * decode(encode(x)) is x, and no failure: of the first point always, unless the user gave it. Of other
 * examples and of --case a frame may be marked (they may want a CRC that is not in it) and its end may
 * be open, of other parameters it may even be wrong (they may leave no time): those are judged all
 * together.
 */
static void judge_coded(const struct trial *t, const struct check_result *result)
{
    struct check_coded *coded = &t->work->coded;
    const struct check_point *point = t->variant->point;
    const bool given = !strcmp(point->origin, "--case");
    const bool first = !given && point == t->work->variants.variant[0].point;
    const bool lenient = !first && wants_more(t, result);

    for (uint64_t f = 0; f < result->frames; f++) {
        struct wrong wrong = compare(t, result, f);
        bool marked = result->info[f].flags & ~t->call.info.flags & FECRUN_FRAME_FAILED;

        coded->frames++;
        coded->marked += marked;
        coded->given += given && marked && !wrong.bits;
        coded->wrong += wrong.bits > 0;
        if ((wrong.bits && !lenient && check_point_meant(point) &&
             (first || !is_open_end(t, f, &wrong))) ||
            (marked && first)) {
            fail_coded(t, f, wrong.bits, marked ? "; it is marked FECRUN_FRAME_FAILED" : "",
                       "decode(encode(x)) is not x");
            return;
        }
    }
    check_pass(t->work->check->report, CHECK_TRUTH);
}

/* What the example says that is corrected comes out right, and is not marked. */
static void judge_limit(const struct trial *t, const struct check_result *result)
{
    const struct check_wish *wish = &t->variant->point->wish;
    char what[160];

    for (uint64_t f = 0; f < result->frames; f++) {
        struct wrong wrong = compare(t, result, f);
        bool marked = result->info[f].flags & ~t->call.info.flags & FECRUN_FRAME_FAILED;

        if (!wrong.bits && !marked)
            continue;
        snprintf(what, sizeof what,
                 "its example says that it corrects %llu wrong symbols (of %llu items), but of so "
                 "many it does not",
                 (unsigned long long)wish->corrects,
                 (unsigned long long)(wish->symbol_items ? wish->symbol_items : 1));
        fail_coded(t, f, wrong.bits, marked ? "; it is marked FECRUN_FRAME_FAILED" : "", what);
        return;
    }
    check_pass(t->work->check->report, CHECK_TRUTH);
}

/* Nothing is learned from a decoder that the weak bits alone are too weak for. */
static void judge_sure(const struct trial *t, const struct check_result *result)
{
    if (!compare(t, result, 0).bits &&
        !(result->info[0].flags & ~t->call.info.flags & FECRUN_FRAME_FAILED))
        judge_coded(t, result);
}

static void count_single(const struct trial *t, const struct check_result *result)
{
    const uint64_t code = t->variant->in[0].items, info = t->input->truth_items;
    const bool strong = code > info + FEW_CHECK_BITS;
    struct check_single *single = strong ? &t->work->strong : &t->work->weak;

    for (uint64_t f = 0; f < result->frames && code > info; f++) {
        struct wrong wrong;

        if (check_wrong_bits(t->call.first + f) != 1)
            continue;
        wrong = compare(t, result, f);
        single->frames++;
        single->expected += (double)info / (double)code;
        if (strong)
            single->wrong += wrong.bits;
        else
            single->wrong += wrong.bits && !(result->info[f].flags & FECRUN_FRAME_FAILED);
    }
}

void truth_judge(const struct trial *t, const struct check_result *result)
{
    const struct check *check = t->work->check;

    if (!t->input->truth || !result->n_out || t->input->truth_items != result->out[0].items ||
        fecrun_type_kind(result->out[0].type) != FECRUN_KIND_BITS)
        return;
    if (t->job->pattern == CHECK_CODED && truth_is_apt(t))
        judge_coded(t, result);
    if (t->job->pattern == CHECK_LIMIT && truth_is_apt(t))
        judge_limit(t, result);
    if (t->job->pattern == CHECK_SURE && truth_is_apt(t))
        judge_sure(t, result);
    if (t->job->pattern == CHECK_ERRORS && check->backend == &check->stage->backends[0])
        count_single(t, result);
}

/* A few codes may be too weak to correct one bit, or parameters leave them no time: all together. */
static void judge_single(const struct work *work, const struct check_single *single,
                         const char *what)
{
    if (single->expected < 3)
        return;
    if ((double)single->wrong < single->expected / 2)
        check_pass(work->check->report, CHECK_TRUTH);
    else
        check_fail(work->check->report, CHECK_TRUTH,
                   "%s: %llu code words with one wrong bit came in, %llu %s; "
                   "a decoder that does nothing leaves %.0f",
                   what, (unsigned long long)single->frames, (unsigned long long)single->wrong,
                   single == &work->strong ? "wrong information bits came out"
                                           : "came out wrong and were not marked",
                   single->expected);
}

void truth_finish(const struct work *work)
{
    const struct check_coded *coded = &work->coded;
    /* those that want a CRC might be all that there was time for */
    const bool all = !work->left_out && !work->variants.untried;

    if (coded->given)
        check_untested(work->check->report,
                       "verdicts of --case: %llu words came out right and are marked: a CRC may be "
                       "wanted that is not in them",
                       (unsigned long long)coded->given);
    if (2 * coded->wrong > coded->frames ||
        (all && 2 * (coded->marked - coded->given) > coded->frames))
        check_fail(work->check->report, CHECK_TRUTH,
                   "decode(encode(x)): of %llu frames %llu came out wrong, %llu marked "
                   "FECRUN_FRAME_FAILED",
                   (unsigned long long)coded->frames, (unsigned long long)coded->wrong,
                   (unsigned long long)coded->marked);
    judge_single(work, &work->strong, "it corrects nothing");
    judge_single(work, &work->weak, "it neither corrects nor tells");
}
