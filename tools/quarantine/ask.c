/* SPDX-License-Identifier: BSD-2-Clause */
/* Asks providers and backends in a child process whether they can run here. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* MAP_ANONYMOUS, dl_iterate_phdr */
#endif
#include "tools/quarantine/quarantine.h"

#include "tools/quarantine/forked.h"

#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

/* A driver that starts cold on a loaded machine takes seconds, not minutes. */
#define PROBE_SECONDS 30

/* What the child leaves, in shared memory. */
struct answers {
    bool died;
    char files[8192]; /* the paths of loaded files, a line each */
    struct probe rows[];
};

struct asked {
    const struct fecrun_host *host;
    struct answers *answers;
    size_t n;
};

/* Adds the file's path; if there is no room for it, the list is empty in the end. */
static int add_file(struct dl_phdr_info *info, size_t size, void *data)
{
    char *files = data;
    const size_t room = sizeof((struct answers *)NULL)->files, used = strlen(files);

    (void)size;
    if (info->dlpi_name[0] != '/')
        return 0;
    if (used + strlen(info->dlpi_name) + 2 > room) {
        files[0] = 0;
        return 1;
    }
    snprintf(files + used, room - used, "%s\n", info->dlpi_name);
    return 0;
}

static void ask_one(void *data, size_t i)
{
    const struct asked *asked = data;

    probe_ask(asked->host, asked->answers->rows, i);
    asked->answers->files[0] = 0;
    if (i + 1 == asked->n)
        dl_iterate_phdr(add_file, asked->answers->files);
}

static void blame(void *data, size_t i, const char *how, bool late)
{
    struct answers *answers = ((struct asked *)data)->answers;
    struct probe_answer *answer = &answers->rows[i].answer;

    (void)late;
    answers->died = true;
    *answer = (struct probe_answer){.available = false};
    snprintf(answer->reason, sizeof answer->reason, "its probe %s", how);
}

static int ask_away(const struct quarantine_memory *memory, const struct fecrun_host *host,
                    struct probe *probes, size_t n)
{
    const size_t bytes = sizeof(struct answers) + n * sizeof *probes;
    struct asked asked = {.host = host, .n = n};
    const struct forked_work work = {
        .n = n, .seconds = PROBE_SECONDS, .data = &asked, .one = ask_one, .died = blame};
    void *shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int status;

    if (shared == MAP_FAILED)
        return -1;
    asked.answers = shared;
    memcpy(asked.answers->rows, probes, n * sizeof *probes);
    status = forked_do(&work);
    memcpy(probes, asked.answers->rows, n * sizeof *probes);
    if (!status && !asked.answers->died && memory && memory->asked)
        memory->asked(memory->data, probes, n, asked.answers->files);
    munmap(shared, bytes);
    return status;
}

int quarantine_ask(void *data, const struct fecrun_host *host, struct probe *probes, size_t n)
{
    const struct quarantine_memory *memory = data;

    if (!memory || !memory->trusts || !memory->trusts(memory->data, probes, n))
        return ask_away(memory, host, probes, n);
    for (size_t i = 0; i < n; i++)
        probe_ask(host, probes, i);
    memory->asked(memory->data, probes, n, NULL);
    return 0;
}
