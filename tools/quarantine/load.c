/* SPDX-License-Identifier: BSD-2-Clause */
/* Loads plugin files in child processes, before the program loads them. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#include "tools/quarantine/quarantine.h"

#include "core/base/array.h"
#include "tools/quarantine/forked.h"
#include "tools/quarantine/same.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Constructors of large libraries take milliseconds; disks of busy machines take longer. Files that hang
   are waited for at the same time. */
#define LOAD_SECONDS 20
#define LOAD_PATIENCE 0.5

struct row {
    struct loaded *file; /* the caller's; only the parent writes there */
    int fd;              /* the open file; -1: none */
    struct stat st;      /* of that file */
    bool prints, late;
    char how[64]; /* it died; "": it was loaded, or refused */
};

struct trying {
    struct row *rows; /* shared with the children */
    int output;       /* the child's own */
};

/* ---- The child ---- */

/* What is printed goes to a file that nobody reads; text that waits in the parent's buffers is his. */
static int catch_output(void *data)
{
    struct trying *trying = data;

    __fpurge(stdout);
    trying->output = memfd_create("fecrun", MFD_CLOEXEC);
    return trying->output < 0 || dup2(trying->output, STDOUT_FILENO) < 0 ||
                   dup2(trying->output, STDERR_FILENO) < 0
               ? errno
               : 0;
}

static bool has_printed(int output)
{
    struct stat st;

    fflush(stdout);
    return !fstat(output, &st) && st.st_size && !ftruncate(output, 0);
}

/* Why a file is refused is found out once more by the parent. */
static void load_one(void *data, size_t i)
{
    const struct trying *trying = data;
    struct row *row = &trying->rows[i];
    struct loaded file = *row->file;

    if (!same_load(&file, row->fd, NULL))
        row->prints = has_printed(trying->output);
}

static void died(void *data, size_t i, const char *how, bool late)
{
    struct row *row = &((struct trying *)data)->rows[i];

    row->late = late;
    snprintf(row->how, sizeof row->how, "%s", how);
}

/* ---- The parent: what is known ---- */

static struct bad {
    char *path;
    struct stat st;
    char reason[sizeof((struct loaded *)0)->reason];
} * bad_files;
static size_t n_bad;
static pthread_mutex_t bad_lock = PTHREAD_MUTEX_INITIALIZER;

static bool same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* Has this process loaded it? Asked by name, so that nothing of the file is read. */
static bool is_loaded(const char *path)
{
    void *handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);

    if (handle)
        dlclose(handle);
    return handle != NULL;
}

/* Opens the row's file. */
static bool is_known(struct row *row, const struct quarantine_memory *memory)
{
    struct loaded *file = row->file;
    struct stat *st = &row->st;

    if (stat(file->path, st) || !S_ISREG(st->st_mode) || is_loaded(file->path))
        return true; /* opening a pipe would wait for ever */
    row->fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (row->fd < 0 || fstat(row->fd, st) || !S_ISREG(st->st_mode))
        return true; /* dlopen() says it */
    for (size_t i = 0; i < n_bad; i++)
        if (!strcmp(bad_files[i].path, file->path) && same_file(&bad_files[i].st, st)) {
            memcpy(file->reason, bad_files[i].reason, sizeof file->reason);
            return true;
        }
    return memory && memory->recall &&
           memory->recall(memory->data, file->path, st, file->reason, sizeof file->reason);
}

/* Without memory it is tried again the next time. */
static void remember(const struct row *row)
{
    struct bad bad = {.path = strdup(row->file->path), .st = row->st};

    if (!bad.path || array_grow(&bad_files, n_bad, sizeof *bad_files)) {
        free(bad.path);
        return;
    }
    memcpy(bad.reason, row->file->reason, sizeof bad.reason);
    bad_files[n_bad++] = bad;
}

static void tell(struct row *row, const struct quarantine_memory *memory)
{
    struct loaded *file = row->file;

    if (row->how[0])
        snprintf(file->reason, sizeof file->reason, "%s while it was loaded", row->how);
    else if (row->prints)
        snprintf(file->reason, sizeof file->reason, "prints something while it is loaded");
    else
        return;
    remember(row);
    if (row->late && memory && memory->keep)
        memory->keep(memory->data, file->path, &row->st, file->reason);
}

/* Rows of those that are to be tried; returns how many. Others are closed. */
static size_t begin(struct row *rows, struct loaded *files, size_t n,
                    const struct quarantine_memory *memory)
{
    size_t n_rows = 0;

    for (size_t i = 0; i < n; i++) {
        struct row *row = &rows[n_rows];
        *row = (struct row){.file = &files[i], .fd = -1};
        if (!*files[i].reason && !is_known(row, memory))
            n_rows++;
        else if (row->fd >= 0)
            close(row->fd);
    }
    return n_rows;
}

/* Loads the good ones, unless status is an error, and closes all. */
static int end(struct row *rows, size_t n, int status, struct diag *diag)
{
    for (size_t i = 0; i < n; i++) {
        if (!status && !*rows[i].file->reason)
            status = same_load(rows[i].file, rows[i].fd, diag);
        close(rows[i].fd);
    }
    return status;
}

int quarantine_load(void *memory, struct loaded *files, size_t n, struct diag *diag)
{
    const size_t bytes = (n + 1) * sizeof(struct row); /* none would be no memory */
    struct trying trying = {0};
    struct forked_work work = {.seconds = LOAD_SECONDS,
                               .patience = LOAD_PATIENCE,
                               .data = &trying,
                               .begin = catch_output,
                               .one = load_one,
                               .died = died};
    void *shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int status = 0;

    if (shared == MAP_FAILED)
        return diag_no_memory(diag);
    trying.rows = shared;
    pthread_mutex_lock(&bad_lock);
    work.n = begin(trying.rows, files, n, memory);
    if (work.n && forked_do(&work))
        status = diag_fail(diag, DIAG_RUN, "cannot try plugins in a process of their own: %s",
                           strerror(errno));
    for (size_t i = 0; i < work.n && !status; i++)
        tell(&trying.rows[i], memory);
    pthread_mutex_unlock(&bad_lock);
    status = end(trying.rows, work.n, status, diag);
    munmap(shared, bytes);
    return status;
}
