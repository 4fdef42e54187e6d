/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dladdr, secure_getenv */
#endif
#include "core/plugin/search.h"

#include "core/base/array.h"
#include <fecrun/plugin.h>

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef FECRUN_PLUGINDIR
#define FECRUN_PLUGINDIR "/usr/local/lib/fecrun/3"
#endif

/* Who may have put a directory there, and what is asked of it. */
enum trust {
    NAMED,     /* for this run: whatever it is */
    INSTALLED, /* with the program: its owner could as well have changed the program */
    FOUND,     /* by the environment */
};

/* NULL: nobody else can have written it. A group of one's own is the rule where umask is 002. */
static const char *why_not(const struct stat *st, enum trust trust)
{
    if (trust == NAMED)
        return NULL;
    if (st->st_mode & S_IWOTH)
        return "everybody can write it";
    if (trust == INSTALLED)
        return NULL;
    if (st->st_uid != 0 && st->st_uid != geteuid())
        return "it belongs to another user";
    if (st->st_mode & S_IWGRP && st->st_gid != 0 && st->st_gid != getegid())
        return "another group can write it";
    return NULL;
}

static int add(struct registry *registry, const char *path, const char *why, struct diag *diag)
{
    struct loaded *file;
    char full[PATH_MAX];

    if (!realpath(path, full)) {
        if (errno == ENOMEM)
            return diag_no_memory(diag);
        snprintf(full, sizeof full, "%s", path);
    }
    for (size_t i = 0; i < registry->n_files; i++)
        if (!strcmp(registry->files[i].path, full))
            return 0;
    if (array_grow(&registry->files, registry->n_files, sizeof *registry->files))
        return diag_no_memory(diag);
    file = &registry->files[registry->n_files];
    *file = (struct loaded){.path = strdup(full)};
    if (!file->path)
        return diag_no_memory(diag);
    if (why)
        snprintf(file->reason, sizeof file->reason,
                 "%s; --plugin-dir loads from its directory all the same", why);
    registry->n_files++;
    return 0;
}

static int add_file(struct registry *registry, const char *path, enum trust trust,
                    struct diag *diag)
{
    struct stat st;

    return add(registry, path, stat(path, &st) ? NULL : why_not(&st, trust), diag);
}

static int is_plugin_file(const struct dirent *entry)
{
    size_t n = strlen(entry->d_name);

    return n > 3 && entry->d_name[0] != '.' && !strcmp(entry->d_name + n - 3, ".so");
}

/* A directory that is not there is no error: the search path may name some that come later. */
static int add_dir(struct registry *registry, const char *dir, enum trust trust, struct diag *diag)
{
    struct dirent **entries;
    int n = scandir(dir, &entries, is_plugin_file, alphasort), status = 0;
    const char *why = NULL;
    char path[PATH_MAX];
    struct stat st;

    if (n < 0 && errno != ENOENT && errno != ENOTDIR && errno != EACCES)
        return diag_fail(diag, DIAG_RUN, "%s: cannot be read: %s", dir, strerror(errno));
    if (n > 0 && !stat(dir, &st) && (why = why_not(&st, trust)))
        status = add(registry, dir, why, diag);
    for (int i = 0; i < n; i++) {
        if (!status && !why &&
            snprintf(path, sizeof path, "%s/%s", dir, entries[i]->d_name) < (int)sizeof path)
            status = add_file(registry, path, trust, diag);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    return status;
}

static int add_path_list(struct registry *registry, const char *list, struct diag *diag)
{
    char dir[PATH_MAX];

    while (list && *list) {
        size_t n = strcspn(list, ":");
        if (n && n < sizeof dir) {
            memcpy(dir, list, n);
            dir[n] = 0;
            if (add_dir(registry, dir, FOUND, diag))
                return -1;
        }
        list += n + (list[n] == ':');
    }
    return 0;
}

/* lib/fecrun/3 in the build tree, ../lib/fecrun/3 of a tree that was moved after installation */
static int add_beside_program(struct registry *registry, struct diag *diag)
{
    char self[PATH_MAX], dir[PATH_MAX + 32];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);

    if (n < 0 && diag_of_open(errno) == DIAG_RUN)
        return diag_fail(diag, DIAG_RUN, "/proc/self/exe: cannot be read: %s", strerror(errno));
    if (n <= 0) /* no /proc */
        return 0;
    self[n] = 0;
    snprintf(dir, sizeof dir, "%s/lib/fecrun/%d", dirname(self), FECRUN_ABI);
    if (add_dir(registry, dir, INSTALLED, diag))
        return -1;
    snprintf(dir, sizeof dir, "%s/../lib/fecrun/%d", self, FECRUN_ABI);
    return add_dir(registry, dir, INSTALLED, diag);
}

/* fecrun/3 beside libfecrun, wherever another program has loaded it from. */
static int add_beside_library(struct registry *registry, struct diag *diag)
{
    const char *slash;
    char dir[PATH_MAX];
    Dl_info info;

    if (!dladdr((const void *)(uintptr_t)add_beside_library, &info) || !info.dli_fname ||
        !(slash = strrchr(info.dli_fname, '/')) ||
        snprintf(dir, sizeof dir, "%.*s/fecrun/%d", (int)(slash - info.dli_fname), info.dli_fname,
                 FECRUN_ABI) >= (int)sizeof dir)
        return 0;
    return add_dir(registry, dir, INSTALLED, diag);
}

int search_plugins(struct registry *registry, const struct registry_options *options,
                   struct diag *diag)
{
    for (size_t i = 0; options->files && options->files[i]; i++)
        if (add_file(registry, options->files[i], NAMED, diag))
            return -1;
    for (size_t i = 0; options->dirs && options->dirs[i]; i++) {
        if (access(options->dirs[i], R_OK | X_OK))
            return diag_fail(diag, diag_of_open(errno), "--plugin-dir %s: cannot be read: %s",
                             options->dirs[i], strerror(errno));
        if (add_dir(registry, options->dirs[i], NAMED, diag))
            return -1;
    }
    if (add_path_list(registry, secure_getenv("FECRUN_PLUGIN_PATH"), diag) ||
        add_beside_program(registry, diag) || add_beside_library(registry, diag))
        return -1;
    return add_dir(registry, FECRUN_PLUGINDIR, INSTALLED, diag);
}
