/* SPDX-License-Identifier: BSD-2-Clause */
/* Leases for another process: of a capture, by a process that has several devices, which gives what one of
   one device does; of a simulation, by several threads, also where one could not be made. */
#include "t/lib/tap.h"

#include "core/batch/exec.h"
#include "run/sweep/sweep.h"
#include "tools/fecrun/cluster/serve.h"

#include <fecrun/sdk/params.h>
#include <fecrun/sdk/sample.h>
#include <limits.h>
#include <unistd.h>

/* Margins of a lease are 3 pieces in front of it and 2 behind. */
enum { PIECE = 64, PIECES = 3000, TAIL = 24 };

static const char capture[] =
    "fecrun: 1\n"
    "batch: 16\n"
    "pipeline:\n"
    "  - source.file: {path: in, kind: bits, dtype: packed, frame: 0, piece: 64}\n"
    "  - fake.window: {before: 90, after: 30}\n"
    "  - sink.file: {path: out, dtype: packed}\n";

static const char simulation[] = "fecrun: 1\n"
                                 "batch: 5\n"
                                 "pipeline:\n"
                                 "  - source.random: {bits: 100}\n"
                                 "  - fake.flip: {}\n"
                                 "  - sink.errors: {}\n";

static void make_input(void)
{
    FILE *file = fopen("in", "wb");
    uint32_t state = 1;

    for (size_t i = 0; file && i < ((size_t)PIECE * PIECES + TAIL) / 8; i++) {
        state = state * 1664525 + 1013904223;
        fputc((int)(state >> 24), file);
    }
    if (!file || fclose(file))
        bail("cannot write a file");
}

/* What the sink would get, without what stands between: samples of all calls behind each other. */
struct samples {
    unsigned char *bytes;
    size_t n;
    uint64_t frames;
};

static struct samples join(const char *data, size_t n, uint32_t type)
{
    struct samples all = {.bytes = calloc(1, n + 1)};

    for (size_t at = 0; at < n;) {
        uint64_t record[2]; /* frames, items */
        size_t infos, bytes;

        memcpy(record, data + at, sizeof record);
        infos = (size_t)record[0] * sizeof(struct fecrun_frame_info);
        bytes = (size_t)(record[0] * fecrun_bytes(type, record[1]));
        memcpy(all.bytes + all.n, data + at + sizeof record + infos, bytes);
        all.n += bytes;
        all.frames += record[0];
        at += (sizeof record + infos + bytes + 15) / 16 * 16;
    }
    return all;
}

static struct samples lease_of(struct server *server, const struct session_plan *plan,
                               uint64_t first, uint64_t frames)
{
    static uint32_t type;
    const struct lease lease = {
        .first = first, .limits = {.frames = frames}, .behind = PIECES + 1 - first - frames};
    struct run_part part;
    struct diag error = {0};
    const void *data;
    size_t n;

    if (!type) /* later there may be no plan any more */
        type = plan->negotiation->choices[plan->shape.graph->n - 1].form->in[0].type;
    if (serve_lease(server, 0, &lease, &part, &error))
        bail("%s", error.text);
    is_int((long long)part.counts.frames, (long long)frames, "%llu frames from %llu on",
           (unsigned long long)frames, (unsigned long long)first);
    data = serve_data(server, &n);
    return join(data, n, type);
}

static void open_session(struct session *session, const char *text, const char *backend)
{
    const char *const dirs[] = {getenv("FAKEDIR"), getenv("PLUGINS"), NULL};
    const struct session_options options = {.registry = {.dirs = dirs},
                                            .pipeline = {.backend = backend,
                                                         .text = text,
                                                         .text_size = strlen(text),
                                                         .place.base_dir = "."},
                                            .threads = 3};
    struct diag error = {0};

    if (session_open(session, "text", &options, &error))
        bail("%s: %s", backend, error.text);
}

static void open_server(struct server **server, struct session *session,
                        const struct session_plan **plan, const char *text, const char *backend)
{
    static const struct sweep_options sinkless = {.sinkless = true};
    struct diag error = {0};

    open_session(session, text, backend);
    if (serve_open(server, session, &sinkless, NULL, plan, &error))
        bail("%s: %s", backend, error.text);
}

static void compare(struct server *const server[2], const struct session_plan *const plan[2],
                    uint64_t first, uint64_t frames)
{
    struct samples one = lease_of(server[0], plan[0], first, frames);
    struct samples all = lease_of(server[1], plan[1], first, frames);

    ok(one.n && one.n == all.n && one.frames == all.frames && !memcmp(one.bytes, all.bytes, one.n),
       "three devices: one's %zu bytes", one.n);
    free(one.bytes);
    free(all.bytes);
}

/* The sink of errors is each process's own. */
static void test_simulation(void)
{
    const struct lease lease = {.limits = {.frames = 700}, .behind = UINT64_MAX};
    const struct session_plan *plan;
    struct session session;
    struct server *server;
    struct run_part part;
    struct diag error = {0};

    open_server(&server, &session, &plan, simulation, "ref");
    ok(!serve_lease(server, 0, &lease, &part, &error), "a simulation by three threads %s",
       error.text);
    ok(part.counts.frames == 700 && part.counts.bit_errors == 70000, "its frames are counted");
    serve_close(server);
    session_close(&session);
}

/* A worker that could not be made is made when it is wanted again, and not taken for one. */
static void test_again(void)
{
    struct exec_options options = {0};
    struct session_plan plan;
    struct session session;
    struct exec exec;
    struct diag error = {0};

    open_session(&session, simulation, "fake:1");
    if (session_plan(&session, 0, &plan, &error) ||
        session_exec(&session, &plan, 5, &options, &exec, &error))
        bail("%s", error.text);
    setenv("FAKE_FAIL", "create", 1);
    ok(exec_make_worker(&exec, &exec.workers[1], &error), "a worker that cannot be made");
    unsetenv("FAKE_FAIL");
    ok(!exec_make_worker(&exec, &exec.workers[1], &error) && exec.workers[1].full.instances[1] &&
           exec.workers[1].full.instances[1][0],
       "once more");
    exec_close(&exec);
    session_plan_free(&plan);
    session_close(&session);
}

int main(void)
{
    char dir[] = "/tmp/fecrun-t.XXXXXX", command[64], fake[PATH_MAX], plugins[PATH_MAX];
    struct session session[2];
    struct server *server[2];
    const struct session_plan *plan[2];

    if (!getenv("FAKEDIR") || !getenv("PLUGINS"))
        skip_all("FAKEDIR is not set: run me with make check");
    if (!realpath(getenv("FAKEDIR"), fake) || !realpath(getenv("PLUGINS"), plugins))
        bail("there are no plugins");
    setenv("FAKEDIR", fake, 1);
    setenv("PLUGINS", plugins, 1);
    setenv("FAKE_DEVICES", "3", 1);
    if (!mkdtemp(dir) || chdir(dir))
        bail("no directory");
    make_input();
    open_server(&server[0], &session[0], &plan[0], capture, "fake:1");
    open_server(&server[1], &session[1], &plan[1], capture, "fake:all");
    compare(server, plan, 0, 900);
    compare(server, plan, 1, 7);
    compare(server, plan, 1100, 1500);
    compare(server, plan, 2600, PIECES + 1 - 2600);
    compare(server, plan, PIECES, 1);
    compare(server, plan, 3, 40);
    for (int i = 0; i < 2; i++) {
        serve_close(server[i]);
        session_close(&session[i]);
    }
    test_simulation();
    test_again();
    ok(access("out", F_OK), "none of them has an output of its own");
    snprintf(command, sizeof command, "cd / && rm -r %s", dir);
    if (system(command))
        bail("cannot remove %s", dir);
    return done_testing();
}
