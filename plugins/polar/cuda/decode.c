/* SPDX-License-Identifier: BSD-2-Clause */
/* The backend cuda of polar.decode: its kernels are those of sc.h, list.h and bp.h. */
#include <fecrun/sdk/carve.h>
#include <fecrun/sdk/cuda.h>

#include "plugins/polar/cuda/bp_launch.h"
#include "plugins/polar/cuda/list.h"
#include "plugins/polar/cuda/sc.h"
#include "plugins/polar/decode.h"

static int takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    const struct polar_decode *d = args->codes[0];
    const char *problem = NULL;

    if (d->algorithm == POLAR_BP)
        return 0;
    if (d->algorithm != POLAR_SC && d->algorithm != POLAR_SCL)
        return fecrun_fail(err, "algorithm", "backend cuda has bp, sc and scl");
    if (d->limit != 127 || args->form->in[0].type != FECRUN_I8)
        return fecrun_fail(err, "algorithm",
                           "backend cuda has sc and scl of 8-bit LLRs only (llr.quantize)");
    if (d->sc) {
        struct polar_sc_job job;

        problem = polar_sc_plan(d, &job);
    }
    if (d->list && !problem) {
        struct polar_list_step *step = malloc(polar_list_most_steps(d) * sizeof *step);
        struct polar_list_job job;

        problem = step ? polar_list_plan(d, &job, step) : "out of memory";
        free(step);
    }
    return problem ? fecrun_fail(err, NULL, "%s", problem) : 0;
}

#ifdef FECRUN_CUDA

/* A kernel, as it is started. */
struct launch {
    const void *kernel;
    unsigned threads, blocks; /* of a block; blocks that the device has at a time */
    size_t shared;            /* bytes of a block */
    unsigned processors;
};

struct instance {
    int device;
    bool adaptive;
    struct launch sc, list; /* kernel NULL: not wanted */
    struct launch alone;    /* the list of no more frames than this device has processors */
    struct polar_sc_job sc_job;
    struct polar_list_job list_job;
    uint16_t *position; /* device memory */
    uint32_t *crc_table;
    struct polar_list_step *step;
    struct polar_bp *bp; /* bp: all of it, and nothing of the above */
    uint32_t *crc_mask, *parity_mask;
};

static int probe(const struct fecrun_host *host, int32_t device, char *reason, size_t reason_size)
{
    (void)host;
    return fecrun_cuda_probe_kernel(polar_sc_kernel_of(), device, reason, reason_size);
}

static void destroy(void *instance)
{
    struct instance *i = instance;

    if (!i)
        return;
    if (cudaSetDevice(i->device) == cudaSuccess) {
        cudaFree(i->position);
        cudaFree(i->crc_table);
        cudaFree(i->step);
        polar_bp_destroy(i->bp);
        cudaFree(i->crc_mask);
        cudaFree(i->parity_mask);
    }
    free(i);
}

/* ---- create ---------------------------------------------------------------------------------- */

static int fill_frames(struct instance *i, const struct polar_decode *d, struct fecrun_error *err)
{
    const size_t bytes = polar_frames_positions(d) * sizeof(uint16_t);
    uint16_t *position = malloc(bytes);
    uint32_t table[POLAR_CRC_TABLE] = {0};
    struct polar_frames frames = {.count = 0};
    int failed;

    if (!position)
        return fecrun_fail(err, NULL, "out of memory");
    polar_frames_fill(&frames, d, position, table);
    failed = fecrun_cuda_upload((void **)&i->position, position, bytes, "the code", err) ||
             fecrun_cuda_upload((void **)&i->crc_table, table, sizeof table, "the CRC", err);
    free(position);
    frames.position = i->position;
    frames.crc_table = i->crc_table;
    i->sc_job.frames = i->list_job.frames = frames;
    if (d->adaptive) {
        i->sc_job.frames.iterations = 1;
        i->list_job.frames.iterations = 2;
    }
    return failed ? -1 : 0;
}

static int fill_list(struct instance *i, const struct polar_decode *d, struct fecrun_error *err)
{
    struct polar_list_step *step = malloc(polar_list_most_steps(d) * sizeof *step);
    uint32_t mask[LIST_MASK_WORDS], parity[LIST_PARITY_WORDS];
    int failed;

    if (!step)
        return fecrun_fail(err, NULL, "out of memory");
    polar_list_plan(d, &i->list_job, step);
    polar_list_crc_fill(d, &i->list_job, mask);
    polar_list_parity_fill(d, &i->list_job, parity);
    failed = fecrun_cuda_upload((void **)&i->step, step, i->list_job.n_steps * sizeof *step,
                                "the steps", err) ||
             fecrun_cuda_upload((void **)&i->crc_mask, mask, sizeof mask, "the CRC's masks", err) ||
             fecrun_cuda_upload((void **)&i->parity_mask, parity, sizeof parity, "the parity bits",
                                err);
    i->list_job.step = i->step;
    i->list_job.crc.mask = i->crc_mask;
    i->list_job.parity = i->parity_mask;
    free(step);
    return failed;
}

static int prepare(struct launch *l, const struct fecrun_cuda_limits *limits,
                   struct fecrun_error *err)
{
    int each = 0;
    cudaError_t status;

    if (l->shared > limits->shared_block)
        return fecrun_fail(err, NULL, "needs %zu bytes of shared memory, the device has %zu",
                           l->shared, limits->shared_block);
    status = cudaFuncSetAttribute(l->kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  (int)l->shared);
    if (status == cudaSuccess)
        status = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, l->kernel, (int)l->threads,
                                                               l->shared);
    l->blocks = (unsigned)each * limits->processors;
    l->processors = limits->processors;
    return fecrun_cuda_check(err, "preparing the kernel", status);
}

static int prepare_sc(struct instance *i, const struct polar_decode *d,
                      const struct fecrun_cuda_limits *limits, struct fecrun_error *err)
{
    polar_sc_plan(d, &i->sc_job);
    i->sc = (struct launch){.kernel = polar_sc_kernel_of(),
                            .threads = SC_MOST_WARPS * SC_LANES,
                            .shared = polar_sc_shared(i->sc_job.stages, SC_MOST_WARPS)};
    return prepare(&i->sc, limits, err);
}

static int prepare_list(struct instance *i, const struct polar_decode *d,
                        const struct fecrun_cuda_limits *limits, struct fecrun_error *err)
{
    const uint32_t lanes = polar_list_lanes(d->most_paths);
    size_t warp, warps;

    if (fill_list(i, d, err))
        return -1;
    warp = polar_list_rows(lanes, i->list_job.stages, false) * LIST_ROW * sizeof(uint32_t);
    warps = limits->shared_block / warp;
    if (warps > LIST_MOST_WARPS)
        warps = LIST_MOST_WARPS;
    i->alone = (struct launch){.kernel = polar_list_kernel_of(lanes, true),
                               .threads = 32,
                               .shared = polar_list_rows(lanes, i->list_job.stages, true) *
                                         LIST_ROW * sizeof(uint32_t)};
    i->list = (struct launch){.kernel = polar_list_kernel_of(lanes, false),
                              .threads = 32 * (unsigned)warps,
                              .shared = warps * warp};
    if (prepare(&i->alone, limits, err) || prepare(&i->list, limits, err))
        return -1;
    i->alone.blocks = limits->processors;
    return 0;
}

static int prepare_all(struct instance *i, const struct fecrun_create *args,
                       struct fecrun_error *err)
{
    static const struct polar_bp_choice bp = {.half = true};
    const struct polar_decode *d = args->codes[0];
    struct fecrun_cuda_limits limits;

    if (d->algorithm == POLAR_BP)
        return polar_bp_create(&i->bp, d, &bp, args->form->in[0].type, err);
    return fecrun_cuda_read_limits(&limits, err) || fill_frames(i, d, err) ||
                   (d->sc && prepare_sc(i, d, &limits, err)) ||
                   (d->list && prepare_list(i, d, &limits, err))
               ? -1
               : 0;
}

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    const struct polar_decode *d = args->codes[0];
    struct instance *i = calloc(1, sizeof *i);

    *instance = NULL;
    if (!i)
        return fecrun_fail(err, NULL, "out of memory");
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

/* Blocks for so many units of work, `each` a block. */
static unsigned grid(const struct launch *l, uint64_t units, uint64_t each)
{
    const uint64_t blocks = (units + each - 1) / each;

    return blocks < l->blocks ? (unsigned)blocks : l->blocks;
}

/* With fewer frames than that the device's processors share, blocks of fewer warps. */
static struct launch sc_launch(const struct instance *i, uint64_t frames)
{
    const uint64_t warps = (frames + 2 * SC_LANES - 1) / (2 * SC_LANES);
    const uint64_t each = (warps + i->sc.processors - 1) / i->sc.processors;
    struct launch l = i->sc;

    if (each >= SC_MOST_WARPS) {
        l.blocks = grid(&l, warps, SC_MOST_WARPS);
        return l;
    }
    l.blocks = (unsigned)((warps + each - 1) / each);
    l.threads = (unsigned)each * SC_LANES;
    l.shared = polar_sc_shared(i->sc_job.stages, (uint32_t)each);
    return l;
}

static unsigned list_grid(const struct instance *i, uint64_t frames)
{
    return grid(&i->list, frames, 32 / polar_list_lanes(i->list_job.paths));
}

struct memory {
    uint32_t *scratch, *fail, *n_fail, *global;
    size_t bytes;
};

static struct memory lay_out(const struct instance *i, uint64_t frames, void *base)
{
    const uint32_t lanes = polar_list_lanes(i->list_job.paths);
    struct memory m = {.bytes = 0};

    if (i->sc.kernel) {
        const struct launch l = sc_launch(i, frames);

        m.scratch = fecrun_carve(base, &m.bytes,
                                 sizeof *m.scratch * polar_sc_scratch(i->sc_job.stages) *
                                     l.threads / SC_LANES * l.blocks);
    }
    if (i->list.kernel)
        m.global = fecrun_carve(base, &m.bytes,
                                (size_t)polar_list_global_rows(lanes) * LIST_ROW *
                                    (i->list.threads / 32) * list_grid(i, frames) *
                                    sizeof *m.global);
    if (i->adaptive) {
        m.fail = fecrun_carve(base, &m.bytes, frames * sizeof *m.fail);
        m.n_fail = fecrun_carve(base, &m.bytes, sizeof *m.n_fail);
    }
    return m;
}

static size_t scratch(const void *instance, uint64_t frames)
{
    const struct instance *i = instance;

    return i->bp ? polar_bp_scratch(i->bp, frames) : lay_out(i, frames, NULL).bytes;
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

static cudaError_t start(const struct launch *l, unsigned blocks, void *job, void *stream)
{
    return cudaLaunchKernel(l->kernel, (dim3){blocks, 1, 1}, (dim3){l->threads, 1, 1}, &job,
                            l->shared, stream);
}

static int cancel(const struct instance *i, const struct fecrun_call *call,
                  const struct fecrun_view *in, const struct fecrun_view *out,
                  struct fecrun_error *err)
{
    const uint64_t frames = in->frames;
    const struct memory m = lay_out(i, frames, call->scratch);
    struct polar_sc_job sc = i->sc_job;
    struct polar_list_job list = i->list_job;
    cudaError_t status;

    set_frames(&sc.frames, call, in, out);
    set_frames(&list.frames, call, in, out);
    sc.scratch = m.scratch;
    sc.fail = m.fail;
    sc.n_fail = m.n_fail;
    list.global = m.global;
    list.frame = m.fail;
    list.n_frames = m.n_fail;
    status = cudaSetDevice(i->device);
    if (status == cudaSuccess && i->adaptive)
        status = cudaMemsetAsync(m.n_fail, 0, sizeof *m.n_fail, call->stream);
    if (status == cudaSuccess && i->sc.kernel) {
        const struct launch l = sc_launch(i, frames);

        status = start(&l, l.blocks, &sc, call->stream);
    }
    if (status == cudaSuccess && i->list.kernel && frames <= i->alone.blocks)
        status = start(&i->alone, (unsigned)frames, &list, call->stream);
    else if (status == cudaSuccess && i->list.kernel)
        status = start(&i->list, list_grid(i, frames), &list, call->stream);
    return fecrun_cuda_check(err, "starting the decoder", status);
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    const struct instance *i = instance;

    if (in[0]->frames == 0)
        return 0;
    if (!i->bp)
        return cancel(i, call, in[0], out[0], err);
    if (fecrun_cuda_use(i->device, err))
        return -1;
    return polar_bp_run(i->bp, call->codes[0], call, in[0], out[0], err);
}

#endif

/* ---- Tables ---------------------------------------------------------------------------------- */

#define FORM(llr, bit) FECRUN_FORM(.in = {{.type = llr}}, .out = {{.type = bit}})

/* The narrowest first: less has to come over the bus. */
static const struct fecrun_form *const forms[] = {FORM(FECRUN_I8, FECRUN_PACKED),
                                                  FORM(FECRUN_I8, FECRUN_U8),
                                                  FORM(FECRUN_I16, FECRUN_PACKED),
                                                  FORM(FECRUN_I16, FECRUN_U8),
                                                  FORM(FECRUN_F32, FECRUN_PACKED),
                                                  FORM(FECRUN_F32, FECRUN_U8),
                                                  NULL};

const struct fecrun_backend polar_decode_cuda = {
    .size = sizeof(struct fecrun_backend),
    .name = "cuda",
    .provider = "cuda",
    .summary =
        "sc: two frames a thread; scl: a lane a path; bp: 16 positions of two frames a thread",
    .forms = forms,
    .agreement = FECRUN_NEAR, /* bp of 8-bit LLRs computes in halves; sc and scl are exact */
    .bound = 0.25,
    .probe = FECRUN_CUDA_PROBE(probe),
    .create = FECRUN_CUDA_CREATE(create),
    .scratch = FECRUN_CUDA_SCRATCH(scratch),
    .run = FECRUN_CUDA_RUN(run),
    .destroy = FECRUN_CUDA_DESTROY(destroy),
    .takes = takes,
};
