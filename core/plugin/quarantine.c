/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#include "core/plugin/quarantine.h"

#include "core/plugin/forked.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Constructors of large libraries take milliseconds; disks of busy machines take longer. */
#define LOAD_SECONDS 20

struct row {
    struct quarantine *trial; /* the caller's; only the parent writes there */
    bool done, prints;
    char how[64]; /* it died */
};

struct trying {
    struct row *rows; /* shared with the child */
    int output;       /* of the child */
};

/* ---- The child ---- */

/* What is printed goes to a file that nobody reads; text that waits in the parent's buffers is his. */
static void catch_output(void *data)
{
    const struct trying *trying = data;

    __fpurge(stdout);
    if (trying->output < 0 || dup2(trying->output, STDOUT_FILENO) < 0 ||
        dup2(trying->output, STDERR_FILENO) < 0)
        _exit(0);
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
    struct loaded file;

    if (!loader_open(row->trial->path, &file))
        row->prints = has_printed(trying->output);
    row->done = true;
}

/* ---- The parent ---- */

static bool is_done(const void *data, size_t i)
{
    return ((const struct trying *)data)->rows[i].done;
}

static void died(void *data, size_t i, const char *how)
{
    struct row *row = &((struct trying *)data)->rows[i];

    snprintf(row->how, sizeof row->how, "%s", how);
}

/* ---- What is known ---- */

struct known {
    char *path;
    struct stat st;
    char reason[sizeof((struct quarantine *)0)->reason];
    struct known *next;
};

static struct known *bad_files;
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

static bool is_known(struct quarantine *trial)
{
    struct stat st;

    if (stat(trial->path, &st) || !S_ISREG(st.st_mode) || is_loaded(trial->path))
        return true;
    for (const struct known *k = bad_files; k; k = k->next)
        if (!strcmp(k->path, trial->path) && same_file(&k->st, &st)) {
            snprintf(trial->reason, sizeof trial->reason, "%s", k->reason);
            return true;
        }
    return false;
}

/* Without memory it is tried again the next time. */
static void remember(const struct quarantine *trial)
{
    struct known *k = calloc(1, sizeof *k);

    if (!k || !(k->path = strdup(trial->path)) || stat(trial->path, &k->st)) {
        if (k)
            free(k->path);
        free(k);
        return;
    }
    snprintf(k->reason, sizeof k->reason, "%s", trial->reason);
    k->next = bad_files;
    bad_files = k;
}

static void tell(struct row *row)
{
    struct quarantine *trial = row->trial;

    if (row->done && row->prints)
        snprintf(trial->reason, sizeof trial->reason, "prints something while it is loaded");
    else if (!row->done)
        snprintf(trial->reason, sizeof trial->reason, "%s while it was loaded", row->how);
    else
        return;
    remember(trial);
}

int quarantine_load(struct quarantine *trials, size_t n, struct diag *diag)
{
    const size_t bytes = (n ? n : 1) * sizeof(struct row);
    struct trying trying = {.output = -1};
    struct forked_work work = {.seconds = LOAD_SECONDS,
                               .data = &trying,
                               .begin = catch_output,
                               .one = load_one,
                               .done = is_done,
                               .died = died};
    void *shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int status = 0;

    if (shared == MAP_FAILED)
        return diag_no_memory(diag);
    trying.rows = shared;
    pthread_mutex_lock(&bad_lock);
    for (size_t i = 0; i < n; i++)
        if (!is_known(&trials[i]))
            trying.rows[work.n++].trial = &trials[i];
    if (work.n && ((trying.output = memfd_create("fecrun", MFD_CLOEXEC)) < 0 || forked_do(&work)))
        status = diag_fail(diag, DIAG_RUN, "cannot try plugins in a process of their own: %s",
                           strerror(errno));
    for (size_t i = 0; i < work.n && !status; i++)
        tell(&trying.rows[i]);
    pthread_mutex_unlock(&bad_lock);
    if (trying.output >= 0)
        close(trying.output);
    munmap(shared, bytes);
    return status;
}
