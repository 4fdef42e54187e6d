/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Streams between which the launches of a batch are divided, so that small ones share the device.
 *
 * What begins first is up to the device, unless it is told: a long launch that comes late ends late, with
 * the others' multiprocessors idle. So the first launch leads: the others wait until all of its thread blocks
 * are at work (from CUDA 12.3 on).
 */
#ifndef LDPC_CUDA_STREAMS_H
#define LDPC_CUDA_STREAMS_H

#include <fecrun/sdk/cuda.h>
#include <stdint.h>

#ifdef FECRUN_CUDA

enum {
    LDPC_STREAMS = 64, /* where launches are recorded */
    LDPC_STREAMS_CALLED =
        16, /* where they are not: each stream takes the host as long as a launch */
};

struct ldpc_streams {
    cudaStream_t stream[LDPC_STREAMS];
    cudaEvent_t begin, end[LDPC_STREAMS];
    cudaEvent_t at_work; /* all thread blocks of the first launch are; NULL: nobody can say */
    uint64_t used;       /* those of the batch, a bit each */
};

int ldpc_streams_make(struct ldpc_streams *s, struct fecrun_error *err);
void ldpc_streams_free(struct ldpc_streams *s);

/* A batch begins: its launches come after what has been queued on `stream`. */
int ldpc_streams_begin(struct ldpc_streams *s, cudaStream_t stream, struct fecrun_error *err);

/* A batch's launches on s->stream[n] come after `event`: s->begin, or s->at_work where another launch leads. */
int ldpc_streams_use(struct ldpc_streams *s, unsigned n, cudaEvent_t event,
                     struct fecrun_error *err);

/* What is queued on `stream` from now on comes after the batch. */
int ldpc_streams_end(struct ldpc_streams *s, cudaStream_t stream, struct fecrun_error *err);

/* The stream, of so many, of the n-th launch of a batch, longest first: further ones go behind short ones. */
unsigned ldpc_streams_of(uint64_t n, unsigned streams);

#endif
#endif
