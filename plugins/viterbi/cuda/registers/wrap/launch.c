/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/viterbi/cuda/registers/wrap/plan.h"

#ifdef FECRUN_CUDA

cudaError_t viterbi_wrap_launch(struct wrap_job *job, const struct viterbi_spec *spec,
                                const struct registers_kernel *kernel, const struct wrap_plan *plan,
                                unsigned processors, bool swapped, cudaStream_t stream)
{
    const struct wrap_grid grid = viterbi_wrap_grid(job->registers.in.frames, kernel, processors);
    void *args[] = {job};

    viterbi_wrap_fill(job, spec, plan, grid, swapped);
    return cudaLaunchKernel(kernel->function, (dim3){grid.blocks, 1, 1}, (dim3){grid.threads, 1, 1},
                            args, plan->shared, stream);
}

#endif
