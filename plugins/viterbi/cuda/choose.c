/* SPDX-License-Identifier: BSD-2-Clause */
/* Which kernel in registers an instance has: one of the build's, or one that is compiled for it. */
#include "plugins/viterbi/cuda/instance.h"

#ifdef FECRUN_CUDA

#include "plugins/viterbi/cuda/compiled.h"

static const char *make_spread(const struct viterbi_cuda_instance *i,
                               struct registers_spread spread[REGISTERS_MAX_COLUMNS])
{
    const uint64_t period = i->gpu.pattern->period;
    uint16_t rank[2 * REGISTERS_MAX_COLUMNS];

    if (i->gpu.spec.code.n != 2 || i->gpu.type != FECRUN_I8 || period % 2 ||
        period > 2 * REGISTERS_MAX_COLUMNS)
        return "punctured input must be I8 LLRs of a code of rate 1/2, with patterns of at most 64 "
               "steps";
    viterbi_fill_rank(i->gpu.pattern, rank);
    return viterbi_registers_spread(rank, (uint32_t)period, (uint32_t)i->gpu.pattern->sent, spread);
}

static const char *upload_spread(struct viterbi_cuda_instance *i, int *status,
                                 struct fecrun_error *err)
{
    const size_t bytes = i->gpu.pattern->period / 2 * sizeof *i->spread;
    struct registers_spread spread[REGISTERS_MAX_COLUMNS];
    const char *problem = make_spread(i, spread);

    if (problem || i->asked)
        return problem;
    *status = fecrun_cuda_upload((void **)&i->spread, spread, bytes, "the pattern", err);
    return NULL;
}

/* Survivors of a block of eight steps in the ring. */
uint32_t viterbi_cuda_ring_block(const struct viterbi_cuda_instance *i)
{
    return i->kernel.block_bytes / i->kernel.threads * i->threads;
}

/* Look-ups of a trace through the ring must find their blocks there. Teams take what they need: the
 * longer the ring, the fewer threads. */
static const char *size_ring(struct viterbi_cuda_instance *i, size_t shared_block)
{
    const struct viterbi_spec *spec = &i->gpu.spec;
    const uint32_t steps = (uint32_t)((spec->v2 - (spec->code.K - 1) + spec->f0) / 8);
    /* traces from state 0 know the newest block from registers, unless they run a block late */
    const bool late = i->kernel.traced == steps && !i->wish.held;
    const bool known = (i->kind == REGISTERS_ANY && !late && !i->kernel.newest) || i->wish.held;
    const uint32_t wanted = steps - known;
    /* a pattern's table lies there, too */
    const size_t room = shared_block - REGISTERS_MAX_COLUMNS * sizeof(struct registers_spread);
    uint32_t most;

    if (i->kernel.members > 1)
        while (i->threads > 32 && wanted * (size_t)viterbi_cuda_ring_block(i) > room)
            i->threads -= 32;
    most = (uint32_t)(room / viterbi_cuda_ring_block(i)) + i->wish.global_slot;
    i->ring = wanted < most ? wanted : most;
    if (i->ring < 2)
        i->ring = 2;
    return wanted > most ? "tile.v2 and tile.f0 are too long for its ring of survivors" : NULL;
}

bool viterbi_cuda_traces_all(const struct viterbi_cuda_instance *i)
{
    return i->kind == REGISTERS_WHOLE || i->kind == REGISTERS_FRAMES;
}

/* After viterbi_registers_fill(). */
void viterbi_cuda_pieces(const struct viterbi_cuda_instance *i, struct registers_job *job,
                         uint64_t frames)
{
    const uint32_t meet = viterbi_registers_meet(&i->gpu.spec, i->gpu.pattern);
    const uint64_t places = (uint64_t)i->processors * i->kernel.tiles * i->kernel.threads;
    const uint32_t pieces = viterbi_registers_pieces(&i->gpu.spec, meet, places, frames);

    viterbi_registers_frames(job, &i->gpu.spec, pieces, meet);
    job->scratch_each = viterbi_registers_frames_bytes(job, i->kernel.block_bytes);
}

/* Survivors of one block of threads with whole tiles, in a call with so many frames. */
uint64_t viterbi_cuda_block_scratch(const struct viterbi_cuda_instance *i, uint64_t frames)
{
    const uint64_t steps = viterbi_frame_steps(&i->gpu.spec);
    struct registers_job job = {.T = steps, .f = steps, .info_bits = i->gpu.spec.info_bits};

    if (i->kind == REGISTERS_WHOLE)
        return (viterbi_tile_max_steps(&i->gpu.spec) / 8 + 3) * i->kernel.block_bytes;
    viterbi_cuda_pieces(i, &job, frames);
    return job.scratch_each;
}

/* With fewer tiles in a call `auto` takes the general decoder. */
unsigned viterbi_cuda_fewest(const struct viterbi_cuda_instance *i)
{
    const struct viterbi_spec *spec = &i->gpu.spec;
    const uint32_t meet = viterbi_registers_meet(spec, i->gpu.pattern);

    return i->kind == REGISTERS_WRAP    ? WRAP_FRAMES
           : i->kind == REGISTERS_WHOLE ? WHOLE_TILES
           : i->kind == REGISTERS_FRAMES
               ? WHOLE_TILES / viterbi_registers_pieces(spec, meet, UINT32_MAX, 1)
               : 0;
}

static const char *check_scratch(const struct viterbi_cuda_instance *i)
{
    return viterbi_cuda_block_scratch(i, UINT32_MAX) > WHOLE_SCRATCH / 32
               ? "survivors of whole tiles of this length take too much memory"
               : NULL;
}

/* Where a ring does not fit there are other kernels. */
static const char *plan_frames(struct viterbi_cuda_instance *i, size_t shared_block)
{
    const size_t room = shared_block - REGISTERS_MAX_COLUMNS * sizeof(struct registers_spread);

    i->ring = REGISTERS_TRACED_STEPS;
    return i->ring * (size_t)viterbi_cuda_ring_block(i) > room ? "its ring does not fit"
                                                               : check_scratch(i);
}

/* NULL, or why there is no room for survivors. */
static const char *plan_survivors(struct viterbi_cuda_instance *i, size_t shared_block)
{
    if (i->kind == REGISTERS_FRAMES)
        return plan_frames(i, shared_block);
    if (i->kind == REGISTERS_WRAP)
        return viterbi_wrap_plan(&i->wrap, &i->gpu.spec, &i->kernel, shared_block);
    return i->kind == REGISTERS_WHOLE ? check_scratch(i) : size_ring(i, shared_block);
}

/* Kernels of the build for this wish: the first that has room. */
static const char *choose_built_in(struct viterbi_cuda_instance *i, size_t shared_block)
{
    struct registers_wish *wish = &i->wish;
    const struct viterbi_code *code = &i->gpu.spec.code;
    const char *problem;

    if (!viterbi_registers_choose(code, wish, &i->kernel, &i->swapped))
        return "there are no kernels for this code with this kind of input";
    i->threads = i->kernel.threads;
    if (i->kernel.frames)
        i->kind = REGISTERS_FRAMES;
    problem = plan_survivors(i, shared_block);
    if (problem && i->kind == REGISTERS_FRAMES) { /* which needs a ring, too */
        i->kind = wish->kind = REGISTERS_WHOLE;
        viterbi_registers_choose(code, wish, &i->kernel, &i->swapped);
        problem = plan_survivors(i, shared_block);
    }
    if (problem && wish->fine) { /* one tile a thread has a ring of twice the length */
        wish->fine = false;
        viterbi_registers_choose(code, wish, &i->kernel, &i->swapped);
        problem = plan_survivors(i, shared_block);
    }
    return problem;
}

/* Where the newest block's survivors and the ring's last slot are. */
struct places {
    bool held, global_slot;
};

static const char *try_threads(struct viterbi_cuda_instance *i, uint32_t threads,
                               struct places places, size_t shared_block)
{
    const char *problem;

    i->wish.held = places.held;
    i->wish.global_slot = places.global_slot;
    problem = viterbi_compiled_plan(&i->gpu.spec.code, &i->wish, threads, &i->kernel);
    if (problem)
        return problem;
    i->threads = threads;
    i->kind = i->kernel.frames                   ? REGISTERS_FRAMES
              : i->wish.kind == REGISTERS_FRAMES ? REGISTERS_WHOLE
                                                 : i->wish.kind;
    problem = plan_survivors(i, shared_block);
    if (!problem && i->threads < threads) /* teams may have fewer, but slower */
        problem = "its ring of survivors does not fit";
    return problem;
}

/*
 * A kernel to be compiled for the wish: with the most threads whose survivors have room. All four
 * schedulers of a multiprocessor should have as many warps.
 */
static const char *choose_threads(struct viterbi_cuda_instance *i, size_t shared_block)
{
    static const uint32_t threads[] = {256, 128, 96, 64};
    /* the fastest first; a trace from the best state begins by a search among registers if those are held */
    static const struct places any[] = {{false, false}, {true, false}, {true, true}};
    static const struct places stored[] = {{false, false}, {false, true}, {true, false}};
    const struct places *places = i->wish.kind == REGISTERS_STORED ? stored : any;
    const bool may_hold = viterbi_compiled_holds(&i->gpu.spec.code, &i->wish);
    const bool has_global_slot = viterbi_compiled_has_global_slot(&i->gpu.spec.code, &i->wish);
    const char *problem = NULL;

    for (unsigned n = 0; n < sizeof threads / sizeof *threads; n++) {
        if (threads[n] == 96 && i->gpu.spec.code.K == 9)
            continue;
        problem = try_threads(i, threads[n], places[0], shared_block);
        for (int p = 1; problem && p < 3; p++)
            if ((may_hold || !places[p].held) && (has_global_slot || !places[p].global_slot))
                problem = try_threads(i, threads[n], places[p], shared_block);
        if (!problem)
            break;
    }
    return problem;
}

/* A team of two tiles with few threads is slower than one of one tile with more. */
static const char *choose_tiles(struct viterbi_cuda_instance *i, size_t shared_block)
{
    const struct registers_wish wish = i->wish;
    const char *problem = choose_threads(i, shared_block);

    if (problem || i->kernel.members == 1 || i->kernel.tiles == 1 || i->threads >= 128)
        return problem;
    i->wish.wide = true;
    if (!choose_threads(i, shared_block))
        return NULL;
    i->wish = wish;
    return choose_threads(i, shared_block);
}

static const char *choose_compiled(struct viterbi_cuda_instance *i, size_t shared_block)
{
    const char *problem = choose_tiles(i, shared_block);

    if (problem && i->wish.kind == REGISTERS_FRAMES) {
        i->wish.kind = REGISTERS_WHOLE;
        problem = choose_tiles(i, shared_block);
    }
    if (problem && i->wish.fine) {
        i->wish.fine = false;
        problem = choose_tiles(i, shared_block);
    }
    i->swapped = false;
    return problem;
}

/* What is to be decoded; NULL, or why not in registers. */
static const char *make_wish(struct viterbi_cuda_instance *i, unsigned capability)
{
    const struct viterbi_spec *spec = &i->gpu.spec;
    const char *problem = viterbi_registers_problem(spec, &i->kind);
    const enum registers_lanes lanes = capability < 90 ? REGISTERS_LANES_15 : REGISTERS_LANES_16;

    if (problem)
        return problem;
    i->wish = (struct registers_wish){
        .kind = i->kind == REGISTERS_WHOLE && viterbi_registers_proves(spec) ? REGISTERS_FRAMES
                                                                             : i->kind,
        .source = i->gpu.pattern             ? REGISTERS_PUNCTURED
                  : i->gpu.type == FECRUN_I4 ? REGISTERS_NIBBLES
                  : spec->is_float           ? REGISTERS_FLOATS
                                             : REGISTERS_I8,
        .lanes = lanes,
        .wide = spec->llr_max > viterbi_registers_limit(&spec->code, lanes),
        /* below 9.0 those are slower than one tile a thread */
        .fine = lanes == REGISTERS_LANES_16 &&
                spec->llr_max <= viterbi_registers_fine_limit(&spec->code),
        .steps = spec->f0 == 8 ? (uint32_t)(spec->v2 - (spec->code.K - 1)) / 8 + 1 : 0,
    };
    return i->wish.source == REGISTERS_NIBBLES && spec->code.n % 2
               ? "packed input must be of a code with an even number of outputs"
               : NULL;
}

bool viterbi_cuda_may_compile(const struct viterbi_cuda_instance *asked)
{
    struct viterbi_cuda_instance i = *asked;
    struct registers_spread spread[REGISTERS_MAX_COLUMNS];

    if (i.limits.capability < 80 || make_wish(&i, i.limits.capability) ||
        viterbi_compiled_plan(&i.gpu.spec.code, &i.wish, 128, &i.kernel))
        return false;
    return !i.gpu.pattern || !make_spread(&i, spread);
}

/* Compiles the kernel that has been chosen; i->asked: could it be? */
static int compile(struct viterbi_cuda_instance *i, int device, struct fecrun_error *why)
{
    if (i->asked)
        return rtc_possible(device, why);
    if (rtc_possible(device, why) ||
        viterbi_compiled_load(&i->compiled, &i->gpu.spec.code, &i->wish, i->threads, device, why))
        return -1;
    i->kernel.function = i->compiled.function;
    return 0;
}

/*
 * 1: a kernel in registers; 0: the general decoder does all of the work, and `why` says why; -1: error.
 * The build's kernels need no time to compile.
 */
int viterbi_cuda_choose(struct viterbi_cuda_instance *i, int device, struct fecrun_error *why)
{
    const size_t shared_block = i->limits.shared_block;
    const char *problem = make_wish(i, i->limits.capability);
    int status = 0;

    if (!problem) {
        const struct registers_wish wish = i->wish;

        i->compiles = !i->built_in || choose_built_in(i, shared_block);
        if (i->compiles) {
            i->wish = wish;
            problem = choose_compiled(i, shared_block);
        }
    }
    if (!problem && i->gpu.pattern)
        problem = upload_spread(i, &status, why);
    if (status)
        return -1;
    if (problem) {
        fecrun_fail(why, NULL, "%s", problem);
        return 0;
    }
    return !i->compiles || !compile(i, device, why);
}

#endif
