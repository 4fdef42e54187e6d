/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/chain/plugin.h"
#include "plugins/chain/cuda/device.h"
#include "plugins/chain/cuda/thread/bits.h"
#include "plugins/chain/cuda/thread/crc_general.h"

/* One launch has the table of one polynomial, and checks the whole parity. */
static int takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    const struct crc_plan *first = args->codes[0];

    for (uint32_t c = 0; c < args->n_codes; c++) {
        const struct crc_plan *plan = args->codes[c];

        if (plan->crc.unknown)
            return fecrun_fail(err, "unknown", "bits are left out on the host alone");
        if (plan->crc.polynomial != first->crc.polynomial || plan->crc.width != first->crc.width ||
            plan->general.width != first->general.width ||
            plan->general.polynomial != first->general.polynomial)
            return fecrun_fail(err, first->general.width ? "poly" : "crc",
                               "one launch takes frames with one CRC");
    }
    return 0;
}

#ifdef FECRUN_CUDA

struct crc_cuda {
    struct gpu gpu;
    /* One a class, as they are named or of a polynomial; the other is NULL. */
    struct crc_job *named;
    struct crc_general_job *general;
    struct gpu_jobs jobs;
};

static void destroy(void *instance)
{
    struct crc_cuda *own = instance;

    if (!own)
        return;
    if (cudaSetDevice(own->gpu.device) == cudaSuccess)
        gpu_jobs_free(&own->jobs);
    free(own->named);
    free(own->general);
    gpu_destroy(own);
}

static int make_jobs(struct crc_cuda *own, const struct fecrun_create *args,
                     struct fecrun_error *err)
{
    const struct crc_plan *first = args->codes[0];
    const size_t one = first->general.width ? sizeof *own->general : sizeof *own->named;

    if (first->general.width)
        own->general = calloc(args->n_codes, one);
    else
        own->named = calloc(args->n_codes, one);
    if (!own->general && !own->named)
        return fecrun_no_memory(err);
    for (uint32_t c = 0; c < args->n_codes; c++) {
        const struct crc_plan *plan = args->codes[c];

        if (own->general)
            crc_general_make_job(&own->general[c], plan);
        else
            crc_make_lanes(&own->named[c].lanes, &plan->crc);
    }
    return args->n_codes > 1 ? gpu_jobs_make(&own->jobs, args->n_codes * one, err) : 0;
}

static int create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    struct crc_cuda *own = gpu_make(sizeof *own, args, NULL, 0, err);

    *instance = own;
    if (!own)
        return -1;
    if (!make_jobs(own, args, err))
        return 0;
    destroy(own);
    *instance = NULL;
    return -1;
}

static void fill_job(struct crc_cuda *own, uint32_t c, const struct crc_plan *plan)
{
    if (own->general) {
        own->general[c].code = plan->crc;
        own->general[c].crc = plan->general;
    } else {
        own->named[c].code = plan->crc;
    }
}

/* Fills in the kernels' arguments: rows and jobs. With classes, the jobs are copied to device memory. */
static int begin(struct crc_cuda *own, const struct fecrun_call *call,
                 const struct fecrun_view *const view[GPU_PORTS], struct rows rows[GPU_PORTS],
                 const void **classes, struct fecrun_error *err)
{
    *classes = NULL;
    if (chain_cuda_ragged(own, call, view, rows, err))
        return -1;
    fill_job(own, 0, call->codes[0]);
    if (!rows[0].offset)
        return 0;
    for (uint32_t c = 1; c < own->gpu.n_classes; c++)
        fill_job(own, c, call->codes[c]);
    *classes = gpu_jobs_put(&own->jobs, own->general ? (void *)own->general : own->named,
                            call->stream, err);
    return *classes ? 0 : -1;
}

static int crc_run(struct crc_cuda *own, const struct fecrun_call *call,
                   const struct fecrun_view *in, struct fecrun_view *out, bool check,
                   struct fecrun_error *err)
{
    const struct fecrun_view *const view[GPU_PORTS] = {in, out, NULL};
    struct rows rows[GPU_PORTS];
    const void *classes;
    cudaError_t status;

    if (begin(own, call, view, rows, &classes, err))
        return -1;
    if (own->general)
        status = chain_cuda_crc_general(rows[0], rows[1], own->general, classes, check, call->info,
                                        call->stream);
    else if (check)
        status = chain_cuda_crc_check(rows[0], rows[1], own->named, classes, call->info,
                                      call->stream);
    else
        status = chain_cuda_crc_attach(rows[0], rows[1], own->named, classes, call->stream);
    return chain_cuda_end(status, err);
}

static int attach_run(void *instance, const struct fecrun_call *call,
                      const struct fecrun_view *const in[], struct fecrun_view *const out[],
                      struct fecrun_error *err)
{
    return crc_run(instance, call, in[0], out[0], false, err);
}

static int check_run(void *instance, const struct fecrun_call *call,
                     const struct fecrun_view *const in[], struct fecrun_view *const out[],
                     struct fecrun_error *err)
{
    return crc_run(instance, call, in[0], out[0], true, err);
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
