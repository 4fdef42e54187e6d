/* SPDX-License-Identifier: BSD-2-Clause */
/* The host's side of NAME.decode on CUDA devices: all that is not the kernel. */
#include "NAME.h"

#include <fecrun/sdk/cuda.h>

static int probe(const struct fecrun_host *host, int32_t device, char *reason, size_t size)
{
    (void)host;
    return fecrun_cuda_probe_kernel(NAME_kernel(), device, reason, size);
}

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    int *device = calloc(1, sizeof *device);

    *instance = device;
    if (!device)
        return fecrun_no_memory(err);
    *device = args->device;
    return 0;
}

/* Queues the work on the call's stream, and returns. */
static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    const struct NAME_code *code = call->codes[0];
    const int *device = instance;

    if (fecrun_cuda_use(*device, err))
        return -1;
    return fecrun_cuda_check(err, "starting the decoder",
                             (cudaError_t)NAME_launch(code, in[0], out[0], call->stream));
}

static const struct fecrun_form *const forms[] = {
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_F32}), FECRUN_OUT({.type = FECRUN_U8})), NULL};

const struct fecrun_backend NAME_decode_cuda = {FECRUN_CUDA_BACKEND(probe, create, run, free),
                                                .name = "cuda", .forms = forms};
