/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/journal/versions.h"

#include <stdio.h>
#include <string.h>

json_t *versions_of_plugins(const struct session *session)
{
    json_t *versions = json_object();

    for (size_t s = 0; versions && s < session->graph->n; s++) {
        const struct fecrun_plugin *plugin = session->graph->stages[s].entry->plugin->plugin;
        json_object_set_new(versions, plugin->name, json_string(plugin->version));
    }
    return versions;
}

static bool differ(const json_t *a, const json_t *b, const char *what, char *text, size_t size)
{
    const char *x = json_string_value(a), *y = json_string_value(b);

    if (!x || !y || !strcmp(x, y))
        return false;
    snprintf(text, size, "%s %s and %s", what, x, y);
    return true;
}

bool versions_differ(const json_t *a, const json_t *b, char *text, size_t size)
{
    json_t *plugins = json_object_get(a, "plugins"), *version;
    const json_t *others = json_object_get(b, "plugins");
    const char *name;

    if (differ(json_object_get(a, "fecrun"), json_object_get(b, "fecrun"), "fecrun", text, size))
        return true;
    json_object_foreach(plugins, name, version) if (differ(version, json_object_get(others, name),
                                                           name, text, size)) return true;
    return false;
}
