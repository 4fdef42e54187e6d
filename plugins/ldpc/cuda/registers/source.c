/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the source of a kernel in registers. */
#include "plugins/ldpc/cuda/registers/row_text.h"
#include "plugins/ldpc/cuda/registers/source.h"
#include "plugins/ldpc/cuda/source_text.h"

enum list { FIRST, COL, SHIFT };

/* Numbers of the edges, or of the rows, in the kernel's order: the reference's, last one first. */
static void put_list(struct text *t, const struct ldpc_code *code,
                     const struct ldpc_registers_form *form, enum list which)
{
    static const char *const names[] = {"FIRST", "COL", "SHIFT"};
    uint32_t count = 0;

    put(t, "    static constexpr short %s[] = {", names[which]);
    for (uint32_t i = 0; i < code->rows; i++) {
        const uint32_t r = ldpc_registers_row(code, form, i);

        if (which == FIRST)
            put(t, "%u, ", count);
        for (uint32_t e = code->row_first[r]; e < code->row_first[r + 1]; e++, count++)
            if (which == COL)
                put(t, "%u, ", code->edge[e].col);
            else if (which == SHIFT)
                put(t, "%u, ", (code->edge[e].shift + form->turn[r]) % code->z);
    }
    put(t, which == FIRST ? "%u};\n" : "};\n", count);
}

static void put_offsets(struct text *t, const struct ldpc_code *code,
                        const struct ldpc_registers_form *form)
{
    put(t, "    static constexpr short OFFSET[] = {");
    for (uint32_t c = 0; c < code->cols; c++)
        put(t, "%u, ", form->offset[c]);
    put(t, "};\n");
}

enum { MANY_LANES = 256, NO_CHAINS = 1000 }; /* row.cuh, minima.cuh */

/* Rows as single statements; with many lanes they have chains, which are faster. */
static void put_texts(struct text *t, const struct ldpc_code *code,
                      const struct ldpc_registers_form *form)
{
    uint32_t first[LDPC_REGISTERS_COLS + 1] = {0};
    const struct ldpc_row_texts texts = {.first = first,
                                         .rows = code->rows,
                                         .pack0 = form->unpacked,
                                         .pack1 = code->rows,
                                         .chains = form->lanes >= MANY_LANES ? 0 : NO_CHAINS,
                                         .oms = form->oms};

    for (uint32_t i = 0; i < code->rows; i++) {
        const uint32_t r = ldpc_registers_row(code, form, i);

        first[i + 1] = first[i] + code->row_first[r + 1] - code->row_first[r];
    }
    ldpc_row_texts(t, &texts);
}

size_t ldpc_registers_source(const struct ldpc_code *code, const struct ldpc_registers_form *form,
                             int graph, char *text, size_t size)
{
    struct text t = {.at = text, .size = size};

    put(&t, "#include \"plugins/ldpc/cuda/registers/kernel.cuh\"\n"
            "namespace ldpc_registers {\n");
    put(&t, "template <> struct graph<%d> {\n", graph);
    put(&t,
        "    static constexpr int INFO = %u, CORE = %u, CORE_ROWS = %u, PUNCTURED = 0, "
        "SPLIT = 1000;\n",
        (code->k + code->z - 1) / code->z, code->cols, code->rows);
    put(&t,
        "    static constexpr bool TURNED = false, OMS = %d, SPA = %d, FORWARD = false, "
        "EARLY_STOP = %d, SOFT = %d;\n",
        form->oms, form->spa, form->early_stop, form->soft);
    put_list(&t, code, form, FIRST);
    put_list(&t, code, form, COL);
    put_list(&t, code, form, SHIFT);
    put_offsets(&t, code, form);
    put(&t, "    static constexpr int sure(int rows) { return rows; }\n"
            "    static constexpr int first(int r) { return FIRST[r]; }\n"
            "    static constexpr int col(int e) { return COL[e]; }\n"
            "    static constexpr int shift(int e, int) { return SHIFT[e]; }\n"
            "    static constexpr int offset(int c) { return OFFSET[c]; }\n");
    put(&t, "    static constexpr bool held(int c) { return 0x%llxull >> c & 1; }\n};\n",
        (unsigned long long)form->held);
    if (!form->spa)
        put_texts(&t, code, form);
    put(&t,
        "using decoder_%d = decoder<%d, %u, %u, %u, 0, 0, %u, 0, %u, 0, (%u && %u >= MANY_LANES "
        "? 0 : NO_CHAINS)>;\n",
        graph, graph, code->rows, form->unpacked, code->rows, code->z, form->lanes, !form->spa,
        form->lanes);
    put(&t,
        "template __global__ void decode<decoder_%d, %u, %u>(\n    const __grid_constant__ struct "
        "ldpc_registers_work);\n}\n",
        graph, form->threads, form->blocks);
    return t.length;
}
