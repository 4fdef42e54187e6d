/* SPDX-License-Identifier: BSD-2-Clause */
/* The backend cuda of turbo.decode: windows side by side in threads (windows/plan.h). */
#include <fecrun/sdk/carve.h>
#include <fecrun/sdk/cuda.h>
#include <math.h>
#include <stdlib.h>

#include "plugins/common/absorbed/absorbed.h"
#include "plugins/turbo/cuda/single/plan.h"
#include "plugins/turbo/cuda/windows/plan.h"
#include "plugins/turbo/decode.h"
#include "plugins/turbo/plugin.h"

#define LLR_MOST_THRESHOLD 2047.0 /* kernels count no larger |LLR| */
#define LEAST_SCALE 0.5

enum { T_OVERLAP };

/* Code rate. */
static double rate_of(const struct turbo_decode *d)
{
    return d->bits / d->received;
}

/* The windows of class n of a batch; 0, or -1 and the reason. */
static int fit(const struct fecrun_create *args, uint32_t n, uint32_t threads, size_t shared,
               struct turbo_windows_class *c, struct fecrun_error *err)
{
    const struct turbo_decode *d = args->codes[n];
    const char *problem;

    if (turbo_is_lte(d, "cuda", err))
        return -1;
    problem = turbo_windows_fit(d->qpp, d->sub_blocks, threads, shared, c);
    if (problem && !d->sub_blocks)
        return fecrun_fail(err, NULL, "K = %u: %s", d->k, problem);
    if (problem)
        return fecrun_fail(err, "sub_blocks", "K = %u, %u sub-blocks: %s", d->k, d->sub_blocks,
                           problem);
    if (!d->sub_blocks)
        turbo_windows_lengthen(d->qpp, rate_of(d), shared, c);
    c->fillers = d->fillers;
    return 0;
}

/* How many threads a block has, which is the same for all classes; 0: none is right for all of them, and
   why the first one is not. shared: bytes that such a block can have. */
static uint32_t choose_threads(const struct fecrun_create *args, size_t shared,
                               struct fecrun_error *err)
{
    struct fecrun_error why = {.size = sizeof why};
    uint32_t threads;

    for (unsigned i = 0; (threads = turbo_windows_threads(i)) != 0; i++) {
        struct turbo_windows_class c;
        uint32_t n = 0;

        while (n < args->n_codes && !fit(args, n, threads, shared, &c, &why))
            n++;
        if (n == args->n_codes)
            return threads;
    }
    fecrun_fail(err, why.param[0] ? why.param : NULL, "%s", why.text);
    return 0;
}

/* All classes of a batch are decoded alike. */
static int takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    const struct fecrun_cuda_limits limits = fecrun_cuda_limits_for(args);
    const struct turbo_decode *first = args->codes[0];
    uint32_t threads;

    if (absorbed_takes("turbo.rate_recover", &turbo_rate_recover_cuda, args, err))
        return -1;
    threads = choose_threads(args, limits.shared_block, err);
    if (!threads)
        return -1;
    for (uint32_t i = 0; i < args->n_codes; i++) {
        const struct turbo_decode *d = args->codes[i];

        if (d->algorithm != first->algorithm || d->stop != first->stop ||
            d->iterations != first->iterations || d->scale != first->scale)
            return fecrun_fail(err, NULL, "classes of one batch that are not decoded alike");
        if (d->extra_half)
            return fecrun_fail(err, "extra_half", "backend cuda has whole iterations only");
        if (d->scale < LEAST_SCALE) /* the halves come in another order than the reference's */
            return fecrun_fail(
                err, "alpha",
                "is %g; below %g the half iteration that comes last decides, and that "
                "is the first encoder's here",
                d->scale, LEAST_SCALE);
        if (d->stop == TURBO_MEAN_LLR && d->fillers) /* the kernels do not tell them from others */
            return fecrun_fail(err, "early_stop", "no mean-llr with fillers, which would count");
        if (threads == WIN_WIDE &&
            (args->n_codes > 1 || d->stop != TURBO_NEVER || d->algorithm != TURBO_MAX_LOG))
            return fecrun_fail(err, "sub_blocks",
                               "more than %d are for max-log, all iterations "
                               "and blocks of one size",
                               WIN_NARROW);
    }
    return 0;
}

#ifdef FECRUN_CUDA

static enum turbo_windows_stop stop_of(const struct turbo_decode *d)
{
    return d->stop == TURBO_NEVER                               ? WIN_ALWAYS_ALL
           : d->stop == TURBO_CRC24A || d->stop == TURBO_CRC24B ? WIN_STOP_CRC
                                                                : WIN_STOP_LLR;
}

struct instance {
    int device;
    size_t shared;           /* bytes that a block of threads can have, */
    size_t shared_processor; /* and a multiprocessor */
    struct turbo_windows_kind kind;
    struct turbo_windows_job job;        /* what is the same for all calls */
    uint32_t bytes[2];                   /* of shared memory; [soft] */
    unsigned blocks[2];                  /* of threads that the device has at a time; [soft] */
    unsigned processors;                 /* of the device */
    unsigned few;                        /* so many frames go to single/plan.h's kernel; 0: none, as
                                            where that finds no room */
    uint32_t n_classes;                  /* 0: not ragged */
    uint32_t slots;                      /* fewest */
    struct turbo_windows_class *classes; /* device memory */
    struct absorbed front;               /* turbo.rate_recover, if it is absorbed */
};

static int probe(const struct fecrun_host *host, int32_t device, char *reason, size_t reason_size)
{
    const struct turbo_windows_kind kind = {
        .stop = WIN_ALWAYS_ALL, .whole = true, .threads = WIN_NARROW};
    const size_t least = turbo_windows_lay_out(WIN_SLIMMEST, WIN_SLIMMEST, 2 * WIN_BLOCK).bytes;

    (void)host;
    return fecrun_cuda_probe_kernel(turbo_windows_kernel_of(&kind), device, reason, reason_size) ||
                   fecrun_cuda_probe_shared(least, device, reason, reason_size)
               ? -1
               : 0;
}

static void destroy(void *instance)
{
    struct instance *i = instance;

    if (!i)
        return;
    absorbed_destroy(&i->front);
    if (i->classes && cudaSetDevice(i->device) == cudaSuccess)
        cudaFree(i->classes);
    free(i);
}

/* ---- create -------------------------------------------------------------------------------- */

static void fill_job(struct instance *i, const struct turbo_decode *d)
{
    i->kind = (struct turbo_windows_kind){
        .stop = stop_of(d), .whole = true, .exact = d->algorithm == TURBO_LOG_MAP};
    i->job.iterations = d->iterations;
    i->job.mean = d->stop == TURBO_MEAN_LLR;
    i->job.threshold = (uint32_t)fmin(ceil(d->threshold * d->llr_scale), LLR_MOST_THRESHOLD + 1);
    i->job.polynomial = turbo_stop_polynomial(d->stop);
    i->job.apriori_unit = (float)d->apriori;
    turbo_windows_scale(d->scale, d->llr_scale, &i->job);
}

/* Of one window nothing overlaps, and short ones do not overlap more than they have steps. */
static uint32_t overlap_of(const struct turbo_decode *d, const struct turbo_windows_class *c,
                           const struct fecrun_create *args)
{
    static const uint32_t steps[] = {0,  0,  8, 16,
                                     24, 32, 48}; /* of the choices, auto is the first */
    const int64_t choice = fecrun_value(args->tune, T_OVERLAP)->i;

    return choice ? turbo_windows_most_overlap(c, steps[choice])
                  : turbo_windows_overlap(c, rate_of(d), d->iterations);
}

static int fill_classes(struct instance *i, const struct fecrun_create *args,
                        struct fecrun_error *err)
{
    struct turbo_windows_class *c = calloc(args->n_codes, sizeof *c);
    const size_t bytes = args->n_codes * sizeof *c;
    const uint32_t threads = choose_threads(args, i->shared, err);
    int failed = !threads ? -1 : c ? 0 : fecrun_no_memory(err);
    uint32_t bytes_of;

    for (uint32_t n = 0; n < args->n_codes && !failed; n++) {
        failed = fit(args, n, threads, i->shared, &c[n], err);
        if (failed)
            break;
        c[n].overlap = overlap_of(args->codes[n], &c[n], args);
        i->kind.whole &= turbo_windows_whole(&c[n]);
        bytes_of = turbo_windows_lay_out(threads, c[n].windows, c[n].steps).bytes;
        i->bytes[0] = bytes_of > i->bytes[0] ? bytes_of : i->bytes[0];
        i->slots = n == 0 || c[n].slots < i->slots ? c[n].slots : i->slots;
    }
    i->bytes[1] = i->bytes[0];
    if (!failed)
        i->job.only = c[0], i->kind.threads = threads;
    if (!failed && args->n_codes > 1) {
        i->n_classes = args->n_codes;
        failed = fecrun_cuda_upload((void **)&i->classes, c, bytes, "the table of classes", err);
    }
    free(c);
    return failed ? -1 : 0;
}

/* Both kernels: whether LLRs are wanted is known with the call. */
static int prepare(struct instance *i, struct fecrun_error *err)
{
    for (unsigned soft = 0; soft < 2; soft++) {
        i->kind.soft = soft;
        if (fecrun_cuda_check(err, "preparing the kernel",
                              turbo_windows_prepare(&i->kind, i->shared_processor, &i->bytes[soft],
                                                    &i->blocks[soft])))
            return -1;
    }
    if (i->n_classes || i->kind.exact || i->kind.stop ||
        !turbo_single_fits(&i->job.only, i->shared))
        return 0;
    return fecrun_cuda_check(err, "preparing the kernel",
                             turbo_single_prepare(&i->job.only, &i->few));
}

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    struct instance *i = calloc(1, sizeof *i);
    struct fecrun_cuda_limits limits;

    *instance = NULL;
    if (!i)
        return fecrun_no_memory(err);
    i->device = args->device;
    fill_job(i, args->codes[0]);
    if (takes(args, err) || fecrun_cuda_use(i->device, err) ||
        fecrun_cuda_read_limits(&limits, err)) {
        destroy(i);
        return -1;
    }
    i->shared = limits.shared_block;
    i->shared_processor = limits.shared;
    i->processors = limits.processors;
    if (fill_classes(i, args, err) || prepare(i, err) ||
        absorbed_make(&i->front, &turbo_rate_recover_cuda, args, err)) {
        destroy(i);
        return -1;
    }
    *instance = i;
    return 0;
}

/* ---- explain ------------------------------------------------------------------------------- */

/* Of the first class. */
static void note(const struct fecrun_create *args, char *text, size_t size)
{
    const struct fecrun_cuda_limits limits = fecrun_cuda_limits_for(args);
    const struct turbo_decode *d = args->codes[0];
    struct fecrun_error none = {.size = sizeof none};
    const uint32_t threads = choose_threads(args, limits.shared_block, &none);
    struct turbo_windows_class c = {.threads = 0};
    bool few;

    if (!threads || fit(args, 0, threads, limits.shared_block, &c, &none))
        return;
    c.overlap = overlap_of(d, &c, args);
    few = args->n_codes == 1 && d->algorithm == TURBO_MAX_LOG && d->stop == TURBO_NEVER &&
          turbo_single_fits(&c, limits.shared_block);
    snprintf(text, size, "%u windows of %u steps, which overlap by %u, %u threads a block%s",
             c.windows, c.steps, c.overlap, threads,
             few ? "; up to a block a multiprocessor: a kernel for few blocks" : "");
}

/* ---- run ----------------------------------------------------------------------------------- */

/* Scratch memory: a queue a class, or one a multiprocessor and a word; for classes also their table,
   frames' order, class and places. */
struct memory {
    uint32_t *queue, *order, *class_of;
    size_t queue_bytes;
    struct turbo_windows_class *classes;
    uint64_t *in_offset, *out_offset, *soft_offset, *apriori_offset;
    size_t bytes;
};

static struct memory lay_out(const struct instance *i, uint64_t frames, void *base)
{
    const uint32_t classes = i->n_classes, queues = classes ? classes : 1 + i->processors;
    struct memory m = {.queue_bytes = queues * sizeof *m.queue};

    m.queue = fecrun_carve(base, &m.bytes, m.queue_bytes);
    if (!i->n_classes)
        return m;
    m.classes = fecrun_carve(base, &m.bytes, classes * sizeof *m.classes);
    m.order = fecrun_carve(base, &m.bytes, frames * sizeof *m.order);
    m.class_of = fecrun_carve(base, &m.bytes, frames * sizeof *m.class_of);
    m.in_offset = fecrun_carve(base, &m.bytes, frames * sizeof *m.in_offset);
    m.out_offset = fecrun_carve(base, &m.bytes, frames * sizeof *m.out_offset);
    m.soft_offset = fecrun_carve(base, &m.bytes, frames * sizeof *m.soft_offset);
    m.apriori_offset = fecrun_carve(base, &m.bytes, frames * sizeof *m.apriori_offset);
    return m;
}

static size_t scratch(const void *instance, uint64_t frames)
{
    const struct instance *i = instance;

    return absorbed_scratch(&i->front, frames) + lay_out(i, frames, NULL).bytes;
}

/* One of the ports of LLRs, whose frames lie alike; NULL: none is wanted. */
static const struct fecrun_view *soft_of(struct fecrun_view *const out[])
{
    return out[TURBO_OUT_LLR] ? out[TURBO_OUT_LLR] : out[TURBO_OUT_EXTRINSIC];
}

/* Tables of a batch with classes: the host's are pinned and outlive the work. */
static cudaError_t deal(const struct instance *i, const struct memory *m,
                        const struct fecrun_view *const inputs[], struct fecrun_view *const out[],
                        cudaStream_t stream)
{
    const struct fecrun_view *const in = inputs[TURBO_IN], *const soft = soft_of(out);
    const struct fecrun_view *const apriori = inputs[TURBO_IN_APRIORI];
    const struct {
        void *to;
        const void *from;
        size_t bytes;
    } copies[] = {
        {m->classes, i->classes, i->n_classes * sizeof *m->classes},
        {m->class_of, in->frame_class, in->frames * sizeof *m->class_of},
        {m->in_offset, in->offset, in->frames * sizeof *m->in_offset},
        {m->out_offset, out[TURBO_OUT]->offset, in->frames * sizeof *m->out_offset},
        {m->soft_offset, soft ? soft->offset : NULL, soft ? in->frames * sizeof(uint64_t) : 0},
        {m->apriori_offset, apriori ? apriori->offset : NULL,
         apriori ? in->frames * sizeof(uint64_t) : 0},
    };
    cudaError_t status = cudaSuccess;

    for (size_t n = 0; n < sizeof copies / sizeof *copies && status == cudaSuccess; n++)
        if (copies[n].bytes)
            status = cudaMemcpyAsync(copies[n].to, copies[n].from, copies[n].bytes,
                                     cudaMemcpyDefault, stream);
    if (status != cudaSuccess)
        return status;
    return turbo_windows_deal(m->classes, i->n_classes, m->class_of, (uint32_t)in->frames, m->order,
                              m->queue, stream);
}

/* Groups that blocks of threads take. */
static uint64_t groups_of(const struct instance *i, uint64_t frames)
{
    const uint64_t each = (i->kind.exact ? 1 : 2) * i->slots;

    return (frames + each - 1) / each + i->n_classes;
}

static unsigned grid(const struct instance *i, bool soft, uint64_t frames)
{
    const uint64_t groups = groups_of(i, frames);

    return groups < i->blocks[soft] ? (unsigned)groups : i->blocks[soft];
}

/* Queues of multiprocessors, where each of them will have some groups; 0: one queue. */
static uint32_t queues(const struct instance *i, const struct turbo_windows_kind *kind,
                       uint64_t frames)
{
    const bool alike = kind->stop == WIN_ALWAYS_ALL && !kind->soft && !i->n_classes;

    return alike && groups_of(i, frames) >= 2 * i->blocks[0] ? i->processors : 0;
}

static void take_views(struct turbo_windows_job *job, const struct fecrun_view *const inputs[],
                       struct fecrun_view *const out[])
{
    const struct fecrun_view *const in = inputs[TURBO_IN];

    if (inputs[TURBO_IN_APRIORI]) {
        job->apriori = inputs[TURBO_IN_APRIORI]->data;
        job->apriori_stride = inputs[TURBO_IN_APRIORI]->stride;
    }
    job->in = in->data;
    job->out = out[TURBO_OUT]->data;
    job->in_stride = in->stride;
    job->out_stride = out[TURBO_OUT]->stride;
    job->packed = out[TURBO_OUT]->type == FECRUN_PACKED;
    job->only.frames = (uint32_t)in->frames;
    for (unsigned p = 0; p < 2; p++)
        if (out[TURBO_OUT_LLR + p]) {
            job->soft[p] = out[TURBO_OUT_LLR + p]->data;
            job->soft_stride[p] = out[TURBO_OUT_LLR + p]->stride;
        }
}

static int decode(const struct instance *i, const struct fecrun_call *call,
                  const struct fecrun_view *const in[], struct fecrun_view *const out[],
                  struct fecrun_error *err)
{
    const struct memory m = lay_out(i, in[0]->frames, call->scratch);
    const bool ragged = i->n_classes && in[0]->offset;
    struct turbo_windows_job job = i->job;
    struct turbo_windows_kind kind = i->kind;
    cudaError_t status;

    if (in[0]->frames == 0)
        return 0;
    if (i->n_classes && !ragged)
        return fecrun_fail(err, NULL, "a batch of several classes without their table");
    take_views(&job, in, out);
    kind.soft = soft_of(out) != NULL;
    job.info = call->info;
    job.queue = m.queue;
    job.processors = queues(i, &kind, in[0]->frames);
    status = cudaSetDevice(i->device);
    if (status == cudaSuccess && in[0]->frames <= i->few && !kind.soft)
        return fecrun_cuda_check(err, "starting the decoder",
                                 turbo_single_launch(&job, (unsigned)in[0]->frames, call->stream));
    if (ragged) {
        job.classes = m.classes;
        job.n_classes = i->n_classes;
        job.order = m.order;
        job.in_offset = m.in_offset;
        job.out_offset = m.out_offset;
        job.soft_offset = m.soft_offset;
        job.apriori_offset = m.apriori_offset;
        if (status == cudaSuccess)
            status = deal(i, &m, in, out, call->stream);
    } else if (status == cudaSuccess) {
        status = cudaMemsetAsync(m.queue, 0, m.queue_bytes, call->stream);
    }
    if (status == cudaSuccess)
        status = turbo_windows_launch(&job, &kind, i->bytes[kind.soft],
                                      grid(i, kind.soft, in[0]->frames), call->stream);
    return fecrun_cuda_check(err, "starting the decoder", status);
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    const struct instance *i = instance;
    const struct fecrun_view *from[FECRUN_MAX_PORTS] = {NULL};
    struct fecrun_call behind;
    struct fecrun_view words;

    if (!i->front.backend)
        return decode(i, call, in, out, err);
    if (absorbed_run(&i->front, call, in[TURBO_IN], &words, &behind, err))
        return -1;
    from[TURBO_IN] = &words;
    from[TURBO_IN_APRIORI] = in[TURBO_IN_APRIORI];
    return decode(i, &behind, from, out, err);
}

#endif

/* ---- Tables ---------------------------------------------------------------------------------- */

#define FORM(bit) \
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED, TURBO_DECODE_IN(FECRUN_I8), TURBO_DECODE_OUT(bit))

static const struct fecrun_param *const tune[] = {
    FECRUN_PARAM(.name = "overlap", .type = FECRUN_VALUE_CHOICE,
                 .choices = (const char *const[]){"auto", "0", "8", "16", "24", "32", "48", NULL},
                 .default_text = "auto",
                 .help =
                     "steps of its neighbours that a window decodes first; 0 is faster and loses "
                     "0.1 dB and more; auto: 8, and above code rates of 0.36, 0.5, 0.65 and 0.8 "
                     "16, 24, 32 and 48; the next of these for 5 iterations and less"),
    NULL};

static const struct fecrun_form *const forms[] = {FORM(FECRUN_PACKED), FORM(FECRUN_U8), NULL};

const struct fecrun_backend turbo_decode_cuda = {
    FECRUN_CUDA_BACKEND(probe, create, run, destroy),
    .name = "cuda",
    .summary = "all iterations in one launch, windows of two blocks a thread, metrics in registers",
    .forms = forms,
    .agreement = FECRUN_AGREEMENT_NEAR,
    .bound = 1,
    .tune = tune,
    .absorbs = (const char *const[]){"turbo.rate_recover", NULL},
    .scratch = FECRUN_CUDA_SCRATCH(scratch),
    .note = FECRUN_CUDA_NOTE(note),
    .takes = takes,
};
