/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * source.file: is what was read allowed? Loops over all items only say whether something is odd, so
 * that they are vectors of the type in the file; where it stands is looked for behind them.
 */
#include "plugins/chain/source/file.h"
#include "plugins/common/files/file.h"

#include <inttypes.h>
#include <math.h>

/* The largest whole number that is no larger than the limit; without one, what the type holds. */
static int whole_limit(const struct source_code *code, int most)
{
    return code->limit > 0 && code->limit < (float)most ? (int)code->limit : most;
}

/* Of item i, a plain number or a wide one. */
static double value_at(const struct format *format, const uint8_t *data, size_t i)
{
    float value[2];

    if (format->numbers == NUMBERS_F64 || format->numbers == NUMBERS_I32)
        return format_number(format->numbers, data + format_bytes(format, i));
    if (format->type == FECRUN_I4) { /* items of a byte can only be converted together */
        fecrun_convert(format->type, FECRUN_F32, data + i / 2, value, 2);
        return value[i % 2];
    }
    fecrun_convert(format->type, FECRUN_F32, data + format_bytes(format, i), value, 1);
    return value[0];
}

/* The byte of the file where item i stands, of items that begin at byte `at`. */
static uint64_t byte_of(const struct source_code *code, uint64_t at, size_t i)
{
    const uint64_t byte = at + source_bytes(code, i + 1) - source_bytes(code, 1);

    return code->turned.items ? infile_column_byte(&code->turned, byte) : byte;
}

/* One of the n items is beyond the limit: which? */
static int say_beyond(const struct source_code *code, const uint8_t *data, size_t n, uint64_t at,
                      struct fecrun_error *err)
{
    for (size_t i = 0; i < n; i++) {
        const double value = value_at(code->format, data, i);

        if (fabs(value) > code->limit)
            return fecrun_fail(err, "llr_max", "%s: byte %" PRIu64 ": LLR %g is larger than %g",
                               code->path, byte_of(code, at, i), value, (double)code->limit);
    }
    return 0;
}

/* ---- Types: is no number beyond the limit? ------------------------------------------------- */

/* Fixed point is symmetric: the one value without a counterpart is read as the next one. */
static bool check_i8(int8_t *x, size_t n, int limit)
{
    int8_t least = 0, most = 0;

    for (size_t i = 0; i < n; i++) {
        least = x[i] < least ? x[i] : least;
        most = x[i] > most ? x[i] : most;
    }
    if (least == -128)
        for (size_t i = 0; i < n; i++)
            x[i] = x[i] == -128 ? -127 : x[i];
    return most <= limit && least >= (limit == 127 ? -128 : -limit);
}

static bool check_i16(int16_t *x, size_t n, int limit)
{
    int16_t least = 0, most = 0;

    for (size_t i = 0; i < n; i++) {
        least = x[i] < least ? x[i] : least;
        most = x[i] > most ? x[i] : most;
    }
    if (least == -32768)
        for (size_t i = 0; i < n; i++)
            x[i] = x[i] == -32768 ? -32767 : x[i];
    return most <= limit && least >= (limit == 32767 ? -32768 : -limit);
}

/* Two in a byte; a half byte behind the last item is 0. */
static bool check_i4(uint8_t *x, size_t n, int limit)
{
    const size_t bytes = (n + 1) / 2;
    uint8_t odd = 0, beyond = 0;

    for (size_t i = 0; i < bytes; i++) {
        const int8_t high = (int8_t)x[i], low = (int8_t)(x[i] << 4);

        odd |= (uint8_t)((high < -112) | (low < -112));
        beyond |= (uint8_t)((high >= 16 * (limit + 1)) | (low >= 16 * (limit + 1)) |
                            (high < -16 * limit) | (low < -16 * limit));
    }
    for (size_t i = 0; odd && i < bytes; i++)
        x[i] |= (uint8_t)((x[i] >> 4 == 8 ? 0x10 : 0) | ((x[i] & 15) == 8));
    return !beyond || limit == 7;
}

/* A NaN is no error, but 0 for decoders. */
static bool check_f32(const float *x, size_t n, float limit)
{
    int beyond = 0;

    for (size_t i = 0; i < n; i++)
        beyond |= fabsf(x[i]) > limit;
    return !beyond;
}

static bool check_f16(const uint16_t *x, size_t n, float limit)
{
    float values[CHAIN_CHUNK];
    bool good = true;

    for (size_t i = 0; i < n && good; i += CHAIN_CHUNK) {
        const size_t part = chain_part(n - i);

        fecrun_convert(FECRUN_F16, FECRUN_F32, x + i, values, part);
        good = check_f32(values, part, limit);
    }
    return good;
}

static bool check_wide(const struct source_code *code, const uint8_t *x, size_t n)
{
    bool beyond = false;

    for (size_t i = 0; code->limit > 0 && i < n; i++)
        beyond |= fabs(value_at(code->format, x, i)) > code->limit;
    return !beyond;
}

static bool check_type(const struct source_code *code, void *data, size_t n)
{
    if (code->format->numbers == NUMBERS_F64 || code->format->numbers == NUMBERS_I32)
        return check_wide(code, data, n);
    switch (code->format->type) {
    case FECRUN_I8:
        return check_i8(data, n, whole_limit(code, 127));
    case FECRUN_I16:
        return check_i16(data, n, whole_limit(code, 32767));
    case FECRUN_I4:
        return check_i4(data, n, whole_limit(code, 7));
    case FECRUN_F32:
        return !(code->limit > 0) || check_f32(data, n, code->limit);
    case FECRUN_F16:
        return !(code->limit > 0) || check_f16(data, n, code->limit);
    default:
        return true;
    }
}

/* Numbers that are no LLRs have to be what the file says: a wide one that no f32 is near is an error. */
static int check_values(const struct source_code *code, const uint8_t *data, size_t n, uint64_t at,
                        struct fecrun_error *err)
{
    const enum numbers numbers = code->format->numbers;

    if (numbers != NUMBERS_F64 && numbers != NUMBERS_I32)
        return 0;
    for (size_t i = 0; i < n; i++) {
        const double value = value_at(code->format, data, i);

        if (numbers == NUMBERS_I32 ? (double)(float)value != value
                                   : isfinite(value) && !isfinite((float)value))
            return fecrun_fail(err, "path",
                               "%s: byte %" PRIu64 ": %.17g is no value that f32 holds", code->path,
                               byte_of(code, at, i), value);
    }
    return 0;
}

/* ---- Other numbers than those in the file ---------------------------------------------------- */

/* 128 more than the LLR. */
static void take_offset(uint8_t *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] ^= 0x80;
}

static void invert_f32(uint32_t *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] ^= UINT32_C(1) << 31;
}

static void invert_f16(uint16_t *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] ^= 0x8000;
}

/* Their least values have become others. */
static void invert_i16(int16_t *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = (int16_t)-x[i];
}

static void invert_i8(int8_t *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] = (int8_t)-x[i];
}

/* A half byte behind the last item is 0, and stays it. */
static void invert_i4(uint8_t *x, size_t n)
{
    for (size_t i = 0; i < (n + 1) / 2; i++)
        x[i] = (uint8_t)((0u - (x[i] & 0xf0u)) & 0xf0u) | (uint8_t)((0u - (x[i] & 15u)) & 15u);
}

static void invert_u8(uint8_t *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        x[i] ^= 1;
}

static void invert_packed(uint8_t *x, size_t n)
{
    for (size_t i = 0; i < n / 8; i++)
        x[i] ^= 0xff;
    if (n % 8)
        x[n / 8] ^= (uint8_t)(0xff00 >> n % 8);
}

static void invert(uint32_t type, void *data, size_t n)
{
    switch (type) {
    case FECRUN_F32:
        invert_f32(data, n);
        return;
    case FECRUN_F16:
        invert_f16(data, n);
        return;
    case FECRUN_I16:
        invert_i16(data, n);
        return;
    case FECRUN_I8:
        invert_i8(data, n);
        return;
    case FECRUN_I4:
        invert_i4(data, n);
        return;
    case FECRUN_U8:
        invert_u8(data, n);
        return;
    default:
        invert_packed(data, n);
    }
}

/* ---- All of it ------------------------------------------------------------------------------- */

/* The unused rest of a frame's last byte is zero. */
static int check_fill(const struct source_code *code, const uint8_t *data, size_t n, uint64_t at,
                      struct fecrun_error *err)
{
    const uint32_t type = code->format->type;
    unsigned fill = 0;

    if (type == FECRUN_PACKED && n % 8)
        fill = data[n / 8] & (0xffu >> n % 8);
    else if (type == FECRUN_I4 && n % 2)
        fill = data[n / 2] & 15;
    return fill ? fecrun_fail(err, "path",
                              "%s: byte %" PRIu64 ": not zero behind the last item of "
                              "a frame",
                              code->path, at + source_bytes(code, n) - 1)
                : 0;
}

static int check_bits(const struct source_code *code, const uint8_t *data, size_t n, uint64_t at,
                      struct fecrun_error *err)
{
    const size_t bad = code->format->type == FECRUN_U8 ? fecrun_bits_check(data, n) : n;

    return bad < n ? fecrun_fail(err, "path", "%s: byte %" PRIu64 ": %u is not a bit (0 or 1)",
                                 code->path, byte_of(code, at, bad), data[bad])
                   : 0;
}

int source_check(const struct source_code *code, uint8_t *data, size_t n, uint64_t at,
                 struct fecrun_error *err)
{
    const struct format *format = code->format;

    if (format->numbers == NUMBERS_LOW)
        file_turn_bits(data, data, (n + 7) / 8);
    if (check_bits(code, data, n, at, err) || check_fill(code, data, n, at, err))
        return -1;
    if (code->kind == FECRUN_KIND_VALUES) /* may be the least one, too: a mask of 0x8000 */
        return check_values(code, data, n, at, err);
    if (format->numbers == NUMBERS_OFFSET)
        take_offset(data, n);
    if (code->kind == FECRUN_KIND_LLR && !check_type(code, data, n) &&
        say_beyond(code, data, n, at, err))
        return -1;
    if (code->invert && source_is_direct(code, format->type))
        invert(format->type, data, n);
    return 0;
}
