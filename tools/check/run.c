/* SPDX-License-Identifier: BSD-2-Clause */
/* One run() call between red zones. */
#include "tools/check/check.h"

#include "tools/check/check_impl.h"
#include <fecrun/sdk/sample.h>
#include <fecrun/sdk/params.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
                               .rng = {.seed = 12345, .point = 7, .stage = 3},
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
        if (form->out[p].type && !fecrun_type_holds(form->out[p].type, v->out[p].type))
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

#define MOST_SCRATCH ((size_t)1 << 40)

static __thread double run_seconds;

double check_run_seconds(void)
{
    return run_seconds;
}

/* A port's frames in its memory; bytes. */
struct rows {
    size_t tight, gap; /* of a frame, and behind each but the last */
    size_t first;      /* in front of the first */
    size_t bytes;      /* all of it */
};

struct running {
    const struct check_instance *instance;
    const struct check_input *input;
    const struct check_call *call;
    struct check_memory in[FECRUN_MAX_PORTS], out[FECRUN_MAX_PORTS], scratch, info, out_info;
    uint8_t *copy[FECRUN_MAX_PORTS]; /* of inputs */
    struct fecrun_view in_view[FECRUN_MAX_PORTS], out_view[FECRUN_MAX_PORTS];
    struct rows out_rows[FECRUN_MAX_PORTS];
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

/* Bytes of an item, or of what is aligned to a byte. */
static size_t item_bytes(uint32_t type)
{
    return (fecrun_type_bits(type) + 7) / 8;
}

/* Where a port's first frame lies in its memory. Frames of a stream have no gaps. */
static void place_rows(struct rows *rows, struct fecrun_view *view, const struct check_call *call,
                       bool stream)
{
    rows->tight = view->stride;
    rows->gap = call->apart && !stream ? 3 * item_bytes(view->type) : 0;
    rows->first = call->apart ? item_bytes(view->type) : 0;
    view->stride += rows->gap;
    rows->bytes = rows->first +
                  (view->frames ? (view->frames - 1) * view->stride + rows->tight : 0);
}

/* The window's frames from `data` on, in the form's type, and what of the stream is round them. */
static void fill_input(struct running *r, unsigned p, uint8_t *data)
{
    const struct fecrun_view *view = &r->in_view[p];
    const struct check_signal *signal = &r->input->port[p];
    const uint8_t *from = signal->data + r->call->first * signal->pieces * signal->stride;

    for (uint64_t f = 0; f < view->frames; f++)
        fecrun_convert(signal->type, view->type, from + f * signal->stride, data + f * view->stride,
                       signal->items);
    if (!view->before && !view->after)
        return;
    /* whole bytes: see check_form_fits() */
    fecrun_convert(signal->type, view->type, from - fecrun_bytes(signal->type, view->before),
                   data - fecrun_bytes(view->type, view->before), view->before);
    fecrun_convert(signal->type, view->type, from + view->frames * signal->stride,
                   data + view->frames * view->stride, view->after);
}

static int open_input(struct running *r, unsigned p)
{
    const struct check_variant *v = r->instance->variant;
    const struct check_signal *signal = &r->input->port[p];
    const struct check_call *call = r->call;
    uint32_t type = r->instance->form->in[p].type;
    size_t front = 0, back = 0;
    struct fecrun_view *view = &r->in_view[p];
    struct rows rows;

    *view = (struct fecrun_view){.size = sizeof *view,
                                 .type = type,
                                 .frames = call->frames * signal->pieces,
                                 .items = signal->items,
                                 .stride = fecrun_bytes(type, signal->items)};
    if (p == 0 && v->in[0].stream) {
        view->before = margin(call, v->plan.before, call->first * signal->items, type,
                              signal->type);
        view->after = margin(call, v->plan.after,
                             (signal->frames - call->first - call->frames) * signal->items, type,
                             signal->type);
        front = (fecrun_bytes(type, view->before) + 63) / 64 * 64;
        back = fecrun_bytes(type, view->after);
    }
    place_rows(&rows, view, call, v->in[p].stream);
    front += rows.first;
    if (check_memory_open(&r->in[p], &r->instance->place, front - rows.first + rows.bytes + back,
                          0x77, 1, call->guard))
        return -1;
    view->data = (char *)check_memory_pointer(&r->in[p]) + front;
    fill_input(r, p, check_memory_payload(&r->in[p]) + front);
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
    struct rows *rows = &r->out_rows[p];
    uint32_t type = r->instance->form->out[p].type;

    *view = (struct fecrun_view){.size = sizeof *view,
                                 .type = type,
                                 .frames = r->call->frames * v->out[p].pieces,
                                 .items = v->out[p].items,
                                 .stride = fecrun_bytes(type, v->out[p].items)};
    place_rows(rows, view, r->call, v->out[p].stream);
    if (check_memory_open(&r->out[p], &r->instance->place, rows->bytes, r->call->poison, 1,
                          r->call->guard))
        return -1;
    view->data = (char *)check_memory_pointer(&r->out[p]) + rows->first;
    return check_memory_upload(&r->out[p]);
}

/* Infos of one frame, those at input 0 (of a source: at output 0); `out`: at output 0, where there
   are as many others. */
static uint64_t info_pieces(const struct check_variant *v, bool out)
{
    const uint64_t own = v->n_in ? v->in[0].pieces : 1;

    return !out ? own : v->n_out && v->out[0].pieces != own ? v->out[0].pieces : 0;
}

static int open_rest(struct running *r, struct fecrun_error *err)
{
    const struct fecrun_backend *backend = r->instance->backend->backend;
    const struct check_variant *v = r->instance->variant;
    const uint64_t pieces = info_pieces(v, false), more = info_pieces(v, true);
    size_t scratch = backend->scratch ? backend->scratch(r->instance->handle,
                                                         r->call->frames * check_most_pieces(v))
                                      : 0;
    struct fecrun_frame_info *info;

    if (scratch > MOST_SCRATCH)
        return fecrun_fail(err, NULL, "scratch() asks for %zu bytes for %llu frames", scratch,
                           (unsigned long long)r->call->frames);
    if (check_memory_open(&r->scratch, &r->instance->place, scratch, r->call->poison, 64,
                          r->call->guard) ||
        check_memory_open(&r->info, &r->instance->place, r->call->frames * pieces * sizeof *info, 0,
                          1, r->call->guard) ||
        (more && check_memory_open(&r->out_info, &r->instance->place,
                                   r->call->frames * more * sizeof *info, 0, 1, r->call->guard)))
        return -1;
    info = (void *)check_memory_payload(&r->info);
    for (uint64_t f = 0; f < r->call->frames * pieces; f++)
        info[f] = r->call->infos ? r->call->infos[r->call->first * pieces + f] : r->call->info;
    return check_memory_upload(&r->scratch) || check_memory_upload(&r->info) ||
                   (more && check_memory_upload(&r->out_info))
               ? -1
               : 0;
}

static int open_all(struct running *r, struct fecrun_error *err)
{
    const struct check_variant *v = r->instance->variant;

    for (unsigned p = 0; p < v->n_in; p++)
        if (v->linked[p] && open_input(r, p))
            return -1;
    for (unsigned p = 0; p < v->n_out; p++)
        if (r->instance->form->out[p].type && open_output(r, p))
            return -1;
    return open_rest(r, err);
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
    if (r->out_info.base)
        check_memory_close(&r->out_info);
}

static int call_run(struct running *r, struct fecrun_error *err)
{
    const struct check_variant *v = r->instance->variant;
    const struct check_call *c = r->call;
    const struct fecrun_view *in[FECRUN_MAX_PORTS] = {NULL};
    struct fecrun_view *out[FECRUN_MAX_PORTS] = {NULL};
    void *const codes[] = {v->plan.code};
    volatile int cancel = c->cancel;
    int status;
    uint64_t items = v->n_in ? v->in[0].items : v->out[0].items;
    struct fecrun_rng absorbed[CHECK_MAX_ABSORBED];
    const struct fecrun_sim sim = {sizeof sim, c->rng, v->absorbed ? absorbed : NULL};
    struct fecrun_call call = {
        .size = sizeof call,
        .stream = r->instance->place.stream,
        .first_frame = (c->first_frame + c->first) * info_pieces(v, false),
        .scratch = check_memory_pointer(&r->scratch),
        .codes = codes,
        .info = check_memory_pointer(&r->info),
        .out_info = check_memory_pointer(r->out_info.base ? &r->out_info : &r->info),
        .cancel = &cancel,
        .first_item = (c->first_frame + c->first) * items,
        .sim = &sim};

    for (uint32_t k = 0; v->absorbed && k < v->absorbed->n; k++)
        absorbed[k] = check_absorbed_rng(c->rng, k);
    for (unsigned p = 0; p < v->n_in; p++)
        in[p] = v->linked[p] ? &r->in_view[p] : NULL;
    for (unsigned p = 0; p < v->n_out; p++)
        out[p] = r->instance->form->out[p].type ? &r->out_view[p] : NULL;
    *err = (struct fecrun_error){.size = sizeof *err};
    run_seconds = -check_clock();
    status = r->instance->backend->backend->run(r->instance->handle, &call, in, out, err);
    if (status && !(status == FECRUN_CANCELLED && c->cancel))
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

/* What lies in front of the first frame and between frames is nobody's to write. */
static void note_gaps(struct check_result *result, const struct running *r, unsigned port)
{
    const struct rows *rows = &r->out_rows[port];
    const uint8_t *at = check_memory_payload(&r->out[port]);
    size_t gap = rows->first;

    for (uint64_t f = 0;
         f < r->call->frames * r->instance->variant->out[port].pieces && !result->broken[0]; f++) {
        for (size_t i = 0; i < gap; i++)
            if (at[i] != r->call->poison)
                snprintf(result->broken, sizeof result->broken,
                         "output %u: a byte between two frames was overwritten (a frame has %zu "
                         "bytes, its stride is %zu)",
                         port, rows->tight, rows->tight + rows->gap);
        at += gap + rows->tight;
        gap = rows->gap;
    }
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
            note_gaps(result, r, p);
        }
    }
    status |= check_memory_download(&r->scratch) | check_memory_download(&r->info);
    note_broken(result, "scratch", 0, &r->scratch);
    note_broken(result, "info", 0, &r->info);
    if (r->out_info.base) {
        status |= check_memory_download(&r->out_info);
        note_broken(result, "out_info", 0, &r->out_info);
    }
    return status;
}

/* One frame behind the other, however they lay. */
static int take_rows(struct check_signal *to, const struct running *r, unsigned p)
{
    const struct rows *rows = &r->out_rows[p];
    const uint8_t *from = check_memory_payload(&r->out[p]) + rows->first;
    const uint64_t pieces = r->instance->variant->out[p].pieces;

    *to = (struct check_signal){.type = r->instance->form->out[p].type,
                                .items = r->instance->variant->out[p].items,
                                .frames = smaller(r->out_view[p].frames / pieces, r->call->frames),
                                .pieces = pieces,
                                .stride = rows->tight,
                                .data = malloc(r->call->frames * pieces * rows->tight + 1)};
    for (uint64_t f = 0; to->data && f < to->frames * pieces; f++)
        memcpy(to->data + f * rows->tight, from + f * (rows->tight + rows->gap), rows->tight);
    return to->data ? 0 : -1;
}

/* Frame by frame: first those at the input, then those at the output. */
static int take_infos(struct running *r, struct check_result *result)
{
    const uint64_t own = info_pieces(r->instance->variant, false);
    const uint64_t more = info_pieces(r->instance->variant, true);
    const struct fecrun_frame_info *in = (void *)check_memory_payload(&r->info), *out = NULL;

    result->infos = own + more;
    result->info = malloc(r->call->frames * result->infos * sizeof *in + 1);
    if (!result->info)
        return -1;
    if (more)
        out = (void *)check_memory_payload(&r->out_info);
    for (uint64_t f = 0; f < r->call->frames; f++) {
        struct fecrun_frame_info *to = result->info + f * result->infos;

        memcpy(to, in + f * own, own * sizeof *in);
        if (more)
            memcpy(to + own, out + f * more, more * sizeof *in);
    }
    return 0;
}

static int fill_result(struct running *r, struct check_result *result)
{
    const struct check_variant *v = r->instance->variant;
    const uint64_t own = info_pieces(v, false);

    result->n_out = v->n_out;
    result->frames = r->call->frames;
    for (unsigned p = 0; p < v->n_out; p++)
        if (r->instance->form->out[p].type && take_rows(&result->out[p], r, p))
            return -1;
    if (v->n_out && result->out[0].frames < result->frames) /* an ordered source has ended */
        result->frames = result->out[0].frames;
    result->before = r->call->info.flags;
    for (uint64_t f = 0; r->call->infos && f < r->call->frames * own; f++)
        result->before |= r->call->infos[r->call->first * own + f].flags;
    return take_infos(r, result);
}

int check_run(const struct check_instance *instance, const struct check_input *input,
              const struct check_call *call, struct check_result *result, struct fecrun_error *err)
{
    struct running r = {.instance = instance, .input = input, .call = call};
    int status;

    memset(result, 0, sizeof *result);
    *err = (struct fecrun_error){.size = sizeof *err};
    if (open_all(&r, err))
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
