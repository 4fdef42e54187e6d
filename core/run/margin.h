/* SPDX-License-Identifier: BSD-2-Clause */
/* Streams: a batch whose stage reads over its ends gets copies of its neighbours' items. */
#ifndef FECRUN_HALO_H
#define FECRUN_HALO_H

#include "exec.h"

/*
 * neighbours[-k] and [+k] are the batches before and after, contiguous in time; n_before and
 * n_after say how many there are. Copies what the first stage of the segment wants into the
 * margins of its input buffer and says in *have how much that was.
 */
int halo_gather(struct exec *exec, struct worker *worker, size_t segment,
                struct slot *const *neighbours, size_t n_before, size_t n_after,
                struct margin *have, struct diag *diag);

/* layout_batches_before (after) of the segment's first stage, for the exec's batches. */
uint64_t halo_batches_before(const struct exec *exec, size_t segment);
uint64_t halo_batches_after(const struct exec *exec, size_t segment);

#endif
