/* SPDX-License-Identifier: BSD-2-Clause */
/* fecrun-check: which plugins, stages and backends, and one child process for each. */
#include <stdio.h>

#include "tools/check/check.h"

#include "tools/check/check_impl.h"

#include "core/base/sanitized.h"
#include "tools/quarantine/quarantine.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "unknown"
#endif

/* ---- Repeating a failure ---- */

struct command {
    char text[1500];
};

/* Single quotes, unless nothing in it needs them. */
static void put_word(struct command *command, const char *word)
{
    size_t used = strlen(command->text), room = sizeof command->text - used;

    if (word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=-")])
        snprintf(command->text + used, room, " '%s'", word);
    else
        snprintf(command->text + used, room, " %s", word);
}

static void put_option(struct command *command, const char *name, const char *value)
{
    put_word(command, name);
    put_word(command, value);
}

static struct command again(const struct check_options *o, const struct loaded *file,
                            const char *stage, const char *backend)
{
    struct command command = {"fecrun-check"};
    char seed[32], seconds[32];

    snprintf(seed, sizeof seed, "%llu", (unsigned long long)o->seed);
    snprintf(seconds, sizeof seconds, "%g", o->seconds);
    put_option(&command, "--seed", seed);
    put_option(&command, "--seconds", seconds);
    if (o->only_cases)
        put_word(&command, "--only-cases");
    if (o->threads)
        put_word(&command, "--threads");
    if (stage)
        put_option(&command, "--stage", stage);
    if (backend)
        put_option(&command, "--backend", backend);
    for (size_t i = 0; o->dirs[i]; i++)
        put_option(&command, "--plugin-dir", o->dirs[i]);
    for (size_t i = 0; o->cases[i]; i++)
        put_option(&command, "--case", o->cases[i]);
    put_word(&command, file->path);
    return command;
}

/* ---- Backends ---- */

/* Is the name in the comma list of FECRUN_REQUIRE? */
static bool is_required(const char *name)
{
    const char *list = getenv("FECRUN_REQUIRE");
    size_t n = name ? strlen(name) : 0;

    while (list && n && *list) {
        size_t length = strcspn(list, ",");

        if (length == n && !strncmp(list, name, n))
            return true;
        list += length + (list[length] == ',');
    }
    return false;
}

/* A probe has to answer, and a "no" needs a reason: registry_open() puts it this way. */
static bool probe_failed(const struct registry_backend *backend)
{
    return !strncmp(backend->reason, "its probe", 9);
}

/* It cannot run here, which FECRUN_REQUIRE does not accept. */
static bool is_missing(const struct registry_backend *backend)
{
    return !backend->available &&
           (is_required(backend->backend->name) || is_required(backend->backend->provider));
}

static void check_backend(struct check *check, const struct registry_backend *backend)
{
    const char *stage = check->stage->stage->name, *name = backend->backend->name;
    struct command command = again(check->options, check->stage->plugin, stage, name);
    char label[160];

    snprintf(label, sizeof label, "%s %s", stage, name);
    check->backend = backend;
    if (backend->available && check->stage->stage->flags & FECRUN_STAGE_BOUND)
        tap_skip("its run() is never called: a program binds memory in its place", "%s", label);
    else if (backend->available)
        check_child(check->options, label, command.text, check_backend_child, check, NULL);
    else if (is_missing(backend) || probe_failed(backend))
        tap_ok(false, "%s: %s", label, backend->reason);
    else
        tap_skip(backend->reason, "%s", label);
    check->backend = NULL;
}

/* ---- Stages ---- */

static void check_stage(struct check *check)
{
    const struct check_options *options = check->options;
    const char *name = check->stage->stage->name;
    struct command command = again(options, check->stage->plugin, name, NULL);

    check->hint = 0;
    check_child(options, name, command.text, check_meta_child, check, NULL);
    if (!check_stage_has_cases(check)) {
        tap_skip("needs a file, or parameters: give a --case", "%s", name);
        for (size_t b = 0; b < check->stage->n_backends; b++)
            if (is_missing(&check->stage->backends[b]))
                check_backend(check, &check->stage->backends[b]);
        return;
    }
    check_child(options, name, command.text, check_stage_child, check, &check->hint);
    for (size_t b = 0; b < check->stage->n_backends; b++)
        if (!options->backend || !strcmp(options->backend, check->stage->backends[b].backend->name))
            check_backend(check, &check->stage->backends[b]);
}

/* ---- Plugins ---- */

enum { MOST_EACH = 5, MOST_FILE = 25 /* seconds, about: of a backend, of a file's */ };

struct plugin_check {
    const struct registry *registry;
    const struct loaded *file;
};

static void check_plugin_child(void *data, struct check_report *report)
{
    const struct plugin_check *check = data;

    report->group[0].what = "plugin";
    check_now(report, "the plugin's own fields");
    check_meta_plugin(report, check->registry, check->file);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static void list_file(const struct check_options *options, const struct registry *registry,
                      const struct loaded *file)
{
    printf("%s: %s\n", file->path, file->plugin ? "" : file->reason);
    for (size_t s = 0; s < registry->n_stages; s++) {
        const struct registry_stage *stage = &registry->stages[s];

        if (stage->plugin != file || (options->stage && strcmp(options->stage, stage->stage->name)))
            continue;
        for (size_t b = 0; b < stage->n_backends; b++)
            printf("  %s %s%s%s\n", stage->stage->name, stage->backends[b].backend->name,
                   stage->backends[b].available ? "" : ": ", stage->backends[b].reason);
    }
}

static bool is_wanted(const struct check_options *options, const struct registry_stage *stage,
                      size_t backend)
{
    return stage->backends[backend].available &&
           (!options->stage || !strcmp(options->stage, stage->stage->name)) &&
           (!options->backend || !strcmp(options->backend, stage->backends[backend].backend->name));
}

/* Seconds for each backend of a file, so that all of it takes less than a minute. */
static double share_time(const struct check_options *options, const struct registry *registry,
                         const struct loaded *file)
{
    double n = 0;

    if (options->seconds > 0)
        return options->seconds;
    for (size_t s = 0; s < registry->n_stages; s++)
        for (size_t b = 0; b < registry->stages[s].n_backends; b++)
            n += registry->stages[s].plugin == file && is_wanted(options, &registry->stages[s], b);
    return n * MOST_EACH > MOST_FILE ? MOST_FILE / n : MOST_EACH;
}

static void check_file(const struct check_options *given, const struct registry *registry,
                       const struct loaded *file)
{
    struct check_options own = *given, *options = &own;
    struct plugin_check plugin = {registry, file};
    struct check check = {.options = options, .registry = registry};
    struct command command;

    own.seconds = share_time(given, registry, file);
    command = again(options, file, NULL, NULL);
    if (!tap_ok(file->plugin != NULL, "%s: loads", base_name(file->path))) {
        tap_diag("  %s: %s", file->path, file->reason);
        return;
    }
    tap_diag("%s: plugin %s %s, %s", file->path, file->plugin->name, file->plugin->version,
             file->plugin->license);
    if (!options->stage)
        check_child(options, base_name(file->path), command.text, check_plugin_child, &plugin,
                    NULL);
    for (size_t s = 0; s < registry->n_stages; s++) {
        check.stage = &registry->stages[s];
        if (check.stage->plugin == file &&
            (!options->stage || !strcmp(options->stage, check.stage->stage->name)))
            check_stage(&check);
    }
}

/* ---- Files ---- */

static const struct loaded *find_file(const struct registry *registry, const char *path)
{
    char full[PATH_MAX];

    if (!realpath(path, full))
        snprintf(full, sizeof full, "%s", path);
    for (size_t i = 0; i < registry->n_files; i++)
        if (!strcmp(registry->files[i].path, full))
            return &registry->files[i];
    return NULL;
}

static void check_given(const struct check_options *options, const struct registry *registry)
{
    for (size_t i = 0; options->files[i]; i++) {
        const struct loaded *file = find_file(registry, options->files[i]);

        if (!file)
            tap_ok(false, "%s: a plugin of the same name came before it", options->files[i]);
        else if (options->list)
            list_file(options, registry, file);
        else
            check_file(options, registry, file);
    }
}

static void check_all(const struct check_options *options, const struct registry *registry)
{
    for (size_t i = 0; i < registry->n_files; i++) {
        if (options->list)
            list_file(options, registry, &registry->files[i]);
        else
            check_file(options, registry, &registry->files[i]);
    }
    if (!registry->n_files)
        tap_ok(false, "there is no plugin in the search path");
}

/* A file whose constructors crash must not take this process with it. */
static void drop_deadly(struct check_options *options)
{
    const char **to = options->files;

    for (const char **from = options->files; *from; from++) {
        char reason[256];

        if (check_trial_load(*from, options->timeout, reason, sizeof reason))
            *to++ = *from;
        else
            tap_ok(false, "%s: loads: %s", base_name(*from), reason);
    }
    *to = NULL;
}

/* --stage and --backend that name nothing would pass for a success. */
static int check_case_names(const struct check_options *options, const struct registry *registry,
                            struct diag *diag)
{
    for (size_t i = 0; options->cases[i]; i++) {
        char name[96];

        snprintf(name, sizeof name, "%.*s", (int)strcspn(options->cases[i], ":"),
                 options->cases[i]);
        if (!strchr(options->cases[i], ':') || !registry_find(registry, name))
            return diag_fail(diag, DIAG_USAGE,
                             "--case '%s': must be 'STAGE: {MAP}', with a stage that exists",
                             options->cases[i]);
    }
    return 0;
}

static int check_names(const struct check_options *options, const struct registry *registry,
                       struct diag *diag)
{
    char hint[64];
    int status = 0;

    if (options->stage && !registry_find(registry, options->stage))
        status = diag_fail(diag, DIAG_USAGE, "--stage %s: no such stage%s", options->stage,
                           registry_stage_hint(registry, options->stage, hint, sizeof hint));
    if (!status && options->backend && !registry_knows_backend(registry, options->backend))
        status = diag_fail(diag, DIAG_USAGE, "--backend %s: no stage has it", options->backend);
    return status ? status : check_case_names(options, registry, diag);
}

static int run(struct check_options *options, struct diag *diag)
{
    static const struct quarantine quarantine = {.load = quarantine_load, .ask = quarantine_ask};
    const struct registry_options search = {
        .dirs = options->dirs, .files = options->files, .quarantine = &quarantine};
    struct registry *registry;
    bool given = options->files[0] != NULL;

    if (!options->list)
        printf("TAP version 13\n");
    drop_deadly(options);
    if (registry_open(&registry, &search, diag))
        return -1;
    if (registry_probe(registry, NULL, NULL, diag) || check_names(options, registry, diag)) {
        registry_close(registry);
        return -1;
    }
    if (given)
        check_given(options, registry);
    else
        check_all(options, registry);
    registry_close(registry);
    return 0;
}

/* Whoever looks on from inside (a sanitizer, coverage, what is preloaded) has work at the end. */
static bool is_watched(void)
{
    extern void __gcov_dump(void) __attribute__((weak));

#ifdef SANITIZED
    return true;
#endif
    return __gcov_dump || getenv("LD_PRELOAD");
}

/* Destructors of plugins do not run: they could hang, or end with another status. */
static int end(int status)
{
    if ((fflush(stdout) || ferror(stdout)) && !status) {
        fprintf(stderr, "fecrun-check: standard output: %s\n", strerror(errno ? errno : EIO));
        status = DIAG_RUN;
    }
    if (!is_watched())
        _exit(status);
    return status;
}

int main(int argc, char **argv)
{
    struct check_options options;
    struct diag diag = {0};
    int status;

    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
            check_usage(stdout);
            return 0;
        }
        if (!strcmp(argv[i], "--version")) {
            printf("fecrun-check %s (plugin ABI %d)\n", PACKAGE_VERSION, FECRUN_ABI);
            return 0;
        }
    }
    if (check_options_read(&options, argc, argv, &diag) || run(&options, &diag)) {
        fflush(stdout);
        fprintf(stderr, "fecrun-check: %s\n", diag.text);
        status = diag.status;
    } else {
        status = options.list ? 0 : tap_end();
    }
    check_options_free(&options);
    return end(status);
}
