/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What t/turbo/test_windows.c compares with: frames with noise, and a plain decoder in the integers of the
 * CUDA decoder's windows.
 */
#ifndef T_TURBO_WINDOWS_PLAIN_H
#define T_TURBO_WINDOWS_PLAIN_H

#include <fecrun/plugin.h>
#include <math.h>

#include "plugins/turbo/decode.h"
#include "plugins/turbo/code/trellis.h"
#include "t/lib/tap.h"
#include "t/turbo/windows.h"

enum { MOST_FRAMES = 40, POISON = 0xa5, LLR_SCALE = 8, NEVER = -8000, MOST_SHARED = 227 << 10 };

struct trial {
    struct turbo_windows_job job;
    struct turbo_windows_kind kind;
    bool single;   /* single/plan.h's kernel */
    bool wild;     /* whatever was sent, the largest LLRs arrive */
    size_t shared; /* bytes that a block of threads can have */
    uint32_t fillers, frames, overlap;
    int8_t *in;
    float *apriori; /* as many a frame as there are bits; NULL: none */
    uint8_t *sent, *out;
    char *soft[2];
    struct fecrun_frame_info info[MOST_FRAMES];
};

#define SEED 88172645463325252u

static uint64_t state = SEED;

static uint32_t draw(uint32_t n)
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (uint32_t)(state >> 33) % n;
}

static double noise(void)
{
    double sum = 0;

    for (unsigned i = 0; i < 12; i++)
        sum += draw(1 << 20) / (double)(1 << 20);
    return sum - 6;
}

static void *get(size_t bytes)
{
    void *p = malloc(bytes);

    if (!p)
        bail("out of memory");
    return p;
}

/* ---- frames
   ------------------------------------------------------------------------------------ */

static void encode(const struct turbo_qpp *qpp, const uint8_t *bits, uint8_t *word)
{
    const uint32_t k = qpp->k;

    for (uint32_t e = 0; e < 2; e++) {
        uint32_t s = 0;

        for (uint32_t i = 0; i < k; i++) {
            const uint32_t u = bits[e ? turbo_pi(qpp, i) : i];

            word[turbo_item(k, 0, i)] = bits[i];
            word[turbo_item(k, 1 + e, i)] = (uint8_t)turbo_parity(s, u);
            s = turbo_next(s, u);
        }
        for (uint32_t t = 0; t < TURBO_TAIL; t++) {
            const uint32_t u = turbo_tail_input(s);

            word[turbo_tail_x(k, e, t)] = (uint8_t)u;
            word[turbo_tail_z(k, e, t)] = (uint8_t)turbo_parity(s, u);
            s = turbo_next(s, u);
        }
    }
}

static void make_frame(const struct trial *t, const struct turbo_qpp *qpp, double sigma,
                       uint8_t *bits, int8_t *llr)
{
    const uint32_t k = qpp->k, word = turbo_word(k);
    uint8_t *coded = get(word);
    uint32_t crc = 0;

    for (uint32_t i = 0; i < k; i++)
        bits[i] = i < t->fillers ? 0 : (uint8_t)draw(2);
    for (uint32_t i = t->fillers; i + 24 < k; i++)
        crc = turbo_crc_step(crc, turbo_stop_polynomial(TURBO_CRC24B), bits[i]);
    for (uint32_t i = 0; i < 24 && t->kind.stop == WIN_STOP_CRC; i++)
        bits[k - 24 + i] = crc >> (23 - i) & 1;
    encode(qpp, bits, coded);
    for (uint32_t i = 0; i < word; i++) {
        const double y = ((coded[i] ? -1 : 1) + sigma * noise()) * LLR_SCALE * 2 / sigma / sigma;
        const double x = rint(y);

        llr[i] = x > 127 ? 127 : x < -127 ? (draw(2) ? -127 : -128) : (int8_t)x;
    }
    for (uint32_t i = 0, left = 0, sign = 0; i < word && t->wild; i++, left--) {
        if (!left)
            sign = draw(2), left = 1 + draw(draw(2) ? 3 : 60);
        llr[i] = sign ? 127 : -127;
    }
    free(coded);
}

/* ---- the plain decoder
   -------------------------------------------------------------------------- */

struct plain {
    const struct trial *t;
    const struct turbo_windows_class *c;
    int *sys, *prior, *llr, *parity[2];
    int (*alpha)[8], (*begin[2])[8], (*end[2])[8];
};

static int llr_of(const int8_t *llr, uint32_t i)
{
    return llr[i] < -127 ? -127 : llr[i];
}

/* To the nearest integer of twice as many bits as a float has, halves to the even one. */
static int scaled(const struct turbo_windows_job *job, int extrinsic, int sys)
{
    const int limit = (int)(job->limit & 0xffff);
    const uint32_t bits = job->factor & 0xffff;
    const double factor = ldexp(1024 + bits % 1024, (int)(bits / 1024) - 25);
    const int x = (extrinsic > limit ? limit : extrinsic < -limit ? -limit : extrinsic) + limit;

    return (int)rint(x * factor + sys + 128) - (int)(job->bias & 0xffff);
}

static int branch(uint32_t from, uint32_t u, int s, int p)
{
    return (u ? 0 : s) + (turbo_parity(from, u) ? 0 : p);
}

static void start(struct plain *d, const int8_t *llr)
{
    const struct turbo_windows_class *c = d->c;

    for (uint32_t i = 0; i < c->k; i++) {
        const bool filler = i < c->fillers;

        d->sys[i] = d->prior[i] = filler ? 127 : llr_of(llr, turbo_item(c->k, 0, i));
        d->parity[0][i] = filler ? 127 : llr_of(llr, turbo_item(c->k, 1, i));
        d->parity[1][i] = llr_of(llr, turbo_item(c->k, 2, i));
    }
    for (uint32_t e = 0; e < 2; e++) {
        memset(d->begin[e], 0, c->windows * sizeof *d->begin[e]);
        memset(d->end[e], 0, c->windows * sizeof *d->end[e]);
        for (uint32_t s = 0; s < 8; s++) {
            uint32_t at = s;

            d->begin[e][0][s] = s ? NEVER : 0;
            for (uint32_t i = 0; i < TURBO_TAIL; i++) {
                const uint32_t u = turbo_tail_input(at);

                d->end[e][c->windows - 1][s] += branch(at, u, llr_of(llr, turbo_tail_x(c->k, e, i)),
                                                       llr_of(llr, turbo_tail_z(c->k, e, i)));
                at = turbo_next(at, u);
            }
        }
    }
}

/* From the metrics m before a step to those behind it. */
static void go(int (*m)[8], int s, int p)
{
    int next[8];

    for (uint32_t n = 0; n < 8; n++)
        next[n] = -1000000;
    for (uint32_t n = 0; n < 16; n++) {
        const uint32_t to = turbo_next(n / 2, n % 2);
        const int x = (*m)[n / 2] + branch(n / 2, n % 2, s, p);

        next[to] = x > next[to] ? x : next[to];
    }
    memcpy(*m, next, sizeof next);
}

static void go_back(int (*m)[8], int s, int p)
{
    int next[8];

    for (uint32_t n = 0; n < 8; n++)
        next[n] = -1000000;
    for (uint32_t n = 0; n < 16; n++) {
        const int x = (*m)[turbo_next(n / 2, n % 2)] + branch(n / 2, n % 2, s, p);

        next[n / 2] = x > next[n / 2] ? x : next[n / 2];
    }
    memcpy(*m, next, sizeof next);
}

/* Borders, of which is known what was `overlap` steps before them in the iteration before. */
static void lead(struct plain *d, uint32_t e)
{
    const struct turbo_windows_class *c = d->c;
    const struct turbo_qpp qpp = {(uint16_t)c->k, (uint16_t)c->f1, (uint16_t)c->f2};

    for (uint32_t w = 0; w < c->windows; w++) {
        const uint32_t first = w * c->steps, behind = first + c->steps;

        for (uint32_t k = first - c->overlap; w && k < first; k++)
            go(&d->begin[e][w], d->prior[e ? turbo_pi(&qpp, k) : k], d->parity[e][k]);
        for (uint32_t k = behind + c->overlap; w + 1 < c->windows && k-- > behind;)
            go_back(&d->end[e][w], d->prior[e ? turbo_pi(&qpp, k) : k], d->parity[e][k]);
    }
}

static void normalised(const int (*m)[8], int (*to)[8])
{
    for (uint32_t n = 0; n < 8; n++)
        (*to)[n] = (*m)[n] - (*m)[0];
}

static void half(struct plain *d, uint32_t e)
{
    const struct turbo_windows_class *c = d->c;
    const struct turbo_qpp qpp = {(uint16_t)c->k, (uint16_t)c->f1, (uint16_t)c->f2};
    int(*behind)[8] = get(c->windows * sizeof *behind),
    (*before)[8] = get(c->windows * sizeof *before);

    lead(d, e);
    for (uint32_t w = 0; w < c->windows; w++) {
        const uint32_t first = w * c->steps, end = first + c->steps;
        int m[8];

        memcpy(m, d->begin[e][w], sizeof m);
        for (uint32_t k = first; k < end; k++) {
            if (k == end - c->overlap)
                normalised(&m, &behind[w]);
            memcpy(d->alpha[k], m, sizeof m);
            go(&m, d->prior[e ? turbo_pi(&qpp, k) : k], d->parity[e][k]);
        }
        if (!c->overlap)
            normalised(&m, &behind[w]);
        memcpy(m, d->end[e][w], sizeof m);
        for (uint32_t k = end; k-- > first;) {
            const uint32_t at = e ? turbo_pi(&qpp, k) : k;
            const int s = d->prior[at], p = d->parity[e][k];
            int best[2] = {-1000000, -1000000}, x;

            for (uint32_t n = 0; n < 16; n++) {
                x = d->alpha[k][n / 2] + m[turbo_next(n / 2, n % 2)] + branch(n / 2, n % 2, 0, p);
                best[n % 2] = x > best[n % 2] ? x : best[n % 2];
            }
            d->llr[at] = s + best[0] - best[1];
            d->prior[at] = scaled(&d->t->job, best[0] - best[1], d->sys[at]);
            if (k + 1 == first + c->overlap)
                normalised(&m, &before[w]);
            go_back(&m, s, p);
        }
        if (!c->overlap)
            normalised(&m, &before[w]);
    }
    for (uint32_t w = 0; w < c->windows; w++) {
        if (w + 1 < c->windows)
            memcpy(d->begin[e][w + 1], behind[w], sizeof behind[w]);
        if (w)
            memcpy(d->end[e][w - 1], before[w], sizeof before[w]);
    }
    free(behind);
    free(before);
}

static bool is_met(const struct plain *d)
{
    const struct turbo_windows_job *job = &d->t->job;
    uint32_t crc = 0, sum = 0, least = 65535;

    for (uint32_t i = 0; i < d->c->k; i++) {
        const uint32_t size = (uint32_t)abs(d->llr[i]) < 2047 ? (uint32_t)abs(d->llr[i]) : 2047;

        crc = turbo_crc_step(crc, turbo_stop_polynomial(TURBO_CRC24B), d->llr[i] < 0);
        sum += size;
        least = size < least ? size : least;
    }
    if (d->t->kind.stop == WIN_STOP_CRC)
        return crc == 0;
    return d->t->kind.stop == WIN_STOP_LLR &&
           (job->mean ? sum >= job->threshold * (d->c->k - d->c->fillers)
                      : least >= job->threshold);
}

/* Iterations; bits: decisions; *met: the rule. */
static uint32_t decode(const struct trial *t, const struct turbo_windows_class *c,
                       const int8_t *llr, uint8_t *bits, float *soft, bool *met)
{
    struct plain d = {.t = t, .c = c};
    const size_t row = c->k * sizeof(int);
    uint32_t n = 0;

    d.sys = get(row), d.prior = get(row), d.llr = get(row), d.alpha = get(8 * row);
    for (uint32_t e = 0; e < 2; e++) {
        d.parity[e] = get(row);
        d.begin[e] = get(8 * row);
        d.end[e] = get(8 * row);
    }
    start(&d, llr);
    do {
        half(&d, 1);
        half(&d, 0);
        *met = is_met(&d);
    } while (++n < t->job.iterations && !*met);
    for (uint32_t i = 0; i < c->k; i++)
        bits[i] = d.llr[i] < 0, soft[i] = (float)d.llr[i];
    free(d.sys), free(d.prior), free(d.llr), free(d.alpha);
    for (uint32_t e = 0; e < 2; e++)
        free(d.parity[e]), free(d.begin[e]), free(d.end[e]);
    return n;
}

#endif
