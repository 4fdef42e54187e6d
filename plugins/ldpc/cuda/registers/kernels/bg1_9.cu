/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/cuda/registers/nr.cuh"

using namespace ldpc_registers;

/*
 * Base graph, rows, of which messages are packed (from, to) and in shared memory (from, to), z (0: any),
 * rows that keep their addresses, most lanes, rows over which a column may stay in a register where
 * there is a z, and from how many LLRs on rows have chains. A file has few kernels, which take 10 to 25 s of
 * a core each to compile; registers/plan.c has the list of the tables.
 */
const struct ldpc_registers_kernel ldpc_registers_bg1_9[] = {
    entry<1, 5, 0, 0, 0, 0, 0, 4, 256>(),
    entry<1, 5, 0, 0, 0, 0, 0>(),
    entry<1, 9, 0, 0, 0, 0, 0, 2, 256>(),
    entry<1, 9, 4, 9, 0, 0, 0>(),
    {},
};

#ifdef __CUDACC__

static __global__ void write_base(uint32_t *base)
{
    extern __shared__ __align__(128) char memory[];

    *base = shared_address(memory);
}

int ldpc_registers_base(uint32_t *base)
{
    write_base<<<1, 1, 128>>>(base);
    return cudaGetLastError();
}

#endif
