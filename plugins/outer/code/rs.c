/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/outer/code/rs.h"

/* clang-format off */
/* Name, m, n, k, polynomial, first root, step of roots, dual basis, clause. */
#define CODES(X) \
    X("ccsds-255-223", 8, 255, 223, 0x187, 112, 11, 1, "CCSDS 131.0-B 4, E = 16, dual basis") \
    X("ccsds-255-239", 8, 255, 239, 0x187, 120, 11, 1, "CCSDS 131.0-B 4, E = 8, dual basis") \
    X("dvb-204-188", 8, 204, 188, 0x11d, 0, 1, 0, "DVB: EN 300 421 4.4.2 and EN 300 744 4.3.2") \
    X("dvb-h-255-191", 8, 255, 191, 0x11d, 0, 1, 0, "DVB-H's MPE-FEC: EN 301 192 9.5.1") \
    X("atsc-207-187", 8, 207, 187, 0x11d, 0, 1, 0, "ATSC A/53 part 2") \
    X("dab-120-110", 8, 120, 110, 0x11d, 0, 1, 0, "DAB+: TS 102 563 6.1") \
    X("g709-255-239", 8, 255, 239, 0x11d, 0, 1, 0, "ITU-T G.709 annex A and G.975") \
    X("p25-24-12", 6, 24, 12, 0x43, 1, 1, 0, "APCO P25: TIA-102.BAAA 5.9") \
    X("p25-24-16", 6, 24, 16, 0x43, 1, 1, 0, "APCO P25: TIA-102.BAAA 5.9") \
    X("p25-36-20", 6, 36, 20, 0x43, 1, 1, 0, "APCO P25: TIA-102.BAAA 5.9")
/* clang-format on */

struct named {
    uint32_t m, n, k, polynomial, fcr, prim, dual;
};

#define ROW(name, m, n, k, polynomial, fcr, prim, dual, clause) \
    {m, n, k, polynomial, fcr, prim, dual},
#define NAME(name, m, n, k, polynomial, fcr, prim, dual, clause) name,
#define HELP(name, m, n, k, polynomial, fcr, prim, dual, clause) clause,

static const struct named named_codes[] = {{0}, CODES(ROW)};
static const char *const names[] = {"custom", CODES(NAME) NULL};
static const char *const helps[] = {"n, k and the other parameters say it", CODES(HELP) NULL};
static const char *const bases[] = {"conventional", "dual", NULL};

#define SHARED(...) \
    { \
        .size = sizeof(struct fecrun_param), __VA_ARGS__ \
    }
#define OF_CODE .flags = FECRUN_PARAM_SHARED, .unless = "code"

const struct fecrun_param rs_code_param[RS_N_CODE_PARAMS] = {
    [RS_P_CODE] = SHARED(.name = "code", .type = FECRUN_VALUE_CHOICE, .flags = FECRUN_PARAM_SHARED,
                         .unless = "n k", .choices = names, .choices_help = helps,
                         .default_text = "custom", .help = "a code of a standard, or custom"),
    [RS_P_M] = SHARED(.name = "symbol_bits", .type = FECRUN_VALUE_INT, OF_CODE, .unit = "bits",
                      .imin = GF_LEAST_M, .imax = GF_MOST_M, .help = "custom: m; 8 if not given"),
    [RS_P_N] = SHARED(.name = "n", .type = FECRUN_VALUE_INT, OF_CODE, .unit = "symbols", .imin = 2,
                      .imax = 65535, .help = "custom: symbols of a word, at most 2^m - 1"),
    [RS_P_K] = SHARED(.name = "k", .type = FECRUN_VALUE_INT, OF_CODE, .unit = "symbols", .imin = 1,
                      .imax = 65534, .help = "custom: information symbols of a word"),
    [RS_P_POLYNOMIAL] =
        SHARED(.name = "polynomial", .type = FECRUN_VALUE_INT, OF_CODE, .imin = 0xb,
               .imax = 0x1ffff,
               .help = "custom: primitive polynomial of the field with its x^m, as 0x11d; if not "
                       "given, the smallest one"),
    [RS_P_FCR] = SHARED(.name = "fcr", .type = FECRUN_VALUE_INT, OF_CODE, .imin = 0, .imax = 65535,
                        .help = "custom: the first root is that power of x^prim; 0 if not given"),
    [RS_P_PRIM] = SHARED(.name = "prim", .type = FECRUN_VALUE_INT, OF_CODE, .imin = 1,
                         .imax = 65535,
                         .help = "custom: roots are powers of x^prim; 1 if not given"),
    [RS_P_BASIS] = SHARED(.name = "basis", .type = FECRUN_VALUE_CHOICE, .choices = bases,
                          .flags = FECRUN_PARAM_SHARED,
                          .help = "of the symbols; dual is that of CCSDS, for the field of 0x187; "
                                  "if not given, that of the code's standard, else conventional"),
    [RS_P_SHORTENED] =
        SHARED(.name = "shortened", .type = FECRUN_VALUE_INT,
               .flags = FECRUN_PARAM_SHARED | FECRUN_PARAM_SIZE, .unit = "symbols", .imin = 0,
               .imax = 65533, .default_text = "0",
               .help = "the first ones of a word, zeros that are not sent (CCSDS: virtual fill)"),
    [RS_P_DEPTH] = SHARED(.name = "depth", .type = FECRUN_VALUE_INT,
                          .flags = FECRUN_PARAM_SHARED | FECRUN_PARAM_SIZE, .unit = "words",
                          .imin = 1, .imax = RS_MOST_DEPTH, .default_text = "1",
                          .help = "words of a frame, whose symbols are sent in turn"),
};

/* ---- Reading --------------------------------------------------------------------------------- */

static bool said(const struct fecrun_values *values, size_t p)
{
    return fecrun_value(values, p)->given != 0;
}

static uint32_t number(const struct fecrun_values *values, size_t p, uint32_t otherwise)
{
    return said(values, p) ? (uint32_t)fecrun_value(values, p)->i : otherwise;
}

/* A named code has nothing else to say of it. */
static int read_named(const struct fecrun_values *values, struct named *c, struct fecrun_error *err)
{
    const int64_t name = fecrun_value(values, RS_P_CODE)->i;

    for (unsigned p = RS_P_M; p <= RS_P_PRIM; p++)
        if (said(values, p))
            return fecrun_fail(err, rs_code_param[p].name,
                               "code: %s says it; leave it out, or take code: custom", names[name]);
    *c = named_codes[name];
    return 0;
}

static int read_custom(const struct fecrun_values *values, struct named *c,
                       struct fecrun_error *err)
{
    for (unsigned p = RS_P_N; p <= RS_P_K; p++)
        if (!said(values, p))
            return fecrun_fail(err, rs_code_param[p].name,
                               "missing: code: custom needs it (%s); or name a code",
                               rs_code_param[p].help);
    c->m = number(values, RS_P_M, 8);
    c->n = number(values, RS_P_N, 0);
    c->k = number(values, RS_P_K, 0);
    c->polynomial = number(values, RS_P_POLYNOMIAL, gf_default(c->m));
    c->fcr = number(values, RS_P_FCR, 0);
    c->prim = number(values, RS_P_PRIM, 1);
    c->dual = 0;
    return 0;
}

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
    return b ? common_divisor(b, a % b) : a;
}

static int check_field(const struct named *c, struct fecrun_error *err)
{
    const uint32_t order = (1u << c->m) - 1;

    if (c->polynomial >> c->m != 1)
        return fecrun_fail(err, "polynomial",
                           "0x%x is of another degree than symbols of %u bits: from 0x%x to 0x%x",
                           c->polynomial, c->m, 1u << c->m, (2u << c->m) - 1);
    if (!gf_primitive(c->m, c->polynomial))
        return fecrun_fail(err, "polynomial", "0x%x is not primitive; 0x%x is", c->polynomial,
                           gf_default(c->m));
    if (common_divisor(c->prim, order) != 1)
        return fecrun_fail(err, "prim", "%u and 2^%u - 1 = %u have a common divisor", c->prim, c->m,
                           order);
    return 0;
}

static int check_size(const struct named *c, uint32_t shortened, struct fecrun_error *err)
{
    const uint32_t order = (1u << c->m) - 1;

    if (c->n > order)
        return fecrun_fail(err, "n", "is %u; words of symbols of %u bits have at most %u", c->n,
                           c->m, order);
    if (c->k >= c->n)
        return fecrun_fail(err, "k", "is %u, and has to be less than n = %u", c->k, c->n);
    if (c->n - c->k > OUTER_MOST_PARITY)
        return fecrun_fail(err, "k", "is %u: n - k = %u, and at most %d parity symbols are done",
                           c->k, c->n - c->k, OUTER_MOST_PARITY);
    if (shortened >= c->k)
        return fecrun_fail(err, "shortened",
                           "is %u, and at most k - 1 = %u symbols can be left out", shortened,
                           c->k - 1);
    return 0;
}

static int read_basis(const struct fecrun_values *values, struct named *c, struct fecrun_error *err)
{
    c->dual = number(values, RS_P_BASIS, c->dual);
    if (c->dual && c->polynomial != 0x187)
        return fecrun_fail(err, "basis",
                           "dual is a basis of the field of 0x187, and this is that of 0x%x",
                           c->polynomial);
    return 0;
}

/* The product of x - b^(fcr + j). */
static void make_generator(struct rs_code *code)
{
    uint16_t *g = code->generator;

    g[0] = 1;
    for (uint32_t j = 0; j < code->parity; j++) {
        const uint16_t root = gf_power(&code->field, (int64_t)code->fcr + j);

        for (uint32_t i = j + 1; i > 0; i--)
            g[i] = g[i - 1] ^ gf_mul(&code->field, g[i], root);
        g[0] = gf_mul(&code->field, g[0], root);
    }
}

struct rs_code *rs_read_code(const struct fecrun_values *values, struct fecrun_error *err)
{
    const uint32_t shortened = (uint32_t)fecrun_value(values, RS_P_SHORTENED)->i;
    struct rs_code *code;
    struct named c;

    if ((fecrun_value(values, RS_P_CODE)->i ? read_named : read_custom)(values, &c, err) ||
        check_field(&c, err) || check_size(&c, shortened, err) || read_basis(values, &c, err))
        return NULL;
    code = calloc(1, sizeof *code + gf_table_items(c.m) * sizeof *code->tables);
    if (!code) {
        fecrun_no_memory(err);
        return NULL;
    }
    code->m = c.m;
    code->n = c.n - shortened;
    code->k = c.k - shortened;
    code->parity = c.n - c.k;
    code->depth = (uint32_t)fecrun_value(values, RS_P_DEPTH)->i;
    code->fcr = c.fcr;
    code->prim = c.prim;
    code->polynomial = c.polynomial;
    code->dual = c.dual;
    gf_make(&code->field, c.m, c.polynomial, c.prim, code->tables);
    rs_dual_tables(code->to_dual, code->from_dual);
    make_generator(code);
    return code;
}

/*
 * CCSDS 131.0-B annex F: (z0 ... z7) = (u7 ... u0) T, with z0 sent first. Row i of T, z0 highest, is what
 * the bit of x^(7 - i) makes.
 */
void rs_dual_tables(uint8_t *to_dual, uint8_t *from_dual)
{
    static const uint8_t t[8] = {0x8d, 0xef, 0xec, 0x86, 0xfa, 0x99, 0xaf, 0x7b};

    for (unsigned u = 0; u < 256; u++) {
        unsigned z = 0;

        for (unsigned i = 0; i < 8; i++)
            z ^= u >> (7 - i) & 1 ? t[i] : 0u;
        to_dual[u] = (uint8_t)z;
        from_dual[z] = (uint8_t)u;
    }
}

void rs_describe(const struct rs_code *code, struct fecrun_plan *plan)
{
    snprintf(plan->note, sizeof plan->note, "RS(%u, %u) over GF(2^%u), depth %u", code->n, code->k,
             code->m, code->depth);
    fecrun_identity(
        plan, "RS(%u, %u) over GF(2^%u) of 0x%x, roots (x^%u)^%u..., %s basis, depth %u", code->n,
        code->k, code->m, code->polynomial, code->prim, code->fcr, bases[code->dual], code->depth);
}
