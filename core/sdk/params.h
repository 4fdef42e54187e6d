/* SPDX-License-Identifier: BSD-2-Clause */
/* Small helpers for nearly every plugin. Header only. */
#ifndef FECRUN_SDK_PARAMS_H
#define FECRUN_SDK_PARAMS_H

#include <fecrun/plugin.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/*
 * Fills err (first error wins) and returns -1, so that a failure is one line:
 *     return fecrun_fail(err, "tile.f", "must be a multiple of %u", period);
 * param may be NULL.
 */
__attribute__((format(printf, 3, 4))) static inline int
fecrun_fail(struct fecrun_error *err, const char *param, const char *format, ...)
{
    va_list args;

    if (!err || err->text[0])
        return -1;
    snprintf(err->param, sizeof err->param, "%s", param ? param : "");
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    return -1;
}

/* Fills err with the words by which a host knows that it is not the parameters' fault, see fecrun_error;
   returns -1. */
static inline int fecrun_no_memory(struct fecrun_error *err)
{
    return fecrun_fail(err, NULL, "out of memory");
}

/* Value number i of a list of values; the order is that of the schema. */
static inline const struct fecrun_value *fecrun_value(const struct fecrun_values *values, size_t i)
{
    return values->v[i];
}

/* Set from a signal handler or another thread, hence atomic. */
static inline int fecrun_cancelled(const volatile int *cancel)
{
    return __atomic_load_n(cancel, __ATOMIC_RELAXED);
}

/* The value of that name, of a schema that has it. */
static inline const struct fecrun_value *fecrun_named(const struct fecrun_param *const *params,
                                                      const struct fecrun_values *values,
                                                      const char *name)
{
    size_t i = 0;

    while (params[i + 1] && strcmp(params[i]->name, name))
        i++;
    return values->v[i];
}

/* Start of a plan(): the output frame is the input frame. */
static inline void fecrun_frame_copy(struct fecrun_frame *out, const struct fecrun_frame *in)
{
    size_t bytes = in->size < out->size ? in->size : out->size;
    size_t keep = out->size;

    memcpy(out, in, bytes);
    out->size = keep;
}

/* Frames for each one of the source. */
static inline uint32_t fecrun_pieces(const struct fecrun_frame *frame)
{
    return frame->pieces ? frame->pieces : 1;
}

/* Bytes that n items of a type take, rounded up to whole bytes. */
static inline uint64_t fecrun_bytes(uint32_t type, uint64_t n)
{
    switch (type) {
    case FECRUN_U8:
    case FECRUN_I8:
        return n;
    case FECRUN_PACKED:
        return n / 8 + (n % 8 != 0);
    case FECRUN_I4:
        return n / 2 + n % 2;
    case FECRUN_F16:
    case FECRUN_I16:
        return 2 * n;
    case FECRUN_F32:
        return 4 * n;
    case FECRUN_C8:
        return 8 * n;
    default:
        return 0;
    }
}

/* Frame f of a view in host memory, also of a ragged one. */
static inline void *fecrun_row(const struct fecrun_view *view, uint64_t f)
{
    return (char *)view->data + (view->offset ? view->offset[f] : f * view->stride);
}

/* The code object that frame f of a view belongs to, also of a ragged one. */
static inline void *fecrun_code_of(const struct fecrun_call *call, const struct fecrun_view *view,
                                   uint64_t f)
{
    return call->codes[view->frame_class ? view->frame_class[f] : 0];
}

/*
 * Short forms for tables: FECRUN_PARAM(.name = "e", ...) is a pointer to a static constant. In C++,
 * from C++11 on with GCC and Clang, names stand in the order of the struct's fields.
 */
#ifdef __cplusplus
#define FECRUN_STATIC(type, ...) \
    (__extension__[]() -> const struct type * { \
        _Pragma("GCC diagnostic push") _Pragma( \
            "GCC diagnostic ignored \"-Wmissing-field-initializers\"") static const struct type \
            object = {.size = sizeof(struct type), __VA_ARGS__}; \
        _Pragma("GCC diagnostic pop") return &object; \
    }())
#else
#define FECRUN_STATIC(type, ...) (&(const struct type){sizeof(struct type), __VA_ARGS__})
#endif

/* The samples of a form, one for each port of the stage:
   FECRUN_FORM(FECRUN_IN({.type = FECRUN_I8}, {.type = FECRUN_NONE}), FECRUN_OUT({.type = FECRUN_U8})) */
#ifdef __cplusplus
#define FECRUN_SAMPLES(result, ...) \
    ([]() { \
        static const struct fecrun_sample samples[] = {__VA_ARGS__}; \
        return result; \
    }())
#define FECRUN_IN(...) \
    .n_in = FECRUN_SAMPLES((uint32_t)(sizeof samples / sizeof *samples), __VA_ARGS__), \
    .in = FECRUN_SAMPLES((const struct fecrun_sample *)samples, __VA_ARGS__)
#define FECRUN_OUT(...) \
    .n_out = FECRUN_SAMPLES((uint32_t)(sizeof samples / sizeof *samples), __VA_ARGS__), \
    .out = FECRUN_SAMPLES((const struct fecrun_sample *)samples, __VA_ARGS__)
#else
#define FECRUN_SAMPLES(...) ((const struct fecrun_sample[]){__VA_ARGS__})
#define FECRUN_IN(...) \
    .n_in = sizeof FECRUN_SAMPLES(__VA_ARGS__) / sizeof(struct fecrun_sample), \
    .in = FECRUN_SAMPLES(__VA_ARGS__)
#define FECRUN_OUT(...) \
    .n_out = sizeof FECRUN_SAMPLES(__VA_ARGS__) / sizeof(struct fecrun_sample), \
    .out = FECRUN_SAMPLES(__VA_ARGS__)
#endif

#define FECRUN_PARAM(...) FECRUN_STATIC(fecrun_param, __VA_ARGS__)
/*
 * Those of one type: name, limits or choices, then any other member. Limits that are equal are none.
 *     FECRUN_INT("times", 1, 1000, .default_text = "3", .help = "how often each bit is sent")
 *     FECRUN_FLOAT("alpha", 0.05, 1, .flags = FECRUN_PARAM_POINT, .help = "factor of messages")
 *     FECRUN_CHOICE("rate", rates, .flags = FECRUN_PARAM_REQUIRED, .help = "code rate")
 *     FECRUN_BOOL("stream", .default_text = "false", .help = "an endless sequence")
 */
#define FECRUN_INT(param_name, least, most, ...) \
    FECRUN_PARAM(.name = param_name, .type = FECRUN_VALUE_INT, .imin = least, .imax = most, \
                 __VA_ARGS__)
#define FECRUN_FLOAT(param_name, least, most, ...) \
    FECRUN_PARAM(.name = param_name, .type = FECRUN_VALUE_FLOAT, .fmin = least, .fmax = most, \
                 __VA_ARGS__)
#define FECRUN_CHOICE(param_name, words, ...) \
    FECRUN_PARAM(.name = param_name, .type = FECRUN_VALUE_CHOICE, .choices = words, __VA_ARGS__)
#define FECRUN_BOOL(param_name, ...) \
    FECRUN_PARAM(.name = param_name, .type = FECRUN_VALUE_BOOL, __VA_ARGS__)

#define FECRUN_OLD_CHOICE(...) FECRUN_STATIC(fecrun_old_choice, __VA_ARGS__)
#define FECRUN_PORT(...) FECRUN_STATIC(fecrun_port, __VA_ARGS__)
#define FECRUN_FORM(...) FECRUN_STATIC(fecrun_form, __VA_ARGS__)
/* The form of one input and one output, by their types of samples. */
#define FECRUN_ONE_FORM(from, to) FECRUN_FORM(FECRUN_IN({.type = from}), FECRUN_OUT({.type = to}))
#define FECRUN_BACKEND(...) FECRUN_STATIC(fecrun_backend, __VA_ARGS__)
#define FECRUN_EXAMPLE(...) FECRUN_STATIC(fecrun_example, __VA_ARGS__)
#define FECRUN_STAGE(...) FECRUN_STATIC(fecrun_stage, __VA_ARGS__)

#endif
