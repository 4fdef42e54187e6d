/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The backend `cuda` of ldpc.decode. In registers: NR's layered normalised min-sum with the kernels of this build
 * (registers/plan.h), other codes, and NR with other rules, flooding or the first row first, with kernels
 * that are compiled for them (registers/build.h); what these do not have with kernels in shared memory that
 * are compiled for it (shared/plan.h); all else with the general decoder (general/plan.h). tune.kernel insists on
 * one of them, or on one in registers that is compiled for NR's lifting size and rows, too. Large batches of NR have
 * that one if the build has none for their lifting size and rows alone; bits are the same.
 *
 * Where there are fewer thread blocks than multiprocessors, NR's have fewer code blocks each, down to a pair, and
 * with z = 384 one, on half as many threads: they are sooner done. Bits are the same.
 *
 * Batches of several classes: a launch for each run of frames of one class, on streams of the
 * instance's own (streams.h). Each class has the kernel that it has alone. Those that take longest go first: what
 * comes last then ends soon after the others. A batch that comes again in the same memory is one launch of a
 * graph (recorded.h). Where classes come again and again, as in the rounds of `blocks:`, frames are sorted first
 * (plugins/common/gpu/apart.h).
 */
#include <fecrun/sdk/cuda.h>
#include <stdbool.h>
#include <stdlib.h>

#include "plugins/common/absorbed/absorbed.h"
#include "plugins/common/gpu/apart.h"
#include "plugins/ldpc/cuda/classes.h"
#include "plugins/ldpc/cuda/device.h"
#include "plugins/ldpc/cuda/general/plan.h"
#include "plugins/ldpc/cuda/quantize/launch.h"
#include "plugins/ldpc/cuda/recorded.h"
#include "plugins/ldpc/cuda/shared/plan.h"
#include "plugins/ldpc/cuda/soft.h"
#include "plugins/ldpc/cuda/streams.h"
#include "plugins/ldpc/cuda/takes.h"
#include "plugins/ldpc/plugin.h"

#ifdef FECRUN_CUDA

/* Frames of one class, one behind the other. */
struct run {
    uint64_t first, n, time; /* time: relative to that of other runs */
    uint32_t class;
};

struct instance {
    int device;
    uint32_t processors, n, in_type;
    bool soft;  /* LLRs come out, if somebody reads them */
    bool units; /* kernels ask what became an i8 LLR of 1: soft, and rules but min-sum */
    bool early; /* launches of one class may begin early: from compute capability 9.0 on */
    struct ldpc_class *class; /* n; NULL: all with `general` */
    struct ldpc_general *general;
    uint32_t narrow;             /* LLRs that become i8 first, of the longest frame; or 0 */
    size_t away;                 /* bytes of device memory that a launch in registers may need */
    struct absorbed front;       /* ldpc.rate_recover, if it is absorbed */
    struct ldpc_streams streams; /* of several classes, as all that follows */
    struct run *runs;            /* of a batch */
    size_t most_runs;            /* that there is memory for */
    struct ldpc_recorded recorded;
    struct apart apart;
    uint64_t looked_at; /* frames of the batch that was looked at last: ... */
    bool scattered;     /* ... are its classes to be sorted? */
};

static void free_classes(struct instance *i)
{
    for (uint32_t c = 0; i->class && c < i->n; c++)
        ldpc_class_free(&i->class[c]);
    free(i->class);
    i->class = NULL;
}

static void destroy(void *instance)
{
    struct instance *i = instance;

    if (!i)
        return;
    cudaSetDevice(i->device);
    ldpc_streams_free(&i->streams);
    ldpc_recorded_free(&i->recorded);
    apart_free(&i->apart);
    free(i->runs);
    ldpc_general_destroy(i->general);
    absorbed_destroy(&i->front);
    free_classes(i);
    free(i);
}

/* ---- create -------------------------------------------------------------------------------- */

/* Kernels have the address where shared memory of a block begins in their instructions: is it that one? */
static int check_base(const struct fecrun_cuda_limits *limits, struct fecrun_error *why)
{
    uint32_t base = 0, *device = NULL;
    int status = fecrun_cuda_check(why, "device memory", cudaMalloc((void **)&device, sizeof base));

    if (!status)
        status = fecrun_cuda_check(why, "asking where shared memory begins",
                                   ldpc_registers_base(device));
    if (!status)
        status = fecrun_cuda_check(why, "asking where shared memory begins",
                                   cudaMemcpy(&base, device, sizeof base, cudaMemcpyDeviceToHost));
    cudaFree(device);
    if (!status && base != ldpc_shared_begins(limits->own))
        return fecrun_fail(why, NULL, "shared memory begins somewhere else on this device");
    return status;
}

static int make_general(struct instance *i, const struct fecrun_create *args,
                        struct fecrun_error *err)
{
    const struct ldpc_general_config config = {.threshold = 4};

    return ldpc_general_create(args, &config, &i->general, err);
}

static void items(const struct fecrun_create *one, uint64_t in[FECRUN_MAX_PORTS],
                  uint64_t out[FECRUN_MAX_PORTS])
{
    const struct ldpc_decode *d = one->codes[0];

    memset(out, 0, FECRUN_MAX_PORTS * sizeof *out);
    in[0] = d->code->n; /* also behind ldpc.rate_recover, if that is absorbed */
    out[LDPC_OUT] = out[LDPC_OUT_LLR] = d->bits;
    out[LDPC_OUT_CODE_LLR] = d->code->n;
}

/* 0, or -1 and why not all classes have a kernel in registers or in shared memory. */
static int make_classes(struct instance *i, const struct fecrun_create *args, int chosen,
                        struct fecrun_error *why)
{
    struct fecrun_cuda_limits limits = {0};
    int status;

    if (fecrun_cuda_read_limits(&limits, why) || check_base(&limits, why))
        return -1;
    i->class = calloc(i->n, sizeof *i->class);
    if (!i->class)
        return fecrun_no_memory(why);
    i->processors = limits.processors;
    i->early = limits.capability >= 90;
    i->away = 0;
    status = ldpc_classes_choose(i->class, args, chosen, &limits, why);
    for (uint32_t n = 0; n < i->n && !status; n++) {
        const struct ldpc_class *const c = &i->class[n];
        const struct ldpc_code *code = ((const struct ldpc_decode *)args->codes[n])->code;

        if (!c->in_shared && i->in_type != FECRUN_I8 && code->n > i->narrow)
            i->narrow = code->n;
        for (unsigned f = 0; f < c->n_forms; f++)
            if (i->processors * ldpc_registers_away(c->form[f].kernel) > i->away)
                i->away = i->processors * ldpc_registers_away(c->form[f].kernel);
    }
    if (status) {
        free_classes(i);
        i->narrow = 0;
        i->away = 0;
        return -1;
    }
    if (i->n == 1)
        return 0;
    return ldpc_streams_make(&i->streams, why) || ldpc_recorded_make(&i->recorded, why) ||
                   apart_make(&i->apart, args, items, ldpc_cuda_copy_classes, 1, why)
               ? -1
               : 0;
}

static int make(struct instance *i, const struct fecrun_create *args, struct fecrun_error *err)
{
    const struct fecrun_value *kernel = fecrun_value(args->tune, LDPC_WHICH_KERNEL);
    const int chosen = kernel->given && !kernel->is_auto ? (int)kernel->i : -1;
    const struct ldpc_decode *first = args->codes[0];
    struct fecrun_error why = {.size = sizeof why};

    if (fecrun_cuda_use(i->device, err))
        return -1;
    if (chosen != LDPC_WHICH_GENERAL && !make_classes(i, args, chosen, &why))
        return 0;
    if (chosen == LDPC_WHICH_COMPILED)
        return fecrun_fail(err, "kernel", "compiled: not possible here: %s", why.text);
    if (chosen == LDPC_WHICH_REGISTERS)
        return fecrun_fail(err, "kernel", "registers: not possible here: %s", why.text);
    if (chosen == LDPC_WHICH_SHARED)
        return fecrun_fail(err, "kernel", "shared: not possible here: %s", why.text);
    if (first->rule == LDPC_FLOODING)
        return fecrun_fail(err, "schedule", "no kernel for flooding: %s", why.text);
    if (first->algorithm == LDPC_SPA)
        return fecrun_fail(err, "check_rule", "no kernel for sum-product: %s",
                           *why.text ? why.text : "`tune` says general");
    return make_general(i, args, err);
}

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    struct instance *i = calloc(1, sizeof *i);

    *instance = NULL;
    if (!i)
        return fecrun_no_memory(err);
    i->device = args->device;
    i->n = args->n_codes;
    i->in_type = args->form->in[0].type;
    i->soft = ldpc_form_is_soft(args->form);
    i->units = i->soft || ((const struct ldpc_decode *)args->codes[0])->algorithm != LDPC_NMS;
    if (absorbed_takes("ldpc.rate_recover", &ldpc_rate_recover_cuda, args, err) ||
        absorbed_make(&i->front, &ldpc_rate_recover_cuda, args, err) || make(i, args, err)) {
        destroy(i);
        return -1;
    }
    *instance = i;
    return 0;
}

enum {
    SCRATCH_ALIGN = 256,
    AWAY_STREAMS = 8, /* most streams, if launches need device memory of their own */
};

static size_t align_up(size_t bytes)
{
    return (bytes + SCRATCH_ALIGN - 1) / SCRATCH_ALIGN * SCRATCH_ALIGN;
}

/* LLRs that become i8. */
static size_t narrow_bytes(const struct instance *i, uint64_t frames)
{
    return align_up(frames * ldpc_quantize_stride(i->narrow) + LDPC_QUANTIZE_BEHIND);
}

/* With each frame's unit behind them, if somebody asks. */
static size_t narrow_scratch(const struct instance *i, uint64_t frames)
{
    const size_t units = i->units ? align_up(frames * sizeof(float)) : 0;

    return i->narrow ? narrow_bytes(i, frames) + units : 0;
}

/* Behind these what a launch needs, of each stream. */
static size_t decoder_scratch(const struct instance *i, uint64_t frames)
{
    if (i->general)
        return ldpc_general_scratch(i->general, frames);
    return (i->n > 1 ? apart_scratch(&i->apart, frames) : 0) + narrow_scratch(i, frames) +
           i->away * (i->n > 1 ? AWAY_STREAMS : 1);
}

static size_t scratch(const void *instance, uint64_t frames)
{
    const struct instance *i = instance;

    return absorbed_scratch(&i->front, frames) + decoder_scratch(i, frames);
}

/* ---- run ----------------------------------------------------------------------------------- */

/* Where a launch goes. */
struct queue {
    cudaStream_t stream;
    cudaEvent_t at_work; /* recorded when all its thread blocks are, or NULL */
    bool
        early; /* begins before that of the launch before has ended, and waits for this by itself */
    unsigned number; /* of the stream */
};

#if CUDART_VERSION >= 12030

static cudaError_t start(const struct ldpc_form *f, struct dim3 grid, struct dim3 block,
                         void **args, const struct queue *queue)
{
    cudaLaunchAttribute attribute = {.id = cudaLaunchAttributeProgrammaticStreamSerialization};
    const cudaLaunchConfig_t config = {.gridDim = grid,
                                       .blockDim = block,
                                       .dynamicSmemBytes = f->shared,
                                       .stream = queue->stream,
                                       .attrs = &attribute,
                                       .numAttrs = queue->early || queue->at_work};

    attribute.val.programmaticStreamSerializationAllowed = 1;
    if (queue->at_work) {
        attribute.id = cudaLaunchAttributeLaunchCompletionEvent;
        attribute.val.launchCompletionEvent.event = queue->at_work;
        attribute.val.launchCompletionEvent.flags = 0;
    }
    return cudaLaunchKernelExC(&config, f->kernel->function, args);
}

#else

static cudaError_t start(const struct ldpc_form *f, struct dim3 grid, struct dim3 block,
                         void **args, const struct queue *queue)
{
    return cudaLaunchKernel(f->kernel->function, grid, block, args, f->shared, queue->stream);
}

#endif

/* The run's LLRs as i8: those of the batch, or in scratch memory. unit: of the batch's frames, or NULL. */
static int narrow_llrs(const struct instance *i, const struct fecrun_call *call,
                       const struct fecrun_view *in, const struct run *run, cudaStream_t stream,
                       struct fecrun_view *llrs, float **unit, struct fecrun_error *err)
{
    const struct ldpc_decode *code = call->codes[run->class];

    *llrs = *in;
    *unit = NULL;
    if (!i->narrow)
        return 0;
    *llrs = ldpc_quantize_view(call->scratch, i->narrow, in->frames);
    if (i->units)
        *unit = (float *)((char *)call->scratch + narrow_bytes(i, in->frames));
    return ldpc_quantize_run(code->code, in, llrs, *unit, run->first, run->n, stream, err);
}

static int launch_registers(const struct instance *i, const struct fecrun_call *call,
                            const struct fecrun_view *in, struct fecrun_view *const out[],
                            const struct run *run, unsigned level, const struct queue *queue,
                            struct fecrun_error *err)
{
    const struct ldpc_form *f = ldpc_form_of(&i->class[run->class], level);
    const struct ldpc_decode *code = call->codes[run->class];
    struct ldpc_registers_work work = f->work;
    struct fecrun_view llrs;
    float *unit;
    const uint64_t items = ldpc_form_blocks(f, run->n);
    const uint64_t room = (uint64_t)i->processors * (f->kernel->blocks ? f->kernel->blocks : 1);
    const struct dim3 grid = {(unsigned)(items < room ? items : room), 1, 1};
    const struct dim3 block = {ldpc_registers_threads(f->kernel, &work), 1, 1};
    void *args[] = {&work};

    if (narrow_llrs(i, call, in, run, queue->stream, &llrs, &unit, err))
        return -1;
    ldpc_registers_take(&work, f->kernel, code, &llrs, out[LDPC_OUT], call->info, run->first,
                        run->n);
    work.waits = queue->early;
    if (i->soft)
        ldpc_soft_take(&work.soft, code, in, out, unit, run->first);
    else if (unit)
        work.soft.unit = unit + run->first;
    if (i->away)
        work.own = (char *)call->scratch + narrow_scratch(i, in->frames) + queue->number * i->away;
    return fecrun_cuda_check(err, "decoding", start(f, grid, block, args, queue));
}

static int launch(const struct instance *i, const struct fecrun_call *call,
                  const struct fecrun_view *in, struct fecrun_view *const out[],
                  const struct run *run, unsigned level, const struct queue *queue,
                  struct fecrun_error *err)
{
    const uint32_t c = run->class;

    if (i->class[c].in_shared)
        return ldpc_shared_launch(i->class[c].in_shared, call->codes[c], in, out, call->info,
                                  run->first, run->n, queue->stream, err);
    return launch_registers(i, call, in, out, run, level, queue, err);
}

/* Thread blocks of a batch with such forms, in registers. */
static uint64_t all_blocks(const struct instance *i, const struct run *runs, int64_t n,
                           unsigned level)
{
    uint64_t blocks = 0;

    for (int64_t r = 0; r < n; r++)
        if (!i->class[runs[r].class].in_shared)
            blocks += ldpc_form_blocks(ldpc_form_of(&i->class[runs[r].class], level), runs[r].n);
    return blocks;
}

/* The fewest code blocks a thread block with which each thread block can have a multiprocessor; the most,
 * if there are more. */
static unsigned choose_level(const struct instance *i, const struct run *runs, int64_t n)
{
    unsigned level = 0;

    while (level < LDPC_FORMS - 1 && all_blocks(i, runs, n, level) > i->processors)
        level++;
    return level;
}

/* ---- Several classes ---- */

/* With a multiprocessor for each thread block, as far as there are enough. */
static uint64_t time_of(const struct instance *i, const struct run *run)
{
    const struct ldpc_class *c = &i->class[run->class];
    const uint64_t pairs = c->in_shared ? 1 : ldpc_form_of(c, LDPC_FORMS)->work.pairs;
    const uint64_t at_once = 2 * pairs * i->processors;

    return c->time * ((run->n + at_once - 1) / at_once);
}

/* Longest first; otherwise as they lie in the batch. */
static int compare_runs(const void *a, const void *b)
{
    const struct run *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? 1 : -1;
    return x->first < y->first ? -1 : 1;
}

static int add_run(struct instance *i, size_t n, const struct run *run, struct fecrun_error *err)
{
    if (n == i->most_runs) {
        const size_t most = n ? 2 * n : 64;
        struct run *runs = realloc(i->runs, most * sizeof *runs);

        if (!runs)
            return fecrun_no_memory(err);
        i->runs = runs;
        i->most_runs = most;
    }
    i->runs[n] = *run;
    return 0;
}

/* The batch's runs, in the order of their launches; how many, or -1. */
static int64_t find_runs(struct instance *i, const struct fecrun_view *in, struct fecrun_error *err)
{
    size_t n = 0;

    for (uint64_t first = 0, end; first < in->frames; first = end, n++) {
        struct run run = {.first = first, .class = in->frame_class[first]};

        for (end = first + 1; end < in->frames; end++)
            if (in->frame_class[end] != run.class)
                break;
        run.n = end - first;
        run.time = time_of(i, &run);
        if (add_run(i, n, &run, err))
            return -1;
    }
    qsort(i->runs, n, sizeof *i->runs, compare_runs);
    return (int64_t)n;
}

/* Kernels in shared memory have messages in the class's own device memory: one launch at a time. */
static unsigned stream_of(const struct instance *i, size_t n, unsigned streams)
{
    const uint32_t c = i->runs[n].class;

    return i->class[c].in_shared ? c % streams : ldpc_streams_of(n, streams);
}

/* The n-th run of a batch. Of several streams the first one leads, unless it is in shared memory. */
static int launch_run(struct instance *i, const struct fecrun_call *call,
                      const struct fecrun_view *in, struct fecrun_view *const out[], size_t n,
                      unsigned level, unsigned streams, struct fecrun_error *err)
{
    struct ldpc_streams *s = &i->streams;
    const unsigned own = stream_of(i, n, streams);
    const bool leads = streams > 1 && !i->class[i->runs[0].class].in_shared;
    const cudaEvent_t at_work = leads ? s->at_work : NULL;
    const struct queue queue = {s->stream[own], n ? NULL : at_work, n && streams == 1, own};

    if (ldpc_streams_use(s, own, n && at_work ? at_work : s->begin, err))
        return -1;
    return launch(i, call, in, out, &i->runs[n], level, &queue, err);
}

static int launch_runs(struct instance *i, const struct fecrun_call *call,
                       const struct fecrun_view *in, struct fecrun_view *const out[],
                       cudaStream_t stream, unsigned streams, struct fecrun_error *err)
{
    const int64_t n = find_runs(i, in, err);
    const unsigned level = n > 0 ? choose_level(i, i->runs, n) : 0;

    if (n < 0 || ldpc_streams_begin(&i->streams, stream, err))
        return -1;
    if (i->away && streams > AWAY_STREAMS)
        streams = AWAY_STREAMS;
    for (size_t r = 0; r < (size_t)n; r++)
        if (launch_run(i, call, in, out, r, level, streams, err))
            return -1;
    return ldpc_streams_end(&i->streams, stream, err);
}

/*
 * Recorded, launches in one stream begin soonest, each as soon as the thread blocks of the one before are at work:
 * those of kernels in registers, which say so. A graph of these ends when all of them have ended; in a caller's graph
 * what comes behind would wait for the last one only. Launches that keep columns in device memory (away) share that
 * of their stream, so they must not overlap.
 */
static unsigned streams_to_record(const struct instance *i)
{
    bool one = i->streams.at_work && !i->narrow && !i->away;

    for (uint32_t c = 0; c < i->n; c++)
        one = one && !i->class[c].in_shared;
    return one ? 1 : LDPC_STREAMS;
}

static void record(struct instance *i, const struct fecrun_call *call, const struct fecrun_view *in,
                   struct fecrun_view *const out[], struct ldpc_recorded_one *one)
{
    struct fecrun_error ignored = {.size = sizeof ignored}; /* then there is no graph */

    if (ldpc_recorded_begin(&i->recorded))
        ldpc_recorded_end(
            &i->recorded, one,
            launch_runs(i, call, in, out, i->recorded.stream, streams_to_record(i), &ignored));
}

/* A graph cannot be launched into another one, if the caller records this. */
static bool is_recorded(cudaStream_t stream)
{
    enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;

    if (cudaStreamIsCapturing(stream, &status) == cudaSuccess)
        return status != cudaStreamCaptureStatusNone;
    cudaGetLastError(); /* which the next launch would find */
    return true;
}

static int run_classes(struct instance *i, const struct fecrun_call *call,
                       const struct fecrun_view *in, struct fecrun_view *const out[],
                       struct fecrun_error *err)
{
    struct ldpc_recorded_batch batch = {
        .in = in->data, .info = call->info, .scratch = call->scratch, .frames = in->frames};
    cudaStream_t stream = (cudaStream_t)call->stream;
    struct ldpc_recorded_one *one;

    for (unsigned p = 0; p < LDPC_OUTPUTS; p++)
        batch.out[p] = out[p] ? out[p]->data : NULL;
    if (is_recorded(stream))
        return launch_runs(i, call, in, out, stream, LDPC_STREAMS, err);
    one = ldpc_recorded_see(&i->recorded, &batch);
    if (one->seen == 2)
        record(i, call, in, out, one);
    if (!one->graph)
        return launch_runs(i, call, in, out, stream, LDPC_STREAMS_CALLED, err);
    return fecrun_cuda_check(err, "decoding", cudaGraphLaunch(one->graph, stream));
}

/* In more than two pieces a class, on the average. All batches have the same classes. */
static bool is_scattered(struct instance *i, const struct fecrun_view *in)
{
    uint64_t pieces = 1;

    if (in->frames == i->looked_at)
        return i->scattered;
    for (uint64_t f = 1; f < in->frames; f++)
        pieces += in->frame_class[f] != in->frame_class[f - 1];
    i->looked_at = in->frames;
    return i->scattered = pieces > 2 * (uint64_t)i->n;
}

static int run_sorted(struct instance *i, const struct fecrun_call *call,
                      const struct fecrun_view *in, struct fecrun_view *const outs[],
                      struct fecrun_error *err)
{
    const struct fecrun_view *ins[FECRUN_MAX_PORTS] = {in};
    struct fecrun_view sorted, out[LDPC_OUTPUTS], *sorted_outs[LDPC_OUTPUTS] = {NULL};
    struct fecrun_call behind = *call;
    struct apart_call k;

    if (apart_begin(&i->apart, call, ins, outs, &k, err))
        return -1;
    sorted = apart_view(&i->apart, &k, 0);
    for (unsigned p = 0; p < LDPC_OUTPUTS; p++) {
        if (!outs[p])
            continue;
        out[p] = apart_view(&i->apart, &k, 1 + p);
        sorted_outs[p] = &out[p];
    }
    behind.info = behind.out_info = k.info;
    behind.scratch = k.scratch;
    return run_classes(i, &behind, &sorted, sorted_outs, err) || apart_end(&i->apart, &k, err) ? -1
                                                                                               : 0;
}

static int decode(struct instance *i, const struct fecrun_call *call, const struct fecrun_view *in,
                  struct fecrun_view *const out[], struct fecrun_error *err)
{
    const struct run all = {.n = in->frames};
    struct queue queue = {.stream = (cudaStream_t)call->stream};

    if (i->general)
        return ldpc_general_run(i->general, call, in, out, err);
    if (!in->frames)
        return 0;
    if (fecrun_cuda_use(i->device, err))
        return -1;
    if (in->frame_class && is_scattered(i, in) && !is_recorded((cudaStream_t)call->stream))
        return run_sorted(i, call, in, out, err);
    if (in->frame_class)
        return run_classes(i, call, in, out, err);
    queue.early = i->early && !is_recorded(queue.stream);
    return launch(i, call, in, out, &all, choose_level(i, &all, 1), &queue, err);
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    struct instance *i = instance;
    struct fecrun_call behind;
    struct fecrun_view words;

    if (!i->front.backend)
        return decode(i, call, in[0], out, err);
    if (absorbed_run(&i->front, call, in[0], &words, &behind, err))
        return -1;
    return decode(i, &behind, &words, out, err);
}

#endif

#define FORM(llr, bit) \
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED, FECRUN_IN({.type = llr}), LDPC_DECODE_OUT_BITS(bit))
#define SOFT_FORM(llr) \
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED, FECRUN_IN({.type = llr}), \
                LDPC_DECODE_OUT(FECRUN_PACKED))

/* The first one is that of the kernels in registers, the last ones are for those who read LLRs. */
static const struct fecrun_form *const forms[] = {FORM(FECRUN_I8, FECRUN_PACKED),
                                                  FORM(FECRUN_I8, FECRUN_U8),
                                                  FORM(FECRUN_F16, FECRUN_PACKED),
                                                  FORM(FECRUN_F16, FECRUN_U8),
                                                  FORM(FECRUN_F32, FECRUN_PACKED),
                                                  FORM(FECRUN_F32, FECRUN_U8),
                                                  SOFT_FORM(FECRUN_I8),
                                                  SOFT_FORM(FECRUN_F16),
                                                  SOFT_FORM(FECRUN_F32),
                                                  NULL};

static const struct fecrun_param *const tune[] = {
    FECRUN_PARAM(
            .name = "kernel", .type = FECRUN_VALUE_CHOICE, .flags = FECRUN_PARAM_MAY_AUTO,
            .choices = (const char *const[]){"registers", "general", "shared", "compiled", NULL},
            .default_text = "auto",
            .help = "registers: flooding of NR only; all but NR's layered min-sum in reverse order "
                    "needs NVRTC; shared: with NVRTC, min-sum rules of most "
                    "codes, also flooding; general: that of cuda-general; compiled: in "
                    "registers, for one lifting size and number of rows: faster, after 1 to 6 s "
                    "of compiling for each, once; auto: the first possible of registers, shared, "
                    "general, and of NR compiled if batches are large"),
    NULL};

const struct fecrun_backend ldpc_decode_cuda = {
    FECRUN_CUDA_BACKEND(ldpc_cuda_probe, create, run, destroy),
    .name = "cuda",
    .summary = "in registers or shared memory, two code blocks a thread, in half: NR, and others "
               "where NVRTC is",
    .forms = forms,
    .agreement = FECRUN_AGREEMENT_NEAR,
    .bound = 0.25,
    .tune = tune,
    .absorbs = (const char *const[]){"ldpc.rate_recover", NULL},
    .takes = ldpc_which_takes,
    .scratch = FECRUN_CUDA_SCRATCH(scratch),
    .note = FECRUN_CUDA_NOTE(ldpc_which_note),
};
