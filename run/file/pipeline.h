/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads a pipeline file as the user wrote it, with --set and the like applied; stages are not looked up. */
#ifndef FECRUN_RUN_FILE_PIPELINE_H
#define FECRUN_RUN_FILE_PIPELINE_H

#include "core/plan/pipeline.h"
#include "core/plugin/registry.h"

struct pipeline_options {
    const char *const *sets;   /* "NAME=VALUE", NULL-terminated; may be NULL */
    const char *const *sweeps; /* "NAME=VALUES" of --sweep, the same */
    const char *backend;       /* --backend, or NULL */
    const char *backend_by;    /* the option that gave it; NULL: --backend */
    const char *text;          /* instead of what FILE holds, which is then but its name; or NULL */
    size_t text_size;
    struct conf_place place; /* of named files; base_dir NULL: FILE's directory, of a text "." */
};

/* Reads FILE ("-": standard input) and applies the options. Owns everything in the pipeline. */
int pipeline_load(struct pipeline **pipeline, const char *path,
                  const struct pipeline_options *options, struct diag *diag);
/* The sweep of which what was counted decides which values are run, auto or find; NULL: none. */
const struct pipeline_sweep *pipeline_walk(const struct pipeline *pipeline);
/* "auto" or "find" */
const char *pipeline_walk_name(const struct pipeline_sweep *sweep);
/*
 * Puts today's names in the place of those of earlier versions: of parameters, words of choices and
 * backends, in the file, in options and in sweeps. Before graph_bind. What was old is told by
 * `say`, which may be NULL, as "FILE:LINE:COLUMN: STAGE.NAME: is an old name; write NEW". A parameter that is there by
 * both names is an error.
 */
typedef int pipeline_say(void *data, const char *line, struct diag *diag);
int pipeline_rename_old(struct pipeline *pipeline, const struct registry *registry,
                        pipeline_say *say, void *data, struct diag *diag);
/* The parameter that had this name in an earlier version; NULL: none, or it has it today. */
const struct fecrun_param *pipeline_formerly(const struct fecrun_stage *stage, const char *name);
/* What an old word of the parameter of this name means; NULL: it is none. */
const struct fecrun_old_choice *pipeline_old_word(const struct fecrun_stage *stage,
                                                  const char *name, const char *word);
/* The backend that had this name; NULL: none. */
const struct fecrun_backend *pipeline_formerly_backend(const struct fecrun_stage *stage,
                                                       const char *name);
void pipeline_free(struct pipeline *pipeline);

#endif
