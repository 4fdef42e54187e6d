/* SPDX-License-Identifier: BSD-2-Clause */
/* source.file: reads a batch of frames, directly into its buffer if the types agree. */
#include "plugins/chain/source/file.h"

#include <inttypes.h>

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
    if (__builtin_mul_overflow(frame, source_bytes(code, code->items), &at) ||
        at > INT64_MAX - code->header)
        return fecrun_fail(err, "path", "%s: there is no frame %" PRIu64, code->path, frame);
    if (code->loop)
        at %= code->end - code->header;
    source->next = frame;
    return infile_seek(&source->file, code->header + at, err);
}

/* Reads what `skip` leaves out of a pipe, which may not end there. */
static int skip_start(struct source *source, const struct source_code *code,
                      struct fecrun_error *err)
{
    uint8_t dropped[4096];
    size_t got;

    while (source->file.offset < code->header) {
        const uint64_t left = code->header - source->file.offset;

        if (infile_read(&source->file, dropped,
                        left < sizeof dropped ? (size_t)left : sizeof dropped, &got, err))
            return -1;
        if (!got && cancelled(source))
            return 0;
        if (!got)
            return fecrun_fail(err, "skip", "%s ends at byte %" PRIu64 ", before byte %" PRIu64,
                               code->path, source->file.offset, code->header);
    }
    source->started = true;
    return 0;
}

/* Bytes of whole items that were asked for from byte `start` of the file on. */
struct span {
    const struct source_code *code;
    uint64_t start, items;
};

static int check_span(const void *data, uint8_t *bytes, size_t n, uint64_t at,
                      struct fecrun_error *err)
{
    const struct span *span = data;
    const uint64_t item = source_bytes(span->code, 1);
    const uint64_t per_byte = fecrun_type_per_byte(span->code->format->type);
    const uint64_t left = span->items - (at - span->start) / item * per_byte;
    const uint64_t have = n / item * per_byte;

    return source_check(span->code, bytes, (size_t)(have < left ? have : left), at, err);
}

/* n bytes; less at the end. */
static int read_part(struct source *source, const struct span *span, uint8_t *to, size_t n,
                     bool buffered, size_t *got, struct fecrun_error *err)
{
    if (!buffered)
        return infile_read_checked(&source->file, to, n, check_span, span, got, err);
    if (infile_read(&source->file, to, n, got, err))
        return -1;
    return check_span(span, to, *got, span->start, err);
}

/*
 * n items as they are in the file, checked; *got are less at the end, unless the file loops. buffered:
 * for few items at a time.
 */
static int read_items(struct source *source, const struct source_code *code, uint8_t *to,
                      uint64_t n, bool buffered, uint64_t *got, struct fecrun_error *err)
{
    const size_t want = (size_t)source_bytes(code, n);
    const uint64_t item = source_bytes(code, 1);
    size_t done = 0, part;

    for (;;) {
        const struct span span = {code, source->file.offset,
                                  n - done / item * fecrun_type_per_byte(code->format->type)};

        if (read_part(source, &span, to + done, want - done, buffered, &part, err))
            return -1;
        done += part;
        *got = done == want ? n : done / item * fecrun_type_per_byte(code->format->type);
        if (done == want || cancelled(source))
            return 0;
        if (source->file.offset < code->end && code->end != UINT64_MAX)
            return fecrun_fail(err, "path",
                               "%s: truncated while it was read: it ends at byte "
                               "%" PRIu64 ", not at byte %" PRIu64,
                               code->path, source->file.offset, code->end);
        if (!code->loop)
            break;
        if (infile_seek(&source->file, code->header, err))
            return -1;
    }
    if (done % item)
        return fecrun_fail(err, "path",
                           "%s: truncated: it ends at byte %" PRIu64 ", inside an item", code->path,
                           source->file.offset);
    return 0;
}

static void convert(const struct source_code *code, uint32_t type, const uint8_t *in, uint8_t *out,
                    uint64_t n)
{
    const struct format *format = code->format;
    float *to = (float *)(void *)out;

    if (code->kind == FECRUN_KIND_SYMBOLS)
        symbols_convert(format->symbols, code->full_scale, in, to, n);
    else if (format->numbers != NUMBERS_F64 && format->numbers != NUMBERS_I32)
        fecrun_convert(format->type, type, in, out, n);
    else
        format_narrow(format->numbers, code->invert, in, to, n);
}

/* n items to a row of any type. */
static int read_plain(struct source *source, const struct source_code *code,
                      const struct fecrun_view *out, uint8_t *row, uint64_t n, bool buffered,
                      uint64_t *got, struct fecrun_error *err)
{
    uint64_t part;

    if (source_is_direct(code, out->type))
        return read_items(source, code, row, n, buffered, got, err);
    for (*got = 0; *got < n; *got += part) {
        const uint64_t want = n - *got < SOURCE_CHUNK ? n - *got : SOURCE_CHUNK;

        if (read_items(source, code, source->chunk, want, buffered, &part, err))
            return -1;
        convert(code, out->type, source->chunk, row + fecrun_bytes(out->type, *got), part);
        if (part < want) {
            *got += part;
            return 0;
        }
    }
    return 0;
}

static int read_row(struct source *source, const struct source_code *code,
                    const struct fecrun_view *out, uint8_t *row, uint64_t n, bool buffered,
                    uint64_t *got, struct fecrun_error *err)
{
    if (read_plain(source, code, out, row, n, buffered, got, err))
        return -1;
    if (code->swap || code->quarters)
        source_turn(code, out->type, row, *got);
    return 0;
}

/* Do the frames of a batch lie behind each other, here and in the file, and may they come at once? */
static bool is_one_row(const struct source_code *code, const struct fecrun_view *out)
{
    const uint64_t items = code->items;

    return !(out->may_pause && code->pipe) && out->stride == fecrun_bytes(out->type, items) &&
           items % fecrun_type_per_byte(out->type) == 0 &&
           items % fecrun_type_per_byte(code->format->type) == 0;
}

/*
 * Of a pipe: has the next frame come, or the end? A file's has. Stages behind a live stream wait for
 * the batch behind theirs, so the last piece that has come is to be a batch of its own: those before it
 * then do not wait. Hence two pieces.
 */
static bool has_frame(struct source *source, const struct source_code *code)
{
    const uint64_t frames = code->live && code->stream ? 2 : 1;

    return !code->pipe || source->file.offset >= code->end ||
           infile_has(&source->file, frames * source_bytes(code, code->items), code->live);
}

static int fail_truncated(const struct source *source, const struct source_code *code,
                          uint64_t items, struct fecrun_error *err)
{
    return fecrun_fail(err, "path",
                       "%s: truncated: it ends at byte %" PRIu64 ", inside a "
                       "frame of %" PRIu64 " items, of which %" PRIu64 " are there",
                       code->path, source->file.offset, code->items, items);
}

/*
 * A mistake behind f frames of a pipe: they go on first, as they do where it comes a moment later, and the
 * next call fails. False: this one does.
 */
static bool fails_later(struct source *source, const struct source_code *code,
                        struct fecrun_view *out, uint64_t f, struct fecrun_error *err)
{
    if (!f || !out->may_pause || !code->pipe)
        return false;
    source->failed = true;
    source->why = *err;
    err->param[0] = err->text[0] = 0;
    out->paused = 1;
    return true;
}

/* Frames until there are enough, no more have come, or the input ends: then *items of one more. */
static int read_frames(struct source *source, const struct source_code *code,
                       struct fecrun_view *out, uint64_t *items, struct fecrun_error *err)
{
    const bool buffered = source_bytes(code, code->items) < SOURCE_SMALL;
    uint64_t f;

    *items = 0;
    for (f = 0; f < out->frames; f++) {
        if (f > 0 && out->may_pause && !has_frame(source, code)) {
            out->paused = 1;
            break;
        }
        if (read_row(source, code, out, fecrun_row(out, f), code->items, buffered, items, err) ||
            (*items && *items < code->items && !code->stream && !cancelled(source) &&
             fail_truncated(source, code, *items, err))) {
            if (!fails_later(source, code, out, f, err))
                return -1;
            *items = 0;
            break;
        }
        if (*items < code->items)
            break;
        *items = 0;
    }
    source->next += f;
    source->ended = f < out->frames && !out->paused;
    out->frames = f;
    return 0;
}

static int read_batch(struct source *source, const struct source_code *code,
                      struct fecrun_view *out, uint64_t *items, struct fecrun_error *err)
{
    if (read_row(source, code, out, out->data, out->frames * code->items, false, items, err))
        return -1;
    source->ended = *items < out->frames * code->items;
    out->frames = *items / code->items;
    source->next += out->frames;
    *items %= code->items;
    return 0;
}

int source_run(void *instance, const struct fecrun_call *call, const struct fecrun_view *const in[],
               struct fecrun_view *const out[], struct fecrun_error *err)
{
    struct source *source = instance;
    const struct source_code *code = call->codes[0];
    uint64_t items;

    (void)in;
    /* of a file that has an end, other threads read what follows: no part of it may be missing */
    source->file.cancel = code->pipe || code->loop ? call->cancel : NULL;
    if (source->failed)
        return fecrun_fail(err, source->why.param, "%s", source->why.text);
    if (source->ended && call->first_frame >= source->next) {
        out[0]->frames = 0;
        return 0;
    }
    if ((!source->started && skip_start(source, code, err)) ||
        go_to_frame(source, code, call->first_frame, err) ||
        (is_one_row(code, out[0]) ? read_batch : read_frames)(source, code, out[0], &items, err))
        return -1;
    if (!source->ended)
        return 0;
    source->ended = !cancelled(source);
    if (cancelled(source))
        items = 0;
    if (items > 0 && !code->stream)
        return fail_truncated(source, code, items, err);
    out[0]->tail_items = items;
    return 0;
}
