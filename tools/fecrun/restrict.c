/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/restrict.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

int restrict_open(char **real, const char *dir, struct diag *diag)
{
    struct stat st;

    *real = realpath(dir, NULL);
    if (!*real || stat(*real, &st))
        return diag_fail(diag, diag_of_open(errno), "--restrict %s: %s", dir, strerror(errno));
    return S_ISDIR(st.st_mode)
               ? 0
               : diag_fail(diag, DIAG_USAGE, "--restrict %s: is not a directory", dir);
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

int restrict_path(void *data, char **path, char *why, size_t size)
{
    const char *within = data;
    char *made = resolve(*path);

    if (!made && errno == ENOMEM)
        return -1;
    if (!made)
        snprintf(why, size,
                 "%.200s: %s: whether it lies in %.200s, where --restrict keeps this run, "
                 "is not known",
                 *path, strerror(errno), within);
    else if (!lies_in(made, within))
        snprintf(why, size, "%.200s: lies outside of %.200s, where --restrict keeps this run",
                 *path, within);
    if (!made || !lies_in(made, within)) {
        free(made);
        return 1;
    }
    free(*path);
    *path = made;
    return 0;
}
