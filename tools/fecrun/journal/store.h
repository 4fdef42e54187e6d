/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A journal's directory, or several of one pipeline:
 *
 *     pipeline.json             what it is a journal of; written once
 *     HOST-PID-RANDOM.jsonl     one a process: a line about the writer, then a line a range
 *
 * Each line is one write() at the end of a file that has one writer; there are no locks. What
 * follows the last newline of a file is a line that was never finished: it is not read.
 */
#ifndef FECRUN_TOOL_JOURNAL_STORE_H
#define FECRUN_TOOL_JOURNAL_STORE_H

#include "core/base/diag.h"
#include "tools/fecrun/journal/ranges.h"
#include "tools/fecrun/journal/sha256.h"

#include <jansson.h>

struct store_file {
    char *path;
    uint64_t read; /* bytes */
    size_t lines;
    json_t *writer; /* its first line; NULL: not read yet, or there is none */
    bool own, warned;
};

struct store_point {
    json_t *set;  /* {"STAGE.PARAM": "value"}, in the order of the sweep */
    json_t *near; /* see identity_near */
    json_t *by;   /* the first line of a file that has lines of the point; NULL: not known */
    double ebn0_db, esn0_db;
    bool split;
    uint64_t most; /* frames that a search wanted of it at most; 0: the stop rules alone hold */
    struct ranges ranges;
};

struct store {
    size_t n_dirs;
    char **dirs;
    const struct registry
        *registry; /* set it to read names of earlier versions as today's, or NULL */
    json_t *identity;
    char id[SHA256_TEXT];
    char (*old_ids)[SHA256_TEXT]; /* those of the same identity with names of earlier versions */
    size_t n_old_ids;
    size_t n_files;
    struct store_file *files;
    size_t n_points;
    struct store_point **points;
    size_t n_rows;            /* of `blocks:` */
    uint64_t unit;            /* frames of all rows, 1 without */
    struct run_limits limits; /* the loosest of all writers' rules */
    bool limited;             /* there was a writer */
    bool mixed;               /* it was told that versions differ */
    int fd;                   /* of the own file; -1: not made yet */
    size_t own;               /* its number */
    uint64_t written;         /* bytes in it */
    double sync_at, sync_every;
    bool unsynced, loosened; /* the own file's rules are news */
    json_t *writer;          /* its first line, from before store_read() on; NULL for reading */
};

/* Zero it first, but for registry. identity: for writing, the directory is made if need be; a journal of another
   pipeline is refused. NULL: for reading. A second directory has to have the first one's identity. */
int store_open(struct store *store, const char *dir, const json_t *identity, struct diag *diag);
/* Everything that was written since the last time. Lines that cannot be read are told on stderr,
   once a file. A file that was removed has no further lines: what was read of it before stays. */
int store_read(struct store *store, struct diag *diag);
/* Calls visit for DIR/pipeline.json, which need not exist, and for each .jsonl file of the directory. Stops when
   visit does not return 0, and returns that. Returns -1 if the directory cannot be listed; a directory that
   does not exist, or may not be read, has no files. */
typedef int store_visit(void *data, const char *path, struct diag *diag);
int store_each_file(const char *dir, store_visit *visit, void *data, struct diag *diag);
/* Takes a new reference of both. *point: found, or made. near NULL: of any kind. */
int store_point(struct store *store, json_t *set, json_t *near, struct store_point **point,
                struct diag *diag);

/* Makes the process's own file, which begins with store->writer and the id. Removes files of dead processes that say
   nothing (heads.h). */
int store_begin(struct store *store, struct diag *diag);
/* Writes a line, and adds the range. extra: more fields of the line; stolen. */
int store_append(struct store *store, struct store_point *point, struct range *range, json_t *extra,
                 struct diag *diag);
/* Closes the own file, on the disk for good by then; one that says nothing new goes. */
int store_close(struct store *store, struct diag *diag);

#endif
