/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests beyond one call: other batches, two threads, cancelled calls, kept memory. */
#include "tools/check/check.h"

#include "tools/check/check_impl.h"

#include <dirent.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SPLIT_FRAMES = 10,
    SPLIT_AT = 3,
    THREAD_FEW = 3,
    THREAD_FRAMES = 65,
    THREAD_ROUNDS = 6,
    CYCLES = 8,
    ROUNDS = 6
};

/* One variant with its input. */
struct stand {
    const struct check *check;
    struct check_variant *variant;
    const struct fecrun_form *form;
    struct check_input input;
    struct check_call call;
};

static bool fail(const struct stand *s, unsigned group, const char *what, const char *why)
{
    char frames[160];

    return check_fail(s->check->report, group, "%.400s, %s, random: %s: %s",
                      s->variant->point->text,
                      check_variant_text(s->variant, frames, sizeof frames), what, why);
}

static int stand_open(struct stand *s, const struct check *check, struct check_variant *variant,
                      const struct fecrun_form *form, uint64_t frames, struct check_random *random)
{
    *s = (struct stand){.check = check, .variant = variant, .form = form};
    if (check_input_make(&s->input, check, variant, CHECK_RANDOM, frames, random))
        return -1;
    s->call = check_call_for(variant, &s->input, frames);
    return 0;
}

static int stand_create(const struct stand *s, struct check_instance *instance, uint64_t frames,
                        struct fecrun_error *err)
{
    return check_instance_open(instance, s->check, s->check->stage, s->check->backend, s->variant,
                               s->form, NULL, frames, err);
}

/* ---- Batches ---- */

/* Appends b's frames to a copy of a's. */
static int join(struct check_result *sum, const struct check_result *a,
                const struct check_result *b)
{
    *sum = (struct check_result){
        .frames = a->frames + b->frames, .n_out = a->n_out, .infos = a->infos};
    for (unsigned p = 0; p < a->n_out; p++) {
        struct check_signal *out = &sum->out[p];

        *out = a->out[p];
        if (!out->data) /* a port that the form does not have */
            continue;
        out->frames = sum->frames;
        out->data = malloc(sum->frames * out->pieces * out->stride + 1);
        if (!out->data)
            return -1;
        memcpy(out->data, a->out[p].data, a->frames * out->pieces * out->stride);
        memcpy(out->data + a->frames * out->pieces * out->stride, b->out[p].data,
               b->frames * out->pieces * out->stride);
    }
    sum->info = malloc(sum->frames * sum->infos * sizeof *sum->info + 1);
    if (!sum->info)
        return -1;
    memcpy(sum->info, a->info, a->frames * a->infos * sizeof *sum->info);
    memcpy(sum->info + a->frames * a->infos, b->info, b->frames * b->infos * sizeof *sum->info);
    return 0;
}

/* An ordered stage is called in frame order, so it starts anew for the second way to cut. */
static int run_parts(struct stand *s, struct check_instance *instance, struct check_result *whole,
                     struct check_result *first, struct check_result *second,
                     struct fecrun_error *err)
{
    struct check_call call = s->call;

    if (check_run(instance, &s->input, &call, whole, err))
        return -1;
    if (s->variant->flags & FECRUN_STAGE_ORDERED) {
        check_instance_close(instance);
        if (stand_create(s, instance, SPLIT_FRAMES, err))
            return -1;
    }
    call.frames = SPLIT_AT;
    if (check_run(instance, &s->input, &call, first, err))
        return -1;
    call.first += SPLIT_AT;
    call.frames = SPLIT_FRAMES - SPLIT_AT;
    return check_run(instance, &s->input, &call, second, err);
}

static void compare_parts(const struct stand *s, const struct check_result *whole,
                          const struct check_result *first, const struct check_result *second)
{
    struct check_result sum = {0};
    char text[400];

    if (join(&sum, first, second))
        return;
    if (check_identical(whole, &sum, text, sizeof text))
        check_pass(s->check->report, CHECK_SPLIT);
    else
        fail(s, CHECK_SPLIT, "frames 0 to 9 at once, and 0 to 2, then 3 to 9", text);
    check_result_free(&sum);
}

/* A cancelled call may return early; its output does not count. */
static void run_cancelled(struct stand *s, struct check_instance *instance)
{
    struct check_call call = s->call;
    struct check_result result;
    struct fecrun_error err;

    call.cancel = true;
    if (!check_run(instance, &s->input, &call, &result, &err) && result.broken[0])
        fail(s, CHECK_STRANGE, "a cancelled call", result.broken);
    else
        check_pass(s->check->report, CHECK_STRANGE);
    check_result_free(&result);
}

static void run_finish(struct stand *s, struct check_instance *instance)
{
    const struct fecrun_backend *backend = s->check->backend->backend;
    struct fecrun_error err = {.size = sizeof err};

    if (!backend->finish)
        return;
    if (backend->finish(instance->handle, &err))
        fail(s, CHECK_CALLS, "finish()", err.text);
    else
        check_pass(s->check->report, CHECK_CALLS);
}

void check_split(const struct check *check, struct check_variant *variant,
                 const struct fecrun_form *form, struct check_random *random)
{
    struct check_result whole = {0}, first = {0}, second = {0};
    struct check_instance instance;
    struct fecrun_error err;
    struct stand s;

    check_now(check->report, "batches of 10, 3 and 7 frames, %s", variant->point->text);
    if (stand_open(&s, check, variant, form, SPLIT_FRAMES, random))
        return;
    s.call.first_frame = variant->flags & FECRUN_STAGE_ORDERED ? 0 : (uint64_t)1 << 32;
    if (!stand_create(&s, &instance, SPLIT_FRAMES, &err)) {
        if (run_parts(&s, &instance, &whole, &first, &second, &err)) {
            fail(&s, CHECK_CALLS, "run()", err.text);
        } else {
            compare_parts(&s, &whole, &first, &second);
            run_finish(&s, &instance);
            run_cancelled(&s, &instance);
        }
        if (instance.backend)
            check_instance_close(&instance);
    }
    check_result_free(&whole);
    check_result_free(&first);
    check_result_free(&second);
    check_input_free(&s.input);
}

/* ---- Threads ---- */

/* Each has an input of its own: with the same one, state that they share might hold the same. */
struct runner {
    struct stand stand;
    struct check_instance instance;
    struct check_result expected;
    pthread_barrier_t *barrier;
    char text[400]; /* what went wrong */
};

static void *run_thread(void *data)
{
    struct runner *r = data;

    pthread_barrier_wait(r->barrier);
    for (int i = 0; i < THREAD_ROUNDS && !r->text[0] && (!i || check_budget_allows(0)); i++) {
        struct check_result result;
        struct fecrun_error err;

        if (check_run(&r->instance, &r->stand.input, &r->stand.call, &result, &err))
            snprintf(r->text, sizeof r->text, "run(): %.300s", err.text);
        else if (check_identical(&r->expected, &result, r->text, sizeof r->text))
            r->text[0] = 0;
        check_result_free(&result);
    }
    return NULL;
}

static void run_pair(struct runner runner[2])
{
    pthread_barrier_t barrier;
    pthread_t thread;
    bool started;

    pthread_barrier_init(&barrier, NULL, 2);
    runner[0].barrier = runner[1].barrier = &barrier;
    started = !pthread_create(&thread, NULL, run_thread, &runner[1]);
    if (started) {
        run_thread(&runner[0]);
        pthread_join(thread, NULL);
    }
    if (!started)
        fail(&runner[0].stand, CHECK_THREADS, "another instance running", "cannot start a thread");
    for (int i = 0; started && i < 2; i++) {
        const struct stand *s = &runner[i].stand;

        if (runner[i].text[0])
            fail(s, CHECK_THREADS, "alone, and with another instance running", runner[i].text);
        else
            check_pass(s->check->report, CHECK_THREADS);
    }
    pthread_barrier_destroy(&barrier);
}

/* The instance, the input and what comes of it alone. */
static bool runner_try(struct runner *r, const struct check *check, struct check_variant *variant,
                       const struct fecrun_form *form, uint64_t frames, struct check_random *random)
{
    struct fecrun_error err;

    memset(r, 0, sizeof *r);
    if (stand_open(&r->stand, check, variant, form, frames, random) ||
        stand_create(&r->stand, &r->instance, frames, &err))
        return false;
    if (!check_run(&r->instance, &r->stand.input, &r->stand.call, &r->expected, &err))
        return true;
    fail(&r->stand, CHECK_CALLS, "run()", err.text);
    return false;
}

static void runner_close(struct runner *r)
{
    if (r->instance.backend)
        check_instance_close(&r->instance);
    check_result_free(&r->expected);
    check_input_free(&r->stand.input);
}

/* Many frames where that is quick. The variant's own cost is that of another job's input: iterative
 * decoders take a hundred times as long for what is no codeword. */
static bool runner_open(struct runner *r, const struct check *check, struct check_variant *variant,
                        const struct fecrun_form *form, struct check_random *random)
{
    if (!runner_try(r, check, variant, form, THREAD_FEW, random))
        return false;
    if (check_run_seconds() > 0.01 * THREAD_FEW / THREAD_FRAMES)
        return true;
    runner_close(r);
    return runner_try(r, check, variant, form, THREAD_FRAMES, random);
}

void check_threads(const struct check *check, struct check_variant *variant,
                   const struct fecrun_form *form, struct check_random *random)
{
    struct runner runner[2];
    bool open[2];

    check_now(check->report, "two threads, %s", variant->point->text);
    for (int i = 0; i < 2; i++)
        open[i] = runner_open(&runner[i], check, variant, form, random);
    if (open[0] && open[1])
        run_pair(runner);
    for (int i = 0; i < 2; i++)
        runner_close(&runner[i]);
}

/* ---- Memory ---- */

/* What plan() has is not the C library's, see heap.c; that has none where it does not tell (or a
   sanitizer has its own). */
static size_t heap_bytes(void)
{
    size_t bytes = check_heap_bytes();

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
    struct mallinfo2 info = mallinfo2();

    bytes += info.uordblks + info.hblkhd;
#endif
    return bytes;
}

/* plan, create, run, destroy, plan_free */
static void one_life(const struct stand *s)
{
    struct check_variant v = *s->variant;
    struct check_instance instance;
    struct check_result result;
    struct fecrun_error err;
    struct stand own = *s;

    if (check_plan(s->check, s->variant->point, &v, &err))
        return;
    own.variant = &v;
    if (!stand_create(&own, &instance, own.call.frames, &err)) {
        check_run(&instance, &own.input, &own.call, &result, &err);
        check_result_free(&result);
        check_instance_close(&instance);
    }
    check_plan_free(s->check->stage->stage, v.plan.code);
}

/* How many files this process has open; 0 where the system does not tell. */
static int64_t open_files(void)
{
    DIR *dir = opendir("/proc/self/fd");
    int64_t n = 0;

    while (dir && readdir(dir))
        n++;
    if (dir)
        closedir(dir);
    return n;
}

/* What stays of CYCLES lives. */
struct kept {
    int64_t blocks, files;
    size_t bytes;
};

static void judge_leaks(const struct stand *s, const struct kept *kept)
{
    char text[200];

    if (!kept->blocks && kept->files < CYCLES && kept->bytes < CYCLES * 16) {
        check_pass(s->check->report, CHECK_LEAKS);
        return;
    }
    snprintf(text, sizeof text,
             "%lld blocks of host->alloc(), %zu bytes of malloc() and %lld open files stay",
             (long long)kept->blocks, kept->bytes, (long long)kept->files);
    fail(s, CHECK_LEAKS, "after 8 times plan(), create(), run(), destroy(), plan_free()", text);
}

static struct kept live(const struct stand *s)
{
    struct kept kept = {-check_host_blocks(), -open_files(), 0};
    size_t before = heap_bytes(), after;

    for (int i = 0; i < CYCLES; i++)
        one_life(s);
    after = heap_bytes();
    kept.blocks += check_host_blocks();
    kept.files += open_files();
    kept.bytes = after > before && !s->check->backend->provider ? after - before : 0;
    return kept;
}

/* As often as it seems that something stays; false: there was no time to be sure. */
static bool live_often(const struct stand *s, struct kept *kept)
{
    *kept = (struct kept){0, 0, SIZE_MAX};
    for (int i = 0; i < ROUNDS && (!i || kept->bytes >= CYCLES * 16 || kept->files >= CYCLES);
         i++) {
        const double begin = check_clock();
        const struct kept now = live(s);

        kept->blocks = now.blocks;
        kept->files = !i || now.files < kept->files ? now.files : kept->files;
        kept->bytes = now.bytes < kept->bytes ? now.bytes : kept->bytes;
        s->check->report->progress++;
        if (i + 1 < ROUNDS && !check_budget_allows(check_clock() - begin))
            return !kept->blocks && kept->bytes < CYCLES * 16 && kept->files < CYCLES;
    }
    return true;
}

/*
 * The C library's own caches fill up now and then, so a leak is what stays every time. On devices a
 * driver has pools of its own, so that only host->alloc() and files tell.
 */
void check_leaks(const struct check *check, struct check_variant *variant,
                 const struct fecrun_form *form, struct check_random *random)
{
    const double begin = check_clock();
    struct kept kept;
    struct stand s;

    check_now(check->report, "leaks, %s", variant->point->text);
    if (stand_open(&s, check, variant, form, 2, random))
        return;
    one_life(&s);
    if (check_budget_allows(CYCLES * (check_clock() - begin)) && live_often(&s, &kept))
        judge_leaks(&s, &kept);
    else
        check_left_out(check->report, "leaks");
    check_input_free(&s.input);
}
