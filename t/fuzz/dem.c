/* SPDX-License-Identifier: BSD-2-Clause */
/* libFuzzer target: a detector error model, in a file without a name. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#include "plugins/ldpc/syndrome/dem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Each column's targets in ascending order, detectors first, and all of them below the numbers that the model has. */
static void check_column(const struct ldpc_dem *dem, uint32_t col)
{
    const uint32_t first = dem->first[col], flips = dem->flips[col], end = dem->first[col + 1];

    if (first > flips || flips > end || !(dem->p[col] > 0 && dem->p[col] <= 1))
        abort();
    for (uint32_t i = first; i < end; i++)
        if (dem->target[i] >= (i < flips ? dem->detectors : dem->observables) ||
            (i > first && i != flips && dem->target[i] <= dem->target[i - 1]))
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fecrun_error err = {.size = sizeof err};
    struct ldpc_dem *dem;
    const int fd = memfd_create("model", MFD_CLOEXEC);
    char path[64];

    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    dem = ldpc_dem_read(path, &err);
    close(fd);
    if (!dem) {
        if (strcmp(err.param, "path") || !err.text[0])
            abort();
        return 0;
    }
    if (err.text[0] || !dem->detectors || dem->detectors > LDPC_DEM_COLUMNS || !dem->cols ||
        dem->cols > LDPC_DEM_COLUMNS || dem->observables > LDPC_DEM_OBSERVABLES)
        abort();
    for (uint32_t col = 0; col < dem->cols; col++)
        check_column(dem, col);
    ldpc_dem_free(dem);
    return 0;
}
