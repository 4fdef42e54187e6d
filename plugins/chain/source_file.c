/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * source.file: LLRs, bits or symbols from a .npy or raw file, batch by batch. Frames of a raw file
 * start on a byte, as everywhere; the rest of such a byte is zero.
 */
#include "plugins/chain/plugin.h"
#include "plugins/common/files/file.h"

#include <fecrun/sdk/sample.h>
#include <inttypes.h>

struct source_code {
    const char *path;
    uint32_t kind;   /* enum fecrun_kind */
    uint32_t disk;   /* enum fecrun_type in the file */
    uint64_t header; /* bytes in front of the data */
    uint64_t end;    /* of the data, in bytes from the start; UINT64_MAX: unknown, a pipe */
    uint64_t items;  /* of a frame or piece */
    bool stream, loop;
    float limit; /* magnitudes above it are errors; 0: not checked */
};

struct source {
    struct infile file;
    uint64_t next; /* frame that stands at the file's position */
    bool ended;    /* there is none, and none behind it */
};

enum { P_PATH, P_KIND, P_SCALE, P_MAX, P_LOOP, P_DTYPE, P_FRAME, P_PIECE, P_STREAM };

static const char *const kinds[] = {"llr", "bits", "symbols", "values", NULL};

static const struct fecrun_param *const params[] = {
    FECRUN_PARAM(.name = "path", .type = FECRUN_P_PATH, .flags = FECRUN_REQUIRED,
                 .help = "the file: .npy (known by its magic) or raw; - is standard input, raw"),
    FECRUN_PARAM(.name = "kind", .type = FECRUN_P_CHOICE, .flags = FECRUN_REQUIRED,
                 .choices = kinds,
                 .help =
                     "what the items are; values: numbers beside the samples, for another input "
                     "of a stage"),
    FECRUN_PARAM(.name = "llr_scale", .type = FECRUN_P_FLOAT, .default_text = "1",
                 .unit = "units per natural LLR", .min = 1e-6, .max = 1e6,
                 .help = "scale of the LLRs in the file"),
    FECRUN_PARAM(.name = "llr_max", .type = FECRUN_P_FLOAT, .min = 1e-6, .max = 1e9,
                 .help = "no LLR is larger, or it is an error; default: what i4, i8, i16 hold"),
    FECRUN_PARAM(.name = "loop", .type = FECRUN_P_BOOL, .default_text = "false",
                 .help = "start again at the end of the file"),
    FECRUN_PARAM(.name = "dtype", .type = FECRUN_P_CHOICE, .choices = file_dtype_names,
                 .help = "type in a raw file, little-endian. Numbers of bits or numpy's numbers "
                         "of bytes, but i8 is one byte and i4 half a byte, high half first"),
    FECRUN_PARAM(.name = "frame", .type = FECRUN_P_INT, .unit = "items", .min = 0, .max = 1 << 30,
                 .help = "raw: items per frame, 0: the file is one stream"),
    FECRUN_PARAM(.name = "piece", .type = FECRUN_P_INT, .unit = "items", .min = 1, .max = 1 << 30,
                 .default_text = "161280", /* a multiple of nearly all steps and periods of codes */
                 .help = "stream: items that are handled as one frame"),
    FECRUN_PARAM(.name = "stream", .type = FECRUN_P_BOOL, .default_text = "false",
                 .help = ".npy: its items are one stream"),
    NULL,
};

/* ---- Planning ------------------------------------------------------------------------------ */

static int find_type(struct source_code *code, const struct fecrun_values *values,
                     const struct file_facts *facts, struct fecrun_error *err)
{
    static const char *const allowed[] = {"f4, f2, i2, i1 or i4", "u1 or packed", "c8",
                                          "f4, f2, i2 or i1"};
    static const uint32_t wanted[] = {FECRUN_LLR, FECRUN_BITS, FECRUN_SYMBOLS, FECRUN_VALUES};
    const struct fecrun_value *dtype = fecrun_value(values, P_DTYPE);
    int64_t kind = fecrun_value(values, P_KIND)->i;

    if (!dtype->given && !facts->is_npy)
        return fecrun_fail(err, "dtype", "%s is not a .npy file, and a raw file needs dtype (%s)",
                           code->path, allowed[kind]);
    code->disk = dtype->given ? file_dtype(dtype->i) : facts->npy.type;
    if (facts->is_npy && code->disk != facts->npy.type)
        return fecrun_fail(err, "dtype", "%s, but %s holds %s (byte 10 on)",
                           fecrun_type_name(code->disk), code->path,
                           fecrun_type_name(facts->npy.type));
    code->kind = wanted[kind];
    if (!(fecrun_type_kinds(code->disk) & code->kind))
        return fecrun_fail(err, facts->is_npy ? "kind" : "dtype", "kind %s takes %s, not %s%s",
                           kinds[kind], allowed[kind], fecrun_type_name(code->disk),
                           facts->is_npy ? " as in the file's header (byte 10 on)" : "");
    return 0;
}

static int find_items(struct source_code *code, const struct fecrun_values *values,
                      const struct file_facts *facts, struct fecrun_error *err)
{
    const struct fecrun_value *frame = fecrun_value(values, P_FRAME);
    bool stream = fecrun_value(values, P_STREAM)->i != 0;

    if (!frame->given && !facts->is_npy && !stream)
        return fecrun_fail(err, "frame",
                           "a raw file needs it: items per frame, or 0 for one stream");
    if (stream && frame->given && frame->i > 0)
        return fecrun_fail(err, "frame", "must be 0 with `stream: true`, not %" PRId64, frame->i);
    code->stream = stream || (frame->given && frame->i == 0);
    code->items = (uint64_t)(code->stream ? fecrun_value(values, P_PIECE)->i : frame->i);
    if (!code->stream && facts->is_npy) {
        if (frame->given && code->items != facts->npy.items)
            return fecrun_fail(err, "frame", "%" PRIu64 " items, but frames in %s have %" PRIu64,
                               code->items, code->path, facts->npy.items);
        code->items = facts->npy.items;
    }
    if (code->items == 0)
        return fecrun_fail(err, "path", "%s: frames of 0 items", code->path);
    if (code->stream && code->disk == FECRUN_PACKED && code->items % 8)
        return fecrun_fail(err, "piece", "must be a multiple of 8 for packed bits");
    if (code->stream && code->disk == FECRUN_I4 && code->items % 2)
        return fecrun_fail(err, "piece", "must be even for i4");
    return 0;
}

/* Does the file end after whole frames, or whole items of a stream? */
static int check_size(const struct source_code *code, const struct file_facts *facts,
                      struct fecrun_error *err)
{
    uint64_t unit = fecrun_bytes(code->disk, code->stream ? 1 : code->items);
    uint64_t rest;

    if (!facts->regular && code->loop)
        return fecrun_fail(err, "loop", "%s is not a regular file, which alone can be read again",
                           code->path);
    if (!facts->regular)
        return 0;
    rest = (facts->size - code->header) % unit;
    if (rest)
        return fecrun_fail(err, "path",
                           "%s: truncated or oversized: the file ends at byte %" PRIu64
                           ", inside the %s of %" PRIu64 " bytes that starts at byte %" PRIu64,
                           code->path, facts->size, code->stream ? "item" : "frame", unit,
                           facts->size - rest);
    if (code->loop && facts->size == code->header)
        return fecrun_fail(err, "path", "%s: nothing to read after byte %" PRIu64, code->path,
                           facts->size);
    return 0;
}

static double type_max(uint32_t type)
{
    return type == FECRUN_I4 ? 7 : type == FECRUN_I8 ? 127 : type == FECRUN_I16 ? 32767 : 0;
}

static void describe(struct source_code *code, const struct fecrun_values *values,
                     struct fecrun_frame *out)
{
    const struct fecrun_value *max = fecrun_value(values, P_MAX);
    double largest = type_max(code->disk);

    out->kind = code->kind;
    out->type = code->disk;
    out->items = code->items;
    out->stream = code->stream;
    if (out->kind == FECRUN_BITS)
        out->info_bits = code->items;
    if (out->kind != FECRUN_LLR)
        return;
    out->channel_bits = code->items;
    out->llr_scale = fecrun_value(values, P_SCALE)->f;
    out->llr_max = largest;
    if (max->given && (largest == 0 || max->f < largest)) {
        out->llr_max = max->f;
        code->limit = (float)max->f;
    }
}

static int source_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                       const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                       struct fecrun_plan *plan, struct fecrun_error *err)
{
    struct source_code *code = fecrun_code(plan, sizeof *code, err);
    struct file_facts facts;

    (void)host;
    (void)in;
    if (!code)
        return -1;
    code->path = fecrun_value(values, P_PATH)->s;
    code->loop = fecrun_value(values, P_LOOP)->i != 0;
    if (file_look(code->path, "path", &facts, err) || find_type(code, values, &facts, err) ||
        find_items(code, values, &facts, err))
        goto fail;
    code->header = facts.is_npy ? facts.npy.header : 0;
    code->end = facts.regular ? facts.size : UINT64_MAX;
    if (check_size(code, &facts, err))
        goto fail;
    describe(code, values, out[0]);
    if (!code->loop)
        plan->flags |= FECRUN_ENDS;
    return 0;
fail:
    free(code);
    plan->code = NULL;
    return -1;
}

/* ---- Reading ------------------------------------------------------------------------------- */

static int source_create(const struct fecrun_create *args, void **instance,
                         struct fecrun_error *err)
{
    const struct source_code *code = args->codes[0];
    struct source *source = calloc(1, sizeof *source);

    *instance = NULL;
    if (!source)
        return fecrun_fail(err, NULL, "out of memory");
    if (!fecrun_type_holds(args->form->out[0].type, code->disk))
        fecrun_fail(err, NULL, "%s cannot become %s", fecrun_type_name(code->disk),
                    fecrun_type_name(args->form->out[0].type));
    else if (infile_open(&source->file, code->path, err) == 0 &&
             (code->header == 0 || infile_seek(&source->file, code->header, err) == 0)) {
        source->file.end = code->end;
        *instance = source;
        return 0;
    }
    infile_close(&source->file);
    free(source);
    return -1;
}

static void source_destroy(void *instance)
{
    struct source *source = instance;

    if (source)
        infile_close(&source->file);
    free(source);
}

static bool cancelled(const struct source *source)
{
    return source->file.cancel && fecrun_cancelled(source->file.cancel);
}

/* A batch that does not follow the one before: a new point of a sweep, or a replayed frame. */
static int go_to_frame(struct source *source, const struct source_code *code, uint64_t frame,
                       struct fecrun_error *err)
{
    uint64_t at;

    if (source->next == frame)
        return 0;
    if (__builtin_mul_overflow(frame, fecrun_bytes(code->disk, code->items), &at) ||
        at > INT64_MAX - code->header)
        return fecrun_fail(err, "path", "%s: there is no frame %" PRIu64, code->path, frame);
    if (code->loop)
        at %= code->end - code->header;
    source->next = frame;
    return infile_seek(&source->file, code->header + at, err);
}

/* n bytes; less at the end, unless the file loops. */
static int read_bytes(struct source *source, const struct source_code *code, uint8_t *to, size_t n,
                      size_t *got, struct fecrun_error *err)
{
    size_t part;

    *got = 0;
    for (;;) {
        if (infile_read(&source->file, to + *got, n - *got, &part, err))
            return -1;
        *got += part;
        if (*got == n || cancelled(source))
            return 0;
        if (source->file.offset < code->end && code->end != UINT64_MAX)
            return fecrun_fail(err, "path",
                               "%s: truncated while it was read: it ends at byte "
                               "%" PRIu64 ", not at byte %" PRIu64,
                               code->path, source->file.offset, code->end);
        if (!code->loop)
            return 0;
        if (infile_seek(&source->file, code->header, err))
            return -1;
    }
}

/* The unused rest of a frame's last byte is zero. */
static int check_fill(const struct source_code *code, const uint8_t *data, size_t n, uint64_t at,
                      struct fecrun_error *err)
{
    unsigned fill = 0;

    if (code->disk == FECRUN_PACKED && n % 8)
        fill = data[n / 8] & (0xffu >> n % 8);
    else if (code->disk == FECRUN_I4 && n % 2)
        fill = data[n / 2] & 15;
    return fill ? fecrun_fail(err, "path",
                              "%s: byte %" PRIu64 ": not zero behind the last item of "
                              "a frame",
                              code->path, at + fecrun_bytes(code->disk, n) - 1)
                : 0;
}

/* Fixed point is symmetric: the one value without a counterpart is read as the next one. */
static void make_symmetric(uint32_t type, uint8_t *data, size_t n)
{
    int8_t *i8 = (int8_t *)data;
    int16_t *i16 = (int16_t *)data;

    if (type == FECRUN_I8)
        for (size_t i = 0; i < n; i++)
            i8[i] = i8[i] == -128 ? -127 : i8[i];
    else if (type == FECRUN_I16)
        for (size_t i = 0; i < n; i++)
            i16[i] = i16[i] == -32768 ? -32767 : i16[i];
    else if (type == FECRUN_I4)
        for (size_t i = 0; i < fecrun_bytes(type, n); i++)
            data[i] |= (uint8_t)((data[i] >> 4 == 8 ? 0x10 : 0) | ((data[i] & 15) == 8));
}

static int check_limit(const struct source_code *code, const uint8_t *data, size_t n, uint64_t at,
                       struct fecrun_error *err)
{
    float values[CHAIN_CHUNK];

    fecrun_convert(code->disk, FECRUN_F32, data, values, n);
    for (size_t i = 0; i < n; i++)
        if (values[i] > code->limit || values[i] < -code->limit)
            return fecrun_fail(err, "llr_max", "%s: byte %" PRIu64 ": LLR %g is larger than %g",
                               code->path,
                               at + fecrun_bytes(code->disk, i + 1) - fecrun_bytes(code->disk, 1),
                               (double)values[i], (double)code->limit);
    return 0;
}

/* What was read from byte `at` on: errors, and values that are read as others. */
static int check_items(const struct source_code *code, uint8_t *data, size_t n, uint64_t at,
                       struct fecrun_error *err)
{
    if (code->disk == FECRUN_U8) {
        size_t bad = fecrun_bits_check(data, n);

        if (bad < n)
            return fecrun_fail(err, "path", "%s: byte %" PRIu64 ": %u is not a bit (0 or 1)",
                               code->path, at + bad, data[bad]);
    }
    if (check_fill(code, data, n, at, err))
        return -1;
    make_symmetric(code->disk, data, n);
    return code->limit > 0 ? check_limit(code, data, n, at, err) : 0;
}

/* n items of a frame from item i on, both the same in every frame; *got of them were there. */
static int read_chunk(struct source *source, const struct source_code *code,
                      struct fecrun_view *out, uint8_t *row, uint64_t i, size_t n, size_t *got,
                      struct fecrun_error *err)
{
    _Alignas(16) uint8_t buffer[CHAIN_CHUNK * 8];
    uint8_t *to = row + fecrun_bytes(out->type, i);
    uint8_t *data = out->type == code->disk ? to : buffer;
    uint64_t at = source->file.offset;
    size_t want = fecrun_bytes(code->disk, n), bytes;

    if (read_bytes(source, code, data, want, &bytes, err))
        return -1;
    *got = bytes == want ? n : 8 * bytes / fecrun_type_bits(code->disk);
    if (bytes < want && bytes % fecrun_bytes(code->disk, 1) && !cancelled(source))
        return fecrun_fail(err, "path",
                           "%s: truncated: it ends at byte %" PRIu64 ", inside an item", code->path,
                           source->file.offset);
    if (check_items(code, data, *got, at, err))
        return -1;
    if (data != to)
        fecrun_convert(code->disk, out->type, data, to, *got);
    return 0;
}

/* *items are less than a frame has at the end of the input. */
static int read_frame(struct source *source, const struct source_code *code,
                      struct fecrun_view *out, uint8_t *row, uint64_t *items,
                      struct fecrun_error *err)
{
    *items = 0;
    while (*items < code->items) {
        size_t n = chain_part(code->items - *items), got;

        if (read_chunk(source, code, out, row, *items, n, &got, err))
            return -1;
        *items += got;
        if (got < n)
            break;
    }
    return 0;
}

/* Of a pipe: has the next frame come, or the end? A file's has. */
static bool has_frame(struct source *source, const struct source_code *code)
{
    return code->end != UINT64_MAX ||
           infile_has(&source->file, fecrun_bytes(code->disk, code->items));
}

static int source_run(void *instance, const struct fecrun_call *call,
                      const struct fecrun_view *const in[], struct fecrun_view *const out[],
                      struct fecrun_error *err)
{
    struct source *source = instance;
    const struct source_code *code = call->codes[0];
    uint64_t items;

    (void)in;
    source->file.cancel = call->cancel;
    if (source->ended && call->first_frame >= source->next) {
        out[0]->frames = 0;
        return 0;
    }
    source->ended = false;
    if (go_to_frame(source, code, call->first_frame, err))
        return -1;
    for (uint64_t f = 0; f < out[0]->frames; f++, source->next++) {
        if (f > 0 && out[0]->may_pause && !has_frame(source, code)) {
            out[0]->frames = f;
            out[0]->paused = 1;
            break;
        }
        if (read_frame(source, code, out[0], fecrun_row(out[0], f), &items, err))
            return -1;
        if (items == code->items)
            continue;
        if (items > 0 && !code->stream && !cancelled(source))
            return fecrun_fail(err, "path",
                               "%s: truncated: it ends at byte %" PRIu64 ", inside a "
                               "frame of %" PRIu64 " items, of which %" PRIu64 " are there",
                               code->path, source->file.offset, code->items, items);
        source->ended = !cancelled(source);
        out[0]->frames = f;
        out[0]->tail_items = cancelled(source) ? 0 : items;
        break;
    }
    return 0;
}

static const struct fecrun_form *const forms[] = {
    FECRUN_FORM(.out = {{.type = FECRUN_PACKED}}),
    FECRUN_FORM(.out = {{.type = FECRUN_U8}}),
    FECRUN_FORM(.out = {{.type = FECRUN_I4}}),
    FECRUN_FORM(.out = {{.type = FECRUN_I8}}),
    FECRUN_FORM(.out = {{.type = FECRUN_I16}}),
    FECRUN_FORM(.out = {{.type = FECRUN_F16}}),
    FECRUN_FORM(.out = {{.type = FECRUN_F32}}),
    FECRUN_FORM(.out = {{.type = FECRUN_C8}}),
    NULL,
};

static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(.name = "ref", .forms = forms, .create = source_create, .run = source_run,
                   .destroy = source_destroy),
    NULL,
};

const struct fecrun_stage chain_source_file = {
    .size = sizeof chain_source_file,
    .name = "source.file",
    .role = FECRUN_SOURCE,
    .flags = FECRUN_ORDERED,
    .summary = "LLRs, bits, symbols or values from a file",
    .params = params,
    .inputs = FECRUN_NO_PORTS,
    .outputs = FECRUN_ONE_PORT("out", FECRUN_BITS | FECRUN_LLR | FECRUN_SYMBOLS | FECRUN_VALUES,
                               "the items of the file"),
    .backends = backends,
    .plan = source_plan,
    .plan_free = free,
};
