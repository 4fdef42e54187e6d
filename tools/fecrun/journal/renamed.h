/* SPDX-License-Identifier: BSD-2-Clause */
/* Replaces old names in journals and result files of earlier versions. */
#ifndef FECRUN_TOOL_JOURNAL_RENAMED_H
#define FECRUN_TOOL_JOURNAL_RENAMED_H

#include "run/file/pipeline.h"

#include <jansson.h>

/*
 * A copy of an identity, or of the first line of a result file: names and words of parameters in
 * "pipeline" and names in "sweep" are today's. A parameter that only old words told has its default.
 * Stages that no plugin has stay as they are. NULL: out of memory.
 */
json_t *renamed_run(const struct registry *registry, const json_t *run);

/* A copy of a point's swept values, {"STAGE.PARAM": value} of that run's stages. */
json_t *renamed_set(const struct registry *registry, const json_t *run, const json_t *set);

/* A copy of {"STAGE": "BACKEND"}. */
json_t *renamed_near(const struct registry *registry, const json_t *run, const json_t *near);

#endif
