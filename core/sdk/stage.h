/* SPDX-License-Identifier: BSD-2-Clause */
/* What the stages and plain backends of most plugins are made of; header only. */
#ifndef FECRUN_SDK_STAGE_H
#define FECRUN_SDK_STAGE_H

#include <fecrun/sdk/params.h>
#include <stdlib.h>

/* A table of one port, for .inputs or .outputs of a stage, outside of functions:
 *     .inputs = FECRUN_ONE_PORT("in", FECRUN_LLR, "LLRs of any scale") */
#define FECRUN_ONE_PORT(port, samples, text) \
    ((const struct fecrun_port *const[]){ \
        FECRUN_PORT(.name = port, .kinds = samples, .help = text), NULL})

/* Those of most codes. */
#define FECRUN_BITS_IN FECRUN_ONE_PORT("in", FECRUN_BITS, "bits")
#define FECRUN_BITS_OUT FECRUN_ONE_PORT("out", FECRUN_BITS, "bits")
#define FECRUN_LLRS_IN FECRUN_ONE_PORT("in", FECRUN_LLR, "LLRs of any scale")
#define FECRUN_LLRS_OUT FECRUN_ONE_PORT("out", FECRUN_LLR, "LLRs of that scale")

#define FECRUN_NO_PORTS ((const struct fecrun_port *const[]){NULL})

/* Defines the plugin's one symbol: FECRUN_PLUGIN(.name = "ldpc", .stages = stages, ...); */
#define FECRUN_PLUGIN(...) \
    FECRUN_EXPORT extern const struct fecrun_plugin fecrun_plugin; \
    const struct fecrun_plugin fecrun_plugin = { \
        .size = sizeof(struct fecrun_plugin), .abi = FECRUN_ABI, __VA_ARGS__}

/*
 * A cleared code object of so many bytes in plan->code, for a plan() that cannot fail behind it and
 * a plan_free() that is free(). NULL and *err if there is no memory.
 */
static inline void *fecrun_code(struct fecrun_plan *plan, size_t bytes, struct fecrun_error *err)
{
    plan->code = calloc(1, bytes);
    if (!plan->code)
        fecrun_fail(err, NULL, "out of memory");
    return plan->code;
}

/* create() and destroy() of backends that need nothing but the call: the instance is the first code
 * object, which is not theirs. */
static inline int fecrun_no_instance(const struct fecrun_create *args, void **instance,
                                     struct fecrun_error *err)
{
    (void)err;
    *instance = args->codes[0];
    return 0;
}

static inline void fecrun_no_destroy(void *instance)
{
    (void)instance;
}

/* For plan(): the output is that many bits a frame, made of the input, whose LLR format is gone. */
static inline void fecrun_frame_bits(struct fecrun_frame *out, const struct fecrun_frame *in,
                                     uint64_t items)
{
    fecrun_frame_copy(out, in);
    out->kind = FECRUN_BITS;
    out->type = FECRUN_U8;
    out->items = items;
    out->llr_scale = 0;
    out->llr_max = 0;
}

/* A frame's check for whoever comes behind: it replaces an earlier one's verdict. */
static inline void fecrun_frame_checked(struct fecrun_frame_info *info, int good)
{
    info->flags &= ~(uint32_t)FECRUN_FAILED;
    info->flags |= (uint32_t)FECRUN_CHECKED | (good ? 0 : (uint32_t)FECRUN_FAILED);
}

#endif
