/* SPDX-License-Identifier: BSD-2-Clause */
/* Which versions of the program and of plugins made the lines of a journal. */
#ifndef FECRUN_TOOL_JOURNAL_VERSIONS_H
#define FECRUN_TOOL_JOURNAL_VERSIONS_H

#include "run/session/session.h"

#include <jansson.h>

/* Returns {"NAME": "VERSION"} for the plugins that have the pipeline's stages; NULL: out of memory. */
json_t *versions_of_plugins(const struct session *session);

/*
 * Compares two writers, each the first line of a file or NULL if that is not known. Returns true if the program or
 * a plugin that both name has another version; text then says which: "fecrun 0.1.0 and 0.2.0".
 */
bool versions_differ(const json_t *a, const json_t *b, char *text, size_t size);

#endif
