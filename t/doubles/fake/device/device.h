/* SPDX-License-Identifier: BSD-2-Clause */
/* What the files of the fake device share; t/doubles/fake/device.c says what it is. */
#ifndef T_DOUBLES_FAKE_DEVICE_DEVICE_H
#define T_DOUBLES_FAKE_DEVICE_DEVICE_H

#include "t/doubles/fake/fake.h"

#include <inttypes.h>
#include <sys/types.h>

/* ---- Failures and counts ---- */

bool fake_told_to_fail(const char *what);
bool fake_is_dead(int device);

/* Pieces of memory, streams and instances on the device that are there now; for tests. */
FECRUN_EXPORT extern long fake_live;
void fake_count_live(int step);
void fake_count_alloc(void);
void fake_count_stream(void);
void fake_note_cpus(int device);
/* Streams with work in their queues. */
void fake_count_busy(int step);

/* false: that many bytes are not free. */
bool fake_take_bytes(uint64_t bytes);
void fake_give_bytes(uint64_t bytes);
void fake_room(uint64_t *free_bytes, uint64_t *total);

/* ---- The thread's current device ---- */

/* -1: none was chosen. For tests. */
FECRUN_EXPORT int fake_current(void);
FECRUN_EXPORT void fake_use(int device);
/* Probes of this process, none of its children. */
FECRUN_EXPORT extern int fake_probes;
/* The process that has asked for limits, which starts the driver; 0: none. */
extern _Atomic pid_t fake_driver_process; /* of several threads */

/* ---- Pointers ---- */

#define FAKE_SHIFT ((uintptr_t)1 << 50)

static UNUSED bool is_device(const void *p)
{
    return (uintptr_t)p >= FAKE_SHIFT;
}

static UNUSED void *real(const void *p)
{
    return (void *)(is_device(p) ? (uintptr_t)p - FAKE_SHIFT : (uintptr_t)p);
}

/* A view as the device sees it; *good becomes false where it is none of the device's. */
static UNUSED struct fecrun_view on_device(const struct fecrun_view *view, bool *good)
{
    struct fecrun_view copy = *view;

    *good = *good && is_device(view->data);
    copy.data = real(view->data);
    return copy;
}

/* ---- Streams: queues of work ---- */

/* What a function of the stages gets, on both sides, with pointers that can be followed. */
struct work {
    struct work *next;
    void (*run)(const struct work *work);
    void *dst;
    const void *src;
    size_t bytes;
    int value;
    struct fecrun_view in, out;
    struct fecrun_frame_info *info;
    void *scratch;
    double factor;
    uint64_t before, after;    /* of windows: asked for */
    uint64_t first_frame, key; /* of random stages */
};

/* Queues a copy of the work. */
int fake_push(void *stream, const struct work *work, struct fecrun_error *err);

int fake_stream_create(int device, void **stream, struct fecrun_error *err);
void fake_stream_destroy(int device, void *stream);
int fake_copy(int device, void *stream, void *dst, const void *src, size_t bytes,
              struct fecrun_error *err);
int fake_fill(int device, void *stream, void *dst, int value, size_t bytes,
              struct fecrun_error *err);
int fake_sync(int device, void *stream, struct fecrun_error *err);
int fake_event_create(int device, void **event, struct fecrun_error *err);
void fake_event_destroy(int device, void *event);
int fake_event_record(int device, void *stream, void *event, struct fecrun_error *err);
int fake_event_seconds(int device, void *begin, void *end, double *seconds,
                       struct fecrun_error *err);

/* ---- Instances ---- */

struct instance {
    void (*work)(const struct work *work);
    bool device, marks; /* marks: gets the frame infos */
    double factor;
    uint64_t max_frames, items; /* items: bytes of scratch a frame */
    uint64_t before, after;
};

/* An instance like that one, which knows how many frames were announced. */
int fake_make(const struct fecrun_create *args, void **instance, struct fecrun_error *err,
              const struct instance *like);
void fake_destroy(void *instance);
int fake_run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
             struct fecrun_view *const out[], struct fecrun_error *err);

/* A create() that makes instances with these fields. */
#define CREATE(name, ...) \
    static int name(const struct fecrun_create *args, void **instance, struct fecrun_error *err) \
    { \
        return fake_make(args, instance, err, &(struct instance){__VA_ARGS__}); \
    }

/* A row for the host and one for the device, that one with more fields. */
#define BACKENDS_RUN(run_fn, host_forms, host_fn, device_forms, device_fn, ...) \
    ((const struct fecrun_backend *const[]){ \
        FECRUN_BACKEND(.name = "ref", .forms = host_forms, .create = host_fn, .run = run_fn, \
                       .destroy = fake_destroy), \
        FECRUN_BACKEND(.name = "fake", .provider = "fake", .forms = device_forms, \
                       .create = device_fn, .run = run_fn, .destroy = fake_destroy, __VA_ARGS__), \
        NULL})
#define BACKENDS(form_table, host_fn, device_fn) \
    BACKENDS_RUN(fake_run, form_table, host_fn, form_table, device_fn, .agreement = 0)

#define STAGE(symbol, ...) \
    const struct fecrun_stage symbol = { \
        .size = sizeof symbol, .summary = "for tests of devices", __VA_ARGS__}

/* ---- Work that several stages do ---- */

void fake_convert(const struct work *w); /* u8 and packed bits */
void fake_flip_bits(const struct work *w);
void fake_flip_ragged(const struct work *w);

/* ---- Tables ---- */

extern const struct fecrun_provider fake_provider;
extern const struct fecrun_stage fake_choosy, fake_count, fake_dither, fake_flip, fake_halve,
    fake_input, fake_output, fake_map, fake_negate, fake_ragged, fake_ramp, fake_reverse,
    fake_scale, fake_slice, fake_widen, fake_window, fake_window_llr;

#endif
