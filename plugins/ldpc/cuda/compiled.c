/* SPDX-License-Identifier: BSD-2-Clause */
#include <fecrun/sdk/cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/ldpc/cuda/compiled.h"
#include "plugins/ldpc/cuda/registers/work.h"

/* What sources include; made from the files by the build. */
static const struct rtc_header headers[] = {
#include "ldpc_kernel_texts.h"
};

unsigned ldpc_shared_begins(unsigned device)
{
    return device < 90 ? 0 : LDPC_SHARED_BEGINS;
}

/* The text with what it must know of the device, malloc()ed; NULL without memory. */
static char *text_for(const char *text, unsigned device)
{
    const size_t length = strlen(text) + 48;
    char *const whole = malloc(length);

    if (whole)
        snprintf(whole, length, "#define LDPC_SHARED_BEGINS %u\n%s", ldpc_shared_begins(device),
                 text);
    return whole;
}

void *ldpc_compile(const char *text, unsigned capability, int driver, size_t *size,
                   struct fecrun_error *err)
{
    char *const whole = text_for(text, capability);
    const struct rtc_source source = {.text = whole,
                                      .headers = headers,
                                      .n_headers = sizeof headers / sizeof *headers,
                                      .capability = capability};
    void *code = NULL;

    *size = 0;
    if (whole)
        code = rtc_compile(&source, driver, size, err);
    else
        fecrun_no_memory(err);
    free(whole);
    return code;
}

#ifdef FECRUN_CUDA

int ldpc_compiled_load(struct rtc_compiled *compiled, const char *text, int device,
                       struct fecrun_error *err)
{
    struct rtc_source source = {.headers = headers, .n_headers = sizeof headers / sizeof *headers};
    struct fecrun_cuda_limits limits;
    char *whole;
    int status;

    *compiled = (struct rtc_compiled){NULL, NULL};
    if (fecrun_cuda_limits_of(device, &limits, err))
        return -1;
    whole = text_for(text, limits.own);
    if (!whole)
        return fecrun_no_memory(err);
    source.text = whole;
    status = rtc_compiled_load(compiled, &source, device, err);
    free(whole);
    return status;
}

#endif
