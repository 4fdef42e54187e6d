/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * many_runs RUNS PLUGIN FILE [BACKEND]: runs the pipeline file so many times in this process, in
 * turn with the same session and with new ones. Nothing may stay behind on the device that PLUGIN
 * provides: its free memory at the end is what it was after the first runs, which start the
 * driver; and where the plugin counts what lives (t/doubles/fake/device.c), nothing does between runs.
 */
#include "t/lib/tap.h"

#include <dlfcn.h>
#include <fecrun/fecrun.h>
#include <libgen.h>
#include <unistd.h>

enum { WARM_UP = 3, SLACK = 16 << 20 /* bytes: others use the device, too */ };

struct device {
    const struct fecrun_provider *provider;
    const long *live;
};

static void open_device(struct device *device, const char *path)
{
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    const struct fecrun_plugin *plugin = handle ? dlsym(handle, "fecrun_plugin") : NULL;

    if (!plugin || !plugin->providers || !plugin->providers[0])
        bail("%s provides no devices: %s", path, handle ? "" : dlerror());
    device->provider = plugin->providers[0];
    device->live = dlsym(handle, "fake_live");
    if (!device->provider->memory)
        bail("%s does not tell its memory", path);
}

static uint64_t free_bytes(const struct device *device)
{
    struct fecrun_error err = {.size = sizeof err};
    uint64_t now = 0, total;

    if (device->provider->memory(0, &now, &total, &err))
        bail("memory: %s", err.text);
    return now;
}

static size_t resident_bytes(void)
{
    unsigned long size = 0, pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");

    if (file && fscanf(file, "%lu %lu", &size, &pages) != 2)
        pages = 0;
    if (file)
        fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

struct count {
    uint64_t frames, errors;
    unsigned points;
};

static int on_point(void *data, const struct fecrun_point *point)
{
    struct count *count = data;

    count->points++;
    count->frames += point->frames;
    count->errors += point->bit_errors;
    return 0;
}

static bool one_run(struct fecrun_session *session, struct count *count)
{
    struct fecrun_message message = {.size = sizeof message};
    struct fecrun_callbacks callbacks = {
        .size = sizeof callbacks, .data = count, .point = on_point};

    *count = (struct count){0};
    if (!fecrun_run(session, &callbacks, &message))
        return true;
    diag("%s", message.text);
    return false;
}

static struct fecrun_session *new_session(char **argv, int argc)
{
    char path[4096];
    const char *dirs[2] = {NULL, NULL};
    struct fecrun_message message = {.size = sizeof message};
    struct fecrun_options options = {.size = sizeof options,
                                     .plugin_dirs = dirs,
                                     .threads = 2,
                                     .backend = argc > 4 ? argv[4] : NULL};
    struct fecrun_session *session;

    snprintf(path, sizeof path, "%s", argv[2]);
    dirs[0] = dirname(path);
    if (fecrun_open(&session, argv[3], &options, &message))
        bail("%s", message.text);
    return session;
}

int main(int argc, char **argv)
{
    unsigned runs = argc > 3 ? (unsigned)strtoul(argv[1], NULL, 10) : 0, failed = 0, left = 0,
             different = 0;
    const char *sanitizer = getenv("FECRUN_SANITIZER");
    struct fecrun_session *session;
    struct count first = {0}, count;
    struct device device;
    uint64_t before = 0;
    size_t resident = 0;

    if (runs <= WARM_UP)
        bail("usage: many_runs RUNS PLUGIN FILE [BACKEND]");
    open_device(&device, argv[2]);
    session = new_session(argv, argc);
    for (unsigned i = 0; i < runs && !failed; i++) {
        if (i % 4 == 3) {
            fecrun_close(session);
            session = new_session(argv, argc);
        }
        failed += !one_run(session, &count);
        left += device.live && *device.live;
        if (i == 0)
            first = count;
        different += memcmp(&first, &count, sizeof count) != 0;
        if (i + 1 == WARM_UP)
            before = free_bytes(&device);
        if (i == runs / 4)
            resident = resident_bytes();
    }
    fecrun_close(session);
    is_int(failed, 0, "%u runs go well", runs);
    ok(first.points && first.frames, "the first one counts %llu frames",
       (unsigned long long)first.frames);
    is_int(different, 0, "all count the same");
    is_int(left, 0, "nothing lives on the device between them");
    ok(free_bytes(&device) + SLACK >= before, "free memory of the device: %llu bytes, then %llu",
       (unsigned long long)before, (unsigned long long)free_bytes(&device));
    if (sanitizer && strcmp(sanitizer, "no"))
        skip(1, "a sanitizer keeps freed memory");
    else
        ok(resident_bytes() <= resident + SLACK, "memory of the process: %zu bytes, then %zu",
           resident, resident_bytes());
    return done_testing();
}
