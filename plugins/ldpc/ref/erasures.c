/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Maximum-likelihood decoding of erasures, in four parts: equations that only give parity bits
 * nobody asks for are dropped; those with one unknown left give it, and where none has, all
 * unknowns but one of the equation with fewest are set aside (code/solve/peel.h); what was set aside is
 * found by elimination of a dense matrix (code/solve/dense.h), whose column 0 is the constant 1; and
 * with these the others are added up once more.
 */
#include "plugins/ldpc/ref/erasures.h"

#include <fecrun/sdk/carve.h>
#include <fecrun/sdk/params.h>

#include "plugins/ldpc/code/solve/dense.h"

enum { ONE = 0 }; /* dense column */

struct solver {
    const struct ldpc_decode *d;
    float *llr;
    struct peel peel;
    struct dense dense;
    bool *wanted;             /* columns: information bits */
    uint32_t *degree, *stack; /* of dropping: a column's rows, columns to look at */
    size_t room;              /* words of dense.sum */
};

/* Words that the sums have at most. */
static size_t most_words(const struct peel *p)
{
    const size_t all = (size_t)p->rows * ((size_t)p->cols / 64 + 1);
    const size_t most = LDPC_ERASURES_DENSE / sizeof(uint64_t);

    return all < most ? all : most;
}

static size_t lay_out(struct solver *s, const struct ldpc_decode *d, void *base)
{
    struct peel *p = &s->peel;
    struct dense *m = &s->dense;
    size_t used = ldpc_peel_carve(p, d->code, d->rows, base);

    s->wanted = fecrun_carve(base, &used, p->cols * sizeof *s->wanted);
    s->degree = fecrun_carve(base, &used, p->cols * sizeof *s->degree);
    s->stack = fecrun_carve(base, &used, p->cols * sizeof *s->stack);
    m->index = fecrun_carve(base, &used, p->cols * sizeof *m->index);
    m->sum_of = fecrun_carve(base, &used, p->cols * sizeof *m->sum_of);
    m->col = fecrun_carve(base, &used, ((size_t)p->cols + 1) * sizeof *m->col);
    m->pivot = fecrun_carve(base, &used, p->rows * sizeof *m->pivot);
    s->room = most_words(p);
    m->sum = fecrun_carve(base, &used, s->room * sizeof *m->sum);
    return used;
}

size_t ldpc_erasures_scratch(const struct ldpc_decode *d)
{
    struct solver s;

    return lay_out(&s, d, NULL);
}

static void load(struct solver *s)
{
    const struct ldpc_code *code = s->d->code;
    struct peel *p = &s->peel;

    ldpc_peel_lift(p, code);
    for (uint32_t c = 0; c < p->cols; c++)
        p->unknown[c] = s->llr[c] == 0;
    memset(s->wanted, false, p->cols * sizeof *s->wanted);
    for (uint32_t i = 0; i < code->k - code->fillers; i++)
        s->wanted[ldpc_info(code, i)] = true;
}

/* A check on decided bits does not hold: the usual case over noise, and there is no more to do. */
static bool contradicts(const struct solver *s)
{
    const struct peel *p = &s->peel;

    for (uint32_t row = 0; row < p->rows; row++) {
        bool odd = false, open = false;

        for (uint32_t e = p->row_first[row]; e < p->row_first[row + 1]; e++) {
            odd ^= s->llr[p->row_col[e]] < 0;
            open |= p->unknown[p->row_col[e]];
        }
        if (odd && !open)
            return true;
    }
    return false;
}

/* ---- equations without use ------------------------------------------------------------------ */

/* Only one row has this unknown, which nobody wants: it can always be made to hold. */
static bool useless(const struct solver *s, uint32_t col)
{
    return s->peel.unknown[col] && !s->wanted[col] && s->degree[col] == 1;
}

static void drop(struct solver *s, uint32_t row, uint32_t *n)
{
    struct peel *p = &s->peel;

    p->used[row] = true;
    for (uint32_t e = p->row_first[row]; e < p->row_first[row + 1]; e++) {
        const uint32_t c = p->row_col[e];

        s->degree[c]--;
        if (useless(s, c))
            s->stack[(*n)++] = c;
    }
}

/* A column gets onto the stack once, for its rows only become fewer. */
static void drop_useless(struct solver *s)
{
    struct peel *p = &s->peel;
    uint32_t n = 0;

    for (uint32_t c = 0; c < p->cols; c++) {
        s->degree[c] = p->col_first[c + 1] - p->col_first[c];
        if (useless(s, c))
            s->stack[n++] = c;
    }
    while (n) {
        const uint32_t c = s->stack[--n];

        for (uint32_t e = p->col_first[c]; e < p->col_first[c + 1]; e++)
            if (!p->used[p->col_row[e]])
                drop(s, p->col_row[e], &n);
    }
}

/* ---- the others ----------------------------------------------------------------------------- */

/* Of what is decided the ones are the constant, and the zeros nothing. false: too little room. */
static bool number(struct solver *s)
{
    struct dense *m = &s->dense;
    const struct peel *p = &s->peel;

    ldpc_dense_steps(m, p);
    m->cols = ONE + 1;
    for (uint32_t c = 0; c < p->cols; c++) {
        m->index[c] = PEEL_NONE;
        if (s->llr[c] < 0) {
            m->index[c] = ONE;
        } else if (s->llr[c] == 0 && !p->unknown[c] && m->sum_of[c] == PEEL_NONE) {
            m->col[m->cols] = c;
            m->index[c] = m->cols++;
        }
    }
    m->words = m->cols / 64 + 1;
    return ((size_t)m->n_steps + m->rows) * m->words <= s->room;
}

/* Columns with a pivot become sums of those without, and then all steps do. */
static void substitute(struct solver *s)
{
    struct dense *m = &s->dense;

    for (uint32_t j = 0; j < m->rank; j++) {
        const uint32_t pivot = m->pivot[j], c = m->col[pivot];

        ldpc_dense_row(m, j)[pivot / 64] ^= UINT64_C(1) << pivot % 64;
        m->index[c] = PEEL_NONE;
        m->sum_of[c] = m->n_steps + j;
    }
    ldpc_dense_sum_steps(m, &s->peel);
}

/* The sum of a column; NULL: it is free. */
static const uint64_t *sum_of(const struct solver *s, uint32_t col)
{
    const struct dense *m = &s->dense;

    return m->sum_of[col] == PEEL_NONE ? NULL : m->sum + (size_t)m->sum_of[col] * m->words;
}

/* Nothing but the constant. */
static bool determined(const struct solver *s, uint32_t col)
{
    const uint64_t *sum = sum_of(s, col);
    uint64_t free_columns = 0;

    if (!sum)
        return false;
    free_columns = sum[0] & ~(UINT64_C(1) << ONE);
    for (uint32_t w = 1; w < s->dense.words; w++)
        free_columns |= sum[w];
    return !free_columns;
}

static bool all_determined(const struct solver *s)
{
    for (uint32_t c = 0; c < s->peel.cols; c++)
        if (s->wanted[c] && s->llr[c] == 0 && !determined(s, c))
            return false;
    return true;
}

static void store(struct solver *s)
{
    for (uint32_t c = 0; c < s->peel.cols; c++)
        if (s->wanted[c] && s->llr[c] == 0)
            s->llr[c] = sum_of(s, c)[0] >> ONE & 1 ? -FECRUN_LLR_MAX_F32 : FECRUN_LLR_MAX_F32;
}

bool ldpc_erasures_solve(const struct ldpc_decode *d, float *llr, void *scratch)
{
    struct solver s = {.d = d, .llr = llr};

    lay_out(&s, d, scratch);
    load(&s);
    if (contradicts(&s))
        return false;
    drop_useless(&s);
    ldpc_peel(&s.peel);
    if (!number(&s))
        return false;
    ldpc_dense_fill(&s.dense, &s.peel);
    ldpc_dense_eliminate(&s.dense);
    if (s.dense.rank && s.dense.pivot[s.dense.rank - 1] == ONE)
        return false;
    substitute(&s);
    if (!all_determined(&s))
        return false;
    store(&s);
    return true;
}
