/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The vector code of ldpc.decode gives what simd/fixed.c defines, bit by bit, on every instruction
 * set of this CPU and in both layouts; and that arithmetic decodes as well as floating point does.
 */
#include "t/ldpc/codes.h"

#include "plugins/ldpc/simd/simd.h"
#include "t/ldpc/random_code.h"

enum { ISAS = 4, PLAIN_AVX512 = 3, MOST_FRAMES = 70 };

static const char *const isa_name[ISAS] = {"generic", "AVX2", "AVX-512", "AVX-512, no VBMI"};

/* ---- decoders ---- */

static struct ldpc_decode decoder_of(struct ldpc_code *code, uint32_t rows, bool reverse)
{
    struct fecrun_error err = {.size = sizeof err};
    struct ldpc_decode d = {.code = code,
                            .rows = rows ? rows : code->rows,
                            .iterations = 10,
                            .alpha = 0.75,
                            .llr_scale = 4,
                            .reverse = reverse,
                            .bits = code->k - code->fillers};

    d.schedule = ldpc_schedule_new(code, rows, reverse, &err);
    if (!d.schedule)
        bail("schedule: %s", err.text);
    return d;
}

/* Item i of a frame that no channel makes: equal ones, full scale in turns, ties, anything. */
static int extreme(uint32_t kind, uint32_t i)
{
    switch (kind) {
    case 0:
        return 0;
    case 1:
        return 127;
    case 2:
        return -128;
    case 3:
        return i % 2 ? -128 : 127;
    case 4:
        return draw(2) ? 9 : -9;
    case 5:
        return (int)draw(3) - 1;
    default:
        return (int)draw(256) - 128;
    }
}

/* Frames from hopeless to clean, of random words where checks cannot hold, or of zeros. */
static void draw_llrs(const struct ldpc_code *c, int8_t *llr, uint32_t frames)
{
    for (uint32_t f = 0; f < frames; f++) {
        double sigma = 0.2 + draw(100) / 70.0, scale = 0.5 + draw(80) / 4.0;
        const uint32_t kind = draw(4) ? UINT32_MAX : draw(7);

        for (uint32_t i = 0; i < c->n; i++) {
            double x = nearbyint(scale * (1 + sigma * draw_gauss()));

            llr[(size_t)f * c->n + i] = (int8_t)(kind == UINT32_MAX ? fmax(fmin(x, 127), -128)
                                                                    : extreme(kind, i));
        }
    }
}

struct results {
    uint8_t *bits;
    struct ldpc_verdict *verdict;
    int8_t *L; /* of all lifted columns */
};

static void results_free(struct results *r)
{
    free(r->bits);
    free(r->verdict);
    free(r->L);
}

static struct results model(const struct ldpc_decode *d, const int8_t *llr, uint32_t frames)
{
    const size_t columns = (size_t)d->code->cols * d->code->z;
    struct results r = {get(frames * d->bits), get(frames * sizeof *r.verdict),
                        get(frames * columns)};
    struct fecrun_error err = {.size = sizeof err};
    void *scratch = get(ldpc_fixed_scratch(d));
    struct ldpc_fixed fixed;

    if (ldpc_fixed_init(&fixed, d, &err))
        bail("%s: %s", err.param, err.text);
    for (uint32_t f = 0; f < frames; f++) {
        r.verdict[f] = ldpc_fixed_decode(d, &fixed, llr + (size_t)f * d->code->n,
                                         r.bits + f * d->bits, scratch);
        memcpy(r.L + f * columns, scratch, columns);
    }
    free(scratch);
    return r;
}

static bool same_bits(const uint8_t *bits, const uint8_t *want, uint64_t n, bool packed)
{
    uint64_t i = 0;

    for (; i < n; i++)
        if ((packed ? bits[i / 8] >> (7 - i % 8) & 1 : bits[i]) != want[i])
            return false;
    for (; packed && i % 8; i++)
        if (bits[i / 8] >> (7 - i % 8) & 1)
            return false;
    return bits[packed ? (n + 7) / 8 : n] == 0xa5; /* nothing behind the frame */
}

/* LLRs of the bits and of the word, either NULL: the model's L in units of what arrived. */
static bool same_soft(const struct ldpc_simd *s, const int8_t *llr, const int8_t *L,
                      const float *info, const float *word)
{
    const struct ldpc_code *c = s->decode->code;
    const float unit = 256 / (float)ldpc_fixed_gain(&s->fixed, llr, NULL).times;
    uint64_t bad = 0;

    for (uint32_t i = 0; info && i < s->decode->bits; i++)
        bad += info[i] != unit * (float)L[ldpc_info(c, i)];
    for (uint32_t i = 0; word && i < c->n; i++) {
        const uint32_t v = ldpc_place(c, i);

        bad += word[i] !=
               (c->fillers && v >= c->k - c->fillers && v < c->k ? 1048576 : unit * (float)L[v]);
    }
    return !bad && (!info || isnan(info[s->decode->bits])) && (!word || isnan(word[c->n]));
}

/* Rows of so many LLRs and one that stays as it is. */
static float *get_soft(uint32_t frames, uint64_t items)
{
    float *soft = get(frames * (items + 1) * sizeof *soft);

    for (uint64_t i = 0; i < frames * (items + 1); i++)
        soft[i] = NAN;
    return soft;
}

static uint32_t frames_that_differ(const struct ldpc_simd *s, const int8_t *llr, uint32_t frames,
                                   const struct results *want, bool packed, bool soft)
{
    const struct ldpc_code *c = s->decode->code;
    const uint64_t n = s->decode->bits, stride = (packed ? (n + 7) / 8 : n) + 1;
    uint8_t *bits = get(frames * stride);
    struct fecrun_frame_info *info = calloc(frames, sizeof *info);
    struct ldpc_batch batch = {llr, c->n, bits, stride, packed, info, {NULL}, {0}};
    float *llrs = soft ? get_soft(frames, n) : NULL;
    float *word = soft && s->whole ? get_soft(frames, c->n) : NULL;
    size_t bytes = (ldpc_simd_scratch(s) + 63) / 64 * 64;
    void *scratch = aligned_alloc(64, bytes);
    uint32_t differ = 0;

    if (!scratch || !info)
        bail("out of memory");
    memset(scratch, 0xa5, bytes);
    memset(bits, 0xa5, frames * stride);
    batch.soft[0] = (uint8_t *)llrs;
    batch.soft[1] = (uint8_t *)word;
    batch.soft_stride[0] = (n + 1) * sizeof *llrs;
    batch.soft_stride[1] = (c->n + 1) * sizeof *word;
    ldpc_simd_decode(s, &batch, frames, scratch);
    for (uint32_t f = 0; f < frames; f++)
        differ += !same_bits(bits + f * stride, want->bits + f * n, n, packed) ||
                  !same_soft(s, llr + (size_t)f * c->n, want->L + (size_t)f * c->cols * c->z,
                             llrs ? llrs + f * (n + 1) : NULL,
                             word ? word + (size_t)f * (c->n + 1) : NULL) ||
                  info[f].iterations != want->verdict[f].iterations ||
                  info[f].flags != (want->verdict[f].converged
                                        ? FECRUN_FRAME_CHECKED
                                        : FECRUN_FRAME_CHECKED | FECRUN_FRAME_FAILED);
    free(scratch);
    free(info);
    free(bits);
    free(llrs);
    free(word);
    return differ;
}

static struct ldpc_simd *simd_of(const struct ldpc_decode *d, uint32_t isa, enum ldpc_layout layout,
                                 bool whole, struct fecrun_error *err)
{
    if (isa != PLAIN_AVX512)
        return ldpc_simd_new(d, isa, layout, whole, err);
    if (fecrun_isa_runs(FECRUN_ISA_AVX512) && ldpc_kernel_avx512())
        return ldpc_simd_with(d, ldpc_kernel_avx512(), layout, whole, err);
    fecrun_fail(err, "isa", "no AVX-512");
    return NULL;
}

/* All instruction sets and layouts; the number of runs with a difference. */
static uint32_t compare(const struct ldpc_decode *d, const char *what, uint32_t frames)
{
    int8_t *llr = get((size_t)frames * d->code->n);
    struct results want;
    uint32_t bad = 0;

    draw_llrs(d->code, llr, frames);
    want = model(d, llr, frames);
    for (uint32_t isa = 0; isa < ISAS; isa++)
        for (enum ldpc_layout layout = LDPC_LAYOUT_AUTO; layout <= LDPC_LAYOUT_LANES; layout++) {
            struct fecrun_error err = {.size = sizeof err};
            const bool whole = draw(2) != 0, soft = draw(3) != 0;
            struct ldpc_simd *s = simd_of(d, isa, layout, whole, &err);
            uint32_t differ;

            if (!s && (!strcmp(err.param, "isa") || !strcmp(err.param, "layout")))
                continue;
            if (!s)
                bail("%s: %s: %s", what, err.param, err.text);
            differ = frames_that_differ(s, llr, frames, &want, draw(2) != 0, soft);
            if (differ)
                diag("%s, %s, layout %d%s%s: %u of %u frames differ", what, isa_name[isa], layout,
                     soft ? ", LLRs" : "", whole ? ", no leaves" : "", differ, frames);
            bad += differ != 0;
            ldpc_simd_free(s);
        }
    results_free(&want);
    free(llr);
    return bad;
}

static void vary(struct ldpc_decode *d)
{
    d->iterations = 1 + draw(draw(4) ? 12 : 90);
    d->early_stop = draw(2) != 0;
    d->algorithm = draw(3) ? LDPC_NMS : LDPC_OMS;
    d->alpha = (1 + draw(256)) / 256.0;
    d->rise = draw(2) ? (1 - d->alpha) * draw(9) / 8 : 0;
    d->by_row = d->algorithm == LDPC_NMS && d->code->rows <= LDPC_ALPHA_ROWS && draw(3) == 0;
    d->row_first = (1 + draw(255)) / 256.0;
    d->row_last = (1 + draw(255)) / 256.0;
    for (uint32_t r = 0; r < LDPC_ALPHA_ROWS; r++)
        d->row_kind[r] = (uint8_t)draw(LDPC_ALPHA_KINDS);
    d->beta = draw(20) / 10.0;
    d->llr_scale = draw(2) ? 4 : (1 + draw(60)) / 4.0;
}

static void test_random_codes(void)
{
    uint32_t bad = 0;
    char what[80];

    for (uint32_t n = 0; n < tap_rounds(60); n++) {
        uint32_t z = n < 8 ? 1 + n : 1 + draw(n % 4 ? 200 : 32), rows = 2 + draw(9);
        uint32_t longest = n % 5 ? 1 + draw(24) : 23 + draw(12);
        bool twins = z > 30 && n % 3 == 0;
        struct ldpc_code *c = random_code(z, rows, longest, twins);
        struct ldpc_decode d = decoder_of(c, 0, draw(2) != 0);

        vary(&d);
        snprintf(what, sizeof what, "random code %u, z = %u, %u rows", n, z, rows);
        bad += compare(&d, what, n % 3 ? 1 + draw(5) : 1 + draw(MOST_FRAMES));
        ldpc_schedule_free((struct ldpc_schedule *)d.schedule);
        random_code_free(c);
    }
    is_int(bad, 0, "vectors give what the model gives: random codes");
}

static void test_known_codes(void)
{
    static const struct {
        struct wish wish;
        uint32_t rows, frames;
    } cases[] = {
        {NR(1, 384, 0), 46, 3},    {NR(1, 384, 200), 5, 3},    {NR(2, 2, 0), 42, 66},
        {NR(2, 36, 11), 20, 65},   {NR(1, 7, 0), 4, 10},       {NR(1, 64, 0), 13, 4},
        {NR(2, 208, 0), 42, 4},    {NR(1, 15, 3), 24, 64},     {WIFI(648, "5/6"), 0, 65},
        {WIFI(1944, "1/2"), 0, 3}, {WIMAX(576, "2/3A"), 0, 3}, {WIMAX(2304, "5/6"), 0, 2},
        {DVBS2(1, "1/4"), 0, 2},   {DVBS2(1, "8/9"), 0, 2},    {DVBS2(0, "9/10"), 0, 1},
        {DVBS2(1, "5/6"), 0, 2},   {DVBS2(1, "2/3"), 0, 2},    {DVBS2(0, "8/9"), 0, 1},
        {NR(1, 2, 0), 46, 8},      {NR(1, 16, 20), 46, 12},    {NR(1, 18, 0), 46, 8},
        {NR(2, 32, 0), 42, 8},     {NR(1, 36, 0), 46, 8},      {NR(2, 64, 9), 17, 8},
        {NR(2, 3, 0), 4, 20},      {NR(1, 30, 0), 5, 8},       {NR(1, 16, 0), 5, 8},
    };
    uint32_t bad = 0;
    char what[40];

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fecrun_error err = {.size = sizeof err};
        struct ldpc_code *c = read_wish(&cases[i].wish, &err);
        struct ldpc_decode d;

        if (!c)
            bail("%s: %s", err.param, err.text);
        d = decoder_of(c, cases[i].rows, c->family == LDPC_NR);
        vary(&d);
        snprintf(what, sizeof what, "known code %zu", i);
        bad += compare(&d, what, cases[i].frames);
        ldpc_schedule_free((struct ldpc_schedule *)d.schedule);
        ldpc_code_free(c);
    }
    is_int(bad, 0, "vectors give what the model gives: NR, Wi-Fi, WiMAX, DVB-S2");
}

/* Columns of up to 64 lanes have slots where the instruction set has such; longer ones never. */
static void test_slots(void)
{
    static const uint32_t z[] = {2, 15, 16, 18, 32, 36, 64, 72};
    uint32_t bad = 0;

    for (size_t i = 0; i < sizeof z / sizeof *z; i++) {
        struct fecrun_error err = {.size = sizeof err};
        struct ldpc_code *c = ldpc_code_nr(1, z[i], 0, &err);
        struct ldpc_decode d = decoder_of(c, 0, true);

        for (uint32_t isa = 0; isa < ISAS; isa++) {
            struct ldpc_simd *s = simd_of(&d, isa, LDPC_LAYOUT_ALONG, false, &err);
            const uint32_t slot = z[i] <= 16 ? 16 : z[i] <= 32 ? 32 : z[i] <= 64 ? 64 : 0;

            if (!s)
                continue;
            bad += s->packed.slot != (s->along->slots & slot);
            bad += isa && slot && slot <= 32 && !s->packed.slot; /* AVX2 has these */
            ldpc_simd_free(s);
        }
        ldpc_schedule_free(d.schedule);
        ldpc_code_free(c);
    }
    is_int(bad, 0, "short columns have slots");
}

/* Many more blocks than lanes, which stop at all iterations: those that take long leave the others, and
   are decoded beside blocks that came long before or after them. */
static void test_pools(void)
{
    static const struct {
        struct wish wish;
        uint32_t frames, iterations;
    } cases[] = {
        {NR(2, 2, 0), 1000, 50},      {WIFI(648, "1/2"), 333, 40}, {NR(1, 7, 0), 193, 9},
        {WIFI(1944, "5/6"), 64, 30}, /* two groups or less: these leave to be decoded alone */
        {WIFI(1944, "5/6"), 100, 30}, {NR(2, 36, 0), 47, 50},      {WIMAX(576, "1/2"), 129, 6}};
    uint32_t bad = 0;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fecrun_error err = {.size = sizeof err};
        struct ldpc_code *c = read_wish(&cases[i].wish, &err);
        struct ldpc_decode d;

        if (!c)
            bail("%s: %s", err.param, err.text);
        d = decoder_of(c, 0, c->family == LDPC_NR);
        d.iterations = cases[i].iterations;
        d.early_stop = true;
        d.alpha = 0.65;
        d.rise = 0.3;
        bad += compare(&d, "early stop", cases[i].frames);
        ldpc_schedule_free((struct ldpc_schedule *)d.schedule);
        ldpc_code_free(c);
    }
    is_int(bad, 0, "many blocks that stop at different iterations");
}

/* There are pools where blocks can leave to two of them before the last iteration. */
static void test_chances(void)
{
    static const struct {
        struct wish wish;
        uint32_t iterations;
        bool pools;
    } cases[] = {{WIFI(1944, "5/6"), 10, false},
                 {WIFI(1944, "5/6"), 11, true},
                 {WIFI(648, "1/2"), 10, true},
                 {NR(1, 64, 0), 50, false}};
    uint32_t bad = 0;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fecrun_error err = {.size = sizeof err};
        struct ldpc_code *c = read_wish(&cases[i].wish, &err);
        struct ldpc_decode d = decoder_of(c, 0, c->family == LDPC_NR);
        struct ldpc_simd *s;

        d.iterations = cases[i].iterations;
        d.early_stop = true;
        s = simd_of(&d, FECRUN_ISA_GENERIC, LDPC_LAYOUT_AUTO, false, &err);
        bad += !s || (s->n_pools > 0) != cases[i].pools;
        ldpc_simd_free(s);
        ldpc_schedule_free((struct ldpc_schedule *)d.schedule);
        ldpc_code_free(c);
    }
    is_int(bad, 0, "pools where blocks have two chances to leave");
}

/* The word of zeros with some noise, and LLRs of ones in the fillers' places. */
static void test_fillers(void)
{
    static const struct wish wish = NR(1, 64, 600);
    struct fecrun_error err = {.size = sizeof err};
    struct ldpc_code *c = read_wish(&wish, &err);
    struct ldpc_decode d = decoder_of(c, 24, true);
    int8_t *llr = get(c->n);
    struct results right, wrong;
    uint32_t ones = 0, kept = c->k - c->fillers - c->punctured;

    for (uint32_t i = 0; i < c->n; i++)
        llr[i] = (int8_t)nearbyint(20 + 15 * draw_gauss());
    right = model(&d, llr, 1);
    memset(llr + kept, -100, c->fillers);
    wrong = model(&d, llr, 1);
    for (uint64_t i = 0; i < d.bits; i++)
        ones += right.bits[i];
    is_int(ones, 0, "a frame with fillers");
    ok(wrong.verdict->converged && wrong.verdict->iterations == right.verdict->iterations &&
           !memcmp(right.bits, wrong.bits, d.bits),
       "what arrives in place of fillers does no harm");
    results_free(&right);
    results_free(&wrong);
    free(llr);
    ldpc_schedule_free((struct ldpc_schedule *)d.schedule);
    ldpc_code_free(c);
}

/*
 * The gain makes the sum of min(gain |x|, 36) that many times K', 6 natural LLRs of 6 units; zeros, and how strong the
 * strong ones are, do not matter. Half of the LLRs have three times the amplitude.
 */
static void test_gain(void)
{
    static const double units[] = {2, 4, 8, 11};
    static const struct wish wish = WIFI(1944, "1/2");
    struct fecrun_error err = {.size = sizeof err};
    struct ldpc_code *c = read_wish(&wish, &err);
    struct ldpc_decode d = decoder_of(c, 0, false);
    double *llr = get(c->n * sizeof *llr);
    int8_t *rounded = get(c->n);
    struct ldpc_fixed fixed;
    uint32_t wrong = 0;

    ldpc_fixed_init(&fixed, &d, &err);
    for (uint32_t i = 0; i < c->n; i++)
        llr[i] = i % 8 == 5 ? 0 : (i % 2 ? 3 : 1) * (1.2 + 1.5 * draw_gauss());
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
        struct ldpc_gain gain;
        double sum = 0;

        for (uint32_t i = 0; i < c->n; i++)
            rounded[i] = (int8_t)fmax(fmin(nearbyint(units[u] * llr[i]), 127), -127);
        gain = ldpc_fixed_gain(&fixed, rounded, NULL);
        for (uint32_t i = 0; i < c->n; i++)
            sum += fmin(gain.times / 256. * abs(rounded[i]), 36);
        diag("%g units a natural LLR: gain %g, sum %g", units[u], gain.times / 256., sum);
        wrong += fabs(sum / 36 - (double)d.bits) > 0.02 * (double)d.bits;
    }
    is_int(wrong, 0, "the gain is such that the LLRs say as much as the message has bits");
    memset(rounded, 0, c->n);
    is_int(ldpc_fixed_gain(&fixed, rounded, NULL).times, 256, "a frame of zeros has one, too");
    memset(rounded, -128, c->n);
    is_int(ldpc_fixed_input(&(struct ldpc_gain){ldpc_fixed_gain(&fixed, rounded, NULL).times, 127},
                            -128),
           -18, "and one of equal LLRs: half of a bit each at rate 1/2");
    free(llr);
    free(rounded);
    ldpc_schedule_free((struct ldpc_schedule *)d.schedule);
    ldpc_code_free(c);
}

/* All LLRs are 7, but the first ones are 0: units the sum has for each bit of K'. */
static double units_a_bit(uint32_t fillers, uint32_t zeros)
{
    struct fecrun_error err = {.size = sizeof err};
    struct ldpc_code *c = ldpc_code_nr(1, 20, fillers, &err);
    struct ldpc_decode d = decoder_of(c, 0, false);
    const uint32_t info = 400 - fillers, none = zeros > info ? zeros : zeros + fillers;
    int8_t *llr = get(c->n);
    struct ldpc_fixed fixed;
    double units;

    ldpc_fixed_init(&fixed, &d, &err);
    memset(llr, 7, c->n);
    memset(llr, 0, zeros);
    units = ldpc_fixed_gain(&fixed, llr, NULL).times / 256. * 7 * (c->n - none) / (double)d.bits;
    free(llr);
    ldpc_schedule_free((struct ldpc_schedule *)d.schedule);
    ldpc_code_free(c);
    return units;
}

/* Of K = 440 bits 40 are not sent. */
static void test_gain_without_information(void)
{
    static const struct {
        uint32_t fillers, zeros;
        int units;
    } row[] = {{0, 0, 48},     {0, 200, 48},   {0, 201, 80},   {110, 145, 48},
               {110, 146, 80}, {176, 113, 56}, {198, 700, 48}, {220, 700, 48}};

    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        is_int((int)nearbyint(units_a_bit(row[i].fillers, row[i].zeros)), row[i].units,
               "the gain with %u fillers and %u information bits that did not come", row[i].fillers,
               row[i].zeros);
}

/* Bits of the extension, which one check has alone, are wrong, and as sure as the right ones. */
static void test_sure_errors(enum ldpc_algorithm algorithm)
{
    struct fecrun_error err = {.size = sizeof err};
    struct ldpc_code *c = ldpc_code_nr(1, 20, 0, &err);
    struct ldpc_decode d = decoder_of(c, 20, true);
    const uint32_t first = (22 - 2 + 4) * 20; /* item of the first such bit */
    int8_t *llr = get(c->n);
    uint32_t wrong = 0;
    struct results r;

    d.algorithm = algorithm;
    d.early_stop = true;
    d.beta = 0.3;
    d.llr_scale = 1;
    memset(llr, 127, c->n);
    for (uint32_t i = first; i < first + 16 * 20; i += 23)
        llr[i] = -127;
    r = model(&d, llr, 1);
    for (uint64_t i = 0; i < d.bits; i++)
        wrong += r.bits[i];
    ok(r.verdict->converged && !wrong, "%s: checks outweigh sure bits that are wrong",
       algorithm == LDPC_OMS ? "oms" : "nms");
    results_free(&r);
    free(llr);
    ldpc_schedule_free(d.schedule);
    ldpc_code_free(c);
}

static void test_refusals(void)
{
    struct ldpc_code *c = random_code(4, 3, 5, false);
    struct ldpc_decode d = decoder_of(c, 0, false), no;
    struct fecrun_error err = {.size = sizeof err};
    struct ldpc_fixed fixed;

    no = d;
    no.algorithm = LDPC_SPA;
    is_int(ldpc_fixed_init(&fixed, &no, &err), -1, "no spa");
    no = d;
    no.rule = LDPC_FLOODING;
    is_int(ldpc_fixed_init(&fixed, &no, &err), -1, "no flooding");
    no = d;
    no.alpha = 1.2;
    is_int(ldpc_fixed_init(&fixed, &no, &err), -1, "no factor above 1");
    no = d;
    no.algorithm = LDPC_OMS;
    no.beta = 15.5;
    is_int(ldpc_fixed_init(&fixed, &no, &err), 0, "an offset of 62 steps");
    no.beta = 15.75;
    is_int(ldpc_fixed_init(&fixed, &no, &err), -1, "none that leaves nothing");
    no.beta = 0.5;
    no.llr_scale = 200;
    is_int(ldpc_fixed_init(&fixed, &no, &err), -1, "no offset for LLRs finer than the steps");
    ldpc_schedule_free((struct ldpc_schedule *)d.schedule);
    random_code_free(c);
}

/* Only where LLRs are read a decoder keeps more than bits need. */
static void test_forms(void)
{
    struct fecrun_error err = {.size = sizeof err};
    struct ldpc_code *c = ldpc_code_nr(2, 16, 0, &err);
    struct ldpc_decode d = decoder_of(c, 0, true);
    const struct fecrun_host host = {.size = sizeof host, .isa = FECRUN_ISA_GENERIC};
    const struct fecrun_value automatic = {.size = sizeof automatic, .is_auto = 1};
    const struct fecrun_value *list[] = {&automatic, &automatic};
    const struct fecrun_values tune = {sizeof tune, 2, list};
    void *codes[] = {&d};
    size_t room[2] = {0, 0};

    for (size_t f = 0; ldpc_decode_simd.forms[f]; f++) {
        const struct fecrun_form *form = ldpc_decode_simd.forms[f];
        const bool soft = ldpc_form_is_soft(form);
        const struct fecrun_create args = {.size = sizeof args,
                                           .host = &host,
                                           .codes = codes,
                                           .n_codes = 1,
                                           .form = form,
                                           .tune = &tune,
                                           .max_frames = 64};
        void *instance;

        if (ldpc_decode_simd.create(&args, &instance, &err))
            bail("%s", err.text);
        room[soft] = ldpc_decode_simd.scratch(instance, 64);
        is_int(((struct ldpc_simd *)instance)->whole, soft, "form %zu: %s", f,
               soft ? "LLRs of all columns are kept" : "those of leaves are not");
        ldpc_decode_simd.destroy(instance);
    }
    ok(room[0] && room[1] > room[0], "LLRs take more memory, and only where they are read");
    ldpc_schedule_free(d.schedule);
    ldpc_code_free(c);
}

/* ---- against floating point ---- */

/* Layered min-sum in double, rows in the order of the schedule; ref/decode.c is another one. */
static double float_message(const struct ldpc_decode *d, double m)
{
    return d->algorithm == LDPC_NMS ? d->alpha * m : copysign(fmax(fabs(m) - d->beta, 0), m);
}

static void float_row(const struct ldpc_decode *decode, uint32_t row, double *L, double *messages)
{
    const struct ldpc_code *c = decode->code;
    const uint32_t base = row / c->z, i = row % c->z;
    double q[40], *r[40], least = INFINITY, next = INFINITY;
    uint32_t v[40], d = 0, at = 0;
    bool odd = false;

    for (uint32_t e = c->row_first[base]; e < c->row_first[base + 1]; e++) {
        if (c->edge[e].skip == i)
            continue;
        v[d] = c->edge[e].col * c->z + (i + c->edge[e].shift) % c->z;
        r[d] = &messages[(size_t)e * c->z + i];
        q[d] = L[v[d]] - *r[d];
        d++;
    }
    for (uint32_t k = 0; k < d; k++) {
        const double size = fabs(q[k]);

        odd ^= q[k] < 0;
        if (size < least) {
            next = least;
            least = size;
            at = k;
        } else if (size < next) {
            next = size;
        }
    }
    for (uint32_t j = 0; j < d; j++) {
        const double m = j == at ? next : least;

        *r[j] = float_message(decode, odd != (q[j] < 0) ? -m : m);
        L[v[j]] = q[j] + *r[j];
    }
}

static bool float_errs(const struct ldpc_decode *d, const double *llr, const uint8_t *sent)
{
    const struct ldpc_code *c = d->code;
    double *L = calloc(c->cols * c->z, sizeof *L), *r = calloc(ldpc_edges(c) * c->z, sizeof *r);
    bool errs = false;

    if (!L || !r)
        bail("out of memory");
    for (uint32_t i = 0; i < c->n; i++)
        L[ldpc_place(c, i)] = llr[i];
    for (uint32_t n = 0; n < d->iterations; n++)
        for (uint32_t k = 0; k < d->schedule->n_rows; k++)
            float_row(d, d->schedule->row[k], L, r);
    for (uint64_t i = 0; i < d->bits; i++)
        errs |= (L[ldpc_info(c, (uint32_t)i)] < 0) != sent[i];
    free(L);
    free(r);
    return errs;
}

struct point {
    struct wish wish;
    uint32_t rows;
    double alpha, sigma; /* alpha 0: offset 0.5 */
    uint32_t frames;
};

/* `unit`: of the i8 LLRs per natural one. */
static void count_errors(const struct point *p, double unit, uint32_t *fixed_errors,
                         uint32_t *float_errors)
{
    struct fecrun_error err = {.size = sizeof err};
    struct encoder e;
    struct ldpc_code *c = read_wish(&p->wish, &err);
    struct ldpc_decode d;
    uint8_t *bits, *word;

    if (!c || encoder_plan(&e, &p->wish, c->k - c->fillers, 0))
        bail("%s: %s", err.param, err.text);
    d = decoder_of(c, p->rows, c->family == LDPC_NR);
    d.algorithm = p->alpha > 0 ? LDPC_NMS : LDPC_OMS;
    d.alpha = p->alpha;
    d.beta = 0.5;
    d.llr_scale = unit;
    bits = get(d.bits);
    double *llr = get(c->n * sizeof *llr);
    int8_t *rounded = get(c->n);
    *fixed_errors = *float_errors = 0;
    for (uint32_t f = 0; f < p->frames; f++) {
        struct results got;

        draw_bits(bits, d.bits);
        word = encoder_run(&e, bits, 1);
        for (uint32_t i = 0; i < c->n; i++) {
            llr[i] = 2 / p->sigma / p->sigma * (1 - 2 * word[i] + p->sigma * draw_gauss());
            rounded[i] = (int8_t)fmax(fmin(nearbyint(unit * llr[i]), 127), -127);
        }
        got = model(&d, rounded, 1);
        *fixed_errors += memcmp(got.bits, bits, d.bits) != 0;
        *float_errors += float_errs(&d, llr, bits);
        results_free(&got);
        free(word);
    }
    free(bits);
    free(llr);
    free(rounded);
    encoder_free(&e);
    ldpc_schedule_free((struct ldpc_schedule *)d.schedule);
    ldpc_code_free(c);
}

/*
 * Block errors near 0.3, where 0.05 dB change their number by about a third; the same noise for
 * both. DVB-S2 1/4 has columns with many edges.
 */
static void test_error_rates(void)
{
    static const struct point points[] = {
        {NR(1, 64, 0), 5, 0.8, 0.495, 250},      {NR(1, 52, 0), 13, 0.75, 0.68, 250},
        {NR(1, 48, 0), 24, 0.7, 0.86, 250},      {NR(1, 36, 0), 46, 0.65, 1.11, 250},
        {NR(2, 64, 0), 42, 0.7, 1.45, 250},      {NR(1, 36, 0), 46, 0, 1.12, 250},
        {WIFI(1944, "1/2"), 0, 0.82, 0.84, 250}, {WIFI(1944, "5/6"), 0, 0, 0.535, 250},
        {DVBS2(1, "1/4"), 0, 0.95, 1.27, 80},
    };

    if (tap_sanitized()) {
        skip(sizeof points / sizeof *points, "statistics need speed");
        return;
    }
    for (size_t i = 0; i < sizeof points / sizeof *points; i++) {
        const uint32_t frames = points[i].frames;
        uint32_t fixed_errors, float_errors;

        count_errors(&points[i], i % 2 ? 8 : 4, &fixed_errors, &float_errors);
        ok(fixed_errors <= float_errors + float_errors / 3 + frames / 20,
           "%zu: block errors of %u: 8 bits %u, double %u", i, frames, fixed_errors, float_errors);
    }
}

int main(void)
{
    test_random_codes();
    test_known_codes();
    test_slots();
    test_fillers();
    test_gain();
    test_gain_without_information();
    test_sure_errors(LDPC_NMS);
    test_sure_errors(LDPC_OMS);
    test_refusals();
    test_forms();
    test_error_rates();
    test_pools();
    test_chances();
    return done_testing();
}
