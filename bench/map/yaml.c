/* SPDX-License-Identifier: BSD-2-Clause */
/* A cell as a pipeline file, and in one line. */
#include "bench/map/cell.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct text {
    char *at;
    size_t size, used;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *text, const char *format, ...)
{
    va_list list;

    va_start(list, format);
    if (text->used < text->size)
        text->used += (size_t)vsnprintf(text->at + text->used, text->size - text->used, format,
                                        list);
    va_end(list);
}

static const char *const llr_names[] = {"f32", "i8", "i4", "i16"};

static void add_quantize(struct text *text, const struct cell *cell, unsigned i)
{
    add(text, "  - llr.quantize: {id: quantize%u, type: %s, scale: %g", i, llr_names[cell->llr],
        cell->scale);
    if (cell->max)
        add(text, ", max: %u", cell->llr == LLR_I4 && cell->max > 7 ? 7 : cell->max);
    add(text, "}\n");
}

static void add_match(struct text *text, const struct cell *cell, unsigned i)
{
    add(text, "  - %s.rate_match: {id: match%u, from: enc", cell->stage, i);
    if (!strstr(cell->code, ", e: "))
        add(text, ", e: %u", cell->sent[i].e);
    if (!strcmp(cell->stage, "ldpc")) /* its interleaver has these */
        add(text, ", qm: %u", cell->qm <= 8 && cell->qm % 2 == 0 ? cell->qm : 1);
    if (cell->sent[i].rv >= 0)
        add(text, ", rv: %d", cell->sent[i].rv);
    add(text, "%s}\n", cell->match);
}

/* One transmission, up to the LLRs of the word. */
static void add_sent(struct text *text, const struct cell *cell, const struct variant *variant,
                     unsigned i)
{
    if (cell->sent[i].e)
        add_match(text, cell, i);
    if (cell->puncture[0])
        add(text, "  - conv.puncture: {%s}\n", cell->puncture);
    add(text, "  - modem.map: {id: map%u, scheme: %s}\n", i, cell_scheme(cell));
    add(text, "  - channel.awgn: {id: noise%u, esn0_db: %.3f}\n", i, variant->esn0_db);
    add(text, "  - modem.demap: {id: demap%u}\n", i);
    if (cell->llr != LLR_F32 && variant->quantized)
        add_quantize(text, cell, i);
    if (cell->puncture[0])
        add(text, "  - conv.depuncture: {%s, length: %.0f}\n", cell->puncture, cell->word);
    if (!cell->sent[i].e)
        return;
    add(text, "  - %s.rate_recover: {id: soft%u", cell->stage, i);
    if (i)
        add(text, ", harq_in: soft%u", i - 1);
    add(text, "%s}\n", strstr(cell->match, "k: ") ? cell->match + 2 : "");
}

/* The decoder's parameters but the one of this name. */
static void add_others(struct text *text, const char *all, const char *name, size_t length)
{
    for (const char *at = all; *at;) {
        const char *key = at + strspn(at, ", "), *end = strstr(key, ", ");

        if (!end)
            end = key + strlen(key);
        if (strncmp(key, name, length) || key[length] != ':')
            add(text, ", %.*s", (int)(end - key), key);
        at = end;
    }
}

static void add_decoder(struct text *text, const struct cell *cell, const struct variant *variant)
{
    const bool viterbi = cell->family == FAMILY_VITERBI;
    const unsigned iterations = variant->iterations ? variant->iterations : cell->iterations;
    const char *backend = variant->backend, *slash = strchr(backend, '/');
    const char *value = slash ? strchr(slash, '=') : NULL;
    const size_t length = value ? (size_t)(value - slash - 1) : 0;
    char all[sizeof cell->decode + 32] = "";

    if (iterations)
        snprintf(all, sizeof all, ", iterations: %u", iterations);
    snprintf(all + strlen(all), sizeof all - strlen(all), "%s", cell->decode);
    add(text, "  - %s.decode: {%sbackend: %.*s", viterbi ? "viterbi" : cell->stage,
        cell->soft ? "id: dec, " : "", (int)strcspn(backend, "/"), backend);
    add_others(text, all, value ? slash + 1 : "", length);
    if (value && !strncmp(slash, "/tune.", 6))
        add(text, ", tune: {%.*s: %s}", (int)length - 5, slash + 6, value + 1);
    else if (value)
        add(text, ", %.*s: %s", (int)length, slash + 1, value + 1);
    add(text, "}\n");
}

size_t cell_yaml(const struct cell *cell, const struct variant *variant, unsigned frames, char *out,
                 size_t size)
{
    struct text text = {.at = out, .size = size};

    add(&text, "fecrun: 1\nseed: %llu\npipeline:\n", (unsigned long long)cell->seed);
    add(&text, "  - source.random: {bits: %u%s}\n", cell->bits,
        cell->stream ? ", stream: true" : "");
    if (cell->crc[0])
        add(&text, "  - crc.attach: {%s}\n", cell->crc);
    add(&text, "  - %s.encode: {id: enc, %s}\n", cell->stage, cell->code);
    for (unsigned i = 0; i < cell->n_sent; i++)
        add_sent(&text, cell, variant, i);
    add_decoder(&text, cell, variant);
    if (cell->crc[0])
        add(&text, "  - crc.check: {%s}\n", cell->crc);
    add(&text, "  - sink.errors: {}\n");
    if (cell->soft)
        add(&text, "  - sink.null: {from: dec.%s}\n", cell->soft);
    if (frames)
        add(&text, "stop: {frames: %u}\n", frames);
    return text.used < size ? text.used : 0;
}

void cell_name(const struct cell *cell, char *out, size_t size)
{
    struct text text = {.at = out, .size = size};

    add(&text, "%s %s", family_names[cell->family], cell->code);
    if (cell->crc[0])
        add(&text, ", %s", cell->crc);
    if (cell->puncture[0])
        add(&text, ", %s", cell->puncture);
    add(&text, "%s; sent %u/%u", cell->stream ? ", a stream" : "", cell->bits, cell->coded);
    for (unsigned i = 0; i < cell->n_sent && cell->sent[i].rv >= 0; i++)
        add(&text, "%s%d", i ? "+" : " rv ", cell->sent[i].rv);
    add(&text, " %.*s ", (int)strcspn(cell_scheme(cell), ","), cell_scheme(cell));
    if (cell->llr == LLR_F32)
        add(&text, "f32");
    else
        add(&text, "%s scale %g", llr_names[cell->llr], cell->scale);
    if (cell->max)
        add(&text, " max %u", cell->max);
    if (cell->iterations)
        add(&text, "; iterations: %u", cell->iterations);
    add(&text, "%s%s%s", cell->decode, cell->soft ? "; out " : "", cell->soft ? cell->soft : "");
}
