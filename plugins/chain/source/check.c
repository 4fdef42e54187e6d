/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * source.file: is what was read allowed? Loops over all items only say whether something is odd, so
 * that they are vectors of the type in the file; where it stands is looked for behind them.
 */
#include "plugins/chain/source/file.h"

#include <inttypes.h>
#include <math.h>

/* The largest whole number that is no larger than the limit; without one, what the type holds. */
static int whole_limit(const struct source_code *code, int most)
{
    return code->limit > 0 && code->limit < (float)most ? (int)code->limit : most;
}

/* Of the one with the larger magnitude. */
static float value_at(uint32_t type, const uint8_t *data, size_t i)
{
    float value[2];

    if (type == FECRUN_I4) { /* items of a byte can only be converted together */
        fecrun_convert(type, FECRUN_F32, data + i / 2, value, 2);
        return value[i % 2];
    }
    fecrun_convert(type, FECRUN_F32, data + fecrun_bytes(type, i), value, 1);
    return value[0];
}

/* One of the n items is beyond the limit: which? */
static int say_beyond(const struct source_code *code, const uint8_t *data, size_t n, uint64_t at,
                      struct fecrun_error *err)
{
    for (size_t i = 0; i < n; i++) {
        const float value = value_at(code->disk, data, i);

        if (fabsf(value) > code->limit)
            return fecrun_fail(err, "llr_max", "%s: byte %" PRIu64 ": LLR %g is larger than %g",
                               code->path,
                               at + fecrun_bytes(code->disk, i + 1) - fecrun_bytes(code->disk, 1),
                               (double)value, (double)code->limit);
    }
    return 0;
}

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

static bool check_type(const struct source_code *code, void *data, size_t n)
{
    switch (code->disk) {
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

/* The unused rest of a frame's last byte is zero. */
static int check_fill(const struct source_code *code, const uint8_t *data, size_t n, uint64_t at,
                      struct fecrun_error *err)
{
    unsigned fill = 0;

    if (code->disk == FECRUN_PACKED && n % 8)
        fill = data[n / 8] & (0xffu >> n % 8);
    else if (code->disk == FECRUN_I4 && n % 2)
        fill = data[n / 2] & 15;
    return fill ? fecrun_fail(err, "path",
                              "%s: byte %" PRIu64 ": not zero behind the last item of "
                              "a frame",
                              code->path, at + fecrun_bytes(code->disk, n) - 1)
                : 0;
}

int source_check(const struct source_code *code, uint8_t *data, size_t n, uint64_t at,
                 struct fecrun_error *err)
{
    if (code->disk == FECRUN_U8) {
        size_t bad = fecrun_bits_check(data, n);

        if (bad < n)
            return fecrun_fail(err, "path", "%s: byte %" PRIu64 ": %u is not a bit (0 or 1)",
                               code->path, at + bad, data[bad]);
    }
    if (check_fill(code, data, n, at, err))
        return -1;
    if (code->kind !=
        FECRUN_KIND_LLR) /* other numbers may be the least one, too: a mask of 0x8000 */
        return 0;
    return check_type(code, data, n) ? 0 : say_beyond(code, data, n, at, err);
}
