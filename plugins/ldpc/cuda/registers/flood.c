/* SPDX-License-Identifier: BSD-2-Clause */
/* Which kernels in registers do flooding, and what they keep in shared memory: flood.cuh. */
#include "plugins/ldpc/cuda/registers/plan.h"
#include "plugins/ldpc/cuda/registers/form.h"

enum {
    PER_WORD = 16, /* signs */
    OVERHEAD = 32, /* registers of a thread beside messages and a row's work */
};

/* Edges of a row, without that to a column of its own. */
static uint32_t degree(const struct ldpc_code *code, uint32_t row)
{
    return code->row_first[row + 1] - code->row_first[row] - (row >= code->core_rows);
}

static uint32_t words(const struct ldpc_registers_layout *l, const struct ldpc_code *code,
                      uint32_t row)
{
    const uint32_t d = degree(code, row);

    return row >= l->pack0 && row < l->pack1 ? (d + 1) / 2 : d;
}

size_t ldpc_registers_flood_shared(const struct ldpc_registers_kernel *kernel,
                                   const struct ldpc_code *code, uint32_t lanes)
{
    const struct ldpc_registers_layout *l = &kernel->layout;
    const uint32_t core = code->cols - code->rows + code->core_rows;
    const uint32_t others = kernel->rows - code->core_rows;
    uint32_t columns = core + (others + 1) / 2 + (core - 1) + (core - code->punctured / code->z) +
                       (others + PER_WORD - 1) / PER_WORD;

    for (uint32_t r = l->shared0; r < l->shared1; r++)
        columns += words(l, code, r);
    return (4 * (size_t)lanes * columns + LDPC_REGISTERS_ALIGN - 1) / LDPC_REGISTERS_ALIGN *
               LDPC_REGISTERS_ALIGN +
           LDPC_REGISTERS_FLAGS + LDPC_REGISTERS_ALIGN;
}

/* ---- Layout ---------------------------------------------------------------------------------- */

/* Of a thread, of a block with so many lanes. */
static uint32_t registers_of(uint32_t lanes)
{
    return lanes <= 256 ? 255 : lanes <= 384 ? 168 : 128;
}

/* Registers that messages may have: what a row takes, and what is beside it, is not theirs. */
static uint32_t room_for_messages(const struct ldpc_registers_kernel *kernel,
                                  const struct ldpc_code *code, uint32_t lanes)
{
    uint32_t most = 0;

    for (uint32_t r = 0; r < kernel->rows; r++)
        most = degree(code, r) > most ? degree(code, r) : most;
    return registers_of(lanes) - OVERHEAD - 2 * most;
}

/*
 * Messages for which there are no registers go to shared memory: those of rows behind the core, whose
 * work takes few registers beside them.
 */
static void share_rows(struct ldpc_registers_kernel *twin, const struct ldpc_code *code,
                       uint32_t lanes, size_t most_shared)
{
    const uint32_t room = room_for_messages(twin, code, lanes);
    struct ldpc_registers_layout *l = &twin->layout;
    uint32_t in_registers = 0;

    for (uint32_t r = 0; r < twin->rows; r++)
        in_registers += words(l, code, r);
    l->shared0 = l->shared1 = (uint8_t)code->core_rows;
    while (in_registers > room && l->shared1 < twin->rows) {
        in_registers -= words(l, code, l->shared1++);
        if (ldpc_registers_flood_shared(twin, code, lanes) > most_shared) {
            l->shared1--;
            return;
        }
    }
}

const char *ldpc_registers_flood(const struct ldpc_registers_kernel *kernel,
                                 const struct ldpc_code *code, uint32_t rows, uint32_t lanes,
                                 size_t most_shared, struct ldpc_registers_kernel *twin)
{
    const uint32_t read = ldpc_registers_read(code, rows), pairs = lanes / code->z;
    const struct ldpc_registers_work work = {.pairs = pairs,
                                             .slot = ldpc_registers_slot(read, pairs)};

    *twin = *kernel;
    twin->z = code->z;
    twin->lanes = lanes;
    if (twin->layout.pack0 < twin->layout.pack1)
        twin->layout.pack1 = (uint8_t)twin->rows;
    share_rows(twin, code, lanes, most_shared);
    twin->shared = ldpc_registers_flood_shared(twin, code, lanes);
    twin->unstaged = 0;
    twin->unstaged = ldpc_registers_shared(twin, &work) > most_shared;
    return ldpc_registers_shared(twin, &work) > most_shared ? "too little shared memory" : NULL;
}
