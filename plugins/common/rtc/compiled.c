/* SPDX-License-Identifier: BSD-2-Clause */
#include <fecrun/sdk/cuda.h>
#include <stdlib.h>

#include "plugins/common/rtc/compiled.h"

#ifdef FECRUN_CUDA

#define OLD_CUDA "this build's CUDA is older than 12.8"

int rtc_possible(int device, struct fecrun_error *why)
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

static int load(struct rtc_compiled *compiled, const void *cubin, struct fecrun_error *err)
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
    rtc_compiled_unload(compiled);
    return -1;
}

void rtc_compiled_unload(struct rtc_compiled *compiled)
{
    if (compiled->library)
        cudaLibraryUnload((cudaLibrary_t)compiled->library);
    compiled->library = NULL;
}

#else

static int load(struct rtc_compiled *compiled, const void *cubin, struct fecrun_error *err)
{
    (void)compiled, (void)cubin;
    return fecrun_fail(err, NULL, OLD_CUDA);
}

void rtc_compiled_unload(struct rtc_compiled *compiled)
{
    (void)compiled;
}

#endif

int rtc_compiled_load(struct rtc_compiled *compiled, const struct rtc_source *source, int device,
                      struct fecrun_error *err)
{
    struct rtc_source whole = *source;
    struct fecrun_cuda_limits limits;
    int driver = 0, status;
    size_t size;
    void *cubin;

    *compiled = (struct rtc_compiled){NULL, NULL};
    if (fecrun_cuda_limits_of(device, &limits, err) ||
        fecrun_cuda_check(err, "asking the driver", cudaDriverGetVersion(&driver)))
        return -1;
    whole.capability = limits.capability;
    whole.translated = limits.capability < limits.own;
    cubin = rtc_compile(&whole, driver, &size, err);
    if (!cubin)
        return -1;
    status = load(compiled, cubin, err);
    free(cubin);
    return status;
}

#endif
