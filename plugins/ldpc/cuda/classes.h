/* SPDX-License-Identifier: BSD-2-Clause */
/* Chooses the kernels of all classes of a batch; those that are compiled are compiled side by side. */
#ifndef LDPC_CUDA_CLASSES_H
#define LDPC_CUDA_CLASSES_H

#include "plugins/ldpc/cuda/choose.h"

/*
 * Chooses for each class of `args`, as ldpc_class_choose() does, on as many threads as the host has cores, 32 at most.
 * classes: args->n_codes, zeros. 0, or -1 and why the first class that has none has none; classes are the caller's to
 * free either way.
 */
int ldpc_classes_choose(struct ldpc_class *classes, const struct fecrun_create *args, int chosen,
                        const struct fecrun_cuda_limits *limits, struct fecrun_error *why);

#endif
