/* SPDX-License-Identifier: BSD-2-Clause */
#include <fecrun/sdk/cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/common/rtc/nvrtc.h"
#include "plugins/ldpc/cuda/compiled.h"
#include "plugins/ldpc/cuda/registers/work.h"

#define OLD_CUDA "this build's CUDA is older than 12.8"

/* What sources include; made from the files by the build. */
static const struct rtc_header headers[] = {
#include "ldpc_kernel_texts.h"
};

unsigned ldpc_shared_begins(unsigned device)
{
    return device < 90 ? 0 : LDPC_SHARED_BEGINS;
}

/* For capability `capability`, of a device that has capability `device`, the same or a later one. */
static void *compile(const char *text, unsigned capability, unsigned device, int driver,
                     size_t *size, struct fecrun_error *err)
{
    struct rtc_source source = {.headers = headers,
                                .n_headers = sizeof headers / sizeof *headers,
                                .capability = capability,
                                .translated = capability < device};
    const size_t length = strlen(text) + 48;
    char *const whole = malloc(length);
    void *code;

    *size = 0;
    if (!whole) {
        fecrun_no_memory(err);
        return NULL;
    }
    snprintf(whole, length, "#define LDPC_SHARED_BEGINS %u\n%s", ldpc_shared_begins(device), text);
    source.text = whole;
    code = rtc_compile(&source, driver, size, err);
    free(whole);
    return code;
}

void *ldpc_compile(const char *text, unsigned capability, int driver, size_t *size,
                   struct fecrun_error *err)
{
    return compile(text, capability, capability, driver, size, err);
}

#ifdef FECRUN_CUDA

int ldpc_compiled_possible(int device, struct fecrun_error *why)
{
    const char *problem = NULL;
    struct fecrun_cuda_limits limits;

    if (fecrun_cuda_limits_of(device, &limits, why))
        return -1;
    if (limits.capability < 80)
        problem = "compute capability 8.0 is needed";
    if (!problem && CUDART_VERSION < 12080)
        problem = OLD_CUDA;
    if (!problem && !rtc_nvrtc_version())
        problem = RTC_NO_NVRTC;
    return problem ? fecrun_fail(why, NULL, "%s", problem) : 0;
}

#if CUDART_VERSION >= 12080

static int load(struct ldpc_compiled *compiled, const void *cubin, struct fecrun_error *err)
{
    cudaLibrary_t library = NULL;
    cudaKernel_t kernel = NULL;
    cudaError_t status = cudaLibraryLoadData(&library, cubin, NULL, NULL, 0, NULL, NULL, 0);

    if (status == cudaSuccess)
        status = cudaLibraryEnumerateKernels(&kernel, 1, library);
    compiled->library = library;
    compiled->function = kernel;
    if (fecrun_cuda_check(err, "loading the kernel", status) == 0)
        return 0;
    cudaGetLastError(); /* which the next launch would find */
    ldpc_compiled_unload(compiled);
    return -1;
}

void ldpc_compiled_unload(struct ldpc_compiled *compiled)
{
    if (compiled->library)
        cudaLibraryUnload((cudaLibrary_t)compiled->library);
    compiled->library = NULL;
}

#else

static int load(struct ldpc_compiled *compiled, const void *cubin, struct fecrun_error *err)
{
    (void)compiled, (void)cubin;
    return fecrun_fail(err, NULL, OLD_CUDA);
}

void ldpc_compiled_unload(struct ldpc_compiled *compiled)
{
    (void)compiled;
}

#endif

int ldpc_compiled_load(struct ldpc_compiled *compiled, const char *text, int device,
                       struct fecrun_error *err)
{
    struct fecrun_cuda_limits limits;
    int driver = 0, status;
    size_t size;
    void *cubin;

    *compiled = (struct ldpc_compiled){NULL, NULL};
    if (fecrun_cuda_limits_of(device, &limits, err) ||
        fecrun_cuda_check(err, "asking the driver", cudaDriverGetVersion(&driver)))
        return -1;
    cubin = compile(text, limits.capability, limits.own, driver, &size, err);
    if (!cubin)
        return -1;
    status = load(compiled, cubin, err);
    free(cubin);
    return status;
}

#endif
