/* SPDX-License-Identifier: BSD-2-Clause */
/* Declarations shared by the pipeline_*.c files. */
#ifndef FECRUN_RUN_FILE_PIPELINE_IMPL_H
#define FECRUN_RUN_FILE_PIPELINE_IMPL_H

#include "run/file/pipeline.h"

enum {
    PIPELINE_STAGES = 64, /* at most, as GRAPH_MAX_STAGES */
    PIPELINE_LETS = 64,
};

/* "FILE:LINE:COLUMN: NAME: ..."; of an option, whose mark has it all, "--set NAME=VALUE: ...". Returns -1. */
int setting_fail(struct mark mark, const char *name, struct diag *diag, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Does it have letters, digits and what is in `also`, and begin with a letter or _? */
bool pipeline_is_name(const char *text, const char *also);
/* Is it seed, batch, ... or stop.seconds? */
bool pipeline_is_setting(const char *name);
/* Reads them all, and says what is no key of a file. */
int pipeline_read_settings(struct pipeline *pipeline, struct diag *diag);
/* NULL: as it is. */
int pipeline_read_seed(struct pipeline *pipeline, const struct conf_node *node, struct diag *diag);
/* The name of a backend. */
int pipeline_read_backend(const struct conf_node *node, const char *name, const char **backend,
                          struct mark *mark, struct diag *diag);

/* Index of the stage whose id is the longest that NAME begins with, before a dot; *param points
   behind the dot. -1: none. */
int pipeline_find(const struct pipeline *pipeline, const char *name, const char **param);
/* For the end of a text about such a NAME. */
const char *pipeline_hint(const struct pipeline *pipeline, const char *name, char *buffer,
                          size_t size);

/* Writes options into the tree, with marks that have no line: those of `let:`, or all others, once stages have ids. */
int pipeline_apply_options(struct pipeline *pipeline, const struct pipeline_options *options,
                           bool let, struct diag *diag);
/* Sets the value of a name, or adds it. */
int pipeline_put(struct pipeline *pipeline, struct conf_node *map, const char *name,
                 const char *value, struct mark mark, struct diag *diag);
/* Puts the values of `let:` in the place of $NAME, everywhere in the file. */
int pipeline_apply_let(struct pipeline *pipeline, struct diag *diag);
int pipeline_read_sweep(struct pipeline *pipeline, const struct conf_node *node, struct diag *diag);
int pipeline_read_blocks(struct pipeline *pipeline, const struct conf_node *node,
                         struct diag *diag);

#endif
