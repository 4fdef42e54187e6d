/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes rows of `blocks:` and their counts. There may be a million: as text, without objects. */
#include "tools/fecrun/result_impl.h"

#include "core/value/conf.h"
#include "run/file/pipeline.h"

#include <fecrun/sdk/params.h>

#include <inttypes.h>

/* Everything that is not plain: jansson's words for it. */
static int put_value(FILE *stream, json_t *value)
{
    const int status = value ? json_dumpf(value, stream,
                                          JSON_ENCODE_ANY | JSON_REAL_PRECISION(RESULT_DIGITS))
                             : -1;

    json_decref(value);
    return status;
}

static bool is_plain(const char *text)
{
    while (*text >= ' ' && *text < 0x7f && *text != '"' && *text != '\\')
        text++;
    return !*text;
}

static int put_text(FILE *stream, const char *key, const char *text)
{
    fprintf(stream, "\"%s\":", key);
    if (!text || is_plain(text))
        return fprintf(stream, "\"%s\"", text ? text : "") < 0;
    return put_value(stream, result_text(text));
}

static int put_count(FILE *stream, const char *key, bool known, uint64_t n)
{
    return known ? fprintf(stream, ",\"%s\":%" PRIu64, key, n) < 0
                 : fprintf(stream, ",\"%s\":null", key) < 0;
}

static int put_ratio(FILE *stream, const char *key, bool known, uint64_t part, uint64_t whole)
{
    fprintf(stream, ",\"%s\":", key);
    if (!known || !whole)
        return fputs("null", stream) < 0;
    if (!part)
        return fputs("0.0", stream) < 0;
    return put_value(stream, json_real((double)part / (double)whole));
}

int rows_put_users(FILE *stream, const struct result_point *point)
{
    const bool counted = point->counts.counted;
    int status = fputs(",\"users\":[", stream) < 0;

    for (size_t i = 0; i < point->n_users && !status; i++) {
        const struct run_class *row = &point->counts.rows[i];

        status |= fputs(i ? ",{" : "{", stream) < 0;
        status |= put_text(stream, "cell", point->users[i].cell);
        putc(',', stream);
        status |= put_text(stream, "user", point->users[i].user);
        status |= put_count(stream, "frames", true, row->frames);
        status |= put_count(stream, "bits", true, row->bits);
        status |= put_count(stream, "bit_errors", counted, row->bit_errors);
        status |= put_count(stream, "frame_errors", counted, row->frame_errors);
        status |= put_ratio(stream, "ber", counted, row->bit_errors, row->bits);
        status |= put_ratio(stream, "fer", counted, row->frame_errors, row->frames);
        putc('}', stream);
    }
    return status || putc(']', stream) == EOF ? -1 : 0;
}

static int put_sizes(FILE *stream, const struct pipeline *pipeline,
                     const struct pipeline_block *block)
{
    int64_t size;
    int status = 0;

    for (size_t c = 0; c < pipeline->n_block_columns; c++)
        if (conf_int(block->sizes[c], &size))
            status |= fprintf(stream, ",\"%s\":%" PRId64, pipeline->block_columns[c], size) < 0;
    return status;
}

int rows_put_blocks(FILE *stream, const struct pipeline *pipeline, const volatile int *cancel)
{
    int status = fputs(",\"blocks\":[", stream) < 0;

    for (size_t r = 0; r < pipeline->n_blocks && !status && !fecrun_cancelled(cancel); r++) {
        const struct pipeline_block *block = &pipeline->blocks[r];

        status |= fputs(r ? ",{" : "{", stream) < 0;
        status |= put_text(stream, "cell", block->cell);
        putc(',', stream);
        status |= put_text(stream, "user", block->user);
        status |= put_count(stream, "count", true, block->count);
        status |= put_sizes(stream, pipeline, block);
        putc('}', stream);
    }
    return status || putc(']', stream) == EOF ? -1 : 0;
}
