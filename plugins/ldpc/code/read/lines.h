/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Lines of whole numbers, as the files of LDPC matrices have them. Blank lines and lines that begin
 * with # are skipped. Every error names the parameter `path` and begins with the file's line. None
 * quotes the file: whose path it is may not be who reads the message.
 */
#ifndef LDPC_CODE_READ_LINES_H
#define LDPC_CODE_READ_LINES_H

#include "plugins/ldpc/code/code.h"

enum {
    LDPC_TEXT_MAX = 64 << 20,   /* bytes of a file */
    LDPC_FILE_MAX = 1 << 17,    /* rows and columns of a matrix */
    LDPC_FILE_EDGES = 1 << 20,  /* ones of a matrix */
    LDPC_FILE_WEIGHT = 1 << 12, /* ones of a row, and of a column */
};

struct ldpc_text {
    const char *at, *stop; /* what is left of the line */
    const char *start;     /* of the line */
    const char *next, *end;
    uint32_t line; /* counted from 1; 0 before the first */
    struct fecrun_error *err;
};

/* The whole of a regular file; NULL and a reason. */
char *ldpc_text_read(const char *path, size_t *size, struct fecrun_error *err);

/* The file's name in front of what an error says of its text. */
void ldpc_text_name(struct fecrun_error *err, const char *path);

void ldpc_text_start(struct ldpc_text *t, const char *data, size_t size, struct fecrun_error *err);

/* Returns -1. */
__attribute__((format(printf, 2, 3))) int ldpc_text_fail(struct ldpc_text *t, const char *format,
                                                         ...);

/* To the next line that has something; false at the end of the file. */
bool ldpc_text_more(struct ldpc_text *t);

/* The same, and the file's end is an error: `what` is missing. */
int ldpc_text_line(struct ldpc_text *t, const char *what);

/* The line's next number: 1; 0: the line has no more; -1: an error. */
int ldpc_text_number(struct ldpc_text *t, int64_t *value);

/* The line holds n numbers from min to max and nothing else. */
int ldpc_text_numbers(struct ldpc_text *t, uint32_t n, int64_t min, int64_t max, const char *what,
                      int64_t *value);

/* Nothing more may follow. */
int ldpc_text_finish(struct ldpc_text *t);

#endif
