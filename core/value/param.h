/* SPDX-License-Identifier: BSD-2-Clause */
/* Parameter values of a stage (or a backend's tune map), checked against the schema. */
#ifndef FECRUN_VALUE_PARAM_H
#define FECRUN_VALUE_PARAM_H

#include "core/value/conf.h"

struct param_set;

struct param_source {
    const char *label;              /* "viterbi.decode": prefix of names in messages; or NULL */
    const struct conf_node *map;    /* NULL or an empty scalar: all defaults; not owned, must live
                                       as long as the set (marks) */
    struct mark mark;               /* of the stage: for required parameters that are missing */
    const struct conf_place *place; /* must live as long; NULL: paths are as they are */
    const char *const *skip;        /* keys that are not parameters (id, backend, tune), or NULL */
    bool incomplete;                /* overrides follow: what is required is not checked by
                                       param_read, but by param_require after them */
};

/*
 * Reads and checks the map against the schema. Nested maps give dotted names (tile: {f: 64} is
 * tile.f; the key may be written tile.f, too); the value null means not given. Errors: unknown key
 * (with the nearest known), wrong type, out of range (shows the range), not a choice (lists them),
 * bad list item, required and missing. PATH values are joined with base_dir, PORT values stay as
 * they are until param_make_path.
 */
int param_read(struct param_set **set, const struct fecrun_param *const *schema,
               const struct param_source *source, struct diag *diag);
/* Error if a required parameter has no value. */
int param_require(const struct param_set *set, struct diag *diag);
void param_free(struct param_set *set);

/* A copy that can be changed on its own; NULL: out of memory. Marks are shared with the source
   map. */
struct param_set *param_clone(const struct param_set *set);

/*
 * Sets one parameter from text, as if written in the file: sweep points, blocks columns.
 * Lists are written [a, b]; quotes belong to the text. An error has `mark` as its place.
 */
int param_override(struct param_set *set, const char *name, const char *text, struct mark mark,
                   struct diag *diag);

/* A PORT parameter that is no link after all: its value becomes a path, joined with base_dir.
   Twice is fine. */
int param_make_path(struct param_set *set, const char *name, struct diag *diag);

/* Are both not given, or of one type and value? */
bool param_same(const struct param_set *a, size_t i, const struct param_set *b, size_t k);

/* Parameter i becomes what k of the other set is, given 3. It stays where k is not given, or is no
   value that i may have. */
int param_take(struct param_set *to, size_t i, const struct param_set *from, size_t k,
               struct diag *diag);

/* base_dir/text; text alone if it is absolute or "-", or base_dir is NULL or "."; or what the host's resolve()
   makes of it. free() it. Returns what resolve() does. */
int param_path(const struct conf_place *place, const char *text, char **path, char *why,
               size_t size);

/* Values in schema order; owned by the set; pointers inside stay until the next override. */
const struct fecrun_values *param_values(const struct param_set *set);

/* Index of a parameter, -1 if there is none of that name. */
int param_index(const struct param_set *set, const char *name);
const struct fecrun_param *const *param_schema(const struct param_set *set);

/* Where a parameter stands; the stage's own mark if it was not written. */
struct mark param_mark(const struct param_set *set, const char *name);

/* A plugin's error -> diagnostic, with the place of err->param. Returns -1. */
int param_fail(const struct param_set *set, int status, const struct fecrun_error *err,
               struct diag *diag);

static inline bool param_is_list(const struct fecrun_param *param)
{
    return param->type == FECRUN_VALUE_INTS || param->type == FECRUN_VALUE_STRINGS;
}

/* The value as text, canonical (1.50 -> 1.5; "" if there is none), for results and `explain`; it
   can be given to param_override again. The buffer is the caller's. */
const char *param_text(const struct param_set *set, size_t i, char *buffer, size_t size);

#endif
