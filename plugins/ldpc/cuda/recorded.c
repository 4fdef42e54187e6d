/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/cuda/recorded.h"

#include <string.h>

#ifdef FECRUN_CUDA

int ldpc_recorded_make(struct ldpc_recorded *r, struct fecrun_error *err)
{
    return fecrun_cuda_check(err, "making a stream",
                             cudaStreamCreateWithFlags(&r->stream, cudaStreamNonBlocking));
}

static void forget(struct ldpc_recorded_one *one)
{
    if (one->graph)
        cudaGraphExecDestroy(one->graph); /* also while it is at work */
    *one = (struct ldpc_recorded_one){.graph = NULL};
}

void ldpc_recorded_free(struct ldpc_recorded *r)
{
    for (unsigned n = 0; n < LDPC_RECORDED; n++)
        forget(&r->one[n]);
    if (r->stream)
        cudaStreamDestroy(r->stream);
    r->stream = NULL;
}

static bool same(const struct ldpc_recorded_batch *a, const struct ldpc_recorded_batch *b)
{
    return a->in == b->in && !memcmp(a->out, b->out, sizeof a->out) && a->info == b->info &&
           a->scratch == b->scratch && a->frames == b->frames;
}

struct ldpc_recorded_one *ldpc_recorded_see(struct ldpc_recorded *r,
                                            const struct ldpc_recorded_batch *batch)
{
    struct ldpc_recorded_one *one = NULL, *oldest = r->one;

    for (unsigned n = 0; n < LDPC_RECORDED && !one; n++) {
        if (r->one[n].seen && same(&r->one[n].batch, batch))
            one = &r->one[n];
        if (r->one[n].last < oldest->last)
            oldest = &r->one[n];
    }
    if (!one) {
        one = oldest;
        forget(one);
        one->batch = *batch;
    }
    one->seen++;
    one->last = ++r->calls;
    return one;
}

bool ldpc_recorded_begin(struct ldpc_recorded *r)
{
    if (cudaStreamBeginCapture(r->stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess)
        return true;
    cudaGetLastError(); /* which the next launch would find */
    return false;
}

void ldpc_recorded_end(struct ldpc_recorded *r, struct ldpc_recorded_one *one, int status)
{
    cudaGraph_t graph = NULL;
    cudaError_t ended = cudaStreamEndCapture(r->stream, &graph);

    if (ended == cudaSuccess && !status)
        ended = cudaGraphInstantiate(&one->graph, graph, 0);
    if (ended != cudaSuccess)
        one->graph = NULL;
    if (graph)
        cudaGraphDestroy(graph);
    cudaGetLastError();
}

#endif
