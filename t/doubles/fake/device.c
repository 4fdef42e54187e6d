/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A device made of host memory that is as unforgiving as a real one: its pointers are shifted to
 * where no memory is, so that the host crashes on them; work waits until sync(), so that results
 * which nobody waited for are missing; fresh memory holds rubbish. FAKE_FAIL=alloc, stream, copy,
 * fill, run, create, memory or sync makes just that fail (absorb: go wrong silently); sync:N only the N-th (from 0);
 * sticky:N: from the N-th sync on all of them fail. FAKE_DEVICES says how many there are (default
 * 1), FAKE_MEMORY how many bytes each has (no limit). FAKE_LOG is a file to which the process
 * appends a line of counts when it ends, FAKE_PROBES one that gets a line for each probe. Stages: fake.negate, fake.scale (does the former, too),
 * fake.widen on LLRs; fake.flip (unpacked only on the device) and fake.reverse (packed only) on
 * bits; fake.window, fake.windowllr and fake.ragged: fake_window.h; fake.map, fake.dither,
 * fake.slice and fake.halve: fake_absorb.h; fake.ramp and fake.count: fake_ends.h;
 * fake.choosy: fake_choosy.h.
 */
#include "fake.h"

#include <inttypes.h>
#include <pthread.h>

#define SHIFT ((uintptr_t)1 << 50)

static bool is_device(const void *p)
{
    return (uintptr_t)p >= SHIFT;
}

static void *real(const void *p)
{
    return (void *)(is_device(p) ? (uintptr_t)p - SHIFT : (uintptr_t)p);
}

/* ---- Failures ---- */

/* Counted by name, up to one of the end. */
static const char *const kinds[] = {"alloc", "stream", "copy", "fill", "run",
                                    "create", "probe", "memory", "absorb", "sync", NULL};
static unsigned long asked[sizeof kinds / sizeof *kinds];
static bool dead;

static bool told_to_fail(const char *what)
{
    const char *wish = getenv("FAKE_FAIL");
    size_t n = strlen(what), k = 0;
    unsigned long count;

    while (kinds[k] && strcmp(kinds[k], what))
        k++;
    count = __atomic_fetch_add(&asked[k], 1, __ATOMIC_RELAXED);
    if (!wish)
        return false;
    if (!strncmp(wish, "sticky:", 7) && !strcmp(what, "sync") &&
        count >= strtoul(wish + 7, NULL, 10))
        __atomic_store_n(&dead, true, __ATOMIC_RELAXED);
    if (__atomic_load_n(&dead, __ATOMIC_RELAXED))
        return true;
    return !strncmp(wish, what, n) &&
           (!wish[n] || (wish[n] == ':' && strtoul(wish + n + 1, NULL, 10) == count));
}

/* ---- Counts ---- */

/* Pieces of memory, streams and instances on the device that are there now; for tests. */
FECRUN_EXPORT long fake_live;

static pthread_mutex_t count_lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t live_bytes, peak_bytes;
static unsigned long allocs, streams, busy, most_busy;

static void live(int step)
{
    __atomic_fetch_add(&fake_live, step, __ATOMIC_RELAXED);
}

static uint64_t memory_size(void)
{
    const char *bytes = getenv("FAKE_MEMORY");

    return bytes ? strtoull(bytes, NULL, 10) : (uint64_t)1 << 40;
}

static bool take_bytes(uint64_t bytes)
{
    bool good;

    pthread_mutex_lock(&count_lock);
    good = live_bytes + bytes <= memory_size();
    live_bytes += good ? bytes : 0;
    peak_bytes = live_bytes > peak_bytes ? live_bytes : peak_bytes;
    pthread_mutex_unlock(&count_lock);
    return good;
}

static void give_bytes(uint64_t bytes)
{
    pthread_mutex_lock(&count_lock);
    live_bytes -= bytes;
    pthread_mutex_unlock(&count_lock);
}

/* Streams with work in their queues. */
static void count_busy(int step)
{
    pthread_mutex_lock(&count_lock);
    busy += (unsigned long)step;
    most_busy = busy > most_busy ? busy : most_busy;
    pthread_mutex_unlock(&count_lock);
}

__attribute__((destructor)) static void write_log(void)
{
    const char *path = getenv("FAKE_LOG");
    FILE *file = path ? fopen(path, "a") : NULL;

    if (!file)
        return;
    fprintf(file, "live %ld allocs %lu streams %lu busy %lu syncs %lu peak %" PRIu64 "\n",
            fake_live, allocs, streams, most_busy, asked[9], peak_bytes);
    fclose(file);
}

/* ---- Streams: queues of work ---- */

struct work {
    struct work *next;
    void (*run)(const struct work *work);
    void *dst;
    const void *src;
    size_t bytes;
    int value;
    uint32_t from, to;
    struct fecrun_view in, out;
    struct fecrun_frame_info *info;
    void *scratch;
    double factor;
    uint64_t before, after; /* fake.window: asked for */
    uint64_t first_frame, key; /* of random stages */
};

struct stream {
    struct work *first, **last;
};

static int push(void *handle, const struct work *work, struct fecrun_error *err)
{
    struct stream *stream = handle;
    struct work *copy = malloc(sizeof *copy);

    if (!stream)
        return fecrun_fail(err, NULL, "no stream");
    if (!copy)
        return fecrun_fail(err, NULL, "out of memory");
    *copy = *work;
    copy->next = NULL;
    if (!stream->first)
        count_busy(1);
    *stream->last = copy;
    stream->last = &copy->next;
    return 0;
}

static struct work *pop(struct stream *stream)
{
    struct work *work = stream->first;

    if (!work)
        return NULL;
    stream->first = work->next;
    if (!stream->first) {
        stream->last = &stream->first;
        count_busy(-1);
    }
    return work;
}

/* ---- The provider ---- */

static int probe(const struct fecrun_host *host, char *reason, size_t size)
{
    const char *path = getenv("FAKE_PROBES");
    FILE *file = path ? fopen(path, "a") : NULL;

    (void)host;
    if (file) {
        fprintf(file, "probed\n");
        fclose(file);
    }
    if (!told_to_fail("probe"))
        return 0;
    snprintf(reason, size, "the fake driver is asleep");
    return -1;
}

static int devices(const struct fecrun_host *host)
{
    const char *n = getenv("FAKE_DEVICES");

    (void)host;
    return n ? atoi(n) : 1;
}

static int describe(int device, char *text, size_t size)
{
    snprintf(text, size, "imaginary accelerator %d", device);
    return 0;
}

/* In front of each piece, at its aligned end, is its size. */
static void *device_alloc(int device, uint32_t memory, size_t bytes, struct fecrun_error *err)
{
    uint64_t size = memory == FECRUN_DEVICE ? bytes : 0;
    char *p = NULL;

    (void)device;
    if (told_to_fail("alloc") || !take_bytes(size)) {
        fecrun_fail(err, NULL, "fake memory is full");
        return NULL;
    }
    if (posix_memalign((void **)&p, 64, 64 + bytes)) {
        give_bytes(size);
        fecrun_fail(err, NULL, "out of memory");
        return NULL;
    }
    live(1);
    __atomic_fetch_add(&allocs, 1, __ATOMIC_RELAXED);
    memset(p, 0xa5, 64 + bytes);
    memcpy(p + 56, &size, sizeof size);
    return memory == FECRUN_DEVICE ? (void *)((uintptr_t)p + 64 + SHIFT) : p + 64;
}

static void device_free(int device, uint32_t memory, void *ptr)
{
    char *p = (char *)real(ptr) - 64;
    uint64_t size;

    (void)device, (void)memory;
    memcpy(&size, p + 56, sizeof size);
    give_bytes(size);
    live(-1);
    free(p);
}

static int memory_room(int device, uint64_t *free_bytes, uint64_t *total, struct fecrun_error *err)
{
    (void)device;
    if (told_to_fail("memory"))
        return fecrun_fail(err, NULL, "the fake device does not count");
    pthread_mutex_lock(&count_lock);
    *total = memory_size();
    *free_bytes = *total - live_bytes;
    pthread_mutex_unlock(&count_lock);
    return 0;
}

static int software(char *text, size_t size)
{
    snprintf(text, size, "fake driver 1.2");
    return 0;
}

static int stream_create(int device, void **stream, struct fecrun_error *err)
{
    struct stream *s = told_to_fail("stream") ? NULL : calloc(1, sizeof *s);

    (void)device;
    *stream = s;
    if (!s)
        return fecrun_fail(err, NULL, "no more fake streams");
    s->last = &s->first;
    live(1);
    __atomic_fetch_add(&streams, 1, __ATOMIC_RELAXED);
    return 0;
}

static void stream_destroy(int device, void *stream)
{
    struct work *work;

    (void)device;
    if (!stream)
        return;
    while ((work = pop(stream)))
        free(work);
    live(-1);
    free(stream);
}

static void do_copy(const struct work *w)
{
    memcpy(w->dst, w->src, w->bytes);
}

static int queue_copy(int device, void *stream, void *dst, const void *src, size_t bytes,
                      struct fecrun_error *err)
{
    struct work work = {.run = do_copy, .dst = real(dst), .src = real(src), .bytes = bytes};

    (void)device;
    if (told_to_fail("copy"))
        return fecrun_fail(err, NULL, "the fake bus is down");
    return push(stream, &work, err);
}

static void do_fill(const struct work *w)
{
    memset(w->dst, w->value, w->bytes);
}

static int queue_fill(int device, void *stream, void *dst, int value, size_t bytes,
                      struct fecrun_error *err)
{
    struct work work = {.run = do_fill, .dst = real(dst), .value = value, .bytes = bytes};

    (void)device;
    if (told_to_fail("fill"))
        return fecrun_fail(err, NULL, "the fake brush is dry");
    return push(stream, &work, err);
}

static int sync_stream(int device, void *stream, struct fecrun_error *err)
{
    bool fails = told_to_fail("sync");
    struct work *work;

    (void)device;
    while ((work = pop(stream))) {
        if (!fails)
            work->run(work);
        free(work);
    }
    return fails ? fecrun_fail(err, NULL, "fake kernel hit an illegal address") : 0;
}

#include "fake_event.h"

static unsigned bit_of(const struct fecrun_view *view, const uint8_t *row, uint64_t i)
{
    return view->type == FECRUN_PACKED ? row[i / 8] >> (7 - i % 8) & 1 : row[i];
}

/* Bit i of a frame that was cleared. */
static void put_bit(const struct fecrun_view *view, uint8_t *row, uint64_t i, unsigned bit)
{
    if (view->type == FECRUN_PACKED)
        row[i / 8] |= (uint8_t)(bit << (7 - i % 8));
    else
        row[i] = (uint8_t)bit;
}

/* out[i] = in[at(i)] ^ flip for all frames of bits. */
static void move_bits(const struct work *w, bool reverse, unsigned flip)
{
    for (uint64_t f = 0; f < w->in.frames; f++) {
        const uint8_t *in = fecrun_row(&w->in, f);
        uint8_t *out = fecrun_row(&w->out, f);
        memset(out, 0, fecrun_bytes(w->out.type, w->out.items));
        for (uint64_t i = 0; i < w->in.items; i++)
            put_bit(&w->out, out, i, bit_of(&w->in, in, reverse ? w->in.items - 1 - i : i) ^ flip);
    }
}

static void do_convert(const struct work *w)
{
    move_bits(w, false, 0);
}

/* A view as the device sees it. */
static struct fecrun_view on_device(const struct fecrun_view *view, bool *good)
{
    struct fecrun_view copy = *view;

    *good = *good && is_device(view->data);
    copy.data = real(view->data);
    return copy;
}

static int queue_convert(int device, void *stream, const struct fecrun_view *in,
                         const struct fecrun_view *out, struct fecrun_error *err)
{
    const uint32_t from = in->type, to = out->type;
    struct work work = {.run = do_convert, .from = from, .to = to};
    bool good = true;

    (void)device;
    if (!((from == FECRUN_U8 && to == FECRUN_PACKED) || (from == FECRUN_PACKED && to == FECRUN_U8)))
        return 1;
    if (!in->data)
        return 0;
    work.in = on_device(in, &good);
    work.out = on_device(out, &good);
    if (!good)
        return fecrun_fail(err, NULL, "convert: not device memory");
    return push(stream, &work, err);
}

static const struct fecrun_provider provider = {
    .size = sizeof provider,
    .name = "fake",
    .probe = probe,
    .devices = devices,
    .describe = describe,
    .alloc = device_alloc,
    .free = device_free,
    .stream_create = stream_create,
    .stream_destroy = stream_destroy,
    .copy = queue_copy,
    .fill = queue_fill,
    .sync = sync_stream,
    .convert = queue_convert,
    .event_create = event_create,
    .event_destroy = event_destroy,
    .event_record = event_record,
    .event_wait = event_wait,
    .event_seconds = event_seconds,
    .memory = memory_room,
    .software = software,
};

/* ---- The stages' work, the same on both sides ---- */

static void do_flip(const struct work *w)
{
    move_bits(w, false, 1);
}

static void do_reverse(const struct work *w)
{
    move_bits(w, true, 0);
}

static void do_widen(const struct work *w)
{
    for (uint64_t f = 0; f < w->in.frames; f++)
        memcpy(fecrun_row(&w->out, f), fecrun_row(&w->in, f), w->in.items * sizeof(float));
}

/* fake.negate and fake.scale: i8 -> i8; the former leaves a mark in the frame infos. */
static void do_scale(const struct work *w)
{
    for (uint64_t f = 0; f < w->in.frames; f++) {
        const int8_t *in = fecrun_row(&w->in, f);
        int8_t *out = fecrun_row(&w->out, f), *row = w->scratch ? w->scratch : out;
        for (uint64_t i = 0; i < w->in.items; i++)
            row[i] = (int8_t)((in[i] == -128 ? -127 : in[i]) * w->factor);
        if (row != out)
            memcpy(out, row, w->in.items);
        if (w->info)
            w->info[f].iterations = 3;
    }
}

/* ---- Instances ---- */

struct instance {
    void (*work)(const struct work *work);
    bool device, marks;
    double factor;
    uint64_t max_frames, items;
    uint64_t before, after;
};

struct code {
    double factor;
    uint64_t items;
    uint64_t before, after;
};

#include "fake_window.h"

static int make(const struct fecrun_create *args, void **instance, struct fecrun_error *err,
                const struct instance *like)
{
    struct instance *made;

    *instance = NULL;
    if (like->device && told_to_fail("create"))
        return fecrun_fail(err, NULL, "the fake compiler has a cold");
    made = malloc(sizeof *made);
    if (!made)
        return fecrun_fail(err, NULL, "out of memory");
    *made = *like;
    made->max_frames = args->max_frames;
    *instance = made;
    live(1);
    return 0;
}

static void destroy(void *instance)
{
    if (instance)
        live(-1);
    free(instance);
}

#define CREATE(name, ...) \
    static int name(const struct fecrun_create *args, void **instance, struct fecrun_error *err) \
    { \
        return make(args, instance, err, &(struct instance){__VA_ARGS__}); \
    }

CREATE(ragged_host, do_ragged, .factor = 1)
CREATE(ragged_device, do_ragged, .factor = 1, .device = true)
CREATE(flip_host, do_flip, .factor = 1)
CREATE(flip_device, do_flip, .factor = 1, .device = true)
CREATE(reverse_host, do_reverse, .factor = 1)
CREATE(reverse_device, do_reverse, .factor = 1, .device = true)
CREATE(widen_host, do_widen, .factor = 1)
CREATE(widen_device, do_widen, .factor = 1, .device = true)
CREATE(negate_host, do_scale, .factor = -1, .marks = true)
CREATE(negate_device, do_scale, .factor = -1, .marks = true, .device = true)

/* The factor is in the code object; an absorbed fake.negate turns it round. */
static int scale_create(const struct fecrun_create *args, void **instance,
                        struct fecrun_error *err, bool device)
{
    const struct code *code = args->codes[0];
    struct instance like = {do_scale, .factor = code->factor, .device = device,
                            .items = code->items};

    if (args->n_absorbed > 1 || (args->n_absorbed && strcmp(args->absorbed[0], "fake.negate")))
        return fecrun_fail(err, NULL, "asked to do a stage that it does not know");
    if (args->n_absorbed) {
        if (!told_to_fail("absorb"))
            like.factor = -like.factor;
        like.marks = true;
    }
    return make(args, instance, err, &like);
}

static int scale_host(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    return scale_create(args, instance, err, false);
}

static int scale_device(const struct fecrun_create *args, void **instance,
                        struct fecrun_error *err)
{
    return scale_create(args, instance, err, true);
}

static int window_create(const struct fecrun_create *args, void **instance,
                         struct fecrun_error *err, bool device)
{
    const struct code *code = args->codes[0];

    return make(args, instance, err,
                &(struct instance){do_window, .device = device, .before = code->before,
                                   .after = code->after});
}

static int window_host(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    return window_create(args, instance, err, false);
}

static int window_device(const struct fecrun_create *args, void **instance,
                         struct fecrun_error *err)
{
    return window_create(args, instance, err, true);
}

static size_t scale_scratch(const void *instance, uint64_t frames)
{
    return ((const struct instance *)instance)->items * frames;
}

static double scale_bound(const void *instance)
{
    (void)instance;
    return 1000;
}

static int run_host(const struct instance *self, const struct fecrun_call *call, struct work *work,
                    struct fecrun_error *err)
{
    if (is_device(work->in.data) || is_device(work->out.data) || is_device(call->info))
        return fecrun_fail(err, NULL, "device memory for a host backend");
    work->info = self->marks ? call->info : NULL;
    work->run(work);
    return 0;
}

static int run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    const struct instance *self = instance;
    struct work work = {.run = self->work, .in = *in[0], .out = *out[0], .factor = self->factor,
                        .before = self->before, .after = self->after,
                        .first_frame = call->first_frame,
                        .key = call->seed ^ (uint64_t)call->random_stage << 40 ^
                               (uint64_t)call->point << 56};
    bool good = is_device(call->info);

    if (check_window(self, call, in[0], err))
        return -1;

    if (in[0]->frames > self->max_frames)
        return fecrun_fail(err, NULL, "%" PRIu64 " frames, at most %" PRIu64 " were announced",
                           in[0]->frames, self->max_frames);
    if (!self->device)
        return run_host(self, call, &work, err);
    if (told_to_fail("bits"))
        work.factor /= 2;
    if (told_to_fail("run"))
        return fecrun_fail(err, NULL, "fake launch failure");
    work.in = on_device(in[0], &good);
    work.out = on_device(out[0], &good);
    work.info = self->marks ? real(call->info) : NULL;
    if (self->items) { /* it asked for scratch */
        good = good && is_device(call->scratch) && (uintptr_t)call->scratch % 64 == 0;
        work.scratch = real(call->scratch);
    }
    if (!good)
        return fecrun_fail(err, NULL, "host memory for a device backend");
    return push(call->stream, &work, err);
}

/* ---- Tables ---- */

static int scale_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                      const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                      struct fecrun_plan *plan, struct fecrun_error *err)
{
    struct code *code = plan->code = calloc(1, sizeof *code);

    (void)host;
    if (!code)
        return fecrun_fail(err, NULL, "out of memory");
    fecrun_frame_copy(out[0], in[0]);
    code->factor = fecrun_value(values, 0)->f;
    code->items = in[0]->items;
    out[0]->llr_scale *= code->factor < 0 ? -code->factor : code->factor;
    return 0;
}

static int widen_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                      const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                      struct fecrun_plan *plan, struct fecrun_error *err)
{
    (void)host, (void)values, (void)plan, (void)err;
    fecrun_frame_copy(out[0], in[0]);
    out[0]->type = FECRUN_F32;
    return 0;
}

static const struct fecrun_param *const scale_params[] = {
    FECRUN_PARAM(.name = "factor", .type = FECRUN_P_FLOAT, .min = -1, .max = 1,
                 .default_text = "1", .help = "what LLRs are multiplied with"),
    NULL,
};

static const struct fecrun_form *const i8_forms[] = {TYPES(FECRUN_I8, FECRUN_I8), NULL};
static const struct fecrun_form *const f32_forms[] = {TYPES(FECRUN_F32, FECRUN_F32), NULL};
static const struct fecrun_form *const u8_forms[] = {TYPES(FECRUN_U8, FECRUN_U8), NULL};
static const struct fecrun_form *const packed_forms[] = {TYPES(FECRUN_PACKED, FECRUN_PACKED), NULL};
static const struct fecrun_form *const window_llr_forms[] = {
    TYPES(FECRUN_I4, FECRUN_I4), TYPES(FECRUN_I8, FECRUN_I8), NULL};
static const struct fecrun_form *const ragged_forms[] = {
    FECRUN_FORM(.flags = FECRUN_RAGGED, .in = {{.type = FECRUN_U8}}, .out = {{.type = FECRUN_U8}}),
    NULL};
static const char *const absorbs[] = {"fake.negate", NULL};

#include "fake_absorb.h"
#include "fake_choosy.h"
#include "fake_ends.h"

#define BACKENDS(form_table, host_fn, device_fn, ...) \
    ((const struct fecrun_backend *const[]){ \
        FECRUN_BACKEND(.name = "ref", .forms = form_table, .create = host_fn, .run = run, \
                       .destroy = destroy), \
        FECRUN_BACKEND(.name = "fake", .provider = "fake", .forms = form_table, \
                       .create = device_fn, .run = run, .destroy = destroy, \
                       __VA_ARGS__), \
        NULL})
#define TRANSFORM(...) \
    FECRUN_STAGE(.role = FECRUN_TRANSFORM, .summary = "for tests of devices", __VA_ARGS__)

static const struct fecrun_stage *const stages[] = {
    TRANSFORM(.name = "fake.negate", .params = no_params, .inputs = llr_ports,
              .outputs = llr_ports, .plan = same_plan,
              .backends = BACKENDS(i8_forms, negate_host, negate_device, .agreement = 0)),
    TRANSFORM(.name = "fake.scale", .params = scale_params, .inputs = llr_ports,
              .outputs = llr_ports, .plan = scale_plan, .plan_free = free,
              .backends = BACKENDS(i8_forms, scale_host, scale_device, .absorbs = absorbs,
                                   .scratch = scale_scratch, .bound_gbps = scale_bound)),
    TRANSFORM(.name = "fake.widen", .params = no_params, .inputs = llr_ports,
              .outputs = llr_ports, .plan = widen_plan,
              .backends = BACKENDS(f32_forms, widen_host, widen_device, .agreement = 0)),
    TRANSFORM(.name = "fake.flip", .params = no_params, .inputs = bit_ports,
              .outputs = bit_ports, .plan = same_plan,
              .backends = BACKENDS(u8_forms, flip_host, flip_device, .agreement = 0)),
    TRANSFORM(.name = "fake.reverse", .params = no_params, .inputs = bit_ports,
              .outputs = bit_ports, .plan = same_plan,
              .backends = BACKENDS(packed_forms, reverse_host, reverse_device, .agreement = 0)),
    TRANSFORM(.name = "fake.window", .params = window_params, .inputs = bit_ports,
              .outputs = bit_ports, .plan = window_plan, .plan_free = free,
              .backends = BACKENDS(packed_forms, window_host, window_device, .agreement = 0)),
    TRANSFORM(.name = "fake.windowllr", .params = window_params, .inputs = llr_ports,
              .outputs = llr_ports, .plan = window_plan, .plan_free = free,
              .backends = BACKENDS(window_llr_forms, window_host, window_device, .agreement = 0)),
    TRANSFORM(.name = "fake.ragged", .params = no_params, .inputs = bit_ports,
              .outputs = bit_ports, .plan = same_plan,
              .backends = BACKENDS(ragged_forms, ragged_host, ragged_device, .agreement = 0)),
    TRANSFORM(.name = "fake.map", .params = no_params, .inputs = bit_ports,
              .outputs = symbol_ports, .plan = map_plan,
              .backends = BACKENDS(map_forms, map_host, map_device, .agreement = 0)),
    TRANSFORM(.name = "fake.dither", .params = no_params, .flags = FECRUN_RANDOM,
              .inputs = symbol_ports, .outputs = symbol_ports, .plan = same_plan,
              .backends = ABSORBERS(c8_forms, dither_host, dither_forms, dither_device,
                                    absorbs_map)),
    TRANSFORM(.name = "fake.slice", .params = no_params, .inputs = symbol_ports,
              .outputs = llr_ports, .plan = slice_plan,
              .backends = BACKENDS(slice_forms, slice_host, slice_device, .agreement = 0)),
    TRANSFORM(.name = "fake.halve", .params = no_params, .inputs = llr_ports,
              .outputs = llr_ports, .plan = halve_plan,
              .backends = ABSORBERS(i8_forms, halve_host, halve_forms, halve_device,
                                    absorbs_slice)),
    TRANSFORM(.name = "fake.choosy", .params = choosy_params, .inputs = bit_ports,
              .outputs = bit_ports, .plan = choosy_plan, .plan_free = free,
              .backends = CHOOSY_BACKENDS),
    FECRUN_STAGE(.name = "fake.ramp", .role = FECRUN_SOURCE, .summary = "for tests of devices",
                 .params = ramp_params, .inputs = no_ports, .outputs = bit_ports,
                 .plan = ramp_plan,
                 .backends = END_BACKENDS(ramp_forms, ramp_host, ramp_device)),
    FECRUN_STAGE(.name = "fake.count", .role = FECRUN_SINK, .summary = "for tests of devices",
                 .params = no_params, .flags = FECRUN_COUNTS, .inputs = bit_ports,
                 .outputs = no_ports, .plan = same_plan,
                 .backends = END_BACKENDS(count_forms, count_host, count_device)),
    NULL,
};

static const struct fecrun_provider *const providers[] = {&provider, NULL};

PLUGIN("fake", .stages = stages, .providers = providers);
