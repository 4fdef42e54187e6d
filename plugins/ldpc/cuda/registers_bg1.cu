/* SPDX-License-Identifier: BSD-2-Clause */
#include "cuda_fast_kernel.cuh"

using namespace ldpc_fast;

/*
 * Base graph, rows, of which messages are packed (from, to) and in shared memory (from, to), z (0: any),
 * rows that keep their addresses, most lanes. The last one is for tiny z, whose LLRs need more of the
 * shared memory.
 */
const struct ldpc_fast_kernel ldpc_fast_bg1[] = {
    entry<1, 5, 0, 0, 0, 0, 0, 4, 256>(),
    entry<1, 5, 0, 0, 0, 0, 0>(),
    entry<1, 9, 0, 0, 0, 0, 0, 2, 256>(),
    entry<1, 9, 4, 9, 0, 0, 0>(),
    entry<1, 13, 0, 0, 0, 0, 0, 2, 256>(),
    entry<1, 13, 0, 13, 0, 0, 0>(),
    entry<1, 18, 0, 0, 0, 0, 0, 0, 256>(),
    entry<1, 18, 0, 18, 0, 0, 0>(),
    entry<1, 24, 4, 24, 0, 0, 0, 0, 256>(),
    entry<1, 24, 0, 24, 0, 0, 0>(),
    entry<1, 34, 4, 34, 0, 0, 0, 0, 256>(),
    entry<1, 34, 0, 34, 0, 2, 0>(),
    entry<1, 46, 4, 46, 0, 0, 0, 0, 256>(),
    entry<1, 46, 0, 46, 0, 11, 0, 0, 320>(),
    entry<1, 46, 0, 46, 0, 9, 0, 0, 352>(),
    entry<1, 46, 0, 46, 0, 6, 0>(),
    entry<1, 46, 0, 46, 0, 0, 0>(),
    {},
};

#ifdef __CUDACC__

static __global__ void write_base(uint32_t *base)
{
    extern __shared__ __align__(128) char memory[];

    *base = shared_address(memory);
}

int ldpc_fast_base(uint32_t *base)
{
    write_base<<<1, 1, 128>>>(base);
    return cudaGetLastError();
}

#endif
