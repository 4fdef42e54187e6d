/* SPDX-License-Identifier: BSD-2-Clause */
/* Codes, noisy frames and decoders for the tests of polar.decode. */
#ifndef T_POLAR_TRIAL_H
#define T_POLAR_TRIAL_H

#include <fecrun/sdk/gauss.h>

#include "plugins/polar/code/ensemble.h"
#include "plugins/polar/code/nr.h"
#include "plugins/polar/code/order.h"
#include "plugins/polar/code/params.h"
#include "plugins/polar/decode.h"

static inline void *trial_get(size_t bytes)
{
    void *p = aligned_alloc(64, (bytes + 64) / 64 * 64);

    if (!p)
        bail("out of memory");
    return p;
}

/* e: 0 for a plain code of 2^stages by the Gaussian approximation. */
static inline struct polar_code *trial_code(uint32_t stages, uint32_t k, uint32_t e)
{
    struct fecrun_error err = {.size = sizeof err};
    const struct polar_nr nr = {.k = k, .e = e, .n_max = 10};
    uint16_t *order = trial_get(2 * POLAR_MOST_N);
    struct polar_code *code;

    if (!e && polar_order_make(stages, POLAR_BY_GA, 0.8, order, &err))
        bail("%s", err.text);
    code = e ? polar_nr_code(&nr, &err) : polar_plain_code(stages, k, order, &err);
    if (!code)
        bail("%s", err.text);
    free(order);
    return code;
}

/* A Reed-Muller code, where K is that of one; else what lies between two. */
static inline struct polar_code *trial_rm(uint32_t stages, uint32_t k)
{
    struct fecrun_error err = {.size = sizeof err};
    uint16_t *order = trial_get(2 * POLAR_MOST_N);
    struct polar_code *code;

    if (polar_order_make(stages, POLAR_BY_RM, 0, order, &err))
        bail("%s", err.text);
    code = polar_plain_code(stages, k, order, &err);
    if (!code)
        bail("%s", err.text);
    free(order);
    return code;
}

/* list: of ae the members. The code stays the caller's. */
static inline struct polar_decode trial_decode(struct polar_code *code,
                                               enum polar_algorithm algorithm, uint32_t list,
                                               bool pruned, enum crc_name crc)
{
    struct fecrun_error err = {.size = sizeof err};
    struct polar_decode d = {.code = code,
                             .algorithm = algorithm,
                             .most_paths = list,
                             .iterations = 10,
                             .scale = 0.9375,
                             .llr_scale = 1,
                             .limit = (double)FECRUN_LLR_MAX_F32};

    if (algorithm == POLAR_SC || algorithm == POLAR_AE)
        d.sc = polar_program_new(code, pruned, false);
    if (algorithm == POLAR_SCL)
        d.list = polar_program_new(code, pruned, true);
    if (algorithm == POLAR_AE) {
        d.members = list;
        d.permutation = trial_get(2ul * list * code->n);
        polar_ensemble_make(code, list, d.permutation);
    }
    if ((algorithm != POLAR_BP && !d.sc && !d.list) || polar_crc_make(&d.crc, crc, 0, 0, &err))
        bail("no decoder");
    if (!(d.words = polar_words_new(code, &d.crc)))
        bail("out of memory");
    return d;
}

static inline void trial_free(struct polar_decode *d)
{
    free(d->sc);
    free(d->list);
    free(d->words);
    free(d->permutation);
}

/*
 * The LLRs of a random word with `crc` at the end of its message, times `scale`; sigma 0.8 is 1.9 dB
 * of Es/N0. Bits that rate matching would not send are not treated as such.
 */
static inline void trial_frame(const struct polar_code *code, const struct polar_crc *crc,
                               uint64_t frame, float sigma, float scale, float *llr)
{
    const struct fecrun_rng rng = {.seed = 7, .stage = 3}, noise = {.seed = 7, .stage = 4};
    uint8_t *message = trial_get(code->k), *word = trial_get(code->n);
    uint32_t state = 0;

    for (uint32_t i = 0; i < code->k; i++) {
        message[i] = fecrun_rng_block(&rng, frame, i).v[0] & 1;
        if (crc->width && i + crc->width >= code->k)
            message[i] = state >> (crc->width - 1) & 1;
        if (crc->width)
            state = i + crc->width < code->k ? polar_crc_step(crc, state, message[i]) : state << 1;
    }
    polar_place(code, message, word);
    polar_transform(word, code->n);
    fecrun_gauss(&noise, frame, 0, llr, code->n);
    for (uint32_t i = 0; i < code->n; i++)
        llr[i] = scale * (2 / (sigma * sigma)) * ((word[i] ? -1.0f : 1.0f) + sigma * llr[i]);
    free(message);
    free(word);
}

/* Frames through a backend, i8, i16 or f32 LLRs; bits: K a frame, of type `to`. tune may be NULL. */
static inline void trial_run_to(const struct fecrun_backend *backend, const struct polar_decode *d,
                                const struct fecrun_values *tune, uint32_t type, const void *llr,
                                uint32_t frames, uint32_t to, uint8_t *bits,
                                struct fecrun_frame_info *info)
{
    struct fecrun_error err = {.size = sizeof err};
    const struct fecrun_host host = {.size = sizeof host, .isa = FECRUN_ISA_AVX512};
    void *code = (void *)(uintptr_t)d, *instance;
    const struct fecrun_form form = {
        .size = sizeof form, FECRUN_IN({.type = type}), FECRUN_OUT({.type = to})};
    const struct fecrun_create args = {.size = sizeof args,
                                       .form = &form,
                                       .host = &host,
                                       .codes = &code,
                                       .n_codes = 1,
                                       .tune = tune,
                                       .max_frames = frames};
    const struct fecrun_view in = {.size = sizeof in,
                                   .data = (void *)(uintptr_t)llr,
                                   .type = type,
                                   .frames = frames,
                                   .items = d->code->n,
                                   .stride = d->code->n * (type == FECRUN_I8    ? 1
                                                           : type == FECRUN_I16 ? 2
                                                                                : 4)};
    struct fecrun_view out = {.size = sizeof out,
                              .data = bits,
                              .type = to,
                              .frames = frames,
                              .items = d->code->k,
                              .stride = to == FECRUN_PACKED ? (d->code->k + 7) / 8 : d->code->k};
    struct fecrun_call call = {
        .size = sizeof call, .codes = &code, .info = info, .cancel = &(const volatile int){0}};
    size_t bytes;

    memset(info, 0, frames * sizeof *info);
    if (backend->create(&args, &instance, &err))
        bail("%s", err.text);
    bytes = backend->scratch(instance, frames);
    call.scratch = trial_get(bytes);
    memset(call.scratch, 0xa5, bytes);
    if (backend->run(instance, &call, (const struct fecrun_view *[]){&in, NULL},
                     (struct fecrun_view *[]){&out, NULL}, &err))
        bail("%s", err.text);
    backend->destroy(instance);
    free(call.scratch);
}

static inline void trial_run(const struct fecrun_backend *backend, const struct polar_decode *d,
                             const struct fecrun_values *tune, uint32_t type, const void *llr,
                             uint32_t frames, uint8_t *bits, struct fecrun_frame_info *info)
{
    trial_run_to(backend, d, tune, type, llr, frames, FECRUN_U8, bits, info);
}

/* Rounded to i8; every so often all of a frame saturates, or most of it is 0. */
static inline void trial_round(const float *llr, int8_t *out, uint32_t n, uint32_t frame)
{
    const float factor = frame % 11 == 10 ? 100 : frame % 13 == 12 ? 0.1f : 1;

    for (uint32_t i = 0; i < n; i++) {
        const float x = factor * llr[i];

        out[i] = (int8_t)(x > 127 ? 127 : x < -127 ? -127 : (int)(x + (x < 0 ? -0.5f : 0.5f)));
    }
}

#endif
