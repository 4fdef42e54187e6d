/* SPDX-License-Identifier: BSD-2-Clause */
/* The device provider `cuda`: memory, streams, events and conversions of CUDA devices. */
#include <fecrun/sdk/cuda.h>

#ifndef PACKAGE_VERSION
#define PACKAGE_VERSION "0"
#endif

#ifdef FECRUN_CUDA

#include "plugins/common/rtc/nvrtc.h"
#include "plugins/cuda/kernels.h"
#include "plugins/cuda/pinned.h"
#include "plugins/cuda/probe.h"

#include <dlfcn.h>

#define OPTIONAL(f) f
#define GIB (1024.0 * 1024.0 * 1024.0)

/* ---- Errors ---- */

/* After these every call in this process gives the same error. */
static bool context_is_lost(cudaError_t status)
{
    switch (status) {
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchTimeout:
    case cudaErrorAssert:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalInstruction:
    case cudaErrorMisalignedAddress:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorInvalidPc:
    case cudaErrorLaunchFailure:
    case cudaErrorECCUncorrectable:
        return true;
    default:
        return false;
    }
}

/* As fecrun_cuda_check(). The runtime also keeps the error for the next launch to find: drop it. */
static int check(struct fecrun_error *err, const char *what, cudaError_t status)
{
    if (status == cudaSuccess)
        return 0;
    cudaGetLastError();
    return fecrun_fail(err, NULL, "%s%s%s (%s)%s", what, *what ? ": " : "",
                       cudaGetErrorString(status), cudaGetErrorName(status),
                       context_is_lost(status) ? "; the device's context is lost, only a new "
                                                 "process can use the device again"
                                               : "");
}

/* The current device is the thread's own: nearly every function begins with this. It is also the
   first to find out that earlier work broke the context. */
static int use(int device, struct fecrun_error *err)
{
    cudaError_t status = cudaSetDevice(device);

    return check(err, context_is_lost(status) ? "" : "choosing the device", status);
}

/* ---- The program that uses the host ---- */

/*
 * Of the driver that is loaded already, or NULL. The runtime cannot be asked: it would start the
 * driver, and it knows nothing of contexts that a program has made without it.
 */
static void *driver_function(const char *name)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    void *function = driver ? dlsym(driver, name) : NULL;

    if (driver)
        dlclose(driver); /* still loaded, by whoever did it */
    return function;
}

typedef int driver_get(void **context); /* cuCtxGetCurrent() */
typedef int driver_set(void *context);  /* cuCtxSetCurrent() */

enum { DRIVER_NOT_INITIALIZED = 3 }; /* CUDA_ERROR_NOT_INITIALIZED */

static int started(void)
{
    driver_get *get = (driver_get *)driver_function("cuCtxGetCurrent");
    void *context = NULL;

    return get && get(&context) != DRIVER_NOT_INITIALIZED;
}

static void *chosen(void)
{
    driver_get *get = (driver_get *)driver_function("cuCtxGetCurrent");
    void *context = NULL;

    return get && get(&context) == 0 ? context : NULL;
}

/* None, too: each runtime then takes the device that its thread has chosen. */
static void choose(void *context)
{
    driver_set *set = (driver_set *)driver_function("cuCtxSetCurrent");

    if (set)
        set(context);
}

/* ---- What is there ---- */

static int devices(const struct fecrun_host *host)
{
    int n = 0;

    (void)host;
    return cudaGetDeviceCount(&n) == cudaSuccess ? n : 0;
}

/* Without use(), which makes a context and takes memory on each device that is only listed. */
static int describe(int device, char *text, size_t text_size)
{
    struct cudaDeviceProp p;
    cudaError_t status = cudaGetDeviceProperties(&p, device);

    if (status != cudaSuccess) {
        snprintf(text, text_size, "%s (%s)", cudaGetErrorString(status), cudaGetErrorName(status));
        cudaGetLastError();
        return -1;
    }
    snprintf(text, text_size, "%s, sm_%d%d, %d SMs, %.1f GiB", p.name, p.major, p.minor,
             p.multiProcessorCount, (double)p.totalGlobalMem / GIB);
    return 0;
}

/* Without a context, too. */
static int attribute(int device, enum cudaDeviceAttr which)
{
    int value = -1;

    if (cudaDeviceGetAttribute(&value, which, device) != cudaSuccess)
        cudaGetLastError();
    return value;
}

static int bus(int device, char *text, size_t text_size)
{
    const int domain = attribute(device, cudaDevAttrPciDomainId);
    const int number = attribute(device, cudaDevAttrPciBusId);
    const int slot = attribute(device, cudaDevAttrPciDeviceId);

    if (domain < 0 || number < 0 || slot < 0)
        return -1;
    snprintf(text, text_size, "%04x:%02x:%02x.0", (unsigned)domain, (unsigned)number,
             (unsigned)slot);
    return 0;
}

static int memory(int device, uint64_t *free_bytes, uint64_t *total_bytes, struct fecrun_error *err)
{
    size_t available = 0, total = 0;

    *free_bytes = *total_bytes = 0;
    if (use(device, err) ||
        check(err, "asking for free memory", cudaMemGetInfo(&available, &total)))
        return -1;
    *free_bytes = available;
    *total_bytes = total;
    return 0;
}

/* The first word of a line of the file that is made of digits and points, as "580.159.03". */
static bool version_in(const char *path, char *version, size_t size)
{
    FILE *file = fopen(path, "r");
    char line[512] = "", *rest = line, *word;

    if (!file)
        return false;
    if (!fgets(line, sizeof line, file))
        line[0] = 0;
    fclose(file);
    while ((word = strtok_r(rest, " \t\n", &rest)))
        if (strchr(word, '.') && strspn(word, "0123456789.") == strlen(word)) {
            snprintf(version, size, "%s", word);
            return true;
        }
    return false;
}

static int software(char *text, size_t text_size)
{
    const int nvrtc = rtc_nvrtc_version();
    char version[64] = "of unknown version", compiler[32] = "no NVRTC";
    int driver = 0, runtime = 0;

    if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0 ||
        cudaRuntimeGetVersion(&runtime) != cudaSuccess)
        return -1;
    if (!version_in("/proc/driver/nvidia/version", version, sizeof version))
        version_in("/sys/module/nvidia/version", version, sizeof version);
    if (nvrtc)
        snprintf(compiler, sizeof compiler, "NVRTC %d.%d", nvrtc / 1000, nvrtc % 1000 / 10);
    snprintf(text, text_size, "driver %s (CUDA %d.%d), runtime CUDA %d.%d, %s", version,
             driver / 1000, driver % 1000 / 10, runtime / 1000, runtime % 1000 / 10, compiler);
    return 0;
}

/* ---- Memory ---- */

static int no_device_memory(size_t bytes, struct fecrun_error *err)
{
    size_t available = 0, total = 0;

    if (cudaMemGetInfo(&available, &total) != cudaSuccess) {
        cudaGetLastError();
        return fecrun_fail(err, NULL,
                           "out of device memory: %zu bytes asked for; a smaller batch "
                           "needs less",
                           bytes);
    }
    return fecrun_fail(err, NULL,
                       "out of device memory: %zu bytes (%.1f GiB) asked for, %.1f GiB "
                       "of %.1f GiB are free; a smaller batch needs less",
                       bytes, (double)bytes / GIB, (double)available / GIB, (double)total / GIB);
}

/* The slack is cleared, since kernels read it: initcheck would report it. */
static cudaError_t device_alloc(size_t bytes, void **ptr)
{
    cudaError_t status = cudaMalloc(ptr, bytes + FECRUN_SLACK);

    if (status == cudaSuccess) {
        cudaMemset((char *)*ptr + bytes, 0, FECRUN_SLACK);
        cudaStreamSynchronize(NULL); /* no stream of ours waits for that one */
    }
    return status;
}

static void *memory_alloc(int device, uint32_t kind, size_t bytes, struct fecrun_error *err)
{
    void *ptr = NULL;
    cudaError_t status;

    if (use(device, err))
        return NULL;
    status = kind == FECRUN_MEMORY_DEVICE ? device_alloc(bytes, &ptr)
                                          : cuda_pinned_alloc(bytes, &ptr);
    if (status == cudaSuccess)
        return ptr;
    cudaGetLastError();
    if (status != cudaErrorMemoryAllocation)
        check(err, kind == FECRUN_MEMORY_DEVICE ? "device memory" : "pinned memory", status);
    else if (kind == FECRUN_MEMORY_DEVICE)
        no_device_memory(bytes, err);
    else
        fecrun_fail(err, NULL,
                    "the system refuses to pin %zu bytes (%.1f GiB) of host memory; a "
                    "smaller batch needs less",
                    bytes, (double)bytes / GIB);
    return NULL;
}

/* Failure has no way out; an error of earlier work is the next sync()'s to report. */
static void memory_free(int device, uint32_t kind, void *ptr)
{
    if (ptr && !use(device, NULL) &&
        (kind == FECRUN_MEMORY_DEVICE ? cudaFree(ptr) : cuda_pinned_free(ptr)) != cudaSuccess)
        cudaGetLastError();
}

/* ---- Streams ---- */

static int stream_create(int device, void **stream, struct fecrun_error *err)
{
    cudaStream_t made = NULL;

    *stream = NULL;
    if (use(device, err) ||
        check(err, "making a stream", cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking)))
        return -1;
    *stream = made;
    return 0;
}

static void stream_destroy(int device, void *stream)
{
    if (stream && !use(device, NULL) && cudaStreamDestroy(stream) != cudaSuccess)
        cudaGetLastError();
}

static int copy(int device, void *stream, void *dst, const void *src, size_t bytes,
                struct fecrun_error *err)
{
    if (use(device, err))
        return -1;
    return check(err, "copy", cudaMemcpyAsync(dst, src, bytes, cudaMemcpyDefault, stream));
}

static int fill(int device, void *stream, void *dst, int value, size_t bytes,
                struct fecrun_error *err)
{
    if (use(device, err))
        return -1;
    return check(err, "fill", cudaMemsetAsync(dst, value, bytes, stream));
}

/* What the queued work did wrong is in CUDA's words alone: which work it was, the host knows. */
static int sync_stream(int device, void *stream, struct fecrun_error *err)
{
    if (use(device, err))
        return -1;
    return check(err, "", cudaStreamSynchronize(stream));
}

/* ---- Conversions ---- */

static int copy_frames(void *stream, const struct fecrun_view *in, const struct fecrun_view *out,
                       struct fecrun_error *err)
{
    const size_t row = fecrun_bytes(in->type, in->items);

    if (!row || !in->frames)
        return 0;
    if (in->frames == 1 || (in->stride == row && out->stride == row))
        return check(err, "copy",
                     cudaMemcpyAsync(out->data, in->data, row * in->frames,
                                     cudaMemcpyDeviceToDevice, stream));
    return check(err, "copy",
                 cudaMemcpy2DAsync(out->data, out->stride, in->data, in->stride, row, in->frames,
                                   cudaMemcpyDeviceToDevice, stream));
}

static int convert(int device, void *stream, const struct fecrun_view *in,
                   const struct fecrun_view *out, struct fecrun_error *err)
{
    const unsigned pair = convert_pair_of(in->type, out->type);
    struct convert_job job;

    if (pair == CONVERT_NONE)
        return 1;
    if (!in->data)
        return 0;
    if (in->offset || out->offset || in->frames != out->frames || in->items != out->items)
        return fecrun_fail(err, NULL, "conversion: the frames of the two views differ");
    if (use(device, err))
        return -1;
    if (pair == CONVERT_COPY)
        return copy_frames(stream, in, out, err);
    job = convert_job_of(pair, in, out);
    return check(err, "conversion", cuda_convert_launch(pair, &job, stream));
}

/* ---- Events ---- */

static int event_create(int device, void **event, struct fecrun_error *err)
{
    cudaEvent_t made = NULL;

    *event = NULL;
    if (use(device, err) ||
        check(err, "making an event", cudaEventCreateWithFlags(&made, cudaEventDefault)))
        return -1;
    *event = made;
    return 0;
}

static void event_destroy(int device, void *event)
{
    if (event && !use(device, NULL) && cudaEventDestroy(event) != cudaSuccess)
        cudaGetLastError();
}

static int event_record(int device, void *stream, void *event, struct fecrun_error *err)
{
    if (use(device, err))
        return -1;
    return check(err, "recording an event", cudaEventRecord(event, stream));
}

static int event_seconds(int device, void *begin, void *end, double *seconds,
                         struct fecrun_error *err)
{
    float milliseconds = 0;

    *seconds = 0;
    if (use(device, err) || check(err, "", cudaEventSynchronize(begin)) ||
        check(err, "", cudaEventSynchronize(end)) ||
        check(err, "time between events", cudaEventElapsedTime(&milliseconds, begin, end)))
        return -1;
    *seconds = milliseconds * 1e-3;
    return 0;
}

#else /* no CUDA in this build: the host never gets past the probe */

#define OPTIONAL(f) NULL

static int missing(struct fecrun_error *err)
{
    return fecrun_fail(err, NULL, "built without CUDA: %s", FECRUN_CUDA_MISSING);
}

static int devices(const struct fecrun_host *host)
{
    (void)host;
    return 0;
}

static void *memory_alloc(int device, uint32_t kind, size_t bytes, struct fecrun_error *err)
{
    (void)device, (void)kind, (void)bytes;
    missing(err);
    return NULL;
}

static void memory_free(int device, uint32_t kind, void *ptr)
{
    (void)device, (void)kind, (void)ptr;
}

static int stream_create(int device, void **stream, struct fecrun_error *err)
{
    (void)device;
    *stream = NULL;
    return missing(err);
}

static void stream_destroy(int device, void *stream)
{
    (void)device, (void)stream;
}

static int copy(int device, void *stream, void *dst, const void *src, size_t bytes,
                struct fecrun_error *err)
{
    (void)device, (void)stream, (void)dst, (void)src, (void)bytes;
    return missing(err);
}

static int fill(int device, void *stream, void *dst, int value, size_t bytes,
                struct fecrun_error *err)
{
    (void)device, (void)stream, (void)dst, (void)value, (void)bytes;
    return missing(err);
}

static int sync_stream(int device, void *stream, struct fecrun_error *err)
{
    (void)device, (void)stream;
    return missing(err);
}

#endif

/* ---- Tables ---- */

static const struct fecrun_provider provider = {
    .size = sizeof(struct fecrun_provider),
    .name = "cuda",
    .interface = FECRUN_CUDA_INTERFACE,
    .probe = FECRUN_CUDA_PROBE(cuda_probe),
    .devices = devices,
    .describe = OPTIONAL(describe),
    .alloc = memory_alloc,
    .free = memory_free,
    .stream_create = stream_create,
    .stream_destroy = stream_destroy,
    .copy = copy,
    .fill = fill,
    .sync = sync_stream,
    .convert = OPTIONAL(convert),
    .event_create = OPTIONAL(event_create),
    .event_destroy = OPTIONAL(event_destroy),
    .event_record = OPTIONAL(event_record),
    .event_seconds = OPTIONAL(event_seconds),
    .memory = OPTIONAL(memory),
    .software = OPTIONAL(software),
    .started = OPTIONAL(started),
    .chosen = OPTIONAL(chosen),
    .choose = OPTIONAL(choose),
    .bus = OPTIONAL(bus),
};

static const struct fecrun_provider *const providers[] = {&provider, NULL};

FECRUN_EXPORT extern const struct fecrun_plugin fecrun_plugin;

const struct fecrun_plugin fecrun_plugin = {
    .size = sizeof(struct fecrun_plugin),
    .abi = FECRUN_ABI,
    .name = "cuda",
    .version = PACKAGE_VERSION,
    .license = "BSD-2-Clause",
    .providers = providers,
};
