/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernels in shared memory as functions of the CPU: from the sources that the plugin writes, which
 * shared_graphs.c has put into shared_graphs.inc. */
#include "t/ldpc/registers_machine.h"

#define LDPC_CUDA_SHARED_PTX_CUH
#define __constant__ static

namespace ldpc_shared
{

char memory[SHARED_MOST] __align__(128);

FECRUN_ON_DEVICE uint32_t two_halves(float low, float high)
{
    return half_of(low) | half_of(high) << 16;
}

FECRUN_ON_DEVICE float number_of_half(uint16_t half)
{
    _Float16 x;

    memcpy(&x, &half, sizeof x);
    return (float)x;
}

static uint32_t bytes; /* of this block's shared memory */

static char *checked(uint32_t at, uint32_t size)
{
    if (at % size || at + size > bytes)
        bail("%u bytes at %u of %u in shared memory", size, at, bytes);
    return memory + at;
}

FECRUN_ON_DEVICE uint32_t load_word(uint32_t at)
{
    return *(const uint32_t *)checked(at, 4);
}

FECRUN_ON_DEVICE uint32_t load_half(uint32_t at)
{
    return *(const uint16_t *)checked(at, 2);
}

FECRUN_ON_DEVICE void store_word(uint32_t at, uint32_t value)
{
    *(uint32_t *)checked(at, 4) = value;
}

FECRUN_ON_DEVICE void store_half(uint32_t at, uint32_t value)
{
    *(uint16_t *)checked(at, 2) = (uint16_t)value;
}

static void atomicMax(uint32_t *at, uint32_t x)
{
    *at = *at < x ? x : *at;
}

} // namespace ldpc_shared

#include "shared_graphs.inc"

#include "t/ldpc/shared_machine.h"

static void (*const kernels[])(struct ldpc_shared_work) = {KERNELS};

struct shared_launch {
    int kernel;
    const struct ldpc_shared_work *work;
};

static void one_shared_thread(void *arg)
{
    const struct shared_launch *l = (const struct shared_launch *)arg;

    kernels[l->kernel](*l->work);
}

extern "C" void ldpc_shared_emulate(int kernel, const struct ldpc_shared_work *work,
                                    uint32_t blocks, uint32_t threads, size_t bytes, uint32_t order)
{
    struct shared_launch launch = {kernel, work};

    gridDim.x = blocks;
    ldpc_shared::bytes = (uint32_t)bytes;
    for (blockIdx.x = 0; blockIdx.x < blocks; blockIdx.x++) {
        const int garbage = (int)(order >> 8 & 0xff);

        memset(ldpc_shared::memory, garbage, sizeof ldpc_shared::memory);
        emu_block(one_shared_thread, &launch, threads, order);
        for (size_t i = bytes; i < sizeof ldpc_shared::memory; i++)
            if (ldpc_shared::memory[i] != (char)garbage)
                bail("a store behind shared memory, at %zu", i);
        order = order * 0x9e3779b1u + 1;
    }
}
