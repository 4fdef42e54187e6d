/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares results: whether two are equal, one is valid, and which backend decodes better. */
#include "tools/check/check.h"

#include "tools/check/check_impl.h"
#include <fecrun/sdk/sample.h>
#include <fecrun/sdk/params.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Values, whatever their type ---- */

/* The widest type of a kind: all others convert to it. */
static uint32_t common_type(uint32_t type)
{
    uint32_t kind = fecrun_type_kind(type);

    return kind == FECRUN_KIND_BITS ? FECRUN_U8 : kind == FECRUN_KIND_LLR ? FECRUN_F32 : FECRUN_C8;
}

uint8_t *check_widen(const struct check_signal *signal, uint64_t frame)
{
    uint32_t type = common_type(signal->type);
    uint8_t *row = malloc(fecrun_bytes(type, signal->items) + 1);

    if (row)
        fecrun_convert(signal->type, type, signal->data + frame * signal->stride, row,
                       signal->items);
    return row;
}

static float value_at(uint32_t type, const uint8_t *row, uint64_t i)
{
    float x;

    if (type == FECRUN_U8)
        return row[i];
    memcpy(&x, row + 4 * i, 4);
    return x;
}

/* First item of a row that differs by more than the bound; count if none. */
static uint64_t first_difference(uint32_t type, const uint8_t *a, const uint8_t *b, uint64_t count,
                                 double bound)
{
    if (!memcmp(a, b, fecrun_bytes(type, count)))
        return count;
    if (type == FECRUN_C8)
        count *= 2;
    for (uint64_t i = 0; i < count; i++) {
        float x = value_at(type, a, i), y = value_at(type, b, i);

        if (bound > 0 && type != FECRUN_U8 ? !(fabs((double)x - (double)y) <= bound)
                                           : memcmp(&x, &y, sizeof x))
            return type == FECRUN_C8 ? i / 2 : i;
    }
    return type == FECRUN_C8 ? count / 2 : count;
}

static void tell(char *text, size_t size, uint64_t frame, unsigned port, uint32_t type,
                 const uint8_t *a, const uint8_t *b, uint64_t i)
{
    uint64_t at = type == FECRUN_C8 ? 2 * i : i;

    snprintf(text, size, "frame %llu, output %u, item %llu (packed: byte %llu): %.9g and %.9g",
             (unsigned long long)frame, port, (unsigned long long)i, (unsigned long long)(i / 8),
             value_at(type, a, at), value_at(type, b, at));
}

static bool same_frame(const struct check_signal *a, const struct check_signal *b, uint64_t frame,
                       unsigned port, double bound, char *text, size_t size)
{
    uint8_t *x = check_widen(a, frame), *y = check_widen(b, frame);
    uint32_t type = common_type(a->type);
    uint64_t i = x && y ? first_difference(type, x, y, a->items, bound) : 0;
    bool same = x && y && i == a->items;

    if (!same && x && y)
        tell(text, size, frame, port, type, x, y, i);
    free(x);
    free(y);
    return same;
}

static bool same_info(const struct fecrun_frame_info *a, const struct fecrun_frame_info *b,
                      uint64_t frame, char *text, size_t size)
{
    if (a->flags == b->flags && a->iterations == b->iterations && a->bit_errors == b->bit_errors)
        return true;
    snprintf(text, size,
             "frame %llu, info: flags %u, iterations %u, bit errors %llu and flags %u, "
             "iterations %u, bit errors %llu",
             (unsigned long long)frame, a->flags, a->iterations, (unsigned long long)a->bit_errors,
             b->flags, b->iterations, (unsigned long long)b->bit_errors);
    return false;
}

bool check_same(const struct check_result *ref, const struct check_result *other, double bound,
                bool infos, char *text, size_t size)
{
    uint64_t bad = 0;
    char first[300] = "", more[300];

    if (ref->frames != other->frames) {
        snprintf(text, size, "%llu and %llu frames", (unsigned long long)ref->frames,
                 (unsigned long long)other->frames);
        return false;
    }
    for (uint64_t f = 0; f < ref->frames; f++) {
        bool same = true;

        for (unsigned p = 0; p < ref->n_out; p++) /* a form may lack optional ports */
            for (uint64_t k = 0; k < ref->out[p].pieces && other->out[p].pieces && same; k++)
                same = same_frame(&ref->out[p], &other->out[p], f * ref->out[p].pieces + k, p,
                                  bound, bad ? more : first, sizeof first);
        for (uint64_t k = f * ref->infos; k < (f + 1) * ref->infos && same && infos; k++)
            same = same_info(&ref->info[k], &other->info[k], k, bad ? more : first, sizeof first);
        bad += !same;
    }
    if (bad)
        snprintf(text, size, "%s; %llu of %llu frames differ", first, (unsigned long long)bad,
                 (unsigned long long)ref->frames);
    return !bad;
}

bool check_identical(const struct check_result *a, const struct check_result *b, char *text,
                     size_t size)
{
    for (unsigned p = 0; p < a->n_out; p++) {
        const uint8_t *x = a->out[p].data, *y = b->out[p].data;
        size_t bytes = a->frames * a->out[p].pieces * a->out[p].stride, i = 0;

        while (i < bytes && x[i] == y[i])
            i++;
        if (i == bytes)
            continue;
        snprintf(text, size, "output %u, frame %zu, byte %zu: 0x%02x and then 0x%02x", p,
                 i / a->out[p].stride, i % a->out[p].stride, x[i], y[i]);
        return false;
    }
    for (uint64_t f = 0; f < a->frames * a->infos; f++)
        if (!same_info(&a->info[f], &b->info[f], f, text, size))
            return false;
    if (a->frames != b->frames)
        snprintf(text, size, "%llu and then %llu frames", (unsigned long long)a->frames,
                 (unsigned long long)b->frames);
    return a->frames == b->frames;
}

/* ---- Validity ---- */

/* Index of a byte that no item of the type can have, or `bytes`. */
static size_t bad_byte(const struct check_signal *signal, const uint8_t *row, bool strange)
{
    size_t bytes = signal->stride;
    uint8_t last = bytes ? row[bytes - 1] : 0;

    if (signal->type == FECRUN_PACKED && signal->items % 8 && (uint8_t)(last << signal->items % 8))
        return bytes - 1;
    if (signal->type == FECRUN_I4 && signal->items % 2 && last & 15)
        return bytes - 1;
    for (size_t i = 0; i < bytes; i++)
        if ((signal->type == FECRUN_U8 && row[i] > 1) ||
            (signal->type == FECRUN_I8 && row[i] == 0x80 && !strange) ||
            (signal->type == FECRUN_I4 && (row[i] >> 4 == 8 || (row[i] & 15) == 8) && !strange))
            return i;
    return bytes;
}

static bool within_max(const struct check_signal *signal, uint64_t frame, double max, char *text,
                       size_t size)
{
    uint8_t *row = max > 0 && fecrun_type_kind(signal->type) == FECRUN_KIND_LLR
                       ? check_widen(signal, frame)
                       : NULL;
    bool good = true;

    for (uint64_t i = 0; row && i < signal->items && good; i++) {
        good = !(fabs(value_at(FECRUN_F32, row, i)) > max * (1 + 1e-6));
        if (!good)
            snprintf(text, size, "frame %llu, item %llu: LLR %g, but plan() promised llr_max %g",
                     (unsigned long long)frame, (unsigned long long)i, value_at(FECRUN_F32, row, i),
                     max);
    }
    free(row);
    return good;
}

/* What is wrong with the flags that a call leaves, or NULL. */
static const char *bad_flags(uint32_t flags, uint32_t before, uint32_t stage)
{
    if (flags & ~(uint32_t)(FECRUN_FRAME_CHECKED | FECRUN_FRAME_FAILED | FECRUN_FRAME_COUNTED))
        return "flags that there are none";
    if (flags & FECRUN_FRAME_FAILED && !(flags & FECRUN_FRAME_CHECKED))
        return "FECRUN_FRAME_FAILED without FECRUN_FRAME_CHECKED";
    if (flags & ~before & FECRUN_FRAME_COUNTED && !(stage & FECRUN_STAGE_COUNTS))
        return "FECRUN_FRAME_COUNTED, of a stage without FECRUN_STAGE_COUNTS";
    return NULL;
}

static bool valid_infos(const struct check_result *result, const struct check_variant *v,
                        char *text, size_t size)
{
    for (uint64_t f = 0; f < result->frames * result->infos; f++) {
        const char *problem = bad_flags(result->info[f].flags, result->before, v->flags);

        if (!problem)
            continue;
        snprintf(text, size, "frame %llu, info.flags are 0x%x: %s", (unsigned long long)f,
                 result->info[f].flags, problem);
        return false;
    }
    return true;
}

bool check_valid(const struct check_result *result, const struct check_variant *v, bool strange,
                 char *text, size_t size)
{
    if (!valid_infos(result, v, text, size))
        return false;
    for (unsigned p = 0; p < result->n_out; p++)
        for (uint64_t f = 0; f < result->frames * result->out[p].pieces; f++) {
            const struct check_signal *out = &result->out[p];
            size_t i = bad_byte(out, out->data + f * out->stride, strange);

            if (i < out->stride) {
                snprintf(text, size,
                         "output %u, frame %llu, byte %zu of %zu is 0x%02x: no valid "
                         "%s (%llu items)",
                         p, (unsigned long long)f, i, out->stride, out->data[f * out->stride + i],
                         fecrun_type_name(out->type), (unsigned long long)out->items);
                return false;
            }
            if (!strange && !within_max(out, f, v->out[p].llr_max, text, size))
                return false;
        }
    return true;
}
