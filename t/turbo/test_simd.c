/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The vector code of turbo.decode gives what doc/turbo.md says of its bytes and of its 16 bits, on every
 * instruction set of this CPU: simd_model.h says it once more. No sum of 16 bits overflows.
 */
#include "t/lib/tap.h"

#include <math.h>

#include "plugins/turbo/encode.h"
#include "plugins/turbo/simd/simd.h"
#include "t/turbo/noise.h"
#include "t/turbo/simd_model.h"

enum { ISAS = 3 };

static const char *const isa_name[ISAS] = {"generic", "AVX2", "AVX-512"};

static void *get(size_t bytes)
{
    void *p = aligned_alloc(64, (bytes + 64) / 64 * 64);

    if (!p)
        bail("out of memory");
    return p;
}

/* ---- trials ---------------------------------------------------------------------------------- */

struct trial {
    uint32_t k, fillers, windows, iterations, frames;
    double scale;
    enum turbo_stop stop;
    bool packed;
};

/* What arrives, and the arithmetic. */
struct way {
    enum turbo_width in, width;
    bool apriori;
};

/* Words with a parity of 24 bits where asked for, from hopeless to clean; the last kind is no word. */
static void draw_frames(const struct turbo_decode *d, int8_t *llr, uint32_t frames)
{
    struct turbo_encode e;
    uint8_t *msg = get(d->bits), *word = get(d->word);

    turbo_encode_make(&e, d->qpp, d->fillers);
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

/* As many LLRs of 16 bits: larger ones with more digits, and again some that are no word. */
static void widen(const struct turbo_decode *d, const int8_t *llr, uint32_t frames, int16_t *wide)
{
    for (uint32_t f = 0; f < frames; f++)
        for (uint32_t i = 0; i < d->word; i++) {
            const size_t at = (size_t)f * d->word + i;
            const int x = llr[at];

            wide[at] = (int16_t)(f % 11 == 10  ? (int)(uniform() * 65536) - 32768
                                 : f % 11 == 9 ? 258 * x
                                 : f % 5 == 4  ? x
                                               : 100 * x + (int)(50 * uniform()));
        }
}

/* Of some bits much is known, of others nothing. */
static void draw_apriori(const struct turbo_decode *d, float *apriori, uint32_t frames)
{
    static const float odd[] = {0, NAN, INFINITY, -INFINITY, 1e30f, 0.3f};

    for (size_t i = 0; i < (size_t)frames * d->bits; i++)
        apriori[i] = i % 17 == 0 ? odd[i / 17 % 6] : (float)(20 * gauss());
}

/* LLRs in units of the input, and what of them is not the bit's own. */
static bool same_soft(const struct model *m, const struct turbo_decode *d, const float *llr,
                      const float *extrinsic)
{
    const double point = m->in_bits == 8 && m->n->bits == 8 ? 256 : 65536;
    const float unit = (float)point / (float)(m->gain * point);
    bool same = true;

    for (uint32_t i = 0; i < d->bits; i++) {
        const int own = m->sys[d->fillers + i], all = m->llr[d->fillers + i];

        same &= llr[i] == unit * (float)all && extrinsic[i] == unit * (float)(all - own);
    }
    return same;
}

/* What the vector code gives for the frames of a trial. */
struct result {
    size_t stride;
    uint8_t *bits;
    float *soft[2];
    struct fecrun_frame_info *info;
};

static struct result get_result(const struct turbo_decode *d, const struct trial *t)
{
    struct result r = {.stride = (t->packed ? (d->bits + 7) / 8 : d->bits) + 1};

    r.bits = get(t->frames * r.stride);
    r.soft[0] = get((size_t)t->frames * d->bits * sizeof(float));
    r.soft[1] = get((size_t)t->frames * d->bits * sizeof(float));
    r.info = calloc(t->frames, sizeof *r.info);
    memset(r.bits, 0xa5, t->frames * r.stride);
    return r;
}

static void free_result(struct result *r)
{
    free(r->bits);
    free(r->soft[0]);
    free(r->soft[1]);
    free(r->info);
}

/* A batch without its first frames. */
static struct turbo_batch batch_from(const struct turbo_batch *whole, uint32_t f)
{
    struct turbo_batch b = *whole;

    b.llr = (const char *)b.llr + f * b.llr_stride;
    b.bits += f * b.bits_stride;
    b.info += f;
    for (unsigned p = 0; p < 2; p++)
        b.soft[p] = b.soft[p] ? b.soft[p] + f * b.soft_stride[p] : NULL;
    b.apriori = b.apriori ? b.apriori + f * b.apriori_stride : NULL;
    return b;
}

/* `call` frames at a time. False: this machine or build has no such code. */
static bool run_vectors(const struct turbo_decode *d, uint32_t isa, const struct way *way,
                        const struct trial *t, const void *llr, const float *apriori, uint32_t call,
                        struct result *r)
{
    const size_t soft_stride = d->bits * sizeof(float);
    const struct turbo_batch whole = {.llr = llr,
                                      .llr_stride = (size_t)d->word << way->in,
                                      .bits = r->bits,
                                      .bits_stride = r->stride,
                                      .packed = t->packed,
                                      .info = r->info,
                                      .soft = {(char *)r->soft[0], (char *)r->soft[1]},
                                      .soft_stride = {soft_stride, soft_stride},
                                      .apriori = (const char *)apriori,
                                      .apriori_stride = soft_stride};
    struct fecrun_error err = {.size = sizeof err};
    struct turbo_simd *s = turbo_simd_new(d, isa, way->in, way->width, &err);
    struct turbo_work work;
    void *scratch;
    size_t bytes;

    if (!s)
        return false;
    bytes = turbo_simd_carve(&work, s, NULL);
    scratch = get(bytes);
    memset(scratch, 0xa5, bytes);
    for (uint32_t f = 0; f < t->frames; f += call) {
        const struct turbo_batch batch = batch_from(&whole, f);

        turbo_simd_decode(s, &batch, t->frames - f < call ? t->frames - f : call, scratch);
    }
    turbo_simd_free(s);
    free(scratch);
    return true;
}

static bool same_result(const struct turbo_decode *d, const struct trial *t, const struct result *a,
                        const struct result *b)
{
    const size_t soft = (size_t)t->frames * d->bits * sizeof(float);

    return !memcmp(a->bits, b->bits, t->frames * a->stride) &&
           !memcmp(a->soft[0], b->soft[0], soft) && !memcmp(a->soft[1], b->soft[1], soft) &&
           !memcmp(a->info, b->info, t->frames * sizeof *a->info);
}

/* A frame's result does not depend on how many frames a call has. */
static bool same_in_small_calls(const struct turbo_decode *d, uint32_t isa, const struct way *way,
                                const struct trial *t, const void *llr, const float *apriori,
                                const struct result *whole)
{
    bool same = true;

    for (uint32_t call = 1; call <= 3; call += 2) {
        struct result r = get_result(d, t);

        run_vectors(d, isa, way, t, llr, apriori, call, &r);
        same &= same_result(d, t, &r, whole);
        free_result(&r);
    }
    return same;
}

static struct model *new_model(const struct turbo_decode *d, uint32_t windows,
                               const struct way *way)
{
    struct model *m = get(sizeof *m);

    m->n = &numbers_of[way->width];
    m->in_bits = 8 << way->in;
    m->k = d->k, m->fillers = d->fillers, m->windows = windows, m->iterations = d->iterations;
    m->stop = d->stop, m->scale = d->scale;
    m->overflow = false;
    find_clip(m);
    for (uint64_t i = 0; i < d->k; i++)
        m->pi[i] = (uint32_t)((d->qpp->f1 * i + d->qpp->f2 * i * i) % d->k);
    return m;
}

static bool same_frame(const struct model *m, const struct turbo_decode *d, const struct trial *t,
                       const struct result *r, uint32_t f, uint32_t iterations, bool met)
{
    const uint8_t *row = r->bits + f * r->stride;
    bool same = row[r->stride - 1] == 0xa5;

    for (uint32_t i = 0; i < d->bits; i++)
        same &= (t->packed ? row[i / 8] >> (7 - i % 8) & 1 : row[i]) ==
                (m->llr[d->fillers + i] < 0);
    same &= same_soft(m, d, r->soft[0] + (size_t)f * d->bits, r->soft[1] + (size_t)f * d->bits);
    same &= r->info[f].iterations == iterations;
    return same &&
           r->info[f].flags == (d->stop == TURBO_NEVER ? 0u
                                : met                  ? (uint32_t)FECRUN_FRAME_CHECKED
                                      : (uint32_t)(FECRUN_FRAME_CHECKED | FECRUN_FRAME_FAILED));
}

/* The results of all instruction sets against the model, which is slow and runs once. */
static void compare(const struct turbo_decode *d, uint32_t windows, const struct way *way,
                    const struct trial *t, const void *llr, const float *apriori)
{
    struct model *m = new_model(d, windows, way);
    struct result r[ISAS];
    bool there[ISAS];
    uint32_t bad[ISAS] = {0};

    for (uint32_t isa = 0; isa < ISAS; isa++) {
        r[isa] = get_result(d, t);
        there[isa] = run_vectors(d, isa, way, t, llr, apriori, t->frames, &r[isa]);
    }
    for (uint32_t f = 0; f < t->frames; f++) {
        const char *frame = (const char *)llr + ((size_t)f * d->word << way->in);
        bool met;
        const uint32_t n = model_decode(m, frame, apriori ? apriori + (size_t)f * d->bits : NULL,
                                        &met);

        for (uint32_t isa = 0; isa < ISAS; isa++)
            bad[isa] += there[isa] && !same_frame(m, d, t, &r[isa], f, n, met);
    }
    for (uint32_t isa = 0; isa < ISAS; isa++) {
        if (!there[isa])
            skip(1, "this machine or build has no %s", isa_name[isa]);
        else
            is_int(bad[isa], 0,
                   "%s, %d bits, %d arrive%s: %u blocks of %u bits, %u fillers, %u sub-blocks, %u "
                   "iterations, scale %.2f, stop %d",
                   isa_name[isa], m->n->bits, m->in_bits, apriori ? ", a priori" : "", t->frames,
                   t->k, t->fillers, windows, t->iterations, t->scale, (int)t->stop);
        if (there[isa])
            ok(same_in_small_calls(d, isa, way, t, llr, apriori, &r[isa]),
               "%s: the same in calls of one frame and of three", isa_name[isa]);
        free_result(&r[isa]);
    }
    if (way->width == TURBO_WORD)
        ok(!m->overflow, "no sum overflows");
    free(m);
}

static void try(const struct trial *t, uint32_t windows, const struct way *way)
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
                             .llr_scale = 1,
                             .apriori = 0.5};
    const size_t n = (size_t)t->frames * d.word;
    int8_t *llr = get(n);
    int16_t *wide = get(n * sizeof *wide);
    float *apriori = get((size_t)t->frames * d.bits * sizeof *apriori);

    draw_frames(&d, llr, t->frames);
    widen(&d, llr, t->frames, wide);
    draw_apriori(&d, apriori, t->frames);
    compare(&d, windows, way, t, way->in == TURBO_BYTE ? (const void *)llr : wide,
            way->apriori ? apriori : NULL);
    free(llr);
    free(wide);
    free(apriori);
}

/* ---- all sizes ------------------------------------------------------------------------------- */

/* Full scale, alternating, all equal, nothing at all, and small random numbers. */
static void draw_extremes(const struct turbo_decode *d, int8_t *llr, uint32_t frames)
{
    for (uint32_t f = 0; f < frames; f++)
        for (uint32_t i = 0; i < d->word; i++) {
            const int drawn = uniform() < 0.5 ? -128 : 127;
            const int x[] = {drawn,
                             i % 2 ? 127 : -127,
                             127,
                             -127,
                             0,
                             (int)(7 * uniform()) - 3,
                             i % 64 < 32 ? 127 : -127,
                             i < d->k ? 127 : -127};

            llr[(size_t)f * d->word + i] = (int8_t)x[f % (sizeof x / sizeof *x)];
        }
}

/* Sizes up to 1024, and each third one above: blocks alone have the results of rows on all instruction sets,
   which the trials above compare with the model. */
static void check_sizes(uint32_t isa, enum turbo_width width, uint32_t sub_blocks)
{
    const struct way way = {TURBO_BYTE, width, false};
    struct turbo_decode d = {
        .iterations = 3, .sub_blocks = sub_blocks, .scale = 0.75, .llr_scale = 1, .apriori = 1};
    struct trial t = {.iterations = 3, .frames = 16, .scale = 0.75};
    uint32_t bad = 0;
    bool there = true;

    for (uint32_t i = 0; i < TURBO_SIZES && there; i += turbo_qpp_table[i].k < 1024 ? 1 : 3) {
        struct result r, plain;
        int8_t *llr;

        d.qpp = &turbo_qpp_table[i];
        t.k = d.k = d.bits = d.qpp->k;
        d.word = turbo_word(d.k);
        llr = get((size_t)t.frames * d.word);
        draw_extremes(&d, llr, t.frames);
        r = get_result(&d, &t);
        plain = get_result(&d, &t);
        there = run_vectors(&d, isa, &way, &t, llr, NULL, 1, &r);
        run_vectors(&d, FECRUN_ISA_GENERIC, &way, &t, llr, NULL, t.frames, &plain);
        bad += there && !same_result(&d, &t, &r, &plain);
        free_result(&r);
        free_result(&plain);
        free(llr);
    }
    if (there)
        is_int(bad, 0, "%s, %d bits: extreme LLRs of all sizes, one block at a time", isa_name[isa],
               8 << width);
    else
        skip(1, "this machine or build has no %s", isa_name[isa]);
}

/* 64 sub-blocks are too many for 32 lanes. */
static void check_refused(void)
{
    const struct turbo_decode d = {.qpp = turbo_qpp_find(6144),
                                   .k = 6144,
                                   .bits = 6144,
                                   .word = 3 * 6148,
                                   .iterations = 1,
                                   .sub_blocks = 64,
                                   .scale = 0.75};
    struct fecrun_error err = {.size = sizeof err};

    ok(!turbo_simd_new(&d, FECRUN_ISA_GENERIC, TURBO_BYTE, TURBO_WORD, &err) &&
           !strcmp(err.param, "sub_blocks"),
       "16 bits: no 64 sub-blocks: %s", err.text);
}

int main(void)
{
    static const struct {
        struct trial trial;
        uint32_t windows;
    } trials[] = {
        {{40, 0, 0, 6, 70, 0.75, TURBO_NEVER, false}, 1},
        {{48, 21, 0, 5, 64, 1, TURBO_CRC24B, true}, 1},
        {{40, 0, 2, 6, 33, 0.75, TURBO_NEVER, true}, 2},
        {{272, 3, 16, 4, 13, 0.9, TURBO_NEVER, false}, 16}, /* 17 steps each */
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

    static const struct way ways[] = {
        {TURBO_BYTE, TURBO_BYTE, false}, {TURBO_BYTE, TURBO_WORD, false},
        {TURBO_WORD, TURBO_WORD, false}, {TURBO_WORD, TURBO_WORD, true},
        {TURBO_BYTE, TURBO_WORD, true},  {TURBO_BYTE, TURBO_BYTE, true},
        {TURBO_WORD, TURBO_BYTE, true}};

    /* all trials of what arrives most, others of what is quickly done */
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++)
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++)
            if ((w < 3 || trials[i].trial.k < 2000) &&
                trials[i].windows <= turbo_lanes(ways[w].width))
                try(&trials[i].trial, trials[i].windows, &ways[w]);
    for (uint32_t isa = FECRUN_ISA_AVX2; isa < ISAS; isa++) {
        check_sizes(isa, TURBO_WORD, 0);
        check_sizes(isa, TURBO_WORD, 1);
        check_sizes(isa, TURBO_BYTE, 0);
    }
    check_refused();
    return done_testing();
}
