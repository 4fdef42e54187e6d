/* SPDX-License-Identifier: BSD-2-Clause */
/* Common parts of stages and plain backends of most plugins. Header only. */
#ifndef FECRUN_SDK_STAGE_H
#define FECRUN_SDK_STAGE_H

#include <fecrun/sdk/params.h>
#include <stdlib.h>

/* A table of one port, for .inputs or .outputs of a stage, outside of functions:
 *     .inputs = FECRUN_ONE_PORT("in", FECRUN_KIND_LLR, "LLRs of any scale") */
#define FECRUN_ONE_PORT(port, samples, text) \
    FECRUN_PORTS(FECRUN_PORT(.name = port, .kinds = samples, .help = text), NULL)
#ifdef __cplusplus
#define FECRUN_PORTS(...) \
    ([]() -> const struct fecrun_port *const * { \
        static const struct fecrun_port *const table[] = {__VA_ARGS__}; \
        return table; \
    }())
#else
#define FECRUN_PORTS(...) ((const struct fecrun_port *const[]){__VA_ARGS__})
#endif

/* A table of forms, for .forms of a backend, outside of functions:
 *     .forms = FECRUN_FORMS(FECRUN_ONE_FORM(FECRUN_U8, FECRUN_U8)) */
#ifdef __cplusplus
#define FECRUN_FORMS(...) \
    ([]() -> const struct fecrun_form *const * { \
        static const struct fecrun_form *const table[] = {__VA_ARGS__, NULL}; \
        return table; \
    }())
#else
#define FECRUN_FORMS(...) ((const struct fecrun_form *const[]){__VA_ARGS__, NULL})
#endif

/*
 * Defines, in C, a run() that calls row() for each row of the only input and output:
 *     static void row(const struct CODE *code, const uint8_t *in, uint8_t *out, void *scratch);
 *     FECRUN_RUN_ROWS(run, row)
 */
#define FECRUN_RUN_ROWS(run, row) \
    static int run(void *instance, const struct fecrun_call *call, \
                   const struct fecrun_view *const in[], struct fecrun_view *const out[], \
                   struct fecrun_error *err) \
    { \
        (void)instance, (void)err; \
        for (uint64_t f = 0; f < in[0]->frames; f++) \
            row(call->codes[0], fecrun_row(in[0], f), fecrun_row(out[0], f), call->scratch); \
        return 0; \
    }

/* Those of most codes. */
#define FECRUN_BITS_IN FECRUN_ONE_PORT("in", FECRUN_KIND_BITS, "bits")
#define FECRUN_BITS_OUT FECRUN_ONE_PORT("out", FECRUN_KIND_BITS, "bits")
#define FECRUN_LLRS_IN FECRUN_ONE_PORT("in", FECRUN_KIND_LLR, "LLRs of any scale")
#define FECRUN_LLRS_OUT FECRUN_ONE_PORT("out", FECRUN_KIND_LLR, "LLRs of that scale")

#define FECRUN_NO_PORTS FECRUN_PORTS(NULL)

/* Defines the plugin's one symbol: FECRUN_PLUGIN(.name = "ldpc", .stages = stages, ...); */
#ifdef __cplusplus
#define FECRUN_PLUGIN(...) \
    _Pragma("GCC diagnostic ignored \"-Wmissing-field-initializers\"") __extension__ const struct \
        fecrun_plugin fecrun_plugin = { \
            .size = sizeof(struct fecrun_plugin), .abi = FECRUN_ABI, __VA_ARGS__}
#else
#define FECRUN_PLUGIN(...) \
    const struct fecrun_plugin fecrun_plugin = { \
        .size = sizeof(struct fecrun_plugin), .abi = FECRUN_ABI, __VA_ARGS__}
#endif

/*
 * A cleared code object of so many bytes in plan->code, for a plan() that cannot fail behind it and
 * a plan_free() that is free(). NULL and *err if there is no memory.
 */
static inline void *fecrun_code(struct fecrun_plan *plan, size_t bytes, struct fecrun_error *err)
{
    plan->code = calloc(1, bytes);
    if (!plan->code)
        fecrun_no_memory(err);
    return plan->code;
}

/*
 * What plan() of a stage and of the one that undoes it have to agree on: the same text in both, such
 * as "K = 7, generators 0o133 0o171". A second call adds to the first one's text. FECRUN_PARAM_SHARED
 * parameters say what is taken from the other end, this what has to be the same in the end.
 */
__attribute__((format(printf, 2, 3))) static inline void fecrun_identity(struct fecrun_plan *plan,
                                                                         const char *format, ...)
{
    size_t used = strlen(plan->identity);
    va_list args;

    if (used >= sizeof plan->identity)
        return;
    va_start(args, format);
    vsnprintf(plan->identity + used, sizeof plan->identity - used, format, args);
    va_end(args);
}

/* For an identity of what is too long to be said: FNV-1a; begin with digest 0. */
static inline uint64_t fecrun_digest(uint64_t digest, const void *data, size_t size)
{
    const unsigned char *bytes = (const unsigned char *)data;

    digest = digest ? digest : 14695981039346656037u;
    for (size_t i = 0; i < size; i++)
        digest = (digest ^ bytes[i]) * 1099511628211u;
    return digest;
}

/* For plan(): what the user has to hear, though he may want it so. */
__attribute__((format(printf, 2, 3))) static inline void fecrun_warn(struct fecrun_plan *plan,
                                                                     const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(plan->warning, sizeof plan->warning, format, args);
    va_end(args);
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

/* The common members of references that need only the call, and of stages that turn frames into frames. In C,
 * other members follow in any order:
 *     FECRUN_BACKEND(FECRUN_REF(run), .forms = forms)
 *     const struct fecrun_stage encode_stage = {FECRUN_TRANSFORM(plan, free), .name = "mycode.encode", ...}; */
#define FECRUN_REF(run_of) \
    .name = "ref", .create = fecrun_no_instance, .run = run_of, .destroy = fecrun_no_destroy
#define FECRUN_TRANSFORM(plan_of, free_of) \
    .size = sizeof(struct fecrun_stage), .role = FECRUN_ROLE_TRANSFORM, .plan = plan_of, \
    .plan_free = free_of

/* For plan(): the output is that many bits a frame, made of the input, whose LLR format is gone. */
static inline void fecrun_frame_bits(struct fecrun_frame *out, const struct fecrun_frame *in,
                                     uint64_t items)
{
    fecrun_frame_copy(out, in);
    out->kind = FECRUN_KIND_BITS;
    out->type = FECRUN_U8;
    out->items = items;
    out->llr_scale = 0;
    out->llr_max = 0;
}

/*
 * For plan(): the frame's modulation. `name` has 1 to 23 characters, bits are those of a symbol, dimensions 1
 * where symbols are real, else 2.
 */
static inline void fecrun_frame_scheme(struct fecrun_frame *frame, const char *name, uint32_t bits,
                                       uint32_t dimensions)
{
    memset(frame->scheme, 0, sizeof frame->scheme); /* frames are compared as bytes, too */
    snprintf(frame->scheme, sizeof frame->scheme, "%s", name);
    frame->bits_per_symbol = bits;
    frame->symbol_dimensions = dimensions;
}

/* Says whether a frame is good, in place of what an earlier stage said. For a decoder, which may have
 * corrected what an inner one could not. `good`: 0 marks it as failed. */
static inline void fecrun_frame_checked(struct fecrun_frame_info *info, int good)
{
    info->flags &= ~(uint32_t)FECRUN_FRAME_FAILED;
    info->flags |= (uint32_t)FECRUN_FRAME_CHECKED | (good ? 0 : (uint32_t)FECRUN_FRAME_FAILED);
}

/* Says whether a frame is good, beside what an earlier stage said: one that has failed stays failed.
 * For a check that corrects nothing, such as a CRC. `good`: 0 marks it as failed. */
static inline void fecrun_frame_checked_too(struct fecrun_frame_info *info, int good)
{
    info->flags |= (uint32_t)FECRUN_FRAME_CHECKED | (good ? 0 : (uint32_t)FECRUN_FRAME_FAILED);
}

#endif
