/* SPDX-License-Identifier: BSD-2-Clause */
/* The kernels in shared memory on the CPU: shared_emulate.cc. */
#ifndef T_LDPC_SHARED_MACHINE_H
#define T_LDPC_SHARED_MACHINE_H

#include "plugins/ldpc/cuda/shared/work.h"
#include <stddef.h>

#ifdef __cplusplus
extern "C"
#endif
    void
    ldpc_shared_emulate(int kernel, const struct ldpc_shared_work *work, uint32_t blocks,
                        uint32_t threads, size_t bytes, uint32_t order);

#endif
