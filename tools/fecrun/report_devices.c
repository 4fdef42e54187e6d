/* SPDX-License-Identifier: BSD-2-Clause */
/* Reports the devices that a run may use and uses, and the work of each. */
#include "tools/fecrun/report_devices.h"
#include "run/fleet/fleet.h"
#include "tools/fecrun/numa.h"

/* null: not known. NULL: none is, as of a single device, or where there is only one node. */
static json_t *nodes_json(const struct session *session, const struct devices *devices)
{
    json_t *nodes = json_array();
    bool any = false;

    for (size_t i = 0; i < devices->n && devices->n > 1; i++) {
        const int node = numa_of(numa_tree(), devices_bus(session, devices, i));
        any |= node >= 0;
        json_array_append_new(nodes, node < 0 ? json_null() : json_integer(node));
    }
    if (any)
        return nodes;
    json_decref(nodes);
    return NULL;
}

/* Why not all devices take part; NULL: they do. */
static json_t *note_json(const struct devices *devices, const char *provider)
{
    switch (devices->left) {
    case DEVICES_ONE_OUTPUT:
        return json_sprintf("one of %zu devices, for its output is one; all share it with "
                            "--backend %s:all",
                            devices->there, provider);
    case DEVICES_IN_ORDER:
        return json_sprintf("one of %zu devices, for its frames are in order", devices->there);
    case DEVICES_CANNOT:
        return json_sprintf("%zu of %zu devices, the others cannot", devices->n, devices->there);
    case DEVICES_EMPTY:
        return json_sprintf("one of %zu devices, for its input is empty", devices->there);
    default:
        return NULL;
    }
}

int report_runs_on(json_t *o, const struct session *session, const struct session_plan *plan,
                   struct diag *diag)
{
    struct devices devices;
    json_t *names = json_array(), *nodes;
    const char *provider;

    if (devices_of(session, plan, &devices, diag)) {
        json_decref(names);
        return -1;
    }
    if (devices.space == SPACE_HOST) {
        json_decref(names);
        return 0;
    }
    provider = session->registry->providers[devices.space - 1].provider->name;
    for (size_t i = 0; i < devices.n; i++)
        json_array_append_new(names, json_sprintf("%s:%d", provider, devices.device[i]));
    nodes = nodes_json(session, &devices);
    if (json_object_set_new(o, "runs_on", names) ||
        (nodes && json_object_set_new(o, "runs_on_nodes", nodes)) ||
        (devices.left && json_object_set_new(o, "runs_on_note", note_json(&devices, provider))))
        return diag_no_memory(diag);
    return 0;
}

json_t *report_shares(const struct result_point *point)
{
    json_t *all = json_array();

    for (size_t i = 0; i < point->n_shares; i++) {
        const struct run_share *share = &point->shares[i];
        json_t *row = json_pack("{s:s, s:I, s:f}", "who", share->who, "frames",
                                (json_int_t)share->frames, "seconds", share->seconds);
        if (row && share->placed) {
            json_object_set_new(row, "node", json_integer(share->node));
            json_object_set_new(row, "bound", json_boolean(share->bound));
        }
        if (row && *share->lost)
            json_object_set_new(row, "lost", json_string(share->lost));
        if (!row || json_array_append_new(all, row)) {
            json_decref(all);
            return NULL;
        }
    }
    return all;
}
