/* SPDX-License-Identifier: BSD-2-Clause */
/* Position and class of each frame, for stages that take all classes in one call. */
#ifndef FECRUN_BATCH_RAGGED_H
#define FECRUN_BATCH_RAGGED_H

#include "core/batch/slot.h"

/* Host memory that they take, before and after they are made. */
uint64_t ragged_bytes(const struct layout *layout);

/* Fills layout->ragged, once; pinned where the stage runs on a device, which may read it until the
   layout is freed. */
int ragged_make(struct layout *layout, struct diag *diag);
/* The whole batch at one port. */
struct fecrun_view ragged_view(const struct slot *slot, const struct layout *layout,
                               const struct buffer *buffer, const struct memory *table);
void ragged_free(struct layout *layout);

#endif
