/* SPDX-License-Identifier: BSD-2-Clause */
/* Error messages for the user. The first error is kept, because later ones are its consequences. */
#ifndef FECRUN_BASE_DIAG_H
#define FECRUN_BASE_DIAG_H

#include <fecrun/plugin.h>
#include <stdbool.h>

/* Exit codes of the program and status of a diagnostic (INTERFACE: exit status). */
enum diag_status {
    DIAG_OK = 0,
    DIAG_RUN = 1,         /* failed while running */
    DIAG_USAGE = 2,       /* the command line or the pipeline file is wrong */
    DIAG_UNAVAILABLE = 3, /* known, asked for by name, but not available here */
    DIAG_DIFFERENT = 4,   /* compare found a difference that it was told not to accept */
};

/* A place in a file; line and column count from 1; line 0: no place. `file` is not owned. */
struct mark {
    const char *file;
    unsigned line, column;
};

enum { DIAG_TEXT = 1024 };

struct diag {
    int status;
    char text[DIAG_TEXT]; /* complete: "file:line:column: stage.param: what is wrong" */
};

/*
 * Both return -1, so that a failure is one line. diag may be NULL. A text is one line: newlines and
 * tabs become blanks, control characters \x1b (printable.h). A mark with line 0
 * gives "file: text", without a file just the text.
 */
int diag_fail(struct diag *diag, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int diag_fail_at(struct diag *diag, int status, struct mark mark, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Adds to the text of an error, if there is one. */
void diag_add(struct diag *diag, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "out of memory": DIAG_RUN. */
int diag_no_memory(struct diag *diag);
/* Does the text of an error say so, or end as the system does where it has no more of something
   (diag_of_open)? Then nothing is wrong with what was asked for. */
bool diag_says_refused(const char *text);

/* Of an error when a named file is opened: DIAG_USAGE if it is the name that is wrong, DIAG_RUN if the
   system has no more of something. */
int diag_of_open(int number);

/* Which of the names that are tried one after the other was meant? At first {name}. */
struct guess {
    const char *name;
    const char *best; /* the closest one in edit distance; NULL: none is close enough */
    unsigned distance;
};
void guess_try(struct guess *guess, const char *known);
/* " (did you mean BEST?)" or "", in the caller's buffer; for the end of an error text. */
const char *guess_hint(const struct guess *guess, char *buffer, size_t size);

/* The best one of a NULL-terminated list, or NULL. */
const char *diag_nearest(const char *name, const char *const *known);
/* Its guess_hint(). */
const char *diag_hint(char *buffer, size_t size, const char *name, const char *const *known);

/* Adds to a text in the caller's buffer; what has no room is cut off. */
void text_add(char *buffer, size_t size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
