/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Soft buffers in .npy files, for rate recovery: row n holds the N combined LLRs of frame n of the
 * run, and 0 at the fillers. Messages are about the parameters harq_in and harq_out.
 */
#ifndef COMMON_FILES_HARQ_H
#define COMMON_FILES_HARQ_H

#include <fecrun/plugin.h>

/* What a class of frames says of its files. */
struct harq_files {
    const char *in, *out;       /* paths; NULL: none */
    uint32_t n;                 /* LLRs of a row */
    uint64_t header, frames;    /* of `in`: bytes in front of its LLRs, rows */
    uint32_t in_type, out_type; /* enum fecrun_type in the files */
    uint32_t past;              /* digest of `in`'s first row, so that runs differ: fecrun_plan */
};

struct harq;

/* For plan(): what the file files->in holds; its type and rows go into *files. */
int harq_look(struct harq_files *files, struct fecrun_error *err);

/* Can rows of both classes go to one file, if there is one? */
int harq_check_rows(const struct harq_files *a, const struct harq_files *b,
                    struct fecrun_error *err);

/* NULL and a reason on failure. */
struct harq *harq_open(const struct harq_files *files, struct fecrun_error *err);
/* Puts the written file in place. */
int harq_finish(struct harq *harq, struct fecrun_error *err);
void harq_close(struct harq *harq);

/* Row of this frame as N items of the type; NULL and a reason on failure. */
const void *harq_read(struct harq *harq, const struct harq_files *files, uint64_t frame,
                      uint32_t type, struct fecrun_error *err);
/* The next row, N items of the type. */
int harq_write(struct harq *harq, const struct harq_files *files, const void *row, uint32_t type,
               struct fecrun_error *err);

#endif
