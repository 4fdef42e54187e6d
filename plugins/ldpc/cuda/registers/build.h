/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A kernel in registers for one code that is not NR's, or NR's as ldpc_registers_build_twin() has it: compiled
 * when it is used, with the code's shifts in it.
 */
#ifndef LDPC_CUDA_REGISTERS_BUILD_H
#define LDPC_CUDA_REGISTERS_BUILD_H

#include "plugins/ldpc/cuda/compiled.h"
#include "plugins/ldpc/cuda/registers/plan.h"
#include "plugins/ldpc/cuda/registers/form.h"

struct ldpc_registers_built {
    struct ldpc_registers_form form;
    struct ldpc_registers_kernel kernel;
    struct rtc_compiled compiled;
};

/*
 * Machine code of the form's kernel for compute capability `capability` (90: 9.0), malloc()ed; NULL
 * and the reason in err. Needs no device.
 */
void *ldpc_registers_compile(const struct ldpc_code *code, const struct ldpc_registers_form *form,
                             unsigned capability, int driver, size_t *size,
                             struct fecrun_error *err);

/* Could there be such a kernel on this device? 0, or -1 and why not. Quick. */
int ldpc_registers_possible(const struct ldpc_code *code, int device, struct fecrun_error *why);

/*
 * Chooses a form for the device, which is the thread's own, compiles it and loads it. 0, or -1 and
 * why there is no such kernel in err; nothing is left behind then. soft: LLRs come out, too.
 */
int ldpc_registers_build(const struct ldpc_decode *d, bool soft, int device,
                         struct ldpc_registers_built *built, struct fecrun_error *err);

/*
 * The same of NR with offset min-sum, with flooding, for one lifting size, or for another device: the twin
 * of a kernel of this build, ldpc_registers_twin(). LLRs come out, too, if `kernel` says so.
 */
int ldpc_registers_build_twin(const struct ldpc_decode *d,
                              const struct ldpc_registers_kernel *kernel, bool exact,
                              uint32_t lanes, int device, struct ldpc_registers_built *built,
                              struct fecrun_error *err);

/* Zeroed is fine. */
void ldpc_registers_unload(struct ldpc_registers_built *built);

#endif
