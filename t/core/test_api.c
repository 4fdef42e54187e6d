/* SPDX-License-Identifier: BSD-2-Clause */
/* fecrun.h: structs of callers that know fewer fields than the library. */
#include "t/lib/tap.h"

#include <fecrun/fecrun.h>
#include <fecrun/plugin.h>
#include <pthread.h>
#include <unistd.h>

/* What lies behind a shorter struct is not its own: reading it must not matter. */
#define SHORT(type, last, ...) \
    (type) \
    { \
        .size = offsetof(type, last) + sizeof(((type *)0)->last), __VA_ARGS__ \
    }

static char path[] = "/tmp/fecrun-api.XXXXXX";

static const char *const no_sets[] = {"nothing.like=this", NULL};

static struct fecrun_session *open_with(const struct fecrun_options *options)
{
    struct fecrun_message message = {.size = sizeof message};
    struct fecrun_session *session;

    if (fecrun_open(&session, path, options, &message))
        diag("%s", message.text);
    return session;
}

static void test_options(void)
{
    struct fecrun_session *session;

    session = open_with(&SHORT(struct fecrun_options, size, .sets = no_sets));
    ok(session != NULL, "options without a field");
    fecrun_close(session);
    session = open_with(&SHORT(struct fecrun_options, plugin_dirs, .sets = no_sets, .backend = ""));
    ok(session != NULL, "options that end before `sets`");
    fecrun_close(session);
    session = open_with(&SHORT(struct fecrun_options, sets, .backend = ""));
    ok(session != NULL, "options that end before `backend`");
    fecrun_close(session);
    ok(!open_with(&(struct fecrun_options){.size = sizeof(struct fecrun_options), .sets = no_sets}),
       "whole ones are read");
}

static void test_messages(void)
{
    struct {
        struct fecrun_message message;
        char behind[8];
    } m;
    struct fecrun_session *session;

    memset(&m, 'x', sizeof m);
    m.message.size = offsetof(struct fecrun_message, status);
    fecrun_open(&session, "/nowhere/p.yaml", NULL, &m.message);
    ok(m.message.text[0] == 'x' && m.message.status == 0x78787878, "a message without a field");
    m.message.size = offsetof(struct fecrun_message, text);
    fecrun_open(&session, "/nowhere/p.yaml", NULL, &m.message);
    ok(m.message.text[0] == 'x' && m.message.status == 2, "a message without a text");
    m.message.size = offsetof(struct fecrun_message, text) + 10;
    fecrun_open(&session, "/nowhere/p.yaml", NULL, &m.message);
    is_int((int64_t)strlen(m.message.text), 9, "a message with less room: %s", m.message.text);
    ok(m.message.text[10] == 'x', "is cut");
    m.message.size = sizeof m;
    memset(m.behind, 'x', sizeof m.behind);
    fecrun_open(&session, "/nowhere/p.yaml", NULL, &m.message);
    ok(strstr(m.message.text, "/nowhere/p.yaml") && m.behind[0] == 'x', "a longer one: %s",
       m.message.text);
}

static int points;

static int on_point(void *data, const struct fecrun_point *point)
{
    (void)data;
    points++;
    ok(point->size == sizeof *point && point->frames == 5, "a point of 5 frames");
    return 0;
}

static void test_callbacks(void)
{
    static volatile int cancelled = 1;
    struct fecrun_session *session = open_with(NULL);
    struct fecrun_message message = {.size = sizeof message};

    if (!session)
        bail("no session");
    ok(!fecrun_check(session, &message), "a check: %s", message.text);
    points = 0;
    is_int(
        fecrun_run(session,
                   &SHORT(struct fecrun_callbacks, point, .point = on_point, .cancel = &cancelled),
                   &message),
        0, "callbacks that end before `cancel`");
    is_int(points, 1, "points");
    is_int(fecrun_run(session, &SHORT(struct fecrun_callbacks, data, .point = on_point), &message),
           0, "callbacks that end before `point`");
    is_int(points, 1, "which is not called");
    fecrun_close(session);
}

/* ---- Texts ---- */

static struct fecrun_session *open_text(const char *text, const struct fecrun_options *options,
                                        struct fecrun_message *message)
{
    struct fecrun_session *session;

    *message = (struct fecrun_message){.size = sizeof *message};
    ok(fecrun_open_text(&session, "mine", text, strlen(text), options, message) ==
           (session ? 0 : -1),
       "a text: %s", session ? "taken" : message->text);
    return session;
}

static void test_texts(void)
{
    struct fecrun_options options = {.size = sizeof options, .base_dir = "/nowhere"};
    struct fecrun_message message;
    struct fecrun_session *session;

    session = open_text("fecrun: 1\npipeline:\n  - source.random: {bits: 8}\n  - sink.errors\n"
                        "stop: {frames: 3}\n",
                        NULL, &message);
    ok(session && !fecrun_run(session, NULL, &message), "it runs");
    fecrun_close(session);
    session = open_text("fecrun: 1\npipeline:\n  - source.random: {bit: 8}\n  - sink.errors\n",
                        NULL, &message);
    ok(!session && message.status == 2 && !strncmp(message.text, "mine:3:", 7),
       "an error names the text, line and column");
    session = open_text("{fecrun: 1, pipeline: [source.file: {path: a.npy, kind: bits}, "
                        "sink.errors]}",
                        &options, &message);
    ok(session && fecrun_check(session, &message) && strstr(message.text, "/nowhere/a.npy"),
       "base_dir: %s", message.text);
    fecrun_close(session);
    ok(fecrun_open_text(&session, "cut", "{fecrun: 1}", 9, NULL, &message) && !session,
       "no byte behind the text's end is read: %s", message.text);
}

/* ---- Another thread asks, and has enough ---- */

static struct fecrun_progress wait_for(struct fecrun_session *session, bool frames)
{
    struct fecrun_progress progress = {.size = sizeof progress};

    do {
        usleep(1000);
        fecrun_get_progress(session, &progress);
    } while (!progress.running || (frames && !progress.frames));
    return progress;
}

static void *ask_and_cancel(void *data)
{
    static struct fecrun_progress seen;

    seen = wait_for(data, true);
    fecrun_cancel(data);
    return &seen;
}

static char stopped[32];

static int keep_stop(void *data, const struct fecrun_point *point)
{
    *(uint64_t *)data = point->frames;
    snprintf(stopped, sizeof stopped, "%s", point->stop);
    return 0;
}

/* flag: the caller's own. */
static void test_cancel(struct fecrun_session *session, volatile int *flag)
{
    struct fecrun_message message = {.size = sizeof message};
    struct fecrun_progress after = {.size = sizeof after}, *seen;
    uint64_t frames = 0;
    struct fecrun_callbacks callbacks = {
        .size = sizeof callbacks, .data = &frames, .point = keep_stop, .cancel = flag};
    void *result = NULL;
    pthread_t thread;

    if (pthread_create(&thread, NULL, ask_and_cancel, session))
        bail("no thread");
    is_int(fecrun_run(session, &callbacks, &message), 0, "a run that another thread cancels");
    pthread_join(thread, &result);
    seen = result;
    is_str(stopped, "signal", "is stopped");
    ok(seen->running && seen->frames <= frames && seen->points == 1 && seen->bits &&
           seen->most_frames == 1000000000000,
       "it saw %" PRIu64 " of %" PRIu64 " frames", seen->frames, frames);
    fecrun_get_progress(session, &after);
    ok(!after.running && after.frames == frames, "the last state stays");
    ok(!flag || *flag, "the caller's flag is set");
    fecrun_cancel(session); /* nothing to cancel */
}

static void test_other_thread(void)
{
    struct fecrun_message message;
    struct fecrun_session *session = open_text("{fecrun: 1, pipeline: [source.random: {bits: 64}, "
                                               "sink.errors], stop: {frames: 1000000000000}}",
                                               NULL, &message);
    struct {
        struct fecrun_progress progress;
        char behind;
    } p = {.progress.size = offsetof(struct fecrun_progress, frames), .progress.frames = 77};
    volatile int flag = 0;

    if (!session)
        bail("no session");
    fecrun_get_progress(session, &p.progress);
    ok(!p.progress.running && p.progress.frames == 77, "a shorter struct, and no run yet");
    test_cancel(session, NULL);
    test_cancel(session, NULL); /* the one before has left nothing behind */
    test_cancel(session, &flag);
    fecrun_close(session);
}

int main(void)
{
    static const char text[] = "{fecrun: 1, pipeline: [source.random: {bits: 8}, sink.errors: {}], "
                               "stop: {frames: 5}}";
    const char *top = getenv("top_builddir");
    char plugins[4096];
    int fd = mkstemp(path);

    snprintf(plugins, sizeof plugins, "%s/lib/fecrun/%d", top ? top : ".", FECRUN_ABI);
    setenv("FECRUN_PLUGIN_PATH", plugins, 1);
    if (fd < 0 || write(fd, text, sizeof text - 1) != (ssize_t)sizeof text - 1)
        bail("cannot write %s", path);
    close(fd);
    test_options();
    test_messages();
    test_callbacks();
    test_texts();
    test_other_thread();
    unlink(path);
    return done_testing();
}
