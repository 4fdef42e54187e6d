/* SPDX-License-Identifier: BSD-2-Clause */
/* The words of `dtype`, and numbers that are no sample type. */
#include "plugins/chain/source/format.h"
#include "plugins/common/files/npy.h"

#include <fecrun/sdk/params.h>

enum {
    KINDS_BITS = FECRUN_KIND_BITS,
    KINDS_LLR = FECRUN_KIND_LLR,
    KINDS_NUMBERS = FECRUN_KIND_LLR | FECRUN_KIND_VALUES,
    KINDS_SYMBOLS = FECRUN_KIND_SYMBOLS,
};

enum format_index {
    F4,
    F2,
    I2,
    I1,
    I4,
    U1,
    PACKED,
    CF32,
    CS16,
    CS8,
    CU8,
    CF64,
    F8,
    INT32,
    OFFSET8,
    B8
};

static const struct format formats[] = {
    [F4] = {"f4", FECRUN_F32, SYMBOLS_CF32, NUMBERS_PLAIN, KINDS_NUMBERS},
    [F2] = {"f2", FECRUN_F16, SYMBOLS_CF32, NUMBERS_PLAIN, KINDS_NUMBERS},
    [I2] = {"i2", FECRUN_I16, SYMBOLS_CF32, NUMBERS_PLAIN, KINDS_NUMBERS},
    [I1] = {"i1", FECRUN_I8, SYMBOLS_CF32, NUMBERS_PLAIN, KINDS_NUMBERS},
    [I4] = {"i4", FECRUN_I4, SYMBOLS_CF32, NUMBERS_PLAIN, KINDS_LLR},
    [U1] = {"u1", FECRUN_U8, SYMBOLS_CF32, NUMBERS_PLAIN, KINDS_BITS},
    [PACKED] = {"packed", FECRUN_PACKED, SYMBOLS_CF32, NUMBERS_PLAIN, KINDS_BITS},
    [CF32] = {"c8", FECRUN_C8, SYMBOLS_CF32, NUMBERS_PLAIN, KINDS_SYMBOLS},
    [CS16] = {"cs16", FECRUN_C8, SYMBOLS_CS16, NUMBERS_PLAIN, KINDS_SYMBOLS},
    [CS8] = {"cs8", FECRUN_C8, SYMBOLS_CS8, NUMBERS_PLAIN, KINDS_SYMBOLS},
    [CU8] = {"cu8", FECRUN_C8, SYMBOLS_CU8, NUMBERS_PLAIN, KINDS_SYMBOLS},
    [CF64] = {"cf64", FECRUN_C8, SYMBOLS_CF64, NUMBERS_PLAIN, KINDS_SYMBOLS},
    [F8] = {"f8", FECRUN_F32, SYMBOLS_CF32, NUMBERS_F64, KINDS_NUMBERS},
    [INT32] = {"int32", FECRUN_F32, SYMBOLS_CF32, NUMBERS_I32, KINDS_NUMBERS},
    [OFFSET8] = {"offset8", FECRUN_I8, SYMBOLS_CF32, NUMBERS_OFFSET, KINDS_LLR},
    [B8] = {"b8", FECRUN_PACKED, SYMBOLS_CF32, NUMBERS_LOW, KINDS_BITS},
};

const char *const format_names[] = {
    "f4",    "f32",  "f2",   "f16",     "i2",        "i16",        "i1",      "i8",
    "i4",    "u1",   "u8",   "packed",  "c8",        "cf32",       "cs16",    "cs8",
    "cu8",   "cf64", "f8",   "f64",     "float64",   "float32",    "float16", "int32",
    "int16", "int8", "int4", "offset8", "complex64", "complex128", "b8",      NULL,
};

const struct format *format_of_name(int64_t choice)
{
    static const enum format_index index[] = {
        F4,  F4,   F2, F2, I2, I2, I1, I1,    I4, U1, U1, PACKED,  CF32, CF32, CS16, CS8,
        CU8, CF64, F8, F8, F8, F4, F2, INT32, I2, I1, I4, OFFSET8, CF32, CF64, B8,
    };

    return &formats[index[choice]];
}

const struct format *format_of_npy(const struct npy *npy)
{
    static const enum format_index plain[] = {
        [FECRUN_U8] = U1,  [FECRUN_PACKED] = PACKED, [FECRUN_F32] = F4, [FECRUN_F16] = F2,
        [FECRUN_I16] = I2, [FECRUN_I8] = I1,         [FECRUN_I4] = I4,  [FECRUN_C8] = CF32,
    };
    static const enum format_index wide[] = {[NPY_F64] = F8, [NPY_I32] = INT32, [NPY_C128] = CF64};

    return &formats[npy->wide ? wide[npy->wide] : plain[npy->type]];
}

const struct format *format_of_symbols(enum symbols symbols)
{
    static const enum format_index index[] = {[SYMBOLS_CF32] = CF32,
                                              [SYMBOLS_CS16] = CS16,
                                              [SYMBOLS_CS8] = CS8,
                                              [SYMBOLS_CU8] = CU8,
                                              [SYMBOLS_CF64] = CF64};

    return &formats[index[symbols]];
}

uint64_t format_bytes(const struct format *format, uint64_t n)
{
    if (format->type == FECRUN_C8)
        return n * symbols_bytes(format->symbols);
    return format->numbers == NUMBERS_F64   ? 8 * n
           : format->numbers == NUMBERS_I32 ? 4 * n
                                            : fecrun_bytes(format->type, n);
}

double format_number(enum numbers numbers, const uint8_t *from)
{
    int32_t whole;
    double x;

    if (numbers == NUMBERS_I32) {
        memcpy(&whole, from, sizeof whole);
        return whole;
    }
    memcpy(&x, from, sizeof x);
    return x;
}

void format_narrow(enum numbers numbers, bool negate, const uint8_t *from, float *to, uint64_t n)
{
    const float sign = negate ? -1 : 1;

    if (numbers == NUMBERS_I32)
        for (uint64_t i = 0; i < n; i++)
            to[i] = sign * (float)format_number(NUMBERS_I32, from + 4 * i);
    else
        for (uint64_t i = 0; i < n; i++)
            to[i] = sign * (float)format_number(NUMBERS_F64, from + 8 * i);
}

/* ---- Words that NumPy uses for other types ------------------------------------------------- */

const char *format_mistaken(const char *dtype, unsigned *bytes)
{
    static const struct {
        const char *word, *numpy;
        unsigned bytes;
    } words[] = {{"i4", "int32", 4}, {"i8", "int64", 8}, {"u8", "uint64", 8}};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(dtype, words[i].word) == 0) {
            *bytes = words[i].bytes;
            return words[i].numpy;
        }
    return NULL;
}

bool format_looks_wide(const uint8_t *data, size_t n, unsigned bytes)
{
    enum {
        LEAST = 16, /* numbers; fewer say little */
        USED = 2    /* bytes that small numbers use */
    };
    uint8_t seen = 0;

    if (n / bytes < LEAST)
        return false;
    for (size_t i = 0; i + bytes <= n; i += bytes) {
        const uint8_t sign = data[i + bytes - 1];

        seen |= data[i];
        if (sign != 0 && sign != 0xff)
            return false;
        for (unsigned k = USED; k < bytes; k++)
            if (data[i + k] != sign)
                return false;
    }
    return seen != 0;
}
