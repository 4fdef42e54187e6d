/* SPDX-License-Identifier: BSD-2-Clause */
/* Queues of work that waits until sync(), and the marks in them. */
#include "t/doubles/fake/device/device.h"

#include <time.h>

struct stream {
    struct work *first, **last;
};

int fake_push(void *handle, const struct work *work, struct fecrun_error *err)
{
    struct stream *stream = handle;
    struct work *copy = malloc(sizeof *copy);

    if (!stream)
        return fecrun_fail(err, NULL, "no stream");
    if (!copy)
        return fecrun_no_memory(err);
    *copy = *work;
    copy->next = NULL;
    if (!stream->first)
        fake_count_busy(1);
    *stream->last = copy;
    stream->last = &copy->next;
    return 0;
}

static struct work *pop(struct stream *stream)
{
    struct work *work = stream->first;

    if (!work)
        return NULL;
    stream->first = work->next;
    if (!stream->first) {
        stream->last = &stream->first;
        fake_count_busy(-1);
    }
    return work;
}

int fake_stream_create(int device, void **stream, struct fecrun_error *err)
{
    struct stream *s = fake_told_to_fail("stream") ? NULL : calloc(1, sizeof *s);

    fake_use(device);
    *stream = s;
    if (!s)
        return fecrun_fail(err, NULL, "no more fake streams");
    s->last = &s->first;
    fake_count_live(1);
    fake_count_stream();
    return 0;
}

void fake_stream_destroy(int device, void *stream)
{
    struct work *work;

    fake_use(device);
    if (!stream)
        return;
    while ((work = pop(stream)))
        free(work);
    fake_count_live(-1);
    free(stream);
}

static void do_copy(const struct work *w)
{
    memcpy(w->dst, w->src, w->bytes);
}

int fake_copy(int device, void *stream, void *dst, const void *src, size_t bytes,
              struct fecrun_error *err)
{
    struct work work = {.run = do_copy, .dst = real(dst), .src = real(src), .bytes = bytes};

    fake_use(device);
    if (fake_told_to_fail("copy"))
        return fecrun_fail(err, NULL, "the fake bus is down");
    return fake_push(stream, &work, err);
}

static void do_fill(const struct work *w)
{
    memset(w->dst, w->value, w->bytes);
}

int fake_fill(int device, void *stream, void *dst, int value, size_t bytes,
              struct fecrun_error *err)
{
    struct work work = {.run = do_fill, .dst = real(dst), .value = value, .bytes = bytes};

    fake_use(device);
    if (fake_told_to_fail("fill"))
        return fecrun_fail(err, NULL, "the fake brush is dry");
    return fake_push(stream, &work, err);
}

int fake_sync(int device, void *stream, struct fecrun_error *err)
{
    const bool told = fake_told_to_fail("sync"); /* counts its calls */
    const bool fails = fake_is_dead(device) || told;
    struct work *work;

    fake_use(device);
    fake_note_cpus(device);
    while ((work = pop(stream))) {
        if (!fails)
            work->run(work);
        free(work);
    }
    return fails ? fecrun_fail(err, NULL, "fake kernel hit an illegal address") : 0;
}

/* ---- Events ---- */

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

int fake_event_create(int device, void **event, struct fecrun_error *err)
{
    (void)device;
    *event = calloc(1, sizeof(struct mark));
    return *event ? 0 : fecrun_fail(err, NULL, "no more fake events");
}

void fake_event_destroy(int device, void *event)
{
    (void)device;
    free(event);
}

int fake_event_record(int device, void *stream, void *event, struct fecrun_error *err)
{
    struct work work = {.run = do_mark, .dst = event};
    struct mark *mark = event;

    (void)device;
    mark->stream = stream;
    mark->pending = true;
    return fake_push(stream, &work, err);
}

int fake_event_seconds(int device, void *begin, void *end, double *seconds,
                       struct fecrun_error *err)
{
    (void)device;
    reach(begin);
    reach(end);
    *seconds = ((struct mark *)end)->seconds - ((struct mark *)begin)->seconds;
    return fake_told_to_fail("event") ? fecrun_fail(err, NULL, "the fake clock stands still") : 0;
}
