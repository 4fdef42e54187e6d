/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/polar/cuda/ragged.h"

#include <fecrun/sdk/carve.h>

#include "plugins/polar/cuda/device.h"
#include "plugins/polar/cuda/list/ragged.h"
#include "plugins/polar/cuda/tables.h"

#ifdef FECRUN_CUDA

/* Lists of all classes: of one path, which is sc, or of those of scl. */
struct pass {
    uint32_t n_classes, lanes, rows, global_rows;
    struct polar_tables *tables; /* of each class */
    struct polar_list_job *job;  /* of each class, device memory */
    struct polar_launch list;
};

/* adaptive: the second pass has the frames that fail in the first. */
struct polar_ragged {
    uint32_t n_passes;
    struct pass pass[2];
    struct polar_launch deal;
};

static void free_pass(struct pass *p)
{
    for (uint32_t c = 0; p->tables && c < p->n_classes; c++)
        polar_tables_free(&p->tables[c]);
    free(p->tables);
    cudaFree(p->job);
}

void polar_ragged_destroy(struct polar_ragged *r)
{
    if (!r)
        return;
    free_pass(&r->pass[0]);
    free_pass(&r->pass[1]);
    free(r);
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* Rows that any of the classes needs, with as many lanes as any of them. sc: one path. */
static int make_tables(struct pass *p, const struct fecrun_create *args, bool sc,
                       uint32_t iterations, struct fecrun_error *err)
{
    for (uint32_t c = 0; c < p->n_classes; c++) {
        const struct polar_decode *d = args->codes[c];
        struct polar_tables *const t = &p->tables[c];
        const uint32_t paths = sc ? 1 : d->most_paths;

        if (polar_tables_make(t, d, paths, err))
            return -1;
        t->list.frames.packed = args->form->out[0].type == FECRUN_PACKED;
        t->list.frames.iterations = iterations;
        p->lanes = larger(p->lanes, polar_list_lanes(paths, t->list.stages));
    }
    for (uint32_t c = 0; c < p->n_classes; c++) {
        const uint32_t stages = p->tables[c].list.stages;

        p->rows = larger(p->rows, polar_list_rows(p->lanes, stages, false));
        p->global_rows = larger(p->global_rows, polar_list_global_rows(p->lanes, stages));
    }
    return 0;
}

static int upload_jobs(struct pass *p, struct fecrun_error *err)
{
    struct polar_list_job *job = malloc(p->n_classes * sizeof *job);
    int failed;

    if (!job)
        return fecrun_no_memory(err);
    for (uint32_t c = 0; c < p->n_classes; c++)
        job[c] = p->tables[c].list;
    failed = fecrun_cuda_upload((void **)&p->job, job, p->n_classes * sizeof *job, "the classes",
                                err);
    free(job);
    return failed;
}

static int make_pass(struct pass *p, const struct fecrun_create *args, bool sc, uint32_t iterations,
                     const struct fecrun_cuda_limits *limits, struct fecrun_error *err)
{
    p->n_classes = args->n_codes;
    p->tables = calloc(p->n_classes, sizeof *p->tables);
    if (!p->tables)
        return fecrun_no_memory(err);
    if (make_tables(p, args, sc, iterations, err) || upload_jobs(p, err))
        return -1;
    return polar_launch_prepare_rows(&p->list, polar_list_ragged_kernel_of(p->lanes), p->rows,
                                     limits, err);
}

int polar_ragged_create(struct polar_ragged **ragged, const struct fecrun_create *args,
                        const struct fecrun_cuda_limits *limits, struct fecrun_error *err)
{
    const struct polar_decode *d = args->codes[0];
    struct polar_ragged *r = calloc(1, sizeof *r);
    int failed = 0;

    *ragged = NULL;
    if (!r)
        return fecrun_no_memory(err);
    r->deal = (struct polar_launch){.kernel = polar_list_deal_kernel_of(),
                                    .threads = LIST_DEAL_THREADS};
    if (d->sc)
        failed = make_pass(&r->pass[r->n_passes++], args, true, d->adaptive, limits, err);
    if (d->list && !failed)
        failed = make_pass(&r->pass[r->n_passes++], args, false, 2 * d->adaptive, limits, err);
    if (failed) {
        polar_ragged_destroy(r);
        return -1;
    }
    *ragged = r;
    return 0;
}

/* The groups of a class may end with one that is not full. */
static unsigned grid(const struct pass *p, uint64_t frames)
{
    const uint64_t each = 32 / p->lanes, groups = (frames + each - 1) / each + p->n_classes;

    return polar_launch_grid(&p->list, groups, 1);
}

static size_t global_words(const struct pass *p, uint64_t frames)
{
    return (size_t)p->global_rows * grid(p, frames) * (p->list.threads / 32) * LIST_ROW;
}

static size_t lay_out(const struct polar_ragged *r, uint64_t frames, void *base,
                      struct polar_list_ragged *job)
{
    const uint32_t n_classes = r->pass[0].n_classes;
    uint64_t *in, *out;
    uint32_t *class_of;
    size_t used = 0, words = 0;

    in = fecrun_carve(base, &used, frames * sizeof *in);
    out = fecrun_carve(base, &used, frames * sizeof *out);
    class_of = fecrun_carve(base, &used, frames * sizeof *class_of);
    job->order = fecrun_carve(base, &used, frames * sizeof *job->order);
    job->start = fecrun_carve(base, &used, (n_classes + 1) * sizeof *job->start);
    job->next = fecrun_carve(base, &used, n_classes * sizeof *job->next);
    for (uint32_t i = 0; i < r->n_passes; i++)
        if (words < global_words(&r->pass[i], frames))
            words = global_words(&r->pass[i], frames);
    job->global = fecrun_carve(base, &used, words * sizeof *job->global);
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

static cudaError_t start(const struct polar_ragged *r, const struct pass *p,
                         struct polar_list_ragged *job, void *stream)
{
    cudaError_t status;

    job->job = p->job;
    job->rows = p->rows;
    job->global_rows = p->global_rows;
    job->again = p != r->pass;
    status = polar_launch_start(&r->deal, 1, job, stream);
    return status == cudaSuccess ? polar_launch_start(&p->list, grid(p, job->frames), job, stream)
                                 : status;
}

int polar_ragged_run(const struct polar_ragged *r, const struct fecrun_call *call,
                     const struct fecrun_view *in, const struct fecrun_view *out,
                     struct fecrun_error *err)
{
    const uint64_t frames = in->frames;
    struct polar_list_ragged job = {.n_classes = r->pass[0].n_classes,
                                    .frames = (uint32_t)frames,
                                    .in = in->data,
                                    .out = out->data,
                                    .info = call->info};
    cudaError_t status;

    if (!in->offset)
        return fecrun_fail(err, NULL, "a batch of several classes without their table");
    lay_out(r, frames, call->scratch, &job);
    status = polar_launch_copy_tables(job.in_offset, job.out_offset, job.class_of, in, out,
                                      call->stream);
    for (uint32_t i = 0; i < r->n_passes && status == cudaSuccess; i++)
        status = start(r, &r->pass[i], &job, call->stream);
    return fecrun_cuda_check(err, "starting the decoder", status);
}

#endif
