/* SPDX-License-Identifier: BSD-2-Clause */
/* The backend cuda of polar.decode: its kernels are those of sc/plan.h, list/plan.h and bp/plan.h. */
#include <fecrun/sdk/carve.h>
#include <fecrun/sdk/cuda.h>

#include "plugins/polar/cuda/bp/launch.h"
#include "plugins/polar/cuda/bp/ragged.h"
#include "plugins/polar/cuda/device.h"
#include "plugins/polar/cuda/ragged.h"
#include "plugins/polar/cuda/sc/plan.h"
#include "plugins/polar/cuda/tables.h"
#include "plugins/polar/decode.h"

/* One path of a list is sc: for codes that the kernel of sc does not take. */
static const char *plan_list(const struct polar_decode *d, uint32_t paths, uint32_t *stages)
{
    struct polar_list_step *step = malloc(polar_list_most_steps(d) * sizeof *step);
    struct polar_list_job job = {.stages = 0};
    const char *problem = step ? polar_list_plan(d, paths, &job, step) : "out of memory";

    free(step);
    *stages = job.stages;
    return problem;
}

/* Where a thread block can have `shared` bytes of shared memory. */
static bool has_sc_kernel(const struct polar_decode *d, size_t shared)
{
    struct polar_sc_job job;

    return !polar_sc_plan(d, &job) && polar_sc_fit(job.stages, shared);
}

static int too_little(size_t needed, size_t shared, struct fecrun_error *err)
{
    return fecrun_fail(err, NULL,
                       "needs %zu bytes of shared memory a thread block, the device has %zu",
                       needed, shared);
}

static int takes_list(const struct polar_decode *d, uint32_t paths, size_t shared,
                      struct fecrun_error *err)
{
    uint32_t stages, rows;
    const char *problem = plan_list(d, paths, &stages);

    if (problem)
        return fecrun_fail(err, NULL, "%s", problem);
    rows = polar_list_rows(polar_list_lanes(paths, stages), stages, false);
    return polar_list_fit(rows, shared)
               ? 0
               : too_little(rows * LIST_ROW * sizeof(uint32_t), shared, err);
}

/* together: with other classes, for which sc is a list, too. */
static int takes_one(const struct polar_decode *d, uint32_t type, bool together, size_t shared,
                     struct fecrun_error *err)
{
    if (d->algorithm == POLAR_BP)
        return polar_bp_fit(d, type, shared)
                   ? 0
                   : too_little(polar_bp_any_bytes(d->code->stages), shared, err);
    if (d->algorithm != POLAR_SC && d->algorithm != POLAR_SCL)
        return fecrun_fail(err, "algorithm", "backend cuda has bp, sc and scl");
    if (d->limit != 127 || type != FECRUN_I8)
        return fecrun_fail(err, "algorithm",
                           "backend cuda has sc and scl of 8-bit LLRs only (llr.quantize)");
    if (d->sc && (together || !has_sc_kernel(d, shared)) && takes_list(d, 1, shared, err))
        return -1;
    return d->list ? takes_list(d, d->most_paths, shared, err) : 0;
}

static int takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    const struct fecrun_cuda_limits limits = fecrun_cuda_limits_for(args);

    for (uint32_t c = 0; c < args->n_codes; c++) {
        if (takes_one(args->codes[c], args->form->in[0].type, args->n_codes > 1,
                      limits.shared_block, err))
            return -1;
    }
    return 0;
}

#ifdef FECRUN_CUDA

/* Lists: of many frames, and of no more than this device has processors, if those find room there. */
struct lists {
    struct polar_tables tables;
    struct polar_launch many, alone;
    uint32_t lanes;
};

struct instance {
    int device;
    bool adaptive;
    struct polar_tables tables; /* of sc */
    struct polar_launch sc;
    uint32_t sc_warps; /* of a block, at most */
    struct polar_sc_job sc_job;
    struct lists first, list; /* first: sc by a list of one path */
    /* one of these: all of it, and nothing of the above */
    struct polar_bp *bp;
    struct polar_ragged *ragged; /* classes of frames */
    struct polar_bp_ragged *bp_ragged;
};

static int probe(const struct fecrun_host *host, int32_t device, char *reason, size_t reason_size)
{
    const size_t least = polar_list_rows(2, SC_LEAST_STAGES, false) * LIST_ROW * sizeof(uint32_t);

    (void)host;
    return fecrun_cuda_probe_kernel(polar_sc_kernel_of(), device, reason, reason_size) ||
                   fecrun_cuda_probe_shared(least, device, reason, reason_size)
               ? -1
               : 0;
}

static void destroy(void *instance)
{
    struct instance *i = instance;

    if (!i)
        return;
    if (cudaSetDevice(i->device) == cudaSuccess) {
        polar_tables_free(&i->tables);
        polar_tables_free(&i->first.tables);
        polar_tables_free(&i->list.tables);
        polar_bp_destroy(i->bp);
        polar_ragged_destroy(i->ragged);
        polar_bp_ragged_destroy(i->bp_ragged);
    }
    free(i);
}

/* ---- create ---------------------------------------------------------------------------------- */

static int prepare_sc(struct instance *i, const struct polar_decode *d,
                      const struct fecrun_cuda_limits *limits, struct fecrun_error *err)
{
    if (polar_tables_make(&i->tables, d, 0, err))
        return -1;
    polar_sc_plan(d, &i->sc_job);
    i->sc_job.frames = i->tables.frames;
    i->sc_job.frames.iterations = d->adaptive;
    i->sc_warps = polar_sc_fit(i->sc_job.stages, limits->shared_block);
    i->sc = (struct polar_launch){.kernel = polar_sc_kernel_of(),
                                  .threads = i->sc_warps * SC_LANES,
                                  .shared = polar_sc_shared(i->sc_job.stages, i->sc_warps)};
    return polar_launch_prepare(&i->sc, limits, err);
}

static int prepare_lists(struct lists *l, const struct polar_decode *d, uint32_t paths,
                         uint32_t iterations, const struct fecrun_cuda_limits *limits,
                         struct fecrun_error *err)
{
    uint32_t stages, alone;

    if (polar_tables_make(&l->tables, d, paths, err))
        return -1;
    l->tables.list.frames.iterations = iterations;
    stages = l->tables.list.stages;
    l->lanes = polar_list_lanes(paths, stages);
    if (polar_launch_prepare_rows(&l->many, polar_list_kernel_of(l->lanes, false),
                                  polar_list_rows(l->lanes, stages, false), limits, err))
        return -1;
    alone = polar_list_rows(l->lanes, stages, true);
    if (!polar_list_fit(alone, limits->shared_block))
        return 0;
    l->alone = (struct polar_launch){.kernel = polar_list_kernel_of(l->lanes, true),
                                     .threads = 32,
                                     .shared = alone * LIST_ROW * sizeof(uint32_t)};
    if (polar_launch_prepare(&l->alone, limits, err))
        return -1;
    l->alone.blocks = limits->processors;
    return 0;
}

/* sc, or a list of one path, which is sc, too; and a list after it, or alone. */
static bool begins_with_sc(const struct polar_decode *d)
{
    return d->sc || d->most_paths == 1;
}

static bool ends_with_list(const struct polar_decode *d)
{
    return d->list && (d->sc || d->most_paths > 1);
}

static int prepare_all(struct instance *i, const struct fecrun_create *args,
                       struct fecrun_error *err)
{
    static const struct polar_bp_choice bp = {.half = true};
    const struct polar_decode *d = args->codes[0];
    struct fecrun_cuda_limits limits;

    if (d->algorithm == POLAR_BP && args->n_codes > 1)
        return polar_bp_ragged_create(&i->bp_ragged, args, err);
    if (d->algorithm == POLAR_BP)
        return polar_bp_create(&i->bp, d, &bp, args->form->in[0].type, err);
    if (fecrun_cuda_read_limits(&limits, err))
        return -1;
    if (args->n_codes > 1)
        return polar_ragged_create(&i->ragged, args, &limits, err);
    if (begins_with_sc(d) && (has_sc_kernel(d, limits.shared_block)
                                  ? prepare_sc(i, d, &limits, err)
                                  : prepare_lists(&i->first, d, 1, d->adaptive, &limits, err)))
        return -1;
    return ends_with_list(d)
               ? prepare_lists(&i->list, d, d->most_paths, 2 * d->adaptive, &limits, err)
               : 0;
}

/* ---- explain --------------------------------------------------------------------------------- */

static void note_bp(const struct polar_decode *d, uint32_t type, size_t shared, char *text,
                    size_t size)
{
    const enum polar_bp_fit fit = polar_bp_fit(d, type, shared);

    snprintf(text, size, "%s",
             fit == BP_FITS_HALF ? "in halves, 16 positions of two frames a thread"
             : fit == BP_FITS_SHARED
                 ? "in floats, two positions a thread, which is slower; messages "
                   "in shared memory"
                 : "in floats, two positions a thread, which is slower; messages "
                   "in global memory");
}

static void note_list(const struct polar_decode *d, uint32_t paths, const char *why,
                      const struct fecrun_cuda_limits *limits, char *text, size_t size)
{
    uint32_t stages, lanes;

    plan_list(d, paths, &stages);
    lanes = polar_list_lanes(paths, stages);
    snprintf(text, size, "%u frames a warp, %u warps a multiprocessor%s", 32 / lanes,
             polar_list_fit(polar_list_rows(lanes, stages, false), limits->shared_block), why);
}

/* Of the first class. */
static void note(const struct fecrun_create *args, char *text, size_t size)
{
    const struct fecrun_cuda_limits limits = fecrun_cuda_limits_for(args);
    const struct polar_decode *d = args->codes[0];
    const bool sc = begins_with_sc(d) && args->n_codes == 1 &&
                    has_sc_kernel(d, limits.shared_block);
    char list[160] = "";
    struct polar_sc_job job;

    if (d->algorithm == POLAR_BP) {
        note_bp(d, args->form->in[0].type, limits.shared_block, text, size);
        return;
    }
    if (ends_with_list(d))
        note_list(d, d->most_paths, "", &limits, list, sizeof list);
    else if (!sc)
        note_list(d, 1, "; sc by a list of one path, which is slower", &limits, list, sizeof list);
    if (sc && !polar_sc_plan(d, &job))
        snprintf(text, size, "sc: two frames a thread, %u warps a multiprocessor%s%s",
                 polar_sc_fit(job.stages, limits.shared_block), *list ? "; lists: " : "", list);
    else
        snprintf(text, size, "%s", list);
}

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    const struct polar_decode *d = args->codes[0];
    struct instance *i = calloc(1, sizeof *i);

    *instance = NULL;
    if (!i)
        return fecrun_no_memory(err);
    i->device = args->device;
    i->adaptive = d->adaptive;
    if (takes(args, err) || fecrun_cuda_use(i->device, err) || prepare_all(i, args, err)) {
        destroy(i);
        return -1;
    }
    *instance = i;
    return 0;
}

/* ---- run ------------------------------------------------------------------------------------- */

/* With fewer frames than that the device's processors share, blocks of fewer warps. */
static struct polar_launch sc_launch(const struct instance *i, uint64_t frames)
{
    const uint64_t warps = (frames + 2 * SC_LANES - 1) / (2 * SC_LANES);
    const uint64_t each = (warps + i->sc.processors - 1) / i->sc.processors;
    struct polar_launch l = i->sc;

    if (each >= i->sc_warps) {
        l.blocks = polar_launch_grid(&l, warps, i->sc_warps);
        return l;
    }
    l.blocks = (unsigned)((warps + each - 1) / each);
    l.threads = (unsigned)each * SC_LANES;
    l.shared = polar_sc_shared(i->sc_job.stages, (uint32_t)each);
    return l;
}

static unsigned lists_grid(const struct lists *l, uint64_t frames)
{
    return polar_launch_grid(&l->many, frames, 32 / l->lanes);
}

static size_t lists_words(const struct lists *l, uint64_t frames)
{
    return l->many.kernel ? (size_t)polar_list_global_rows(l->lanes, l->tables.list.stages) *
                                LIST_ROW * (l->many.threads / 32) * lists_grid(l, frames)
                          : 0;
}

struct memory {
    uint32_t *scratch, *fail, *n_fail, *global;
    size_t bytes;
};

/* The lists come one after the other. */
static struct memory lay_out(const struct instance *i, uint64_t frames, void *base)
{
    const size_t first = lists_words(&i->first, frames), list = lists_words(&i->list, frames);
    struct memory m = {.bytes = 0};

    if (i->sc.kernel) {
        const struct polar_launch l = sc_launch(i, frames);

        m.scratch = fecrun_carve(base, &m.bytes,
                                 sizeof *m.scratch * polar_sc_scratch(i->sc_job.stages) *
                                     l.threads / SC_LANES * l.blocks);
    }
    m.global = fecrun_carve(base, &m.bytes, (first > list ? first : list) * sizeof *m.global);
    if (i->adaptive) {
        m.fail = fecrun_carve(base, &m.bytes, frames * sizeof *m.fail);
        m.n_fail = fecrun_carve(base, &m.bytes, sizeof *m.n_fail);
    }
    return m;
}

static size_t scratch(const void *instance, uint64_t frames)
{
    const struct instance *i = instance;

    return i->bp          ? polar_bp_scratch(i->bp, frames)
           : i->ragged    ? polar_ragged_scratch(i->ragged, frames)
           : i->bp_ragged ? polar_bp_ragged_scratch(i->bp_ragged, frames)
                          : lay_out(i, frames, NULL).bytes;
}

static void set_frames(struct polar_frames *f, const struct fecrun_call *call,
                       const struct fecrun_view *in, const struct fecrun_view *out)
{
    f->in = in->data;
    f->out = out->data;
    f->in_stride = in->stride;
    f->out_stride = out->stride;
    f->info = call->info;
    f->count = (uint32_t)in->frames;
    f->aligned = ((uintptr_t)in->data | in->stride) % 16 == 0;
    f->packed = out->type == FECRUN_PACKED;
}

static cudaError_t start_lists(const struct lists *l, struct polar_list_job *job, uint64_t frames,
                               void *stream)
{
    if (frames <= l->alone.blocks)
        return polar_launch_start(&l->alone, (unsigned)frames, job, stream);
    return polar_launch_start(&l->many, lists_grid(l, frames), job, stream);
}

/* All frames by sc; those whose CRC fails are listed if there is m->fail. */
static cudaError_t start_first(const struct instance *i, const struct memory *m,
                               const struct polar_frames *frames, void *stream)
{
    struct polar_sc_job sc = i->sc_job;
    struct polar_list_job list = i->first.tables.list;

    if (i->sc.kernel) {
        const struct polar_launch l = sc_launch(i, frames->count);

        sc.frames = *frames;
        sc.scratch = m->scratch;
        sc.fail = m->fail;
        sc.n_fail = m->n_fail;
        return polar_launch_start(&l, l.blocks, &sc, stream);
    }
    list.frames = *frames;
    list.global = m->global;
    list.fail = m->fail;
    list.n_fail = m->n_fail;
    return start_lists(&i->first, &list, frames->count, stream);
}

static int cancel(const struct instance *i, const struct fecrun_call *call,
                  const struct fecrun_view *in, const struct fecrun_view *out,
                  struct fecrun_error *err)
{
    const struct memory m = lay_out(i, in->frames, call->scratch);
    struct polar_list_job list = i->list.tables.list;
    struct polar_frames first = i->sc.kernel ? i->sc_job.frames : i->first.tables.list.frames;
    cudaError_t status;

    set_frames(&first, call, in, out);
    set_frames(&list.frames, call, in, out);
    list.global = m.global;
    list.frame = m.fail;
    list.n_frames = m.n_fail;
    status = cudaSetDevice(i->device);
    if (status == cudaSuccess && i->adaptive)
        status = cudaMemsetAsync(m.n_fail, 0, sizeof *m.n_fail, call->stream);
    if (status == cudaSuccess && (i->sc.kernel || i->first.many.kernel))
        status = start_first(i, &m, &first, call->stream);
    if (status == cudaSuccess && i->list.many.kernel)
        status = start_lists(&i->list, &list, in->frames, call->stream);
    return fecrun_cuda_check(err, "starting the decoder", status);
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    const struct instance *i = instance;

    if (in[0]->frames == 0)
        return 0;
    if (!i->bp && !i->ragged && !i->bp_ragged)
        return cancel(i, call, in[0], out[0], err);
    if (fecrun_cuda_use(i->device, err))
        return -1;
    return i->bp       ? polar_bp_run(i->bp, call->codes[0], call, in[0], out[0], err)
           : i->ragged ? polar_ragged_run(i->ragged, call, in[0], out[0], err)
                       : polar_bp_ragged_run(i->bp_ragged, call, in[0], out[0], err);
}

#endif

/* ---- Tables ---------------------------------------------------------------------------------- */

#define FORM(llr, bit) \
    FECRUN_FORM(FECRUN_IN({.type = llr}, {.type = FECRUN_NONE}), \
                FECRUN_OUT({.type = bit}, {.type = FECRUN_NONE}))
#define RAGGED(llr, bit) \
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED, FECRUN_IN({.type = llr}, {.type = FECRUN_NONE}), \
                FECRUN_OUT({.type = bit}, {.type = FECRUN_NONE}))

/* The narrowest first: less has to come over the bus. Classes of frames that are not taken together
   come one by one. */
static const struct fecrun_form *const forms[] = {RAGGED(FECRUN_I8, FECRUN_PACKED),
                                                  RAGGED(FECRUN_I8, FECRUN_U8),
                                                  FORM(FECRUN_I8, FECRUN_PACKED),
                                                  FORM(FECRUN_I8, FECRUN_U8),
                                                  RAGGED(FECRUN_I16, FECRUN_PACKED),
                                                  RAGGED(FECRUN_I16, FECRUN_U8),
                                                  FORM(FECRUN_I16, FECRUN_PACKED),
                                                  FORM(FECRUN_I16, FECRUN_U8),
                                                  RAGGED(FECRUN_F32, FECRUN_PACKED),
                                                  RAGGED(FECRUN_F32, FECRUN_U8),
                                                  FORM(FECRUN_F32, FECRUN_PACKED),
                                                  FORM(FECRUN_F32, FECRUN_U8),
                                                  NULL};

const struct fecrun_backend polar_decode_cuda = {
    FECRUN_CUDA_BACKEND(probe, create, run, destroy),
    .name = "cuda",
    .summary =
        "sc: two frames a thread; scl: a lane a path; bp: 16 positions of two frames a thread",
    .forms = forms,
    .agreement =
        FECRUN_AGREEMENT_NEAR, /* bp of 8-bit LLRs computes in halves; sc and scl are exact */
    .bound = 0.25,
    .scratch = FECRUN_CUDA_SCRATCH(scratch),
    .note = FECRUN_CUDA_NOTE(note),
    .takes = takes,
};
