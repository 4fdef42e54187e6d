/* SPDX-License-Identifier: BSD-2-Clause */
/* What goes in, at all ports; of the stage's own encoder code words behind noise, with wrong bits,
   with erasures. */
#include "tools/check/check.h"

#include "tools/check/check_impl.h"
#include <fecrun/sdk/params.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- The encoder ---- */

/* The first form that such frames may have: pieces of a stream are packed only as whole bytes. */
static const struct fecrun_form *form_for(const struct fecrun_backend *backend,
                                          const struct check_variant *v)
{
    const bool odd = v->in[0].stream && (v->in[0].items % 8 || v->out[0].items % 8);

    for (size_t i = 0; backend->forms[i]; i++)
        if (!odd || (backend->forms[i]->in[0].type != FECRUN_PACKED &&
                     backend->forms[i]->out[0].type != FECRUN_PACKED))
            return backend->forms[i];
    return NULL;
}

/* Runs the encoder's reference; the code's bits in *coded. */
static int encode(const struct check_encoder *encoder, const struct check *check,
                  const struct check_input *bits, struct check_result *coded)
{
    const struct registry_backend *backend = &encoder->stage->backends[0];
    const uint64_t frames = bits->port[0].frames;
    struct check_instance instance;
    struct fecrun_error err;
    const struct fecrun_form *form = form_for(backend->backend, &encoder->variant);
    struct check_call call;
    int status;

    if (!form)
        return -1;
    call = check_call_for(&encoder->variant, bits, frames);
    call.first = 0; /* also a stream is encoded as a whole, from its start on */
    if (check_instance_open(&instance, check, encoder->stage, backend, &encoder->variant, form,
                            NULL, frames, &err))
        return -1;
    status = check_run(&instance, bits, &call, coded, &err);
    check_instance_close(&instance);
    return status;
}

int check_encode(const struct check *check, const struct check_variant *v,
                 const struct check_signal *bits, struct check_result *coded)
{
    const struct check_input input = {.port = {*bits}};
    struct check_encoder encoder;
    int status = -1;

    memset(coded, 0, sizeof *coded);
    if (!check_encoder_open(&encoder, check, v->point, bits->items, false))
        return -1;
    if (encoder.variant.out[0].items == v->in[0].items && encoder.variant.out[0].pieces == 1 &&
        fecrun_type_kind(encoder.variant.out[0].type) == FECRUN_KIND_BITS)
        status = encode(&encoder, check, &input, coded);
    check_encoder_close(&encoder);
    return status;
}

/* ---- Wrong bits and erasures ---- */

/* Bits have no erasures: those are wrong half of the time, and said at another port. */
static void put_bits(const struct check_signal *signal, uint8_t *row, const int8_t *sign)
{
    for (uint64_t i = 0; i < signal->items; i++)
        row[i] = sign[i] ? sign[i] < 0 : i % 2;
}

static void fill_erasures(struct check_input *input, const struct check_variant *v)
{
    for (unsigned p = 1; p < v->n_in; p++) {
        struct check_signal *marks = &input->port[p];

        if (!v->linked[p] || v->in[p].kind != FECRUN_KIND_BITS)
            continue;
        for (uint64_t f = 0; f < marks->frames; f++) {
            struct check_random random = check_places(f);

            for (unsigned n = check_erasures(f); n; n--) {
                uint64_t i = check_random_below(&random, v->in[0].items);

                /* of symbols, where there are fewer of them than bits */
                marks->data[f * marks->stride + i * marks->items / v->in[0].items] = 1;
            }
        }
    }
}

/* ---- Noise ---- */

static double noise_db(enum check_pattern pattern)
{
    switch (pattern) {
    case CHECK_NOISE_1DB:
    case CHECK_REAL_1DB:
        return 1;
    case CHECK_NOISE_5DB:
        return 5;
    default:
        return 3;
    }
}

/* LLRs of the frame's scale. */
struct channel {
    const struct fecrun_frame *frame;
    enum check_pattern pattern;
    double strength, sigma; /* of a sample without noise, and of the noise */
};

#define DOUBTS 2 /* a natural LLR: one of eight bits is wrong */

/* BPSK and white noise. Code words are as sure as their type can say, where bits are wrong, too, except CHECK_DOUBTS. */
static struct channel open_channel(const struct fecrun_frame *frame, double rate,
                                   enum check_pattern pattern)
{
    double variance = 1 / (2 * rate * pow(10, noise_db(pattern) / 10));
    double scale = frame->llr_scale > 0 ? frame->llr_scale : 1;

    if (pattern == CHECK_DOUBTS)
        return (struct channel){frame, pattern, DOUBTS * scale, 0};
    if (pattern >= CHECK_CODED)
        return (struct channel){frame, pattern, check_largest_llr(frame), 0};
    if (frame->type == FECRUN_F32 && !check_pattern_real(pattern))
        scale = 4;
    return (struct channel){frame, pattern, scale * 2 / variance, sqrt(variance)};
}

/*
 * Each bit is sure in one of the frames, and weak in the others; in the first frame all are weak, so
 * that it shows whether the decoder can live with that. All are right. But if the
 * encoder makes a bit that its decoder would make otherwise, a decoder that corrects it where all are
 * as sure takes a wrong word where that bit weighs as much as all those that it differs in, or finds
 * none.
 */
static void put_sure(const struct check_signal *signal, uint8_t *row, const int8_t *sign,
                     double strength, uint64_t frame)
{
    const double weak = nearbyint(strength / 127) > 1 ? nearbyint(strength / 127) : 1;

    for (uint64_t i = 0; i < signal->items; i++) {
        const bool sure = frame && i % (signal->frames - 1) == frame - 1;

        check_put_llr(signal, row, i, sign[i] * (sure ? strength : weak));
    }
}

static void put_llrs(const struct check_signal *signal, uint8_t *row, const int8_t *sign,
                     const struct channel *channel, struct check_random *random)
{
    for (uint64_t i = 0; i < signal->items; i++) {
        double y = sign[i], llr;

        if (channel->sigma > 0)
            y += channel->sigma * check_random_gauss(random);
        llr = channel->pattern == CHECK_REAL_TIES ? check_bsc_llr(sign[i] < 0, random)
                                                  : channel->strength * y;
        check_put_llr(signal, row, i,
                      check_fit_llr(channel->frame, llr, check_pattern_real(channel->pattern)));
    }
}

/* ---- Code words ---- */

static bool put_words(struct check_signal *signal, const struct check_variant *v,
                      const struct check_result *coded, enum check_pattern pattern,
                      struct check_random *random)
{
    double rate = (double)v->out[0].items / (double)signal->items;
    struct channel channel = open_channel(&v->in[0], rate, pattern);
    int8_t *sign = malloc(signal->items + 1);

    if (!sign)
        return false;
    for (uint64_t f = 0; f < signal->frames; f++) {
        uint8_t *row = signal->data + f * signal->stride;

        fecrun_convert(coded->out[0].type, FECRUN_U8, coded->out[0].data + f * coded->out[0].stride,
                       sign, signal->items);
        for (uint64_t i = 0; i < signal->items; i++)
            sign[i] = sign[i] ? -1 : 1;
        check_spoil(sign, v, pattern, f);
        if (v->in[0].kind == FECRUN_KIND_BITS)
            put_bits(signal, row, sign);
        else if (pattern == CHECK_SURE)
            put_sure(signal, row, sign, channel.strength, f);
        else
            put_llrs(signal, row, sign, &channel, random);
    }
    free(sign);
    return true;
}

/* Port 0 and the truth, from the stage's encoder. False: there is none for it; nothing was done. */
static bool fill_encoded(struct check_input *input, const struct check *check,
                         const struct check_variant *v, enum check_pattern pattern,
                         struct check_random *random)
{
    struct check_signal *signal = &input->port[0];
    struct check_input bits = {0};
    struct check_result coded = {0};
    struct check_encoder encoder;
    bool made = false;

    if (!v->n_out || v->in[0].pieces > 1 ||
        !check_encoder_open(&encoder, check, v->point, v->out[0].items, v->in[0].stream))
        return false;
    if (encoder.variant.out[0].items == signal->items && encoder.variant.out[0].pieces == 1 &&
        fecrun_type_kind(encoder.variant.out[0].type) == FECRUN_KIND_BITS &&
        !check_input_make(&bits, check, &encoder.variant, CHECK_RANDOM, signal->frames, random) &&
        !encode(&encoder, check, &bits, &coded)) {
        made = put_words(signal, v, &coded, pattern, random);
        input->truth = bits.port[0].data;
        input->truth_items = v->out[0].items;
        bits.port[0].data = NULL;
    }
    check_result_free(&coded);
    check_input_free(&bits);
    check_encoder_close(&encoder);
    return made;
}

/* Without an encoder: the zero word, which most codes have, and random ones. */
static void put_plain(const struct check_signal *signal, const struct check_variant *v,
                      struct check_random *random)
{
    int8_t *sign = malloc(signal->items + 1);

    for (uint64_t f = 0; sign && f < signal->frames * signal->pieces; f++) {
        uint8_t *row = signal->data + f * signal->stride;
        struct channel channel = open_channel(&v->in[0], 0.5, CHECK_MIXED);

        memset(sign, 1, signal->items);
        check_spoil(sign, v, CHECK_MIXED, f);
        if (v->in[0].kind == FECRUN_KIND_BITS)
            put_bits(signal, row, sign);
        else if (v->in[0].kind == FECRUN_KIND_LLR)
            put_llrs(signal, row, sign, &channel, random);
        else
            check_fill_row(signal, &v->in[0], row, CHECK_RANDOM, random);
    }
    free(sign);
}

/* ---- All ports ---- */

static bool is_noise(enum check_pattern pattern)
{
    return pattern >= CHECK_NOISE_1DB && pattern <= CHECK_REAL_TIES;
}

/* Code words without noise. */
static bool is_coded(enum check_pattern pattern)
{
    return pattern >= CHECK_CODED;
}

static int signal_open(struct check_signal *signal, const struct fecrun_frame *frame,
                       uint64_t frames)
{
    *signal = (struct check_signal){
        .type = frame->type, .items = frame->items, .frames = frames, .pieces = frame->pieces};
    signal->stride = fecrun_bytes(frame->type, frame->items);
    signal->data = calloc(frames * signal->pieces, signal->stride ? signal->stride : 1);
    return signal->data ? 0 : -1;
}

int check_input_make(struct check_input *input, const struct check *check,
                     const struct check_variant *v, enum check_pattern pattern, uint64_t frames,
                     struct check_random *random)
{
    uint64_t total = frames + check_frames_before(v) + check_frames_after(v);

    memset(input, 0, sizeof *input);
    input->real = check_pattern_real(pattern) ||
                  (pattern == CHECK_HOSTILE && v->in[0].type == FECRUN_F32) ||
                  (v->n_in && v->in[0].kind == FECRUN_KIND_SYMBOLS);
    for (unsigned p = 0; p < v->n_in; p++) {
        struct check_signal *signal = &input->port[p];

        if (!v->linked[p])
            continue;
        if (signal_open(signal, &v->in[p], total)) {
            check_input_free(input);
            return -1;
        }
        if (p == 0 && (is_noise(pattern) || is_coded(pattern)) &&
            fill_encoded(input, check, v, pattern, random))
            continue;
        if (pattern == CHECK_MIXED && p == 0) {
            put_plain(signal, v, random);
            continue;
        }
        if (is_coded(pattern) && p == 0) {
            check_input_free(input);
            return -1;
        }
        for (uint64_t f = 0; f < total * signal->pieces && !is_coded(pattern); f++)
            check_fill_row(signal, &v->in[p], signal->data + f * signal->stride, pattern, random);
    }
    if (pattern == CHECK_ERASED)
        fill_erasures(input, v);
    return 0;
}

void check_input_free(struct check_input *input)
{
    for (unsigned p = 0; p < FECRUN_MAX_PORTS; p++)
        free(input->port[p].data);
    free(input->truth);
    memset(input, 0, sizeof *input);
}
