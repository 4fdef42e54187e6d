/* SPDX-License-Identifier: BSD-2-Clause */
/* sink.file: writes bits, LLRs or symbols to a .npy or raw file. */
#include "plugins/chain/plugin.h"
#include "plugins/common/files/file.h"

#include <fecrun/sdk/sample.h>
#include <inttypes.h>

struct sink_code {
    const char *path;
    bool npy, stream;
    bool low;      /* b8 */
    uint32_t disk; /* enum fecrun_type in the file */
    uint64_t items;
};

struct sink {
    struct outfile file;
    struct npy npy; /* type and shape so far */
    bool write_npy;
    bool stream, low;
    bool part_byte; /* a stream that ended inside a byte cannot go on */
};

enum { P_PATH, P_DTYPE, P_FORMAT };

static const char *const formats[] = {"auto", "npy", "raw", NULL};

static const char *const dtypes[] = {FILE_DTYPES, "b8", NULL};

static const struct fecrun_param *const params[] = {
    FECRUN_PARAM(.name = "path", .type = FECRUN_VALUE_PATH,
                 .flags = FECRUN_PARAM_REQUIRED | FECRUN_PARAM_WRITES,
                 .help = "the file; - is standard output, raw. It appears when it is complete"),
    FECRUN_CHOICE("dtype", dtypes,
                  .help = "type in the file; default: u1 for bits, else the port's type (i4 in "
                          ".npy: i1). packed, b8 (packed bits of stim, the first one in the lowest "
                          "place) and i4 (half bytes) are for raw files"),
    FECRUN_CHOICE("format", formats, .default_text = "auto",
                  .help = "auto: npy if the name ends in .npy, else raw"),
    NULL,
};

static bool wants_npy(const char *path, const char *format)
{
    size_t n = strlen(path);

    if (strcmp(format, "auto") == 0)
        return n >= 4 && strcmp(path + n - 4, ".npy") == 0;
    return strcmp(format, "npy") == 0;
}

static uint32_t default_type(const struct fecrun_frame *in, bool npy)
{
    if (in->kind == FECRUN_KIND_BITS)
        return FECRUN_U8;
    return npy && in->type == FECRUN_I4 ? FECRUN_I8 : in->type;
}

static int sink_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                     const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                     struct fecrun_plan *plan, struct fecrun_error *err)
{
    const struct fecrun_value *dtype = fecrun_value(values, P_DTYPE);
    const char *path = fecrun_value(values, P_PATH)->s;
    bool npy = wants_npy(path, fecrun_value(values, P_FORMAT)->s);
    const bool low = dtype->given && !strcmp(dtype->s, "b8");
    uint32_t disk = low            ? FECRUN_PACKED
                    : dtype->given ? file_dtype(dtype->i)
                                   : default_type(in[0], npy);
    struct sink_code *code;

    (void)host;
    (void)out;
    if (npy && strcmp(path, "-") == 0)
        return fecrun_fail(err, "format", "standard output is raw");
    if (!fecrun_type_holds(disk, in[0]->type))
        return fecrun_fail(err, "dtype",
                           "%s items do not all fit into %s: only lossless types are "
                           "allowed; llr.quantize quantises",
                           fecrun_type_name(in[0]->type), fecrun_type_name(disk));
    if (npy && (disk == FECRUN_PACKED || disk == FECRUN_I4))
        return fecrun_fail(err, "dtype", "a .npy file cannot hold %s: use %s, or format: raw",
                           fecrun_type_name(disk), disk == FECRUN_I4 ? "i1" : "u1");
    code = fecrun_code(plan, sizeof *code, err);
    if (!code)
        return -1;
    *code = (struct sink_code){path, npy, in[0]->stream != 0, low, disk, in[0]->items};
    return 0;
}

/*
 * Bits that are eight a byte in the file come so: to pack them here is one thread's work, and from a
 * device they would be eight times the bytes.
 */
static int sink_takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    const struct sink_code *code = args->codes[0];

    if (code->disk == FECRUN_PACKED && args->form->in[0].type != FECRUN_PACKED)
        return fecrun_fail(err, "dtype", "the file holds packed bits");
    return 0;
}

static void sink_destroy(void *instance)
{
    struct sink *sink = instance;

    if (sink)
        outfile_close(&sink->file);
    free(sink);
}

/* A device or pipe has no start to which the shape could be written in the end. */
static int check_npy(const struct sink *sink, struct fecrun_error *err)
{
    if (sink->write_npy && !sink->file.file.temporary)
        return fecrun_fail(err, "path", "%s: a .npy file must be a regular file; use format: raw",
                           sink->file.name);
    return 0;
}

static int sink_create(const struct fecrun_create *args, void **instance, struct fecrun_error *err)
{
    const struct sink_code *code = args->codes[0];
    struct sink *sink = calloc(1, sizeof *sink);
    unsigned char header[NPY_HEADER];

    *instance = NULL;
    if (!sink)
        return fecrun_no_memory(err);
    sink->write_npy = code->npy;
    sink->stream = code->stream;
    sink->low = code->low;
    sink->npy.type = code->disk;
    sink->npy.dims = code->stream ? 1 : 2;
    sink->npy.items = code->stream ? 0 : code->items;
    npy_make_header(header, &sink->npy);
    if (outfile_open(&sink->file, code->path, err) || check_npy(sink, err) ||
        outfile_write(&sink->file, header, code->npy ? sizeof header : 0, err)) {
        sink_destroy(sink);
        return -1;
    }
    *instance = sink;
    return 0;
}

/* b8 */
static int write_turned(struct sink *sink, const uint8_t *row, uint64_t bytes,
                        struct fecrun_error *err)
{
    for (uint64_t i = 0; i < bytes; i += OUTFILE_BUFFER / 32) {
        const uint64_t part = bytes - i < OUTFILE_BUFFER / 32 ? bytes - i : OUTFILE_BUFFER / 32;
        uint8_t *to = outfile_reserve(&sink->file, part, err);

        if (!to)
            return -1;
        file_turn_bits(to, row + i, part);
    }
    return 0;
}

/* n items that lie without gap. */
static int write_row(struct sink *sink, uint32_t type, const uint8_t *row, uint64_t n,
                     struct fecrun_error *err)
{
    enum { CHUNK = OUTFILE_BUFFER / 32 }; /* items; their largest type fits several times */
    uint32_t disk = sink->npy.type;

    if (sink->low)
        return write_turned(sink, row, fecrun_bytes(disk, n), err);
    if (type == disk)
        return outfile_write(&sink->file, row, fecrun_bytes(disk, n), err);
    for (uint64_t i = 0; i < n; i += CHUNK) {
        const uint64_t part = n - i < CHUNK ? n - i : CHUNK;
        uint8_t *to = outfile_reserve(&sink->file, fecrun_bytes(disk, part), err);

        if (!to)
            return -1;
        fecrun_convert(type, disk, row + fecrun_bytes(type, i), to, part);
    }
    return 0;
}

/* Frames behind each other, which end on bytes in both types, are written as one. */
static int write_frames(struct sink *sink, const struct fecrun_view *in, struct fecrun_error *err)
{
    const bool whole = in->items % fecrun_type_per_byte(in->type) == 0 &&
                       in->items % fecrun_type_per_byte(sink->npy.type) == 0;

    if (whole && in->stride == fecrun_bytes(in->type, in->items))
        return write_row(sink, in->type, in->data, in->frames * in->items, err);
    for (uint64_t f = 0; f < in->frames; f++)
        if (write_row(sink, in->type, fecrun_row(in, f), in->items, err))
            return -1;
    return 0;
}

/* The pieces of a stream are written without gap, so only the last may end inside a byte. */
static int check_piece(struct sink *sink, const struct fecrun_view *in, struct fecrun_error *err)
{
    uint64_t unit = fecrun_type_per_byte(sink->npy.type);

    if (!sink->stream || in->frames == 0)
        return 0;
    if (sink->part_byte || (in->frames > 1 && in->items % unit))
        return fecrun_fail(err, "dtype",
                           "pieces of a stream as %s need a multiple of %" PRIu64
                           " items, not %" PRIu64,
                           fecrun_type_name(sink->npy.type), unit, in->items);
    sink->part_byte = in->items % unit != 0;
    return 0;
}

static int sink_run(void *instance, const struct fecrun_call *call,
                    const struct fecrun_view *const in[], struct fecrun_view *const out[],
                    struct fecrun_error *err)
{
    struct sink *sink = instance;

    (void)out;
    sink->file.cancel = call->cancel;
    if (check_piece(sink, in[0], err))
        return -1;
    if (!sink->stream && in[0]->frames && in[0]->items != sink->npy.items)
        return fecrun_fail(err, NULL,
                           "a frame of %" PRIu64 " items in a file of frames of %" PRIu64 " items",
                           in[0]->items, sink->npy.items);
    if (write_frames(sink, in[0], err) || outfile_pause(&sink->file, err))
        return -1;
    if (sink->stream)
        sink->npy.items += in[0]->frames * in[0]->items;
    else
        sink->npy.frames += in[0]->frames;
    return 0;
}

static int sink_finish(void *instance, struct fecrun_error *err)
{
    struct sink *sink = instance;
    unsigned char header[NPY_HEADER];

    npy_make_header(header, &sink->npy);
    return outfile_finish(&sink->file, header, sink->write_npy ? sizeof header : 0, err);
}

static const struct fecrun_form *const forms[] = {CHAIN_EACH_TYPE(FECRUN_IN, U8, PACKED), NULL};

static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(.name = "ref", .forms = forms, .takes = sink_takes, .create = sink_create,
                   .run = sink_run, .finish = sink_finish, .destroy = sink_destroy),
    NULL,
};

const struct fecrun_stage chain_sink_file = {
    .size = sizeof chain_sink_file,
    .name = "sink.file",
    .role = FECRUN_ROLE_SINK,
    .flags = FECRUN_STAGE_ORDERED | FECRUN_STAGE_ONE_POINT,
    .summary = "a file of bits, LLRs or symbols",
    .params = params,
    .inputs = FECRUN_ONE_PORT(
        "in", FECRUN_KIND_BITS | FECRUN_KIND_LLR | FECRUN_KIND_SYMBOLS | FECRUN_KIND_VALUES,
        "what goes into the file"),
    .outputs = FECRUN_NO_PORTS,
    .backends = backends,
    .plan = sink_plan,
    .plan_free = free,
};
