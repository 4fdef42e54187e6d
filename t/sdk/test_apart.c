/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * plugins/common/gpu/apart and by_class against a runtime of its own, without a device: frames of several classes
 * are called class by class, in their order, and what comes of them is where they were.
 */
#define FECRUN_CUDA 1
#include "plugins/common/gpu/apart.h"

#include "t/lib/tap.h"

#include "t/sdk/runtime/runtime.h"

#include "plugins/common/gpu/apart.c"
#include "plugins/common/gpu/by_class.c"

enum { FRAMES = 37, CLASSES = 3, ROOM = 4096, DEVICE = 2 };

/* Bytes of a frame: what comes in, and a byte more that goes out. A code is a number of them. */
static const uint64_t sizes[CLASSES] = {5, 16, 1};
static uint64_t codes_of[CLASSES];
static void *codes[CLASSES];

static struct {
    unsigned calls, wrong, alive, broken; /* the broken-th create() fails; 0: none */
    uint64_t frames;
} own;

struct instance {
    uint64_t size;
};

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    struct instance *i = malloc(sizeof *i);

    *instance = NULL;
    if (own.broken && own.alive + 1 == own.broken) {
        free(i);
        return fecrun_fail(err, NULL, "not this one");
    }
    if (!i || args->n_codes != 1)
        bail("create() is for one class");
    i->size = *(const uint64_t *)args->codes[0];
    own.alive++;
    *instance = i;
    return 0;
}

static void destroy(void *instance)
{
    own.alive--;
    free(instance);
}

static size_t scratch(const void *instance, uint64_t frames)
{
    (void)instance;
    return frames;
}

/* Sends bytes back in reverse order, and their sum behind them; counts frames in the infos. */
static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    const struct instance *i = instance;

    (void)err;
    own.calls++;
    own.frames += in[0]->frames;
    own.wrong += in[0]->items != i->size || out[0]->items != i->size + 1 || in[0]->offset ||
                 *(const uint64_t *)call->codes[0] != i->size || (uintptr_t)in[0]->data % 16 ||
                 in[0]->stride % 16;
    memset(call->scratch, 0xee, in[0]->frames);
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        const uint8_t *from = (const uint8_t *)in[0]->data + f * in[0]->stride;
        uint8_t *to = (uint8_t *)out[0]->data + f * out[0]->stride, sum = 0;

        for (uint64_t b = 0; b < i->size; b++)
            sum += to[i->size - 1 - b] = from[b];
        to[i->size] = sum;
        call->info[f].bit_errors += 100 * f;              /* the n-th of its class */
        own.wrong += call->info[f].iterations != from[0]; /* it came with the frame */
    }
    return 0;
}

static void items(const struct fecrun_create *one, uint64_t in[FECRUN_MAX_PORTS],
                  uint64_t out[FECRUN_MAX_PORTS])
{
    in[0] = *(const uint64_t *)one->codes[0];
    out[0] = in[0] + 1;
}

/* What the kernel of apart.cuh does. */
static cudaError_t copy_frames(const struct apart_args *args, bool back, void *stream)
{
    (void)stream;
    for (uint64_t f = 0; f < args->frames; f++) {
        const uint32_t c = args->class_of[f], rank = args->rank[f];
        struct fecrun_frame_info *info = args->info + args->first_info[c] + rank;

        for (uint32_t p = 0; p < args->n_ports; p++) {
            const struct apart_port *port = &args->port[p];
            uint8_t *mixed = port->mixed.data + port->mixed.offset[f];
            uint8_t *sorted = port->sorted + port->first[c] + rank * port->stride[c];

            memcpy(back ? mixed : sorted, back ? sorted : mixed, port->bytes[c]);
        }
        *(back ? &args->mixed_info[f] : info) = *(back ? info : &args->mixed_info[f]);
    }
    return cudaSuccess;
}

static const struct by_class_backend backend = {create, scratch, run, destroy, items, copy_frames};

static const struct fecrun_form *const form = FECRUN_FORM(FECRUN_IN({.type = FECRUN_U8}),
                                                          FECRUN_OUT({.type = FECRUN_U8}));
static uint32_t class_of[FRAMES];
static uint64_t places[2][FRAMES + 1];
static const uint64_t out_sizes[CLASSES] = {6, 17, 2};
static uint8_t in_memory[ROOM], out_memory[ROOM];

static int open_instance(void **instance, struct fecrun_error *err)
{
    const struct fecrun_create args = {.size = sizeof args,
                                       .device = DEVICE,
                                       .codes = codes,
                                       .n_codes = CLASSES,
                                       .max_frames = FRAMES,
                                       .form = form};

    return by_class_create(&backend, &args, instance, err);
}

static void call(void *instance, uint64_t frames, void *stream, const char *what)
{
    const size_t room = by_class_scratch(instance, FRAMES);
    char *memory = aligned_alloc(256, (room + 511) / 256 * 256);
    struct fecrun_frame_info info[FRAMES] = {{0}};
    const struct fecrun_call made = {.size = sizeof made,
                                     .stream = stream,
                                     .codes = codes,
                                     .scratch = memory,
                                     .info = info,
                                     .out_info = info};
    const struct fecrun_view in = {.size = sizeof in,
                                   .data = in_memory,
                                   .type = FECRUN_U8,
                                   .frames = frames,
                                   .offset = places[0],
                                   .frame_class = class_of,
                                   .class_items = sizes};
    struct fecrun_view out = in;
    const struct fecrun_view *ins[FECRUN_MAX_PORTS] = {&in};
    struct fecrun_view *outs[FECRUN_MAX_PORTS] = {&out};
    struct fecrun_error err = {.size = sizeof err};
    uint64_t seen[CLASSES] = {0};
    unsigned wrong = 0;

    if (!memory)
        bail("out of memory");
    memset(memory + room, 0x5a, 256);
    memset(out_memory, 0xaa, sizeof out_memory);
    out.data = out_memory;
    out.offset = places[1];
    out.class_items = out_sizes;
    for (uint64_t f = 0; f < frames; f++)
        info[f].iterations = in_memory[places[0][f]];
    own.calls = own.wrong = 0;
    own.frames = 0;
    if (by_class_run(instance, &made, ins, outs, &err))
        bail("%s", err.text);
    for (uint64_t f = 0; f < frames; f++) {
        const uint64_t size = sizes[class_of[f]];
        const uint8_t *from = in_memory + places[0][f], *to = out_memory + places[1][f];
        uint8_t sum = 0;

        for (uint64_t b = 0; b < size; b++) {
            wrong += to[size - 1 - b] != from[b];
            sum = (uint8_t)(sum + from[b]);
        }
        wrong += to[size] != sum || info[f].bit_errors != 100 * seen[class_of[f]]++;
    }
    for (unsigned b = 0; b < 256; b++)
        wrong += memory[room + b] != 0x5a;
    for (uint64_t b = places[1][frames]; b < ROOM; b++)
        wrong += out_memory[b] != 0xaa;
    ok(!wrong && !own.wrong && own.frames == frames, "%s: bytes and infos", what);
    free(memory);
}

static void test_calls(void)
{
    struct fecrun_error err = {.size = sizeof err};
    void *instance;
    unsigned copies;

    if (!ok(!open_instance(&instance, &err), "an instance %s", err.text))
        return;
    is_int(own.alive, CLASSES, "has one for each class");
    call(instance, FRAMES, &err, "all frames");
    is_int(own.calls, CLASSES, "in one call a class");
    copies = runtime.copies;
    call(instance, FRAMES, &err, "again");
    is_int(runtime.copies, copies, "where all is known");
    call(instance, 7, &err, "fewer");
    call(instance, FRAMES, &own, "all on another stream");
    call(instance, 1, &own, "one");
    is_int(own.calls, 1, "one class is called");
    by_class_destroy(instance);
    ok(!own.alive && !runtime.alive, "nothing is left");
}

static void test_failures(void)
{
    for (unsigned broken = 1; broken <= CLASSES; broken++) {
        struct fecrun_error err = {.size = sizeof err};
        void *instance = &err;

        own.broken = broken;
        ok(open_instance(&instance, &err) && !instance && !strcmp(err.text, "not this one") &&
               !own.alive && !runtime.alive,
           "class %u is refused", broken);
    }
    own.broken = 0;
    for (unsigned broken = 1; broken <= 1; broken++) {
        struct fecrun_error err = {.size = sizeof err};
        void *instance = &err;

        runtime.mallocs = 0;
        runtime.broken = broken;
        ok(open_instance(&instance, &err) && !instance && strstr(err.text, "out of memory") &&
               !own.alive && !runtime.alive,
           "no memory");
    }
    runtime.broken = 0;
    by_class_destroy(NULL);
}

int main(void)
{
    for (uint32_t c = 0; c < CLASSES; c++) {
        codes_of[c] = sizes[c];
        codes[c] = &codes_of[c];
    }
    for (uint64_t f = 0; f < FRAMES; f++) {
        class_of[f] = (uint32_t)((5 * f + f / 3) % CLASSES);
        places[0][f + 1] = places[0][f] + sizes[class_of[f]];
        places[1][f + 1] = places[1][f] + out_sizes[class_of[f]];
    }
    for (uint64_t b = 0; b < ROOM; b++)
        in_memory[b] = (uint8_t)(b * 7919 >> 3);
    test_calls();
    test_failures();
    return done_testing();
}
