/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes result files: temporary names and errors of writing. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* fopencookie */
#endif
#include "tools/fecrun/result_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

static int fail(struct output *output, struct diag *diag, int status)
{
    int reason = errno ? errno : EIO;

    output->failed = true;
    if (reason == ETIMEDOUT)
        return diag_fail(diag, status, "stopped by a signal: nobody reads %s", output->path);
    return diag_fail(diag, status, "cannot write %s: %s", output->path, strerror(reason));
}

int output_columns(FILE *file)
{
    const char *text = getenv("COLUMNS");
    const long columns = text ? strtol(text, NULL, 10) : 0;
    const int fd = file == stderr ? STDERR_FILENO : STDOUT_FILENO;
    struct winsize size;

    if (columns > 0 && columns < 10000)
        return (int)columns;
    return isatty(fd) && !ioctl(fd, TIOCGWINSZ, &size) ? size.ws_col : 0;
}

static ssize_t add_to_line(void *data, const char *text, size_t size)
{
    struct output *output = data;
    size_t room = output->room ? output->room : 1024;
    char *grown;

    while (room - output->size < size)
        room *= 2;
    if (room > output->room) {
        if (!(grown = realloc(output->line, room)))
            return 0; /* stdio remembers it */
        output->line = grown;
        output->room = room;
    }
    memcpy(output->line + output->size, text, size);
    output->size += size;
    return (ssize_t)size;
}

/* Not open_memstream(): where that one finds no memory, glibc leaves text out and reports nothing. */
int output_to(struct output *output, FILE *file, const char *name, struct diag *diag)
{
    output->path = strdup(name);
    output->stream = fopencookie(output, "w", (cookie_io_functions_t){.write = add_to_line});
    if (!output->path || !output->stream)
        return diag_fail(diag, DIAG_RUN, "out of memory");
    output->file = file;
    return 0;
}

int output_open(struct output *output, const char *path, struct diag *diag)
{
    int copy;

    if (!path)
        return 0;
    if (!strcmp(path, "-"))
        return output_to(output, stdout, "standard output", diag);
    if (output_to(output, NULL, path, diag))
        return -1;
    if (fecrun_replace_open(&output->place, path))
        return fail(output, diag, diag_of_open(errno));
    copy = fcntl(output->place.fd, F_DUPFD_CLOEXEC, 0);
    output->file = copy < 0 ? NULL : fdopen(copy, "w");
    if (output->file)
        return 0;
    fail(output, diag, DIAG_RUN);
    if (copy >= 0)
        close(copy);
    return -1;
}

int output_open_own(struct output *output, const char *path, struct diag *diag)
{
    struct stat st;

    if (!lstat(path, &st) && !S_ISREG(st.st_mode))
        return diag_fail(diag, DIAG_USAGE, "%s is %s; only a regular file is replaced there", path,
                         S_ISLNK(st.st_mode)   ? "a symbolic link"
                         : S_ISDIR(st.st_mode) ? "a directory"
                                               : "no regular file");
    return output_open(output, path, diag);
}

int output_flush(struct output *output, struct diag *diag)
{
    errno = ENOMEM;
    if (fflush(output->stream) || ferror(output->stream))
        return fail(output, diag, DIAG_RUN);
    errno = 0;
    if (fwrite(output->line, 1, output->size, output->file) != output->size || fflush(output->file))
        return fail(output, diag, DIAG_RUN);
    output->size = 0;
    return 0;
}

/* ---- When the program ends early ---- */

enum { MOST_KEPT = 4 };

static struct kept {
    const struct output *output; /* whose it is; NULL: free */
    char temporary[PATH_MAX], partial[PATH_MAX];
} kept[MOST_KEPT];

void output_keep(struct output *output)
{
    struct kept *free_one = NULL;

    if (!output->place.temporary)
        return;
    for (size_t i = 0; i < MOST_KEPT; i++) {
        if (kept[i].output == output)
            return;
        if (!kept[i].output)
            free_one = &kept[i];
    }
    if (!free_one ||
        snprintf(free_one->temporary, PATH_MAX, "%s", output->place.temporary) >= PATH_MAX ||
        snprintf(free_one->partial, PATH_MAX, "%s.partial", output->place.target) >= PATH_MAX)
        return;
    free_one->output = output;
}

static void forget(const struct output *output)
{
    for (size_t i = 0; i < MOST_KEPT; i++)
        if (kept[i].output == output)
            kept[i].output = NULL;
}

const char *output_rescue(size_t n)
{
    for (size_t i = 0; i < MOST_KEPT; i++)
        if (kept[i].output && n-- == 0)
            return rename(kept[i].temporary, kept[i].partial) ? kept[i].temporary : kept[i].partial;
    return NULL;
}

static int close_file(struct output *output)
{
    if (!output->file || output->file == stdout || output->file == stderr)
        return 0;
    errno = 0;
    return fclose(output->file);
}

int output_close(struct output *output, const char *suffix, struct diag *diag)
{
    int result = 0;

    forget(output);
    if (close_file(output) && !output->failed)
        result = fail(output, diag, DIAG_RUN);
    if (output->stream)
        fclose(output->stream);
    free(output->line);
    errno = 0;
    if (output->place.target && !output->failed && fecrun_replace_commit(&output->place, suffix))
        result = fail(output, diag, DIAG_RUN);
    fecrun_replace_drop(&output->place);
    free(output->path);
    *output = (struct output){0};
    return result;
}
