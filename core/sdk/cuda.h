/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the C side of CUDA backends shares; header only, for plugins.
 *
 * A build without CUDA still lists the CUDA rows. So X_cuda.c is always compiled: its tables stand
 * outside of #ifdef FECRUN_CUDA, all that calls CUDA inside of it, and the table names functions
 * through the macros below, which become a probe that says why and stubs that nobody calls:
 *
 *     const struct fecrun_backend conv_encode_cuda = {
 *         .size = sizeof(struct fecrun_backend), .name = "cuda", .provider = "cuda",
 *         .forms = forms, .agreement = FECRUN_EXACT,
 *         .probe = FECRUN_CUDA_PROBE(probe), .create = FECRUN_CUDA_CREATE(create),
 *         .run = FECRUN_CUDA_RUN(run), .destroy = FECRUN_CUDA_DESTROY(destroy)};
 *
 * Each plugin has its own static CUDA runtime; device pointers, pinned memory and streams are
 * common to all of them in a process. The current device is a property of the thread: run() begins
 * with cudaSetDevice().
 */
#ifndef FECRUN_SDK_CUDA_H
#define FECRUN_SDK_CUDA_H

#include <fecrun/sdk/params.h>

#ifdef FECRUN_CUDA

#include <cuda_runtime_api.h>

#define FECRUN_CUDA_PROBE(f) f
#define FECRUN_CUDA_CREATE(f) f
#define FECRUN_CUDA_SCRATCH(f) f
#define FECRUN_CUDA_RUN(f) f
#define FECRUN_CUDA_DESTROY(f) f
#define FECRUN_CUDA_BOUND(f) f

/* 0, or -1 with `what` and CUDA's own words in err. */
static inline int fecrun_cuda_check(struct fecrun_error *err, const char *what, cudaError_t status)
{
    if (status == cudaSuccess)
        return 0;
    return fecrun_fail(err, NULL, "%s: %s (%s)", what, cudaGetErrorString(status),
                       cudaGetErrorName(status));
}

/*
 * Body of a probe(): is there a driver, a device, and code in this plugin for that device? `kernel`
 * is one of the plugin's, as its .cu file hands it out.
 */
static inline int fecrun_cuda_probe_kernel(const void *kernel, char *reason, size_t reason_size)
{
    struct cudaFuncAttributes attributes;
    int major = 0, minor = 0, n = 0;
    cudaError_t status = cudaGetDeviceCount(&n);

    if (status == cudaSuccess && n > 0)
        status = cudaFuncGetAttributes(&attributes, kernel);
    if (status == cudaSuccess && n > 0)
        return 0;
    if (status == cudaErrorNoKernelImageForDevice || status == cudaErrorInvalidDeviceFunction) {
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0);
        snprintf(reason, reason_size, "this build has no code for compute capability %d.%d "
                 "(configure --with-cuda-arch)", major, minor);
    } else if (status == cudaErrorInsufficientDriver) {
        snprintf(reason, reason_size, "no NVIDIA driver, or one older than this build's CUDA");
    } else if (status == cudaErrorNoDevice || status == cudaSuccess) {
        snprintf(reason, reason_size, "no CUDA device");
    } else {
        snprintf(reason, reason_size, "%s (%s)", cudaGetErrorString(status),
                 cudaGetErrorName(status));
    }
    return -1;
}

#else /* no CUDA in this build */

#ifndef FECRUN_CUDA_MISSING
#define FECRUN_CUDA_MISSING "nvcc not found"
#endif

static inline int fecrun_cuda_no_probe(const struct fecrun_host *host, char *reason,
                                       size_t reason_size)
{
    (void)host;
    snprintf(reason, reason_size, "built without CUDA: %s", FECRUN_CUDA_MISSING);
    return -1;
}

static inline int fecrun_cuda_no_create(const struct fecrun_create *args, void **instance,
                                        struct fecrun_error *err)
{
    (void)args;
    *instance = NULL;
    return fecrun_fail(err, NULL, "built without CUDA: %s", FECRUN_CUDA_MISSING);
}

static inline int fecrun_cuda_no_run(void *instance, const struct fecrun_call *call,
                                     const struct fecrun_view *const in[],
                                     struct fecrun_view *const out[], struct fecrun_error *err)
{
    (void)instance, (void)call, (void)in, (void)out;
    return fecrun_fail(err, NULL, "built without CUDA: %s", FECRUN_CUDA_MISSING);
}

static inline void fecrun_cuda_no_destroy(void *instance)
{
    (void)instance;
}

#define FECRUN_CUDA_PROBE(f) fecrun_cuda_no_probe
#define FECRUN_CUDA_CREATE(f) fecrun_cuda_no_create
#define FECRUN_CUDA_SCRATCH(f) NULL
#define FECRUN_CUDA_RUN(f) fecrun_cuda_no_run
#define FECRUN_CUDA_DESTROY(f) fecrun_cuda_no_destroy
#define FECRUN_CUDA_BOUND(f) NULL

#endif
#endif
