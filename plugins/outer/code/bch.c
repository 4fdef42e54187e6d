/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/outer/code/bch.h"

static const char *const names[] = {"custom", "dvbs2", NULL};
static const char *const frames[] = {"normal", "short", NULL};

enum { CUSTOM, DVBS2 };

/* EN 302 307-1 tables 5a and 5b: bits of a word behind which the LDPC code's parity comes, and t. */
static const struct dvbs2 {
    const char *rate;
    uint32_t n[2], t[2]; /* of normal and short frames; 0: there is none */
} dvbs2[] = {
    {"1/4", {16200, 3240}, {12, 12}},  {"1/3", {21600, 5400}, {12, 12}},
    {"2/5", {25920, 6480}, {12, 12}},  {"1/2", {32400, 7200}, {12, 12}},
    {"3/5", {38880, 9720}, {12, 12}},  {"2/3", {43200, 10800}, {10, 12}},
    {"3/4", {48600, 11880}, {12, 12}}, {"4/5", {51840, 12600}, {12, 12}},
    {"5/6", {54000, 13320}, {10, 12}}, {"8/9", {57600, 14400}, {8, 12}},
    {"9/10", {58320, 0}, {8, 0}},
};

#define SHARED(...) \
    { \
        .size = sizeof(struct fecrun_param), __VA_ARGS__ \
    }

const struct fecrun_param bch_code_param[BCH_N_CODE_PARAMS] = {
    [BCH_P_CODE] = SHARED(.name = "code", .type = FECRUN_VALUE_CHOICE, .choices = names,
                          .flags = FECRUN_PARAM_SHARED, .unless = "m t", .default_text = "custom",
                          .help = "dvbs2: EN 302 307-1 5.3.1, by frame and rate; custom: by m, t, "
                                  "polynomial and shortened"),
    [BCH_P_FRAME] = SHARED(.name = "frame", .flags = FECRUN_PARAM_SHARED,
                           .type = FECRUN_VALUE_CHOICE, .choices = frames, .unless = "code m t",
                           .help = "dvbs2: the word of the LDPC code, 64800 or 16200 bits"),
    [BCH_P_RATE] = SHARED(.name = "rate", .flags = FECRUN_PARAM_SHARED, .type = FECRUN_VALUE_STRING,
                          .unless = "code m t",
                          .help = "dvbs2: of the LDPC code, 1/4 to 9/10, for short frames the "
                                  "nominal one"),
    [BCH_P_M] = SHARED(.name = "m", .flags = FECRUN_PARAM_SHARED | FECRUN_PARAM_SIZE,
                       .type = FECRUN_VALUE_INT, .imin = GF_LEAST_M, .imax = GF_MOST_M,
                       .unless = "code frame rate",
                       .help = "custom: a word has 2^m - 1 bits, less those that are shortened"),
    [BCH_P_T] = SHARED(.name = "t", .flags = FECRUN_PARAM_SHARED | FECRUN_PARAM_SIZE,
                       .type = FECRUN_VALUE_INT, .imin = 1, .imax = BCH_MOST_T, .unit = "bits",
                       .unless = "code frame rate",
                       .help = "custom: bits that are always corrected"),
    [BCH_P_POLYNOMIAL] =
        SHARED(.name = "polynomial", .flags = FECRUN_PARAM_SHARED, .type = FECRUN_VALUE_INT,
               .imin = 0xb, .imax = 0x1ffff, .unless = "code frame rate",
               .help = "custom: primitive polynomial of GF(2^m) with its x^m, as 0x1002d; if not "
                       "given, the smallest one"),
    [BCH_P_SHORTENED] =
        SHARED(.name = "shortened", .flags = FECRUN_PARAM_SHARED | FECRUN_PARAM_SIZE,
               .type = FECRUN_VALUE_INT, .imin = 0, .imax = 65534, .unit = "bits",
               .unless = "code frame rate",
               .help = "custom: the first ones of a word, zeros that are not sent; 0 if not given"),
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

/* Parameters from `first` to `last` belong to the other kind of code. */
static int without(const struct fecrun_values *values, unsigned first, unsigned last,
                   const char *code, const char *has, struct fecrun_error *err)
{
    for (unsigned p = first; p <= last; p++)
        if (said(values, p))
            return fecrun_fail(err, bch_code_param[p].name, "code: %s has no %s; it has %s", code,
                               bch_code_param[p].name, has);
    return 0;
}

static int needs(const struct fecrun_values *values, unsigned first, unsigned last,
                 const char *code, struct fecrun_error *err)
{
    for (unsigned p = first; p <= last; p++)
        if (!said(values, p))
            return fecrun_fail(err, bch_code_param[p].name, "missing: code: %s needs it (%s)", code,
                               bch_code_param[p].help);
    return 0;
}

static int read_dvbs2(const struct fecrun_values *values, struct bch_code *c,
                      struct fecrun_error *err)
{
    const struct fecrun_value *rate = fecrun_value(values, BCH_P_RATE);
    unsigned frame;

    if (without(values, BCH_P_M, BCH_P_SHORTENED, "dvbs2", "frame and rate", err) ||
        needs(values, BCH_P_FRAME, BCH_P_RATE, "dvbs2", err))
        return -1;
    frame = (unsigned)fecrun_value(values, BCH_P_FRAME)->i;
    c->m = frame ? 14 : 16;
    c->polynomial = gf_default(c->m); /* g1 of tables 6a and 6b */
    for (size_t i = 0; i < sizeof dvbs2 / sizeof *dvbs2; i++)
        if (!strcmp(rate->s, dvbs2[i].rate)) {
            c->n = dvbs2[i].n[frame];
            c->t = dvbs2[i].t[frame];
        }
    if (c->n)
        return 0;
    return fecrun_fail(err, "rate",
                       "is `%s`; %s frames have 1/4, 1/3, 2/5, 1/2, 3/5, 2/3, 3/4, 4/5, 5/6, "
                       "8/9%s",
                       rate->s, frames[frame], frame ? "" : " and 9/10");
}

static int read_custom(const struct fecrun_values *values, struct bch_code *c,
                       struct fecrun_error *err)
{
    uint32_t order, shortened;

    if (without(values, BCH_P_FRAME, BCH_P_RATE, "custom", "m, t, polynomial and shortened", err) ||
        needs(values, BCH_P_M, BCH_P_T, "custom", err))
        return -1;
    c->m = number(values, BCH_P_M, 0);
    c->t = number(values, BCH_P_T, 0);
    c->polynomial = number(values, BCH_P_POLYNOMIAL, gf_default(c->m));
    order = (1u << c->m) - 1;
    shortened = number(values, BCH_P_SHORTENED, 0);
    if (c->polynomial >> c->m != 1)
        return fecrun_fail(err, "polynomial", "0x%x is not of degree m = %u: from 0x%x to 0x%x",
                           c->polynomial, c->m, 1u << c->m, (2u << c->m) - 1);
    if (!gf_primitive(c->m, c->polynomial))
        return fecrun_fail(err, "polynomial", "0x%x is not primitive; 0x%x is", c->polynomial,
                           gf_default(c->m));
    if (shortened >= order)
        return fecrun_fail(err, "shortened", "is %u; words of m = %u have %u bits", shortened, c->m,
                           order);
    c->n = order - shortened;
    return 0;
}

/* generator times the minimal polynomial of x^power, if that is not in it already. -1: too long. */
static int times_minimal(struct bch_code *code, uint32_t power)
{
    const struct gf *field = &code->field;
    uint16_t minimal[GF_MOST_M + 1] = {1};
    uint8_t product[BCH_MOST_PARITY + 1] = {0};
    uint32_t degree = 0, conjugate = power;

    do { /* the conjugates: power, 2 power, ...; one that is smaller was here with an earlier power */
        if (conjugate < power)
            return 0;
        degree++;
        for (uint32_t i = degree; i > 0; i--)
            minimal[i] = minimal[i - 1] ^ gf_mul(field, minimal[i], gf_power(field, conjugate));
        minimal[0] = gf_mul(field, minimal[0], gf_power(field, conjugate));
        conjugate = (uint32_t)((uint64_t)conjugate * 2 % field->order);
    } while (conjugate != power);
    if (code->parity + degree > BCH_MOST_PARITY)
        return -1;
    for (uint32_t i = 0; i <= degree; i++)
        for (uint32_t j = 0; minimal[i] && j <= code->parity; j++)
            product[i + j] ^= code->generator[j];
    code->parity += degree;
    memcpy(code->generator, product, code->parity + 1);
    return 0;
}

static int make_generator(struct bch_code *code, struct fecrun_error *err)
{
    uint32_t most = 0;

    code->generator[0] = 1;
    for (uint32_t i = 1; i <= code->t; i++) {
        if (2 * i - 1 >= code->field.order || times_minimal(code, 2 * i - 1) ||
            code->parity >= code->n)
            return fecrun_fail(err, "t",
                               "is %u; for words of %u bits over GF(2^%u) it is at most %u",
                               code->t, code->n, code->m, most);
        most = i;
    }
    code->k = code->n - code->parity;
    return 0;
}

struct bch_code *bch_read_code(const struct fecrun_values *values, struct fecrun_error *err)
{
    struct bch_code *code;
    struct bch_code c;

    memset(&c, 0, sizeof c);
    if ((fecrun_value(values, BCH_P_CODE)->i ? read_dvbs2 : read_custom)(values, &c, err))
        return NULL;
    code = calloc(1, sizeof *code + gf_table_items(c.m) * sizeof *code->tables);
    if (!code) {
        fecrun_no_memory(err);
        return NULL;
    }
    memcpy(code, &c, sizeof c);
    gf_make(&code->field, c.m, c.polynomial, 1, code->tables);
    if (make_generator(code, err)) {
        free(code);
        return NULL;
    }
    return code;
}

void bch_describe(const struct bch_code *code, struct fecrun_plan *plan)
{
    snprintf(plan->note, sizeof plan->note, "BCH(%u, %u), t = %u", code->n, code->k, code->t);
    fecrun_identity(plan, "BCH(%u, %u), t = %u, GF(2^%u) of 0x%x", code->n, code->k, code->t,
                    code->m, code->polynomial);
}
