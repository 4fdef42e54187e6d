/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Does a decoder tell good frames from bad ones?
 *
 * Words with one wrong bit to half of all go in. Where something else comes out than was sent, the
 * frame has to be marked, unless what comes out is as good a guess: its code word differs from what
 * came in in no more places than the one that was sent. So a decoder that finds the nearest word need
 * not mark any. One with a weak check (few bits of CRC) calls some wrong ones good; most of them are
 * too many.
 *
 * LLRs are as sure as their type can say, of wrong bits, too. A decoder whose verdict is how sure it is has no
 * other choice than to believe them. One that calls these good is asked again with LLRs that are in doubt.
 */
#include "tools/check/check.h"

#include "tools/check/check_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 64, FEWEST_WRONG = 8 };

/* How many frames ... */
struct count {
    uint64_t frames;
    uint64_t silent;        /* got no verdict */
    uint64_t right, marked; /* came out right; of them marked */
    uint64_t wrong, told;   /* came out wrong; of them marked */
    uint64_t good, far; /* of them called good; of these with a code word that is farther away */
};

struct words {
    const struct check *check;
    const struct check_variant *variant;
    struct check_input input;
    struct check_result result, sent,
        found; /* the decoder's; code words of what went in, came out */
};

static bool fail(const struct words *w, const char *what)
{
    char frames[160];

    return check_fail(w->check->report, CHECK_VERDICT, "%.400s, %s: %s", w->variant->point->text,
                      check_variant_text(w->variant, frames, sizeof frames), what);
}

/* ---- Distances ---- */

/* Places where a code word is not what came in, an LLR's sign. */
static uint64_t distance(const struct words *w, uint64_t f, const struct check_result *coded)
{
    const struct check_signal *signal = &w->input.port[0];
    uint8_t *in = check_widen(signal, f), *word = check_widen(&coded->out[0], f);
    const bool bits = fecrun_type_kind(signal->type) == FECRUN_KIND_BITS;
    uint64_t n = 0;

    for (uint64_t i = 0; in && word && i < signal->items; i++) {
        float llr = 0;

        if (!bits)
            memcpy(&llr, in + 4 * i, sizeof llr);
        n += (bits ? in[i] != 0 : llr < 0) != (word[i] != 0);
    }
    free(in);
    free(word);
    return n;
}

/* What came out, one bit a byte. */
static bool widen_all(const struct check_result *result, struct check_signal *bits)
{
    *bits = result->out[0];
    bits->type = FECRUN_U8;
    bits->stride = bits->items;
    bits->frames = result->frames;
    bits->data = malloc(bits->frames * bits->stride + 1);
    for (uint64_t f = 0; bits->data && f < bits->frames; f++) {
        uint8_t *row = check_widen(&result->out[0], f);

        if (!row)
            return false;
        memcpy(bits->data + f * bits->stride, row, bits->stride);
        free(row);
    }
    return bits->data;
}

static bool encode_both(struct words *w)
{
    struct check_signal in = {.type = FECRUN_U8,
                              .items = w->input.truth_items,
                              .frames = w->result.frames,
                              .pieces = 1,
                              .stride = w->input.truth_items,
                              .data = w->input.truth};
    struct check_signal out = {0};
    bool good = !check_encode(w->check, w->variant, &in, &w->sent) && widen_all(&w->result, &out) &&
                !check_encode(w->check, w->variant, &out, &w->found);

    free(out.data);
    return good;
}

/* ---- One variant ---- */

static bool is_right(const struct words *w, uint64_t f)
{
    uint8_t *bits = check_widen(&w->result.out[0], f);
    bool right = bits &&
                 !memcmp(bits, w->input.truth + f * w->input.truth_items, w->input.truth_items);

    free(bits);
    return right;
}

static void count_frame(const struct words *w, uint64_t f, struct count *count)
{
    const uint32_t flags = w->result.info[f].flags;
    const bool marked = flags & FECRUN_FRAME_FAILED;

    count->frames++;
    count->silent += !(flags & FECRUN_FRAME_CHECKED);
    if (is_right(w, f)) {
        count->right++;
        count->marked += marked;
        return;
    }
    count->wrong++;
    count->told += marked;
    if (!(flags & FECRUN_FRAME_CHECKED) || marked)
        return;
    count->good++;
    count->far += distance(w, f, &w->found) > distance(w, f, &w->sent);
}

static bool run_words(const struct words *w, const struct registry_backend *backend,
                      const struct fecrun_form *form, struct check_result *result)
{
    struct check_call call = check_call_for(w->variant, &w->input, FRAMES);
    struct check_instance instance;
    struct fecrun_error err;
    int status;

    if (!form || check_instance_open(&instance, w->check, w->check->stage, backend, w->variant,
                                     form, NULL, call.frames, &err))
        return false;
    status = check_run(&instance, &w->input, &call, result, &err);
    check_instance_close(&instance);
    return !status;
}

/* Does the reference give verdicts? Then the others have to, too. */
static bool reference_tells(const struct words *w)
{
    const struct registry_backend *ref = &w->check->stage->backends[0];
    const struct fecrun_form *form = check_first_form(w->variant, ref->backend);
    struct check_result result = {0};
    bool tells = w->check->backend != ref && run_words(w, ref, form, &result) &&
                 result.info[0].flags & FECRUN_FRAME_CHECKED;

    check_result_free(&result);
    return tells;
}

/* A decoder that wants a CRC which its encoder does not make marks right words, and has to find others:
   nothing is learned from that. */
static bool can_tell(const struct count *c)
{
    return !c->silent && 2 * c->marked <= c->right;
}

static bool calls_good(const struct count *c)
{
    return can_tell(c) && c->wrong >= FEWEST_WRONG && 2 * c->far > c->wrong;
}

static void judge(const struct words *w, const struct count *c)
{
    const char *wanted = !c->silent              ? NULL
                         : c->silent < c->frames ? "but on the others"
                         : w->variant->flags & FECRUN_STAGE_CHECKS
                             ? "and its stage says FECRUN_STAGE_CHECKS"
                         : reference_tells(w) ? "and the reference does"
                                              : NULL;
    char text[400];

    if (wanted) {
        snprintf(text, sizeof text,
                 "it gives no verdict (FECRUN_FRAME_CHECKED) on %llu of %llu frames, %s",
                 (unsigned long long)c->silent, (unsigned long long)c->frames, wanted);
        fail(w, text);
    } else if (calls_good(c)) {
        snprintf(
            text, sizeof text,
            "%s: of %llu words with many wrong bits that came out wrong, %llu were marked "
            "FECRUN_FRAME_FAILED and %llu called good; of %llu of these the code word is farther "
            "from what came in than the one that was sent",
            c->told ? "it calls wrong words good" : "it never marks a frame",
            (unsigned long long)c->wrong, (unsigned long long)c->told, (unsigned long long)c->good,
            (unsigned long long)c->far);
        fail(w, text);
    } else if (!c->silent) {
        check_pass(w->check->report, CHECK_VERDICT);
    }
}

static bool comparable(const struct words *w)
{
    return w->input.truth && w->result.n_out && w->input.truth_items == w->result.out[0].items &&
           w->result.out[0].pieces == 1 && w->result.infos == 1 &&
           fecrun_type_kind(w->result.out[0].type) == FECRUN_KIND_BITS;
}

static void add(struct count *sum, const struct count *c)
{
    sum->frames += c->frames;
    sum->silent += c->silent;
    sum->right += c->right;
    sum->marked += c->marked;
    sum->wrong += c->wrong;
    sum->told += c->told;
    sum->good += c->good;
    sum->far += c->far;
}

static void summarize(struct check_report *report, const struct count *sum)
{
    if (sum->silent == sum->frames)
        snprintf(
            report->verdicts, sizeof report->verdicts,
            "no verdicts: FECRUN_FRAME_CHECKED is on none of %llu frames, %llu of which came out "
            "wrong; one that can tell says FECRUN_STAGE_CHECKS",
            (unsigned long long)sum->frames, (unsigned long long)sum->wrong);
    else
        snprintf(
            report->verdicts, sizeof report->verdicts,
            "verdicts on %llu of %llu words with wrong bits: %llu came out right, of them %llu "
            "marked; %llu wrong, of them %llu marked and %llu called good",
            (unsigned long long)(sum->frames - sum->silent), (unsigned long long)sum->frames,
            (unsigned long long)sum->right, (unsigned long long)sum->marked,
            (unsigned long long)sum->wrong, (unsigned long long)sum->told,
            (unsigned long long)sum->good);
}

/*
 * Words of which nobody knows what was sent: not all of them are good, unless more bits come out than went in. A
 * syndrome has no redundancy, so there may be an error for each.
 */
static void judge_unknown(const struct words *w)
{
    struct count count = {0};
    uint64_t marked = 0;
    char text[200];

    for (uint64_t f = 0; f < w->result.frames * w->result.infos; f++) {
        count.frames++;
        count.silent += !(w->result.info[f].flags & FECRUN_FRAME_CHECKED);
        marked += (w->result.info[f].flags & FECRUN_FRAME_FAILED) != 0;
    }
    judge(w, &count);
    if (count.silent || marked || w->variant->out[0].items > w->variant->in[0].items)
        return;
    snprintf(text, sizeof text,
             "it never marks a frame: of %llu random words all were called good, none was marked "
             "FECRUN_FRAME_FAILED",
             (unsigned long long)count.frames);
    fail(w, text);
}

static struct count count_all(const struct words *w)
{
    struct count count = {0};

    for (uint64_t f = 0; f < w->result.frames; f++)
        count_frame(w, f, &count);
    return count;
}

static void judge_known(const struct words *w, const struct count *count, struct count *sum)
{
    judge(w, count);
    add(sum, count);
    summarize(w->check->report, sum);
}

static void free_words(struct words *w)
{
    check_result_free(&w->result);
    check_result_free(&w->sent);
    check_result_free(&w->found);
    check_input_free(&w->input);
}

/* What a decoder has: something in, bits out. */
static bool decodes(const struct check *check, const struct check_variant *v)
{
    return check->stage->stage->role == FECRUN_ROLE_TRANSFORM &&
           v->out[0].kind == FECRUN_KIND_BITS &&
           (check->stage->stage->undoes || v->in[0].kind == FECRUN_KIND_LLR ||
            v->flags & FECRUN_STAGE_CHECKS);
}

/* What becomes of words of a pattern. False: nothing can be made of them. */
static bool try_words(struct words *w, enum check_pattern pattern, const struct fecrun_form *form,
                      struct check_random *random)
{
    return check_input_fits(w->variant, pattern) &&
           !check_input_make(&w->input, w->check, w->variant, pattern, FRAMES, random) &&
           run_words(w, w->check->backend, form, &w->result);
}

static bool try_doubts(const struct words *w, const struct fecrun_form *form,
                       struct check_random *random, struct count *sum)
{
    struct words doubts = {.check = w->check, .variant = w->variant};
    const bool known = try_words(&doubts, CHECK_DOUBTS, form, random) && comparable(&doubts) &&
                       encode_both(&doubts);

    if (known) {
        const struct count count = count_all(&doubts);
        judge_known(&doubts, &count, sum);
    }
    free_words(&doubts);
    return known;
}

void check_verdict(const struct check *check, struct check_variant *variant,
                   const struct fecrun_form *form, struct check_random *random)
{
    static struct count sum; /* a process has one backend */
    struct words w = {.check = check, .variant = variant};

    if (!decodes(check, variant))
        return;
    check_now(check->report, "verdicts on wrong words, %s", variant->point->text);
    if (!try_words(&w, CHECK_LEVELS, form, random)) {
        free_words(&w);
        w = (struct words){.check = check, .variant = variant};
        if (try_words(&w, CHECK_RANDOM, form, random))
            judge_unknown(&w);
    } else if (comparable(&w) && encode_both(&w)) {
        const struct count count = count_all(&w);
        if (!calls_good(&count) || !try_doubts(&w, form, random, &sum))
            judge_known(&w, &count, &sum);
    } else {
        judge_unknown(&w);
    }
    free_words(&w);
}
