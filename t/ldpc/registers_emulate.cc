/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernels in registers of NR, their tables included, as functions of the CPU. */
#include "core/base/sanitized.h"
#include "t/ldpc/registers_machine.h"

#include "plugins/ldpc/cuda/registers/nr.cuh"

/* What the tables say of each kernel. */
static struct layout {
    const void *function;
    bool compiled;
    uint32_t pack0, pack1;
} layouts[64];

static unsigned n_layouts;

/*
 * The others, all with -DLDPC_REGISTERS_ALL, which differ from these in numbers only, take another minute of
 * compiling. Here are messages in words, bytes and shared memory, few and many rows, shifts of both kinds, few
 * lanes, chains. Sanitizers make compiling so slow that large ones go, too.
 */
static constexpr bool compiled(int bg, int rows, int z, int lanes)
{
#if defined LDPC_REGISTERS_ALL
    return bg || rows || z || lanes;
#elif defined SANITIZED
    if (bg == 1)
        return z ? z == 384 && rows == 9 : rows == 5 || rows == 13;
    return rows == 12 || (!z && (rows == 6 || rows == 30));
#else
    if (bg == 1 && z)
        return z == 384 && (rows == 9 || rows == 34);
    if (bg == 1)
        return rows == 5 || rows == 13 || (rows == 46 && lanes == 384);
    return rows == 12 || rows == 42 || (!z && (rows == 6 || rows == 30));
#endif
}

/* One code block at a time. */
static constexpr bool compiled_halved(int bg, int rows)
{
#if defined LDPC_REGISTERS_ALL
    return bg || rows;
#elif defined SANITIZED
    return bg == 1 && rows == 9;
#else
    return bg == 1 ? rows == 9 || rows == 46 : rows == 42;
#endif
}

template <class D, int THREADS, bool COMPILED>
static struct ldpc_registers_kernel noted_as(uint32_t bg, uint32_t rows, uint32_t z, uint32_t lanes,
                                             const struct ldpc_registers_layout &l)
{
    struct layout *const layout = &layouts[n_layouts++];
    const void *function = layout; /* nobody calls it */

    if constexpr (COMPILED)
        function = (const void *)ldpc_registers::decode<D, THREADS, 1>;
    *layout = {function, COMPILED, l.pack0, l.pack1};
    struct ldpc_registers_kernel kernel = ldpc_registers::make<D>(bg, rows, z, lanes, function);

    kernel.layout = l;
    return kernel;
}

template <int BG, int ROWS, int PACK0, int PACK1, int SHARED0, int SHARED1, int Z, int KEPT = 0,
          int LANES = Z ? Z : 384, int SPAN = 2, int CHAINS = ldpc_registers::NO_CHAINS>
static struct ldpc_registers_kernel noted()
{
    using D = ldpc_registers::decoder<BG, ROWS, PACK0, PACK1, SHARED0, SHARED1, Z, KEPT, LANES,
                                      Z ? SPAN : 0, CHAINS>;

    return noted_as<D, LANES, compiled(BG, ROWS, Z, LANES)>(
        BG, ROWS, Z, LANES, {PACK0, PACK1, SHARED0, SHARED1, KEPT, SPAN});
}

template <int BG, int ROWS, int PACK0, int PACK1, int SHARED0, int SHARED1, int Z, int SPAN = 2,
          int CHAINS = ldpc_registers::NO_CHAINS>
static struct ldpc_registers_kernel noted_halved()
{
    using D = ldpc_registers::decoder<BG, ROWS, PACK0, PACK1, SHARED0, SHARED1, Z, 0, Z, SPAN,
                                      CHAINS, true>;

    return noted_as<D, Z / 2, compiled_halved(BG, ROWS)>(BG, ROWS, Z, Z,
                                                         {PACK0, PACK1, SHARED0, SHARED1, 0, SPAN});
}

#define entry noted
#define halved noted_halved
#include "plugins/ldpc/cuda/registers/kernels/bg1_9.cu"
#include "plugins/ldpc/cuda/registers/kernels/bg1_18.cu"
#include "plugins/ldpc/cuda/registers/kernels/bg1_24.cu"
#include "plugins/ldpc/cuda/registers/kernels/bg1_34.cu"
#include "plugins/ldpc/cuda/registers/kernels/bg1_46_256.cu"
#include "plugins/ldpc/cuda/registers/kernels/bg1_46_352.cu"
#include "plugins/ldpc/cuda/registers/kernels/bg1_46_384.cu"
#include "plugins/ldpc/cuda/registers/kernels/bg1_fixed_18.cu"
#include "plugins/ldpc/cuda/registers/kernels/bg1_fixed_34.cu"
#include "plugins/ldpc/cuda/registers/kernels/bg1_fixed_46.cu"
#include "plugins/ldpc/cuda/registers/kernels/bg2_20.cu"
#include "plugins/ldpc/cuda/registers/kernels/bg2_42.cu"
#include "plugins/ldpc/cuda/registers/kernels/bg2_fixed.cu"
#include "plugins/ldpc/cuda/registers/kernels/bg1_halved_18.cu"
#include "plugins/ldpc/cuda/registers/kernels/bg1_halved_46.cu"
#include "plugins/ldpc/cuda/registers/kernels/bg2_halved.cu"

static const struct layout *layout_of(const struct ldpc_registers_kernel *kernel)
{
    unsigned i = 0;

    while (layouts[i].function != kernel->function)
        i++;
    return &layouts[i];
}

int ldpc_registers_compiled(const struct ldpc_registers_kernel *kernel)
{
    return layout_of(kernel)->compiled;
}

int ldpc_registers_packed(const struct ldpc_registers_kernel *kernel, uint32_t row)
{
    const struct layout *l = layout_of(kernel);

    return row >= l->pack0 && row < l->pack1;
}
