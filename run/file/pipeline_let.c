/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads `let: {NAME: VALUE}`, values that are written once and used as $NAME. */
#include "run/file/pipeline_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_NAME = 64,
    MAX_TEXT = 256
}; /* so that what refers to them does not grow without bound */

struct let {
    struct conf *conf;
    const struct conf_node *map;
};

static int check_value(const struct let *let, size_t i, struct diag *diag)
{
    const struct conf_node *key = let->map->keys[i], *value = let->map->items[i];

    if (strlen(key->text) > MAX_NAME || !pipeline_is_name(key->text, "_-"))
        return diag_fail_at(diag, DIAG_USAGE, key->mark,
                            "let.%s: a name has letters, digits, _ and -, begins with a letter and "
                            "has at most %d of them",
                            key->text, MAX_NAME);
    if (value->kind != CONF_SCALAR || conf_is_empty(value))
        return conf_refuse(value, diag, "let.%s: must be a single value", key->text);
    if (strlen(value->text) > MAX_TEXT || (value->text[0] == '$' && value->text[1] != '$'))
        return diag_fail_at(diag, DIAG_USAGE, value->mark,
                            "let.%s: must have at most %d bytes and refer to no other $NAME",
                            key->text, MAX_TEXT);
    return 0;
}

static int replace(const struct let *let, struct conf_node *node, struct diag *diag)
{
    const struct conf_node *value;
    char hint[96];

    if (node->text[0] != '$')
        return 0;
    if (node->text[1] == '$') {
        memmove(node->text, node->text + 1, strlen(node->text));
        return 0;
    }
    value = conf_get(let->map, node->text + 1);
    if (!value)
        return diag_fail_at(diag, DIAG_USAGE, node->mark,
                            "%s: let: has no such name%s ($$ is a $ itself)", node->text,
                            conf_hint(let->map, node->text + 1, hint, sizeof hint));
    /* $$ of the value is a $ */
    node->text = conf_own(let->conf, strdup(value->text + (value->text[0] == '$')), diag);
    node->plain = value->plain;
    return node->text ? 0 : -1;
}

/* Depth is bounded by the reader. */
static int replace_all(const struct let *let, struct conf_node *node, struct diag *diag)
{
    if (node->kind == CONF_SCALAR)
        return replace(let, node, diag);
    for (size_t i = 0; i < node->count; i++)
        if (replace_all(let, node->items[i], diag))
            return -1;
    return 0;
}

int pipeline_apply_let(struct pipeline *pipeline, struct diag *diag)
{
    struct conf_node *root = pipeline->conf->root;
    struct let let = {.conf = pipeline->conf, .map = conf_get(root, "let")};
    char is[64];

    if (!let.map || conf_is_empty(let.map))
        return 0;
    if (let.map->kind != CONF_MAP || let.map->count > PIPELINE_LETS)
        return diag_fail_at(diag, DIAG_USAGE, let.map->mark,
                            "let: must be a map of at most %d {NAME: VALUE}, is %s", PIPELINE_LETS,
                            let.map->kind == CONF_MAP ? "larger"
                                                      : conf_show(is, sizeof is, let.map));
    for (size_t i = 0; i < let.map->count; i++)
        if (check_value(&let, i, diag))
            return -1;
    for (size_t i = 0; i < root->count; i++)
        if (root->items[i] != let.map && replace_all(&let, root->items[i], diag))
            return -1;
    return 0;
}
