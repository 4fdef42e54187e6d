/* SPDX-License-Identifier: BSD-2-Clause */
/* What tests of the kernels in registers ask of a trial. */
#ifndef T_LDPC_REGISTERS_CHECK_H
#define T_LDPC_REGISTERS_CHECK_H

#include "t/ldpc/registers_plain.h"

/* So many that no trial takes much longer than others. */
static uint32_t draw_number(const struct trial *t)
{
    const uint32_t edges = t->d.code->row_first[t->kernel->rows] * t->d.iterations;
    const uint32_t items = edges > 900 ? 1 : 900 / edges;

    return 1 + draw(2 * t->work.pairs * (items < 3 ? items : 3));
}

/* Bytes, those between the frames included. */
static bool same_soft(const struct trial *t)
{
    for (unsigned p = 0; p < LDPC_SOFT_PORTS; p++) {
        size_t i = 0;

        if (!t->soft[p] || !memcmp(t->soft[p], t->want_soft[p], soft_bytes(t, p)))
            continue;
        while (!memcmp(&t->soft[p][i], &t->want_soft[p][i], sizeof(float)))
            i++;
        diag("port %u, frame %zu of %u, z %u, LLR %zu: %g and %g", p, i / t->soft_stride[p],
             t->frames, t->d.code->z, i % t->soft_stride[p], (double)t->soft[p][i],
             (double)t->want_soft[p][i]);
        return false;
    }
    return true;
}

static bool same(const struct trial *t)
{
    const struct ldpc_code *c = t->d.code;

    for (uint32_t f = 0; f < t->frames; f++) {
        const uint8_t *out = t->out + f * t->out_stride, *want = t->want + f * t->out_stride;

        if (!memcmp(&t->info[f], &t->want_info[f], sizeof t->info[f]) &&
            !memcmp(out, want, t->out_stride))
            continue;
        diag("frame %u of %u, bg %u, z %u, %u rows of %u, %u iterations, quads %u: iterations %u "
             "and %u, flags %u and %u, bits %s",
             f, t->frames, c->bg, c->z, t->d.rows, t->kernel->rows, t->d.iterations, t->work.quads,
             t->info[f].iterations, t->want_info[f].iterations, t->info[f].flags,
             t->want_info[f].flags, memcmp(out, want, t->out_stride) ? "differ" : "alike");
        return false;
    }
    return t->out[t->frames * t->out_stride] == UNTOUCHED && same_soft(t);
}

static uint32_t wrong_words(const struct trial *t)
{
    uint32_t wrong = 0;

    for (uint32_t f = 0; f < t->frames; f++) {
        const uint8_t *out = t->out + f * t->out_stride;
        const uint8_t *word = t->words + (size_t)f * t->d.code->n;
        bool good = true;

        for (uint32_t b = t->d.code->punctured; b < t->d.bits; b++)
            good = good && (out[b / 8] >> (7 - b % 8) & 1) == word[b - t->d.code->punctured];
        wrong += !good;
    }
    return wrong;
}

/* The reference's results go to want and want_info. */
static void run_reference(struct trial *t)
{
    void *codes[] = {&t->d};
    struct fecrun_view in = {.size = sizeof in,
                             .data = t->llr,
                             .type = FECRUN_I8,
                             .frames = t->frames,
                             .items = t->d.code->n,
                             .stride = t->d.code->n};
    struct fecrun_view out = {.size = sizeof out,
                              .data = t->want,
                              .type = FECRUN_PACKED,
                              .frames = t->frames,
                              .items = t->d.bits,
                              .stride = t->out_stride};
    struct fecrun_call call = {.size = sizeof call,
                               .codes = codes,
                               .info = t->want_info,
                               .cancel = &(const volatile int){0}};
    const struct fecrun_view *ins[] = {&in};
    struct fecrun_view *outs[LDPC_OUTPUTS] = {&out};
    const size_t bytes = ldpc_decode_ref.scratch(&t->d, 1);

    call.scratch = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!call.scratch || ldpc_decode_ref.run(NULL, &call, ins, outs, &error))
        bail("no reference: %s", error.text);
    free(call.scratch);
}

/* Frames whose flags or bits are not the reference's, or whose iterations are far from it. */
static uint32_t far_frames(const struct trial *t)
{
    uint32_t far = 0;

    for (uint32_t f = 0; f < t->frames; f++) {
        const int more = (int)t->info[f].iterations - (int)t->want_info[f].iterations;

        far += t->info[f].flags != t->want_info[f].flags || more < -1 || more > 1 ||
               memcmp(t->out + f * t->out_stride, t->want + f * t->out_stride, t->out_stride);
    }
    return far;
}

static uint32_t failed_frames(const struct trial *t)
{
    uint32_t failed = 0;

    for (uint32_t f = 0; f < t->frames; f++)
        failed += !(t->info[f].flags & FECRUN_FRAME_CHECKED) ||
                  t->info[f].flags & FECRUN_FRAME_FAILED;
    return failed;
}

static void count_iterations(const struct trial *t, uint32_t *least, uint32_t *most)
{
    *least = UINT32_MAX;
    *most = 0;
    for (uint32_t f = 0; f < t->frames; f++) {
        if (t->info[f].iterations < *least)
            *least = t->info[f].iterations;
        if (t->info[f].iterations > *most)
            *most = t->info[f].iterations;
    }
}

#endif
