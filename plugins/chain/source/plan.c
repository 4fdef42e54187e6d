/* SPDX-License-Identifier: BSD-2-Clause */
/* source.file: what its parameters and the file's header mean together. */
#include "plugins/chain/source/file.h"

#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

const char *const source_kinds[] = {"llr", "bits", "symbols", "values", NULL};

/* Of a stream: a multiple of nearly all steps and periods of codes; for one that is live, of most, and
   more than decoders read round a batch. */
enum { PIECE = 161280, LIVE_PIECE = 960 };

/* ---- Types --------------------------------------------------------------------------------- */

/* What a description beside the file says of its type. */
static int find_sigmf(struct source_code *code, const struct fecrun_value *dtype,
                      struct fecrun_plan *plan, struct fecrun_error *err)
{
    struct sigmf sigmf;

    if (sigmf_is_meta(code->path))
        return fecrun_fail(err, "path", "%s describes a recording: give that, NAME.sigmf-data",
                           code->path);
    if (!sigmf_is_data(code->path))
        return 0;
    if (code->kind && code->kind != FECRUN_KIND_SYMBOLS)
        return fecrun_fail(err, "kind", "must be symbols, which recordings hold");
    if (sigmf_read(code->path, &sigmf, err))
        return -1;
    if (dtype->given && code->format != format_of_symbols(sigmf.form))
        return fecrun_fail(err, "dtype", "%s, but %s is described as another type", dtype->s,
                           code->path);
    code->format = format_of_symbols(sigmf.form);
    if (sigmf.sample_rate > 0)
        snprintf(plan->note, sizeof plan->note, "recorded at %.15g samples a second",
                 sigmf.sample_rate);
    return 0;
}

/* What stands in the file, as a user would say it. */
static const char *type_name(const struct format *format)
{
    return format->symbols || format->numbers ? format->name : fecrun_type_name(format->type);
}

/* By choice of `kind`, and last where none is made. */
static const char *const allowed[] = {
    "f8, f4, f2, int32, i2, i1, i4 or offset8", "u1, packed or b8",
    "c8, cf32, cf64, cs16, cs8 or cu8", "f8, f4, f2, int32, i2 or i1",
    "f8, f4, f2, int32, i2, i1, i4, offset8, u1, packed, b8, c8, cf32, cf64, cs16, cs8 or cu8"};
enum { ANY_KIND = 4 };

/* The kind that was given is one of the type's, or the type has a single one. */
static int find_kind(struct source_code *code, int64_t given, bool is_npy, struct fecrun_error *err)
{
    const uint32_t may_be = code->format->kinds;
    const char *where = is_npy ? " as in the file's header (byte 10 on)" : "";

    if (given == ANY_KIND && may_be & (may_be - 1))
        return fecrun_fail(err, "kind", "must be given, llr or values, for %s%s says neither",
                           type_name(code->format), where);
    if (given == ANY_KIND)
        code->kind = may_be;
    if (!(may_be & code->kind))
        return fecrun_fail(err, is_npy ? "kind" : "dtype", "kind %s takes %s, not %s%s",
                           source_kinds[given], allowed[given], type_name(code->format), where);
    return 0;
}

static int find_type(struct source_code *code, const struct fecrun_values *values,
                     const struct file_facts *facts, struct fecrun_plan *plan,
                     struct fecrun_error *err)
{
    static const uint32_t wanted[] = {FECRUN_KIND_LLR, FECRUN_KIND_BITS, FECRUN_KIND_SYMBOLS,
                                      FECRUN_KIND_VALUES, 0};
    const struct fecrun_value *dtype = fecrun_value(values, P_DTYPE);
    const struct fecrun_value *given = fecrun_value(values, P_KIND);
    const int64_t kind = given->given ? given->i : ANY_KIND;

    code->kind = wanted[kind];
    if (dtype->given)
        code->format = format_of_name(dtype->i);
    if (find_sigmf(code, dtype, plan, err))
        return -1;
    if (!code->format && !facts->is_npy)
        return fecrun_fail(err, "dtype", "%s is not a .npy file, and a raw file needs dtype (%s)",
                           code->path, allowed[kind]);
    if (!code->format)
        code->format = format_of_npy(&facts->npy);
    if (facts->is_npy && code->format != format_of_npy(&facts->npy))
        return fecrun_fail(err, "dtype", "%s, but %s holds %s (byte 10 on)",
                           type_name(code->format), code->path,
                           type_name(format_of_npy(&facts->npy)));
    return find_kind(code, kind, facts->is_npy, err);
}

/* A file that was written with NumPy's type of the same name holds small numbers in many bytes. */
static void warn_mistaken(const struct source_code *code, const struct fecrun_value *dtype,
                          struct fecrun_plan *plan)
{
    unsigned bytes;
    const char *numpy = dtype->given ? format_mistaken(dtype->s, &bytes) : NULL;
    uint8_t data[4096];
    ssize_t n = 0;
    int fd = numpy && !code->pipe ? open(code->path, O_RDONLY | O_CLOEXEC) : -1;

    if (fd < 0)
        return;
    n = (code->end - code->header) % bytes ? 0 : pread(fd, data, sizeof data, (off_t)code->header);
    close(fd);
    if (n > 0 && format_looks_wide(data, (size_t)n, bytes))
        fecrun_warn(plan,
                    "the file seems to hold NumPy's %s (%s, %u bytes an item), but dtype %s is %s "
                    "here: write %s",
                    dtype->s, numpy, bytes, dtype->s,
                    code->format->type == FECRUN_I4   ? "half a byte"
                    : code->format->type == FECRUN_I8 ? "one byte"
                                                      : "a bit in a byte",
                    code->format->type == FECRUN_I4   ? "int32, or int4 for half bytes"
                    : code->format->type == FECRUN_I8 ? "them as int8"
                                                      : "them as uint8");
}

static int find_scale(struct source_code *code, const struct fecrun_values *values,
                      struct fecrun_error *err)
{
    const struct fecrun_value *full = fecrun_value(values, P_FULL);
    const struct fecrun_value *invert = fecrun_value(values, P_INVERT);

    if (full->given == 2 && code->kind != FECRUN_KIND_SYMBOLS)
        return fecrun_fail(err, "full_scale", "is of symbols; LLRs have llr_scale");
    code->full_scale = (float)full->f;
    if (invert->given && invert->i && code->kind & (FECRUN_KIND_SYMBOLS | FECRUN_KIND_VALUES))
        return fecrun_fail(err, "invert", "is of LLRs and bits, not of %s",
                           code->kind == FECRUN_KIND_VALUES ? "values" : "symbols");
    if (!invert->given && code->format->numbers == NUMBERS_OFFSET)
        return fecrun_fail(err, "invert",
                           "must be given for offset8: true where 255 is a sure 1 (libfec, GNU "
                           "Radio), false where it is a sure 0");
    code->invert = invert->given && invert->i;
    return 0;
}

/* ---- Frames -------------------------------------------------------------------------------- */

static uint64_t find_piece(const struct source_code *code, const struct fecrun_value *piece,
                           struct fecrun_plan *plan)
{
    if (piece->given)
        return (uint64_t)piece->i;
    if (code->live && !plan->note[0])
        snprintf(plan->note, sizeof plan->note, "pieces of %d items for latency: low", LIVE_PIECE);
    return code->live ? LIVE_PIECE : PIECE;
}

static int find_items(struct source_code *code, const struct fecrun_values *values,
                      const struct file_facts *facts, struct fecrun_plan *plan,
                      struct fecrun_error *err)
{
    const struct fecrun_value *frame = fecrun_value(values, P_FRAME);
    bool stream = fecrun_value(values, P_STREAM)->i != 0;

    if (!frame->given && !facts->is_npy && !stream)
        return fecrun_fail(err, "frame",
                           "a raw file needs it: items per frame, or 0 for one stream");
    if (stream && frame->given && frame->i > 0)
        return fecrun_fail(err, "frame", "must be 0 with `stream: true`, not %" PRId64, frame->i);
    code->stream = stream || (frame->given && frame->i == 0);
    code->items = code->stream ? find_piece(code, fecrun_value(values, P_PIECE), plan)
                               : (uint64_t)frame->i;
    if (!code->stream && facts->is_npy) {
        if (frame->given && code->items != facts->npy.items)
            return fecrun_fail(err, "frame", "%" PRIu64 " items, but frames in %s have %" PRIu64,
                               code->items, code->path, facts->npy.items);
        code->items = facts->npy.items;
    }
    if (code->items == 0)
        return fecrun_fail(err, "path", "%s: frames of 0 items", code->path);
    if (code->stream && code->format->type == FECRUN_PACKED && code->items % 8)
        return fecrun_fail(err, "piece", "must be a multiple of 8 for packed bits");
    if (code->stream && code->format->type == FECRUN_I4 && code->items % 2)
        return fecrun_fail(err, "piece", "must be even for i4");
    return 0;
}

/* Bytes of the n items that parameter `name` counts, which are whole bytes or, if so wanted, whole
   frames. */
static int find_bytes(const struct source_code *code, const char *name, uint64_t n, bool whole,
                      uint64_t *bytes, struct fecrun_error *err)
{
    const uint64_t per_byte = fecrun_type_per_byte(code->format->type);

    if (whole && n % code->items)
        return fecrun_fail(err, name, "%" PRIu64 " items are no whole frames of %" PRIu64, n,
                           code->items);
    if (!whole && n % per_byte)
        return fecrun_fail(err, name, "must be a multiple of %" PRIu64 " for %s, which share bytes",
                           per_byte, fecrun_type_name(code->format->type));
    *bytes = whole ? n / code->items * source_bytes(code, code->items) : source_bytes(code, n);
    return 0;
}

/* Where in the file the data begin and end. */
static int find_range(struct source_code *code, const struct fecrun_values *values,
                      const struct file_facts *facts, struct fecrun_error *err)
{
    const struct fecrun_value *count = fecrun_value(values, P_COUNT);
    const uint64_t skip = (uint64_t)fecrun_value(values, P_SKIP)->i;
    const bool parts = code->items % fecrun_type_per_byte(code->format->type) != 0;
    const bool rows = !code->stream && (facts->is_npy || parts); /* begin where frames do */
    uint64_t skipped, counted = 0;

    code->end = facts->regular ? facts->size : UINT64_MAX;
    code->header = facts->is_npy ? facts->npy.header : 0;
    if (find_bytes(code, "skip", skip, rows, &skipped, err) ||
        (count->given &&
         find_bytes(code, "count", (uint64_t)count->i, !code->stream, &counted, err)))
        return -1;
    if (skipped && skipped >= code->end - code->header)
        return fecrun_fail(err, "skip",
                           "%" PRIu64 " items are all of %s, which ends at byte %" PRIu64, skip,
                           code->path, code->end);
    code->header += skipped;
    if (counted > code->end - code->header)
        return fecrun_fail(err, "count",
                           "%s ends at byte %" PRIu64 ", before item %" PRIu64 " after the %" PRIu64
                           " that are left out",
                           code->path, code->end, (uint64_t)count->i, skip);
    if (counted)
        code->end = code->header + counted;
    return 0;
}

/* Says that frames of NumPy's type of this name would end with the file. */
static void add_mistaken(const struct source_code *code, const struct fecrun_value *dtype,
                         struct fecrun_error *err)
{
    const size_t used = strlen(err->text);
    unsigned bytes;
    const char *numpy = dtype->given ? format_mistaken(dtype->s, &bytes) : NULL;

    if (numpy && (code->end - code->header) % (bytes * (code->stream ? 1 : code->items)) == 0)
        snprintf(err->text + used, sizeof err->text - used,
                 "; its size fits NumPy's %s (%s, %u bytes an item)", dtype->s, numpy, bytes);
}

/* Does the file end after whole frames, or whole items of a stream? */
static int check_size(const struct source_code *code, const struct fecrun_values *values,
                      struct fecrun_error *err)
{
    uint64_t unit = source_bytes(code, code->stream ? 1 : code->items);
    uint64_t rest;

    if (code->pipe && code->loop)
        return fecrun_fail(err, "loop", "%s is not a regular file, which alone can be read again",
                           code->path);
    if (code->pipe)
        return 0;
    rest = (code->end - code->header) % unit;
    if (rest) {
        fecrun_fail(err, "path",
                    "%s: truncated or oversized: the file ends at byte %" PRIu64
                    ", inside the %s of %" PRIu64 " bytes that starts at byte %" PRIu64,
                    code->path, code->end, code->stream ? "item" : "frame", unit, code->end - rest);
        add_mistaken(code, fecrun_value(values, P_DTYPE), err);
        return -1;
    }
    if (code->loop && code->end == code->header)
        return fecrun_fail(err, "path", "%s: nothing to read after byte %" PRIu64, code->path,
                           code->end);
    return 0;
}

/* All of a regular file can be had in any order. */
static void count_frames(const struct source_code *code, struct fecrun_plan *plan)
{
    const uint64_t bytes = source_bytes(code, code->items);
    const uint64_t data = code->end - code->header;

    plan->flags |= FECRUN_STAGE_SEEKS;
    plan->sim->frames = data / bytes + (data % bytes != 0);
}

static double type_max(uint32_t type)
{
    return type == FECRUN_I4 ? 7 : type == FECRUN_I8 ? 127 : type == FECRUN_I16 ? 32767 : 0;
}

static void describe(struct source_code *code, const struct fecrun_values *values,
                     struct fecrun_frame *out)
{
    const struct fecrun_value *max = fecrun_value(values, P_MAX);
    double largest = type_max(code->format->type);

    out->kind = code->kind;
    out->type = code->format->type;
    out->items = code->items;
    out->stream = code->stream;
    if (out->kind == FECRUN_KIND_BITS)
        out->info_bits = code->items;
    if (out->kind != FECRUN_KIND_LLR)
        return;
    out->channel_bits = code->items;
    out->llr_scale = fecrun_value(values, P_SCALE)->f;
    out->llr_max = largest;
    if (max->given && (largest == 0 || max->f < largest)) {
        out->llr_max = max->f;
        code->limit = (float)max->f;
    }
}

int source_plan(const struct fecrun_host *host, const struct fecrun_values *values,
                const struct fecrun_frame *const in[], struct fecrun_frame *const out[],
                struct fecrun_plan *plan, struct fecrun_error *err)
{
    struct source_code *code = fecrun_code(plan, sizeof *code, err);
    struct file_facts facts;

    (void)in;
    if (!code)
        return -1;
    code->path = fecrun_value(values, P_PATH)->s;
    code->loop = fecrun_value(values, P_LOOP)->i != 0;
    if (file_look(code->path, "path", &facts, err) || find_type(code, values, &facts, plan, err))
        goto fail;
    code->pipe = !facts.regular;
    code->live = code->pipe && host->latency == FECRUN_LATENCY_LOW;
    if (find_scale(code, values, err) || find_items(code, values, &facts, plan, err) ||
        source_plan_turn(code, values, err) || find_range(code, values, &facts, err) ||
        check_size(code, values, err))
        goto fail;
    if (facts.npy.columns)
        code->turned = (struct infile_columns){facts.npy.header, facts.npy.frames, facts.npy.items,
                                               npy_item_bytes(&facts.npy)};
    warn_mistaken(code, fecrun_value(values, P_DTYPE), plan);
    describe(code, values, out[0]);
    if (!code->loop)
        plan->flags |= FECRUN_STAGE_ENDS;
    if (!code->loop && facts.regular)
        count_frames(code, plan);
    return 0;
fail:
    free(code);
    plan->code = NULL;
    return -1;
}
