/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The CUDA kernels of turbo.encode, turbo.rate_match and turbo.rate_recover on the CPU, against the
 * references: whole blocks of threads of the encoder, threads of rate matching one after the other.
 * Batches of frames of one size and of several, which begin anywhere.
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

#include "plugins/turbo/cuda/encode/launch.h"
#include "plugins/turbo/cuda/encode/block.h"
#include "plugins/turbo/cuda/rate/launch.h"
#include "plugins/turbo/cuda/rate/block.h"
#include "plugins/turbo/encode.h"
#include "plugins/turbo/plugin.h"

enum { MOST = 3 * (TURBO_MOST_K + 4) * 4 };

/* ---- turbo.encode ---------------------------------------------------------------------------- */

struct launch {
    const struct turbo_encode_args *args;
    bool in_packed, out_packed;
    uint32_t *shared;
};

static void encode_block(void *arg)
{
    const struct launch *launch = arg;

    turbo_encode_block(launch->args, launch->in_packed, launch->out_packed, launch->shared);
}

static void try_encode(const struct turbo_encode code[CLASSES])
{
    const uint32_t in_type = draw(2) ? FECRUN_PACKED : FECRUN_U8;
    const uint32_t out_type = draw(2) ? FECRUN_PACKED : FECRUN_U8;
    struct turbo_encode_class classes[CLASSES];
    struct turbo_encode_args args = {.classes = classes, .group = 4u << draw(6)};
    struct launch launch = {&args, in_type == FECRUN_PACKED, out_type == FECRUN_PACKED, NULL};
    uint64_t bits[CLASSES], words[CLASSES];
    struct rows in, out;
    uint8_t *msg = get(MOST), *want = get(MOST), *got = get(MOST);
    uint32_t wrong = 0, per_block = TURBO_ENCODE_THREADS / args.group;

    for (uint32_t c = 0; c < CLASSES; c++) {
        classes[c] = turbo_encode_class_of(&code[c]);
        bits[c] = code[c].bits, words[c] = code[c].word;
        if (turbo_encode_words(&classes[c]) > args.shared)
            args.shared = turbo_encode_words(&classes[c]);
    }
    open_rows(&in, in_type, bits);
    open_rows(&out, out_type, words);
    fill(&in);
    args.frames = (struct gpu_frames){.n = frames, .class_of = class_of};
    args.in = in.port, args.out = out.port;
    launch.shared = get(4ul * args.shared * per_block);
    gridDim.x = (frames + per_block - 1) / per_block;
    for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++) {
        memset(launch.shared, 0xee, 4ul * args.shared * per_block);
        emu_block(encode_block, &launch, TURBO_ENCODE_THREADS, draw(100));
    }
    for (uint32_t f = 0; f < frames; f++) {
        widen(&in, f, msg);
        turbo_encode_frame(&code[class_of[f]], msg, want);
        widen(&out, f, got);
        wrong += memcmp(want, got, words[class_of[f]]) != 0;
    }
    ok(!wrong && guarded(&out), "encode: %u frames of K = %u, %u, %u, %u threads each, %s to %s",
       frames, code[0].k, code[1].k, code[2].k, args.group, fecrun_type_name(in_type),
       fecrun_type_name(out_type));
    free(in.memory), free(out.memory), free(launch.shared), free(msg), free(want), free(got);
}

/* ---- rate matching --------------------------------------------------------------------------- */

struct rate_launch {
    const struct turbo_rate_args *args;
    uint32_t type;
    uint32_t *shared;
};

static void rate_block(void *arg)
{
    const struct rate_launch *launch = arg;

    turbo_rate_block(launch->args, launch->type, launch->args->shared, launch->shared);
}

/* Blocks of a grid that is smaller than the frames, at times; staged or not. */
static void launch(struct turbo_rate_args *args, uint32_t type, unsigned size, bool match)
{
    struct rate_launch launch = {args, type, NULL};
    uint32_t per_block;

    turbo_rate_layout(args->classes, CLASSES, size, match, &args->group, &args->shared);
    if (!match && !draw(4))
        args->shared = 0;
    per_block = TURBO_RATE_THREADS / args->group;
    launch.shared = get(4ul * args->shared * per_block + 16);
    gridDim.x = 1 + draw((frames + per_block - 1) / per_block);
    for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++) {
        memset(launch.shared, 0xee, 4ul * args->shared * per_block);
        emu_block(rate_block, &launch, TURBO_RATE_THREADS, draw(100));
    }
    free(launch.shared);
}

static void try_match(const struct turbo_rate_params params[CLASSES])
{
    const uint32_t type = draw(2) ? FECRUN_PACKED : FECRUN_U8;
    struct turbo_match *code = get(CLASSES * sizeof *code);
    void *codes[CLASSES];
    struct fecrun_error err = {.size = sizeof err};
    struct turbo_rate_args args = {.frames = {.n = frames, .class_of = class_of}};
    struct turbo_rate_class *classes;
    uint64_t words[CLASSES], sent[CLASSES];
    uint8_t *msg = get(MOST), *want = get(MOST), *got = get(MOST);
    struct rows in, out;
    uint32_t wrong = 0;
    size_t bytes;

    for (uint32_t c = 0; c < CLASSES; c++) {
        codes[c] = &code[c];
        if (turbo_rate_make(&code[c].rate, code[c].order, &params[c], &err))
            bail("%s", err.text);
        words[c] = code[c].rate.n, sent[c] = code[c].rate.e;
    }
    classes = turbo_match_tables(codes, CLASSES, &bytes, &err);
    open_rows(&in, type, words);
    open_rows(&out, type, sent);
    fill(&in);
    args.classes = classes;
    args.items = turbo_rate_items(classes, CLASSES);
    args.in = in.port, args.out = out.port;
    launch(&args, type, type == FECRUN_PACKED ? 0 : 1, true);
    for (uint32_t f = 0; f < frames; f++) {
        const uint32_t c = class_of[f];
        const uint64_t items[2] = {words[c], sent[c]};

        widen(&in, f, msg);
        reference(&turbo_rate_match_stage, &code[c], FECRUN_U8, items, msg, NULL, want);
        widen(&out, f, got);
        wrong += memcmp(want, got, sent[c]) != 0;
    }
    ok(!wrong && guarded(&out), "match: %u frames, %s, e = %u, %u, %u", frames,
       fecrun_type_name(type), params[0].e, params[1].e, params[2].e);
    free(in.memory), free(out.memory), free(classes), free(code), free(msg), free(want), free(got);
}

static void try_recover(const struct turbo_rate_params params[CLASSES], uint32_t type, bool harq)
{
    const unsigned size = type == FECRUN_F32 ? 4 : type == FECRUN_I16 ? 2 : 1;
    struct turbo_recover *code = calloc(CLASSES, sizeof *code);
    void *codes[CLASSES];
    struct fecrun_error err = {.size = sizeof err};
    struct turbo_rate_args args = {.frames = {.n = frames, .class_of = class_of}};
    struct turbo_rate_class *classes;
    uint64_t words[CLASSES], sent[CLASSES];
    void *want = get(MOST);
    struct rows in, prior, out;
    uint32_t wrong = 0;
    size_t bytes;

    for (uint32_t c = 0; c < CLASSES; c++) {
        codes[c] = &code[c];
        code[c].common.limit = type == FECRUN_I8 ? 127 : type == FECRUN_I16 ? 32767 : 1048576;
        if (turbo_rate_make(&code[c].rate, code[c].order, &params[c], &err))
            bail("%s", err.text);
        turbo_recover_make(&code[c]);
        words[c] = code[c].rate.n, sent[c] = code[c].rate.e;
    }
    classes = turbo_recover_tables(codes, CLASSES, &bytes, &err);
    open_rows(&in, type, sent);
    open_rows(&prior, type, words);
    open_rows(&out, type, words);
    fill(&in), fill(&prior);
    args.classes = classes;
    args.items = turbo_rate_items(classes, CLASSES);
    args.in = in.port, args.out = out.port;
    if (harq)
        args.prior = prior.port;
    launch(&args, type, size, false);
    for (uint32_t f = 0; f < frames; f++) {
        const uint32_t c = class_of[f];
        const uint64_t items[2] = {sent[c], words[c]};

        reference(&turbo_rate_recover_stage, &code[c], type, items, row(&in, f),
                  harq ? row(&prior, f) : NULL, want);
        wrong += memcmp(want, row(&out, f), words[c] * size) != 0;
    }
    ok(!wrong && guarded(&out), "recover: %u frames, %s%s, e = %u, %u, %u", frames,
       fecrun_type_name(type), harq ? ", HARQ" : "", params[0].e, params[1].e, params[2].e);
    free(in.memory), free(prior.memory), free(out.memory), free(classes), free(code), free(want);
}

int main(void)
{
    static const uint32_t types[] = {FECRUN_I8, FECRUN_I16, FECRUN_F32};

    for (unsigned round = 0; round < 24; round++) {
        struct turbo_encode code[CLASSES];
        struct turbo_rate_params params[CLASSES];

        draw_batch();
        for (uint32_t c = 0; c < CLASSES; c++) {
            const struct turbo_qpp *qpp = round == 0
                                              ? &turbo_qpp_table[TURBO_SIZES - 1 - c]
                                              : &turbo_qpp_table[draw(draw(3) ? 60 : TURBO_SIZES)];
            const uint32_t k = qpp->k, fillers = draw(2) ? draw(k < 63 ? k : 63) : 0;

            turbo_encode_make(&code[c], qpp, fillers);
            params[c] = (struct turbo_rate_params){.k = k,
                                                   .fillers = fillers,
                                                   .e = 1 + draw(draw(4) ? 3 * k : 9 * k),
                                                   .rv = draw(4),
                                                   .ncb = draw(3) ? 0 : k + draw(2 * k)};
            params[c].e = params[c].e < MOST / 4 ? params[c].e : MOST / 4;
        }
        try_encode(code);
        try_match(params);
        try_recover(params, types[round % 3], draw(2));
    }
    return done_testing();
}
#endif
