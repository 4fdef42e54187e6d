/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef FECRUN_PLUGIN_PROBE_H
#define FECRUN_PLUGIN_PROBE_H

#include <fecrun/plugin.h>
#include <stdbool.h>

#define PROBE_DEVICES 16 /* that are described; there may be more */
#define PROBE_BUS 32

struct probe_answer {
    bool available;
    char reason[256]; /* why not */
    /* of a provider: */
    int devices;
    char software[160]; /* "" if it does not say */
    char description[PROBE_DEVICES][160];
    char bus[PROBE_DEVICES][PROBE_BUS]; /* "" if it does not say */
};

/* A question to a provider or a backend about one of the devices, and its answer. */
struct probe {
    const struct fecrun_provider *provider; /* with a backend: its own, or NULL for the host */
    const struct fecrun_backend *backend;   /* NULL: the provider is asked */
    int32_t device;                         /* 0 on the host */
    struct probe_answer answer;
};

struct quarantine;

/*
 * Sets the answers: can they run here? They are asked in order, in this process or, if the program has one, in its
 * quarantine: there a driver is started once and leaves no state in this process, and a probe that crashes or hangs costs
 * a reason. Where this process has started a provider's driver (started()), others cannot use it any more: it and its
 * backends are asked here. A backend is not asked where its provider says no, or has no such device. Providers come
 * before their backends.
 *
 * Answers are kept for the life of the process. quarantine may be NULL. -1: errno says why nobody could be asked.
 */
int probe_all(const struct fecrun_host *host, const struct quarantine *quarantine,
              struct probe *probes, size_t n);

/* Asks rows[i], for a quarantine. The rows before it have their answers. */
void probe_ask(const struct fecrun_host *host, struct probe *rows, size_t i);

#endif
