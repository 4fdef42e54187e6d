/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The kernels of plugins/polar/cuda as functions of the CPU; cuda_emulate.h runs the threads of a
 * block. Here are the instructions that it lacks.
 */

/* Its longjmp() takes a jump to another stack for an attack. */
#undef _FORTIFY_SOURCE

#define EMU_STACK (1 << 17)
#define _Noreturn __attribute__((noreturn))
#include "t/lib/cuda_emulate.h"

#include "t/polar/cuda.h"

static uint32_t __vminu2(uint32_t a, uint32_t b)
{
    const uint32_t top = 0xffff0000u;

    return ((a & top) < (b & top) ? a & top : b & top) |
           ((a & ~top) < (b & ~top) ? a & ~top : b & ~top);
}

static uint32_t __vmaxu2(uint32_t a, uint32_t b)
{
    return a ^ b ^ __vminu2(a, b);
}

/* Of this lane's group of so many. */
static uint32_t __shfl_sync(unsigned lanes, uint32_t word, int lane, int width)
{
    return __shfl_sync(lanes, word,
                       (int)(threadIdx.x % 32 & (unsigned)-width) | (lane & (width - 1)));
}

static int __clz(int x)
{
    return x ? __builtin_clz((unsigned)x) : 32;
}

static int __ffs(int x)
{
    return __builtin_ffs(x);
}

static bool __any_sync(unsigned lanes, bool predicate)
{
    return __ballot_sync(lanes, predicate) != 0;
}

static uint32_t atomicAdd(uint32_t *at, uint32_t x)
{
    const uint32_t old = *at;

    *at += x;
    return old;
}

#include "plugins/polar/cuda/list/ragged.cuh"
#include "plugins/polar/cuda/sc/stages.cuh"

static uint4 *sc_shared;

static void sc_body(void *job)
{
    sc_run(*(const struct polar_sc_job *)job, sc_shared);
}

void polar_emulate_sc(const struct polar_sc_job *job, uint32_t blocks, uint32_t warps,
                      unsigned order)
{
    const size_t bytes = (polar_sc_shared(job->stages, warps) + 63) / 64 * 64;

    sc_shared = (uint4 *)aligned_alloc(64, bytes);
    if (!sc_shared)
        bail("out of memory");
    gridDim.x = blocks;
    for (blockIdx.x = 0; blockIdx.x < blocks; blockIdx.x++) {
        memset(sc_shared, 0xee, bytes);
        emu_block(sc_body, (void *)job, SC_LANES * warps, order + blockIdx.x);
    }
    free(sc_shared);
}

static uint32_t *list_shared;

template <int L, bool ALONE> static void list_body(void *job)
{
    list_run<L, ALONE>(*(const struct polar_list_job *)job, list_shared);
}

template <bool ALONE> static void (*list_body_of(uint32_t lanes))(void *)
{
    return lanes == 2    ? list_body<2, ALONE>
           : lanes == 4  ? list_body<4, ALONE>
           : lanes == 8  ? list_body<8, ALONE>
           : lanes == 16 ? list_body<16, ALONE>
                         : list_body<32, ALONE>;
}

static void launch_list(void (*body)(void *), const void *job, size_t rows, uint32_t blocks,
                        uint32_t warps, unsigned order)
{
    const size_t bytes = rows * warps * LIST_ROW * sizeof(uint32_t);

    list_shared = (uint32_t *)aligned_alloc(64, bytes);
    if (!list_shared)
        bail("out of memory");
    gridDim.x = blocks;
    for (blockIdx.x = 0; blockIdx.x < blocks; blockIdx.x++) {
        memset(list_shared, 0xee, bytes);
        emu_block(body, (void *)job, 32 * warps, order + blockIdx.x);
    }
    free(list_shared);
}

void polar_emulate_list(const struct polar_list_job *job, uint32_t blocks, uint32_t warps,
                        unsigned order, bool alone)
{
    const uint32_t lanes = polar_list_lanes(job->paths, job->stages);

    launch_list(alone ? list_body_of<true>(lanes) : list_body_of<false>(lanes), job,
                polar_list_rows(lanes, job->stages, alone), blocks, warps, order);
}

static void deal_body(void *job)
{
    list_deal(*(const struct polar_list_ragged *)job);
}

template <int L> static void ragged_body(void *job)
{
    list_run_ragged<L>(*(const struct polar_list_ragged *)job, list_shared);
}

void polar_emulate_ragged(const struct polar_list_ragged *ragged, uint32_t lanes, uint32_t blocks,
                          uint32_t warps, unsigned order)
{
    launch_list(deal_body, ragged, 1, 1, 2, order);
    launch_list(lanes == 2    ? ragged_body<2>
                : lanes == 4  ? ragged_body<4>
                : lanes == 8  ? ragged_body<8>
                : lanes == 16 ? ragged_body<16>
                              : ragged_body<32>,
                ragged, ragged->rows, blocks, warps, order);
}
