/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/common/files/readers.h"

#include <errno.h>
#include <fcntl.h>
#include <fecrun/sdk/params.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    BUFFER = 1 << 20,
    LARGE = 1 << 16, /* as much as a pipe has: does not go through the buffer */
    PATIENCE_MS = 5
};

const char *const file_dtype_names[] = {FILE_DTYPES, NULL};

uint32_t file_dtype(int64_t choice)
{
    static const uint32_t types[] = {
        FECRUN_F32, FECRUN_F32, FECRUN_F16, FECRUN_F16, FECRUN_I16,    FECRUN_I16, FECRUN_I8,
        FECRUN_I8,  FECRUN_I4,  FECRUN_U8,  FECRUN_U8,  FECRUN_PACKED, FECRUN_C8,  FECRUN_C8,
        FECRUN_F32, FECRUN_F16, FECRUN_I16, FECRUN_I8,  FECRUN_I4,     FECRUN_C8,
    };

    return types[choice];
}

void file_turn_bits(uint8_t *to, const uint8_t *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        unsigned x = from[i];

        x = (x & 0x55) << 1 | (x >> 1 & 0x55);
        x = (x & 0x33) << 2 | (x >> 2 & 0x33);
        to[i] = (uint8_t)(x << 4 | x >> 4);
    }
}

int file_fail(struct fecrun_error *err, const char *param, const char *path, const char *what)
{
    return fecrun_fail(err, param, "%s: %s: %s", path, what, strerror(errno));
}

/* Bytes from the start of the file, as many as there are. */
static ssize_t read_start(int fd, uint8_t *data, size_t size)
{
    size_t n = 0;

    while (n < size) {
        ssize_t got = pread(fd, data + n, size - n, (off_t)n);

        if (got < 0 && errno != EINTR)
            return -1;
        if (got == 0)
            break;
        if (got > 0)
            n += (size_t)got;
    }
    return (ssize_t)n;
}

static bool named_npy(const char *path)
{
    size_t n = strlen(path);

    return n >= 4 && strcmp(path + n - 4, ".npy") == 0;
}

static int look_regular(int fd, const char *path, const char *param, struct file_facts *facts,
                        struct fecrun_error *err)
{
    struct fecrun_error reason = {.size = sizeof reason};
    uint8_t *start = malloc(NPY_MAX_HEADER);
    int status = -1;
    ssize_t n;

    if (!start)
        return fecrun_no_memory(err);
    n = read_start(fd, start, NPY_MAX_HEADER);
    facts->is_npy = n >= 0 && npy_magic(start, (size_t)n);
    if (n < 0)
        file_fail(err, param, path, "cannot read");
    else if (!facts->is_npy && named_npy(path))
        fecrun_fail(err, param, "%s: byte 0: not a .npy file", path);
    else if (facts->is_npy && (npy_parse_header(start, (size_t)n, &facts->npy, &reason) ||
                               npy_check_size(&facts->npy, facts->size, &reason)))
        fecrun_fail(err, param, "%s: %s", path, reason.text);
    else
        status = 0;
    free(start);
    return status;
}

int file_look(const char *path, const char *param, struct file_facts *facts,
              struct fecrun_error *err)
{
    struct stat st;
    int fd, status;

    memset(facts, 0, sizeof *facts);
    if (strcmp(path, "-") == 0)
        return 0;
    if (stat(path, &st))
        return file_fail(err, param, path, "cannot open");
    if (S_ISDIR(st.st_mode))
        return fecrun_fail(err, param, "%s is a directory", path);
    if (!S_ISREG(st.st_mode))
        return 0; /* opening a pipe could block */
    fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return file_fail(err, param, path, "cannot open");
    facts->regular = true;
    facts->size = (uint64_t)st.st_size;
    status = look_regular(fd, path, param, facts, err);
    close(fd);
    return status;
}

int file_look_plain(const char *path, const char *param, struct file_facts *facts,
                    struct fecrun_error *err)
{
    struct fecrun_error reason = {.size = sizeof reason};

    if (file_look(path, param, facts, err))
        return -1;
    if (facts->is_npy && npy_check_plain(&facts->npy, &reason))
        return fecrun_fail(err, param, "%s: %s", path, reason.text);
    return 0;
}

/* The kernel then reads ahead further. */
static bool is_regular(int fd)
{
    struct stat st;

    if (fstat(fd, &st) || !S_ISREG(st.st_mode))
        return false;
    posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    return true;
}

int infile_open(struct infile *file, const char *path, struct fecrun_error *err)
{
    *file = (struct infile){.fd = -1, .path = path, .end = UINT64_MAX};
    file->borrowed = strcmp(path, "-") == 0;
    file->buffer = malloc(BUFFER);
    if (!file->buffer)
        return fecrun_no_memory(err);
    file->fd = file->borrowed ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (file->fd < 0 && errno == EINTR)
        return fecrun_fail(err, "path", "%s: stopped by a signal before anybody wrote to it", path);
    if (file->fd < 0)
        return file_fail(err, "path", path, "cannot open");
    file->regular = !file->borrowed && is_regular(file->fd);
    return 0;
}

void infile_close(struct infile *file)
{
    if (file->fd >= 0 && !file->borrowed)
        close(file->fd);
    readers_close(file->readers);
    free(file->buffer);
    *file = (struct infile){.fd = -1};
}

int infile_seek(struct infile *file, uint64_t offset, struct fecrun_error *err)
{
    if (offset > INT64_MAX || (!file->regular && lseek(file->fd, (off_t)offset, SEEK_SET) < 0))
        return fecrun_fail(err, "path",
                           "%s: cannot be read again from byte %" PRIu64 " on: a pipe is read once",
                           file->path, offset);
    file->offset = offset;
    file->at = file->filled = 0;
    return 0;
}

/* Waits for a pipe or a terminal, looking at the cancel flag now and then: the signal that sets it
   may have been another thread's. False: cancelled. */
static bool wait_for_input(const struct infile *file)
{
    struct pollfd fd = {.fd = file->fd, .events = POLLIN};

    while (!(file->cancel && fecrun_cancelled(file->cancel)))
        if (poll(&fd, 1, 100) > 0)
            return true;
    return false;
}

/* read() of the byte at `offset` on, for as long as it is interrupted. 0: the end, or cancelled. */
static int read_some(struct infile *file, void *to, size_t n, size_t *got, struct fecrun_error *err)
{
    ssize_t status;

    do {
        *got = 0;
        if (!file->regular && !wait_for_input(file))
            return 0;
        status = file->regular ? pread(file->fd, to, n, (off_t)file->offset)
                               : read(file->fd, to, n);
        if (status >= 0) {
            *got = (size_t)status;
            return 0;
        }
    } while (errno == EINTR && !(file->cancel && fecrun_cancelled(file->cancel)));
    return errno == EINTR ? 0 : file_fail(err, "path", file->path, "cannot read");
}

bool infile_has(struct infile *file, size_t n, bool at_once)
{
    struct pollfd fd = {.fd = file->fd, .events = POLLIN};

    while (n <= BUFFER && file->filled - file->at < n) {
        ssize_t got;

        /* long enough for a writer that waits for room to be woken up and fill a pipe again */
        if (poll(&fd, 1, at_once ? 0 : PATIENCE_MS) <= 0)
            return false;
        memmove(file->buffer, file->buffer + file->at, file->filled - file->at);
        file->filled -= file->at;
        file->at = 0;
        got = read(file->fd, file->buffer + file->filled, BUFFER - file->filled);
        if (got <= 0)
            return true; /* infile_read() will see it, too */
        file->filled += (size_t)got;
    }
    return n <= BUFFER;
}

/* Bytes that are in the buffer, which is filled if it is empty; 0: the end, or cancelled. */
static int fill(struct infile *file, size_t *n, struct fecrun_error *err)
{
    if (file->at == file->filled) {
        file->at = file->filled = 0;
        if (file->columns.items ? infile_fill_rows(file, err)
                                : read_some(file, file->buffer, BUFFER, &file->filled, err))
            return -1;
    }
    *n = file->filled - file->at;
    return 0;
}

int infile_read(struct infile *file, void *to, size_t n, size_t *got, struct fecrun_error *err)
{
    *got = 0;
    if (n > file->end - file->offset)
        n = (size_t)(file->end - file->offset);
    while (*got < n) {
        uint8_t *out = (uint8_t *)to + *got;
        size_t part, left = n - *got;

        if (file->at == file->filled && left >= LARGE && !file->columns.items) {
            if (read_some(file, out, left, &part, err))
                return -1;
        } else {
            if (fill(file, &part, err))
                return -1;
            part = part < left ? part : left;
            memcpy(out, file->buffer + file->at, part);
            file->at += part;
        }
        if (part == 0)
            return 0;
        file->offset += part;
        *got += part;
    }
    return 0;
}

/* FNV-1a. */
int file_digest(const char *path, uint64_t offset, uint64_t bytes, uint32_t *digest,
                struct fecrun_error *err)
{
    struct infile file;
    uint32_t hash = 2166136261u;
    uint8_t data[4096];
    size_t got = 1;
    int status = infile_open(&file, path, err) || infile_seek(&file, offset, err) ? -1 : 0;

    for (; !status && bytes && got; bytes -= got) {
        status = infile_read(&file, data, bytes < sizeof data ? bytes : sizeof data, &got, err);
        for (size_t i = 0; i < got; i++)
            hash = (hash ^ data[i]) * 16777619u;
    }
    infile_close(&file);
    *digest = hash ? hash : 1;
    return status;
}
