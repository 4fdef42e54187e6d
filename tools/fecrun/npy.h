/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the content of ports as .npy files. */
#ifndef FECRUN_TOOL_NPY_H
#define FECRUN_TOOL_NPY_H

#include "tools/fecrun/frames/replay.h"

/* Items of a port, unpacked: one item an element, packed bits as u8 and i4 as i8. Zero it first. */
struct npy_array {
    uint32_t type;
    uint64_t n;
    char *data; /* free() it */
};

/* Adds all items that the port has of a frame. */
int npy_append(struct npy_array *array, const struct line_port *port, struct diag *diag);

/* rows: of equal length. The file appears when it is complete; no link is followed. */
int npy_write(const char *path, const struct npy_array *array, uint64_t rows, struct diag *diag);

#endif
