/* SPDX-License-Identifier: BSD-2-Clause */
/* Files of results: temporary names and errors of writing. */
#include "tools/fecrun/result_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int fail(struct output *output, struct diag *diag, int status)
{
    int reason = errno ? errno : EIO;

    output->failed = true;
    return diag_fail(diag, status, "cannot write %s: %s", output->path, strerror(reason));
}

/* A link is followed, so that it stays one, and so that the temporary is on the same disk. */
static bool choose_names(struct output *output)
{
    size_t size;

    output->target = realpath(output->path, NULL);
    if (!output->target)
        output->target = strdup(output->path);
    if (!output->target)
        return false;
    size = strlen(output->target) + 32;
    output->temporary = malloc(size);
    if (!output->temporary)
        return false;
    snprintf(output->temporary, size, "%s.tmp.%ld", output->target, (long)getpid());
    return true;
}

static int open_file(struct output *output)
{
    struct stat st;
    int fd;

    /* Devices and pipes (/dev/null, >(...)) cannot be renamed to. */
    if (stat(output->path, &st) == 0 && !S_ISREG(st.st_mode))
        return open(output->path, O_WRONLY | O_CLOEXEC);
    if (!choose_names(output)) {
        errno = ENOMEM;
        return -1;
    }
    unlink(output->temporary);
    fd = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0) {
        free(output->temporary);
        output->temporary = NULL;
    }
    return fd;
}

int output_to(struct output *output, FILE *file, const char *name, struct diag *diag)
{
    output->path = strdup(name);
    output->stream = open_memstream(&output->line, &output->size);
    if (!output->path || !output->stream)
        return diag_fail(diag, DIAG_RUN, "out of memory");
    output->file = file;
    return 0;
}

int output_open(struct output *output, const char *path, struct diag *diag)
{
    int fd;

    if (!path)
        return 0;
    if (!strcmp(path, "-"))
        return output_to(output, stdout, "standard output", diag);
    if (output_to(output, NULL, path, diag))
        return -1;
    fd = open_file(output);
    if (fd < 0)
        return fail(output, diag, DIAG_USAGE);
    output->file = fdopen(fd, "w");
    if (!output->file) {
        int status = fail(output, diag, DIAG_RUN);

        close(fd);
        return status;
    }
    return 0;
}

int output_flush(struct output *output, struct diag *diag)
{
    errno = ENOMEM;
    if (fflush(output->stream) || ferror(output->stream))
        return fail(output, diag, DIAG_RUN);
    errno = 0;
    if (fwrite(output->line, 1, output->size, output->file) != output->size || fflush(output->file))
        return fail(output, diag, DIAG_RUN);
    rewind(output->stream);
    return 0;
}

static int close_file(struct output *output)
{
    if (!output->file || output->file == stdout || output->file == stderr)
        return 0;
    errno = 0;
    return fclose(output->file);
}

int output_close(struct output *output, struct diag *diag)
{
    int result = 0;

    if (close_file(output) && !output->failed)
        result = fail(output, diag, DIAG_RUN);
    if (output->stream)
        fclose(output->stream);
    free(output->line);
    if (output->temporary) {
        errno = 0;
        if (!output->failed && rename(output->temporary, output->target))
            result = fail(output, diag, DIAG_RUN);
        if (output->failed)
            unlink(output->temporary);
    }
    free(output->path);
    free(output->target);
    free(output->temporary);
    *output = (struct output){0};
    return result;
}
