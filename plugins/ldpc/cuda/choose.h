/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Chooses the kernel of the backend `cuda` of ldpc.decode for frames of one class (the same code
 * and rows).
 */
#ifndef LDPC_CUDA_CHOOSE_H
#define LDPC_CUDA_CHOOSE_H

#include <fecrun/sdk/cuda.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugins/ldpc/cuda/registers/plan.h"
#include "plugins/ldpc/cuda/registers/build.h"
#include "plugins/ldpc/cuda/shared/plan.h"

/* Most forms: one code block, 1, 2, 4 .. 128 pairs, and as many as there is room for: z = 2. */
enum { LDPC_FORMS = 10 };

/* A kernel in registers, and what it is told. */
struct ldpc_form {
    const struct ldpc_registers_kernel *kernel; /* NR's, or that of `built` */
    struct ldpc_registers_work work;
    size_t shared;
};

struct ldpc_class {
    struct ldpc_shared *in_shared; /* or NULL: in registers, as what follows says */
    struct ldpc_registers_built built;
    struct ldpc_form *form; /* n_forms: more and more code blocks a thread block */
    unsigned n_forms;
    uint64_t time; /* of a thread block's code blocks, relative to that of other classes */
};

/*
 * The first kind of kernel that there is for class n of those that are asked for (c: zeros), or the kind that is
 * `chosen`, LDPC_WHICH_REGISTERS and so on; -1: neither, and why. limits: of the device.
 */
int ldpc_class_choose(struct ldpc_class *c, uint32_t n, const struct fecrun_create *args,
                      int chosen, const struct fecrun_cuda_limits *limits,
                      struct fecrun_error *why);

void ldpc_class_free(struct ldpc_class *c);

/* Form number `level` of a class in registers, or its last one. */
const struct ldpc_form *ldpc_form_of(const struct ldpc_class *c, unsigned level);

/* Thread blocks for n frames. */
uint64_t ldpc_form_blocks(const struct ldpc_form *form, uint64_t n);

#endif
