/* SPDX-License-Identifier: BSD-2-Clause */
/* registry.h: which files are loaded, whose stage it is, and who is asked whether he can run. What
   is installed on this machine may be there, too. */
#include "t/lib/tap.h"

#include "core/plugin/registry.h"

#include <errno.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

static char dir[] = "/tmp/fecrun-registry-XXXXXX";
static char bad[PATH_MAX], fake[PATH_MAX];
static struct registry *r;
static struct diag error;

static const char *path(const char *format, ...) __attribute__((format(printf, 1, 2)));
static const char *path(const char *format, ...)
{
    static char text[8][2048];
    static unsigned turn;
    va_list args;

    turn = (turn + 1) % 8;
    va_start(args, format);
    vsnprintf(text[turn], sizeof text[turn], format, args);
    va_end(args);
    return text[turn];
}

/* A new one; the one before is closed. */
static bool open_with(const struct registry_options *options)
{
    registry_close(r);
    error = (struct diag){0};
    return !registry_open(&r, options, &error);
}

static bool open_files(const char *a, const char *b)
{
    const char *const files[] = {a, b, NULL};

    return open_with(&(struct registry_options){.files = files});
}

static bool open_dirs(const char *a, const char *b)
{
    const char *const dirs[] = {a, b, NULL};

    return open_with(&(struct registry_options){.dirs = dirs});
}

static const struct loaded *loaded(const char *name)
{
    for (size_t i = 0; i < r->n_files; i++) {
        const char *base = strrchr(r->files[i].path, '/');
        if (base && !strcmp(base + 1, name))
            return &r->files[i];
    }
    return NULL;
}

static const struct registry_backend *backend(const char *stage, const char *name)
{
    const struct registry_stage *entry = registry_find(r, stage);

    for (size_t b = 0; entry && b < entry->n_backends; b++)
        if (!strcmp(entry->backends[b].backend->name, name))
            return &entry->backends[b];
    bail("%s has no backend %s", stage, name);
}

/* ---- What is loaded ---- */

static void test_host(void)
{
    void *some;

    if (!ok(open_with(&(struct registry_options){0}), "no options: %s", error.text))
        return;
    ok(r->host.size == sizeof r->host && r->host.isa <= FECRUN_ISA_AVX512, "the host");
    some = r->host.alloc(&r->host, 1);
    ok(some && (uintptr_t)some % 64 == 0, "memory is aligned");
    r->host.free(&r->host, some);
    some = r->host.alloc(&r->host, 0);
    ok(some && (uintptr_t)some % 64 == 0, "no bytes are a piece, too");
    r->host.free(&r->host, some);
    r->host.free(&r->host, NULL);
    setenv("FECRUN_ISA", "avx9", 1);
    ok(!open_with(&(struct registry_options){0}) && !r, "an unknown instruction set");
    is_int(error.status, DIAG_USAGE, "is the user's error");
    is_str(error.text, "FECRUN_ISA=avx9: must be generic, avx2 or avx512", "and told");
    setenv("FECRUN_ISA", "generic", 1);
    ok(open_with(&(struct registry_options){0}) && r->host.isa == FECRUN_ISA_GENERIC,
       "a known one is a cap");
    unsetenv("FECRUN_ISA");
    registry_close(NULL);
}

static void test_tables(void)
{
    const struct registry_stage *pass;
    char text[96];
    size_t wrong = 0;

    if (!ok(open_dirs(fake, NULL), "a directory %s", error.text))
        return;
    for (size_t i = 0; i < r->n_stages; i++) {
        wrong += registry_find(r, r->stages[i].stage->name) != &r->stages[i];
        wrong += i && strcmp(r->stages[i - 1].stage->name, r->stages[i].stage->name) >= 0;
    }
    is_int(wrong, 0, "stages are sorted by name, no name is there twice");
    pass = registry_find(r, "null.pass");
    if (!ok(pass != NULL, "null.pass is found"))
        return;
    is_str(pass->plugin->plugin->name, "null", "with its plugin");
    ok(pass->n_backends == 1 && !strcmp(pass->backends[0].backend->name, "ref") &&
           !pass->backends[0].provider,
       "and its backend, for the host");
    ok(!registry_find(r, "null") && !registry_find(r, "null.pas") && !registry_find(r, ""),
       "no other name is");
    ok(registry_provider(r, "fake") && !registry_provider(r, "fak") && !registry_provider(r, ""),
       "the same for providers of devices");
    ok(backend("fake.flip", "fake")->provider == registry_provider(r, "fake")->provider &&
           registry_provider(r, "fake")->plugin == registry_find(r, "fake.flip")->plugin,
       "which backends know");
    is_str(registry_stage_hint(r, "null.pas", text, sizeof text), " (did you mean null.pass?)",
           "the nearest one is");
    is_str(registry_stage_hint(&(struct registry){0}, "null.pass", text, sizeof text), "",
           "no stages, no hint");
}

static void test_broken(void)
{
    static const struct {
        const char *file, *stage, *reason;
    } broken[] = {{"old_abi.so", "old_abi.pass", "was built for ABI"},
                  {"null_run.so", "null_run.pass", "backend ref lacks create, run or destroy"},
                  {"undefined.so", "undefined.pass", "undefined symbol"}};

    if (!ok(open_dirs(bad, NULL), "plugins that are broken are no failure %s", error.text))
        return;
    for (size_t i = 0; i < 3; i++) {
        const struct loaded *file = loaded(broken[i].file);
        ok(file && !file->plugin && strstr(file->reason, broken[i].reason), "%s: %s",
           broken[i].file, file ? file->reason : "not there");
        ok(!registry_find(r, broken[i].stage), "%s is none of the stages", broken[i].stage);
    }
    ok(registry_find(r, "libdep.pass") && loaded("libdep.so")->plugin, "the good ones are there");
}

/* ---- Who wins ---- */

static void copy_file(const char *from, const char *to)
{
    const char *command = path("cp '%s' '%s'", from, to);

    if (system(command))
        bail("%s", command);
}

static void test_first(void)
{
    size_t n;

    mkdir(path("%s/one", dir), 0700);
    mkdir(path("%s/two", dir), 0700);
    copy_file(path("%s/null.so", fake), path("%s/one/z.so", dir));
    copy_file(path("%s/null.so", fake), path("%s/two/a.so", dir));
    copy_file(path("%s/null.so", fake), path("%s/two/.hidden.so", dir));
    copy_file(path("%s/null.so", fake), path("%s/two/plain.txt", dir));
    open_with(&(struct registry_options){0});
    n = r->n_files;
    open_dirs(path("%s/one", dir), path("%s/two", dir));
    ok(r->n_files == n + 1 && loaded("z.so"), "of two plugins of a name the first one is loaded");
    open_dirs(path("%s/two", dir), path("%s/one", dir));
    ok(r->n_files == n + 1 && loaded("a.so"), "whichever that is; hidden and other files are not");
    {
        const char *const files[] = {path("%s/null.so", fake), NULL};
        const char *const dirs[] = {path("%s/one", dir), NULL};
        open_with(&(struct registry_options){.files = files, .dirs = dirs});
    }
    ok(r->n_files == n + 1 && loaded("null.so"), "files come before directories");
    if (symlink(path("%s/null.so", fake), path("%s/two/link.so", dir)))
        bail("symlink");
    open_files(path("%s/two/link.so", dir), path("%s/../fake/null.so", fake));
    ok(r->n_files == n + 1 && loaded("null.so"), "one file by two names is one, by its real name");
}

static unsigned entries(const char *name)
{
    unsigned n = 0;

    for (size_t i = 0; i < r->n_stages; i++)
        n += !strcmp(r->stages[i].stage->name, name);
    return n;
}

static void test_stages(void)
{
    const char *null = path("%s/null.so", fake), *second = path("%s/second/second.so", fake);

    open_files(null, second);
    is_int(entries("null.pass"), 1, "one stage of a name");
    is_str(registry_find(r, "null.pass")->plugin->plugin->name, "null", "a stage of two plugins");
    is_int(registry_find(r, "null.pass")->n_backends, 1, "is the first one's");
    is_str(registry_find(r, "second.pass")->plugin->plugin->name, "second",
           "the other plugin's other stages are there");
    open_files(second, null);
    is_str(registry_find(r, "null.pass")->plugin->plugin->name, "second", "the other way round");
    is_int(registry_find(r, "null.pass")->n_backends, 2, "with all of its backends");
}

static void test_path(void)
{
    size_t n;

    ok(!open_dirs(fake, "/nowhere") && !r, "a directory that is not there");
    is_int(error.status, DIAG_USAGE, "is the user's error");
    is_str(error.text, "--plugin-dir /nowhere: cannot be read: No such file or directory",
           "and told");
    open_with(&(struct registry_options){0});
    n = r->n_files;
    setenv("FECRUN_PLUGIN_PATH", path("::/nowhere:%s/one::%s/two:", dir, dir), 1);
    ok(open_with(&(struct registry_options){0}), "FECRUN_PLUGIN_PATH may name some");
    ok(r->n_files == n + 1 && loaded("z.so"), "its directories are searched in order");
    open_dirs(path("%s/two", dir), NULL);
    ok(r->n_files == n + 1 && loaded("a.so"), "after those of the options");
    setenv("FECRUN_PLUGIN_PATH", "", 1);
    ok(open_with(&(struct registry_options){0}) && r->n_files == n, "it may be empty");
    unsetenv("FECRUN_PLUGIN_PATH");
}

/* ---- Probes ---- */

/* Lines that providers have left in the file. */
static unsigned probes(void)
{
    FILE *file = fopen(path("%s/probes", dir), "r");
    unsigned n = 0;

    for (int c; file && (c = getc(file)) != EOF;)
        n += c == '\n';
    if (file)
        fclose(file);
    return n;
}

static int only_ref(void *data, const struct registry_stage *stage,
                    const struct registry_backend *entry)
{
    (*(unsigned *)data)++;
    return !strcmp(entry->backend->name, "ref") && !strncmp(stage->stage->name, "fake.", 5)
               ? 0
               : REGISTRY_NOT;
}

static int only_flip(void *data, const struct registry_stage *stage,
                     const struct registry_backend *entry)
{
    (void)data, (void)entry;
    return strcmp(stage->stage->name, "fake.flip") ? REGISTRY_NOT : 0;
}

static void test_probe(void)
{
    const struct registry_provider *provider;
    unsigned asked = 0, backends = 0;

    setenv("FAKE_PROBES", path("%s/probes", dir), 1);
    open_files(path("%s/device.so", fake), NULL);
    provider = registry_provider(r, "fake");
    for (size_t s = 0; s < r->n_stages; s++)
        backends += (unsigned)r->stages[s].n_backends;
    ok(!backend("fake.flip", "ref")->probed && !backend("fake.flip", "ref")->available &&
           !provider->probed && !provider->answer.available,
       "nobody is asked yet, so nobody can");
    ok(!registry_probe(r, only_ref, &asked, &error), "a filter %s", error.text);
    is_int(asked, backends, "sees every backend once");
    ok(backend("fake.flip", "ref")->probed && backend("fake.flip", "ref")->available,
       "those that it wants are asked");
    ok(!backend("fake.flip", "fake")->probed && !provider->probed && !probes(),
       "others are not, nor their device");
    registry_probe(r, only_flip, NULL, &error);
    ok(backend("fake.flip", "fake")->available && backend("fake.flip", "fake")->probed,
       "asked for later");
    ok(provider->probed && provider->answer.available && provider->answer.devices == 1 &&
           probes() == 1,
       "its device is asked then");
    is_str(provider->answer.software, "fake driver 1.2", "its software");
    is_str(provider->answer.description[0], "imaginary accelerator 0", "and what it is");
    ok(!backend("fake.reverse", "fake")->probed, "other stages of the device still wait");
    registry_probe(r, NULL, NULL, &error);
    ok(backend("fake.reverse", "fake")->available && backend("fake.scale", "fake")->available,
       "no filter: all are asked");
    is_int(probes(), 1, "the device keeps its answer");
    unsetenv("FAKE_PROBES");
}

static void test_reasons(void)
{
    const char *const files[] = {path("%s/probe_refuse.so", bad), path("%s/second/second.so", fake),
                                 NULL};

    if (!ok(open_with(&(struct registry_options){.files = files}) &&
                !registry_probe(r, NULL, NULL, &error),
            "all are asked %s", error.text))
        return;
    ok(backend("probe_refuse.pass", "ref")->available &&
           backend("probe_refuse.pass", "ref")->probed,
       "a backend without probe() can run");
    ok(!backend("probe_refuse.pass", "fast")->available, "one that says no cannot");
    is_str(backend("probe_refuse.pass", "fast")->reason, "it is Sunday", "and why");
    ok(!backend("second.pass", "lost")->available && !backend("second.pass", "lost")->provider,
       "one for devices of nobody's");
    is_str(backend("second.pass", "lost")->reason, "no plugin provides `nowhere` devices",
           "is told so");
}

static void test_asleep(void)
{
    /* a copy: answers are kept for the life of the process */
    copy_file(path("%s/device.so", fake), path("%s/one/asleep.so", dir));
    setenv("FAKE_FAIL", "probe", 1);
    open_files(path("%s/one/asleep.so", dir), NULL);
    registry_probe(r, NULL, NULL, &error);
    ok(!registry_provider(r, "fake")->answer.available, "a device that cannot be used");
    is_str(registry_provider(r, "fake")->answer.reason, "the fake driver is asleep", "and why");
    ok(!backend("fake.flip", "fake")->available, "takes its backends along");
    is_str(backend("fake.flip", "fake")->reason, "the fake driver is asleep", "for that reason");
    ok(backend("fake.flip", "ref")->available, "but not those of the host");
    unsetenv("FAKE_FAIL");
}

/* ---- A program's quarantine ---- */

struct trial {
    unsigned files, loads, asked;
    bool cannot;
};

/* Refuses null.so; loads another file in the place of tried.so. */
static int trial_load(void *data, struct loaded *files, size_t n, struct diag *diag)
{
    struct trial *trial = data;
    int status = 0;

    trial->loads++;
    if (trial->cannot)
        return diag_fail(diag, DIAG_RUN, "no children today");
    for (size_t i = 0; i < n; i++) {
        trial->files += !files[i].handle;
        if (strstr(files[i].path, "/null.so"))
            strcpy(files[i].reason, "was refused");
        if (strstr(files[i].path, "/tried.so"))
            status = loader_open(&files[i], path("%s/libdep.so", bad), diag);
    }
    return status;
}

static int trial_ask(void *data, const struct fecrun_host *host, struct probe *probes, size_t n)
{
    struct trial *trial = data;

    for (size_t i = 0; i < n; i++) {
        probe_ask(host, probes, i);
        if (!probes[i].backend)
            strcpy(probes[i].answer.software, "asked elsewhere");
    }
    trial->asked += (unsigned)n;
    errno = EMFILE;
    return trial->cannot ? -1 : 0;
}

static void test_quarantine(void)
{
    struct trial trial = {0};
    const struct quarantine quarantine = {&trial, trial_load, trial_ask};
    const char *const files[] = {path("%s/null.so", fake), path("%s/two/tried.so", dir), NULL};
    const struct registry_options options = {.files = files, .quarantine = &quarantine};

    copy_file(path("%s/second/second.so", fake), path("%s/two/tried.so", dir));
    if (!ok(open_with(&options), "with a quarantine %s", error.text))
        return;
    ok(trial.loads == 1 && trial.files >= r->n_files && trial.files >= 2,
       "it sees all files, before the first is loaded");
    is_str(loaded("null.so")->reason, "was refused", "a file that it refuses");
    ok(!loaded("null.so")->plugin && !loaded("null.so")->handle, "is not loaded");
    ok(registry_find(r, "libdep.pass") && !registry_find(r, "second.pass"),
       "of one that it has loaded, what it has loaded counts");
    trial.cannot = true;
    ok(!open_with(&options) && !r && error.status == DIAG_RUN, "it may fail");
    is_str(error.text, "no children today", "with its words");
}

/* Copies: answers are kept for the life of the process. */
static void test_asked_elsewhere(void)
{
    struct trial trial = {0};
    const struct quarantine quarantine = {&trial, trial_load, trial_ask};
    const char *files[] = {path("%s/one/elsewhere.so", dir), NULL};
    const struct registry_options options = {.files = files, .quarantine = &quarantine};

    copy_file(path("%s/device.so", fake), path("%s/one/elsewhere.so", dir));
    ok(open_with(&options) && !registry_probe(r, only_flip, NULL, &error),
       "a quarantine is asked %s", error.text);
    is_int(trial.asked, 2, "the provider, and a backend with a probe or a provider");
    is_str(registry_provider(r, "fake")->answer.software, "asked elsewhere", "its answer counts");
    ok(backend("fake.flip", "fake")->available, "for the provider's backends, too");
    trial.cannot = true;
    ok(registry_probe(r, NULL, NULL, &error) && error.status == DIAG_RUN, "it may fail");
    is_str(error.text, "cannot ask backends whether they can run here: Too many open files",
           "errno says why");

    trial = (struct trial){0};
    files[0] = path("%s/one/started.so", dir);
    copy_file(path("%s/device.so", fake), path("%s/one/started.so", dir));
    setenv("FAKE_STARTED", "1", 1);
    ok(open_with(&options) && !registry_probe(r, only_flip, NULL, &error) && !trial.asked &&
           backend("fake.flip", "fake")->available,
       "a driver that runs in this process is asked here");
    unsetenv("FAKE_STARTED");
}

/* ---- Names of backends ---- */

static const char *hint(const char *name)
{
    static char text[64];

    return registry_backend_hint(r, name, text, sizeof text);
}

static void test_backends(void)
{
    struct registry none = {0};
    char text[64];
    size_t n;

    ok(!registry_knows_backend(&none, "ref") && !registry_knows_backend(&none, "cuda"),
       "without a plugin no name is known");
    is_str(registry_backend_hint(&none, "cuda", text, sizeof text), "", "and none is meant");
    open_files(path("%s/device.so", fake), path("%s/cuda/row.so", fake));
    ok(registry_knows_backend(r, "ref") && registry_knows_backend(r, "fake"),
       "plugins bring names along");
    ok(registry_knows_backend(r, "cuda"), "also of what cannot run here");
    ok(!registry_knows_backend(r, "fak") && !registry_knows_backend(r, ""), "no others are known");
    is_str(hint("fakee"), " (did you mean fake?)", "one that may have been meant");
    is_str(hint("something else"), "", "none");
    n = r->n_stages;
    r->n_stages = 0;
    ok(registry_knows_backend(r, "fake"), "a device provider's name is known without a stage, too");
    r->n_stages = n;
}

int main(void)
{
    if (!getenv("BADDIR") || !getenv("FAKEDIR"))
        skip_all("BADDIR and FAKEDIR are not set: run me with make check");
    if (!realpath(getenv("BADDIR"), bad) || !realpath(getenv("FAKEDIR"), fake) || !mkdtemp(dir))
        bail("no directories");
    test_host();
    test_tables();
    test_broken();
    test_first();
    test_stages();
    test_path();
    test_probe();
    test_reasons();
    test_asleep();
    test_quarantine();
    test_asked_elsewhere();
    test_backends();
    registry_close(r);
    if (system(path("rm -rf %s", dir)))
        diag("%s is left", dir);
    return done_testing();
}
