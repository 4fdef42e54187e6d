/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds out whether the devices can be used. */
#include "plugins/cuda/probe.h"

#ifdef FECRUN_CUDA

#include "plugins/cuda/kernels.h"

#include <dlfcn.h>
#include <stdbool.h>

/* The driver counts as too old also where there is none. */
static void say_driver(char *reason, size_t size)
{
    int driver = 0;

    if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0)
        snprintf(reason, size, "no NVIDIA driver");
    else
        snprintf(reason, size,
                 "the NVIDIA driver is too old: it knows CUDA %d.%d, this build "
                 "needs %d.%d",
                 driver / 1000, driver % 1000 / 10, CUDART_VERSION / 1000,
                 CUDART_VERSION % 1000 / 10);
}

/* NVML's structure and functions; it is there where nvidia-smi is, and so without its header here. */
struct nvml_memory {
    unsigned long long total, free, used;
};

typedef int nvml_plain(void);
typedef int nvml_handle(const char *bus, void **device);
typedef int nvml_memory_of(void *device, struct nvml_memory *memory);

/* Free memory of a device, asked without the context that CUDA would make first; 0: nobody knows. */
static uint64_t nvml_free(int device)
{
    void *nvml = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL), *handle = NULL;
    nvml_plain *begin = nvml ? (nvml_plain *)dlsym(nvml, "nvmlInit_v2") : NULL;
    nvml_plain *end = nvml ? (nvml_plain *)dlsym(nvml, "nvmlShutdown") : NULL;
    nvml_handle *find = nvml ? (nvml_handle *)dlsym(nvml, "nvmlDeviceGetHandleByPciBusId_v2")
                             : NULL;
    nvml_memory_of *ask = nvml ? (nvml_memory_of *)dlsym(nvml, "nvmlDeviceGetMemoryInfo") : NULL;
    struct nvml_memory memory = {.free = 0};
    char bus[32] = "";

    if (begin && end && find && ask && !begin()) {
        if (cudaDeviceGetPCIBusId(bus, sizeof bus, device) != cudaSuccess || find(bus, &handle) ||
            ask(handle, &memory))
            memory.free = 0;
        end();
    }
    if (nvml)
        dlclose(nvml);
    cudaGetLastError();
    return memory.free;
}

/*
 * Is all well as far as one can see without a context? To make one takes a second at worst, and a
 * run makes its own anyway. With 1 GiB of free memory there is room for it.
 */
static bool is_well(int devices, int device)
{
    return device < devices && fecrun_cuda_has_machine_code(FECRUN_CUDA_CODE, device) &&
           nvml_free(device) >= 1 << 30;
}

/* Leaves no context behind if all seems well. */
int cuda_probe(const struct fecrun_host *host, int32_t device, char *reason, size_t reason_size)
{
    int n = 0;
    cudaError_t status = cudaGetDeviceCount(&n);

    (void)host;
    if (status == cudaErrorInsufficientDriver) {
        say_driver(reason, reason_size);
        return -1;
    }
    if (status == cudaSuccess && is_well(n, device))
        return 0;
    if (status == cudaSuccess && n > 0 && cudaSetDevice(device) == cudaSuccess &&
        cudaFree(NULL) == cudaErrorMemoryAllocation) {
        snprintf(reason, reason_size,
                 "out of memory: the device has too little left to be used "
                 "at all");
        return -1;
    }
    return fecrun_cuda_probe_kernel(cuda_convert_kernel(), device, reason, reason_size);
}

#endif
