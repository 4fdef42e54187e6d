/* SPDX-License-Identifier: BSD-2-Clause */
/* Resolves paths in a pipeline, and checks that they are in the allowed directory. */
#include "core/value/param.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char *join(const char *base_dir, const char *text)
{
    const size_t n = base_dir ? strlen(base_dir) : 0;
    char *path;

    if (!base_dir || !strcmp(base_dir, ".") || text[0] == '/' || !strcmp(text, "-"))
        return strdup(text);
    path = malloc(n + strlen(text) + 2);
    if (path)
        sprintf(path, "%s%s%s", base_dir, n && base_dir[n - 1] == '/' ? "" : "/", text);
    return path;
}

/* The path without symbolic links, also of a file that is not there yet, in an existing directory.
   NULL and errno. */
static char *resolve(const char *path)
{
    const char *slash = strrchr(path, '/'), *leaf = slash ? slash + 1 : path;
    char real[PATH_MAX], *dir, *made = NULL;
    struct stat st;

    if ((made = realpath(path, NULL)) || errno != ENOENT)
        return made;
    if (!lstat(path, &st)) /* a link to nothing: whoever writes would follow it */
        return errno = ELOOP, NULL;
    if (!*leaf || !strcmp(leaf, ".") || !strcmp(leaf, ".."))
        return errno = ENOENT, NULL;
    dir = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    if (!dir)
        return NULL;
    if (realpath(dir, real) && (made = malloc(strlen(real) + strlen(leaf) + 2)))
        sprintf(made, "%s/%s", strcmp(real, "/") ? real : "", leaf);
    free(dir);
    return made;
}

static bool lies_in(const char *path, const char *dir)
{
    const size_t n = strlen(dir);

    return !strcmp(dir, "/") || (!strncmp(path, dir, n) && (path[n] == '/' || !path[n]));
}

int param_path_within(const char *within, const char *path, char **real, char *why, size_t size)
{
    char *made = resolve(path);

    if (!made && errno == ENOMEM)
        return -1;
    if (!made)
        snprintf(why, size,
                 "%.200s: %s: whether it lies in %.200s, where --restrict keeps this run, "
                 "is not known",
                 path, strerror(errno), within);
    else if (!lies_in(made, within))
        snprintf(why, size, "%.200s: lies outside of %.200s, where --restrict keeps this run", path,
                 within);
    if (!made || !lies_in(made, within)) {
        free(made);
        return 1;
    }
    *real = made;
    return 0;
}

int param_path(const struct param_place *place, const char *text, char **path, char *why,
               size_t size)
{
    char *joined = join(place->base_dir, text);
    int status;

    *path = joined;
    if (!joined)
        return -1;
    if (!place->within || !strcmp(joined, "-"))
        return 0;
    *path = NULL;
    status = param_path_within(place->within, joined, path, why, size);
    free(joined);
    return status;
}
