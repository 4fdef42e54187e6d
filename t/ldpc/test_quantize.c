/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * LLRs of types f16 and f32 made i8 for the kernels in registers, as a kernel run on the host: against a plain
 * computation, and what becomes of few huge ones, of none, of known zeros.
 */

/* Its longjmp() takes a jump to another stack for an attack. */
#undef _FORTIFY_SOURCE

#include "t/viterbi/viterbi.h"

#if !defined(__GLIBC__) || defined(__SANITIZE_THREAD__) || !defined(__FLT16_MANT_DIG__)

int main(void)
{
    skip_all("the emulation needs makecontext() of glibc, _Float16 and no thread sanitizer");
}

#else

#include "t/lib/cuda_emulate.h"

#include <math.h>

#include "plugins/ldpc/cuda/quantize/block.h"

struct launch {
    struct ldpc_quantize_work work;
    uint32_t threads;
    uint32_t sums[QUANTIZE_WARPS];
};

static void one_thread(void *arg)
{
    struct launch *l = arg;
    const struct quantize_group g = {l->threads, threadIdx.x, l->sums};

    quantize_frame(&l->work, blockIdx.x, LDPC_QUANTIZE_HELD, &g);
}

/* A frame of n floats, or halves. What its LLR of 1 was, of another frame nothing. */
static float quantize(const void *in, uint32_t type, uint32_t n, uint32_t known, uint32_t known_end,
                      int8_t *out)
{
    float unit[3] = {-5, -6, -7};
    struct launch l = {.work = {.in = in,
                                .out = out,
                                .unit = unit + 1,
                                .in_type = type,
                                .n = n,
                                .frames = 1,
                                .known = known,
                                .known_end = known_end},
                       .threads = n <= 1024   ? 32
                                  : n <= 4096 ? 128
                                              : LDPC_QUANTIZE_THREADS};

    gridDim.x = 1;
    blockIdx.x = 0;
    emu_block(one_thread, &l, l.threads, draw(1000));
    if (unit[0] != -5 || unit[2] != -7)
        bail("another frame's unit");
    return unit[1];
}

/* Are they the numbers times one factor, rounded and limited, that makes the mean `mean`? unit: 1 / factor. */
static bool is_scaled(const float *x, const int8_t *y, uint32_t n, double mean, float unit)
{
    double sum = 0, factor;
    uint32_t count = 0;

    for (uint32_t i = 0; i < n; i++) {
        sum += fabs((double)x[i]);
        count += x[i] != 0;
    }
    factor = mean * count / sum;
    for (uint32_t i = 0; i < n; i++) {
        const double want = fmax(fmin(factor * (double)x[i], 127), -127);

        if (fabs(want - y[i]) > 0.51 + 0.001 * fabs(want))
            return false;
    }
    return fabs((double)unit * factor - 1) < 1e-3;
}

static void test_scale(void)
{
    static const float units[] = {1, 1e-6f, 3e4f};
    enum { N = 1000 };
    float x[N];
    _Float16 h[N];
    int8_t y[N + 1];
    float unit;

    for (unsigned u = 0; u < 3; u++) {
        for (uint32_t i = 0; i < N; i++)
            x[i] = ((float)draw(4001) / 1000 - 2) * units[u];
        y[N] = 77;
        unit = quantize(x, FECRUN_F32, N, 0, 0, y);
        ok(is_scaled(x, y, N, 24, unit) && y[N] == 77, "f32 in units of %g: 24 on average",
           (double)units[u]);
    }
    for (uint32_t i = 0; i < N; i++) {
        h[i] = (_Float16)((float)draw(4001) / 1000 - 2);
        x[i] = (float)h[i];
    }
    unit = quantize(h, FECRUN_F16, N, 0, 0, y);
    ok(is_scaled(x, y, N, 24, unit), "f16");
}

/* By a warp, four and all: the kernel has others between. */
static void test_sizes(void)
{
    static const uint32_t sizes[] = {1, 31, 1024, 1025, 4096, 4097, LDPC_QUANTIZE_MOST};
    static float x[LDPC_QUANTIZE_MOST];
    static int8_t y[LDPC_QUANTIZE_MOST + 1];

    for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const uint32_t n = sizes[s];
        float unit;

        for (uint32_t i = 0; i < n; i++)
            x[i] = (float)draw(4000) / 1000 - 2 + 0.0005f;
        y[n] = 77;
        unit = quantize(x, FECRUN_F32, n, 0, 0, y);
        ok(is_scaled(x, y, n, 24, unit) && y[n] == 77, "%u LLRs", n);
    }
}

static void test_odd_ones(void)
{
    enum { N = 2000 };
    static float x[N];
    static int8_t y[N];
    bool good = true;

    for (uint32_t i = 0; i < N; i++)
        x[i] = i % 2 ? -3 : 3;
    for (uint32_t i = 0; i < 40; i++)
        x[50 * i] = i % 2 ? INFINITY : -1e30f;
    x[7] = NAN;
    quantize(x, FECRUN_F32, N, 0, 0, y);
    for (uint32_t i = 0; i < N; i++)
        good = good && (i == 7        ? y[i] == 0
                        : i % 50 == 0 ? y[i] == (i / 50 % 2 ? 127 : -127)
                                      : abs(y[i]) >= 20 && (y[i] < 0) == (x[i] < 0));
    ok(good, "a few huge ones are 127, and the others keep their steps; NaN is 0");
    for (uint32_t i = 0; i < N; i++)
        x[i] = i < 500 || i >= 900 ? -2 : 1e6f;
    quantize(x, FECRUN_F32, N, 500, 900, y);
    good = true;
    for (uint32_t i = 0; i < N; i++)
        good = good && y[i] == (i < 500 || i >= 900 ? -24 : 0);
    ok(good, "known zeros do not count");
    memset(x, 0, sizeof x);
    good = quantize(x, FECRUN_F32, N, 0, 0, y) == 0;
    for (uint32_t i = 0; i < N; i++)
        good = good && y[i] == 0;
    ok(good, "nothing known: zeros");
}

int main(void)
{
    test_scale();
    test_sizes();
    test_odd_ones();
    return done_testing();
}

#endif
