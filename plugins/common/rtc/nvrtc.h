/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CUDA C++ compiled at run time, with NVIDIA's libnvrtc. Nothing is linked with it: it is looked for
 * when it is needed, and let go again. No toolkit's headers are needed: sources bring theirs along,
 * and get empty ones or the types for <stdint.h>, <stddef.h>, <stdbool.h> and <string.h>.
 */
#ifndef COMMON_RTC_NVRTC_H
#define COMMON_RTC_NVRTC_H

#include <fecrun/plugin.h>

struct rtc_header {
    const char *name; /* as it is included */
    const char *text;
};

struct rtc_source {
    const char *text;
    const struct rtc_header *headers;
    size_t n_headers;
    unsigned capability; /* 90: 9.0 */
    int translated;      /* PTX instead, which the driver translates for a later device */
};

/* Why there is nothing that compiles. */
#define RTC_NO_NVRTC "no libnvrtc (of CUDA 12 or 13), which compiles the kernel"

/* Major version * 1000 + minor version * 10; 0: there is no libnvrtc. */
int rtc_nvrtc_version(void);

/*
 * Machine code (a cubin, or PTX) of that source for that capability, malloc()ed: from the cache, if `driver` and
 * NVRTC have the same versions as when it was stored, or compiled, which takes seconds. NULL and
 * the reason in err.
 */
void *rtc_compile(const struct rtc_source *source, int driver, size_t *size,
                  struct fecrun_error *err);

#endif
