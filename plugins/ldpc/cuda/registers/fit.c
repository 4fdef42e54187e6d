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
static const char *fit_columns(struct ldpc_registers_kernel *twin, const struct ldpc_code *code,
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
    return "too little shared memory";
}

static const char *fit(struct ldpc_registers_kernel *twin, const struct ldpc_code *code,
                       uint32_t rows, size_t most_shared)
{
    const char *problem = fit_columns(twin, code, rows, most_shared);

    return problem && fit_messages(twin, code, rows, most_shared) ? NULL : problem;
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

/* ---- Thread blocks that share a multiprocessor ---- */

/*
 * Warps of a multiprocessor, all thread blocks together; words of messages for which a thread has registers then, as
 * many as were fastest on an H200; what a lane at work is worth.
 */
static const struct residency {
    uint32_t warps, messages;
    double worth;
} residencies[] = {{8, 193, 0.95 / 8}, {12, 106, 1. / 12}, {16, 83, 1. / 16}};

enum {
    RESIDENCIES = sizeof residencies / sizeof *residencies,
    MOST_BLOCKS = 16,
    RESERVED = 1024, /* bytes of shared memory that each thread block takes beside its own */
    LANES_OF_8_WARPS = 256,
    WARPS_OF_168 = 12, /* registers a thread */
    MANY_EDGES = 170,  /* of a thread: from here on it does not matter much, */
    ALL_EDGES = 200,   /* or not at all, how LLRs are read */
    SPAN_OF_BG2 =
        3, /* z = 208, 42 rows 22.8 -> 23.6 Gb/s, 352 26.5 -> 27.1; in 99 KB 384 23.3 -> 22.1 */
    SPAN_SHARED = 200 << 10, /* bytes of shared memory from which on it was measured */
    FEW_ROWS = 5,
    FEW_KEPT = 4, /* rows whose addresses are kept: z = 352, 5 rows 114 -> 118 Gb/s */
};

static const struct residency *residency_of(uint32_t warps)
{
    for (size_t i = 0; i < RESIDENCIES; i++)
        if (warps <= residencies[i].warps)
            return &residencies[i];
    return NULL;
}

static uint32_t warps_of(const struct ldpc_registers_kernel *twin, uint32_t blocks)
{
    return blocks * ((twin->lanes + 31) / 32);
}

/* Words of messages, in registers and in shared memory. */
static void count_words(const struct ldpc_registers_kernel *twin, const struct ldpc_code *code,
                        uint32_t *own, uint32_t *shared)
{
    const struct ldpc_registers_layout *l = &twin->layout;

    *own = *shared = 0;
    for (uint32_t r = 0; r < twin->rows; r++)
        *(r >= l->shared0 && r < l->shared1 ? shared : own) += words(l, code, r);
}

/*
 * What several pairs in a thread block, and several thread blocks, cost. Of one pair LLRs and bits are read and written by
 * fours and eights, of several one by one, which counts where edges are few: z = 64, 5 rows 134 Gb/s in six thread
 * blocks, 96 in one (bench/notebook/ldpc.md).
 */
static double cost_of_sharing(const struct ldpc_registers_kernel *twin,
                              const struct ldpc_code *code, uint32_t blocks)
{
    const uint32_t own = twin->rows > code->core_rows ? twin->rows - code->core_rows : 0;
    const double edges = code->row_first[twin->rows] - own;
    const bool together = twin->lanes > twin->z && twin->z % 8 == 0;

    if (edges >= MANY_EDGES)
        return (1 - 0.02 * (blocks - 1)) * (together && edges < ALL_EDGES ? 0.95 : 1);
    if (together)
        return edges / (edges + 28);
    return twin->rows > FEW_ROWS && warps_of(twin, blocks) > WARPS_OF_168 ? 1 - 0.02 * (blocks - 1)
                                                                          : 1;
}

/* A message in shared memory is read and written there, once an iteration; that takes two operations, and an edge nine.
   Thread blocks that share a multiprocessor, and code blocks that are not fetched ahead, are slower by so much. */
static double score_of(const struct ldpc_registers_kernel *twin, const struct ldpc_code *code)
{
    const uint32_t blocks = twin->blocks ? twin->blocks : 1;
    const struct residency *residency = residency_of(warps_of(twin, blocks));
    uint32_t own, shared;

    count_words(twin, code, &own, &shared);
    return residency->worth * blocks * twin->lanes * cost_of_sharing(twin, code, blocks) *
           (twin->unstaged ? 0.9 : 1) / (1 + 2. * shared / (9. * code->row_first[twin->rows]));
}

/* Moves messages of as few rows as may be to shared memory. */
static bool fit_block(struct ldpc_registers_kernel *twin, const struct ldpc_code *code,
                      uint32_t rows, uint32_t messages, size_t most_shared)
{
    for (uint32_t end = 0; end <= twin->rows; end++) {
        uint32_t own, shared;

        twin->layout.shared0 = 0;
        twin->layout.shared1 = (uint8_t)end;
        count_words(twin, code, &own, &shared);
        if (own <= messages)
            return !fit_columns(twin, code, rows, most_shared);
    }
    return false;
}

/*
 * Of one pair on 9 to 12 warps the kernel of the build has the layout that was fastest, which counting words does not
 * find: z = 384 with 46 rows has 34.7 Gb/s, and 31.6 with two rows' messages more in registers; z = 352 32.0 and 28.5.
 */
static bool is_measured(const struct ldpc_registers_kernel *kernel,
                        const struct ldpc_registers_kernel *twin)
{
    const struct ldpc_registers_layout *a = &kernel->layout, *b = &twin->layout;

    return twin->lanes == twin->z && twin->lanes > LANES_OF_8_WARPS && !twin->unstaged &&
           a->own == b->own && (a->shared1 == b->shared1 || b->shared1 == twin->rows);
}

/* With few rows registers are left for addresses. */
static void keep_addresses(struct ldpc_registers_kernel *twin)
{
    const uint32_t blocks = twin->blocks ? twin->blocks : 1;

    if (twin->bg == 1 && twin->rows <= FEW_ROWS && twin->lanes == twin->z &&
        warps_of(twin, blocks) <= WARPS_OF_168)
        twin->layout.kept = FEW_KEPT;
}

const char *ldpc_registers_best_twin(const struct ldpc_decode *d,
                                     const struct ldpc_registers_kernel *kernel, bool exact,
                                     uint32_t lanes, const size_t most_shared[2],
                                     struct ldpc_registers_kernel *twin)
{
    struct ldpc_registers_kernel model = *kernel;
    const char *problem;
    double best;

    if (d->rule == LDPC_FLOODING)
        return ldpc_registers_twin(d, kernel, exact, lanes, most_shared[1], twin);
    if (model.bg == 2 && most_shared[1] >= SPAN_SHARED)
        model.layout.span = SPAN_OF_BG2;
    problem = ldpc_registers_twin(d, &model, exact, lanes, most_shared[1], twin);
    best = problem ? 0 : score_of(twin, d->code);
    if (!problem && is_measured(kernel, twin)) {
        keep_addresses(twin);
        return NULL;
    }
    for (uint32_t blocks = 1; blocks <= MOST_BLOCKS; blocks++)
        for (uint32_t pairs = 1; pairs * d->code->z <= LDPC_REGISTERS_LANES; pairs++) {
            const uint32_t warps = blocks * ((pairs * d->code->z + 31) / 32);
            const size_t share = most_shared[0] / blocks - RESERVED;
            struct ldpc_registers_kernel next = model;

            next.z = d->code->z;
            next.lanes = pairs * d->code->z;
            next.blocks = blocks;
            next.layout.kept = 0;
            if (exact && d->rows > d->code->core_rows)
                cut_rows(&next, d->rows);
            if (!residency_of(warps) ||
                warps / blocks * 32 < next.rows || /* a row has a thread that turns it */
                !fit_block(&next, d->code, d->rows, residency_of(warps)->messages,
                           share < most_shared[1] ? share : most_shared[1]) ||
                score_of(&next, d->code) <= best)
                continue;
            best = score_of(&next, d->code);
            *twin = next;
        }
    if (best > 0)
        keep_addresses(twin);
    return best > 0 ? NULL : problem;
}
