/* SPDX-License-Identifier: BSD-2-Clause */
/* A batch for test_registers.c: code, frames, room for results, and the kernels' run. */
#ifndef T_LDPC_REGISTERS_TRIAL_H
#define T_LDPC_REGISTERS_TRIAL_H

#include <sys/mman.h>

#include "t/ldpc/codes.h"
#include "t/ldpc/registers.h"
#include "plugins/ldpc/cuda/soft.h"

enum { UNTOUCHED = 0xa5, PAGE = 4096, READ_ON = 64 /* bytes behind the input */ };

static struct fecrun_error error = {.size = sizeof error};

static bool one_in(uint32_t n)
{
    return draw(n) == 0;
}

/* ---- What is decoded ---- */

struct trial {
    struct ldpc_decode d;
    const struct ldpc_registers_kernel *kernel;
    struct ldpc_registers_work work;
    struct ldpc_registers_grid grid;
    uint32_t frames;
    uint64_t in_stride, out_stride;
    bool offsets;        /* a batch with an offset table: no gaps */
    uint8_t *words;      /* frames of n bits */
    int8_t *llr;         /* frames of n LLRs, without gaps: what plain decoders read */
    uint8_t *out, *want; /* rows of out_stride bytes, and one more byte */
    struct fecrun_frame_info *info, *want_info;
    float *soft[LDPC_SOFT_PORTS],
        *want_soft[LDPC_SOFT_PORTS];       /* as out and want; NULL: not asked for */
    uint64_t soft_stride[LDPC_SOFT_PORTS]; /* floats */
    float *unit;                           /* of each frame, or NULL */
    uint8_t *pages;
    size_t n_pages;
};

static size_t row_bytes(const struct trial *t)
{
    return (t->d.bits + 7) / 8;
}

/* The decoder of its code, which becomes its own, for so many rows. */
static void take_decoder(struct trial *t, struct ldpc_code *code, uint32_t rows, bool reverse)
{
    struct ldpc_decode *d = &t->d;

    d->code = code;
    d->rows = rows;
    d->reverse = reverse;
    d->alpha = 0.75;
    d->iterations = 8;
    d->early_stop = true;
    d->llr_scale = 4;
    d->bits = code->k - code->fillers;
    d->schedule = ldpc_schedule_new(code, rows, reverse, &error);
    if (!d->schedule)
        bail("no schedule: %s", error.text);
}

static void draw_words(struct trial *t)
{
    const struct ldpc_code *c = t->d.code;
    uint8_t *bits;
    struct encoder e;

    if (c->family != LDPC_NR) { /* no word is easier than another one */
        t->words = get((size_t)t->frames * c->n);
        memset(t->words, 0, (size_t)t->frames * c->n);
        return;
    }
    bits = get(t->frames * t->d.bits);
    draw_bits(bits, t->frames * t->d.bits);
    if (encoder_plan(&e, &NR(c->bg, c->z, c->fillers), t->d.bits, 0))
        bail("no encoder: %s", e.err.text);
    t->words = encoder_run(&e, bits, t->frames);
    encoder_free(&e);
    free(bits);
}

static int8_t draw_llr(uint32_t kind, double sigma, uint8_t bit)
{
    const double x = (bit ? -1 : 1) * 10 + 10 * sigma * draw_gauss();

    switch (kind) {
    case 0:
        return (int8_t)(draw(256) - 128);
    case 1:
        return (int8_t)(draw(3) - 1);
    case 3:
        return 0;
    case 2:
        return one_in(2) ? -128 : 127;
    default:
        return (int8_t)nearbyint(fmax(fmin(x, 127), -128));
    }
}

static uint32_t soft_items(const struct trial *t, unsigned port)
{
    return port == LDPC_SOFT_WORD ? t->d.code->n : (uint32_t)t->d.bits;
}

/* Room for one more float than there are. */
static size_t soft_bytes(const struct trial *t, unsigned port)
{
    return (t->frames * t->soft_stride[port] + 1) * sizeof(float);
}

/* One port, or both, at times with units. */
static void draw_soft(struct trial *t)
{
    const uint32_t ports = 1 + draw(3);

    for (unsigned p = 0; t->kernel->soft && p < LDPC_SOFT_PORTS; p++) {
        if (!(ports >> p & 1))
            continue;
        t->soft_stride[p] = soft_items(t, p) + (t->offsets ? 0 : draw(3));
        t->soft[p] = get(soft_bytes(t, p));
        t->want_soft[p] = get(soft_bytes(t, p));
        memset(t->soft[p], UNTOUCHED, soft_bytes(t, p));
        memset(t->want_soft[p], UNTOUCHED, soft_bytes(t, p));
    }
    if ((!t->kernel->soft && t->d.algorithm == LDPC_NMS) || one_in(2))
        return;
    t->unit = get(t->frames * sizeof *t->unit);
    for (uint32_t f = 0; f < t->frames; f++)
        t->unit[f] = (float)(1 + draw(1000)) / (one_in(9) ? 1e-3f : 300);
}

/* Frames of LLRs and room for results. sigma 0: any frames, else noisy ones. */
static void draw_frames(struct trial *t, uint32_t frames, double sigma)
{
    const uint32_t n = t->d.code->n;

    t->frames = frames;
    draw_words(t);
    t->llr = get((size_t)frames * n);
    for (uint32_t f = 0; f < frames; f++) {
        const uint32_t kind = sigma > 0 ? 9 : draw(9);
        const double s = sigma > 0 ? sigma : 0.2 + draw(100) / 60.;

        for (uint32_t i = 0; i < n; i++)
            t->llr[(size_t)f * n + i] = draw_llr(kind, s, t->words[(size_t)f * n + i]);
    }
    t->in_stride = n + (one_in(2) ? draw(40) : 0);
    t->out_stride = row_bytes(t) + draw(3);
    t->offsets = one_in(3);
    if (t->offsets) {
        t->in_stride = n;
        t->out_stride = row_bytes(t);
    }
    draw_soft(t);
    if (sigma > 0 &&
        t->d.algorithm !=
            LDPC_NMS) { /* the reference reads these LLRs, which have no unit of their own */
        free(t->unit);
        t->unit = NULL;
    }
    t->out = get(frames * t->out_stride + 1);
    t->want = get(frames * t->out_stride + 1);
    t->info = get(frames * sizeof *t->info);
    t->want_info = get(frames * sizeof *t->info);
    memset(t->out, UNTOUCHED, frames * t->out_stride + 1);
    memset(t->want, UNTOUCHED, frames * t->out_stride + 1);
    for (uint32_t f = 0; f < frames; f++)
        t->want_info[f] = t->info[f] = (struct fecrun_frame_info){.flags = draw(8),
                                                                  .bit_errors = draw(9)};
}

static void free_trial(struct trial *t)
{
    free(t->words);
    free(t->llr);
    free(t->out);
    free(t->want);
    free(t->info);
    free(t->want_info);
    for (unsigned p = 0; p < LDPC_SOFT_PORTS; p++) {
        free(t->soft[p]);
        free(t->want_soft[p]);
    }
    free(t->unit);
    ldpc_schedule_free(t->d.schedule);
    ldpc_code_free(t->d.code);
}

/* ---- The kernels ---- */

/* At the first byte of the pages, so near their end as the kernels read on, or between. */
static int8_t *map_input(struct trial *t)
{
    const size_t n = t->d.code->n, bytes = (t->frames - 1) * t->in_stride + n;
    uint8_t *first, *last, *at;

    t->n_pages = (bytes + READ_ON) / PAGE + 3;
    t->pages = mmap(NULL, t->n_pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                    -1, 0);
    if (t->pages == MAP_FAILED)
        bail("out of memory");
    memset(t->pages, (int)draw(256), t->n_pages * PAGE);
    first = t->pages + PAGE;
    last = t->pages + (t->n_pages - 1) * PAGE - READ_ON - bytes;
    at = one_in(3) ? first : one_in(2) ? last : first + draw((uint32_t)(last - first) + 1);
    if (one_in(2)) /* where lanes can be read by fours */
        at = (uint8_t *)((uintptr_t)at & ~(uintptr_t)15);
    for (uint32_t f = 0; f < t->frames; f++)
        memcpy(at + f * t->in_stride, t->llr + f * n, n);
    if (mprotect(t->pages, PAGE, PROT_NONE) ||
        mprotect(t->pages + (t->n_pages - 1) * PAGE, PAGE, PROT_NONE))
        bail("cannot protect pages");
    return (int8_t *)at;
}

/* Of the frames from `first` on: what the kernel is told of the ports of LLRs. */
static void take_soft(struct trial *t, const struct fecrun_view *in, uint32_t first)
{
    struct fecrun_view view[LDPC_SOFT_PORTS], *out[LDPC_OUTPUTS] = {NULL};
    uint64_t *at[LDPC_SOFT_PORTS];

    for (unsigned p = 0; p < LDPC_SOFT_PORTS; p++) {
        at[p] = get((t->frames + 1) * sizeof *at[p]);
        for (uint32_t f = 0; f <= t->frames; f++)
            at[p][f] = f * t->soft_stride[p] * sizeof(float);
        view[p] = (struct fecrun_view){.size = sizeof view[p],
                                       .data = t->soft[p],
                                       .type = FECRUN_F32,
                                       .frames = t->frames,
                                       .items = soft_items(t, p),
                                       .offset = t->offsets ? at[p] : NULL,
                                       .stride = t->offsets ? 0
                                                            : t->soft_stride[p] * sizeof(float)};
        if (t->soft[p])
            out[LDPC_OUT_LLR + p] = &view[p];
    }
    ldpc_soft_take(&t->work.soft, &t->d, in, out, t->unit, first);
    for (unsigned p = 0; p < LDPC_SOFT_PORTS; p++)
        free(at[p]);
}

/* Frames first..first + n - 1, by any number of blocks. */
static void run_kernel(struct trial *t, uint32_t first, uint32_t n)
{
    uint64_t *in_at = get((t->frames + 1) * sizeof *in_at);
    uint64_t *out_at = get((t->frames + 1) * sizeof *out_at);
    struct fecrun_view in = {.size = sizeof in,
                             .data = map_input(t),
                             .type = FECRUN_I8,
                             .frames = t->frames,
                             .items = t->d.code->n,
                             .stride = t->in_stride};
    struct fecrun_view out = {.size = sizeof out,
                              .data = t->out,
                              .type = FECRUN_PACKED,
                              .frames = t->frames,
                              .items = t->d.bits,
                              .stride = t->out_stride};
    const uint32_t at_once = ldpc_registers_at_once(t->kernel, &t->work);

    for (uint32_t f = 0; f <= t->frames; f++) {
        in_at[f] = f * t->in_stride;
        out_at[f] = f * t->out_stride;
    }
    if (t->offsets) {
        in.offset = in_at;
        out.offset = out_at;
        in.stride = out.stride = 0;
    }
    ldpc_registers_take(&t->work, t->kernel, &t->d, &in, &out, t->info, first, n);
    t->work.waits = one_in(2);
    if (t->kernel->soft)
        take_soft(t, &in, first);
    else
        t->work.soft.unit = t->unit ? t->unit + first : NULL;
    if (t->work.quads && (((uintptr_t)t->work.in | t->work.in_stride) % 4 || t->work.pairs > 1))
        bail("lanes by fours where they do not lie so");
    t->grid.blocks = 1 + draw((n + at_once - 1) / at_once);
    t->grid.threads = ldpc_registers_threads(t->kernel, &t->work);
    t->grid.shared = ldpc_registers_shared(t->kernel, &t->work);
    t->grid.order = draw(UINT32_MAX);
    t->work.own = get(t->grid.blocks * ldpc_registers_away(t->kernel) + 1);
    ldpc_registers_emulate(t->kernel, &t->work, &t->grid);
    free(t->work.own);
    munmap(t->pages, t->n_pages * PAGE);
    free(in_at);
    free(out_at);
}

#endif
