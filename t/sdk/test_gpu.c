/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plugins/common/gpu against a runtime of its own, without a device: where an instance's table lies, and
 * where kernels find the frames of a call, of one size and of several.
 */
#define FECRUN_CUDA 1
#include "plugins/common/gpu/gpu.h"

#include "t/lib/tap.h"

enum { FRAMES = 5, DEVICE = 3, CLASSES = 2 };

#include "t/sdk/runtime/runtime.h"
#include "plugins/common/gpu/gpu.c"

/* ---- tests ---- */

struct instance {
    struct gpu gpu;
    uint32_t own;
};

static const uint32_t table[] = {7, 11, 13};
static const struct fecrun_form *const form = FECRUN_FORM(FECRUN_IN({.type = FECRUN_I8}),
                                                          FECRUN_OUT({.type = FECRUN_PACKED}));
static uint8_t memory[2][1000];
static uint64_t places[2][FRAMES + 1];
static uint32_t class_of[FRAMES];
static const uint64_t class_items[2][CLASSES] = {{30, 31}, {90, 89}};

static struct instance *make(uint32_t classes, struct fecrun_error *err)
{
    const struct fecrun_create args = {.size = sizeof args,
                                       .device = DEVICE,
                                       .n_codes = classes,
                                       .max_frames = FRAMES,
                                       .form = form};

    return gpu_make(sizeof(struct instance), &args, table, sizeof table, err);
}

static struct fecrun_view view_of(unsigned port, uint64_t frames, bool ragged)
{
    return (struct fecrun_view){.size = sizeof(struct fecrun_view),
                                .data = memory[port],
                                .frames = frames,
                                .stride = 40 + port,
                                .offset = ragged ? places[port] : NULL,
                                .frame_class = ragged ? class_of : NULL,
                                .class_items = ragged ? class_items[port] : NULL};
}

static void begin(struct instance *i, void *stream, uint64_t frames, bool ragged, const char *what)
{
    const struct fecrun_call call = {.size = sizeof call, .stream = stream};
    const struct fecrun_view in = view_of(0, frames, ragged), out = view_of(1, frames, ragged);
    const struct fecrun_view *const view[GPU_PORTS] = {&in, NULL, &out};
    struct fecrun_error err = {.size = sizeof err};
    struct gpu_call made;
    bool good = true;

    runtime.device = -1;
    if (gpu_begin(i, &call, view, &made, &err))
        bail("%s", err.text);
    for (uint64_t f = 0; f < frames; f++) {
        good &= gpu_class(&made.frames, f) == (ragged ? class_of[f] : 0);
        for (unsigned p = 0; p < 2; p++)
            good &= gpu_frame(&made.port[2 * p], f) ==
                    memory[p] + (ragged ? places[p][f] : f * (40 + p));
    }
    for (unsigned p = 0; p < 2; p++)
        good &= ragged
                    ? !memcmp(made.port[2 * p].class_items, class_items[p], sizeof class_items[p])
                    : !made.port[2 * p].class_items;
    ok(good && made.frames.n == frames && !made.port[1].data && runtime.device == DEVICE, "%s",
       what);
}

static void test_one_class(void)
{
    struct fecrun_error err = {.size = sizeof err};
    struct instance *i = make(1, &err);

    ok(i && !i->own && !memcmp(i->gpu.table, table, sizeof table) &&
           i->gpu.table != (const void *)table && runtime.device == DEVICE,
       "an instance, with its own copy of the table");
    ok(i->gpu.in_type == FECRUN_I8 && i->gpu.out_type == FECRUN_PACKED, "knows its types");
    begin(i, &runtime, FRAMES, false, "frames of one size");
    is_int(runtime.copies, 0, "nothing was copied");
    gpu_destroy(i);
    is_int(runtime.alive, 0, "all memory is free again");
}

static void test_classes(void)
{
    struct fecrun_error err = {.size = sizeof err};
    struct instance *i = make(CLASSES, &err);

    runtime.copies = 0;
    begin(i, &runtime, 3, true, "frames of several sizes");
    is_int(runtime.copies, 5, "places and sizes of two ports, and classes, were copied");
    ok(runtime.stream == &runtime, "on the call's stream");
    begin(i, &runtime, 2, true, "fewer of the same table");
    is_int(runtime.copies, 5, "nothing was copied again");
    begin(i, &runtime, FRAMES, true, "more of it");
    is_int(runtime.copies, 10, "all were copied");
    begin(i, &places, FRAMES, true, "another stream");
    is_int(runtime.copies, 15, "where nothing is known to be there");
    begin(i, &places, FRAMES, false, "frames of one size after all");
    gpu_destroy(i);
    is_int(runtime.alive, 0, "all memory is free again");
}

static void test_failures(void)
{
    for (unsigned broken = 1; broken <= 2; broken++) {
        struct fecrun_error err = {.size = sizeof err};

        runtime.mallocs = 0;
        runtime.broken = broken;
        ok(!make(CLASSES, &err) && strstr(err.text, "out of memory") && !runtime.alive,
           "no memory: %s", err.text);
    }
    runtime.broken = 0;
    gpu_destroy(NULL);
}

static void test_plain(void)
{
    const struct fecrun_create args = {
        .size = sizeof args, .device = DEVICE, .n_codes = 1, .form = form};
    struct fecrun_error err = {.size = sizeof err};
    void *instance = &err;

    ok(!gpu_create(&args, NULL, 0, &instance, &err) && !((struct gpu *)instance)->table,
       "one without a table");
    gpu_destroy(instance);
    is_int(runtime.alive, 0, "all memory is free again");
}

/* Jobs of classes: copied where they differ. */
static void test_jobs(void)
{
    struct fecrun_error err = {.size = sizeof err};
    struct gpu_jobs jobs = {0};
    uint32_t all[3] = {0, 0, 0};
    const void *there;

    runtime.copies = 0;
    ok(!gpu_jobs_make(&jobs, sizeof all, &err), "jobs %s", err.text);
    there = gpu_jobs_put(&jobs, all, &runtime, &err);
    ok(there && there != (const void *)all && !memcmp(there, all, sizeof all) &&
           runtime.copies == 1 && runtime.stream == &runtime,
       "come to the device, also where all is zero");
    gpu_jobs_put(&jobs, all, &runtime, &err);
    is_int(runtime.copies, 1, "once");
    all[2] = 7;
    there = gpu_jobs_put(&jobs, all, &places, &err);
    ok(!memcmp(there, all, sizeof all) && runtime.copies == 2 && runtime.stream == &places,
       "and again where they differ");
    gpu_jobs_free(&jobs);
    is_int(runtime.alive, 0, "all memory is free again");
    runtime.mallocs = 0;
    runtime.broken = 1;
    ok(gpu_jobs_make(&jobs, sizeof all, &err) && strstr(err.text, "out of memory"), "no memory");
    gpu_jobs_free(&jobs);
    runtime.broken = 0;
}

int main(void)
{
    for (uint64_t f = 0; f < FRAMES; f++) {
        class_of[f] = (uint32_t)(f * f % CLASSES);
        places[0][f + 1] = places[0][f] + 30 + class_of[f];
        places[1][f + 1] = places[1][f] + 90 - class_of[f];
    }
    test_one_class();
    test_classes();
    test_failures();
    test_plain();
    test_jobs();
    return done_testing();
}
