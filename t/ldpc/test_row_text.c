/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A row's arithmetic as PTX, for kernels that are compiled when they are used: carried out here, instruction by
 * instruction, beside the rule of normalised and offset min-sum.
 */
#include <ctype.h>
#include <fecrun/sdk/sample.h>
#include <math.h>

#include "plugins/ldpc/cuda/registers/row_text.h"
#include "t/lib/tap.h"

enum { ROOM = 1 << 15, MOST = LDPC_ROW_TEXT_MOST + 1, OPERANDS = 80, VALUES = 256 };

/* ---- Halves ---------------------------------------------------------------------------------- */

static double value_of(uint32_t half)
{
    const uint32_t bits = fecrun_half_widen(half & 0xffff);
    float x;

    memcpy(&x, &bits, sizeof x);
    return (double)x;
}

/* The numbers here are exact as a double, so that this rounds once. */
static uint32_t half_of(double x)
{
    return fecrun_half(x);
}

typedef double (*of_halves)(double a, double b, double c);

static uint32_t both(of_halves f, uint32_t a, uint32_t b, uint32_t c)
{
    return half_of(f(value_of(a), value_of(b), value_of(c))) |
           half_of(f(value_of(a >> 16), value_of(b >> 16), value_of(c >> 16))) << 16;
}

static double f_fma(double a, double b, double c)
{
    return a * b + c;
}

static double f_min(double a, double b, double c)
{
    (void)c;
    return a < b ? a : b;
}

static double f_xorsign(double a, double b, double c)
{
    const double m = fabs(a) < fabs(b) ? fabs(a) : fabs(b);

    (void)c;
    return signbit(a) != signbit(b) ? -m : m;
}

static double f_sub(double a, double b, double c)
{
    (void)c;
    return a - b;
}

static uint32_t permuted(uint32_t a, uint32_t b, uint32_t selector)
{
    const uint64_t bytes = (uint64_t)b << 32 | a;
    uint32_t d = 0;

    for (unsigned i = 0; i < 4; i++)
        d |= (uint32_t)(bytes >> 8 * (selector >> 4 * i & 7) & 0xff) << 8 * i;
    return d;
}

/* ---- A machine for these instructions -------------------------------------------------------- */

struct machine {
    uint32_t operand[OPERANDS], x[VALUES],
        named[128]; /* registers of one letter, `now` by n, `before` by b */
    uint32_t low, high;
    unsigned instructions;
};

static uint32_t *place(struct machine *m, const char *name)
{
    if (name[0] == '%')
        return &m->operand[atoi(name + 1)];
    if (name[0] == 'x' && isdigit((unsigned char)name[1]))
        return &m->x[atoi(name + 1)];
    return &m->named[(unsigned char)name[0]];
}

static uint32_t read(struct machine *m, const char *name)
{
    return isdigit((unsigned char)name[0]) ? (uint32_t)strtoul(name, NULL, 16) : *place(m, name);
}

/* Moves of a pair of halves. */
static bool step_pair(struct machine *m, const char *line)
{
    char name[16], half[16];
    uint32_t word;

    if (sscanf(line, "mov.b32 {low, high}, %15[^;];", name) == 1) {
        m->low = read(m, name) & 0xffff;
        m->high = read(m, name) >> 16;
        return true;
    }
    if (sscanf(line, "mov.b32 %15[a-z], {%15[a-z],", name, half) != 2)
        return false;
    word = half[0] == 'l' ? m->low : m->high;
    *place(m, name) = word << 16 | word;
    return true;
}

static void step(struct machine *m, const char *line)
{
    char op[32], name[5][16] = {""};
    uint32_t v[5] = {0};
    const int n = sscanf(line, "%31s %15[^,;], %15[^,;], %15[^,;], %15[^,;], %15[^,;];", op,
                         name[0], name[1], name[2], name[3], name[4]);
    uint32_t *to;

    if (strchr("{}.", line[0]))
        return;
    m->instructions++;
    if (step_pair(m, line))
        return;
    for (int i = 1; i < n - 1; i++)
        v[i] = read(m, name[i]);
    to = place(m, name[0]);
    if (!strcmp(op, "mov.b32"))
        *to = v[1];
    else if (!strcmp(op, "xor.b32"))
        *to = v[1] ^ v[2];
    else if (!strcmp(op, "neg.f16x2"))
        *to = v[1] ^ 0x80008000;
    else if (!strcmp(op, "abs.f16x2"))
        *to = v[1] & 0x7fff7fff;
    else if (!strcmp(op, "prmt.b32"))
        *to = permuted(v[1], v[2], v[3]);
    else if (!strcmp(op, "lop3.b32") &&
             v[4] == 0xd8) /* its third operand chooses the second one's bits */
        *to = (v[1] & ~v[3]) | (v[2] & v[3]);
    else if (!strcmp(op, "fma.rn.f16x2"))
        *to = both(f_fma, v[1], v[2], v[3]);
    else if (!strcmp(op, "min.f16x2"))
        *to = both(f_min, v[1], v[2], 0);
    else if (!strcmp(op, "sub.f16x2"))
        *to = both(f_sub, v[1], v[2], 0);
    else if (!strcmp(op, "min.xorsign.abs.f16x2"))
        *to = both(f_xorsign, v[1], v[2], 0);
    else
        bail("no such instruction here: %s", line);
}

static void run(struct machine *m, const char *text)
{
    for (const char *line = text; *line;
         line += strcspn(line, "\n") + (line[strcspn(line, "\n")] != 0))
        step(m, line);
}

/* ---- The rule -------------------------------------------------------------------------------- */

/* A lane of a row: n LLRs and degree messages as they are kept, then new ones. */
struct lane {
    uint32_t n, degree;
    double llr[MOST], message[MOST], now, before, beta;
};

static void decode(const struct ldpc_row_shape *shape, struct lane *l, uint32_t *kept)
{
    double q[MOST], r[MOST];

    for (uint32_t k = 0; k < l->n; k++)
        q[k] = k < l->degree ? value_of(half_of(l->llr[k] - l->message[k] * l->before)) : l->llr[k];
    for (uint32_t k = 0; k < l->n; k++) {
        double least = shape->extended ? INFINITY : 512;
        bool minus = false;

        for (uint32_t i = 0; i < l->n; i++) {
            if (i == k)
                continue;
            least = fmin(least, fabs(q[i]));
            minus ^= signbit(q[i]) != 0;
        }
        if (shape->oms)
            least = value_of(half_of(least - fmin(least, l->beta)));
        r[k] = minus && (least > 0 || !shape->oms) ? -least : least;
    }
    for (uint32_t k = 0; k < l->n; k++) {
        uint32_t h = half_of(r[k]);

        /* packed: the upper byte; below it that of the other one of two, or 0x80 */
        if (shape->packed && k < l->degree && k % 2)
            h = (h & 0xff00) | 0x80;
        else if (shape->packed && k + 1 < l->degree)
            h = (h & 0xff00) | half_of(r[k + 1]) >> 8;
        kept[k] = h;
        l->llr[k] = value_of(half_of(value_of(h) * l->now + q[k]));
    }
}

/* ---- Both ------------------------------------------------------------------------------------ */

static uint32_t state = 1;

static uint32_t any(uint32_t below)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
}

/* A half: few bits, so that magnitudes are often the same, and both zeros. */
static uint32_t any_llr(uint32_t most)
{
    return half_of(any(2 * most) / 8.0) | any(2) << 15;
}

static const double alpha[] = {0.5, 0.75, 0.8125, 1};

struct row_state {
    uint32_t n, words, llr[MOST], word[MOST];
    double now, before, beta;
};

static void draw(const struct ldpc_row_shape *shape, struct row_state *s)
{
    s->n = shape->degree + shape->extended;
    s->words = shape->packed ? (shape->degree + 1) / 2 : shape->degree;
    s->now = alpha[any(4)];
    s->before = alpha[any(4)];
    s->beta = any(8) / 8.0;
    for (uint32_t i = 0; i < s->n; i++)
        s->llr[i] = any_llr(400) | any_llr(400) << 16;
    for (uint32_t i = 0; i < s->words; i++)
        s->word[i] = any_llr(60) | any_llr(60) << 16;
}

/* Message k of a lane, as words say. */
static uint32_t message_of(const struct ldpc_row_shape *shape, const uint32_t *word, uint32_t k,
                           unsigned lane)
{
    const uint32_t half = word[shape->packed ? k / 2 : k] >> 16 * lane & 0xffff;

    return shape->packed && k % 2 ? (half & 0xff) << 8 | 0x80 : half;
}

static uint32_t wrong_lane(const struct ldpc_row_shape *shape, const struct row_state *s,
                           const struct machine *m, unsigned lane)
{
    struct lane l = {
        .n = s->n, .degree = shape->degree, .now = s->now, .before = s->before, .beta = s->beta};
    uint32_t kept[MOST], wrong = 0, parity = 0;

    for (uint32_t k = 0; k < s->n; k++)
        l.llr[k] = value_of(s->llr[k] >> 16 * lane & 0xffff);
    for (uint32_t k = 0; k < shape->degree; k++)
        l.message[k] = value_of(message_of(shape, s->word, k, lane));
    decode(shape, &l, kept);
    for (uint32_t k = 0; k < s->n; k++) {
        const uint32_t llr = m->operand[k] >> 16 * lane & 0xffff;

        wrong += llr != half_of(l.llr[k]);
        parity ^= llr;
    }
    for (uint32_t k = 0; k < shape->degree; k++)
        wrong += message_of(shape, m->operand + s->n, k, lane) != kept[k];
    return wrong + ((m->operand[s->n + s->words] >> 16 * lane & 0x8000) != (parity & 0x8000));
}

static uint32_t wrong_rows(const struct ldpc_row_shape *shape, const char *text)
{
    uint32_t wrong = 0;

    for (unsigned i = 0; i < 50; i++) {
        static struct machine m;
        struct row_state s;
        uint32_t *input;

        memset(&m, 0, sizeof m);
        draw(shape, &s);
        memcpy(m.operand, s.llr, s.n * sizeof *s.llr);
        memcpy(m.operand + s.n, s.word, s.words * sizeof *s.word);
        input = m.operand + s.n + s.words + 1;
        input[0] = half_of(s.now) | half_of(s.before) << 16;
        input[1] = 0x80;
        input[2] = half_of(s.beta) * 0x10001u;
        run(&m, text);
        wrong += wrong_lane(shape, &s, &m, 0) || wrong_lane(shape, &s, &m, 1);
        if (!m.instructions)
            bail("no instructions");
    }
    return wrong;
}

static void test_shape(bool extended, bool packed, bool oms, bool apart)
{
    uint32_t wrong = 0;

    for (uint32_t degree = extended ? 1 : 2; degree <= LDPC_ROW_TEXT_MOST; degree++) {
        const struct ldpc_row_shape shape = {degree, extended, packed, oms, apart};
        static char text[ROOM];
        struct text t = {.at = text, .size = sizeof text};
        uint32_t rows;

        ldpc_row_ptx(&t, &shape, "\n");
        if (t.length >= sizeof text)
            bail("a longer text than there is room for");
        rows = wrong_rows(&shape, text);
        if (rows)
            diag("%u edges: %u of 50 rows", degree, rows);
        wrong += rows;
    }
    is_int(wrong, 0, "%s%s%s%s", oms ? "offset" : "normalised",
           extended ? ", with a column of its own" : "", packed ? ", two messages a word" : "",
           apart ? ", signs apart" : "");
}

/* What a source says: one statement for rows of the same shape, none for rows that have chains. */
static void test_source(void)
{
    static const uint32_t first[] = {0, 19, 38, 41, 49, 57};
    static char text[1 << 16];
    struct ldpc_row_texts rows = {
        .first = first, .rows = 5, .own0 = 2, .own1 = 5, .pack1 = 4, .chains = 1000};
    struct text t = {.at = text, .size = sizeof text};
    unsigned n = 0;

    ldpc_row_texts(&t, &rows);
    for (const char *at = text; (at = strstr(at, "struct row_text<")); at++)
        n++;
    ok(n == 4 && strstr(text, "row_text<19, 0, 1>") && strstr(text, "row_text<3, 1, 1>") &&
           strstr(text, "row_text<8, 1, 1>") && strstr(text, "row_text<8, 1, 0>"),
       "a statement for each shape of a row: %u", n);
    t.length = 0;
    rows.chains = 9;
    ldpc_row_texts(&t, &rows);
    ok(strstr(text, "row_text<3, 1, 1>") && !strstr(text, "row_text<8"),
       "none for rows with chains");
}

int main(void)
{
    for (unsigned i = 0; i < 16; i++)
        test_shape(i & 1, i & 2, i & 4, i & 8);
    test_source();
    return done_testing();
}
