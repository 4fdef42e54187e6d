/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What channels add: the noise of channel.awgn is normal, of its variance and mean, and no sample says anything of
 * another one; so are the flips of channel.bsc and the erasures of channel.bec. t/sdk has the generators
 * themselves.
 */
#include "t/chain/theory.h"

enum { BITS = 24000, FRAMES = 50, SYMBOLS = BITS / 2 };

/* ---- channel.awgn ---- */

#define N0 1.5848931924611136 /* of Es/N0 = -2 dB */

/* Two channels behind the same symbols, and one of BPSK. */
static const char awgn[] = "fecrun: 1\nseed: 5\npipeline:\n- source.random: {bits: 24000}\n"
                           "- modem.map: {id: map, scheme: qpsk}\n"
                           "- sink.memory: {id: symbols}\n"
                           "- channel.awgn: {id: one, esn0_db: -2, from: map}\n"
                           "- sink.memory: {id: first}\n"
                           "- channel.awgn: {id: two, esn0_db: -2, from: map}\n"
                           "- sink.memory: {id: second}\n"
                           "- channel.awgn: {esn0_db: -2, from: one}\n"
                           "- sink.memory: {id: both}\n"
                           "- modem.map: {id: real, scheme: bpsk, from: source}\n"
                           "- sink.memory: {id: real_symbols}\n"
                           "- channel.awgn: {id: three, esn0_db: -2, from: real}\n"
                           "- sink.memory: {id: real_noisy}\n";

/* The noise alone, of variance 1: sample 2 i is the real part of symbol i, 2 i + 1 the imaginary one. */
static void noise_of(double *noise, const float *noisy, const float *symbols, uint64_t n, double n0)
{
    for (uint64_t i = 0; i < n; i++)
        noise[i] = ((double)noisy[i] - symbols[i]) / sqrt(n0 / 2);
}

/* Moments of the normal distribution are 0, 1, 0, 3; of its powers, 1, 2, 15, 96 are the variances. */
static void try_moments(const double *x, uint64_t n, const char *what)
{
    double sum[5] = {0};
    bool right = true;

    for (uint64_t i = 0; i < n; i++)
        for (int power = 1; power <= 4; power++)
            sum[power] += pow(x[i], power);
    ok(is_mean(sum[1], (double)n, 0, 1, "mean"), "%s: mean", what);
    ok(is_mean(sum[2], (double)n, 1, 2, "variance"), "%s: variance N0 / 2", what);
    ok(is_mean(sum[3], (double)n, 0, 15, "third moment"), "%s: no skew", what);
    ok(is_mean(sum[4], (double)n, 3, 96, "fourth moment"), "%s: kurtosis", what);
    for (double limit = -3.5; limit <= 3.5; limit += 0.25) {
        uint64_t above = 0;
        char where[32];

        for (uint64_t i = 0; i < n; i++)
            above += x[i] > limit;
        snprintf(where, sizeof where, "above %g sigma", limit);
        right &= is_binomial((double)above, (double)n, q_function(limit), where);
    }
    ok(right, "%s: the distribution", what);
}

/* Pairs: products of the values, of their squares' deviations, and of one with the other's, which Box and Muller's
   two halves would show. All have the mean 0. */
static bool independent(const double *x, const double *y, uint64_t n, unsigned step,
                        const char *what)
{
    double sum[4] = {0}, pairs = 0;
    bool right = true;

    for (uint64_t i = 0; i < n; i += step, pairs++) {
        sum[0] += x[i] * y[i];
        sum[1] += (x[i] * x[i] - 1) * (y[i] * y[i] - 1);
        sum[2] += x[i] * (y[i] * y[i] - 1);
        sum[3] += (x[i] * x[i] - 1) * y[i];
    }
    right &= is_mean(sum[0], pairs, 0, 1, what);
    right &= is_mean(sum[1], pairs, 0, 4, what);
    right &= is_mean(sum[2], pairs, 0, 2, what);
    return right & is_mean(sum[3], pairs, 0, 2, what);
}

static void try_neighbours(const double *x, uint64_t n)
{
    /* Blocks and buffers of all kinds are powers of two, or begin with a frame. */
    static const unsigned lags[] = {2,    3,    4,    5,    6,    7,    8,     9,    15,      16,
                                    17,   31,   32,   64,   96,   128,  192,   256,  512,     768,
                                    1024, 2048, 3072, 4096, 8192, 9999, 16384, BITS, 2 * BITS};
    bool right = true;

    ok(independent(x, x + 1, n - 1, 2, "real and imaginary part"),
       "real and imaginary part of a symbol are independent");
    ok(independent(x + 1, x + 2, n - 2, 2, "imaginary and next real part"), "one and the next one");
    for (unsigned i = 0; i < sizeof lags / sizeof *lags; i++) {
        char what[32];

        snprintf(what, sizeof what, "%u samples apart", lags[i]);
        right &= independent(x, x + lags[i], n - lags[i], 1, what);
    }
    ok(right, "samples further apart; the last ones are those of the next frame");
}

static void try_awgn(void)
{
    uint64_t n, reals;
    const float *symbols, *first, *second, *both, *real_symbols, *real_noisy;
    double *x, *y;

    open_link(awgn, FRAMES);
    symbols = array_of("symbols", &n);
    first = array_of("first", &n);
    second = array_of("second", &n);
    both = array_of("both", &n);
    real_symbols = array_of("real_symbols", &reals);
    real_noisy = array_of("real_noisy", &reals);
    execute(FRAMES);
    n *= 2;
    x = malloc(n * sizeof *x);
    y = malloc(n * sizeof *y);
    if (!x || !y || reals != n)
        bail("out of memory");

    noise_of(x, first, symbols, n, N0);
    try_moments(x, n, "QPSK");
    try_neighbours(x, n);
    noise_of(y, second, symbols, n, N0);
    ok(independent(x, y, n, 1, "two channels"), "two channels of a pipeline are independent");
    noise_of(y, both, first, n, N0);
    ok(independent(x, y, n, 1, "one behind the other"), "one behind the other, too");
    noise_of(y, both, symbols, n, 2 * N0);
    try_moments(y, n, "both");
    /* bits and noise */
    for (uint64_t i = 0; i < n; i++)
        y[i] = symbols[i] * sqrt(2);
    ok(independent(x, y, n, 1, "noise and symbols"), "noise and symbols are independent");
    for (uint64_t i = 0; i < n; i++)
        x[i] = ((double)real_noisy[2 * i] - real_symbols[2 * i]) / sqrt(N0 / 2);
    try_moments(x, n, "BPSK");
    ok(independent(x, x + 1, n - 1, 1, "samples of BPSK"),
       "successive samples of BPSK are independent");
    close_link();
    free(x);
    free(y);
    free((void *)symbols), free((void *)first), free((void *)second), free((void *)both);
    free((void *)real_symbols), free((void *)real_noisy);
}

/* ---- channel.bsc, channel.bec ---- */

/* Pairs that are both hit: of n pairs that overlap, so 2 n (p^3 - p^4) more than those of n that do not. */
static bool pairs_right(const uint8_t *hit, uint64_t n, unsigned lag, double p)
{
    const double count = (double)(n - lag), mean = p * p;
    const double variance = mean * (1 - mean) + 2 * (p * p * p - mean * mean);
    uint64_t pairs = 0;
    char what[32];

    for (uint64_t i = 0; i + lag < n; i++)
        pairs += hit[i] & hit[i + lag];
    snprintf(what, sizeof what, "hits %u bits apart", lag);
    return fabs((double)pairs - count * mean) <= 1 ||
           is_mean((double)pairs, count, mean, variance, what);
}

static void try_hits(const char *channel, double p, const uint8_t *bits, const uint8_t *hit,
                     uint64_t n)
{
    static const unsigned lags[] = {1,    2,    3,    4,     5,    7,       8,   16,
                                    31,   32,   64,   128,   256,  512,     768, 1024,
                                    2048, 4096, 8192, 16384, BITS, 2 * BITS};
    uint64_t of[2] = {0}, hits[2] = {0};
    bool right = true;

    for (uint64_t i = 0; i < n; i++) {
        of[bits[i]]++;
        hits[bits[i]] += hit[i];
    }
    ok(is_binomial((double)(hits[0] + hits[1]), (double)n, p, "bits"), "%s, p = %g: as many bits",
       channel, p);
    ok(is_binomial((double)hits[0], (double)of[0], p, "zeros") &&
           is_binomial((double)hits[1], (double)of[1], p, "ones"),
       "%s, p = %g: zeros as likely as ones", channel, p);
    for (unsigned i = 0; i < sizeof lags / sizeof *lags; i++)
        right &= pairs_right(hit, n, lags[i], p);
    ok(right, "%s, p = %g: bits are hit independently", channel, p);
}

/* Inverted are LLRs of the other sign, erased ones are 0; of all others the size is that of ln((1 - p) / p), to 8
   bits, of an erasure channel the largest that there is. */
static void try_bits(const char *channel, double p, bool erases)
{
    const double want = log((1 - p) / p);
    uint64_t n, zeros = 0, wrong = 0;
    char text[512];
    uint8_t *bits, *hit;
    float *llr;

    snprintf(
        text, sizeof text,
        "fecrun: 1\nseed: 9\npipeline:\n- source.random: {bits: %d}\n"
        "- sink.memory: {id: bits}\n- %s: {p: %.17g, from: source}\n- sink.memory: {id: llr}\n",
        BITS, channel, p);
    open_link(text, FRAMES);
    bits = array_of("bits", &n);
    llr = array_of("llr", &n);
    hit = malloc(n);
    if (!hit)
        bail("out of memory");
    execute(FRAMES);
    for (uint64_t i = 0; i < n; i++) {
        hit[i] = erases ? llr[i] == 0 : (llr[i] < 0) != bits[i];
        zeros += llr[i] == 0;
        if (erases)
            wrong += llr[i] != 0 && ((llr[i] < 0) != bits[i] || fabsf(llr[i]) < FECRUN_LLR_MAX_F32);
        else
            wrong += fabs(fabs(llr[i]) - want) > want / 256 + 1e-9;
    }
    ok(!wrong && (erases || p >= 0.5 || !zeros), "%s, p = %g: signs and sizes of LLRs", channel, p);
    if (p < 0.5 || erases)
        try_hits(channel, p, bits, hit, n);
    close_link();
    free(bits);
    free(llr);
    free(hit);
}

int main(void)
{
    static const double inverted[] = {0.001, 0.02, 0.11, 0.3, 0.49, 0.5};
    static const double erased[] = {0.001, 0.1, 0.5, 0.9};

    begin_links();
    try_awgn();
    for (unsigned i = 0; i < sizeof inverted / sizeof *inverted; i++)
        try_bits("channel.bsc", inverted[i], false);
    for (unsigned i = 0; i < sizeof erased / sizeof *erased; i++)
        try_bits("channel.bec", erased[i], true);
    return done_testing();
}
