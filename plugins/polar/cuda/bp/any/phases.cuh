/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Belief propagation in floats: any rule and length. A thread has a pair of positions of each stage
 * (several where N / 2 is more than a block), and all threads wait behind each stage. The rule
 * min-sum is computed as the reference does it, to the bit.
 */
#ifndef POLAR_CUDA_BP_ANY_PHASES_CUH
#define POLAR_CUDA_BP_ANY_PHASES_CUH

#include <math.h>

#include "plugins/polar/cuda/bp/plan.h"
#include "plugins/polar/cuda/output.cuh"
#include "plugins/polar/decode.h"

#ifndef __CUDA_ARCH__
#define __fmul_rn(a, b) ((a) * (b))
#define __fadd_rn(a, b) ((a) + (b))
#define __expf expf
#define __logf logf
#define __fdividef(a, b) ((a) / (b))
#endif

/* ---- Two messages that meet (ref/bp.c) --------------------------------------------------------- */

FECRUN_ON_DEVICE float bp_limited(float x, float most)
{
    return x > most ? most : x < -most ? -most : x;
}

FECRUN_ON_DEVICE float bp_min_sum(float a, float b)
{
    const float least = fminf(fabsf(a), fabsf(b));

    return (a < 0) != (b < 0) ? -least : least;
}

template <bool FAST> FECRUN_ON_DEVICE float bp_log_1_exp(float x)
{
    return FAST ? __logf(1 + __expf(-x)) : log1pf(expf(-x));
}

template <int RULE, bool FAST>
FECRUN_ON_DEVICE float bp_meet(const struct polar_bp_any_job &job, float a, float b)
{
    if (RULE == POLAR_MIN_SUM)
        return __fmul_rn(job.scale, bp_min_sum(a, b));
    if (RULE == POLAR_SUM_PRODUCT)
        return bp_min_sum(a, b) + bp_log_1_exp<FAST>(fabsf(a + b)) -
               bp_log_1_exp<FAST>(fabsf(a - b));
    return FAST ? __fdividef(1 + a * b, a + b) : (1 + a * b) / (a + b);
}

template <int RULE>
FECRUN_ON_DEVICE float bp_both(const struct polar_bp_any_job &job, float a, float b)
{
    if (RULE == POLAR_SUM_PRODUCT_LR)
        return fminf(fmaxf(a * b, 1 / job.most), job.most);
    return bp_limited(__fadd_rn(a, b), job.most);
}

template <int RULE> FECRUN_ON_DEVICE bool bp_says_1(float l, float r)
{
    return RULE == POLAR_SUM_PRODUCT_LR ? l * r < 1 : l + r < 0;
}

/* ---- A frame's memory -------------------------------------------------------------------------- */

struct bp_any_frame {
    float *column;  /* columns 1 .. stages: L, or R, but the last one, which is what was received */
    uint8_t *u, *x; /* decided bits */
    uint32_t *flags; /* BP_DIFFER: do u and x? BP_SYNDROME */
    uint32_t thread, threads, n, stages;
    uint32_t iterations; /* so far, */
    bool done;           /* and u is not to change any more */
};

enum { BP_DIFFER, BP_SYNDROME };

FECRUN_ON_DEVICE float *bp_column(const struct bp_any_frame &me, uint32_t column)
{
    return me.column + ((column - 1) << me.stages);
}

FECRUN_ON_DEVICE float bp_known(const struct polar_bp_any_job &job, uint32_t position)
{
    return job.frozen[position / 32] >> position % 32 & 1 ? job.most : job.nothing;
}

/* The first position of a stage's pair; the other one is 2^stage behind it. */
FECRUN_ON_DEVICE uint32_t bp_first_of(uint32_t pair, uint32_t stage)
{
    return 2 * pair - (pair & ((1u << stage) - 1));
}

#define BP_EACH_PAIR(me, pair) \
    for (uint32_t pair = (me).thread; pair < (me).n / 2; pair += (me).threads)

/* ---- Passes ------------------------------------------------------------------------------------ */

FECRUN_ON_DEVICE float bp_llr(const struct polar_bp_any_job &job, const int8_t *row, uint32_t i)
{
    const float llr = job.type == FECRUN_I8    ? (float)row[i]
                      : job.type == FECRUN_I16 ? (float)((const int16_t *)row)[i]
                                               : ((const float *)row)[i];

    return llr == llr ? bp_limited(llr, job.limit) : 0;
}

template <int RULE>
FECRUN_ON_DEVICE void bp_any_begin(const struct polar_bp_any_job &job,
                                   const struct bp_any_frame &me, const int8_t *row)
{
    for (uint32_t i = me.thread; i < me.n; i += me.threads) {
        const float llr = bp_llr(job, row, i), natural = llr / job.llr_scale;

        for (uint32_t column = 1; column < me.stages; column++)
            bp_column(me, column)[i] = job.nothing;
        bp_column(me, me.stages)[i] = RULE == POLAR_MIN_SUM ? llr
                                      : RULE == POLAR_SUM_PRODUCT
                                          ? bp_limited(natural, POLAR_BP_MOST_LLR)
                                          : expf(bp_limited(natural, POLAR_BP_MOST_LOG_RATIO));
    }
}

/* The first stage decides u instead. */
template <int RULE, bool FAST>
FECRUN_ON_DEVICE void bp_any_left(const struct polar_bp_any_job &job, const struct bp_any_frame &me,
                                  uint32_t stage)
{
    const float *const l = bp_column(me, stage + 1);
    float *const x = bp_column(me, stage ? stage : 1);

    BP_EACH_PAIR(me, pair)
    {
        const uint32_t i = bp_first_of(pair, stage), j = i + (1u << stage);
        const float ri = stage ? x[i] : bp_known(job, i), rj = stage ? x[j] : bp_known(job, j);
        const float left = bp_meet<RULE, FAST>(job, l[i], bp_both<RULE>(job, l[j], rj));
        const float right = bp_both<RULE>(job, bp_meet<RULE, FAST>(job, ri, l[i]), l[j]);

        if (stage) {
            x[i] = left;
            x[j] = right;
        } else if (!me.done) {
            me.u[i] = bp_says_1<RULE>(left, ri);
            me.u[j] = bp_says_1<RULE>(right, rj);
        }
    }
}

/* The last stage decides x instead. */
template <int RULE, bool FAST>
FECRUN_ON_DEVICE void bp_any_right(const struct polar_bp_any_job &job,
                                   const struct bp_any_frame &me, uint32_t stage)
{
    const float *const r = bp_column(me, stage ? stage : 1);
    float *const x = bp_column(me, stage + 1);

    BP_EACH_PAIR(me, pair)
    {
        const uint32_t i = bp_first_of(pair, stage), j = i + (1u << stage);
        const float ri = stage ? r[i] : bp_known(job, i), rj = stage ? r[j] : bp_known(job, j);
        const float left = bp_meet<RULE, FAST>(job, ri, bp_both<RULE>(job, x[j], rj));
        const float right = bp_both<RULE>(job, bp_meet<RULE, FAST>(job, ri, x[i]), rj);

        if (stage + 1 < me.stages) {
            x[i] = left;
            x[j] = right;
        } else {
            me.x[i] = bp_says_1<RULE>(x[i], left);
            me.x[j] = bp_says_1<RULE>(x[j], right);
        }
    }
}

#endif
