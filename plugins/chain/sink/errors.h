/* SPDX-License-Identifier: BSD-2-Clause */
/* sink.errors: declarations shared by its backends, such as the reference in a file. */
#ifndef CHAIN_SINK_ERRORS_H
#define CHAIN_SINK_ERRORS_H

#include "plugins/chain/plugin.h"

enum { ERRORS_BLOCK = 1 << 16 }; /* bytes of the reference read at once */

struct errors_code {
    const char *path; /* NULL: the port is linked */
    uint64_t header;  /* bytes in front of its bits */
    uint64_t frames;  /* in the file */
    uint64_t total;   /* bits in the file */
    bool stream;
};

/* *fd is -1 where the reference is a port. */
int errors_open(const struct errors_code *code, int *fd, struct fecrun_error *err);
void errors_close(int fd);

/* Bits first .. first+n-1 of the file, a byte each. */
int errors_read(int fd, const struct errors_code *code, uint64_t first, uint8_t *bits, size_t n,
                struct fecrun_error *err);

/* Where frame f of the batch starts in the file. */
int errors_find_frame(const struct errors_code *code, const struct fecrun_call *call, uint64_t f,
                      uint64_t items, uint64_t *first, struct fecrun_error *err);

#endif
