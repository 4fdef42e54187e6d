/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rows whose port 0 takes another kind of sample where they do an upstream stage, too. fake.map
 * (bits to symbols) is absorbed by fake.dither, which is random; fake.slice (symbols to LLRs) by
 * fake.halve. FAKE_FAIL=absorb: dither of other items, nothing halved.
 */
#include "t/doubles/fake/device/device.h"

#include <fecrun/sdk/stage.h>

static float mapped(uint8_t bit)
{
    return bit ? -1.0f : 1.0f;
}

static float dither(const struct work *w, uint64_t frame, uint64_t i)
{
    uint64_t z = w->key ^ (w->first_frame + frame) << 20 ^ (i + (uint64_t)w->factor);

    z *= 0x9e3779b97f4a7c15u;
    return (float)(int16_t)(z >> 48) * 0x1p-16f;
}

static int sliced(float x)
{
    return x >= 15.875f ? 127 : x <= -15.875f ? -127 : x == x ? (int)(8 * x) : 0;
}

static void do_map(const struct work *w)
{
    for (uint64_t f = 0; f < w->in.frames; f++) {
        const uint8_t *in = fecrun_row(&w->in, f);
        float *out = fecrun_row(&w->out, f);
        for (uint64_t i = 0; i < w->in.items; i++) {
            out[2 * i] = mapped(in[i]);
            out[2 * i + 1] = 0.0f;
        }
    }
}

/* Bits come where fake.map is absorbed. */
static void do_dither(const struct work *w)
{
    for (uint64_t f = 0; f < w->in.frames; f++) {
        const void *in = fecrun_row(&w->in, f);
        float *out = fecrun_row(&w->out, f);
        for (uint64_t i = 0; i < w->in.items; i++) {
            bool bits = w->in.type == FECRUN_U8;
            float x = bits ? mapped(((const uint8_t *)in)[i]) : ((const float *)in)[2 * i];
            out[2 * i] = x + dither(w, f, i);
            out[2 * i + 1] = bits ? 0.0f : ((const float *)in)[2 * i + 1];
        }
    }
}

static void do_slice(const struct work *w)
{
    for (uint64_t f = 0; f < w->in.frames; f++) {
        const float *in = fecrun_row(&w->in, f);
        int8_t *out = fecrun_row(&w->out, f);
        for (uint64_t i = 0; i < w->in.items; i++)
            out[i] = (int8_t)sliced(in[2 * i]);
    }
}

/* Symbols come where fake.slice is absorbed. */
static void do_halve(const struct work *w)
{
    for (uint64_t f = 0; f < w->in.frames; f++) {
        const void *in = fecrun_row(&w->in, f);
        int8_t *out = fecrun_row(&w->out, f);
        for (uint64_t i = 0; i < w->in.items; i++)
            out[i] = (int8_t)((w->in.type == FECRUN_C8 ? sliced(((const float *)in)[2 * i])
                                                       : ((const int8_t *)in)[i]) /
                              w->factor);
    }
}

CREATE(map_host, do_map, .factor = 0)
CREATE(map_device, do_map, .device = true)
CREATE(slice_host, do_slice, .factor = 0)
CREATE(slice_device, do_slice, .device = true)
CREATE(dither_host, do_dither, .factor = 0)
CREATE(halve_host, do_halve, .factor = 2)

static int absorber(const struct fecrun_create *args, void **instance, struct fecrun_error *err,
                    struct instance like, const char *other, uint32_t type)
{
    bool does_both = args->form->in[0].type == type;

    like.device = true;
    if (args->n_absorbed != does_both || (does_both && strcmp(args->absorbed[0], other)))
        return fecrun_fail(err, NULL, "this form does not go with what is absorbed");
    if (does_both && fake_told_to_fail("absorb"))
        like.factor = 1;
    return fake_make(args, instance, err, &like);
}

static int dither_device(const struct fecrun_create *args, void **instance,
                         struct fecrun_error *err)
{
    return absorber(args, instance, err, (struct instance){do_dither, .factor = 0}, "fake.map",
                    FECRUN_U8);
}

static int halve_device(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    return absorber(args, instance, err, (struct instance){do_halve, .factor = 2}, "fake.slice",
                    FECRUN_C8);
}

static int map_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                    const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                    struct fecrun_plan *plan, struct fecrun_error *err)
{
    (void)host, (void)values, (void)plan, (void)err;
    fecrun_frame_copy(out[0], in[0]);
    out[0]->kind = FECRUN_KIND_SYMBOLS;
    out[0]->type = FECRUN_C8;
    fecrun_frame_scheme(out[0], "bpsk", 1, 1);
    out[0]->channel_bits = in[0]->items;
    return 0;
}

/* Needs to know what a demapper does. */
static int slice_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                      const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                      struct fecrun_plan *plan, struct fecrun_error *err)
{
    (void)host, (void)values, (void)plan;
    if (strcmp(in[0]->scheme, "bpsk"))
        return fecrun_fail(err, NULL, "takes bpsk only");
    fecrun_frame_copy(out[0], in[0]);
    out[0]->kind = FECRUN_KIND_LLR;
    out[0]->type = FECRUN_I8;
    out[0]->llr_scale = 8;
    out[0]->llr_max = 127;
    return 0;
}

static int halve_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                      const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                      struct fecrun_plan *plan, struct fecrun_error *err)
{
    (void)host, (void)values, (void)plan;
    if (in[0]->type != FECRUN_I8)
        return fecrun_fail(err, NULL, "takes i8 only");
    fecrun_frame_copy(out[0], in[0]);
    out[0]->llr_scale = in[0]->llr_scale / 2;
    out[0]->llr_max = in[0]->llr_max > 0 ? (int)in[0]->llr_max / 2 : 0;
    return 0;
}

static const struct fecrun_port *const symbol_ports[] = {
    FECRUN_PORT(.name = "symbols", .kinds = FECRUN_KIND_SYMBOLS), NULL};
static const struct fecrun_form *const map_forms[] = {TYPES(FECRUN_U8, FECRUN_C8), NULL};
static const struct fecrun_form *const slice_forms[] = {TYPES(FECRUN_C8, FECRUN_I8), NULL};
static const struct fecrun_form *const c8_forms[] = {TYPES(FECRUN_C8, FECRUN_C8), NULL};
static const struct fecrun_form *const i8_forms[] = {TYPES(FECRUN_I8, FECRUN_I8), NULL};
static const struct fecrun_form *const dither_forms[] = {TYPES(FECRUN_C8, FECRUN_C8),
                                                         TYPES(FECRUN_U8, FECRUN_C8), NULL};
static const struct fecrun_form *const halve_forms[] = {TYPES(FECRUN_I8, FECRUN_I8),
                                                        TYPES(FECRUN_C8, FECRUN_I8), NULL};
static const char *const absorbs_map[] = {"fake.map", NULL};
static const char *const absorbs_slice[] = {"fake.slice", NULL};

/* FAKE_COARSE: the device has no slicer, and neither has halve where it slices, too. */
static int slice_takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    (void)args;
    return getenv("FAKE_COARSE") ? fecrun_fail(err, NULL, "the fake device slices nothing") : 0;
}

static int halve_takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    return args->n_absorbed ? slice_takes(args, err) : 0;
}

STAGE(fake_map, .name = "fake.map", .role = FECRUN_ROLE_TRANSFORM, .params = no_params,
      .inputs = bit_ports, .outputs = symbol_ports, .plan = map_plan,
      .backends = BACKENDS(map_forms, map_host, map_device));
STAGE(fake_dither, .name = "fake.dither", .role = FECRUN_ROLE_TRANSFORM,
      .flags = FECRUN_STAGE_RANDOM, .params = no_params, .inputs = symbol_ports,
      .outputs = symbol_ports, .plan = same_plan,
      .backends = BACKENDS_RUN(fake_run, c8_forms, dither_host, dither_forms, dither_device,
                               .absorbs = absorbs_map));
STAGE(fake_slice, .name = "fake.slice", .role = FECRUN_ROLE_TRANSFORM, .params = no_params,
      .inputs = symbol_ports, .outputs = llr_ports, .plan = slice_plan,
      .backends = BACKENDS_RUN(fake_run, slice_forms, slice_host, slice_forms, slice_device,
                               .takes = slice_takes));
STAGE(fake_halve, .name = "fake.halve", .role = FECRUN_ROLE_TRANSFORM, .params = no_params,
      .inputs = llr_ports, .outputs = llr_ports, .plan = halve_plan,
      .backends = BACKENDS_RUN(fake_run, i8_forms, halve_host, halve_forms, halve_device,
                               .absorbs = absorbs_slice, .takes = halve_takes));
