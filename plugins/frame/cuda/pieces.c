/* SPDX-License-Identifier: BSD-2-Clause */
/* The backends cuda of frame.insert, frame.remove, frame.split and frame.join. */
#include "plugins/frame/cuda/pieces_plan.h"

#include <stdlib.h>

#include "plugins/common/gpu/gpu.h"
#include "plugins/frame/cuda/create.h"
#include "plugins/frame/cuda/launch.h"
#include "plugins/frame/plugin.h"

/* A class and `count` known items of `unit` bytes; NULL: out of memory. */
static void *make_table(uint64_t count, unsigned unit, size_t *bytes, struct fecrun_error *err)
{
    void *memory;

    *bytes = sizeof(struct frame_pieces_class) + count * unit;
    memory = calloc(1, *bytes);
    if (!memory)
        fecrun_no_memory(err);
    return memory;
}

void *frame_pieces_insert_table(const struct known *k, uint32_t type, size_t *bytes,
                                struct fecrun_error *err)
{
    struct frame_pieces_class *table = make_table(1, (unsigned)fecrun_bytes(type, 1), bytes, err);
    const double llr = k->value == KNOWN_ZERO ? k->llr : k->value == KNOWN_ONE ? -k->llr : 0;

    if (!table)
        return NULL;
    if (type == FECRUN_F32)
        *(float *)(void *)(table + 1) = (float)llr;
    else if (type == FECRUN_I16)
        *(int16_t *)(void *)(table + 1) = (int16_t)llr;
    else
        *(uint8_t *)(void *)(table + 1) = type == FECRUN_I8 ? (uint8_t)(int)llr
                                                            : k->value == KNOWN_ONE;
    return table;
}

void *frame_pieces_join_table(const struct join_code *code, size_t *bytes, struct fecrun_error *err)
{
    struct frame_pieces_class *table = make_table(WORD_MOST, 1, bytes, err);

    for (unsigned b = 0; table && b < code->word.width; b++)
        ((uint8_t *)(void *)(table + 1))[b] = code->word.sign[b] < 0;
    return table;
}

/* Of frames that come out as they come in. */
static struct frame_pieces_args make_args(const void *table, const struct fecrun_view *in,
                                          const struct fecrun_view *out)
{
    const unsigned unit = (unsigned)fecrun_bytes(out->type, 1);

    return (struct frame_pieces_args){
        .frames = {.n = out->frames},
        .in = {.data = in->data, .stride = in->stride},
        .out = {.data = out->data, .stride = out->stride},
        .classes = table,
        .chunks = fecrun_chunks(out->items * unit, unit * FRAME_PIECES_ITEMS),
        .items = out->items,
        .part = out->items,
        .parts = 1,
        .cut = 1,
        .last = out->items};
}

struct frame_pieces_args frame_pieces_insert(const struct known *k, const void *table,
                                             const struct fecrun_view *in,
                                             const struct fecrun_view *out)
{
    struct frame_pieces_args args = make_args(table, in, out);

    args.at = k->at;
    args.known = k->count;
    args.values = 1;
    return args;
}

struct frame_pieces_args frame_pieces_remove(const struct known *k, const void *table,
                                             const struct fecrun_view *in,
                                             const struct fecrun_view *out)
{
    struct frame_pieces_args args = make_args(table, in, out);

    args.at = k->at;
    args.left_out = k->count;
    return args;
}

struct frame_pieces_args frame_pieces_split(const struct split_code *code, const void *table,
                                            const struct fecrun_call *call,
                                            const struct fecrun_view *in,
                                            const struct fecrun_view *out)
{
    struct frame_pieces_args args = make_args(table, in, out);

    args.frames.n = in->frames * code->pieces;
    args.cut = code->pieces;
    args.at = code->frame;
    args.last = code->last;
    args.info = call->info;
    args.out_info = call->out_info;
    return args;
}

struct frame_pieces_args frame_pieces_join(const struct join_code *code, const void *table,
                                           const struct fecrun_call *call,
                                           const struct fecrun_view *in,
                                           const struct fecrun_view *out)
{
    struct frame_pieces_args args = make_args(table, in, out);

    args.known = args.values = code->word.width;
    args.parts = code->pieces;
    args.part = args.last = code->word.width + code->frame;
    args.frames.n = in->frames / code->pieces;
    args.info = call->info;
    args.out_info = call->out_info;
    return args;
}

#ifdef FECRUN_CUDA

static int insert_create(const struct fecrun_create *args, void **instance,
                         struct fecrun_error *err)
{
    size_t bytes = 0;
    void *table = frame_pieces_insert_table(args->codes[0], args->form->in[0].type, &bytes, err);

    return frame_gpu_create(args, table, bytes, instance, err);
}

static int join_create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    size_t bytes = 0;
    void *table = frame_pieces_join_table(args->codes[0], &bytes, err);

    return frame_gpu_create(args, table, bytes, instance, err);
}

/* Without known items. */
static int plain_create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    static const struct frame_pieces_class none = {0};

    return gpu_create(args, &none, sizeof none, instance, err);
}

static int start(const struct gpu *gpu, const struct fecrun_call *call,
                 const struct frame_pieces_args *args, struct fecrun_error *err)
{
    return fecrun_cuda_use(gpu->device, err)
               ? -1
               : fecrun_cuda_check(
                     err, "starting the kernel",
                     frame_gpu_pieces(args, gpu->in_type, (cudaStream_t)call->stream));
}

#define RUN(name, ...) \
    static int name##_run(void *instance, const struct fecrun_call *call, \
                          const struct fecrun_view *const in[], struct fecrun_view *const out[], \
                          struct fecrun_error *err) \
    { \
        const struct gpu *gpu = instance; \
        const struct frame_pieces_args args = frame_pieces_##name(call->codes[0], gpu->table, \
                                                                  __VA_ARGS__ in[0], out[0]); \
\
        return start(gpu, call, &args, err); \
    }
#define CALL call,

RUN(insert, )
RUN(remove, )
RUN(split, CALL)
RUN(join, CALL)

#endif

#define SAME(t) FECRUN_ONE_FORM(t, t)

static const struct fecrun_form *const known_forms[] = {SAME(FECRUN_U8), SAME(FECRUN_I8),
                                                        SAME(FECRUN_I16), SAME(FECRUN_F32), NULL};

#define PIECES(variable, made, work, given) \
    const struct fecrun_backend variable = { \
        FECRUN_CUDA_BACKEND(frame_gpu_probe, made, work, gpu_destroy), \
        .name = "cuda", \
        .summary = "a thread four items", \
        .forms = given, \
        .agreement = FECRUN_AGREEMENT_EXACT, \
    }

PIECES(frame_insert_cuda, insert_create, insert_run, known_forms);
PIECES(frame_remove_cuda, plain_create, remove_run, known_forms);
PIECES(frame_split_cuda, plain_create, split_run, frame_whole_bytes);
PIECES(frame_join_cuda, join_create, join_run, frame_whole_bytes);
