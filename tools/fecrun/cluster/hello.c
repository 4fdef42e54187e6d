/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/fecrun/cluster/cluster.h"

#include "tools/fecrun/journal/identity.h"

#include <stdio.h>
#include <string.h>

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));

    return text ? text : "?";
}

/* `what`, where both differ first. */
static const char *differs(const json_t *theirs, const json_t *mine, const char *key,
                           const char *what, char *text, size_t size)
{
    const json_t *a = json_object_get(theirs, key), *b = json_object_get(mine, key);
    char where[512];

    if (json_equal(a, b))
        return NULL;
    snprintf(text, size, "%s: %s", what, identity_difference(a, b, where, sizeof where));
    return text;
}

const char *hello_difference(const json_t *theirs, const json_t *mine, char *text, size_t size)
{
    const char *error = json_string_value(json_object_get(theirs, "error"));
    const char *why;

    if (error) {
        snprintf(text, size, "%s", error);
        return text;
    }
    if (strcmp(text_of(theirs, "fecrun"), text_of(mine, "fecrun")) ||
        !json_equal(json_object_get(theirs, "part"), json_object_get(mine, "part"))) {
        snprintf(text, size, "it is fecrun %s, rank 0 is %s", text_of(theirs, "fecrun"),
                 text_of(mine, "fecrun"));
        return text;
    }
    if (strcmp(text_of(theirs, "id"), text_of(mine, "id")) &&
        (why = differs(theirs, mine, "identity", "another pipeline", text, size)))
        return why;
    if ((why = differs(theirs, mine, "sweep", "another sweep", text, size)))
        return why;
    return differs(theirs, mine, "near", "backends that are only near rank 0's", text, size);
}
