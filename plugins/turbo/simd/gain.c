/* SPDX-License-Identifier: BSD-2-Clause */
/* Applies the gain to the LLRs of frames, and finds what they say about the borders of blocks. */
#include <fecrun/sdk/simd.h>
#include <limits.h>
#include <math.h>
#include <stdalign.h>
#include <string.h>

#include "plugins/turbo/code/apriori.h"
#include "plugins/turbo/simd/simd.h"

/*
 * How large LLRs should become depends on what they tell. With a gain of unit / u an LLR of size u tells
 * one bit, a smaller one its share |x| / u, and a larger one hardly more. u is such that the frame tells as
 * many bits as it has to so that it is likely to be decoded, K + sqrt(K):
 *
 *     sum of min(|x|, u MOST / PARTS) = u (K + sqrt(K))
 *
 * The mean of magnitudes would follow strong LLRs instead (those of 16QAM and up), and the weak ones, on
 * which high code rates depend, would be rounded away.
 *
 * Newton's method from above: the left side is concave in u, so that no step goes too far. It bends only
 * where u MOST / PARTS is an integer, so that sums and counts are exact.
 */
enum { PARTS = TURBO_PARTS, MOST = 21, PASSES = 8 };

/* Streams with fillers, which are not looked at, are looked at one by one. */
static uint32_t streams(const struct turbo_decode *d)
{
    return d->fillers ? +TURBO_STREAMS : 1;
}

static uint32_t first_of(const struct turbo_decode *d, uint32_t e)
{
    return turbo_item(d->k, e, e < 2 ? d->fillers : 0);
}

static uint32_t end_of(const struct turbo_decode *d, uint32_t e)
{
    return d->fillers ? turbo_item(d->k, e + 1, 0) : d->word;
}

uint32_t turbo_sample(const struct turbo_decode *d, const struct turbo_fixed *fixed, uint32_t times,
                      const void *llr, enum turbo_width in, char *to)
{
    uint32_t bytes = 0;

    for (uint32_t e = 0; e < streams(d); e++)
        for (uint32_t i = first_of(d, e), end = end_of(d, e); i < end; i += times * fixed->every) {
            const uint32_t n = (end - i < fixed->take ? end - i : fixed->take) << in;

            if (to)
                memcpy(to + bytes, (const char *)llr + ((size_t)i << in), n);
            bytes += n;
        }
    return bytes;
}

/*
 * All LLRs of short frames, of others 32 neighbours each time: these are in all 32 columns of the sub-block
 * interleaver, one in each, and so are sent, or not, as the whole stream is. Rows of columns that are looked at
 * are no multiple of 2 or 3 apart, so that bits of all places of a symbol are among them.
 */
void turbo_choose_sample(struct turbo_fixed *fixed, const struct turbo_decode *d)
{
    enum { COLUMNS = 32 };
    const uint64_t tell = (uint64_t)lround(PARTS * (d->bits + sqrt(d->bits)));
    uint32_t apart = 1, n;

    fixed->take = fixed->every = d->word;
    if (d->word > TURBO_SAMPLE) {
        fixed->take = COLUMNS;
        do {
            apart++;
            fixed->every = COLUMNS * apart;
        } while (apart % 2 == 0 || apart % 3 == 0 ||
                 turbo_sample(d, fixed, 1, NULL, TURBO_BYTE, NULL) > TURBO_SAMPLE);
    }
    n = turbo_sample(d, fixed, 1, NULL, TURBO_BYTE, NULL);
    fixed->tell = (uint32_t)(tell * n / (d->word - 2 * d->fillers));
}

/*
 * PARTS times the bits that the LLRs looked at should tell, of which `received` are not 0. No LLR tells more
 * than a bit, so that there is such a u; and each tells a third of one at
 * least, for those of a frame of many fillers would be rounded away.
 */
static uint32_t wanted(const struct turbo_fixed *fixed, uint32_t received)
{
    const uint32_t most = PARTS * received, least = most / 3;

    return fixed->tell > most ? most : fixed->tell < least ? least : fixed->tell;
}

/* Of a frame; with `point` bits behind the point. */
static uint32_t gain_of(const struct turbo_simd *s, const void *llr)
{
    alignas(TURBO_ROW) char sample[(TURBO_SAMPLE << TURBO_WORD) + TURBO_ROW];
    const uint32_t bytes = turbo_sample(s->decode, &s->fixed, 1, llr, s->in, sample);
    const uint32_t rows = (bytes + TURBO_ROW - 1) / TURBO_ROW;
    const uint32_t largest = s->in == TURBO_BYTE ? 127 : 32767;
    struct turbo_total all, above = {0, 0};
    uint32_t want, below, before, passes = 0;
    uint64_t gain;

    memset(sample + bytes, 0, TURBO_ROW);
    s->kernel->size_up[s->in](sample, rows);
    all = s->kernel->add_up[s->in](sample, rows, 0);
    if (!all.count)
        return 1u << s->fixed.point;
    want = wanted(&s->fixed, all.count);
    do {
        const uint32_t limit = MOST * (all.sum - above.sum) / (want - MOST * above.count);

        before = above.count;
        above = s->kernel->add_up[s->in](sample, rows, limit < largest ? limit : largest);
    } while (above.count - before > all.count / 32 && ++passes < PASSES);
    below = all.sum - above.sum;
    gain = (uint64_t)s->fixed.unit << s->fixed.point;
    gain = (gain * (want - MOST * above.count) + PARTS * below / 2) / (PARTS * below);
    return gain ? (uint32_t)gain : 1;
}

/* ---- borders ---------------------------------------------------------------------------------- */

/* See tail(). */
static FECRUN_ALWAYS_INLINE void tail_of(const struct turbo_simd *s, const int8_t *word, unsigned e,
                                         uint32_t memory, uint32_t outputs, int *beta)
{
    const uint32_t states = 1u << memory;
    const struct turbo_tail *way = &s->tail[e];
    int sum[TURBO_MOST_STATES] = {0}, most = INT_MIN;

    for (uint32_t t = 0; t < memory; t++) {
        int gain[2 << TURBO_MOST_OUTPUTS] = {0}; /* of a step's bits */

        for (uint32_t o = 0; o <= outputs; o++) {
            const int x = turbo_get(word, way->item[t][o], s->width);

            for (uint32_t bits = 0; bits < 2u << outputs; bits++)
                gain[bits] += bits >> o & 1 ? 0 : x;
        }
        for (uint32_t state = 0; state < states; state++)
            sum[state] += gain[way->bits[t][state]];
    }
    for (uint32_t state = 0; state < states; state++)
        most = most > sum[state] ? most : sum[state];
    for (uint32_t state = 0; state < states; state++) {
        beta[state] = sum[state] - most + s->fixed.top;
        if (beta[state] < s->fixed.never)
            beta[state] = s->fixed.never;
    }
}

/* Beta behind the last step of encoder e: one path from each state through the tail to state 0. */
static void tail(const struct turbo_simd *s, const int8_t *word, unsigned e, int *beta)
{
    const uint32_t memory = s->family->memory, outputs = s->family->outputs[e];

    if (memory == 3 && outputs == 1)
        tail_of(s, word, e, 3, 1, beta); /* the same, with numbers that the compiler knows */
    else
        tail_of(s, word, e, memory, outputs, beta);
}

/* What is known of the borders of a block's sub-blocks from the start on. */
static void set_ends(const struct turbo_simd *s, struct turbo_work *work, uint32_t block)
{
    const uint32_t first = block * s->windows, last = first + s->windows - 1;
    const int top = s->fixed.top;

    for (unsigned e = 0; e < 2; e++) {
        int beta[TURBO_MOST_STATES];

        tail(s, turbo_staged(s, work, block, 0), e, beta);
        for (uint32_t state = 0; state < turbo_states(s->family); state++) {
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

/* Where bit i stands in the word. */
static uint32_t bit_of(const struct turbo_simd *s, uint32_t i)
{
    return s->from ? s->from[i] : s->decode->fillers + i;
}

/* Bytes of bytes: the sum is rounded, and then as if it had arrived. */
static void join_bytes(const struct turbo_simd *s, const struct turbo_work *work, uint32_t block,
                       const int8_t *llr, const float *apriori)
{
    const struct turbo_decode *d = s->decode;
    int8_t *const sum = work->lane;

    for (uint32_t i = 0; i < d->bits; i++)
        sum[i] = (int8_t)turbo_joint(llr[bit_of(s, i)], apriori[i], (float)d->apriori);
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
    const float unit = (float)d->apriori * work->scale[block];

    for (uint32_t i = 0; i < d->bits; i++) {
        const int x = turbo_get(llr, bit_of(s, i), s->in);
        const float sum = fmaf(isnan(apriori[i]) ? 0 : apriori[i], unit,
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

/* A word with its gain into the order of staged ones. */
static void order(const struct turbo_simd *s, const int8_t *word, int8_t *to)
{
    for (uint32_t i = 0; i < s->staged; i++)
        turbo_put(to, i, s->width,
                  s->from[i] == TURBO_NOT_SENT ? 0 : turbo_get(word, s->from[i], s->width));
}

void turbo_stage(const struct turbo_simd *s, struct turbo_work *work, uint32_t block,
                 const void *llr, const float *apriori)
{
    const struct turbo_decode *d = s->decode;
    int8_t *to = turbo_staged(s, work, block, 0);

    if (!llr) {
        memset(to, 0, (size_t)s->staged << s->width);
    } else {
        work->gain[block] = gain_of(s, llr);
        s->kernel->quantise[s->in](llr, d->word, work->gain[block], s->fixed.channel,
                                   s->from ? work->lane : to);
        if (s->from)
            order(s, work->lane, to);
        if (apriori && s->in == TURBO_BYTE && s->width == TURBO_BYTE)
            join_bytes(s, work, block, llr, apriori);
        else if (apriori)
            join(s, work, block, llr, apriori);
        put_fillers(s, to);
        put_fillers(s, turbo_staged(s, work, block, turbo_item(d->k, 1, 0)));
    }
    set_ends(s, work, block);
}
