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

/* Says so when it is asked for the data's number of times. */
static int cancelled(void *data)
{
    return ++*(int *)data >= 3;
}

static int keep_reason(void *data, const struct fecrun_point *point)
{
    (void)data;
    snprintf(stopped, sizeof stopped, "%s", point->stop);
    return 0;
}

static void test_cancelled(void)
{
    struct fecrun_message message = {.size = sizeof message};
    struct fecrun_session *session = open_text("{fecrun: 1, pipeline: [source.random: {bits: 64}, "
                                               "sink.errors], stop: {frames: 1000000000000}}",
                                               NULL, &message);
    int asked = 0;
    struct fecrun_callbacks callbacks = {
        .size = sizeof callbacks, .data = &asked, .point = keep_reason, .cancelled = cancelled};

    is_int(fecrun_run(session, &callbacks, &message), 0, "a run that a function cancels");
    is_str(stopped, "signal", "is stopped");
    ok(asked >= 3, "it was asked until it said so, and once more of the point");
    asked = 2;
    *stopped = 0;
    is_int(fecrun_run(session, &callbacks, &message), 0, "before the first point, too");
    ok(asked == 3 && !*stopped, "and then no point is reported");
    fecrun_close(session);
}

/* ---- What there is ---- */

static bool says(const struct fecrun_message *message, const char *text)
{
    const bool same = message->status == 2 && strstr(message->text, text);

    if (!same)
        diag("%d: `%s`, expected `%s`", message->status, message->text, text);
    return same;
}

static const struct fecrun_param *find_param(const struct fecrun_stage *stage, const char *name)
{
    for (size_t i = 0; stage->params[i]; i++)
        if (!strcmp(stage->params[i]->name, name))
            return stage->params[i];
    return NULL;
}

/* The same stages, backends and reasons as `fecrun list --json` has. */
static void test_list_all(const struct fecrun_list *list)
{
    struct fecrun_stage_info stage = {.size = sizeof stage};
    struct fecrun_backend_info backend = {.size = sizeof backend};
    const char *top = getenv("top_builddir");
    static char told[1 << 18];
    char command[4096], want[1024];
    size_t n = 0, rows = 0, missing = 0;
    FILE *f;

    snprintf(command, sizeof command, "%s/fecrun list --json -", top ? top : ".");
    f = popen(command, "r");
    if (!f || !(n = fread(told, 1, sizeof told - 1, f)) || pclose(f))
        bail("%s", command);
    told[n] = 0;
    for (size_t s = 0; !fecrun_list_stage(list, s, &stage); s++) {
        snprintf(want, sizeof want, "\"%s\"", stage.stage->name);
        missing += !strstr(told, want);
        for (size_t b = 0; !fecrun_list_backend(list, s, b, &backend); b++, rows++) {
            missing += !strstr(told, backend.backend->name);
            missing += !backend.available == !*backend.reason;
            missing += !backend.available && !strstr(told, backend.reason);
        }
    }
    ok(rows > 50 && !missing, "%zu backends, as `fecrun list` has them; %zu are otherwise", rows,
       missing);
}

static void test_list(void)
{
    struct fecrun_message message = {.size = sizeof message};
    struct {
        struct fecrun_stage_info info;
        int behind;
    } shorter = {.info = {.size = offsetof(struct fecrun_stage_info, path), .path = path}};
    struct fecrun_plugin_info plugin = {.size = sizeof plugin};
    struct fecrun_backend_info backend = {.size = sizeof backend};
    struct fecrun_device_info device = {.size = sizeof device};
    struct fecrun_list *list = NULL;
    const struct fecrun_param *param;
    size_t at = 0;

    ok(fecrun_list_open(NULL, NULL, &message) && says(&message, "list is NULL"), "list nowhere");
    if (fecrun_list_open(&list, NULL, &message))
        bail("%s", message.text);
    ok(!fecrun_list_plugin(list, 0, &plugin) && plugin.plugin && !*plugin.reason &&
           strstr(plugin.path, plugin.plugin->name),
       "a plugin");
    ok(fecrun_list_plugin(list, 9999, &plugin) && fecrun_list_stage(list, 9999, &shorter.info) &&
           fecrun_list_backend(list, 9999, 0, &backend) &&
           fecrun_list_backend(list, 0, 99, &backend) && fecrun_list_device(list, 9999, &device) &&
           fecrun_list_stage(NULL, 0, &shorter.info),
       "ends of lists");
    ok(!fecrun_list_find(list, "channel.awgn", &at, &message) &&
           !fecrun_list_stage(list, at, &shorter.info) && shorter.info.path == path,
       "a stage by name, to a shorter struct");
    param = find_param(shorter.info.stage, "esn0_db");
    ok(param && param->type == FECRUN_VALUE_FLOAT && param->fmin == -50 && param->fmax == 100 &&
           !strcmp(param->unit, "dB") && *param->help,
       "one of its parameters");
    ok(!strcmp(shorter.info.plugin->name, "chain") &&
           !strcmp(shorter.info.stage->inputs[0]->name, "in"),
       "its plugin and port");
    ok(!fecrun_list_backend(list, at, 0, &backend) && !strcmp(backend.backend->name, "ref") &&
           backend.available && !*backend.reason && backend.backend->forms[0]->out[0].type,
       "its reference, and what that takes");
    ok(fecrun_list_find(list, "channel.agwn", &at, &message) &&
           says(&message, "unknown stage `channel.agwn` (did you mean channel.awgn?)"),
       "a name that is none");
    test_list_all(list);
    fecrun_list_close(list);
    fecrun_list_close(NULL);
}

/* ---- NULLs, and calls in a wrong order ---- */

static void test_nulls(void)
{
    struct fecrun_message m = {.size = sizeof m};
    struct fecrun_progress progress = {.size = sizeof progress};
    struct fecrun_port_info info = {.size = sizeof info};
    struct fecrun_session *session = (void *)path;
    struct fecrun_prepared *prepared = (void *)path;
    char array[8];

    ok(fecrun_open(NULL, path, NULL, &m) && says(&m, "fecrun_open: session is NULL"), "open");
    ok(fecrun_open(&session, NULL, NULL, &m) && says(&m, "path is NULL") && !session, "its path");
    ok(fecrun_open_text(&session, NULL, "", 0, NULL, &m) && says(&m, "name is NULL"), "a name");
    ok(fecrun_open_text(&session, "x", NULL, 0, NULL, &m) && says(&m, "text is NULL"), "a text");
    ok(fecrun_check(NULL, &m) && says(&m, "fecrun_check: session is NULL"), "check");
    ok(fecrun_run(NULL, NULL, &m) && says(&m, "fecrun_run: session is NULL"), "run");
    ok(fecrun_prepare(&prepared, NULL, NULL, &m) && says(&m, "session is NULL") && !prepared,
       "prepare");
    ok(fecrun_get_port(NULL, "x", &info, &m) && says(&m, "prepared is NULL"), "get_port");
    ok(fecrun_bind_input(NULL, "x", array, 8, 0, &m) && says(&m, "prepared is NULL"), "bind_input");
    ok(fecrun_bind_output(NULL, "x", array, 8, 0, &m) && says(&m, "prepared is NULL"),
       "bind_output");
    ok(fecrun_execute(NULL, 1, &m) && says(&m, "prepared is NULL"), "execute");
    ok(!fecrun_get_infos(NULL) && !fecrun_get_block_infos(NULL, NULL) &&
           !fecrun_get_items(NULL, "x"),
       "get_infos");
    ok(fecrun_set(NULL, NULL, &m) && says(&m, "prepared is NULL"), "set");
    ok(fecrun_execute_stream(NULL, 1, 0, &m) && says(&m, "prepared is NULL"), "execute_stream");
    ok(fecrun_execute(NULL, 1, NULL) == -1, "without a message");
    fecrun_get_progress(NULL, &progress);
    fecrun_cancel(NULL);
    fecrun_finish(NULL);
    fecrun_close(NULL);
    session = open_with(NULL);
    fecrun_get_progress(session, NULL);
    ok(fecrun_prepare(NULL, session, NULL, &m) && says(&m, "prepared is NULL"), "prepare nowhere");
    fecrun_close(session);
}

static int use_again(void *data, const struct fecrun_point *point)
{
    struct fecrun_session *session = data;
    struct fecrun_message m = {.size = sizeof m};
    struct fecrun_prepared *prepared;

    (void)point;
    ok(fecrun_run(session, NULL, &m) && says(&m, "is at work"), "run in a callback of a run");
    ok(fecrun_check(session, &m) && says(&m, "is at work"), "check there");
    ok(fecrun_prepare(&prepared, session, NULL, &m) && says(&m, "is at work") && !prepared,
       "prepare there");
    fecrun_close(session);
    return 0;
}

static void test_order(void)
{
    static const char chain[] = "{fecrun: 1, pipeline: [source.memory: {dtype: u1, frame: 8}, "
                                "crc.attach: {crc: 8}, sink.memory]}";
    struct fecrun_message m = {.size = sizeof m};
    struct fecrun_session *session = open_text(chain, NULL, &m);
    struct fecrun_prepared *prepared[2];
    unsigned char in[8] = {1}, out[16];
    struct fecrun_callbacks callbacks = {.size = sizeof callbacks, .point = use_again};

    for (int i = 0; i < 2; i++)
        if (fecrun_prepare(&prepared[i], session, NULL, &m))
            bail("%s", m.text);
    ok(fecrun_execute(prepared[0], 1, &m) && m.status == 2, "without arrays: %s", m.text);
    ok(fecrun_bind_input(prepared[0], "sink.memory", in, 8, 0, &m) && m.status == 2,
       "an output as an input: %s", m.text);
    ok(fecrun_bind_input(prepared[0], "source.memory", NULL, 8, 0, &m) && says(&m, "NULL"),
       "an array at NULL");
    fecrun_close(session); /* before what was prepared from it */
    ok(fecrun_check(session, &m) && says(&m, "is closed"), "a closed session is not used");
    fecrun_finish(prepared[1]);
    ok(!fecrun_bind_input(prepared[0], "source.memory", in, sizeof in, 0, &m) &&
           !fecrun_bind_output(prepared[0], "sink.memory", out, sizeof out, 0, &m) &&
           !fecrun_execute(prepared[0], 1, &m) && !memcmp(in, out, sizeof in),
       "what was prepared from it is");
    fecrun_finish(prepared[0]);

    callbacks.data = session = open_with(NULL);
    is_int(fecrun_run(session, &callbacks, &m), 0, "a session that is closed in its own callback");
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
    test_cancelled();
    test_list();
    test_nulls();
    test_order();
    unlink(path);
    return done_testing();
}
