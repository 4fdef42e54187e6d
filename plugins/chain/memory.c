/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * source.memory and sink.memory: frames that lie in the memory of the program that uses libfecrun.
 * They only say what lies there. The host puts the program's arrays in the place of their buffers,
 * and calls none of their run().
 */
#include "plugins/chain/plugin.h"
#include "plugins/common/files/file.h"

#include <fecrun/sdk/sample.h>

struct memory_code {
    uint32_t type;
    bool device;
};

static const char *const spaces[] = {"host", "device", NULL};

#define SPACE_PARAM \
    FECRUN_PARAM( \
            .name = "space", .type = FECRUN_VALUE_CHOICE, .choices = spaces, \
            .default_text = "host", \
            .help = \
                "memory of the array; device: pointers of the device that the pipeline runs on")

/* ---- Planning ------------------------------------------------------------------------------ */

enum {
    SOURCE_DTYPE,
    SOURCE_FRAME,
    SOURCE_SCALE,
    SOURCE_MAX,
    SOURCE_SPACE,
    SOURCE_VALUES,
    SOURCE_STREAM
};

static const struct fecrun_param *const source_params[] = {
    FECRUN_CHOICE(
        "dtype", file_dtype_names, .flags = FECRUN_PARAM_REQUIRED,
        .help = "type of the items: LLRs, bits (u1, packed) or symbols (c8). Numbers of "
                "bits or numpy's numbers of bytes, but i8 is one byte and i4 half a byte"),
    FECRUN_INT("frame", 1, 1 << 30, .flags = FECRUN_PARAM_REQUIRED | FECRUN_PARAM_SIZE,
               .unit = "items", .help = "items of a frame"),
    FECRUN_FLOAT("llr_scale", 1e-6, 1e6, .default_text = "1", .unit = "units per natural LLR",
                 .help = "scale of the LLRs"),
    FECRUN_FLOAT("llr_max", 1e-6, 1e9,
                 .help = "largest LLR, promised by the program; default: the range of i4, i8, i16"),
    SPACE_PARAM,
    FECRUN_BOOL("values", .default_text = "false",
                .help = "f4, f2, i2, i1: the items are not LLRs but side information, for another "
                        "input of a stage"),
    FECRUN_BOOL("stream", .default_text = "false",
                .help = "the items of all calls are one stream, which is worked on in pieces of "
                        "`frame` items: fecrun_execute_stream()"),
    NULL,
};

static double type_max(uint32_t type)
{
    return type == FECRUN_I4 ? 7 : type == FECRUN_I8 ? 127 : type == FECRUN_I16 ? 32767 : 0;
}

static void describe_llrs(const struct fecrun_values *values, struct fecrun_frame *out)
{
    const struct fecrun_value *max = fecrun_value(values, SOURCE_MAX);
    const double largest = type_max(out->type);

    out->channel_bits = out->items;
    out->llr_scale = fecrun_value(values, SOURCE_SCALE)->f;
    out->llr_max = max->given && (largest == 0 || max->f < largest) ? max->f : largest;
}

static int source_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                       const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                       struct fecrun_plan *plan, struct fecrun_error *err)
{
    struct memory_code *code = fecrun_code(plan, sizeof *code, err);

    (void)host;
    (void)in;
    if (!code)
        return -1;
    code->type = file_dtype(fecrun_value(values, SOURCE_DTYPE)->i);
    code->device = fecrun_value(values, SOURCE_SPACE)->i != 0;
    out[0]->kind = fecrun_value(values, SOURCE_VALUES)->i ? FECRUN_KIND_VALUES
                                                          : fecrun_type_kind(code->type);
    if (!(fecrun_type_kinds(code->type) & out[0]->kind)) {
        free(code);
        plan->code = NULL;
        return fecrun_fail(err, "values", "are f4, f2, i2 or i1, not %s",
                           fecrun_type_name(file_dtype(fecrun_value(values, SOURCE_DTYPE)->i)));
    }
    out[0]->type = code->type;
    out[0]->items = (uint64_t)fecrun_value(values, SOURCE_FRAME)->i;
    out[0]->stream = fecrun_value(values, SOURCE_STREAM)->i != 0;
    if (out[0]->kind == FECRUN_KIND_BITS)
        out[0]->info_bits = out[0]->items;
    if (out[0]->kind == FECRUN_KIND_LLR)
        describe_llrs(values, out[0]);
    return 0;
}

enum { SINK_DTYPE, SINK_SPACE };

static const struct fecrun_param *const sink_params[] = {
    FECRUN_CHOICE("dtype", file_dtype_names,
                  .help = "type of the items; default: u1 for bits, else the port's type"),
    SPACE_PARAM,
    NULL,
};

static int sink_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                     const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                     struct fecrun_plan *plan, struct fecrun_error *err)
{
    const struct fecrun_value *dtype = fecrun_value(values, SINK_DTYPE);
    const uint32_t type = dtype->given                      ? file_dtype(dtype->i)
                          : in[0]->kind == FECRUN_KIND_BITS ? FECRUN_U8
                                                            : in[0]->type;
    struct memory_code *code;

    (void)host;
    (void)out;
    if (!fecrun_type_holds(type, in[0]->type))
        return fecrun_fail(err, "dtype",
                           "%s items do not all fit into %s: only lossless types are allowed; "
                           "llr.quantize quantises",
                           fecrun_type_name(in[0]->type), fecrun_type_name(type));
    code = fecrun_code(plan, sizeof *code, err);
    if (!code)
        return -1;
    code->type = type;
    code->device = fecrun_value(values, SINK_SPACE)->i != 0;
    return 0;
}

/* ---- Backends ------------------------------------------------------------------------------ */

/* The program's array has one type and lies in one place: no other form will do. */
static int takes(const struct fecrun_create *args, bool device, uint32_t type,
                 struct fecrun_error *err)
{
    for (uint32_t c = 0; c < args->n_codes; c++) {
        const struct memory_code *code = args->codes[c];

        if (code->device != device)
            return fecrun_fail(err, "space", "the array lies in memory of %s",
                               device ? "the host" : "a device");
        if (code->type != type)
            return fecrun_fail(err, "dtype", "the array holds %s", fecrun_type_name(code->type));
    }
    return 0;
}

static int source_takes_host(const struct fecrun_create *args, struct fecrun_error *err)
{
    return takes(args, false, args->form->out[0].type, err);
}

static int source_takes_device(const struct fecrun_create *args, struct fecrun_error *err)
{
    return takes(args, true, args->form->out[0].type, err);
}

static int sink_takes_host(const struct fecrun_create *args, struct fecrun_error *err)
{
    return takes(args, false, args->form->in[0].type, err);
}

static int sink_takes_device(const struct fecrun_create *args, struct fecrun_error *err)
{
    return takes(args, true, args->form->in[0].type, err);
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    (void)instance;
    (void)call;
    (void)in;
    (void)out;
    return fecrun_fail(err, NULL, "is for programs that bind their own memory to it (fecrun.h)");
}

static const struct fecrun_form *const source_forms[] = {CHAIN_EACH_TYPE(FECRUN_OUT, U8, PACKED),
                                                         NULL};
static const struct fecrun_form *const sink_forms[] = {CHAIN_EACH_TYPE(FECRUN_IN, U8, PACKED),
                                                       NULL};

/* Not called cuda, so that `backend: cuda` leaves arrays where they are. */
#define ROWS(form_table, takes_host, takes_device) \
    { \
        FECRUN_BACKEND(.name = "ref", .forms = form_table, .create = fecrun_no_instance, \
                       .run = run, .destroy = fecrun_no_destroy, .takes = takes_host), \
            FECRUN_BACKEND(.name = "device", .provider = "cuda", .forms = form_table, \
                           .create = fecrun_no_instance, .run = run, .destroy = fecrun_no_destroy, \
                           .takes = takes_device), \
            NULL, \
    }

static const struct fecrun_backend *const source_backends[] = ROWS(source_forms, source_takes_host,
                                                                   source_takes_device);
static const struct fecrun_backend *const sink_backends[] = ROWS(sink_forms, sink_takes_host,
                                                                 sink_takes_device);

const struct fecrun_stage chain_source_memory = {
    .size = sizeof chain_source_memory,
    .name = "source.memory",
    .role = FECRUN_ROLE_SOURCE,
    .flags = FECRUN_STAGE_BOUND,
    .summary = "frames in an array of the program that uses libfecrun",
    .params = source_params,
    .inputs = FECRUN_NO_PORTS,
    .outputs = FECRUN_ONE_PORT(
        "out", FECRUN_KIND_BITS | FECRUN_KIND_LLR | FECRUN_KIND_SYMBOLS | FECRUN_KIND_VALUES,
        "the items of the array"),
    .backends = source_backends,
    .plan = source_plan,
    .plan_free = free,
};

const struct fecrun_stage chain_sink_memory = {
    .size = sizeof chain_sink_memory,
    .name = "sink.memory",
    .role = FECRUN_ROLE_SINK,
    .flags = FECRUN_STAGE_BOUND,
    .summary = "an array of the program that uses libfecrun",
    .params = sink_params,
    .inputs = FECRUN_ONE_PORT(
        "in", FECRUN_KIND_BITS | FECRUN_KIND_LLR | FECRUN_KIND_SYMBOLS | FECRUN_KIND_VALUES,
        "what goes into the array"),
    .outputs = FECRUN_NO_PORTS,
    .backends = sink_backends,
    .plan = sink_plan,
    .plan_free = free,
};
