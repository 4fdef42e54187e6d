/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The Decoder log-map: one block of bits a thread, exact sums. Metrics are probabilities
 * themselves, so that a sum of two branches is a fused multiply-add and nothing has to be looked
 * up.
 *
 * A branch multiplies by e^LLR of its input bit if that is 0, and by that of its parity bit if that
 * is 0. Largest |LLR|s of 14 and 7.7 (natural units) let a metric grow by 2^31.4 a step; every four
 * steps all are scaled so that the largest is about 2^-30. (With more, by four steps of which bits are 0 for
 * certain, fillers say, it would grow by more than the 2^126 that one factor can take back.) Then neither metrics nor products of one
 * of either side, of which one has more steps behind it the fewer the other has, leave the range of
 * floats.
 */
#ifndef TURBO_CUDA_WINDOWS_LOGMAP_CUH
#define TURBO_CUDA_WINDOWS_LOGMAP_CUH

#include "plugins/turbo/cuda/windows/frame.cuh"

/* Logarithms are to base 2. */
#define LOG_MOST_PRIOR 20.2f
#define LOG_MOST_PARITY 11.2f
#define LOG_UNIT 9.313225746154785e-10f /* 2^-30: what metrics begin with */
#define LOG_TINY 1e-37f

WIN_FN float exp_2(float x)
{
#ifdef WIN_ON_HOST
    return exp2f(x);
#else
    float out;

    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(out) : "f"(x));
    return out;
#endif
}

WIN_FN float log_2(float x)
{
#ifdef WIN_ON_HOST
    return log2f(x);
#else
    float out;

    asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(out) : "f"(x));
    return out;
#endif
}

WIN_FN float limited(float x, float most)
{
    return fminf(fmaxf(x, -most), most);
}

/* The LLR that a byte plus 128 stands for. */
WIN_FN float log_llr(uint32_t x)
{
    return __uint_as_float(0x4b000000u | x) - 8388736.0f; /* 2^23 + 128 */
}

/* What a step's branches multiply by: for input 0, for parity 0, for both. */
struct log_step {
    float s, p, sp;
};

WIN_FN float log_sum(float m0, float m1, unsigned u0, unsigned z0, const struct log_step &step)
{
    if (u0 == z0)
        return u0 ? fmaf(m1, step.sp, m0) : fmaf(m0, step.sp, m1);
    return u0 ? fmaf(m1, step.s, m0 * step.p) : fmaf(m0, step.s, m1 * step.p);
}

struct win_log_map {
    enum { LANES = 1 };
    typedef float Metric, Llr;
    typedef struct log_step Step;

    struct Extrinsic {
        float p0, p1; /* how likely the bit is 0 and 1, times the same */
    };

    static WIN_FN_MEMBER float input(char *prior, uint32_t place)
    {
        return at<float>(prior, place);
    }

    /* The upper half of a float. */
    static WIN_FN_MEMBER float parity(char *parity, unsigned j)
    {
        return __uint_as_float((uint32_t)at<uint16_t>(parity, 2 * WIN_THREADS * j) << 16);
    }

    static WIN_FN_MEMBER struct log_step step(float s, float p)
    {
        return (struct log_step){s, p, s * p};
    }

    static WIN_FN_MEMBER void normalise(float (&m)[8])
    {
        int top = 1 << 23;
        float by;

        WIN_UNROLL
        for (unsigned n = 0; n < 8; n++)
            top = max(top, (int)__float_as_uint(m[n])); /* in the order of positive floats */
        by = __uint_as_float((uint32_t)max((224 << 23) - (top & 0x7f800000), 1 << 23));
        WIN_UNROLL
        for (unsigned n = 0; n < 8; n++)
            m[n] *= by;
    }

    static WIN_FN_MEMBER void forward(const float (&a)[8], const struct log_step &step, unsigned j,
                                      float (&next)[8])
    {
        WIN_UNROLL
        for (unsigned n = 0; n < 8; n++) {
            const unsigned a1 = n >> 2, s1 = n >> 1 & 1, s2 = n & 1;

            next[n] = log_sum(a[2 * (n & 3)], a[2 * (n & 3) + 1], a1 ^ s2, a1 ^ s1, step);
        }
        if (j % 4 == 3)
            normalise(next);
    }

    static WIN_FN_MEMBER void backward(float (&b)[8], const struct log_step &step, unsigned j)
    {
        float next[8];

        WIN_UNROLL
        for (unsigned n = 0; n < 8; n++) {
            const unsigned s1 = n >> 2, s2 = n >> 1 & 1, s3 = n & 1;

            next[n] = log_sum(b[n >> 1], b[4 + (n >> 1)], s2 ^ s3, s1 ^ s3, step);
        }
        if (j % 4 == 0)
            normalise(next);
        win_copy(next, b);
    }

    static WIN_FN_MEMBER struct Extrinsic extrinsic(const float (&a)[8], const float (&b)[8],
                                                    const struct log_step &step)
    {
        float of[2][2]; /* of input, of parity */

        WIN_UNROLL
        for (unsigned n = 0; n < 8; n++) {
            const unsigned s1 = n >> 2, s2 = n >> 1 & 1, s3 = n & 1;

            WIN_UNROLL
            for (unsigned feed = 0; feed < 2; feed++) {
                const unsigned u = feed ^ s2 ^ s3, z = feed ^ s1 ^ s3;
                const float to = b[4 * feed + (n >> 1)];

                of[u][z] = n == 0 || n == 2 ? a[n] * to : fmaf(a[n], to, of[u][z]);
            }
        }
        return (struct Extrinsic){fmaf(of[0][0], step.p, of[0][1]),
                                  fmaf(of[1][0], step.p, of[1][1])};
    }

    static WIN_FN_MEMBER void put(const struct win_thread &me, char *prior,
                                  const struct Extrinsic &x, uint32_t arrived)
    {
        const float llr = log_2(fmaxf(x.p0, LOG_TINY)) - log_2(fmaxf(x.p1, LOG_TINY));

        at<float>(prior) = exp_2(
            limited(fmaf(log_llr(arrived), me.unit, me.scale * llr), LOG_MOST_PRIOR));
    }

    /* Earlier steps' decisions go one bit down. */
    template <int STOP>
    static WIN_FN_MEMBER uint32_t decide(const struct win_thread &me, uint32_t decided,
                                         const struct log_step &step, const struct Extrinsic &x,
                                         struct win_verdict &v)
    {
        if ((STOP & ~WIN_SOFT) == WIN_STOP_LLR) {
            const float llr = log_2(fmaxf(step.s * x.p0, LOG_TINY)) - log_2(fmaxf(x.p1, LOG_TINY));
            const uint32_t size = (uint32_t)fminf(fabsf(llr) / me.unit, 2047);

            v.sum[0] += size;
            v.least = __vmins2(v.least, both(size));
        }
        return decided >> 1 | (step.s * x.p0 < x.p1 ? 0x8000u : 0);
    }

    /* What arrived counts as it went into `prior`: with a limit. */
    static WIN_FN_MEMBER void put_soft(const struct win_thread &me, const struct win_soft &soft,
                                       uint32_t k, const struct log_step &step,
                                       const struct Extrinsic &x, uint32_t arrived)
    {
        const float llr = log_2(step.s) + log_2(fmaxf(x.p0, LOG_TINY)) -
                          log_2(fmaxf(x.p1, LOG_TINY));

        win_put_soft(me, soft, k, 0, llr / me.unit,
                     limited(me.unit * log_llr(arrived), LOG_MOST_PRIOR) / me.unit);
    }

    /* x: plus 128 */
    static WIN_FN_MEMBER void put_item(const struct win_thread &me, unsigned stream, uint32_t k,
                                       unsigned, uint32_t x)
    {
        const uint32_t place = k * WIN_THREADS + me.thread;
        const float llr = me.unit * log_llr(x);

        if (stream == 0) {
            at<float>(win_shared, me.at.prior + 4 * place) = exp_2(limited(llr, LOG_MOST_PRIOR));
            at<uint16_t>(win_shared, me.at.sys + 2 * place) = (uint16_t)x;
        } else {
            at<uint16_t>(win_shared,
                         me.at.parity + 2 * (place + (stream - 1) * me.steps * WIN_THREADS)) =
                (uint16_t)((__float_as_uint(exp_2(limited(llr, LOG_MOST_PARITY))) + 0x8000u) >> 16);
        }
    }

    static WIN_FN_MEMBER float &border_state(unsigned encoder, unsigned end, uint32_t thread,
                                             unsigned state)
    {
        return at<float>(win_border(encoder, end, thread),
                         (state >> 2) * 16 * WIN_THREADS + 4 * (state & 3));
    }

    static WIN_FN_MEMBER void load_borders(const struct win_thread &me,
                                           const struct win_source &from, unsigned)
    {
        const uint32_t last = me.windows - 1;

        WIN_UNROLL
        for (unsigned i = 0; i < 16; i++) {
            border_state(i >> 3, 0, me.thread, i & 7) = (i & 7) && me.window == 0 ? 0 : LOG_UNIT;
            if (me.window < last)
                border_state(i >> 3, 1, me.thread, i & 7) = LOG_UNIT;
        }
        WIN_NO_UNROLL
        for (unsigned encoder = me.window; encoder < 2; encoder += me.windows) {
            int tail[8], top = -10000;

            WIN_UNROLL
            for (unsigned n = 0; n < 8; n++) {
                tail[n] = win_tail(from, encoder, n);
                top = max(top, tail[n]);
            }
            WIN_UNROLL
            for (unsigned n = 0; n < 8; n++)
                border_state(encoder, 1, me.thread - me.window + last,
                             n) = LOG_UNIT * exp_2(me.unit * (float)(tail[n] - top));
        }
    }

    static WIN_FN_MEMBER void load_all(const struct win_thread &me, const struct win_source &from,
                                       const struct win_source &)
    {
        win_load<win_log_map>(me, from, 0);
    }
};

#endif
