/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/plugin/probe.h"

#include "core/base/array.h"
#include "core/plugin/registry.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All that was asked. Plugins stay loaded, so their addresses name them. */
static struct probe *kept;
static size_t n_kept;
static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;

/* ---- Asking ---- */

static void describe(const struct fecrun_provider *provider, struct probe_answer *answer)
{
    if (provider->software)
        provider->software(answer->software, sizeof answer->software);
    for (int d = 0; d < answer->devices && d < PROBE_DEVICES; d++) {
        if (provider->describe)
            provider->describe(d, answer->description[d], sizeof answer->description[d]);
        if (provider->bus && provider->bus(d, answer->bus[d], sizeof answer->bus[d]))
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

/* The answer that the provider of backend row i gave, in this round of questions or an earlier one. */
static const struct probe *provider_of(const struct probe *rows, size_t i)
{
    const struct probe q = {.provider = rows[i].provider, .device = rows[i].device};

    for (size_t k = 0; k < i; k++)
        if (same(&rows[k], &q))
            return &rows[k];
    return find(&q);
}

void probe_ask(const struct fecrun_host *host, struct probe *rows, size_t i)
{
    struct probe *q = &rows[i];
    const struct probe *provider = q->backend && q->provider ? provider_of(rows, i) : NULL;
    char *reason = q->answer.reason;
    size_t size = sizeof q->answer.reason;

    if (provider && !provider->answer.available)
        snprintf(reason, size, "%s", provider->answer.reason);
    else if (provider && q->device >= provider->answer.devices)
        snprintf(reason, size, "there is no device %d", (int)q->device);
    else
        ask(host, q);
}

/* ---- Answers that are kept ---- */

/* A backend without a probe is always there, once its provider is. */
static bool must_ask(const struct probe *q)
{
    return !find(q) && (!q->backend || q->backend->probe || q->provider);
}

/* Asks those that are not known yet in this process, which only some may be if the program has a quarantine; or away, there. */
static int ask_new(const struct fecrun_host *host, const struct quarantine *quarantine,
                   const struct probe *probes, size_t n, bool away)
{
    const size_t first = n_kept;
    int status = 0;

    for (size_t i = 0; i < n && !status; i++) {
        const struct fecrun_provider *provider = probes[i].provider;
        if (must_ask(&probes[i]) &&
            (away || !quarantine || (provider && provider->started && provider->started())) &&
            !(status = array_grow(&kept, n_kept, sizeof *kept)))
            kept[n_kept++] = probes[i];
    }
    if (!status && away && n_kept > first)
        status = quarantine->ask(quarantine->data, host, &kept[first], n_kept - first);
    for (size_t i = first; !status && !away && i < n_kept; i++)
        probe_ask(host, kept, i);
    if (status)
        n_kept = first;
    return status;
}

int probe_all(const struct fecrun_host *host, const struct quarantine *quarantine,
              struct probe *probes, size_t n)
{
    int status;

    pthread_mutex_lock(&kept_lock);
    status = ask_new(host, quarantine, probes, n, false) ||
             ask_new(host, quarantine, probes, n, true);
    for (size_t i = 0; i < n && !status; i++) {
        const struct probe *k = find(&probes[i]);
        if (k)
            probes[i].answer = k->answer;
        else
            probes[i].answer.available = true;
    }
    pthread_mutex_unlock(&kept_lock);
    return status ? -1 : 0;
}
