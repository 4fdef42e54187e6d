/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Vectors of the compiler: what it makes of them depends on the machine it compiles for. The includer
 * says what a lane is, V_LANE, and U_LANE, the same without a sign.
 */
#include <string.h>

typedef V_LANE vec __attribute__((vector_size(16), may_alias));
typedef U_LANE uvec __attribute__((vector_size(16)));

#define V_WIDTH 16
#define V_LOAD(p) (*(const vec *)(const void *)(p))
#define V_STORE(p, v) (*(vec *)(void *)(p) = (v))
#define V_SET1(x) ((vec){0} + (V_LANE)(x))

static inline vec choose(vec mask, vec one, vec other)
{
    return (one & mask) | (other & ~mask);
}

static inline vec V_MAX(vec a, vec b)
{
    return choose(a > b, a, b);
}

static inline vec V_SUB(vec a, vec b)
{
    return (vec)((uvec)a - (uvec)b);
}

/* 16 bytes of a row in the order of an index. */
static inline vec V_ORDER(const int8_t *row, const int8_t *index, uint32_t at, uint32_t span)
{
    int8_t byte[V_WIDTH];
    vec v;

    (void)span;
    for (uint32_t i = 0; i < V_WIDTH; i++)
        byte[i] = row[index[at + i]];
    memcpy(&v, byte, sizeof v);
    return v;
}

/* Eight signs at a time: a product moves the lowest bits of eight bytes into its highest byte. */
static inline uint64_t sign_bits(const V_LANE *p)
{
    uint8_t byte[8];
    uint64_t bits;

    for (unsigned i = 0; i < 8; i++) {
        uint64_t x = 0;

        for (unsigned j = 0; j < 8; j++)
            x |= (uint64_t)(p[8 * i + j] < 0) << 8 * j;
        byte[i] = (uint8_t)(x * 0x8040201008040201 >> 56);
    }
    memcpy(&bits, byte, sizeof bits);
    return bits;
}
