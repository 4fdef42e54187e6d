/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * source.file: LLRs, bits or symbols from a .npy or raw file, batch by batch. Frames of a raw file
 * start on a byte, as everywhere; the rest of such a byte is zero.
 */
#include "plugins/chain/source/file.h"

static const struct fecrun_param *const params[] = {
    FECRUN_PARAM(.name = "path", .type = FECRUN_VALUE_PATH, .flags = FECRUN_PARAM_REQUIRED,
                 .help = "the file: .npy (known by its magic) or raw; - is standard input, raw"),
    FECRUN_CHOICE(
        "kind", source_kinds,
        .help = "kind of the items; default: by their type (u1 and packed bits, i4 llr, "
                "complex ones symbols). Other numbers are llr, or values: side information "
                "for another input of a stage"),
    FECRUN_FLOAT("llr_scale", 1e-6, 1e6, .default_text = "1", .unit = "units per natural LLR",
                 .help = "scale of the LLRs in the file"),
    FECRUN_FLOAT("llr_max", 1e-6, 1e9,
                 .help = "largest LLR; a larger one in the file is an error; default: the range of "
                         "i4, i8, i16"),
    FECRUN_BOOL("loop", .default_text = "false", .help = "start again at the end of the file"),
    FECRUN_CHOICE("dtype", format_names,
                  .help = "type in a raw file, little-endian. float64, float32, float16, int32, "
                          "int16, int8 and int4 (two a byte, high half first) cannot be mistaken. "
                          "Short names count bits or bytes, but i8 is one byte and i4 half a byte. "
                          "offset8: a byte of 128 plus the LLR; u1: a bit a byte; b8: packed bits "
                          "of stim, the first one in the lowest place; symbols c8, cf32 "
                          "(two f32), cf64 (two f64), cs16, cs8, cu8 (two integers)"),
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
    FECRUN_BOOL("invert",
                .help = "LLRs are positive for 1 in the file, or bits are complements: they "
                        "change their sign, or their value. Default: false; offset8 needs it, "
                        "true where 255 is a sure 1 (libfec, GNU Radio)"),
    FECRUN_INT("skip", 0, INT64_C(1) << 50, .unit = "items", .default_text = "0",
               .help = "left out at the start of the data"),
    FECRUN_INT("count", 1, INT64_C(1) << 50, .unit = "items",
               .help = "read after those that are left out; default: to the end of the file"),
    FECRUN_BOOL("swap", .default_text = "false",
                .help = "the two LLRs of each pair, or parts of each symbol, change places"),
    FECRUN_CHOICE(
        "rotate", source_turns, .default_text = "0", .unit = "degrees",
        .help = "each pair of LLRs, or symbol, is turned by so much, after swap: 90 makes "
                "(-b, a) of (a, b)"),
    NULL,
};

/* Bits go out as they are in the file: others take them either way, or the host changes them. */
static int source_takes(const struct fecrun_create *args, struct fecrun_error *err)
{
    const struct source_code *code = args->codes[0];
    const uint32_t type = args->form->out[0].type, disk = code->format->type;

    return code->kind == FECRUN_KIND_BITS && type != disk
               ? fecrun_fail(err, NULL, "the file has %s", fecrun_type_name(disk))
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
        source->chunk = malloc((size_t)SOURCE_CHUNK * SOURCE_ITEM);
        if (!source->chunk)
            return fecrun_no_memory(err);
    }
    if (infile_open(&source->file, code->path, err) ||
        (code->turned.items && infile_turn(&source->file, &code->turned, err)) ||
        (!code->pipe && code->header && infile_seek(&source->file, code->header, err)))
        return -1;
    source->started = !code->pipe;
    source->file.alone = code->loop; /* others have an end, so workers share them */
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
    if (!fecrun_type_holds(type, code->format->type))
        return fecrun_fail(err, NULL, "%s cannot become %s", fecrun_type_name(code->format->type),
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
