/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/ldpc/cuda/registers/row_text.h"

enum { MOST = LDPC_ROW_TEXT_MOST + 1 }; /* LLRs */

enum { ALPHA, HALF, BETA }; /* inputs */

/* A row that is being written. A value is the number of a register: x0, x1, ... */
struct row {
    struct text *t;
    const char *end; /* of a line */
    const struct ldpc_row_shape *shape;
    uint32_t n, words;         /* LLRs, words of messages */
    uint32_t parity, inputs;   /* operands */
    uint32_t values;           /* so far */
    uint32_t q[MOST], r[MOST]; /* values: LLRs without their messages, messages */
};

/* Those of trees: at most two for each pair of LLRs that are joined, and what comes before and behind. */
static uint32_t most_values(uint32_t n)
{
    return 8 * n;
}

static uint32_t word_operand(const struct row *w, uint32_t k)
{
    return w->n + (w->shape->packed ? k / 2 : k);
}

static void line(struct row *w, const char *format, uint32_t a, uint32_t b, uint32_t c)
{
    put(w->t, format, a, b, c);
    put(w->t, "%s", w->end);
}

/* The message of edge k, as it is kept, as value m. */
static void put_message(struct row *w, uint32_t k)
{
    if (w->shape->packed && k % 2)
        line(w, "prmt.b32 m, %%%u, %%%u, 0x2404;", word_operand(w, k), w->inputs + HALF, 0);
    else
        line(w, "mov.b32 m, %%%u;", word_operand(w, k), 0, 0);
}

/* The lesser magnitude, with the product of the signs unless these are apart. */
static uint32_t least(struct row *w, uint32_t a, uint32_t b)
{
    const uint32_t v = w->values++;

    if (w->shape->apart) {
        line(w, "abs.f16x2 u, x%u;", a, 0, 0);
        line(w, "abs.f16x2 v, x%u;", b, 0, 0);
        line(w, "min.f16x2 x%u, u, v;", v, 0, 0);
    } else {
        line(w, "min.xorsign.abs.f16x2 x%u, x%u, x%u;", v, a, b);
    }
    return v;
}

/* Up: the minimum of LLRs lo to hi - 1. at: values of the tree's nodes, this one's first. */
static uint32_t up(struct row *w, uint32_t lo, uint32_t hi, uint32_t *at)
{
    const uint32_t middle = (lo + hi) / 2;
    uint32_t a, b;

    if (hi - lo == 1)
        return *at = w->q[lo];
    a = up(w, lo, middle, at + 1);
    b = up(w, middle, hi, at + 2 * (middle - lo));
    return *at = least(w, a, b);
}

/* Down: that of all LLRs but each one, where `outside` is that of LLRs outside of lo to hi - 1. */
static void down(struct row *w, uint32_t lo, uint32_t hi, uint32_t outside, const uint32_t *at)
{
    const uint32_t middle = (lo + hi) / 2;
    const uint32_t *a = at + 1, *b = at + 2 * (middle - lo);

    if (hi - lo == 1) {
        w->r[lo] = outside;
        return;
    }
    down(w, lo, middle, least(w, outside, *b), a);
    down(w, middle, hi, least(w, outside, *a), b);
}

/* 512 bounds core rows, which have no channel LLR that does. */
static uint32_t of_core(struct row *w, uint32_t value)
{
    const uint32_t bound = w->values++;

    line(w, "mov.b32 x%u, 0x60006000;", bound, 0, 0);
    return least(w, value, bound);
}

/* The product of all signs and of the LLR's own one. */
static void put_signs(struct row *w)
{
    const uint32_t all = w->values++;

    line(w, "xor.b32 x%u, x%u, x%u;", all, w->q[0], w->q[1]);
    for (uint32_t k = 2; k < w->n; k++)
        line(w, "xor.b32 x%u, x%u, x%u;", all, all, w->q[k]);
    for (uint32_t k = 0; k < w->n; k++) {
        const uint32_t v = w->values++;

        line(w, "xor.b32 u, x%u, x%u;", all, w->q[k], 0);
        line(w, "lop3.b32 x%u, x%u, u, 0x80008000, 0xd8;", v, w->r[k], 0);
        w->r[k] = v;
    }
}

static void minima(struct row *w)
{
    const uint32_t middle = w->n / 2;
    uint32_t a[2 * MOST], b[2 * MOST], x = up(w, 0, middle, a), y = up(w, middle, w->n, b);

    if (!w->shape->extended) {
        x = of_core(w, x);
        y = of_core(w, y);
    }
    down(w, 0, middle, y, a);
    down(w, middle, w->n, x, b);
    if (w->shape->apart)
        put_signs(w);
}

/* Messages less the offset, but not below 0. */
static void subtract_offset(struct row *w)
{
    for (uint32_t k = 0; k < w->n; k++) {
        const uint32_t v = w->values++;

        line(w, "abs.f16x2 u, x%u;", w->r[k], 0, 0);
        line(w, "min.f16x2 u, u, %%%u;", w->inputs + BETA, 0, 0);
        line(w, "lop3.b32 u, u, x%u, 0x80008000, 0xd8;", w->r[k], 0, 0);
        line(w, "sub.f16x2 x%u, x%u, u;", v, w->r[k], 0);
        w->r[k] = v;
    }
}

/* LLRs without their messages, of the iteration before. */
static void take_messages(struct row *w)
{
    for (uint32_t k = 0; k < w->n; k++) {
        w->q[k] = w->values++;
        if (k < w->shape->degree) {
            put_message(w, k);
            line(w, "neg.f16x2 m, m;", 0, 0, 0);
            line(w, "fma.rn.f16x2 x%u, m, before, %%%u;", w->q[k], k, 0);
        } else {
            line(w, "mov.b32 x%u, %%%u;", w->q[k], k, 0);
        }
    }
}

/* Messages as they are kept, and LLRs with these. */
static void give_messages(struct row *w)
{
    const uint32_t degree = w->shape->degree;

    for (uint32_t k = 0; k < degree; k++)
        if (w->shape->packed && k % 2)
            line(w, "prmt.b32 %%%u, x%u, x%u, 0x3715;", word_operand(w, k), w->r[k - 1], w->r[k]);
        else if (!w->shape->packed || k + 1 == degree)
            line(w, "mov.b32 %%%u, x%u;", word_operand(w, k), w->r[k], 0);
    for (uint32_t k = 0; k < w->n; k++) {
        if (k < degree)
            put_message(w, k);
        else
            line(w, "mov.b32 m, x%u;", w->r[k], 0, 0);
        line(w, "fma.rn.f16x2 %%%u, m, now, x%u;", k, w->q[k], 0);
    }
    line(w, "xor.b32 %%%u, %%%u, %%%u;", w->parity, 0, 1);
    for (uint32_t k = 2; k < w->n; k++)
        line(w, "xor.b32 %%%u, %%%u, %%%u;", w->parity, w->parity, k);
}

void ldpc_row_ptx(struct text *t, const struct ldpc_row_shape *shape, const char *end)
{
    struct row w = {.t = t, .end = end, .shape = shape, .n = shape->degree + shape->extended};

    w.words = shape->packed ? (shape->degree + 1) / 2 : shape->degree;
    w.parity = w.n + w.words;
    w.inputs = w.parity + 1;
    line(&w, "{", 0, 0, 0);
    line(&w, ".reg .b32 x<%u>, m, u, v, now, before;", most_values(w.n), 0, 0);
    line(&w, ".reg .b16 low, high;", 0, 0, 0);
    line(&w, "mov.b32 {low, high}, %%%u;", w.inputs + ALPHA, 0, 0);
    line(&w, "mov.b32 now, {low, low};", 0, 0, 0);
    line(&w, "mov.b32 before, {high, high};", 0, 0, 0);
    take_messages(&w);
    minima(&w);
    if (shape->oms)
        subtract_offset(&w);
    give_messages(&w);
    put(t, "}");
}

/* ---- Specialisations ---- */

static void put_specialisation(struct text *t, const struct ldpc_row_shape *shape)
{
    const uint32_t n = shape->degree + shape->extended;
    const uint32_t words = shape->packed ? (shape->degree + 1) / 2 : shape->degree;
    struct ldpc_row_shape of_device = *shape;

    put(t, "template <> struct row_text<%u, %d, %d> {\n    static constexpr bool THERE = true;\n",
        shape->degree, shape->extended, shape->packed);
    put(t,
        "    FECRUN_MEMBER static uint32_t run(uint32_t *q, uint32_t *m, uint32_t alpha, uint32_t "
        "half, uint32_t beta)\n    {\n        uint32_t parity;\n\n");
    put(t, "        asm(\n#if __CUDA_ARCH__ < 860\n\"");
    of_device.apart = true;
    ldpc_row_ptx(t, &of_device, "\\n");
    put(t, "\"\n#else\n\"");
    of_device.apart = false;
    ldpc_row_ptx(t, &of_device, "\\n");
    put(t, "\"\n#endif\n:");
    for (uint32_t k = 0; k < n; k++)
        put(t, "%s\"+&r\"(q[%u])", k ? ", " : " ", k);
    for (uint32_t k = 0; k < words; k++)
        put(t, ", \"+&r\"(m[%u])", k);
    put(t, ", \"=&r\"(parity) : \"r\"(alpha), \"r\"(half), \"r\"(beta));\n        return parity;\n "
           "   }\n};\n");
}

static struct ldpc_row_shape shape_of(const struct ldpc_row_texts *rows, uint32_t r)
{
    return (struct ldpc_row_shape){.degree = rows->first[r + 1] - rows->first[r],
                                   .extended = r >= rows->own0 && r < rows->own1,
                                   .packed = r >= rows->pack0 && r < rows->pack1,
                                   .oms = rows->oms};
}

static bool is_new(const struct ldpc_row_texts *rows, uint32_t r)
{
    const struct ldpc_row_shape shape = shape_of(rows, r);

    for (uint32_t i = 0; i < r; i++) {
        const struct ldpc_row_shape s = shape_of(rows, i);

        if (s.degree == shape.degree && s.extended == shape.extended && s.packed == shape.packed)
            return false;
    }
    return true;
}

void ldpc_row_texts(struct text *t, const struct ldpc_row_texts *rows)
{
    put(t, "#ifdef __CUDACC_RTC__\n");
    for (uint32_t r = 0; r < rows->rows; r++) {
        const struct ldpc_row_shape shape = shape_of(rows, r);
        const uint32_t n = shape.degree + shape.extended;

        if (n >= 2 && n < rows->chains && shape.degree <= LDPC_ROW_TEXT_MOST && is_new(rows, r))
            put_specialisation(t, &shape);
    }
    put(t, "#endif\n");
}
