/* SPDX-License-Identifier: BSD-2-Clause */
/* Declarations shared by the pipeline_*.c files. */
#ifndef FECRUN_RUN_FILE_PIPELINE_IMPL_H
#define FECRUN_RUN_FILE_PIPELINE_IMPL_H

#include "run/file/pipeline.h"

enum { PIPELINE_STAGES = 64 }; /* at most, as GRAPH_MAX_STAGES */

/* NAME and text of a value, from the file or from --set; for errors, where it stands. */
struct setting {
    const char *name;
    const char *text;
    struct mark mark;
    const char *option; /* "NAME=VALUE" of --set, or NULL */
    bool sweep;         /* the option is --sweep */
};

/* "FILE:LINE:COLUMN: NAME: ..." or "--set NAME=VALUE: ..." (--sweep); returns -1. */
int setting_fail(const struct setting *setting, struct diag *diag, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Sets name and text from the option "NAME=VALUE". Returns -1 without memory, 1 where it is none. */
int setting_split(struct pipeline *pipeline, struct setting *setting, struct diag *diag);

/* Does it have letters, digits and what is in `also`, and begin with a letter or _? */
bool pipeline_is_name(const char *text, const char *also);
/* Is it seed, batch, ... or stop.seconds? */
bool pipeline_is_setting(const char *name);
/* seed, batch, ..., stop.seconds: 0, or -1 for a bad value; 1: no such setting. */
int pipeline_setting(struct pipeline *pipeline, const struct setting *setting, struct diag *diag);
/* --set STAGE.PARAM=VALUE of a stage's id; the last one counts. */
int pipeline_set_param(struct pipeline *pipeline, const char *stage, const char *param,
                       const char *value, struct diag *diag);
/* The name of a backend; kept. */
int pipeline_read_backend(struct pipeline *pipeline, const struct setting *setting,
                          const char **backend, struct diag *diag);

/* Index of the stage whose id is the longest that NAME begins with, before a dot; *param points
   behind the dot. -1: none. */
int pipeline_find(const struct pipeline *pipeline, const char *name, const char **param);
/* For the end of a text about such a NAME. */
const char *pipeline_hint(const struct pipeline *pipeline, const char *name, char *buffer,
                          size_t size);

/* let: and --set let.NAME=VALUE: puts values in the place of $NAME, everywhere in the file. */
int pipeline_apply_let(struct pipeline *pipeline, const char *const *sets, struct diag *diag);

/* "a:b:c" or one value, into sweep->values. */
int sweep_parse(struct pipeline *pipeline, struct pipeline_sweep *sweep,
                const struct setting *setting, struct diag *diag);
/* Error if the product of all sweeps is too much; setting: to blame. */
int sweep_check_points(const struct pipeline *pipeline, const struct setting *setting,
                       struct diag *diag);
/* --sweep NAME=VALUES: a new sweep, the last one, or other values of one that is there. */
int pipeline_apply_sweep(struct pipeline *pipeline, const char *option, struct diag *diag);
/* Once all options are applied: zipped ones have as many values, a single one as often. */
int pipeline_join_sweeps(struct pipeline *pipeline, struct diag *diag);
int pipeline_read_sweep(struct pipeline *pipeline, const struct conf_node *node, struct diag *diag);
int pipeline_read_blocks(struct pipeline *pipeline, const struct conf_node *node,
                         struct diag *diag);

#endif
