/* SPDX-License-Identifier: BSD-2-Clause */
/* As many ports as there can be, and an output of values beside the samples. */
#include "t/doubles/fake/fake.h"

static int wide_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                     const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                     struct fecrun_plan *plan, struct fecrun_error *err)
{
    (void)host, (void)values, (void)plan, (void)err;
    for (unsigned p = 0; p < FECRUN_MAX_PORTS; p++)
        fecrun_frame_copy(out[p], in[p] ? in[p] : in[0]);
    return 0;
}

/* ---- wide.eight: output i is input i with i bits flipped; of those that are not linked input 0 ---- */

static int eight_run(void *instance, const struct fecrun_call *call,
                     const struct fecrun_view *const in[], struct fecrun_view *const out[],
                     struct fecrun_error *err)
{
    (void)instance, (void)call, (void)err;
    for (unsigned p = 0; p < FECRUN_MAX_PORTS; p++)
        for (uint64_t f = 0; out[p] && f < out[p]->frames; f++) {
            const uint8_t *from = fecrun_row(in[p] ? in[p] : in[0], f);
            uint8_t *to = fecrun_row(out[p], f);

            for (uint64_t i = 0; i < out[p]->items; i++)
                to[i] = from[i] ^ (i < p);
        }
    return 0;
}

#define PORT(p, flag) FECRUN_PORT(.name = p, .kinds = FECRUN_KIND_BITS, .flags = flag)
#define LINK(p) FECRUN_PARAM(.name = p, .type = FECRUN_VALUE_PORT, .help = "another input")
#define PORTS(flag) \
    PORT("p0", 0), PORT("p1", flag), PORT("p2", flag), PORT("p3", flag), PORT("p4", flag), \
        PORT("p5", flag), PORT("p6", flag), PORT("p7", flag), NULL

static const struct fecrun_port *const eight_in[] = {PORTS(FECRUN_PORT_OPTIONAL)};
static const struct fecrun_port *const eight_out[] = {PORTS(0)};
static const struct fecrun_param *const eight_params[] = {
    LINK("p1"), LINK("p2"), LINK("p3"), LINK("p4"), LINK("p5"), LINK("p6"), LINK("p7"), NULL};

#define BITS \
    { \
        .type = FECRUN_U8 \
    }
#define EIGHT BITS, BITS, BITS, BITS, BITS, BITS, BITS, BITS
static const struct fecrun_form *const eight_forms[] = {
    FECRUN_FORM(FECRUN_IN(EIGHT), FECRUN_OUT(EIGHT)), NULL};

/* ---- wide.weigh: bits pass, and how many of a frame are 1 comes out beside them ---- */

static int weigh_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                      const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                      struct fecrun_plan *plan, struct fecrun_error *err)
{
    (void)host, (void)values, (void)plan, (void)err;
    fecrun_frame_copy(out[0], in[0]);
    out[1]->kind = FECRUN_KIND_VALUES;
    out[1]->type = FECRUN_F32;
    out[1]->items = 1;
    return 0;
}

static int weigh_run(void *instance, const struct fecrun_call *call,
                     const struct fecrun_view *const in[], struct fecrun_view *const out[],
                     struct fecrun_error *err)
{
    (void)instance, (void)call, (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        const uint8_t *bits = fecrun_row(in[0], f);
        float weight = 0;

        for (uint64_t i = 0; i < in[0]->items; i++)
            weight += bits[i];
        memcpy(fecrun_row(out[0], f), bits, in[0]->items);
        if (out[1])
            memcpy(fecrun_row(out[1], f), &weight, sizeof weight);
    }
    return 0;
}

static const struct fecrun_port *const weigh_out[] = {
    FECRUN_PORT(.name = "bits", .kinds = FECRUN_KIND_BITS),
    FECRUN_PORT(.name = "weight", .kinds = FECRUN_KIND_VALUES, .flags = FECRUN_PORT_OPTIONAL,
                .help = "ones in the frame"),
    NULL};
static const struct fecrun_form *const weigh_forms[] = {
    FECRUN_FORM(FECRUN_IN(BITS), FECRUN_OUT(BITS, {.type = FECRUN_F32})), NULL};
/* of a backend that does not count */
static const struct fecrun_form *const lean_forms[] = {
    FECRUN_FORM(FECRUN_IN(BITS), FECRUN_OUT(BITS, {.type = FECRUN_NONE})), NULL};
static const struct fecrun_backend *const weigh_backends[] = {
    FECRUN_BACKEND(.name = "ref", .forms = weigh_forms, .create = no_create, .run = weigh_run,
                   .destroy = no_destroy),
    FECRUN_BACKEND(.name = "simd", .forms = lean_forms, .create = no_create, .run = weigh_run,
                   .destroy = no_destroy),
    NULL};

/* ---- wide.gate: bits pass where the frame's value is not 0, else they become 0 ---- */

static int gate_run(void *instance, const struct fecrun_call *call,
                    const struct fecrun_view *const in[], struct fecrun_view *const out[],
                    struct fecrun_error *err)
{
    (void)instance, (void)call, (void)err;
    for (uint64_t f = 0; f < in[0]->frames; f++) {
        float open;

        memcpy(&open, fecrun_row(in[1], f), sizeof open);
        if (open != 0)
            memcpy(fecrun_row(out[0], f), fecrun_row(in[0], f), in[0]->items);
        else
            memset(fecrun_row(out[0], f), 0, in[0]->items);
    }
    return 0;
}

static int gate_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                     const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                     struct fecrun_plan *plan, struct fecrun_error *err)
{
    (void)host, (void)values, (void)plan;
    if (in[1]->items != 1)
        return fecrun_fail(err, "open", "has %llu values a frame, not 1",
                           (unsigned long long)in[1]->items);
    fecrun_frame_copy(out[0], in[0]);
    return 0;
}

static const struct fecrun_port *const gate_in[] = {
    FECRUN_PORT(.name = "bits", .kinds = FECRUN_KIND_BITS),
    FECRUN_PORT(.name = "open", .kinds = FECRUN_KIND_VALUES), NULL};
static const struct fecrun_param *const gate_params[] = {
    FECRUN_PARAM(.name = "open", .type = FECRUN_VALUE_PORT, .flags = FECRUN_PARAM_REQUIRED,
                 .help = "a value a frame"),
    NULL};
static const struct fecrun_form *const gate_forms[] = {
    FECRUN_FORM(FECRUN_IN(BITS, {.type = FECRUN_F32}), FECRUN_OUT(BITS)), NULL};

/* ---- Tables ---- */

#define BACKENDS(form_table, run_fn) \
    ((const struct fecrun_backend *const[]){FECRUN_BACKEND(.name = "ref", .forms = form_table, \
                                                           .create = no_create, .run = run_fn, \
                                                           .destroy = no_destroy), \
                                            NULL})

static const struct fecrun_stage *const stages[] = {
    FECRUN_STAGE(.name = "wide.eight", .role = FECRUN_ROLE_TRANSFORM, .summary = "eight ways",
                 .params = eight_params, .inputs = eight_in, .outputs = eight_out,
                 .backends = BACKENDS(eight_forms, eight_run), .plan = wide_plan),
    FECRUN_STAGE(.name = "wide.weigh", .role = FECRUN_ROLE_TRANSFORM, .summary = "counts ones",
                 .params = no_params, .inputs = bit_ports, .outputs = weigh_out,
                 .backends = weigh_backends, .plan = weigh_plan),
    FECRUN_STAGE(.name = "wide.gate", .role = FECRUN_ROLE_TRANSFORM, .summary = "lets frames pass",
                 .params = gate_params, .inputs = gate_in, .outputs = bit_ports,
                 .backends = BACKENDS(gate_forms, gate_run), .plan = gate_plan),
    NULL,
};

PLUGIN("wide", .stages = stages);
