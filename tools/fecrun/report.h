/* SPDX-License-Identifier: BSD-2-Clause */
/* Registry and plans as JSON objects; the terminal forms of `explain`, `list`, `describe` are made
   from these, so that both say the same. */
#ifndef FECRUN_TOOL_REPORT_H
#define FECRUN_TOOL_REPORT_H

#include "run/session/session.h"

#include <jansson.h>

/* All return a new object, NULL without memory. */

/* {"plugins":[{name, version, path, license, reason}], "stages":[{name, summary, role, plugin,
   "backends":[{name, available, reason}]}], "devices":[...]} */
json_t *report_registry(const struct registry *registry);

/* One stage with ports, parameters and backends (tuning included). */
json_t *report_stage(const struct registry_stage *stage);

/* {"batch", "threads", "stages":[{id, name, backend, summary, tune, in:[...], out:[...], note,
   params, refused:[{backend, reason}]}], conversions and copies in each stage's "in"} */
json_t *report_plan(const struct session *session, const struct session_plan *plan);

/* The backend chosen for each stage: {"ID": "NAME" or "absorbed by ID", ...} */
json_t *report_backends(const struct session *session, const struct session_plan *plan);

/* The first line of a result file. */
json_t *report_run(const struct session *session, const struct session_plan *plan,
                   unsigned workers);
/* The same without rows of `blocks:`, which result_head() writes. */
json_t *report_head(const struct session *session, const struct session_plan *plan,
                    unsigned workers);

#endif
