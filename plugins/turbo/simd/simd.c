/* SPDX-License-Identifier: BSD-2-Clause */
/* Backend `simd` of turbo.decode: max-log in bytes on the CPU. */
#include "plugins/turbo/simd/simd.h"

#include <fecrun/sdk/params.h>
#include <fecrun/sdk/simd.h>
#include <math.h>
#include <stdlib.h>

/*
 * What was found best at K = 6144 and 1024: doc/turbo.md. A priori LLRs have what room there is: bits near the end of
 * the second encoder's trellis have little there but what arrived, which the first one has to outvote.
 */
enum { CHANNEL = 20, PRIOR = 47, MEAN = 7 };

static const struct turbo_kernel *kernel_of(uint32_t isa)
{
    if (!fecrun_isa_runs(isa))
        return NULL;
#if defined(__x86_64__) || defined(__i386__)
    if (isa == FECRUN_ISA_AVX512)
        return __builtin_cpu_supports("avx512vbmi") ? turbo_kernel_avx512() : NULL;
#endif
    return isa == FECRUN_ISA_AVX2      ? turbo_kernel_avx2()
           : isa == FECRUN_ISA_GENERIC ? turbo_kernel_generic()
                                       : NULL;
}

/* ---- numbers --------------------------------------------------------------------------------- */

static bool power_of_two(uint32_t x)
{
    return x && !(x & (x - 1));
}

int turbo_fixed_init(struct turbo_fixed *fixed, const struct turbo_decode *d,
                     struct fecrun_error *err)
{
    unsigned clip = 0;

    if (d->algorithm != TURBO_MAX_LOG)
        return fecrun_fail(err, "algorithm", "backend simd has max-log only");
    if (d->stop == TURBO_MEAN_LLR || d->stop == TURBO_MIN_LLR)
        return fecrun_fail(err, "early_stop",
                           "backend simd has none, crc24a and crc24b; its bytes "
                           "do not hold LLRs that reach a threshold");
    if (d->sub_blocks &&
        (!power_of_two(d->sub_blocks) || d->sub_blocks > TURBO_LANES || d->k / d->sub_blocks < 16))
        return fecrun_fail(err, "sub_blocks", "backend simd has 1, 2, 4 .. 64 of 16 bits or more");
    *fixed = (struct turbo_fixed){.channel = CHANNEL, .prior = PRIOR, .mean = 256 * MEAN};
    fixed->top = (int8_t)((127 - (CHANNEL + PRIOR) - 2 * CHANNEL) / 2);
    fixed->factor = (uint16_t)nearbyint(256 * d->scale);
    for (unsigned i = 0; i < 16; i++)
        fixed->low[i] = (uint8_t)((i * fixed->factor + 127) / 256);
    for (unsigned i = 0; i < TURBO_TABLE / 16; i++)
        fixed->high[i] = (uint8_t)((16 * i * fixed->factor + 127) / 256);
    while (clip + 1 < TURBO_TABLE &&
           fixed->low[(clip + 1) % 16] + fixed->high[(clip + 1) / 16] <= PRIOR)
        clip++;
    fixed->clip = (int8_t)clip;
    return 0;
}

/* Sub-blocks that are not too short for their borders to be worth guessing. */
static uint32_t windows_of(const struct turbo_decode *d)
{
    uint32_t p = 1;

    if (d->sub_blocks)
        return d->sub_blocks;
    while (p < TURBO_LANES && d->k % (2 * p) == 0 && d->k / (2 * p) >= TURBO_LEAST_WINDOW)
        p *= 2;
    return p;
}

/* Lane b P + w of step x reads sub-block pi(x + w W) / W of its block. */
static void make_orders(struct turbo_simd *s)
{
    const struct turbo_decode *d = s->decode;

    for (uint32_t x = 0; x < s->steps; x++) {
        s->row[x] = (uint16_t)(turbo_pi(d->qpp, x) % s->steps);
        for (uint32_t l = 0; l < TURBO_LANES; l++) {
            const uint32_t w = l % s->windows, first = l - w;
            const uint32_t from = first + turbo_pi(d->qpp, x + w * s->steps) / s->steps;

            s->read[x][l] = (int8_t)from;
            s->write[x][from] = (int8_t)l;
        }
    }
}

struct turbo_simd *turbo_simd_new(const struct turbo_decode *decode, uint32_t isa,
                                  struct fecrun_error *err)
{
    struct turbo_simd *s = calloc(1, sizeof *s);

    if (!s) {
        fecrun_fail(err, NULL, "out of memory");
        return NULL;
    }
    s->decode = decode;
    s->kernel = kernel_of(isa);
    s->windows = windows_of(decode);
    s->blocks = TURBO_LANES / s->windows;
    s->steps = decode->k / s->windows;
    s->row = calloc(s->steps, sizeof *s->row);
    s->read = aligned_alloc(64, s->steps * sizeof *s->read);
    s->write = aligned_alloc(64, s->steps * sizeof *s->write);
    if (!s->kernel)
        fecrun_fail(err, "isa", "this build or this machine has no such code");
    else if (!s->row || !s->read || !s->write)
        fecrun_fail(err, NULL, "out of memory");
    else if (!turbo_fixed_init(&s->fixed, decode, err)) {
        make_orders(s);
        return s;
    }
    turbo_simd_free(s);
    return NULL;
}

void turbo_simd_free(struct turbo_simd *s)
{
    if (!s)
        return;
    free(s->row);
    free(s->read);
    free(s->write);
    free(s);
}

/* ---- the backend ------------------------------------------------------------------------------ */

static bool has(uint32_t isa)
{
    return kernel_of(isa) != NULL;
}

static int takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    struct turbo_fixed fixed;

    return turbo_fixed_init(&fixed, args->codes[0], err);
}

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    uint32_t isa = FECRUN_ISA_GENERIC;

    *instance = NULL;
    if (fecrun_isa_choose(fecrun_value(args->tune, 0), args->host, has, &isa, err))
        return -1;
    *instance = turbo_simd_new(args->codes[0], isa, err);
    return *instance ? 0 : -1;
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

static const struct fecrun_form *const forms[] = {
    FECRUN_FORM(.in = TURBO_DECODE_IN(FECRUN_I8), .out = TURBO_DECODE_OUT(FECRUN_PACKED)),
    FECRUN_FORM(.in = TURBO_DECODE_IN(FECRUN_I8), .out = TURBO_DECODE_OUT(FECRUN_U8)), NULL};

static const struct fecrun_param *const tune[] = {&fecrun_isa_param, NULL};

const struct fecrun_backend turbo_decode_simd = {
    .size = sizeof(struct fecrun_backend),
    .name = "simd",
    .summary = "8-bit max-log, 64 sub-blocks of one block or of several side by side",
    .forms = forms,
    .agreement = FECRUN_NEAR,
    .bound = 1,
    .tune = tune,
    .create = create,
    .scratch = scratch,
    .run = run,
    .destroy = destroy,
    .takes = takes,
};
