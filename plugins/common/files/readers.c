/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One thread copies less from the page cache than a device or many decoding threads take, and a disk
 * likes to have more than one request. Threads take a step of a read at a time, in the order of the
 * file, so that a slow one keeps nobody waiting but for its own step.
 */
#include "plugins/common/files/readers.h"

#include <errno.h>
#include <fecrun/sdk/params.h>
#include <fecrun/sdk/thread.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    STEP = 256 << 10, /* bytes that are read and checked at a time, in the cache */
    MOST = 15         /* threads beside the one that wants to read */
};

/* One read. */
struct job {
    const struct infile *file;
    uint8_t *to;
    uint64_t at;
    size_t n;
    infile_check *check;
    const void *data;
    pthread_mutex_t lock; /* of what follows */
    size_t next;          /* step that is to be begun */
    size_t ends; /* the first one that is short or wrong, or not wanted; none behind it is begun */
    size_t got;  /* bytes up to there, with its own */
    int status;  /* of that step */
    struct fecrun_error err;
    unsigned busy;        /* threads of the pool at it; under the pool's lock, as is */
    struct job *next_job; /* the next one of its list */
};

/* One pool for all files of the process: there are no more CPUs for two of them. */
static struct readers {
    pthread_mutex_t
        users_lock; /* of its users and threads, while they are started and joined, too */
    unsigned users, n;
    pthread_t thread[MOST];
    pthread_mutex_t lock;      /* of what follows, and of what jobs say */
    pthread_cond_t work, rest; /* there is a job; no thread is at one any more */
    struct job *jobs;          /* with steps that were not begun, the oldest first */
    bool closing;
} pool = {.users_lock = PTHREAD_MUTEX_INITIALIZER,
          .lock = PTHREAD_MUTEX_INITIALIZER,
          .work = PTHREAD_COND_INITIALIZER,
          .rest = PTHREAD_COND_INITIALIZER};

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

/* Of several steps that end the read the first one in the file counts. */
static void end_at(struct job *job, size_t step, size_t got, int status,
                   const struct fecrun_error *err)
{
    pthread_mutex_lock(&job->lock);
    if (step < job->ends) {
        job->ends = step;
        job->got = step * STEP + got;
        job->status = status;
        job->err = *err;
    }
    pthread_mutex_unlock(&job->lock);
}

/* The step that is to be done next; false: there is none. */
static bool take_step(struct job *job, size_t *step)
{
    bool there;

    pthread_mutex_lock(&job->lock);
    *step = job->next;
    there = job->next < job->ends;
    job->next += there;
    pthread_mutex_unlock(&job->lock);
    return there;
}

static void do_steps(struct job *job)
{
    size_t step;

    while (take_step(job, &step)) {
        const size_t first = step * STEP;
        const size_t want = job->n - first < STEP ? job->n - first : STEP;
        struct fecrun_error err = {.size = sizeof err};
        size_t got = 0;
        int status = 0;

        if (!cancelled(job->file) &&
            (read_at(job->file, job->to + first, want, job->at + first, &got, &err) ||
             job->check(job->data, job->to + first, got, job->at + first, &err)))
            status = -1;
        if (status || got < want)
            end_at(job, step, got, status, &err);
    }
}

/* Under the pool's lock. */
static void unlist(struct job *job)
{
    struct job **at = &pool.jobs;

    while (*at && *at != job)
        at = &(*at)->next_job;
    if (*at)
        *at = job->next_job;
}

static void *serve(void *data)
{
    (void)data;
    pthread_mutex_lock(&pool.lock);
    while (!pool.closing) {
        struct job *job = pool.jobs;

        if (!job) {
            pthread_cond_wait(&pool.work, &pool.lock);
            continue;
        }
        job->busy++;
        pthread_mutex_unlock(&pool.lock);
        do_steps(job);
        pthread_mutex_lock(&pool.lock);
        unlist(job); /* all of it has been begun */
        if (--job->busy == 0)
            pthread_cond_broadcast(&pool.rest);
    }
    pthread_mutex_unlock(&pool.lock);
    return NULL;
}

/* Signals are for the host's threads. */
static void start_threads(void)
{
    const unsigned cpus = fecrun_cpus(), wanted = cpus - 1 < MOST ? cpus - 1 : MOST;
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (pool.n < wanted && !fecrun_thread_start(&pool.thread[pool.n], serve, NULL))
        pool.n++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

struct readers *readers_open(void)
{
    pthread_mutex_lock(&pool.users_lock);
    if (!pool.users++)
        start_threads();
    pthread_mutex_unlock(&pool.users_lock);
    return &pool;
}

static void set_closing(bool closing)
{
    pthread_mutex_lock(&pool.lock);
    pool.closing = closing;
    pthread_cond_broadcast(&pool.work);
    pthread_mutex_unlock(&pool.lock);
}

void readers_close(struct readers *readers)
{
    if (!readers)
        return;
    pthread_mutex_lock(&readers->users_lock);
    if (!--readers->users) {
        set_closing(true);
        for (; readers->n; readers->n--)
            pthread_join(readers->thread[readers->n - 1], NULL);
        set_closing(false);
    }
    pthread_mutex_unlock(&readers->users_lock);
}

/* Does the job with the threads that come, and waits for those that have begun. */
static void share(struct job *job)
{
    struct job **at = &pool.jobs;

    pthread_mutex_lock(&pool.lock);
    while (*at)
        at = &(*at)->next_job;
    *at = job;
    for (unsigned i = 0; i < pool.n && i + 1 < job->ends; i++)
        pthread_cond_signal(&pool.work);
    pthread_mutex_unlock(&pool.lock);
    do_steps(job);
    pthread_mutex_lock(&pool.lock);
    unlist(job);
    while (job->busy)
        pthread_cond_wait(&pool.rest, &pool.lock);
    pthread_mutex_unlock(&pool.lock);
}

int readers_read(struct readers *readers, const struct infile *file, uint8_t *to, size_t n,
                 infile_check *check, const void *data, size_t *got, struct fecrun_error *err)
{
    struct job job = {.file = file,
                      .to = to,
                      .at = file->offset,
                      .n = n,
                      .check = check,
                      .data = data,
                      .ends = (n + STEP - 1) / STEP,
                      .got = n,
                      .err = {.size = sizeof job.err}};

    pthread_mutex_init(&job.lock, NULL);
    if (readers && n > STEP)
        share(&job);
    else
        do_steps(&job);
    pthread_mutex_destroy(&job.lock);
    *got = job.got;
    return job.status ? fecrun_fail(err, job.err.param, "%s", job.err.text) : 0;
}
