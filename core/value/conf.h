/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads YAML, and so JSON, into a tree of nodes with line and column. Hostile input is safe. */
#ifndef FECRUN_VALUE_CONF_H
#define FECRUN_VALUE_CONF_H

#include "core/base/diag.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum conf_kind { CONF_SCALAR, CONF_LIST, CONF_MAP };

struct conf_node {
    enum conf_kind kind;
    struct mark mark;
    char *text;               /* SCALAR: NUL-terminated, no NUL inside; "" for an empty value */
    bool plain;               /* SCALAR: written without quotes */
    size_t count;             /* LIST, MAP */
    struct conf_node **items; /* LIST: items; MAP: values */
    struct conf_node **keys;  /* MAP: scalar nodes; no key twice */
};

struct conf {
    struct conf_node *root;
    char *file; /* name that marks point to */
    void **owned;
    size_t n_owned;
};

/* Where named files lie. It outlives all that is read with it. */
struct conf_place {
    const char *base_dir; /* PATH and PORT values are relative to it; NULL: as they are */
    /* The host may put another path, from malloc(), in the place of *path. -1: out of memory; 1: it
       refuses that one, and why says so. NULL: it takes all. */
    int (*resolve)(void *data, char **path, char *why, size_t size);
    void *data;
};

/*
 * Limits, each an error with its place: 1 MiB of text, depth 32, 100000 nodes, scalars of 64 KiB;
 * one document, not empty (root is never NULL); scalar keys only; no duplicate keys; no anchors,
 * aliases and tags (nothing in a pipeline needs them). NUL bytes, tabs as indentation and bad UTF-8
 * are libyaml's errors, with the place it gives.
 */
int conf_parse_file(struct conf **conf, const char *path, struct diag *diag); /* "-": stdin */
int conf_parse_text(struct conf **conf, const char *name, const char *text, size_t size,
                    struct diag *diag);
void conf_free(struct conf *conf);

/* conf_free() frees the memory, which may be NULL as malloc() and strdup() return it. Returns it; NULL, and out
   of memory in diag: it is freed. */
void *conf_own(struct conf *conf, void *memory, struct diag *diag);

/* Puts a new key into a map as number `at`, 0 to map->count. Returns its value, an empty text; NULL: out of memory. */
struct conf_node *conf_insert(struct conf *conf, struct conf_node *map, size_t at, const char *key,
                              struct mark mark, struct diag *diag);
/* Makes a node a text in quotes, whatever it was. */
int conf_set(struct conf *conf, struct conf_node *node, const char *text, struct mark mark,
             struct diag *diag);

/* Value of a key, or NULL; NULL also if map is NULL or no map. */
struct conf_node *conf_get(const struct conf_node *map, const char *key);
/* guess_hint() of the key that is closest to one that is not there. */
const char *conf_hint(const struct conf_node *map, const char *key, char *buffer, size_t size);

/* Nothing was written (`key:`), or null or ~ without quotes. */
bool conf_is_empty(const struct conf_node *node);

/* "a map", "a list", "'text'" (cut when long) in the caller's buffer, for messages. */
const char *conf_show(char *buffer, size_t size, const struct conf_node *node);

/* "FILE:LINE:COLUMN: TEXT, is SHOWN": DIAG_USAGE, of a node that is not what it has to be. Returns -1. */
int conf_refuse(const struct conf_node *node, struct diag *diag, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/*
 * Scalars to values; the whole text must be used. Integers: decimal, 0x, 0o, 0b, optional sign;
 * 1e6 is a million; no leading zeros, as 0171 means different things to different people.
 */
bool conf_int(const char *text, int64_t *value);
bool conf_uint(const char *text, uint64_t *value);
bool conf_float(const char *text, double *value); /* finite only, decimal; "1e3" is fine */
bool conf_bool(const char *text, bool *value);    /* true, false, yes, no, on, off; any case */

/* The canonical text of a number: 12 digits, no trailing zeros, no -0, a point in any locale. */
const char *conf_float_text(char *buffer, size_t size, double value);

/* The whole of a file ("-": standard input), with a NUL behind it that is not counted; more bytes
   than `limit` are an error. The caller frees *text. */
int conf_read(const char *path, size_t limit, char **text, size_t *size, struct diag *diag);

#endif
