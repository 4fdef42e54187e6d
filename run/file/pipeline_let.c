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
    const struct conf_node *map;     /* NULL: the file has none */
    const char *const *sets;         /* of --set; may be NULL */
    const char *names[MAX_NAME + 1]; /* for hints */
    const char *texts[MAX_NAME];
    bool plain[MAX_NAME];
};

static int read_value(struct let *let, size_t i, struct diag *diag)
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
    let->names[i] = key->text;
    let->texts[i] = value->text;
    let->plain[i] = value->plain;
    return 0;
}

static int find(const struct let *let, const char *name, size_t n)
{
    for (int i = 0; let->names[i]; i++)
        if (strlen(let->names[i]) == n && !strncmp(let->names[i], name, n))
            return i;
    return -1;
}

/* --set let.NAME=VALUE */
static int read_sets(struct let *let, struct diag *diag)
{
    for (size_t i = 0; let->sets && let->sets[i]; i++) {
        const char *option = let->sets[i], *equals = strchr(option, '=');
        const struct setting setting = {.name = "let", .option = option};
        char hint[96], name[MAX_NAME + 1];
        int at;

        if (strncmp(option, "let.", 4) || !equals)
            continue;
        at = find(let, option + 4, (size_t)(equals - option) - 4);
        snprintf(name, sizeof name, "%.*s", (int)(equals - option) - 4, option + 4);
        if (at < 0)
            return setting_fail(&setting, diag, "the file's let: has no such name%s",
                                diag_hint(hint, sizeof hint, name, let->names));
        if (!equals[1] || strlen(equals + 1) > MAX_TEXT || equals[1] == '$')
            return setting_fail(&setting, diag, "must be a value of at most %d bytes", MAX_TEXT);
        let->texts[at] = equals + 1;
        let->plain[at] = true;
    }
    return 0;
}

static int replace(const struct let *let, struct conf_node *node, struct diag *diag)
{
    char hint[96], *text;
    int at;

    if (node->text[0] != '$')
        return 0;
    if (node->text[1] == '$') {
        memmove(node->text, node->text + 1, strlen(node->text));
        return 0;
    }
    at = find(let, node->text + 1, strlen(node->text + 1));
    if (at < 0)
        return diag_fail_at(diag, DIAG_USAGE, node->mark,
                            "%s: let: has no such name%s ($$ is a $ itself)", node->text,
                            diag_hint(hint, sizeof hint, node->text + 1, let->names));
    text = conf_own(let->conf, strdup(let->texts[at]), diag);
    if (!text)
        return -1;
    node->text = text;
    node->plain = let->plain[at];
    if (text[0] == '$') /* $$ of the value */
        memmove(text, text + 1, strlen(text));
    return 0;
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

int pipeline_apply_let(struct pipeline *pipeline, const char *const *sets, struct diag *diag)
{
    struct conf_node *root = pipeline->conf->root;
    struct let let = {.conf = pipeline->conf, .map = conf_get(root, "let"), .sets = sets};
    char is[64];

    if (let.map && conf_is_empty(let.map))
        let.map = NULL;
    if (let.map && (let.map->kind != CONF_MAP || let.map->count > MAX_NAME))
        return diag_fail_at(diag, DIAG_USAGE, let.map->mark,
                            "let: must be a map of at most %d {NAME: VALUE}, is %s", MAX_NAME,
                            let.map->kind == CONF_MAP ? "larger"
                                                      : conf_show(is, sizeof is, let.map));
    for (size_t i = 0; let.map && i < let.map->count; i++)
        if (read_value(&let, i, diag))
            return -1;
    if (read_sets(&let, diag))
        return -1;
    for (size_t i = 0; let.map && i < root->count; i++)
        if (root->items[i] != let.map && replace_all(&let, root->items[i], diag))
            return -1;
    return 0;
}
