/* SPDX-License-Identifier: BSD-2-Clause */
/* Detector error models in the text form of stim: which errors flip which detectors and observables. */
#ifndef LDPC_SYNDROME_DEM_H
#define LDPC_SYNDROME_DEM_H

#include <fecrun/plugin.h>
#include <stdint.h>

/* Inverts a bit of a row of U8 or PACKED. */
static inline void ldpc_dem_flip(uint8_t *row, uint32_t type, uint32_t place)
{
    if (type == FECRUN_PACKED)
        row[place / 8] ^= (uint8_t)(0x80 >> place % 8);
    else
        row[place] ^= 1;
}

enum {
    LDPC_DEM_COLUMNS = 1 << 21,  /* errors, and detectors */
    LDPC_DEM_TARGETS = 1 << 24,  /* detectors and observables of all errors */
    LDPC_DEM_LINES = 1 << 24,    /* those of repeated blocks each time */
    LDPC_DEM_OBSERVABLES = 1024, /* stim's own limit is larger; none is known that needs more */
};

/*
 * Errors that flip the same detectors and observables are one column, at the first one's place; its probability is
 * that an odd number of them happens. Errors of probability 0 are left out.
 */
struct ldpc_dem {
    uint32_t detectors, observables, cols;
    uint32_t *first;  /* cols + 1 places in target[] */
    uint32_t *flips;  /* of each column: the place of its first observable */
    uint32_t *target; /* detectors of a column in ascending order, then its observables */
    double *p;        /* above 0, at most 1 */
};

/*
 * Reads a file. It has lines `error(p) D0 D1 ^ L0`, `detector D0`, `logical_observable L0`, `shift_detectors 4`, and
 * `repeat 3 {` ... `}`; coordinates and tags are allowed. NULL and a reason, which names the parameter `path` and says
 * file:line. Free it with ldpc_dem_free(), which takes NULL, too.
 */
struct ldpc_dem *ldpc_dem_read(const char *path, struct fecrun_error *err);
void ldpc_dem_free(struct ldpc_dem *dem);

#endif
