/* SPDX-License-Identifier: BSD-2-Clause */
/* Part of device.c: events. FAKE_FAIL=event breaks the clock, FAKE_FAIL=bits halves what fake.scale
   puts out on the device. */
#ifndef FAKE_EVENT_H
#define FAKE_EVENT_H

#include <time.h>

struct mark {
    struct stream *stream; /* where it was recorded last */
    bool pending;
    double seconds;
};

static void do_mark(const struct work *w)
{
    struct mark *mark = w->dst;
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    mark->seconds = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    mark->pending = false;
}

/* Works on its stream until there. */
static void reach(const struct mark *mark)
{
    struct work *work;

    while (mark->pending && (work = pop(mark->stream))) {
        work->run(work);
        free(work);
    }
}

static void do_wait(const struct work *w)
{
    reach(w->src);
}

static int event_create(int device, void **event, struct fecrun_error *err)
{
    (void)device;
    *event = calloc(1, sizeof(struct mark));
    return *event ? 0 : fecrun_fail(err, NULL, "no more fake events");
}

static void event_destroy(int device, void *event)
{
    (void)device;
    free(event);
}

static int event_record(int device, void *stream, void *event, struct fecrun_error *err)
{
    struct work work = {.run = do_mark, .dst = event};
    struct mark *mark = event;

    (void)device;
    mark->stream = stream;
    mark->pending = true;
    return push(stream, &work, err);
}

static int event_wait(int device, void *stream, void *event, struct fecrun_error *err)
{
    struct work work = {.run = do_wait, .src = event};

    (void)device;
    return push(stream, &work, err);
}

static int event_seconds(int device, void *begin, void *end, double *seconds,
                         struct fecrun_error *err)
{
    (void)device;
    reach(begin);
    reach(end);
    *seconds = ((struct mark *)end)->seconds - ((struct mark *)begin)->seconds;
    return told_to_fail("event") ? fecrun_fail(err, NULL, "the fake clock stands still") : 0;
}

#endif
