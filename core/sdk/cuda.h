/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the C side of CUDA backends shares; header only, for plugins.
 *
 * A build without CUDA still lists the CUDA rows. So cuda/X.c is always compiled: its tables stand
 * outside of #ifdef FECRUN_CUDA, all that calls CUDA inside of it, and the table names functions
 * through the macros below, which become a probe that says why and stubs that nobody calls:
 *
 *     const struct fecrun_backend conv_encode_cuda = {
 *         FECRUN_CUDA_BACKEND(probe, create, run, destroy),
 *         .name = "cuda", .forms = forms, .agreement = FECRUN_AGREEMENT_EXACT,
 *         .scratch = FECRUN_CUDA_SCRATCH(scratch)};
 *
 * Each plugin has its own static CUDA runtime; device pointers, pinned memory and streams are
 * common to all of them in a process. The current device is a property of the thread: run() begins
 * with cudaSetDevice().
 */
#ifndef FECRUN_SDK_CUDA_H
#define FECRUN_SDK_CUDA_H

#include <fecrun/sdk/params.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * What launches are laid out for: multiprocessors; bytes of shared memory of one and of a thread block;
 * compute capability, 10 times it (86: 8.6). own, own_shared: the device's own capability and bytes of
 * a multiprocessor, where it passes for a smaller one.
 */
struct fecrun_cuda_limits {
    unsigned processors;
    size_t shared, shared_block;
    unsigned capability, own;
    size_t own_shared;
};

/* Those of the largest device that the kernels are made for (an H100): what takes() answers for where no
   device answers. */
static inline struct fecrun_cuda_limits fecrun_cuda_largest(void)
{
    struct fecrun_cuda_limits limits;

    limits.processors = 132;
    limits.shared = limits.own_shared = 228 << 10;
    limits.shared_block = 227 << 10;
    limits.capability = limits.own = 90;
    return limits;
}

/*
 * For tests: FECRUN_CUDA_LIKE=CAPABILITY:KIB, say 8.6:99, pretends a smaller device: at most this compute
 * capability, and so much shared memory a thread block (1 KiB more a multiprocessor). Without effect
 * where the device has less. 0, or -1 and what is wrong with it.
 */
static inline int fecrun_cuda_pretend(struct fecrun_cuda_limits *limits, struct fecrun_error *err)
{
    const char *like = getenv("FECRUN_CUDA_LIKE");
    unsigned major = 0, minor = 0, kib = 0;
    int end = 0;

    if (!like || !*like)
        return 0;
    if (sscanf(like, "%2u.%1u:%3u%n", &major, &minor, &kib, &end) < 3 || like[end] ||
        like[strspn(like, "0123456789.:")]) /* no signs and spaces, which %u takes */
        return fecrun_fail(
            err, NULL,
            "FECRUN_CUDA_LIKE: `%.20s`: compute capability and KiB of shared memory a "
            "thread block, as in 8.6:99",
            like);
    if (10 * major + minor < limits->capability)
        limits->capability = 10 * major + minor;
    if ((size_t)kib << 10 < limits->shared_block) {
        limits->shared_block = (size_t)kib << 10;
        limits->shared = (size_t)(kib + 1) << 10;
    }
    return 0;
}

/*
 * Bytes of shared memory to start a thread block with that needs `bytes`: more where the device passes
 * for a smaller one, so that no more blocks share a multiprocessor than would there.
 */
static inline size_t fecrun_cuda_padded(const struct fecrun_cuda_limits *limits, size_t bytes)
{
    const size_t reserved = 1024; /* by each block */
    const size_t blocks = limits->shared / (bytes + reserved);
    const size_t least = limits->own_shared / (blocks + 1) + 16;

    if (limits->shared >= limits->own_shared || bytes == 0 || least < bytes + reserved)
        return bytes;
    return (least - reserved) & ~(size_t)15;
}

#ifdef FECRUN_CUDA

#include <cuda_runtime_api.h>

/* See fecrun_provider: streams and events of one major release are not promised to another one. */
#define FECRUN_CUDA_INTERFACE (CUDART_VERSION / 1000)

#define FECRUN_CUDA_PROBE(f) f
#define FECRUN_CUDA_CREATE(f) f
#define FECRUN_CUDA_SCRATCH(f) f
#define FECRUN_CUDA_RUN(f) f
#define FECRUN_CUDA_DESTROY(f) f
#define FECRUN_CUDA_BOUND(f) f
#define FECRUN_CUDA_NOTE(f) f

/* Returns 0, or -1 with `what` and CUDA's own words in err. The next launch does not see the error again. */
static inline int fecrun_cuda_check(struct fecrun_error *err, const char *what, cudaError_t status)
{
    if (status == cudaSuccess)
        return 0;
    cudaGetLastError();
    return fecrun_fail(err, NULL, "%s: %s (%s)", what, cudaGetErrorString(status),
                       cudaGetErrorName(status));
}

/*
 * Is there machine code for this device among `code`, which is what nvcc compiled for
 * ("sm_80,sm_90,compute_90")? Needs no context, which a device takes 0.1 s and more to make. PTX does
 * not count: whether a driver translates it, only the driver knows.
 */
static inline int fecrun_cuda_has_machine_code(const char *code, int device)
{
    int major = 0, minor = 0;

    if (cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device) != cudaSuccess ||
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device) != cudaSuccess) {
        cudaGetLastError();
        return 0;
    }
    for (const char *at = code; at; at = strchr(at, ',')) {
        int number = 0, end = 0;

        at += *at == ',';
        if (sscanf(at, "sm_%d%n", &number, &end) < 1)
            continue;
        if (at[end] == 'a'
                ? number == 10 * major + minor
                : (at[end] == ',' || !at[end]) && number / 10 == major && number % 10 <= minor)
            return 1;
    }
    return 0;
}

/*
 * Body of a probe(): is there a driver, this device, and code in this plugin for it? `kernel` is one
 * of the plugin's, as its .cu file hands it out. Makes the device this thread's own and a context
 * there, but for where FECRUN_CUDA_CODE says what was compiled, and that is machine code for it.
 */
static inline int fecrun_cuda_probe_kernel(const void *kernel, int device, char *reason,
                                           size_t reason_size)
{
    struct cudaFuncAttributes attributes;
    int major = 0, minor = 0, n = 0;
    cudaError_t status = cudaGetDeviceCount(&n);

#ifdef FECRUN_CUDA_CODE
    if (status == cudaSuccess && device < n &&
        fecrun_cuda_has_machine_code(FECRUN_CUDA_CODE, device))
        return 0;
#endif
    if (status == cudaSuccess && n > 0)
        status = cudaSetDevice(device);
    if (status == cudaSuccess && n > 0)
        status = cudaFuncGetAttributes(&attributes, kernel);
    if (status == cudaSuccess && n > 0)
        return 0;
    if (status == cudaErrorNoKernelImageForDevice || status == cudaErrorInvalidDeviceFunction) {
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
        snprintf(reason, reason_size,
                 "this build has no code for compute capability %d.%d "
                 "(configure --with-cuda-arch)",
                 major, minor);
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

/* Makes the device this thread's own, as all that follows needs it. */
static inline int fecrun_cuda_use(int device, struct fecrun_error *err)
{
    return fecrun_cuda_check(err, "choosing the device", cudaSetDevice(device));
}

/*
 * Copies to device memory, and waits: a cudaMemcpy() from pageable memory may return before its
 * transfer to the device has ended, and streams like the host's, which are made with
 * cudaStreamNonBlocking, do not wait for it, so that a kernel could read what was there before. For
 * create(): it blocks. `to` may be what cudaGetSymbolAddress() gave.
 */
static inline cudaError_t fecrun_cuda_copy_in(void *to, const void *from, size_t bytes)
{
    cudaError_t status = cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice);

    return status == cudaSuccess ? cudaStreamSynchronize(NULL) : status;
}

/*
 * For create(): *device becomes memory of the present device with a copy of `bytes` bytes, there
 * for kernels on any stream; NULL without bytes or with host NULL. `what` ("a code's tables") is
 * for the error; after one *device is NULL. The caller frees it with cudaFree().
 */
static inline int fecrun_cuda_upload(void **device, const void *host, size_t bytes,
                                     const char *what, struct fecrun_error *err)
{
    cudaError_t status;

    *device = NULL;
    if (!bytes || !host)
        return 0;
    status = cudaMalloc(device, bytes);
    if (status != cudaSuccess) {
        *device = NULL;
        return fecrun_fail(err, NULL, "device memory for %s: %s (%s)", what,
                           cudaGetErrorString(status), cudaGetErrorName(status));
    }
    status = fecrun_cuda_copy_in(*device, host, bytes);
    if (status == cudaSuccess)
        return 0;
    cudaFree(*device);
    *device = NULL;
    return fecrun_fail(err, NULL, "copying %s to the device: %s (%s)", what,
                       cudaGetErrorString(status), cudaGetErrorName(status));
}

/* Of that device, or what FECRUN_CUDA_LIKE pretends. Needs no context and makes none, so that takes() may
   ask it, too. 0, or -1 and the reason. */
static inline int fecrun_cuda_limits_of(int device, struct fecrun_cuda_limits *limits,
                                        struct fecrun_error *err)
{
    const enum cudaDeviceAttr wanted[] = {
        cudaDevAttrMultiProcessorCount, cudaDevAttrMaxSharedMemoryPerMultiprocessor,
        cudaDevAttrMaxSharedMemoryPerBlockOptin, cudaDevAttrComputeCapabilityMajor,
        cudaDevAttrComputeCapabilityMinor};
    int value[5] = {0};
    cudaError_t status = cudaSuccess;

    for (unsigned i = 0; i < 5 && status == cudaSuccess; i++)
        status = cudaDeviceGetAttribute(&value[i], wanted[i], device);
    *limits = (struct fecrun_cuda_limits){.processors = (unsigned)value[0],
                                          .shared = (size_t)value[1],
                                          .shared_block = (size_t)value[2],
                                          .capability = (unsigned)(10 * value[3] + value[4]),
                                          .own = (unsigned)(10 * value[3] + value[4]),
                                          .own_shared = (size_t)value[1]};
    if (status != cudaSuccess)
        cudaGetLastError(); /* which the next launch would find */
    if (fecrun_cuda_check(err, "reading the device's limits", status))
        return -1;
    return fecrun_cuda_pretend(limits, err);
}

/* Of the present device. */
static inline int fecrun_cuda_read_limits(struct fecrun_cuda_limits *limits,
                                          struct fecrun_error *err)
{
    int device = 0;

    return fecrun_cuda_check(err, "reading the device's limits", cudaGetDevice(&device)) ||
                   fecrun_cuda_limits_of(device, limits, err)
               ? -1
               : 0;
}

/* For takes(): of args->device; where no device answers those of the largest one. */
static inline struct fecrun_cuda_limits fecrun_cuda_limits_for(const struct fecrun_create *args)
{
    struct fecrun_cuda_limits limits;
    struct fecrun_error none;

    none.size = sizeof none;
    if (fecrun_cuda_limits_of(args->device, &limits, &none)) {
        limits = fecrun_cuda_largest();
        fecrun_cuda_pretend(&limits, &none);
    }
    return limits;
}

/*
 * For probe(): has a thread block of that device so much shared memory? The least that any of the
 * backend's kernels is started with. 0, or -1 and the reason.
 */
static inline int fecrun_cuda_probe_shared(size_t least, int device, char *reason,
                                           size_t reason_size)
{
    struct fecrun_error err = {.size = sizeof err};
    struct fecrun_cuda_limits limits;

    if (fecrun_cuda_limits_of(device, &limits, &err)) {
        /* as much as there is room for, which compilers want to be told */
        snprintf(reason, reason_size, "%.*s", (int)reason_size - 1, err.text);
        return -1;
    }
    if (limits.shared_block >= least)
        return 0;
    snprintf(reason, reason_size,
             "needs %zu bytes of shared memory a thread block, the device has %zu", least,
             limits.shared_block);
    return -1;
}

/*
 * Has this build code of that kernel for compute capability `least` (90: 9.0) or later, which the
 * present device runs? Code for older devices, which a driver may translate, can hold an empty
 * kernel.
 */
static inline int fecrun_cuda_has_code(const void *kernel, int least)
{
    struct fecrun_error none = {.size = sizeof none};
    struct cudaFuncAttributes attributes;
    struct fecrun_cuda_limits limits;

    if (cudaFuncGetAttributes(&attributes, kernel) == cudaSuccess)
        return attributes.ptxVersion >= least && !fecrun_cuda_read_limits(&limits, &none) &&
               limits.capability >= (unsigned)least;
    cudaGetLastError(); /* which the next launch would find */
    return 0;
}

#ifdef FECRUN_CUDA_MACHINE_CODE
/*
 * For note(), after a probe() that went well: does that device run code for compute capability `least` or
 * later of kernels that can also be compiled when they are used? They have no PTX if the build has machine
 * code of 9.0 or later. As fecrun_cuda_has_code() will find of such a kernel, but makes no context.
 */
static inline int fecrun_cuda_will_have_code(int device, unsigned least)
{
    struct fecrun_error none = {.size = sizeof none};
    struct fecrun_cuda_limits limits;

    if (fecrun_cuda_limits_of(device, &limits, &none))
        return 0;
    for (const char *at = FECRUN_CUDA_MACHINE_CODE; at; at = strchr(at, ',')) {
        unsigned number = 0;
        int runs;

        at += *at == ',';
        runs = sscanf(at, "sm_%u", &number) == 1 ? number / 10 == limits.capability / 10
                                                 : sscanf(at, "compute_%u", &number) == 1;
        if (runs && number >= least && number <= limits.capability)
            return 1;
    }
    return 0;
}
#endif

#else /* no CUDA in this build */

#ifndef FECRUN_CUDA_MISSING
#define FECRUN_CUDA_MISSING "nvcc not found"
#endif

static inline int fecrun_cuda_no_probe(const struct fecrun_host *host, int32_t device, char *reason,
                                       size_t reason_size)
{
    (void)host, (void)device;
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

#define FECRUN_CUDA_INTERFACE 0 /* it says by itself why it cannot run */
#define FECRUN_CUDA_PROBE(f) fecrun_cuda_no_probe
#define FECRUN_CUDA_CREATE(f) fecrun_cuda_no_create
#define FECRUN_CUDA_SCRATCH(f) NULL
#define FECRUN_CUDA_RUN(f) fecrun_cuda_no_run
#define FECRUN_CUDA_DESTROY(f) fecrun_cuda_no_destroy
#define FECRUN_CUDA_BOUND(f) NULL
#define FECRUN_CUDA_NOTE(f) NULL

static inline struct fecrun_cuda_limits fecrun_cuda_limits_for(const struct fecrun_create *args)
{
    struct fecrun_cuda_limits limits = fecrun_cuda_largest();
    struct fecrun_error none;

    (void)args;
    none.size = sizeof none;
    fecrun_cuda_pretend(&limits, &none);
    return limits;
}

#endif

/* The members that all CUDA backends have in common. In C, other members follow in any order. */
#define FECRUN_CUDA_BACKEND(probe_of, create_of, run_of, destroy_of) \
    .size = sizeof(struct fecrun_backend), .provider = "cuda", .interface = FECRUN_CUDA_INTERFACE, \
    .probe = FECRUN_CUDA_PROBE(probe_of), .create = FECRUN_CUDA_CREATE(create_of), \
    .run = FECRUN_CUDA_RUN(run_of), .destroy = FECRUN_CUDA_DESTROY(destroy_of)

#endif
