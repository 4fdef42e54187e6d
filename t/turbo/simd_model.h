/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A model of the vector code of turbo.decode, of bytes and of 16 bits: one block and one number at a
 * time; it shares nothing with that code but the table of interleavers.
 */
#ifndef T_TURBO_SIMD_MODEL_H
#define T_TURBO_SIMD_MODEL_H

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/turbo/decode.h"

enum { MOST_K = 6144, MOST_P = 64, TRAINING = 32 };

/* bits, and what doc/turbo.md says of them */
struct numbers {
    int bits, channel, filler, prior, unit, top, never;
};

static const struct numbers numbers_of[2] = {{8, 20, 10, 47, 22, 10, -128},
                                             {16, 512, 512, 768, 96, 0, -5376}};

struct model {
    const struct numbers *n;
    int in_bits; /* of what arrives */
    bool overflow;
    uint32_t k, fillers, windows, iterations, stop;
    double scale;
    uint32_t pi[MOST_K];
    int sys[MOST_K], parity[2][MOST_K], prior[MOST_K], llr[MOST_K];
    int in[MOST_K], alpha[MOST_K][8];
    int begin[2][MOST_P][8], end[2][MOST_P][8];
    int late[2][MOST_P][8], early[2][MOST_P][8]; /* some steps inside of the borders */
    int clip;
    double gain;
};

/* Bytes end at their limits; 16 bits never get there. */
static int sat(struct model *m, int x)
{
    const int limit = 1 << (m->n->bits - 1);

    if (x >= -limit && x < limit)
        return x;
    m->overflow = true;
    return x < 0 ? -limit : limit - 1;
}

/* Three bits, the newest one first; returns the parity bit. */
static int encoder_step(int *reg, int u)
{
    const int s1 = *reg >> 2 & 1, s2 = *reg >> 1 & 1, s3 = *reg & 1, fed = u ^ s2 ^ s3;

    *reg = fed << 2 | s1 << 1 | s2;
    return fed ^ s1 ^ s3;
}

static int gain_of_branch(struct model *m, int a, int p, int u, int z)
{
    return sat(m, (u ? 0 : a) + (z ? 0 : p));
}

static void normalise(struct model *m, int *metric)
{
    int most = metric[0];

    for (int s = 0; s < 8; s++)
        most = metric[s] > most ? metric[s] : most;
    for (int s = 0; s < 8; s++)
        metric[s] = sat(m, metric[s] - (most - m->n->top));
}

static void forward(struct model *m, int *metric, int a, int p)
{
    int next[8];

    for (int s = 0; s < 8; s++)
        next[s] = INT_MIN;
    for (int s = 0; s < 8; s++)
        for (int u = 0; u < 2; u++) {
            int t = s, z = encoder_step(&t, u),
                sum = sat(m, metric[s] + gain_of_branch(m, a, p, u, z));

            next[t] = sum > next[t] ? sum : next[t];
        }
    memcpy(metric, next, sizeof next);
}

static void backward(struct model *m, int *metric, int a, int p)
{
    int next[8];

    for (int s = 0; s < 8; s++) {
        next[s] = INT_MIN;
        for (int u = 0; u < 2; u++) {
            int t = s, z = encoder_step(&t, u),
                sum = sat(m, metric[t] + gain_of_branch(m, a, p, u, z));

            next[s] = sum > next[s] ? sum : next[s];
        }
    }
    memcpy(metric, next, sizeof next);
}

/* The extrinsic LLR: without the input's own gain. */
static int extrinsic(struct model *m, const int *alpha, int p, const int *beta)
{
    int best[2][2] = {{INT_MIN, INT_MIN}, {INT_MIN, INT_MIN}}, of[2];

    for (int s = 0; s < 8; s++)
        for (int u = 0; u < 2; u++) {
            int t = s, z = encoder_step(&t, u), sum = sat(m, alpha[s] + beta[t]);

            best[u][z] = sum > best[u][z] ? sum : best[u][z];
        }
    for (int u = 0; u < 2; u++) {
        of[u] = sat(m, best[u][0] + p);
        of[u] = best[u][1] > of[u] ? best[u][1] : of[u];
    }
    return sat(m, of[0] - of[1]);
}

static int scaled_byte(const struct model *m, int a)
{
    const int factor = (int)nearbyint(256 * m->scale);

    return (a % 16 * factor + 127) / 256 + (a / 16 * 16 * factor + 127) / 256;
}

static int scaled(const struct model *m, int x)
{
    const int factor = (int)nearbyint(32768 * m->scale);
    int a = x < 0 ? -x : x;

    if (m->n->bits == 8) {
        a = scaled_byte(m, a < m->clip ? a : m->clip);
    } else {
        a = (int)((2 * (int64_t)a + 1) * factor / 65536);
        a = a < m->n->prior ? a : m->n->prior;
    }
    return x < 0 ? -a : a;
}

static void find_clip(struct model *m)
{
    for (m->clip = 0; m->clip < 63; m->clip++)
        if (scaled_byte(m, m->clip + 1) > m->n->prior)
            break;
}

/* As many steps of a neighbour are done again. */
static uint32_t training(const struct model *m)
{
    const uint32_t w = m->k / m->windows;

    return w < TRAINING ? w - w % 2 : TRAINING;
}

/* Borders by steps next to them, from what was known there in the iteration before. */
static void train(struct model *m, int e)
{
    const uint32_t w = m->k / m->windows, n = training(m);

    for (uint32_t i = 0; i < m->windows; i++) {
        int a[8], b[8];

        memcpy(a, m->late[e][i], sizeof a);
        memcpy(b, m->early[e][i], sizeof b);
        for (uint32_t x = 0; x < n; x++) {
            const uint32_t f = i * w + w - n + x, r = i * w + n - 1 - x;

            forward(m, a, m->in[f], m->parity[e][f]);
            backward(m, b, m->in[r], m->parity[e][r]);
            if (x % 2)
                normalise(m, a), normalise(m, b);
        }
        if (i + 1 < m->windows)
            memcpy(m->begin[e][i + 1], a, sizeof a);
        if (i)
            memcpy(m->end[e][i - 1], b, sizeof b);
    }
}

static void window(struct model *m, int e, uint32_t w, int a[8], int b[8])
{
    const uint32_t steps = m->k / m->windows, first = w * steps;

    memcpy(a, m->begin[e][w], 8 * sizeof *a);
    memcpy(b, m->end[e][w], 8 * sizeof *b);
    for (uint32_t x = 0; x < steps; x++) {
        if (x % 2 == 0)
            normalise(m, a);
        memcpy(m->alpha[first + x], a, 8 * sizeof *a);
        forward(m, a, m->in[first + x], m->parity[e][first + x]);
    }
    normalise(m, a);
    memcpy(m->late[e][w], m->alpha[first + steps - training(m)], sizeof m->late[e][w]);
    for (uint32_t x = steps; x-- > 0;) {
        const uint32_t i = first + x, bit = e ? m->pi[i] : i;
        const int ext = extrinsic(m, m->alpha[i], m->parity[e][i], b);

        if (x + 1 == training(m))
            memcpy(m->early[e][w], b, sizeof m->early[e][w]);
        m->llr[bit] = sat(m, m->in[i] + ext);
        m->prior[bit] = scaled(m, ext);
        backward(m, b, m->in[i], m->parity[e][i]);
        if (x % 2 == 0)
            normalise(m, b);
    }
    normalise(m, b);
}

static void half_iteration(struct model *m, int e)
{
    int a[8], b[8];

    for (uint32_t i = 0; i < m->k; i++)
        m->in[i] = sat(m, m->sys[e ? m->pi[i] : i] + m->prior[e ? m->pi[i] : i]);
    if (m->windows > 1)
        train(m, e);
    for (uint32_t w = 0; w < m->windows; w++)
        window(m, e, w, a, b);
}

/* ---- a frame ---- */

/* LLR i of a frame of 8 or 16 bits; the smallest number counts as the next one. */
static int arrived(const struct model *m, const void *llr, size_t i)
{
    const int x = m->in_bits == 8 ? ((const int8_t *)llr)[i] : ((const int16_t *)llr)[i];
    const int least = m->in_bits == 8 ? -127 : -32767;

    return x < least ? least : x;
}

/* Is item i of a frame looked at for its gain: all, or 32 of each 32 apart, from where fillers end? */
static bool is_looked_at(const struct model *m, uint32_t i, uint32_t apart)
{
    const uint32_t n = m->k + 4, skipped = i < 2 * n ? m->fillers : 0;
    const uint32_t place = m->fillers ? i % n : i;

    return place >= skipped && (apart == 1 || (place - skipped) % (32 * apart) < 32);
}

/* Magnitudes that are looked at: 2048 at most. */
static uint32_t look_at(const struct model *m, const void *llr, double *magnitude)
{
    static const uint32_t apart[] = {1, 5, 7, 11, 13, 17};
    uint32_t n = 2049;

    for (unsigned at = 0; n > 2048; at++) {
        n = 0;
        for (uint32_t i = 0; i < 3 * (m->k + 4); i++)
            if (is_looked_at(m, i, apart[at]) || (at == 0 && 3 * (m->k + 4) > 2048))
                magnitude[n++] = abs(arrived(m, llr, i));
    }
    return n;
}

/* Sum and number of magnitudes above a limit. */
static double add_up(const double *magnitude, uint32_t n, double limit, double *count)
{
    double sum = 0;

    *count = 0;
    for (uint32_t i = 0; i < n; i++)
        if (magnitude[i] > limit)
            sum += magnitude[i], *count += 1;
    return sum;
}

/* Bytes that arrive for bytes have a gain of 8 bits, others of 16. */
static double gain(const struct model *m, const void *llr)
{
    const double unit = m->in_bits == 8 && m->n->bits == 8 ? 256 : 65536;
    const double bits = m->k - m->fillers, word = 3 * (m->k + 4) - 2 * m->fillers;
    double magnitude[3 * (MOST_K + 4)], received, above = 0, all, below, want, limit;
    const uint32_t n = look_at(m, llr, magnitude);

    below = all = add_up(magnitude, n, 0, &received);
    if (received == 0)
        return 1;
    want = floor(nearbyint(16 * (bits + sqrt(bits))) * n / word);
    want = fmax(fmin(want, 16 * received), floor(16 * received / 3));
    for (unsigned pass = 0; pass < 8; pass++) {
        const double before = above;

        limit = floor(21 * below / (want - 21 * above));
        below = all - add_up(magnitude, n, limit, &above);
        if (above - before <= floor(received / 32))
            break;
    }
    return fmax(floor((unit * m->n->unit * (want - 21 * above) + 8 * below) / (16 * below)), 1) /
           unit;
}

/* Halves up. */
static int quantised(const struct model *m, double x)
{
    const int q = (int)fmin(floor(fabs(x) * m->gain + 0.5), m->n->channel);

    return x < 0 ? -q : q;
}

/* Bits of which something is known before: both LLRs are added as floats; bytes of bytes are rounded
   before their gain, too. */
static double joint(const struct model *m, int x, float apriori)
{
    const float sum = (float)x + (isnan(apriori) ? 0 : apriori * 0.5f);

    return m->in_bits == 8 && m->n->bits == 8 ? nearbyint(fmax(fmin(sum, 127), -127)) : sum;
}

/* 36.212 5.1.3.2.2, stream and place behind K: x z x z x z of the first encoder, of the second. */
static const int tail_place[2][6][2] = {{{0, 0}, {1, 0}, {2, 0}, {0, 1}, {1, 1}, {2, 1}},
                                        {{0, 2}, {1, 2}, {2, 2}, {0, 3}, {1, 3}, {2, 3}}};

/* apriori: LLRs of the bits in half units of what arrives, or NULL. */
static void load(struct model *m, const void *llr, const float *apriori)
{
    const uint32_t n = m->k + 4;
    int q[3][MOST_K + 4];

    m->gain = gain(m, llr);
    for (uint32_t s = 0; s < 3; s++)
        for (uint32_t i = 0; i < n; i++) {
            const int x = arrived(m, llr, s * n + i);
            const bool known = apriori && s == 0 && i >= m->fillers && i < m->k;

            q[s][i] = quantised(m, known ? joint(m, x, apriori[i - m->fillers]) : x);
            if (s < 2 && i < m->fillers)
                q[s][i] = m->n->filler;
        }
    for (uint32_t i = 0; i < m->k; i++) {
        m->sys[i] = q[0][i];
        m->parity[0][i] = q[1][i];
        m->parity[1][i] = q[2][i];
        m->prior[i] = 0;
    }
    for (int e = 0; e < 2; e++) {
        int *beta = m->end[e][m->windows - 1], most = INT_MIN;

        for (int s = 0; s < 8; s++) {
            m->begin[e][0][s] = s ? m->n->never : m->n->top;
            beta[s] = 0;
            for (int t = 0, reg = s; t < 3; t++) {
                const int u = (reg >> 1 ^ reg) & 1, z = encoder_step(&reg, u);
                const int(*place)[2] = &tail_place[e][2 * t];

                beta[s] += (u ? 0 : q[place[0][0]][m->k + (uint32_t)place[0][1]]) +
                           (z ? 0 : q[place[1][0]][m->k + (uint32_t)place[1][1]]);
            }
            most = beta[s] > most ? beta[s] : most;
        }
        for (int s = 0; s < 8; s++)
            beta[s] = sat(m, beta[s] - most + m->n->top);
    }
}

/* Long division of the whole block. */
static bool divides(const struct model *m)
{
    const uint32_t polynomial = m->stop == TURBO_CRC24A ? 0x1864cfb : 0x1800063;
    uint32_t rest = 0;

    for (uint32_t i = 0; i < m->k; i++) {
        rest = rest << 1 | (m->llr[i] < 0);
        if (rest >> 24)
            rest ^= polynomial;
    }
    return rest == 0;
}

/* Returns the iterations; *met: the CRC holds. */
static uint32_t model_decode(struct model *m, const void *llr, const float *apriori, bool *met)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < 16 * m->windows; i++)
        m->late[i % 2][i / 16][i / 2 % 8] = m->early[i % 2][i / 16][i / 2 % 8] = m->n->top;
    load(m, llr, apriori);
    *met = false;
    while (n < m->iterations && !*met) {
        half_iteration(m, 0);
        half_iteration(m, 1);
        n++;
        for (uint32_t i = 0; i < m->fillers; i++)
            m->llr[i] = 0;
        *met = m->stop != TURBO_NEVER && divides(m);
    }
    return n;
}

#endif
