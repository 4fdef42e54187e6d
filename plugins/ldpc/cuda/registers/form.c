/* SPDX-License-Identifier: BSD-2-Clause */
/* Chooses the form of a kernel in registers, for a code that is not NR's. */
#include <string.h>

#include "plugins/ldpc/cuda/registers/form.h"
#include "plugins/ldpc/cuda/registers/work.h"

/* ---- Columns in registers -------------------------------------------------------------------- */

/*
 * Turning a row by x adds x to all its shifts. A column can be held if its rows are turned so that
 * all of its shifts are the same. Rows that share held columns are tied to each other: turn[] of
 * each is known but for a number that all rows of its tree have in common.
 */
struct ties {
    uint32_t z;
    uint32_t tree[LDPC_REGISTERS_COLS], turn[LDPC_REGISTERS_COLS]; /* of each row */
};

static void tie(struct ties *t, uint32_t rows, uint32_t from, uint32_t to, uint32_t more)
{
    for (uint32_t r = 0; r < rows; r++)
        if (t->tree[r] == from) {
            t->tree[r] = to;
            t->turn[r] = (t->turn[r] + more) % t->z;
        }
}

/* Ties the rows of a column, or leaves all as it is. */
static bool tie_column(struct ties *t, const struct ldpc_code *code, uint32_t col)
{
    struct ties next = *t;
    uint32_t first_row = UINT32_MAX, first_sum = 0;

    for (uint32_t r = 0; r < code->rows; r++)
        for (uint32_t e = code->row_first[r]; e < code->row_first[r + 1]; e++) {
            const uint32_t sum = (code->edge[e].shift + next.turn[r]) % t->z;

            if (code->edge[e].col != col)
                continue;
            if (first_row == UINT32_MAX) {
                first_row = r;
                first_sum = sum;
            } else if (next.tree[r] != next.tree[first_row]) {
                tie(&next, code->rows, next.tree[r], next.tree[first_row], first_sum + t->z - sum);
            } else if (sum != first_sum) {
                return false;
            }
        }
    *t = next;
    return true;
}

static uint32_t degree_of(const struct ldpc_code *code, uint32_t col)
{
    uint32_t n = 0;

    for (uint32_t e = 0; e < ldpc_edges(code); e++)
        n += code->edge[e].col == col;
    return n;
}

/* Takes columns by their degree, largest or smallest first. The edges that are held. */
static uint32_t hold_by_degree(const struct ldpc_code *code, bool largest_first, uint32_t most,
                               struct ties *t, uint64_t *held)
{
    uint32_t edges = 0;

    memset(t, 0, sizeof *t);
    t->z = code->z;
    *held = 0;
    for (uint32_t r = 0; r < code->rows; r++)
        t->tree[r] = r;
    for (uint32_t i = 1; i <= code->rows; i++) {
        const uint32_t degree = largest_first ? code->rows + 1 - i : i;

        for (uint32_t c = 0; c < code->cols && most; c++)
            if (degree_of(code, c) == degree && tie_column(t, code, c)) {
                *held |= UINT64_C(1) << c;
                edges += degree;
                most--;
            }
    }
    return edges;
}

void ldpc_registers_hold(const struct ldpc_code *code, uint32_t most,
                         struct ldpc_registers_form *form)
{
    struct ties small, large;
    uint64_t held_small, held_large;
    const uint32_t edges_small = hold_by_degree(code, false, most, &small, &held_small);
    const uint32_t edges_large = hold_by_degree(code, true, most, &large, &held_large);
    const struct ties *best = edges_large > edges_small ? &large : &small;

    form->held = best == &large ? held_large : held_small;
    memcpy(form->turn, best->turn, sizeof form->turn);
    for (uint32_t r = 0; r < code->rows; r++)
        for (uint32_t e = code->row_first[r]; e < code->row_first[r + 1]; e++)
            if (form->held >> code->edge[e].col & 1)
                form->offset[code->edge[e].col] = (code->edge[e].shift + form->turn[r]) % code->z;
}

/* ---- Form ------------------------------------------------------------------------------------ */

/*
 * Warps of a multiprocessor, all thread blocks together; registers that a thread has then; what a
 * lane at work is worth, as measured on an H200.
 */
static const struct residency {
    uint32_t warps, registers;
    double worth;
} residencies[] = {{8, 255, 0.88 / 8}, {12, 168, 1. / 12}, {16, 128, 0.95 / 16}};

enum {
    RESIDENCIES = sizeof residencies / sizeof *residencies,
    MOST_BLOCKS = 4,
    MOST_Z = 512,    /* lanes of the largest thread block */
    RESERVED = 1024, /* bytes of shared memory that each thread block takes beside its own */
    OVERHEAD = 34,   /* registers of a thread beside messages, held columns and a row's work */
};

static uint32_t degree(const struct ldpc_code *code, uint32_t row)
{
    return code->row_first[row + 1] - code->row_first[row];
}

const char *ldpc_registers_unfit(const struct ldpc_code *code)
{
    if (code->twins)
        return "two circulants of the code lie in one place";
    if (code->z < 2)
        return "the code has no lifting size";
    if (code->z > MOST_Z)
        return "z is above 512";
    if (code->place || code->info || code->punctured)
        return "columns of the code are sent in another order, or not at all";
    if (code->rows > LDPC_REGISTERS_COLS || code->cols > LDPC_REGISTERS_COLS)
        return "the base graph has more than 64 rows or columns";
    for (uint32_t r = 0; r < code->rows; r++)
        if (degree(code, r) < 2)
            return "a check of the code has less than two bits";
    for (uint32_t e = 0; e < ldpc_edges(code); e++)
        if (code->edge[e].skip != LDPC_NO_LANE)
            return "a circulant of the code lacks an edge";
    return NULL;
}

uint32_t ldpc_registers_slot(uint32_t read, uint32_t pairs)
{
    const uint32_t bytes = read + 2 * LDPC_REGISTERS_ALIGN - 1;
    const uint32_t slot = bytes / LDPC_REGISTERS_ALIGN * LDPC_REGISTERS_ALIGN;

    return pairs > 1 && slot / LDPC_REGISTERS_ALIGN % 2 == 0 ? slot + LDPC_REGISTERS_ALIGN : slot;
}

size_t ldpc_registers_form_shared(const struct ldpc_code *code,
                                  const struct ldpc_registers_form *form)
{
    const size_t columns = sizeof(uint32_t) * form->lanes * code->cols + LDPC_REGISTERS_ALIGN - 1;

    return columns / LDPC_REGISTERS_ALIGN * LDPC_REGISTERS_ALIGN + LDPC_REGISTERS_FLAGS +
           LDPC_REGISTERS_ALIGN;
}

uint32_t ldpc_registers_row(const struct ldpc_code *code, const struct ldpc_registers_form *form,
                            uint32_t i)
{
    return form->reverse ? i : code->rows - 1 - i;
}

/* Registers that a thread needs, if the first rows that the kernel has are not packed. */
static uint32_t needed(const struct ldpc_code *code, const struct ldpc_registers_form *form)
{
    uint32_t words = 0, largest = 0, held = 0;

    for (uint32_t i = 0; i < code->rows; i++) {
        const uint32_t d = degree(code, ldpc_registers_row(code, form, i));

        words += i < form->unpacked ? d : (d + 1) / 2;
        largest = d > largest ? d : largest;
    }
    for (uint32_t c = 0; c < code->cols; c++)
        held += form->held >> c & 1;
    return words + held + 2 * largest + OVERHEAD;
}

/* Packs no more rows than it must; false: too few registers even so. */
static bool pack(const struct ldpc_code *code, uint32_t registers, struct ldpc_registers_form *form)
{
    form->unpacked = code->rows;
    while (form->unpacked && needed(code, form) > registers)
        form->unpacked--;
    return needed(code, form) <= registers;
}

/* Of so many thread blocks with so many warps each; false: there is none. */
static bool try_form(const struct ldpc_code *code, uint32_t blocks, uint32_t warps,
                     uint32_t registers, const size_t most[2], struct ldpc_registers_form *form)
{
    size_t bytes;

    form->blocks = blocks;
    form->pairs = 32 * warps / code->z;
    form->pairs = form->pairs < LDPC_REGISTERS_LANES / 2 ? form->pairs : LDPC_REGISTERS_LANES / 2;
    form->lanes = form->pairs * code->z;
    form->threads = (form->lanes + 31) / 32 * 32;
    bytes = ldpc_registers_form_shared(code, form) +
            2 * (size_t)form->pairs * ldpc_registers_slot(code->n, form->pairs);
    return form->pairs && bytes <= most[1] && blocks * (bytes + RESERVED) <= most[0] &&
           pack(code, registers, form);
}

/*
 * Several thread blocks wait for each other's barriers less, and for fewer of their neighbours' code
 * blocks until they can take new ones; packing costs operations.
 */
static double score_of(const struct ldpc_code *code, const struct residency *residency,
                       const struct ldpc_registers_form *form)
{
    const double packed = 1 - (double)form->unpacked / code->rows;

    return residency->worth * form->blocks * form->lanes * (1 + 0.02 * form->blocks) *
           (1 - 0.05 * packed);
}

const char *ldpc_registers_choose_form(const struct ldpc_code *code, bool reverse, size_t shared,
                                       size_t shared_block, struct ldpc_registers_form *form)
{
    const size_t most[2] = {shared, shared_block};
    struct ldpc_registers_form best = {0}, next = {.reverse = reverse};
    double best_score = 0;

    ldpc_registers_hold(code, LDPC_REGISTERS_HELD, &next);
    for (unsigned i = 0; i < RESIDENCIES; i++)
        for (uint32_t blocks = 1; blocks <= MOST_BLOCKS; blocks++) {
            double score;

            if (!try_form(code, blocks, residencies[i].warps / blocks, residencies[i].registers,
                          most, &next))
                continue;
            score = score_of(code, &residencies[i], &next);
            if (score > best_score) {
                best_score = score;
                best = next;
            }
        }
    *form = best;
    return best_score > 0 ? NULL : "a thread has too few registers for the code's messages";
}
