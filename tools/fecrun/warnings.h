/* SPDX-License-Identifier: BSD-2-Clause */
/* What a session finds odd, for those that show it. */
#ifndef FECRUN_TOOL_WARNINGS_H
#define FECRUN_TOOL_WARNINGS_H

#include "core/base/diag.h"

#include <stddef.h>

struct warnings {
    size_t n;
    char **text; /* each once */
};

/* session_options.warn(); data: a struct warnings, which is session_options.warn_data. */
int warnings_add(void *data, const char *text, struct diag *diag);
void warnings_free(struct warnings *warnings);

#endif
