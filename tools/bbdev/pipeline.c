/* SPDX-License-Identifier: BSD-2-Clause */
/* The pipeline that does each kind of work. */
#include "tools/bbdev/class.h"

#include <stdarg.h>
#include <stdio.h>

struct text {
    char *at;
    size_t left;
    int written; /* -1: too long */
};

static void __attribute__((format(printf, 2, 3))) add(struct text *text, const char *format, ...)
{
    va_list arguments;
    int n;

    if (text->written < 0)
        return;
    va_start(arguments, format);
    n = vsnprintf(text->at, text->left, format, arguments);
    va_end(arguments);
    if (n < 0 || (size_t)n >= text->left) {
        text->written = -1;
        return;
    }
    text->at += n;
    text->left -= (size_t)n;
    text->written += n;
}

static const char *const crc_names[] = {"none", "24a", "24b", "16"};
static const unsigned crc_bits[] = {0, 24, 24, 16};

/* Information bits of an LDPC word, fillers included (TS 38.212 5.2.2). */
static unsigned ldpc_k(const struct bbdev_kind *kind)
{
    return (kind->bg == 1 ? 22u : 10u) * kind->size;
}

static unsigned ldpc_n(const struct bbdev_kind *kind)
{
    return (kind->bg == 1 ? 66u : 50u) * kind->size;
}

static void ldpc_decode(struct text *text, const struct bbdev_kind *kind)
{
    add(text, "  - source.memory: {id: in, dtype: i8, frame: %u}\n", kind->e);
    if (kind->harq & 1)
        add(text, "  - source.memory: {id: before, dtype: i8, frame: %u}\n", ldpc_n(kind));
    add(text,
        "  - ldpc.rate_recover: {id: sum, from: in, bg: %u, z: %u, fillers: %u, rv: %u, ncb: "
        "%u%s}\n",
        kind->bg, kind->size, kind->fillers, kind->rv, kind->ncb,
        kind->harq & 1 ? ", harq_in: before" : "");
    if (kind->harq & 2)
        add(text, "  - sink.memory: {id: after, dtype: i8}\n");
    add(text,
        "  - ldpc.decode: {id: decoder, from: sum, code: nr, bg: %u, z: %u, fillers: %u, rows: %u, "
        "iterations: "
        "%u%s}\n"
        "  - sink.memory: {id: out, dtype: packed}\n",
        kind->bg, kind->size, kind->fillers, kind->rows, kind->iterations,
        kind->all ? ", early_stop: none" : "");
    if (kind->harq & 4)
        add(text, "  - sink.memory: {id: soft, from: decoder.code_llr, dtype: f4}\n");
}

static void attach(struct text *text, const struct bbdev_kind *kind, unsigned bits)
{
    add(text, "  - source.memory: {id: in, dtype: packed, frame: %u}\n",
        bits - crc_bits[kind->crc]);
    if (kind->crc)
        add(text, "  - crc.attach: {crc: %s}\n", crc_names[kind->crc]);
}

static void ldpc_encode(struct text *text, const struct bbdev_kind *kind)
{
    attach(text, kind, ldpc_k(kind) - kind->fillers);
    add(text,
        "  - ldpc.encode: {code: nr, bg: %u, z: %u, fillers: %u}\n"
        "  - ldpc.rate_match: {e: %u, rv: %u, ncb: %u}\n"
        "  - sink.memory: {id: out, dtype: u1}\n",
        kind->bg, kind->size, kind->fillers, kind->e, kind->rv, kind->ncb);
}

static void turbo_decode(struct text *text, const struct bbdev_kind *kind)
{
    add(text, "  - source.memory: {id: in, dtype: i8, frame: %u}\n", 3u * kind->size + 12);
    add(text, "  - turbo.decode: {id: decoder, k: %u, iterations: %u", kind->size,
        kind->iterations);
    if (kind->alpha == 1)
        add(text, ", alpha: 0.1"); /* the least */
    else if (kind->alpha)
        add(text, ", alpha: %u.%04u", kind->alpha / 16, kind->alpha % 16 * 625);
    if (kind->all)
        add(text, ", extra_half: true");
    if (kind->crc)
        add(text, ", early_stop: crc, crc: %s", crc_names[kind->crc]);
    add(text, "}\n  - sink.memory: {id: out, dtype: packed}\n");
    if (kind->harq & 4)
        add(text, "  - sink.memory: {id: soft, from: decoder.code_llr, dtype: f4}\n");
}

static void turbo_encode(struct text *text, const struct bbdev_kind *kind)
{
    attach(text, kind, kind->size);
    add(text, "  - turbo.encode: {k: %u}\n", kind->size);
    if (!kind->all)
        add(text, "  - turbo.rate_match: {e: %u, rv: %u, ncb: %u}\n", kind->e, kind->rv, kind->ncb);
    add(text, "  - sink.memory: {id: out, dtype: u1}\n");
}

int bbdev_pipeline_text(const struct bbdev_kind *kind, int low_latency, char *text, size_t size)
{
    struct text to = {text, size, 0};

    add(&to, "fecrun: 1\n%spipeline:\n", low_latency ? "latency: low\n" : "");
    switch (kind->work) {
    case BBDEV_LDPC_DECODE:
        ldpc_decode(&to, kind);
        break;
    case BBDEV_LDPC_ENCODE:
        ldpc_encode(&to, kind);
        break;
    case BBDEV_TURBO_DECODE:
        turbo_decode(&to, kind);
        break;
    case BBDEV_TURBO_ENCODE:
        turbo_encode(&to, kind);
        break;
    default:
        add(&to,
            "  - source.memory: {id: in, dtype: packed, frame: %u}\n"
            "  - crc.check: {crc: %s}\n"
            "  - sink.memory: {id: out, dtype: packed}\n",
            kind->e, crc_names[kind->crc]);
    }
    return to.written;
}
