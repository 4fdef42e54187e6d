/* SPDX-License-Identifier: BSD-2-Clause */
/* libFuzzer target: a detector error model. */
#include "plugins/ldpc/syndrome/dem.h"
#include "t/fuzz/files.h"

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
    char path[128];

    if (!files_nothing)
        files_begin();
    files_put("model.dem", data, size);
    dem = ldpc_dem_read(files_path(path, "model.dem"), &err);
    files_remove("model.dem");
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
