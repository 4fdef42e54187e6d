/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of the LDPC codes share: random bits, the stage ldpc.encode, H c = 0. */
#ifndef T_LDPC_CODES_H
#define T_LDPC_CODES_H

#include <fecrun/sdk/gauss.h>
#include <math.h>

#include "plugins/ldpc/code/params.h"
#include "plugins/ldpc/plugin.h"
#include "t/lib/tap.h"

static uint64_t rng_state = 4;

static inline uint32_t draw(uint32_t n)
{
    uint64_t z = rng_state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ z >> 31) >> 32) % n;
}

/* The same on every machine, which log() and cos() are not. */
static inline double draw_gauss(void)
{
    uint32_t radius = draw(UINT32_MAX), angle = draw(UINT32_MAX);
    float pair[2];

    fecrun_gauss_pair(radius, angle, pair);
    return (double)pair[0];
}

static inline void draw_bits(uint8_t *bits, size_t n)
{
    for (size_t i = 0; i < n; i++)
        bits[i] = draw(2) != 0;
}

static inline void *get(size_t bytes)
{
    void *p = malloc(bytes ? bytes : 1);

    if (!p)
        bail("out of memory");
    return p;
}

/* What a user writes; NULL, or -1: nothing. */
struct wish {
    enum ldpc_family family;
    int64_t bg, z, fillers, n, frame;
    const char *rate, *path;
};

#define NR(b, lift, f) ((struct wish){LDPC_NR, b, lift, f, -1, -1, NULL, NULL})
#define WIFI(bits, r) ((struct wish){LDPC_WIFI, -1, -1, -1, bits, -1, r, NULL})
#define WIMAX(bits, r) ((struct wish){LDPC_WIMAX, -1, -1, -1, bits, -1, r, NULL})
#define DVBS2(is_short, r) ((struct wish){LDPC_DVBS2, -1, -1, -1, -1, is_short, r, NULL})
#define CCSDS(bits) ((struct wish){LDPC_CCSDS, -1, -1, -1, bits, -1, NULL, NULL})
#define IN_FILE(what, name) ((struct wish){what, -1, -1, -1, -1, -1, NULL, name})

struct encoder {
    struct fecrun_frame in, out;
    struct fecrun_plan plan;
    struct fecrun_error err;
};

struct wish_values {
    struct fecrun_value value[LDPC_N_CODE_PARAMS];
    const struct fecrun_value *list[LDPC_N_CODE_PARAMS];
    struct fecrun_values values;
};

static inline void set_int(struct fecrun_value *v, int64_t i)
{
    *v = (struct fecrun_value){.size = sizeof *v, .given = i < 0 ? 0 : 2, .i = i};
}

static inline void set_text(struct fecrun_value *v, const char *s)
{
    *v = (struct fecrun_value){.size = sizeof *v, .given = s ? 2 : 0, .s = s};
}

static inline void make_values(struct wish_values *w, const struct wish *wish)
{
    set_int(&w->value[LDPC_P_CODE], wish->family);
    set_int(&w->value[LDPC_P_BG], wish->bg);
    set_int(&w->value[LDPC_P_Z], wish->z);
    set_int(&w->value[LDPC_P_FILLERS], wish->fillers);
    if (wish->fillers < 0) /* as the host fills in the default */
        w->value[LDPC_P_FILLERS] = (struct fecrun_value){.size = sizeof w->value[0], .given = 1};
    set_int(&w->value[LDPC_P_N], wish->n);
    set_int(&w->value[LDPC_P_FRAME], wish->frame);
    set_text(&w->value[LDPC_P_RATE], wish->rate);
    set_text(&w->value[LDPC_P_PATH], wish->path);
    for (unsigned i = 0; i < LDPC_N_CODE_PARAMS; i++)
        w->list[i] = &w->value[i];
    w->values = (struct fecrun_values){sizeof w->values, LDPC_N_CODE_PARAMS, w->list};
}

static inline struct ldpc_code *read_wish(const struct wish *wish, struct fecrun_error *err)
{
    struct wish_values w;

    make_values(&w, wish);
    return ldpc_read_code(&w.values, err);
}

/* 0, or -1 and e->err. */
static inline int encoder_plan(struct encoder *e, const struct wish *wish, uint64_t bits,
                               uint32_t stream)
{
    const struct fecrun_frame *in[] = {&e->in};
    struct fecrun_frame *out[] = {&e->out};
    struct wish_values w;

    memset(e, 0, sizeof *e);
    make_values(&w, wish);
    e->in = (struct fecrun_frame){.size = sizeof e->in,
                                  .kind = FECRUN_KIND_BITS,
                                  .type = FECRUN_U8,
                                  .items = bits,
                                  .info_bits = bits,
                                  .stream = stream};
    e->out.size = sizeof e->out;
    e->plan.size = sizeof e->plan;
    e->err.size = sizeof e->err;
    return ldpc_encode_stage.plan(NULL, &w.values, in, out, &e->plan, &e->err);
}

/* Frames of bits, with memory of the very size. Returns the words. */
static inline uint8_t *encoder_run(struct encoder *e, const uint8_t *bits, uint64_t frames)
{
    const struct fecrun_backend *ref = ldpc_encode_stage.backends[0];
    struct fecrun_create create = {.size = sizeof create,
                                   .codes = &e->plan.code,
                                   .n_codes = 1,
                                   .form = ref->forms[0],
                                   .max_frames = frames};
    struct fecrun_call call = {.size = sizeof call, .codes = &e->plan.code};
    uint8_t *copy = get(frames * e->in.items), *words = get(frames * e->out.items);
    struct fecrun_view in = {.size = sizeof in,
                             .data = copy,
                             .type = FECRUN_U8,
                             .frames = frames,
                             .items = e->in.items,
                             .stride = e->in.items};
    struct fecrun_view out = {.size = sizeof out,
                              .data = words,
                              .type = FECRUN_U8,
                              .frames = frames,
                              .items = e->out.items,
                              .stride = e->out.items};
    const struct fecrun_view *ins[] = {&in};
    struct fecrun_view *outs[] = {&out};
    void *instance;

    memcpy(copy, bits, frames * e->in.items);
    memset(words, 0xa5, frames * e->out.items);
    if (ref->create(&create, &instance, &e->err))
        bail("create: %s", e->err.text);
    call.scratch = aligned_alloc(64, (ref->scratch(instance, frames) + 63) / 64 * 64);
    if (!call.scratch || ref->run(instance, &call, ins, outs, &e->err))
        bail("run: %s", e->err.text);
    ref->destroy(instance);
    free(call.scratch);
    free(copy);
    return words;
}

static inline void encoder_free(struct encoder *e)
{
    ldpc_encode_stage.plan_free(e->plan.code);
}

#endif
