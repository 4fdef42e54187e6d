/* SPDX-License-Identifier: BSD-2-Clause */
/* How the backends simd of both families choose their kernels. */
#ifndef OUTER_SIMD_INSTANCE_H
#define OUTER_SIMD_INSTANCE_H

#include <fecrun/sdk/simd.h>
#include <fecrun/sdk/stage.h>

/* Has this build kernels for that instruction set, which this CPU runs? */
typedef bool outer_has_kernels(uint32_t isa);

/* probe(): 0, or -1 and the reason without kernels for AVX2. needs: what they need. */
int outer_simd_probe(const struct fecrun_host *host, outer_has_kernels *has, const char *needs,
                     char *reason, size_t reason_size);

/* create(): a cleared instance of `size` bytes, and the instruction set that `isa` asks for; NULL and *err. */
void *outer_simd_make(const struct fecrun_create *args, size_t size, outer_has_kernels *has,
                      uint32_t *isa, struct fecrun_error *err);

/* note(): "kernels of NAME"; name: NULL: nothing. */
void outer_simd_note(const char *name, char *text, size_t text_size);

extern const struct fecrun_param *const outer_simd_tune[];

/* The members that the four backends share. */
#define OUTER_SIMD(run_of, ...) \
    .size = sizeof(struct fecrun_backend), .name = "simd", .tune = outer_simd_tune, \
    .probe = probe, .takes = takes, .note = note, .create = create, .scratch = scratch, \
    .run = run_of, .destroy = free, .agreement = FECRUN_AGREEMENT_EXACT, __VA_ARGS__

#define OUTER_ENCODE_FORMS \
    FECRUN_FORMS(FECRUN_ONE_FORM(FECRUN_PACKED, FECRUN_PACKED), \
                 FECRUN_ONE_FORM(FECRUN_U8, FECRUN_U8))

#endif
