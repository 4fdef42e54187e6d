/* SPDX-License-Identifier: BSD-2-Clause */
/* The source of the kernel in registers of a code that is not NR's: registers_code.h. */
#ifndef LDPC_CUDA_REGISTERS_SOURCE_H
#define LDPC_CUDA_REGISTERS_SOURCE_H

#include "plugins/ldpc/cuda/registers_form.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The graph and the kernel as C++, under number `graph` (3 and up). Writes at most `size` bytes, the 0 at the end included, as snprintf() does; the length
 * of all of it.
 */
size_t ldpc_registers_source(const struct ldpc_code *code, const struct ldpc_registers_form *form,
                             int graph, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
