/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * source.file: LLRs, bits or symbols from a .npy or raw file, batch by batch. Frames of a raw file
 * start on a byte, as everywhere; the rest of such a byte is zero.
 */
#include "plugins/chain/source/file.h"

#include <inttypes.h>

enum { P_PATH, P_KIND, P_SCALE, P_MAX, P_LOOP, P_DTYPE, P_FRAME, P_PIECE, P_STREAM, P_FULL };

/* As file_dtype_names, and what becomes complex numbers, by enum symbols - SYMBOLS_CS16. */
static const char *const dtypes[] = {"f4", "f32",  "f2",   "f16", "i2",  "i16",
                                     "i1", "i8",   "i4",   "u1",  "u8",  "packed",
                                     "c8", "cf32", "cs16", "cs8", "cu8", NULL};
enum { N_TYPES = 14 }; /* of file_dtype_names */

/* Of a stream: a multiple of nearly all steps and periods of codes; for one that is live, of most, and
   more than decoders read round a batch. */
enum { PIECE = 161280, LIVE_PIECE = 960 };

static const char *const kinds[] = {"llr", "bits", "symbols", "values", NULL};

static const struct fecrun_param *const params[] = {
    FECRUN_PARAM(.name = "path", .type = FECRUN_VALUE_PATH, .flags = FECRUN_PARAM_REQUIRED,
                 .help = "the file: .npy (known by its magic) or raw; - is standard input, raw"),
    FECRUN_CHOICE(
        "kind", kinds,
        .help = "kind of the items; default: by their type (u1 and packed bits, i4 llr, "
                "complex ones symbols). Other numbers are llr, or values: side information "
                "for another input of a stage"),
    FECRUN_FLOAT("llr_scale", 1e-6, 1e6, .default_text = "1", .unit = "units per natural LLR",
                 .help = "scale of the LLRs in the file"),
    FECRUN_FLOAT("llr_max", 1e-6, 1e9,
                 .help = "largest LLR; a larger one in the file is an error; default: the range of "
                         "i4, i8, i16"),
    FECRUN_BOOL("loop", .default_text = "false", .help = "start again at the end of the file"),
    FECRUN_CHOICE("dtype", dtypes,
                  .help = "type in a raw file, little-endian. Numbers of bits or numpy's numbers "
                          "of bytes, but i8 is one byte and i4 half a byte, high half first; "
                          "symbols c8 and cf32 (two f32), cs16, cs8, cu8 (two integers)"),
    FECRUN_INT("frame", 0, 1 << 30, .unit = "items",
               .help = "raw: items per frame, 0: the file is one stream"),
    FECRUN_INT(
        "piece", 1, 1 << 30, .unit = "items",
        .help = "stream: items that are handled as one frame; default 161280, of a pipe with "
                "`latency: low` 960"),
    FECRUN_BOOL("stream", .default_text = "false", .help = ".npy: its items are one stream"),
    FECRUN_FLOAT("full_scale", 1e-6, 1e6, .default_text = "1",
                 .help = "symbols: value of the largest integer (cs16 32768, cs8 128, cu8 127.5 +- "
                         "128), or 1 of floats"),
    NULL,
};

/* ---- Planning ------------------------------------------------------------------------------ */

/* What a description beside the file says of its type, in words of `dtype`. */
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
    if (dtype->given && code->symbols != sigmf.form)
        return fecrun_fail(err, "dtype", "%s, but %s is described as another type", dtype->s,
                           code->path);
    code->disk = FECRUN_C8;
    code->symbols = sigmf.form;
    if (sigmf.sample_rate > 0)
        snprintf(plan->note, sizeof plan->note, "recorded at %.15g samples a second",
                 sigmf.sample_rate);
    return 0;
}

/* What stands in the file, as a user would say it. */
static const char *type_name(const struct source_code *code)
{
    return code->symbols ? dtypes[N_TYPES + code->symbols - SYMBOLS_CS16]
                         : fecrun_type_name(code->disk);
}

/* By choice of `kind`, and last where none is made. */
static const char *const allowed[] = {"f4, f2, i2, i1 or i4", "u1 or packed",
                                      "c8, cf32, cs16, cs8 or cu8", "f4, f2, i2 or i1",
                                      "f4, f2, i2, i1, i4, u1, packed, c8, cf32, cs16, cs8 or cu8"};
enum { ANY_KIND = 4 };

/* The kind that was given is one of the type's, or the type has a single one. */
static int find_kind(struct source_code *code, int64_t given, bool is_npy, struct fecrun_error *err)
{
    const uint32_t may_be = fecrun_type_kinds(code->disk);
    const char *where = is_npy ? " as in the file's header (byte 10 on)" : "";

    if (given == ANY_KIND && may_be & (may_be - 1))
        return fecrun_fail(err, "kind", "must be given, llr or values, for %s%s says neither",
                           type_name(code), where);
    if (given == ANY_KIND)
        code->kind = may_be;
    if (!(may_be & code->kind))
        return fecrun_fail(err, is_npy ? "kind" : "dtype", "kind %s takes %s, not %s%s",
                           kinds[given], allowed[given], type_name(code), where);
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
    if (dtype->given && dtype->i >= N_TYPES)
        code->symbols = (enum symbols)(SYMBOLS_CS16 + dtype->i - N_TYPES);
    if (dtype->given)
        code->disk = dtype->i < N_TYPES ? file_dtype(dtype->i) : FECRUN_C8;
    if (find_sigmf(code, dtype, plan, err))
        return -1;
    if (!code->disk && !facts->is_npy)
        return fecrun_fail(err, "dtype", "%s is not a .npy file, and a raw file needs dtype (%s)",
                           code->path, allowed[kind]);
    if (!code->disk)
        code->disk = facts->npy.type;
    if (facts->is_npy && (code->disk != facts->npy.type || code->symbols != SYMBOLS_CF32))
        return fecrun_fail(err, "dtype", "%s, but %s holds %s (byte 10 on)", type_name(code),
                           code->path, fecrun_type_name(facts->npy.type));
    return find_kind(code, kind, facts->is_npy, err);
}

static int find_scale(struct source_code *code, const struct fecrun_values *values,
                      struct fecrun_error *err)
{
    const struct fecrun_value *full = fecrun_value(values, P_FULL);

    if (full->given == 2 && code->kind != FECRUN_KIND_SYMBOLS)
        return fecrun_fail(err, "full_scale", "is of symbols; LLRs have llr_scale");
    code->full_scale = (float)full->f;
    return 0;
}

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
    uint64_t unit = source_bytes(code, code->stream ? 1 : code->items);
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
    double largest = type_max(code->disk);

    out->kind = code->kind;
    out->type = code->disk;
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

static int source_plan(const struct fecrun_host *host, const struct fecrun_values *values,
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
    code->live = !facts.regular && host->latency == FECRUN_LATENCY_LOW;
    if (find_scale(code, values, err) || find_items(code, values, &facts, plan, err))
        goto fail;
    code->header = facts.is_npy ? facts.npy.header : 0;
    code->end = facts.regular ? facts.size : UINT64_MAX;
    if (check_size(code, &facts, err))
        goto fail;
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

/* Bits go out as they are in the file: others take them either way, or the host changes them. */
static int source_takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    const struct source_code *code = args->codes[0];
    const uint32_t type = args->form->out[0].type;

    return code->kind == FECRUN_KIND_BITS && type != code->disk
               ? fecrun_fail(err, NULL, "the file has %s", fecrun_type_name(code->disk))
               : 0;
}

/* ---- Instances ----------------------------------------------------------------------------- */

static void source_destroy(void *instance)
{
    struct source *source = instance;

    if (source) {
        infile_close(&source->file);
        free(source->chunk);
    }
    free(source);
}

static int open_file(struct source *source, const struct source_code *code, bool converts,
                     struct fecrun_error *err)
{
    if (converts) {
        source->chunk = malloc((size_t)SOURCE_CHUNK * 8);
        if (!source->chunk)
            return fecrun_no_memory(err);
    }
    if (infile_open(&source->file, code->path, err) ||
        (code->header && infile_seek(&source->file, code->header, err)))
        return -1;
    source->file.end = code->end;
    return 0;
}

static int source_create(const struct fecrun_create *args, void **instance,
                         struct fecrun_error *err)
{
    const struct source_code *code = args->codes[0];
    const uint32_t type = args->form->out[0].type;
    struct source *source;

    *instance = NULL;
    if (!fecrun_type_holds(type, code->disk))
        return fecrun_fail(err, NULL, "%s cannot become %s", fecrun_type_name(code->disk),
                           fecrun_type_name(type));
    source = calloc(1, sizeof *source);
    if (!source)
        return fecrun_no_memory(err);
    source->file.fd = -1;
    if (open_file(source, code, !source_is_direct(code, type), err)) {
        source_destroy(source);
        return -1;
    }
    *instance = source;
    return 0;
}

static const struct fecrun_form *const forms[] = {CHAIN_EACH_TYPE(FECRUN_OUT, PACKED, U8), NULL};

static const struct fecrun_backend *const backends[] = {
    FECRUN_BACKEND(.name = "ref", .forms = forms, .create = source_create, .run = source_run,
                   .destroy = source_destroy, .takes = source_takes),
    NULL,
};

const struct fecrun_stage chain_source_file = {
    .size = sizeof chain_source_file,
    .name = "source.file",
    .role = FECRUN_ROLE_SOURCE,
    .flags = FECRUN_STAGE_ORDERED,
    .summary = "LLRs, bits, symbols or values from a file",
    .params = params,
    .inputs = FECRUN_NO_PORTS,
    .outputs = FECRUN_ONE_PORT(
        "out", FECRUN_KIND_BITS | FECRUN_KIND_LLR | FECRUN_KIND_SYMBOLS | FECRUN_KIND_VALUES,
        "the items of the file"),
    .backends = backends,
    .plan = source_plan,
    .plan_free = free,
};
