/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernels in registers of codes that are not NR's as functions of the CPU: from the sources that
 * the plugin writes, which registers_graphs.c has put into this file. */
#include "t/ldpc/registers_machine.h"

#include "plugins/ldpc/cuda/registers/nr.cuh"

#include "registers_graphs.inc"

using namespace ldpc_registers;

static struct layout {
    const void *function;
    uint32_t unpacked;
} layouts[32];

static unsigned n_layouts;

template <class D, int THREADS, int BLOCKS>
static struct ldpc_registers_kernel kernel(uint32_t rows, uint32_t z, uint32_t lanes,
                                           uint32_t unpacked)
{

    const void *function = (const void *)decode<D, THREADS, BLOCKS>;

    layouts[n_layouts++] = {function, unpacked};
    return {0,       rows,   z,  lanes, function, D::END + FLAGS + LDPC_REGISTERS_ALIGN,
            nullptr, BLOCKS, {}, 0,     0,        D::G::SOFT};
}

/* messages of rows from pack0 on have 8 bits */
template <class D, int THREADS>
static struct ldpc_registers_kernel nr_kernel(uint32_t bg, uint32_t rows, uint32_t z,
                                              uint32_t lanes, uint32_t pack0)
{
    const void *function = (const void *)decode<D, THREADS, 1>;

    layouts[n_layouts++] = {function, pack0};
    struct ldpc_registers_kernel kernel = make<D>(bg, rows, z, lanes, function);

    kernel.layout.pack0 = (uint8_t)pack0;
    kernel.layout.own = D::AWAY ? LDPC_REGISTERS_AWAY : LDPC_REGISTERS_HALVES;
    return kernel;
}

extern "C" {
extern const struct ldpc_registers_kernel emulated_others[];
const struct ldpc_registers_kernel emulated_others[] = {KERNELS};
}

int ldpc_registers_packed(const struct ldpc_registers_kernel *kernel, uint32_t row)
{
    unsigned i = 0;

    while (layouts[i].function != kernel->function)
        i++;
    return row >= layouts[i].unpacked;
}
