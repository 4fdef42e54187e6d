/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Times the Viterbi functions of <fec.h> on frames of 4096 bits that it makes itself:
 * built with libfec's header and library, or with fecrun's, whose decode_*_many() is then timed too.
 * bench/libfec.sh does both. A line per code: name, Mb/s one frame at a time, Mb/s many at once or 0,
 * wrong bits. CPU time of this process, best of several turns.
 */
#include <fec.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TURNS = 9, MOST_BITS = 4096 };

struct code {
    const char *name;
    int K, n, bits, frames, polys[6];
    double sigma;
    void *(*create)(int);
    int (*init)(void *, int);
    int (*update)(void *, unsigned char *, int);
    int (*chainback)(void *, unsigned char *, unsigned, unsigned);
    int (*many)(void *, const unsigned char *, unsigned char *, unsigned, unsigned, unsigned);
};

#ifdef FECRUN_FEC_H
#define MANY(name) decode_##name##_many
#else
#define MANY(name) NULL
#endif
#define FUNCTIONS(name) create_##name, init_##name, update_##name##_blk, chainback_##name, MANY(name)

static const struct code codes[] = {
    {"viterbi27", 7, 2, 4096, 512, {V27POLYA, V27POLYB}, 0.63, FUNCTIONS(viterbi27)},
    {"viterbi29", 9, 2, 4096, 128, {V29POLYA, V29POLYB}, 0.68, FUNCTIONS(viterbi29)},
    {"viterbi39", 9, 3, 4096, 128, {V39POLYA, V39POLYB, V39POLYC}, 0.82, FUNCTIONS(viterbi39)},
    {"viterbi615", 15, 6, 4096, 4,
     {V615POLYA, V615POLYB, V615POLYC, V615POLYD, V615POLYE, V615POLYF}, 1.5, FUNCTIONS(viterbi615)},
};

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint32_t word(void)
{
    static uint32_t z = 1;

    z ^= z << 13;
    z ^= z >> 17;
    return z ^= z << 5;
}

/* The sum of 12 uniform values: near enough to a normal one of variance 1. */
static double noise(void)
{
    double sum = -6;

    for (int i = 0; i < 12; i++)
        sum += word() / 4294967296.0;
    return sum;
}

static void make_frame(const struct code *c, unsigned char *bits, unsigned char *symbols)
{
    unsigned sr = 0;

    memset(bits, 0, (size_t)c->bits / 8);
    for (int i = 0; i < c->bits + c->K - 1; i++) {
        unsigned bit = i < c->bits ? word() >> 31 : 0;
        if (i < c->bits)
            bits[i / 8] |= (unsigned char)(bit << (7 - i % 8));
        sr = sr << 1 | bit;
        for (int j = 0; j < c->n; j++) {
            int one = __builtin_popcount(sr & (unsigned)c->polys[j]) & 1;
            double value = 128 + 64 * ((one ? 1 : -1) + c->sigma * noise());
            *symbols++ = value < 0 ? 0 : value > 255 ? 255 : (unsigned char)value;
        }
    }
}

static void one_by_one(const struct code *c, void *vp, unsigned char *symbols, unsigned char *out)
{
    int steps = c->bits + c->K - 1;

    for (int f = 0; f < c->frames; f++) {
        c->init(vp, 0);
        c->update(vp, symbols + (size_t)f * (size_t)(steps * c->n), steps);
        c->chainback(vp, out + (size_t)f * (size_t)(c->bits / 8), (unsigned)c->bits, 0);
    }
}

/* Best of TURNS, as Mb/s; checks what came out. */
static double timed(const struct code *c, int many, void *vp, unsigned char *symbols,
                    const unsigned char *truth, unsigned char *out, long *wrong)
{
    size_t bytes = (size_t)c->frames * (size_t)c->bits / 8;
    double best = 1e9;

    for (int t = 0; t < TURNS; t++) {
        double begin = now(), took;
        if (many)
            c->many(vp, symbols, out, (unsigned)c->bits, 0, (unsigned)c->frames);
        else
            one_by_one(c, vp, symbols, out);
        took = now() - begin;
        best = took < best ? took : best;
    }
    *wrong = 0;
    for (size_t i = 0; i < bytes; i++)
        *wrong += __builtin_popcount(out[i] ^ truth[i]);
    return 8e-6 * (double)bytes / best;
}

static void run(const struct code *c)
{
    size_t row = (size_t)((c->bits + c->K - 1) * c->n), bytes = (size_t)c->bits / 8;
    unsigned char *symbols = malloc((size_t)c->frames * row);
    unsigned char *truth = malloc((size_t)c->frames * bytes), *out = malloc((size_t)c->frames * bytes);
    void *vp = c->create(c->bits);
    double one, many = 0;
    long wrong, wrong_many = 0;

    if (!symbols || !truth || !out || !vp) {
#ifdef FECRUN_FEC_H
        fprintf(stderr, "%s\n", fecrun_fec_message());
#endif
        fprintf(stderr, "no decoder\n");
        exit(1);
    }
    for (int f = 0; f < c->frames; f++)
        make_frame(c, truth + (size_t)f * bytes, symbols + (size_t)f * row);
    one = timed(c, 0, vp, symbols, truth, out, &wrong);
    if (c->many)
        many = timed(c, 1, vp, symbols, truth, out, &wrong_many);
    printf("%s %.4f %.4f %ld %ld\n", c->name, one, many, wrong, (long)bytes * c->frames * 8);
    if (c->many && wrong_many != wrong)
        exit(fprintf(stderr, "%s: many at once gives other bits\n", c->name) > 0);
    free(symbols);
    free(truth);
    free(out);
}

int main(void)
{
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        run(&codes[i]);
    return 0;
}
