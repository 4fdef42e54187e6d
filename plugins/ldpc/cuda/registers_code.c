/* SPDX-License-Identifier: BSD-2-Clause */
#include <fecrun/sdk/cuda.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/common/rtc/nvrtc.h"
#include "plugins/ldpc/cuda/registers_code.h"
#include "plugins/ldpc/cuda/registers_source.h"

enum { GRAPH = 3 }; /* the number that it has in the source */

#define OLD_CUDA "this build's CUDA is older than 12.8"

/* What the source includes; made from the files by the build. */
static const struct rtc_header headers[] = {
#include "ldpc_kernel_texts.h"
};

void *ldpc_registers_compile(const struct ldpc_code *code, const struct ldpc_registers_form *form,
                             unsigned capability, int driver, size_t *size,
                             struct fecrun_error *err)
{
    const size_t length = ldpc_registers_source(code, form, GRAPH, NULL, 0);
    char *text = malloc(length + 1);
    const struct rtc_source source = {.text = text,
                                      .headers = headers,
                                      .n_headers = sizeof headers / sizeof *headers,
                                      .capability = capability};
    void *cubin;

    if (!text) {
        fecrun_fail(err, NULL, "out of memory");
        return NULL;
    }
    ldpc_registers_source(code, form, GRAPH, text, length + 1);
    cubin = rtc_compile(&source, driver, size, err);
    free(text);
    return cubin;
}

#ifdef FECRUN_CUDA

#if CUDART_VERSION >= 12080

static int load(struct ldpc_registers_built *built, const void *cubin, struct fecrun_error *err)
{
    cudaLibrary_t library = NULL;
    cudaKernel_t kernel = NULL;
    cudaError_t status = cudaLibraryLoadData(&library, cubin, NULL, NULL, 0, NULL, NULL, 0);

    if (status == cudaSuccess)
        status = cudaLibraryEnumerateKernels(&kernel, 1, library);
    built->library = library;
    built->kernel.function = kernel;
    if (fecrun_cuda_check(err, "loading the kernel", status) == 0)
        return 0;
    cudaGetLastError(); /* which the next launch would find */
    ldpc_registers_unload(built);
    return -1;
}

void ldpc_registers_unload(struct ldpc_registers_built *built)
{
    if (built->library)
        cudaLibraryUnload((cudaLibrary_t)built->library);
    built->library = NULL;
}

#else

static int load(struct ldpc_registers_built *built, const void *cubin, struct fecrun_error *err)
{
    (void)built, (void)cubin;
    return fecrun_fail(err, NULL, OLD_CUDA);
}

void ldpc_registers_unload(struct ldpc_registers_built *built)
{
    (void)built;
}

#endif

static int read_capability(int device, unsigned *capability, struct fecrun_error *err)
{
    int major = 0, minor = 0;
    cudaError_t status = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);

    if (status == cudaSuccess)
        status = cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
    *capability = (unsigned)(10 * major + minor);
    return fecrun_cuda_check(err, "asking the device", status);
}

int ldpc_registers_possible(const struct ldpc_code *code, int device, struct fecrun_error *why)
{
    const char *problem = ldpc_registers_unfit(code);
    unsigned capability = 0;

    if (read_capability(device, &capability, why))
        return -1;
    if (!problem && capability < 90)
        problem = "compute capability 9.0 is needed";
    if (!problem && CUDART_VERSION < 12080)
        problem = OLD_CUDA;
    if (!problem && !rtc_nvrtc_version())
        problem = RTC_NO_NVRTC;
    return problem ? fecrun_fail(why, NULL, "%s", problem) : 0;
}

/* Chooses a form, and compiles it. */
static void *make(const struct ldpc_decode *d, int device, struct ldpc_registers_form *form,
                  struct fecrun_error *err)
{
    struct fecrun_cuda_limits limits = {0};
    const char *problem;
    unsigned capability = 0;
    int driver = 0;
    size_t size;

    if (fecrun_cuda_read_limits(&limits, err) || read_capability(device, &capability, err) ||
        fecrun_cuda_check(err, "asking the driver", cudaDriverGetVersion(&driver)))
        return NULL;
    problem = ldpc_registers_choose_form(d->code, d->reverse, limits.shared, limits.shared_block,
                                         form);
    if (problem) {
        fecrun_fail(err, NULL, "%s", problem);
        return NULL;
    }
    return ldpc_registers_compile(d->code, form, capability, driver, &size, err);
}

int ldpc_registers_build(const struct ldpc_decode *d, int device,
                         struct ldpc_registers_built *built, struct fecrun_error *err)
{
    const struct ldpc_registers_form *form = &built->form;
    void *cubin;
    int status;

    memset(built, 0, sizeof *built);
    if (ldpc_registers_possible(d->code, device, err))
        return -1;
    cubin = make(d, device, &built->form, err);
    if (!cubin)
        return -1;
    built->kernel = (struct ldpc_registers_kernel){
        .rows = d->code->rows,
        .z = d->code->z,
        .lanes = form->lanes,
        .shared = ldpc_registers_form_shared(d->code, form),
        .blocks = form->blocks};
    status = load(built, cubin, err);
    free(cubin);
    return status;
}

#endif
