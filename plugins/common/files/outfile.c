/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/common/files/file.h"

#include <errno.h>
#include <fcntl.h>
#include <fecrun/sdk/params.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER = 1 << 20 };

static int write_all(struct outfile *file, const void *data, size_t n, struct fecrun_error *err)
{
    const char *from = data;

    while (n > 0) {
        ssize_t done = write(file->fd, from, n);

        if (done < 0 && errno != EINTR)
            return file_fail(err, "path", file->target, "cannot write");
        if (done > 0) {
            from += done;
            n -= (size_t)done;
        }
    }
    return 0;
}

/* A new file beside the target; open() honours the umask, which mkstemp() does not. */
static int open_temporary(struct outfile *file, struct fecrun_error *err)
{
    size_t room = strlen(file->target) + 48;

    file->temporary = malloc(room);
    if (!file->temporary)
        return fecrun_fail(err, NULL, "out of memory");
    for (unsigned i = 0; i < 1000; i++) {
        snprintf(file->temporary, room, "%s.%ld-%u.tmp", file->target, (long)getpid(), i);
        file->fd = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file->fd >= 0 || errno != EEXIST)
            break;
    }
    if (file->fd >= 0)
        return 0;
    file_fail(err, "path", file->target, "cannot write a file in its directory");
    free(file->temporary);
    file->temporary = NULL;
    return -1;
}

int outfile_open(struct outfile *file, const char *path, struct fecrun_error *err)
{
    struct stat st;
    bool standard = strcmp(path, "-") == 0;
    bool exists = !standard && stat(path, &st) == 0;

    *file = (struct outfile){.fd = -1, .borrowed = standard};
    file->buffer = malloc(BUFFER);
    /* The file that a symbolic link names is replaced, not the link. */
    file->target = exists ? realpath(path, NULL) : strdup(standard ? "standard output" : path);
    if (!file->buffer || !file->target)
        return file_fail(err, "path", path, "cannot open");
    if (standard) {
        file->fd = STDOUT_FILENO;
        return 0;
    }
    if (!exists || S_ISREG(st.st_mode))
        return open_temporary(file, err);
    file->fd = open(path, O_WRONLY | O_CLOEXEC);
    return file->fd < 0 ? file_fail(err, "path", path, "cannot open") : 0;
}

int outfile_write(struct outfile *file, const void *data, size_t n, struct fecrun_error *err)
{
    if (n > BUFFER - file->filled) {
        if (write_all(file, file->buffer, file->filled, err))
            return -1;
        file->filled = 0;
    }
    if (n > BUFFER)
        return write_all(file, data, n, err);
    memcpy(file->buffer + file->filled, data, n);
    file->filled += n;
    return 0;
}

int outfile_finish(struct outfile *file, const void *head, size_t n, struct fecrun_error *err)
{
    int fd = file->fd;

    if (write_all(file, file->buffer, file->filled, err))
        return -1;
    file->filled = 0;
    if (n > 0 && pwrite(fd, head, n, 0) != (ssize_t)n)
        return file_fail(err, "path", file->target, "cannot write the header");
    file->fd = -1;
    if (!file->borrowed && close(fd))
        return file_fail(err, "path", file->target, "cannot close");
    if (!file->temporary)
        return 0;
    if (rename(file->temporary, file->target))
        return file_fail(err, "path", file->target, "cannot put the finished file in place");
    free(file->temporary);
    file->temporary = NULL;
    return 0;
}

void outfile_close(struct outfile *file)
{
    if (file->fd >= 0 && !file->borrowed)
        close(file->fd);
    if (file->temporary)
        unlink(file->temporary);
    free(file->temporary);
    free(file->target);
    free(file->buffer);
    *file = (struct outfile){.fd = -1};
}
