/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * turbo.decode, backend simd: floats become integers of 16 bits with the power of two that takes the median of the
 * magnitudes to 256 and more, and from there on all is as if these had arrived.
 */
#include "t/lib/tap.h"

#include <float.h>
#include <math.h>

#include "plugins/turbo/encode.h"
#include "plugins/turbo/simd/simd.h"
#include "t/turbo/noise.h"

enum { ISAS = 3, KINDS = 12, MOST_K = 6144, MOST_WORD = 3 * (MOST_K + 4) };

static const char *const isa_name[ISAS] = {"generic", "AVX2", "AVX-512"};

static struct turbo_decode decoder(uint32_t k, uint32_t fillers)
{
    return (struct turbo_decode){.qpp = turbo_qpp_find(k),
                                 .k = k,
                                 .fillers = fillers,
                                 .bits = k - fillers,
                                 .word = 3 * (k + 4),
                                 .iterations = 4,
                                 .scale = 0.75,
                                 .llr_scale = 1,
                                 .apriori = 0.5};
}

static void draw_word(const struct turbo_decode *d, uint8_t *msg, uint8_t *word)
{
    struct turbo_encode e;

    turbo_encode_make(&e, d->qpp, d->fillers);
    for (uint32_t i = 0; i < d->bits; i++)
        msg[i] = uniform() < 0.5;
    turbo_encode_frame(&e, msg, word);
}

/* Noisy words of many sizes, some bits not sent, some senseless or certain; halves; and what is no word. */
static void draw(const struct turbo_decode *d, unsigned kind, float *llr)
{
    static const float odd[] = {INFINITY, -INFINITY, NAN, -NAN, 1e30f, -FLT_MIN / 4};
    static const float scale[KINDS] = {1, 1e-6f, 1e-42f, 3000, 1e8f, 1, 1, 1, 1, 1, 1, 300};
    uint8_t msg[MOST_K], word[MOST_WORD];

    draw_word(d, msg, word);
    for (uint32_t i = 0; i < d->word; i++) {
        const float x = (float)((word[i] ? -4 : 4) + 3 * gauss()) * scale[kind];

        llr[i] = kind == 5    ? (i % 3 ? 0 : x)
                 : kind == 6  ? (i % 7 ? x : odd[i / 7 % 6])
                 : kind == 7  ? (float)(word[i] ? -FLT_MAX : FLT_MAX)
                 : kind == 8  ? (float)((word[i] ? -1 : 1) * ((int)(512 * uniform()) + 0.5))
                 : kind == 9  ? (i % 2 ? 1e-3f : -1e-3f)
                 : kind == 10 ? (uniform() < 0.7 ? NAN : x)
                              : x;
    }
}

static int compare(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;

    return (x > y) - (x < y);
}

/* |x| as it counts. */
static float size_of(float x)
{
    return isnan(x) ? 0 : fminf(fabsf(x), 1048576);
}

/* The power of two, of all LLRs but those of fillers. */
static int power(const struct turbo_decode *d, const float *llr)
{
    float sorted[MOST_WORD];
    uint32_t n = 0;
    int exponent;

    for (uint32_t i = 0; i < d->word; i++)
        if (i >= d->fillers && !(i >= d->k + 4 && i < d->k + 4 + d->fillers) && size_of(llr[i]) > 0)
            sorted[n++] = size_of(llr[i]);
    if (!n)
        return 127;
    qsort(sorted, n, sizeof *sorted, compare);
    frexpf(sorted[(n - 1) / 2], &exponent);
    exponent = 8 - (exponent - 1);
    return exponent < 127 ? exponent : 127;
}

static int16_t rounded(float x, int power)
{
    const double m = fmin(floor(ldexp((double)size_of(x), power) + 0.5), 32767);

    return (int16_t)(signbit(x) ? -m : m);
}

struct result {
    uint8_t bits[MOST_K];
    float soft[2][MOST_K];
    struct fecrun_frame_info info;
};

/* One frame; false: this machine or build has no such code. */
static bool run(const struct turbo_decode *d, uint32_t isa, enum turbo_width in,
                enum turbo_width width, const void *llr, const float *apriori, struct result *r)
{
    const struct turbo_batch batch = {.llr = llr,
                                      .bits = r->bits,
                                      .info = &r->info,
                                      .soft = {(char *)r->soft[0], (char *)r->soft[1]},
                                      .apriori = (const char *)apriori};
    struct fecrun_error err = {.size = sizeof err};
    struct turbo_simd *s = turbo_simd_new(d, isa, in, width, &err);
    struct turbo_work work;
    void *scratch;

    memset(r, 0, sizeof *r);
    if (!s)
        return false;
    scratch = aligned_alloc(64, (turbo_simd_carve(&work, s, NULL) + 63) / 64 * 64);
    if (!scratch)
        bail("out of memory");
    turbo_simd_decode(s, &batch, 1, scratch);
    free(scratch);
    turbo_simd_free(s);
    return true;
}

static bool same(const struct turbo_decode *d, const struct result *a, const struct result *b,
                 int power)
{
    bool same = !memcmp(a->bits, b->bits, d->bits) && a->info.iterations == b->info.iterations;

    for (unsigned p = 0; p < 2; p++)
        for (uint32_t i = 0; i < d->bits; i++)
            same &= a->soft[p][i] == ldexpf(b->soft[p][i], -power);
    return same;
}

static void check(uint32_t isa, enum turbo_width width, uint32_t k, uint32_t fillers)
{
    static struct result r, plain;
    static float llr[MOST_WORD], apriori[MOST_K];
    static int16_t words[MOST_WORD];
    const struct turbo_decode d = decoder(k, fillers);
    uint32_t bad = 0;
    bool there = true;

    for (unsigned kind = 0; kind < KINDS && there; kind++) {
        struct turbo_decode same_units = d;
        const bool with = kind % 2 == 0 && kind != 2;
        int shift;

        draw(&d, kind, llr);
        shift = power(&d, llr);
        for (uint32_t i = 0; i < d.word; i++)
            words[i] = rounded(llr[i], shift);
        for (uint32_t i = 0; i < d.bits; i++)
            apriori[i] = (float)gauss();
        same_units.apriori = ldexp(d.apriori, shift);
        there = run(&d, isa, TURBO_FLOAT, width, llr, with ? apriori : NULL, &r);
        run(&same_units, isa, TURBO_WORD, width, words, with ? apriori : NULL, &plain);
        if (there && !same(&d, &r, &plain, shift)) {
            diag("kind %u, times 2^%d", kind, shift);
            bad++;
        }
    }
    if (there)
        is_int(bad, 0, "%s, %d bits, K = %u, %u fillers: as those integers", isa_name[isa],
               8 << width, k, fillers);
    else
        skip(1, "this machine or build has no %s", isa_name[isa]);
}

/* Of long frames only some LLRs are looked at. */
static void check_long(uint32_t isa)
{
    static struct result r, plain;
    static float llr[MOST_WORD];
    static int16_t words[MOST_WORD];
    const struct turbo_decode d = decoder(MOST_K, 0);

    for (uint32_t i = 0; i < d.word; i++) {
        words[i] = (int16_t)((uniform() < 0.4 ? -1 : 1) * (256 + (int)(256 * uniform())));
        words[i] = uniform() < 0.2 ? 0 : words[i];
        llr[i] = ldexpf(words[i], -11);
    }
    run(&d, isa, TURBO_WORD, TURBO_WORD, words, NULL, &plain);
    if (run(&d, isa, TURBO_FLOAT, TURBO_WORD, llr, NULL, &r))
        ok(same(&d, &r, &plain, 11), "%s: 6144 bits", isa_name[isa]);
    else
        skip(1, "this machine or build has no %s", isa_name[isa]);
}

/* A word of certain bits, some of them senseless, others not sent. */
static void check_certain(uint32_t isa)
{
    static struct result r;
    static const float one[] = {INFINITY, 1e30f, 3e6f, 0, NAN, 5};
    const struct turbo_decode d = decoder(1024, 0);
    uint8_t msg[MOST_K], word[MOST_WORD];
    float llr[MOST_WORD];

    draw_word(&d, msg, word);
    for (uint32_t i = 0; i < d.word; i++)
        llr[i] = (word[i] ? -1 : 1) * one[i % 6];
    if (run(&d, isa, TURBO_FLOAT, TURBO_WORD, llr, NULL, &r))
        ok(!memcmp(r.bits, msg, d.bits), "%s: certain, unknown and senseless LLRs", isa_name[isa]);
    else
        skip(1, "this machine or build has no %s", isa_name[isa]);
}

int main(void)
{
    for (uint32_t isa = 0; isa < ISAS; isa++) {
        for (enum turbo_width width = TURBO_BYTE; width <= TURBO_WORD; width++) {
            check(isa, width, 40, 0);
            check(isa, width, 512, 0);
            check(isa, width, 640, 31);
        }
        check_long(isa);
        check_certain(isa);
    }
    return done_testing();
}
