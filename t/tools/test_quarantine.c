/* SPDX-License-Identifier: BSD-2-Clause */
/* What fecrun and fecrun-check do before they load plugins and ask backends: t/core/plugins.t sees the same from outside. */
#include "t/lib/tap.h"

#include "core/plugin/registry.h"
#include "tools/quarantine/quarantine.h"
#include "tools/quarantine/same.h"

#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

static char bad[PATH_MAX];

static char *path(const char *name)
{
    static char text[8][PATH_MAX + 64];
    static unsigned turn;

    turn = (turn + 1) % 8;
    snprintf(text[turn], sizeof text[turn], "%s/%s", bad, name);
    return text[turn];
}

/* ---- Loading ---- */

static bool recall(void *data, const char *file, const struct stat *st, char *reason, size_t size)
{
    (void)data;
    if (!strstr(file, "/null_run.so"))
        return false;
    snprintf(reason, size, "is remembered: %d", st->st_size > 0);
    return true;
}

static void test_load(void)
{
    static const char *const names[] = {"early/crashes.so", "early/exits.so", "early/prints.so",
                                        "libdep.so",        "null_run.so",    "no_such.so"};
    static const char *const reasons[] = {"crashed (",
                                          "ended the process while it was loaded",
                                          "prints something while it is loaded",
                                          "",
                                          "is remembered: 1",
                                          ""}; /* left to dlopen() */
    const struct quarantine_memory memory = {.recall = recall};
    struct loaded files[6] = {0};
    struct diag diag = {0};

    for (size_t i = 0; i < 6; i++)
        files[i] = (struct loaded){.path = path(names[i])};
    is_int(quarantine_load((void *)&memory, files, 6, &diag), 0, "files are tried");
    for (size_t i = 0; i < 6; i++)
        ok(!strncmp(files[i].reason, reasons[i], strlen(reasons[i])) &&
               !files[i].reason[0] == !reasons[i][0],
           "%s: `%s`", names[i], files[i].reason);
    for (size_t i = 0; i < 6; i++)
        ok(!files[i].handle == (i != 3) && !files[i].plugin == (i != 3), "%s is%s loaded here",
           names[i], i == 3 ? "" : " not");
}

/* Cut where a copy may have been interrupted. What is left may even be enough. */
static void test_cut(void)
{
    char dir[] = "/tmp/fecrun-quarantine-XXXXXX", at[64], *data;
    FILE *good = fopen(path("libdep.so"), "rb");
    size_t size = 0, cuts = 0, refused = 0;
    struct diag diag = {0};
    struct stat st;

    if (!good || fstat(fileno(good), &st) || !mkdtemp(dir) ||
        !(data = malloc(size = (size_t)st.st_size)) || fread(data, 1, size, good) != size)
        bail("libdep.so");
    fclose(good);
    for (size_t n = 1; n < size; n += n < 4096 ? 97 : size / 61 + 1, cuts++) {
        struct loaded file = {.path = at};
        FILE *cut;
        int fd;
        snprintf(at, sizeof at, "%s/cut%zu.so", dir, n);
        if (!(cut = fopen(at, "wb")) || fwrite(data, 1, n, cut) != n || fclose(cut) ||
            (fd = open(at, O_RDONLY)) < 0)
            bail("%s", at);
        if (same_load(&file, fd, &diag) || (!file.plugin && !file.reason[0]))
            ok(false, "cut at byte %zu", n);
        refused += !strncmp(file.reason, "truncated: it ends ", 19);
        close(fd);
        unlink(at);
    }
    ok(cuts > 60 && refused > 20, "%zu files that were cut do no harm", cuts);
    rmdir(dir);
    free(data);
}

/* Another file comes to lie at the path of one that is open. */
static void test_replaced(void)
{
    static const struct {
        const char *file, *reason;
    } rows[] = {{"libdep.so", ""}, /* the open one is loaded */
                {"in_dependency.so", "was replaced while it was tried"}};
    char dir[] = "/tmp/fecrun-quarantine-XXXXXX", at[64];
    struct diag diag = {0};

    if (!mkdtemp(dir))
        bail("mkdtemp");
    snprintf(at, sizeof at, "%s/some.so", dir);
    for (size_t i = 0; i < 2; i++) {
        struct loaded file = {.path = at};
        int fd;
        if (symlink(path(rows[i].file), at) || (fd = open(at, O_RDONLY)) < 0 || unlink(at) ||
            symlink(path("early/crashes.so"), at))
            bail("%s", at);
        is_int(same_load(&file, fd, &diag), 0, "%s, replaced", rows[i].file);
        is_str(file.reason, rows[i].reason, "why it is not loaded");
        ok(!file.plugin == (i == 1), "it is loaded or not");
        close(fd);
        unlink(at);
    }
    rmdir(dir);
}

/* ---- Asking ---- */

static const struct registry_backend *fast(const struct registry *r, const char *stage)
{
    const struct registry_stage *entry = registry_find(r, stage);
    const struct registry_backend *found = entry ? registry_backend(entry, "fast") : NULL;

    if (!found)
        bail("%s has no backend fast", stage);
    return found;
}

static void test_ask(void)
{
    static const struct quarantine quarantine = {.load = quarantine_load, .ask = quarantine_ask};
    const char *const files[] = {path("probe_crash.so"), path("probe_exit.so"),
                                 path("probe_refuse.so"), NULL};
    struct registry *r;
    struct diag diag = {0};

    if (!is_int(registry_open(&r,
                              &(struct registry_options){.files = files, .quarantine = &quarantine},
                              &diag),
                0, "a registry with a quarantine %s", diag.text) ||
        !is_int(registry_probe(r, NULL, NULL, &diag), 0, "asks it %s", diag.text))
        return;
    ok(!fast(r, "probe_crash.pass")->available &&
           strstr(fast(r, "probe_crash.pass")->reason, "its probe crashed"),
       "a probe that crashes: %s", fast(r, "probe_crash.pass")->reason);
    is_str(fast(r, "probe_exit.pass")->reason, "its probe ended the process", "one that exits");
    is_str(fast(r, "probe_refuse.pass")->reason, "it is Sunday", "one after them is asked");
    registry_close(r);
}

/* An object that is loaded by two names keeps the last one; the first is lost, as the loader frees none. */
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
    return "leak:loader_open\n";
}

int main(void)
{
    if (!getenv("BADDIR"))
        skip_all("BADDIR is not set: run me with make check");
    if (!realpath(getenv("BADDIR"), bad))
        bail("no directory");
    test_load();
    test_cut();
    test_replaced();
    test_ask();
    return done_testing();
}
