/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/polar/cuda/ragged.h"

#include <fecrun/sdk/carve.h>

#include "plugins/polar/cuda/launch.h"
#include "plugins/polar/cuda/list_ragged.h"
#include "plugins/polar/cuda/tables.h"

#ifdef FECRUN_CUDA

struct polar_ragged {
    uint32_t n_classes, lanes, rows, global_rows;
    struct polar_tables *tables; /* of each class */
    struct polar_list_job *job;  /* of each class, device memory */
    struct polar_launch deal, list;
};

void polar_ragged_destroy(struct polar_ragged *r)
{
    if (!r)
        return;
    for (uint32_t c = 0; r->tables && c < r->n_classes; c++)
        polar_tables_free(&r->tables[c]);
    free(r->tables);
    cudaFree(r->job);
    free(r);
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Rows that any of the classes needs, with as many lanes as any of them. */
static int make_tables(struct polar_ragged *r, const struct fecrun_create *args, bool packed,
                       struct fecrun_error *err)
{
    for (uint32_t c = 0; c < r->n_classes; c++) {
        const struct polar_decode *d = args->codes[c];
        struct polar_tables *const t = &r->tables[c];

        if (polar_tables_make(t, d, d->most_paths, err))
            return -1;
        t->list.frames.packed = packed;
        r->lanes = larger(r->lanes, polar_list_lanes(d->most_paths, t->list.stages));
    }
    for (uint32_t c = 0; c < r->n_classes; c++) {
        const uint32_t stages = r->tables[c].list.stages;

        r->rows = larger(r->rows, polar_list_rows(r->lanes, stages, false));
        r->global_rows = larger(r->global_rows, polar_list_global_rows(r->lanes, stages));
    }
    return 0;
}

static int upload_jobs(struct polar_ragged *r, struct fecrun_error *err)
{
    struct polar_list_job *job = malloc(r->n_classes * sizeof *job);
    int failed;

    if (!job)
        return fecrun_fail(err, NULL, "out of memory");
    for (uint32_t c = 0; c < r->n_classes; c++)
        job[c] = r->tables[c].list;
    failed = fecrun_cuda_upload((void **)&r->job, job, r->n_classes * sizeof *job, "the classes",
                                err);
    free(job);
    return failed;
}

int polar_ragged_create(struct polar_ragged **ragged, const struct fecrun_create *args,
                        const struct fecrun_cuda_limits *limits, struct fecrun_error *err)
{
    const bool packed = args->form->out[0].type == FECRUN_PACKED;
    struct polar_ragged *r = calloc(1, sizeof *r);

    *ragged = NULL;
    if (!r)
        return fecrun_fail(err, NULL, "out of memory");
    r->n_classes = args->n_codes;
    r->tables = calloc(r->n_classes, sizeof *r->tables);
    r->deal = (struct polar_launch){.kernel = polar_list_deal_kernel_of(),
                                    .threads = LIST_DEAL_THREADS};
    if ((!r->tables && fecrun_fail(err, NULL, "out of memory")) ||
        make_tables(r, args, packed, err) || upload_jobs(r, err) ||
        polar_launch_prepare_rows(&r->list, polar_list_ragged_kernel_of(r->lanes), r->rows, limits,
                                  err)) {
        polar_ragged_destroy(r);
        return -1;
    }
    *ragged = r;
    return 0;
}

/* The groups of a class may end with one that is not full. */
static unsigned grid(const struct polar_ragged *r, uint64_t frames)
{
    const uint64_t each = 32 / r->lanes, groups = (frames + each - 1) / each + r->n_classes;

    return polar_launch_grid(&r->list, groups, 1);
}

static size_t lay_out(const struct polar_ragged *r, uint64_t frames, void *base,
                      struct polar_list_ragged *job)
{
    const size_t rows = (size_t)r->global_rows * grid(r, frames) * (r->list.threads / 32);
    uint64_t *in, *out;
    uint32_t *class_of;
    size_t used = 0;

    in = fecrun_carve(base, &used, frames * sizeof *in);
    out = fecrun_carve(base, &used, frames * sizeof *out);
    class_of = fecrun_carve(base, &used, frames * sizeof *class_of);
    job->order = fecrun_carve(base, &used, frames * sizeof *job->order);
    job->start = fecrun_carve(base, &used, (r->n_classes + 1) * sizeof *job->start);
    job->next = fecrun_carve(base, &used, r->n_classes * sizeof *job->next);
    job->global = fecrun_carve(base, &used, rows * LIST_ROW * sizeof *job->global);
    job->in_offset = in;
    job->out_offset = out;
    job->class_of = class_of;
    return used;
}

size_t polar_ragged_scratch(const struct polar_ragged *r, uint64_t frames)
{
    struct polar_list_ragged job;

    return lay_out(r, frames, NULL, &job);
}

/* The host's tables are pinned and outlive the work. */
static cudaError_t copy(const void *to, const void *from, size_t bytes, void *stream)
{
    return cudaMemcpyAsync((void *)to, from, bytes, cudaMemcpyHostToDevice, (cudaStream_t)stream);
}

int polar_ragged_run(const struct polar_ragged *r, const struct fecrun_call *call,
                     const struct fecrun_view *in, const struct fecrun_view *out,
                     struct fecrun_error *err)
{
    const uint64_t frames = in->frames;
    struct polar_list_ragged job = {.job = r->job,
                                    .n_classes = r->n_classes,
                                    .frames = (uint32_t)frames,
                                    .rows = r->rows,
                                    .global_rows = r->global_rows,
                                    .in = in->data,
                                    .out = out->data,
                                    .info = call->info};
    cudaError_t status;

    if (!in->offset)
        return fecrun_fail(err, NULL, "a batch of several classes without their table");
    lay_out(r, frames, call->scratch, &job);
    status = copy(job.in_offset, in->offset, frames * sizeof *in->offset, call->stream);
    if (status == cudaSuccess)
        status = copy(job.out_offset, out->offset, frames * sizeof *out->offset, call->stream);
    if (status == cudaSuccess)
        status = copy(job.class_of, in->frame_class, frames * sizeof *in->frame_class,
                      call->stream);
    if (status == cudaSuccess)
        status = polar_launch_start(&r->deal, 1, &job, call->stream);
    if (status == cudaSuccess)
        status = polar_launch_start(&r->list, grid(r, frames), &job, call->stream);
    return fecrun_cuda_check(err, "starting the decoder", status);
}

#endif
