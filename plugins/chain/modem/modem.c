/* SPDX-License-Identifier: BSD-2-Clause */
/* The schemes with names, and the parameters of a scheme. modem/points.c has tables of points. */
#include "plugins/chain/modem/modem.h"

#include <math.h>

#define PI 3.14159265358979323846

/* ---- Names ---- */

/* The unit tests count on the order of the first five. */
static const struct {
    enum chain_shape shape;
    unsigned bits;
} schemes[] = {
    {CHAIN_REAL, 1},   {CHAIN_SQUARE, 2},  {CHAIN_SQUARE, 4},  {CHAIN_SQUARE, 6},
    {CHAIN_SQUARE, 8}, {CHAIN_SQUARE, 10}, {CHAIN_SQUARE, 12}, {CHAIN_TURNED, 1},
    {CHAIN_POINTS, 3}, {CHAIN_POINTS, 4},  {CHAIN_POINTS, 5},  {CHAIN_POINTS, 0},
};

enum { PSK8 = 8, APSK16, APSK32, TABLE };

const char *const chain_scheme_names[] = {"bpsk",    "qpsk",    "16qam",     "64qam", "256qam",
                                          "1024qam", "4096qam", "pi/2-bpsk", "8psk",  "16apsk",
                                          "32apsk",  "points",  NULL};

const char *const chain_scheme_help[] = {
    "real: bit 0 is +1, bit 1 is -1",
    "TS 38.211 5.1.3",
    "TS 38.211 5.1.4",
    "TS 38.211 5.1.5",
    "TS 38.211 5.1.6",
    "TS 38.211 5.1.7",
    "one step further than TS 38.211 5.1.7; the levels of IEEE 802.11be",
    "TS 38.211 5.1.1; symbols are counted from the begin of the frame, or of the stream",
    "DVB-S2 (EN 302 307-1 5.4.2)",
    "DVB-S2 (EN 302 307-1 5.4.3), with rate or gamma",
    "DVB-S2 (EN 302 307-1 5.4.4), with rate or gamma and gamma2",
    "the table `points`",
    NULL};

/* ---- Parameters ---- */

static const char *const rates[] = {"2/3", "3/4", "4/5", "5/6", "8/9", "9/10", NULL};

/* EN 302 307-1, tables 9 and 10; 0: the standard has no such rate. */
static const double gammas16[] = {3.15, 2.85, 2.75, 2.70, 2.60, 2.57};
static const double gammas32[][2] = {{0, 0},       {2.84, 5.27}, {2.72, 4.87},
                                     {2.64, 4.64}, {2.54, 4.33}, {2.53, 4.30}};

const struct fecrun_param chain_scheme_rate = {
    .size = sizeof chain_scheme_rate,
    .name = "rate",
    .type = FECRUN_VALUE_CHOICE,
    .flags = FECRUN_PARAM_SHARED,
    .unless = "scheme gamma gamma2",
    .choices = rates,
    .help = "16apsk, 32apsk: the radii that DVB-S2 has for this code rate; default: 3/4",
};

const struct fecrun_param chain_scheme_gamma = {
    .size = sizeof chain_scheme_gamma,
    .name = "gamma",
    .type = FECRUN_VALUE_FLOAT,
    .flags = FECRUN_PARAM_SHARED,
    .unless = "scheme rate",
    .fmin = 1.01,
    .fmax = 100,
    .help = "16apsk, 32apsk: radius of the second ring over that of the inner one; instead of rate",
};

const struct fecrun_param chain_scheme_gamma2 = {
    .size = sizeof chain_scheme_gamma2,
    .name = "gamma2",
    .type = FECRUN_VALUE_FLOAT,
    .flags = FECRUN_PARAM_SHARED,
    .unless = "scheme rate",
    .fmin = 1.02,
    .fmax = 200,
    .help = "32apsk: radius of the outer ring over that of the inner one; with gamma",
};

const struct fecrun_param chain_scheme_points = {
    .size = sizeof chain_scheme_points,
    .name = "points",
    .type = FECRUN_VALUE_STRINGS,
    .flags = FECRUN_PARAM_SHARED,
    .unless = "scheme",
    .help =
        "scheme points: [[re, im], ...], 2 to 4096 of them, a power of two; the first one is that "
        "of bits 00..0, the second that of 00..1. They are scaled to mean energy 1",
};

/* ---- Points ---- */

/* (1-2b0) [2^(m-1) - (1-2b1) [2^(m-2) - ... (1-2b(m-1))]] */
int chain_pam_level(unsigned dimension_bits, unsigned bits)
{
    int level = 0;

    for (unsigned i = 0; i < dimension_bits; i++) {
        int sign = bits >> i & 1 ? -1 : 1;

        level = sign * ((1 << i) - level);
    }
    return level;
}

/* Even bits choose the real part, odd ones the imaginary part. The mean of the squares of 1, 3, .. 2^m - 1 is
   (4^m - 1) / 3; a symbol has two of them. */
static void fill_square(struct chain_scheme *scheme)
{
    const unsigned m = chain_dimension_bits(scheme);

    scheme->unit = 1 / sqrt(2 * ((double)(1u << 2 * m) - 1) / 3);
    for (unsigned s = 0; s < 1u << scheme->bits; s++) {
        unsigned part[2] = {0, 0};

        for (unsigned i = 0; i < scheme->bits; i++)
            part[i % 2] = part[i % 2] << 1 | (s >> (scheme->bits - 1 - i) & 1);
        for (unsigned d = 0; d < 2; d++)
            scheme->point[s][d] = scheme->unit * chain_pam_level(m, part[d]);
    }
}

/* n points at equal steps of a circle, the first one `at` steps from the real axis; labels in that order. */
static void fill_ring(struct chain_scheme *scheme, double radius, unsigned n, double at,
                      const unsigned char *labels)
{
    for (unsigned i = 0; i < n; i++) {
        scheme->point[labels[i]][0] = radius * cos(2 * PI * (i + at) / n);
        scheme->point[labels[i]][1] = radius * sin(2 * PI * (i + at) / n);
    }
}

static const unsigned char labels8[] = {1, 0, 4, 6, 2, 3, 7, 5};
static const unsigned char inner16[] = {12, 14, 15, 13};
static const unsigned char outer16[] = {4, 0, 8, 10, 2, 6, 7, 3, 11, 9, 1, 5};
static const unsigned char inner32[] = {17, 21, 23, 19};
static const unsigned char middle32[] = {16, 0, 1, 5, 4, 20, 22, 6, 7, 3, 2, 18};
static const unsigned char outer32[] = {24, 8,  25, 9,  13, 29, 12, 28,
                                        30, 14, 31, 15, 11, 27, 10, 26};

static void fill_unit(struct chain_scheme *scheme)
{
    double least = INFINITY;

    for (unsigned a = 0; a < 1u << scheme->bits; a++)
        for (unsigned b = 0; b < a; b++)
            least = fmin(least, hypot(scheme->point[a][0] - scheme->point[b][0],
                                      scheme->point[a][1] - scheme->point[b][1]));
    scheme->unit = least / 2;
}

static void fill_apsk16(struct chain_scheme *scheme)
{
    const double g = scheme->gamma[0], r = 1 / sqrt((4 + 12 * g * g) / 16);

    fill_ring(scheme, r, 4, 0.5, inner16);
    fill_ring(scheme, g * r, 12, 0.5, outer16);
}

static void fill_apsk32(struct chain_scheme *scheme)
{
    const double g = scheme->gamma[0], g2 = scheme->gamma[1];
    const double r = 1 / sqrt((4 + 12 * g * g + 16 * g2 * g2) / 32);

    fill_ring(scheme, r, 4, 0.5, inner32);
    fill_ring(scheme, g * r, 12, 0.5, middle32);
    fill_ring(scheme, g2 * r, 16, 0, outer32);
}

/* ---- A scheme ---- */

/* Radii: those given, else those of the rate, else those of rate 3/4. */
static int read_gammas(struct chain_scheme *scheme, int64_t choice,
                       const struct fecrun_values *values, struct fecrun_error *err)
{
    const struct fecrun_value *rate = fecrun_value(values, CHAIN_P_RATE);
    const struct fecrun_value *gamma = fecrun_value(values, CHAIN_P_GAMMA);
    const struct fecrun_value *gamma2 = fecrun_value(values, CHAIN_P_GAMMA2);
    const int64_t r = rate->given ? rate->i : 1;

    if (rate->given && (gamma->given || gamma2->given))
        return fecrun_fail(err, "rate", "give either rate or gamma, not both");
    if (choice == APSK16 && gamma2->given)
        return fecrun_fail(err, "gamma2", "16apsk has two rings: give gamma only");
    if (choice == APSK32 && !gamma->given != !gamma2->given)
        return fecrun_fail(err, gamma->given ? "gamma" : "gamma2",
                           "32apsk has three rings: give gamma and gamma2");
    scheme->gamma[0] = gamma->given ? gamma->f : choice == APSK16 ? gammas16[r] : gammas32[r][0];
    scheme->gamma[1] = gamma2->given ? gamma2->f : choice == APSK16 ? 0 : gammas32[r][1];
    if (!(scheme->gamma[0] > 0))
        return fecrun_fail(err, "rate", "32apsk has rates 3/4, 4/5, 5/6, 8/9 and 9/10");
    if (choice == APSK32 && scheme->gamma[1] <= scheme->gamma[0])
        return fecrun_fail(err, "gamma2", "must be larger than gamma, which is %g",
                           scheme->gamma[0]);
    return 0;
}

/* Parameters that the scheme does not have, and that the user wrote. */
static int refuse_others(int64_t choice, const struct fecrun_values *values,
                         struct fecrun_error *err)
{
    static const char *const names[] = {"scheme", "rate", "gamma", "gamma2", "points"};

    for (unsigned p = CHAIN_P_RATE; p < CHAIN_P_OTHERS; p++) {
        const bool has = p == CHAIN_P_POINTS ? choice == TABLE
                                             : choice == APSK16 || choice == APSK32;

        if (fecrun_value(values, p)->given == 2 && !has)
            return fecrun_fail(err, names[p], "%s has no such parameter",
                               chain_scheme_names[choice]);
    }
    return 0;
}

static int fill_points(struct chain_scheme *scheme, int64_t choice,
                       const struct fecrun_values *values, struct fecrun_plan *plan,
                       struct fecrun_error *err)
{
    const double half = sqrt(0.5);

    scheme->unit = 1;
    if (scheme->shape == CHAIN_SQUARE) {
        fill_square(scheme);
    } else if (scheme->shape == CHAIN_REAL) {
        scheme->point[0][0] = 1;
        scheme->point[1][0] = -1;
    } else if (scheme->shape == CHAIN_TURNED) {
        scheme->point[0][0] = scheme->point[0][1] = half;
        scheme->point[1][0] = scheme->point[1][1] = -half;
    } else if (choice == TABLE) {
        return chain_points_read(scheme, fecrun_value(values, CHAIN_P_POINTS), plan, err);
    } else {
        if (choice == PSK8)
            fill_ring(scheme, 1, 8, 0, labels8);
        else if (read_gammas(scheme, choice, values, err))
            return -1;
        else if (choice == APSK16)
            fill_apsk16(scheme);
        else
            fill_apsk32(scheme);
        fill_unit(scheme);
    }
    return 0;
}

/* The number of the scheme; -1 and *err. */
static int64_t find_choice(const struct fecrun_value *given, const struct fecrun_frame *in,
                           struct fecrun_error *err)
{
    const char *name = given->given ? chain_scheme_names[given->i] : in->scheme;
    char list[160] = "";
    size_t used = 0;

    if (in && in->scheme[0] && strcmp(in->scheme, name))
        return fecrun_fail(err, "scheme", "%s, but the symbols were mapped as %.23s", name,
                           in->scheme);
    for (int64_t i = 0; chain_scheme_names[i]; i++) {
        if (!strcmp(name, chain_scheme_names[i]))
            return i;
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s",
                                 !i                          ? ""
                                 : chain_scheme_names[i + 1] ? ", "
                                                             : " or ",
                                 chain_scheme_names[i]);
    }
    if (name[0])
        return fecrun_fail(err, "scheme",
                           "the mapper's scheme %.23s is not known here: there are %s", name, list);
    return fecrun_fail(err, "scheme", "no mapper upstream says which one: give %s", list);
}

int chain_scheme_read(struct chain_scheme *scheme, const struct fecrun_values *values,
                      const struct fecrun_frame *in, struct fecrun_plan *plan,
                      struct fecrun_error *err)
{
    const int64_t choice = find_choice(fecrun_value(values, CHAIN_P_SCHEME), in, err);

    memset(scheme, 0, sizeof *scheme);
    if (choice < 0)
        return -1;
    scheme->name = chain_scheme_names[choice];
    scheme->shape = schemes[choice].shape;
    scheme->bits = schemes[choice].bits;
    if (refuse_others(choice, values, err) || fill_points(scheme, choice, values, plan, err))
        return -1;
    fecrun_identity(plan, "%s", scheme->name);
    if (choice == APSK16)
        fecrun_identity(plan, ", gamma %g", scheme->gamma[0]);
    if (choice == APSK32)
        fecrun_identity(plan, ", gamma %g and %g", scheme->gamma[0], scheme->gamma[1]);
    if (choice == TABLE)
        fecrun_identity(plan, " with digest %016llx",
                        (unsigned long long)fecrun_digest(0, scheme->point, sizeof scheme->point));
    return 0;
}

static int takes_dimension(enum chain_shape shape, unsigned bits, struct fecrun_error *err)
{
    if ((shape == CHAIN_REAL || shape == CHAIN_SQUARE) && 1u << (bits - 1) <= MAX_LEVELS)
        return 0;
    return fecrun_fail(err, "scheme", "takes bpsk, qpsk, 16qam, 64qam and 256qam only");
}

int chain_takes_map(const struct map_code *map, struct fecrun_error *err)
{
    return takes_dimension(map->shape, map->bits == 1 ? 1 : map->bits / 2, err);
}

int chain_takes_wide(const struct demap_code *demap, struct fecrun_error *err)
{
    return demap->type == FECRUN_F32
               ? 0
               : fecrun_fail(err, NULL, "it absorbs modem.demap with type: f32");
}

int chain_takes_demap(const struct demap_code *demap, struct fecrun_error *err)
{
    return takes_dimension(demap->shape, demap->bits, err);
}

void chain_points_fill(struct points_code *points, const struct chain_scheme *scheme,
                       const struct fecrun_frame *in)
{
    points->bits = scheme->bits;
    points->stream = in->stream;
    for (unsigned s = 0; s < 1u << scheme->bits; s++) {
        const double *a = scheme->point[s];

        points->energy[s] = (float)(a[0] * a[0] + a[1] * a[1]);
        points->twice[s][0] = (float)(2 * a[0]);
        points->twice[s][1] = (float)(2 * a[1]);
    }
}

void chain_demapped_frame(struct fecrun_frame *out, const struct fecrun_frame *in,
                          const struct chain_scheme *scheme)
{
    fecrun_frame_copy(out, in);
    out->items = in->items * scheme->bits;
    out->channel_bits = out->items;
    fecrun_frame_scheme(out, scheme->name, scheme->bits, scheme->shape == CHAIN_REAL ? 1 : 2);
}
