/* SPDX-License-Identifier: BSD-2-Clause */
#include "core/value/conf.h"

#include "core/base/array.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { MAX_TEXT = 1 << 20, MAX_DEPTH = 32, MAX_NODES = 100000, MAX_SCALAR = 1 << 16 };

struct reader {
    yaml_parser_t parser;
    yaml_event_t event; /* the present one */
    struct conf *conf;
    const char *file;
    const char *text; /* of the whole file, to find the line of a byte */
    size_t size;
    size_t nodes;
    size_t n; /* children of lists and maps that have not ended; of a map KEY, VALUE, KEY, VALUE */
    struct conf_node **children;
    struct diag *diag;
};

static struct mark mark_of(const struct reader *reader, yaml_mark_t at)
{
    return (struct mark){reader->file, (unsigned)at.line + 1, (unsigned)at.column + 1};
}

/* Goes on to byte `byte`, or, if that is sooner, to the place *until (NULL: none); returns the byte reached. */
static size_t walk(const struct reader *reader, struct mark *mark, size_t byte,
                   const struct mark *until)
{
    size_t i = 0;

    for (*mark = (struct mark){reader->file, 1, 1}; i < byte && i < reader->size; i++) {
        const char c = reader->text[i];

        if (((unsigned char)c & 0xc0) == 0x80)
            continue; /* in a character */
        if (until && mark->line == until->line && mark->column == until->column)
            break;
        mark->column = c == '\n' ? 1 : mark->column + 1;
        mark->line += c == '\n';
    }
    return i;
}

/* What libyaml calls a character that cannot start a token, and its error of a tab. */
static int fail_character(const struct reader *reader, struct mark at)
{
    struct mark mark;
    const size_t i = walk(reader, &mark, reader->size, &at);

    if (i < reader->size && reader->text[i] == '\t')
        return diag_fail_at(reader->diag, DIAG_USAGE, at,
                            "a tab; only blanks may indent a line or stand before a value");
    return diag_fail_at(reader->diag, DIAG_USAGE, at,
                        "a value cannot begin with %.1s without quotes: write it in \"\"",
                        i < reader->size ? reader->text + i : "this");
}

static int fail_yaml(struct reader *reader)
{
    const yaml_parser_t *parser = &reader->parser;
    const char *problem = parser->problem ? parser->problem : "not YAML";
    struct mark mark;

    if (parser->error == YAML_MEMORY_ERROR)
        return diag_no_memory(reader->diag);
    if (parser->error == YAML_READER_ERROR) {
        walk(reader, &mark, parser->problem_offset, NULL); /* which is all that is known */
        return diag_fail_at(reader->diag, DIAG_USAGE, mark,
                            "%s: the file must be UTF-8 text without control characters", problem);
    }
    mark = mark_of(reader, parser->problem_mark);
    if (strstr(problem, "cannot start any token") || strstr(problem, "a tab"))
        return fail_character(reader, mark);
    if (parser->context)
        return diag_fail_at(reader->diag, DIAG_USAGE, mark, "%s, %s that starts in line %u",
                            problem, parser->context, (unsigned)parser->context_mark.line + 1);
    return diag_fail_at(reader->diag, DIAG_USAGE, mark, "%s", problem);
}

static int next_event(struct reader *reader)
{
    yaml_event_delete(&reader->event);
    return yaml_parser_parse(&reader->parser, &reader->event) ? 0 : fail_yaml(reader);
}

void *conf_own(struct conf *conf, void *memory, struct diag *diag)
{
    if (!memory || array_grow(&conf->owned, conf->n_owned, sizeof(*conf->owned))) {
        free(memory);
        diag_no_memory(diag);
        return NULL;
    }
    return conf->owned[conf->n_owned++] = memory;
}

int conf_set(struct conf *conf, struct conf_node *node, const char *text, struct mark mark,
             struct diag *diag)
{
    *node = (struct conf_node){.mark = mark, .text = conf_own(conf, strdup(text), diag)};
    return node->text ? 0 : -1;
}

struct conf_node *conf_insert(struct conf *conf, struct conf_node *map, size_t at, const char *key,
                              struct mark mark, struct diag *diag)
{
    const size_t n = map->count + 1;
    struct conf_node *pair = conf_own(conf, calloc(2, sizeof *pair), diag);
    struct conf_node **all = conf_own(conf, calloc(2 * n, sizeof *all), diag);

    if (!pair || !all || conf_set(conf, &pair[0], key, mark, diag) ||
        conf_set(conf, &pair[1], "", mark, diag))
        return NULL;
    for (size_t i = 0; i < n; i++) {
        all[i] = i == at ? &pair[1] : map->items[i - (i > at)];
        all[n + i] = i == at ? &pair[0] : map->keys[i - (i > at)];
    }
    map->count = n;
    map->items = all;
    map->keys = all + n;
    return &pair[1];
}

/* Refuses aliases, anchors and tags. The union has anchor and tag at the same place for scalars, lists and maps. */
static int refuse_extras(struct reader *reader, struct mark mark)
{
    const yaml_event_t *event = &reader->event;
    const bool alias = event->type == YAML_ALIAS_EVENT;

    if (alias || event->data.scalar.anchor)
        return diag_fail_at(reader->diag, DIAG_USAGE, mark,
                            "%s are not supported; let: {name: value} and $name are",
                            alias ? "aliases (*name)" : "anchors (&name)");
    if (event->data.scalar.tag)
        return diag_fail_at(reader->diag, DIAG_USAGE, mark, "tags (!name) are not supported");
    return 0;
}

static int read_scalar(struct reader *reader, struct conf_node *node)
{
    const char *value = (const char *)reader->event.data.scalar.value;
    size_t length = reader->event.data.scalar.length;

    node->plain = reader->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    if (length > MAX_SCALAR)
        return diag_fail_at(reader->diag, DIAG_USAGE, node->mark, "text of more than %d bytes",
                            MAX_SCALAR);
    if (memchr(value, '\0', length))
        return diag_fail_at(reader->diag, DIAG_USAGE, node->mark, "text with a NUL character");
    node->text = conf_own(reader->conf, strndup(value, length), reader->diag);
    return node->text ? 0 : -1;
}

static int by_text(const void *a, const void *b)
{
    const struct conf_node *ka = *(struct conf_node *const *)a, *kb = *(struct conf_node *const *)b;
    int order = strcmp(ka->text, kb->text);

    if (order)
        return order;
    if (ka->mark.line != kb->mark.line)
        return ka->mark.line < kb->mark.line ? -1 : 1;
    return ka->mark.column < kb->mark.column ? -1 : ka->mark.column > kb->mark.column;
}

/* By sorting, as a hostile map can have many keys. */
static int check_keys(struct reader *reader, const struct conf_node *node)
{
    struct conf_node **sorted;
    int result = 0;

    if (node->count < 2)
        return 0;
    sorted = malloc(node->count * sizeof(*sorted));
    if (!sorted)
        return diag_no_memory(reader->diag);
    memcpy(sorted, node->keys, node->count * sizeof(*sorted));
    qsort(sorted, node->count, sizeof(*sorted), by_text);
    for (size_t i = 1; i < node->count && !result; i++) {
        if (!strcmp(sorted[i - 1]->text, sorted[i]->text))
            result = diag_fail_at(reader->diag, DIAG_USAGE, sorted[i]->mark,
                                  "%.80s: the key is there already, in line %u", sorted[i]->text,
                                  sorted[i - 1]->mark.line);
    }
    free(sorted);
    return result;
}

/* A list or map has ended: takes its children, from number `first` on. */
static int take_children(struct reader *reader, struct conf_node *node, size_t first)
{
    const size_t n = reader->n - first, step = node->kind == CONF_MAP ? 2 : 1;
    struct conf_node **all = conf_own(reader->conf, calloc(n + 1, sizeof(*all)), reader->diag);

    if (!all)
        return -1;
    node->count = n / step;
    node->items = all;
    node->keys = step == 2 ? all + node->count : NULL;
    for (size_t i = 0; i < n; i++)
        *(i % step + 1 == step ? &node->items[i / step]
                               : &node->keys[i / step]) = reader->children[first + i];
    reader->n = first;
    return step == 2 ? check_keys(reader, node) : 0;
}

static struct conf_node *read_node(struct reader *reader, int depth);

static int read_children(struct reader *reader, struct conf_node *node, int depth)
{
    const size_t first = reader->n;

    for (;;) {
        const bool key = node->kind == CONF_MAP && (reader->n - first) % 2 == 0;
        const yaml_event_type_t *type = &reader->event.type;
        struct conf_node *child;

        if (next_event(reader))
            return -1;
        if (*type == YAML_SEQUENCE_END_EVENT || *type == YAML_MAPPING_END_EVENT)
            return take_children(reader, node, first);
        if (key && *type != YAML_SCALAR_EVENT && *type != YAML_ALIAS_EVENT)
            return diag_fail_at(reader->diag, DIAG_USAGE, mark_of(reader, reader->event.start_mark),
                                "a key must be a single word, not a list or map");
        child = read_node(reader, depth + 1);
        if (!child)
            return -1;
        if (array_grow(&reader->children, reader->n, sizeof(*reader->children)))
            return diag_no_memory(reader->diag);
        reader->children[reader->n++] = child;
    }
}

/* Makes a node of the present event and of those that belong to it. NULL: failed, with the reason in the diagnostic. */
static struct conf_node *read_node(struct reader *reader, int depth)
{
    const struct mark mark = mark_of(reader, reader->event.start_mark);
    const yaml_event_type_t type = reader->event.type;
    struct conf_node *node;

    if (refuse_extras(reader, mark))
        return NULL;
    if (++reader->nodes > MAX_NODES || depth > MAX_DEPTH) {
        diag_fail_at(reader->diag, DIAG_USAGE, mark,
                     depth > MAX_DEPTH ? "nested more than %d deep" : "more than %d values",
                     depth > MAX_DEPTH ? MAX_DEPTH : MAX_NODES);
        return NULL;
    }
    node = conf_own(reader->conf, calloc(1, sizeof *node), reader->diag);
    if (!node)
        return NULL;
    node->mark = mark;
    node->kind = type == YAML_SCALAR_EVENT          ? CONF_SCALAR
                 : type == YAML_MAPPING_START_EVENT ? CONF_MAP
                                                    : CONF_LIST;
    return (node->kind == CONF_SCALAR ? read_scalar(reader, node)
                                      : read_children(reader, node, depth))
               ? NULL
               : node;
}

/* stream start, document start, node, document end, stream end */
static int read_stream(struct reader *reader, struct conf *conf)
{
    for (;;) {
        yaml_event_type_t type;

        if (next_event(reader))
            return -1;
        type = reader->event.type;
        if (type == YAML_STREAM_END_EVENT)
            break;
        if (type == YAML_DOCUMENT_START_EVENT && conf->root)
            return diag_fail_at(reader->diag, DIAG_USAGE, mark_of(reader, reader->event.start_mark),
                                "a second document (after ---); a file holds one");
        if (type != YAML_STREAM_START_EVENT && type != YAML_DOCUMENT_START_EVENT &&
            type != YAML_DOCUMENT_END_EVENT && !(conf->root = read_node(reader, 0)))
            return -1;
    }
    if (!conf->root || conf_is_empty(conf->root))
        return diag_fail(reader->diag, DIAG_USAGE, "%s: the file is empty", reader->file);
    return 0;
}

int conf_parse_text(struct conf **conf, const char *name, const char *text, size_t size,
                    struct diag *diag)
{
    struct conf *made = calloc(1, sizeof *made);
    struct reader reader = {.conf = made, .text = text, .size = size, .diag = diag};
    int result;

    *conf = NULL;
    if (!made || !(made->file = strdup(name)))
        goto memory;
    if (size > MAX_TEXT) {
        conf_free(made);
        return diag_fail(diag, DIAG_USAGE, "%s: more than %d bytes of text", name, MAX_TEXT);
    }
    if (!yaml_parser_initialize(&reader.parser))
        goto memory;
    /* Told the encoding, libyaml no longer skips the byte order mark. */
    if (size >= 3 && !memcmp(text, "\xef\xbb\xbf", 3)) {
        reader.text += 3;
        reader.size -= 3;
    }
    reader.file = made->file;
    yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&reader.parser, (const unsigned char *)reader.text, reader.size);
    result = read_stream(&reader, made);
    yaml_event_delete(&reader.event);
    yaml_parser_delete(&reader.parser);
    free(reader.children);
    if (result) {
        conf_free(made);
        return -1;
    }
    *conf = made;
    return 0;

memory:
    conf_free(made);
    return diag_no_memory(diag);
}

int conf_parse_file(struct conf **conf, const char *path, struct diag *diag)
{
    const char *name = strcmp(path, "-") ? path : "standard input";
    char *text;
    size_t size;
    int result;

    *conf = NULL;
    if (conf_read(path, MAX_TEXT, &text, &size, diag))
        return -1;
    result = conf_parse_text(conf, name, text, size, diag);
    free(text);
    return result;
}

void conf_free(struct conf *conf)
{
    if (!conf)
        return;
    for (size_t i = 0; i < conf->n_owned; i++)
        free(conf->owned[i]);
    free(conf->owned);
    free(conf->file);
    free(conf);
}

struct conf_node *conf_get(const struct conf_node *map, const char *key)
{
    if (!map || map->kind != CONF_MAP)
        return NULL;
    for (size_t i = 0; i < map->count; i++) {
        if (!strcmp(map->keys[i]->text, key))
            return map->items[i];
    }
    return NULL;
}

const char *conf_hint(const struct conf_node *map, const char *key, char *buffer, size_t size)
{
    struct guess guess = {key, NULL, 0};

    for (size_t i = 0; map && map->kind == CONF_MAP && i < map->count; i++)
        guess_try(&guess, map->keys[i]->text);
    return guess_hint(&guess, buffer, size);
}

bool conf_is_empty(const struct conf_node *node)
{
    return node->kind == CONF_SCALAR && node->plain &&
           (!strcmp(node->text, "") || !strcmp(node->text, "null") || !strcmp(node->text, "~"));
}

const char *conf_show(char *buffer, size_t size, const struct conf_node *node)
{
    if (node->kind == CONF_SCALAR)
        snprintf(buffer, size, strlen(node->text) > 40 ? "'%.40s...'" : "'%s'", node->text);
    else
        snprintf(buffer, size, "a %s", node->kind == CONF_LIST ? "list" : "map");
    return buffer;
}

int conf_refuse(const struct conf_node *node, struct diag *diag, const char *format, ...)
{
    char text[sizeof diag->text], is[64];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return diag_fail_at(diag, DIAG_USAGE, node->mark, "%s, is %s", text,
                        conf_show(is, sizeof is, node));
}
