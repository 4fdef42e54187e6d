/* SPDX-License-Identifier: BSD-2-Clause */
/* Asks providers and backends in a child process whether they can run here. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#endif
#include "tools/quarantine/quarantine.h"

#include "tools/quarantine/forked.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

/* A driver that starts cold on a loaded machine takes seconds, not minutes. */
#define PROBE_SECONDS 30

struct asked {
    const struct fecrun_host *host;
    struct probe *rows; /* shared with the child */
};

static void ask_one(void *data, size_t i)
{
    const struct asked *asked = data;

    probe_ask(asked->host, asked->rows, i);
}

static void blame(void *data, size_t i, const char *how, bool late)
{
    struct probe_answer *answer = &((struct asked *)data)->rows[i].answer;

    (void)late;
    *answer = (struct probe_answer){.available = false};
    snprintf(answer->reason, sizeof answer->reason, "its probe %s", how);
}

int quarantine_ask(void *data, const struct fecrun_host *host, struct probe *probes, size_t n)
{
    const size_t bytes = (n + 1) * sizeof *probes; /* none would be no memory */
    struct asked asked = {.host = host};
    const struct forked_work work = {
        .n = n, .seconds = PROBE_SECONDS, .data = &asked, .one = ask_one, .died = blame};
    void *shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int status;

    (void)data;
    if (shared == MAP_FAILED)
        return -1;
    asked.rows = memcpy(shared, probes, n * sizeof *probes);
    status = forked_do(&work);
    memcpy(probes, shared, n * sizeof *probes);
    munmap(shared, bytes);
    return status;
}
