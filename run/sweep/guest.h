/* SPDX-License-Identifier: BSD-2-Clause */
/* Manners in a program that uses devices itself: its calling thread's current device stays. */
#ifndef FECRUN_RUN_SWEEP_GUEST_H
#define FECRUN_RUN_SWEEP_GUEST_H

#include "core/plugin/registry.h"

#define GUEST_PROVIDERS 8

struct guest {
    void *chosen[GUEST_PROVIDERS];
};

/* Round all work that may choose a device in the calling thread; both in that thread. */
void guest_enter(struct guest *guest, const struct registry *registry);
void guest_leave(const struct guest *guest, const struct registry *registry);

#endif
