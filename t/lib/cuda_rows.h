/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Batches for kernels that take frames of several sizes: frames behind each other at any address that their
 * type allows, with guards round them, and what a stage's reference makes of them.
 */
#ifndef T_LIB_CUDA_ROWS_H
#define T_LIB_CUDA_ROWS_H

#include "t/lib/tap.h"

#include <fecrun/sdk/sample.h>
#include <fecrun/sdk/params.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/common/gpu/frames.h"

enum { CLASSES = 3, FRAMES = 7, GUARD = 64, UNTOUCHED = 0xa5 };

static uint64_t rng = 88172645463325252u;

static uint32_t draw(uint32_t n)
{
    rng ^= rng << 13, rng ^= rng >> 7, rng ^= rng << 17;
    return (uint32_t)(rng >> 33) % n;
}

static void *get(size_t bytes)
{
    void *p = malloc(bytes);

    if (!p)
        bail("out of memory");
    return p;
}

/* Frames of a batch at one port. */
struct rows {
    uint8_t *memory;
    uint64_t offset[FRAMES + 1];
    uint64_t items[CLASSES];
    uint32_t type;
    struct gpu_port port;
};

static uint32_t frames, class_of[FRAMES];

static void draw_batch(void)
{
    frames = 1 + draw(FRAMES);
    for (uint32_t f = 0; f < frames; f++)
        class_of[f] = draw(CLASSES);
}

static void open_rows(struct rows *r, uint32_t type, const uint64_t items[CLASSES])
{
    const size_t unit = (fecrun_type_bits(type) + 7) / 8, front = GUARD + unit * draw(9);
    uint64_t at = 0;

    *r = (struct rows){.type = type};
    memcpy(r->items, items, sizeof r->items);
    for (uint32_t f = 0; f <= frames; f++) {
        r->offset[f] = at;
        at += f < frames ? fecrun_bytes(type, items[class_of[f]]) : 0;
    }
    r->memory = aligned_alloc(64, (front + at + GUARD + 63) / 64 * 64);
    if (!r->memory)
        bail("out of memory");
    memset(r->memory, UNTOUCHED, front + at + GUARD);
    r->port = (struct gpu_port){.data = r->memory + front, .offset = r->offset};
}

static uint8_t *row(const struct rows *r, uint32_t f)
{
    return r->port.data + r->offset[f];
}

static void fill(const struct rows *r)
{
    for (uint64_t i = 0; i < r->offset[frames]; i++)
        r->port.data[i] = r->type == FECRUN_U8 ? (uint8_t)draw(2) : (uint8_t)draw(256);
    for (uint32_t f = 0; f < frames && r->type == FECRUN_F32; f++)
        for (uint64_t i = 0; i < r->items[class_of[f]]; i++)
            ((float *)(void *)row(r, f))[i] = draw(50)  ? (float)draw(2000) / 64 - 15
                                              : draw(2) ? -0.0f
                                                        : NAN;
}

/* As u8, what packed bits and bytes are. */
static void widen(const struct rows *r, uint32_t f, uint8_t *to)
{
    fecrun_convert(r->type, FECRUN_U8, row(r, f), to, r->items[class_of[f]]);
}

static bool guarded(const struct rows *r)
{
    const uint8_t *end = r->port.data + r->offset[frames];
    bool good = true;

    for (unsigned i = 0; i < GUARD; i++)
        good &= r->port.data[-1 - (int)i] == UNTOUCHED && end[i] == UNTOUCHED;
    return good;
}

/* Frame f of a reference: `in`, and `prior` if it is not NULL, to `out`; items: of `in` and of the others. */
static void reference(const struct fecrun_stage *stage, void *code, uint32_t type,
                      const uint64_t items[2], const void *in, const void *prior, void *out)
{
    const struct fecrun_backend *ref = stage->backends[0];
    struct fecrun_view from = {.size = sizeof from,
                               .data = (void *)(uintptr_t)in,
                               .type = type,
                               .frames = 1,
                               .items = items[0]};
    struct fecrun_view soft = from, to = from;
    const struct fecrun_view *const ins[] = {&from, prior ? &soft : NULL};
    struct fecrun_view *const outs[] = {&to};
    struct fecrun_error err = {.size = sizeof err};
    struct fecrun_call call = {.size = sizeof call, .codes = &code};

    soft.data = (void *)(uintptr_t)prior;
    to.data = out;
    soft.items = to.items = items[1];
    call.scratch = get(ref->scratch ? ref->scratch(NULL, 1) : 1);
    if (ref->run(NULL, &call, ins, outs, &err))
        bail("%s", err.text);
    free(call.scratch);
}

#endif
