/* SPDX-License-Identifier: BSD-2-Clause */
/* Describes a variant as text; the clock. */
#include "tools/check/check.h"

#include "tools/check/check_impl.h"

#include <stdio.h>
#include <time.h>

double check_clock(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

const char *check_variant_text(const struct check_variant *v, char *buffer, size_t size)
{
    size_t used = 0;

    buffer[0] = 0;
    if (!v->n_in)
        snprintf(buffer, size, "no input");
    for (unsigned p = 0; p < v->n_in && used < size; p++) {
        const struct fecrun_frame *f = &v->in[p];

        if (!v->linked[p])
            continue;
        used += (size_t)snprintf(buffer + used, size - used, "%s%llu %s", p ? " + " : "",
                                 (unsigned long long)f->items, fecrun_type_name(f->type));
        if (f->llr_max > 0 && used < size)
            used += (size_t)snprintf(buffer + used, size - used, " llr_max %g", f->llr_max);
        if (f->scheme[0] && used < size)
            used += (size_t)snprintf(buffer + used, size - used, " scheme %s n0 %g", f->scheme,
                                     f->n0);
        if (f->pieces > 1 && used < size)
            used += (size_t)snprintf(buffer + used, size - used, " x %u pieces", f->pieces);
        if (f->stream && used < size)
            used += (size_t)snprintf(buffer + used, size - used, " stream");
    }
    return buffer;
}
