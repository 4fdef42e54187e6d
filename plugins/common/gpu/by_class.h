/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Forms with FECRUN_FORM_RAGGED for CUDA backends whose kernels take frames of one size: an instance has one of
 * the backend's own instances a class, which is called with that class's frames (apart.h).
 */
#ifndef PLUGINS_COMMON_GPU_BY_CLASS_H
#define PLUGINS_COMMON_GPU_BY_CLASS_H

#include "plugins/common/gpu/apart.h"

#ifdef FECRUN_CUDA

/* What the backend does with frames of one class; scratch may be NULL. */
struct by_class_backend {
    int (*create)(const struct fecrun_create *args, void **instance, struct fecrun_error *err);
    size_t (*scratch)(const void *instance, uint64_t frames);
    int (*run)(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err);
    void (*destroy)(void *instance);
    apart_items *items;
    apart_copy copy;
};

int by_class_create(const struct by_class_backend *backend, const struct fecrun_create *args,
                    void **instance, struct fecrun_error *err);
size_t by_class_scratch(const void *instance, uint64_t frames);
int by_class_run(void *instance, const struct fecrun_call *call,
                 const struct fecrun_view *const in[], struct fecrun_view *const out[],
                 struct fecrun_error *err);
void by_class_destroy(void *instance);
/* The backend's own instance of the first class. */
const void *by_class_first(const void *instance);

#endif

/* For takes(): asks `takes` about each class by itself. */
int by_class_takes(const struct fecrun_create *args,
                   int (*takes)(const struct fecrun_create *args, struct fecrun_error *err),
                   struct fecrun_error *err);

#endif
