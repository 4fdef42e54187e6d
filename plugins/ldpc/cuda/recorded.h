/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Batches whose launches are recorded: one that comes again, in the same memory, is one launch of a CUDA
 * graph. A batch of many classes has a launch each, and events that divide a stream and join it, which take
 * the host longer than the device has work.
 *
 * A host has few batches in flight, which take turns in the same memory. One that is seen for the first time
 * is not recorded, since that takes as long as many launches, and it may be the only time.
 */
#ifndef LDPC_CUDA_RECORDED_H
#define LDPC_CUDA_RECORDED_H

#include <fecrun/sdk/cuda.h>
#include <stdbool.h>
#include <stdint.h>

#include "plugins/ldpc/decode.h"

#ifdef FECRUN_CUDA

enum { LDPC_RECORDED = 64 }; /* the last so many batches are known */

/* All that launches of an instance depend on beside the instance. */
struct ldpc_recorded_batch {
    const void *in, *out[LDPC_OUTPUTS], *info, *scratch; /* out: of all ports, or NULL */
    uint64_t frames;
};

struct ldpc_recorded {
    struct ldpc_recorded_one {
        struct ldpc_recorded_batch batch;
        cudaGraphExec_t graph; /* NULL: not recorded */
        uint64_t seen, last;   /* how often; number of the call */
    } one[LDPC_RECORDED];
    uint64_t calls;
    cudaStream_t stream; /* that is recorded from; nothing runs on it */
};

int ldpc_recorded_make(struct ldpc_recorded *r, struct fecrun_error *err);
void ldpc_recorded_free(struct ldpc_recorded *r);

/*
 * The batch's own place, which may have been another's. Never NULL. It is to be recorded if it has been seen
 * twice.
 */
struct ldpc_recorded_one *ldpc_recorded_see(struct ldpc_recorded *r,
                                            const struct ldpc_recorded_batch *batch);

/*
 * Between these two, what is queued on r->stream, and on streams that wait for its events, is recorded, not
 * done. begin: false if that is not possible. end: *one has the graph then, unless status is not 0 or there
 * was an error.
 */
bool ldpc_recorded_begin(struct ldpc_recorded *r);
void ldpc_recorded_end(struct ldpc_recorded *r, struct ldpc_recorded_one *one, int status);

#endif
#endif
