/* SPDX-License-Identifier: BSD-2-Clause */
/* The backends cuda of rs.* and bch.*. */
#include "plugins/common/gpu/gpu.h"
#include "plugins/outer/cuda/block.h"
#include "plugins/outer/cuda/launch.h"
#include "plugins/outer/plugin.h"

static int takes_rs(const struct fecrun_create *args, struct fecrun_error *err)
{
    return outer_gpu_takes_rs(args->codes[0], err);
}

static int takes_bch(const struct fecrun_create *args, struct fecrun_error *err)
{
    return outer_gpu_takes_bch(args->codes[0], err);
}

#ifdef FECRUN_CUDA

struct instance {
    struct gpu gpu;
    struct outer_gpu_plan plan; /* its memory is NULL: the tables are in gpu.table */
};

static int probe(const struct fecrun_host *host, int32_t device, char *reason, size_t reason_size)
{
    (void)host;
    return fecrun_cuda_probe_kernel(outer_gpu_kernel(), device, reason, reason_size);
}

/* Frees the plan's memory. */
static int make(const struct fecrun_create *args, struct outer_gpu_plan *plan, void **instance,
                struct fecrun_error *err)
{
    struct instance *self = gpu_make(sizeof *self, args, plan->memory, plan->bytes, err);

    free(plan->memory);
    plan->memory = NULL;
    *instance = self;
    if (self)
        self->plan = *plan;
    return self ? 0 : -1;
}

static int create_rs(const struct fecrun_create *args, bool decodes, void **instance,
                     struct fecrun_error *err)
{
    struct outer_gpu_plan plan;

    *instance = NULL;
    return takes_rs(args, err) || outer_gpu_plan_rs(&plan, args->codes[0], decodes, err)
               ? -1
               : make(args, &plan, instance, err);
}

static int create_bch(const struct fecrun_create *args, bool decodes, void **instance,
                      struct fecrun_error *err)
{
    struct outer_gpu_plan plan;

    *instance = NULL;
    return takes_bch(args, err) || outer_gpu_plan_bch(&plan, args->codes[0], decodes, err)
               ? -1
               : make(args, &plan, instance, err);
}

#define CREATE(name, family, decodes) \
    static int name(const struct fecrun_create *args, void **instance, struct fecrun_error *err) \
    { \
        return create_##family(args, decodes, instance, err); \
    }

CREATE(create_rs_encode, rs, false)
CREATE(create_rs_decode, rs, true)
CREATE(create_bch_encode, bch, false)
CREATE(create_bch_decode, bch, true)

static struct gpu_port port_of(const struct fecrun_view *view)
{
    return view ? (struct gpu_port){.data = view->data, .stride = view->stride}
                : (struct gpu_port){.data = NULL};
}

static struct outer_gpu_args args_of(const struct instance *self, const struct fecrun_view *in,
                                     const struct fecrun_view *out)
{
    const char *table = self->gpu.table;
    const uint16_t *field = (const void *)(table + self->plan.field);
    const uint8_t *dual = (const void *)(table + self->plan.dual);

    return (struct outer_gpu_args){.frames = {.n = in->frames},
                                   .in = port_of(in),
                                   .out = port_of(out),
                                   .table = (const void *)table,
                                   .advance = (const void *)(table + self->plan.advance),
                                   .exp = field,
                                   .log = field + ((size_t)2 << self->plan.code.m),
                                   .from_dual = dual,
                                   .to_dual = dual + 256,
                                   .code = self->plan.code};
}

static int encode(void *instance, const struct fecrun_call *call,
                  const struct fecrun_view *const in[], struct fecrun_view *const out[],
                  struct fecrun_error *err)
{
    const struct instance *self = instance;
    const struct outer_gpu_args args = args_of(self, in[0], out[0]);

    if (fecrun_cuda_use(self->gpu.device, err))
        return -1;
    return fecrun_cuda_check(err, "starting the encoder",
                             outer_gpu_divide(&args, (cudaStream_t)call->stream));
}

static size_t scratch(const void *instance, uint64_t frames)
{
    const struct outer_gpu_code *c = &((const struct instance *)instance)->plan.code;

    return frames * c->depth * c->words * sizeof(uint32_t);
}

static int decode(const struct instance *self, const struct fecrun_call *call,
                  const struct fecrun_view *in, const struct fecrun_view *flags,
                  struct fecrun_view *const out[], struct fecrun_error *err)
{
    struct outer_gpu_args args = args_of(self, in, out[0]);
    cudaError_t status;

    args.flags = port_of(flags);
    args.corrected = port_of(out[1]);
    args.info = call->info;
    args.rest = call->scratch;
    if (fecrun_cuda_use(self->gpu.device, err))
        return -1;
    status = outer_gpu_divide(&args, (cudaStream_t)call->stream);
    if (status == cudaSuccess)
        status = outer_gpu_solve(&args, (cudaStream_t)call->stream);
    return fecrun_cuda_check(err, "starting the decoder", status);
}

static int decode_rs(void *instance, const struct fecrun_call *call,
                     const struct fecrun_view *const in[], struct fecrun_view *const out[],
                     struct fecrun_error *err)
{
    return decode(instance, call, in[0], in[1], out, err);
}

static int decode_bch(void *instance, const struct fecrun_call *call,
                      const struct fecrun_view *const in[], struct fecrun_view *const out[],
                      struct fecrun_error *err)
{
    return decode(instance, call, in[0], NULL, out, err);
}

#endif

static const struct fecrun_form *const encode_forms[] = {
    FECRUN_ONE_FORM(FECRUN_PACKED, FECRUN_PACKED), NULL};

static const struct fecrun_form *const rs_forms[] = {
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_PACKED}, {.type = FECRUN_F32}),
                FECRUN_OUT({.type = FECRUN_PACKED}, {.type = FECRUN_F32})),
    NULL};

static const struct fecrun_form *const bch_forms[] = {
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_PACKED}),
                FECRUN_OUT({.type = FECRUN_PACKED}, {.type = FECRUN_F32})),
    NULL};

#define ENCODES "a thread a word, or some of its segments, a table of what leaves the register"
#define DECODES ENCODES "; a warp a frame that is wrong"

const struct fecrun_backend outer_rs_encode_cuda = {
    FECRUN_CUDA_BACKEND(probe, create_rs_encode, encode, gpu_destroy),
    .name = "cuda",
    .summary = ENCODES,
    .forms = encode_forms,
    .takes = takes_rs,
};

const struct fecrun_backend outer_bch_encode_cuda = {
    FECRUN_CUDA_BACKEND(probe, create_bch_encode, encode, gpu_destroy),
    .name = "cuda",
    .summary = ENCODES,
    .forms = encode_forms,
    .takes = takes_bch,
};

const struct fecrun_backend outer_rs_decode_cuda = {
    FECRUN_CUDA_BACKEND(probe, create_rs_decode, decode_rs, gpu_destroy),
    .name = "cuda",
    .summary = DECODES,
    .forms = rs_forms,
    .takes = takes_rs,
    .scratch = FECRUN_CUDA_SCRATCH(scratch),
};

const struct fecrun_backend outer_bch_decode_cuda = {
    FECRUN_CUDA_BACKEND(probe, create_bch_decode, decode_bch, gpu_destroy),
    .name = "cuda",
    .summary = DECODES,
    .forms = bch_forms,
    .takes = takes_bch,
    .scratch = FECRUN_CUDA_SCRATCH(scratch),
};
