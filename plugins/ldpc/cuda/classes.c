/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/cuda/classes.h"

#include <fecrun/sdk/thread.h>
#include <pthread.h>

#ifdef FECRUN_CUDA

enum { MOST_THREADS = 32 };

/* Classes of which each thread takes the next one. */
struct work {
    struct ldpc_class *classes;
    const struct fecrun_create *args;
    const struct fecrun_cuda_limits *limits;
    int chosen;
    pthread_mutex_t lock;     /* of all that follows */
    uint32_t next, failed;    /* failed: the first class that has none, or n */
    struct fecrun_error *why; /* of that one */
};

static uint32_t take_next(struct work *w)
{
    uint32_t n;

    pthread_mutex_lock(&w->lock);
    n = w->failed < w->args->n_codes ? w->args->n_codes : w->next++;
    pthread_mutex_unlock(&w->lock);
    return n;
}

static void note_failure(struct work *w, uint32_t n, const struct fecrun_error *why)
{
    pthread_mutex_lock(&w->lock);
    if (n < w->failed) {
        w->failed = n;
        *w->why = *why;
    }
    pthread_mutex_unlock(&w->lock);
}

static void *choose_some(void *arg)
{
    struct work *const w = arg;

    for (uint32_t n; (n = take_next(w)) < w->args->n_codes;) {
        struct fecrun_error why = {.size = sizeof why};

        if (fecrun_cuda_use(w->args->device, &why) ||
            ldpc_class_choose(&w->classes[n], n, w->args, w->chosen, w->limits, &why))
            note_failure(w, n, &why);
    }
    cudaGetLastError(); /* of what was not possible, which the next launch would find */
    return NULL;
}

int ldpc_classes_choose(struct ldpc_class *classes, const struct fecrun_create *args, int chosen,
                        const struct fecrun_cuda_limits *limits, struct fecrun_error *why)
{
    struct work w = {.classes = classes,
                     .args = args,
                     .limits = limits,
                     .chosen = chosen,
                     .lock = PTHREAD_MUTEX_INITIALIZER,
                     .failed = args->n_codes,
                     .why = why};
    const uint32_t cpus = fecrun_cpus(), most = cpus < MOST_THREADS ? cpus : MOST_THREADS;
    pthread_t thread[MOST_THREADS];
    uint32_t n = 0;

    while (n + 1 < most && n + 1 < args->n_codes &&
           !fecrun_thread_start(&thread[n], choose_some, &w))
        n++;
    choose_some(&w);
    while (n)
        pthread_join(thread[--n], NULL);
    return w.failed < args->n_codes ? -1 : 0;
}

#endif
