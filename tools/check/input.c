/* SPDX-License-Identifier: BSD-2-Clause */
/* Input patterns of bits, LLRs and symbols. */
#include "tools/check/check.h"

#include "tools/check/check_impl.h"
#include <fecrun/sdk/sample.h>
#include <fecrun/sdk/params.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Patterns ---- */

const char *check_pattern_name(enum check_pattern pattern)
{
    static const char *const names[] = {"random",
                                        "saturated",
                                        "all zero",
                                        "ties",
                                        "encoded + noise, 1 dB",
                                        "encoded + noise, 3 dB",
                                        "encoded + noise, 5 dB",
                                        "encoded + unrounded noise, 1 dB",
                                        "encoded + unrounded noise, 3 dB",
                                        "encoded + inverted bits, unrounded",
                                        "NaN, infinities, lowest integers",
                                        "encoded",
                                        "encoded, 0 to 16 wrong bits",
                                        "encoded, erasures and wrong bits",
                                        "encoded, few bits are sure",
                                        "encoded, as many wrong symbols as it says it corrects",
                                        "encoded, 1 wrong bit to half of all",
                                        "encoded, 1 wrong bit to half of all, none is sure",
                                        "clean, slightly and hopelessly wrong words in turn"};

    return names[pattern];
}

bool check_pattern_real(enum check_pattern pattern)
{
    return pattern >= CHECK_REAL_1DB && pattern <= CHECK_REAL_TIES;
}

bool check_input_fits(const struct check_variant *v, enum check_pattern pattern)
{
    uint32_t type = v->n_in ? v->in[0].type : FECRUN_NONE;

    switch (pattern) {
    case CHECK_RANDOM:
        return true;
    case CHECK_ZERO:
        return v->n_in > 0;
    case CHECK_SATURATED:
        return type != FECRUN_NONE; /* of bits: all ones */
    case CHECK_TIES:
        return v->n_in && v->in[0].kind == FECRUN_KIND_LLR;
    case CHECK_HOSTILE:
        return type == FECRUN_F32 || type == FECRUN_C8 || type == FECRUN_I8 || type == FECRUN_I4;
    case CHECK_REAL_1DB:
    case CHECK_REAL_3DB:
    case CHECK_REAL_TIES:
        return type == FECRUN_F32;
    case CHECK_CODED:
    case CHECK_ERRORS:
        return v->n_in && v->in[0].kind != FECRUN_KIND_SYMBOLS;
    case CHECK_ERASED: /* bits: said at another port */
        return v->n_in && (v->in[0].kind == FECRUN_KIND_LLR ||
                           (v->n_in > 1 && v->linked[1] && v->in[1].kind == FECRUN_KIND_BITS));
    case CHECK_SURE: /* else they are not so much surer than the others */
        return v->n_in && v->in[0].kind == FECRUN_KIND_LLR && !v->in[0].stream &&
               check_largest_llr(&v->in[0]) >= 100;
    case CHECK_LIMIT:
        return v->n_in && v->in[0].kind != FECRUN_KIND_SYMBOLS && v->point->wish.corrects;
    case CHECK_LEVELS:
        return v->n_in && v->in[0].kind != FECRUN_KIND_SYMBOLS && !v->in[0].stream &&
               v->in[0].items >= 4;
    case CHECK_DOUBTS:
        return v->n_in && v->in[0].kind == FECRUN_KIND_LLR && !v->in[0].stream &&
               v->in[0].items >= 4;
    case CHECK_MIXED:
        return v->n_in > 0;
    default:
        return v->n_in && v->in[0].kind == FECRUN_KIND_LLR;
    }
}

/* ---- Values of one kind ---- */

double check_largest_llr(const struct fecrun_frame *frame)
{
    return frame->llr_max > 0 ? frame->llr_max : 127;
}

double check_fit_llr(const struct fecrun_frame *frame, double x, bool real)
{
    double max = check_largest_llr(frame);

    if (!real)
        x = nearbyint(x);
    if (real && !(frame->llr_max > 0))
        return x;
    return x > max ? max : x < -max ? -max : x;
}

static float hostile_float(struct check_random *random)
{
    static const float values[] = {NAN, INFINITY, -INFINITY, 1e30f, -1e30f, 1e-40f, -0.0f, 3e6f};
    uint64_t i = check_random_below(random, 16);

    return i < 8 ? values[i] : (float)check_random_gauss(random) * 5;
}

double check_bsc_llr(unsigned bit, struct check_random *random)
{
    static const float magnitude = 2.944439f; /* ln 19 */
    bool inverted = check_random_below(random, 20) == 0;

    return (bit != 0) != inverted ? -(double)magnitude : (double)magnitude;
}

static double llr_value(const struct fecrun_frame *frame, enum check_pattern pattern,
                        struct check_random *random)
{
    double max = check_largest_llr(frame);

    switch (pattern) {
    case CHECK_ZERO:
        return 0;
    case CHECK_SATURATED:
        return check_random(random) & 1 ? max : -max;
    case CHECK_TIES:
        return (double)check_random_below(random, 3) - 1;
    case CHECK_REAL_TIES:
        return check_fit_llr(frame, check_bsc_llr(check_random(random) & 1, random), true);
    case CHECK_HOSTILE:
        if (frame->type == FECRUN_F32)
            return hostile_float(random);
        if (max < (frame->type == FECRUN_I4 ? 7 : 127) || check_random_below(random, 4))
            return check_fit_llr(frame, (check_random_unit(random) * 2 - 1) * max, false);
        return frame->type == FECRUN_I4 ? -8 : -128; /* in the type, not in the range */
    default:
        return check_fit_llr(frame, (check_random_unit(random) * 2 - 1) * max,
                             check_pattern_real(pattern));
    }
}

void check_put_llr(const struct check_signal *signal, uint8_t *row, uint64_t i, double x)
{
    float f = (float)x;
    int16_t i16 = (int16_t)(signal->type == FECRUN_I16 ? x : 0);
    int v = signal->type == FECRUN_I8 || signal->type == FECRUN_I4 ? (int)x : 0;

    switch (signal->type) {
    case FECRUN_I8:
        row[i] = (uint8_t)v;
        break;
    case FECRUN_I16:
        memcpy(row + 2 * i, &i16, 2);
        break;
    case FECRUN_I4:
        row[i / 2] = (uint8_t)(i % 2 ? row[i / 2] | (v & 15) : (v & 15) << 4);
        break;
    default:
        memcpy(row + 4 * i, &f, 4);
    }
}

/* Numbers of which nothing is known: whole ones, of both signs; as LLRs where they are hostile. */
static double value(const struct fecrun_frame *frame, enum check_pattern pattern,
                    struct check_random *random)
{
    if (pattern == CHECK_ZERO || pattern == CHECK_HOSTILE)
        return llr_value(frame, pattern, random);
    return (double)check_random_below(random, 255) - 127;
}

static void put_symbol(uint8_t *row, uint64_t i, enum check_pattern pattern,
                       struct check_random *random)
{
    float x[2];

    for (int k = 0; k < 2; k++)
        x[k] = pattern == CHECK_HOSTILE     ? hostile_float(random)
               : pattern == CHECK_ZERO      ? 0.0f
               : pattern == CHECK_SATURATED ? (check_random(random) & 1 ? 8.0f : -8.0f)
                                            : (float)check_random_gauss(random);
    memcpy(row + 8 * i, x, sizeof x);
}

void check_fill_row(const struct check_signal *signal, const struct fecrun_frame *frame,
                    uint8_t *row, enum check_pattern pattern, struct check_random *random)
{
    for (uint64_t i = 0; i < signal->items; i++) {
        if (frame->kind == FECRUN_KIND_BITS)
            row[i] = pattern == CHECK_ZERO        ? 0
                     : pattern == CHECK_SATURATED ? 1
                                                  : (uint8_t)(check_random(random) >> 60 & 1);
        else if (frame->kind == FECRUN_KIND_LLR)
            check_put_llr(signal, row, i, llr_value(frame, pattern, random));
        else if (frame->kind == FECRUN_KIND_VALUES)
            check_put_llr(signal, row, i, value(frame, pattern, random));
        else
            put_symbol(row, i, pattern, random);
    }
}
