/* SPDX-License-Identifier: BSD-2-Clause */
/* The source of kernels in registers that are compiled when they are used: build.h. */
#ifndef LDPC_CUDA_REGISTERS_SOURCE_H
#define LDPC_CUDA_REGISTERS_SOURCE_H

#include "plugins/ldpc/cuda/registers/plan.h"
#include "plugins/ldpc/cuda/registers/form.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The graph and the kernel as C++, under number `graph` (3 and up). Writes at most `size` bytes, the 0 at the end included, as snprintf() does; the length
 * of all of it.
 */
size_t ldpc_registers_source(const struct ldpc_code *code, const struct ldpc_registers_form *form,
                             int graph, char *text, size_t size);

/*
 * The same of a kernel of NR for this lifting size alone, which may have another rule, order or schedule: with the
 * layout of `kernel` and so many lanes.
 */
size_t ldpc_registers_nr_source(const struct ldpc_decode *d,
                                const struct ldpc_registers_kernel *kernel, uint32_t lanes,
                                int graph, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
