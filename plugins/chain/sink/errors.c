/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sink.errors: counts the bits that differ from the reference, frame by frame. The reference is a
 * port (normally the source), or a .npy file: there frame f of the run is row f; a stream is
 * compared with its items in a row.
 */
#include "plugins/chain/sink/errors.h"
#include "plugins/common/files/file.h"

#include <errno.h>
#include <fcntl.h>
#include <fecrun/sdk/sample.h>
#include <inttypes.h>
#include <unistd.h>

struct errors {
    int fd; /* of the reference; -1: none */
    uint8_t block[ERRORS_BLOCK];
    uint8_t packed[ERRORS_BLOCK / 8];
};

enum { P_REFERENCE };

static const struct fecrun_param *const params[] = {
    FECRUN_PARAM(.name = "reference", .type = FECRUN_VALUE_PORT, .default_text = "source",
                 .help =
                     "the right bits: source, another stage (ID or ID.PORT) or a .npy file of u1"),
    NULL,
};

/* ---- Planning ------------------------------------------------------------------------------ */

static int check_port(const struct fecrun_frame *in, const struct fecrun_frame *reference,
                      struct fecrun_error *err)
{
    if (reference->kind != FECRUN_KIND_BITS)
        return fecrun_fail(err, "reference",
                           "what it links to has no bits to compare with: give "
                           "`reference:` a .npy path, or a stage that puts out bits");
    if (reference->items != in->items)
        return fecrun_fail(err, "reference",
                           "has frames of %" PRIu64 " bits, but %" PRIu64 " bits arrive here",
                           reference->items, in->items);
    return 0;
}

static int look_at_file(struct errors_code *code, const struct fecrun_frame *in,
                        struct fecrun_error *err)
{
    struct file_facts facts;

    if (access(code->path, F_OK))
        return fecrun_fail(err, "reference",
                           "%s is neither a stage in front of this one nor a "
                           "file",
                           code->path);
    if (file_look_plain(code->path, "reference", &facts, err))
        return -1;
    if (!facts.is_npy || facts.npy.type != FECRUN_U8)
        return fecrun_fail(err, "reference", "%s holds %s: a .npy file of u1 is allowed",
                           code->path,
                           facts.is_npy ? fecrun_type_name(facts.npy.type) : "no .npy array");
    code->header = facts.npy.header;
    code->frames = facts.npy.frames;
    code->total = facts.npy.payload;
    code->stream = in->stream != 0;
    if (!code->stream && facts.npy.items != in->items)
        return fecrun_fail(err, "reference",
                           "%s has frames of %" PRIu64 " bits, but %" PRIu64 " bits arrive here",
                           code->path, facts.npy.items, in->items);
    return 0;
}

static int errors_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                       const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                       struct fecrun_plan *plan, struct fecrun_error *err)
{
    struct errors_code *code = fecrun_code(plan, sizeof *code, err);
    int status;

    (void)host;
    (void)out;
    if (!code)
        return -1;
    if (in[1]) {
        status = check_port(in[0], in[1], err);
    } else {
        code->path = fecrun_value(values, P_REFERENCE)->s;
        status = look_at_file(code, in[0], err);
    }
    if (status) {
        free(code);
        plan->code = NULL;
    }
    return status;
}

/* ---- Counting ------------------------------------------------------------------------------ */

static int errors_create(const struct fecrun_create *args, void **instance,
                         struct fecrun_error *err)
{
    struct errors *errors = malloc(sizeof *errors);

    *instance = errors;
    if (!errors)
        return fecrun_no_memory(err);
    if (!errors_open(args->codes[0], &errors->fd, err))
        return 0;
    free(errors);
    *instance = NULL;
    return -1;
}

static void errors_destroy(void *instance)
{
    struct errors *errors = instance;

    if (errors)
        errors_close(errors->fd);
    free(errors);
}

/* Compares a frame with the bits of the file from `first` on. */
static int count_with_file(struct errors *errors, const struct errors_code *code, uint64_t first,
                           const struct fecrun_view *in, const uint8_t *row, uint64_t *count,
                           struct fecrun_error *err)
{
    *count = 0;
    for (uint64_t i = 0; i < in->items; i += ERRORS_BLOCK) {
        size_t n = in->items - i < ERRORS_BLOCK ? (size_t)(in->items - i) : ERRORS_BLOCK;

        if (errors_read(errors->fd, code, first + i, errors->block, n, err))
            return -1;
        if (in->type == FECRUN_PACKED) {
            fecrun_bits_pack(errors->packed, errors->block, n);
            *count += fecrun_bits_differ_packed(row + i / 8, errors->packed, n);
        } else {
            *count += fecrun_bits_differ_u8(row + i, errors->block, n);
        }
    }
    return 0;
}

static int count_frame(struct errors *errors, const struct fecrun_call *call, uint64_t f,
                       const struct fecrun_view *const in[], uint64_t *count,
                       struct fecrun_error *err)
{
    const struct errors_code *code = call->codes[0];
    const uint8_t *row = fecrun_row(in[0], f);
    uint64_t first = 0;

    if (code->path && errors_find_frame(code, call, f, in[0]->items, &first, err))
        return -1;
    if (code->path)
        return count_with_file(errors, code, first, in[0], row, count, err);
    if (in[0]->type == FECRUN_PACKED)
        *count = fecrun_bits_differ_packed(row, fecrun_row(in[1], f), in[0]->items);
    else
        *count = fecrun_bits_differ_u8(row, fecrun_row(in[1], f), in[0]->items);
    return 0;
}

static int errors_run(void *instance, const struct fecrun_call *call,
                      const struct fecrun_view *const in[], struct fecrun_view *const out[],
                      struct fecrun_error *err)
{
    (void)out;
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        if (count_frame(instance, call, f, in, &call->info[f].bit_errors, err))
            return -1;
        call->info[f].flags |= FECRUN_FRAME_COUNTED;
    }
    return 0;
}

static const struct fecrun_form *const forms[] = {
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_PACKED}, {.type = FECRUN_PACKED})),
    FECRUN_FORM(FECRUN_IN({.type = FECRUN_U8}, {.type = FECRUN_U8})),
    NULL,
};

static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(.name = "ref", .forms = forms, .create = errors_create, .run = errors_run,
                   .destroy = errors_destroy),
    &chain_sink_errors_cuda,
    NULL,
};

static const struct fecrun_port *const inputs[] = {
    FECRUN_PORT(.name = "in", .kinds = FECRUN_KIND_BITS, .help = "decoded bits"),
    FECRUN_PORT(.name = "reference",
                .kinds = FECRUN_KIND_BITS | FECRUN_KIND_LLR | FECRUN_KIND_SYMBOLS,
                .flags = FECRUN_PORT_OPTIONAL, .help = "the right bits"),
    NULL,
};

const struct fecrun_stage chain_sink_errors = {
    .size = sizeof chain_sink_errors,
    .name = "sink.errors",
    .role = FECRUN_ROLE_SINK,
    .flags = FECRUN_STAGE_COUNTS,
    .summary = "counts bit errors against a reference",
    .params = params,
    .inputs = inputs,
    .outputs = FECRUN_NO_PORTS,
    .backends = backends,
    .plan = errors_plan,
    .plan_free = free,
};
