/* SPDX-License-Identifier: BSD-2-Clause */
/* core/sdk/sample: lossless, for every value and every length. */
#include "t/lib/tap.h"

#include <fecrun/sdk/sample.h>
#include <fecrun/sdk/params.h>

#include <math.h>

/* Converts from memory of exactly the right size into such memory (for the sanitizers). */
static void convert(uint32_t from, uint32_t to, const void *in, void *out, uint64_t n)
{
    size_t in_bytes = (size_t)fecrun_bytes(from, n), out_bytes = (size_t)fecrun_bytes(to, n);
    char *a = malloc(in_bytes + !in_bytes), *b = malloc(out_bytes + !out_bytes);

    memcpy(a, in, in_bytes);
    memset(b, 0x5a, out_bytes);
    fecrun_convert(from, to, a, b, n);
    memcpy(out, b, out_bytes);
    free(a);
    free(b);
}

static void test_bits(void)
{
    unsigned wrong = 0;

    for (unsigned n = 0; n < 300; n++) {
        uint8_t u8[300], packed[38], want[38] = {0}, back[300];
        for (unsigned i = 0; i < n; i++) {
            u8[i] = (n * 31 + i * i * 7) >> 3 & 1;
            want[i / 8] |= (uint8_t)(u8[i] << (7 - i % 8));
        }
        convert(FECRUN_U8, FECRUN_PACKED, u8, packed, n);
        convert(FECRUN_PACKED, FECRUN_U8, packed, back, n);
        wrong += memcmp(packed, want, (n + 7) / 8) || memcmp(back, u8, n);
    }
    is_int(wrong, 0, "u8 <-> packed, 0 to 299 bits, filled with zeros");
}

static void test_i4(void)
{
    unsigned wrong = 0;

    for (int high = -8; high < 8; high++)
        for (int low = -8; low < 8; low++) {
            uint8_t in[2] = {(uint8_t)((high & 15) << 4 | (low & 15)), 0x80};
            int want[3] = {high < -7 ? -7 : high, low < -7 ? -7 : low, -7};
            int8_t i8[3];
            int16_t i16[3];
            float f32[3];
            convert(FECRUN_I4, FECRUN_I8, in, i8, 3);
            convert(FECRUN_I4, FECRUN_I16, in, i16, 3);
            convert(FECRUN_I4, FECRUN_F32, in, f32, 3);
            for (int i = 0; i < 3; i++)
                wrong += i8[i] != want[i] || i16[i] != want[i] || f32[i] != (float)want[i];
        }
    is_int(wrong, 0, "i4 -> i8, i16, f32: all values, high half first, -8 is -7");
}

static void test_integers(void)
{
    unsigned wrong = 0;
    int8_t i8[256];
    int16_t i16[256];
    float f32[256];

    for (int i = 0; i < 256; i++)
        i8[i] = (int8_t)(i - 128);
    convert(FECRUN_I8, FECRUN_I16, i8, i16, 256);
    convert(FECRUN_I8, FECRUN_F32, i8, f32, 256);
    for (int i = 0; i < 256; i++) {
        int want = i ? i - 128 : -127;
        wrong += i16[i] != want || f32[i] != (float)want;
    }
    is_int(wrong, 0, "i8 -> i16, f32: all values, -128 is -127");
    wrong = 0;
    for (int i = -32768; i < 32768; i++) {
        int16_t one = (int16_t)i;
        float f;
        convert(FECRUN_I16, FECRUN_F32, &one, &f, 1);
        wrong += f != (float)i;
    }
    is_int(wrong, 0, "i16 -> f32: all values");
}

/* IEEE 754 by its definition. */
static double half(unsigned h)
{
    unsigned exponent = h >> 10 & 31, mantissa = h & 1023;
    double x = exponent == 31  ? (mantissa ? NAN : INFINITY)
               : exponent == 0 ? ldexp(mantissa, -24)
                               : ldexp(1024 + mantissa, (int)exponent - 25);

    return h & 0x8000 ? -x : x;
}

static void test_f16(void)
{
    unsigned wrong = 0;

    for (unsigned h = 0; h < 65536; h++) {
        uint16_t in = (uint16_t)h;
        double want = half(h);
        float got;
        convert(FECRUN_F16, FECRUN_F32, &in, &got, 1);
        wrong += isnan(want) ? !isnan(got) : got != want || !signbit(got) != !signbit(want);
    }
    is_int(wrong, 0, "f16 -> f32: all values, also subnormals, infinities, NaN");
}

static void test_half(void)
{
    static const struct {
        double x;
        unsigned half;
    } near[] = {
        {1, 0x3c00},
        {65504, 0x7bff},
        {65519, 0x7bff},
        {65520, 0x7c00},
        {1e300, 0x7c00},
        {2049, 0x6800},
        {2051, 0x6802},
        {-2049.001, 0xe801},
        {0x1p-14 - 0x1p-26, 0x0400},
        {0x1p-25, 0},
        {0x1.8p-24, 2},
        {0x2.8p-24, 2},
        {-0x1.0001p-25, 0x8001},
        {-0.0, 0x8000},
        {INFINITY, 0x7c00},
        {-INFINITY, 0xfc00},
    };
    unsigned wrong = 0;

    for (unsigned h = 0; h < 65536; h++) {
        const unsigned got = fecrun_half(half(h));

        wrong += isnan(half(h)) ? (got & 0x7c00) != 0x7c00 || !(got & 0x3ff) : got != h;
        wrong += !isnan(half(h)) && fecrun_bits_float(fecrun_half_widen(h)) != half(h);
    }
    is_int(wrong, 0, "half: there and back, all values");
    for (unsigned i = 0; i < sizeof near / sizeof *near; i++)
        is_int(fecrun_half(near[i].x), near[i].half, "half: %.10g is rounded", near[i].x);
}

/* Into narrower types and back: what came from a type gets there again, whole bytes and parts. */
static void test_narrow(void)
{
    enum { N = 1301 };
    static const uint32_t wide[] = {FECRUN_I8, FECRUN_I16, FECRUN_F16, FECRUN_F32};
    static const uint32_t types[] = {FECRUN_I4, FECRUN_I8, FECRUN_I16, FECRUN_F16};
    uint8_t first[4 * N], there[4 * N], back[4 * N];
    float value[N];

    for (unsigned t = 0; t < 4; t++)
        for (unsigned w = 0; w < 4; w++) {
            const size_t bytes = (size_t)fecrun_bytes(types[t], N);

            if (types[t] == wide[w] || !fecrun_type_holds(wide[w], types[t]))
                continue;
            for (int i = 0; i < N; i++)
                value[i] = (float)(i % (types[t] == FECRUN_I4 ? 15 : 255) -
                                   (types[t] == FECRUN_I4 ? 7 : 127));
            convert(FECRUN_F32, types[t], value, first, N);
            convert(types[t], wide[w], first, there, N);
            convert(wide[w], types[t], there, back, N);
            ok(!memcmp(first, back, bytes), "%s -> %s and back", fecrun_type_name(types[t]),
               fecrun_type_name(wide[w]));
            convert(wide[w], FECRUN_F32, there, back, N);
            ok(!memcmp(back, value, sizeof value), "%s -> %s -> f32", fecrun_type_name(types[t]),
               fecrun_type_name(wide[w]));
        }
}

static void test_names(void)
{
    for (uint32_t type = FECRUN_U8; type <= FECRUN_C8; type++)
        is_int(fecrun_type_of_name(fecrun_type_name(type)), type, "%s by its name",
               fecrun_type_name(type));
    is_int(fecrun_type_of_name("f8"), FECRUN_NONE, "no such type");
    is_str(fecrun_type_name(FECRUN_NONE), "none", "none");
    is_str(fecrun_type_name(99), "unknown", "unknown");
    ok(fecrun_type_kind(FECRUN_PACKED) == FECRUN_KIND_BITS &&
           fecrun_type_kind(FECRUN_I4) == FECRUN_KIND_LLR &&
           fecrun_type_kind(FECRUN_C8) == FECRUN_KIND_SYMBOLS,
       "kinds");
}

/* Values are lost nowhere: what converts goes to a type that holds it, and each type itself. */
static void test_tables(void)
{
    static const double largest[] = {0, 1, 1, INFINITY, 2048, 32767, 127, 7, 0};

    for (uint32_t from = FECRUN_U8; from <= FECRUN_C8; from++) {
        char in[16] = {0}, out[64];
        is_int(fecrun_type_bits(from),
               from == FECRUN_PACKED ? 1
               : from == FECRUN_I4   ? 4
                                     : 8 * fecrun_bytes(from, 1),
               "bits of %s", fecrun_type_name(from));
        ok(fecrun_type_holds(from, from) && fecrun_convert_known(from, from), "%s holds itself",
           fecrun_type_name(from));
        convert(from, from, in, out, 2);
        for (uint32_t to = FECRUN_U8; to <= FECRUN_C8; to++) {
            bool bits = from <= FECRUN_PACKED, to_bits = to <= FECRUN_PACKED;
            if (!fecrun_convert_known(from, to) || from == to)
                continue;
            ok(fecrun_type_holds(to, from) && bits == to_bits && from != FECRUN_C8 &&
                   to != FECRUN_C8 && (bits || largest[from] <= largest[to]),
               "%s -> %s is lossless", fecrun_type_name(from), fecrun_type_name(to));
            memset(out, 0x5a, sizeof out);
            convert(from, to, in, out, 3);
            ok(out[0] == 0 && out[fecrun_bytes(to, 3) - 1] == 0 && out[fecrun_bytes(to, 3)] == 0x5a,
               "%s -> %s: zeros stay, and nothing behind", fecrun_type_name(from),
               fecrun_type_name(to));
        }
    }
}

int main(void)
{
    test_bits();
    test_i4();
    test_integers();
    test_f16();
    test_half();
    test_narrow();
    test_names();
    test_tables();
    return done_testing();
}
