/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A short Reed-Solomon code over GF(16), of at most 15 symbols of four bits, and decoders of it that are
 * wrong, each in one way. fecrun-check has to find every one but rs.decode, also without another backend
 * to compare with.
 */
#include <fecrun/sdk/params.h>
#include <fecrun/sdk/stage.h>
#include <stdbool.h>

enum { N = 15, SYMBOL = 4, MOST_PARITY = 8 };

struct code {
    unsigned info, parity; /* symbols */
};

/* ---- GF(16), x^4 + x + 1 ---- */

static const uint8_t exponents[2 * N] = {1, 2, 4, 8, 3, 6, 12, 11, 5, 10, 7, 14, 15, 13, 9,
                                         1, 2, 4, 8, 3, 6, 12, 11, 5, 10, 7, 14, 15, 13, 9};
static const uint8_t logarithms[N + 1] = {0, 0, 1, 4, 2, 8, 5, 10, 3, 14, 9, 7, 6, 13, 11, 12};

static uint8_t times(uint8_t a, uint8_t b)
{
    return a && b ? exponents[logarithms[a] + logarithms[b]] : 0;
}

static uint8_t over(uint8_t a, uint8_t b)
{
    return a ? exponents[logarithms[a] + N - logarithms[b]] : 0;
}

static uint8_t power(unsigned e)
{
    return exponents[e % N];
}

/* The polynomial of that degree at x. */
static uint8_t value(const uint8_t *coefficient, unsigned degree, uint8_t x)
{
    uint8_t sum = 0;

    for (unsigned i = degree + 1; i--;)
        sum = times(sum, x) ^ coefficient[i];
    return sum;
}

/* ---- Symbols in bits, the first bit the most significant one ---- */

static uint8_t get(const uint8_t *bits)
{
    return (uint8_t)(bits[0] << 3 | bits[1] << 2 | bits[2] << 1 | bits[3]);
}

static void put(uint8_t *bits, uint8_t symbol)
{
    for (unsigned i = 0; i < SYMBOL; i++)
        bits[i] = symbol >> (SYMBOL - 1 - i) & 1;
}

/* ---- Plans ---- */

static int make_code(unsigned info, unsigned parity, struct fecrun_plan *plan,
                     struct fecrun_error *err)
{
    struct code *code = fecrun_code(plan, sizeof *code, err);

    if (code)
        *code = (struct code){info, parity};
    return code ? 0 : -1;
}

static int plan_encode(const struct fecrun_host *host, const struct fecrun_values *values,
                       const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                       struct fecrun_plan *plan, struct fecrun_error *err)
{
    const uint64_t parity = (uint64_t)fecrun_value(values, 0)->i, info = in[0]->items / SYMBOL;

    (void)host;
    if (in[0]->stream || in[0]->items % SYMBOL || info + parity > N)
        return fecrun_fail(err, "parity", "wants whole symbols, and no more than fit");
    fecrun_frame_copy(out[0], in[0]);
    out[0]->items = (info + parity) * SYMBOL;
    return make_code((unsigned)info, (unsigned)parity, plan, err);
}

static int plan_decode(const struct fecrun_host *host, const struct fecrun_values *values,
                       const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                       struct fecrun_plan *plan, struct fecrun_error *err)
{
    const uint64_t parity = (uint64_t)fecrun_value(values, 0)->i, n = in[0]->items / SYMBOL;

    (void)host;
    if (in[0]->stream || in[0]->items % SYMBOL || n <= parity || n > N)
        return fecrun_fail(err, "parity", "wants whole symbols, and 15 at most");
    fecrun_frame_copy(out[0], in[0]);
    out[0]->items = (n - parity) * SYMBOL;
    return make_code((unsigned)(n - parity), (unsigned)parity, plan, err);
}

/* Takes the default and full words only. */
static int plan_one_size(const struct fecrun_host *host, const struct fecrun_values *values,
                         const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                         struct fecrun_plan *plan, struct fecrun_error *err)
{
    if (fecrun_value(values, 0)->i != 6 || in[0]->items != N * SYMBOL)
        return fecrun_fail(err, "parity", "takes 6, and 15 symbols");
    return plan_decode(host, values, in, out, plan, err);
}

/* ---- The encoder ---- */

/* The parity is what is left of info(x) x^parity by the product of (x - a^j), j = 1 to parity. */
static void encode_row(const struct code *code, const uint8_t *from, uint8_t *to)
{
    uint8_t generator[MOST_PARITY + 1] = {1}, rest[MOST_PARITY + 1] = {0};

    for (unsigned j = 1; j <= code->parity; j++)
        for (unsigned i = j + 1; i--;)
            generator[i] = times(generator[i], power(j)) ^ (i ? generator[i - 1] : 0);
    for (unsigned s = 0; s < code->info; s++) {
        const uint8_t factor = get(from + s * SYMBOL) ^ rest[code->parity - 1];

        for (unsigned i = code->parity; i--;)
            rest[i] = times(factor, generator[i]) ^ (i ? rest[i - 1] : 0);
    }
    memcpy(to, from, code->info * SYMBOL);
    for (unsigned i = 0; i < code->parity; i++)
        put(to + (code->info + i) * SYMBOL, rest[code->parity - 1 - i]);
}

static int run_encode(void *instance, const struct fecrun_call *call,
                      const struct fecrun_view *const in[], struct fecrun_view *const out[],
                      struct fecrun_error *err)
{
    (void)instance, (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++)
        encode_row(fecrun_code_of(call, in[0], f), fecrun_row(in[0], f), fecrun_row(out[0], f));
    return 0;
}

/* ---- Decoders ---- */

enum fault {
    NONE,
    STICKS,      /* what failed once stays failed to the end of the batch */
    NEVER_MARKS, /* every frame is good */
    MISCORRECTS, /* so is a word that is none after its correction */
    FIRST_CODE,  /* the parameters of the process's first instance, for all */
    CLASS_ZERO,  /* the first class's parameters, for all classes */
    WEAK,        /* one error less than it could */
    SILENT,      /* no verdict */
};

struct solution {
    unsigned errors;
    uint8_t locator[N + 2], evaluator[N + 2];
};

/* Berlekamp's and Massey's shortest register for s[0] to s[n - 1]. */
static void solve(const uint8_t *s, unsigned n, struct solution *solution)
{
    uint8_t c[N + 2] = {1}, b[N + 2] = {1}, old[N + 2], scale = 1;
    unsigned length = 0, shift = 1;

    for (unsigned i = 0; i < n; i++, shift++) {
        uint8_t d = 0;

        for (unsigned k = 0; k <= length; k++)
            d ^= times(c[k], s[i - k]);
        if (!d)
            continue;
        memcpy(old, c, sizeof c);
        for (unsigned k = 0; k + shift < sizeof c; k++)
            c[k + shift] ^= times(over(d, scale), b[k]);
        if (2 * length > i)
            continue;
        length = i + 1 - length;
        memcpy(b, old, sizeof b);
        scale = d;
        shift = 0;
    }
    *solution = (struct solution){.errors = length};
    memcpy(solution->locator, c, sizeof c);
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = 0; k <= i; k++)
            solution->evaluator[i] ^= times(c[k], s[i - k]);
}

/* Forney's magnitudes, where Chien finds roots; how many there are. symbol[n - 1 - e] is of x^e. */
static unsigned correct(const struct solution *solution, unsigned parity, uint8_t *symbol,
                        unsigned n)
{
    unsigned roots = 0;

    for (unsigned e = 0; e < n; e++) {
        const uint8_t x = power(N - e); /* the inverse of a^e */
        uint8_t slope = 0;

        if (value(solution->locator, N + 1, x))
            continue;
        for (unsigned i = 1; i < N + 2; i += 2)
            slope ^= times(solution->locator[i], power((i - 1) * (N - e)));
        roots++;
        if (slope)
            symbol[n - 1 - e] ^= over(value(solution->evaluator, parity - 1, x), slope);
    }
    return roots;
}

/* Corrects a word in place; is it good then? */
static bool decode_word(const struct code *code, uint8_t *symbol, unsigned n, enum fault fault)
{
    uint8_t syndrome[MOST_PARITY] = {0}, before[N], any = 0;
    struct solution solution;
    unsigned power_of = code->parity / 2;

    memcpy(before, symbol, n);
    for (unsigned j = 0; j < code->parity; j++) {
        for (unsigned i = 0; i < n; i++)
            syndrome[j] = times(syndrome[j], power(j + 1)) ^ symbol[i];
        any |= syndrome[j];
    }
    if (!any)
        return true;
    solve(syndrome, code->parity, &solution);
    if (fault == WEAK)
        power_of--;
    if (solution.errors > power_of)
        return false;
    if (correct(&solution, code->parity, symbol, n) == solution.errors || fault == MISCORRECTS)
        return true;
    memcpy(symbol, before, n);
    return false;
}

static bool decode_row(const struct code *code, const struct code *own, const uint8_t *from,
                       uint8_t *to, enum fault fault)
{
    const unsigned n = own->info + own->parity; /* what there is, whatever is made of it */
    uint8_t symbol[N];
    bool good;

    for (unsigned i = 0; i < n; i++)
        symbol[i] = get(from + i * SYMBOL);
    good = decode_word(code, symbol, n, fault);
    for (unsigned i = 0; i < own->info; i++)
        put(to + i * SYMBOL, symbol[i]);
    return good;
}

static const struct code *first_code(const struct code *code)
{
    static struct code first;

    if (!first.parity)
        first = *code;
    return &first;
}

static int run_decode(enum fault fault, const struct fecrun_call *call,
                      const struct fecrun_view *const in[], struct fecrun_view *const out[])
{
    bool failed = false;

    for (uint64_t f = 0; f < in[0]->frames; f++) {
        const struct code *own = fecrun_code_of(call, in[0], f);
        const struct code *code = fault == FIRST_CODE   ? first_code(own)
                                  : fault == CLASS_ZERO ? call->codes[0]
                                                        : own;
        const bool good = decode_row(code, own, fecrun_row(in[0], f), fecrun_row(out[0], f), fault);

        failed = !good || (failed && fault == STICKS);
        if (fault != SILENT)
            fecrun_frame_checked(&call->info[f], !failed || fault == NEVER_MARKS);
    }
    return 0;
}

#define DECODE(name, fault) \
    static int run_##name(void *instance, const struct fecrun_call *call, \
                          const struct fecrun_view *const in[], struct fecrun_view *const out[], \
                          struct fecrun_error *err) \
    { \
        (void)instance, (void)err; \
        return run_decode(fault, call, in, out); \
    }

DECODE(good, NONE)
DECODE(sticks, STICKS)
DECODE(never_marks, NEVER_MARKS)
DECODE(miscorrects, MISCORRECTS)
DECODE(first_code, FIRST_CODE)
DECODE(class_zero, CLASS_ZERO)
DECODE(weak, WEAK)
DECODE(silent, SILENT)

/* ---- Tables ---- */

static const struct fecrun_param *const params[] = {
    FECRUN_PARAM(.name = "parity", .type = FECRUN_VALUE_INT,
                 .flags = FECRUN_PARAM_SIZE | FECRUN_PARAM_SHARED, .imin = 2, .imax = MOST_PARITY,
                 .default_text = "6",
                 .help = "parity symbols; half as many wrong ones are corrected"),
    NULL,
};
static const struct fecrun_form *const plain_forms[] = {
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_U8}), FECRUN_OUT({.type = FECRUN_U8})), NULL};
static const struct fecrun_form *const ragged_forms[] = {
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED, FECRUN_IN({.type = FECRUN_U8}),
                FECRUN_OUT({.type = FECRUN_U8})),
    NULL};

static const struct fecrun_example *const examples[] = {
    FECRUN_EXAMPLE(.params = "{parity: 8}", .items = 60),
    FECRUN_EXAMPLE(.params = "{parity: 6}", .items = 60, .corrects = 3, .symbol_items = SYMBOL),
    FECRUN_EXAMPLE(.params = "{parity: 4}", .items = 60, .corrects = 2, .symbol_items = SYMBOL),
    NULL};

#define REF(function, kind) \
    ((const struct fecrun_backend *const[]){ \
        FECRUN_BACKEND(.name = "ref", .forms = kind##_forms, .create = fecrun_no_instance, \
                       .run = run_##function, .destroy = fecrun_no_destroy), \
        NULL})

#define DECODER(text, function, kind, planner, tried) \
    FECRUN_STAGE(.name = text, .role = FECRUN_ROLE_TRANSFORM, .flags = FECRUN_STAGE_CHECKS, \
                 .summary = "corrects wrong symbols", .params = params, .inputs = FECRUN_BITS_IN, \
                 .outputs = FECRUN_BITS_OUT, .backends = REF(function, kind), .plan = planner, \
                 .plan_free = free, .undoes = "rs.encode", .examples = tried)

static const struct fecrun_stage *const stages[] = {
    FECRUN_STAGE(.name = "rs.encode", .role = FECRUN_ROLE_TRANSFORM,
                 .summary = "appends parity symbols", .params = params, .inputs = FECRUN_BITS_IN,
                 .outputs = FECRUN_BITS_OUT, .backends = REF(encode, ragged), .plan = plan_encode,
                 .plan_free = free),
    DECODER("rs.decode", good, ragged, plan_decode, examples),
    DECODER("rs.sticks", sticks, plain, plan_decode, examples),
    DECODER("rs.never-marks", never_marks, plain, plan_decode, examples),
    DECODER("rs.miscorrects", miscorrects, plain, plan_decode, examples),
    DECODER("rs.first-code", first_code, plain, plan_decode, examples),
    DECODER("rs.class-zero", class_zero, ragged, plan_decode, examples),
    DECODER("rs.weak", weak, plain, plan_decode, examples),
    DECODER("rs.silent", silent, plain, plan_decode, examples),
    DECODER("rs.one-size", good, ragged, plan_one_size, NULL),
    NULL,
};

FECRUN_PLUGIN(.name = "check-rs", .version = "1", .license = "BSD-2-Clause", .stages = stages);
