/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The CUDA kernels of polar.encode, polar.rate_match and polar.rate_recover on the CPU, against the
 * references: whole blocks of threads of the encoder, threads of rate matching one after the other.
 * Batches of frames of several sizes, which begin anywhere.
 */

/* Its longjmp() takes a jump to another stack for an attack. */
#undef _FORTIFY_SOURCE

#include "t/lib/tap.h"

#if !defined(__GLIBC__) || defined(__SANITIZE_THREAD__)
int main(void)
{
    skip_all("no coroutines here");
}
#else

#include "t/lib/cuda_emulate.h"
#include "t/lib/cuda_rows.h"

#include "plugins/polar/code/ensemble.h"
#include "plugins/polar/code/order.h"
#include "plugins/polar/code/small.h"
#include "plugins/polar/cuda/encode/block.h"
#include "plugins/polar/cuda/encode/launch.h"
#include "plugins/polar/cuda/rate/launch.h"
#include "plugins/polar/cuda/rate/thread.h"
#include "plugins/polar/plugin.h"
#include "plugins/polar/rate_recover.h"

enum { MOST = 8 * POLAR_MOST_N };

static struct fecrun_error err = {.size = sizeof err};

/* ---- polar.encode ---------------------------------------------------------------------------- */

/* Frozen positions by chance. */
static struct polar_code *any_code(void)
{
    const uint32_t stages = POLAR_LEAST_STAGES + draw(draw(4) ? 6 : 11);
    const uint32_t n = 1u << stages, k = 1 + draw(n);
    uint16_t *order = get(n * sizeof *order);
    struct polar_code *code;

    for (uint32_t i = 0; i < n; i++) {
        const uint32_t at = draw(i + 1);

        order[i] = order[at];
        order[at] = (uint16_t)i;
    }
    code = polar_plain_code(stages, k, order, &err);
    free(order);
    return code;
}

static struct polar_code *nr_code(uint32_t kind)
{
    struct polar_nr nr = {.n_max = 10, .input_interleave = kind == 1};

    if (kind == 1)
        nr.n_max = 9, nr.k = 1 + draw(POLAR_NR_MOST_INTERLEAVED);
    else
        nr.k = kind == 2 ? 18 + draw(8) : 1 + draw(500);
    nr.e = nr.k + 4 + draw(700);
    return polar_nr_code(&nr, &err);
}

/* By number: plain, of the downlink, with parity, of the uplink, small. Sizes that there are not are drawn again. */
static struct polar_code *draw_code(uint32_t kind)
{
    static const uint32_t qm[] = {1, 2, 4, 6, 8};
    struct polar_code *code = NULL;

    while (!code) {
        const uint32_t k = 1 + draw(POLAR_SMALL_MOST_K);

        code = kind == 0  ? any_code()
               : kind < 4 ? nr_code(kind)
                          : polar_small_code(k, k < 3 ? qm[draw(5)] : 1, &err);
    }
    return code;
}

struct launch {
    const struct polar_encode_args *args;
    bool in_packed, out_packed;
    uint32_t *shared;
};

static void encode_block(void *arg)
{
    const struct launch *launch = arg;

    polar_encode_block(launch->args, launch->in_packed, launch->out_packed, launch->shared);
}

static void launch_encode(struct polar_encode_args *args, uint32_t in_type, uint32_t out_type)
{
    const uint32_t per_block = POLAR_ENCODE_THREADS / args->group;
    struct launch launch = {args, in_type == FECRUN_PACKED, out_type == FECRUN_PACKED, NULL};

    launch.shared = get(4ul * args->shared * per_block);
    gridDim.x = (frames + per_block - 1) / per_block;
    for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++) {
        memset(launch.shared, 0xee, 4ul * args->shared * per_block);
        emu_block(encode_block, &launch, POLAR_ENCODE_THREADS, draw(100));
    }
    free(launch.shared);
}

static void try_encode(void *codes[CLASSES])
{
    const uint32_t in_type = draw(2) ? FECRUN_PACKED : FECRUN_U8;
    const uint32_t out_type = draw(2) ? FECRUN_PACKED : FECRUN_U8;
    struct polar_encode_tables tables;
    struct polar_encode_args args = {.group = 1u << draw(8)};
    uint64_t bits[CLASSES], words[CLASSES];
    uint8_t *msg = get(MOST), *want = get(MOST), *got = get(MOST);
    struct rows in, out;
    uint32_t wrong = 0;

    if (polar_encode_tables_make(&tables, codes, CLASSES, &err))
        bail("%s", err.text);
    for (uint32_t c = 0; c < CLASSES; c++) {
        const struct polar_encode_class *class = &tables.classes[c];

        bits[c] = class->k, words[c] = class->n;
        if (polar_encode_shared(class) > args.shared)
            args.shared = polar_encode_shared(class);
        if (class->words > args.most_words)
            args.most_words = class->words;
    }
    open_rows(&in, in_type, bits);
    open_rows(&out, out_type, words);
    fill(&in);
    args.frames = (struct gpu_frames){.n = frames, .class_of = class_of};
    args.in = in.port, args.out = out.port;
    args.classes = tables.classes;
    args.words = (const void *)((const char *)tables.classes + tables.words);
    args.order = (const void *)((const char *)tables.classes + tables.order);
    launch_encode(&args, in_type, out_type);
    for (uint32_t f = 0; f < frames; f++) {
        const uint32_t c = class_of[f];

        widen(&in, f, msg);
        reference(&polar_encode_stage, codes[c], FECRUN_U8, (uint64_t[]){bits[c], words[c]}, msg,
                  NULL, want);
        widen(&out, f, got);
        wrong += memcmp(want, got, words[c]) != 0;
    }
    ok(!wrong && guarded(&out),
       "encode: %u frames of (%u, %u), (%u, %u), (%u, %u), %u threads each, %s to %s", frames,
       (unsigned)words[0], (unsigned)bits[0], (unsigned)words[1], (unsigned)bits[1],
       (unsigned)words[2], (unsigned)bits[2], args.group, fecrun_type_name(in_type),
       fecrun_type_name(out_type));
    free(in.memory), free(out.memory), free(tables.classes), free(msg), free(want), free(got);
}

/* ---- rate matching --------------------------------------------------------------------------- */

static void draw_rate(struct polar_rate *rate, uint32_t kind)
{
    int status = -1;

    while (status) {
        struct polar_nr nr = {.n_max = 9 + draw(2), .k = 1 + draw(400)};

        nr.e = nr.k + 4 + draw(draw(4) ? 900 : 7000);
        status = 0;
        if (kind == 0)
            polar_rate_repeat(rate, polar_small_n(1 + nr.k % 11, 1), 1 + draw(300));
        else
            status = polar_rate_make(rate, &nr, kind == 1, &err);
    }
}

typedef void work(const struct polar_rate_args *, const struct polar_rate_class *, uint64_t,
                  uint64_t);

/* All threads, last ones first, and some that have nothing to do. */
static void launch_rate(struct polar_rate_args *args, work *chunk, uint32_t type, bool match)
{
    const unsigned size = fecrun_type_bits(type) < 8 ? 1 : fecrun_type_bits(type) / 8;

    for (uint32_t f = 0; f < frames; f++) {
        const struct polar_rate_class *own = &args->classes[class_of[f]];
        const uint64_t items = match ? own->e : own->n;

        for (uint64_t c = polar_rate_chunks(items, type == FECRUN_PACKED, size) + 2; c-- > 0;)
            chunk(args, own, f, c);
    }
}

static void try_match(const struct polar_rate rates[CLASSES])
{
    const uint32_t type = draw(2) ? FECRUN_PACKED : FECRUN_U8;
    void *codes[CLASSES];
    struct polar_rate_args args = {.frames = {.n = frames, .class_of = class_of}};
    struct polar_rate_class *classes;
    uint64_t words[CLASSES], sent[CLASSES];
    uint8_t *msg = get(MOST), *want = get(MOST), *got = get(MOST);
    struct rows in, out;
    uint32_t wrong = 0;
    size_t bytes;

    for (uint32_t c = 0; c < CLASSES; c++) {
        codes[c] = (void *)(uintptr_t)&rates[c];
        words[c] = rates[c].n, sent[c] = rates[c].e;
    }
    classes = polar_match_tables(codes, CLASSES, &bytes, &err);
    open_rows(&in, type, words);
    open_rows(&out, type, sent);
    fill(&in);
    args.classes = classes;
    args.tables = (const void *)(classes + CLASSES);
    args.in = in.port, args.out = out.port;
    launch_rate(&args, type == FECRUN_PACKED ? polar_match_packed : polar_match_u8, type, true);
    for (uint32_t f = 0; f < frames; f++) {
        const uint32_t c = class_of[f];

        widen(&in, f, msg);
        reference(&polar_rate_match_stage, codes[c], FECRUN_U8, (uint64_t[]){words[c], sent[c]},
                  msg, NULL, want);
        widen(&out, f, got);
        wrong += memcmp(want, got, sent[c]) != 0;
    }
    ok(!wrong && guarded(&out), "match: %u frames, %s, e = %u, %u, %u", frames,
       fecrun_type_name(type), rates[0].e, rates[1].e, rates[2].e);
    free(in.memory), free(out.memory), free(classes), free(msg), free(want), free(got);
}

static void try_recover(const struct polar_rate rates[CLASSES], uint32_t type)
{
    static work *const works[] = {polar_recover_i8, polar_recover_i16, polar_recover_f32};
    const unsigned size = fecrun_type_bits(type) / 8;
    struct polar_recover *code = calloc(CLASSES, sizeof *code);
    void *codes[CLASSES];
    struct polar_rate_args args = {.frames = {.n = frames, .class_of = class_of}};
    struct polar_rate_class *classes;
    uint64_t words[CLASSES], sent[CLASSES];
    void *want = get(MOST);
    struct rows in, out;
    uint32_t wrong = 0;
    size_t bytes;

    for (uint32_t c = 0; c < CLASSES; c++) {
        codes[c] = &code[c];
        code[c].rate = rates[c];
        code[c].common.limit = type == FECRUN_I8 ? 127 : type == FECRUN_I16 ? 32767 : 1048576;
        words[c] = rates[c].n, sent[c] = rates[c].e;
    }
    classes = polar_recover_tables(codes, CLASSES, &bytes, &err);
    open_rows(&in, type, sent);
    open_rows(&out, type, words);
    fill(&in);
    args.classes = classes;
    args.tables = (const void *)(classes + CLASSES);
    args.in = in.port, args.out = out.port;
    launch_rate(&args, works[size / 2], type, false);
    for (uint32_t f = 0; f < frames; f++) {
        const uint32_t c = class_of[f];

        reference(&polar_rate_recover_stage, codes[c], type, (uint64_t[]){sent[c], words[c]},
                  row(&in, f), NULL, want);
        wrong += memcmp(want, row(&out, f), words[c] * size) != 0;
    }
    ok(!wrong && guarded(&out), "recover: %u frames, %s, e = %u, %u, %u%s", frames,
       fecrun_type_name(type), rates[0].e, rates[1].e, rates[2].e,
       rates[0].shortened || rates[1].shortened || rates[2].shortened ? ", shortened" : "");
    free(in.memory), free(out.memory), free(classes), free(code), free(want);
}

int main(void)
{
    static const uint32_t types[] = {FECRUN_I8, FECRUN_I16, FECRUN_F32};
    struct polar_rate *rates = get(CLASSES * sizeof *rates);

    for (unsigned round = 0; round < 40; round++) {
        void *codes[CLASSES];

        draw_batch();
        for (uint32_t c = 0; c < CLASSES; c++) {
            codes[c] = draw_code((round + c) % 5);
            draw_rate(&rates[c], (round + c) % 3);
        }
        try_encode(codes);
        try_match(rates);
        try_recover(rates, types[round % 3]);
        for (uint32_t c = 0; c < CLASSES; c++)
            free(codes[c]);
    }
    free(rates);
    return done_testing();
}
#endif
