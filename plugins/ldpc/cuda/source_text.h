/* SPDX-License-Identifier: BSD-2-Clause */
/* A text that is put together; what does not fit is counted only, as snprintf() does. */
#ifndef LDPC_CUDA_SOURCE_TEXT_H
#define LDPC_CUDA_SOURCE_TEXT_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

struct text {
    char *at;
    size_t size, length;
};

static inline void put(struct text *t, const char *format, ...)
{
    const size_t left = t->length < t->size ? t->size - t->length : 0;
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(left ? t->at + t->length : NULL, left, format, args);
    va_end(args);
    t->length += n > 0 ? (size_t)n : 0;
}

#endif
