/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The backend cuda of viterbi.decode. Tiles in registers (registers/plan.h) where there are kernels for
 * the code and the geometry, or some can be compiled (choose.c); the general decoder (general/plan.h)
 * for all others, and for calls with few whole frames. tune.kernel insists on one of them.
 */
#include <fecrun/sdk/cuda.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/common/gpu/by_class.h"
#include "plugins/viterbi/cuda/device.h"
#include "plugins/viterbi/cuda/instance.h"

#ifdef FECRUN_CUDA

enum { T_KERNEL };
enum { KERNEL_REGISTERS, KERNEL_GENERAL };

static void destroy_class(void *instance)
{
    struct viterbi_cuda_instance *i = instance;

    if (!i)
        return;
    viterbi_gpu_destroy(&i->gpu); /* makes the device the thread's, too */
    rtc_compiled_unload(&i->compiled);
    cudaFree(i->spread);
    free(i);
}

/* ---- create -------------------------------------------------------------------------------- */

static cudaError_t allow_shared(const struct viterbi_cuda_instance *i)
{
    const struct fecrun_cuda_limits *l = &i->limits;
    const size_t most = l->shared < l->own_shared ? l->own_shared - 1024 : l->shared_block;
    struct cudaFuncAttributes has;
    cudaError_t status;

    if (i->kind == REGISTERS_WHOLE)
        return cudaSuccess;
    /* the most that there is: the kernel has one such number for all instances */
    status = cudaFuncGetAttributes(&has, i->kernel.function);
    return status != cudaSuccess ? status
                                 : cudaFuncSetAttribute(i->kernel.function,
                                                        cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                        (int)(most - has.sharedSizeBytes));
}

static void describe(const struct viterbi_cuda_instance *i, char *text, size_t text_size)
{
    const int n = snprintf(
        text, text_size, "in registers%s, %s %s%s %s",
        i->compiles ? ", compiled when it is used" : "", i->kernel.tiles == 2 ? "two" : "one",
        i->kind == REGISTERS_WRAP ? "tail-biting frame" : "tile", i->kernel.tiles == 2 ? "s" : "",
        i->kernel.members > 1 ? "for four threads" : "a thread");

    if (viterbi_cuda_fewest(i) && n >= 0 && (size_t)n < text_size)
        snprintf(text + n, text_size - (size_t)n, "; less than %u: the general decoder",
                 viterbi_cuda_fewest(i));
}

/* What is to be decoded, for questions that need no device. */
static struct viterbi_cuda_instance asked_of(const struct fecrun_create *args)
{
    struct viterbi_cuda_instance i = {.asked = true, .limits = fecrun_cuda_limits_for(args)};

    i.gpu.spec = *(const struct viterbi_spec *)args->codes[0];
    i.gpu.type = args->form->in[0].type;
    i.gpu.spec.is_float = i.gpu.type == FECRUN_F32;
    if (args->n_absorbed)
        i.gpu.pattern = args->absorbed_codes[0][0];
    return i;
}

/* Kernels that the build lacks, and that cannot be compiled here, are none. */
static bool has_compiler(const struct fecrun_create *args)
{
    struct fecrun_error none = {.size = sizeof none};
    struct fecrun_cuda_limits limits;

    return fecrun_cuda_limits_of(args->device, &limits, &none) ||
           fecrun_cuda_will_have_code(args->device, 90) || !rtc_possible(args->device, &none);
}

/*
 * What has a kernel in registers only if conv.depuncture does its own work, or as i8, is left to that: the
 * general decoder takes ten times as long.
 */
static int takes_class(const struct fecrun_create *args, struct fecrun_error *err)
{
    const struct viterbi_cuda_instance i = asked_of(args);
    struct viterbi_cuda_instance plain = i;

    if (viterbi_cuda_takes(args, err))
        return -1;
    plain.gpu.pattern = NULL;
    if (i.gpu.type == FECRUN_I4)
        plain.gpu.type = FECRUN_I8;
    if ((!i.gpu.pattern && i.gpu.type != FECRUN_I4) || viterbi_cuda_may_compile(&i) ||
        !viterbi_cuda_may_compile(&plain) || !has_compiler(args))
        return 0;
    return fecrun_fail(err, NULL, "kernels in registers do not take %s of this code",
                       i.gpu.pattern ? "punctured input" : "i4 LLRs");
}

static void note(const struct fecrun_create *args, char *text, size_t text_size)
{
    const struct fecrun_value *wanted = fecrun_value(args->tune, T_KERNEL);
    struct viterbi_cuda_instance i = asked_of(args);
    struct fecrun_error why = {.size = sizeof why};
    int found = 0;

    i.built_in = fecrun_cuda_will_have_code(args->device, 90);
    if (wanted->given && !wanted->is_auto && wanted->i == KERNEL_GENERAL)
        fecrun_fail(&why, NULL, "`tune` says so");
    else
        found = viterbi_cuda_choose(&i, args->device, &why);
    if (found)
        describe(&i, text, text_size);
    else
        snprintf(text, text_size, "the general decoder, which is slower: %s", why.text);
}

static int make_registers(struct viterbi_cuda_instance *i, const struct fecrun_create *args,
                          struct fecrun_error *err)
{
    const struct fecrun_value *wanted = fecrun_value(args->tune, T_KERNEL);
    const bool chosen = wanted->given && !wanted->is_auto;
    struct fecrun_error why = {.size = sizeof why};
    int found;

    if (chosen && wanted->i == KERNEL_GENERAL)
        return 0;
    i->insists = chosen;
    i->built_in = fecrun_cuda_will_have_code(args->device, 90);
    found = viterbi_cuda_choose(i, args->device, &why);
    if (found < 0)
        return fecrun_fail(err, NULL, "%s", why.text);
    if (!found)
        return chosen ? fecrun_fail(err, "kernel", "registers: not possible here: %s", why.text)
                      : 0;
    i->in_registers = true;
    return fecrun_cuda_check(err, "preparing the kernel", allow_shared(i));
}

static int make_decoders(struct viterbi_cuda_instance *i, const struct fecrun_create *args,
                         struct fecrun_error *err)
{
    struct viterbi_general_problem problem = {.option = NULL};
    struct viterbi_general_config config = {.tiles = args->max_frames *
                                                     viterbi_frame_tiles(&i->gpu.spec)};

    if (fecrun_cuda_read_limits(&config.limits, err))
        return -1;
    i->limits = config.limits;
    i->processors = config.limits.processors;
    if (make_registers(i, args, err))
        return -1;
    if (viterbi_general_plan(&i->general, &i->gpu.spec, &config, &problem))
        return fecrun_fail(err, NULL, "%s", problem.text);
    return fecrun_cuda_check(err, "preparing the kernel",
                             viterbi_general_prepare(&i->general, config.limits.shared_block));
}

static int create_class(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    struct viterbi_cuda_instance *i = calloc(1, sizeof *i);

    *instance = NULL;
    if (!i)
        return fecrun_no_memory(err);
    if (viterbi_gpu_create(&i->gpu, args, err)) {
        free(i);
        return -1;
    }
    if (make_decoders(i, args, err)) {
        destroy_class(i);
        return -1;
    }
    *instance = i;
    return 0;
}

/* ---- scratch ------------------------------------------------------------------------------- */

/* Blocks of threads of whole tiles that have scratch memory at a time; each: as much. */
static uint64_t whole_grid(const struct viterbi_cuda_instance *i, uint64_t grid, uint64_t each)
{
    const uint64_t most = WHOLE_SCRATCH / each;

    if (grid > i->processors)
        grid = i->processors;
    return grid < most ? grid : most;
}

static size_t general_scratch(const struct viterbi_cuda_instance *i, uint64_t tiles)
{
    return (viterbi_general_scratch(&i->general, tiles) + 255) & ~(size_t)255;
}

/* Fewer frames take no more: they are cut into as many pieces or more. */
static uint64_t whole_scratch(const struct viterbi_cuda_instance *i, uint64_t frames)
{
    const uint64_t each = viterbi_cuda_block_scratch(i, frames);
    const uint64_t tiles = i->kind == REGISTERS_FRAMES ? REGISTERS_MOST_PIECES
                                                       : viterbi_frame_tiles(&i->gpu.spec);

    return whole_grid(i, frames * tiles, each) * each;
}

static size_t scratch_class(const void *instance, uint64_t frames)
{
    const struct viterbi_cuda_instance *i = instance;
    const uint64_t tiles = frames * viterbi_frame_tiles(&i->gpu.spec);
    size_t bytes = general_scratch(i, tiles);

    if (i->in_registers && viterbi_cuda_traces_all(i))
        bytes += whole_scratch(i, frames);
    if (i->in_registers && i->wish.global_slot)
        bytes += (size_t)i->processors * viterbi_cuda_ring_block(i);
    if (i->in_registers && i->kind == REGISTERS_WRAP)
        bytes += i->processors * i->wrap.scratch;
    return bytes;
}

/* ---- run ----------------------------------------------------------------------------------- */

struct launch {
    const struct viterbi_cuda_instance *i;
    const struct viterbi_gpu_call *call;
    char *scratch;
    cudaStream_t stream;
};

static cudaError_t run_general(const struct launch *l, const struct viterbi_group *group)
{
    return viterbi_general_launch(&l->i->general, &l->call->input, &l->call->output, group, 1,
                                  l->scratch, l->stream);
}

/*
 * Few tiles are spread: over all multiprocessors, then over warps, of which each costs the same
 * whether one of its threads has tiles or all of them, and last over the lanes of words.
 */
static void spread(const struct viterbi_cuda_instance *i, struct registers_job *job)
{
    const uint64_t places = 4 * (uint64_t)i->processors; /* a warp a scheduler */
    const uint32_t warp = 32 / i->kernel.members;
    const uint64_t pairs = (job->items - 1) / i->kernel.tiles + 1;
    const uint64_t each = (job->items - 1) / i->processors + 1;

    job->tiles = job->items <= places ? 1 : i->kernel.tiles;
    job->lanes = 1;
    job->threads = each < 4 ? 32 * (uint32_t)each : 128;
    if (pairs > places) {
        job->lanes = pairs <= warp * places ? (uint32_t)((pairs - 1) / places + 1) : warp;
        job->threads = pairs <= warp * places ? 128 : i->kernel.threads;
    }
    if (job->threads > i->threads)
        job->threads = i->threads;
    if (i->kind == REGISTERS_FRAMES) /* pieces of a frame, side by side */
        job->lanes = (job->lanes + (uint32_t)job->row - 1) / (uint32_t)job->row *
                     (uint32_t)job->row;
}

static cudaError_t start(const struct launch *l, struct registers_job *job)
{
    const struct viterbi_cuda_instance *i = l->i;
    const struct registers_kernel *kernel = &i->kernel;
    const size_t slots = i->kind == REGISTERS_WHOLE ? 0 : i->ring - i->wish.global_slot;
    const size_t ring = slots * viterbi_cuda_ring_block(i);
    const size_t shared = fecrun_cuda_padded(&i->limits, ring);
    void *args[] = {job};
    uint64_t grid;

    spread(i, job);
    grid = (job->items - 1) / ((uint64_t)job->threads / 32 * job->lanes * job->tiles) + 1;
    if (viterbi_cuda_traces_all(i))
        grid = whole_grid(i, grid,
                          i->kind == REGISTERS_FRAMES ? job->scratch_each
                                                      : viterbi_cuda_block_scratch(i, 0));
    if (i->wish.global_slot && grid > i->processors) /* each has its slot in scratch memory */
        grid = i->processors;
    if (grid > INT32_MAX)
        grid = INT32_MAX; /* blocks go from group to group */
    return cudaLaunchKernel(kernel->function, (dim3){(unsigned)grid, 1, 1},
                            (dim3){job->threads, 1, 1}, args, shared, l->stream);
}

static cudaError_t run_all(const struct launch *l)
{
    const cudaError_t status = l->i->general.work.share_bytes
                                   ? viterbi_gpu_clear(&l->i->gpu, l->call, l->stream)
                                   : cudaSuccess;

    return status != cudaSuccess
               ? status
               : viterbi_general_launch_all(&l->i->general, l->call, l->scratch, l->stream);
}

static cudaError_t run_frames(const struct launch *l, struct registers_job *job)
{
    const struct viterbi_cuda_instance *i = l->i;
    const uint64_t frames = l->call->input.frames;

    if (frames < viterbi_cuda_fewest(i) && !i->insists)
        return run_all(l);
    viterbi_cuda_pieces(i, job, frames);
    return start(l, job);
}

/* Whole tiles: those of a group are of one length. */
static cudaError_t run_whole(const struct launch *l, struct registers_job *job)
{
    struct viterbi_groups walk;
    struct viterbi_group group;
    cudaError_t status = cudaSuccess;

    viterbi_groups_begin(&walk, &l->i->gpu.spec, &l->call->geometry);
    while (status == cudaSuccess && viterbi_groups_next(&walk, &group)) {
        if (group.items < viterbi_cuda_fewest(l->i) && !l->i->insists) {
            status = run_general(l, &group);
        } else {
            viterbi_registers_group(job, &group);
            status = start(l, job);
        }
    }
    return status;
}

static cudaError_t run_wrap(const struct launch *l)
{
    const struct viterbi_cuda_instance *i = l->i;
    const uint64_t frames = l->call->input.frames;
    struct wrap_job job = {.registers = {.in = l->call->input, .out = l->call->output}};

    if (frames < viterbi_cuda_fewest(i) && !i->insists)
        return run_all(l);
    job.registers.scratch = (uint8_t *)l->scratch + general_scratch(i, frames);
    return viterbi_wrap_launch(&job, &i->gpu.spec, &i->kernel, &i->wrap, i->processors, i->swapped,
                               l->stream);
}

static bool few_tiles(const struct launch *l)
{
    const struct viterbi_cuda_instance *i = l->i;
    const uint64_t tiles = l->call->input.frames * viterbi_frame_tiles(&i->gpu.spec);

    return !i->insists && !viterbi_cuda_traces_all(i) && i->general.work.alternates &&
           tiles <= FEW_TILES * (uint64_t)i->processors;
}

static cudaError_t run_registers(const struct launch *l)
{
    const struct viterbi_cuda_instance *i = l->i;
    struct registers_job job = {.in = l->call->input, .out = l->call->output, .ring = i->ring};

    if (i->kind == REGISTERS_WRAP)
        return run_wrap(l);
    if (few_tiles(l))
        return run_all(l);
    job.spread = i->spread;
    job.columns = i->gpu.pattern ? (uint32_t)i->gpu.pattern->period / 2 : 0;
    job.scratch = (uint8_t *)l->scratch +
                  general_scratch(i, l->call->input.frames * viterbi_frame_tiles(&i->gpu.spec));
    viterbi_registers_fill(&job, &i->gpu.spec, i->swapped);
    return i->kind == REGISTERS_FRAMES  ? run_frames(l, &job)
           : i->kind == REGISTERS_WHOLE ? run_whole(l, &job)
                                        : start(l, &job);
}

static int run_class(void *instance, const struct fecrun_call *call,
                     const struct fecrun_view *const in[], struct fecrun_view *const out[],
                     struct fecrun_error *err)
{
    const struct viterbi_cuda_instance *i = instance;
    struct viterbi_gpu_call made;
    const struct launch l = {
        .i = i, .call = &made, .scratch = call->scratch, .stream = call->stream};

    if (viterbi_gpu_begin(&i->gpu, call, in[0], out[0], &made, err))
        return -1;
    return fecrun_cuda_check(err, "starting the decoder",
                             i->in_registers ? run_registers(&l) : run_all(&l));
}

/* ---- frames of several sizes ---------------------------------------------------------------- */

static void items(const struct fecrun_create *one, uint64_t in[FECRUN_MAX_PORTS],
                  uint64_t out[FECRUN_MAX_PORTS])
{
    const struct viterbi_spec *spec = one->codes[0];

    memset(out, 0, FECRUN_MAX_PORTS * sizeof *out);
    in[0] = viterbi_frame_steps(spec) * spec->code.n;
    if (one->n_absorbed)
        in[0] = puncture_sent_of(one->absorbed_codes[0][0], in[0]);
    out[0] = spec->info_bits;
}

static const struct by_class_backend of_one_class = {
    create_class, scratch_class, run_class, destroy_class, items, viterbi_cuda_copy_classes};

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    return by_class_create(&of_one_class, args, instance, err);
}

/*
 * What the ALU allows: 64 lanes a clock and multiprocessor. Operations of a block of eight steps: a
 * maximum a state and step; clearing the tags, a state; packing them, half an operation a state
 * (three quarters in whole words); LLRs into lanes and branch metrics, about three an LLR, half that in
 * each thread of a team; two for each look-up of a trace; the best state, one and a half a state, one in
 * teams. Additions have other pipes.
 */
static double bound_gbps(const void *instance)
{
    const struct viterbi_cuda_instance *i = by_class_first(instance);
    const struct viterbi_spec *spec = &i->gpu.spec;
    const double states = 1 << (spec->code.K - 1), tiles = i->kernel.tiles;
    const bool team = i->kernel.members > 1;
    const double T = (double)viterbi_frame_steps(spec);
    const double f = spec->f && (double)spec->f < T ? (double)spec->f : T;
    const double steps = f + (double)(spec->v1 + spec->v2);
    double traces = tiles, operations;
    int khz = 0;

    if (!i->in_registers ||
        cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, i->gpu.device) != cudaSuccess)
        return 0;
    if (spec->f0)
        traces = tiles * (double)(spec->v2 - (spec->code.K - 1) + spec->f0) / (double)spec->f0;
    if (i->kind == REGISTERS_FRAMES)
        traces = tiles * REGISTERS_TRACED_STEPS;
    operations = 8 * states + states + states * (tiles == 2 ? 0.5 : 0.75) +
                 (team ? 12.0 * i->kernel.members : 24.0) * spec->code.n + 2 * traces +
                 (i->kind == REGISTERS_STORED ? (team ? 1.0 : 1.5) * states * 8 / (double)spec->f0
                                              : 0);
    return 64.0 * i->processors * khz * 1e3 * tiles * 8 / operations * f / steps * 1e-9;
}

#endif

static int takes(const struct fecrun_create *args, struct fecrun_error *err)
{
#ifdef FECRUN_CUDA
    return by_class_takes(args, takes_class, err);
#else
    return viterbi_cuda_takes(args, err);
#endif
}

static const struct fecrun_param *const tune[] = {
    FECRUN_PARAM(.name = "kernel", .type = FECRUN_VALUE_CHOICE, .flags = FECRUN_PARAM_MAY_AUTO,
                 .choices = (const char *const[]){"registers", "general", NULL},
                 .default_text = "auto",
                 .help = "registers: one or two tiles a thread (K = 9: four threads), for codes of "
                         "K = 5, 6, 7 and 9, tiles of multiples of 8 steps, sub-frames of 8 to 32 "
                         "with v2 = K - 1 and a multiple of 8, or none; general: any; auto: "
                         "registers where possible"),
    NULL};

#define FORM(from) \
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED, FECRUN_IN({.type = from}), \
                VITERBI_OUT_BITS_ALONE(FECRUN_PACKED))

/* The narrowest first: less has to come over the bus. */
static const struct fecrun_form *const forms[] = {FORM(FECRUN_I4), FORM(FECRUN_I8),
                                                  FORM(FECRUN_F32), NULL};

const struct fecrun_backend viterbi_decode_cuda = {
    FECRUN_CUDA_BACKEND(viterbi_cuda_probe, create, by_class_run, by_class_destroy),
    .name = "cuda",
    .summary =
        "path metrics of two tiles in a thread's registers (of one with larger LLRs); other cases: "
        "the general decoder",
    .forms = forms,
    .agreement = FECRUN_AGREEMENT_EXACT,
    .tune = tune,
    .absorbs = viterbi_cuda_absorbs,
    .scratch = FECRUN_CUDA_SCRATCH(by_class_scratch),
    .note = FECRUN_CUDA_NOTE(note),
    .bound_gbps = FECRUN_CUDA_BOUND(bound_gbps),
    .takes = takes,
};
