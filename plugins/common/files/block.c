/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Large reads: straight to where the bytes are wanted. A regular file is read at several places at
 * once, for one thread copies less from the page cache than a device takes, and a disk likes to have
 * more than one request. What was read is checked while it is in the cache.
 */
#include "plugins/common/files/file.h"

#include <fecrun/sdk/thread.h>
#include <errno.h>
#include <fecrun/sdk/params.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

enum {
    STEP = 256 << 10, /* bytes read and checked at a time */
    PIECE = 4 << 20,  /* of a thread, at least */
    MOST_PIECES = 16
};

/* One thread's share. */
struct piece {
    const struct infile *file;
    uint8_t *to;
    uint64_t at; /* in the file */
    size_t n, got;
    infile_check *check;
    const void *data;
    int status;
    struct fecrun_error err;
    bool started;
    pthread_t thread;
};

static bool cancelled(const struct infile *file)
{
    return file->cancel && fecrun_cancelled(file->cancel);
}

/* Up to n bytes of a regular file; less at its end. */
static int read_at(const struct infile *file, uint8_t *to, size_t n, uint64_t at, size_t *got,
                   struct fecrun_error *err)
{
    *got = 0;
    while (*got < n) {
        ssize_t part = pread(file->fd, to + *got, n - *got, (off_t)(at + *got));

        if (part == 0)
            return 0;
        if (part < 0 && errno != EINTR)
            return file_fail(err, "path", file->path, "cannot read");
        if (part > 0)
            *got += (size_t)part;
    }
    return 0;
}

static void read_piece(struct piece *p)
{
    while (p->got < p->n && !p->status && !cancelled(p->file)) {
        const size_t want = p->n - p->got < STEP ? p->n - p->got : STEP;
        size_t got;

        p->status = read_at(p->file, p->to + p->got, want, p->at + p->got, &got, &p->err) ||
                            p->check(p->data, p->to + p->got, got, p->at + p->got, &p->err)
                        ? -1
                        : 0;
        p->got += got;
        if (got < want)
            return;
    }
}

static void *run_piece(void *piece)
{
    read_piece(piece);
    return NULL;
}

/* Signals are for the host's threads. Where there can be no thread, this one does it. */
static void start(struct piece *p)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    p->started = fecrun_thread_start(&p->thread, run_piece, p) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* The first piece that is short or wrong ends what was read. */
static int add_up(const struct piece *piece, unsigned n, size_t *got, struct fecrun_error *err)
{
    *got = 0;
    for (unsigned i = 0; i < n; i++) {
        *got += piece[i].got;
        if (piece[i].status)
            return fecrun_fail(err, piece[i].err.param, "%s", piece[i].err.text);
        if (piece[i].got < piece[i].n)
            break;
    }
    return 0;
}

/* As many as are large enough, and no more than CPUs. */
static size_t count_pieces(size_t n)
{
    const size_t cpus = fecrun_cpus(), most = cpus < MOST_PIECES ? cpus : MOST_PIECES;

    return n / PIECE < 1 ? 1 : n / PIECE < most ? n / PIECE : most;
}

static int read_regular(struct infile *file, uint8_t *to, size_t n, infile_check *check,
                        const void *data, size_t *got, struct fecrun_error *err)
{
    struct piece piece[MOST_PIECES];
    const size_t pieces = count_pieces(n);
    const size_t size = n / pieces & ~(size_t)4095;
    int status;

    for (unsigned i = 0; i < pieces; i++)
        piece[i] = (struct piece){.file = file,
                                  .to = to + i * size,
                                  .at = file->offset + i * size,
                                  .n = i + 1 < pieces ? size : n - i * size,
                                  .check = check,
                                  .data = data,
                                  .err = {.size = sizeof piece[i].err}};
    for (unsigned i = 1; i < pieces; i++)
        start(&piece[i]);
    read_piece(&piece[0]);
    for (unsigned i = 1; i < pieces; i++)
        if (!piece[i].started)
            read_piece(&piece[i]);
        else
            pthread_join(piece[i].thread, NULL);
    status = add_up(piece, (unsigned)pieces, got, err);
    file->offset += *got;
    return status;
}

int infile_read_checked(struct infile *file, void *to, size_t n, infile_check *check,
                        const void *data, size_t *got, struct fecrun_error *err)
{
    *got = 0;
    if (n > file->end - file->offset)
        n = (size_t)(file->end - file->offset);
    if (file->regular && !file->columns.items) {
        file->at = file->filled = 0; /* the buffer is of bytes further on */
        return read_regular(file, to, n, check, data, got, err);
    }
    while (*got < n) {
        const size_t want = n - *got < STEP ? n - *got : STEP;
        const uint64_t at = file->offset;
        uint8_t *part = (uint8_t *)to + *got;
        size_t have;

        if (infile_read(file, part, want, &have, err) || check(data, part, have, at, err))
            return -1;
        *got += have;
        if (have < want)
            break;
    }
    return 0;
}
