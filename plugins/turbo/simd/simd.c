/* SPDX-License-Identifier: BSD-2-Clause */
/* Backend `simd` of turbo.decode: max-log in bytes or in 16 bits on the CPU. */
#include "plugins/turbo/code/interleaver.h"
#include "plugins/turbo/simd/single.h"
#include "plugins/turbo/simd/single_bytes.h"

#include <fecrun/sdk/params.h>
#include <fecrun/sdk/simd.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * Bytes: what was found best at K = 6144 and 1024, doc/turbo.md. A priori LLRs have what room there is:
 * bits near the end of the second encoder's trellis have little there but what arrived, which the first
 * one has to outvote. Fillers gain at each step, and two steps of them and of what the other decoder adds must
 * not take the best states to 127, where all are equal: with 20 instead of 10 half a block of fillers has ten
 * times the wrong frames.
 *
 * 16 bits have room for all that counts, so that sums need not saturate. With G = 2 CHANNEL + PRIOR =
 * 1792, which |A| + |P| of a step cannot exceed, metrics of a step lie within 5 G of each other: 3 G
 * where a sub-block begins (the tail says 6 CHANNEL at most), and as all states are reached from any
 * one within three steps, never more than 3 G from the third step on. Normalised ones lie within -5 G
 * to 0, those a step later within -6 G to G; so sums of alpha, beta and P are within -13 G to 3 G, the
 * extrinsic LLRs within 16 G, and with A 17 G = 30464.
 */
static const struct turbo_fixed first_numbers[TURBO_WIDTHS] = {
    [TURBO_BYTE] = {.channel = 20, .filler = 10, .prior = 47, .top = 10, .never = -128, .unit = 22},
    [TURBO_WORD] = {
        .channel = 512, .filler = 512, .prior = 768, .top = 0, .never = -3 * 1792, .unit = 96}};

/*
 * With 16 states and three parity bits G = 4 CHANNEL + PRIOR = 1536: what was said of 3 G holds of 4 G, metrics lie within
 * -7 G to 0 and -8 G to G, sums within -16 G to 3 G, and with A 20 G = 30720.
 */
static const struct turbo_fixed many_numbers = {
    .channel = 256, .filler = 256, .prior = 512, .top = 0, .never = -4 * 1536, .unit = 48};

/* Has the code 16 states? */
static bool is_many(const struct turbo_decode *d)
{
    return turbo_family_of(d)->memory > 3;
}

static const struct turbo_kernel *kernel_of(uint32_t isa, enum turbo_width width)
{
    const bool words = width == TURBO_WORD;

    if (!fecrun_isa_runs(isa))
        return NULL;
#if defined(__x86_64__) || defined(__i386__)
    if (isa == FECRUN_ISA_AVX512)
        return !__builtin_cpu_supports("avx512vbmi") ? NULL
               : words                               ? turbo_kernel_avx512_words()
                                                     : turbo_kernel_avx512();
#endif
    if (isa == FECRUN_ISA_AVX2)
        return words ? turbo_kernel_avx2_words() : turbo_kernel_avx2();
    if (isa == FECRUN_ISA_GENERIC)
        return words ? turbo_kernel_generic_words() : turbo_kernel_generic();
    return NULL;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static bool power_of_two(uint32_t x)
{
    return x && !(x & (x - 1));
}

static int check(const struct turbo_decode *d, enum turbo_width width, struct fecrun_error *err)
{
    const uint32_t p = d->sub_blocks;

    if (d->algorithm != TURBO_MAX_LOG)
        return fecrun_fail(err, "algorithm", "backend simd has max-log only");
    if (d->stop == TURBO_MEAN_LLR || d->stop == TURBO_MIN_LLR)
        return fecrun_fail(err, "early_stop",
                           "backend simd has none and crc; its integers do not hold LLRs "
                           "that reach a threshold");
    if (is_many(d) && width == TURBO_BYTE)
        return fecrun_fail(err, "code", "%s has 16-bit arithmetic only", turbo_family_of(d)->name);
    if (p > 1 && turbo_family_of(d) != &turbo_lte)
        return fecrun_fail(err, "sub_blocks", "backend simd has 1 with %s",
                           turbo_family_of(d)->name);
    if (p && (!power_of_two(p) || p > turbo_lanes(width) || d->k / p < 16))
        return fecrun_fail(err, "sub_blocks", "backend simd has 1, 2, 4 .. %u of 16 bits or more%s",
                           turbo_lanes(width), width == TURBO_WORD ? " in 16-bit arithmetic" : "");
    return 0;
}

static void make_tables(struct turbo_fixed *fixed)
{
    unsigned clip = 0;

    for (unsigned i = 0; i < 16; i++)
        fixed->low[i] = (uint8_t)((i * fixed->factor + 127) / 256);
    for (unsigned i = 0; i < TURBO_TABLE / 16; i++)
        fixed->high[i] = (uint8_t)((16 * i * fixed->factor + 127) / 256);
    while (clip + 1 < TURBO_TABLE &&
           fixed->low[(clip + 1) % 16] + fixed->high[(clip + 1) / 16] <= fixed->prior)
        clip++;
    fixed->clip = (uint8_t)clip;
}

int turbo_fixed_init(struct turbo_fixed *fixed, const struct turbo_decode *d, enum turbo_width in,
                     enum turbo_width width, struct fecrun_error *err)
{
    if (check(d, width, err))
        return -1;
    *fixed = is_many(d) ? many_numbers : first_numbers[width];
    fixed->point = in == TURBO_BYTE && width == TURBO_BYTE ? 8 : 16;
    fixed->factor = (uint16_t)nearbyint((width == TURBO_BYTE ? 256 : 32768) * d->scale);
    if (width == TURBO_BYTE)
        make_tables(fixed);
    turbo_choose_sample(fixed, d);
    return 0;
}

/* Sub-blocks that are not too short for their borders to be worth guessing. */
static uint32_t windows_of(const struct turbo_decode *d, enum turbo_width width)
{
    const uint32_t least = d->low_latency ? TURBO_LOW_WINDOW : TURBO_LEAST_WINDOW;
    uint32_t p = 1;

    if (turbo_family_of(d) != &turbo_lte)
        return 1;
    if (d->sub_blocks || (d->low_latency && d->k <= TURBO_LOW_SINGLE))
        return d->sub_blocks ? d->sub_blocks : 1;
    while (p < turbo_lanes(width) && d->k % (2 * p) == 0 && d->k / (2 * p) >= least)
        p *= 2;
    return p;
}

/*
 * Lane b P + w of step x reads sub-block pi(x + w W) / W of its block: lanes as bytes, so that all
 * widths are put in order alike.
 */
static void make_orders(struct turbo_simd *s)
{
    const struct turbo_decode *d = s->decode;

    if (s->family != &turbo_lte) {
        turbo_family_interleaver(s->family, d->k, s->row, NULL);
        for (uint32_t x = 0; x < s->steps; x++)
            for (uint32_t i = 0; i < TURBO_ROW; i++)
                s->read[x][i] = s->write[x][i] = (int8_t)i;
        return;
    }
    for (uint32_t x = 0; x < s->steps; x++) {
        s->row[x] = (uint16_t)(turbo_pi(d->qpp, x) % s->steps);
        for (uint32_t i = 0; i < TURBO_ROW; i++) {
            const uint32_t l = i >> s->width, part = i - (l << s->width), w = l % s->windows;
            const uint32_t lane = l - w + turbo_pi(d->qpp, x + w * s->steps) / s->steps;
            const uint32_t from = (lane << s->width) + part;

            s->read[x][i] = (int8_t)from;
            s->write[x][from] = (int8_t)i;
        }
    }
}

/* `few`, as measured: a block alone takes a sixteenth of the time of a row of 32 sub-blocks for each of its own. */
static uint32_t few_words(uint32_t windows, uint32_t isa)
{
    const uint32_t two = isa == FECRUN_ISA_AVX512 ? 5 : 7;

    return windows == 1 ? 13 : windows == 2 ? two : windows == 4 ? 3 : 1;
}

/* Blocks alone in 16 bits. False: out of memory. */
static bool choose_single_words(struct turbo_simd *s, uint32_t isa)
{
    const uint32_t k = s->decode->k;

    if (!turbo_single_fits(s))
        return true;
    s->single = isa == FECRUN_ISA_AVX512 ? turbo_single_avx512() : turbo_single_avx2();
    if (!s->single)
        return true;
    s->few = few_words(s->windows, isa);
    s->pi = calloc(k, sizeof *s->pi);
    s->inverse = calloc(k, sizeof *s->inverse);
    if (!s->pi || !s->inverse)
        return false;
    turbo_interleaver(s->decode->qpp, s->pi, s->inverse);
    return true;
}

/* `few`, as measured: a block alone takes a tenth of the time of a row of 64 sub-blocks, and more the more
   sub-blocks it has. */
static uint32_t few_bytes(uint32_t windows)
{
    return windows == 1 ? 10 : windows == 2 ? 7 : windows == 4 ? 6 : windows == 8 ? 3 : 1;
}

/* Code for blocks alone, which computes the same numbers as rows do. False: out of memory. */
static bool choose_single(struct turbo_simd *s, uint32_t isa)
{
    if (isa == FECRUN_ISA_GENERIC || s->family != &turbo_lte)
        return true;
    if (s->width == TURBO_WORD)
        return choose_single_words(s, isa);
    if (!turbo_single_bytes_fits(s))
        return true;
    s->single_bytes = turbo_single_bytes_avx2();
    s->few = s->single_bytes ? few_bytes(s->windows) : 0;
    return true;
}

/* Half a row is one vector of 32 bytes, for blocks that fit into it. */
static void choose_narrow(struct turbo_simd *s, uint32_t isa)
{
    if (s->blocks > 1)
        s->narrow = isa == FECRUN_ISA_AVX512 ? kernel_of(FECRUN_ISA_AVX2, s->width) : s->kernel;
}

static void divide(struct turbo_simd *s)
{
    const struct turbo_decode *d = s->decode;

    s->windows = windows_of(d, s->width);
    s->blocks = turbo_lanes(s->width) / s->windows;
    s->steps = d->k / s->windows;
    s->training = s->steps < TURBO_TRAINING ? s->steps & ~1u : TURBO_TRAINING;
    for (uint32_t i = 0; i < TURBO_ROW; i++) {
        const uint32_t w = (i >> s->width) % s->windows;

        s->firsts[i] = (int8_t) - (w == 0);
        s->lasts[i] = (int8_t) - (w + 1 == s->windows);
    }
}

/* False: out of memory. */
static bool make_places(struct turbo_simd *s)
{
    const struct turbo_family *f = s->family;
    const uint32_t k = s->decode->k;

    if (f == &turbo_lte)
        return true;
    s->from = calloc(s->staged, sizeof *s->from);
    for (uint32_t i = 0; i < s->staged && s->from; i++)
        s->from[i] = TURBO_NOT_SENT;
    for (unsigned e = 0; e < 2 && s->from; e++)
        for (uint32_t o = 0; o <= f->outputs[e]; o++)
            for (uint32_t i = e && !o ? k : 0; i < k + f->memory; i++)
                s->from[turbo_staged_item(s, e, o, i)] = turbo_family_item(f, k, e, o, i);
    return s->from;
}

static void make_tail(struct turbo_simd *s, unsigned e)
{
    const uint32_t outputs = s->family->outputs[e], memory = s->family->memory;
    struct turbo_tail *tail = &s->tail[e];
    struct turbo_trellis trellis;

    turbo_trellis_make(s->family, e, &trellis);
    for (uint32_t state = 0; state < turbo_states(s->family); state++)
        for (uint32_t t = 0, at = state; t < memory; t++) {
            const uint32_t u = trellis.tail[at];

            tail->bits[t][state] = (uint8_t)(u | (uint32_t)trellis.label[at][u] << 1);
            at = trellis.next[at][u];
        }
    for (uint32_t t = 0; t < memory; t++)
        for (uint32_t o = 0; o <= outputs; o++)
            tail->item[t][o] = turbo_staged_item(s, e, o, s->decode->k + t);
}

/* What of the code is not that of its size. False: no such kernel. */
static bool choose_code(struct turbo_simd *s)
{
    s->family = turbo_family_of(s->decode);
    s->rows = 1 + s->family->outputs[0] + s->family->outputs[1];
    s->staged = (s->rows + (s->family->memory > 3)) * (s->decode->k + 4);
    for (unsigned e = 0; e < 2; e++) {
        if (is_many(s->decode) && s->kernel)
            s->many[e] = s->kernel->many(s->family, e);
        make_tail(s, e);
    }
    return !is_many(s->decode) || (s->many[0] && s->many[1]);
}

struct turbo_simd *turbo_simd_new(const struct turbo_decode *decode, uint32_t isa,
                                  enum turbo_width in, enum turbo_width width,
                                  struct fecrun_error *err)
{
    struct turbo_simd *s = calloc(1, sizeof *s);

    if (!s) {
        fecrun_no_memory(err);
        return NULL;
    }
    s->decode = decode;
    s->kernel = kernel_of(isa, width);
    s->isa = isa;
    s->floats = in == TURBO_FLOAT;
    s->in = s->floats ? TURBO_WORD : in;
    s->width = width;
    if (turbo_fixed_init(&s->fixed, decode, in, width, err) ||
        (!choose_code(s) &&
         fecrun_fail(err, "isa", "this build or this machine has no such code"))) {
        turbo_simd_free(s);
        return NULL;
    }
    divide(s);
    s->row = calloc(s->steps, sizeof *s->row);
    s->read = aligned_alloc(64, s->steps * sizeof *s->read);
    s->write = aligned_alloc(64, s->steps * sizeof *s->write);
    if (s->kernel && s->row && s->read && s->write && make_places(s) && choose_single(s, isa)) {
        make_orders(s);
        choose_narrow(s, isa);
        return s;
    }
    if (!s->kernel)
        fecrun_fail(err, "isa", "this build or this machine has no such code");
    else
        fecrun_no_memory(err);
    turbo_simd_free(s);
    return NULL;
}

void turbo_simd_free(struct turbo_simd *s)
{
    if (!s)
        return;
    free(s->from);
    free(s->row);
    free(s->read);
    free(s->write);
    free(s->pi);
    free(s->inverse);
    free(s);
}

/* ---- the backend ------------------------------------------------------------------------------ */

enum { T_ISA, T_ARITHMETIC };

/* The choices of `arithmetic`, in this order: those of enum turbo_width. */
static const char *const widths[] = {[TURBO_BYTE] = "i8", [TURBO_WORD] = "i16", NULL};

static enum turbo_width input_of(const struct fecrun_create *args)
{
    const uint32_t type = args->form->in[TURBO_IN].type;

    return type == FECRUN_I8 ? TURBO_BYTE : type == FECRUN_I16 ? TURBO_WORD : TURBO_FLOAT;
}

/* Where takes() asks, nothing is tuned yet. NULL: auto. */
static const struct fecrun_value *tuned_width(const struct fecrun_create *args)
{
    const struct fecrun_value *wanted = args->tune ? fecrun_value(args->tune, T_ARITHMETIC) : NULL;

    return wanted && wanted->given && !wanted->is_auto ? wanted : NULL;
}

/* Blocks alone for which 16 bits take less time than 8. */
static bool low_words(const struct turbo_decode *d)
{
    return d->low_latency && turbo_family_of(d) == &turbo_lte && !d->sub_blocks &&
           d->k <= TURBO_LOW_WORDS;
}

/* auto: of the width of what arrives, floats of 16 bits; where that takes longer for a block alone, of 16 bits. */
static enum turbo_width width_of(const struct fecrun_create *args)
{
    const struct fecrun_value *wanted = tuned_width(args);

    if (wanted)
        return (enum turbo_width)wanted->i;
    if (is_many(args->codes[0]))
        return TURBO_WORD;
    return !low_words(args->codes[0]) && input_of(args) == TURBO_BYTE ? TURBO_BYTE : TURBO_WORD;
}

/* What has code for bytes has it for 16 bits, too. */
static bool has(uint32_t isa)
{
    return kernel_of(isa, TURBO_BYTE) != NULL;
}

static int takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    struct turbo_fixed fixed;

    return turbo_fixed_init(&fixed, args->codes[0], input_of(args), width_of(args), err);
}

/* Of what takes() let pass, the width that is tuned may be unable: then that is what is wrong. */
static int check_tuned(const struct fecrun_create *args, struct fecrun_error *err)
{
    const enum turbo_width width = width_of(args);
    struct fecrun_error why = {.size = sizeof why};

    if (!check(args->codes[0], width, &why))
        return 0;
    return fecrun_fail(err, "arithmetic", "%s: %s: %s", widths[width], why.param, why.text);
}

static struct turbo_simd *make(const struct fecrun_create *args, struct fecrun_error *err)
{
    uint32_t isa = FECRUN_ISA_GENERIC;

    if (fecrun_isa_choose(fecrun_value(args->tune, T_ISA), args->host, has, &isa, err) ||
        check_tuned(args, err))
        return NULL;
    return turbo_simd_new(args->codes[0], isa, input_of(args), width_of(args), err);
}

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    *instance = make(args, err);
    return *instance ? 0 : -1;
}

/* Why the arithmetic has that width. */
static const char *width_reason(const struct fecrun_create *args)
{
    if (tuned_width(args))
        return "as tuned";
    if (is_many(args->codes[0]))
        return "16 states";
    if (low_words(args->codes[0]))
        return "latency: low, fewer than 2048 bits";
    return input_of(args) == TURBO_BYTE   ? "i8 LLRs"
           : input_of(args) == TURBO_WORD ? "i16 LLRs; arithmetic: i8 would be faster"
                                          : "f32 LLRs; arithmetic: i8 would be faster";
}

/* What is tuned may ask for more sub-blocks than there are lanes, which takes() could not know. */
static void note(const struct fecrun_create *args, char *text, size_t text_size)
{
    struct fecrun_error err = {.size = sizeof err};
    struct turbo_simd *s = NULL;
    char few[40] = "", half[40] = "";

    if (!check(args->codes[0], width_of(args), &err))
        s = make(args, &err);
    if (!s) {
        snprintf(text, text_size, "nothing: %s: %s", err.param, err.text);
        return;
    }
    if (turbo_simd_few(s))
        snprintf(few, sizeof few, "; up to %u left over one by one", turbo_simd_few(s));
    if (s->narrow)
        snprintf(half, sizeof half, "%s up to %u in half a row", *few ? "," : ";", s->blocks / 2);
    snprintf(text, text_size,
             "%s, %u-bit arithmetic (%s), %u sub-block%s of each of %u block%s side by side%s%s",
             fecrun_isa_names[s->isa], 8u << s->width, width_reason(args), s->windows,
             s->windows == 1 ? "" : "s", s->blocks, s->blocks == 1 ? "" : "s", few, half);
    turbo_simd_free(s);
}

static void destroy(void *instance)
{
    turbo_simd_free(instance);
}

static size_t scratch(const void *instance, uint64_t frames)
{
    struct turbo_work work;

    (void)frames;
    return turbo_simd_carve(&work, instance, NULL);
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    const struct turbo_simd *s = instance;
    struct turbo_batch batch = {
        .llr = in[0]->data,
        .llr_stride = in[0]->stride,
        .bits = out[0]->data,
        .bits_stride = out[0]->stride,
        .packed = out[0]->type == FECRUN_PACKED,
        .info = call->info,
    };

    if (in[0]->items != s->decode->word || out[0]->items != s->decode->bits)
        return fecrun_fail(err, NULL, "made for frames of %u LLRs, called with %llu",
                           s->decode->word, (unsigned long long)in[0]->items);
    if (in[TURBO_IN_APRIORI]) {
        batch.apriori = in[TURBO_IN_APRIORI]->data;
        batch.apriori_stride = in[TURBO_IN_APRIORI]->stride;
    }
    for (unsigned p = 0; p < 2; p++)
        if (out[TURBO_OUT_LLR + p]) {
            batch.soft[p] = out[TURBO_OUT_LLR + p]->data;
            batch.soft_stride[p] = out[TURBO_OUT_LLR + p]->stride;
        }
    turbo_simd_decode(s, &batch, in[0]->frames, call->scratch);
    return 0;
}

#define FORM(from, to) FECRUN_FORM(TURBO_DECODE_IN(from), TURBO_DECODE_OUT(to))

static const struct fecrun_form *const forms[] = {FORM(FECRUN_I8, FECRUN_PACKED),
                                                  FORM(FECRUN_I8, FECRUN_U8),
                                                  FORM(FECRUN_I16, FECRUN_PACKED),
                                                  FORM(FECRUN_I16, FECRUN_U8),
                                                  FORM(FECRUN_F32, FECRUN_PACKED),
                                                  FORM(FECRUN_F32, FECRUN_U8),
                                                  NULL};

static const struct fecrun_param *const tune[] = {
    &fecrun_isa_param,
    FECRUN_PARAM(.name = "arithmetic", .type = FECRUN_VALUE_CHOICE, .flags = FECRUN_PARAM_MAY_AUTO,
                 .choices = widths, .default_text = "auto",
                 .help =
                     "i8: 64 lanes of bytes, the fastest, 0.01 dB behind ref at K = 6144; i16: 32 "
                     "lanes of 16 bits, error rates of ref; auto: the type of the input, with "
                     "latency: low "
                     "i16 for blocks of less than 2048 bits"),
    NULL};

const struct fecrun_backend turbo_decode_simd = {
    .size = sizeof(struct fecrun_backend),
    .name = "simd",
    .summary = "max-log in 8 or 16 bits, sub-blocks of one block or of several side by side",
    .forms = forms,
    .agreement = FECRUN_AGREEMENT_NEAR,
    .bound = 1,
    .tune = tune,
    .create = create,
    .scratch = scratch,
    .run = run,
    .destroy = destroy,
    .takes = takes,
    .note = note,
};
