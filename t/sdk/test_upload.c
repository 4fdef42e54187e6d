/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sdk/cuda.h against a runtime of its own, without a device: what is uploaded is there for kernels
 * on any stream. This runtime does what CUDA may do: cudaMemcpy() of host memory returns when the
 * memory has been read, and writes the device's when the stream NULL is waited for.
 */
#define FECRUN_CUDA 1
#undef FECRUN_CUDA_CODE
#undef FECRUN_CUDA_MACHINE_CODE
#define FECRUN_CUDA_CODE built_for
#define FECRUN_CUDA_MACHINE_CODE built_for
static const char *built_for = "compute_90";
#include <fecrun/sdk/cuda.h>

#include "t/lib/tap.h"

#include <stdint.h>
#include <stdlib.h>

/* ---- the runtime ---- */

enum call { MALLOC, MEMCPY, SYNCHRONIZE, ATTRIBUTE, FUNCTION, CALLS };

static struct {
    void *staged, *to; /* on their way to the device */
    size_t bytes;
    unsigned alive;   /* pieces of device memory */
    enum call broken; /* fails; CALLS: none */
    int device, ptx_version;
} runtime = {.broken = CALLS};

static cudaError_t outcome(enum call call, cudaError_t error)
{
    return runtime.broken == call ? error : cudaSuccess;
}

static void drop_staged(void)
{
    free(runtime.staged);
    runtime.staged = runtime.to = NULL;
}

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
    cudaError_t status = outcome(MALLOC, cudaErrorMemoryAllocation);

    *memory = (void *)8; /* what a failure leaves there is nobody's memory */
    if (status != cudaSuccess)
        return status;
    *memory = malloc(bytes);
    if (!*memory)
        bail("out of memory");
    memset(*memory, 0xee, bytes);
    runtime.alive++;
    return cudaSuccess;
}

cudaError_t cudaFree(void *memory)
{
    if (!memory)
        return cudaSuccess;
    if (memory == runtime.to)
        drop_staged();
    runtime.alive--;
    free(memory);
    return cudaSuccess;
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind)
{
    if (kind != cudaMemcpyHostToDevice || outcome(MEMCPY, cudaErrorInvalidValue))
        return cudaErrorInvalidValue;
    cudaStreamSynchronize(NULL);
    runtime.staged = malloc(bytes);
    if (!runtime.staged)
        bail("out of memory");
    memcpy(runtime.staged, from, bytes);
    runtime.to = to;
    runtime.bytes = bytes;
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    cudaError_t status = outcome(SYNCHRONIZE, cudaErrorLaunchFailure);

    if (stream || status != cudaSuccess)
        return status;
    if (runtime.staged)
        memcpy(runtime.to, runtime.staged, runtime.bytes);
    drop_staged();
    return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
    if (device > 1)
        return cudaErrorInvalidValue;
    runtime.device = device;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device)
{
    *device = runtime.device;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int *n)
{
    *n = 2;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
    *value = attribute == cudaDevAttrMultiProcessorCount                ? 132
             : attribute == cudaDevAttrMaxSharedMemoryPerMultiprocessor ? 233472
             : attribute == cudaDevAttrMaxSharedMemoryPerBlockOptin     ? 232448
                                                                        : 9;
    return device == runtime.device || device == 1 ? outcome(ATTRIBUTE, cudaErrorInvalidValue)
                                                   : cudaErrorInvalidValue;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function)
{
    (void)function;
    attributes->ptxVersion = attributes->binaryVersion = runtime.ptx_version;
    return outcome(FUNCTION, cudaErrorNoKernelImageForDevice);
}

cudaError_t cudaGetLastError(void)
{
    return cudaSuccess;
}

const char *cudaGetErrorString(cudaError_t status)
{
    return status == cudaErrorMemoryAllocation ? "out of memory" : "broken";
}

const char *cudaGetErrorName(cudaError_t status)
{
    return status == cudaErrorMemoryAllocation ? "cudaErrorMemoryAllocation" : "cudaErrorOther";
}

/* ---- tests ---- */

static uint8_t table[1000];

static void test_runtime(void)
{
    void *device = NULL;

    cudaMalloc(&device, sizeof table);
    cudaMemcpy(device, table, sizeof table, cudaMemcpyHostToDevice);
    ok(memcmp(device, table, sizeof table), "after cudaMemcpy() alone a kernel may read old bytes");
    cudaStreamSynchronize(NULL);
    ok(!memcmp(device, table, sizeof table), "and not after a wait");
    cudaFree(device);
}

static void test_upload(void)
{
    struct fecrun_error error = {.size = sizeof error};
    void *device = NULL, *none = &device, *no_table = &device;

    ok(!fecrun_cuda_upload(&device, table, sizeof table, "a table", &error), "an upload");
    ok(device && !memcmp(device, table, sizeof table), "is there when it returns");
    table[7]++;
    ok(fecrun_cuda_copy_in(device, table, sizeof table) == cudaSuccess &&
           !memcmp(device, table, sizeof table),
       "so is a copy to memory that is there already");
    cudaFree(device);
    ok(!fecrun_cuda_upload(&none, table, 0, "no bytes", &error) && !none &&
           !fecrun_cuda_upload(&no_table, NULL, 8, "no table", &error) && !no_table &&
           !error.text[0],
       "no bytes or no table: no memory");
    is_int(runtime.alive, 0, "all memory is free again");
}

static void fails(enum call call, const char *text)
{
    struct fecrun_error error = {.size = sizeof error};
    void *device = &error;

    runtime.broken = call;
    is_int(fecrun_cuda_upload(&device, table, sizeof table, "a table", &error), -1, "%s", text);
    is_str(error.text, text, "its error");
    ok(!device && !runtime.alive, "nothing is left behind");
    runtime.broken = CALLS;
    drop_staged();
}

static void test_others(void)
{
    struct fecrun_error error = {.size = sizeof error};
    struct fecrun_cuda_limits limits = {0};

    ok(!fecrun_cuda_use(1, &error) && runtime.device == 1, "a device");
    ok(fecrun_cuda_use(2, &error) == -1, "no such device");
    is_str(error.text, "choosing the device: broken (cudaErrorOther)", "its error");
    error.text[0] = 0;
    ok(!fecrun_cuda_read_limits(&limits, &error) && limits.processors == 132 &&
           limits.shared == 233472 && limits.shared_block == 232448,
       "limits of the present device");
    runtime.broken = ATTRIBUTE;
    ok(fecrun_cuda_read_limits(&limits, &error) == -1 && error.text[0], "limits unknown");
    runtime.broken = CALLS;
    runtime.ptx_version = 80;
    ok(!fecrun_cuda_has_code(table, 90), "code for older devices only");
    runtime.ptx_version = 90;
    ok(fecrun_cuda_has_code(table, 90) && fecrun_cuda_has_code(table, 80), "code");
    runtime.broken = FUNCTION;
    ok(!fecrun_cuda_has_code(table, 90), "no code for this device");
    runtime.broken = CALLS;
}

static void pretends(const char *like, size_t shared_block, size_t shared, unsigned capability)
{
    struct fecrun_error error = {.size = sizeof error};
    struct fecrun_cuda_limits limits = {0};

    setenv("FECRUN_CUDA_LIKE", like, 1);
    ok(!fecrun_cuda_limits_of(1, &limits, &error) && limits.shared_block == shared_block &&
           limits.shared == shared && limits.capability == capability && limits.processors == 132,
       "like `%s`: %zu bytes a thread block, %zu a multiprocessor, capability %u %s", like,
       limits.shared_block, limits.shared, limits.capability, error.text);
}

static void test_pretended(void)
{
    static const char *const wrong[] = {"99", "8.6", "8.6:", "8.6:99k", "8.6:-1", "x", "8:99"};
    const struct fecrun_create on_1 = {.size = sizeof on_1, .device = 1};
    const struct fecrun_create on_5 = {.size = sizeof on_5, .device = 5};
    struct fecrun_error error = {.size = sizeof error};
    struct fecrun_cuda_limits limits;
    char reason[128] = "";

    pretends("", 232448, 233472, 99);
    pretends("8.6:99", 101376, 102400, 86);
    pretends("12.0:99", 101376, 102400, 99);
    pretends("8.0:400", 232448, 233472, 80);
    runtime.ptx_version = 90;
    built_for = "sm_80,sm_90,compute_90";
    ok(!fecrun_cuda_has_code(table, 90) && !fecrun_cuda_will_have_code(1, 90),
       "it runs no code for newer devices");
    setenv("FECRUN_CUDA_LIKE", "7.5:64", 1);
    is_int((long)fecrun_cuda_limits_for(&on_1).shared_block, 65536, "takes() asks, too");
    is_int((long)fecrun_cuda_limits_for(&on_5).shared_block, 65536,
           "also of a device that does not answer");
    ok(!fecrun_cuda_probe_shared(65536, 1, reason, sizeof reason), "enough for its kernels");
    ok(fecrun_cuda_probe_shared(65537, 1, reason, sizeof reason) == -1, "not enough");
    is_str(reason, "needs 65537 bytes of shared memory a thread block, the device has 65536",
           "the reason");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        setenv("FECRUN_CUDA_LIKE", wrong[i], 1);
        ok(fecrun_cuda_limits_of(1, &limits, &error) == -1, "no device is like `%s`", wrong[i]);
    }
    ok(strstr(error.text, "FECRUN_CUDA_LIKE: `99`: compute capability"), "%s", error.text);
    unsetenv("FECRUN_CUDA_LIKE");
}

/* Of a build for these, has device 1, of 9.9, the code that needs 9.0? */
static void test_code(void)
{
    static const struct {
        const char *code;
        int has;
    } builds[] = {{"sm_80,sm_90,compute_90", 1},
                  {"sm_80,compute_80", 0},
                  {"sm_80,compute_90", 1},
                  {"sm_100,compute_80", 0},
                  {"sm_90a", 1},
                  {"sm_80,sm_90", 1},
                  {"sm_80,sm_120", 0},
                  {"sm_80,compute_100", 0},
                  {"", 0}};

    for (size_t i = 0; i < sizeof builds / sizeof *builds; i++) {
        built_for = builds[i].code;
        is_int(fecrun_cuda_will_have_code(1, 90), builds[i].has, "code for 9.0 in a build for `%s`",
               builds[i].code);
    }
}

static void test_probe(void)
{
    char reason[128] = "";

    ok(!fecrun_cuda_probe_kernel(table, 1, reason, sizeof reason) && runtime.device == 1,
       "a device that runs the code");
    ok(fecrun_cuda_probe_kernel(table, 2, reason, sizeof reason) == -1, "one that is not there");
    is_str(reason, "broken (cudaErrorOther)", "the reason");
    runtime.broken = FUNCTION;
    ok(fecrun_cuda_probe_kernel(table, 1, reason, sizeof reason) == -1, "one that does not");
    is_str(reason, "this build has no code for compute capability 9.9 (configure --with-cuda-arch)",
           "the reason");
    runtime.device = 0;
    built_for = "sm_80,sm_97";
    ok(!fecrun_cuda_probe_kernel(table, 0, reason, sizeof reason),
       "machine code: no kernel is asked");
    ok(fecrun_cuda_probe_kernel(table, 2, reason, sizeof reason) == -1,
       "but the device has to be there");
    runtime.broken = CALLS;
}

static void test_machine_code(void)
{
    static const struct {
        const char *code;
        int runs; /* on 9.9, the device's */
    } lists[] = {
        {"sm_99", 1},  {"sm_90", 1},    {"sm_80", 0},          {"compute_90", 0},
        {"sm_99a", 1}, {"sm_90a", 0},   {"sm_100", 0},         {"sm_80,sm_90,compute_90", 1},
        {"", 0},       {"sm_80,sm", 0}, {"compute_99,sm_8", 0}};

    runtime.device = 1;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        ok(fecrun_cuda_has_machine_code(lists[i].code, 1) == lists[i].runs, "built for `%s`",
           lists[i].code);
    runtime.broken = ATTRIBUTE;
    ok(!fecrun_cuda_has_machine_code("sm_90", 1), "a device that does not say what it is");
    runtime.broken = CALLS;
}

int main(void)
{
    for (size_t i = 0; i < sizeof table; i++)
        table[i] = (uint8_t)(i * 37 + 11);
    unsetenv("FECRUN_CUDA_LIKE");
    test_runtime();
    test_upload();
    fails(MALLOC, "device memory for a table: out of memory (cudaErrorMemoryAllocation)");
    fails(MEMCPY, "copying a table to the device: broken (cudaErrorOther)");
    fails(SYNCHRONIZE, "copying a table to the device: broken (cudaErrorOther)");
    test_others();
    test_pretended();
    test_code();
    test_probe();
    test_machine_code();
    return done_testing();
}
