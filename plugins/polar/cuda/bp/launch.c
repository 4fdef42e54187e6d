/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables on the device, and launches of the kernels of plan.h. */
#include "plugins/polar/cuda/bp/launch.h"

#ifdef FECRUN_CUDA

struct polar_bp {
    bool half;
    struct polar_bp_half_job half_job;
    struct polar_bp_any_job any_job;
    uint16_t *position; /* device memory */
    uint32_t *syndrome, *pairs, *thread, *frozen;
    const void *kernel;
    unsigned threads, blocks; /* of a block; blocks that the device has at a time */
    uint32_t together;        /* frames of a block */
    size_t shared;            /* bytes of a block */
    bool global;              /* messages are in the call's scratch */
};

/* ---- create ------------------------------------------------------------------------------------ */

static int upload(uint32_t **device, const struct polar_decode *d, size_t words,
                  void (*fill)(uint32_t *, const struct polar_decode *), struct fecrun_error *err)
{
    uint32_t *host = malloc(words * sizeof *host);
    int failed;

    if (!host)
        return fecrun_no_memory(err);
    fill(host, d);
    failed = fecrun_cuda_upload((void **)device, host, words * sizeof *host, "the code", err);
    free(host);
    return failed;
}

static int upload_positions(struct polar_bp *bp, const struct polar_decode *d,
                            struct fecrun_error *err)
{
    const size_t bytes = polar_bp_positions(d) * sizeof(uint16_t);
    uint16_t *position = malloc(bytes);
    int failed;

    if (!position)
        return fecrun_no_memory(err);
    polar_bp_fill_positions(position, d);
    failed = fecrun_cuda_upload((void **)&bp->position, position, bytes, "the code", err);
    free(position);
    return failed;
}

static int make_half(struct polar_bp *bp, const struct polar_decode *d, struct fecrun_error *err)
{
    const uint32_t stages = d->code->stages;

    polar_bp_half_fill(&bp->half_job, d);
    bp->threads = polar_bp_half_threads(stages);
    bp->together = 2 * polar_bp_half_pairs(stages);
    bp->shared = polar_bp_half_words(stages) * sizeof(uint32_t);
    bp->kernel = polar_bp_half_kernel_of(stages, d->stop != POLAR_NEVER);
    if (upload(&bp->pairs, d, d->code->n, polar_bp_fill_pairs, err) ||
        upload(&bp->thread, d, bp->threads * BP_THREAD_WORDS, polar_bp_fill_threads, err))
        return -1;
    bp->half_job.pairs = bp->pairs;
    bp->half_job.thread = (const struct polar_bp_thread *)bp->thread;
    return 0;
}

static int make_any(struct polar_bp *bp, const struct polar_decode *d,
                    const struct polar_bp_choice *choice, uint32_t type, size_t most_shared,
                    struct fecrun_error *err)
{
    enum { THREADS = 256 };
    const uint32_t stages = d->code->stages, each = polar_bp_any_threads(stages);
    const size_t messages = polar_bp_any_floats(stages) * sizeof(float);

    polar_bp_any_fill(&bp->any_job, d, type);
    bp->together = each < THREADS ? THREADS / each : 1;
    bp->any_job.together = bp->together;
    bp->threads = each * bp->together;
    bp->shared = bp->together * (size_t)polar_bp_any_bytes(stages);
    bp->global = choice->messages == BP_MESSAGES_GLOBAL ||
                 (choice->messages == BP_MESSAGES_AUTO &&
                  polar_bp_any_fit(stages, bp->together, most_shared) != BP_FITS_SHARED);
    if (!bp->global)
        bp->shared += bp->together * messages;
    bp->kernel = polar_bp_any_kernel_of(d->rule, choice->fast);
    if (upload(&bp->frozen, d, d->code->n / 32, polar_bp_fill_frozen, err))
        return -1;
    bp->any_job.frozen = bp->frozen;
    return 0;
}

static int prepare(struct polar_bp *bp, const struct fecrun_cuda_limits *limits,
                   struct fecrun_error *err)
{
    int each = 0;
    cudaError_t status;

    if (bp->shared > limits->shared_block)
        return fecrun_fail(err, bp->global ? NULL : "messages",
                           "need %zu bytes of shared memory, the device has %zu%s", bp->shared,
                           limits->shared_block, bp->global ? "" : "; global holds them");
    /* the most that there is: the kernel has one such number for all instances */
    status = cudaFuncSetAttribute(bp->kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  (int)limits->shared_block);
    if (status == cudaSuccess)
        status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, bp->kernel, (int)bp->threads,
                                                               bp->shared);
    bp->blocks = (unsigned)each * limits->processors;
    return fecrun_cuda_check(err, "preparing the kernel", status);
}

int polar_bp_create(struct polar_bp **out, const struct polar_decode *d,
                    const struct polar_bp_choice *choice, uint32_t type, struct fecrun_error *err)
{
    struct polar_bp *bp = calloc(1, sizeof *bp);
    struct fecrun_cuda_limits limits;

    *out = NULL;
    if (!bp)
        return fecrun_no_memory(err);
    if (fecrun_cuda_read_limits(&limits, err)) {
        polar_bp_destroy(bp);
        return -1;
    }
    bp->half = choice->half && polar_bp_fit(d, type, limits.shared_block) == BP_FITS_HALF;
    if (upload_positions(bp, d, err) ||
        upload(&bp->syndrome, d, d->code->n, polar_bp_fill_syndrome, err) ||
        (bp->half ? make_half(bp, d, err)
                  : make_any(bp, d, choice, type, limits.shared_block, err)) ||
        prepare(bp, &limits, err)) {
        polar_bp_destroy(bp);
        return -1;
    }
    *out = bp;
    return 0;
}

struct polar_bp_any_job polar_bp_any_job_of(const struct polar_bp *bp)
{
    struct polar_bp_any_job job = bp->any_job;

    job.bp.frames.position = bp->position;
    job.bp.syndrome = bp->syndrome;
    return job;
}

void polar_bp_destroy(struct polar_bp *bp)
{
    if (!bp)
        return;
    cudaFree(bp->position);
    cudaFree(bp->syndrome);
    cudaFree(bp->pairs);
    cudaFree(bp->thread);
    cudaFree(bp->frozen);
    free(bp);
}

/* ---- run --------------------------------------------------------------------------------------- */

/* Blocks that end early make room for others: so bp_half has one for each of its pairs. */
static unsigned grid(const struct polar_bp *bp, uint64_t frames)
{
    const uint64_t blocks = (frames + bp->together - 1) / bp->together;

    if (bp->half && blocks <= 0x7fffffff)
        return (unsigned)blocks;
    return blocks < bp->blocks ? (unsigned)blocks : bp->blocks;
}

size_t polar_bp_scratch(const struct polar_bp *bp, uint64_t frames)
{
    if (!bp->global)
        return 0;
    return (size_t)grid(bp, frames) * bp->together * polar_bp_any_floats(bp->any_job.bp.stages) *
           sizeof(float);
}

static void set_call(const struct polar_bp *bp, struct polar_bp_job *job,
                     const struct fecrun_call *call, const struct fecrun_view *in,
                     const struct fecrun_view *out)
{
    job->frames.in = in->data;
    job->frames.out = out->data;
    job->frames.in_stride = in->stride;
    job->frames.out_stride = out->stride;
    job->frames.info = call->info;
    job->frames.count = (uint32_t)in->frames;
    job->frames.packed = out->type == FECRUN_PACKED;
    job->frames.position = bp->position;
    job->syndrome = bp->syndrome;
}

int polar_bp_run(const struct polar_bp *bp, const struct polar_decode *d,
                 const struct fecrun_call *call, const struct fecrun_view *in,
                 const struct fecrun_view *out, struct fecrun_error *err)
{
    struct polar_bp_half_job half = bp->half_job;
    struct polar_bp_any_job any = bp->any_job;
    void *job = bp->half ? (void *)&half : (void *)&any;

    set_call(bp, &half.bp, call, in, out);
    set_call(bp, &any.bp, call, in, out);
    any.llr_scale = (float)d->llr_scale;
    any.memory = bp->global ? call->scratch : NULL;
    return fecrun_cuda_check(err, "starting the decoder",
                             cudaLaunchKernel(bp->kernel, (dim3){grid(bp, in->frames), 1, 1},
                                              (dim3){bp->threads, 1, 1}, &job, bp->shared,
                                              call->stream));
}

#else

typedef int polar_bp_needs_cuda; /* a file must have something in it */

#endif
