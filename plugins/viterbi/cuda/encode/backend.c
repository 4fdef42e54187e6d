/* SPDX-License-Identifier: BSD-2-Clause */
/* conv.encode on CUDA devices. */
#include "plugins/common/gpu/gpu.h"
#include "plugins/viterbi/code/conv.h"
#include "plugins/viterbi/cuda/conv.h"
#include "plugins/viterbi/cuda/encode/thread.h"
#include "plugins/viterbi/cuda/device.h"
#include "plugins/viterbi/plugin.h"

/* In front of a stream of packed bits lie whole bytes, and its frames must have no gaps. */
static int check_stream(const struct fecrun_view *in, struct fecrun_error *err)
{
    if (in->type != FECRUN_PACKED ||
        (in->before % 8 == 0 && (in->frames <= 1 || in->items % 8 == 0)))
        return 0;
    return fecrun_fail(err, NULL,
                       "a stream of packed bits comes in frames of %llu bits with %llu in front; "
                       "both must be multiples of 8",
                       (unsigned long long)in->items, (unsigned long long)in->before);
}

/* 32 outputs in the order of sending, the first one number `phase` of its step. */
static uint32_t word_of(const uint32_t output[VITERBI_MAX_N], unsigned n, unsigned phase)
{
    uint32_t word = 0;

    for (unsigned i = 0; i < 32; i++)
        word |= output[(phase + i) % n] & (UINT32_C(1) << 31) >> i;
    return word;
}

static void fill_words(struct conv_encode_args *args)
{
    for (unsigned phase = 0; phase < args->n && phase < 3; phase++) {
        args->inverted_word[phase] = word_of(args->inverted, args->n, phase);
        for (unsigned d = 0; d < args->K; d++)
            args->digit_word[d][phase] = word_of(args->mask[d], args->n, phase);
    }
}

int conv_encode_prepare(struct conv_encode_args *args, const struct encode_code *c,
                        const struct fecrun_view *in, const struct fecrun_view *out,
                        struct fecrun_error *err)
{
    const struct viterbi_code *code = &c->code;

    *args = (struct conv_encode_args){.in = in->data,
                                      .out = out->data,
                                      .in_stride = in->stride,
                                      .out_stride = out->stride,
                                      .frames = in->frames,
                                      .bits = in->items,
                                      .tail = c->tail,
                                      .K = code->K,
                                      .n = code->n,
                                      .tail_biting = c->termination == VITERBI_TAIL_BITING,
                                      .continuous = c->termination == VITERBI_CONTINUOUS,
                                      .in_packed = in->type == FECRUN_PACKED,
                                      .out_packed = out->type == FECRUN_PACKED};
    for (unsigned j = 0; j < code->n; j++) {
        args->inverted[j] = code->inverted[j] ? UINT32_MAX : 0;
        for (unsigned d = 0; d < code->K; d++)
            args->mask[d][j] = code->gen[j] >> (code->K - 1 - d) & 1 ? UINT32_MAX : 0;
    }
    fill_words(args);
    if (!args->continuous)
        return 0;
    args->before = in->before;
    return check_stream(in, err);
}

#ifdef FECRUN_CUDA

int conv_classes(void *instance, const struct fecrun_call *call, const struct fecrun_view *in,
                 const struct fecrun_view *out, struct conv_classes *classes,
                 struct fecrun_error *err)
{
    const struct fecrun_view *const view[GPU_PORTS] = {in, out, NULL};
    struct gpu_call made;

    if (gpu_begin(instance, call, view, &made, err))
        return -1;
    *classes = (struct conv_classes){.of = made.frames.class_of,
                                     .in_offset = made.port[0].offset,
                                     .out_offset = made.port[1].offset,
                                     .in_items = made.port[0].class_items,
                                     .out_items = made.port[1].class_items};
    return 0;
}

uint64_t conv_most(const void *instance, const struct fecrun_view *view)
{
    const struct gpu *gpu = instance;
    uint64_t most = view->items;

    for (uint32_t c = 0; view->offset && c < gpu->n_classes; c++)
        most = view->class_items[c] > most ? view->class_items[c] : most;
    return most;
}

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    return gpu_create(args, NULL, 0, instance, err);
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    struct conv_encode_args args;

    if (conv_encode_prepare(&args, call->codes[0], in[0], out[0], err) ||
        conv_classes(instance, call, in[0], out[0], &args.classes, err))
        return -1;
    args.bits = conv_most(instance, in[0]);
    return fecrun_cuda_check(err, "starting the encoder",
                             conv_encode_launch(&args, (cudaStream_t)call->stream));
}

#endif

/* Frames of several sizes in one launch: of one code. */
static int takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    const struct encode_code *first = args->codes[0];

    if (first->feedback)
        return fecrun_fail(err, "feedback", "recursive codes are encoded on the host alone");
    for (uint32_t i = 1; i < args->n_codes; i++) {
        const struct encode_code *c = args->codes[i];

        if (memcmp(&c->code, &first->code, sizeof c->code) != 0 ||
            c->termination != first->termination)
            return fecrun_fail(err, NULL, "frames of several sizes in one call have one code");
    }
    return 0;
}

#define FORM(from, to) \
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED, FECRUN_IN({.type = from}), FECRUN_OUT({.type = to}))

/* u8 into packed bits is for streams: what they need in front is, packed, no whole bytes. */
static const struct fecrun_form *const forms[] = {FORM(FECRUN_PACKED, FECRUN_PACKED),
                                                  FORM(FECRUN_U8, FECRUN_PACKED),
                                                  FORM(FECRUN_U8, FECRUN_U8),
                                                  FECRUN_ONE_FORM(FECRUN_PACKED, FECRUN_PACKED),
                                                  FECRUN_ONE_FORM(FECRUN_U8, FECRUN_PACKED),
                                                  FECRUN_ONE_FORM(FECRUN_U8, FECRUN_U8),
                                                  NULL};

const struct fecrun_backend conv_encode_cuda = {
    FECRUN_CUDA_BACKEND(viterbi_cuda_probe, create, run, gpu_destroy),
    .name = "cuda",
    .summary = "a thread 128 packed output bits, by exclusive or of shifted words; frames of all "
               "sizes in one launch",
    .forms = forms,
    .agreement = FECRUN_AGREEMENT_EXACT,
    .takes = takes,
};
