/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Code of a plugin runs when its file is loaded and when a backend is asked whether it can run here. The core does both
 * in its own process. A program may have them tried elsewhere first, as fecrun does (tools/quarantine).
 */
#ifndef FECRUN_PLUGIN_QUARANTINE_H
#define FECRUN_PLUGIN_QUARANTINE_H

#include "core/base/diag.h"
#include "core/plugin/loader.h"
#include "core/plugin/probe.h"

struct quarantine {
    void *data;
    /* Called with all files before the core loads one. Sets the reasons of those that must not be loaded, and may load
       others itself, by loader_open(): what was tried is loaded then. -1: an error that ends registry_open(). */
    int (*load)(void *data, struct loaded *files, size_t n, struct diag *diag);
    /* Sets the answers of all probes, in order, by probe_ask(). -1: errno says why it cannot. */
    int (*ask)(void *data, const struct fecrun_host *host, struct probe *probes, size_t n);
};

#endif
