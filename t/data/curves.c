/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes lines of curves.csv: error rates over BPSK and white noise of maximum-likelihood decoding
 * with unquantised soft decisions. It shares nothing with fecrun, by intention: its own trellis,
 * random numbers, metrics and trace-back, as plain as they can be.
 *
 *     cc -O3 -o curves curves.c -lm
 *     ./curves RATE BITS EBN0_DB FRAMES SEED
 *
 * RATE: 1/2, 2/3, 3/4, 5/6, 7/8: (133, 171) punctured as in 802.11 or DVB, with six zero bits
 * behind each frame, which Eb/N0 counts as a loss; 1/3: tail-biting (133, 171, 165), the best of
 * the 64 paths that start and end in the same state. Bit errors, frame errors and the sum of the
 * squares of the frames' bit errors follow: bit errors come in bursts, and their variance is needed
 * to compare error rates.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_STEPS = 10000 };

static const unsigned generators[3] = {0133, 0171, 0165}; /* bit 6: the newest */

static const struct code {
    const char *rate, *patterns[3]; /* one a generator; NULL: not there */
} codes[] = {
    {"1/2", {"1", "1", NULL}},         {"2/3", {"11", "10", NULL}},
    {"3/4", {"110", "101", NULL}},     {"5/6", {"11010", "10101", NULL}},
    {"7/8", {"1111010", "1000101", NULL}}, {"1/3", {"1", "1", "1"}},
};

static uint64_t random_state[4];

static uint64_t rotate(uint64_t x, int n)
{
    return x << n | x >> (64 - n);
}

/* xoshiro256** of Blackman and Vigna */
static uint64_t random_word(void)
{
    uint64_t *s = random_state, result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

static void seed_random(uint64_t seed)
{
    random_state[0] = seed * 0x9e3779b97f4a7c15 + 1;
    random_state[1] = 0x123456789abcdef;
    for (int i = 0; i < 100; i++)
        random_word();
}

static double uniform(void)
{
    return ((double)(random_word() >> 11) + 0.5) * 0x1p-53;
}

/* Marsaglia's polar method */
static double normal(void)
{
    static double kept;
    static int have;
    double x, y, r;

    if (have) {
        have = 0;
        return kept;
    }
    do {
        x = 2 * uniform() - 1;
        y = 2 * uniform() - 1;
        r = x * x + y * y;
    } while (r >= 1);
    r = sqrt(-2 * log(r) / r);
    kept = y * r;
    have = 1;
    return x * r;
}

static int parity(unsigned x)
{
    return __builtin_popcount(x) & 1;
}

static int is_sent(const struct code *code, int g, size_t step)
{
    const char *pattern = code->patterns[g];

    return pattern && pattern[step % strlen(pattern)] == '1';
}

/* A frame: message, and what is received of each step; 0 for what is not sent. */
static uint8_t message[MAX_STEPS];
static float received[3][MAX_STEPS];

static void send(const struct code *code, size_t bits, size_t steps, double sigma)
{
    unsigned state = 0;

    for (size_t t = 0; t < steps; t++)
        message[t] = t < bits ? random_word() >> 63 : 0;
    for (size_t t = steps - 6; t < steps; t++)
        state = (unsigned)message[t] << 5 | state >> 1; /* zero, unless it bites its tail */
    for (size_t t = 0; t < steps; t++) {
        unsigned seven = (unsigned)message[t] << 6 | state;
        for (int g = 0; g < 3; g++) {
            double x = parity(seven & generators[g]) ? -1 : 1;
            received[g][t] = is_sent(code, g, t) ? (float)(x + sigma * normal()) : 0;
        }
        state = seven >> 1;
    }
}

/* The best path from state `ends` to itself; returns what it lacks, decided gets its bits. */
static float decode(unsigned ends, size_t steps, uint8_t *decided)
{
    static uint8_t dropped[MAX_STEPS][64];
    float metric[64], next[64];

    for (unsigned s = 0; s < 64; s++)
        metric[s] = s == ends ? 0 : 1e30f;
    for (size_t t = 0; t < steps; t++) {
        float cost[8];
        for (int c = 0; c < 8; c++) /* squared distance less what all have in common */
            cost[c] = (c & 4 ? received[0][t] : -received[0][t]) +
                      (c & 2 ? received[1][t] : -received[1][t]) +
                      (c & 1 ? received[2][t] : -received[2][t]);
        for (unsigned s = 0; s < 64; s++) {
            float way[2];
            for (unsigned old = 0; old < 2; old++) {
                unsigned seven = s << 1 | old; /* the new state and the bit that it drops */
                int c = parity(seven & generators[0]) << 2 | parity(seven & generators[1]) << 1 |
                        parity(seven & generators[2]);
                way[old] = metric[seven & 63] + cost[c];
            }
            dropped[t][s] = way[1] < way[0];
            next[s] = way[1] < way[0] ? way[1] : way[0];
        }
        memcpy(metric, next, sizeof metric);
    }
    for (size_t t = steps, state = ends; t-- > 0;) {
        decided[t] = (uint8_t)(state >> 5);
        state = (state << 1 | dropped[t][state]) & 63;
    }
    return metric[ends];
}

static unsigned count_errors(const uint8_t *decided, size_t bits)
{
    unsigned n = 0;

    for (size_t t = 0; t < bits; t++)
        n += decided[t] != message[t];
    return n;
}

static unsigned decode_frame(size_t bits, size_t steps)
{
    uint8_t decided[MAX_STEPS], other[MAX_STEPS];
    float best = decode(0, steps, decided), lacks;

    for (unsigned s = 1; bits == steps && s < 64; s++) {
        lacks = decode(s, steps, other);
        if (lacks < best) {
            best = lacks;
            memcpy(decided, other, steps);
        }
    }
    return count_errors(decided, bits);
}

int main(int argc, char **argv)
{
    const struct code *code = codes, *end = codes + sizeof codes / sizeof *codes;
    size_t bits, steps, sent = 0;
    uint64_t frames, errors = 0, bad = 0, squares = 0;
    double sigma;

    while (argc == 6 && code < end && strcmp(code->rate, argv[1]))
        code++;
    if (argc != 6 || code == end)
        return 2;
    bits = strtoull(argv[2], NULL, 10);
    steps = code->patterns[2] ? bits : bits + 6;
    if (steps > MAX_STEPS || steps < 6)
        return 2;
    frames = strtoull(argv[4], NULL, 10);
    seed_random(strtoull(argv[5], NULL, 10));
    for (size_t t = 0; t < steps; t++)
        for (int g = 0; g < 3; g++)
            sent += is_sent(code, g, t);
    sigma = sqrt(0.5 / (pow(10, strtod(argv[3], NULL) / 10) * (double)bits / (double)sent));
    for (uint64_t frame = 0; frame < frames; frame++) {
        unsigned wrong;
        send(code, bits, steps, sigma);
        wrong = decode_frame(bits, steps);
        errors += wrong;
        bad += wrong > 0;
        squares += (uint64_t)wrong * wrong;
    }
    printf("%s,%zu,%s,%s,%llu,%llu,%llu,%s\n", argv[1], bits, argv[3], argv[4],
           (unsigned long long)errors, (unsigned long long)bad, (unsigned long long)squares,
           argv[5]);
    return 0;
}
