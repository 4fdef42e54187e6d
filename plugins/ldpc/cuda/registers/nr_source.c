/* SPDX-License-Identifier: BSD-2-Clause */
/* Source of a kernel in registers of NR that this build does not have: another rule, order or schedule, or one z. */
#include "plugins/ldpc/cuda/registers/row_text.h"
#include "plugins/ldpc/cuda/registers/source.h"
#include "plugins/ldpc/cuda/source_text.h"

enum list { FIRST, COL, SHIFT };

/* Kernels of at most so many rows, with so many lanes, have chains, as those of kernels/bg1_fixed_18.cu. */
enum { CHAINED_ROWS = 9, MANY_LANES = 256, CHAINED_LLRS = 6, NO_CHAINS = 1000 };

enum { MOST_ROWS = 46 };

/* Rows of the kernel that are in use with any decoder that it is for. */
static uint32_t sure_rows(const struct ldpc_decode *d, uint32_t rows)
{
    static const uint8_t kernels[2][8] = {{LDPC_REGISTERS_ROWS_1}, {LDPC_REGISTERS_ROWS_2}};
    uint32_t sure = 0;

    if (rows == d->rows)
        return rows;
    for (unsigned i = 0; i < 8; i++)
        if (kernels[d->code->bg - 1][i] < rows && kernels[d->code->bg - 1][i] > sure)
            sure = kernels[d->code->bg - 1][i];
    return sure;
}

/* Edges, or rows, but those to columns of degree 1, which are behind the core; in the kernel's order. */
static void put_list(struct text *t, const struct ldpc_code *code, uint32_t rows, bool forward,
                     enum list which)
{
    static const char *const names[] = {"FIRST", "COL", "SHIFT"};
    const uint32_t core = code->cols - code->rows + code->core_rows;
    uint32_t count = 0;

    put(t, "    static constexpr short %s[] = {", names[which]);
    for (uint32_t i = 0; i < rows; i++) {
        const uint32_t r = forward ? rows - 1 - i : i;

        if (which == FIRST)
            put(t, "%u, ", count);
        for (uint32_t e = code->row_first[r]; e < code->row_first[r + 1]; e++) {
            if (code->edge[e].col >= core)
                continue;
            count++;
            if (which != FIRST)
                put(t, "%u, ", which == COL ? code->edge[e].col : code->edge[e].shift);
        }
    }
    put(t, which == FIRST ? "%u};\n" : "};\n", count);
}

/* Rows as single statements. */
static void put_texts(struct text *t, const struct ldpc_code *code, uint32_t rows, bool forward,
                      const struct ldpc_registers_layout *l, bool oms, bool chained)
{
    const uint32_t core = code->cols - code->rows + code->core_rows;
    uint32_t first[MOST_ROWS + 1] = {0};
    struct ldpc_row_texts texts = {.first = first,
                                   .rows = rows,
                                   .own0 = forward ? 0 : code->core_rows,
                                   .own1 = forward ? rows - code->core_rows : rows,
                                   .pack0 = l->pack0,
                                   .pack1 = l->pack1,
                                   .chains = chained ? CHAINED_LLRS : NO_CHAINS,
                                   .oms = oms};

    for (uint32_t i = 0; i < rows; i++) {
        const uint32_t r = forward ? rows - 1 - i : i;

        first[i + 1] = first[i];
        for (uint32_t e = code->row_first[r]; e < code->row_first[r + 1]; e++)
            first[i + 1] += code->edge[e].col < core;
    }
    ldpc_row_texts(t, &texts);
}

/* The layout is of the code's rows. */
static struct ldpc_registers_layout turned_round(const struct ldpc_registers_layout *l,
                                                 uint32_t rows)
{
    struct ldpc_registers_layout turned = *l;

    turned.pack0 = (uint8_t)(rows - l->pack1);
    turned.pack1 = (uint8_t)(rows - l->pack0);
    turned.shared0 = (uint8_t)(rows - l->shared1);
    turned.shared1 = (uint8_t)(rows - l->shared0);
    turned.kept = 0;
    return turned;
}

size_t ldpc_registers_nr_source(const struct ldpc_decode *d,
                                const struct ldpc_registers_kernel *kernel, uint32_t lanes,
                                int graph, char *text, size_t size)
{
    const bool flooding = d->rule == LDPC_FLOODING, forward = !flooding && !d->reverse;
    const bool oms = d->algorithm == LDPC_OMS, spa = d->algorithm == LDPC_SPA;
    const bool chained = !spa && kernel->rows <= CHAINED_ROWS &&
                         (lanes >= MANY_LANES || lanes == d->code->z);
    const struct ldpc_registers_layout own = forward ? turned_round(&kernel->layout, kernel->rows)
                                                     : kernel->layout;
    const struct ldpc_registers_layout *l = &own;
    const struct ldpc_code *code = d->code;
    struct text t = {.at = text, .size = size};

    put(&t, "#include \"plugins/ldpc/cuda/registers/%s.cuh\"\nnamespace ldpc_registers {\n",
        flooding ? "flood" : "kernel");
    put(&t, "template <> struct graph<%d> {\n", graph);
    put(&t,
        "    static constexpr int INFO = %u, CORE = %u, CORE_ROWS = %u, PUNCTURED = 2, SPLIT = "
        "20;\n",
        code->cols - code->rows, code->cols - code->rows + code->core_rows, code->core_rows);
    put(&t,
        "    static constexpr bool TURNED = true, OMS = %d, SPA = %d, FORWARD = %d, EARLY_STOP = "
        "%d, "
        "SOFT = %d;\n",
        oms, spa, forward, d->early_stop, kernel->soft);
    put_list(&t, code, kernel->rows, forward, FIRST);
    put_list(&t, code, kernel->rows, forward, COL);
    put_list(&t, code, kernel->rows, forward, SHIFT);
    put(&t, "    static constexpr int sure(int) { return %u; }\n", sure_rows(d, kernel->rows));
    put(&t, "    static constexpr int first(int r) { return FIRST[r]; }\n"
            "    static constexpr int col(int e) { return COL[e]; }\n"
            "    static constexpr int shift(int e, int) { return SHIFT[e]; }\n"
            "    static constexpr int offset(int) { return 0; }\n"
            "    static constexpr bool held(int) { return false; }\n};\n");
    if (!flooding && !spa)
        put_texts(&t, code, kernel->rows, forward, l, oms, chained);
    put(&t, "using decoder_%d = %s<%d, %u, %u, %u, %u, %u, %u, %u, %u, ", graph,
        flooding ? "flooding" : "decoder", graph, kernel->rows, l->pack0, l->pack1, l->shared0,
        l->shared1, code->z, l->kept, lanes);
    if (flooding)
        put(&t, "%u>;\n", !kernel->unstaged);
    else
        put(&t, "%u, %u, false, %u, %u>;\n", l->span, chained ? CHAINED_LLRS : NO_CHAINS, l->own,
            !kernel->unstaged);
    put(&t,
        "template __global__ void decode<decoder_%d, %u, %u>(\n    const __grid_constant__ struct "
        "ldpc_registers_work);\n}\n",
        graph, (lanes + 31) / 32 * 32, kernel->blocks ? kernel->blocks : 1);
    return t.length;
}
