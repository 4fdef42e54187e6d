/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the tests of threads of plugins/chain/cuda share: plans and runs of reference backends, and rows
 * of random bits and symbols.
 */
#ifndef T_CHAIN_CUDA_H
#define T_CHAIN_CUDA_H

#define FECRUN_RNG_PLAIN /* Philox as CUDA has it */
#include "plugins/chain/plugin.h"
#include "plugins/chain/cuda/thread/bits.h"
#include "plugins/chain/cuda/thread/symbols.h"
#include "t/lib/tap.h"
#include <fecrun/sdk/sample.h>

enum { FRAMES = 3, FIRST = 70000 };

static const struct fecrun_rng rng = {0x123456789abcdefu, 77, 5};

/* ---- The reference ---- */

enum { VALUES = 12 }; /* parameters of a stage, at most */

static struct fecrun_value values[VALUES];

static void set(unsigned i, double x)
{
    values[i].given = 2;
    values[i].i = (int64_t)x;
    values[i].f = x;
}

struct ref {
    const struct fecrun_stage *stage;
    struct fecrun_frame in, out, other; /* other: the second output */
    struct fecrun_plan plan;
};

/* Takes what set() set. */
static struct ref make_ref(const struct fecrun_stage *stage, struct fecrun_frame in)
{
    struct ref ref = {.stage = stage, .in = in};
    const struct fecrun_value *list[VALUES];
    const struct fecrun_values all = {sizeof all, VALUES, list};
    const struct fecrun_frame *ins[FECRUN_MAX_PORTS] = {&ref.in};
    struct fecrun_frame *outs[FECRUN_MAX_PORTS] = {&ref.out, &ref.other};
    struct fecrun_error err = {.size = sizeof err};

    for (int i = 0; i < VALUES; i++)
        list[i] = &values[i];
    ref.in.size = ref.out.size = ref.other.size = sizeof ref.out;
    ref.plan.size = sizeof ref.plan;
    if (stage->plan(NULL, &all, ins, outs, &ref.plan, &err))
        bail("%s: plan: %s", stage->name, err.text);
    memset(values, 0, sizeof values);
    return ref;
}

struct rows {
    uint32_t type;
    uint64_t items, stride;
    uint8_t *data;
};

static struct rows make_rows(uint32_t type, uint64_t items)
{
    struct rows rows = {type, items, fecrun_bytes(type, items), NULL};

    if (posix_memalign((void **)&rows.data, 64, FRAMES * rows.stride + 1))
        bail("out of memory");
    memset(rows.data, 0xa5, FRAMES * rows.stride + 1);
    return rows;
}

static void *row(const struct rows *rows, unsigned f)
{
    return rows->data + f * rows->stride;
}

static TAP_UNUSED bool multiple(const struct rows *rows, unsigned bytes)
{
    return rows->stride % bytes == 0;
}

static bool same(const struct rows *a, const struct rows *b)
{
    return !memcmp(a->data, b->data, FRAMES * a->stride + 1);
}

static struct fecrun_view view_of(const struct rows *rows)
{
    return (struct fecrun_view){.size = sizeof(struct fecrun_view),
                                .data = rows->data,
                                .type = rows->type,
                                .frames = FRAMES,
                                .items = rows->items,
                                .stride = rows->stride};
}

static void run_ref(struct ref *ref, const struct rows *in, const struct rows *out,
                    struct fecrun_frame_info *info)
{
    const struct fecrun_backend *backend = ref->stage->backends[0];
    const struct fecrun_form form = {.size = sizeof form};
    const struct fecrun_create create = {.size = sizeof create,
                                         .codes = &ref->plan.code,
                                         .n_codes = 1,
                                         .form = &form,
                                         .max_frames = FRAMES};
    const struct fecrun_sim sim = {sizeof sim, rng, NULL};
    const struct fecrun_call call = {.size = sizeof call,
                                     .first_frame = FIRST,
                                     .sim = &sim,
                                     .codes = &ref->plan.code,
                                     .info = info};
    struct fecrun_view in_view = view_of(in ? in : out), out_view = view_of(out);
    const struct fecrun_view *ins[FECRUN_MAX_PORTS] = {&in_view};
    struct fecrun_view *outs[FECRUN_MAX_PORTS] = {&out_view};
    struct fecrun_error err = {.size = sizeof err};
    void *instance;

    if (backend->create(&create, &instance, &err) || backend->run(instance, &call, ins, outs, &err))
        bail("%s: %s", ref->stage->name, err.text);
    backend->destroy(instance);
}

static void drop(struct ref *ref)
{
    ref->stage->plan_free(ref->plan.code);
}

/* ---- Inputs ---- */

static uint32_t next_word(void)
{
    static uint32_t at;
    uint32_t words[4];
    const struct fecrun_rng own = {1, 2, 3};

    fecrun_rng_words(&own, 0, at++, words, 1);
    return words[0];
}

static struct rows random_bits(uint32_t type, uint64_t items)
{
    struct rows rows = make_rows(type, items);

    for (unsigned f = 0; f < FRAMES; f++) {
        uint8_t *to = row(&rows, f);

        for (uint64_t i = 0; i < rows.stride; i++)
            to[i] = (uint8_t)(type == FECRUN_U8 ? next_word() & 1 : next_word());
        if (type == FECRUN_PACKED && items % 8)
            to[rows.stride - 1] &= (uint8_t)(0xff00 >> items % 8);
    }
    return rows;
}

/* Floats about 0, with some that are no numbers. */
static TAP_UNUSED struct rows random_floats(uint32_t type, uint64_t items)
{
    static const uint32_t odd[] = {0x7fc00000, 0xffc01234, 0x7f800000, 0xff800000,
                                   0x80000000, 0x00000001, 0x7149f2ca, 0xf149f2ca};
    struct rows rows = make_rows(type, items);
    size_t n = FRAMES * rows.stride / 4;

    for (size_t i = 0; i < n; i++) {
        uint32_t word = next_word();
        float x = (float)(int32_t)word * 0x1p-29f;

        if (word % 16 == 0)
            x = fecrun_bits_float(odd[word / 16 % 8]);
        memcpy(rows.data + 4 * i, &x, 4);
    }
    return rows;
}

/* ---- Sizes that fill groups of threads and that do not ---- */

static TAP_UNUSED const uint64_t bit_sizes[] = {1,   7,   8,   15,   16,   100,  127,
                                                128, 129, 256, 1001, 4096, 20007};
enum { BIT_SIZES = sizeof bit_sizes / sizeof *bit_sizes };

static TAP_UNUSED const uint64_t symbol_sizes[] = {1, 2, 3, 4, 5, 7, 64, 501, 1602};
enum { SYMBOL_SIZES = sizeof symbol_sizes / sizeof *symbol_sizes };

static TAP_UNUSED const struct {
    const char *name;
    unsigned bits;
} schemes[] = {{"bpsk", 1}, {"qpsk", 2}, {"16qam", 4}, {"64qam", 6}, {"256qam", 8}};

#endif
