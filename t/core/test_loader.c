/* SPDX-License-Identifier: BSD-2-Clause */
/* loader_open() on the files of t/doubles, and on files that are no plugins. */
#include "t/lib/tap.h"

#include "core/plugin/loader.h"

#include <sys/stat.h>
#include <unistd.h>

static struct diag error;
static char dir[] = "/tmp/fecrun-loader-XXXXXX";

static void refused(const char *path, const char *reason)
{
    struct loaded file = {.path = (char *)path};

    is_int(loader_open(&file, NULL, &error), 0, "%s: no failure", path);
    ok(!file.plugin && strstr(file.reason, reason), "%s: %s", path, file.reason);
}

static void taken(const char *path, const char *name)
{
    struct loaded file = {.path = (char *)path};

    is_int(loader_open(&file, NULL, &error), 0, "%s: no failure", path);
    if (ok(file.plugin && !file.reason[0], "%s is a plugin %s", path, file.reason))
        is_str(file.plugin->name, name, "its name");
}

static const char *in(const char *base, const char *name)
{
    static char path[2][1024];
    static int turn;

    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s.so", base, name);
    return path[turn];
}

static void write_file(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");

    if (!file || fwrite(data, 1, size, file) != size || fclose(file))
        bail("cannot write %s", path);
}

/* As configure.ac says it. */
static void test_version(void)
{
    unsigned major = 0, minor = 0, patch = 0;

    ok(sscanf(PACKAGE_VERSION, "%u.%u.%u", &major, &minor, &patch) == 3 &&
           FECRUN_VERSION == 10000 * major + 100 * minor + patch,
       "FECRUN_VERSION is %d, the release %s", FECRUN_VERSION, PACKAGE_VERSION);
}

static void test_bad(const char *bad)
{
    refused(in(bad, "no_symbol"), "no symbol `fecrun_plugin`");
    refused(in(bad, "old_abi"), "was built for ABI");
    refused(in(bad, "short_plugin"), "a struct fecrun_plugin has");
    refused(in(bad, "short_stage"), "a struct fecrun_stage has");
    refused(in(bad, "short_backend"), "a struct fecrun_backend has");
    refused(in(bad, "short_example"), "a struct fecrun_example has");
    refused(in(bad, "null_run"), "lacks create, run or destroy");
    refused(in(bad, "undefined"), "undefined symbol");
    refused(in(bad, "in_dependency"), "not in itself");
    refused(in(bad, "unknown_type"), "unknown sample type");
    refused(in(bad, "reserved"), "asks for something unknown");
    refused(in(bad, "no_backends"), "has no backends");
    refused(in(bad, "bad_name"), "family.verb");
    refused(in(bad, "nowhere"), "No such file");
    taken(in(bad, "libdep"), "libdep");
    taken(in(bad, "probe_crash"), "probe_crash");
}

static void test_files(void)
{
    static const char text[] = "I am not a plugin.\n";

    write_file(in(dir, "text"), text, sizeof text - 1);
    refused(in(dir, "text"), "");
    write_file(in(dir, "empty"), "", 0);
    refused(in(dir, "empty"), "too short");
    refused(dir, "no regular file");
    mkfifo(in(dir, "pipe"), 0600);
    refused(in(dir, "pipe"), "no regular file");
}

int main(void)
{
    const char *bad = getenv("BADDIR"), *fake = getenv("FAKEDIR");
    char command[64];

    if (!bad || !fake)
        skip_all("BADDIR and FAKEDIR are not set: run me with make check");
    if (!mkdtemp(dir))
        bail("mkdtemp");
    test_version();
    test_bad(bad);
    taken(in(fake, "device"), "fake");
    taken(in(fake, "ports"), "ports");
    taken(in(fake, "future"), "future");
    taken(in(fake, "wide"), "wide");
    test_files();
    snprintf(command, sizeof command, "rm -rf %s", dir);
    if (system(command))
        diag("%s is left", dir);
    return done_testing();
}
