/* SPDX-License-Identifier: BSD-2-Clause */
/* Instances, and one run() call between red zones. */
#include "tools/check/check.h"

#include "tools/check/check_impl.h"
#include <fecrun/sdk/sample.h>
#include <fecrun/sdk/params.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Host services whose memory is counted ---- */

static int64_t blocks;

static void *counted_alloc(const struct fecrun_host *host, size_t bytes)
{
    void *ptr = aligned_alloc(64, bytes ? (bytes + 63) / 64 * 64 : 64);

    (void)host;
    if (ptr)
        __atomic_add_fetch(&blocks, 1, __ATOMIC_RELAXED);
    return ptr;
}

static void counted_free(const struct fecrun_host *host, void *ptr)
{
    (void)host;
    if (ptr)
        __atomic_sub_fetch(&blocks, 1, __ATOMIC_RELAXED);
    free(ptr);
}

const struct fecrun_host *check_host(const struct registry *registry)
{
    static struct fecrun_host host;

    host = registry->host;
    host.alloc = counted_alloc;
    host.free = counted_free;
    return &host;
}

int64_t check_host_blocks(void)
{
    return __atomic_load_n(&blocks, __ATOMIC_RELAXED);
}

/* ---- Instances ---- */

static int read_tune(struct check_instance *instance, const char *tune, struct fecrun_error *err)
{
    static const struct fecrun_param *const none[] = {NULL};
    const struct fecrun_param *const *schema = instance->backend->backend->tune;
    struct param_source source = {.label = "tune"};
    struct diag diag = {0};
    char name[64];
    const char *value = tune ? strchr(tune, '=') : NULL;

    if (param_read(&instance->tune, schema ? schema : none, &source, &diag))
        return fecrun_fail(err, NULL, "%.300s", diag.text);
    if (!value)
        return 0;
    snprintf(name, sizeof name, "%.*s", (int)(value - tune), tune);
    if (param_override(instance->tune, name, value + 1, (struct mark){0}, &diag))
        return fecrun_fail(err, NULL, "%.300s", diag.text);
    return 0;
}

static int open_stream(struct check_instance *instance, struct fecrun_error *err)
{
    const struct fecrun_provider *provider = instance->backend->provider;

    instance->place = (struct check_place){.provider = provider};
    return provider ? provider->stream_create(0, &instance->place.stream, err) : 0;
}

/* What create() gets, but for tune and max_frames. */
static struct fecrun_create create_args(const struct check *check, const struct check_variant *v,
                                        const struct fecrun_form *form, void *const *codes)
{
    struct fecrun_create args = {.size = sizeof args,
                                 .host = check->host,
                                 .codes = codes,
                                 .n_codes = v->also ? 2 : 1,
                                 .form = form};

    if (v->absorbed) {
        args.n_absorbed = v->absorbed->n;
        args.absorbed = v->absorbed->names;
        args.absorbed_codes = v->absorbed->codes;
    }
    return args;
}

int check_takes(const struct check *check, const struct fecrun_backend *backend,
                const struct check_variant *variant, const struct fecrun_form *form,
                struct fecrun_error *err)
{
    void *const codes[] = {variant->plan.code, variant->also ? variant->also->plan.code : NULL};
    const struct fecrun_create args = create_args(check, variant, form, codes);

    *err = (struct fecrun_error){.size = sizeof *err};
    return FECRUN_HAS(backend, takes) && backend->takes ? backend->takes(&args, err) : 0;
}

int check_instance_open(struct check_instance *instance, const struct check *check,
                        const struct registry_stage *stage, const struct registry_backend *backend,
                        const struct check_variant *variant, const struct fecrun_form *form,
                        const char *tune, uint64_t max_frames, struct fecrun_error *err)
{
    void *const codes[] = {variant->plan.code, variant->also ? variant->also->plan.code : NULL};
    struct fecrun_create args = create_args(check, variant, form, codes);

    memset(instance, 0, sizeof *instance);
    if (check_takes(check, backend->backend, variant, form, err)) {
        fecrun_fail(err, NULL, "takes() does not say why not");
        return 1;
    }
    *instance = (struct check_instance){.backend = backend,
                                        .stage = stage,
                                        .form = form,
                                        .variant = variant,
                                        .report = check->report};
    args.max_frames = max_frames;
    if (read_tune(instance, tune, err) || open_stream(instance, err)) {
        param_free(instance->tune);
        memset(instance, 0, sizeof *instance);
        return -1;
    }
    args.tune = param_values(instance->tune);
    if (!backend->backend->create(&args, &instance->handle, err))
        return 0;
    if (instance->handle)
        fecrun_fail(err, NULL, "create() failed and left an instance behind");
    check_instance_close(instance);
    return -1;
}

void check_instance_close(struct check_instance *instance)
{
    const struct fecrun_provider *provider = instance->place.provider;

    instance->backend->backend->destroy(instance->handle);
    if (provider && instance->place.stream)
        provider->stream_destroy(0, instance->place.stream);
    param_free(instance->tune);
    memset(instance, 0, sizeof *instance);
}

/* ---- Windows of a stream ---- */

uint64_t check_frames_before(const struct check_variant *v)
{
    return v->n_in && v->in[0].stream && v->plan.before
               ? (v->plan.before + v->in[0].items - 1) / v->in[0].items
               : 0;
}

uint64_t check_frames_after(const struct check_variant *v)
{
    return v->n_in && v->in[0].stream && v->plan.after
               ? (v->plan.after + v->in[0].items - 1) / v->in[0].items
               : 0;
}

struct check_call check_call_for(const struct check_variant *v, const struct check_input *in,
                                 uint64_t frames)
{
    (void)in;
    return (struct check_call){.first = check_frames_before(v),
                               .frames = frames,
                               .seed = 12345,
                               .point = 7,
                               .random_stage = 3,
                               .poison = 0xa5};
}

/* margins of a stream are cut between bytes, as in options.c */
bool check_form_fits(const struct check_variant *v, const struct fecrun_form *form)
{
    for (unsigned p = 0; p < v->n_in; p++) {
        const struct fecrun_sample *sample = &form->in[p];

        if (!v->linked[p])
            continue;
        if (!fecrun_convert_known(v->in[p].type, sample->type) ||
            (sample->llr_max > 0 && !(v->in[p].llr_max > 0 && v->in[p].llr_max <= sample->llr_max)))
            return false;
        if (p == 0 && (v->plan.before || v->plan.after) &&
            (v->in[p].items % fecrun_type_per_byte(sample->type) ||
             v->in[p].items % fecrun_type_per_byte(v->in[p].type)))
            return false;
    }
    for (unsigned p = 0; p < v->n_out; p++)
        if (!fecrun_type_holds(form->out[p].type, v->out[p].type))
            return false;
    return true;
}

const struct fecrun_form *check_first_form(const struct check_variant *v,
                                           const struct fecrun_backend *backend)
{
    for (size_t i = 0; backend->forms[i]; i++)
        if (check_form_fits(v, backend->forms[i]))
            return backend->forms[i];
    return NULL;
}

/* ---- One call ---- */

static __thread double run_seconds;

double check_run_seconds(void)
{
    return run_seconds;
}

struct running {
    const struct check_instance *instance;
    const struct check_input *input;
    const struct check_call *call;
    struct check_memory in[FECRUN_MAX_PORTS], out[FECRUN_MAX_PORTS], scratch, info;
    uint8_t *copy[FECRUN_MAX_PORTS]; /* of inputs */
    struct fecrun_view in_view[FECRUN_MAX_PORTS], out_view[FECRUN_MAX_PORTS];
};

static uint64_t smaller(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Whole bytes of what was asked for, and now and then more: a stage gets at least that many. */
static uint64_t margin(const struct check_call *call, uint64_t wanted, uint64_t there,
                       uint32_t type, uint32_t natural)
{
    uint64_t n = fecrun_type_per_byte(type) > fecrun_type_per_byte(natural)
                     ? fecrun_type_per_byte(type)
                     : fecrun_type_per_byte(natural);

    if (!wanted)
        return 0;
    wanted += call->more;
    return smaller((wanted + n - 1) / n * n, there);
}

/* The window's frames in the form's type, with as much round them as there is and was asked for. */
static int open_input(struct running *r, unsigned p)
{
    const struct check_variant *v = r->instance->variant;
    const struct check_signal *signal = &r->input->port[p];
    const struct check_call *call = r->call;
    uint32_t type = r->instance->form->in[p].type;
    size_t stride = fecrun_bytes(type, signal->items), front = 0, back = 0;
    struct fecrun_view *view = &r->in_view[p];

    *view = (struct fecrun_view){.size = sizeof *view,
                                 .type = type,
                                 .frames = call->frames,
                                 .items = signal->items,
                                 .stride = stride};
    if (p == 0 && v->in[0].stream) {
        view->before = margin(call, v->plan.before, call->first * signal->items, type,
                              signal->type);
        view->after = margin(call, v->plan.after,
                             (signal->frames - call->first - call->frames) * signal->items, type,
                             signal->type);
        front = (fecrun_bytes(type, view->before) + 63) / 64 * 64;
        back = fecrun_bytes(type, view->after);
    }
    if (check_memory_open(&r->in[p], &r->instance->place, front + call->frames * stride + back,
                          0x77, 1, call->guard))
        return -1;
    view->data = (char *)check_memory_pointer(&r->in[p]) + front;
    uint8_t *data = check_memory_payload(&r->in[p]) + front;
    for (uint64_t f = 0; f < call->frames; f++)
        fecrun_convert(signal->type, type, signal->data + (call->first + f) * signal->stride,
                       data + f * stride, signal->items);
    if (view->before || view->after) { /* whole bytes: see check_form_fits() */
        const uint8_t *from = signal->data + call->first * signal->stride;

        fecrun_convert(signal->type, type, from - fecrun_bytes(signal->type, view->before),
                       data - fecrun_bytes(type, view->before), view->before);
        fecrun_convert(signal->type, type, from + call->frames * signal->stride,
                       data + call->frames * stride, view->after);
    }
    r->copy[p] = malloc(r->in[p].bytes + 1);
    if (!r->copy[p])
        return -1;
    memcpy(r->copy[p], check_memory_payload(&r->in[p]), r->in[p].bytes);
    return check_memory_upload(&r->in[p]);
}

static int open_output(struct running *r, unsigned p)
{
    const struct check_variant *v = r->instance->variant;
    struct fecrun_view *view = &r->out_view[p];
    uint32_t type = r->instance->form->out[p].type;

    *view = (struct fecrun_view){.size = sizeof *view,
                                 .type = type,
                                 .frames = r->call->frames,
                                 .items = v->out[p].items,
                                 .stride = fecrun_bytes(type, v->out[p].items)};
    if (check_memory_open(&r->out[p], &r->instance->place, view->frames * view->stride,
                          r->call->poison, 1, r->call->guard))
        return -1;
    view->data = check_memory_pointer(&r->out[p]);
    return check_memory_upload(&r->out[p]);
}

static int open_rest(struct running *r)
{
    const struct fecrun_backend *backend = r->instance->backend->backend;
    size_t scratch = backend->scratch ? backend->scratch(r->instance->handle, r->call->frames) : 0;
    struct fecrun_frame_info *info;

    if (check_memory_open(&r->scratch, &r->instance->place, scratch, r->call->poison, 64,
                          r->call->guard) ||
        check_memory_open(&r->info, &r->instance->place, r->call->frames * sizeof *info, 0, 1,
                          r->call->guard))
        return -1;
    info = (void *)check_memory_payload(&r->info);
    for (uint64_t f = 0; f < r->call->frames; f++)
        info[f] = r->call->infos ? r->call->infos[r->call->first + f] : r->call->info;
    return check_memory_upload(&r->scratch) || check_memory_upload(&r->info) ? -1 : 0;
}

static int open_all(struct running *r)
{
    const struct check_variant *v = r->instance->variant;

    for (unsigned p = 0; p < v->n_in; p++)
        if (v->linked[p] && open_input(r, p))
            return -1;
    for (unsigned p = 0; p < v->n_out; p++)
        if (open_output(r, p))
            return -1;
    return open_rest(r);
}

static void close_all(struct running *r)
{
    for (unsigned p = 0; p < FECRUN_MAX_PORTS; p++) {
        if (r->in[p].base)
            check_memory_close(&r->in[p]);
        if (r->out[p].base)
            check_memory_close(&r->out[p]);
        free(r->copy[p]);
    }
    if (r->scratch.base)
        check_memory_close(&r->scratch);
    if (r->info.base)
        check_memory_close(&r->info);
}

static int call_run(struct running *r, struct fecrun_error *err)
{
    const struct check_variant *v = r->instance->variant;
    const struct check_call *c = r->call;
    const struct fecrun_view *in[FECRUN_MAX_PORTS] = {NULL};
    struct fecrun_view *out[FECRUN_MAX_PORTS] = {NULL};
    void *const codes[] = {v->plan.code};
    volatile int cancel = c->cancel;
    uint64_t items = v->n_in ? v->in[0].items : v->out[0].items;
    struct fecrun_call call = {.size = sizeof call,
                               .stream = r->instance->place.stream,
                               .first_frame = c->first_frame + c->first,
                               .seed = c->seed,
                               .point = c->point,
                               .random_stage = c->random_stage,
                               .scratch = check_memory_pointer(&r->scratch),
                               .codes = codes,
                               .info = check_memory_pointer(&r->info),
                               .cancel = &cancel,
                               .first_item = (c->first_frame + c->first) * items};

    for (unsigned p = 0; p < v->n_in; p++)
        in[p] = v->linked[p] ? &r->in_view[p] : NULL;
    for (unsigned p = 0; p < v->n_out; p++)
        out[p] = &r->out_view[p];
    *err = (struct fecrun_error){.size = sizeof *err};
    run_seconds = -check_clock();
    if (r->instance->backend->backend->run(r->instance->handle, &call, in, out, err))
        return fecrun_fail(err, NULL, "run() failed without a text");
    if (r->instance->place.provider &&
        r->instance->place.provider->sync(0, r->instance->place.stream, err))
        return fecrun_fail(err, NULL, "sync() failed without a text");
    run_seconds += check_clock();
    return 0;
}

/* ---- What came of it ---- */

static void note_broken(struct check_result *result, const char *what, unsigned port,
                        struct check_memory *memory)
{
    char text[256];

    if (!memory->base || result->broken[0])
        return;
    if (!check_memory_intact(memory, text, sizeof text))
        snprintf(result->broken, sizeof result->broken, "%s %u: %s", what, port, text);
}

static int take_back(struct running *r, struct check_result *result)
{
    int status = 0;

    for (unsigned p = 0; p < FECRUN_MAX_PORTS; p++) {
        if (r->in[p].base) {
            status |= check_memory_download(&r->in[p]);
            note_broken(result, "input", p, &r->in[p]);
            if (memcmp(check_memory_payload(&r->in[p]), r->copy[p], r->in[p].bytes) &&
                !result->broken[0])
                snprintf(result->broken, sizeof result->broken, "input %u was written to", p);
        }
        if (r->out[p].base) {
            status |= check_memory_download(&r->out[p]);
            note_broken(result, "output", p, &r->out[p]);
        }
    }
    status |= check_memory_download(&r->scratch) | check_memory_download(&r->info);
    note_broken(result, "scratch", 0, &r->scratch);
    note_broken(result, "info", 0, &r->info);
    return status;
}

static int fill_result(struct running *r, struct check_result *result)
{
    const struct check_variant *v = r->instance->variant;
    size_t bytes;

    result->n_out = v->n_out;
    result->frames = v->n_out && r->out_view[0].frames < r->call->frames ? r->out_view[0].frames
                                                                         : r->call->frames;
    for (unsigned p = 0; p < v->n_out; p++) {
        const struct fecrun_view *view = &r->out_view[p];

        result->out[p] = (struct check_signal){view->type, view->items, result->frames,
                                               view->stride, malloc(r->out[p].bytes + 1)};
        if (!result->out[p].data)
            return -1;
        memcpy(result->out[p].data, check_memory_payload(&r->out[p]), r->out[p].bytes);
    }
    bytes = r->call->frames * sizeof *result->info;
    result->info = malloc(bytes + 1);
    if (!result->info)
        return -1;
    memcpy(result->info, check_memory_payload(&r->info), bytes);
    return 0;
}

int check_run(const struct check_instance *instance, const struct check_input *input,
              const struct check_call *call, struct check_result *result, struct fecrun_error *err)
{
    struct running r = {.instance = instance, .input = input, .call = call};
    int status;

    memset(result, 0, sizeof *result);
    *err = (struct fecrun_error){.size = sizeof *err};
    if (open_all(&r))
        status = fecrun_fail(err, NULL, "fecrun-check itself has no memory for this case");
    else
        status = call_run(&r, err);
    if (!status && (take_back(&r, result) || fill_result(&r, result)))
        status = fecrun_fail(err, NULL, "a copy from the device failed");
    close_all(&r);
    instance->report->progress++;
    return status;
}

void check_result_free(struct check_result *result)
{
    for (unsigned p = 0; p < FECRUN_MAX_PORTS; p++)
        free(result->out[p].data);
    free(result->info);
    memset(result, 0, sizeof *result);
}
