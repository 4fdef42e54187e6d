/* SPDX-License-Identifier: BSD-2-Clause */
/* Kernels that are compiled when they are used (nvrtc.h), loaded into a device. */
#ifndef COMMON_RTC_COMPILED_H
#define COMMON_RTC_COMPILED_H

#include <fecrun/plugin.h>

#include "plugins/common/rtc/nvrtc.h"

struct rtc_compiled {
    void *library; /* cudaLibrary_t */
    const void *function;
};

/* Could there be such kernels on this device, of compute capability 8.0 or later? 0, or -1 and why not.
 * Quick. */
int rtc_possible(int device, struct fecrun_error *why);

/*
 * Compiles and loads the only kernel of source->text for the device, which is the thread's own. Of the
 * source its text and headers are read; the rest is the device's. -1: reason in err, and nothing is
 * left behind.
 */
int rtc_compiled_load(struct rtc_compiled *compiled, const struct rtc_source *source, int device,
                      struct fecrun_error *err);

/* Zeroed is fine. */
void rtc_compiled_unload(struct rtc_compiled *compiled);

#endif
