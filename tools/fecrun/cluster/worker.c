/* SPDX-License-Identifier: BSD-2-Clause */
/* Any rank except 0: one thread for messages and one for the leases. */
#include "tools/fecrun/cluster/cluster.h"

#include "core/base/cpu.h"
#include "tools/fecrun/cluster/message.h"

#include <fecrun/sdk/thread.h>
#include <fecrun/sdk/params.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SILENCE 120.0 /* seconds without a word of rank 0: it is dead */
#define NAP_LEAST 50000L
#define NAP_MOST 2000000L /* nanoseconds */

struct working {
    struct cluster *cluster;
    struct server *server;
    const volatile int *signal;
    bool stopped; /* by a signal, and rank 0 knows it */
    pthread_t thread;
    bool busy; /* there is a lease, and a thread that does it */
    int done;  /* set by that thread, atomically */
    int status;
    uint64_t point;
    struct lease lease;
    struct run_part part;
    struct diag diag;
};

static void send_text(struct cluster *cluster, uint32_t type, const char *text)
{
    const size_t n = strlen(text);
    struct message *message = calloc(1, sizeof *message + n);

    if (!message)
        return;
    message->type = type;
    memcpy(message + 1, text, n);
    cluster->transport->send(0, message, sizeof *message + n);
    free(message);
}

static void send_result(struct working *w)
{
    const size_t bytes = serve_rows(w->server) * sizeof(struct run_class);
    size_t n_data;
    const void *data = serve_data(w->server, &n_data);
    struct message *message = calloc(1, sizeof *message + bytes + n_data);

    if (!message) {
        send_text(w->cluster, MESSAGE_FAILED, "out of memory");
        return;
    }
    message->type = MESSAGE_RESULT;
    message->n_rows = (uint32_t)serve_rows(w->server);
    message->n_data = n_data;
    message->point = w->point;
    message->lease = w->lease;
    message->part = w->part;
    message->part.counts.rows = NULL;
    if (bytes)
        memcpy(message + 1, w->part.counts.rows, bytes);
    if (n_data)
        memcpy((char *)(message + 1) + bytes, data, n_data);
    if (w->cluster->transport->send(0, message, sizeof *message + bytes + n_data))
        send_text(w->cluster, MESSAGE_FAILED,
                  "what it has done cannot be sent: out of memory, or a frame of 2 GiB or more");
    free(message);
}

static void *work(void *data)
{
    struct working *w = data;

    w->status = serve_lease(w->server, (size_t)w->point, &w->lease, &w->part, &w->diag);
    __atomic_store_n(&w->done, 1, __ATOMIC_RELEASE);
    return NULL;
}

static void begin(struct working *w, const struct message *message)
{
    char text[128];
    int reason;

    w->point = message->point;
    w->lease = message->lease;
    w->done = 0;
    __atomic_store_n(&w->cluster->cancel, 0, __ATOMIC_RELAXED);
    reason = fecrun_thread_start(&w->thread, work, w);
    w->busy = !reason;
    if (reason) {
        snprintf(text, sizeof text, "cannot start a thread: %s", strerror(reason));
        send_text(w->cluster, MESSAGE_FAILED, text);
    }
}

static void finish(struct working *w)
{
    pthread_join(w->thread, NULL);
    w->busy = false;
    if (w->status)
        send_text(w->cluster, MESSAGE_FAILED, w->diag.text);
    else
        send_result(w);
}

/* false: all is over. */
static bool handle(struct working *w, const struct message *message)
{
    switch (message->type) {
    case MESSAGE_GIVE:
        if (w->server && !w->busy && !w->stopped)
            begin(w, message);
        return true;
    case MESSAGE_STOP:
        if (w->busy && message->lease.first == w->lease.first)
            __atomic_store_n(&w->cluster->cancel, 1, __ATOMIC_RELAXED);
        return true;
    case MESSAGE_END:
        return false;
    }
    return true;
}

/* What is done of the present lease is worth telling; then no more. */
static void heed_signal(struct working *w)
{
    if (w->stopped || !fecrun_cancelled(w->signal))
        return;
    __atomic_store_n(&w->cluster->cancel, 1, __ATOMIC_RELAXED);
    if (w->busy)
        return;
    w->stopped = true;
    send_text(w->cluster, MESSAGE_FAILED, "stopped by a signal");
}

/* Sleeps, the longer the less there is to do. */
static void nap(long *length)
{
    const struct timespec time = {0, *length};

    nanosleep(&time, NULL);
    *length = *length < NAP_MOST ? 2 * *length : NAP_MOST;
}

static void serve(struct working *w)
{
    const struct cluster_transport *transport = w->cluster->transport;
    double heard = cpu_seconds();
    const void *bytes;
    long length = NAP_LEAST;
    size_t size;
    int from;

    while (cpu_seconds() - heard < SILENCE) {
        const bool any = transport->receive(&from, &bytes, &size);
        heed_signal(w);
        if (w->busy && __atomic_load_n(&w->done, __ATOMIC_ACQUIRE)) {
            finish(w);
            length = NAP_LEAST;
        }
        if (!any) {
            nap(&length);
            continue;
        }
        heard = cpu_seconds();
        length = NAP_LEAST;
        if (size >= sizeof(struct message) && !handle(w, bytes))
            return;
    }
}

/* Rank 0 says whether all leave together. */
static bool say_goodbye(struct cluster *cluster)
{
    const struct message bye = {.type = MESSAGE_BYE};
    const double begin = cpu_seconds();
    const void *bytes;
    long length = NAP_LEAST;
    size_t size;
    int from;

    cluster->transport->send(0, &bye, sizeof bye);
    while (cpu_seconds() - begin < SILENCE) {
        const struct message *message;
        if (!cluster->transport->receive(&from, &bytes, &size)) {
            nap(&length);
            continue;
        }
        message = bytes;
        if (size >= sizeof *message && message->type == MESSAGE_LEAVE)
            return message->together;
    }
    return false;
}

static void send_hello(struct cluster *cluster, json_t *hello)
{
    char *text = hello ? json_dumps(hello, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;

    send_text(cluster, MESSAGE_HELLO, text ? text : "{\"error\":\"out of memory\"}");
    free(text);
    json_decref(hello);
}

void cluster_work(struct cluster *cluster, struct server *server, json_t *hello,
                  const volatile int *signal)
{
    struct working w = {.cluster = cluster, .server = server, .signal = signal};
    bool together;

    send_hello(cluster, hello);
    serve(&w);
    __atomic_store_n(&cluster->cancel, 1, __ATOMIC_RELAXED);
    if (w.busy)
        pthread_join(w.thread, NULL);
    together = say_goodbye(cluster);
    serve_close(server);
    cluster->transport->close(together);
    cluster->transport = NULL;
}
