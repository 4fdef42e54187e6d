/* SPDX-License-Identifier: BSD-2-Clause */
/* Chooses the kernel in registers for a code of NR. */

#include "plugins/ldpc/cuda/registers/plan.h"
#include "plugins/ldpc/cuda/registers/form.h"
#include "plugins/ldpc/decode.h"

#if defined FECRUN_CUDA || defined LDPC_REGISTERS_EMULATED /* where there are kernels */

/* Of base graphs 1 and 2 with any lifting size, then with one: fewest rows first. */
static const struct ldpc_registers_kernel *const tables[2][2][8] = {
    {{ldpc_registers_bg1_9, ldpc_registers_bg1_18, ldpc_registers_bg1_24, ldpc_registers_bg1_34,
      ldpc_registers_bg1_46_256, ldpc_registers_bg1_46_352, ldpc_registers_bg1_46_384},
     {ldpc_registers_bg1_fixed_18, ldpc_registers_bg1_fixed_34, ldpc_registers_bg1_fixed_46}},
    {{ldpc_registers_bg2_20, ldpc_registers_bg2_42}, {ldpc_registers_bg2_fixed}},
};

static const struct ldpc_registers_kernel *const halved_tables[] = {
    ldpc_registers_bg1_halved_18, ldpc_registers_bg1_halved_46, ldpc_registers_bg2_halved, NULL};

static bool too_large(const struct ldpc_registers_kernel *kernel, const struct ldpc_code *code,
                      uint32_t rows, uint32_t pairs, size_t most_shared)
{
    const uint32_t read = ldpc_registers_read(code, rows);
    const struct ldpc_registers_work work = {.pairs = pairs,
                                             .slot = ldpc_registers_slot(read, pairs)};

    return ldpc_registers_shared(kernel, &work) > most_shared;
}

/* Of those that will do with the fewest rows the one for most code blocks; of these the first. */
static const struct ldpc_registers_kernel *find(const struct ldpc_registers_kernel *const *table,
                                                const struct ldpc_code *code, uint32_t rows,
                                                size_t most_shared)
{
    const struct ldpc_registers_kernel *best = NULL;
    uint32_t most_pairs = 0;

    for (; *table; table++)
        for (const struct ldpc_registers_kernel *kernel = *table; kernel->function; kernel++) {
            const uint32_t pairs = kernel->lanes / code->z;

            if (kernel->rows < rows || (kernel->z && kernel->z != code->z) ||
                (best && kernel->rows > best->rows) || pairs <= most_pairs ||
                too_large(kernel, code, rows, pairs, most_shared))
                continue;
            best = kernel;
            most_pairs = pairs;
        }
    return best;
}

static const struct ldpc_registers_kernel *choose(const struct ldpc_code *code, uint32_t rows,
                                                  size_t most_shared)
{
    const struct ldpc_registers_kernel *fixed = find(tables[code->bg - 1][1], code, rows,
                                                     most_shared);
    const struct ldpc_registers_kernel *any = find(tables[code->bg - 1][0], code, rows,
                                                   most_shared);

    return fixed && (!any || fixed->rows <= any->rows) ? fixed : any;
}

/* Of messages with 8 bits errors depend on which they are. */
const struct ldpc_registers_kernel *
ldpc_registers_halved(const struct ldpc_registers_kernel *kernel)
{
    for (const struct ldpc_registers_kernel *const *table = halved_tables; *table; table++)
        for (const struct ldpc_registers_kernel *k = *table; k->function; k++)
            if (k->bg == kernel->bg && k->rows == kernel->rows && k->z == kernel->z &&
                k->layout.pack0 == kernel->layout.pack0 && k->layout.pack1 == kernel->layout.pack1)
                return k;
    return NULL;
}

const struct ldpc_registers_kernel *ldpc_registers_choose(const struct ldpc_code *code,
                                                          uint32_t rows, size_t most_shared,
                                                          struct ldpc_registers_work *work)
{
    const struct ldpc_registers_kernel *kernel = choose(code, rows, most_shared);

    if (kernel)
        ldpc_registers_describe(kernel, code, rows, 0, work);
    return kernel;
}

const struct ldpc_registers_kernel *ldpc_registers_choose_for_twin(const struct ldpc_code *code,
                                                                   uint32_t rows,
                                                                   struct ldpc_registers_work *work)
{
    const struct ldpc_registers_kernel *kernel = ldpc_registers_choose(code, rows,
                                                                       LDPC_REGISTERS_SHARED, work);

    return kernel ? kernel : ldpc_registers_choose(code, rows, SIZE_MAX, work);
}

#endif
