/* SPDX-License-Identifier: BSD-2-Clause */
/* Forms that say FECRUN_FORM_RAGGED: a batch with frames of two classes gives what each gives alone. */
#include "tools/check/ragged.h"

#include "tools/check/check_impl.h"
#include <fecrun/sdk/sample.h>
#include <fecrun/sdk/params.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 9 };

/* Classes in an order with rows of one, two and three. */
static const uint32_t order[FRAMES] = {0, 1, 1, 0, 0, 0, 1, 0, 1};

/* One port of the batch; inputs first, then outputs. */
struct port {
    struct check_memory memory;
    struct fecrun_view view;
    uint64_t offset[FRAMES + 1], items[2];
};

struct batch {
    const struct check *check;
    const struct fecrun_form *form;
    enum check_pattern pattern;
    struct check_variant variant[2]; /* [0].also is [1] */
    struct check_input input[2];
    struct check_result alone[2];
    struct port in[FECRUN_MAX_PORTS], out[FECRUN_MAX_PORTS];
    struct check_memory scratch, info;
};

static bool fail(const struct batch *b, const char *what, const char *why)
{
    char frames[2][160];

    return check_fail(b->check->report, CHECK_RAGGED, "%.200s with %s and %.200s with %s: %s: %s",
                      b->variant[0].point->text,
                      check_variant_text(&b->variant[0], frames[0], sizeof frames[0]),
                      b->variant[1].point->text,
                      check_variant_text(&b->variant[1], frames[1], sizeof frames[1]), what, why);
}

/* ---- Each class alone: all frames of it, so that each has its number, and so its random words ---- */

static bool run_alone(struct batch *b, int class, struct check_random *random)
{
    struct check_variant v = b->variant[class];
    struct check_instance instance;
    struct fecrun_error err;
    struct check_call call;
    bool good = false;

    v.also = NULL;
    if (check_input_make(&b->input[class], b->check, &v, b->pattern, FRAMES, random))
        return false;
    call = check_call_for(&v, &b->input[class], FRAMES);
    if (check_instance_open(&instance, b->check, b->check->stage, b->check->backend, &v, b->form,
                            NULL, call.frames, &err))
        return false;
    good = !check_run(&instance, &b->input[class], &call, &b->alone[class], &err);
    check_instance_close(&instance);
    return good;
}

/* ---- Both in one batch ---- */

static int open_port(struct port *port, const struct check_place *place, uint32_t type,
                     const uint64_t items[2], uint8_t fill)
{
    port->items[0] = items[0];
    port->items[1] = items[1];
    for (size_t f = 0; f < FRAMES; f++)
        port->offset[f + 1] = port->offset[f] + fecrun_bytes(type, items[order[f]]);
    port->view = (struct fecrun_view){.size = sizeof port->view,
                                      .type = type,
                                      .frames = FRAMES,
                                      .offset = port->offset,
                                      .frame_class = order,
                                      .class_items = port->items};
    if (check_memory_open(&port->memory, place, port->offset[FRAMES], fill, 1, false))
        return -1;
    port->view.data = check_memory_pointer(&port->memory);
    return 0;
}

static void fill_port(struct batch *b, unsigned p)
{
    struct port *port = &b->in[p];

    for (size_t f = 0; f < FRAMES; f++) {
        const struct check_signal *signal = &b->input[order[f]].port[p];

        fecrun_convert(signal->type, port->view.type, signal->data + f * signal->stride,
                       check_memory_payload(&port->memory) + port->offset[f], signal->items);
    }
}

static int open_batch(struct batch *b, const struct check_instance *instance)
{
    const struct fecrun_backend *backend = b->check->backend->backend;
    const struct check_variant *v = b->variant;
    size_t scratch = backend->scratch ? backend->scratch(instance->handle, FRAMES) : 0;
    int status = 0;

    for (unsigned p = 0; p < v->n_in && !status; p++) {
        uint64_t items[2] = {v[0].in[p].items, v[1].in[p].items};

        if (!v->linked[p])
            continue;
        status = open_port(&b->in[p], &instance->place, b->form->in[p].type, items, 0);
        if (!status) {
            fill_port(b, p);
            status = check_memory_upload(&b->in[p].memory);
        }
    }
    for (unsigned p = 0; p < v->n_out && !status; p++) {
        uint64_t items[2] = {v[0].out[p].items, v[1].out[p].items};

        if (!b->form->out[p].type)
            continue;
        status = open_port(&b->out[p], &instance->place, b->form->out[p].type, items, 0xa5) ||
                 check_memory_upload(&b->out[p].memory);
    }
    return status || check_memory_open(&b->scratch, &instance->place, scratch, 0xa5, 64, false) ||
           check_memory_open(&b->info, &instance->place, FRAMES * sizeof(struct fecrun_frame_info),
                             0, 1, false) ||
           check_memory_upload(&b->scratch) || check_memory_upload(&b->info);
}

static int call_run(struct batch *b, const struct check_instance *instance,
                    struct fecrun_error *err)
{
    const struct fecrun_provider *provider = instance->place.provider;
    const struct fecrun_view *in[FECRUN_MAX_PORTS] = {NULL};
    struct fecrun_view *out[FECRUN_MAX_PORTS] = {NULL};
    void *const codes[] = {b->variant[0].plan.code, b->variant[1].plan.code};
    const volatile int cancel = 0;
    const struct check_call alone = check_call_for(&b->variant[0], &b->input[0], FRAMES);
    const struct fecrun_sim sim = {sizeof sim, alone.rng, NULL};
    struct fecrun_call call = {.size = sizeof call,
                               .stream = instance->place.stream,
                               .sim = &sim,
                               .codes = codes,
                               .first_frame = alone.first_frame,
                               .cancel = &cancel,
                               .scratch = check_memory_pointer(&b->scratch),
                               .info = check_memory_pointer(&b->info),
                               .out_info = check_memory_pointer(&b->info)};

    for (unsigned p = 0; p < b->variant->n_in; p++)
        in[p] = b->variant->linked[p] ? &b->in[p].view : NULL;
    for (unsigned p = 0; p < b->variant->n_out; p++)
        out[p] = b->form->out[p].type ? &b->out[p].view : NULL;
    if (b->check->backend->backend->run(instance->handle, &call, in, out, err))
        return -1;
    return provider ? provider->sync(0, instance->place.stream, err) : 0;
}

/* ---- The same? ---- */

static bool same_port(struct batch *b, unsigned p)
{
    struct port *port = &b->out[p];
    char text[300];

    if (check_memory_download(&port->memory))
        return fail(b, "output", "the copy from the device failed");
    if (!check_memory_intact(&port->memory, text, sizeof text))
        return fail(b, "output", text);
    for (size_t f = 0; f < FRAMES; f++) {
        const struct check_signal *alone = &b->alone[order[f]].out[p];
        const uint8_t *row = alone->data + f * alone->stride;

        if (!memcmp(row, check_memory_payload(&port->memory) + port->offset[f], alone->stride))
            continue;
        snprintf(text, sizeof text,
                 "frame %zu, of class %u (code object %u), differs from what it gives in a batch "
                 "of its class alone",
                 f, order[f], order[f]);
        return fail(b, "output", text);
    }
    return true;
}

static bool same_infos(struct batch *b)
{
    const struct fecrun_frame_info *info = (void *)check_memory_payload(&b->info);

    if (check_memory_download(&b->info))
        return fail(b, "info", "the copy from the device failed");
    for (size_t f = 0; f < FRAMES; f++) {
        const struct fecrun_frame_info *alone = &b->alone[order[f]].info[f];

        if (info[f].flags != alone->flags || info[f].iterations != alone->iterations ||
            info[f].bit_errors != alone->bit_errors)
            return fail(b, "info",
                        "a frame's differs from what it gives in a batch of its class alone");
    }
    return true;
}

static void judge(struct batch *b)
{
    bool good = true;

    for (unsigned p = 0; p < b->variant->n_out; p++)
        good = (!b->form->out[p].type || same_port(b, p)) && good;
    if (good && same_infos(b))
        check_pass(b->check->report, CHECK_RAGGED);
}

static void close_batch(struct batch *b)
{
    for (unsigned p = 0; p < FECRUN_MAX_PORTS; p++) {
        check_memory_close(&b->in[p].memory);
        check_memory_close(&b->out[p].memory);
    }
    check_memory_close(&b->scratch);
    check_memory_close(&b->info);
    for (int class = 0; class < 2; class ++) {
        check_result_free(&b->alone[class]);
        check_input_free(&b->input[class]);
    }
}

/* False: create() does not take both. */
static bool run_batch(struct batch *b)
{
    struct check_instance instance;
    struct fecrun_error err;
    int status = check_instance_open(&instance, b->check, b->check->stage, b->check->backend,
                                     b->variant, b->form, NULL, FRAMES, &err);

    if (status > 0)
        check_note(b->check->report, "declined: a batch of two sizes: %s", err.text);
    else if (status)
        fail(b, "create() with two classes", err.text);
    if (status)
        return status < 0;
    if (open_batch(b, &instance))
        fail(b, "memory", "there is none for this case");
    else if (call_run(b, &instance, &err))
        fail(b, "run()", err.text[0] ? err.text : "failed without a text");
    else
        judge(b);
    check_instance_close(&instance);
    return true;
}

bool check_ragged_pair(const struct check *check, const struct check_variant *a,
                       const struct check_variant *b, const struct fecrun_form *form,
                       enum check_pattern pattern, struct check_random *random)
{
    struct batch batch = {.check = check, .form = form, .pattern = pattern, .variant = {*a, *b}};
    bool ran;

    batch.variant[0].also = &batch.variant[1];
    check_now(check->report, "a batch of two classes: %s and %s", a->point->text, b->point->text);
    ran = run_alone(&batch, 0, random) && run_alone(&batch, 1, random) && run_batch(&batch);
    close_batch(&batch);
    return ran;
}
