/* SPDX-License-Identifier: BSD-2-Clause */
/* Frames of random samples at any address and distance, and what the host converts them to. */
#ifndef T_LIB_CUDA_FRAMES_H
#define T_LIB_CUDA_FRAMES_H

#include "t/lib/tap.h"

#include <fecrun/sdk/sample.h>
#include <fecrun/sdk/params.h>

/* Memory of exactly the right size. view.data is that memory + offset. */
struct frames {
    uint8_t *memory;
    size_t bytes, offset;
    struct fecrun_view view;
};

/* xorshift64 */
static uint64_t draw(uint64_t below)
{
    static uint64_t state = 1;

    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state % below;
}

static void *get(size_t bytes)
{
    void *memory = malloc(bytes + !bytes);

    if (!memory)
        bail("out of memory");
    return memory;
}

static struct frames frames_make(uint32_t type, uint64_t frames, uint64_t items, unsigned offset,
                                 unsigned gap)
{
    const uint64_t row = fecrun_bytes(type, items);
    struct frames made = {.offset = offset};

    made.view = (struct fecrun_view){.size = sizeof made.view,
                                     .type = type,
                                     .frames = frames,
                                     .items = items,
                                     .stride = row + gap};
    made.bytes = offset + (frames - 1) * made.view.stride + row;
    made.memory = get(made.bytes);
    for (size_t i = 0; i < made.bytes; i++)
        made.memory[i] = (uint8_t)draw(type == FECRUN_U8 ? 2 : 256);
    made.view.data = made.memory + offset;
    return made;
}

/* A copy of out's memory, in which the frames are those of `in`; the host wants them aligned. */
static uint8_t *frames_expect(const struct frames *in, const struct frames *out)
{
    const size_t in_row = fecrun_bytes(in->view.type, in->view.items);
    const size_t out_row = fecrun_bytes(out->view.type, out->view.items);
    uint8_t *want = get(out->bytes), *from = get(in_row), *to = get(out_row);

    memcpy(want, out->memory, out->bytes);
    for (uint64_t f = 0; f < in->view.frames; f++) {
        memcpy(from, in->memory + in->offset + f * in->view.stride, in_row);
        fecrun_convert(in->view.type, out->view.type, from, to, in->view.items);
        memcpy(want + out->offset + f * out->view.stride, to, out_row);
    }
    free(from);
    free(to);
    return want;
}

#endif
