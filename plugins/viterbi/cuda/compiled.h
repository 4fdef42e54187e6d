/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Kernels in registers that are compiled when they are used: those of codes without built-in ones, and
 * all of them below compute capability 9.0. Nothing here needs a device, but for the last part.
 */
#ifndef VITERBI_CUDA_COMPILED_H
#define VITERBI_CUDA_COMPILED_H

#include "plugins/viterbi/cuda/registers/plan.h"

/*
 * NULL, and all of *kernel but its function, with places for the survivors of so many threads a block
 * (256, 128, 64, or but for K = 9 96); or why there is no kernel like this, in words.
 */
const char *viterbi_compiled_plan(const struct viterbi_code *code,
                                  const struct registers_wish *wish, uint32_t threads,
                                  struct registers_kernel *kernel);

/* Can it have a slot of its ring in device memory (REGISTERS_GLOBAL_SLOT)? */
bool viterbi_compiled_has_global_slot(const struct viterbi_code *code,
                                      const struct registers_wish *wish);

/* Can it hold the newest block's survivors (REGISTERS_HELD)? */
bool viterbi_compiled_holds(const struct viterbi_code *code, const struct registers_wish *wish);

/* The source of a kernel that viterbi_compiled_plan() has nothing against, as snprintf() writes it. */
size_t viterbi_compiled_source(const struct viterbi_code *code, const struct registers_wish *wish,
                               uint32_t threads, char *text, size_t size);

struct fecrun_error;

/* Its machine code for that compute capability (80: 8.0), malloc()ed; NULL and the reason in err. For
 * tests. */
void *viterbi_compile(const struct viterbi_code *code, const struct registers_wish *wish,
                      uint32_t threads, unsigned capability, int driver, size_t *size,
                      struct fecrun_error *err);

/* ---- On a device ---- */

struct rtc_compiled;

/* Compiles and loads the kernel for the device, which is the thread's own. As rtc_compiled_load(). */
int viterbi_compiled_load(struct rtc_compiled *compiled, const struct viterbi_code *code,
                          const struct registers_wish *wish, uint32_t threads, int device,
                          struct fecrun_error *err);

#endif
