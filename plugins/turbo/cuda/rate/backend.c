/* SPDX-License-Identifier: BSD-2-Clause */
/* turbo.rate_match and turbo.rate_recover on CUDA devices. */
#include "plugins/turbo/cuda/rate/launch.h"

#include <stdlib.h>

#include "plugins/common/gpu/gpu.h"
#include "plugins/turbo/cuda/device.h"
#include "plugins/turbo/cuda/rate/block.h"
#include "plugins/turbo/plugin.h"

/* Room for n classes with so many items of tables in all. */
static struct turbo_rate_class *allocate(uint32_t n, size_t items, size_t *bytes,
                                         struct fecrun_error *err)
{
    const size_t front = (n * sizeof(struct turbo_rate_class) + 15) / 16 * 16;
    struct turbo_rate_class *classes;

    *bytes = front + items * sizeof(uint16_t);
    classes = calloc(1, *bytes);
    if (!classes)
        fecrun_no_memory(err);
    return classes;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

struct turbo_rate_class *turbo_match_tables(void *const *codes, uint32_t n, size_t *bytes,
                                            struct fecrun_error *err)
{
    struct turbo_rate_class *classes;
    uint32_t items = 0;

    for (uint32_t i = 0; i < n; i++) {
        const struct turbo_rate *r = &((const struct turbo_match *)codes[i])->rate;

        items += turbo_rate_room(least(r->e, r->sent));
    }
    classes = allocate(n, items, bytes, err);
    items = 0;
    for (uint32_t i = 0; i < n && classes; i++) {
        const struct turbo_match *match = codes[i];
        const uint32_t most = least(match->rate.e, match->rate.sent);
        uint16_t *place = (uint16_t *)(uintptr_t)turbo_rate_items(classes, n) + items;

        classes[i] = (struct turbo_rate_class){.rate = match->rate, .table = items, .most = most};
        for (uint32_t j = 0; j < most; j++)
            place[j] = match->order[(match->rate.first + j) % match->rate.sent];
        items += turbo_rate_room(most);
    }
    return classes;
}

struct turbo_rate_class *turbo_recover_tables(void *const *codes, uint32_t n, size_t *bytes,
                                              struct fecrun_error *err)
{
    struct turbo_rate_class *classes;
    uint32_t items = 0;

    for (uint32_t i = 0; i < n; i++)
        items += turbo_rate_room(((const struct turbo_recover *)codes[i])->rate.n);
    classes = allocate(n, items, bytes, err);
    items = 0;
    for (uint32_t i = 0; i < n && classes; i++) {
        const struct turbo_recover *recover = codes[i];
        const struct turbo_rate *r = &recover->rate;
        uint16_t *place = (uint16_t *)(uintptr_t)turbo_rate_items(classes, n) + items;

        classes[i] = (struct turbo_rate_class){.rate = *r,
                                               .table = items,
                                               .most = recover->most,
                                               .limit = (int32_t)recover->common.limit};
        for (uint32_t v = 0; v < turbo_rate_room(r->n); v++)
            place[v] = v >= r->n                           ? TURBO_UNSENT
                       : turbo_rate_is_filler(r, v)        ? TURBO_FILLER
                       : recover->place[v] < recover->most ? recover->place[v]
                                                           : TURBO_UNSENT;
        items += turbo_rate_room(r->n);
    }
    return classes;
}

void turbo_rate_layout(const struct turbo_rate_class *classes, uint32_t n, unsigned size,
                       bool match, uint32_t *group, uint32_t *shared)
{
    uint64_t words = 0, items = 0;

    for (uint32_t i = 0; i < n; i++) {
        const struct turbo_rate *r = &classes[i].rate;
        const uint64_t own = turbo_rate_words(r, size, match), made = match ? r->e / 8 : r->n / 4;

        words = own > words ? own : words;
        items = made > items ? made : items;
    }
    *group = 8;
    while (*group < TURBO_RATE_THREADS &&
           (*group < items / 8 || words * 4 * (TURBO_RATE_THREADS / *group) > TURBO_RATE_SHARED))
        *group *= 2;
    *shared = words * 4 * (TURBO_RATE_THREADS / *group) <= TURBO_RATE_SHARED ? (uint32_t)words : 0;
}

#ifdef FECRUN_CUDA

struct instance {
    struct gpu gpu;
    uint32_t n_codes;
    uint32_t group, shared; /* struct turbo_rate_args */
};

/* Frees the classes. */
static int make(const struct fecrun_create *args, struct turbo_rate_class *classes, size_t bytes,
                bool match, void **instance, struct fecrun_error *err)
{
    const uint32_t type = args->form->out[0].type;
    struct instance *self = classes ? gpu_make(sizeof *self, args, classes, bytes, err) : NULL;

    if (self) {
        self->n_codes = args->n_codes;
        turbo_rate_layout(classes, args->n_codes,
                          type == FECRUN_PACKED ? 0 : (unsigned)fecrun_bytes(type, 1), match,
                          &self->group, &self->shared);
    }
    free(classes);
    *instance = self;
    return self ? 0 : -1;
}

static int match_create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    size_t bytes;
    struct turbo_rate_class *classes = turbo_match_tables(args->codes, args->n_codes, &bytes, err);

    return make(args, classes, bytes, true, instance, err);
}

static int create_recover(const struct fecrun_create *args, void **instance,
                          struct fecrun_error *err)
{
    size_t bytes;
    struct turbo_rate_class *classes = turbo_recover_tables(args->codes, args->n_codes, &bytes,
                                                            err);

    return make(args, classes, bytes, false, instance, err);
}

static int start(struct instance *self, const struct fecrun_call *call,
                 const struct fecrun_view *const view[GPU_PORTS], struct fecrun_error *err)
{
    struct turbo_rate_args args;
    struct gpu_call made;

    if (gpu_begin(self, call, view, &made, err))
        return -1;
    args = (struct turbo_rate_args){.frames = made.frames,
                                    .in = made.port[0],
                                    .prior = made.port[1],
                                    .out = made.port[2],
                                    .classes = self->gpu.table,
                                    .items = turbo_rate_items(self->gpu.table, self->n_codes),
                                    .group = self->group,
                                    .shared = self->shared};
    return fecrun_cuda_check(
        err, "starting the kernel",
        turbo_rate_launch(&args, self->gpu.in_type, (cudaStream_t)call->stream));
}

static int match_run(void *instance, const struct fecrun_call *call,
                     const struct fecrun_view *const in[], struct fecrun_view *const out[],
                     struct fecrun_error *err)
{
    const struct fecrun_view *const view[GPU_PORTS] = {in[0], NULL, out[0]};

    return start(instance, call, view, err);
}

static int run_recover(void *instance, const struct fecrun_call *call,
                       const struct fecrun_view *const in[], struct fecrun_view *const out[],
                       struct fecrun_error *err)
{
    const struct fecrun_view *const view[GPU_PORTS] = {in[0], in[1], out[0]};

    return start(instance, call, view, err);
}

#endif

#define BITS(t) \
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED, FECRUN_IN({.type = t}), FECRUN_OUT({.type = t}))
#define LLRS(t) \
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED, FECRUN_IN({.type = t}, {.type = t}), \
                FECRUN_OUT({.type = t}))

static const struct fecrun_form *const bits_forms[] = {BITS(FECRUN_PACKED), BITS(FECRUN_U8), NULL};

static const struct fecrun_form *const llr_forms[] = {LLRS(FECRUN_I8), LLRS(FECRUN_I16),
                                                      LLRS(FECRUN_F32), NULL};

const struct fecrun_backend turbo_rate_match_cuda = {
    FECRUN_CUDA_BACKEND(turbo_cuda_probe, match_create, match_run, gpu_destroy),
    .name = "cuda",
    .summary = "frames in shared memory, a thread eight packed bits or a byte; frames of all sizes "
               "in one launch",
    .forms = bits_forms,
    .agreement = FECRUN_AGREEMENT_EXACT,
};

const struct fecrun_backend turbo_rate_recover_cuda = {
    FECRUN_CUDA_BACKEND(turbo_cuda_probe, create_recover, run_recover, gpu_destroy),
    .name = "cuda",
    .summary = "LLRs in shared memory, a thread four sums in the order of sending; frames of all "
               "sizes in one launch",
    .forms = llr_forms,
    .agreement = FECRUN_AGREEMENT_EXACT,
};
