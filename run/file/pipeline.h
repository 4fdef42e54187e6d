/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads a pipeline file as the user wrote it, with --set and the like applied; stages are not looked up. */
#ifndef FECRUN_RUN_FILE_PIPELINE_H
#define FECRUN_RUN_FILE_PIPELINE_H

#include "core/plan/pipeline.h"

struct pipeline_options {
    const char *const *sets;   /* "NAME=VALUE", NULL-terminated; may be NULL */
    const char *const *sweeps; /* "NAME=VALUES" of --sweep, the same */
    const char *backend;       /* --backend, or NULL */
    const char *text;          /* instead of what FILE holds, which is then but its name; or NULL */
    size_t text_size;
    const char *base_dir; /* what paths are relative to; NULL: FILE's directory, of a text "." */
    const char
        *within; /* --restrict: the directory in which all named files have to lie, or NULL */
};

/* Reads FILE ("-": standard input) and applies the options. Owns everything in the pipeline. */
int pipeline_load(struct pipeline **pipeline, const char *path,
                  const struct pipeline_options *options, struct diag *diag);
/* The sweep of which what was counted decides which values are run, auto or find; NULL: none. */
const struct pipeline_sweep *pipeline_walk(const struct pipeline *pipeline);
/* "auto" or "find" */
const char *pipeline_walk_name(const struct pipeline_sweep *sweep);
void pipeline_free(struct pipeline *pipeline);

#endif
