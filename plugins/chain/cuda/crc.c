/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/chain/plugin.h"
#include "plugins/chain/cuda/device.h"
#include "plugins/chain/cuda/thread/bits.h"

/* A CRC by name; one launch has the table of one polynomial. */
static int takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    const struct crc_code *first = args->codes[0];

    if (!first->polynomial)
        return fecrun_fail(err, "poly", "cuda has the CRCs that `crc` names");
    for (uint32_t c = 1; c < args->n_codes; c++) {
        const struct crc_code *code = args->codes[c];

        if (code->polynomial != first->polynomial || code->width != first->width)
            return fecrun_fail(err, "crc", "one launch takes frames with one CRC");
    }
    return 0;
}

#ifdef FECRUN_CUDA

struct crc_cuda {
    struct gpu gpu;
    struct crc_job *job; /* one a class */
    struct gpu_jobs jobs;
};

static void destroy(void *instance)
{
    struct crc_cuda *own = instance;

    if (!own)
        return;
    if (cudaSetDevice(own->gpu.device) == cudaSuccess)
        gpu_jobs_free(&own->jobs);
    free(own->job);
    gpu_destroy(own);
}

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    struct crc_cuda *own = gpu_make(sizeof *own, args, NULL, 0, err);

    *instance = own;
    if (!own)
        return -1;
    own->job = calloc(args->n_codes, sizeof *own->job);
    if (!own->job) {
        fecrun_no_memory(err);
    } else if (args->n_codes == 1 ||
               !gpu_jobs_make(&own->jobs, args->n_codes * sizeof *own->job, err)) {
        for (uint32_t c = 0; c < args->n_codes; c++)
            crc_make_lanes(&own->job[c].lanes, args->codes[c]);
        return 0;
    }
    destroy(own);
    *instance = NULL;
    return -1;
}

/* Fills in the kernels' arguments: rows and jobs. With classes, the jobs are copied to device memory. */
static int begin(struct crc_cuda *own, const struct fecrun_call *call,
                 const struct fecrun_view *const view[GPU_PORTS], struct rows rows[GPU_PORTS],
                 const struct crc_job **classes, struct fecrun_error *err)
{
    *classes = NULL;
    if (chain_cuda_ragged(own, call, view, rows, err))
        return -1;
    own->job[0].code = *(const struct crc_code *)call->codes[0];
    if (!rows[0].offset)
        return 0;
    for (uint32_t c = 1; c < own->gpu.n_classes; c++)
        own->job[c].code = *(const struct crc_code *)call->codes[c];
    *classes = gpu_jobs_put(&own->jobs, own->job, call->stream, err);
    return *classes ? 0 : -1;
}

static int attach_run(void *instance, const struct fecrun_call *call,
                      const struct fecrun_view *const in[], struct fecrun_view *const out[],
                      struct fecrun_error *err)
{
    const struct fecrun_view *const view[GPU_PORTS] = {in[0], out[0], NULL};
    struct crc_cuda *own = instance;
    struct rows rows[GPU_PORTS];
    const struct crc_job *classes;

    if (begin(own, call, view, rows, &classes, err))
        return -1;
    return chain_cuda_end(chain_cuda_crc_attach(rows[0], rows[1], own->job, classes, call->stream),
                          err);
}

static int check_run(void *instance, const struct fecrun_call *call,
                     const struct fecrun_view *const in[], struct fecrun_view *const out[],
                     struct fecrun_error *err)
{
    const struct fecrun_view *const view[GPU_PORTS] = {in[0], out[0], NULL};
    struct crc_cuda *own = instance;
    struct rows rows[GPU_PORTS];
    const struct crc_job *classes;

    if (begin(own, call, view, rows, &classes, err))
        return -1;
    return chain_cuda_end(
        chain_cuda_crc_check(rows[0], rows[1], own->job, classes, call->info, call->stream), err);
}

#endif

static const struct fecrun_form *const attach_forms[] = {
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED,
                FECRUN_IN({.type = FECRUN_PACKED}, {.type = FECRUN_NONE}),
                FECRUN_OUT({.type = FECRUN_PACKED})),
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED, FECRUN_IN({.type = FECRUN_U8}, {.type = FECRUN_NONE}),
                FECRUN_OUT({.type = FECRUN_U8})),
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_PACKED}, {.type = FECRUN_NONE}),
                FECRUN_OUT({.type = FECRUN_PACKED})),
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_U8}, {.type = FECRUN_NONE}),
                FECRUN_OUT({.type = FECRUN_U8})),
    NULL,
};

/* Without the remainder. */
static const struct fecrun_form *const check_forms[] = {
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED,
                FECRUN_IN({.type = FECRUN_PACKED}, {.type = FECRUN_NONE}),
                FECRUN_OUT({.type = FECRUN_PACKED}, {.type = FECRUN_NONE})),
    FECRUN_FORM(.flags = FECRUN_FORM_RAGGED, FECRUN_IN({.type = FECRUN_U8}, {.type = FECRUN_NONE}),
                FECRUN_OUT({.type = FECRUN_U8}, {.type = FECRUN_NONE})),
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_PACKED}, {.type = FECRUN_NONE}),
                FECRUN_OUT({.type = FECRUN_PACKED}, {.type = FECRUN_NONE})),
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_U8}, {.type = FECRUN_NONE}),
                FECRUN_OUT({.type = FECRUN_U8}, {.type = FECRUN_NONE})),
    NULL,
};

const struct fecrun_backend chain_crc_attach_cuda = {
    FECRUN_CUDA_BACKEND(chain_cuda_probe, create, attach_run, destroy),
    .name = "cuda",
    .summary = "a warp a frame, or a thread a short one; frames of all sizes in one launch",
    .forms = attach_forms,
    .takes = takes,
};

const struct fecrun_backend chain_crc_check_cuda = {
    FECRUN_CUDA_BACKEND(chain_cuda_probe, create, check_run, destroy),
    .name = "cuda",
    .summary = "a warp a frame, or a thread a short one; frames of all sizes in one launch",
    .forms = check_forms,
    .takes = takes,
};
