/* SPDX-License-Identifier: BSD-2-Clause */
/* Template, after one vec_*.h: wrong_name() is NULL, or the first expression with a wrong result. */
#include "plugins/common/vec/vec_blocks.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint8_t a[VEC_BYTES] __attribute__((aligned(64)));
static uint8_t b[VEC_BYTES] __attribute__((aligned(64)));
static uint64_t seed = 1;

static uint8_t random_byte(void)
{
    static const uint8_t ends[] = {0, 1, 127, 128, 129, 254, 255};

    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return seed >> 63 ? (uint8_t)(seed >> 40) : ends[(seed >> 40) % sizeof ends];
}

static long limit(long x, long least, long most)
{
    return x < least ? least : x > most ? most : x;
}

/* The lanes x of a and y of b, of TYPE: each lane of RESULT has to be EXPECTED. */
#define LANES(TYPE, RESULT, EXPECTED) \
    do { \
        TYPE got_[VEC_BYTES / sizeof(TYPE)], x_[VEC_BYTES / sizeof(TYPE)]; \
        TYPE y_[VEC_BYTES / sizeof(TYPE)]; \
        vec_store_any(got_, RESULT); \
        memcpy(x_, a, sizeof x_); \
        memcpy(y_, b, sizeof y_); \
        for (unsigned i = 0; i < VEC_BYTES / sizeof(TYPE); i++) { \
            const TYPE x = x_[i], y = y_[i]; \
            (void)x, (void)y; \
            if (got_[i] != (TYPE)(EXPECTED)) \
                return #RESULT; \
        } \
    } while (0)

static const char *wrong_bytes(vec v, vec w)
{
    LANES(int8_t, vec_load(a), x);
    LANES(uint8_t, vec_and(v, w), x & y);
    LANES(uint8_t, vec_andnot(v, w), ~x & y);
    LANES(uint8_t, vec_or(v, w), x | y);
    LANES(uint8_t, vec_xor(v, w), x ^ y);
    LANES(int8_t, vec_zero(), 0);
    LANES(int8_t, vec_i8_set(-7), -7);
    LANES(uint8_t, vec_i8_add(v, w), x + y);
    LANES(uint8_t, vec_i8_sub(v, w), x - y);
    LANES(int8_t, vec_i8_add_sat(v, w), limit(x + y, -128, 127));
    LANES(int8_t, vec_i8_sub_sat(v, w), limit(x - y, -128, 127));
    LANES(int8_t, vec_i8_min(v, w), x < y ? x : y);
    LANES(int8_t, vec_i8_max(v, w), x > y ? x : y);
    LANES(uint8_t, vec_u8_min(v, w), x < y ? x : y);
    LANES(uint8_t, vec_u8_max(v, w), x > y ? x : y);
    LANES(uint8_t, vec_i8_abs(v), x < 128 ? x : 256 - x);
    LANES(int8_t, vec_i8_sign(v, vec_or(w, vec_i8_set(1))), y < 0 ? -x : x);
    return NULL;
}

static const char *wrong_masks(vec v, vec w)
{
    const vec_mask negative = vec_i8_negative(v);
    uint64_t bits = 0, reversed = 0, got = 0;

    LANES(int8_t, vec_mask_bytes(negative), x < 0 ? -1 : 0);
    LANES(int8_t, vec_mask_ones(negative), x < 0);
    LANES(int8_t, vec_mask_bytes(vec_i8_eq(v, w)), x == y ? -1 : 0);
    LANES(uint8_t, vec_mask_bytes(vec_u8_less(v, w)), x < y ? 255 : 0);
    LANES(int8_t, vec_i8_pick(negative, v, w), x < 0 ? x : y);
    LANES(int8_t, vec_i8_negate(negative, w), x < 0 ? -y : y);
    for (unsigned i = 0; i < VEC_BYTES; i++) {
        bits |= (uint64_t)(a[i] >> 7) << i;
        reversed |= (uint64_t)(a[i] >> 7) << (i ^ 7);
    }
    if (vec_i8_signs(v) != bits)
        return "vec_i8_signs(v)";
    if (vec_mask_bits(negative) != bits)
        return "vec_mask_bits(negative)";
    LANES(int8_t, vec_mask_bytes(vec_mask_of_bits(bits)), x < 0 ? -1 : 0);
    vec_i8_put_signs(&got, v);
    if (got != bits)
        return "vec_i8_put_signs";
    vec_i8_put_signs_first_high(&got, v);
    return got != reversed ? "vec_i8_put_signs_first_high" : NULL;
}

static const char *wrong_integers(vec v, vec w)
{
    LANES(int16_t, vec_i16_set(-300), -300);
    LANES(uint16_t, vec_i16_add(v, w), x + y);
    LANES(uint16_t, vec_i16_sub(v, w), x - y);
    LANES(int16_t, vec_i16_max(v, w), x > y ? x : y);
    LANES(uint16_t, vec_i16_abs(v), x < 32768 ? x : 65536 - x);
    LANES(int16_t, vec_i16_sign(v, vec_or(w, vec_i16_set(1))), y < 0 ? -x : x);
    LANES(uint16_t, vec_i16_mul(v, w), (uint32_t)x * y);
    LANES(uint16_t, vec_u16_mul_high(v, w), (uint32_t)x * y >> 16);
    LANES(uint16_t, vec_u16_min(v, w), x < y ? x : y);
    LANES(uint16_t, vec_u16_srl(v, 5), x >> 5);
    LANES(int32_t, vec_i32_set(-70000), -70000);
    LANES(uint32_t, vec_i32_add(v, w), x + y);
    LANES(uint32_t, vec_i32_sub(v, w), x - y);
    LANES(int32_t, vec_i32_sra(v, 9), x >> 9);
    LANES(uint32_t, vec_u32_sll(v, 9), x << 9);
    LANES(uint32_t, vec_u32_srl(v, 9), x >> 9);
    LANES(uint64_t, vec_u32_mul_even(v, w), (x & UINT32_MAX) * (y & UINT32_MAX));
    LANES(uint64_t, vec_i64_set(0x8040201008040201), 0x8040201008040201);
    LANES(uint64_t, vec_i64_add(v, w), x + y);
    LANES(uint64_t, vec_u64_sll(v, 33), x << 33);
    LANES(uint64_t, vec_u64_srl(v, 33), x >> 33);
    return NULL;
}

/* Byte i of a vector's 16 bytes number `block`. */
#define AT(bytes, block, i) ((bytes)[16 * (block) + (i)])

static const char *wrong_order(vec v, vec w)
{
    const vec magnitudes = vec_u16_srl(v, 1), others = vec_u16_srl(w, 1);
    int16_t both[VEC_BYTES];
    uint16_t large[2][VEC_BYTES / 2];

    memcpy(both, a, VEC_BYTES);
    memcpy(both + VEC_BYTES / 2, b, VEC_BYTES);
    vec_store_any(large[0], magnitudes);
    vec_store_any(large[1], others);
    LANES(uint8_t, vec_i8_zip_low(v, w), AT(i % 2 ? b : a, i / 16, i % 16 / 2));
    LANES(uint8_t, vec_i8_zip_high(v, w), AT(i % 2 ? b : a, i / 16, 8 + i % 16 / 2));
    LANES(int8_t, vec_i16_to_i8_sat(v, w), limit(both[i], -128, 127));
    LANES(uint8_t, vec_u16_pack(magnitudes, others),
          limit(large[i / 8 % 2][i / 16 * 8 + i % 8], 0, 255));
    LANES(uint64_t, vec_u8_sum8(v),
          a[8 * i] + a[8 * i + 1] + a[8 * i + 2] + a[8 * i + 3] + a[8 * i + 4] + a[8 * i + 5] +
              a[8 * i + 6] + a[8 * i + 7]);
    return NULL;
}

static const char *wrong_transposition(void)
{
    int8_t row[64][17], column[16][VEC_BYTES];
    const void *rows[64];
    vec block[16];

    for (unsigned r = 0; r < 64; r++) {
        rows[r] = row[r];
        for (unsigned i = 0; i < 17; i++)
            row[r][i] = (int8_t)random_byte();
    }
    for (unsigned i = 0; i < 16; i++)
        block[i] = vec_load_rows(rows + i, 1);
    vec_i8_transpose(block);
    for (unsigned i = 0; i < 16; i++)
        vec_store_any(column[i], block[i]);
    for (unsigned r = 0; r < VEC_BYTES; r++)
        for (unsigned i = 0; i < 16; i++)
            if (column[i][r] != row[r][1 + i])
                return "vec_i8_transpose(block)";
    return NULL;
}

static bool same_float(float got, float wanted)
{
    return memcmp(&got, &wanted, sizeof got) == 0;
}

/* As LANES(), of floats p and q. */
#define FLOATS(RESULT, EXPECTED) \
    do { \
        float got_[VEC_BYTES / 4]; \
        vec_store_any(got_, vec_f32_bits(RESULT)); \
        for (unsigned i = 0; i < VEC_BYTES / 4; i++) { \
            const float x = p[i], y = q[i]; \
            (void)x, (void)y; \
            if (!same_float(got_[i], EXPECTED)) \
                return #RESULT; \
        } \
    } while (0)

static const char *wrong_floats(void)
{
    float p[VEC_BYTES / 4] __attribute__((aligned(64))), q[VEC_BYTES / 4];
    vec_f32 v, w;

    for (unsigned i = 0; i < VEC_BYTES / 4; i++) {
        p[i] = (float)((int8_t)random_byte() * 256 + random_byte()) / 8;
        q[i] = (float)(int8_t)random_byte() / 4;
    }
    v = vec_f32_load(p);
    w = vec_f32_load_any(q);
    FLOATS(vec_f32_set(-0.0f), -0.0f);
    FLOATS(vec_f32_add(v, w), x + y);
    FLOATS(vec_f32_sub(v, w), x - y);
    FLOATS(vec_f32_mul(v, w), x * y);
    FLOATS(vec_f32_min(v, w), x < y ? x : y);
    FLOATS(vec_f32_max(v, w), x > y ? x : y);
    FLOATS(vec_f32_sqrt(vec_f32_mul(w, w)), fabsf(y));
    FLOATS(vec_f32_xor(v, vec_f32_set(-0.0f)), -x);
    FLOATS(vec_f32_of_bits(vec_and(vec_f32_bits(v), vec_i32_set(0x7fffffff))), fabsf(x));
    FLOATS(vec_f32_of_i32(vec_f32_round(v)), nearbyintf(x) + 0.0f);
    return NULL;
}

static const char *wrong_name(void)
{
    for (unsigned round = 0; round < 2000; round++) {
        const char *wrong;
        vec v, w;

        for (unsigned i = 0; i < VEC_BYTES; i++) {
            a[i] = random_byte();
            b[i] = random_byte();
        }
        v = vec_load_any(a);
        w = vec_load_any(b);
        if ((wrong = wrong_bytes(v, w)) || (wrong = wrong_masks(v, w)) ||
            (wrong = wrong_integers(v, w)) || (wrong = wrong_order(v, w)) ||
            (wrong = wrong_transposition()) || (wrong = wrong_floats()))
            return wrong;
    }
    return NULL;
}
