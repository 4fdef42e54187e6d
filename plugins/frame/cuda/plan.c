/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/frame/cuda/plan.h"

#include <fecrun/sdk/stage.h>

/* A class, and a table of which `again` bytes follow it once more. */
static void *make_table(const void *from, size_t length, size_t again, size_t *bytes,
                        struct fecrun_error *err)
{
    char *memory;

    *bytes = sizeof(struct frame_gpu_class) + length + again;
    memory = calloc(1, *bytes);
    if (!memory) {
        fecrun_no_memory(err);
        return NULL;
    }
    memcpy(memory + sizeof(struct frame_gpu_class), from, length);
    for (size_t i = 0; i < again; i++)
        memory[sizeof(struct frame_gpu_class) + length + i] = ((const char *)from)[i % length];
    return memory;
}

void *frame_gpu_order_table(const struct order_code *code, size_t *bytes, struct fecrun_error *err)
{
    return make_table(code->order.from, code->order.period * sizeof *code->order.from, 0, bytes,
                      err);
}

/* Items, or bytes of packed bits, after which the table is read from its begin. */
static uint64_t scramble_period(const struct scramble_code *code, bool packed)
{
    return packed ? (code->length + 7) / 8 : code->length;
}

void *frame_gpu_scramble_table(const struct scramble_code *code, bool packed, size_t *bytes,
                               struct fecrun_error *err)
{
    return make_table(packed ? code->packed : code->bits, scramble_period(code, packed),
                      FRAME_GPU_AGAIN, bytes, err);
}

static struct frame_gpu_args make_args(const void *table, const struct fecrun_view *in,
                                       const struct fecrun_view *out)
{
    return (struct frame_gpu_args){
        .frames = {.n = in->frames},
        .in = {.data = in->data, .stride = in->stride},
        .out = {.data = out->data, .stride = out->stride},
        .classes = table,
        .items = in->items,
        .chunks = frame_gpu_chunks(in->items, out->type == FECRUN_PACKED,
                                   (unsigned)fecrun_bytes(out->type, 1))};
}

struct frame_gpu_args frame_gpu_order_args(const struct order_code *code, const void *table,
                                           const struct fecrun_call *call,
                                           const struct fecrun_view *in,
                                           const struct fecrun_view *out)
{
    struct frame_gpu_args args = make_args(table, in, out);

    args.from = (const void *)((const char *)table + sizeof(struct frame_gpu_class));
    args.period = frame_gpu_by(code->order.period);
    args.high = (int64_t)in->items;
    if (code->stream) {
        args.place = (call->first_item + code->first) % code->order.block;
        args.step = in->items;
        args.low = -(int64_t)in->before;
        args.high = (int64_t)(in->items * in->frames + in->after);
    }
    return args;
}

/* Packed bits of streams begin at whole bytes of the sequence: scramble_takes(). */
struct frame_gpu_args frame_gpu_scramble_args(const struct scramble_code *code, const void *table,
                                              const struct fecrun_call *call,
                                              const struct fecrun_view *in,
                                              const struct fecrun_view *out)
{
    const bool packed = in->type == FECRUN_PACKED;
    struct frame_gpu_args args = make_args(table, in, out);

    args.sequence = (const uint8_t *)table + sizeof(struct frame_gpu_class);
    args.period = frame_gpu_by(scramble_period(code, packed));
    if (code->stream) {
        args.place = (call->first_item + code->first) % code->length / (packed ? 8 : 1);
        args.step = in->items / (packed ? 8 : 1);
    }
    return args;
}

struct frame_gpu_args frame_gpu_hard_args(const void *table, const struct fecrun_view *in,
                                          const struct fecrun_view *out)
{
    return make_args(table, in, out);
}
