/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The vector code of turbo.decode gives what doc/turbo.md says of its bytes, on every instruction set
 * of this CPU: here is a model of it, one block and one number at a time, that shares nothing with it
 * but the table of interleavers.
 */
#include "t/lib/tap.h"

#include <math.h>

#include "plugins/turbo/encode.h"
#include "plugins/turbo/simd/simd.h"

enum {
    ISAS = 3,
    MOST_K = 6144,
    MOST_P = 64,
    CHANNEL = 20,
    PRIOR = 47,
    MEAN = 7,
    TOP = 10,
    TRAINING = 32
};

static const char *const isa_name[ISAS] = {"generic", "AVX2", "AVX-512"};

static uint64_t state = 88172645463325252u;

static double uniform(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return ((double)(state * 2685821657736338717u >> 11) + 0.5) * 0x1p-53;
}

static double gauss(void)
{
    return sqrt(-2 * log(uniform())) * cos(6.283185307179586 * uniform());
}

static void *get(size_t bytes)
{
    void *p = aligned_alloc(64, (bytes + 64) / 64 * 64);

    if (!p)
        bail("out of memory");
    return p;
}

/* ---- the model ------------------------------------------------------------------------------- */

struct model {
    uint32_t k, fillers, windows, iterations, stop;
    double scale;
    uint32_t pi[MOST_K];
    int sys[MOST_K], parity[2][MOST_K], prior[MOST_K], llr[MOST_K];
    int in[MOST_K], alpha[MOST_K][8];
    int begin[2][MOST_P][8], end[2][MOST_P][8];
    int clip;
    uint32_t gain; /* 1/256 */
};

static int sat(int x)
{
    return x > 127 ? 127 : x < -128 ? -128 : x;
}

/* Three bits, the newest one first; returns the parity bit. */
static int encoder_step(int *reg, int u)
{
    const int s1 = *reg >> 2 & 1, s2 = *reg >> 1 & 1, s3 = *reg & 1, fed = u ^ s2 ^ s3;

    *reg = fed << 2 | s1 << 1 | s2;
    return fed ^ s1 ^ s3;
}

static int gain_of_branch(int a, int p, int u, int z)
{
    return sat((u ? 0 : a) + (z ? 0 : p));
}

static void normalise(int *m)
{
    int most = -128;

    for (int s = 0; s < 8; s++)
        most = m[s] > most ? m[s] : most;
    for (int s = 0; s < 8; s++)
        m[s] = sat(m[s] - (most - TOP));
}

static void forward(int *m, int a, int p)
{
    int next[8] = {-999, -999, -999, -999, -999, -999, -999, -999};

    for (int s = 0; s < 8; s++)
        for (int u = 0; u < 2; u++) {
            int t = s, z = encoder_step(&t, u), sum = sat(m[s] + gain_of_branch(a, p, u, z));

            next[t] = sum > next[t] ? sum : next[t];
        }
    memcpy(m, next, sizeof next);
}

static void backward(int *m, int a, int p)
{
    int next[8];

    for (int s = 0; s < 8; s++) {
        next[s] = -999;
        for (int u = 0; u < 2; u++) {
            int t = s, z = encoder_step(&t, u), sum = sat(m[t] + gain_of_branch(a, p, u, z));

            next[s] = sum > next[s] ? sum : next[s];
        }
    }
    memcpy(m, next, sizeof next);
}

/* The extrinsic LLR: without the input's own gain. */
static int extrinsic(const int *alpha, int p, const int *beta)
{
    int best[2][2] = {{-999, -999}, {-999, -999}}, of[2];

    for (int s = 0; s < 8; s++)
        for (int u = 0; u < 2; u++) {
            int t = s, z = encoder_step(&t, u), sum = sat(alpha[s] + beta[t]);

            best[u][z] = sum > best[u][z] ? sum : best[u][z];
        }
    for (int u = 0; u < 2; u++) {
        of[u] = sat(best[u][0] + p);
        of[u] = best[u][1] > of[u] ? best[u][1] : of[u];
    }
    return sat(of[0] - of[1]);
}

static int scaled(const struct model *m, int x)
{
    const int factor = (int)nearbyint(256 * m->scale);
    int a = x < 0 ? -x : x;

    a = a < m->clip ? a : m->clip;
    a = (a % 16 * factor + 127) / 256 + (a / 16 * 16 * factor + 127) / 256;
    return x < 0 ? -a : a;
}

static void find_clip(struct model *m)
{
    int last = 0;

    for (m->clip = 63, last = 0; last < 63; last++) {
        if (scaled(m, last + 1) > PRIOR)
            break;
    }
    m->clip = last;
}

static void train(struct model *m, int e)
{
    const uint32_t w = m->k / m->windows, n = w < TRAINING ? w : TRAINING;

    for (uint32_t i = 0; i < m->windows; i++) {
        int a[8], b[8];

        for (int s = 0; s < 8; s++)
            a[s] = b[s] = TOP;
        for (uint32_t x = 0; x < n; x++) {
            const uint32_t f = i * w + w - n + x, r = i * w + n - 1 - x;

            forward(a, m->in[f], m->parity[e][f]);
            normalise(a);
            backward(b, m->in[r], m->parity[e][r]);
            normalise(b);
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
            normalise(a);
        memcpy(m->alpha[first + x], a, 8 * sizeof *a);
        forward(a, m->in[first + x], m->parity[e][first + x]);
    }
    normalise(a);
    for (uint32_t x = steps; x-- > 0;) {
        const uint32_t i = first + x, bit = e ? m->pi[i] : i;
        const int ext = extrinsic(m->alpha[i], m->parity[e][i], b);

        m->llr[bit] = sat(m->in[i] + ext);
        m->prior[bit] = scaled(m, ext);
        backward(b, m->in[i], m->parity[e][i]);
        if (x % 2 == 0)
            normalise(b);
    }
    normalise(b);
}

static void half_iteration(struct model *m, int e, bool first)
{
    int a[MOST_P][8], b[MOST_P][8];

    for (uint32_t i = 0; i < m->k; i++)
        m->in[i] = sat(m->sys[e ? m->pi[i] : i] + m->prior[e ? m->pi[i] : i]);
    if (first)
        train(m, e);
    for (uint32_t w = 0; w < m->windows; w++)
        window(m, e, w, a[w], b[w]);
    for (uint32_t w = 0; w < m->windows; w++) {
        if (w)
            memcpy(m->begin[e][w], a[w - 1], sizeof a[0]);
        if (w + 1 < m->windows)
            memcpy(m->end[e][w], b[w + 1], sizeof b[0]);
    }
}

static int magnitude(int8_t x)
{
    return x == -128 ? 127 : x < 0 ? -x : x;
}

/* Those of fillers do not count. */
static uint32_t gain(const struct model *m, const int8_t *llr)
{
    uint64_t sum = 0, count = 0;

    for (uint32_t s = 0; s < 3; s++)
        for (uint32_t i = s < 2 ? m->fillers : 0; i < m->k + 4; i++) {
            sum += (uint64_t)magnitude(llr[s * (m->k + 4) + i]);
            count += llr[s * (m->k + 4) + i] != 0;
        }
    sum = count ? (256 * MEAN * count + sum / 2) / sum : 256;
    return sum ? (uint32_t)sum : 1;
}

/* 36.212 5.1.3.2.2, stream and place behind K: x z x z x z of the first encoder, of the second. */
static const int tail_place[2][6][2] = {{{0, 0}, {1, 0}, {2, 0}, {0, 1}, {1, 1}, {2, 1}},
                                        {{0, 2}, {1, 2}, {2, 2}, {0, 3}, {1, 3}, {2, 3}}};

static void load(struct model *m, const int8_t *llr)
{
    const uint32_t n = m->k + 4, factor = m->gain = gain(m, llr);
    int q[3][MOST_K + 4];

    for (uint32_t s = 0; s < 3; s++)
        for (uint32_t i = 0; i < n; i++) {
            uint32_t x = ((uint32_t)magnitude(llr[s * n + i]) * factor + 128) / 256;

            q[s][i] = (int)(x < CHANNEL ? x : CHANNEL) * (llr[s * n + i] < 0 ? -1 : 1);
            if (s < 2 && i < m->fillers)
                q[s][i] = CHANNEL;
        }
    for (uint32_t i = 0; i < m->k; i++) {
        m->sys[i] = q[0][i];
        m->parity[0][i] = q[1][i];
        m->parity[1][i] = q[2][i];
        m->prior[i] = 0;
    }
    for (int e = 0; e < 2; e++) {
        int *beta = m->end[e][m->windows - 1], most = -999;

        for (int s = 0; s < 8; s++) {
            m->begin[e][0][s] = s ? -128 : TOP;
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
            beta[s] = sat(beta[s] - most + TOP);
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
static uint32_t model_decode(struct model *m, const int8_t *llr, bool *met)
{
    uint32_t n = 0;

    load(m, llr);
    *met = false;
    while (n < m->iterations && !*met) {
        half_iteration(m, 0, n == 0 && m->windows > 1);
        half_iteration(m, 1, n == 0 && m->windows > 1);
        n++;
        for (uint32_t i = 0; i < m->fillers; i++)
            m->llr[i] = 0;
        *met = m->stop != TURBO_NEVER && divides(m);
    }
    return n;
}

/* ---- trials ---------------------------------------------------------------------------------- */

struct trial {
    uint32_t k, fillers, windows, iterations, frames;
    double scale;
    enum turbo_stop stop;
    bool packed;
};

/* Words with a parity of 24 bits where asked for, from hopeless to clean; the last kind is no word. */
static void draw_frames(const struct turbo_decode *d, int8_t *llr, uint32_t frames)
{
    const struct turbo_encode e = {d->qpp, d->k, d->fillers, d->bits, d->word};
    uint8_t *msg = get(d->bits), *word = get(d->word);

    for (uint32_t f = 0; f < frames; f++) {
        const double sigma = 0.4 + 0.2 * (f % 7), scale = f % 5 == 4 ? 0.7 : 2 + 5 * (f % 5);
        uint32_t rest = 0;

        for (uint32_t i = 0; i < d->bits; i++) {
            msg[i] = i + 24 < d->bits ? uniform() < 0.5 : rest >> 23 & 1;
            rest = i + 24 < d->bits ? turbo_crc_step(rest, turbo_stop_polynomial(d->stop), msg[i])
                                    : rest << 1;
        }
        turbo_encode_frame(&e, msg, word);
        for (uint32_t i = 0; i < d->word; i++) {
            const double x = nearbyint(scale * 4 * ((word[i] ? -1 : 1) + sigma * gauss()));

            llr[f * d->word + i] = (int8_t)(f % 11 == 10   ? (int)(uniform() * 256) - 128
                                            : f % 11 == 9  ? (word[i] ? -127 : 127)
                                            : f % 13 == 12 ? 0
                                                           : fmax(fmin(x, 127), -128));
        }
    }
    free(msg);
    free(word);
}

/* LLRs in units of the input, and what of them is not the bit's own. */
static bool same_soft(const struct model *m, const struct turbo_decode *d, const float *llr,
                      const float *extrinsic)
{
    const float unit = 256 / (float)m->gain;
    bool same = true;

    for (uint32_t i = 0; i < d->bits; i++) {
        const int own = m->sys[d->fillers + i], all = m->llr[d->fillers + i];

        same &= llr[i] == unit * (float)all && extrinsic[i] == unit * (float)(all - own);
    }
    return same;
}

static uint32_t differences(const struct turbo_decode *d, uint32_t windows, uint32_t isa,
                            const struct trial *t, const int8_t *llr)
{
    struct fecrun_error err = {.size = sizeof err};
    struct turbo_simd *s = turbo_simd_new(d, isa, &err);
    const size_t stride = (t->packed ? (d->bits + 7) / 8 : d->bits) + 1;
    struct fecrun_frame_info *info = calloc(t->frames, sizeof *info);
    uint8_t *bits = get(t->frames * stride);
    const size_t soft_stride = d->bits * sizeof(float);
    float *soft[2] = {get(t->frames * soft_stride), get(t->frames * soft_stride)};
    struct turbo_batch batch = {llr,
                                d->word,
                                bits,
                                stride,
                                t->packed,
                                info,
                                {(char *)soft[0], (char *)soft[1]},
                                {soft_stride, soft_stride},
                                NULL,
                                0};
    struct model *m = get(sizeof *m);
    struct turbo_work work;
    uint32_t bad = 0;
    void *scratch;
    size_t bytes;

    if (!s) {
        free(soft[0]);
        free(soft[1]);
        free(info);
        free(bits);
        free(m);
        return UINT32_MAX;
    }
    bytes = turbo_simd_carve(&work, s, NULL);
    scratch = get(bytes);
    memset(scratch, 0xa5, bytes);
    memset(bits, 0xa5, t->frames * stride);
    turbo_simd_decode(s, &batch, t->frames, scratch);
    m->k = d->k, m->fillers = d->fillers, m->windows = windows, m->iterations = d->iterations;
    m->stop = d->stop, m->scale = d->scale;
    find_clip(m);
    for (uint64_t i = 0; i < d->k; i++)
        m->pi[i] = (uint32_t)((d->qpp->f1 * i + d->qpp->f2 * i * i) % d->k);
    for (uint32_t f = 0; f < t->frames; f++) {
        const uint8_t *row = bits + f * stride;
        bool met, same = row[stride - 1] == 0xa5;
        uint32_t n = model_decode(m, llr + (size_t)f * d->word, &met);

        for (uint32_t i = 0; i < d->bits; i++)
            same &= (t->packed ? row[i / 8] >> (7 - i % 8) & 1 : row[i]) ==
                    (m->llr[d->fillers + i] < 0);
        same &= same_soft(m, d, soft[0] + (size_t)f * d->bits, soft[1] + (size_t)f * d->bits);
        same &= info[f].iterations == n;
        same &= info[f].flags == (d->stop == TURBO_NEVER ? 0u
                                  : met                  ? (uint32_t)FECRUN_CHECKED
                                        : (uint32_t)(FECRUN_CHECKED | FECRUN_FAILED));
        bad += !same;
    }
    turbo_simd_free(s);
    free(soft[0]);
    free(soft[1]);
    free(info);
    free(bits);
    free(m);
    free(scratch);
    return bad;
}

static void try(const struct trial *t, uint32_t windows)
{
    struct turbo_decode d = {.qpp = turbo_qpp_find(t->k),
                             .k = t->k,
                             .fillers = t->fillers,
                             .bits = t->k - t->fillers,
                             .word = 3 * (t->k + 4),
                             .iterations = t->iterations,
                             .sub_blocks = t->windows,
                             .stop = t->stop,
                             .scale = t->scale,
                             .llr_scale = 1};
    int8_t *llr = get((size_t)t->frames * d.word);

    draw_frames(&d, llr, t->frames);
    for (uint32_t isa = 0; isa < ISAS; isa++) {
        uint32_t bad = differences(&d, windows, isa, t, llr);

        if (bad == UINT32_MAX)
            skip(1, "this machine or build has no %s", isa_name[isa]);
        else
            is_int(bad, 0,
                   "%s: %u blocks of %u bits, %u fillers, %u sub-blocks, %u iterations, "
                   "scale %.2f, stop %d",
                   isa_name[isa], t->frames, t->k, t->fillers, windows, t->iterations, t->scale,
                   (int)t->stop);
    }
    free(llr);
}

int main(void)
{
    static const struct {
        struct trial trial;
        uint32_t windows;
    } trials[] = {
        {{40, 0, 0, 6, 70, 0.75, TURBO_NEVER, false}, 1},
        {{48, 21, 0, 5, 64, 1, TURBO_CRC24B, true}, 1},
        {{56, 0, 2, 3, 33, 0.7, TURBO_CRC24A, true}, 2},
        {{512, 0, 0, 6, 33, 0.75, TURBO_CRC24A, true}, 2},
        {{528, 63, 1, 4, 20, 0.5, TURBO_NEVER, true}, 1},
        {{1056, 7, 32, 4, 13, 0.8, TURBO_CRC24B, false}, 32}, /* 33 steps each */
        {{1024, 0, 64, 3, 3, 0.75, TURBO_NEVER, false}, 64},
        {{2112, 0, 0, 3, 14, 0.1, TURBO_CRC24B, false}, 8},
        {{3136, 1, 0, 6, 14, 0.75, TURBO_NEVER, true}, 8},
        {{6144, 0, 0, 6, 14, 0.75, TURBO_CRC24B, false}, 16},
        {{6144, 40, 64, 2, 3, 0.75, TURBO_NEVER, true}, 64},
    };

    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++)
        try(&trials[i].trial, trials[i].windows);
    return done_testing();
}
