/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdio.h>

#include "tools/fecrun/files.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum state {
    ABSENT,
    DATA, /* a regular file or a block device */
    OTHER /* a character device, a pipe, a directory; or its directory cannot be read */
};

struct file {
    char *path, *what;
    bool is_output;
    enum state state;
    dev_t dev; /* ABSENT: those of its directory */
    ino_t ino;
};

static bool is_standard(const char *path)
{
    return !strcmp(path, "-");
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* Finds out state, device and inode. Returns 0, or -1 without memory. */
static int identify(struct file *file, struct diag *diag)
{
    struct stat st;
    char *dir;
    int bad;

    bad = is_standard(file->path) ? fstat(file->is_output ? STDOUT_FILENO : STDIN_FILENO, &st)
                                  : stat(file->path, &st);
    file->state = bad ? ABSENT : S_ISREG(st.st_mode) || S_ISBLK(st.st_mode) ? DATA : OTHER;
    if (bad) {
        const size_t n = (size_t)(name_of(file->path) - file->path);
        dir = n ? strndup(file->path, n) : strdup(".");
        if (!dir)
            return diag_no_memory(diag);
        bad = stat(dir, &st);
        free(dir);
        if (bad)
            file->state = OTHER;
    }
    file->dev = bad ? 0 : st.st_dev;
    file->ino = bad ? 0 : st.st_ino;
    return 0;
}

static bool same(const struct file *a, const struct file *b)
{
    if (a->is_output && b->is_output && is_standard(a->path) && is_standard(b->path))
        return true;
    if (a->state != b->state || a->state == OTHER || a->dev != b->dev || a->ino != b->ino)
        return false;
    return a->state == DATA || !strcmp(name_of(a->path), name_of(b->path));
}

/* Takes ownership of the file's texts. */
static int add(struct files *files, struct file *file, struct diag *diag)
{
    struct file *grown;

    if (!(files->n & (files->n - 1))) {
        grown = realloc(files->list, (files->n ? 2 * files->n : 1) * sizeof *grown);
        if (!grown) {
            free(file->path);
            free(file->what);
            return diag_no_memory(diag);
        }
        files->list = grown;
    }
    files->list[files->n++] = *file;
    return 0;
}

/* Returns the formatted text, which the caller frees; NULL without memory. */
static char *print(const char *format, va_list args)
{
    va_list again;
    char *text;
    int n;

    va_copy(again, args);
    n = vsnprintf(NULL, 0, format, again);
    va_end(again);
    text = n < 0 ? NULL : malloc((size_t)n + 1);
    if (text)
        vsnprintf(text, (size_t)n + 1, format, args);
    return text;
}

static int make(struct file *file, bool is_output, const char *path, const char *format,
                va_list args, struct diag *diag)
{
    *file = (struct file){
        .path = strdup(path), .what = print(format, args), .is_output = is_output};
    if (file->path && file->what && !identify(file, diag))
        return 0;
    free(file->path);
    free(file->what);
    return diag_no_memory(diag);
}

int files_add_input(struct files *files, struct diag *diag, const char *path, const char *what, ...)
{
    struct file file;
    va_list args;
    int status;

    if (!path)
        return 0;
    va_start(args, what);
    status = make(&file, false, path, what, args, diag);
    va_end(args);
    return status ? -1 : add(files, &file, diag);
}

static int make_output(struct file *file, const char *path, struct diag *diag, const char *format,
                       ...)
{
    va_list args;
    int status;

    va_start(args, format);
    status = make(file, true, path, format, args, diag);
    va_end(args);
    return status;
}

int files_add_output(struct files *files, struct diag *diag, const char *option, const char *value,
                     const char *path)
{
    struct file file;

    if (!path)
        return 0;
    if (make_output(&file, path, diag, "also written by %s", option))
        return -1;
    for (size_t i = 0; i < files->n; i++) {
        const struct file *other = &files->list[i];
        const bool own = !strcmp(value, path);
        if ((is_standard(path) && !other->is_output) || !same(&file, other))
            continue;
        diag_fail(diag, DIAG_USAGE, "%s %s: %s%sis %s", option, value, own ? "" : path,
                  own ? "" : " ", other->what);
        free(file.path);
        free(file.what);
        return -1;
    }
    return add(files, &file, diag);
}

void files_free(struct files *files)
{
    for (size_t i = 0; i < files->n; i++) {
        free(files->list[i].path);
        free(files->list[i].what);
    }
    free(files->list);
    *files = (struct files){0};
}
