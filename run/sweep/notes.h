/* SPDX-License-Identifier: BSD-2-Clause */
/* Warnings of the plans of a session, each once: what is no error, and what users want to hear. */
#ifndef FECRUN_RUN_SWEEP_NOTES_H
#define FECRUN_RUN_SWEEP_NOTES_H

#include "core/plan/shape.h"

struct session_notes {
    size_t n;
    char **text; /* "file:line:column: id: what is odd" */
};

/* Adds what stages said in plan(), for all classes of frames. NULL: nobody wants to know. */
int notes_add(struct session_notes *notes, const struct shape *shape, struct diag *diag);
/* Adds a line, once; notes: struct session_notes. */
int notes_add_line(void *notes, const char *line, struct diag *diag);
void notes_free(struct session_notes *notes);

#endif
