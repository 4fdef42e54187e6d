/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames' LLRs with their gain, and what they say of the borders of blocks. */
#include <math.h>
#include <string.h>

#include "plugins/turbo/code/apriori.h"
#include "plugins/turbo/simd/simd.h"

/* Item i of a frame that arrived. */
static const void *arrived(const struct turbo_simd *s, const void *llr, size_t i)
{
    return (const char *)llr + (i << s->in);
}

/* So that the mean of what is not 0, fillers aside, comes to fixed->mean. */
static uint32_t gain_of(const struct turbo_simd *s, const void *llr)
{
    const uint32_t k = s->decode->k, fillers = s->decode->fillers;
    const uint32_t from[TURBO_STREAMS] = {fillers, fillers, 0};
    const uint64_t mean = (uint64_t)s->fixed.mean << s->fixed.point;
    uint32_t sum = 0, count = 0, gain;

    for (uint32_t e = 0; e < TURBO_STREAMS; e++)
        s->kernel->add_up[s->in](arrived(s, llr, turbo_item(k, e, from[e])), k + 4 - from[e], &sum,
                                 &count);
    if (!count)
        return 1u << s->fixed.point;
    gain = (uint32_t)((mean * count + sum / 2) / sum);
    return gain ? gain : 1;
}

/* ---- borders ---------------------------------------------------------------------------------- */

/* Beta behind the last step of encoder e: one path from each state through the tail to state 0. */
static void tail(const struct turbo_simd *s, const int8_t *word, unsigned e, int *beta)
{
    const uint32_t k = s->decode->k;
    int sum[TURBO_STATES], x[TURBO_TAIL], z[TURBO_TAIL], most = 0;

    for (uint32_t t = 0; t < TURBO_TAIL; t++) {
        x[t] = turbo_get(word, turbo_tail_x(k, e, t), s->width);
        z[t] = turbo_get(word, turbo_tail_z(k, e, t), s->width);
    }
    for (uint32_t state = 0; state < TURBO_STATES; state++) {
        uint32_t at = state;

        sum[state] = 0;
        for (uint32_t t = 0; t < TURBO_TAIL; t++) {
            const uint32_t u = turbo_tail_input(at);

            sum[state] += (u ? 0 : x[t]) + (turbo_parity(at, u) ? 0 : z[t]);
            at = turbo_next(at, u);
        }
        most = state && most > sum[state] ? most : sum[state];
    }
    for (uint32_t state = 0; state < TURBO_STATES; state++) {
        beta[state] = sum[state] - most + s->fixed.top;
        if (beta[state] < s->fixed.never)
            beta[state] = s->fixed.never;
    }
}

/* What is known of the borders of a block's sub-blocks from the start on. */
static void set_ends(const struct turbo_simd *s, struct turbo_work *work, uint32_t block)
{
    const uint32_t first = block * s->windows, last = first + s->windows - 1;
    const int top = s->fixed.top;

    for (unsigned e = 0; e < 2; e++) {
        int beta[TURBO_STATES];

        tail(s, turbo_staged(s, work, block, 0), e, beta);
        for (uint32_t state = 0; state < TURBO_STATES; state++) {
            turbo_put(work->begin[e][state], first, s->width, state ? s->fixed.never : top);
            turbo_put(work->end[e][state], last, s->width, beta[state]);
            for (uint32_t l = first; l <= last && s->windows > 1; l++) {
                turbo_put(work->late[e][state], l, s->width, top);
                turbo_put(work->early[e][state], l, s->width, top);
            }
        }
    }
}

/* ---- what was known before ------------------------------------------------------------------- */

/* Bytes of bytes: the sum is rounded, and then as if it had arrived. */
static void join_bytes(const struct turbo_simd *s, const struct turbo_work *work, uint32_t block,
                       const int8_t *llr, const float *apriori)
{
    const struct turbo_decode *d = s->decode;
    int8_t *const sum = work->lane;

    for (uint32_t i = 0; i < d->bits; i++)
        sum[i] = (int8_t)turbo_joint(llr[d->fillers + i], apriori[i], (float)d->apriori);
    s->kernel->quantise[TURBO_BYTE](sum, d->bits, work->gain[block], s->fixed.channel,
                                    turbo_staged(s, work, block, d->fillers));
}

/* Others: the sum has its gain and is rounded then, as exact as its lane is. */
static void join(const struct turbo_simd *s, const struct turbo_work *work, uint32_t block,
                 const void *llr, const float *apriori)
{
    const struct turbo_decode *d = s->decode;
    const int least = s->in == TURBO_BYTE ? -127 : -32767;
    const double gain = ldexp(work->gain[block], -s->fixed.point);

    for (uint32_t i = 0; i < d->bits; i++) {
        const int x = turbo_get(llr, d->fillers + i, s->in);
        const float sum = fmaf(isnan(apriori[i]) ? 0 : apriori[i], (float)d->apriori,
                               (float)(x < least ? least : x));
        const double m = fmin(floor(fabs((double)sum) * gain + 0.5), s->fixed.channel);

        turbo_put(turbo_staged(s, work, block, d->fillers), i, s->width, (int)(sum < 0 ? -m : m));
    }
}

/* ---- a frame ---------------------------------------------------------------------------------- */

/* Fillers are zeros for certain. */
static void put_fillers(const struct turbo_simd *s, int8_t *to)
{
    for (uint32_t i = 0; i < s->decode->fillers; i++)
        turbo_put(to, i, s->width, s->fixed.filler);
}

void turbo_stage(const struct turbo_simd *s, struct turbo_work *work, uint32_t block,
                 const void *llr, const float *apriori)
{
    const struct turbo_decode *d = s->decode;
    int8_t *to = turbo_staged(s, work, block, 0);

    if (!llr) {
        memset(to, 0, (size_t)d->word << s->width);
    } else {
        work->gain[block] = gain_of(s, llr);
        s->kernel->quantise[s->in](llr, d->word, work->gain[block], s->fixed.channel, to);
        if (apriori && s->in == TURBO_BYTE && s->width == TURBO_BYTE)
            join_bytes(s, work, block, llr, apriori);
        else if (apriori)
            join(s, work, block, llr, apriori);
        put_fillers(s, to);
        put_fillers(s, turbo_staged(s, work, block, turbo_item(d->k, 1, 0)));
    }
    set_ends(s, work, block);
}
