/* SPDX-License-Identifier: BSD-2-Clause */
/* fecrun.h: structs of callers that know fewer fields than the library. */
#include "t/lib/tap.h"

#include <fecrun/fecrun.h>
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

int main(void)
{
    static const char text[] = "{fecrun: 1, pipeline: [source.random: {bits: 8}, sink.errors: {}], "
                               "stop: {frames: 5}}";
    const char *top = getenv("top_builddir");
    char plugins[4096];
    int fd = mkstemp(path);

    snprintf(plugins, sizeof plugins, "%s/lib/fecrun/1", top ? top : ".");
    setenv("FECRUN_PLUGIN_PATH", plugins, 1);
    if (fd < 0 || write(fd, text, sizeof text - 1) != (ssize_t)sizeof text - 1)
        bail("cannot write %s", path);
    close(fd);
    test_options();
    test_messages();
    test_callbacks();
    unlink(path);
    return done_testing();
}
