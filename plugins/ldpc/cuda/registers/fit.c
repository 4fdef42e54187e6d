/* SPDX-License-Identifier: BSD-2-Clause */
/* Kernels in registers of NR that are compiled for one code: rows, and what they keep in shared memory. */
#include "plugins/ldpc/cuda/registers/plan.h"
#include "plugins/ldpc/cuda/registers/form.h"

static uint32_t words(const struct ldpc_registers_layout *l, const struct ldpc_code *code,
                      uint32_t row)
{
    const uint32_t d = code->row_first[row + 1] - code->row_first[row] - (row >= code->core_rows);

    return row >= l->pack0 && row < l->pack1 ? (d + 1) / 2 : d;
}

/* As decoder<>::END and what place.cuh adds. */
size_t ldpc_registers_layered_shared(const struct ldpc_registers_kernel *kernel,
                                     const struct ldpc_code *code, uint32_t lanes)
{
    const struct ldpc_registers_layout *l = &kernel->layout;
    const uint32_t core = code->cols - code->rows + code->core_rows;
    const uint32_t others = kernel->rows - code->core_rows;
    const uint32_t own = l->own == LDPC_REGISTERS_AWAY    ? 0
                         : l->own == LDPC_REGISTERS_BYTES ? (others + 1) / 2
                                                          : others;
    uint32_t columns = core + own;
    size_t bytes;

    for (uint32_t r = l->shared0; r < l->shared1; r++)
        columns += words(l, code, r);
    bytes = 4 * ((size_t)lanes * columns + (l->span ? core + kernel->rows : 0)) +
            LDPC_REGISTERS_ALIGN - 1;
    return bytes / LDPC_REGISTERS_ALIGN * LDPC_REGISTERS_ALIGN + LDPC_REGISTERS_FLAGS +
           LDPC_REGISTERS_ALIGN;
}

static bool fits(struct ldpc_registers_kernel *twin, const struct ldpc_code *code, uint32_t rows,
                 size_t most_shared)
{
    const uint32_t read = ldpc_registers_read(code, rows), pairs = twin->lanes / code->z;
    const struct ldpc_registers_work work = {.pairs = pairs,
                                             .slot = ldpc_registers_slot(read, pairs)};

    twin->shared = ldpc_registers_layered_shared(twin, code, twin->lanes);
    return ldpc_registers_shared(twin, &work) <= most_shared;
}

/* Keeps as many rows' messages in shared memory as fit. The others go to registers, and some of these to the stack. */
static bool fit_messages(struct ldpc_registers_kernel *twin, const struct ldpc_code *code,
                         uint32_t rows, size_t most_shared)
{
    const struct ldpc_registers_layout all = twin->layout;
    struct ldpc_registers_layout best = all;
    size_t most = 0;

    for (uint8_t first = all.shared0; first <= all.shared1; first++)
        for (uint8_t end = first; end <= all.shared1; end++) {
            twin->layout.shared0 = first;
            twin->layout.shared1 = end;
            if (fits(twin, code, rows, most_shared) && twin->shared > most) {
                most = twin->shared;
                best = twin->layout;
            }
        }
    twin->layout = best;
    return most && fits(twin, code, rows, most_shared);
}

/* Takes the first form that fits. Bytes cost two operations a row, LLRs that are not fetched ahead cost a wait for
   each code block. */
static const char *fit(struct ldpc_registers_kernel *twin, const struct ldpc_code *code,
                       uint32_t rows, size_t most_shared)
{
    static const struct {
        uint8_t own, unstaged;
    } forms[] = {{LDPC_REGISTERS_HALVES, 0},
                 {LDPC_REGISTERS_BYTES, 0},
                 {LDPC_REGISTERS_HALVES, 1},
                 {LDPC_REGISTERS_BYTES, 1},
                 {LDPC_REGISTERS_AWAY, 1}};

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        twin->layout.own = forms[i].own;
        twin->unstaged = forms[i].unstaged;
        if (fits(twin, code, rows, most_shared))
            return NULL;
    }
    return fit_messages(twin, code, rows, most_shared) ? NULL : "too little shared memory";
}

static void cut_rows(struct ldpc_registers_kernel *kernel, uint32_t rows)
{
    struct ldpc_registers_layout *l = &kernel->layout;

    kernel->rows = rows;
    if (l->kept > rows)
        l->kept = (uint8_t)rows;
    if (l->pack1 > rows)
        l->pack1 = (uint8_t)rows;
    if (l->shared1 > rows)
        l->shared1 = (uint8_t)rows;
}

const char *ldpc_registers_twin(const struct ldpc_decode *d,
                                const struct ldpc_registers_kernel *kernel, bool exact,
                                uint32_t lanes, size_t most_shared,
                                struct ldpc_registers_kernel *twin)
{
    *twin = *kernel;
    twin->z = d->code->z;
    twin->lanes = lanes;
    if (exact && d->rows > d->code->core_rows)
        cut_rows(twin, d->rows);
    return d->rule == LDPC_FLOODING
               ? ldpc_registers_flood(twin, d->code, d->rows, lanes, most_shared, twin)
               : fit(twin, d->code, d->rows, most_shared);
}
