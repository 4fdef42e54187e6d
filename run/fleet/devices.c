/* SPDX-License-Identifier: BSD-2-Clause */
#include "run/fleet/devices.h"

#include "run/fleet/capture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Did the user say which device, anywhere? */
static bool named(const struct graph *graph)
{
    for (size_t s = 0; s < graph->n; s++)
        if (graph->stages[s].wish && strchr(graph->stages[s].wish, ':'))
            return true;
    return false;
}

/* What is asked of one device: its provider, then all backends of the plan. */
static size_t ask_about(const struct session_plan *plan, int device, struct probe *probes)
{
    const struct negotiation *negotiation = plan->negotiation;
    size_t n = 0;

    probes[n++] = (struct probe){
        .provider = negotiation->graph->registry->providers[negotiation->space - 1].provider,
        .device = device};
    for (size_t s = 0; s < negotiation->graph->n; s++) {
        const struct choice *choice = &negotiation->choices[s];
        if (choice->absorbed_by < 0 && choice->space != SPACE_HOST)
            probes[n++] = (struct probe){
                choice->backend->provider, choice->backend->backend, device, {.devices = 0}};
    }
    return n;
}

/* Can the plan's backends run on those, too? Probes were asked for one device. These are asked in one call, so that a
   quarantine starts the driver once. why: of each, "" if it can. */
static int probe_devices(const struct session *session, const struct session_plan *plan,
                         const struct devices *devices, char (*why)[256], struct diag *diag)
{
    struct probe *probes = calloc(devices->n * (session->graph->n + 1), sizeof *probes);
    size_t n = 0, per = 0;
    int status = 0;

    if (!probes)
        return diag_no_memory(diag);
    for (size_t i = 0; i < devices->n; i++)
        n += per = ask_about(plan, devices->device[i], probes + n);
    if (probe_all(&session->registry->host, session->registry->quarantine, probes, n))
        status = diag_fail(diag, DIAG_RUN, "cannot ask devices whether they can take part: %s",
                           strerror(errno));
    for (size_t k = n; !status && k-- > 0;)
        if (!probes[k].answer.available)
            memcpy(why[k / per], probes[k].answer.reason, sizeof *why);
    free(probes);
    return status;
}

/* Can others have a part of the frames? */
static int check_parts(const struct session_plan *plan, const char *name, int device,
                       struct diag *diag)
{
    if (capture_is(plan) || capture_is_empty(plan) ||
        !session_seekable(plan, "the part of another device", diag))
        return 0;
    diag_add(diag, "; one device alone can: %s:%d", name, device);
    return -1;
}

static int check_named(const struct session *session, const struct session_plan *plan,
                       const struct devices *devices, struct diag *diag)
{
    const struct registry_provider *provider = &session->registry->providers[devices->space - 1];
    const struct mark mark = session->pipeline->backend_mark;
    const char *text = session->pipeline->backend, *name = provider->provider->name;
    char why[BACKEND_DEVICES][256] = {""};

    for (size_t i = 0; i < devices->n; i++)
        if (devices->device[i] >= provider->answer.devices)
            return diag_fail_at(diag, DIAG_UNAVAILABLE, mark,
                                "backend: `%s`: there is no device %s:%d here; there are %d", text,
                                name, devices->device[i], provider->answer.devices);
    if (devices->n < 2)
        return 0;
    if (check_parts(plan, name, devices->device[0], diag) ||
        probe_devices(session, plan, devices, why, diag))
        return -1;
    for (size_t i = 0; i < devices->n; i++)
        if (*why[i])
            return diag_fail_at(diag, DIAG_UNAVAILABLE, mark, "backend: `%s`: %s:%d: %s", text,
                                name, devices->device[i], why[i]);
    return 0;
}

/* auto: those that can. */
static int take_all(const struct session *session, const struct session_plan *plan,
                    struct devices *devices, struct diag *diag)
{
    const int there = session->registry->providers[devices->space - 1].answer.devices;
    struct devices all = {.space = devices->space};
    char why[BACKEND_DEVICES][256] = {""};
    struct diag in_order = {0};

    if (there < 2)
        return 0;
    devices->there = (size_t)there;
    if (capture_is(plan))
        return devices->left = DEVICES_ONE_OUTPUT, 0;
    if (session_seekable(plan, "the part of another device", &in_order))
        return devices->left = DEVICES_IN_ORDER, 0;
    for (int d = 0; d < there && d < BACKEND_DEVICES; d++)
        if (d != devices->device[0])
            all.device[all.n++] = d;
    if (probe_devices(session, plan, &all, why, diag))
        return -1;
    for (size_t i = 0; i < all.n; i++)
        if (!*why[i])
            devices->device[devices->n++] = all.device[i];
    if (devices->n <= all.n)
        devices->left = DEVICES_CANNOT;
    return 0;
}

int devices_of(const struct session *session, const struct session_plan *plan,
               struct devices *devices, struct diag *diag)
{
    const struct negotiation *negotiation = plan->negotiation;
    const char *common = session->pipeline->backend;

    *devices = (struct devices){.n = 1};
    if (negotiation->space == SPACE_HOST)
        return 0;
    devices->space = negotiation->space;
    devices->device[0] = negotiation->device;
    if (common && backend_names_several(common)) {
        devices->n = backend_devices(
            common, session->registry->providers[devices->space - 1].answer.devices,
            devices->device);
        if (check_named(session, plan, devices, diag))
            return -1;
        if (devices->n > 1 && capture_is_empty(plan)) {
            devices->left = DEVICES_EMPTY;
            devices->there = devices->n;
            devices->n = 1;
        }
        return 0;
    }
    return named(session->graph) ? 0 : take_all(session, plan, devices, diag);
}

const char *devices_bus(const struct session *session, const struct devices *devices, size_t i)
{
    const int device = devices->device[i];

    return device < PROBE_DEVICES
               ? session->registry->providers[devices->space - 1].answer.bus[device]
               : "";
}
