/* SPDX-License-Identifier: BSD-2-Clause */
#include "plugins/chain/source/symbols.h"

#include <string.h>

unsigned symbols_bytes(enum symbols form)
{
    return form == SYMBOLS_CF64 ? 16 : form == SYMBOLS_CF32 ? 8 : form == SYMBOLS_CS16 ? 4 : 2;
}

static void from_f32(const uint8_t *in, float scale, float *out, uint64_t n)
{
    memcpy(out, in, n * sizeof *out);
    for (uint64_t i = 0; i < n; i++)
        out[i] *= scale;
}

static void from_f64(const uint8_t *in, float scale, float *out, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        double x;

        memcpy(&x, in + 8 * i, sizeof x);
        out[i] = (float)x * scale;
    }
}

static void from_s16(const uint8_t *in, float scale, float *out, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        int16_t x;

        memcpy(&x, in + 2 * i, sizeof x);
        out[i] = (float)x * (1 / 32768.0f) * scale;
    }
}

static void from_s8(const uint8_t *in, float scale, float *out, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        out[i] = (float)(int8_t)in[i] * (1 / 128.0f) * scale;
}

static void from_u8(const uint8_t *in, float scale, float *out, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        out[i] = ((float)in[i] - 127.5f) * (1 / 128.0f) * scale;
}

void symbols_convert(enum symbols form, float scale, const uint8_t *in, float *out, uint64_t n)
{
    static void (*const from[])(const uint8_t *, float, float *,
                                uint64_t) = {[SYMBOLS_CF32] = from_f32,
                                             [SYMBOLS_CS16] = from_s16,
                                             [SYMBOLS_CS8] = from_s8,
                                             [SYMBOLS_CU8] = from_u8,
                                             [SYMBOLS_CF64] = from_f64};

    from[form](in, scale, out, 2 * n);
}
