/* SPDX-License-Identifier: BSD-2-Clause */
/* Arguments of the kernels for tail-biting frames. Nothing here needs CUDA. */
#include "plugins/viterbi/cuda/registers/wrap/plan.h"

/* Survivors in scratch memory, of a block of threads. */
#define MOST_SCRATCH ((uint64_t)48 << 20)

const char *viterbi_wrap_plan(struct wrap_plan *plan, const struct viterbi_spec *spec,
                              const struct registers_kernel *kernel, size_t shared_block)
{
    const uint64_t places = 2 * (((uint64_t)viterbi_frame_steps(spec) + 7) / 8);
    const uint64_t room = shared_block / kernel->block_bytes;
    const uint64_t near = places < room ? places : room;

    if (places * kernel->block_bytes > MOST_SCRATCH)
        return "the frames are too long for its survivors";
    plan->places = (uint32_t)places;
    plan->near = (uint32_t)near;
    plan->shared = (uint32_t)near * kernel->block_bytes;
    plan->scratch = (places - near) * kernel->block_bytes;
    return NULL;
}

struct wrap_grid viterbi_wrap_grid(uint64_t frames, const struct registers_kernel *kernel,
                                   unsigned processors)
{
    const uint64_t schedulers = 4, warp = 32 * (uint64_t)kernel->tiles;
    struct wrap_grid grid = {.blocks = processors, .threads = kernel->threads};

    if (frames <= schedulers * processors * warp && grid.threads > 32 * schedulers)
        grid.threads = 32 * schedulers;
    if (frames < processors) {
        grid.blocks = (uint32_t)frames;
        grid.threads = 32;
    }
    return grid;
}

void viterbi_wrap_fill(struct wrap_job *job, const struct viterbi_spec *spec,
                       const struct wrap_plan *plan, struct wrap_grid grid, bool swapped)
{
    const size_t T = viterbi_frame_steps(spec);

    viterbi_registers_fill(&job->registers, spec, swapped);
    job->full = (uint32_t)(T / 8);
    job->rest = (uint32_t)(T % 8);
    job->near = plan->near;
    job->limit = spec->wrap_limit;
    job->warps = grid.threads / 32;
}
