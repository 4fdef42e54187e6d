/* SPDX-License-Identifier: BSD-2-Clause */
/* What goes in: patterns of bits, LLRs and symbols, and coded bits behind noise. */
#include "tools/check/check.h"

#include "tools/check/check_impl.h"
#include <fecrun/sdk/sample.h>
#include <fecrun/sdk/params.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Patterns ---- */

const char *check_pattern_name(enum check_pattern pattern)
{
    static const char *const names[] = {"random",
                                        "saturated",
                                        "all zero",
                                        "ties",
                                        "encoded + noise, 1 dB",
                                        "encoded + noise, 3 dB",
                                        "encoded + noise, 5 dB",
                                        "encoded + unrounded noise, 1 dB",
                                        "encoded + unrounded noise, 3 dB",
                                        "encoded + inverted bits, unrounded",
                                        "NaN, infinities, lowest integers"};

    return names[pattern];
}

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

static bool is_noise(enum check_pattern pattern)
{
    return pattern >= CHECK_NOISE_1DB && pattern <= CHECK_REAL_TIES;
}

static bool is_real(enum check_pattern pattern)
{
    return pattern >= CHECK_REAL_1DB && pattern <= CHECK_REAL_TIES;
}

bool check_input_fits(const struct check_variant *v, enum check_pattern pattern)
{
    uint32_t type = v->n_in ? v->in[0].type : FECRUN_NONE;

    switch (pattern) {
    case CHECK_RANDOM:
        return true;
    case CHECK_ZERO:
        return v->n_in > 0;
    case CHECK_SATURATED:
        return type != FECRUN_NONE; /* of bits: all ones */
    case CHECK_TIES:
        return v->n_in && v->in[0].kind == FECRUN_LLR;
    case CHECK_HOSTILE:
        return type == FECRUN_F32 || type == FECRUN_C8 || type == FECRUN_I8 || type == FECRUN_I4;
    case CHECK_REAL_1DB:
    case CHECK_REAL_3DB:
    case CHECK_REAL_TIES:
        return type == FECRUN_F32;
    default:
        return v->n_in && v->in[0].kind == FECRUN_LLR;
    }
}

/* ---- Values of one kind ---- */

/* The largest LLR of a frame; for f32 one that is still an integer pattern. */
static double largest(const struct fecrun_frame *frame)
{
    return frame->llr_max > 0 ? frame->llr_max : 127;
}

static double fit_llr(const struct fecrun_frame *frame, double x, bool real)
{
    double max = largest(frame);

    if (!real)
        x = nearbyint(x);
    if (real && !(frame->llr_max > 0))
        return x;
    return x > max ? max : x < -max ? -max : x;
}

static float hostile_float(struct check_random *random)
{
    static const float values[] = {NAN, INFINITY, -INFINITY, 1e30f, -1e30f, 1e-40f, -0.0f, 3e6f};
    uint64_t i = check_random_below(random, 16);

    return i < 8 ? values[i] : (float)check_random_gauss(random) * 5;
}

/* Of a binary symmetric channel that inverts one bit in 20: paths tie everywhere, but only where sums
   are made alike. */
static double bsc_llr(unsigned bit, struct check_random *random)
{
    static const float magnitude = 2.944439f; /* ln 19 */
    bool inverted = check_random_below(random, 20) == 0;

    return (bit != 0) != inverted ? -(double)magnitude : (double)magnitude;
}

static double llr_value(const struct fecrun_frame *frame, enum check_pattern pattern,
                        struct check_random *random)
{
    double max = largest(frame);

    switch (pattern) {
    case CHECK_ZERO:
        return 0;
    case CHECK_SATURATED:
        return check_random(random) & 1 ? max : -max;
    case CHECK_TIES:
        return (double)check_random_below(random, 3) - 1;
    case CHECK_REAL_TIES:
        return fit_llr(frame, bsc_llr(check_random(random) & 1, random), true);
    case CHECK_HOSTILE:
        if (frame->type == FECRUN_F32)
            return hostile_float(random);
        if (max < (frame->type == FECRUN_I4 ? 7 : 127) || check_random_below(random, 4))
            return fit_llr(frame, (check_random_unit(random) * 2 - 1) * max, false);
        return frame->type == FECRUN_I4 ? -8 : -128; /* in the type, not in the range */
    default:
        return fit_llr(frame, (check_random_unit(random) * 2 - 1) * max, is_real(pattern));
    }
}

static void put_llr(const struct check_signal *signal, uint8_t *row, uint64_t i, double x)
{
    float f = (float)x;
    int16_t i16 = (int16_t)(signal->type == FECRUN_I16 ? x : 0);
    int v = signal->type == FECRUN_I8 || signal->type == FECRUN_I4 ? (int)x : 0;

    switch (signal->type) {
    case FECRUN_I8:
        row[i] = (uint8_t)v;
        break;
    case FECRUN_I16:
        memcpy(row + 2 * i, &i16, 2);
        break;
    case FECRUN_I4:
        row[i / 2] = (uint8_t)(i % 2 ? row[i / 2] | (v & 15) : (v & 15) << 4);
        break;
    default:
        memcpy(row + 4 * i, &f, 4);
    }
}

static void put_symbol(uint8_t *row, uint64_t i, enum check_pattern pattern,
                       struct check_random *random)
{
    float x[2];

    for (int k = 0; k < 2; k++)
        x[k] = pattern == CHECK_HOSTILE     ? hostile_float(random)
               : pattern == CHECK_ZERO      ? 0.0f
               : pattern == CHECK_SATURATED ? (check_random(random) & 1 ? 8.0f : -8.0f)
                                            : (float)check_random_gauss(random);
    memcpy(row + 8 * i, x, sizeof x);
}

static void fill_row(const struct check_signal *signal, const struct fecrun_frame *frame,
                     uint8_t *row, enum check_pattern pattern, struct check_random *random)
{
    for (uint64_t i = 0; i < signal->items; i++) {
        if (frame->kind == FECRUN_BITS)
            row[i] = pattern == CHECK_ZERO        ? 0
                     : pattern == CHECK_SATURATED ? 1
                                                  : (uint8_t)(check_random(random) >> 60 & 1);
        else if (frame->kind == FECRUN_LLR)
            put_llr(signal, row, i, llr_value(frame, pattern, random));
        else
            put_symbol(row, i, pattern, random);
    }
}

static int signal_open(struct check_signal *signal, const struct fecrun_frame *frame,
                       uint64_t frames)
{
    *signal = (struct check_signal){.type = frame->type, .items = frame->items, .frames = frames};
    signal->stride = fecrun_bytes(frame->type, frame->items);
    signal->data = calloc(frames, signal->stride ? signal->stride : 1);
    return signal->data ? 0 : -1;
}

/* ---- Encoded input ---- */

/* Runs the encoder's reference on random bits; the code's bits, one a byte, in *coded. */
static int encode(const struct check_encoder *encoder, const struct check *check, uint64_t frames,
                  struct check_random *random, struct check_input *bits, struct check_result *coded)
{
    const struct registry_backend *backend = &encoder->stage->backends[0];
    struct check_instance instance;
    struct fecrun_error err;
    struct check_call call;
    int status;

    if (check_input_make(bits, check, &encoder->variant, CHECK_RANDOM, frames, random))
        return -1;
    call = check_call_for(&encoder->variant, bits, frames);
    call.first = 0; /* also a stream is encoded as a whole, from its start on */
    if (check_instance_open(&instance, check, encoder->stage, backend, &encoder->variant,
                            backend->backend->forms[0], NULL, frames, &err))
        return -1;
    status = check_run(&instance, bits, &call, coded, &err);
    check_instance_close(&instance);
    return status;
}

/* BPSK, white noise, LLRs of the frame's scale. */
static void add_noise(struct check_signal *signal, const struct fecrun_frame *frame,
                      const struct check_result *coded, double rate, enum check_pattern pattern,
                      struct check_random *random)
{
    double variance = 1 / (2 * rate * pow(10, noise_db(pattern) / 10));
    double scale = frame->llr_scale > 0 ? frame->llr_scale : 1, sigma = sqrt(variance);
    uint8_t *bits = malloc(signal->items + 1);

    if (frame->type == FECRUN_F32 && !is_real(pattern))
        scale = 4;
    for (uint64_t f = 0; bits && f < signal->frames; f++) {
        fecrun_convert(coded->out[0].type, FECRUN_U8, coded->out[0].data + f * coded->out[0].stride,
                       bits, signal->items);
        for (uint64_t i = 0; i < signal->items; i++) {
            double y = (bits[i] ? -1 : 1) + sigma * check_random_gauss(random);
            double llr = scale * 2 * y / variance;

            if (pattern == CHECK_REAL_TIES)
                llr = bsc_llr(bits[i], random);
            put_llr(signal, signal->data + f * signal->stride, i,
                    fit_llr(frame, llr, is_real(pattern)));
        }
    }
    free(bits);
}

/* False: there is no encoder for it, and nothing was done. */
static bool fill_encoded(struct check_input *input, const struct check *check,
                         const struct check_variant *v, enum check_pattern pattern,
                         struct check_random *random)
{
    struct check_signal *signal = &input->port[0];
    struct check_input bits = {0};
    struct check_result coded = {0};
    struct check_encoder encoder;
    bool made = false;

    if (v->n_out != 1 ||
        !check_encoder_open(&encoder, check, v->point, v->out[0].items, v->in[0].stream))
        return false;
    if (encoder.variant.out[0].items == signal->items &&
        fecrun_type_kind(encoder.variant.out[0].type) == FECRUN_BITS &&
        !encode(&encoder, check, signal->frames, random, &bits, &coded)) {
        add_noise(signal, &v->in[0], &coded, (double)v->out[0].items / (double)signal->items,
                  pattern, random);
        input->truth = bits.port[0].data;
        input->truth_items = v->out[0].items;
        bits.port[0].data = NULL;
        made = true;
    }
    check_result_free(&coded);
    check_input_free(&bits);
    check_encoder_close(&encoder, check);
    return made;
}

/* ---- All ports ---- */

int check_input_make(struct check_input *input, const struct check *check,
                     const struct check_variant *v, enum check_pattern pattern, uint64_t frames,
                     struct check_random *random)
{
    uint64_t total = frames + check_frames_before(v) + check_frames_after(v);

    memset(input, 0, sizeof *input);
    input->real = is_real(pattern) || (pattern == CHECK_HOSTILE && v->in[0].type == FECRUN_F32) ||
                  (v->n_in && v->in[0].kind == FECRUN_SYMBOLS);
    for (unsigned p = 0; p < v->n_in; p++) {
        struct check_signal *signal = &input->port[p];

        if (!v->linked[p])
            continue;
        if (signal_open(signal, &v->in[p], total)) {
            check_input_free(input);
            return -1;
        }
        if (p == 0 && is_noise(pattern) && fill_encoded(input, check, v, pattern, random))
            continue;
        for (uint64_t f = 0; f < total; f++)
            fill_row(signal, &v->in[p], signal->data + f * signal->stride, pattern, random);
    }
    return 0;
}

void check_input_free(struct check_input *input)
{
    for (unsigned p = 0; p < FECRUN_MAX_PORTS; p++)
        free(input->port[p].data);
    free(input->truth);
    memset(input, 0, sizeof *input);
}
