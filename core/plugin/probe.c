/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/plugin/probe.h"

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
struct kept {
    struct probe_question question;
    struct probe_answer answer;
    struct kept *next;
};

static struct kept *kept;
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

static void ask(const struct fecrun_host *host, const struct probe_question *q,
                struct probe_answer *answer)
{
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

static bool same(const struct probe_question *a, const struct probe_question *b)
{
    return a->backend == b->backend && a->provider == b->provider && a->device == b->device;
}

/* What is known of it already. */
static const struct kept *find(const struct probe_question *q)
{
    const struct kept *k = kept;

    while (k && !same(&k->question, q))
        k = k->next;
    return k;
}

/* ---- The child ---- */

/* What the provider of a backend said, if it was asked in this round or before. */
static const struct kept *provider_of(const struct kept *rows, size_t n,
                                      const struct probe_question *backend)
{
    const struct probe_question q = {.provider = backend->provider, .device = backend->device};

    for (size_t i = 0; i < n; i++)
        if (same(&rows[i].question, &q))
            return &rows[i];
    return find(&q);
}

static void answer_one(const struct fecrun_host *host, struct kept *rows, size_t n, size_t i)
{
    const struct probe_question *q = &rows[i].question;
    const struct kept *provider = q->backend && q->provider ? provider_of(rows, n, q) : NULL;
    char *reason = rows[i].answer.reason;
    size_t size = sizeof rows[i].answer.reason;

    if (provider && !provider->answer.available)
        snprintf(reason, size, "%s", provider->answer.reason);
    else if (provider && q->device >= provider->answer.devices)
        snprintf(reason, size, "there is no device %d", (int)q->device);
    else
        ask(host, q, &rows[i].answer);
}

struct asked {
    const struct fecrun_host *host;
    struct kept *rows;
    size_t n;
};

static void ask_one(void *data, size_t i)
{
    const struct asked *asked = data;

    answer_one(asked->host, asked->rows, asked->n, i);
}

/* ---- The parent ---- */

static void blame(void *data, size_t i, const char *how, bool late)
{
    struct probe_answer *answer = &((struct asked *)data)->rows[i].answer;

    (void)late;
    *answer = (struct probe_answer){.available = false};
    snprintf(answer->reason, sizeof answer->reason, "its probe %s", how);
}

static int ask_children(const struct fecrun_host *host, struct kept *rows, size_t n)
{
    struct asked asked = {host, rows, n};

    return forked_do(&(struct forked_work){
        .n = n, .seconds = PROBE_SECONDS, .data = &asked, .one = ask_one, .died = blame});
}

static bool has_started(const struct fecrun_provider *provider)
{
    return provider && provider->started && provider->started();
}

/* ---- Answers that are kept ---- */

/* A backend without a probe is always there, once its provider is. */
static bool must_ask(const struct probe_question *q)
{
    return !find(q) && (!q->backend || q->backend->probe || q->provider);
}

static int keep(const struct kept *row)
{
    struct kept *k = malloc(sizeof *k);

    if (!k)
        return -1;
    *k = *row;
    k->next = kept;
    kept = k;
    return 0;
}

/* Rows of what is not known yet; those of a driver that runs here are answered at once. */
static int new_rows(const struct fecrun_host *host, const struct probe_question *questions,
                    size_t n, struct kept *rows, size_t *n_rows)
{
    for (size_t i = 0; i < n; i++) {
        struct kept *row = &rows[*n_rows];
        if (!must_ask(&questions[i]))
            continue;
        *row = (struct kept){.question = questions[i]};
        if (has_started(questions[i].provider)) {
            answer_one(host, row, 1, 0);
            if (keep(row))
                return -1;
        } else {
            ++*n_rows;
        }
    }
    return 0;
}

int probe_all(const struct fecrun_host *host, const struct probe_question *questions, size_t n,
              struct probe_answer *answers)
{
    size_t bytes = (n ? n : 1) * sizeof(struct kept), n_rows = 0;
    struct kept *rows = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                             0);
    int status = 0;

    if (rows == MAP_FAILED)
        return -1;
    pthread_mutex_lock(&kept_lock);
    status = new_rows(host, questions, n, rows, &n_rows);
    if (!status)
        status = ask_children(host, rows, n_rows);
    for (size_t i = 0; i < n_rows && !status; i++)
        status = keep(&rows[i]);
    for (size_t i = 0; i < n && !status; i++) {
        const struct kept *k = find(&questions[i]);
        answers[i] = k ? k->answer : (struct probe_answer){.available = !must_ask(&questions[i])};
    }
    pthread_mutex_unlock(&kept_lock);
    munmap(rows, bytes);
    return status;
}
