/* SPDX-License-Identifier: BSD-2-Clause */
/* One frame through the reference of ldpc.decode. */
#ifndef T_LDPC_REF_H
#define T_LDPC_REF_H

#include <fecrun/sdk/params.h>

#include "plugins/ldpc/decode.h"
#include "t/lib/tap.h"

/* LLRs of so many bits. */
static inline struct fecrun_view ref_floats(float *to, uint64_t items)
{
    return (struct fecrun_view){.size = sizeof(struct fecrun_view),
                                .data = to,
                                .type = FECRUN_F32,
                                .frames = 1,
                                .items = items,
                                .stride = items * sizeof *to};
}

/* The bits of the output view, and its verdict; LLRs of the bits and of the word, either NULL: not read. */
static inline struct fecrun_frame_info decode_ref_soft(struct ldpc_decode *d, const void *llr,
                                                       uint32_t type, void *bits,
                                                       uint32_t bits_type, float *llrs, float *word)
{
    struct fecrun_frame_info info = {.flags = FECRUN_FRAME_FAILED, .iterations = 99};
    struct fecrun_error err = {.size = sizeof err};
    size_t bytes = (ldpc_decode_ref.scratch(d, 1) + 63) & ~(size_t)63;
    void *codes[] = {d}, *scratch = aligned_alloc(64, bytes);
    struct fecrun_call call = {.size = sizeof call,
                               .scratch = scratch,
                               .codes = codes,
                               .info = &info,
                               .cancel = &(const volatile int){0}};
    struct fecrun_view in = {.size = sizeof in,
                             .data = (void *)(uintptr_t)llr,
                             .type = type,
                             .frames = 1,
                             .items = d->code->n,
                             .stride = fecrun_bytes(type, d->code->n)};
    struct fecrun_view out = {.size = sizeof out,
                              .data = bits,
                              .type = bits_type,
                              .frames = 1,
                              .items = d->bits,
                              .stride = fecrun_bytes(bits_type, d->bits)};
    const struct fecrun_view *ins[] = {&in};
    struct fecrun_view soft = ref_floats(llrs, d->bits), code = ref_floats(word, d->code->n);
    struct fecrun_view *outs[LDPC_OUTPUTS] = {&out, llrs ? &soft : NULL, word ? &code : NULL};

    if (!scratch)
        bail("out of memory");
    memset(scratch, 0x5a, bytes);
    if (ldpc_decode_ref.run(d, &call, ins, outs, &err))
        bail("run() failed: %s", err.text);
    free(scratch);
    return info;
}

static inline struct fecrun_frame_info decode_ref(struct ldpc_decode *d, const void *llr,
                                                  uint32_t type, void *bits, uint32_t bits_type)
{
    return decode_ref_soft(d, llr, type, bits, bits_type, NULL, NULL);
}

#endif
