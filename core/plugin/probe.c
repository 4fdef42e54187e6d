/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/plugin/probe.h"

#include "core/base/array.h"
#include "core/plugin/forked.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* A driver that starts cold on a loaded machine takes seconds, not minutes. */
#define PROBE_SECONDS 30

/* Plugins stay loaded, so their addresses name them. What is new of a call stands in memory that is
   shared with the child. */
static struct probe *kept;
static size_t n_kept;
static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- Asking ---- */

static void describe(const struct fecrun_provider *provider, struct probe_answer *answer)
{
    if (provider->software)
        provider->software(answer->software, sizeof answer->software);
    for (int d = 0; provider->describe && d < answer->devices && d < PROBE_DEVICES; d++)
        provider->describe(d, answer->description[d], sizeof answer->description[d]);
    for (int d = 0; provider->bus && d < answer->devices && d < PROBE_DEVICES; d++) {
        if (provider->bus(d, answer->bus[d], sizeof answer->bus[d]))
            answer->bus[d][0] = 0;
        answer->bus[d][PROBE_BUS - 1] = 0;
    }
}

static void ask(const struct fecrun_host *host, struct probe *q)
{
    struct probe_answer *answer = &q->answer;
    char *reason = answer->reason;
    size_t size = sizeof answer->reason;
    int status = 0;

    if (!q->backend) {
        answer->devices = q->provider->devices(host);
        status = q->provider->probe(host, q->device < answer->devices ? q->device : 0, reason,
                                    size);
    } else if (q->backend->probe) {
        status = q->backend->probe(host, q->device, reason, size);
    }
    reason[size - 1] = 0;
    answer->available = !status;
    if (status && !reason[0])
        snprintf(reason, size, "its probe gives no reason");
    if (status)
        answer->devices = 0;
    if (status || q->backend)
        return;
    answer->available = answer->devices > 0;
    if (answer->available)
        describe(q->provider, answer);
    else
        snprintf(reason, size, "no device");
}

static bool same(const struct probe *a, const struct probe *b)
{
    return a->backend == b->backend && a->provider == b->provider && a->device == b->device;
}

/* What is known of it already. */
static const struct probe *find(const struct probe *q)
{
    for (size_t i = 0; i < n_kept; i++)
        if (same(&kept[i], q))
            return &kept[i];
    return NULL;
}

/* ---- The child ---- */

struct asked {
    const struct fecrun_host *host;
    struct probe *rows;
    size_t n;
};

/* What the provider of a backend said, if it was asked in this round or before. */
static const struct probe *provider_of(const struct asked *asked, const struct probe *backend)
{
    const struct probe q = {.provider = backend->provider, .device = backend->device};

    for (size_t i = 0; i < asked->n; i++)
        if (same(&asked->rows[i], &q))
            return &asked->rows[i];
    return find(&q);
}

static void ask_one(void *data, size_t i)
{
    const struct asked *asked = data;
    struct probe *q = &asked->rows[i];
    const struct probe *provider = q->backend && q->provider ? provider_of(asked, q) : NULL;
    char *reason = q->answer.reason;
    size_t size = sizeof q->answer.reason;

    if (provider && !provider->answer.available)
        snprintf(reason, size, "%s", provider->answer.reason);
    else if (provider && q->device >= provider->answer.devices)
        snprintf(reason, size, "there is no device %d", (int)q->device);
    else
        ask(asked->host, q);
}

/* ---- The parent ---- */

static void blame(void *data, size_t i, const char *how, bool late)
{
    struct probe_answer *answer = &((struct asked *)data)->rows[i].answer;

    (void)late;
    *answer = (struct probe_answer){.available = false};
    snprintf(answer->reason, sizeof answer->reason, "its probe %s", how);
}

static bool has_started(const struct fecrun_provider *provider)
{
    return provider && provider->started && provider->started();
}

/* ---- Answers that are kept ---- */

/* A backend without a probe is always there, once its provider is. */
static bool must_ask(const struct probe *q)
{
    return !find(q) && (!q->backend || q->backend->probe || q->provider);
}

static int keep(const struct probe *row)
{
    if (array_grow(&kept, n_kept, sizeof *kept))
        return -1;
    kept[n_kept++] = *row;
    return 0;
}

/* Rows of what is not known yet; those of a driver that runs here are answered at once. */
static int new_rows(struct asked *asked, const struct probe *probes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct probe *row = &asked->rows[asked->n];
        if (!must_ask(&probes[i]))
            continue;
        *row = probes[i];
        if (has_started(probes[i].provider)) {
            ask_one(&(struct asked){asked->host, row, 1}, 0);
            if (keep(row))
                return -1;
        } else {
            asked->n++;
        }
    }
    return 0;
}

int probe_all(const struct fecrun_host *host, struct probe *probes, size_t n)
{
    const size_t bytes = (n + 1) * sizeof *probes; /* none would be no memory */
    struct asked asked = {.host = host};
    struct forked_work work = {
        .seconds = PROBE_SECONDS, .data = &asked, .one = ask_one, .died = blame};
    void *shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int status;

    if (shared == MAP_FAILED)
        return -1;
    asked.rows = shared;
    pthread_mutex_lock(&kept_lock);
    status = new_rows(&asked, probes, n);
    work.n = asked.n;
    if (!status)
        status = forked_do(&work);
    for (size_t i = 0; i < asked.n && !status; i++)
        status = keep(&asked.rows[i]);
    for (size_t i = 0; i < n && !status; i++) {
        const struct probe *k = find(&probes[i]);
        if (k)
            probes[i].answer = k->answer;
        else
            probes[i].answer.available = true;
    }
    pthread_mutex_unlock(&kept_lock);
    munmap(shared, bytes);
    return status;
}
