/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/common/files/file.h"

#include <errno.h>
#include <fcntl.h>
#include <fecrun/sdk/params.h>
#include <fecrun/sdk/write.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* A regular file takes all at once; who reads a pipe may have stopped. */
static int write_some(struct outfile *file, const void *data, size_t n)
{
    const char *from = data;

    if (file->live)
        return fecrun_write(file->fd, data, n, file->cancel);
    while (n > 0) {
        ssize_t done = write(file->fd, from, n);

        if (done < 0 && errno != EINTR)
            return -1;
        if (done > 0) {
            from += done;
            n -= (size_t)done;
        }
    }
    return 0;
}

static int write_all(struct outfile *file, const void *data, size_t n, struct fecrun_error *err)
{
    if (!write_some(file, data, n))
        return 0;
    if (file->live && errno == ETIMEDOUT)
        return fecrun_fail(err, "path", "%s: the run is to end, and nobody reads what is left",
                           file->name);
    return file_fail(err, "path", file->name, "cannot write");
}

static bool is_live(int fd)
{
    struct stat st;

    return fstat(fd, &st) == 0 && !S_ISREG(st.st_mode);
}

int outfile_open(struct outfile *file, const char *path, struct fecrun_error *err)
{
    *file = (struct outfile){.fd = -1, .file = {.fd = -1}, .borrowed = strcmp(path, "-") == 0};
    file->buffer = malloc(OUTFILE_BUFFER);
    if (!file->buffer)
        return fecrun_no_memory(err);
    if (file->borrowed) {
        file->name = "standard output";
        file->fd = STDOUT_FILENO;
        file->live = is_live(file->fd);
        return 0;
    }
    if (fecrun_replace_open(&file->file, path))
        return errno == EINTR ? fecrun_fail(err, "path",
                                            "%s: stopped by a signal before anybody read it", path)
                              : file_fail(err, "path", path, "cannot write a file there");
    file->name = file->file.target;
    file->fd = file->file.fd;
    file->live = is_live(file->fd);
    return 0;
}

/* Makes room for n bytes, unless that is more than the whole buffer. */
static int make_room(struct outfile *file, size_t n, struct fecrun_error *err)
{
    if (n <= OUTFILE_BUFFER - file->filled)
        return 0;
    if (write_all(file, file->buffer, file->filled, err))
        return -1;
    file->filled = 0;
    return 0;
}

int outfile_write(struct outfile *file, const void *data, size_t n, struct fecrun_error *err)
{
    if (make_room(file, n, err))
        return -1;
    if (n > OUTFILE_BUFFER)
        return write_all(file, data, n, err);
    memcpy(file->buffer + file->filled, data, n);
    file->filled += n;
    return 0;
}

uint8_t *outfile_reserve(struct outfile *file, size_t n, struct fecrun_error *err)
{
    uint8_t *place;

    if (make_room(file, n, err))
        return NULL;
    place = file->buffer + file->filled;
    file->filled += n;
    return place;
}

int outfile_pause(struct outfile *file, struct fecrun_error *err)
{
    if (!file->live || !file->filled)
        return 0;
    if (write_all(file, file->buffer, file->filled, err))
        return -1;
    file->filled = 0;
    return 0;
}

int outfile_finish(struct outfile *file, const void *head, size_t n, struct fecrun_error *err)
{
    if (write_all(file, file->buffer, file->filled, err))
        return -1;
    file->filled = 0;
    if (n > 0 && pwrite(file->fd, head, n, 0) != (ssize_t)n)
        return file_fail(err, "path", file->name, "cannot write the header");
    file->fd = -1;
    if (!file->borrowed && fecrun_replace_commit(&file->file, ""))
        return file_fail(err, "path", file->name, "cannot put the finished file in place");
    return 0;
}

/* Standard output keeps what it got when a run fails, whether it is a file or a pipe. */
void outfile_close(struct outfile *file)
{
    if (file->borrowed && !file->live && file->filled)
        write_some(file, file->buffer, file->filled);
    if (!file->borrowed)
        fecrun_replace_drop(&file->file);
    free(file->buffer);
    *file = (struct outfile){.fd = -1, .file = {.fd = -1}};
}
