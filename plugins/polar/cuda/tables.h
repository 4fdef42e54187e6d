/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables of a code in device memory, for the kernels of sc and scl. */
#ifndef POLAR_CUDA_TABLES_H
#define POLAR_CUDA_TABLES_H

#include <fecrun/sdk/cuda.h>

#include "plugins/polar/cuda/list/plan.h"
#include "plugins/polar/decode.h"

#ifdef FECRUN_CUDA

struct polar_tables {
    void *memory;
    struct polar_frames frames;
    struct polar_list_job list; /* with frames, too */
};

/* For a code that the plans take. paths: of the list, as in polar_list_plan(); 0: there is none. On
   the present device; polar_tables_free() also after a failure. */
int polar_tables_make(struct polar_tables *t, const struct polar_decode *d, uint32_t paths,
                      struct fecrun_error *err);
void polar_tables_free(struct polar_tables *t);

#endif
#endif
