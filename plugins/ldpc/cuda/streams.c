/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/cuda/streams.h"

#ifdef FECRUN_CUDA

#include <stdbool.h>
#include <string.h>

/* Events that a launch records when its thread blocks are at work, and launches that do not wait for the one
   before to end: from CUDA 12.3 and compute capability 9.0 on. */
static bool has_at_work(void)
{
    struct fecrun_error none = {.size = sizeof none};
    struct fecrun_cuda_limits limits;
    int driver = 0;

    return CUDART_VERSION >= 12030 && cudaDriverGetVersion(&driver) == cudaSuccess &&
           driver >= 12030 && !fecrun_cuda_read_limits(&limits, &none) && limits.capability >= 90;
}

static cudaError_t make_event(cudaEvent_t *event)
{
    return cudaEventCreateWithFlags(event, cudaEventDisableTiming);
}

int ldpc_streams_make(struct ldpc_streams *s, struct fecrun_error *err)
{
    cudaError_t status = make_event(&s->begin);

    if (status == cudaSuccess && has_at_work())
        status = make_event(&s->at_work);
    for (unsigned n = 0; n < LDPC_STREAMS && status == cudaSuccess; n++) {
        status = cudaStreamCreateWithFlags(&s->stream[n], cudaStreamNonBlocking);
        if (status == cudaSuccess)
            status = make_event(&s->end[n]);
    }
    return fecrun_cuda_check(err, "making streams", status);
}

void ldpc_streams_free(struct ldpc_streams *s)
{
    for (unsigned n = 0; n < LDPC_STREAMS; n++) {
        if (s->stream[n])
            cudaStreamDestroy(s->stream[n]);
        if (s->end[n])
            cudaEventDestroy(s->end[n]);
    }
    if (s->begin)
        cudaEventDestroy(s->begin);
    if (s->at_work)
        cudaEventDestroy(s->at_work);
    memset(s, 0, sizeof *s);
}

int ldpc_streams_begin(struct ldpc_streams *s, cudaStream_t stream, struct fecrun_error *err)
{
    s->used = 0;
    return fecrun_cuda_check(err, "dividing a stream", cudaEventRecord(s->begin, stream));
}

int ldpc_streams_use(struct ldpc_streams *s, unsigned n, cudaEvent_t event,
                     struct fecrun_error *err)
{
    if (s->used >> n & 1)
        return 0;
    s->used |= (uint64_t)1 << n;
    return fecrun_cuda_check(err, "dividing a stream", cudaStreamWaitEvent(s->stream[n], event, 0));
}

int ldpc_streams_end(struct ldpc_streams *s, cudaStream_t stream, struct fecrun_error *err)
{
    const char *what = "joining streams";

    for (unsigned n = 0; n < LDPC_STREAMS; n++)
        if (s->used >> n & 1 &&
            (fecrun_cuda_check(err, what, cudaEventRecord(s->end[n], s->stream[n])) ||
             fecrun_cuda_check(err, what, cudaStreamWaitEvent(stream, s->end[n], 0))))
            return -1;
    return 0;
}

unsigned ldpc_streams_of(uint64_t n, unsigned streams)
{
    return (unsigned)(n < streams ? n : streams - 1 - n % streams);
}

#endif
