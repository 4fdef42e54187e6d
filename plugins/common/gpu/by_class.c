/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/common/gpu/by_class.h"

int by_class_takes(const struct fecrun_create *args,
                   int (*takes)(const struct fecrun_create *args, struct fecrun_error *err),
                   struct fecrun_error *err)
{
    void *const *codes[APART_ABSORBED];

    for (uint32_t c = 0; c < args->n_codes; c++) {
        const struct fecrun_create one = apart_one(args, c, codes);

        if (takes(&one, err))
            return -1;
    }
    return 0;
}

#ifdef FECRUN_CUDA

struct by_class {
    const struct by_class_backend *backend;
    uint32_t n;
    void **own; /* an instance a class */
    struct apart apart;
};

const void *by_class_first(const void *instance)
{
    return ((const struct by_class *)instance)->own[0];
}

void by_class_destroy(void *instance)
{
    struct by_class *b = instance;

    if (!b)
        return;
    for (uint32_t c = 0; b->own && c < b->n; c++)
        if (b->own[c])
            b->backend->destroy(b->own[c]);
    apart_free(&b->apart);
    free(b->own);
    free(b);
}

static int fill(struct by_class *b, const struct fecrun_create *args, struct fecrun_error *err)
{
    void *const *codes[APART_ABSORBED];

    b->own = calloc(b->n, sizeof *b->own);
    if (!b->own)
        return fecrun_no_memory(err);
    if (b->n > 1 && apart_make(&b->apart, args, b->backend->items, b->backend->copy, 16, err))
        return -1;
    for (uint32_t c = 0; c < b->n; c++) {
        const struct fecrun_create one = apart_one(args, c, codes);

        if (b->backend->create(&one, &b->own[c], err))
            return -1;
    }
    return 0;
}

int by_class_create(const struct by_class_backend *backend, const struct fecrun_create *args,
                    void **instance, struct fecrun_error *err)
{
    struct by_class *b = calloc(1, sizeof *b);

    *instance = NULL;
    if (!b)
        return fecrun_no_memory(err);
    b->backend = backend;
    b->n = args->n_codes;
    if (fill(b, args, err)) {
        by_class_destroy(b);
        return -1;
    }
    *instance = b;
    return 0;
}

size_t by_class_scratch(const void *instance, uint64_t frames)
{
    const struct by_class *b = instance;
    size_t most = 0;

    for (uint32_t c = 0; b->backend->scratch && c < b->n; c++) {
        const size_t own = b->backend->scratch(b->own[c], frames);

        most = own > most ? own : most;
    }
    return most + (b->n > 1 ? apart_scratch(&b->apart, frames) : 0);
}

static int run_class(const struct by_class *b, const struct apart_call *k, uint32_t c,
                     struct fecrun_error *err)
{
    const struct apart *a = &b->apart;
    struct fecrun_view view[APART_PORTS];
    const struct fecrun_view *in[FECRUN_MAX_PORTS] = {NULL};
    struct fecrun_view *out[FECRUN_MAX_PORTS] = {NULL};
    struct fecrun_call call = *k->call;

    for (unsigned p = 0; p < a->n_ports; p++) {
        if (!k->view[p])
            continue;
        view[p] = apart_class(a, k, p, c);
        if (p < a->n_in)
            in[p] = &view[p];
        else
            out[p - a->n_in] = &view[p];
    }
    call.codes += c;
    call.scratch = k->scratch;
    call.info = call.out_info = k->info + a->first_info[c];
    return b->backend->run(b->own[c], &call, in, out, err);
}

int by_class_run(void *instance, const struct fecrun_call *call,
                 const struct fecrun_view *const in[], struct fecrun_view *const out[],
                 struct fecrun_error *err)
{
    struct by_class *b = instance;
    struct apart_call k;

    if (b->n == 1)
        return b->backend->run(b->own[0], call, in, out, err);
    if (apart_begin(&b->apart, call, in, out, &k, err))
        return -1;
    for (uint32_t c = 0; c < b->n; c++)
        if (b->apart.count[c] && run_class(b, &k, c, err))
            return -1;
    return apart_end(&b->apart, &k, err);
}

#endif
