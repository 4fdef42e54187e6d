/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/polar/cuda/bp/ragged.h"

#include <fecrun/sdk/carve.h>

#include "plugins/polar/cuda/bp/launch.h"
#include "plugins/polar/cuda/device.h"

#ifdef FECRUN_CUDA

struct polar_bp_ragged {
    uint32_t n_classes;
    struct polar_bp **bp;         /* of each class: its tables */
    struct polar_bp_any_job *job; /* of each class, device memory */
    struct polar_launch launch;
    uint32_t floats; /* of a block, if they are in the call's scratch */
    bool global;
};

void polar_bp_ragged_destroy(struct polar_bp_ragged *r)
{
    if (!r)
        return;
    for (uint32_t c = 0; r->bp && c < r->n_classes; c++)
        polar_bp_destroy(r->bp[c]);
    free(r->bp);
    cudaFree(r->job);
    free(r);
}

static int make_classes(struct polar_bp_ragged *r, const struct fecrun_create *args,
                        struct fecrun_error *err)
{
    static const struct polar_bp_choice choice = {.messages = BP_MESSAGES_GLOBAL};
    struct polar_bp_any_job *job = calloc(r->n_classes, sizeof *job);
    int failed = job ? 0 : fecrun_no_memory(err);

    for (uint32_t c = 0; c < r->n_classes && !failed; c++) {
        failed = polar_bp_create(&r->bp[c], args->codes[c], &choice, args->form->in[0].type, err);
        if (!failed)
            job[c] = polar_bp_any_job_of(r->bp[c]);
    }
    if (!failed)
        failed = fecrun_cuda_upload((void **)&r->job, job, r->n_classes * sizeof *job,
                                    "the classes", err);
    free(job);
    return failed;
}

/* Messages are in shared memory where those of the largest class find room. */
static int prepare(struct polar_bp_ragged *r, const struct fecrun_create *args,
                   struct fecrun_error *err)
{
    const struct polar_decode *first = args->codes[0];
    struct fecrun_cuda_limits limits;
    uint32_t stages = 0;
    size_t bytes;

    if (fecrun_cuda_read_limits(&limits, err))
        return -1;
    for (uint32_t c = 0; c < r->n_classes; c++) {
        const struct polar_decode *d = args->codes[c];

        stages = d->code->stages > stages ? d->code->stages : stages;
    }
    r->floats = polar_bp_any_floats(stages);
    bytes = polar_bp_any_bytes(stages) + r->floats * sizeof(float);
    r->global = polar_bp_any_fit(stages, 1, limits.shared_block) != BP_FITS_SHARED;
    r->launch = (struct polar_launch){.kernel = polar_bp_ragged_kernel_of(first->rule),
                                      .threads = polar_bp_any_threads(stages),
                                      .shared = r->global ? polar_bp_any_bytes(stages) : bytes};
    return polar_launch_prepare(&r->launch, &limits, err);
}

int polar_bp_ragged_create(struct polar_bp_ragged **ragged, const struct fecrun_create *args,
                           struct fecrun_error *err)
{
    struct polar_bp_ragged *r = calloc(1, sizeof *r);

    *ragged = NULL;
    if (!r)
        return fecrun_no_memory(err);
    r->n_classes = args->n_codes;
    r->bp = calloc(r->n_classes, sizeof *r->bp);
    if ((!r->bp && fecrun_no_memory(err)) || make_classes(r, args, err) || prepare(r, args, err)) {
        polar_bp_ragged_destroy(r);
        return -1;
    }
    *ragged = r;
    return 0;
}

static size_t lay_out(const struct polar_bp_ragged *r, uint64_t frames, void *base,
                      struct polar_bp_ragged_job *job)
{
    const size_t floats = r->global ? (size_t)r->floats * polar_launch_grid(&r->launch, frames, 1)
                                    : 0;
    size_t used = 0;

    job->in_offset = fecrun_carve(base, &used, frames * sizeof *job->in_offset);
    job->out_offset = fecrun_carve(base, &used, frames * sizeof *job->out_offset);
    job->class_of = fecrun_carve(base, &used, frames * sizeof *job->class_of);
    job->memory = fecrun_carve(base, &used, floats * sizeof *job->memory);
    if (!r->global)
        job->memory = NULL;
    return used;
}

size_t polar_bp_ragged_scratch(const struct polar_bp_ragged *r, uint64_t frames)
{
    struct polar_bp_ragged_job job;

    return lay_out(r, frames, NULL, &job);
}

int polar_bp_ragged_run(const struct polar_bp_ragged *r, const struct fecrun_call *call,
                        const struct fecrun_view *in, const struct fecrun_view *out,
                        struct fecrun_error *err)
{
    const uint64_t frames = in->frames;
    const struct polar_decode *d = call->codes[0];
    struct polar_bp_ragged_job job = {.job = r->job,
                                      .frames = (uint32_t)frames,
                                      .packed = out->type == FECRUN_PACKED,
                                      .floats = r->floats,
                                      .llr_scale = (float)d->llr_scale,
                                      .in = in->data,
                                      .out = out->data,
                                      .info = call->info};
    cudaError_t status;

    if (!in->offset)
        return fecrun_fail(err, NULL, "a batch of several classes without their table");
    lay_out(r, frames, call->scratch, &job);
    status = polar_launch_copy_tables(job.in_offset, job.out_offset, job.class_of, in, out,
                                      call->stream);
    if (status == cudaSuccess)
        status = polar_launch_start(&r->launch, polar_launch_grid(&r->launch, frames, 1), &job,
                                    call->stream);
    return fecrun_cuda_check(err, "starting the decoder", status);
}

#else

typedef int polar_bp_ragged_needs_cuda; /* a file must have something in it */

#endif
